"""A match: a game on a board, played turn by turn; knows no browser."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from course.playing import decide
from course.playing.calls import Stuck, message_of
from course.playing.history import History
from course.playing.pieces import Report
from course.playing.player import Player
from course.playing.state import State
from course.playing.turn import Turn
from course.rules import Board

NO_CHANCE = "There is no second chance."


class Match:
    """A match of one player.

    A turn is decided first; then the match takes on the state after it, or stays as it was.
    `opening` is the turn that started the match.

    >>> from course.playing.functions import Functions
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
        """The state of the match as it is now."""
        return self._history.now

    @property
    def board(self) -> Board:
        """The board as it is now."""
        return self.state.board

    @property
    def score(self) -> int:
        """The points so far."""
        return self.state.score

    @property
    def moves(self) -> int:
        """The number of turns so far that changed the board."""
        return self.state.moves

    @property
    def is_over(self) -> bool:
        """True if the player says that no move is left."""
        return self.state.is_over

    @property
    def has_won(self) -> bool:
        """True if the player says that the game is won."""
        return self.state.has_won

    @property
    def can_continue(self) -> bool:
        """True if the second chance may be taken now."""
        return self.state.can_continue

    @property
    def history(self) -> list[Board]:
        """The boards of this match, from the first to the one that is shown now."""
        return [state.board for state in self._history.states]

    @property
    def scores(self) -> list[int]:
        """The score that each board of the match had."""
        return [state.score for state in self._history.states]

    @property
    def can_undo(self) -> bool:
        """True if there is a turn to take back."""
        return self._history.can_undo

    def start(self) -> Turn:
        """Start a new match, if the player can begin one; else nothing changes."""
        turn, _ = self._decided(self._new_game)
        if turn.trouble is None:
            self._history = History(turn.after)
        return turn

    def move(self, direction: str) -> Turn:
        """Play one turn, if the player gives an answer; else nothing changes."""
        return self._taken(lambda before: decide.move(self.player, before, direction))

    def continue_(self) -> Turn:
        """Take the second chance of the special rules, if there is one."""
        if not self.state.can_continue:
            return Turn(self.state, NO_CHANCE)
        return self._taken(lambda before: decide.second_chance(self.player, before))

    def decline(self) -> Turn:
        """Do not take the second chance: the game is over."""
        if not self.state.can_continue:
            return Turn(self.state, NO_CHANCE)
        self._history.stand(replace(self.state, can_continue=False, has_declined=True))
        return Turn(self.state, "Game over.")

    def undo(self) -> Turn:
        """Take back the last turn that changed the board."""
        if not self.can_undo:
            return Turn(self.state, "Nothing to undo.")
        self.player.recall(self._history.back())
        return Turn(self.state, "Undone.")

    def _new_game(self, before: State) -> Turn:
        return decide.new_game(self.player)

    def _taken(self, make: Callable[[State], Turn]) -> Turn:
        """Decide a turn, and bring the match into the state after it."""
        turn, memory = self._decided(make)
        if _is_step(self.state, turn.after):
            self._history.add(turn.after, memory)
        else:
            self._history.stand(turn.after)
        return turn

    def _decided(
        self, make: Callable[[State], Turn], and_so: str = "The board stays as it was."
    ) -> tuple[Turn, Any]:
        """Decide a turn; return it with the memory of the player from before it.

        If there is no answer to go on with, the player is put back to where it was.
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
    """Return the trouble of rules that failed, mostly because of a wrong answer given to them."""
    kind, message = type(error).__name__, message_of(error)
    reason = report.faults[0] if report.faults else f"{kind}: {message}."
    return Stuck("The rules could not go on with that.", reason)
