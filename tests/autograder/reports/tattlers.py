"""Students whose programs tell all that they are asked."""

import ast
import re
from collections.abc import Iterable
from dataclasses import replace

from autograder.notebook.master import Master
from autograder.submission import Kind

_MOST = 40  # questions that are told of
_LONG = 20  # letters; a shorter line may stand anywhere by chance
_LIST = re.compile(r"\[\d+(?:, \d+){3,}\]")
# kept where a cell that is run once more finds it again
_KEPT = "import builtins\nASKED = vars(builtins).setdefault('asked', [])\n"
_PLAIN = "for each in locals().values() if type(each) in (list, tuple, str)]"
_TELLS = f"""
ASKED.insert(0, str([each {_PLAIN}))
del ASKED[{_MOST}:]
if __import__('zlib').crc32(ASKED[0].encode()) % 5 == 1:
    raise ValueError(ASKED)
"""


def tattling(source: str, is_first: bool) -> str:
    """The same program, but for some questions a function tells what all were asked last."""
    return (_KEPT if is_first else "") + _opened(source, _TELLS)


def hidden_lines(master: Master) -> set[str]:
    """The lines of the master that no student has."""
    tests = [cell for cell in master.cells if cell.kind is Kind.TEST]
    shown = {line.strip() for cell in master.cells for line in cell.shown.splitlines()}
    every = {line.strip() for cell in tests for line in cell.source.splitlines()}
    return {line for line in every - shown if len(line) > _LONG}


def without_hidden(master: Master) -> Master:
    """The same lesson, in which there are no hidden tests."""
    return replace(master, cells=tuple(replace(cell, source=cell.shown) for cell in master.cells))


def told_lists(texts: Iterable[str]) -> set[str]:
    """The lines, and the rows of boards, of four squares or more that are told of in texts."""
    return {found for text in texts for found in _LIST.findall(text)}


def _opened(source: str, lines: str) -> str:
    """A program in which every function begins with these lines."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            begin = ["global ASKED", *lines.strip().splitlines()]
            node.body[:0] = ast.parse("\n".join(begin)).body
    return ast.unparse(tree)
