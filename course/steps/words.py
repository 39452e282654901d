"""Words: each step in one short sentence, as it is shown and read out."""

import ast
from typing import Any

from course.answers import MISSING
from course.steps.changes import listed, said
from course.steps.source import Header, span
from course.steps.values import Plain, cut

SHORT = 60

SAYS: dict[type, str] = {
    ast.Break: "Out of the loop.",
    ast.Continue: "On to the next round of the loop.",
    ast.Try: "What follows is tried.",
    ast.FunctionDef: "A helper of its own is defined.",
}


def line_words(
    node: Header | None, told: list[str], variables: list[Plain], after: int, printed: str
) -> str:
    """Return in words what a line did, once it has run.

    Takes its statement, what changed in words, the variables as they are now, the line that comes
    next (0 if none does), and what the line printed. Returns "" if there is nothing to say.

    >>> loop = ast.parse("for index in [0]:\\n    pass").body[0]
    >>> line_words(loop, [], [], 0, "")
    'The loop is over.'
    """
    parts = []
    if isinstance(node, ast.For):
        again = _is_in(node.body, after) and not told
        parts.append(_round(node, variables) if again else "")
        parts.append("" if _is_in(node.body, after) else "The loop is over.")
    if isinstance(node, ast.If | ast.While) and not _is_in([node.body[0]], span(node)[0]):
        parts.append(_question(node, _is_in(node.body, after)))
    if told:
        parts.append(listed(told))
    if printed.strip():
        parts.append(f"It prints: {cut(' '.join(printed.split()), SHORT)}")
    return " ".join(part for part in parts if part) or SAYS.get(type(node), "")


def _is_in(body: list[ast.stmt], line: int) -> bool:
    return body[0].lineno <= line <= (body[-1].end_lineno or 0)


def _question(node: ast.If | ast.While, is_true: bool) -> str:
    if isinstance(node.test, ast.Constant):
        return "Into the loop." if isinstance(node, ast.While) else ""
    question = cut(ast.unparse(node.test), SHORT)
    return f"{question}? {'Yes.' if is_true else 'No.'}"


def _round(node: ast.For, variables: list[Plain]) -> str:
    """Return words for a round of a loop whose variable happens to be the same as before."""
    names = {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
    told = [f"{v['name']} is {said(v['value'])} again" for v in variables if v["name"] in names]
    return listed(told) if told else "Another round."


def bracket_words(told: list[str], variables: list[Plain]) -> str:
    """Return words for one round inside a comprehension."""
    told = told or [f"{v['name']} is {said(v['value'])} again" for v in variables]
    return listed(told) if told else "Another round."


def error_words(kind: type[BaseException], text: str) -> str:
    """Return words for an error that a line raised.

    >>> error_words(NotImplementedError, "NotImplementedError")
    'Your code is still missing here (NotImplementedError).'
    >>> error_words(ValueError, "ValueError: the board is full")
    'This line fails. ValueError: the board is full.'
    """
    if issubclass(kind, NotImplementedError) and ":" not in text:
        return f"{MISSING.capitalize()} ({text})."
    return f"This line fails. {text}."


def end_words(name: str, gave: Any, has_return: bool, is_generator: bool) -> str:
    """Return words for how a call ends: with `return`, or without."""
    if is_generator:
        return f"{name} has nothing more to hand out."
    if has_return:
        return f"{name} gives back {said(gave)}."
    if name.endswith("__init__"):
        return f"{name} is done: the new object is ready."
    return f"{name} ends without return, so it gives back None."
