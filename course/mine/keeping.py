"""Keeping: `keep` saves a learner's function or class to a file, and `kept` returns it later."""

import ast
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from datetime import datetime
from io import StringIO
from pathlib import Path
from types import FunctionType
from typing import Any

from course import rules
from course.browser_deadline import IS_BROWSER
from course.mine import load_own_file
from course.mine.load_own_file import FILE, PIECES, kept_file
from course.mine.notebook_source import Notebook, notebook_of, parts_of, source_of, text_for
from course.mine.own_or_course import why_not
from course.mine.source_statements import Block, blocks_of, in_order, joined, put
from course.plain_errors import ipython_shell, plainly
from course.refusal import Refusal

EARLIER = "my_2048_earlier.txt"
# The classes of whole games, with the options of the command that plays them in a terminal.
GAMES = {"Game": "", "SpecialGame": " --special"}
IN_BROWSER = (
    "It lies with your lessons in this browser. To have it elsewhere too: choose All lessons, then "
    f"All files, open {FILE} there, and choose File → Download."
)
DUEL = {"own_square", "legal_squares", "place", "push_line", "push", "legal_directions", "leader"}
PLAY_AGENT = 'from course import kept, play_duel\n    play_duel(against=kept("Agent"))'
STUB = "raise NotImplementedError()"
HEADER = '''"""My 2048: what I kept. keep(Game) in a notebook says how to play it in a terminal."""

import random
from random import Random

from course.rules import *
'''


@plainly
def keep(piece: Callable[..., Any]) -> None:
    """Save a function or class to your file `my_2048.py`, and all that it needs from the notebook.

    The file lies beside the lesson folders, or in the current folder if there are none. An earlier
    version is replaced, and is added to `my_2048_earlier.txt`. A function that still says `raise
    NotImplementedError()` is not saved, so it never replaces a finished one. Raise `Refusal`, and
    leave the file as it was, if the file would not run with the function, or if another function in
    the file would then do something else than before.
    """
    if not callable(piece) or not getattr(piece, "__name__", ""):
        raise Refusal(f"keep takes a function or a class, as keep(merge), and not {piece!r}")
    if _is_the_courses(piece):
        raise Refusal(
            f"this {piece.__name__} is the course's own: kept({piece.__name__!r}) always finds it"
        )
    notebook, file = notebook_of(piece), kept_file()
    name = notebook.name_of(piece)
    if not name.isidentifier():
        raise Refusal("this function has no name: write it with def, then keep it")
    notebook = Notebook({**notebook.names, name: piece}, notebook.cells)
    blocks, below = _blocks(file)
    own_names = {name for block in blocks for name in block.names}
    parts = parts_of(name, notebook, lambda other: _is_provided(other, notebook, own_names))
    if _is_unwritten(parts[-1].source):
        print(f"{name} is not kept, because it still says: {STUB}")
        return
    before, replaced = blocks, list[Block]()
    for part in parts:
        if part is not parts[-1]:
            _check_others(name, part, parts, blocks, notebook)
        blocks, old = put(blocks, part)
        replaced += old
    text, pieces = _run(name, blocks, below, file)
    _save(file, text, replaced)
    print("\n".join(_report(name, set(blocks) - set(before), pieces, file)))


@plainly
def kept(name: str) -> Any:
    """Return the function or class that you have saved with `keep` under a name.

    If you have not saved one, return the course's own. If your file cannot be run, print a message
    that says so, and return the course's own. If neither you nor the course has a function or class
    of this name, raise `Refusal`, which lists all names.
    """
    file = kept_file()
    try:
        mine = load_own_file.load(file) if file.exists() else {}
    except ValueError as error:
        print(f"{error} Until it runs again, you play with the course's own functions.")
        mine = {}
    if name in mine:
        return mine[name]
    if name not in PIECES:
        known = ", ".join(sorted({*mine, *PIECES}))
        raise Refusal(f"nothing is kept under the name {name!r}; there are {known}")
    return getattr(rules, name)


def _blocks(file: Path) -> tuple[list[Block], str]:
    try:
        return blocks_of(file.read_text(encoding="utf-8") if file.exists() else HEADER)
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(
            f"{FILE} cannot be read as text, so nothing was changed in it: move the file away"
        ) from error
    except SyntaxError as error:
        raise Refusal(
            f"{FILE} has a mistake in line {error.lineno}, so nothing was changed in it: "
            "correct that line, or move the file away"
        ) from error


def _is_the_courses(value: Any) -> bool:
    return str(getattr(value, "__module__", None)).startswith(rules.__name__)


def _is_provided(name: str, notebook: Notebook, own_names: set[str]) -> bool:
    """Return true if the file or the course provides a name that a saved function uses.

    The file provides a name of `own_names` if the name's value was loaded from the file. The course
    provides its own names, except those that the learner has defined and written.
    """
    value = notebook.names.get(name)
    if name in own_names and getattr(value, "__module__", None) == Path(FILE).stem:
        return True
    if name not in rules.__all__:
        return False
    if name not in notebook.names or value is getattr(rules, name) or _is_the_courses(value):
        return True
    source = source_of(value, notebook) if isinstance(value, FunctionType | type) else None
    return _is_unwritten(source or "")


