"""Open the course: copy what is new into the learner's own folder, and start JupyterLab there."""

import os
import shutil
import sys
from pathlib import Path

from course.lessons import lessons
from course.mine.results import Results, read

SETTINGS = Path(__file__).parent / "settings"
FIRST = Path(__file__).parent / "first.py"
MAP = Path(__file__).parent / "START-HERE.ipynb"


def copy_missing(release: Path, mine: Path) -> list[Path]:
    """Copies every file of `release` that `mine` does not have; returns the new files.

    A file that is there is never touched, whatever it holds.
    """
    copied = []
    for original in sorted(path for path in release.rglob("*") if path.is_file()):
        own = mine / original.relative_to(release)
        if not os.path.lexists(own):
            own.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(original, own)
            copied.append(own)
    return copied


def command(mine: Path, browser: bool) -> list[str]:
    """The command that starts JupyterLab in a folder and opens what is next."""
    arguments = [
        *(sys.executable, "-m", "jupyterlab"),
        f"--ServerApp.root_dir={mine.resolve()}",
        f"--LabApp.default_url=/lab/tree/{opened_first(mine)}",
        f"--LabApp.app_settings_dir={SETTINGS}",
    ]
    if not browser:
        arguments.append("--no-browser")
    if os.geteuid() == 0:
        arguments.append("--allow-root")
    return arguments


def opened_first(mine: Path) -> str:
    """The first lesson; once it is done, the map of the course."""
    first = lessons()[0]
    holds = read(mine).get(first.id, Results()).holds
    return MAP.name if set(first.checks) <= holds else f"{first.id}/{first.notebook}"


def main(release: str, mine: str) -> None:
    """Copies and starts; the environment variable `NO_BROWSER=1` opens no browser."""
    copied = copy_missing(Path(release), Path(mine))
    if not os.path.lexists(Path(mine, MAP.name)):
        copied.append(Path(shutil.copyfile(MAP, Path(mine, MAP.name))))
    new = "1 new file" if len(copied) == 1 else f"{len(copied)} new files"
    print(f"{new} in {mine}; nothing that was there was changed.", flush=True)
    start = command(Path(mine), browser=os.environ.get("NO_BROWSER", "") in ("", "0"))
    # A learner who has a start-up file keeps it.
    os.environ.setdefault("PYTHONSTARTUP", str(FIRST.resolve()))
    os.execv(start[0], start)
