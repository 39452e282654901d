"""A match by the special rules: won by points too, and a lost one may go on, once."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from course import rules
from course.match.calls import Stuck, call, shown
from course.match.match import Match, Turn
from course.match.object_match import ObjectMatch
from course.match.pieces import Pieces
from course.match.referee import differing
from course.rules import Board
from course.rules.shape import is_board
from course.rules.special import CHANCE_COST, CHANCE_TILE, CLEARED_TILES, LARGEST_CLEARED


class SecondChance(Match):
    """A match that may go on once after it is lost. `can_continue` says whether it may now."""

    def start(self) -> Turn:
        """A new match starts, and with it a new second chance."""
        self.has_continued = self.can_continue = False
        return super().start()

    def continue_(self) -> Turn:
        """The second chance is taken, if the learner's code gives an answer."""
        snapshot = self._snapshot()
        turn, played = self._played(self._continue)
        self._file(turn, played, True, snapshot)
        return turn

    def _continue(self, turn: Turn) -> None:
        before, score = self.board, self.score
        self.board, self.score = self._take_chance(turn)
        self.has_continued = True
        turn.marks = _wrongly_cleared(before, self.board)
        turn.faults += _chance_faults(before, self.board, self.score - score)
        turn.said = " ".join(["The game goes on.", *turn.faults[:1]])
        self._settle()

    def _take_chance(self, turn: Turn) -> tuple[Board, int]:
        """The board and the score with which the game goes on."""
        raise NotImplementedError

    def _may_continue(self) -> bool:
        largest = max(tile for row in self.board for tile in row)
        return rules.is_over(self.board) and largest >= CHANCE_TILE and not self.has_continued

    def _snapshot(self) -> Any:
        return super()._snapshot(), self.has_continued, self.can_continue

    def _restore(self, snapshot: Any) -> None:
        kept, self.has_continued, self.can_continue = snapshot
        super()._restore(kept)


class SpecialMatch(SecondChance):
    """A match played with functions; takes the same options as `Match`.

    `given` are the learner's functions by name, `has_won_special` and `second_chance` among them.
    """

    def __init__(self, given: Mapping[str, Any], **options: Any) -> None:
        functions = {"has_won_special": rules.has_won_special, **given}
        self.second_chance = functions.pop("second_chance", rules.second_chance)
        super().__init__(Pieces(functions), **options)

    def _take_chance(self, turn: Turn) -> tuple[Board, int]:
        arguments = (deepcopy(self.board), self.score, self.rng)
        answer = call("second_chance", self.second_chance, arguments, self.pieces.report.printed)
        if arguments[0] != self.board:
            turn.faults.append("Your second_chance changed the list that it was given.")
        match answer:
            case (list() as board, int() as score) if _fits(board, self.board):
                return board, score
        raise Stuck(
            "Your second_chance gave no answer to go on with.",
            f"It gave {shown(answer)}. It must give a board and a score: return board, score.",
        )

    def _settle(self) -> None:
        super()._settle()
        self.can_continue = self._may_continue()


class SpecialObjectMatch(SecondChance, ObjectMatch):
    """A match played on an object of the learner's own `SpecialGame`."""

    def _take_chance(self, turn: Turn) -> tuple[Board, int]:
        self._ask("continue_")
        return self._board_of_game(self.board), self._number("score", self.score)

    def _settle(self) -> None:
        self.is_over = self._truth("is_over", rules.is_over(self.board))
        score = self._number("score", self.score)
        self.has_won = self._truth("has_won", rules.has_won_special(self.board, score))
        self.can_continue = self._truth("can_continue", self._may_continue())


def _fits(board: Board, like: Board) -> bool:
    return is_board(board) and (len(board), len(board[0])) == (len(like), len(like[0]))


def _small(board: Board) -> int:
    return sum(0 < tile <= LARGEST_CLEARED for row in board for tile in row)


def _wrongly_cleared(before: Board, after: Board) -> list[tuple[int, int]]:
    """The squares that changed in any way but a tile of at most 128 being cleared."""
    return [
        (row, column)
        for row, column in differing(before, after)
        if after[row][column] or before[row][column] > LARGEST_CLEARED
    ]


def _chance_faults(before: Board, after: Board, rise: int) -> list[str]:
    """What a second chance did against the rules, in sentences.

    >>> _chance_faults([[512, 4]], [[512, 0]], -2048)
    []
    >>> _chance_faults([[512, 4]], [[512, 4]], 0)
    ['0 tiles were cleared. The rules clear 1.', 'The score changed by 0. The rules take 2048.']
    """
    faults = []
    for row, column in _wrongly_cleared(before, after):
        name, was, now = rules.name_square(row, column), before[row][column], after[row][column]
        faults.append(f"{name} was {was} and became {now}. Only tiles of at most 128 are cleared.")
    cleared, right = len(differing(before, after)), min(CLEARED_TILES, _small(before))
    if cleared != right:
        faults.append(f"{cleared} tiles were cleared. The rules clear {right}.")
    if rise != -CHANCE_COST:
        faults.append(f"The score changed by {rise}. The rules take {CHANCE_COST}.")
    return faults
