"""The inputs of hidden tests: nothing that a student can read shows them."""

import re
from collections.abc import Callable

import pytest

from autograder.grading_data import Cell, Outcome, Verdict
from autograder.jail import WarmJail
from autograder.judge import Uses, judge
from autograder.misconceptions import catalogue
from tests.autograder.grading_helpers import (
    LESSON,
    THINKS,
    asks,
    learned,
    limited,
    student,
    submission,
)
from tests.autograder.judge.program_cases import cases
from tests.parametrize_marks import some_in_every_run

SECRET = 424242
ASKS = asks(f"merge([{SECRET}])", "hidden", "")


KEEPS = "asked = []\ndef merge(line): asked.append(line)"
Judged = Callable[..., Verdict]


@pytest.fixture
def judged(jail: WarmJail) -> Judged:
    """Return a function that judges a submission of some cells, with some limits changed."""

    def verdict(*cells: Cell, **limits: float) -> Verdict:
        with limited(jail, **limits):
            return judge(submission(*cells), jail)

    return verdict


@pytest.mark.parametrize(
    ("merge", "later", "shown"), cases("later_cells", "merge", "later", "shown")
)
def test_a_later_cell_shows_what_it_shows_without_tests(
    judged: Judged, merge: str, later: str, shown: list[str] | str
):
    limits = {"cell": 0.5} if shown != "" else {}
    verdict = judged(student(merge), ASKS, student(later, "later"), ASKS, **limits)
    assert str(SECRET) not in str(verdict.outputs)
    if shown != "":
        assert [output["text"] for output in verdict.outputs["later"]] == shown


@pytest.mark.parametrize("begin", ["", "import os\n"], ids=["blind", "can look around"])
def test_a_later_cell_shows_what_it_shows_beside_the_lines_that_a_test_shares(
    judged: Judged, begin: str
):
    shares = asks("import math\nassert root(4) == 2", "test")
    root = student(begin + "def root(x): return math.sqrt(x)", "root")
    verdict = judged(root, shares, student("print(root(9))", "later"))
    assert verdict.outputs["later"][0].get("text") == "3.0\n"


def test_cells_before_the_first_test_show_what_they_have_shown(judged: Judged):
    random = student("import random; print(random.random()); merge = print", "random")
    verdict = judged(random, ASKS, student("print(2)", "last"))
    assert [verdict.outputs[name][0]["text"][:1] for name in ("random", "last")] == ["0", "2"]


def test_the_error_of_a_cell_that_is_told_with_a_missing_name_has_seen_no_test(judged: Judged):
    first = student(KEEPS, "first")
    broken = student("raise ValueError(asked)", "broken")
    *_, check = judged(first, ASKS, broken, asks("broken")).checks
    assert "its cell stopped with ValueError: []" in check.message


@pytest.mark.deep
def test_a_later_cell_that_never_comes_to_its_end_says_so(judged: Judged):
    cells = student("while True: pass", "loop"), student("print(2)", "later")
    verdict = judged(student("merge = print"), ASKS, *cells, cell=0.5)
    assert "within its 0.5 s" in str(verdict.outputs["loop"])
    assert verdict.outputs["later"][0]["text"] == "2\n"


@pytest.mark.parametrize(
    ("merge", "outcome", "tells"),
    [
        ("def merge(line): raise ValueError(line)", Outcome.ERROR, True),
        ("import os\ndef merge(line): os._exit(0)", Outcome.CRASHED, False),
        ("def merge(line):\n    while True: pass", Outcome.TIMEOUT, False),
    ],
)
def test_a_message_says_whether_it_may_tell_what_was_asked(
    judged: Judged, merge: str, outcome: Outcome, tells: bool
):
    [check] = judged(student(merge), ASKS, call=0.3).checks
    assert (check.outcome, check.tells) == (outcome, tells)
    assert tells or str(SECRET) not in check.message


def test_no_word_of_a_forged_answer_is_in_the_message(judged: Judged):
    merge = f"""
from autograder.jail.inside import child
child.Server._call = lambda self, question: {{"value": {{"{SECRET}": 1}}}}
def merge(line): pass
"""
    [check] = judged(student(merge), ASKS).checks
    assert (check.outcome, str(SECRET) in check.message) == (Outcome.CRASHED, False)


@pytest.mark.deep
def test_no_number_in_a_message_tells_what_was_asked(judged: Judged):
    """Two numbers could show a hidden input: a forged message's length, and the seconds left."""
    forges = f"""
import os, socket, struct
def merge(line):
    for number in range(3, 64):
        try:
            wire = socket.socket(fileno=os.dup(number))
            wire.send(struct.pack(">I", line[0] + {2**31 - SECRET}))
        except OSError:
            pass
"""
    waits = f"{THINKS}def merge(line): think(0.1 * line[0] if line else 9)"
    asks_again = asks("merge([2])\nmerge([])")
    [frame] = judged(student(forges), ASKS).checks
    [late] = judged(student(waits), asks_again, cell=0.8, call=0.7).checks
    assert (frame.outcome, late.outcome) == (Outcome.CRASHED, Outcome.TIMEOUT)
    assert re.findall(r"\d{3}|0\.[^8]", frame.message + late.message) == []


