"""A match: a game on a board, played turn by turn with the learner's pieces; knows no browser."""

from collections import deque
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from course.hints import Diagnosis
from course.match import referee
from course.match.calls import Stuck
from course.match.motion import Motion, board_motion, squares_from, values
from course.match.pieces import Pieces, Report, accepts
from course.rules import Board, Square, new_board, points

UNDOS = 100


@dataclass
class Turn:
    """One turn, or the start of a match: what moved, what broke a rule, and what is said.

    `legal` is whether the rules move a tile. `marks` are the squares that broke a rule, `faults`
    the sentences that say so. `trouble` is set where there was no answer to go on with: then the
    board is what it was before.
    """

    motion: Motion = field(default_factory=Motion)
    spawned: list[Square] = field(default_factory=list)
    legal: bool = True
    gained: int = 0
    won: bool = False
    marks: list[Square] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    diagnosis: Diagnosis | None = None
    trouble: Stuck | None = None
    said: str = ""


@dataclass(frozen=True)
class Step:
    """What one way of playing a turn gave: the board after the slide, and after the spawn."""

    slid: Board
    after: Board
    spawned: list[Square]


class Match:
    """A match on one board. `board`, `score`, `moves`, `is_over`, `has_won` say how it stands.

    `history` lists the boards from the start on, `scores` the score with each. `fair` is whether no
    turn broke a rule so far.
    """

    def __init__(
        self,
        pieces: Pieces,
        *,
        height: int = 4,
        width: int = 4,
        board: Board | None = None,
        rng: Random | None = None,
        p_four: float = 0.1,
        goal: int = 2048,
    ) -> None:
        self.pieces = pieces
        self.height, self.width = height, width
        self.first = deepcopy(board)
        self.rng = rng or Random()
        self.p_four = p_four
        self.goal = goal
        self.past: deque[Any] = deque(maxlen=UNDOS)
        self.opening = self.start()

    def start(self) -> Turn:
        """A new match starts; where the learner's code gives no board, with the reference's."""
        self.score, self.moves, self.fair = 0, 0, True
        self.is_over = self.has_won = self.celebrated = False
        self.past.clear()
        turn, _ = self._played(self._begin)
        if turn.trouble is not None:
            self.board = new_board(self.height, self.width, self.rng)
        self.history, self.scores = [deepcopy(self.board)], [self.score]
        turn.said = turn.trouble.title if turn.trouble else "New game."
        return turn

    def move(self, direction: str) -> Turn:
        """One turn is played, if the learner's code gives an answer; else nothing changes."""
        before, snapshot = deepcopy(self.board), self._snapshot()
        turn, played = self._played(lambda turn: self._turn(turn, before, direction))
        self._file(turn, played, self.board != before, snapshot)
        self.fair = self.fair and not turn.faults
        return turn

    def undo(self) -> Turn:
        """The last turn that changed the board is taken back."""
        if not self.past:
            return Turn(said="Nothing to undo.")
        self._restore(self.past.pop())
        self.history.pop()
        self.scores.pop()
        return Turn(said="Undone.")

    @property
    def can_undo(self) -> bool:
        """Whether there is a turn to take back."""
        return bool(self.past)

    can_continue = False  # only a learner's game knows a second chance

    def continue_(self) -> Turn:
        """The second chance of the special rules is taken, where there is one."""
        return Turn(said="There is no second chance.")

    def _played(self, play: Callable[[Turn], None]) -> tuple[Turn, bool]:
        """A turn is filled in by `play`; returns it, and whether there was an answer throughout."""
        turn = Turn()
        self.pieces.report = report = Report()
        try:
            play(turn)
        except Stuck as trouble:
            turn = Turn(trouble=trouble, said=trouble.title)
        turn.faults += [fault for fault in report.faults if fault not in turn.faults]
        guilty = (self.pieces.diagnose(function) for function in report.guilty)
        turn.diagnosis = next((known for known in guilty if known is not None), None)
        turn.printed = report.printed.lines()
        return turn, turn.trouble is None

    def _file(self, turn: Turn, played: bool, has_changed: bool, snapshot: Any) -> None:
        """A turn that changed the board is remembered; one without an answer is taken back."""
        if not played:
            self._restore(snapshot)
            if turn.trouble is not None:
                turn.trouble.text += " The board stays as it was."
        elif has_changed:
            self.past.append(snapshot)
            self.history.append(deepcopy(self.board))
            self.scores.append(self.score)

    def _begin(self, turn: Turn) -> None:
        if self.first is not None:
            self.board = deepcopy(self.first)
        else:
            self.board = self._call_with_chance("new_board", self.height, self.width)
        self._settle()

    def _turn(self, turn: Turn, before: Board, direction: str) -> None:
        """Slides and spawns, compares with the rules, and says what happened."""
        right = self.pieces.right["slide"](before, direction)
        turn.legal = right != before
        step = self._step(turn, before, direction, right)
        turn.motion = board_motion(before, step.slid, direction)
        turn.spawned = step.spawned
        wrong = referee.wrong_lines(before, step.slid, right, direction)
        turn.faults += [line.sentence for line in wrong]
        turn.marks += [square for line in wrong for square in line.squares]
        if wrong:
            self._blame(
                "slide", "slide_by_offsets", "start_squares", "merge", "close_gaps", "take_turn"
            )
        self.board = step.after
        turn.gained = self._gain(before, step.slid, right, direction, turn.motion)
        self._count(turn, before)
        self._settle()
        turn.won = self.has_won and not self.celebrated
        self.celebrated = self.celebrated or self.has_won
        turn.said = self._say(turn, before)

    def _step(self, turn: Turn, before: Board, direction: str, right: Board) -> Step:
        if "take_turn" in self.pieces.given:
            after = self._call_with_chance("take_turn", before, direction)
            return self._apart(turn, before, after, right, "take_turn")
        slid = self.pieces.play["slide"](before, direction)
        legal = slid != before
        if "is_legal" in self.pieces.given:
            legal = self.pieces.play["is_legal"](before, direction)
            slid = slid if legal else before
        if not legal or not any(0 in row for row in slid):
            return Step(slid, slid, [])
        after = self._call_with_chance("spawn", slid)
        problem = referee.spawn_problem(slid, after, "spawn")
        if problem is not None:
            turn.faults.append(problem)
            turn.marks += referee.differing(slid, after)
            self._blame("spawn", "empty_cells")
        return Step(slid, after, referee.differing(slid, after))

    def _apart(self, turn: Turn, before: Board, after: Board, right: Board, name: str) -> Step:
        """The slide and the spawn of a turn that was played as one, told apart by the rules."""
        if right == before:
            if after != before:
                turn.faults.append(f"No tile could move, yet {name} changed the board.")
                turn.marks += referee.differing(before, after)
                self._blame(name)
            return Step(before, after, referee.differing(before, after))
        if after == before:
            return Step(before, before, [])
        if referee.is_unlike(right, after):
            return Step(after, after, [])
        problem = referee.spawn_problem(right, after, name)
        if problem is not None:
            turn.faults.append(problem)
            turn.marks += referee.differing(right, after)
            self._blame(name)
        return Step(right, after, referee.differing(right, after))

    def _gain(
        self, before: Board, slid: Board, right: Board, direction: str, motion: Motion
    ) -> int:
        """The points of a turn: by the learner's `points`, or by the merges that are seen."""
        if slid == before:
            return 0
        if slid != right and "points" not in self.pieces.given:
            return _merged(slid, direction, motion)
        lines = squares_from(direction, len(before), len(before[0]))
        score = self.pieces.play["points"] if "points" in self.pieces.given else points
        return sum(score(values(before, squares)) for squares in lines)

    def _count(self, turn: Turn, before: Board) -> None:
        self.score += turn.gained
        self.moves += self.board != before

    def _settle(self) -> None:
        """Whether the game is over or won is asked anew."""
        play = self.pieces.play
        self.is_over = play["is_over"](self.board)
        if "has_won_special" in self.pieces.given:
            self.has_won = play["has_won_special"](self.board, self.score)
        elif self.goal == 2048:
            self.has_won = play["has_won"](self.board)
        else:
            self.has_won = play["has_won"](self.board, self.goal)

    def _say(self, turn: Turn, before: Board) -> str:
        if turn.faults and "announce_move" not in self.pieces.given:
            return f"Not by the rules. {turn.faults[0]}"
        announce = self.pieces.play["announce_move"]
        spawned = next((s for s in turn.spawned if self.board[s[0]][s[1]]), None)
        options = {"won": turn.won, "over": self.is_over}
        said = announce(before, self.board, turn.gained, spawned, **options)
        return " ".join([str(said), *turn.faults[:1]])

    def _blame(self, *names: str) -> None:
        self.pieces.report.guilty += self.pieces.uses(*names)

    def _call_with_chance(self, name: str, *arguments: Any) -> Board:
        """A piece that uses chance; the probability is passed where the learner's takes it."""
        given = self.pieces.uses(name)
        chance: tuple[Any, ...] = (self.rng, self.p_four)
        if given and not accepts(given[0], len(arguments) + 2):
            chance = (self.rng,)
        answer: Board = self.pieces.play[name](*arguments, *chance)
        return answer

    def _snapshot(self) -> Any:
        kept = ("board", "score", "moves", "is_over", "has_won", "can_continue")
        return {name: deepcopy(getattr(self, name)) for name in kept}, self.rng.getstate()

    def _restore(self, snapshot: Any) -> None:
        kept, chance = snapshot
        vars(self).update(deepcopy(kept))
        self.rng.setstate(chance)


def _merged(slid: Board, direction: str, motion: Motion) -> int:
    """The points of the merges that are seen, in lines whose tiles all came from somewhere.

    One tile that appears may be a spawn. In a line with more of them, or with tiles that are gone,
    what looks like a merge is chance: such a line scores nothing.
    """
    gone = {square for square, _ in motion.vanished}
    total = 0
    for line in squares_from(direction, len(slid), len(slid[0])):
        if not gone.intersection(line) and len(set(motion.appeared).intersection(line)) <= 1:
            total += sum(slid[row][column] for row, column in set(motion.merged) & set(line))
    return total
