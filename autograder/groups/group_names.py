"""The file `names.toml` in a course folder: names of groups of wrong programs.

Names that a person gave are in `names.toml`. Those of the mistakes in `exercises.toml` are made by
`autograder verify`, in a file of the same form; a person's name of the same group counts.
"""

import json
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from autograder.grading_data import Verdict
from autograder.notebook.clean_outputs import clean_message
from autograder.system import Trouble
from autograder.system.disk import put_file

FILE = "names.toml"
MADE = Path(".autograder-plans") / FILE


class Named(NamedTuple):
    """The title of a group's mistake, and a hint, as students read them."""

    mistake: str
    hint: str


def read_names(root: Path) -> dict[str, dict[str, Named]]:
    """Return the names that are in a course folder: assignment → id of a group → name.

    Raise `Trouble`, with the line, if a file cannot be understood.
    """
    names = _read(root / MADE)
    for assignment, groups in names_by_hand(root).items():
        names[assignment] = names.get(assignment, {}) | groups
    return names


def names_by_hand(root: Path) -> dict[str, dict[str, Named]]:
    """Return the names that a person gave, as `read_names` does."""
    return _read(root / FILE)


def _read(path: Path) -> dict[str, dict[str, Named]]:
    try:
        text = path.read_text(encoding="utf-8")
        found = tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise Trouble(f"{path} cannot be read: {error}. Mend that line.") from error
    names: dict[str, dict[str, Named]] = {}
    for assignment, groups in found.items():
        for group, told in groups.items() if isinstance(groups, dict) else [("", groups)]:
            said = told if isinstance(told, dict) else {}
            title, hint = said.get("title"), said.get("hint", "")
            if not (isinstance(title, str) and title.strip() and isinstance(hint, str)):
                lines = enumerate(text.splitlines(), 1)
                at = next((n for n, line in lines if (group or assignment) in line), 1)
                what = "needs a title, and may have a hint: both are texts in quotes"
                raise Trouble(f"{path}, line {at}: {group or assignment} {what}. Mend it.")
            names.setdefault(assignment, {})[group] = cleaned(title, hint)
    return names


def with_names(verdict: Verdict, names: Mapping[str, Named]) -> Verdict:
    """Return a verdict in which a mistake without a name has the name of its group, by its id."""
    checks = []
    for check in verdict.checks:
        group = check.difference.group if check.difference else ""
        if group in names and not check.mistake:
            check = replace(check, misconception=group, **names[group]._asdict())
        checks.append(check)
    return replace(verdict, checks=tuple(checks))


def cleaned(title: str, hint: str) -> Named:
    """Return a name whose texts are one line each, without characters that move a terminal."""
    return Named(*(" ".join(clean_message(text).split()) for text in (title, hint)))


def write_name(root: Path, assignment: str, group: str, name: Named) -> None:
    """Write the name of a group below the others in the file."""
    lines = _lines(assignment, group, name)
    with suppress(FileNotFoundError):
        lines = [(root / FILE).read_text(encoding="utf-8").rstrip("\n"), "", *lines]
    put_file(root / FILE, "\n".join([*lines, ""]))


def write_made_names(root: Path, assignment: str, names: Mapping[str, Named]) -> None:
    """Write the names of the mistakes in `exercises.toml`, in place of those made before."""
    before = _read(root / MADE)
    if before.get(assignment, {}) == names:
        return
    every = {**before, assignment: names}
    lines = [
        line
        for of, groups in every.items()
        for group, name in groups.items()
        for line in (*_lines(of, group, name), "")
    ]
    (root / MADE).parent.mkdir(exist_ok=True)
    put_file(root / MADE, "\n".join(lines))


def _lines(assignment: str, group: str, name: Named) -> list[str]:
    told = {"title": name.mistake, "hint": name.hint}
    return [
        f"[{_quoted(assignment)}.{_quoted(group)}]",
        *(f"{k} = {_quoted(v)}" for k, v in told.items()),
    ]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # as in TOML
