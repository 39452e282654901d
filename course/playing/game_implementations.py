"""Players: a match asks its player for the board after a move, and if the game is over or won.

There are two kinds of players: `Functions` calls single functions, and `OwnGame` plays with an
object of a learner's class. They have the same methods, explained in `Functions`; most of them may
raise `Stuck`. `pieces` are the functions that a player calls, `goal` is the tile that wins, and
`merges` is false if tiles only slide. `is_prepared` is true if somebody chose the start or the
random numbers of the game; its score is then no record.
"""

from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from inspect import signature
from random import Random
from typing import Any

from course import rules
from course.playing.board_notes import claim
from course.playing.learner_calls import Stuck, call, message_of, notebook_names, shown
from course.playing.pieces import LIMIT, Function, Pieces, is_count
from course.refusal import Refusal, lacks_text
from course.rules import Board
from course.rules.board import is_board
from course.rules.special_game import SECOND_CHANCE_TILE

P_FOUR = 0.1
SPECIAL_PIECES = frozenset({"has_won_special", "second_chance"})  # only the special rules have them
SPECIAL_METHODS = ("can_continue", "continue_")
SPECIAL_GOAL = 2048


@dataclass(frozen=True)
class State:
    """The state of a match after a turn; the next turn makes a new state.

    `can_continue` is true if the second chance may be taken now. `is_fair` is true if no turn so
    far broke a rule, and `is_celebrated` once a win was announced; both stay as they are if a turn
    is undone.
    """

    board: Board
    score: int = 0
    moves: int = 0
    is_over: bool = False
    has_won: bool = False
    can_continue: bool = False
    has_continued: bool = False
    has_declined: bool = False
    is_fair: bool = True
    is_celebrated: bool = False


@dataclass(frozen=True)
class Reply:
    """A player's answer to a move: the `board` after the move, made by the function named `by`.

    `is_move` is true if the turn adds 1 to the number of moves. `slid` is the board between the
    slide and the spawn, or `None` if one function made both.
    """

    board: Board
    by: str
    is_move: bool
    slid: Board | None = None


class Functions:
    """A player that calls functions: the learner's in `given`, and the rules' for the rest.

    The game starts from `board`, or else with two tiles on `height` × `width` squares. The special
    rules hold if `is_special` is true, or if `given` has one of `SPECIAL_PIECES`.
    """

    def __init__(
        self,
        given: Mapping[str, Function],
        *,
        height: int = 4,
        width: int = 4,
        board: Board | None = None,
        rng: Random | None = None,
        p_four: float = P_FOUR,
        goal: int = 2048,
        is_special: bool = False,
        score: int = 0,
        moves: int = 0,
    ) -> None:
        self.pieces = Pieces(given)
        self.height, self.width = height, width
        self.score, self.moves = score, moves
        self.first = deepcopy(board)
        self.rng = rng or Random()
        self.p_four = p_four
        self.is_special = is_special or bool(SPECIAL_PIECES & given.keys())
        self.goal = SPECIAL_GOAL if self.is_special else goal
        self.merges = "merge" in given or "close_gaps" not in given
        self.is_prepared = (board, rng, p_four, score) != (None, None, P_FOUR, 0)

    def starting_at(self, state: State) -> "Functions":
        """Return a new player whose game starts from `state`; raise `Stuck` if that fails."""
        return Functions(
            {name: newest() for name, newest in self.pieces.given.items()},
            board=state.board,
            score=state.score,
            moves=state.moves,
            p_four=self.p_four,
            goal=self.goal,
            is_special=self.is_special,
        )

    def fallback(self) -> State:
        """Return a state to show if the player cannot begin a game; never raise `Stuck`."""
        board = deepcopy(self.first) or rules.new_board(self.height, self.width, Random(0))
        return State(board, self.score, self.moves)

    def begin(self) -> State:
        """Return the state at the start of a new game."""
        board = deepcopy(self.first) or self._with_rng("new_board", self.height, self.width)
        return State(board, self.score, self.moves)

    def now(self, state: State) -> State:
        """Return `state`, or a newer state if a cell has changed the game; never raise `Stuck`."""
        return state

    def move(self, state: State, direction: str) -> Reply:
        """Slide, then spawn, and return the reply; `take_turn`, if given, does both."""
        before = state.board
        if "take_turn" in self.pieces.given:
            after = self._with_rng("take_turn", before, direction)
            return Reply(after, "take_turn", after != before)
        slid = self.pieces["slide"](before, direction)
        is_legal = slid != before
        if "is_legal" in self.pieces.given:
            is_legal = self.pieces["is_legal"](before, direction)
            slid = slid if is_legal else before
        if not is_legal or not any(0 in row for row in slid):
            return Reply(slid, "slide", slid != before, slid)
        after = self._with_rng("spawn", slid)
        return Reply(after, "spawn", after != before, slid)

    def end(self, state: State) -> State:
        """Return `state` with new values of `is_over`, `has_won` and `can_continue`."""
        is_over = self.pieces["is_over"](state.board)
        if self.is_special:
            won = self.pieces["has_won_special"](state.board, state.score)
        else:
            goal = () if self.goal == 2048 else (self.goal,)
            won = self.pieces["has_won"](state.board, *goal)
        can_continue = self.is_special and not state.has_declined and may_continue(state)
        return replace(state, is_over=is_over, has_won=won, can_continue=can_continue)

    def second_chance(self, state: State) -> State:
        """Take the second chance: return the state with which the lost game goes on."""
        board, score = self.pieces["second_chance"](state.board, state.score, self.rng)
        return replace(state, board=board, score=score)

    def suspects(self, name: str) -> list[Function]:
        """Return the learner's functions or classes to blame if the function `name` has a fault."""
        return self.pieces.uses(name)

    def memory(self) -> Any:
        """Return the data from which the method `recall` can restore the player's present state."""
        return self.rng.getstate()

    def recall(self, memory: Any) -> None:
        self.rng.setstate(memory)

    def _with_rng(self, name: str, *arguments: Any) -> Board:
        """Call a function with the player's `rng`, and `p_four` if it has a parameter for it."""
        chance: tuple[Any, ...] = (self.rng, self.p_four)
        try:
            for function in self.pieces.uses(name):
                signature(function).bind(*arguments, *chance)
        except (TypeError, ValueError):
            chance = (self.rng,)
        answer: Board = self.pieces[name](*arguments, *chance)
        return answer


