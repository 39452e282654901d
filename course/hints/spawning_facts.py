"""Functions that spawn tiles: the facts about them, in words, and the slips that wrong facts show.

Each fact is a list of a label and a value. Facts do not depend on the way in which a function draws
its random numbers. A slip is the id of a general hint, one of those in `general.toml`.
"""

from collections import Counter
from collections.abc import Callable
from itertools import chain
from random import Random
from typing import Any

from course.answer_comparison import same
from course.cases import new_tiles
from course.cases.rng_objects import calls_after, is_drawn_again
from course.function_calls import Answer, NoAnswer, call_many
from course.hints.slips.compared_call import is_error_name, name_of_odd
from course.hints.slips.of_kinds import of_error_named
from course.rules.board import Board, slide
from course.rules.shape import is_board

Function = Callable[..., Any]
Slips = Callable[[Any, Any], list[str]]  # takes a right fact and a wrong one, and returns slips

# The boards on which new tiles are counted hold no 2 and no 4.
EMPTY = [[0] * 3 for _ in range(3)]
WIDE = [[8, 16, 8, 16, 8, 16, 8, 0], [0] * 8]  # one empty square alone in its row
TALL = [[row[column] for row in WIDE] for column in range(8)]
CROWDED = [[8, 16, 8], [16, 8, 0]]
CORNERS = [[8, 0], [0, 16]]  # two empty squares, in no row and in no column together
LAST = [[0 if (row, column) == (17, 23) else 8 for column in range(40)] for row in range(40)]
FULL = [[8, 16], [32, 64]]
SMALL = ([[0]], [[0, 8]], [[8], [0]])

# Legal moves that change a single row or a single column; after the last, another one is legal.
MOVES: tuple[tuple[Board, str], ...] = (
    ([[0, 8], [16, 0]], "left"),
    ([[8, 0], [0, 16]], "right"),
    ([[0, 8], [16, 0]], "up"),
    ([[8, 0], [0, 16]], "down"),
    ([[8, 16, 16], [32, 8, 64]], "left"),
    ([[8, 8, 16], [32, 64, 32]], "left"),
)

MANY, SOME, FEW = 150, 40, 20


def spawning(spawn: Function, _calls: list[Any]) -> list[Any]:
    """Return the facts about a function like `spawn(board, rng, p_four)`.

    The fact about a full board comes last, since a wrong function may search such a board without
    end.
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
        ["the same rng", same_rng(spawn, (EMPTY,), _gives_board, 0.5)],
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
    return [
        ["answers", [_kinds(narrow), _kinds(wide)]],
        ["shapes", [_shapes(narrow), _shapes(wide)]],
        ["rows", _rows(large)],
        ["tiles", [_counts([[0]], narrow), _counts([[0]], wide)]],
        ["4s", _fours(wide)],
        ["neither 2 nor 4", _odd_tiles(wide)],
        ["corners", [_share(large, row, column) for row in (0, 2) for column in (0, 3)]],
        ["4s, p_four 0 and 1", _by_p_four(new_board, 2, 3)],
        ["the same rng", same_rng(new_board, (3, 3), _gives_board, 0.5)],
    ]


def taking_turns(take_turn: Function, _calls: list[Any]) -> list[Any]:
    """Return the facts about a function like `take_turn(board, direction, rng, p_four)`."""
    board = [[0, 8, 0, 0], [0, 16, 0, 16], [0, 0, 0, 0], [32, 0, 8, 0]]
    slid, stuck, merging = slide(board, "left"), [[8, 0], [16, 0]], [[8, 8], [16, 32]]
    turns = ask(take_turn, (board, "left"), MANY)
    others = [(slide(*move), ask(take_turn, move, FEW)) for move in MOVES]
    return [
        ["answers", [_kinds(turns)]],
        ["the board passed in", passed_in(board, turns)],
        ["a legal move", _outcomes(turns, board)],
        [
            "other legal moves",
            [_outcomes(a, m[0]) for m, (_, a) in zip(MOVES, others, strict=True)],
        ],
        ["new tiles", _counts(slid, turns)],
        ["slid tiles", _others(slid, turns)],
        ["new tiles of other moves", [_counts(*each) for each in others]],
        ["slid tiles of other moves", [_others(*each) for each in others]],
        ["the first empty square", _share(turns, 0, 1)],
        ["an illegal move", _outcomes(ask(take_turn, (stuck, "left"), FEW), stuck)],
        ["no legal move at all", _outcomes(ask(take_turn, (FULL, "left"), FEW), FULL)],
        ["a merge on a full board", _kinds(ask(take_turn, (merging, "left"), FEW))],
        ["a wrong direction", _kinds(ask(take_turn, (board, "north"), FEW))],
        ["4s", _fours(ask(take_turn, ([[0, 8]], "left"), MANY))],
        ["4s, p_four 0 and 1", _by_p_four(take_turn, board, "left")],
        ["the same rng", same_rng(take_turn, (board, "left"), _gives_board, 0.5)],
    ]


def ask(function: Function, start: tuple[Any, ...], times: int, *p_four: float) -> list[Answer]:
    """Return the answers to many calls that differ only in the seed of their `Random`."""
    return call_many(function, [(*start, Random(seed), *p_four) for seed in range(times)])


def passed_in(before: Board, answers: list[Answer]) -> str:
    """Return "stays" if no call changes the board that it gets, and "changes" if a call does."""
    stays = all(same(answer.arguments[0], before) for answer in answers)
    return "stays" if stays else "changes"


def part_of_fours(boards: list[Board]) -> str:
    """Return the share of the 4s among all 2s and 4s on some boards, in a word."""
    tiles = Counter(tile for board in boards for row in board for tile in row)
    return part(tiles[4], tiles[2] + tiles[4])


def part(count: int, total: int) -> str:
    """Return the share of `count` in `total`, in a word.

    Each word covers a wide range, so that all programs with the same probability get the same word.
    """
    if total == 0:
        return "nothing to count"
    if count in (0, total):
        return "all" if count else "none"
    return "few" if count < 0.3 * total else "about half" if count < 0.75 * total else "most"


def same_rng(
    function: Function, start: tuple[Any, ...], is_right: Callable[[Answer], bool], *p_four: float
) -> str:
    """Return a word or two that say if answers depend on `rng` alone, and if draws use it up.

    "different": equal calls give different answers. "always one": all calls give the same answer.
    "drawn again": the next call with the same `Random` repeats the answer to the call before.
    "same": equal calls give equal answers, and none of the other texts fits. "same" is also
    returned if equal calls give equal answers, but `is_right` returns false for some of them.
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


