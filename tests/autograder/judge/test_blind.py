"""A program that can look around is told from one that sees only what its functions are given."""

import tomllib
from pathlib import Path

import pytest

from autograder import misconceptions
from autograder.judge.blind import is_blind
from autograder.notebook.master import read_master
from autograder.records.release import ROOT
from autograder.submission import Cell, Kind
from course.lessons import lessons

SPECIMENS = Path(misconceptions.__file__).parent


def blind(source: str) -> bool:
    return is_blind([Cell("cell", Kind.STUDENT, source)])


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "import os.path as path",
        "from random import _os",
        "import random\nrandom._os",
        "from time import *",
        "from .. import sys",
        "open('/proc/stat')",
        "file = open",
        "__import__('os')",
        "__builtins__",
        "getattr(f, name)",
        "(x for x in []).gi_frame.f_back",
        "merge.__globals__",
        "'{0.__globals__}'.format(merge)",
        "text.format(merge)",
        "'{}'.format_map(merge)",
        "f'{merge.__globals__}'",
        "match f:\n    case object(__globals__=x): pass",
        "match f:\n    case F(x): pass",
        "class F:\n    __match_args__ = ('x',)",
        "get_ipython().system('ls')",
        "%time 1",
        "# a remark\x0c%pwd\x0cimport os",
        "text = '''\n>>> \n'''\n... %pwd",
        "!ls",
        "%%bash\nls",
        "print?",
        "files = !ls",
        "import copy\ncopy.types",
        "from copy import types",
        "from collections.abc import sys",
        "from course.checks import anything",
        "from course import checks\nchecks.before.linecache",
        "from course.rules import line",
        "'{0.gi_frame.f_back}'.format(squares)",
        "TEXT = '{0.gi_frame}'",
        "async def f(): pass",
        "type(name, (), parts)",
        "def broken(:",
        "x = %'''",
        "\u00a0\nx = 1",
        "_ += 1",
        "del _",
        "[x async for x in y]",
        "import copy as __builtins__",
        "try: f()\nexcept Exception as __builtins__: pass",
        "def f(x):\n    global __builtins__",
        "match x:\n    case __builtins__: pass",
        "match x:\n    case [*__builtins__]: pass",
        "match x:\n    case {**__builtins__}: pass",
        "def f(__x): pass",
        "dict(__x=1)",
        "from dataclasses import field",
        "import copy\ncopy.dispatch_table[F] = f",
        "import copy\ncopy.deepcopy(x, memo)",
        "import copy\ncopy.deepcopy(*both)",
        "import copy\nf = copy.deepcopy",
        "from copy import deepcopy as f",
        "from copy import deepcopy\nmap(deepcopy, boards, memos)",
    ],
)
def test_a_program_that_might_look_around_counts_as_able_to(source: str):
    assert not blind(source)


@pytest.mark.parametrize(
    "source",
    [
        "from course import check, play",
        "from course.mine import slide",
        "import random, math, copy\nrandom.choice(copy.deepcopy([1]))",
        "from copy import deepcopy\ndeepcopy(deepcopy([1]))",
        "from functools import reduce",
        "class Game:\n    def __init__(self): self._board = []\n    def __str__(self): return ''",
        "super().__init__(4, 4)",
        "'{} {}'.format(2, 4)",
        "f'{score:>5}'",
        "match direction:\n    case 'left' | 'right': pass\n    case int(): pass",
        "if __name__ == '__main__': print(1)",
    ],
)
def test_a_learners_program_sees_only_what_it_is_given(source: str):
    assert blind(source)


@pytest.mark.parametrize("lesson", [lesson.id for lesson in lessons()])
def test_what_a_lesson_gives_lets_nobody_look_around(lesson: str):
    assert is_blind(
        Cell(cell.id, cell.kind, cell.source)
        for cell in read_master(lesson, ROOT / "source").cells
        if cell.cell_type == "code"
    )


def test_nearly_all_programs_of_the_catalogue_see_only_what_they_are_given():
    tables = (tomllib.loads(path.read_text("utf-8")) for path in SPECIMENS.glob("*.toml"))
    programs = [text for table in tables for text in texts(table) if "return" in text]
    assert len(programs) > 500
    assert sum(map(blind, programs)) > 0.97 * len(programs)


def texts(table: object) -> list[str]:
    """All texts of several lines in a table, at any depth."""
    if isinstance(table, str):
        return [table] if "\n" in table else []
    parts = table.values() if isinstance(table, dict) else table if isinstance(table, list) else ()
    return [text for part in parts for text in texts(part)]