def may_continue(state: State) -> bool:
    """Return true if a game is lost, has a tile of 512 or more, and had no second chance yet."""
    largest = max(map(max, state.board))
    return rules.is_over(state.board) and largest >= SECOND_CHANCE_TILE and not state.has_continued


class OwnGame:
    """A player that plays with the object `game` of a learner's class.

    The game must have `board` and `move(direction)`, or `Refusal` is raised. It may have `reset()`,
    `score`, `moves`, `is_over`, `has_won`, `can_continue` and `continue_()`; each of them may be a
    method, a property or an attribute. `given` are the learner's functions that make texts to be
    read aloud, such as `announce_move`.
    """

    merges = True
    is_prepared = False

    def __init__(
        self, game: Any, given: Mapping[str, Function] | None = None, *, goal: int = 2048
    ) -> None:
        if isinstance(game, type):
            raise Refusal(f"play(game={game.__name__}()) needs a game: call the class")
        if not _has(game, "board"):
            raise Refusal(f"a game needs a board, and this {type(game).__name__} has none")
        if not _has(game, "move"):
            raise Refusal(lacks_text(type(game).__name__, "move"))
        self._goal = goal
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

    @property
    def goal(self) -> int:
        return SPECIAL_GOAL if self.is_special else self._goal

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
        with suppress(Stuck):
            return State(self._board())
        return State(rules.new_board(4, 4, Random()))

    def begin(self) -> State:
        """Return the state at the start; if this is not the first call, reset the game first."""
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
        with suppress(Stuck):
            now = self._read(state)
            if now.moves < state.moves:  # somebody has started the game again
                return replace(now, has_continued=False, has_declined=False, is_celebrated=False)
            return now
        return state

    def move(self, state: State, direction: str) -> Reply:
        self._follow()
        said, right = self._ask("move", direction), rules.is_legal(state.board, direction)
        reply = Reply(self._board(like=state.board), "move", right)
        if said is not right:
            asked = f'move("{direction}")'
            self.pieces.report.add(claim(asked, said, right, self.name))
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
        self._follow()
        self._ask("continue_")
        return self._read(replace(state, board=self._board(like=state.board)))

    def suspects(self, name: str) -> list[Function]:
        return self.pieces.uses(name) or [type(self.game)]

    def memory(self) -> Any:
        """Return a copy of the game's attributes; `None` if one of them cannot be copied."""
        try:
            return deepcopy(vars(self.game))
        except Exception:
            return None

    def recall(self, memory: Any) -> None:
        if memory is not None:
            vars(self.game).clear()
            vars(self.game).update(memory)

    def _read(self, state: State) -> State:
        """Return `state` with the board, the score and the moves that the game now has."""
        has = [name for name in ("score", "moves") if _has(self.game, name)]
        numbers = {name: number for name in has if is_count(number := self._ask(name))}
        return replace(state, board=self._board(), **numbers)

    def _board(self, like: Board | None = None) -> Board:
        board: Board = self._ask("board")
        is_shown = is_board(board) and max(map(max, board)) < LIMIT
        if not is_shown or (like and (len(board), len(board[0])) != (len(like), len(like[0]))):
            wanted = "It must be a list of rows, each a list of numbers, and keep its size."
            title = f"The board of your {self.name} is no board."
            raise Stuck(title, f"It is {shown(board)}. {wanted}", suspect=self.name)
        return board

    def _claimed(self, name: str, right: Any) -> Any:
        """Return the game's value of `name`, such as its score, and report it if it is wrong.

        If the game has no value of this name, or an unusable one, return `right`, the value by the
        rules.
        """
        value = self._ask(name) if _has(self.game, name) else right
        if type(value) is not type(right) or value != right:
            self.pieces.report.add(claim(name, value, right, self.name))
        is_sound = type(value) is bool if type(right) is bool else is_count(value)
        return value if is_sound else right

    def _ask(self, name: str, *arguments: Any) -> Any:
        """Return the answer of a method, or an attribute's value; raise `Stuck` if that fails."""
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
    """Return true if a game has this attribute; do not run the code of a property."""
    return hasattr(type(game), name) or hasattr(game, name)


Player = Functions | OwnGame
