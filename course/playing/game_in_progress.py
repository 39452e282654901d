"""A match: one game on a board, played turn by turn, without a browser.

A player is an object that plays with the learner's code. For each turn, the match asks its player
what comes after the move, compares the answer with the rules, and makes a `Turn`. Then the match
goes to the state after the turn; without a usable answer, the state stays as it was.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from course import rules
from course.playing.board_notes import Answered, Fault, Note, Report
from course.playing.game_implementations import Player, Reply, State
from course.playing.learner_calls import Stuck, message_of
from course.playing.motion import Motion, board_motion, differing, is_unlike, values
from course.playing.pieces import SPOKEN, may_be_told
from course.rules import Board, Square
from course.rules.board import squares_from
from course.rules.special_game import CLEARED_TILES, LARGEST_CLEARED, SECOND_CHANCE_COST
from course.rules.speech import LETTERS

UNDOS = 100
NO_CHANCE = "There is no second chance."
OFFER = "Second chance: Y takes it, N does not."
SAID_OTHERWISE = "The rules say it otherwise: see the note."
# The functions that may be to blame for a row or column that is wrong after a slide.
SLIDERS = ("slide", "slide_by_offsets", "start_squares", "merge", "close_gaps", "take_turn")


@dataclass(frozen=True)
class Turn:
    """A turn of a match, or the start of the match, and the state `after` it.

    `found` are the faults: how the turn broke the rules. If the learner's code failed, `trouble` is
    the error, and the turn does not count: `after` is the old state. If only the function that
    announces the move failed, there is a `trouble`, too, but the turn counts. `note` is shown
    beside the board.
    """

    after: State
    said: str = ""
    warns: bool = False  # true if the first broken rule is read aloud, too
    motion: Motion = field(default_factory=Motion)
    spawned: tuple[Square, ...] = ()
    gained: int = 0
    won: bool = False
    found: tuple[Fault, ...] = ()
    trouble: Stuck | None = None
    note: Note | None = None

    @property
    def marks(self) -> list[Square]:
        """The squares on which broken rules show, to be marked on the board."""
        return [square for fault in self.found for square in fault.squares]

    @property
    def aloud(self) -> str:
        """The text to be read aloud: `said`, any offer, and the first fault if `warns` is true."""
        told = [self.said, OFFER if self.after.can_continue else ""]
        for fault in self.found[:1] if self.warns else ():
            is_spoken = bool(SPOKEN.intersection(fault.suspects))
            told.append(SAID_OTHERWISE if is_spoken else fault.sentence)
        return " ".join(filter(None, told))


class Match:
    """A match of one player; `opening` is the turn that started it."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self._begin(player.fallback())
        self.opening = self._decided(self._new_game, and_so="")
        self._begin(self.opening.after)

    @property
    def state(self) -> State:
        """The state of the match as it is now."""
        return self._states[-1]

    @property
    def board(self) -> Board:
        return self.state.board

    @property
    def history(self) -> list[Board]:
        """The boards of this match, from the first to the one that is shown now."""
        return [state.board for state in self._states]

    @property
    def scores(self) -> list[int]:
        return [state.score for state in self._states]

    @property
    def can_undo(self) -> bool:
        return bool(self._memories)

    def start(self) -> Turn:
        """Start a new match, and return its first turn; if the player cannot, nothing changes."""
        turn = self._decided(self._new_game)
        if turn.trouble is None:
            self._begin(turn.after)
        return turn

    def move(self, direction: str) -> Turn:
        """Play one turn, and return it; if the player gives no usable answer, nothing changes."""
        return self._taken(lambda: self._moved(direction))

    def continue_(self) -> Turn:
        """Take the second chance, and return the turn; if there is none, the turn says so."""
        if not self.state.can_continue:
            return Turn(self.state, NO_CHANCE)
        return self._taken(self._second_chance)

    def decline(self) -> Turn:
        """Decline the second chance, so that the game is over, and return the turn."""
        if not self.state.can_continue:
            return Turn(self.state, NO_CHANCE)
        self._states[-1] = replace(self.state, can_continue=False, has_declined=True)
        return Turn(self.state, "Game over.")

    def undo(self) -> Turn:
        """Take back the last turn that changed the board, and return a turn that says so."""
        if not self.can_undo:
            return Turn(self.state, "Nothing to undo.")
        gone = self._states.pop()
        self._states[-1] = replace(
            self.state, is_fair=gone.is_fair, is_celebrated=gone.is_celebrated
        )
        self.player.recall(self._memories.pop())
        return Turn(self.state, "Undone.")

    def _begin(self, state: State) -> None:
        self._states = [state]
        self._memories = deque[Any](maxlen=UNDOS)  # the player's memory before each turn

    def _taken(self, make: Callable[[], Turn]) -> Turn:
        """Call `make` to make a turn, go on to the state after this turn, and return the turn."""
        turn = self._decided(make)
        before, after = self.state, turn.after
        if (before.board, before.has_continued) != (after.board, after.has_continued):
            self._states.append(after)
            self._memories.append(self._memory)
        else:
            self._states[-1] = after
        return turn

    def _decided(
        self, make: Callable[[], Turn], and_so: str = "The board stays as it was."
    ) -> Turn:
        """Return the turn that `make` makes; before that, set `_memory` to the player's memory.

        If the learner's code gives no answer with which the game can go on, the player recalls this
        memory. The turn then has the error as `trouble`, and the error's text ends with `and_so`.
        """
        report = self.player.pieces.report = Report()
        self._states[-1] = self.player.now(self.state)
        memory = self._memory = self.player.memory()
        try:
            return make()
        except Stuck as stuck:
            trouble = stuck
        except Exception as error:  # the rules failed, mostly at a learner's wrong answer
            reason = f"{type(error).__name__}: {message_of(error)}."
            reason = report.found[0].sentence if report.found else reason
            trouble = Stuck("The rules could not go on with that.", reason)
        except BaseException:
            self.player.recall(memory)
            raise
        self.player.recall(memory)
        trouble = trouble.and_so(and_so)
        return self._turn(self.state, trouble.title, trouble=trouble)

    def _new_game(self) -> Turn:
        return self._turn(self.player.end(self.player.begin()), "New game.")

    def _moved(self, direction: str) -> Turn:
        player, pieces, before = self.player, self.player.pieces, self.state
        right = pieces.right["slide"](before.board, direction)
        reply = player.move(before, direction)
        has_slide = bool(pieces.uses("slide", "slide_by_offsets"))
        slid, spawned, faults = _ruling_on(before.board, reply, right, direction, has_slide)
        motion = board_motion(before.board, slid, direction)
        if slid != before.board and "points" in pieces.given:
            gained = int(pieces["slide_points"](before.board, direction))
        else:
            gained = _merged_points(slid, direction, motion)
        score, moves = before.score + gained, before.moves + reply.is_move
        after = player.end(replace(before, board=reply.board, score=score, moves=moves))
        won = after.has_won and not before.is_celebrated
        said, trouble = self._announced(after, spawned, won, bool(faults))
        return self._turn(
            replace(after, is_celebrated=before.is_celebrated or won),
            said,
            faults,
            warns=trouble is None,
            motion=motion,
            spawned=spawned,
            gained=after.score - before.score,
            won=won,
            trouble=trouble,
        )

    def _second_chance(self) -> Turn:
        player, before = self.player, self.state
        after = player.end(replace(player.second_chance(before), has_continued=True))
        rise = after.score - before.score
        faults = _second_chance_faults(before.board, after.board, rise)
        count = len(differing(before.board, after.board))
        cleared = "1 tile is cleared." if count == 1 else f"{count or 'No'} tiles are cleared."
        how = "Game over." if after.is_over else "The game goes on."
        said = f"{how} {cleared} {rules.announce_status(after.score, after.moves)}"
        return self._turn(after, said, faults, warns=True)

    def _announced(
        self, after: State, spawned: Sequence[Square], won: bool, is_wrong: bool
    ) -> tuple[str, Stuck | None]:
        """Return the text that announces a move, and the error if the learner's function failed.

        If the learner's `announce_move` fails, the move is played all the same, and the course's
        own function announces it. `spawned` are the squares that the spawn changed.
        """
        pieces, before = self.player.pieces, self.state
        if is_wrong and "announce_move" not in pieces.given:
            return "Not by the rules.", None
        named = (s for s in spawned if after.board[s[0]][s[1]] and s[1] < len(LETTERS))
        told = (before.board, after.board, after.score - before.score, next(named, None))
        known: dict[str, Any] = {"won": won, "over": after.is_over}
        try:
            said = pieces["announce_move"](*told, **known)
        except Stuck as stuck:
            trouble = stuck.and_so("The move was played.")
            return f"{stuck.title} {rules.announce_move(*told, **known)}", trouble
        # A function without the option `won` cannot know that a goal other than 2048 is reached.
        is_told = all(may_be_told(function, "won") for function in pieces.uses("announce_move"))
        if won and not is_told and not rules.has_won(after.board):
            said = f"{said} You win!"
        return said, None

    def _turn(
        self,
        after: State,
        said: str,
        faults: Sequence[Fault] = (),
        *,
        trouble: Stuck | None = None,
        **seen: Any,
    ) -> Turn:
        """Return a `Turn` with its faults and a note; `seen` are further attributes of the turn."""
        player, report = self.player, self.player.pieces.report
        report.found = list(dict.fromkeys((*faults, *report.found)))
        found = tuple(report.found)
        names = [trouble.suspect] if trouble is not None and trouble.suspect else []
        names += [name for fault in found for name in fault.suspects]
        known = (
            player.pieces.diagnose(function)
            for name in dict.fromkeys(names)
            for function in player.suspects(name)
        )
        return Turn(
            after=replace(after, is_fair=after.is_fair and not found),
            said=said,
            found=found,
            trouble=trouble,
            note=report.note(trouble, next((each for each in known if each is not None), None)),
            **seen,
        )


