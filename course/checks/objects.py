"""Checks of objects: an object is made, used and read, and each step is noted as a line of code."""

from collections.abc import Sequence
from typing import Any

from course.answer_comparison import same, wrong_kind
from course.function_calls import Step, Tested, made_many
from course.plain_errors import error_text, name_like
from course.refusal import has_no_text, lacks


def object_problem(
    make: Tested, steps: Sequence[tuple[Any, ...] | dict[str, Any]], facts: dict[str, Any]
) -> str | None:
    """Make and use an object; return a text that shows its first fault, or `None` if it has none.

    The text is the code that makes and uses the object, and below it the fault. A step is a tuple
    of a method's name and its arguments, or a dictionary of attributes to set. `facts` has the
    values that attributes must have after the steps; the fact `text` is what `str` gives.

    >>> class Basket:
    ...     apples = 0
    >>> print(object_problem(Basket, [{"apples": 3}], {"apples": 4}))
    basket = Basket()
    basket.apples = 3
    basket.apples
      expected  4
      got       3
    """
    name = getattr(make, "__name__", "Thing")
    mine = name.lower()
    used: list[tuple[str, Step]] = []  # each line, and the step that it takes
    for step in steps:
        if isinstance(step, dict):
            used += [(f"{mine}.{fact} = {v!r}", ("set", fact, v)) for fact, v in step.items()]
        else:
            given = ", ".join(map(repr, step[1:]))
            used.append((f"{mine}.{step[0]}({given})", ("call", *step)))
    lines = [f"{mine} = {name}()", *(line for line, _ in used)]
    looks = [f"str({mine})" if fact == "text" else f"{mine}.{fact}" for fact in facts]
    reads: list[Step] = [("text",) if fact == "text" else ("get", fact) for fact in facts]
    [(_, answers, error)] = made_many(make, [((), [*(step for _, step in used), *reads])])
    found = [] if answers is None else answers[len(used) :]
    for (fact, wanted), look, got in zip(facts.items(), looks, found, strict=False):
        kind = wrong_kind(got, wanted)
        said = [f"  expected  {wanted!r}", f"  got       {got!r}", *([f"  {kind}"] if kind else [])]
        if fact == "text" and has_no_text(got):
            said = [f"  {_lacks_text(name, '__str__')}"]
        elif same(wanted, got):
            continue
        return "\n".join([*lines, look, *said])
    if error is None:
        return None
    place = 0 if answers is None else len(answers) + 1
    script = (
        [*lines, *looks[place - len(lines) :][:1]] if place >= len(lines) else lines[: place + 1]
    )
    # The methods in `steps`, and the properties in `facts`, such as `is_high`.
    parts = [fact for fact in facts if fact.startswith(("is_", "has_"))]
    parts += [step[0] for step in steps if isinstance(step, tuple)]
    missing = next((part for part in parts if lacks(error, part)), None)
    told = f"got       {error_text(error)}" if missing is None else _lacks_text(name, missing)
    if missing is not None and (like := name_like(error)):
        told = f"this {name} has no {missing}, but it has {like}. Is that misspelt?"
    return "\n".join([*script, f"  {told}"])


def _lacks_text(name: str, part: str) -> str:
    return (
        f"this {name} has no {part}. Is `def {part}` inside the class, or below "
        f"`@add_to({name})`? Have you run all cells of the class, from the top?"
    )
