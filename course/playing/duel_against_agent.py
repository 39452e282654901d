"""Seats: a seat lets a person play one side of a duel, phase by phase, against an agent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from course.playing.board_notes import Note, Report
from course.playing.duel_engine import Choice, Duel, Phase, Reason, chosen, public_numbers
from course.playing.learner_calls import Stuck, call
from course.playing.motion import Motion, differing
from course.playing.pieces import Pieces
from course.refusal import lacks_text
from course.rules import duel as rules
from course.rules.board import Board


@dataclass(frozen=True)
class Ply:
    """A played phase: the answer (`None` if skipped or illegal), the boards before and after it."""

    player: int
    phase: Phase
    answer: Choice | None
    before: Board
    after: Board

    @property
    def motion(self) -> Motion:
        """The motion of the tiles in a push, with the signs of their numbers; else an empty one."""
        motion = Motion()
        if not isinstance(self.answer, str):
            return motion
        board, player = self.before, self.player
        for squares, home in rules.lines_of(len(board), len(board[0]), player, self.answer):
            line = [board[row][column] * player for row, column in squares]
            for start, end in walks(line, list(home)):
                (row, column), tile = squares[end], line[start] * player
                others = [to for _, to, _ in motion.glides]
                motion.glides.append((squares[start], (row, column), tile))
                if self.after[row][column] != tile:
                    motion.merged.append((row, column))
                    eaten = board[row][column]
                    if eaten and start != end and (row, column) not in others:
                        # The eaten tile stays visible until the tile that eats it arrives.
                        motion.glides.append(((row, column), (row, column), eaten))
        return motion


def walks(line: list[int], home: list[bool]) -> list[tuple[int, int]]:
    """Return (start, end) for each positive tile of a line: its indices before and after a push.

    The push goes towards index 0, and moves only the positive tiles: they belong to the player who
    pushes. `home` has a flag for each square: true if the square is in this player's territory.
    """
    found = []
    for start, tile in enumerate(line):
        if tile > 0:  # the tiles behind this one do not change its way
            without = [*rules.push_line(line[:start], home[:start]), 0]
            pushed = rules.push_line(line[: start + 1], home[: start + 1])
            end = next((at for at in range(start + 1) if pushed[at] != without[at]), start)
            found.append((start, end))
    return found


class Seat:
    """The place of a person who plays one side of a duel, 1 or -1, or both sides.

    `agents` has, for each side that the person does not play, a function that makes an agent.
    `given` are the learner's functions by name; if an answer of theirs is wrong, `note` says so,
    but the duel goes on by the rules. `moves` is the number of answers that the person has given.
    """

    def __init__(
        self,
        agents: Mapping[int, Callable[[], Any]],
        given: Mapping[str, Callable[..., Any]],
        rounds: int,
        seed: int | None = None,
    ) -> None:
        self._make = dict(agents)
        self._pieces = Pieces(given)
        self._rounds = rounds
        self._rng = Random(seed)
        self.note: Note | None = None
        self.start()

    def start(self) -> Sequence[Ply]:
        """Begin a new duel; return the phases that agents play before the person must answer."""
        self.duel = Duel(public_numbers(self._rng.random(), self._rounds))
        self.note, self.moves = None, 0
        self._pieces.report = Report()
        self._agents: dict[int, Any] = {}
        return self._go_on([])

    @property
    def plays_both(self) -> bool:
        return not self._make

    @property
    def player(self) -> int:
        """The side that the person plays; if the person plays both, the side that must answer."""
        return next((-side for side in self._make), self.duel.player)

    @property
    def is_asked(self) -> bool:
        return not self.duel.is_over and self.duel.player not in self._make

    def answer(self, answer: Any) -> Sequence[Ply]:
        """Play the person's answer, and agents' answers until the person must answer again.

        Return the phases that were played. If the answer is not legal, or if the learner's
        function for this phase fails, none is played, and the note says why.
        """
        duel = self.duel
        report = self._pieces.report = Report()
        number = [duel.numbers[duel.round]] if duel.phase == "place" else []
        try:
            if chosen(answer, duel.legal) is None:
                kind = "square" if duel.phase == "place" else "direction"
                raise Stuck(f"This {kind} is not legal.", self._why_illegal(answer))
            self._compare(duel.phase, duel.board, duel.player, answer, *number)
        except Stuck as stuck:
            self.note = report.note(stuck)
            return []
        self.moves += 1
        return self._go_on([self._played(answer)])

    def _why_illegal(self, answer: Any) -> str:
        if self.duel.phase == "push":
            return f"A push {answer} would change nothing."
        if answer in differing(self.duel.board, rules.empty_duel()):
            return "A tile stands there already."
        return "At home, chance chooses the square: it is the marked one."

    def previews(self) -> dict[str, Board]:
        """Return a dictionary from the directions of the legal pushes to the boards after them."""
        duel = self.duel
        ways = map(str, duel.legal if self.is_asked and duel.phase == "push" else ())
        return {way: rules.push(duel.board, duel.player, way) for way in ways}

    def _go_on(self, steps: list[Ply]) -> list[Ply]:
        """Let agents answer until the person must; return `steps`, with the phases played added.

        At the end, compare the learner's functions with the rules, and set `note`.
        """
        duel, report = self.duel, self._pieces.report
        while not duel.is_over and not (self.is_asked and duel.legal):
            steps.append(self._played(self._agents_answer() if duel.legal else None))
        try:
            if duel.is_over:
                self._compare("leader", duel.board)
            elif duel.phase == "place":
                for name in ("own_square", "legal_squares"):
                    self._compare(name, duel.board, duel.player, duel.numbers[duel.round])
            else:
                self._compare("legal_directions", duel.board, duel.player)
        except Stuck as stuck:
            self.note = report.note(stuck)
            return steps
        wrong = [piece for fault in report.found for piece in self._pieces.uses(*fault.suspects)]
        told = report.note(diagnosis=self._pieces.diagnose(wrong[0]) if wrong else None)
        self.note = told or (self.note if duel.reason == Reason.ERROR else None)
        return steps

    def _agents_answer(self) -> Any:
        """Return the agent's answer; if its code fails, the agent loses, and `None` is returned."""
        duel, report, agents = self.duel, self._pieces.report, self._agents
        player, phase = duel.player, duel.phase
        try:
            if player not in agents:
                # The lambda stores the new agent, and does not return it: `call` would copy what it
                # returns, and not all agents can be copied.
                make = self._make[player]
                call("agent", lambda: agents.update({player: make()}), (), report.printed, "none")
            agent = agents[player]
            if not call(phase, hasattr, (agent, phase), report.printed):
                raise Stuck(f"Your agent has no {phase}.", lacks_text(type(agent).__name__, phase))
            return call(phase, getattr(agent, phase), (duel.view(),), report.printed)
        except Stuck as stuck:
            duel.lose(player, Reason.ERROR, str(stuck))
            self.note = report.note(stuck)
            return None

    def _played(self, answer: Any) -> Ply:
        duel = self.duel
        player, phase, before, legal = duel.player, duel.phase, duel.board, duel.legal
        if not duel.is_over:
            duel.answer(answer)
        return Ply(player, phase, chosen(answer, legal), before, duel.board)

    def _compare(self, name: str, *arguments: Any) -> None:
        """Call the learner's function `name`, if any, and note its faults; it may raise `Stuck`."""
        if name in self._pieces.given:
            self._pieces[name](*arguments)
