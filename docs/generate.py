"""Functions that make pages from the code: commands, settings, and two pictures of its folders."""

import inspect
import json
from collections.abc import Iterable
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

from autograder.cli import app as grader
from course.__main__ import app as course

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = (
    "autograder.gradebook.plans_and_limits.Jail",
    "autograder.autograde.Autograde",
    "autograder.gradebook.read_graded_notebook.Withhold",
    "autograder.serve.answers_to_students.Serve",
)


def write_generated(folder: Path) -> None:
    """Write all generated pages and pictures into a folder, except those that are right already.

    Sphinx reads a page again if its file was written, and that takes time.
    """
    folder.mkdir(exist_ok=True)
    pages = {
        "commands.md": commands(),
        "settings.md": settings(),
        "course.svg": picture(COURSE, "From a learner's notebook to the rules"),
        "grader.svg": picture(GRADER, "From a hand-in to its pages"),
    }
    for name, text in pages.items():
        file = folder / name
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def commands() -> str:
    """Return the page of all commands, with the texts that `--help` shows."""
    parts = ["# Commands\n"]
    for program, app in (("autograder", grader), ("python -m course", course)):
        group: Any = typer.main.get_command(app)
        parts.append(f"## {program}\n\n{inspect.cleandoc(group.help or '')}\n")
        for name, command in group.commands.items():
            values = [_argument(one) for one in command.params if one.param_type_name == "argument"]
            usage = " ".join([program, name, *values])
            parts.append(f"### {program} {name}\n\n`{usage}`\n")
            parts.append(_plain(inspect.cleandoc(command.help or "")) + "\n")
            context = typer.Context(command)
            parts += [_parameter(one, context) for one in command.params if not one.hidden]
    return "\n".join(parts)


def _argument(one: Any) -> str:
    name = (one.metavar or one.name).upper() + ("…" if one.nargs == -1 else "")
    return name if one.required else f"[{name}]"


def _parameter(one: Any, context: typer.Context) -> str:
    """Return an option or an argument as an entry of a definition list."""
    if one.param_type_name == "argument":
        name = _argument(one)
    else:
        name = " ".join(
            [
                *one.opts,
                "" if one.is_flag else (one.display_type_rich(context) or "").replace(" range", ""),
            ]
        ).strip()
    usual = one.default if one.show_default is True else one.show_default
    is_told = usual not in (None, False, "", ()) and not one.required
    says = f" Usual: {_value(usual)}." if is_told else ""
    return f"`{name}`\n: {_plain(one.help or '')}{says}\n"


def _value(value: Any) -> str:
    return value if isinstance(value, str) and " " in value else f"`{value}`"


def _plain(text: str) -> str:
    """Return the text, with a backslash before each character that has a meaning in Markdown."""
    for mark in "\\*_[]<>`":
        text = text.replace(mark, f"\\{mark}")
    return text


def settings() -> str:
    """Return the page of all settings in `nbgrader_config.py`."""
    parts = ["# Settings in nbgrader_config.py\n"]
    parts.append(
        "nbgrader's own settings hold, too, first of all `c.Execute.timeout`. What the limits mean "
        "is told in [the guide](../../autograder/GUIDE.md#settings-in-nbgrader_configpy), what "
        "the server tells in [its page](../../autograder/serve/README.md).\n"
    )
    for path in SETTINGS:
        module, _, name = path.rpartition(".")
        kind = getattr(import_module(module), name)
        parts.append(f"## c.{name}\n\n{inspect.getdoc(kind).splitlines()[0]}\n")
        for trait in kind.class_own_traits(config=True).values():
            usual = json.dumps(trait.default() if trait.default() is not None else None)
            usual = {"true": "True", "false": "False", "null": "None"}.get(usual, usual)
            parts.append(f"`c.{name}.{trait.name} = {usual}`\n: {trait.help}\n")
    return "\n".join(parts)


