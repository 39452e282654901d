"""A seat at a duel: a person is asked, phase by phase, while agents answer for the other side."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from course.answers import same, same_in_any_order
from course.hints import diagnose
from course.playing.calls import Stuck, Tail, call, latest, shown
from course.playing.fault import Answered, Fault
from course.playing.note import Note, note_of
from course.playing.phases import Duel, Reason, public_numbers
from course.playing.view import Choice, Phase
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
class Ply:
    """One phase that was played: who answered what, and the boards before and after.

    `answer` is `None` if there was nothing to do, or if an agent gave no legal answer.
    """

    player: int
    phase: Phase
    answer: Choice | None
    before: Board
    after: Board


class Seat:
    """The seat of a person who plays one side of a duel, or both, by the rules.

    `agents` makes an agent for each side that is not played by hand: player → function without
    arguments. `pieces` are the learner's functions by their names in `PIECES`, which are compared
    with the rules. If one of them is wrong, the note says so, and the duel goes on by the rules.

    >>> seat = Seat({}, {}, rounds=1, seed=1)
    >>> seat.duel.player, seat.duel.phase
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

    def start(self) -> Sequence[Ply]:
        """Begin a new duel; return the steps of the agents that play before the person."""
        self.duel = Duel(public_numbers(self._rng.random(), self._rounds))
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
        return self.duel.player if self.plays_both else next(-side for side in self._make)

    @property
    def is_asked(self) -> bool:
        """True if the person has to answer now."""
        return not self.duel.is_over and self.duel.player not in self._make

    def answer(self, answer: Any) -> Sequence[Ply]:
        """Play the person's answer, and then the agents', until the person is asked again.

        Returns the steps. An answer that is not legal changes nothing, and the note says why.
        """
        self._printed, self._found, self._suspect = Tail(), list[Fault](), ""
        if answer not in self.duel.legal:
            legal = "square" if self.duel.phase == "place" else "direction"
            fault = Stuck(f"This {legal} is not legal.", _why(self.duel, answer))
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
        if not self.is_asked or self.duel.phase != "push":
            return {}
        board, player = self.duel.board, self.duel.player
        return {str(way): rules.push(board, player, str(way)) for way in self.duel.legal}

    def _go_on(self, steps: list[Ply]) -> list[Ply]:
        """Let the agents answer until the person is asked; skip phases without a legal answer."""
        duel = self.duel
        while not duel.is_over and not (self.is_asked and duel.legal):
            if not duel.legal:
                steps.append(self._step(None))
            else:
                steps.append(self._agent_step())
        self._compare()
        return steps

    def _agent_step(self) -> Ply:
        duel = self.duel
        player, phase, before = duel.player, duel.phase, duel.board
        try:
            if player not in self._agents:
                self._agents[player] = call("agent", self._make[player], (), self._printed)
            agent = self._agents[player]
            answer = call(phase, getattr(agent, phase), (duel.view(),), self._printed)
        except Stuck as stuck:
            duel.lose(player, Reason.ERROR, f"{stuck.title} {stuck.text}")
            self.note = note_of(trouble=stuck, printed=self._printed.lines())
            return Ply(player, phase, None, before, before)
        found = answer if answer in duel.legal else None
        duel.answer(answer)
        return Ply(player, phase, found, before, duel.board)

    def _step(self, answer: Choice | None) -> Ply:
        duel = self.duel
        player, phase, before = duel.player, duel.phase, duel.board
        if answer is not None:
            number = duel.numbers[duel.round]
            if phase == "place":
                self._ask("place", before, player, answer, number)
            else:
                self._ask("push", before, player, answer)
        duel.answer(answer)
        return Ply(player, phase, answer, before, duel.board)

    def _compare(self) -> None:
        """Compare the learner's pieces with the rules on the current board, and write the note."""
        duel, board = self.duel, self.duel.board
        if duel.is_over:
            self._ask("leader", board)
        elif duel.phase == "place":
            number = duel.numbers[duel.round]
            self._ask("own_square", board, duel.player, number)
            self._ask("legal_squares", board, duel.player, number)
        else:
            self._ask("legal_directions", board, duel.player)
        hint = diagnose(self._pieces[self._suspect]()) if self._suspect else None
        told = note_of(found=self._found, printed=self._printed.lines(), diagnosis=hint)
        self.note = told or (self.note if duel.reason == Reason.ERROR else None)

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


def _why(duel: Duel, answer: Any) -> str:
    if duel.phase == "push":
        return f"A push {answer} would change nothing."
    if any(
        answer == (row, column) and tile
        for row, tiles in enumerate(duel.board)
        for column, tile in enumerate(tiles)
    ):
        return "A tile stands there already."
    return "At home, chance chooses the square: it is the marked one."
