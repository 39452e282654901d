"""Checks of objects: an object is made, used and read, each step noted as a line of code."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from course.answer_comparison import same, wrong_kind
from course.plain_errors import error_text, name_like
from course.refusal import has_no_text, lacks

Step = tuple[Any, ...] | dict[str, Any]


def object_problem(
    make: Callable[..., Any], steps: Sequence[Step], facts: dict[str, Any]
) -> str | None:
    """Return the lines of code that make and use an object, and below them what is wrong with it.

    Return `None` if nothing is wrong. A step is a tuple of a method's name and its arguments, or a
    dictionary of attributes to set. `facts` are the attributes that the object must have after the
    steps; the fact `text` is what `str` gives of the object.

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
    script = [f"{mine} = {name}()"]
    try:
        thing = make()
        for line, do in _lines(mine, thing, steps):
            script.append(line)
            do()
        for fact, wanted in facts.items():
            script.append(f"str({mine})" if fact == "text" else f"{mine}.{fact}")
            got = str(thing) if fact == "text" else getattr(thing, fact)
            if fact == "text" and has_no_text(got):
                return "\n".join([*script, f"  {_lacks_text(name, '__str__')}"])
            if not same(wanted, got):
                kind = [f"  {said}"] if (said := wrong_kind(got, wanted)) is not None else []
                lines = [*script, f"  expected  {wanted!r}", f"  got       {got!r}", *kind]
                return "\n".join(lines)
            script.pop()
    except Exception as error:
        missing = next((part for part in _parts(steps, facts) if lacks(error, part)), None)
        said = f"got       {error_text(error)}" if missing is None else _lacks_text(name, missing)
        if missing is not None and (like := name_like(error)):
            said = f"this {name} has no {missing}, but it has {like}. Is that misspelt?"
        return "\n".join([*script, f"  {said}"])
    return None


def _parts(steps: Sequence[Step], facts: dict[str, Any]) -> list[str]:
    """Return the names of the methods in `steps`, and of properties like `is_high` in `facts`."""
    questions = [name for name in facts if name.startswith(("is_", "has_"))]
    return [*questions, *(step[0] for step in steps if isinstance(step, tuple))]


def _lacks_text(name: str, part: str) -> str:
    return (
        f"this {name} has no {part}. Is `def {part}` inside the class, or below "
        f"`@add_to({name})`? Have you run all cells of the class, from the top?"
    )


def _lines(mine: str, thing: Any, steps: Sequence[Step]) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield each line that a learner would type for the steps, and a function that runs it."""
    for step in steps:
        if isinstance(step, dict):
            for name, value in step.items():
                yield f"{mine}.{name} = {value!r}", partial(setattr, thing, name, value)
        else:
            method, *arguments = step
            line = f"{mine}.{method}({', '.join(map(repr, arguments))})"
            yield line, partial(_call, thing, method, arguments)


def _call(thing: Any, method: str, arguments: list[Any]) -> None:
    getattr(thing, method)(*arguments)
