"""Players: they say what comes after a move. `Functions` plays with the learner's functions."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from course import rules
from course.playing.answer_forms import Function
from course.playing.pieces import Pieces
from course.rules import Board
from course.rules.special import SECOND_CHANCE_TILE

P_FOUR = 0.1
SPECIAL_PIECES = frozenset({"has_won_special", "second_chance"})  # only the special rules have them
SPECIAL_GOAL = 2048


@dataclass(frozen=True)
class State:
    """The state of a match after a turn: never changed, only followed by the next.

    `can_continue` is true if the second chance may be taken now, `has_continued` if it was taken,
    `has_declined` if it was offered and not taken. `is_fair` is true if no turn broke a rule so
    far, `is_celebrated` if the win has been celebrated: taking a turn back changes neither.
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
    """A player's answer to a move: the board after it, and `by`, the piece that made this board.

    `is_move` is true if it is counted as a move. `slid` is the board between the slide and the
    spawn; `None` if both were answered as one.
    """

    board: Board
    by: str
    is_move: bool
    slid: Board | None = None


class Player(ABC):
    """The questions that a match asks of whoever plays it. Each question may raise `Stuck`.

    `pieces` are the functions of the game, and the report on them. `merges` is true if tiles merge,
    and false if they only slide. `is_prepared` is true if the start or the chance of the game was
    arranged: its score is no record.
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
        """Return a player with the same pieces and rules whose game starts from this state.

        Raises `Stuck` if the player cannot do that.
        """

    @abstractmethod
    def spare(self) -> State:
        """Return a state to show if no game can be begun. Never raises `Stuck`."""

    @abstractmethod
    def begin(self) -> State:
        """Return the state at the start of a new game."""

    def now(self, state: State) -> State:
        """Return the state as it really is: a cell may have changed it. Never raises `Stuck`."""
        return state

    @abstractmethod
    def move(self, state: State, direction: str) -> Reply:
        """Play one turn."""

    @abstractmethod
    def end(self, state: State) -> State:
        """Return the state, as it is counted, with the player's word on how the game stands.

        The player says what its score and its moves are, if it counts them itself; and if the game
        is over, is won, and may go on.
        """

    @abstractmethod
    def second_chance(self, state: State) -> State:
        """Return the state with the board and the score with which a lost game goes on."""

    def suspects(self, name: str) -> list[Function]:
        """Return what the learner wrote for a piece."""
        return self.pieces.uses(name)

    @abstractmethod
    def memory(self) -> Any:
        """Return what the player must remember to play on from here."""

    @abstractmethod
    def recall(self, memory: Any) -> None:
        """Put the player back to where it was when it gave this memory."""


class Functions(Player):
    """A player with functions: the learner's, given by name, and the reference's for the rest.

    `board` is where to start (else two tiles on height × width squares), with `score` and `moves`
    so far. A game with a board, a score, a chance or a `p_four` of its own is prepared. The special
    rules are played if `is_special` says so, or if one of their functions is given.
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

    def spare(self) -> State:
        """Return the start that was asked for, with a board by the rules if none was given."""
        board = deepcopy(self.first) or rules.new_board(self.height, self.width, Random(0))
        return State(board, score=self.score, moves=self.moves)

    def begin(self) -> State:
        board = deepcopy(self.first)
        if board is None:
            board = self._with_rng("new_board", self.height, self.width)
        return State(board, score=self.score, moves=self.moves)

    def move(self, state: State, direction: str) -> Reply:
        """Slide, then spawn; or do both at once, if `take_turn` is given."""
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
        """Call a piece that uses chance; pass the probability of a 4 if the piece takes it."""
        options: tuple[Any, ...] = (self.rng, self.p_four)
        if not self.pieces.takes(name, len(arguments) + 2):
            options = (self.rng,)
        answer: Board = self.pieces[name](*arguments, *options)
        return answer


def may_continue(state: State) -> bool:
    """Return true if the special rules allow a second chance now.

    The match must be lost, with a tile of 512 or more, and must not have been continued before.
    """
    largest = max(map(max, state.board))
    return rules.is_over(state.board) and largest >= SECOND_CHANCE_TILE and not state.has_continued
