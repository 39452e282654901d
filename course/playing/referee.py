"""The referee: says in words, and in squares, which rule an answer broke."""

from dataclasses import dataclass, replace

from course.playing.fault import Answered, Fault
from course.playing.motion import squares_from, values
from course.playing.player import Reply
from course.rules import Board, Line, Square

# The pieces that may be to blame for a line that is wrong.
SLIDERS = ("slide", "slide_by_offsets", "start_squares", "merge", "close_gaps", "take_turn")


@dataclass(frozen=True)
class Ruling:
    """The referee's view of a turn: the slid board, the spawned squares, and the faults."""

    slid: Board
    spawned: tuple[Square, ...]
    faults: tuple[Fault, ...]


def ruling(before: Board, played: Reply, right: Board, direction: str) -> Ruling:
    """Compare a turn with `right`, the board that the rules give before a tile is spawned."""
    slid = played.slid or _slid(before, played.board, right)
    wrong = tuple(wrong_lines(before, slid, right, direction))
    spawned = tuple(differing(slid, played.board))
    problem = _spawn_fault(before, slid, right, played)
    return Ruling(slid, spawned, (*wrong, problem) if problem else wrong)


def _slid(before: Board, after: Board, right: Board) -> Board:
    """Return the slid board of a turn whose slide and spawn were answered as one.

    The rules tell which part of the answer is the slide, and which the spawn.
    """
    if right == before or after == before:
        return before
    return after if is_unlike(right, after) else right


def _spawn_fault(before: Board, slid: Board, right: Board, played: Reply) -> Fault | None:
    """Return the fault in the spawn of a turn, or `None`.

    If the slide and the spawn were answered as one, and the slide is wrong, the spawn is not
    judged.
    """
    changed = tuple(differing(slid, played.board))
    is_apart = played.slid is not None
    said = None
    if right == before:
        said = _appeared(changed, played) if changed else None
    elif played.by == "spawn" if is_apart else slid == right:
        said = spawn_problem(slid, played.board, played.by)
    suspects = ("is_legal", "spawn", "empty_cells") if is_apart else (played.by,)
    return Fault(said, changed, suspects) if said else None


def _appeared(changed: tuple[Square, ...], played: Reply) -> str:
    """Return a sentence on what came to the board after a move that is not legal."""
    if played.slid is None:
        return f"No tile could move, yet {played.by} changed the board."
    row, column = changed[0]
    new = f"a {played.board[row][column]} appeared on board[{row}][{column}]"
    return f"No tile could move, yet {new}. The rules add a tile only after a legal move."


def wrong_lines(before: Board, after: Board, right: Board, direction: str) -> list[Fault]:
    """Return a fault for every row (or, up and down, every column) that differs from the rules.

    >>> wrong_lines([[4, 2, 2, 0]], [[8, 0, 0, 0]], [[4, 4, 0, 0]], "left")[0].sentence
    'Row 0 (counted from 0): 4 2 2 0 became 8 0 0 0. The rules give 4 4 0 0.'
    """
    name = "Row" if direction in ("left", "right") else "Column"
    wrong = []
    lines = squares_from(direction, len(before), len(before[0]))
    for number, squares in enumerate(map(sorted, lines)):
        old, new, want = (values(board, squares) for board in (before, after, right))
        if new != want:
            became = "did not change" if new == old else f"became {_spoken(new)}"
            said = (
                f"{name} {number} (counted from 0): {_spoken(old)} {became}. "
                f"The rules give {_spoken(want)}."
            )
            marks = tuple(square for square in squares if _differs(after, right, square))
            wrong.append(Fault(said, marks, SLIDERS))
    return wrong


def drawn(seen: Ruling, before: Board, right: Board, direction: str) -> tuple[Fault, ...]:
    """Return the faults of a turn; those of the learner's own slide are drawn as whole boards."""
    answered = Answered(f'slide(board, "{direction}")', before, seen.slid, right)
    return tuple(
        replace(fault, answered=answered) if fault.suspects == SLIDERS else fault
        for fault in seen.faults
    )


def _spoken(line: Line) -> str:
    return " ".join(map(str, line))


def differing(first: Board, second: Board) -> list[Square]:
    """Return the squares on which two boards differ, in reading order.

    >>> differing([[2, 0]], [[2, 4]])
    [(0, 1)]
    """
    squares = [(row, column) for row in range(len(first)) for column in range(len(first[0]))]
    return [square for square in squares if _differs(first, second, square)]


def _differs(first: Board, second: Board, square: Square) -> bool:
    row, column = square
    return first[row][column] != second[row][column]


def is_unlike(slid: Board, after: Board) -> bool:
    """Return true if no spawn, not even a wrong one, can turn a slid board into the other board.

    >>> is_unlike([[4, 0]], [[4, 2]]), is_unlike([[4, 0]], [[2, 2]])
    (False, True)
    """
    return any(slid[row][column] for row, column in differing(slid, after))


def spawn_problem(slid: Board, after: Board, name: str) -> str | None:
    """Return a sentence on what a spawn did against the rules, or `None`.

    >>> spawn_problem([[4, 0]], [[4, 2]], "spawn")
    >>> spawn_problem([[4, 0]], [[4, 0]], "spawn")
    'spawn added no tile. The rules add one 2 or 4 after a legal move.'
    """
    changed = differing(slid, after)
    if not changed:
        return f"{name} added no tile. The rules add one 2 or 4 after a legal move."
    for row, column in changed:
        if slid[row][column]:
            tile = f"{slid[row][column]} on board[{row}][{column}]"
            return f"{name} changed the {tile}. Tiles go on empty squares."
    if len(changed) > 1:
        return f"{name} added {len(changed)} tiles. The rules add one."
    row, column = changed[0]
    if after[row][column] not in (2, 4):
        return f"{name} added a {after[row][column]}. The rules add a 2 or a 4."
    return None
