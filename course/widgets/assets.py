"""The scripts and styles in static/, joined as a widget needs them: readable, no bundler."""

from pathlib import Path

STATIC = Path(__file__).parent / "static"


def read(*names: str) -> str:
    """The named files of static/ follow each other in one text."""
    return "\n".join((STATIC / name).read_text("utf-8") for name in names)
