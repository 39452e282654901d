"""Import paths that configurations of courses may name, from before this room was `gradebook`.

`nbgrader_config.py` and the options of nbgrader's programs name classes by them.
"""

import sys

from autograder.gradebook import autograde, lms, notes

_MOVED = {
    "autograde": autograde,
    "collectors": lms,
    "exports": lms,
    "hidden": notes,
    "preprocessors": autograde,
    "setup": autograde,
}
sys.modules.update({f"{__name__}.{name}": module for name, module in _MOVED.items()})