def _boards(answers: list[Answer]) -> list[Board]:
    return [answer.value for answer in answers if is_board(answer.value)]


def _gives_board(answer: Answer) -> bool:
    return is_board(answer.value)


def _kinds(answers: list[Answer]) -> list[str]:
    return sorted({_kind(answer) for answer in answers})


def _kind(answer: Answer) -> str:
    odd = name_of_odd(answer)
    if odd is not None:
        return "an error" if is_error_name(odd) else odd
    if answer.error is not None:
        return f"raises {type(answer.error).__name__}"
    return "board" if is_board(answer.value) else type(answer.value).__name__


def _outcomes(answers: list[Answer], before: Board) -> list[str]:
    """Return the kinds of the answers; a board that equals `before` is a kind of its own."""
    return sorted(
        {"as it was" if same(answer.value, before) else _kind(answer) for answer in answers}
    )


def _others(before: Board, answers: list[Answer]) -> str:
    """Return "stay" if no tile of `before` changes on any board, and "change" if one does."""
    stay = all(new_tiles(before, board) is not None for board in _boards(answers))
    return "stay" if stay else "change"


def _counts(before: Board, answers: list[Answer]) -> list[int]:
    """Return how many more tiles than `before` the boards in the answers have.

    Each number comes once, the smallest first.
    """
    return sorted({_tiles(board) - _tiles(before) for board in _boards(answers)})


def _tiles(board: Board) -> int:
    return sum(tile != 0 for row in board for tile in row)


def _shapes(answers: list[Answer]) -> list[list[int]]:
    return [list(shape) for shape in sorted({(len(b), len(b[0])) for b in _boards(answers)})]


def _rows(answers: list[Answer]) -> str:
    """Return "alike" if all rows are equal on each board with tiles, and "differ" if not."""
    boards = [board for board in _boards(answers) if _tiles(board)]
    is_alike = boards and all(row == board[0] for board in boards for row in board)
    return "alike" if is_alike else "differ"


def _fours(answers: list[Answer]) -> str:
    return part_of_fours(_boards(answers))


def _by_p_four(function: Function, *start: Any) -> list[str]:
    return [_fours(ask(function, start, FEW, p_four)) for p_four in (0, 1)]


def _odd_tiles(answers: list[Answer]) -> str:
    """Return "some" if the boards in the answers hold a tile other than 2 and 4, else "none"."""
    tiles = {tile for board in _boards(answers) for row in board for tile in row}
    return "some" if tiles - {0, 2, 4} else "none"


def _share(answers: list[Answer], row: int, column: int) -> str:
    """Return, in a word, on how many of the boards a square that was empty has a tile."""
    boards = [board for board in _boards(answers) if len(board) > row and len(board[0]) > column]
    return part(sum(board[row][column] != 0 for board in boards), len(boards))


def only(slip: str) -> Slips:
    """Return a function that returns this slip for every wrong fact."""
    return lambda wanted, got: [slip]


