"""Players: the objects that a match asks what comes after a move, and if the game is over or won.

There are two kinds. A player of the class `Functions`, in this file, calls the learner's functions,
and the rules' functions for those that the learner has not given. A player of the class `OwnGame`,
in `own_game_class.py`, calls a game of the learner's class.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from course import rules
from course.playing.answer_validation import Function
from course.playing.pieces import Pieces
from course.rules import Board
from course.rules.special_game import SECOND_CHANCE_TILE

P_FOUR = 0.1
SPECIAL_PIECES = frozenset({"has_won_special", "second_chance"})  # only the special rules have them
SPECIAL_GOAL = 2048


@dataclass(frozen=True)
class State:
    """The state of a match after a turn. It is never changed; the next turn makes a new state.

    `can_continue` is true if the second chance may be taken now, `has_continued` if it was taken,
    `has_declined` if it was offered and not taken. `is_fair` is true if no turn so far broke a
    rule, and `is_celebrated` if the win has been celebrated; both stay as they are if a turn is
    taken back.
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
    """A player's answer to a move: the board after it, and the function that made this board.

    `by` is the name of this function. `is_move` is true if the turn adds 1 to the number of moves.
    `slid` is the board between the slide and the spawn, or `None` if one function made both.
    """

    board: Board
    by: str
    is_move: bool
    slid: Board | None = None


class Player(ABC):
    """An object that a match asks what comes after a move, and if the game is over or won.

    A method may raise `Stuck` if the learner's code gives no usable answer. `pieces` are the
    functions that the player calls; their `report` collects wrong answers. `merges` is true if
    tiles merge, and false if they only slide. `is_prepared` is true if somebody chose the start or
    the chance of the game, so that its score cannot become a record.
    """

    pieces: Pieces
    merges = True
    is_prepared = False

    def __init__(self, goal: int) -> None:
        self._goal = goal

    @property
    @abstractmethod
    def is_special(self) -> bool:
        """True if the special rules are played."""

    @property
    def goal(self) -> int:
        """The tile that wins."""
        return SPECIAL_GOAL if self.is_special else self._goal

    @abstractmethod
    def starting_at(self, state: State) -> "Player":
        """Return such a player whose game starts from this state; raise `Stuck` if it cannot."""

    @abstractmethod
    def fallback(self) -> State:
        """Return a state to show if the player cannot begin a game. Never raises `Stuck`."""

    @abstractmethod
    def begin(self) -> State:
        """Return the state at the start of a new game."""

    def now(self, state: State) -> State:
        """Return the present state of the game, which a cell of the notebook may have changed.

        `state` is the last state that the match knows. Never raises `Stuck`.
        """
        return state

    @abstractmethod
    def move(self, state: State, direction: str) -> Reply:
        """Play one turn, and return the board after it as a `Reply`."""

    @abstractmethod
    def end(self, state: State) -> State:
        """Return `state` with the player's answers: if the game is over, won, or may be continued.

        A lost game may be continued if its second chance is left. A player that counts the score
        and the moves itself also puts its own numbers into `state`.
        """

    @abstractmethod
    def second_chance(self, state: State) -> State:
        """Return the state with which a lost game goes on: a new board and a new score."""

    def suspects(self, name: str) -> list[Function]:
        """Return the learner's functions or classes that may be to blame if this piece is wrong."""
        return self.pieces.uses(name)

    @abstractmethod
    def memory(self) -> Any:
        """Return all that `recall` needs to bring the player back to this moment."""

    @abstractmethod
    def recall(self, memory: Any) -> None:
        """Bring the player back to the moment at which `memory` returned this value."""


class Functions(Player):
    """A player that calls functions: those in `given`, the learner's, in place of the rules' own.

    The game starts from `board`, with `score` and `moves` so far; if `board` is `None`, it starts
    with two tiles on height × width squares. `is_prepared` is true if a board, a score, an `rng` or
    another `p_four` than usual is passed in. The special rules are played if `is_special` is true,
    or if one of their functions is given.
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
        super().__init__(goal)
        self.pieces = Pieces(given)
        self.height, self.width = height, width
        self.score, self.moves = score, moves
        self.first = deepcopy(board)
        self.rng = rng or Random()
        self.p_four = p_four
        self._is_special = is_special or bool(SPECIAL_PIECES & given.keys())
        self.merges = "merge" in given or "close_gaps" not in given
        self.is_prepared = (board, rng, p_four, score) != (None, None, P_FOUR, 0)

    @property
    def is_special(self) -> bool:
        return self._is_special

    def starting_at(self, state: State) -> "Functions":
        return Functions(
            {name: newest() for name, newest in self.pieces.given.items()},
            board=state.board,
            score=state.score,
            moves=state.moves,
            p_four=self.p_four,
            goal=self._goal,
            is_special=self.is_special,
        )

    def fallback(self) -> State:
        """Return the start that was passed in; if it has no board, the rules make one."""
        board = deepcopy(self.first) or rules.new_board(self.height, self.width, Random(0))
        return State(board, score=self.score, moves=self.moves)

    def begin(self) -> State:
        board = deepcopy(self.first)
        if board is None:
            board = self._with_rng("new_board", self.height, self.width)
        return State(board, score=self.score, moves=self.moves)

    def move(self, state: State, direction: str) -> Reply:
        """Slide, then spawn; but if `take_turn` is given, let it do both. Return the `Reply`."""
        before = state.board
        if "take_turn" in self.pieces.given:
            after = self._with_rng("take_turn", before, direction)
            return Reply(after, "take_turn", after != before)
        slid = self.pieces["slide"](before, direction)
        legal = slid != before
        if "is_legal" in self.pieces.given:
            legal = self.pieces["is_legal"](before, direction)
            slid = slid if legal else before
        if not legal or not any(0 in row for row in slid):
            return Reply(slid, "slide", slid != before, slid)
        after = self._with_rng("spawn", slid)
        return Reply(after, "spawn", after != before, slid)

    def end(self, state: State) -> State:
        is_offered = self.is_special and not state.has_declined
        can_continue = is_offered and may_continue(state)
        is_over = self.pieces["is_over"](state.board)
        if self.is_special:
            won = self.pieces["has_won_special"](state.board, state.score)
        else:
            goal = () if self.goal == 2048 else (self.goal,)
            won = self.pieces["has_won"](state.board, *goal)
        return replace(state, is_over=is_over, has_won=bool(won), can_continue=can_continue)

    def second_chance(self, state: State) -> State:
        board, score = self.pieces["second_chance"](state.board, state.score, self.rng)
        return replace(state, board=board, score=score)

    def memory(self) -> Any:
        return self.rng.getstate()

    def recall(self, memory: Any) -> None:
        self.rng.setstate(memory)

    def _with_rng(self, name: str, *arguments: Any) -> Board:
        """Call a piece that uses chance; it gets the probability of a 4 only if it takes it."""
        options: tuple[Any, ...] = (self.rng, self.p_four)
        if not self.pieces.takes(name, len(arguments) + 2):
            options = (self.rng,)
        answer: Board = self.pieces[name](*arguments, *options)
        return answer


def may_continue(state: State) -> bool:
    """Return true if a second chance is allowed: lost, with a 512, and not continued before."""
    largest = max(map(max, state.board))
    return rules.is_over(state.board) and largest >= SECOND_CHANCE_TILE and not state.has_continued