def _is_unwritten(source: str) -> bool:
    """Return true if the source of a function or class contains the statement `STUB`."""
    try:
        nodes = [*ast.walk(ast.parse(source))]
    except SyntaxError:  # Python does not know where a lambda ends
        return False
    return any(isinstance(node, ast.Raise) and ast.unparse(node) == STUB for node in nodes)


def _check_others(
    name: str, part: Block, parts: list[Block], blocks: list[Block], notebook: Notebook
) -> None:
    """Raise `Refusal` if saving `part` would change what another function in the file does.

    A function in the file may use a name that `part` defines anew in two cases only: the function
    is one of `parts`, which are about to be saved with `name`; or the notebook has the same code of
    this function as the file.
    """
    there = [block for block in blocks if block.names & part.names]
    if not there or there[-1].says(part):
        return
    mine = {each for part in parts for each in part.names}
    for block in blocks:
        if block.names <= mine or not block.uses & part.names:
            continue
        is_current = False
        with suppress(Refusal):
            is_current = all(
                each in notebook.names and block.says(Block(text_for(each, each, notebook)))
                for each in block.names
            )
        if not is_current:
            both = ", ".join(sorted(part.names & there[-1].names))
            raise Refusal(
                f"{name} is not kept, because {min(block.names)} in {FILE} uses another {both}: "
                "give one of the two another name, run the cells again, and keep again."
            )


def _run(name: str, blocks: list[Block], below: str, file: Path) -> tuple[str, dict[str, Any]]:
    """Run the new text of the file; return the text, and the functions and classes it defines.

    The `blocks`, the statements of the file, are tried in two orders. Raise `Refusal` if the text
    runs in neither order, or if it does not define `name` as a function or class.
    """
    texts = [joined(order, below) for order in (in_order(blocks), in_order(blocks, deeply=True))]
    failed: list[BaseException] = []
    for text in texts:
        try:
            with redirect_stdout(StringIO()):
                pieces = load_own_file.run(text, str(file))
        except (Exception, SystemExit) as error:
            failed.append(error)
            continue
        if name not in pieces:
            raise Refusal(
                f"{name} is not kept, because it is no function or class any more where {FILE} is "
                "run: write it with def or class, and keep again."
            )
        return text, pieces
    where = load_own_file.line_of(failed[0], str(file))
    line = f" at the line {texts[0].splitlines()[where - 1]!r}" if where else ""
    said = load_own_file.said(failed[0])
    raise Refusal(
        f"{name} is not kept, because {FILE} would not run with it: {said}{line}. "
        "Nothing was changed: correct that, run the cells again, and keep again."
    ) from failed[0]


# The number of the cell whose message last told where the file lies, and the file.
_told: list[tuple[int, Path] | None] = []


def _report(name: str, new: set[Block], pieces: dict[str, Any], file: Path) -> list[str]:
    """Return sentences on what was saved; `new` has the blocks that were not in the file before."""
    needs = sorted({each for one in new if not one.is_import for each in one.names} - {name})
    said = [f"Kept {name} in {FILE}" + (f", with {', '.join(needs)}." if needs else ".")]
    reason = why_not(name, pieces) if name in PIECES else ""
    if reason:
        said.append(f"For now, later lessons use the course's {name}, because {reason}.")
    if name == "Agent":
        said.append(f"Play against it in any lesson:\n    {PLAY_AGENT}")
    elif name in GAMES and not IS_BROWSER:
        words = [sys.executable, "-m", "course", "play", "--with", str(file.absolute())]
        command = subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
        said.append(f"Play with it in a terminal:\n    {command}{GAMES[name]}")
    elif IS_BROWSER and name not in DUEL and pieces.keys() & PIECES:
        shell = ipython_shell()
        now = None if shell is None else (shell.execution_count, file)
        if now is None or now not in _told:
            _told[:] = [now]
            said.append(IN_BROWSER)
    return said


def _save(file: Path, text: str, replaced: list[Block]) -> None:
    """Write `text` to the file, and add the blocks `replaced` to `my_2048_earlier.txt`."""
    try:
        if replaced:
            when = datetime.now().strftime("%Y-%m-%d %H:%M")
            with file.with_name(EARLIER).open("a", encoding="utf-8") as earlier:
                for block in replaced:
                    names = ", ".join(sorted(block.names))
                    earlier.write(f"# {names}, until {when}\n{block.source}\n\n")
        new = file.with_name(f".{file.name}.new")
        new.write_text(text, encoding="utf-8")
        os.replace(new, file)
    except OSError as error:
        why = "this browser keeps no more" if IS_BROWSER else error.strerror
        raise Refusal(f"{FILE} cannot be written: {why}.") from error
