"""A seat at a duel: a person is asked, phase by phase, while agents answer for the other side."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from course.answers import same, same_in_any_order
from course.duel.match import Match, Reason, public_numbers
from course.duel.view import Answer, Phase
from course.hints import diagnose
from course.match.calls import Stuck, Tail, call, latest, shown
from course.match.fault import Answered, Fault
from course.match.note import Note, note_of
from course.rules import duel as rules
from course.rules.board import Board

# The learner's pieces for a duel, each with its test for equal answers.
PIECES: dict[str, Callable[[Any, Any], bool]] = {
    "own_square": same,
    "legal_squares": same_in_any_order,
    "place": same,
    "push": same,
    "legal_directions": same_in_any_order,
    "leader": same,
}


@dataclass(frozen=True)
class Step:
    """One phase that was played: who answered what, and the boards before and after.

    `answer` is `None` if there was nothing to do, or if an agent gave no legal answer.
    """

    player: int
    phase: Phase
    answer: Answer | None
    before: Board
    after: Board


class Seat:
    """The seat of a person who plays one side of a duel, or both, by the rules.

    `agents` makes an agent for each side that is not played by hand: player → function without
    arguments. `pieces` are the learner's functions by their names in `PIECES`, which are compared
    with the rules. If one of them is wrong, the note says so, and the duel goes on by the rules.

    >>> seat = Seat({}, {}, rounds=1, seed=1)
    >>> seat.match.player, seat.match.phase
    (1, 'place')
    >>> [step.answer for step in seat.answer((0, 4))]
    [(0, 4)]
    """

    def __init__(
        self,
        agents: Mapping[int, Callable[[], Any]],
        pieces: Mapping[str, Callable[..., Any]],
        rounds: int,
        seed: int | None = None,
    ) -> None:
        self._make = dict(agents)
        self._pieces = {name: latest(function) for name, function in pieces.items()}
        self._rounds = rounds
        self._rng = Random(seed)
        self.note: Note | None = None
        self.start()

    def start(self) -> Sequence[Step]:
        """Begin a new duel; return the steps of the agents that play before the person."""
        self.match = Match(public_numbers(self._rng.random(), self._rounds))
        self.note = None
        self._printed, self._found, self._suspect = Tail(), list[Fault](), ""
        self._agents: dict[int, Any] = {}
        return self._go_on([])

    @property
    def plays_both(self) -> bool:
        """True if the person plays both sides."""
        return not self._make

    @property
    def player(self) -> int:
        """The side that the person plays; of both sides, the one that is asked."""
        return self.match.player if self.plays_both else next(-side for side in self._make)

    @property
    def is_asked(self) -> bool:
        """True if the person has to answer now."""
        return not self.match.is_over and self.match.player not in self._make

    def answer(self, answer: Any) -> Sequence[Step]:
        """Play the person's answer, and then the agents', until the person is asked again.

        Returns the steps. An answer that is not legal changes nothing, and the note says why.
        """
        self._printed, self._found, self._suspect = Tail(), list[Fault](), ""
        if answer not in self.match.legal:
            legal = "square" if self.match.phase == "place" else "direction"
            fault = Stuck(f"This {legal} is not legal.", _why(self.match, answer))
            self.note = note_of(trouble=fault)
            return []
        try:
            return self._go_on([self._step(answer)])
        except Stuck as stuck:
            self.note = note_of(trouble=stuck, printed=self._printed.lines())
            return []

    def previews(self) -> dict[str, Board]:
        """Return, for each legal direction, the board that a push of the person would leave.

        It is empty if the person is not asked for a push.
        """
        if not self.is_asked or self.match.phase != "push":
            return {}
        board, player = self.match.board, self.match.player
        return {str(way): rules.push(board, player, str(way)) for way in self.match.legal}

    def _go_on(self, steps: list[Step]) -> list[Step]:
        """Let the agents answer until the person is asked; skip phases without a legal answer."""
        match = self.match
        while not match.is_over and not (self.is_asked and match.legal):
            if not match.legal:
                steps.append(self._step(None))
            else:
                steps.append(self._agent_step())
        self._compare()
        return steps

    def _agent_step(self) -> Step:
        match = self.match
        player, phase, before = match.player, match.phase, match.board
        try:
            if player not in self._agents:
                self._agents[player] = call("agent", self._make[player], (), self._printed)
            agent = self._agents[player]
            answer = call(phase, getattr(agent, phase), (match.view(),), self._printed)
        except Stuck as stuck:
            match.lose(player, Reason.ERROR, f"{stuck.title} {stuck.text}")
            self.note = note_of(trouble=stuck, printed=self._printed.lines())
            return Step(player, phase, None, before, before)
        found = answer if answer in match.legal else None
        match.answer(answer)
        return Step(player, phase, found, before, match.board)

    def _step(self, answer: Answer | None) -> Step:
        match = self.match
        player, phase, before = match.player, match.phase, match.board
        if answer is not None:
            number = match.numbers[match.round]
            if phase == "place":
                self._ask("place", before, player, answer, number)
            else:
                self._ask("push", before, player, answer)
        match.answer(answer)
        return Step(player, phase, answer, before, match.board)

    def _compare(self) -> None:
        """Compare the learner's pieces with the rules on the current board, and write the note."""
        match, board = self.match, self.match.board
        if match.is_over:
            self._ask("leader", board)
        elif match.phase == "place":
            number = match.numbers[match.round]
            self._ask("own_square", board, match.player, number)
            self._ask("legal_squares", board, match.player, number)
        else:
            self._ask("legal_directions", board, match.player)
        hint = diagnose(self._pieces[self._suspect]()) if self._suspect else None
        told = note_of(found=self._found, printed=self._printed.lines(), diagnosis=hint)
        self.note = told or (self.note if match.reason == Reason.ERROR else None)

    def _ask(self, name: str, *arguments: Any) -> None:
        """Ask one of the learner's pieces, and note a fault if the rules give another answer."""
        if name not in self._pieces:
            return
        right = getattr(rules, name)(*arguments)
        got = call(name, self._pieces[name](), tuple(arguments), self._printed)
        if PIECES[name](got, right):
            return
        self._suspect = self._suspect or name
        told = f"{name}({', '.join(['board', *map(shown, arguments[1:])])})"
        drawn = Answered(told, arguments[0], got, right) if name in ("place", "push") else None
        self._found.append(
            Fault(f"{told} gave {shown(got)}. The rules give {shown(right)}.", (), (name,), drawn)
        )


def _why(match: Match, answer: Any) -> str:
    if match.phase == "push":
        return f"A push {answer} would change nothing."
    if any(
        answer == (row, column) and tile
        for row, tiles in enumerate(match.board)
        for column, tile in enumerate(tiles)
    ):
        return "A tile stands there already."
    return "At home, chance chooses the square: it is the marked one."