def of_fours(got: str) -> list[str]:
    """Return the slip of a wrong share of 4s, in a list; the list is empty if there are no tiles.

    >>> of_fours("most"), of_fours("none"), of_fours("nothing to count")
    (['too-many-fours'], ['never-a-four'], [])
    """
    words = {"none": "never-a-four", "all": "only-fours", "nothing to count": ""}
    return [*filter(None, [words.get(got, "too-many-fours")])]


PAIR = "tuple of board, int"
OTHER_SHAPE = "a board of another shape"
KINDS = {
    "NoneType": "returns-nothing",
    "str": "returns-text",
    "bool": "returns-flag",
    "int": "returns-number",
    "tuple": "returns-several",
    "list": "returns-no-board",
    "list of": "wrong-brackets",
    "board of": "returns-board-alone",
    "tuple of int, board": "pair-turned",
    "an error": "error-returned",
    OTHER_SHAPE: "other-shape",
}


def _of_kinds(wanted: list[str], got: list[str]) -> list[str]:
    """Return the slips that answers of wrong kinds show; there are none if all kinds are right."""
    odd = [kind for kind in got if kind not in wanted]
    if not odd or "raises NotImplementedError" in odd:
        return []
    if wanted == ["raises ValueError"]:
        if odd == ["an error"]:
            return ["error-returned"]
        is_raised = all(kind.startswith("raises") for kind in odd)
        return ["other-error" if is_raised else "no-error"]
    error = next((kind.removeprefix("raises ") for kind in odd if kind.startswith("raises")), None)
    if error is not None:
        is_seldom = bool({"board", PAIR} & {*got})
        return ["stops-sometimes"] if is_seldom else of_error_named(error, "")
    if odd == ["NoneType"] and len(got) > 1:
        return ["forgets-return"]
    kind = odd[0] if odd[0] in KINDS else odd[0].partition(" of ")[0] + " of"
    return [KINDS.get(kind, "other-kind")]


def of_groups(wanted: list[list[str]], got: list[list[str]]) -> list[str]:
    """Return the slips that the kinds of answers on several boards show, each slip once."""
    return list(dict.fromkeys(chain.from_iterable(map(_of_kinds, wanted, got))))


def _of_illegal(wanted: list[str], got: list[str]) -> list[str]:
    """Return the slips that an illegal move shows; after it, the board must be as it was."""
    return ["illegal-move-changes"] if "board" in got else _of_kinds(wanted, got)


def _of_legal(_wanted: list[str], got: list[str]) -> list[str]:
    return ["legal-move-does-nothing"] if got == ["as it was"] else []


def _of_other_legal(wanted: list[list[str]], got: list[list[str]]) -> list[str]:
    return ["legal-move-does-nothing"] if ["as it was"] in got else of_groups(wanted, got)


def _of_counts(wanted: list[int], got: list[int]) -> list[str]:
    if not got:
        return []
    if max(got) > max(wanted):
        return ["too-many-tiles"]
    if got == [0]:
        return ["no-new-tile"]
    return ["sometimes-too-few-tiles" if set(wanted) & set(got) else "too-few-tiles"]


def _of_counts_each(_wanted: list[list[int]], got: list[list[int]]) -> list[str]:
    """Return the slip of moves after which there is no new tile, if others bring one."""
    return ["no-tile-after-some-moves"] if [0] in got and [1] in got else []


def _if_counted(slip: str) -> Slips:
    return lambda wanted, got: [] if "nothing to count" in got else [slip]


def _of_the_last(wanted: list[Any], got: list[Any]) -> list[str]:
    is_unwritten = "raises NotImplementedError" in got[0]
    return [] if is_unwritten or got == wanted else ["misses-a-lone-square"]


SLIPS: dict[str, Slips] = {
    "answers": of_groups,
    "the board passed in": only("changes-its-argument"),
    "new tiles": _of_counts,
    "tiles": lambda wanted, got: _of_counts([*chain(*wanted)], [*chain(*got)]),
    "other tiles": only("other-tiles-change"),
    "other tiles, two empty squares": only("other-tiles-change"),
    "slid tiles": only("turn-not-slid"),
    "new tiles of other moves": _of_counts_each,
    "slid tiles of other moves": only("turn-not-slid"),
    "rows": only("shared-rows"),
    "a legal move": _of_legal,
    "other legal moves": _of_other_legal,
    "small boards": of_groups,
    "4s": lambda wanted, got: of_fours(got),
    "neither 2 nor 4": only("no-two-and-no-four"),
    "4s, p_four 0 and 1": _if_counted("p-four-not-obeyed"),
    "alone in its row, in its column": _if_counted("unfair-squares"),
    "corners": _if_counted("unfair-squares"),
    "one empty square of 1600": _of_the_last,
    "the same rng": only("own-chance"),
    "a full board": _of_kinds,
    "shapes": lambda wanted, got: ["other-shape"] if all(got) else [],
    "an illegal move": _of_illegal,
    "no legal move at all": _of_illegal,
    "a merge on a full board": _of_kinds,
    "a wrong direction": _of_kinds,
}
