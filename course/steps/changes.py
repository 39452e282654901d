"""Changes: what differs between two looks at the same variables, marked and in words."""

from typing import Any

from course.steps.values import Plain, cut

MOST_SQUARES = 3  # that are told one by one
MOST_TOLD = 3


def compared(before: list[Plain], after: list[Plain], owner: str = "") -> list[str]:
    """Mark the variables of `after` that differ from those of `before`; return sentences.

    A variable is `{"name", "value"}`; one that differs gets `changed`, "New" or "Changed", and, if
    it is drawn as tiles, `marks`, the squares that differ, as (row, column).

    >>> squares = {"name": "squares", "value": {"kind": "tiles", "rows": [[4, 2]], "is_line": True}}
    >>> old = {"name": "squares", "value": {"kind": "tiles", "rows": [[2, 2]], "is_line": True}}
    >>> compared([old], [squares]), squares["marks"]
    (['squares[0] is now 4'], [[0, 0]])
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
        elif old is None or value["kind"] != old["kind"] or value["kind"] == "text":
            if not same(old, value):
                variable["changed"] = "Changed" if old else "New"
                told.append(f"{name} is now {said(value)}")
        else:
            told += _tiles(variable, name, old)
    return told


def _tiles(variable: Plain, name: str, old: Plain) -> list[str]:
    rows, was, is_line = variable["value"]["rows"], old["rows"], variable["value"]["is_line"]
    if same(old, variable["value"]):
        return []
    variable["changed"] = "Changed"
    if [len(row) for row in rows] != [len(row) for row in was]:
        return [f"{name} is now {said(variable['value'])}"]
    squares = [
        [r, c] for r, row in enumerate(rows) for c, tile in enumerate(row) if tile != was[r][c]
    ]
    variable["marks"] = squares
    if len(squares) > MOST_SQUARES:
        return [f"{name} is now {said(variable['value'])}"]
    return [
        f"{name}{'' if is_line else f'[{r}]'}[{c}] is now {rows[r][c]}" for r, c in squares
    ] or [f"{name} is now {said(variable['value'])}"]


def same(first: Plain | None, second: Plain | None) -> bool:
    """Return true if two values look alike, whatever is marked in them."""
    if first is None or second is None or first["kind"] != second["kind"]:
        return first is second
    if first["kind"] != "object":
        return first == second
    if first["name"] != second["name"] or len(first["fields"]) != len(second["fields"]):
        return False
    pairs = zip(first["fields"], second["fields"], strict=True)
    return all(a["name"] == b["name"] and same(a["value"], b["value"]) for a, b in pairs)


def said(value: Plain) -> str:
    """Return a value in words, as it is read out.

    >>> said({"kind": "tiles", "rows": [[2, 0]], "is_line": True})
    '[2, 0]'
    """
    if value["kind"] == "tiles":
        return cut(str(value["rows"][0] if value["is_line"] else value["rows"]))
    if value["kind"] == "object":
        name: Any = value["name"]
        return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
    return str(value["text"])


def listed(told: list[str]) -> str:
    """Return the first few sentences in one.

    >>> listed(["a is now 1", "b is now 2"])
    'a is now 1, b is now 2.'
    """
    more = f", and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
    return ", ".join(told[:MOST_TOLD]) + more + "."
