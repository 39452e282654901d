"""Problems: the lines below a call that tell a learner what is wrong with the answer to it."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from course.answer_comparison import same, wrong_kind
from course.function_calls import Answer, Seeded
from course.plain_errors import error_text

MISSING: Any = object()
PRINTED = "something was printed, but nothing was returned"


def answer_problem(
    arguments: tuple[Any, ...],
    answer: Answer,
    gives: Any,
    raises: type[Exception] | None,
    obeys: Callable[..., str | None] | None,
    alike: Callable[[Any, Any], bool] = same,
) -> str | None:
    """Return the lines that tell what is wrong with an answer, or `None` if it is right.

    `gives`, `raises`, `obeys` and `alike` are those of `check.many`.
    """
    error = answer.error
    if raises is not None:
        if error is None:
            return f"  expected  {raises.__name__}\n  got       {answer.value!r}"
        if not isinstance(error, raises):
            return f"  expected  {raises.__name__}\n  got       {error_text(error)}"
    elif error is not None:
        expected = "" if gives is MISSING else f"  expected  {gives!r}\n"
        return f"{expected}  got       {error_text(error)}"
    elif gives is not MISSING and not alike(answer.value, gives):
        said = _printed(answer) or _kind(answer.value, gives)
        return f"  expected  {gives!r}\n  got       {answer.value!r}{said}"
    elif obeys is not None:
        sentence = obeys(answer.value, *arguments)
        if sentence is not None:
            return f"  got       {answer.value!r}{_printed(answer)}\n  {sentence}"
    return None


def _kind(got: Any, wanted: Any) -> str:
    """Return a line below an answer of another kind than the wanted one, or else `""`."""
    kind = wrong_kind(got, wanted)
    return "" if kind is None else f"\n  {kind}"


def _printed(answer: Answer) -> str:
    """Return a line below an answer that was printed in place of being returned, or else `""`."""
    return f"\n  {PRINTED}" if answer.value is None and answer.printed else ""


def change_problem(arguments: tuple[Any, ...], answer: Answer) -> str | None:
    """Return the lines that show a changed argument, or `None`; a `Random` may change, however."""
    for before, after in zip(arguments, answer.arguments, strict=True):
        if not isinstance(before, Random | Seeded) and not same(before, after):
            return (
                "  the list that was passed in must stay as it is\n"
                f"  before    {before!r}\n"
                f"  after     {after!r}"
            )
    return None


def call_text(function: Callable[..., Any], arguments: Sequence[Any]) -> str:
    """Return a call as a learner would type it.

    >>> call_text(len, ([2, 2],))
    'len([2, 2])'
    """
    name = getattr(function, "__name__", "function")
    return f"{name}({', '.join(map(_argument_text, arguments))})"


def _argument_text(value: Any) -> str:
    return "rng" if isinstance(value, Random | Seeded) else repr(value)
