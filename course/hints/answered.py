"""The answers of a function beside the right ones, and the entry for most of the wrong ones.

If a check has failed, the call is known for which it failed, and the entry describes that call.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from course import rules
from course.answers import Answer, Failure, call_many, same
from course.heard import sounds_like
from course.hints.general import Found, Slip, most
from course.hints.more import more_like
from course.hints.observe import ANY_ORDER, AS_HEARD, call_of, sorted_if_list, watched
from course.hints.slips import Asked, slips_of, slips_of_all

CHANGES = "changes-its-argument"


def answered(function: Callable[..., Any], observer: str, probes: list[str]) -> list[Asked]:
    """Return the answers of a function to its probes, in order, and then to more calls like them.

    Each comes with the right answer. Raises `NoAnswer` if the function does not come back.
    """
    name = function.__name__
    arguments = [call_of(probe)[1] for probe in probes] + more_like(probes)
    wanted = call_many(getattr(rules, name), arguments)
    with watched(function):
        got = call_many(function, arguments)
    asked = zip(arguments, wanted, got, strict=True)
    return [_asked(name, observer, *each) for each in asked]


def answered_in_check(name: str, observer: str, failure: Failure) -> Asked:
    """Return the call for which a check has failed, with its answer and the right one."""
    [wanted] = call_many(getattr(rules, name), [failure.given])
    return _asked(name, observer, failure.given, wanted, failure.got)


def slip_of_answers(
    name: str, asked: Sequence[Asked], order: Sequence[str], near: Sequence[str] = ()
) -> Slip | None:
    """Return the general entry that describes most wrong answers of a function, or `None`.

    `order` holds the ids of all general entries, and `near` the ids of those that describe the call
    for which a check has failed: if there are any, one of them is chosen.
    """
    wrong = [each for each in asked if each.changes or not each.is_answered_rightly]
    of_all = slips_of_all(asked)
    found = [
        Found(name, (*of_all, *slips_of(each)), each.example, f"watch({name}, {_typed(each)})")
        for each in sorted(wrong, key=lambda each: len(each.text))
    ]
    return most([*found, Found(name, tuple(near), "")] if near else found, order, near)


def near_failure(failed: Asked, is_change: bool, asked: Sequence[Asked]) -> list[str]:
    """Return the ids of the entries that describe the call for which a check failed, closest first.

    They begin with the entries that describe all answers, this one included. There are none of
    those if the call should have raised an error. If it is wrong that the call changes an argument,
    the only id is that of this mistake.
    """
    if is_change:
        return [CHANGES]
    slips = slips_of(failed)
    return [*slips_of_all([*asked, failed]), *slips] if slips and _is_wrong_value(failed) else slips


def numbers_near(asked: Sequence[Asked], near: Sequence[str]) -> list[int]:
    """Return the numbers of the calls described by one of these entries, given by their ids."""
    return [number for number, each in enumerate(asked) if {*near} & {*slips_of(each)}]


def _is_wrong_value(failed: Asked) -> bool:
    return failed.wanted.error is None and not failed.is_answered_rightly


def _asked(name: str, observer: str, given: tuple[Any, ...], wanted: Answer, got: Answer) -> Asked:
    """Return one call with the right answer and the function's, as this observer compares them."""
    alike = sounds_like if observer == AS_HEARD else same
    text = f"{name}({', '.join(map(repr, given))})"
    return Asked(text, given, _as_seen(observer, wanted), _as_seen(observer, got), alike)


def _as_seen(observer: str, answer: Answer) -> Answer:
    """Return an answer without what this observer ignores: the order of a list, for one of them."""
    if observer == ANY_ORDER:
        return replace(answer, value=sorted_if_list(answer.value))
    return answer


def _typed(asked: Asked) -> str:
    return ", ".join(map(repr, asked.given))
