"""Opening a match with the pieces of a learner's file, as far as they carry."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any

from course.match.calls import Stuck, Tail, call
from course.match.match import Match
from course.match.object_match import ObjectMatch
from course.match.pieces import WANTED, Pieces
from course.match.special import SpecialMatch, SpecialObjectMatch
from course.mine import ownfile

FUNCTIONS = (*WANTED, "second_chance")
CLASSES = ("Game", "SpecialGame")


def pieces_of(file: Path) -> dict[str, Any]:
    """The pieces of the game that a Python file defines, by name.

    Raises `ValueError` if it can not be run, or defines none.
    """
    pieces = {
        name: value
        for name, value in ownfile.load(file).items()
        if name in FUNCTIONS or (name in CLASSES and isinstance(value, type))
    }
    if not pieces:
        raise ValueError(
            f"{file.name} defines no piece of the game. The pieces are "
            f"{', '.join((*FUNCTIONS, *CLASSES))}."
        )
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
    """A match played with the learner's class, if there is one, else with the functions.

    Returns it with a sentence that says what is played.
    """
    functions = {name: piece for name, piece in pieces.items() if name in FUNCTIONS}
    name = "SpecialGame" if special else "Game"
    trouble = ""
    if name in pieces:
        try:
            kind = SpecialObjectMatch if special else ObjectMatch
            game = _new_game(pieces[name], name, height, width, Random(seed))
            return kind(game, Pieces({}), goal), f"You play your {name}."
        except (Stuck, TypeError) as stuck:
            trouble = f"{stuck} "
    kind_of = SpecialMatch if special else _classic
    match = kind_of(functions, height=height, width=width, goal=goal, rng=Random(seed))
    note = f"You play with your {_listed(functions)}." if functions else ""
    return match, (trouble + note).strip()


def _classic(functions: Mapping[str, Any], **options: Any) -> Match:
    return Match(Pieces({n: f for n, f in functions.items() if n in WANTED}), **options)


def _new_game(kind: type, name: str, height: int, width: int, rng: Random) -> Any:
    made = []  # not returned: an answer would be copied
    methods = (value for value in vars(kind).values() if isinstance(value, FunctionType))
    files = [method.__code__.co_filename for method in methods]
    file = files[0] if files else "no file"
    call(name, lambda: made.append(kind(height, width, rng)), (), Tail(), file)
    return made[0]


def _listed(names: Mapping[str, Any]) -> str:
    """Names as one says them.

    >>> _listed({"merge": 1, "slide": 2, "spawn": 3})
    'merge, slide and spawn'
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
