"""Functions like `second_chance`: the facts about them, and the slips that wrong facts show.

A slip is the id of a general hint, one of those in `general.toml`.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from course.cases import gone_tiles, is_board, is_like_before
from course.function_calls import Answer, NoAnswer
from course.hints.fact_comparison import UNKNOWN
from course.hints.spawning_facts import (
    OTHER_SHAPE,
    PAIR,
    Slips,
    ask,
    of_groups,
    only,
    part,
    passed_in,
    same_rng,
)
from course.rules.board import Board

Function = Callable[..., Any]

# Twelve small tiles, each as likely to be cleared as the others.
MANY = [[512, *(2, 4, 8) * 2], [16, 32, 64, 128, 64, 32, 256]]
WIDE = [[2, 4, 8, 16, 32, 64, 128, 64, 32, 16, 8, 4]]
MIXED = [[0, 2, 0], [4, 512, 8], [16, 0, 32], [64, 128, 2]]
FEW = [[512, 2], [4, 256]]
NONE = [[512, 256], [256, 512]]

TIMES, MORE = 60, 150


def clearing(second_chance: Function, _calls: list[Any]) -> list[Any]:
    """Return the facts about a function like `second_chance(board, score, rng)`.

    Each fact is a list of its label and its value. Boards with few small tiles come last. If the
    function gives answers, but never a tuple of a board and a number, all facts but the kinds of
    the answers are `UNKNOWN`, since the learner has to mend this mistake first.
    """
    boards = (MANY, WIDE, MIXED)
    all_answers = [ask(second_chance, (board, 3000), TIMES) for board in boards]
    asked = list(zip(boards, all_answers, strict=True))
    many, _, mixed = asked
    kinds = [
        sorted({_shape_of(board, answer) or _kind(answer) for answer in answers})
        for board, answers in asked
    ]
    facts: dict[str, Callable[[], Any]] = {
        "the board passed in": lambda: passed_in(*many),
        "how many": lambda: [_counts(*each) for each in asked],
        "which": lambda: sorted({tile for tiles in _gone(*many) for tile in tiles}),
        "the rest": lambda: [_rests(*many), _rests(*mixed)],
        "the score": lambda: [
            _scores(ask(second_chance, (MANY, score), 1)) for score in (3000, 2048, 100)
        ],
        "the first, the last": lambda: _ends(WIDE, ask(second_chance, (WIDE, 3000), MORE)),
        "the same rng": lambda: same_rng(
            second_chance, (WIDE, 3000), lambda answer: answer.error is None
        ),
        "few": lambda: _when_few(second_chance),
    }
    given = {_kind(answer) for answer in many[1] if answer.error is None}
    has_pairs = not given or PAIR in given
    told = [[name, find_out() if has_pairs else UNKNOWN] for name, find_out in facts.items()]
    return [["answers", kinds], *told]


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
    """Return a list of texts on how often the first and the last square of a row are cleared.

    A third text in the list says if two squares half a row apart are ever cleared together.
    """
    rows = [answer.value[0][0] for answer in answers if is_like_before(before, answer.value)]
    shares = [part(sum(row[end] == 0 for row in rows), len(rows)) for end in (0, -1)]
    return [*shares, f"apart: {[any(row[0] == row[6] == 0 for row in rows)]}"]


def _when_few(function: Function) -> list[Any]:
    """Return the facts about boards with fewer than six small tiles.

    If the function searches for six small tiles and never ends, the only fact is "does not come
    back".
    """
    try:
        asked = [(board, ask(function, (board, 3000), 3)) for board in (FEW, NONE)]
    except NoAnswer:
        return ["does not come back"]
    return [[sorted(set(map(_kind, each))), _counts(board, each)] for board, each in asked]


def _of_counts(wanted: list[list[int]], got: list[list[int]]) -> list[str]:
    right, seen = set(chain(*wanted)), set(chain(*got))
    if seen == {0}:
        return ["nothing-cleared"]
    if not seen or [] in got:
        return []
    if max(seen) > max(right):
        return ["too-many-cleared"]
    return ["sometimes-too-few-cleared" if seen & right else "too-few-cleared"]


def _of_the_cleared(wanted: list[int], got: list[int]) -> list[str]:
    if not got:
        return []
    return ["large-tiles-cleared" if max(got) > max(wanted) else "some-tiles-never-cleared"]


SLIPS: dict[str, Slips] = {
    "answers": of_groups,
    "the board passed in": only("changes-its-argument"),
    "how many": _of_counts,
    "which": _of_the_cleared,
    "the rest": only("rest-changes"),
    "the score": lambda wanted, got: ["other-price"] if len(got) == len(wanted) else [],
    "the first, the last": only("unfair-clearing"),
    "the same rng": only("own-chance"),
    "few": lambda wanted, got: (
        [] if "NotImplementedError" in str(got) else ["few-tiles-are-a-problem"]
    ),
}
