"""A match played on an object of the learner's own class: the object holds the game."""

from contextlib import suppress
from copy import deepcopy
from typing import Any

from course import rules
from course.answers import lacks_text
from course.match.calls import Stuck, call, notebook_names, shown
from course.match.match import Match, Step, Turn
from course.match.pieces import Pieces
from course.rules import Board
from course.rules.shape import is_board


class ObjectMatch(Match):
    """A match whose board, score and moves are those of the learner's `game`.

    The game must have `board` and `move(direction)`; `reset()`, `score`, `moves`, `is_over` and
    `has_won` are used where it has them, as properties or as methods.
    """

    def __init__(self, game: Any, pieces: Pieces, goal: int = 2048) -> None:
        if isinstance(game, type):
            raise TypeError(f"play(game={game.__name__}()) needs a game: call the class")
        if not hasattr(game, "board"):
            raise TypeError(f"a game needs a board, and this {type(game).__name__} has none")
        if not hasattr(game, "move"):
            raise TypeError(lacks_text(type(game).__name__, "move"))
        self.game = game
        self.name = type(game).__name__
        self.source = getattr(getattr(type(game).move, "__code__", None), "co_filename", None)
        self.is_fresh = True
        super().__init__(pieces, goal=goal)

    def move(self, direction: str) -> Turn:
        """One turn of the game as it now is: a cell may have changed it behind the board's back."""
        with suppress(Stuck):
            self.board = self._board_of_game()
            self.score = self._number("score", self.score)
            self.moves = self._number("moves", self.moves)
        return super().move(direction)

    def continue_(self) -> Turn:
        """The second chance of the special rules is taken, where there is one."""
        if not self.can_continue:
            return super().continue_()
        before, snapshot = self.board, self._snapshot()
        turn, played = self._played(self._continue)
        self._file(turn, played, self.board != before, snapshot)
        return turn

    def _continue(self, turn: Turn) -> None:
        self._ask("continue_")
        self._read()
        turn.said = f"The game goes on. {rules.announce_status(self.score, self.moves)}"

    def _begin(self, turn: Turn) -> None:
        if not self.is_fresh:
            self._follow()
            self._ask("reset")
        self.is_fresh = False
        self._read()
        self.height, self.width = len(self.board), len(self.board[0])

    def _read(self) -> None:
        """The match stands as the game says."""
        self.board = self._board_of_game()
        self.score = self._number("score", self.score)
        self.moves = self._number("moves", self.moves)
        self._settle()

    def _step(self, turn: Turn, before: Board, direction: str, right: Board) -> Step:
        self._follow()
        moved = self._ask("move", direction)
        after = self._board_of_game(before)
        if moved is not turn.legal:
            self._fault(turn, f'move("{direction}")', moved, turn.legal)
        return self._apart(turn, before, after, right, "move")

    def _count(self, turn: Turn, before: Board) -> None:
        right = {"score": self.score + turn.gained, "moves": self.moves + turn.legal}
        now = {name: self._number(name, number) for name, number in right.items()}
        for name, number in now.items():
            if number != right[name]:
                self._fault(turn, name, number, right[name])
        turn.gained = now["score"] - self.score
        self.score, self.moves = now["score"], now["moves"]

    def _settle(self) -> None:
        self.is_over = self._truth("is_over", rules.is_over(self.board))
        won = rules.has_won(self.board, self.goal)
        if self._has("can_continue"):
            won = won or rules.has_won_special(self.board, self.score)
            self.can_continue = self._ask("can_continue") is True
        self.has_won = self._truth("has_won", won)

    def _blame(self, *names: str) -> None:
        self.pieces.report.guilty.append(type(self.game))

    def _fault(self, turn: Turn, what: str, given: Any, right: Any) -> None:
        turn.faults.append(f"{what} gave {shown(given)}. The rules give {shown(right)}.")
        self._blame()

    def _ask(self, name: str, *arguments: Any) -> Any:
        """A method is called, an attribute or property is read."""
        printed = self.pieces.report.printed

        if name in ("move", "reset") and not self._has(name):
            raise Stuck(f"Your {self.name} has no {name}.", lacks_text(self.name, name))

        def ask() -> Any:
            found = getattr(self.game, name)
            return found(*arguments) if callable(found) else found

        return call(name, ask, (), printed, self.source)

    def _board_of_game(self, before: Board | None = None) -> Board:
        board = self._ask("board")
        if not is_board(board) or (before and _shape(board) != _shape(before)):
            raise Stuck(
                f"The board of your {self.name} is no board.",
                f"It is {shown(board)}. It must be a list of rows, each a list of numbers, "
                "and keep its size.",
            )
        found: Board = board
        return found

    def _has(self, name: str) -> bool:
        return hasattr(type(self.game), name) or name in vars(self.game)

    def _number(self, name: str, otherwise: int) -> int:
        number = self._ask(name) if self._has(name) else otherwise
        return number if type(number) is int else otherwise

    def _truth(self, name: str, right: bool) -> bool:
        truth = self._ask(name) if self._has(name) else right
        if truth is right:
            return right
        self.pieces.report.add(
            f"{name} gave {shown(truth)}. The rules give {right}.", type(self.game)
        )
        return truth if isinstance(truth, bool) else right

    def _follow(self) -> None:
        """A class whose cell is run anew changes the game that is on the board, too."""
        newest = notebook_names().get(self.name)
        if isinstance(newest, type) and newest is not type(self.game):
            self.game.__class__ = newest

    def _snapshot(self) -> Any:
        try:
            own = deepcopy(vars(self.game))
        except Exception:  # it holds something that cannot be copied: no way back for the object
            own = None
        return super()._snapshot(), own

    def _restore(self, snapshot: Any) -> None:
        kept, own = snapshot
        super()._restore(kept)
        if own is not None:
            vars(self.game).clear()
            vars(self.game).update(deepcopy(own))


def _shape(board: Board) -> tuple[int, int]:
    return len(board), len(board[0])
