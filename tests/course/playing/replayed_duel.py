"""Records of duels, played again: the board before and after each phase."""

from course.playing.duel_engine import PHASES, Record
from course.rules.board import DIRECTIONS, Board
from course.rules.duel import empty_duel, place, push


def replayed(record: Record) -> tuple[list[Board], list[object]]:
    """Return all boards of a recorded duel, the empty one first, and the answers between them.

    In a record, `00` and `37` are squares, `ri` is a direction, and `--` is a skipped phase.

    >>> boards, answers = replayed(Record((0,), "0037ri--", 1, "tiles"))
    >>> answers, boards[3][0]
    ([(0, 0), (3, 7), 'right', None], [0, 0, 0, 2, 0, 0, 0, 0])
    """
    boards, answers = [empty_duel()], list[object]()
    for number, start in enumerate(range(0, len(record.answers), 2)):
        board, (player, _) = boards[-1], PHASES[number % len(PHASES)]
        said = record.answers[start : start + 2]
        way = next((direction for direction in DIRECTIONS if direction[:2] == said), None)
        square = (int(said[0]), int(said[1])) if said.isdigit() else None
        if way is not None:
            board = push(board, player, way)
        elif square is not None:
            board = place(board, player, square, record.numbers[number // len(PHASES)])
        boards.append(board)
        answers.append(way or square)
    return boards, answers
