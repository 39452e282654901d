"""The place of a learner's own files: beside the folders of the lessons."""

from pathlib import Path

from course.lessons import lessons

FILE = "my_2048.py"


def folder_of_lessons(folder: Path | None = None) -> Path | None:
    """Return the folder that the lesson folders lie in, or `None`.

    It is the one above `folder` (by default, the current folder), or `folder` itself.
    """
    here = (folder or Path.cwd()).absolute()
    for place in (here.parent, here):
        if any((place / entry.id).is_dir() for entry in lessons()):
            return place
    return None


def kept_file(folder: Path | None = None) -> Path:
    """Return the file of kept functions: beside the lesson folders, or else in `folder` itself."""
    here = folder or Path.cwd()
    return (folder_of_lessons(here) or here) / FILE