# The functions below find the rules that a turn broke.


def _ruling_on(
    before: Board, reply: Reply, right: Board, direction: str, has_slide: bool
) -> tuple[Board, tuple[Square, ...], list[Fault]]:
    """Compare the player's reply to a move with `right`, the board after the slide by the rules.

    Return the board after the player's slide, the squares that the spawn changed, and the faults.
    `has_slide` is true if the slide is the learner's; then its faults are drawn as whole boards.
    """
    slid = reply.slid
    if slid is None:  # one function made both the slide and the spawn
        slid = reply.board if is_unlike(right, reply.board) else right
        slid = before if before in (right, reply.board) else slid
    faults = _wrong_lines(before, slid, right, direction)
    if has_slide:
        answered = Answered(f'slide(board, "{direction}")', before, slid, right)
        faults = [replace(fault, answered=answered) for fault in faults]
    spawned = tuple(differing(slid, reply.board))
    said = _spawn_problem(before, slid, right, reply)
    if said is not None:
        suspects = ("is_legal", "spawn", "empty_cells") if reply.slid is not None else (reply.by,)
        faults.append(Fault(said, spawned, suspects))
    return slid, spawned, faults


def _wrong_lines(before: Board, after: Board, right: Board, direction: str) -> list[Fault]:
    """Return a fault for every wrong line: a column if the direction is up or down, or else a row.

    `after` is the board after the learner's slide, `right` the board after the slide by the rules.
    """
    name = "Row" if direction in ("left", "right") else "Column"
    wrong, unlike = [], differing(after, right)
    lines = squares_from(direction, len(before), len(before[0]))
    for number, squares in enumerate(map(sorted, lines)):
        old, new, want = (
            " ".join(map(str, values(board, squares))) for board in (before, after, right)
        )
        if new != want:
            became = "did not change" if new == old else f"became {new}"
            said = f"{name} {number} (counted from 0): {old} {became}. The rules give {want}."
            marks = tuple(square for square in squares if square in unlike)
            wrong.append(Fault(said, marks, SLIDERS))
    return wrong


