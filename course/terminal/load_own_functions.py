"""Opening a match with the pieces of a learner's file, such as `merge` or `Game`."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any

from course.mine import load_own_file
from course.playing.answer_validation import WANTED
from course.playing.calls import Stuck, Tail, call
from course.playing.game_implementations import SPECIAL_PIECES, Functions, OwnGame
from course.playing.game_in_progress import Match

CLASSES = ("Game", "SpecialGame")


def pieces_of(file: Path) -> dict[str, Any]:
    """Return the pieces of the game in a file by name; raise `ValueError` if there are none."""
    pieces = {
        name: value
        for name, value in load_own_file.load(file).items()
        if name in WANTED or (name in CLASSES and isinstance(value, type))
    }
    if not pieces:
        known = ", ".join((*WANTED, *CLASSES))
        raise ValueError(f"{file.name} defines no piece of the game. The pieces are {known}.")
    return pieces


def match_of(
    pieces: Mapping[str, Any],
    *,
    special: bool = False,
    height: int = 4,
    width: int = 4,
    goal: int = 2048,
    seed: int | None = None,
) -> tuple[Match, str]:
    """Return a match with the learner's class, or else functions, and sentences on what it uses."""
    name = "SpecialGame" if special else "Game"
    trouble = ""
    if name in pieces:
        try:
            kind, made = pieces[name], []  # not returned, because `call` copies an answer
            methods = (each for each in vars(kind).values() if isinstance(each, FunctionType))
            file = next((each.__code__.co_filename for each in methods), "no file")
            rng = Random(seed)
            call(name, lambda: made.append(kind(height, width, rng)), (), Tail(), file)
            return Match(OwnGame(made[0], goal=goal)), f"You play your {name}."
        except (Stuck, TypeError) as stuck:
            trouble = str(stuck)
    names = WANTED.keys() if special else WANTED.keys() - SPECIAL_PIECES
    functions = {name: piece for name, piece in pieces.items() if name in names}
    player = Functions(
        functions, height=height, width=width, goal=goal, rng=Random(seed), is_special=special
    )
    other = [name for name in pieces if name in WANTED and name not in functions]
    notes = [
        trouble,
        f"You play with your {_listed(functions)}." if functions else "",
        f"Add --special to play with your {_listed(other)}, too." if other else "",
    ]
    return Match(player), " ".join(filter(None, notes))


def _listed(names: Iterable[str]) -> str:
    """Return names as a list in words.

    >>> _listed(["merge", "slide", "spawn"])
    'merge, slide and spawn'
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
