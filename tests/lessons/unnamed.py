"""Wrong programs that the catalogue has no name for, and the check that each of them must lose.

They are near to what is right: they differ in what few cases show, or in what only chance shows.
"""

from typing import NamedTuple


class Unnamed(NamedTuple):
    """A wrong program for an exercise: what is wrong with it, and a check that it loses."""

    exercise: str
    title: str
    loses: str
    program: str


def winning(program: str, title: str) -> Unnamed:
    return Unnamed("winning_tile", title, "winning-tile", program)


def gaps(title: str, body: str) -> Unnamed:
    return Unnamed("close_gaps", title, "tiles-to-front", f"def close_gaps(line):\n    {body}\n")


def starts(title: str, loses: str, squares: str) -> Unnamed:
    """A `start_squares` that says its squares in its own way."""
    program = f"""
def start_squares(board, direction):
    height, width = len(board), len(board[0])
    rows, columns = range(height), range(width)
    walls = {{
        "left": [(row, 0) for row in rows],
        "right": [(row, width - 1) for row in rows],
        "up": [(0, column) for column in columns],
        "down": [(height - 1, column) for column in columns],
    }}
    if direction not in walls:
        raise ValueError("no such direction")
    return {squares}
"""
    return Unnamed("start_squares", title, loses, program)


def walk(title: str, loses: str, squares: str) -> Unnamed:
    """A `traverse` that says its squares in its own way."""
    program = f"""
def traverse(start, step, count):
    squares = [(start[0] + i * step[0], start[1] + i * step[1]) for i in range(count)]
    return {squares}
"""
    return Unnamed("traverse", title, loses, program)


def empty(title: str, loses: str, answer: str) -> Unnamed:
    """An `empty_cells` that gives what it has found in its own way."""
    program = f"""
def empty_cells(board):
    height, width = len(board), len(board[0])
    cells = [(r, c) for r in range(height) for c in range(width) if board[r][c] == 0]
    return {answer}
"""
    return Unnamed("empty_cells", title, loses, program)


def spawning(title: str, loses: str, place: str, tile: str = "", default: str = "0.1") -> Unnamed:
    """A `spawn` that says in its own way to which of the empty `cells` which tile comes."""
    program = f"""
from random import Random

calls = []


def spawn(board, rng, p_four={default}):
    calls.append(1)
    cells = empty_cells(board)
    if not cells:
        raise ValueError("the board is full")
    height, width, u = len(board), len(board[0]), rng.random()
    row, column = {place}
    spawned = [squares[:] for squares in board]
    spawned[row][column] = {tile or "4 if rng.random() < p_four else 2"}
    return spawned


def again(draw, board):
    square = draw()
    while board[square[0]][square[1]] != 0:
        square = draw()
    return square
"""
    return Unnamed("spawn", title, loses, program)


def starting(title: str, loses: str, places: str, tile: str = "", default: str = "0.1") -> Unnamed:
    """A `new_board` that says in its own way to which of all `cells` which tiles come."""
    program = f"""
calls = []


def new_board(height, width, rng, p_four={default}):
    calls.append(1)
    board = [[0] * width for _ in range(height)]
    cells, u = empty_cells(board), rng.random()
    for number, (row, column) in enumerate({places}):
        board[row][column] = {tile or "4 if rng.random() < p_four else 2"}
    return board
"""
    return Unnamed("new_board", title, loses, program)


def turning(title: str, loses: str, place: str, tile: str = "", default: str = "0.1") -> Unnamed:
    """A `take_turn` that says in its own way to which of the empty `cells` which tile comes."""
    program = f"""
calls = []


def take_turn(board, direction, rng, p_four={default}):
    slid = slide(board, direction)
    if slid == board:
        return slid
    calls.append(1)
    cells, u = empty_cells(slid), rng.random()
    row, column = {place}
    slid[row][column] = {tile or "4 if rng.random() < p_four else 2"}
    return slid
"""
    return Unnamed("take_turn", title, loses, program)


