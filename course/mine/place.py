"""Where a learner's own files are: beside the folders of the lessons."""

from pathlib import Path

from course.lessons import lessons

FILE = "my_2048.py"


def folder_of_lessons(folder: Path | None = None) -> Path | None:
    """Where the lesson folders lie: above the folder (the current one), or in it; else `None`."""
    here = (folder or Path.cwd()).absolute()
    for place in (here.parent, here):
        if any((place / entry.id).is_dir() for entry in lessons()):
            return place
    return None


def kept_file(folder: Path | None = None) -> Path:
    """Where kept functions are: beside the lesson folders, or in the folder itself."""
    here = folder or Path.cwd()
    return (folder_of_lessons(here) or here) / FILE
