"""Import paths that configurations of courses may name, from before this room was `gradebook`.

`nbgrader_config.py` and the options of nbgrader's programs name classes by them.
"""

import sys

from autograder.gradebook import autograde, collectors, exports, hidden, preprocessors, setup

for _module in (autograde, collectors, exports, hidden, preprocessors, setup):
    _path = _module.__name__.replace("autograder.gradebook", __name__)
    sys.modules[_path] = _module
