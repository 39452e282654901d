"""A match between two agents in this process."""

from collections.abc import Iterable
from typing import Any

from course.duel.match import Match, Reason
from course.duel.thinking import thought


def play_match(
    first: Any, second: Any, numbers: Iterable[int], seconds: float | None = None
) -> Match:
    """The match of two agents, played to its end.

    With `seconds`, an agent that has used up more than that loses once it comes back; they are
    seconds of the processor. One that never comes back is not stopped here.

    >>> from course.duel import RandomAgent, public_numbers
    >>> match = play_match(RandomAgent(1), RandomAgent(2), public_numbers(1, rounds=20))
    >>> match.round, match.reason.value
    (20, 'tiles')
    """
    match, agents, used = Match(numbers), {1: first, -1: second}, {1: 0.0, -1: 0.0}
    while not match.is_over:
        player = match.player
        view = match.view(_left(seconds, used[player]), _left(seconds, used[-player]))
        begin = thought()
        try:
            answer = _asked(agents[player], view)
        except Exception as error:
            match.lose(player, Reason.ERROR, f"{type(error).__name__}: {error}")
            break
        used[player] += thought() - begin
        if seconds is not None and used[player] > seconds:
            match.lose(player, Reason.TIME, f"more than {seconds:g} s")
            break
        match.answer(answer)
    return match


def _asked(agent: Any, view: Any) -> Any:
    """The answer of an agent. One that has a method `skip` is told that it can not act."""
    if not view["legal"]:
        if hasattr(agent, "skip"):
            agent.skip(view)
        return None
    return agent.place(view) if view["phase"] == "place" else agent.push(view)


def _left(seconds: float | None, used: float) -> float | None:
    return None if seconds is None else max(0.0, seconds - used)
