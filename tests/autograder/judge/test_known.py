"""Who answers the same as somebody before gets the same result, and nothing but that."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from threading import Thread

import pytest

from autograder.jail import Jail, Session
from autograder.judge import judge
from autograder.judge.forgetful import is_forgetful
from autograder.judge.known import Known, Question, known_of
from autograder.judge.repeatable import is_repeatable
from autograder.submission import CheckResult, Outcome, Submission, Verdict
from tests.autograder.submissions import LESSON, limited, master_submission, submission_of

RIGHT = """
def merge(line):
    tiles = [tile for tile in line if tile]
    for place in range(len(tiles) - 1):
        if tiles[place] == tiles[place + 1]:
            tiles[place], tiles[place + 1] = 2 * tiles[place], 0
    tiles = [tile for tile in tiles if tile]
    return tiles + [0] * (len(line) - len(tiles))
"""
PROGRAMS = {
    "right": RIGHT,
    "in other words": RIGHT.replace("tiles", "kept"),
    "right, and prints": RIGHT.replace(
        "    tiles = [tile for", "    print(2)\n    tiles = [tile for"
    ),
    "a tuple for a list": RIGHT.replace("return tiles", "return tuple(tiles)", 1).replace(
        "[0] * (len(line) - len(tiles))", "(0,) * (len(line) - len(tiles))"
    ),
    "True for 1": RIGHT.replace("return tiles", "return [True if t == 1 else t for t in tiles]"),
    "wrong from the second test on": RIGHT.replace("return", "return line if line[0] == 8 else"),
    "raises": "def merge(line):\n    raise ValueError(str(line))",
    "raises in another line": "def merge(line):\n\n    raise ValueError(str(line))",
    "changes its argument": RIGHT
    + "\nright = merge\ndef merge(line):\n    line[:] = right(line)\n    return line\n",
    "is missing": "def marge(line):\n    return line",
    "never ends for one line": RIGHT.replace(
        "tiles =", "while line == [8, 8]: pass\n    tiles =", 1
    ),
    "wrong before it never ends": RIGHT.replace(
        "tiles =", "while line == [1, 0]: pass\n    if line == [4, 4]: return []\n    tiles =", 1
    ),
    "wrong before it ends its process": RIGHT.replace(
        "tiles =",
        "if line == [4, 4]: return []\n    tiles = [0] * 10 ** 9 * line[0] if 1 in line else",
        1,
    ),
    "ends its process": "def merge(line):\n    return merge(line + [0])",
    "right once more": RIGHT,
    "raises once more": "def merge(line):\n    raise ValueError(str(line))",
    "is missing once more": "def marge(line):\n    return line",
}
TESTS = (
    "from random import Random\n\ndef twice(line):\n    return line + line\n\n"
    "check(merge, [2, 2], gives=[4, 0])\n"
    "check(merge, twice([Random(1).choice([2])]), gives=[4, 0])",
    "check(merge, [8, 8], gives=[16, 0])\ncheck.unchanged(merge, [[2, 2]])",
    "check(merge, twice([4]), gives=[8, 0])\nmerge([1, 0]) == [1, 0]",
    "0.5 if merge([2, 4, 4]) == [2, 8, 0] else 0",
)

put_all, forget_all = Session.put, Session.forget


def fresh(submission: Submission, jail: Jail) -> Verdict:
    """The verdict where nothing is known yet: each thread knows what it has judged itself."""
    found: list[Verdict] = []
    thread = Thread(target=lambda: found.append(judge(submission, jail)))
    thread.start()
    thread.join()
    return found[0]


def known(submission: Submission) -> Known:
    found = known_of(submission)
    assert found is not None
    return found


@pytest.fixture
def quick(jail: Jail) -> Iterator[Jail]:
    with limited(jail, call=2.0) as made:
        yield made


@pytest.mark.deep
def test_what_was_judged_before_changes_no_verdict(quick: Jail) -> None:
    for name, program in PROGRAMS.items():
        submission = submission_of(program, *TESTS)
        assert judge(submission, quick) == fresh(submission, quick), name
    assert known(submission_of(RIGHT, *TESTS)).repeated > 2 * len(TESTS)


@pytest.mark.parametrize(
    ("program", "first", "asked"),
    [
        ("for n in line:\n        yield n", "n", "next(it)"),
        ("return (lambda rest: lambda: rest.pop(0))(line)", "rest.pop(0)", "it()"),
    ],
    ids=["an iterator", "a function"],
)
def test_an_object_is_asked_when_the_test_asks_it(
    jail: Jail, program: str, first: str, asked: str
) -> None:
    test = f"it = merge([1, 2, 3])\nassert [{asked}, {asked}, {asked}] == [1, 2, 3]"
    for given in (first, f"1.0 * {first}"):
        source = "def merge(line):\n    " + given.join(program.rsplit(first, 1))
        submission = submission_of(source, test)
        assert is_forgetful(submission.cells)
        assert judge(submission, jail).score == 1


def closed(session: Session) -> bool:
    """As if what was asked in vain did not stop."""
    if session._expected:
        session.close()
    return not session.is_over


@pytest.mark.parametrize("forget", [closed, lambda session: bool(forget_all(session)) and False])
def test_where_it_takes_long_to_forget_questions_are_asked_one_by_one(
    jail: Jail, monkeypatch: pytest.MonkeyPatch, forget: Callable[[Session], bool]
) -> None:
    test = "".join(f"assert merge([{n}]) == [{n}]\n" for n in range(6))
    programs = [f"def merge(line):\n    return {value}" for value in ("line", "[1.0 * line[0]]")]
    right, other = [submission_of(program, test, test) for program in programs]
    assert judge(right, jail).score == 2
    together = []

    def put(session: Session, frames: bytes, seconds: float, count: int = 1) -> None:
        together.append(count)
        put_all(session, frames, seconds, count)

    monkeypatch.setattr(Session, "put", put)
    monkeypatch.setattr(Session, "forget", forget)
    assert judge(other, jail).score == 2
    assert sorted(together)[-2:] == [1, 7]


def test_tests_of_right_answers_run_once(jail: Jail) -> None:
    submission = master_submission()
    first = judge(submission, jail)
    before = known(submission).repeated
    assert judge(submission, jail) == first
    assert known(submission).repeated == before + len(first.checks)


def test_a_program_that_can_look_around_is_asked_by_a_test_that_runs() -> None:
    assert known_of(submission_of("import time\n" + RIGHT, *TESTS)) is None


def test_a_test_that_asks_otherwise_each_time_runs_each_time(jail: Jail) -> None:
    by_chance = "from course.rules import Game\nmerge([2])\nassert merge(Game(9, 9).board[0]) != 2"
    programs = [RIGHT, RIGHT, RIGHT.replace("return tiles", "return [8] or tiles")]
    verdicts = [judge(submission_of(each, by_chance), jail) for each in [*programs, *programs]]
    assert {verdict.score for verdict in verdicts} == {1.0}


def test_tests_of_another_master_are_not_known(jail: Jail) -> None:
    asked = "assert merge([2, 2]) == [{}, 0]"
    scores = [judge(submission_of(RIGHT, asked.format(n)), jail).score for n in (4, 4, 5, 4)]
    assert scores == [1, 1, 0, 1]
    given = "def right():\n    return {}"
    held = "assert merge([2, 2]) == right()"
    told = ("[4, 0]", "[4, 0]", "[0, 4]")
    verdicts = [judge(submission_of(RIGHT, held, given=given.format(n)), jail) for n in told]
    assert [verdict.score for verdict in verdicts] == [1, 1, 0]
    *cells, test = submission_of(RIGHT, held, given=given.format(told[0])).cells
    dear = Submission(LESSON, (*cells, replace(test, points=3.0)))
    assert [judge(dear, jail).score for _ in range(2)] == [3, 3]


MORE_THAN_ANSWERS = (
    "import time\nbegin = time.time()\nmerge([2])\nassert time.time() - begin < 1",
    "from time import time",
    "import random\nassert merge([random.choice([2, 4])])",
    "from random import Random\nassert merge([Random().choice([2])])",
    "from random import Random\nassert merge([Random(None).choice([2])])",
    "from random import Random\nmake = Random\nmake()",
    "from random import Random as R\nR()",
    "from random import Random\nrng = Random(1)\nrng.seed()",
    "assert open('data.txt').read() == merge([2])",
    "import numpy",
    "from . import helper",
    "merge.count = 1",
    "def helper(kept=[]):\n    kept.append(1)",
    "class Kept:\n    lines = []",
    "@merge\ndef helper():\n    pass",
    "getattr(merge, '__name__'), merge.__name__",
    "assert eval('merge([2])')",
    "is this Python?",
)


def test_a_test_that_depends_on_more_than_its_answers_runs_for_each_submission() -> None:
    assert [source for source in MORE_THAN_ANSWERS if is_repeatable(source)] == []


def test_what_a_given_cell_keeps_is_seen_by_the_next_test(jail: Jail) -> None:
    tests = ("kept.append(2)\nassert merge([8]) == [8]", "assert merge(kept) == [2]")
    changes = "def merge(line):\n    if line == [2]:\n        line.append(0)\n    return line[:1]"
    programs = [RIGHT, RIGHT, changes, changes]
    submissions = [submission_of(each, *tests, given="kept = []") for each in programs]
    assert [judge(each, jail).score for each in submissions] == [2, 2, 2, 2]


def test_what_is_known_has_a_bound() -> None:
    from autograder.judge.known import Ending
    from autograder.judge.talk import Exchange

    def nothing(questions: Sequence[Question]) -> Generator[bytes, None, None]:
        yield from (b"" for _ in questions)

    small = Known(most=10_000)
    long = CheckResult("test", 0.0, 1.0, Outcome.ERROR, "x" * 3000)
    ending = Ending(long, "", frozenset())
    said = [Exchange(bytes([number]) * 3000, "", "", b"answer") for number in range(9)]
    for number, one in enumerate(said):
        small.learn(number, [one], ending)
    assert small.repeat(0, nothing, 1) is None
    assert len(small._first) < 5
    asked = Exchange(b"", "", "", b"first")
    for number in range(9):
        small.learn("test", [replace(asked, answer=bytes([number]))], ending)
    assert len(small._first["test"].after) < 5
