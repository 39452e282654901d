"""A player that plays with an object of the learner's own class, such as `Game()`.

A player is the object that a match asks for the board after each move.
"""

from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

from course import rules
from course.playing.answer_validation import LIMIT, Function, is_count
from course.playing.calls import Stuck, call, message_of, notebook_names, shown
from course.playing.game_implementations import Player, Reply, State, may_continue
from course.playing.note import claim
from course.playing.pieces import Pieces
from course.refusal import Refusal, lacks_text
from course.rules import Board
from course.rules.shape import is_board

SPECIAL_METHODS = ("can_continue", "continue_")


class OwnGame(Player):
    """A player that plays with the object `game` of a learner's class.

    The game must have `board` and `move(direction)`. It may have `reset()`, `score`, `moves`,
    `is_over`, `has_won`, `can_continue` and `continue_()`; each of them may be a method, a property
    or an attribute. `given` are the learner's functions that announce the game. Raises `Refusal` if
    `game` is no game.
    """

    def __init__(
        self, game: Any, given: Mapping[str, Function] | None = None, *, goal: int = 2048
    ) -> None:
        if isinstance(game, type):
            raise Refusal(f"play(game={game.__name__}()) needs a game: call the class")
        if not _has(game, "board"):
            raise Refusal(f"a game needs a board, and this {type(game).__name__} has none")
        if not _has(game, "move"):
            raise Refusal(lacks_text(type(game).__name__, "move"))
        super().__init__(goal)
        self.game = game
        self.name = type(game).__name__
        move = getattr(type(game), "move", None)
        self.source = getattr(getattr(move, "__code__", None), "co_filename", None)
        self.is_fresh = True
        self.pieces = Pieces(given or {})

    @property
    def is_special(self) -> bool:
        """True if the class of the game is a `SpecialGame`, or has a method for a second chance."""
        kinds = type(self.game).__mro__
        named = any(kind.__name__ == "SpecialGame" for kind in kinds)
        return named or any(name in vars(kind) for kind in kinds for name in SPECIAL_METHODS)

    def starting_at(self, state: State) -> "OwnGame":
        try:
            game = deepcopy(self.game)
            for name in ("board", "score", "moves"):
                if name == "board" or name in vars(game):
                    setattr(game, name, deepcopy(getattr(state, name)))
        except Exception as error:
            said = f"{type(error).__name__}: {message_of(error)}."
            raise Stuck(f"Your {self.name} cannot start from here.", said) from None
        given = {name: newest() for name, newest in self.pieces.given.items()}
        return OwnGame(game, given, goal=self._goal)

    def fallback(self) -> State:
        """Return a state with the game's own board, or with a new one if that is not valid."""
        with suppress(Stuck):
            return State(self._board())
        return State(rules.new_board(4, 4, Random()))

    def begin(self) -> State:
        """Return the state at the start; from the second call on, the game is reset first."""
        if not self.is_fresh:
            self._follow()
            self._ask("reset")
        state = self._read(State(self._board()))
        self.is_fresh = False
        # A new game has at most two tiles, each a 2 or a 4, no points, and no moves.
        tiles = [tile for row in state.board for tile in row if tile]
        is_new = len(tiles) <= 2 and {*tiles} <= {2, 4} and not state.score and not state.moves
        self.is_prepared = not is_new
        return state

    def now(self, state: State) -> State:
        """Return the state of the game as it is now.

        If the game has fewer moves than `state`, somebody has started it again: then nobody has
        taken its second chance yet, and its win has not been celebrated.
        """
        with suppress(Stuck):
            now = self._read(state)
            if now.moves < state.moves:
                return replace(now, has_continued=False, has_declined=False, is_celebrated=False)
            return now
        return state

    def move(self, state: State, direction: str) -> Reply:
        """Ask the game to move, and return the board that it then has."""
        self._follow()
        said, right = self._ask("move", direction), rules.is_legal(state.board, direction)
        reply = Reply(self._board(like=state.board), "move", right)
        if said is not right:
            self._wrong(f'move("{direction}")', said, right)
        return reply

    def end(self, state: State) -> State:
        counted = {name: self._claimed(name, getattr(state, name)) for name in ("score", "moves")}
        state, is_special = replace(state, **counted), self.is_special
        if is_special:
            won = rules.has_won_special(state.board, state.score)
        else:
            won = rules.has_won(state.board, self.goal)
        can_continue = is_special and self._claimed("can_continue", may_continue(state))
        return replace(
            state,
            is_over=self._claimed("is_over", rules.is_over(state.board)),
            has_won=self._claimed("has_won", won),
            can_continue=can_continue and not state.has_declined,
        )

    def second_chance(self, state: State) -> State:
        """Ask the game to go on, and return its state after that."""
        self._follow()
        self._ask("continue_")
        return self._read(replace(state, board=self._board(like=state.board)))

    def suspects(self, name: str) -> list[Function]:
        """Return a list with the learner's function of this name, or else the class of the game."""
        return self.pieces.uses(name) or [type(self.game)]

    def memory(self) -> Any:
        """Return a copy of the game's attributes; `None` if one of them cannot be copied."""
        try:
            return deepcopy(vars(self.game))
        except Exception:
            return None

    def recall(self, memory: Any) -> None:
        """Give the game back the attributes that `memory` has."""
        if memory is not None:
            vars(self.game).clear()
            vars(self.game).update(memory)

    def _read(self, state: State) -> State:
        """Return `state` with the board, the score and the moves that the game now has."""
        found = {name: getattr(state, name) for name in ("score", "moves")}
        for name in found:
            number = self._ask(name) if _has(self.game, name) else None
            found[name] = number if is_count(number) else found[name]
        return replace(state, board=self._board(), **found)

    def _board(self, like: Board | None = None) -> Board:
        board: Board = self._ask("board")
        is_shown = is_board(board) and max(map(max, board)) < LIMIT
        if not is_shown or (like and (len(board), len(board[0])) != (len(like), len(like[0]))):
            raise Stuck(
                f"The board of your {self.name} is no board.",
                f"It is {shown(board)}. It must be a list of rows, each a list of numbers, "
                "and keep its size.",
                suspect=self.name,
            )
        return board

    def _claimed(self, name: str, right: Any) -> Any:
        """Return the game's number or boolean of a name, or `right` if it has none of that kind.

        A value other than `right` is reported as a fault.
        """
        value = self._ask(name) if _has(self.game, name) else right
        if type(value) is not type(right) or value != right:
            self._wrong(name, value, right)
        is_sound = type(value) is bool if type(right) is bool else is_count(value)
        return value if is_sound else right

    def _wrong(self, what: str, given: Any, right: Any) -> None:
        self.pieces.report.add(claim(what, given, right, self.name))

    def _ask(self, name: str, *arguments: Any) -> Any:
        """Return what a method of the game returns, or the value of an attribute or property."""
        if name in ("move", "reset") and not _has(self.game, name):
            raise Stuck(f"Your {self.name} has no {name}.", lacks_text(self.name, name))

        def ask() -> Any:
            found = getattr(self.game, name)
            return found(*arguments) if callable(found) else found

        return call(name, ask, (), self.pieces.report.printed, self.source)

    def _follow(self) -> None:
        """Give the game the newest version of its class, if the cell of the class was run again."""
        newest = notebook_names().get(self.name)
        if isinstance(newest, type) and newest is not type(self.game):
            self.game.__class__ = newest


def _has(game: Any, name: str) -> bool:
    """Return true if a game has an attribute of this name; the code of a property is not run."""
    return hasattr(type(game), name) or hasattr(game, name)
