"""Facts about functions that draw random numbers to spawn tiles, or to clear them.

Each fact is a list of two items, a label and a value. All right functions give the same facts, in
whatever way they draw their random numbers.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from course.answer_comparison import same
from course.cases import gone_tiles, is_like_before, new_tiles
from course.cases.rng_objects import calls_after, is_drawn_again
from course.function_calls import Answer, NoAnswer, call_many
from course.hints.fact_comparison import UNKNOWN
from course.hints.slips.of_kinds import is_error_name, name_of_odd
from course.rules.board import Board, is_board, slide

Function = Callable[..., Any]

PAIR = "tuple of board, int"
OTHER_SHAPE = "a board of another shape"

# The boards on which new tiles are counted have no 2 and no 4.
EMPTY = [[0] * 3 for _ in range(3)]
WIDE = [[8, 16, 8, 16, 8, 16, 8, 0], [0] * 8]  # one empty square alone in its row
TALL = [[row[column] for row in WIDE] for column in range(8)]
CROWDED = [[8, 16, 8], [16, 8, 0]]
CORNERS = [[8, 0], [0, 16]]  # two empty squares that share no row and no column
LAST = [[0 if (row, column) == (17, 23) else 8 for column in range(40)] for row in range(40)]
FULL = [[8, 16], [32, 64]]
SMALL = ([[0]], [[0, 8]], [[8], [0]])

# Legal moves that change one row or one column; after the last of them, another move is legal.
MOVES: tuple[tuple[Board, str], ...] = (
    ([[0, 8], [16, 0]], "left"),
    ([[8, 0], [0, 16]], "right"),
    ([[0, 8], [16, 0]], "up"),
    ([[8, 0], [0, 16]], "down"),
    ([[8, 16, 16], [32, 8, 64]], "left"),
    ([[8, 8, 16], [32, 64, 32]], "left"),
)

# Twelve small tiles, each as likely to be cleared as the others.
TWELVE = [[512, *(2, 4, 8) * 2], [16, 32, 64, 128, 64, 32, 256]]
ONE_ROW = [[2, 4, 8, 16, 32, 64, 128, 64, 32, 16, 8, 4]]
MIXED = [[0, 2, 0], [4, 512, 8], [16, 0, 32], [64, 128, 2]]
LESS_THAN_SIX = [[512, 2], [4, 256]]
NO_SMALL = [[512, 256], [256, 512]]

# The labels of the facts that `clearing` notes about pairs (board, score).
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

MANY, SEVERAL, SOME, FEW = 150, 60, 40, 20  # calls


def spawning(spawn: Function, _calls: list[Any]) -> list[Any]:
    """Return the facts about a function like `spawn(board, rng, p_four)`.

    The full board comes last: a wrong function may search it for an empty square without end.
    """
    empty, wide, tall = (ask(spawn, (board,), MANY) for board in (EMPTY, WIDE, TALL))
    crowded, last = ask(spawn, (CROWDED,), FEW), ask(spawn, (LAST,), FEW)
    facts: list[Any] = [
        ["answers", [_kinds(empty), _kinds(crowded)]],
        ["the board passed in", passed_in(CROWDED, crowded)],
        ["new tiles", _counts(EMPTY, empty)],
        ["other tiles", _others(CROWDED, crowded)],
        ["4s", _fours(empty + wide + tall)],
        ["neither 2 nor 4", _odd_tiles(empty)],
        ["4s, p_four 0 and 1", _by_p_four(spawn, EMPTY)],
        ["alone in its row, in its column", [_share(wide, 0, 7), _share(tall, 7, 0)]],
        ["corners", [_share(empty, row, column) for row in (0, 2) for column in (0, 2)]],
        ["one empty square of 1600", [_kinds(last), _counts(LAST, last)]],
        ["other tiles, two empty squares", _others(CORNERS, ask(spawn, (CORNERS,), FEW))],
        ["small boards", [_kinds(ask(spawn, (board,), FEW)) for board in SMALL]],
        ["the same rng", same_rng(spawn, (EMPTY,), _has_board, 0.5)],
    ]
    try:
        full = _outcomes(ask(spawn, (FULL,), 1), FULL)
    except NoAnswer:
        full = ["does not come back"]
    return [*facts, ["a full board", full]]


def starting(new_board: Function, _calls: list[Any]) -> list[Any]:
    """Return the facts about a function like `new_board(height, width, rng, p_four)`."""
    narrow, wide = ask(new_board, (1, 2), SOME), ask(new_board, (2, 3), MANY)
    large = ask(new_board, (3, 4), MANY)
    tiled = [board for board in _boards(large) if _tiles(board)]
    return [
        ["answers", [_kinds(narrow), _kinds(wide)]],
        ["shapes", [_shapes(narrow), _shapes(wide)]],
        ["rows", "alike" if tiled and all(row == b[0] for b in tiled for row in b) else "differ"],
        ["tiles", [_counts([[0]], narrow), _counts([[0]], wide)]],
        ["4s", _fours(wide)],
        ["neither 2 nor 4", _odd_tiles(wide)],
        ["corners", [_share(large, row, column) for row in (0, 2) for column in (0, 3)]],
        ["4s, p_four 0 and 1", _by_p_four(new_board, 2, 3)],
        ["the same rng", same_rng(new_board, (3, 3), _has_board, 0.5)],
    ]


def taking_turns(take_turn: Function, _calls: list[Any]) -> list[Any]:
    """Return the facts about a function like `take_turn(board, direction, rng, p_four)`."""
    board = [[0, 8, 0, 0], [0, 16, 0, 16], [0, 0, 0, 0], [32, 0, 8, 0]]
    slid, stuck, merging = slide(board, "left"), [[8, 0], [16, 0]], [[8, 8], [16, 32]]
    turns = ask(take_turn, (board, "left"), MANY)
    others = [(move, slide(*move), ask(take_turn, move, FEW)) for move in MOVES]
    return [
        ["answers", [_kinds(turns)]],
        ["the board passed in", passed_in(board, turns)],
        ["a legal move", _outcomes(turns, board)],
        ["other legal moves", [_outcomes(answers, move[0]) for move, _, answers in others]],
        ["new tiles", _counts(slid, turns)],
        ["slid tiles", _others(slid, turns)],
        ["new tiles of other moves", [_counts(*each[1:]) for each in others]],
        ["slid tiles of other moves", [_others(*each[1:]) for each in others]],
        ["the first empty square", _share(turns, 0, 1)],
        ["an illegal move", _outcomes(ask(take_turn, (stuck, "left"), FEW), stuck)],
        ["no legal move at all", _outcomes(ask(take_turn, (FULL, "left"), FEW), FULL)],
        ["a merge on a full board", _kinds(ask(take_turn, (merging, "left"), FEW))],
        ["a wrong direction", _kinds(ask(take_turn, (board, "north"), FEW))],
        ["4s", _fours(ask(take_turn, ([[0, 8]], "left"), MANY))],
        ["4s, p_four 0 and 1", _by_p_four(take_turn, board, "left")],
        ["the same rng", same_rng(take_turn, (board, "left"), _has_board, 0.5)],
    ]


def clearing(second_chance: Function, _calls: list[Any]) -> list[Any]:
    """Return the facts about a function like `second_chance(board, score, rng)`.

    If the function gives answers, but never a tuple of a board and a number, all facts except the
    kinds of the answers are `UNKNOWN`: the learner has to mend this mistake first.
    """
    boards = (TWELVE, ONE_ROW, MIXED)
    asked = [(board, ask(second_chance, (board, 3000), SEVERAL)) for board in boards]
    many, _, mixed = asked
    kinds = [sorted({_kind_of_chance(each, board) for each in answers}) for board, answers in asked]
    given = {_kind_of_chance(answer) for answer in many[1] if answer.error is None}
    if given and PAIR not in given:
        return [["answers", kinds], *([label, UNKNOWN] for label in OF_PAIRS)]
    rest = [
        all(is_like_before(before, each.value) for each in some) for before, some in (many, mixed)
    ]
    prices = []
    for score in (3000, 2048, 100):
        [answer] = ask(second_chance, (TWELVE, score), 1)
        pair = answer.value if type(answer.value) in (tuple, list) else []
        prices.append([item for item in pair if type(item) is int])
    one_row = [answer.value for answer in ask(second_chance, (ONE_ROW, 3000), MANY)]
    rows = [value[0][0] for value in one_row if is_like_before(ONE_ROW, value)]
    ends = [part(sum(row[end] == 0 for row in rows), len(rows)) for end in (0, -1)]
    # Are two squares half a row apart ever cleared together?
    ends.append(f"apart: {[any(row[0] == row[6] == 0 for row in rows)]}")
    of_rng = same_rng(second_chance, (ONE_ROW, 3000), lambda answer: answer.error is None)
    few: list[Any] = []
    try:
        for board in (LESS_THAN_SIX, NO_SMALL):
            answers = ask(second_chance, (board, 3000), 3)
            few.append([sorted({*map(_kind_of_chance, answers)}), _cleared_counts(board, answers)])
    except NoAnswer:  # it searches for six small tiles, and never ends
        few = ["does not come back"]
    which = {tile for each in many[1] if not each.error for tile in gone_tiles(TWELVE, each.value)}
    counts = [_cleared_counts(*each) for each in asked]
    values = passed_in(*many), counts, sorted(which), rest, prices, ends, of_rng, few
    return [["answers", kinds], *map(list, zip(OF_PAIRS, values, strict=True))]


def _kind_of_chance(answer: Answer, before: Board | None = None) -> str:
    """Return the kind of an answer in words, such as "tuple of board, int".

    A list or tuple is described by its first items. If a list inside a tuple is no board of the
    shape of `before`, the kind is `OTHER_SHAPE`.
    """
    value = answer.value
    if before is not None and type(value) is tuple:
        boards = [item for item in value if type(item) is list]
        if not all(is_board(item) and _shape(item) == _shape(before) for item in boards):
            return OTHER_SHAPE
    if answer.error is not None:
        return f"raises {type(answer.error).__name__}"
    if type(value) in (tuple, list):
        inside = ", ".join("board" if is_board(item) else type(item).__name__ for item in value[:3])
        return f"{'board' if is_board(value) else type(value).__name__} of {inside}"
    return type(value).__name__


def _cleared_counts(before: Board, answers: list[Answer]) -> list[int]:
    given = [answer.value for answer in answers if answer.error is None]
    return sorted({len(gone_tiles(before, value)) for value in given})


def ask(function: Function, start: tuple[Any, ...], times: int, *p_four: float) -> list[Answer]:
    """Return the answers to many calls that differ only in the seed of their `Random`."""
    return call_many(function, [(*start, Random(seed), *p_four) for seed in range(times)])


def passed_in(before: Board, answers: list[Answer]) -> str:
    """Return "changes" if a call has changed the board that it was given, else "stays"."""
    return "stays" if all(same(each.arguments[0], before) for each in answers) else "changes"


def part_of_fours(boards: list[Board]) -> str:
    """Return how many of the 2s and 4s on some boards are 4s, in words such as "few" or "most"."""
    tiles = Counter(tile for board in boards for row in board for tile in row)
    return part(tiles[4], tiles[2] + tiles[4])


def part(count: int, total: int) -> str:
    """Return `count` as a part of `total` in words: "none", "few", "about half", "most" or "all".

    Each word covers a wide range, so that all programs with the same probability get the same word.
    If `total` is 0, return "nothing to count".
    """
    if total == 0:
        return "nothing to count"
    if count in (0, total):
        return "all" if count else "none"
    return "few" if count < 0.3 * total else "about half" if count < 0.75 * total else "most"


def same_rng(
    function: Function, start: tuple[Any, ...], is_right: Callable[[Answer], bool], *p_four: float
) -> str:
    """Return a text on this: does a function take all chance from `rng`, and draw anew each time?

    The text is the first of these that fits. "different": equal calls give different answers.
    "same": not all answers are right. "always one": all calls give the same answer. "drawn again":
    the next call with the same `Random` repeats the answer to the call before. If none of these
    fits, the text is "same", too.
    """
    first, second = (ask(function, start, SOME, *p_four) for _ in range(2))
    given = [answer.value for answer in first]
    if not same(given, [answer.value for answer in second]):
        return "different"
    if not all(map(is_right, first)):
        return "same"
    if all(same(value, given[0]) for value in given):
        return "always one"
    calls: list[tuple[Any, ...]] = [(*start, Random(seed), *p_four) for seed in range(FEW)]
    following = [each.value for each in call_many(function, calls_after(function, calls))]
    return "drawn again" if is_drawn_again(given[:FEW], following) else "same"


def _has_board(answer: Answer) -> bool:
    return is_board(answer.value)


def _boards(answers: list[Answer]) -> list[Board]:
    return [answer.value for answer in answers if _has_board(answer)]


def _shapes(answers: list[Answer]) -> list[list[int]]:
    return [*map(list, sorted({*map(_shape, _boards(answers))}))]


def _shape(board: Board) -> tuple[int, int]:
    return len(board), len(board[0])


def _kinds(answers: list[Answer]) -> list[str]:
    return sorted(set(map(_kind, answers)))


def _kind(answer: Answer) -> str:
    odd = name_of_odd(answer)
    if odd is not None:
        return "an error" if is_error_name(odd) else odd
    if answer.error is not None:
        return f"raises {type(answer.error).__name__}"
    return "board" if is_board(answer.value) else type(answer.value).__name__


def _outcomes(answers: list[Answer], before: Board) -> list[str]:
    """Return the kinds of the answers; a board that equals `before` has the kind "as it was"."""
    return sorted(
        {"as it was" if same(answer.value, before) else _kind(answer) for answer in answers}
    )


def _others(before: Board, answers: list[Answer]) -> str:
    """Return "change" if a tile of `before` has changed in one of the answers, else "stay"."""
    stay = all(new_tiles(before, board) is not None for board in _boards(answers))
    return "stay" if stay else "change"


def _counts(before: Board, answers: list[Answer]) -> list[int]:
    """Return by how many tiles boards exceed `before`: a sorted list, with each number once."""
    return sorted({_tiles(board) - _tiles(before) for board in _boards(answers)})


def _tiles(board: Board) -> int:
    return sum(tile != 0 for row in board for tile in row)


def _fours(answers: list[Answer]) -> str:
    return part_of_fours(_boards(answers))


def _by_p_four(function: Function, *start: Any) -> list[str]:
    return [_fours(ask(function, start, FEW, p_four)) for p_four in (0, 1)]


def _odd_tiles(answers: list[Answer]) -> str:
    """Return "some" if the boards in the answers hold a tile other than 2 and 4, else "none"."""
    tiles = {tile for board in _boards(answers) for row in board for tile in row}
    return "some" if tiles - {0, 2, 4} else "none"


def _share(answers: list[Answer], row: int, column: int) -> str:
    """Return how many boards have a tile at (row, column), in a word such as "few" (see `part`)."""
    boards = [board for board in _boards(answers) if len(board) > row and len(board[0]) > column]
    return part(sum(board[row][column] != 0 for board in boards), len(boards))
