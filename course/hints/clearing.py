"""Facts, in words, about functions that give a second chance.

They do not depend on the way in which a function draws its random numbers.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from course.answers import Answer, NoAnswer, call_many
from course.cases import gone_tiles, is_board, is_like_before
from course.hints.chance import passed_in, same_rng
from course.hints.facts import UNKNOWN
from course.rules.board import Board

Function = Callable[..., Any]

# Twelve small tiles, each as likely to be cleared as the others.
MANY = [[512, *(2, 4, 8) * 2], [16, 32, 64, 128, 64, 32, 256]]
WIDE = [[2, 4, 8, 16, 32, 64, 128, 64, 32, 16, 8, 4]]
MIXED = [[0, 2, 0], [4, 512, 8], [16, 0, 32], [64, 128, 2]]
FEW = [[512, 2], [4, 256]]
NONE = [[512, 256], [256, 512]]

TIMES, MORE = 60, 150

PAIR = "tuple of board, int"
OF_PAIRS = (
    "the board passed in",
    "how many",
    "which",
    "the rest",
    "the score",
    "the first, the last",
    "the same rng",
    "few",
)
OTHER_SHAPE = "a board of another shape"


def clearing(second_chance: Function, _calls: list[Any]) -> list[Any]:
    """Return the facts about a function like `second_chance(board, score, rng)`.

    Small boards come last. If no answer is a board and a score, all facts but the kinds of the
    answers are `UNKNOWN`, since that mistake is to be mended first.
    """
    many, wide, mixed = (_ask(second_chance, board) for board in (MANY, WIDE, MIXED))
    kinds = [_kinds(MANY, many), _kinds(WIDE, wide), _kinds(MIXED, mixed)]
    if _are_no_pairs(many):
        told: list[Any] = [UNKNOWN] * len(OF_PAIRS)
    else:
        told = _of_pairs(second_chance, many, wide, mixed)
    facts = zip(OF_PAIRS, told, strict=True)
    return [["answers", kinds], *([name, fact] for name, fact in facts)]


def _of_pairs(
    second_chance: Function, many: list[Answer], wide: list[Answer], mixed: list[Answer]
) -> list[Any]:
    """Return the facts that need answers of a board and a score, in the order of `OF_PAIRS`."""
    return [
        passed_in(MANY, many),
        [_counts(MANY, many), _counts(WIDE, wide), _counts(MIXED, mixed)],
        sorted({tile for tiles in _gone(MANY, many) for tile in tiles}),
        [_rests(MANY, many), _rests(MIXED, mixed)],
        [_scores(_ask(second_chance, MANY, n, 1)) for n in (3000, 2048, 100)],
        _ends(WIDE, _ask(second_chance, WIDE, times=MORE)),
        same_rng(second_chance, (WIDE, 3000), lambda answer: answer.error is None),
        _when_few(second_chance),
    ]


def _are_no_pairs(answers: list[Answer]) -> bool:
    """Return true if there are answers other than errors, and none is a board and a score."""
    kinds = {_kind(answer) for answer in answers if answer.error is None}
    return bool(kinds) and PAIR not in kinds


def _ask(function: Function, board: Board, score: int = 3000, times: int = TIMES) -> list[Answer]:
    """Return the answers to many calls that differ only in the seed of their `Random`."""
    return call_many(function, [(board, score, Random(seed)) for seed in range(times)])


def _kinds(before: Board, answers: list[Answer]) -> list[str]:
    """Return the kinds of the answers; a board of another shape than before is its own kind."""
    return sorted({_shape_of(before, answer) or _kind(answer) for answer in answers})


def _shape_of(before: Board, answer: Answer) -> str:
    value = answer.value
    boards = [item for item in value if type(item) is list] if type(value) is tuple else []
    shape = len(before), len(before[0])
    is_same = all(is_board(board) and (len(board), len(board[0])) == shape for board in boards)
    return "" if is_same else OTHER_SHAPE


def _kind(answer: Answer) -> str:
    """Return the kind of an answer in words; a list or tuple is described by its first items."""
    if answer.error is not None:
        return f"raises {type(answer.error).__name__}"
    value = answer.value
    if type(value) in (tuple, list):
        inside = ", ".join("board" if is_board(item) else type(item).__name__ for item in value[:3])
        return f"{'board' if is_board(value) else type(value).__name__} of {inside}"
    return type(value).__name__


def _gone(before: Board, answers: list[Answer]) -> Iterator[list[int]]:
    return (gone_tiles(before, answer.value) for answer in answers if answer.error is None)


def _counts(before: Board, answers: list[Answer]) -> list[int]:
    return sorted({len(tiles) for tiles in _gone(before, answers)})


def _rests(before: Board, answers: list[Answer]) -> bool:
    return all(is_like_before(before, answer.value) for answer in answers)


def _scores(answers: list[Answer]) -> list[Any]:
    pairs = [answer.value for answer in answers if type(answer.value) in (tuple, list)]
    return [item for pair in pairs for item in pair if type(item) is int]


def _ends(before: Board, answers: list[Answer]) -> list[str]:
    """Return how often the first square is cleared, and the last one, each in words.

    A third text says if two squares half a row apart are ever cleared together.
    """
    rows = [answer.value[0][0] for answer in answers if is_like_before(before, answer.value)]
    chosen = [[row[0] == 0 for row in rows], [row[-1] == 0 for row in rows]]
    apart = [any(row[0] == row[6] == 0 for row in rows)]
    return [*(_share(times) for times in chosen), f"apart: {apart}"]


def _share(happened: list[bool]) -> str:
    """Return a share in words.

    They are so wide that all programs with the same probability get the same words.
    """
    part = sum(happened) / max(1, len(happened))
    if part in (0, 1):
        return "always" if part else "never"
    return "seldom" if part < 0.25 else "half the time" if part < 0.75 else "often"


def _when_few(function: Function) -> list[Any]:
    """Return the facts about boards with fewer than six small tiles.

    A program that searches for more of them without end "does not come back".
    """
    try:
        asked = [(board, _ask(function, board, times=3)) for board in (FEW, NONE)]
    except NoAnswer:
        return ["does not come back"]
    return [[sorted(set(map(_kind, each))), _counts(board, each)] for board, each in asked]