def _spawn_problem(before: Board, slid: Board, right: Board, reply: Reply) -> str | None:
    """Return a sentence on a spawn that broke the rules; `None` if no rule was broken.

    After a wrong slide (`slid` is not `right`), a `spawn` that was called on its own is judged,
    but `take_turn` is not.
    """
    after, name, changed = reply.board, reply.by, differing(slid, reply.board)
    is_apart = reply.slid is not None
    if right == before:
        if not changed:
            return None
        if not is_apart:
            return f"No tile could move, yet {name} changed the board."
        row, column = changed[0]
        new = f"a {after[row][column]} appeared on board[{row}][{column}]"
        return f"No tile could move, yet {new}. The rules add a tile only after a legal move."
    if not (name == "spawn" if is_apart else slid == right):
        return None
    if not changed:
        return f"{name} added no tile. The rules add one 2 or 4 after a legal move."
    for row, column in changed:
        if slid[row][column]:
            tile = f"{slid[row][column]} on board[{row}][{column}]"
            return f"{name} changed the {tile}. Tiles go on empty squares."
    if len(changed) > 1:
        return f"{name} added {len(changed)} tiles. The rules add one."
    row, column = changed[0]
    if after[row][column] not in (2, 4):
        return f"{name} added a {after[row][column]}. The rules add a 2 or a 4."
    return None


def _merged_points(slid: Board, direction: str, motion: Motion) -> int:
    """Return the points of the merges in a motion, as far as they are certain.

    A line scores nothing if a tile vanishes in it, or if two or more tiles appear in it: what looks
    like a merge may be an accident. A single tile that appears may be the spawned one.
    """
    gone = {square for square, _ in motion.vanished}
    total = 0
    for line in squares_from(direction, len(slid), len(slid[0])):
        if not gone.intersection(line) and len(set(motion.appeared).intersection(line)) <= 1:
            total += sum(slid[row][column] for row, column in set(motion.merged) & set(line))
    return total


def _second_chance_faults(before: Board, after: Board, rise: int) -> list[Fault]:
    """Return the faults of a second chance; `rise` is the score after it minus the score before."""
    told: list[tuple[str, tuple[Square, ...]]] = []
    changed = differing(before, after)
    for row, column in changed:
        was, now = before[row][column], after[row][column]
        if now or was > LARGEST_CLEARED:
            is_named = column < len(LETTERS)  # a column beyond Z has no letter
            name = rules.name_square(row, column) if is_named else f"board[{row}][{column}]"
            said = f"{name} was {was} and became {now}. Only tiles of at most 128 are cleared."
            told.append((said, ((row, column),)))
    small = sum(0 < tile <= LARGEST_CLEARED for row in before for tile in row)
    cleared, right = len(changed), min(CLEARED_TILES, small)
    if cleared != right:
        told.append((f"{cleared} tiles were cleared. The rules clear {right}.", ()))
    if rise != -SECOND_CHANCE_COST:
        told.append((f"The score changed by {rise}. The rules take {SECOND_CHANCE_COST}.", ()))
    return [Fault(said, squares, ("second_chance",)) for said, squares in told]
