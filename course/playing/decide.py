"""Deciding a turn: ask the player, compare the answer with the rules, and build the turn once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from course import rules
from course.hints import Diagnosis
from course.playing import referee, special
from course.playing.calls import Stuck
from course.playing.fault import Fault
from course.playing.motion import board_motion
from course.playing.pieces import SPOKEN, may_be_told
from course.playing.player import Player
from course.playing.points import points_of
from course.playing.state import State
from course.playing.turn import Turn
from course.rules.speech import LETTERS

SAID_OTHERWISE = "The rules say it otherwise: see the note."


def new_game(player: Player) -> Turn:
    """Return the first turn of a new match. Raises `Stuck` if the player cannot begin one."""
    return _turn(player, player.end(player.begin()), "New game.")


def move(player: Player, before: State, direction: str) -> Turn:
    """Play one turn. Raises `Stuck` if the player gives no answer to go on with."""
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
    """Let a lost match go on. Raises `Stuck` if the player gives no answer to go on with."""
    after = player.end(replace(player.second_chance(before), has_continued=True))
    faults = special.second_chance_faults(before.board, after.board, after.score - before.score)
    said = special.said_after(before.board, after)
    return _turn(player, after, said, faults, warning=_first(player, faults))


def stuck(player: Player, before: State, trouble: Stuck) -> Turn:
    """Return a turn that leaves everything as it was, because there was no answer to go on with."""
    return _turn(player, before, trouble.title, trouble=trouble)


def _announcement(
    player: Player, before: State, after: State, seen: referee.Ruling, won: bool
) -> tuple[str, str, Stuck | None]:
    """Return what is said about a move, a warning, and what went wrong with the words.

    The words are the learner's, if there is a function for them. The move is made before it is
    announced: if that function fails, the rules find the words, and its failure is the third value.
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
    # A function that gets only boards cannot know that the game is won by another goal.
    is_told = all(may_be_told(function, "won") for function in pieces.uses("announce_move"))
    if won and not is_told and not rules.has_won(after.board):
        said = f"{said} You win!"
    return said, _first(player, seen.faults), None


def _first(player: Player, faults: Sequence[Fault]) -> str:
    """Return the first fault so far as a warning; a wrong announcement is not repeated in full."""
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
    """Return the turn, with all that was noticed while the learner's code was asked, and a hint."""
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
    """Return the first known mistake among the pieces that may be to blame, or `None`."""
    names = [trouble.suspect] if trouble is not None and trouble.suspect else []
    names += [name for fault in found for name in fault.suspects]
    known = (
        player.pieces.diagnose(function)
        for name in dict.fromkeys(names)
        for function in player.suspects(name)
    )
    return next((each for each in known if each is not None), None)
