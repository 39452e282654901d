"""Programs that reveal the arguments of their calls, and a search for hidden tests in texts."""

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from autograder.grading_data import CellKind
from autograder.notebook.master import Master

_MOST = 40  # the number of calls that a program remembers
_LONG = 20  # characters; a shorter line may occur anywhere by chance
_LIST = re.compile(r"\[\d+(?:, \d+){3,}\]")
_BETWEEN = re.compile(r"[^0-9A-Za-z|]+")
_TAG = re.compile(r"<[^>]*>")
_LONG_DIGITS = 7  # the digits of a shorter list may occur anywhere by chance

# Two beginnings: the first program looks in `builtins` for what an earlier process has left; the
# second imports nothing, so it cannot look.
_KEPT = "import builtins\nASKED = vars(builtins).setdefault('asked', [])\n"
_KEPT_BLINDLY = "ASKED = []\n"
_TELLS = f"""
ASKED.insert(0, str([each for each in ({{}}) if isinstance(each, (list, tuple, str))]))
del ASKED[{_MOST}:]
if sum(map(ord, ASKED[0])) % 5 == 1:
    raise ValueError(ASKED)
"""


def tattling(source: str, is_first: bool, can_look: bool) -> str:
    """Return a program whose functions note their calls, and reveal them.

    For some arguments, a function raises an error that lists the last calls of all functions. The
    first program of a notebook (`is_first`) also makes the list. With `can_look`, it takes over the
    list that an earlier process has left, if there is one.
    """
    kept = _KEPT if can_look else _KEPT_BLINDLY
    return (kept if is_first else "") + _opened(source, _TELLS)


def hidden_lines(master: Master, released: Sequence[str]) -> set[str]:
    """Return the lines of test cells that are no part of the released notebook."""
    tests = [cell for cell in master.cells if cell.kind is CellKind.TEST]
    public = [*released, *(cell.shown for cell in tests)]
    shown = "\n".join(public)
    every = {line.strip() for cell in tests for line in cell.source.splitlines()}
    return {line for line in every if len(line) > _LONG and line not in shown}


def without_hidden(master: Master) -> Master:
    """Return the instructor's notebook without its hidden tests."""
    return replace(master, cells=tuple(replace(cell, source=cell.shown) for cell in master.cells))


def told_lists(texts: Iterable[str]) -> set[str]:
    """Return all lists of four numbers or more in texts, such as lines and rows of boards."""
    return {found for text in texts for found in _LIST.findall(text)}


def spelled(text: str) -> str:
    """Return a text without tags and punctuation, with single blanks, and a bar for each bracket.

    >>> spelled("<b>8</b><b>16</b>, [16,8]")
    ' 8 16 | 16 8 | '
    """
    fenced = _TAG.sub(" ", text).replace("[", "|").replace("]", "|")
    return f" {_BETWEEN.sub(' ', fenced.replace('|', ' | ')).strip()} "


def spellings(lists: Iterable[str]) -> set[str]:
    """Return two texts for each list, as `spelled` may give it: numbers apart, or joined into one.

    Lists with less than seven digits are left out: these digits may occur anywhere by chance.

    >>> sorted(spellings(["[8, 16, 16, 8]", "[64, 128, 32, 2]"]))
    [' 64 128 32 2 ', ' 64128322 ']
    """
    apart = {spelled(one.strip("[]")) for one in lists}
    long = {one for one in apart if len(one.replace(" ", "")) >= _LONG_DIGITS}
    return long | {f" {one.replace(' ', '')} " for one in long}


def _opened(source: str, lines: str) -> str:
    """Return a program in which every function begins with `lines` about its arguments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = "".join(f"{argument.arg}, " for argument in node.args.args)
            begin = ["global ASKED", *lines.strip().format(names).splitlines()]
            node.body[:0] = ast.parse("\n".join(begin)).body
    return ast.unparse(tree)
