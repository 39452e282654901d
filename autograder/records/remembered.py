"""What was worked out about a master and holds until it changes: in `.autograder-plans/`.

Nothing is lost with the folder: it is worked out anew.
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

FOLDER = ".autograder-plans"


class Remembered:
    """What is remembered of one assignment of the course in a folder."""

    def __init__(self, root: Path, assignment: str) -> None:
        self._path = root / FOLDER / f"{assignment}.json"

    def get(self, name: str, digest: str) -> Any:
        """What was put under a name for something with this digest, or `None`."""
        entry = self._read().get(name)
        return entry["value"] if isinstance(entry, dict) and entry.get("digest") == digest else None

    def put(self, name: str, digest: str, value: Any) -> None:
        """Remembers a value; where nothing can be written, it is worked out again next time."""
        entries = {**self._read(), name: {"digest": digest, "value": value}}
        new = self._path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            self._path.parent.mkdir(exist_ok=True)
            new.write_text(json.dumps(entries, indent=1, ensure_ascii=False), encoding="utf-8")
            new.replace(self._path)

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