WAYS = (
    "return 5",
    "return type('Seen%s' % line, (), {})()",
    "return slice(1)",
    "raise ValueError(line)",
    "raise type('Seen', (Exception,), {})(line)",
    "raise SystemExit(line[0])",
    "os._exit(1)",
    "os.kill(os.getpid(), signal.SIGSEGV)",
    "os.kill(os.getpid(), signal.SIGKILL)",
    "resource.setrlimit(resource.RLIMIT_AS, (0, 0)) or b'x' * 10**9",
    "kept = [bytearray(10**8) for _ in range(40)]",
    "os.closerange(3, 99)",
    "os.write(3, b'garbage' * line[0])",
    "child.Server._call = lambda *_: {'value': {'odd': 1}}; return 1",
    "print('x' * 10**7); return 5",
    "while True: pass",
)


@pytest.mark.deep
def test_a_hidden_test_tells_two_bits_at_most(judged: Judged):
    """In whatever way a function ends on a hidden input, its author reads one of four results."""
    chosen = "".join(
        f"    if line == [{SECRET + n}]:\n        {way}\n" for n, way in enumerate(WAYS)
    )
    imports = "import os, resource, signal\nfrom autograder.jail.inside import child\n"
    merge = student(f"{imports}def merge(line):\n{chosen}    return 7")
    read = set()
    for number in range(len(WAYS) + 1):
        test = f"assert merge([{SECRET + number}]) == 7"
        hidden = asks(test, "hidden", "assert merge([2])")
        verdict = judged(merge, hidden, call=0.2)
        [check] = verdict.checks
        named = check.misconception, check.mistake, check.hint
        read.add((check.points, check.told, *named, str(verdict.outputs)))
    named_or_not = {words[2:] for words in read}
    assert (len(read), len(named_or_not)) == (4, 2)
    assert str(SECRET)[:4] not in str(read)


def test_what_a_student_is_told_comes_from_a_process_that_saw_no_hidden_test(judged: Judged):
    merge = """
import builtins
asked = vars(builtins).setdefault("asked", [])
def merge(line):
    asked.append(line)
    if line == [8]:
        raise ValueError(asked)
"""
    hidden = asks(f"merge([2])\nmerge([{SECRET}])", "first", "merge([2])")
    broken = asks(f"assert merge([{SECRET}])", "second", "merge([2])")
    shown = asks("merge([8])", "third")
    _, second, third = judged(student(merge), hidden, broken, shown).checks
    assert str(SECRET) in third.message
    assert third.told.startswith("ValueError: [[2], ")
    assert str(SECRET) not in third.told
    assert (second.outcome, second.told) == (Outcome.FAILED, "")


def test_of_plain_assertions_the_line_that_students_have_is_told_and_no_hidden_one(judged: Judged):
    shown, hidden = "assert merge([1]) == 1\n", f"assert merge([{SECRET}]) == {SECRET}\n"
    last = "assert merge([3]) == 3, 'three'"
    one = asks(shown + hidden + last, "one", shown + last)
    two = asks(shown + hidden, "two", shown)
    checks = judged(student("def merge(line): return 1"), one, two).checks
    told = "AssertionError: three (line 2: assert merge([3]) == 3, 'three')"
    assert [(check.outcome, check.told) for check in checks] == [
        (Outcome.FAILED, told),
        (Outcome.FAILED, ""),
    ]


def test_the_mistake_that_is_named_comes_from_a_process_that_saw_no_hidden_test(judged: Judged):
    merge = f"""
import builtins
asked = vars(builtins).setdefault("asked", [])
def merge(line):
    asked.append(line)
    return None if [{SECRET}] in asked else [0] * len(line)
"""
    hidden = f"from course import check\ncheck(merge, [{SECRET}], gives=[{SECRET}])"
    tests = (
        asks(hidden, "merge-once", "from course import check"),
        asks("from course import check\ncheck(merge, [2], gives=[2])", "no-chain"),
    )
    checks = judged(student(merge), *tests).checks
    assert [(check.misconception, bool(check.told)) for check in checks] == [
        ("no-tiles", False),
        ("no-tiles", True),
    ]
    assert [check.message.endswith(f"Hint: {check.hint}") for check in checks] == [True, True]


def test_the_texts_about_a_hidden_mistake_are_the_catalogues_not_the_programs(judged: Judged):
    known = next(one for one in catalogue(LESSON) if one.exercise == "merge")
    merge = f"""
from autograder.jail.inside import child
child._mistake = lambda diagnosis: {{
    "id": "{known.id}", "exercise": "merge", "title": "{SECRET}", "nudge": "{SECRET}"
}}
def merge(line):
    return [0] * len(line)
"""
    hidden = f"from course import check\ncheck(merge, [{SECRET}], gives=[{SECRET}])"
    test = asks(hidden, "merge-once", "from course import check")
    [check] = judged(student(merge), test).checks
    assert (check.mistake, check.hint) == (known.title, known.nudge)


