"""Records of duels, played again: the board before and after each phase."""

from course.playing.duel_engine import PHASES, Record
from course.rules.board import DIRECTIONS, Board
from course.rules.duel import empty_duel, place, push

_DIRECTIONS = {direction[:2]: direction for direction in DIRECTIONS}


class Replayed:
    """A record of a duel as boards: `boards[0]` is empty, `boards[n]` is the board after n phases.

    `said[n]` is what leads from `boards[n]` to `boards[n + 1]`: a tuple of player, phase and
    answer. The answer is `None` if the phase was skipped. A record with a tile placed on a square
    that is not legal raises `ValueError`.

    >>> replay = Replayed(Record((0,), "0037ri--", 1, "tiles"))
    >>> replay.said[0], replay.boards[1][0][0]
    ((1, 'place', (0, 0)), 2)
    >>> replay.boards[3][0], replay.said[3]
    ([0, 0, 0, 2, 0, 0, 0, 0], (-1, 'push', None))
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.boards: list[Board] = [empty_duel()]
        self.said: list[tuple[int, str, object]] = []
        for number, start in enumerate(range(0, len(record.answers), 2)):
            player, phase = PHASES[number % len(PHASES)]
            answer = record.answers[start : start + 2]
            self._step(player, phase, answer, record.numbers[number // len(PHASES)])

    def _step(self, player: int, phase: str, answer: str, number: int) -> None:
        board = self.boards[-1]
        done: object = None
        if answer in _DIRECTIONS and phase == "push":
            done = _DIRECTIONS[answer]
            board = push(board, player, _DIRECTIONS[answer])
        elif answer != "--":
            square = (int(answer[0]), int(answer[1]))
            done, board = square, place(board, player, square, number)
        self.boards.append(board)
        self.said.append((player, phase, done))
