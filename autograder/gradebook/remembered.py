"""Results worked out about a master, kept in `.autograder-plans/` until the master changes.

The folder may be lost: all is worked out anew. Its content is unpickled, so, like the configuration
beside it, it counts as a program: only an instructor may write to it.
"""

import json
import os
import pickle
from contextlib import suppress
from pathlib import Path
from typing import Any

FOLDER = ".autograder-plans"


class Remembered:
    """The values remembered about one assignment of the course in a folder."""

    def __init__(self, root: Path, assignment: str) -> None:
        self._path = root / FOLDER / f"{assignment}.json"
        self._begin = self._path.with_name(f"{assignment}.begin")

    def get(self, name: str, digest: str) -> Any:
        """Return what was put under a name for something with this digest, or `None`."""
        entry = self._read().get(name)
        return entry["value"] if isinstance(entry, dict) and entry.get("digest") == digest else None

    def put(self, name: str, digest: str, value: Any) -> None:
        """Remember a value; if nothing can be written, it is worked out again next time."""
        entries = {**self._read(), name: {"digest": digest, "value": value}}
        _write(self._path, json.dumps(entries, indent=1, ensure_ascii=False).encode())

    def to_begin_with(self, digest: str) -> Any:
        """Return what the run before has left for this one to begin with, or `None`.

        It must have been left with the same digest.
        """
        try:
            known, value = pickle.loads(self._begin.read_bytes())
        except Exception:  # it is not there, or of another version
            return None
        return value if known == digest else None

    def leave_to_begin_with(self, digest: str, value: Any) -> None:
        """Leave something for the next run to begin with."""
        _write(self._begin, pickle.dumps((digest, value)))

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def _write(path: Path, data: bytes) -> None:
    new = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        new.write_bytes(data)
        new.replace(path)
