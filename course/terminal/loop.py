"""The loop of 2048 in a terminal: after each key, it shows the board and a few sentences."""

import os
import re
import select
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any, TextIO

import typer

from course import rules
from course.mine import load_own_file
from course.playing.game_implementations import SPECIAL_PIECES, Functions, OwnGame
from course.playing.game_in_progress import Match, Turn
from course.playing.learner_calls import Stuck, Tail, call
from course.playing.pieces import WANTED
from course.terminal.screens import DrawnScreen, PlainScreen

CLASSES = ("Game", "SpecialGame")
DIRECTIONS = {"w": "up", "a": "left", "s": "down", "d": "right"}
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}  # the last letter of an arrow key
HELP = "Keys: w up, a left, s down, d right, e exit."
SECOND_CHANCE = (
    "But you have a second chance: it clears six small tiles and costs 2048 points. Take it? y or n"
)

# An arrow key arrives as several characters, such as ESC [ A.
KEY = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
UNFINISHED = re.compile(r"\x1b([\[O][0-9;]*)?\Z")
MOMENT = 0.05  # seconds to wait for the other characters of an arrow key
END = "\x04"  # Ctrl+D


def pieces_of(file: Path) -> dict[str, Any]:
    """Return a dictionary from names to the functions and classes of the game in a file.

    Raise `ValueError` if the file has none.
    """
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
    """Return a match with the learner's `pieces`, and sentences that name the pieces that play.

    The class `Game` plays (`SpecialGame`, if `special`). If it is missing or fails, the learner's
    functions play, and the course's in place of missing ones.
    """
    name = "SpecialGame" if special else "Game"
    trouble = ""
    if name in pieces:
        try:
            kind, made = pieces[name], []  # a list, since `call` copies a returned game
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


def run(
    match: Match, screen: PlainScreen | DrawnScreen, keys: Iterable[str], note: str = ""
) -> None:
    """Play a match until it is over, the key `e` comes, or no key is left; say `note` first."""
    with screen.live:
        screen.show(match, [note, *sentences(match.opening), HELP])
        for key in keys:
            turn = _turn(match, key)
            if turn is None:
                screen.show(match, ["Goodbye."])
                return
            question = SECOND_CHANCE if match.state.can_continue else ""
            screen.show(match, [*sentences(turn), question], turn.marks)
            state = match.state
            if state.is_over and rules.is_over(state.board) and not state.can_continue:
                return  # the learner's code and the course both say that it is over
        screen.show(match, ["No more keys. Goodbye."])


def sentences(turn: Turn) -> list[str]:
    """Return the sentences about a turn: what happened, wrong answers, a hint, printed lines."""
    note = turn.note
    if note is None:
        return [turn.said]
    if turn.trouble is not None:
        told = [f"{note['title']} {' '.join(note['lines'])}", note["code"]]
    else:
        told = [turn.said, *note["lines"]]
    hint = [f"Hint: {note['hint']}"] if note["hint"] else []
    return [*told, *hint, *(f"Your code printed: {line}" for line in note["printed"])]


def _turn(match: Match, key: str) -> Turn | None:
    """Play the turn that a key asks for, and return it; `None` if the key ends the game."""
    direction = ARROWS.get(key[-1]) if key[0] == "\x1b" else DIRECTIONS.get(key.lower())
    match key.lower():
        case _ if direction is not None:
            return match.move(direction)
        case "e":
            return None
        case "y" if match.state.can_continue:
            return match.continue_()
        case "n" if match.state.can_continue:
            return match.decline()
    help_ = "" if match.state.can_continue else HELP
    return Turn(match.state, f"There is no key {key!r}. {help_}".strip())


def keys_typed(source: TextIO) -> Generator[str, None, None]:
    """Yield keys until Ctrl+D, Ctrl+C or the end; if `source` is no terminal, yield its words."""
    try:
        if not source.isatty():
            for line in source:
                yield from line.split()
        elif sys.platform == "win32":
            while True:
                yield typer.getchar()
        else:
            with _without_enter(source.fileno()):
                yield from _pressed(source.fileno())
    except (EOFError, KeyboardInterrupt):
        return


def _pressed(terminal: int) -> Iterator[str]:
    while True:
        keys = os.read(terminal, 1024)
        while UNFINISHED.search(keys.decode(errors="ignore")):
            if not select.select([terminal], [], [], MOMENT)[0]:
                break
            keys += os.read(terminal, 1024)
        for key in KEY.findall(keys.decode(errors="replace")):
            if key == END:
                return
            yield key


@contextmanager
def _without_enter(terminal: int) -> Iterator[None]:
    """Make a terminal send each key at once, without Enter, inside a `with` block."""
    import termios  # not on Windows
    import tty

    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