# A box of a picture: the place of its left upper corner, its width, its title, what it does. If the
# title ends with "/", the box is a room. The two boxes of an arrow overlap in width or in height.
Box = tuple[int, int, int, str, str]
COURSE = (
    "course",
    {
        "notebook": (60, 10, 400, "a notebook", "play(merge=merge) · check(merge, …)"),
        "widgets": (10, 110, 240, "widgets/", "the boards that are seen"),
        "checks": (270, 110, 240, "checks/", "ask a function, compare"),
        "playing": (10, 210, 240, "playing/", "a match, turn by turn"),
        "hints": (270, 210, 240, "hints/", "name the mistake"),
        "rules": (60, 310, 400, "rules/", "the right answer; pure"),
    },
    [
        ("notebook", "widgets"),
        ("notebook", "checks"),
        ("widgets", "playing"),
        ("checks", "hints"),
        ("playing", "rules"),
        ("hints", "rules"),
    ],
)
GRADER = (
    "autograder",
    {
        "handed_in": (10, 10, 240, "submitted/…", "what a student wrote"),
        "master": (270, 10, 240, "source/…", "the instructor's copy"),
        "notebook": (10, 110, 240, "notebook/", "read, repair, put in order"),
        "plan": (270, 110, 240, "plan/", "the answer key first"),
        "jail": (10, 230, 180, "jail/", "the student's cells"),
        "judge": (270, 230, 240, "judge/", "the tests, outside"),
        "gradebook": (270, 330, 240, "gradebook/", "nbgrader's records"),
        "reports": (10, 330, 180, "reports/", "pages of them"),
    },
    [
        ("handed_in", "notebook"),
        ("master", "plan"),
        ("plan", "notebook"),
        ("notebook", "jail"),
        ("plan", "judge"),
        ("judge", "jail"),
        ("judge", "gradebook"),
        ("gradebook", "reports"),
    ],
)
HEIGHT = 64


def picture(drawn: tuple[str, dict[str, Box], Iterable[tuple[str, str]]], title: str) -> str:
    """Return an SVG picture of boxes and arrows, in the colours of the page around it.

    `drawn` is a package, its boxes by name, and the arrows as pairs of such names. A name that ends
    with `/` is that of a folder in the package; raise `LookupError` if there is no such folder.
    """
    package, boxes, arrows = drawn
    parts = []
    for x, y, width, name, text in boxes.values():
        is_room = name.endswith("/")
        if is_room and not (ROOT / package / name).is_dir():
            raise LookupError(f"{package}/{name} is in a picture, and is no room")
        kind = "jail" if name == "jail/" else "room" if is_room else "outside"
        middle = x + width / 2
        parts += [
            f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{HEIGHT}" rx="8"/>',
            f'<text class="name" x="{middle}" y="{y + 27}">{escape(name)}</text>',
            f'<text x="{middle}" y="{y + 49}">{escape(text)}</text>',
        ]
    for start, end in arrows:
        parts.append(
            f'<path d="{_way(boxes[start], boxes[end])}" marker-end="url(#{package}-tip)"/>'
        )
    width = max(x + w for x, _, w, _, _ in boxes.values()) + 10
    height = max(y for _, y, _, _, _ in boxes.values()) + HEIGHT + 10
    tip = f'<marker id="{package}-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
    tip += 'markerHeight="8" orient="auto"><path class="tip" d="M0 0 8 4 0 8Z"/></marker>'
    size = f'viewBox="0 0 {width} {height}"'
    head = f'<svg class="rooms" {size} role="img" aria-label="{escape(title)}">'
    return "\n".join([head, f"<defs>{tip}</defs>", *parts, "</svg>", ""])


def _way(start: Box, end: Box) -> str:
    """Return the straight line between two boxes, as the path of an SVG."""
    left, right = max(start[0], end[0]), min(start[0] + start[2], end[0] + end[2])
    if left < right:
        middle = (left + right) / 2
        down = start[1] < end[1]
        return f"M{middle} {start[1] + HEIGHT * down}V{end[1] + HEIGHT * (not down)}"
    height = (max(start[1], end[1]) + min(start[1], end[1]) + HEIGHT) / 2
    goes_right = start[0] < end[0]
    return f"M{start[0] + start[2] * goes_right} {height}H{end[0] + end[2] * (not goes_right)}"