def test_the_points_of_a_visible_test_tell_nothing_of_a_hidden_one(jail: WarmJail):
    """A program that has seen a hidden input could choose the points that its author reads."""
    tests = (
        asks(f"merge([{SECRET}])", "hidden", ""),
        asks("merge([2])[0] / 1_000_000", "shown"),
        asks("assert merge([4]) == [1_000_000]", "lost"),
    )
    key = "def merge(line): return [1_000_000]"
    spy = f"""
seen = [1_000_000]
def merge(line):
    if line[0] == {SECRET}:
        seen[0] -= line[0]
    return seen
"""
    uses = learned(jail, submission(student(key), *tests))
    checks = judge(submission(student(spy), *tests), jail, uses).checks
    assert [check.points for check in checks] == [1.0, 1.0, 1.0]


STACK = """
import sys
def is_inside():
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_filename != "shown":
        frame = frame.f_back
    return frame is not None
"""
CHOOSES = {
    "points": """
    if is_inside(): return 0
    return 2 if not seen or seen == [bit] else 0
""",
    "a sentence": """
    if is_inside(): raise CheckFailed()
    while seen == [1]: pass
    return 0
""",
    "no sentence": """
    if is_inside(): return 2
    while seen == [1]: pass
    return 0
""",
}


@pytest.mark.parametrize("chooses", some_in_every_run(CHOOSES, ["a sentence"]))
def test_what_is_learned_of_a_test_that_hides_nothing_is_the_same_for_each_hidden_input(
    jail: WarmJail, chooses: str
):
    key = student("def merge(line): return 2")
    choosing = f"""{STACK}
class CheckFailed(Exception): pass
seen, bit = [], 1
def merge(line):
    if line: return seen.append(line[0] - {SECRET}) or 2
{chooses}"""
    shown = asks("assert merge([]) == 2", "shown")
    read = set()
    for hidden in (0, 1):
        first = f"assert merge([{SECRET + hidden}]) == 2"
        tests = (
            asks(f"x = 1\n{first}", "hidden", "x = 1"),
            shown,
            asks(f"{first}\nx = 1", "last", "x = 1"),
        )
        uses = learned(jail, submission(key, *tests))
        assert uses.alone == {"shown"}
        with limited(jail, call=0.2):
            _, check, last = judge(submission(student(choosing), *tests), jail, uses).checks
        read.add((check.points, check.outcome, check.told, check.misconception))
        assert bool(check.told) == (check.points == 0)
        assert last.points == 1
    assert len(read) == 1


def test_visible_lines_before_and_after_hidden_ones_run_before_a_later_test(jail: WarmJail):
    counts = student(
        "class Seen:\n    count = 0\nseen = Seen()\n"
        "def merge(line):\n    seen.count += 1\n    return seen"
    )
    lines = "merge([1]).count", f"merge([{SECRET}])", "merge([2]).count"
    tests = (
        asks("\n".join(lines), "hidden", f"{lines[0]}\n{lines[2]}"),
        asks("assert merge([3]).count in (3, 4)", "shown"),
    )
    uses = Uses(is_learning=True)
    for _ in range(2):
        checks = judge(submission(counts, *tests), jail, uses).checks
        uses = Uses.from_json(uses.as_json())
        assert (checks[1].points, uses.alone) == (1.0, {"shown"})


def test_each_run_has_the_same_number_no_others_and_an_empty_folder(judged: Judged):
    look = "str((os.getpid(), os.getppid(), os.listdir('/proc'), os.listdir('/tmp')))"
    merge = f"""
import os
def merge(line):
    raise ValueError({look})
os.spawnlp(os.P_WAIT, "true", "true")
"""
    verdict = judged(student(merge), ASKS, student(look, "later"), asks("merge([8])"))
    asked, told = verdict.checks
    alone = "(1, 0, [], [])"
    assert verdict.outputs["later"][0]["data"]["text/plain"] == repr(alone)
    assert alone in asked.message
    assert alone in told.told


def test_all_that_a_student_reads_was_there_before_anything_hidden_was_asked(judged: Judged):
    """All texts come from an earlier process, so not even a clock in them can reveal an input."""
    merge = "import time\ndef merge(line): raise ValueError(time.monotonic_ns())"
    later = student("time.monotonic_ns()", "later")
    verdict = judged(student(merge), ASKS, later, asks("merge([8])"))
    asked, last = verdict.checks
    first_asked = int(re.findall(r"\d{6,}", asked.message)[0])
    assert int(verdict.outputs["later"][0]["data"]["text/plain"]) < first_asked
    assert int(re.findall(r"\d{6,}", last.told)[0]) < first_asked
