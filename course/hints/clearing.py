"""What a function that gives a second chance does, as facts in words, the same however it draws."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from course.answers import Answer, NoAnswer, call_many, same
from course.cases import gone_tiles, is_board, is_like_before
from course.cases.randoms import calls_after, is_drawn_again
from course.rules.board import Board

Function = Callable[..., Any]

MANY = [[512, *(2, 4, 8) * 2], [16, 32, 64, 128, 64, 32, 256]]  # twelve small tiles, each alike
WIDE = [[2, 4, 8, 16, 32, 64, 128, 64, 32, 16, 8, 4]]
MIXED = [[0, 2, 0], [4, 512, 8], [16, 0, 32], [64, 128, 2]]
FEW = [[512, 2], [4, 256]]
NONE = [[512, 256], [256, 512]]

SOME, TIMES, MORE = 20, 60, 150


def clearing(second_chance: Function, _calls: list[Any]) -> list[Any]:
    """The facts of a function like `second_chance(board, score, rng)`; small boards come last."""
    many, wide, mixed = (_ask(second_chance, board) for board in (MANY, WIDE, MIXED))
    return [
        ["answers", sorted({_kind(answer) for answer in many})],
        ["the board passed in", _passed_in(MANY, many)],
        ["how many", [_counts(MANY, many), _counts(WIDE, wide), _counts(MIXED, mixed)]],
        ["which", sorted({tile for tiles in _gone(MANY, many) for tile in tiles})],
        ["the rest", [_rests(MANY, many), _rests(MIXED, mixed)]],
        ["the score", [_scores(_ask(second_chance, MANY, n, 1)) for n in (3000, 2048, 100)]],
        ["the first, the last", _ends(WIDE, _ask(second_chance, WIDE, times=MORE))],
        ["the same rng", _same_rng(second_chance)],
        ["few", _when_few(second_chance)],
    ]


def _ask(function: Function, board: Board, score: int = 3000, times: int = TIMES) -> list[Answer]:
    """The answers to many calls that differ in nothing but the seed of their `Random`."""
    return call_many(function, [(board, score, Random(seed)) for seed in range(times)])


def _kind(answer: Answer) -> str:
    """What was answered; a pair is told by what is in it."""
    if answer.error is not None:
        return f"raises {type(answer.error).__name__}"
    value = answer.value
    if type(value) in (tuple, list):
        inside = ", ".join("board" if is_board(item) else type(item).__name__ for item in value[:3])
        return f"{'board' if is_board(value) else type(value).__name__} of {inside}"
    return type(value).__name__


def _passed_in(before: Board, answers: list[Answer]) -> str:
    return "stays" if all(same(answer.arguments[0], before) for answer in answers) else "changes"


def _gone(before: Board, answers: list[Answer]) -> Iterator[list[int]]:
    return (gone_tiles(before, answer.value) for answer in answers)


def _counts(before: Board, answers: list[Answer]) -> list[int]:
    return sorted({len(tiles) for tiles in _gone(before, answers)})


def _rests(before: Board, answers: list[Answer]) -> bool:
    return all(is_like_before(before, answer.value) for answer in answers)


def _scores(answers: list[Answer]) -> list[Any]:
    pairs = [answer.value for answer in answers if type(answer.value) in (tuple, list)]
    return [item for pair in pairs for item in pair if type(item) is int]


def _ends(before: Board, answers: list[Answer]) -> list[str]:
    """How often the first square, the last one, and two half a row apart are cleared."""
    rows = [answer.value[0][0] for answer in answers if is_like_before(before, answer.value)]
    chosen = [[row[0] == 0 for row in rows], [row[-1] == 0 for row in rows]]
    apart = [any(row[0] == row[6] == 0 for row in rows)]
    return [*(_share(times) for times in chosen), f"apart: {apart}"]


def _share(happened: list[bool]) -> str:
    """A share in a word, wide enough that any program with that share gets the same word."""
    part = sum(happened) / max(1, len(happened))
    if part in (0, 1):
        return "always" if part else "never"
    return "seldom" if part < 0.25 else "half the time" if part < 0.75 else "often"


def _same_rng(function: Function) -> str:
    calls = [(WIDE, 3000, Random(seed)) for seed in range(TIMES)]
    first, second = ([each.value for each in call_many(function, calls)] for _ in range(2))
    if not all(map(same, first, second)):
        return "different"
    if all(same(first[0], answer) for answer in first):
        return "always one"
    following = [each.value for each in call_many(function, calls_after(function, calls[:SOME]))]
    return "drawn again" if is_drawn_again(first[:SOME], following) else "same"


def _when_few(function: Function) -> list[Any]:
    """What comes of fewer than six small tiles; a program may search for more without end."""
    try:
        asked = [(board, _ask(function, board, times=3)) for board in (FEW, NONE)]
    except NoAnswer:
        return ["does not come back"]
    return [[sorted(set(map(_kind, each))), _counts(board, each)] for board, each in asked]
