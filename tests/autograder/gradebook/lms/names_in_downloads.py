"""A class of 40, and the names of its files in the downloads of Canvas and Moodle."""

from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from tests.autograder.conftest import LESSON

Collect = Callable[..., Result]

DUE = "2026-03-01 12:00:00"
NAME = "merge-a-line.ipynb"
# Canvas and Moodle take these names apart in the same way as those of all others.
ODD = [("Zoë", "Núñez"), ("Ann", "O'Brien"), ("Mary Jane", "van der Berg"), ("Li", "王")]
CLASS = [
    *((f"s{n:02}", *ODD[n]) for n in range(len(ODD))),
    *((f"s{n:02}", f"First{chr(65 + n // 6)}{chr(97 + n % 6)}", "Last") for n in range(4, 38)),
    ("bob1", "Bob", "Smith"),
    ("bob2", "Bob", "Smith"),
]


def saved(data: bytes, name: str = "download.zip") -> Path:
    path = Path(name).resolve()
    path.write_bytes(data)
    return path


def worksheet(*rows: str) -> tuple[str, str]:
    """Write Moodle's grading worksheet; return the options that name it."""
    Path("Grades.csv").write_text("\n".join(rows), encoding="utf-8")
    return "--worksheet", "Grades.csv"


def canvas(number: int, file: str, late: bool = False) -> str:
    """Return the name of a file in Canvas's download, as lib/content_zipper.rb makes it."""
    _, first, last = CLASS[number]
    name = "".join(c for c in f"{last}, {first}".lower() if c.isalnum() or c == "_")
    return f"{name}{'_LATE' * late}_{1000 + number}_{50000 + number}_{file}"


def moodle(number: int, file: str, plugin: str = "file") -> str:
    """Return the path of a file in Moodle's download, as in mod/assign/classes/downloader.php."""
    _, first, last = CLASS[number]
    name = f"{first} {last}".replace("_", " ").replace("'", "")
    return f"{name}_{300 + number}_assignsubmission_{plugin}/{file}"


def of(student: str, name: str = NAME) -> Path:
    return Path("submitted", student, LESSON, name)


def told(result: Result) -> str:
    """Return a run's standard output as one line, because tables break sentences into lines."""
    return " ".join(result.stdout.split())
