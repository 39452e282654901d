"""Rulings on turns: the rules that a turn broke, in words and squares, and the points of merges."""

from dataclasses import replace

from course import rules
from course.playing.game_implementations import Reply
from course.playing.motion import Motion, differing, is_unlike, squares_from, values
from course.playing.note import Answered, Fault
from course.rules import Board, Square
from course.rules.special_game import CLEARED_TILES, LARGEST_CLEARED, SECOND_CHANCE_COST
from course.rules.speech import LETTERS

# The functions that may be to blame for a wrong line.
SLIDERS = ("slide", "slide_by_offsets", "start_squares", "merge", "close_gaps", "take_turn")


def ruling_on(
    before: Board, reply: Reply, right: Board, direction: str, has_slide: bool
) -> tuple[Board, tuple[Square, ...], list[Fault]]:
    """Compare a turn with `right`, the board after the slide by the rules.

    Returns the slid board, the squares of new tiles, and the faults. `has_slide` is true if the
    learner's own slide is played; then its faults are drawn as whole boards.
    """
    slid = reply.slid
    if slid is None:  # one function made both the slide and the spawn
        slid = reply.board if is_unlike(right, reply.board) else right
        slid = before if before in (right, reply.board) else slid
    faults = wrong_lines(before, slid, right, direction)
    if has_slide:
        answered = Answered(f'slide(board, "{direction}")', before, slid, right)
        faults = [replace(fault, answered=answered) for fault in faults]
    spawned = tuple(differing(slid, reply.board))
    said = _spawn_problem(before, slid, right, reply)
    if said is not None:
        suspects = ("is_legal", "spawn", "empty_cells") if reply.slid is not None else (reply.by,)
        faults.append(Fault(said, spawned, suspects))
    return slid, spawned, faults


def wrong_lines(before: Board, after: Board, right: Board, direction: str) -> list[Fault]:
    """Return a fault for every wrong line: a column if the direction is up or down, or else a row.

    `after` is the board after the learner's slide, `right` the board after the slide by the rules.
    """
    name = "Row" if direction in ("left", "right") else "Column"
    wrong, unlike = [], differing(after, right)
    lines = squares_from(direction, len(before), len(before[0]))
    for number, squares in enumerate(map(sorted, lines)):
        old, new, want = (
            " ".join(map(str, values(board, squares))) for board in (before, after, right)
        )
        if new != want:
            became = "did not change" if new == old else f"became {new}"
            said = f"{name} {number} (counted from 0): {old} {became}. The rules give {want}."
            marks = tuple(square for square in squares if square in unlike)
            wrong.append(Fault(said, marks, SLIDERS))
    return wrong


def _spawn_problem(before: Board, slid: Board, right: Board, reply: Reply) -> str | None:
    """Return a sentence if a spawn broke the rules; a spawn after a wrong slide is not judged."""
    after, name, changed = reply.board, reply.by, differing(slid, reply.board)
    is_apart = reply.slid is not None
    if right == before:
        if not changed:
            return None
        if not is_apart:
            return f"No tile could move, yet {name} changed the board."
        row, column = changed[0]
        new = f"a {after[row][column]} appeared on board[{row}][{column}]"
        return f"No tile could move, yet {new}. The rules add a tile only after a legal move."
    if not (name == "spawn" if is_apart else slid == right):
        return None
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


def merged_points(slid: Board, direction: str, motion: Motion) -> int:
    """Return the points of the merges in a motion, as far as they are certain.

    A line in which tiles vanish scores nothing, and neither does a line in which more than one tile
    appears: what looks like a merge there may be an accident. One tile that appears may be a spawn.
    """
    gone = {square for square, _ in motion.vanished}
    total = 0
    for line in squares_from(direction, len(slid), len(slid[0])):
        if not gone.intersection(line) and len(set(motion.appeared).intersection(line)) <= 1:
            total += sum(slid[row][column] for row, column in set(motion.merged) & set(line))
    return total


def second_chance_faults(before: Board, after: Board, rise: int) -> list[Fault]:
    """Return the faults of a second chance; `rise` is the score after it minus the score before."""
    told: list[tuple[str, tuple[Square, ...]]] = []
    changed = differing(before, after)
    for row, column in changed:
        was, now = before[row][column], after[row][column]
        if now or was > LARGEST_CLEARED:
            is_named = column < len(LETTERS)  # columns beyond Z are not
            name = rules.name_square(row, column) if is_named else f"board[{row}][{column}]"
            said = f"{name} was {was} and became {now}. Only tiles of at most 128 are cleared."
            told.append((said, ((row, column),)))
    small = sum(0 < tile <= LARGEST_CLEARED for row in before for tile in row)
    cleared, right = len(changed), min(CLEARED_TILES, small)
    if cleared != right:
        told.append((f"{cleared} tiles were cleared. The rules clear {right}.", ()))
    if rise != -SECOND_CHANCE_COST:
        told.append((f"The score changed by {rise}. The rules take {SECOND_CHANCE_COST}.", ()))
    return [Fault(said, squares, ("second_chance",)) for said, squares in told]
