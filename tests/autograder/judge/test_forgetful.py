"""What can keep what it is asked is run once more without tests, and never counted as forgetful."""

from dataclasses import replace

import pytest

from autograder.jail import Jail
from autograder.judge import judge
from autograder.judge.forgetful import is_forgetful
from autograder.submission import Cell, Kind
from tests.autograder.submissions import submission_of

GIVEN = "from course import check, play"


def forgetful(*sources: str, given: str = GIVEN) -> bool:
    own = [Cell(f"cell-{n}", Kind.STUDENT, source) for n, source in enumerate(sources)]
    return is_forgetful([Cell("given", Kind.GIVEN, given), *own])


@pytest.mark.parametrize(
    "source",
    [
        "def merge(line):\n    '''Merges it.'''\n    return sorted(line, key=lambda t: t == 0)",
        "def merge(line: list) -> list:\n    done = []\n    for t in line:\n"
        "        done.append(t)\n    return done",
        "def merge(line, up=True, *, n=2):\n    def inner(x):\n        return x * n\n"
        "    return [inner(t) for t in line if t]",
        "from itertools import groupby as runs\ndef merge(line):\n    match list(runs(line)):\n"
        "        case [first, *_]:\n            yield first",
        "merge([2, 2])\nprint('merged', merge([2, 2]))\nplay(merge=merge)",
    ],
)
def test_functions_over_lists_and_numbers_keep_nothing(source: str) -> None:
    assert forgetful("def merge(line):\n    return line", source)


@pytest.mark.parametrize(
    "source",
    [
        "seen = []",
        "def merge(line, seen=[]):\n    seen.append(line)\n    return line",
        "def merge(line):\n    global last\n    last = line",
        "def merge(line):\n    merge.last = line",
        "def merge(line):\n    f = merge\n    f.last = line",
        "def merge(line):\n    print.last = line",
        "class Merge:\n    seen = []",
        "from random import seed",
        "from functools import cache",
        "from itertools import *",
        "from .itertools import chain",
        "def merge(line):\n    match line:\n        case list(x=kind):\n            return kind",
        "def merge(line):\n    import random\n    random.seed(line[0])",
        "@cache\ndef merge(line):\n    return line",
        "def merge(line):\n    history.append([0 for history in line])",
        "def merge(line):\n    return {line[0], merge}",
        "def merge(line):\n    return f'{merge}'",
        "def merge(line):\n    return '%s' % merge",
        "('%s' % merge)[-4:]",
        "str(merge)[-4:]",
        "(lambda line: line).__code__",
        "merge(last := [2])",
        "[seen.append(0) for seen in []]\nseen",
        "del merge",
        "merge = merge",
        "%time merge([2])",
        "def merge(line",
    ],
)
def test_what_may_keep_something_is_not_forgetful(source: str) -> None:
    assert not forgetful("def merge(line):\n    return line", source)


def test_given_cells_that_hold_something_make_nobody_forgetful() -> None:
    source = "def merge(line):\n    return line"
    assert forgetful(source)
    assert not forgetful(source, given="history = []")
    assert not forgetful(source, given="from os import environ")


@pytest.mark.parametrize(
    ("answer", "processes"),
    [("line", 1), ("map(abs, line)", 2), ("[0] * 10**10", 2)],
    ids=["plain", "an address", "what memory is left"],
)
def test_what_may_tell_what_was_asked_is_shown_by_a_process_without_tests(
    jail: Jail, monkeypatch: pytest.MonkeyPatch, answer: str, processes: int
) -> None:
    begun, session = [], Jail.session
    monkeypatch.setattr(Jail, "session", lambda self: begun.append(self) or session(self))
    source = f"def merge(line):\n    return {answer} if len(line) == 1 else line"
    submission = submission_of(source, "check(merge, [2, 2], gives=[2, 2])")
    after = Cell("after", Kind.STUDENT, "merge([2])")
    shown = judge(replace(submission, cells=(*submission.cells, after)), jail).outputs["after"]
    assert shown
    assert len(begun) == processes


def test_a_program_that_goes_too_deep_to_follow_may_keep_something():
    deep = "def f(x):\n    return x" + " + 1" * 900
    assert [is_forgetful([Cell("deep", kind, deep)]) for kind in (Kind.STUDENT, Kind.GIVEN)] == [
        False,
        False,
    ]