ANY = "rng.choice(cells)"
TWO = "rng.sample(cells, 2)"
OTHER_DEFAULTS = ("0", "0.05", "0.12", "0.2", "1")

UNNAMED = {
    "0-meet-the-game": [
        winning("winning_tile = 1024", "half of it"),
        winning("winning_tile = 4096", "twice as much"),
        winning("winning_tile = '2048'", "as text"),
        winning("winning_tile = 2048.0", "as a float"),
        winning("winning_tile = [2048]", "in a list"),
    ],
    "1-merge-a-line": [
        gaps("sorted, the largest first", "return sorted(line, reverse=True)"),
        gaps("sorted, the smallest first", "return sorted(line, key=lambda t: (not t, t))"),
        gaps("its argument is sorted", "line.sort(key=lambda tile: not tile)\n    return line"),
        gaps(
            "its argument loses its zeros and gets them back",
            "for _ in range(line.count(0)):\n        line.remove(0)\n        line.append(0)\n"
            "    return line",
        ),
        gaps(
            "the answer is right, and its argument has no zeros any more",
            "size, line[:] = len(line), [tile for tile in line if tile]\n"
            "    return line + [0] * (size - len(line))",
        ),
        gaps("a tuple", "return tuple(sorted(line, key=lambda tile: not tile))"),
        gaps("zeros in front", "return sorted(line, key=bool)"),
    ],
    "2b-the-other-road": [
        starts("text", "starts-any-shape", "[str(square) for square in walls[direction]]"),
        starts("lists", "starts-along-rows", "[list(square) for square in walls[direction]]"),
        starts("each square twice", "starts-along-columns", "walls[direction] * 2"),
        starts("columns first", "starts-along-rows", "[(c, r) for r, c in walls[direction]]"),
        starts("a set", "starts-along-columns", "set(walls[direction])"),
        walk("text", "walk-by-step", "[str(square) for square in squares]"),
        walk("floats", "walk-by-step", "[(float(row), float(column)) for row, column in squares]"),
        walk("lists", "walk-from-start", "[list(square) for square in squares]"),
        walk("one time only", "walk-counts-squares", "squares[:1]"),
    ],
    "3-spawn": [
        empty("a list of texts", "finds-empty-squares", "[str(cell) for cell in cells]"),
        empty("one text", "finds-empty-squares", "str(cells)"),
        empty("(column, row)", "finds-empty-squares", "[(c, r) for r, c in cells]"),
        empty("(column, row), sorted", "finds-empty-squares", "sorted((c, r) for r, c in cells)"),
        empty("a set", "in-reading-order", "set(cells)"),
        empty("a tuple", "cells-any-shape", "tuple(cells)"),
        empty("floats", "finds-empty-squares", "[(float(row), float(c)) for row, c in cells]"),
        empty("from the end", "in-reading-order", "cells[::-1]"),
        *[
            spawning(f"default {share}", "one-in-ten", ANY, default=share)
            for share in OTHER_DEFAULTS
        ],
        spawning(
            "one draw for place and value",
            "every-square-alike",
            "cells[int(u * len(cells))]",
            "4 if u < p_four else 2",
        ),
        spawning(
            "one draw, the 4s from the end",
            "every-square-alike",
            "cells[int(u * len(cells))]",
            "4 if u >= 1 - p_four else 2",
        ),
        spawning(
            "4s on every second square only",
            "every-square-alike",
            ANY,
            "4 if (row + column) % 2 == 0 and rng.random() < 2 * p_four else 2",
        ),
        spawning("counts its calls", "only-rng", "cells[len(calls) % len(cells)]"),
        spawning("counts pairs of calls", "only-rng", "cells[len(calls) // 2 % len(cells)]"),
        spawning("counts for the value", "only-rng", ANY, "4 if len(calls) % 10 == 0 else 2"),
        spawning("a seed of its own", "every-square-alike", "Random(2048).choice(cells)"),
        spawning("the seed is the board", "every-square-alike", "Random(str(board)).choice(cells)"),
        spawning(
            "the last row twice as often",
            "every-square-alike",
            "again(lambda: (rng.randint(-1, height - 1), rng.randint(0, width - 1)), board)",
        ),
        spawning(
            "the last column twice as often",
            "every-square-alike",
            "again(lambda: (rng.randint(0, height - 1), rng.randint(-1, width - 1)), board)",
        ),
        spawning("never the first square", "every-square-alike", "rng.choice(cells[1:] or cells)"),
        spawning("a corner, if one is empty", "every-square-alike", "rng.choice([c for c in cells"
                 " if c[0] in (0, height - 1) and c[1] in (0, width - 1)] or cells)"),
        spawning("round(p_four)", "fours-by-p-four", ANY, "4 if round(p_four) else 2"),
        *[
            starting(f"default {share}", "start-tiles-by-p-four", TWO, default=share)
            for share in OTHER_DEFAULTS
        ],
        starting("two corners", "start-squares-alike", "rng.sample([(0, 0), (0, width - 1),"
                 " (height - 1, 0), (height - 1, width - 1)], 2)"),
        starting("the first squares", "start-squares-alike", "cells[:2]"),
        starting("never the first square", "start-squares-alike", "rng.sample(cells[1:], 2)"),
        starting("never the last square", "start-squares-alike", "rng.sample(cells[:-1], 2)"),
        starting("never the last column", "start-squares-alike",
                 "rng.sample([cell for cell in cells if cell[1] < width - 1], 2)"),
        starting("side by side in reading order", "start-squares-alike",
                 "(cells + cells[:1])[int(u * len(cells)):][:2]"),
        starting("never in one row", "start-squares-alike",
                 "[(row, rng.randrange(width)) for row in rng.sample(range(height), 2)]"),
        starting("one value for both", "start-tiles-by-p-four", TWO, "4 if u < p_four else 2"),
        starting("a 2, and only then chance", "start-tiles-by-p-four", TWO,
                 "4 if number and rng.random() < p_four else 2"),
        starting("always 2s", "start-tiles-by-p-four", TWO, "2"),
        starting("the 4 always comes first", "start-squares-alike", "sorted(rng.sample(cells, 2))",
                 "4 if u < (p_four ** 2, 1 - (1 - p_four) ** 2)[1 - number] else 2"),
        starting("counts its calls", "start-only-rng",
                 "[cells[len(calls) % len(cells)], cells[(3 * len(calls) + 1) % len(cells)]]"),
        *[
            turning(f"default {share}", "turn-tiles-by-p-four", ANY, default=share)
            for share in OTHER_DEFAULTS
        ],
        turning("the first empty square", "turn-squares-alike", "cells[0]"),
        turning("the last empty square", "turn-squares-alike", "cells[-1]"),
        turning("never the last empty square", "turn-squares-alike",
                "rng.choice(cells[:-1] or cells)"),
        turning("corners first", "turn-squares-alike", "rng.choice([c for c in cells if c[0] in"
                " (0, len(slid) - 1) and c[1] in (0, len(slid[0]) - 1)] or cells)"),
        turning("never the first column", "turn-squares-alike",
                "rng.choice([cell for cell in cells if cell[1] > 0] or cells)"),
        turning("never the last column", "turn-squares-alike",
                "rng.choice([cell for cell in cells if cell[1] < len(slid[0]) - 1] or cells)"),
        turning("always a 2", "turn-tiles-by-p-four", ANY, "2"),
        turning("one draw for place and value", "turn-squares-alike",
                "cells[int(u * len(cells))]", "4 if u < p_four else 2"),
        turning("counts its calls", "turn-only-rng", "cells[len(calls) % len(cells)]"),
    ],
}  # fmt: skip
