"""Checks of the state of games: what games share, keep, refuse and show, and how they restart."""

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from course.answer_comparison import same
from course.function_calls import Tested
from course.games.observed_game import STATE, GameProblem, Observed, Start
from course.rules.board import DIRECTIONS, Board

ALL = (*STATE, "has_continued", "chance")
KEPT = ("height", "width", "p_four")
PLAYED = {"score": 28, "moves": 9}  # as if the game had been played for a while
# A whole number in a text, but no part of a number such as 28.0 or 3,096
WHOLE = re.compile("(?<![0-9])(?<![0-9][.,])[0-9]+(?![0-9]|[.,][0-9])")


def stays_apart(make: Tested, moves: Sequence[str] = DIRECTIONS) -> None:
    """Raise `GameProblem` if playing one game, or only making it, changes another game."""
    observed, shared = shared_facts(make, moves)
    if shared:
        raise observed.problem(
            f"  another game, made before, has changed: its {', its '.join(shared)}"
        )


def shared_facts(make: Tested, moves: Sequence[str] = DIRECTIONS) -> tuple[Observed, list[str]]:
    """Make and play a game; return it, and the names of the facts that change in other games."""
    first = Observed(make, (4, 4), seed=1)
    before = first.facts(STATE)
    second = Observed(make, (4, 4), seed=2)
    if moves:
        list(second.take(moves))
    shared = _different(before, first.facts(STATE))
    if moves:
        second.step("reset")
    fresh = Observed(make, (4, 4), seed=3).facts(STATE)
    wanted = {**before, "board": fresh["board"]}
    return second, shared or _different(wanted, fresh) or _mixed(make, moves)


def _mixed(make: Tested, moves: Sequence[str]) -> list[str]:
    """Play two games each alone, then both in turn; return the names of the facts that differ.

    If a game that is played alone is not the same each time, the list is empty, since facts that
    differ would then show nothing.
    """

    def told(*which: int) -> list[list[dict[str, Any]]]:
        """Play games in turn; return the facts of each, when it is new and after each step."""
        # The games differ in size and in chance.
        games = [Observed(make, ((3, 4), (4, 2))[n], p_four=n, seed=1 + n).begun() for n in which]
        found = [[game.facts(STATE)] for game in games]
        steps = [*moves, "reset", *moves] if moves else []
        for some in [steps] if len(games) == 1 else [[step] for step in steps]:
            for game, facts in zip(games, found, strict=True):
                facts += [seen for _, _, seen in game.play(some, STATE)]
        return found

    alone = told(0) + told(1)
    # If the games do not use their `rng`, both first boards are the same again in one case of
    # 1,848, and three times in a row with a probability below 10⁻⁹.
    if any(alone != told(0) + told(1) for _ in range(3)):
        return []
    pairs = zip(chain(*alone), chain(*told(0, 1)), strict=True)
    shared = [name for before, after in pairs for name in _different(before, after)]
    return list(dict.fromkeys(shared))


def refuses(make: Tested, start: Start, step: str, names: Sequence[str] = ALL) -> None:
    """Raise `GameProblem` if `step`, which is not allowed in this game, changes a fact in `names`.

    It does not matter what the step returns, or if it raises an error.
    """
    observed = Observed(make, start)
    _put(observed, PLAYED)
    before = readable(observed, names)
    with suppress(GameProblem):
        observed.step(step)
    hold(observed, before)


def starts_again(make: Tested, start: Start) -> None:
    """Raise `GameProblem` unless each of two calls of `reset` gives a new game of the same size.

    The new game must keep `p_four`, too. The class need not have a method `move` yet: before each
    `reset`, the check itself sets the score and the number of moves, if the game allows that.
    """
    height, width = start if isinstance(start, tuple) else (len(start), len(start[0]))
    observed = Observed(make, start, p_four=0.25)
    wanted = {"tiles": min(2, height * width), "shape": (height, width), "score": 0, "moves": 0}
    wanted |= readable(observed, KEPT)
    for _ in range(2):
        _put(observed, PLAYED)
        observed.step("reset")
        hold(observed, wanted)


def only_looks(make: Tested, name: str, cases: Sequence[tuple[dict[str, Any], Any]]) -> None:
    """Raise `GameProblem` if reading the fact `name` changes a game, or gives a wrong value.

    All cases are tried in one game. Each is a pair: a dictionary of attributes to set, among them
    `"board"`; and the right value of the fact, or `None` if any will do. An attribute that cannot
    be set is left out, unless it is the board.
    """
    observed, names = Observed(make, cases[0][0]["board"]), list(ALL)
    for attributes, wanted in cases:
        before, [value], after = _looked_at(observed, PLAYED | attributes, names, [name])
        if wanted is not None:
            observed.expect(name, wanted, value)
        hold(observed, before, after)
        names = list(before)


