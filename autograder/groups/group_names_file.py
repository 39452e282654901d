"""The file `names.toml` in a course folder: names of groups of wrong programs.

A person gives these names. `autograder verify` writes the names of the mistakes in `exercises.toml`
into `MADE`, a file of the same form. If a group has a name in both files, the person's name counts.
"""

import json
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from autograder.grading_data import Verdict
from autograder.notebook.outputs_from_jail import clean_message
from autograder.system import Trouble
from autograder.system.atomic_write import put_file

FILE = "names.toml"
MADE = Path(".autograder-plans") / FILE


class Named(NamedTuple):
    """The title of a group's mistake, and a hint, as students read them."""

    mistake: str
    hint: str


Names = dict[str, dict[str, Named]]
"""Names of groups: assignment → id of a group → name."""


def read_names(root: Path) -> Names:
    """Return the names of groups in `names.toml` and in `MADE`.

    Raise `Trouble`, with the line, if a file cannot be understood.
    """
    names = _read(root / MADE)
    for assignment, groups in names_by_hand(root).items():
        names[assignment] = names.get(assignment, {}) | groups
    return names


def names_by_hand(root: Path) -> Names:
    """Return only the names that a person gave; raise `Trouble`, with the line, if one is wrong."""
    return _read(root / FILE)


def _read(path: Path) -> Names:
    try:
        text = path.read_text(encoding="utf-8")
        found = tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise Trouble(f"{path} cannot be read: {error}. Mend that line.") from error
    names: Names = {}
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
    """Return a verdict in which each check without a known mistake has the name of its group.

    `names` is a dictionary from ids of groups to names; some groups have none.
    """
    checks = []
    for check in verdict.checks:
        group = check.difference.group if check.difference else ""
        if group in names and not check.mistake:
            check = replace(check, misconception=group, **names[group]._asdict())
        checks.append(check)
    return replace(verdict, checks=tuple(checks))


def cleaned(title: str, hint: str) -> Named:
    """Return a group's name: title and hint, each in one line and without control characters."""
    return Named(*(" ".join(clean_message(text).split()) for text in (title, hint)))


def write_name(root: Path, assignment: str, group: str, name: Named) -> None:
    """Append to `names.toml` the name that a person gave to a group."""
    before = ""
    with suppress(FileNotFoundError):
        before = (root / FILE).read_text(encoding="utf-8").rstrip("\n") + "\n\n"
    put_file(root / FILE, before + _as_toml(assignment, group, name))


def write_made_names(root: Path, assignment: str, names: Mapping[str, Named]) -> None:
    """Write `names`, group → name, to `MADE`, in place of the assignment's earlier names there."""
    every = _read(root / MADE)
    if every.get(assignment, {}) == names:
        return
    every[assignment] = dict(names)
    parts = [_as_toml(of, *pair) for of, groups in every.items() for pair in groups.items()]
    (root / MADE).parent.mkdir(exist_ok=True)
    put_file(root / MADE, "\n".join(parts))


def _as_toml(assignment: str, group: str, name: Named) -> str:
    quoted = (json.dumps(text, ensure_ascii=False) for text in (assignment, group, *name))
    return "[{}.{}]\ntitle = {}\nhint = {}\n".format(*quoted)
