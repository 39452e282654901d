"""The loop of 2048 in a terminal: it takes key after key, and shows the board and sentences."""

from collections.abc import Iterable

from course import rules
from course.playing.game_in_progress import Match, Turn
from course.terminal.screens import Screen

DIRECTIONS = {"w": "up", "a": "left", "s": "down", "d": "right"}
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}  # the last letter of an arrow key
HELP = "Keys: w up, a left, s down, d right, e exit."
SECOND_CHANCE = (
    "But you have a second chance: it clears six small tiles and costs 2048 points. Take it? y or n"
)


def run(match: Match, screen: Screen, keys: Iterable[str], note: str = "") -> None:
    """Play a match until it is over, the key `e` comes, or no key is left; say `note` first."""
    with screen:
        screen.show(match, [note, *sentences(match.opening), HELP])
        for key in keys:
            turn = _turn(match, key)
            if turn is None:
                screen.show(match, ["Goodbye."])
                return
            question = SECOND_CHANCE if match.can_continue else ""
            screen.show(match, [*sentences(turn), question], turn.marks)
            if is_finished(match):
                return
        screen.show(match, ["No more keys. Goodbye."])


def is_finished(match: Match) -> bool:
    """Return true if the game is over for the learner and the course, and no chance is left."""
    return match.is_over and rules.is_over(match.board) and not match.can_continue


def sentences(turn: Turn) -> list[str]:
    """Return the sentences about a turn: what happened, wrong answers, a hint, printed lines."""
    note = turn.note
    if note is None:
        return [turn.said]
    if turn.trouble is not None:
        told = [f"{note['title']} {' '.join(note['lines'])}", note["code"]]
    else:
        told = [turn.said, *note["lines"]]
    hint = [f"Hint: {note['hint']}"] if note["hint"] else []
    return [*told, *hint, *(f"Your code printed: {line}" for line in note["printed"])]


def _turn(match: Match, key: str) -> Turn | None:
    """Return the turn that a key makes; `None` if the key ends the game."""
    direction = ARROWS.get(key[-1]) if key[0] == "\x1b" else DIRECTIONS.get(key.lower())
    match key.lower():
        case _ if direction is not None:
            return match.move(direction)
        case "e":
            return None
        case "y" if match.can_continue:
            return match.continue_()
        case "n" if match.can_continue:
            return match.decline()
    help_ = "" if match.can_continue else HELP
    return Turn(match.state, f"There is no key {key!r}. {help_}".strip())