def _looked_at(
    observed: Observed, attributes: dict[str, Any], names: Sequence[str], looks: Sequence[str]
) -> tuple[dict[str, Any], list[Any], list[Any]]:
    """Set attributes of a game; read the facts in `names`, then in `looks`, then in `names` again.

    Return a dictionary of the facts in `names`, a list of the facts in `looks`, and a list of the
    facts in `names` when they were read again. If nothing fails, all this takes one message. Raise
    `GameProblem` if the board cannot be set, or a fact in `looks` cannot be read. Other attributes
    that cannot be set, and facts in `names` that cannot be read, are left out.
    """
    board, others = {"board": attributes["board"]}, {**attributes}
    del others["board"]
    lines = len(observed.begun().script)
    with suppress(GameProblem):
        found = list(
            observed.take([board | dict(sorted(others.items()))], [*names, *looks, *names])
        )[1:]
        end = len(names) + len(looks)
        return dict(zip(names, found, strict=False)), found[len(names) : end], found[end:]
    del observed.script[lines:]
    observed.step(board)
    _put(observed, others)
    before = readable(observed, names)
    seen = list(observed.take([], [*looks, *before]))
    return before, seen[: len(looks)], seen[len(looks) :]


def _put(observed: Observed, attributes: dict[str, Any]) -> None:
    """Set attributes of a game; leave out those that cannot be set."""
    observed.begun()
    left = sorted(attributes)
    while left:
        before = len(observed.script)
        with suppress(GameProblem):
            observed.step({name: attributes[name] for name in left})
        left = left[len(observed.script) - before + 1 :]


def hold(observed: Observed, wanted: dict[str, Any], found: Iterable[Any] | None = None) -> None:
    """Raise `GameProblem` unless the facts of a game have the values in the dictionary `wanted`.

    `found` holds these facts in the same order; without it, they are read from the game.
    """
    found = observed.take([], list(wanted)) if found is None else found
    for (name, value), got in zip(wanted.items(), found, strict=True):
        observed.expect(name, value, got)


def readable(observed: Observed, names: Collection[str]) -> dict[str, Any]:
    """Return a dictionary of those facts in `names` that can be read without an error."""
    facts: dict[str, Any] = {}
    left = sorted(names)
    while left:
        found = observed.take([], list(left))
        with suppress(GameProblem):
            for fact in found:
                facts[left.pop(0)] = fact
        left = left[1:]
    return facts


def _different(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [name for name in before if not same(before[name], after[name])]


def shows(text: Any, board: Board, score: int) -> bool:
    """Return true if a text has a line for each row of a board, in order, and below it the score.

    The line of a row has the tiles of the row, no other numbers, and no letters. An empty square
    may be written as 0, or as anything without digits and letters. The score is on a line below all
    rows, as a whole number in plain digits.
    """
    return type(text) is str and all(text_facts(text, board, score))


def text_facts(text: str, board: Board, score: int) -> list[bool]:
    """Return three booleans that answer three questions about the text of a game.

    Are there more lines than rows? Is there a line for each row of the board, in order? Is the
    score on a line below the last row that was found?

    >>> text_facts("[[2, 0, 4], [0, 0, 8]]\\nScore: 12", [[2, 0, 4], [0, 0, 8]], 12)
    [False, False, True]
    """
    lines = text.splitlines()
    below: list[str] = []
    is_long = len(lines) > len(board)
    rows = [[tile for tile in row if tile] for row in board]
    for line in lines:
        has_letters = any(character.isalpha() for character in line)
        numbers = [digits for digits in re.findall("[0-9]+", line) if digits.strip("0")]
        if rows and not has_letters and numbers == [*map(str, rows[0])]:
            rows.pop(0)
            below = []
        else:
            below.append(line)
    return [is_long, not rows, any(score in map(int, WHOLE.findall(line)) for line in below)]


def tells(make: Tested, board: Board, score: int) -> None:
    """Raise `GameProblem` unless `str(game)` shows its board and score, and changes nothing.

    Three boards are tried: `board`; its rows in reverse order, with a higher score; and a larger
    board, with a still higher score. The class need not have a method `move` yet: the check itself
    sets the board and, if the game allows that, the score.
    """
    observed, names = Observed(make, board), list(ALL)
    larger = [[*row, 2] for row in [*board, board[0]]]
    for rows, points in ((board, score), (board[::-1], score + 4), (larger, score + 8)):
        attributes = {**PLAYED, "board": rows, "score": points}
        before, (shown, text), after = _looked_at(observed, attributes, names, ["score", "text"])
        if not shows(text, rows, shown):
            wanted = f"a line for each row, with its tiles, and below them the score {shown}"
            raise observed.problem(f"  expected  {wanted}\n  got       {text!r}", "str(game)")
        hold(observed, before, after)
        names = list(before)
