"""A match between two agents in this process."""

from collections.abc import Iterable
from typing import Any

from course.playing.phases import Duel, Reason
from course.playing.thinking import thought


def play_between(
    first: Any, second: Any, numbers: Iterable[int], seconds: float | None = None
) -> Duel:
    """Play a match of two agents to its end, and return it.

    With `seconds`, an agent that has used up more processor time than that loses as soon as it
    comes back. An agent that never comes back is not stopped here.

    >>> from course.playing import RandomAgent, public_numbers
    >>> duel = play_between(RandomAgent(1), RandomAgent(2), public_numbers(1, rounds=20))
    >>> duel.round, duel.reason.value
    (20, 'tiles')
    """
    duel, agents, used = Duel(numbers), {1: first, -1: second}, {1: 0.0, -1: 0.0}
    while not duel.is_over:
        player = duel.player
        view = duel.view(_left(seconds, used[player]), _left(seconds, used[-player]))
        begin = thought()
        try:
            answer = _asked(agents[player], view)
        except Exception as error:
            duel.lose(player, Reason.ERROR, f"{type(error).__name__}: {error}")
            break
        used[player] += thought() - begin
        if seconds is not None and used[player] > seconds:
            duel.lose(player, Reason.TIME, f"more than {seconds:g} s")
            break
        duel.answer(answer)
    return duel


def _asked(agent: Any, view: Any) -> Any:
    """Return the answer of an agent; if nothing is legal, `None`.

    An agent that has a method `skip` is told that it cannot act.
    """
    if not view["legal"]:
        if hasattr(agent, "skip"):
            agent.skip(view)
        return None
    return agent.place(view) if view["phase"] == "place" else agent.push(view)


def _left(seconds: float | None, used: float) -> float | None:
    return None if seconds is None else max(0.0, seconds - used)
