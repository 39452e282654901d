"""The answers of a function beside the right ones: what is true of the wrong ones among them.

Where a check has failed, it is known for which call. What is said is then true of that call.
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
    """What a function answers to its probes, in their order, and then to more calls like them.

    Raises `NoAnswer`.
    """
    name = function.__name__
    arguments = [call_of(probe)[1] for probe in probes] + more_like(probes)
    wanted = call_many(getattr(rules, name), arguments)
    with watched(function):
        got = call_many(function, arguments)
    asked = zip(arguments, wanted, got, strict=True)
    return [_asked(name, observer, *each) for each in asked]


def answered_in_check(name: str, observer: str, failure: Failure) -> Asked:
    """The call for which a check has failed, beside what the rules give."""
    [wanted] = call_many(getattr(rules, name), [failure.given])
    return _asked(name, observer, failure.given, wanted, failure.got)


def slip_of_answers(
    name: str, asked: Sequence[Asked], order: Sequence[str], near: Sequence[str] = ()
) -> Slip | None:
    """The general entry that is true of most wrong answers of a function; `None` if there is none.

    `order` are the ids of all general entries, and `near` those that are true of the call for which
    a check has failed: then one of them is said.
    """
    wrong = [each for each in asked if each.changes or not each.is_answered_rightly]
    of_all = slips_of_all(asked)
    found = [
        Found(name, (*of_all, *slips_of(each)), each.example, f"watch({name}, {_typed(each)})")
        for each in sorted(wrong, key=lambda each: len(each.text))
    ]
    return most([*found, Found(name, tuple(near), "")] if near else found, order, near)


def near_failure(failed: Asked, is_change: bool, asked: Sequence[Asked]) -> list[str]:
    """The ids of what is true of the call for which a check has failed, the closest first.

    Also of what is true of all answers, if it is true of this one, too.
    """
    if is_change:
        return [CHANGES]
    slips = slips_of(failed)
    return [*slips_of_all([*asked, failed]), *slips] if slips and _is_wrong_value(failed) else slips


def numbers_near(asked: Sequence[Asked], near: Sequence[str]) -> list[int]:
    """The numbers of the calls of which one of these ids is true."""
    return [number for number, each in enumerate(asked) if {*near} & {*slips_of(each)}]


def _is_wrong_value(failed: Asked) -> bool:
    return failed.wanted.error is None and not failed.is_answered_rightly


def _asked(name: str, observer: str, given: tuple[Any, ...], wanted: Answer, got: Answer) -> Asked:
    """One call as this observer sees it."""
    alike = sounds_like if observer == AS_HEARD else same
    text = f"{name}({', '.join(map(repr, given))})"
    return Asked(text, given, _as_seen(observer, wanted), _as_seen(observer, got), alike)


def _as_seen(observer: str, answer: Answer) -> Answer:
    """An answer without what makes no difference to this observer."""
    if observer == ANY_ORDER:
        return replace(answer, value=sorted_if_list(answer.value))
    return answer


def _typed(asked: Asked) -> str:
    return ", ".join(map(repr, asked.given))
