"""Deciding a turn: it is asked of a player and held against the rules; then it is built, once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from course import rules
from course.hints import Diagnosis
from course.match import referee, special
from course.match.calls import Stuck
from course.match.fault import Fault
from course.match.motion import board_motion
from course.match.pieces import SPOKEN, may_be_told
from course.match.player import Player
from course.match.points import points_of
from course.match.state import State
from course.match.turn import Turn
from course.rules.speech import LETTERS

SAID_OTHERWISE = "The rules say it otherwise: see the note."


def new_game(player: Player) -> Turn:
    """A new match starts. Raises `Stuck` where the player can not begin one."""
    return _turn(player, player.end(player.begin()), "New game.")


def move(player: Player, before: State, direction: str) -> Turn:
    """One turn is played. Raises `Stuck` where the player gives no answer to go on with."""
    pieces, board = player.pieces, before.board
    right = pieces.right["slide"](board, direction)
    played = player.move(before, direction)
    seen = referee.ruling(board, played, right, direction)
    if pieces.uses("slide", "slide_by_offsets"):
        seen = replace(seen, faults=referee.drawn(seen, board, right, direction))
    motion = board_motion(board, seen.slid, direction)
    gained = points_of(pieces, board, seen.slid, direction, motion)
    score, moves = player.count(before, played, gained, right != board)
    after = player.end(replace(before, board=played.board, score=score, moves=moves))
    won = after.has_won and not before.is_celebrated
    said, warning, trouble = _announcement(player, before, after, seen, won)
    return _turn(
        player,
        replace(after, is_celebrated=before.is_celebrated or won),
        said,
        seen.faults,
        warning=warning,
        motion=motion,
        spawned=seen.spawned,
        gained=score - before.score,
        won=won,
        trouble=trouble,
    )


def second_chance(player: Player, before: State) -> Turn:
    """A lost match goes on. Raises `Stuck` where the player gives no answer to go on with."""
    after = player.end(replace(player.second_chance(before), has_continued=True))
    faults = special.second_chance_faults(before.board, after.board, after.score - before.score)
    said = special.said_after(before.board, after)
    return _turn(player, after, said, faults, warning=_first(player, faults))


def stuck(player: Player, before: State, trouble: Stuck) -> Turn:
    """A turn without an answer leaves everything as it was."""
    return _turn(player, before, trouble.title, trouble=trouble)


def _announcement(
    player: Player, before: State, after: State, seen: referee.Ruling, won: bool
) -> tuple[str, str, Stuck | None]:
    """What is said about a move, in the learner's words where there are such, and a warning.

    The move is made before it is announced: where nobody finds words for it, the rules say it, and
    what went wrong comes third.
    """
    pieces = player.pieces
    if seen.faults and "announce_move" not in pieces.given:
        return "Not by the rules.", _first(player, seen.faults), None
    named = (s for s in seen.spawned if after.board[s[0]][s[1]] and s[1] < len(LETTERS))
    told = (before.board, after.board, after.score - before.score, next(named, None))
    known: dict[str, Any] = {"won": won, "over": after.is_over}
    try:
        said = pieces["announce_move"](*told, **known)
    except Stuck as stuck:
        trouble = stuck.and_so("The move was played.")
        return f"{stuck.title} {rules.announce_move(*told, **known)}", "", trouble
    # Who is told of boards only can not know that the game is won by another goal.
    is_told = all(may_be_told(function, "won") for function in pieces.uses("announce_move"))
    if won and not is_told and not rules.has_won(after.board):
        said = f"{said} You win!"
    return said, _first(player, seen.faults), None


def _first(player: Player, faults: Sequence[Fault]) -> str:
    """The first thing that is wrong so far; of a wrong announcement, not all of it again."""
    first = next(iter((*faults, *player.pieces.report.found)), None)
    if first is None:
        return ""
    return SAID_OTHERWISE if SPOKEN.intersection(first.suspects) else first.sentence


def _turn(
    player: Player,
    after: State,
    said: str,
    faults: Sequence[Fault] = (),
    *,
    trouble: Stuck | None = None,
    **seen: Any,
) -> Turn:
    """The turn, with all that was noticed while the learner's code was asked, and a hint."""
    report = player.pieces.report
    found = tuple(dict.fromkeys((*faults, *report.found)))
    return Turn(
        after=replace(after, is_fair=after.is_fair and not found),
        said=said,
        found=found,
        printed=tuple(report.printed.lines()),
        diagnosis=_diagnosis(player, trouble, found),
        trouble=trouble,
        **seen,
    )


def _diagnosis(player: Player, trouble: Stuck | None, found: Sequence[Fault]) -> Diagnosis | None:
    """The first mistake that is known, among the pieces that may be to blame."""
    names = [trouble.suspect] if trouble is not None and trouble.suspect else []
    names += [name for fault in found for name in fault.suspects]
    known = (
        player.pieces.diagnose(function)
        for name in dict.fromkeys(names)
        for function in player.suspects(name)
    )
    return next((each for each in known if each is not None), None)
