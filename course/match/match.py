"""A match: a game on a board, played turn by turn; knows no browser."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from course.match import decide
from course.match.calls import Stuck, message_of
from course.match.history import History
from course.match.pieces import Report
from course.match.player import Player
from course.match.state import State
from course.match.turn import Turn
from course.rules import Board

NO_CHANCE = "There is no second chance."


class Match:
    """A match of one player. A turn is decided first; then the match takes it over, or stays.

    `opening` is the turn that started it.

    >>> from course.match.functions import Functions
    >>> match = Match(Functions({}, board=[[2, 2]], p_four=0))
    >>> match.move("left").said, match.board
    ('Merged into 4. 4 points. New 2 at B1. Game over.', [[4, 2]])
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self._history = History(player.spare())
        self.opening, _ = self._decided(self._new_game, and_so="")
        self._history = History(self.opening.after)

    @property
    def state(self) -> State:
        """How the match stands."""
        return self._history.now

    @property
    def board(self) -> Board:
        """The board as it stands."""
        return self.state.board

    @property
    def score(self) -> int:
        """The points so far."""
        return self.state.score

    @property
    def moves(self) -> int:
        """How many turns changed the board so far."""
        return self.state.moves

    @property
    def is_over(self) -> bool:
        """Whether the player says that no move is left."""
        return self.state.is_over

    @property
    def has_won(self) -> bool:
        """Whether the player says that the game is won."""
        return self.state.has_won

    @property
    def can_continue(self) -> bool:
        """Whether the second chance may be taken now."""
        return self.state.can_continue

    @property
    def history(self) -> list[Board]:
        """The boards of this match, from the first to the one that stands."""
        return [state.board for state in self._history.states]

    @property
    def scores(self) -> list[int]:
        """The score that each board of the match had."""
        return [state.score for state in self._history.states]

    @property
    def can_undo(self) -> bool:
        """Whether there is a turn to take back."""
        return self._history.can_undo

    def start(self) -> Turn:
        """A new match starts, if the player can begin one; else nothing changes."""
        turn, _ = self._decided(self._new_game)
        if turn.trouble is None:
            self._history = History(turn.after)
        return turn

    def move(self, direction: str) -> Turn:
        """One turn is played, if the player gives an answer; else nothing changes."""
        return self._taken(lambda before: decide.move(self.player, before, direction))

    def continue_(self) -> Turn:
        """The second chance of the special rules is taken, where there is one."""
        if not self.state.can_continue:
            return Turn(self.state, NO_CHANCE)
        return self._taken(lambda before: decide.second_chance(self.player, before))

    def decline(self) -> Turn:
        """The second chance is not taken: the game is over."""
        if not self.state.can_continue:
            return Turn(self.state, NO_CHANCE)
        self._history.stand(replace(self.state, can_continue=False, has_declined=True))
        return Turn(self.state, "Game over.")

    def undo(self) -> Turn:
        """The last turn that changed the board is taken back."""
        if not self.can_undo:
            return Turn(self.state, "Nothing to undo.")
        self.player.recall(self._history.back())
        return Turn(self.state, "Undone.")

    def _new_game(self, before: State) -> Turn:
        return decide.new_game(self.player)

    def _taken(self, make: Callable[[State], Turn]) -> Turn:
        """A turn is decided, and the match stands as it leaves it."""
        turn, memory = self._decided(make)
        if _is_step(self.state, turn.after):
            self._history.add(turn.after, memory)
        else:
            self._history.stand(turn.after)
        return turn

    def _decided(
        self, make: Callable[[State], Turn], and_so: str = "The board stays as it was."
    ) -> tuple[Turn, Any]:
        """A turn, and the memory of its player from before it.

        Where there is no answer to go on with, the player stands as it did.
        """
        report = self.player.pieces.report = Report()
        self._history.stand(self.player.now(self.state))
        memory = self.player.memory()
        try:
            return make(self.state), memory
        except Exception as error:
            self.player.recall(memory)
            trouble = error if isinstance(error, Stuck) else _lost(error, report)
            return decide.stuck(self.player, self.state, trouble.and_so(and_so)), memory
        except BaseException:
            self.player.recall(memory)
            raise


def _is_step(before: State, after: State) -> bool:
    return (before.board, before.has_continued) != (after.board, after.has_continued)


def _lost(error: Exception, report: Report) -> Stuck:
    """The rules themselves failed, most often over a wrong answer that they were given."""
    kind, message = type(error).__name__, message_of(error)
    reason = report.faults[0] if report.faults else f"{kind}: {message}."
    return Stuck("The rules could not go on with that.", reason)
