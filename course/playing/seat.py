"""A seat at a duel: a person is asked, phase by phase, while agents answer for the other side."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from course.answers import same, same_in_any_order
from course.hints import diagnose
from course.playing.calls import Stuck, call, latest, shown
from course.playing.motion import Motion, squares_from
from course.playing.note import Answered, Note, claim, note_of
from course.playing.phases import Choice, Duel, Phase, Reason, chosen, public_numbers
from course.playing.pieces import Report
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

    @property
    def motion(self) -> Motion:
        """The motion of the tiles in a push; a placed tile moves nothing.

        Values of tiles have the sign of their player, as on the board.
        """
        motion = Motion()
        if not isinstance(self.answer, str):
            return motion
        board, player = self.before, self.player
        height, width = len(board), len(board[0])
        for squares in squares_from(self.answer, height, width):
            line = [board[row][column] * player for row, column in squares]
            home = [rules.territory(square, width) == player for square in squares]
            for start, end in walks(line, home):
                (row, column), tile = squares[end], line[start] * player
                others = [to for _, to, _ in motion.glides]
                motion.glides.append((squares[start], (row, column), tile))
                if self.after[row][column] != tile:
                    motion.merged.append((row, column))
                    eaten = board[row][column]
                    if eaten and start != end and (row, column) not in others:
                        # It stays visible until the tile that eats it arrives there.
                        motion.glides.append(((row, column), (row, column), eaten))
        return motion


def walks(line: list[int], home: list[bool]) -> list[tuple[int, int]]:
    """Return for each positive tile of a line its start and its end in a push to the front.

    >>> walks([0, 2, 0, 2], [True] * 4)
    [(1, 0), (3, 0)]
    """
    found = []
    for start, tile in enumerate(line):
        if tile > 0:  # the tiles behind it change nothing
            without = [*rules.push_line(line[:start], home[:start]), 0]
            pushed = rules.push_line(line[: start + 1], home[: start + 1])
            end = next((at for at in range(start + 1) if pushed[at] != without[at]), start)
            found.append((start, end))
    return found


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
        self._report, self._suspect = Report(), ""
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
        self._report, self._suspect = Report(), ""
        if chosen(answer, self.duel.legal) is None:
            legal = "square" if self.duel.phase == "place" else "direction"
            fault = Stuck(f"This {legal} is not legal.", _why(self.duel, answer))
            self.note = note_of(trouble=fault)
            return []
        try:
            return self._go_on([self._step(answer)])
        except Stuck as stuck:
            self.note = note_of(trouble=stuck, printed=self._report.printed.lines())
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
            steps.append(self._agent_step() if duel.legal else self._step(None))
        try:
            self._compare()
        except Stuck as stuck:
            self.note = note_of(trouble=stuck, printed=self._report.printed.lines())
        return steps

    def _agent_step(self) -> Ply:
        duel = self.duel
        player, phase, before = duel.player, duel.phase, duel.board
        try:
            if player not in self._agents:
                self._agents[player] = call("agent", self._make[player], (), self._report.printed)
            agent = self._agents[player]
            answer = call(phase, getattr(agent, phase), (duel.view(),), self._report.printed)
        except Stuck as stuck:
            duel.lose(player, Reason.ERROR, f"{stuck.title} {stuck.text}")
            self.note = note_of(trouble=stuck, printed=self._report.printed.lines())
            return Ply(player, phase, None, before, before)
        found = chosen(answer, duel.legal)
        duel.answer(answer)
        return Ply(player, phase, found, before, duel.board)

    def _step(self, answer: Choice | None) -> Ply:
        duel = self.duel
        player, phase, before = duel.player, duel.phase, duel.board
        if answer is not None and phase == "place":
            self._ask("place", before, player, answer, duel.numbers[duel.round])
        elif answer is not None:
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
        report = self._report
        told = note_of(found=report.found, printed=report.printed.lines(), diagnosis=hint)
        self.note = told or (self.note if duel.reason == Reason.ERROR else None)

    def _ask(self, name: str, *arguments: Any) -> None:
        """Ask one of the learner's pieces, and note a fault if the rules give another answer."""
        if name not in self._pieces:
            return
        right = getattr(rules, name)(*arguments)
        asked = deepcopy(arguments)
        got = call(name, self._pieces[name](), asked, self._report.printed)
        if PIECES[name](got, right):
            return
        self._suspect = self._suspect or name
        told = f"{name}({', '.join(['board', *map(shown, arguments[1:])])})"
        drawn = Answered(told, arguments[0], got, right) if name in ("place", "push") else None
        self._report.found.append(claim(told, got, right, name, answered=drawn))


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
