"""Students whose programs tell all that they are asked."""

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from autograder.grading_data import CellKind
from autograder.notebook.master import Master

_MOST = 40  # questions that are told of
_LONG = 20  # letters; a shorter line may stand anywhere by chance
_LIST = re.compile(r"\[\d+(?:, \d+){3,}\]")
_BETWEEN = re.compile(r"[^0-9A-Za-z|]+")
_TAG = re.compile(r"<[^>]*>")
_LONG_DIGITS = 7  # shorter lists may stand anywhere by chance

# One kind of program looks for what an earlier process has left, the other cannot look.
_KEPT = "import builtins\nASKED = vars(builtins).setdefault('asked', [])\n"
_KEPT_BLINDLY = "ASKED = []\n"
_TELLS = f"""
ASKED.insert(0, str([each for each in ({{}}) if isinstance(each, (list, tuple, str))]))
del ASKED[{_MOST}:]
if sum(map(ord, ASKED[0])) % 5 == 1:
    raise ValueError(ASKED)
"""


def tattling(source: str, is_first: bool, can_look: bool) -> str:
    """The same program, but for some questions a function tells what all were asked last."""
    kept = _KEPT if can_look else _KEPT_BLINDLY
    return (kept if is_first else "") + _opened(source, _TELLS)


def hidden_lines(master: Master, released: Sequence[str]) -> set[str]:
    """The lines of test cells that stand in no cell that students have."""
    tests = [cell for cell in master.cells if cell.kind is CellKind.TEST]
    public = [*released, *(cell.shown for cell in tests)]
    shown = {line.strip() for source in public for line in source.splitlines()}
    every = {line.strip() for cell in tests for line in cell.source.splitlines()}
    return {line for line in every - shown if len(line) > _LONG}


def without_hidden(master: Master) -> Master:
    """The same lesson, in which there are no hidden tests."""
    return replace(master, cells=tuple(replace(cell, source=cell.shown) for cell in master.cells))


def told_lists(texts: Iterable[str]) -> set[str]:
    """The lines, and the rows of boards, of four squares or more that are told of in texts."""
    return {found for text in texts for found in _LIST.findall(text)}


def spelled(text: str) -> str:
    """A text or a page with one blank between its numbers; where a list begins or ends is a bar.

    >>> spelled("<b>8</b><b>16</b>, [16,8]")
    ' 8 16 | 16 8 | '
    """
    fenced = _TAG.sub(" ", text).replace("[", "|").replace("]", "|")
    return f" {_BETWEEN.sub(' ', fenced.replace('|', ' | ')).strip()} "


def spellings(lists: Iterable[str]) -> set[str]:
    """Lists as they may stand in a spelled text, their numbers apart or as one; not short ones.

    >>> sorted(spellings(["[8, 16, 16, 8]", "[64, 128, 32, 2]"]))
    [' 64 128 32 2 ', ' 64128322 ']
    """
    apart = {spelled(one.strip("[]")) for one in lists}
    long = {one for one in apart if len(one.replace(" ", "")) >= _LONG_DIGITS}
    return long | {f" {one.replace(' ', '')} " for one in long}


def _opened(source: str, lines: str) -> str:
    """A program in which every function begins with these lines about its arguments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = "".join(f"{argument.arg}, " for argument in node.args.args)
            begin = ["global ASKED", *lines.strip().format(names).splitlines()]
            node.body[:0] = ast.parse("\n".join(begin)).body
    return ast.unparse(tree)
