"""Open the course: copy what is new into the learner's own folder, and start JupyterLab there."""

import os
import shutil
import sys
from pathlib import Path

from course.lessons import lessons

SETTINGS = Path(__file__).parent / "settings"


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
    """The command that starts JupyterLab in a folder and opens the first lesson."""
    first = lessons()[0]
    arguments = [
        *(sys.executable, "-m", "jupyterlab"),
        f"--ServerApp.root_dir={mine.resolve()}",
        f"--LabApp.default_url=/lab/tree/{first.id}/{first.notebook}",
        f"--LabApp.app_settings_dir={SETTINGS}",
        "--ServerApp.kernel_websocket_connection_class=course.lab.promptly.PromptConnection",
    ]
    if not browser:
        arguments.append("--no-browser")
    if os.geteuid() == 0:
        arguments.append("--allow-root")
    return arguments


def main(release: str, mine: str) -> None:
    """Copies and starts; the environment variable `NO_BROWSER=1` opens no browser."""
    copied = copy_missing(Path(release), Path(mine))
    new = "1 new file" if len(copied) == 1 else f"{len(copied)} new files"
    print(f"{new} in {mine}; nothing that was there was changed.", flush=True)
    start = command(Path(mine), browser=os.environ.get("NO_BROWSER", "") in ("", "0"))
    os.execv(start[0], start)
