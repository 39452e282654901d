"""The scripts and styles in static/: each file says what it imports, and is put together here.

anywidget hands the browser one text, in which a name such as `./parts.js` leads nowhere. So the
imports of a file are followed here, and what is imported stands before what needs it.
"""

import re
from pathlib import Path

STATIC = Path(__file__).parent / "static"
IMPORT = re.compile(r'^(?:import \{[^}]*\} from|@import) "\./([\w-]+\.(?:js|css))";\n', re.M)
EXPORT = re.compile(r"^export (?!default )", re.M)


def read(*names: str) -> str:
    """Return the named files of static/ and all that they import, each of them once, as one text.

    >>> read("replay.css").index(".c2048-board") < read("replay.css").index(".c2048-button")
    True
    """
    found: dict[str, str] = {}
    for name in names:
        _follow(name, found)
    return "\n".join(found.values())


def _follow(name: str, found: dict[str, str]) -> None:
    """Add a file to `found`, behind all that it imports."""
    if name not in found:
        text = (STATIC / name).read_text("utf-8")
        for needed in IMPORT.findall(text):
            _follow(needed, found)
        found[name] = EXPORT.sub("", IMPORT.sub("", text))
