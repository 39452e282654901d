"""A player with functions: the learner's if they are given, the reference's for the rest."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

from course import rules
from course.playing import special
from course.playing.pieces import Pieces
from course.playing.player import Reply
from course.playing.reference import Function
from course.playing.state import State
from course.rules import Board

P_FOUR = 0.1


class Functions:
    """A player that plays with functions; it takes the learner's by name.

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
        self.pieces = Pieces(given)
        self.height, self.width = height, width
        self.score, self.moves = score, moves
        self.first = deepcopy(board)
        self.rng = rng or Random()
        self.p_four = p_four
        self.is_special = is_special or bool(special.PIECES & given.keys())
        self.merges = "merge" in given or "close_gaps" not in given
        self.is_prepared = (board, rng, p_four, score) != (None, None, P_FOUR, 0)
        self.goal = special.GOAL if self.is_special else goal

    def starting_at(self, state: State) -> "Functions":
        """Return a player with the same functions and rules that starts from this state."""
        return Functions(
            {name: newest() for name, newest in self.pieces.given.items()},
            board=state.board,
            score=state.score,
            moves=state.moves,
            p_four=self.p_four,
            goal=self.goal,
            is_special=self.is_special,
        )

    def spare(self) -> State:
        """Return the start that was asked for, with a board by the rules if none was given.

        The game's own chance is not used up.
        """
        twin = Random()
        twin.setstate(self.rng.getstate())
        board = deepcopy(self.first) or rules.new_board(self.height, self.width, twin)
        return State(board, score=self.score, moves=self.moves)

    def begin(self) -> State:
        """Return the state at the start of a new game."""
        board = deepcopy(self.first)
        if board is None:
            board = self._with_rng("new_board", self.height, self.width)
        return State(board, score=self.score, moves=self.moves)

    def now(self, state: State) -> State:
        """Return the state as it is, because functions keep nothing."""
        return state

    def move(self, state: State, direction: str) -> Reply:
        """Slide, then spawn; or do both at once, if `take_turn` is given."""
        before = state.board
        if "take_turn" in self.pieces.given:
            return Reply(self._with_rng("take_turn", before, direction), "take_turn")
        slid = self.pieces["slide"](before, direction)
        legal = slid != before
        if "is_legal" in self.pieces.given:
            legal = self.pieces["is_legal"](before, direction)
            slid = slid if legal else before
        if not legal or not any(0 in row for row in slid):
            return Reply(slid, "slide", slid)
        return Reply(self._with_rng("spawn", slid), "spawn", slid)

    def count(self, state: State, played: Reply, gained: int, is_legal: bool) -> tuple[int, int]:
        """Return the new score and number of moves; a turn that changed the board is a move."""
        return state.score + gained, state.moves + (played.board != state.board)

    def end(self, state: State) -> State:
        """Return the state with what the functions say: is it over, is it won, may it go on?"""
        is_offered = self.is_special and not state.has_declined
        may_continue = is_offered and special.may_continue(state)
        over = self.pieces["is_over"](state.board)
        return replace(state, is_over=over, has_won=self._won(state), can_continue=may_continue)

    def _won(self, state: State) -> bool:
        if self.is_special:
            won = self.pieces["has_won_special"](state.board, state.score)
        elif self.goal == 2048:
            won = self.pieces["has_won"](state.board)
        else:
            won = self.pieces["has_won"](state.board, self.goal)
        return bool(won)

    def second_chance(self, state: State) -> State:
        """Return the state after small tiles are cleared, and points are taken."""
        board, score = self.pieces["second_chance"](state.board, state.score, self.rng)
        return replace(state, board=board, score=score)

    def suspects(self, *names: str) -> list[Function]:
        """Return the learner's functions among these pieces."""
        return self.pieces.uses(*names)

    def memory(self) -> Any:
        """Return the state of the game's `Random`."""
        return self.rng.getstate()

    def recall(self, memory: Any) -> None:
        """Put the game's `Random` back into a state that `memory` gave."""
        self.rng.setstate(memory)

    def _with_rng(self, name: str, *arguments: Any) -> Board:
        """Call a piece that uses chance; pass the probability of a 4 if the piece takes it."""
        options: tuple[Any, ...] = (self.rng, self.p_four)
        if not self.pieces.takes(name, len(arguments) + 2):
            options = (self.rng,)
        answer: Board = self.pieces[name](*arguments, *options)
        return answer
