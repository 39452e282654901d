"""The way of each tile in a push, for those who watch."""

from course.playing.motion import Motion, squares_from
from course.playing.seat import Ply
from course.rules.board import Square
from course.rules.duel import push_line, territory


def motion_of(step: Ply) -> Motion:
    """Return the motion of the tiles in a step of a duel; a placed tile moves nothing.

    Values of tiles have the sign of their player, as on the board.
    """
    motion = Motion()
    if not isinstance(step.answer, str):
        return motion
    board, player = step.before, step.player
    height, width = len(board), len(board[0])
    for squares in squares_from(step.answer, height, width):
        line = [board[row][column] * player for row, column in squares]
        home = [territory(square, width) == player for square in squares]
        for start, end in walks(line, home):
            before, after = squares[start], squares[end]
            motion.glides.append((before, after, line[start] * player))
            if step.after[after[0]][after[1]] != line[start] * player:
                motion.merged.append(after)
                _stays(motion, board, before, after)
    return motion


def _stays(motion: Motion, board: list[list[int]], before: Square, after: Square) -> None:
    """Keep an eaten tile visible on its square until the tile that eats it arrives there."""
    eaten = board[after[0]][after[1]]
    if eaten and before != after and not any(end == after for _, end, _ in motion.glides[:-1]):
        motion.glides.append((after, after, eaten))


def walks(line: list[int], home: list[bool]) -> list[tuple[int, int]]:
    """Return for each positive tile of a line its start and its end in a push to the front.

    >>> walks([0, 2, 0, 2], [True] * 4)
    [(1, 0), (3, 0)]
    """
    found = []
    for start, tile in enumerate(line):
        if tile > 0:  # the tiles behind it change nothing
            without = [*push_line(line[:start], home[:start]), 0]
            pushed = push_line(line[: start + 1], home[: start + 1])
            end = next((at for at in range(start + 1) if pushed[at] != without[at]), start)
            found.append((start, end))
    return found
