"""2048 in a terminal: keys come in one by one, and every key is answered in sentences."""

from collections.abc import Iterable

from course import rules
from course.match.match import Match, Turn
from course.match.special import SecondChance
from course.terminal.screens import Screen

DIRECTIONS = {"w": "up", "a": "left", "s": "down", "d": "right"}
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}  # the last letter of an arrow key
HELP = "Keys: w up, a left, s down, d right, e exit."
CHANCE = (
    "But you have a second chance: it clears six small tiles and costs 2048 points. Take it? y or n"
)


def play(match: Match, screen: Screen, keys: Iterable[str], note: str = "") -> None:
    """A match is played key by key: to its end, to `e`, or until there are no more keys.

    `note` is said at the start.
    """
    with screen:
        screen.show(match, [note, *sentences(match.opening), HELP])
        for key in keys:
            turn = _turn(match, key)
            if turn is None:
                screen.show(match, ["Goodbye."])
                return
            screen.show(match, [*sentences(turn), _question(match)], turn.marks)
            if is_finished(match):
                return
        screen.show(match, ["No more keys. Goodbye."])


def is_finished(match: Match) -> bool:
    """Whether the game is over by the learner's rules and by the course's, with no way on."""
    return match.is_over and rules.is_over(match.board) and not _can_continue(match)


def sentences(turn: Turn) -> list[str]:
    """What is to be said about a turn: what happened, what broke a rule, a hint, and prints."""
    first = turn.faults[0] if turn.faults else ""
    said = [turn.said.removesuffix(first).strip(), *turn.faults]  # it ends with the first fault
    if turn.trouble is not None:
        said = [f"{turn.trouble.title} {turn.trouble.text}", turn.trouble.code]
    if turn.diagnosis is not None:
        said.append(f"Hint: {turn.diagnosis.nudge}")
    return [*said, *(f"Your code printed: {line}" for line in turn.printed)]


def _turn(match: Match, key: str) -> Turn | None:
    """What a key does; `None` if it ends the game."""
    direction = ARROWS.get(key[-1]) if key[0] == "\x1b" else DIRECTIONS.get(key.lower())
    match key.lower():
        case _ if direction is not None:
            return match.move(direction)
        case "e":
            return None
        case "y" if isinstance(match, SecondChance) and match.can_continue:
            return match.continue_()
        case "n" if isinstance(match, SecondChance) and match.can_continue:
            match.can_continue = False
            return Turn(said="Game over.")
    return Turn(said=f"There is no key {key!r}. {'' if _can_continue(match) else HELP}".strip())


def _can_continue(match: Match) -> bool:
    return isinstance(match, SecondChance) and match.can_continue


def _question(match: Match) -> str:
    return CHANCE if _can_continue(match) else ""
