"""The words of a step: short sentences, to be read aloud, on what a line did and changed."""

import ast
from typing import Any

from course.plain_errors import MISSING
from course.playing.learner_calls import cut
from course.steps.function_source import Header, span
from course.steps.values import Plain, with_article

MOST_SQUARES = 3  # changed squares that are named one by one
MOST_TOLD = 3  # changes in one sentence
SHORT = 60  # characters of a condition, or of printed text

SAYS: dict[type, str] = {
    ast.Break: "Out of the loop.",
    ast.Continue: "On to the next round of the loop.",
    ast.Try: "What follows is tried.",
    ast.FunctionDef: "A helper of its own is defined.",
}


def compared(before: list[Plain], after: list[Plain], owner: str = "") -> list[str]:
    """Mark the variables of `after` that differ from `before`, and return texts on the changes.

    A variable that differs gets a key `changed`, with "New" or "Changed". If its value is a line or
    a board of the same shape as before, it also gets `marks`: the squares that differ. In the
    texts, `owner` is written before each name.
    """
    known = {variable["name"]: variable["value"] for variable in before}
    told = []
    for variable in after:
        name, value = owner + variable["name"], variable["value"]
        old = known.get(variable["name"])
        if old is not None and value["kind"] == "object":
            inside = compared(old.get("fields", []), value["fields"], f"{name}.")
            variable["changed"] = "Changed" if inside else ""
            told += inside
        elif old != value:
            variable["changed"] = "Changed" if old else "New"
            rows, own = (old or {}).get("rows", []), value.get("rows", [])
            is_same_shape = list(map(len, rows)) == list(map(len, own))
            squares = [
                [r, c]
                for r, row in enumerate(own if is_same_shape else [])
                for c, tile in enumerate(row)
                if tile != rows[r][c]
            ]
            if squares:
                variable["marks"] = squares
            if 0 < len(squares) <= MOST_SQUARES:
                for r, c in squares:
                    place = f"[{c}]" if value["is_line"] else f"[{r}][{c}]"
                    told.append(f"{name}{place} is now {value['rows'][r][c]}")
            else:
                told.append(f"{name} is now {said(value)}")
    return told


def said(value: Plain) -> str:
    """Return a value as a text to be read aloud; the value is plain data made by `snapshot`."""
    if value["kind"] == "tiles":
        return cut(str(value["rows"][0] if value["is_line"] else value["rows"]))
    return with_article(value["name"]) if value["kind"] == "object" else str(value["text"])


def line_words(
    node: Header | None, told: list[str], variables: list[Plain], after: int, printed: str
) -> str:
    """Return sentences on what a line did, once it has run; "" if there is nothing to say.

    `node` is the statement of the line, and `told` are texts on the variables that it changed.
    `variables` are all variables after the line, and `printed` is the text that it printed. `after`
    is the number of the next line, or 0.
    """
    parts = []
    if isinstance(node, ast.For):
        if not _is_in(node.body, after):
            parts.append("The loop is over.")
        elif not told:
            names = {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
            parts.append(round_words([], [v for v in variables if v["name"] in names]))
    if isinstance(node, ast.If | ast.While) and not _is_in([node.body[0]], span(node)[0]):
        answer = "Yes." if _is_in(node.body, after) else "No."
        if not isinstance(node.test, ast.Constant):
            parts.append(f"{cut(ast.unparse(node.test), SHORT)}? {answer}")
        elif isinstance(node, ast.While):
            parts.append("Into the loop.")
    if told:
        parts.append(_listed(told))
    if printed.strip():
        parts.append(f"It prints: {cut(' '.join(printed.split()), SHORT)}")
    return " ".join(part for part in parts if part) or SAYS.get(type(node), "")


def _is_in(body: list[ast.stmt], line: int) -> bool:
    return body[0].lineno <= line <= (body[-1].end_lineno or 0)


def round_words(told: list[str], variables: list[Plain]) -> str:
    """Return a sentence on a round of a loop: the changes (`told`), or else all `variables`."""
    told = told or [f"{v['name']} is {said(v['value'])} again" for v in variables]
    return _listed(told) if told else "Another round."


def error_words(kind: type[BaseException], text: str) -> str:
    """Return sentences on an error that a line raised; `text` has the error's name and message."""
    if issubclass(kind, NotImplementedError) and ":" not in text:
        return f"{MISSING[0].upper()}{MISSING[1:]}."
    return f"This line fails. {text}."


def end_words(name: str, gave: Any, has_return: bool, is_generator: bool) -> str:
    """Return a sentence on the end of a call; `gave` is its answer, as `snapshot` returns it."""
    if is_generator:
        return f"{name} has nothing more to hand out."
    if has_return:
        return f"{name} gives back {said(gave)}."
    if name.endswith("__init__"):
        return f"{name} is done: the new object is ready."
    return f"{name} ends without return, so it gives back None."


def _listed(told: list[str]) -> str:
    more = f", and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
    return ", ".join(told[:MOST_TOLD]) + more + "."
