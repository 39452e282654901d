"""The audit finds wrong programs that keep full marks, and asserts that catch them."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import run

import pytest
from click.testing import Result

from autograder.audit.compare_replies import replies_to
from autograder.audit.generate_probes import Probe, varied
from autograder.audit.mutations import changed_sources
from autograder.jail import WarmJail
from tests.autograder.assignment_builder import Assignment, Cell, answer, given, graded, notebook
from tests.autograder.conftest import Autograder
from tests.autograder.grading_helpers import student, submission

pytestmark = pytest.mark.slow

GROWN = "if age >= 18:\n    return 'adult'\nreturn 'child'"
WEAK = "assert group(30) == 'adult'\nassert group(3) == 'child'"
STRONG = f"{WEAK}\nassert group(18) == 'adult'\nassert group(17) == 'child'"
Audit = Callable[..., Result]


def group(test: str, points: int = 1, solution: str = GROWN) -> list[Cell]:
    """Return the cells of an answer, `group`, and of its test."""
    return [answer("group", solution, "def group(age):"), graded("groups", test, points)]


@pytest.fixture
def audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autograder: Autograder) -> Audit:
    """Return a function that puts cells into an assignment, `ages`, and audits its tests."""
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\nc.Jail.cell = 2.0\n")
    monkeypatch.chdir(tmp_path)

    def audited(cells: list[Cell], *options: str | int, status: int = 1) -> Result:
        Assignment("ages", {"ages": notebook(*cells)}).put(tmp_path)
        said = autograder("audit", "ages", "--workers", 1, *options)
        assert said.exit_code == status, said.output
        return said

    return audited


def tried(folder: Path) -> tuple[Path, list[str]]:
    """Return the file of results in a course folder, and its lines."""
    [file] = (folder / "audits").iterdir()
    return file, file.read_text().splitlines()


def test_what_a_weak_test_lets_pass_is_caught_by_the_asserts_that_are_proposed(
    audit: Audit, tmp_path: Path
) -> None:
    said = audit(group(WEAK), "--into", "page.html").stdout
    assert "+ if age > 18:" in re.sub(" +", " ", said)
    proposed = [line.strip() for line in said.splitlines() if "    assert" in line]
    assert "assert group(18) == 'adult'" in proposed
    page = (tmp_path / "page.html").read_text()
    assert "if age &gt; 18:" in page
    assert "group(18)" in page
    again = audit(group("\n".join([WEAK, *dict.fromkeys(proposed)])), status=0)
    assert "+" not in again.stdout


def test_a_strong_test_lets_nothing_pass_and_weak_tests_are_told(audit: Audit) -> None:
    said = audit([*group(STRONG), graded("again", "assert callable(group)")], status=0).stdout
    assert "0 keep full marks" in said
    assert "again: no change to the answer key made it fail." in said


@pytest.mark.deep
def test_tests_without_points_catch_as_much_as_others(audit: Audit, autograder: Autograder) -> None:
    named = graded("named", "assert 'group' in dir()", 0)  # true only inside
    assert "0 keep full marks" in audit([*group(STRONG, 0), named], status=0).stdout
    assert "1 not protected" in autograder("verify", "ages").stdout


@pytest.mark.deep
@pytest.mark.parametrize(
    ("head", "solution", "test", "proposed"),
    [
        pytest.param(
            "def twice(f, n):",
            "return f(f(n)) * n",
            "assert twice(lambda n: n * n, 1) == 1",
            "    assert twice(lambda n: n * n, ",
            id="a function without a name",
        ),
        pytest.param(
            "def share(one, other):",
            "return any(chr(97 + n) in one and chr(97 + n) in other for n in range(26))",
            "assert share('abc', 'cde') == True\nassert share('zx', 'yw') == False",
            "assert share('z', 'z') == True",
            id="the same value twice",
        ),
    ],
)
def test_an_assert_may_hand_in(
    audit: Audit, head: str, solution: str, test: str, proposed: str
) -> None:
    said = audit([answer("one", solution, head), graded("groups", test)])
    assert proposed in said.stdout, said.output


@pytest.mark.deep
def test_a_function_that_is_written_again_later_is_asked_before(audit: Audit) -> None:
    cells = [
        given("begin", "%reset -f"),
        answer("draft", "return n + 1", "def grown(n):"),
        answer("first", "return n + 2", "def grown(n):"),
        graded("groups", "assert grown(1) > 1"),
        answer("better", "return max(n, 0) + 2", "def grown(n):"),
        graded("again", "assert [grown(n) for n in (-1, 0, 1)] == [2, 2, 3]"),
    ]
    said = audit(cells).stdout
    below, end = "To paste into a new test below draft:", "To paste at the end of the test groups:"
    for change, place in (("2", below), ("3", end)):
        told = rf"return n \+ {change}\n    grown\(.*{place}\n    assert grown"
        assert re.search(told, said), said
    # among those that catch every wrong program
    assert said.count(f"{below}\n  assert") == 1


@pytest.mark.parametrize("hidden", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_an_assert_is_tried_at_the_end_of_the_test_to_which_it_belongs(
    audit: Audit, hidden: bool
) -> None:
    def cells(*lines: str) -> list[Cell]:
        marked = ["### BEGIN HIDDEN TESTS", *lines, "### END HIDDEN TESTS"]
        return [
            given("before", "step = 5"),
            answer("first", "return n + step", "def more(n):"),
            graded("groups", "\n".join(marked if hidden else lines)),
            given("next", "step = 7"),
            graded("end", "assert step == 7"),
        ]

    test = "step = 9", "assert more(0) in (9, -9)"
    said = audit(cells(*test)).stdout
    assert "To paste at the end of the test groups:" in said
    [proposed] = re.findall(r"^    (assert .*)", said, re.M)
    audit(cells(*test, proposed), status=0)


@pytest.mark.parametrize(
    ("solution", "tests", "told"),
    [
        (
            "if not them:\n    return 0\nreturn sum(them)",
            "assert f([2, 3]) == 5\nassert f([4]) == 4",
            "return 1\n    f([]) gives 1; the answer key gives 0.",
        ),
        (
            "if them == 1:\n    return 'one'\nreturn 'more'",
            "assert f(1) == 'one'\nassert f(2) == 'more'",
            "if them <= 1:\n    f(0) gives 'one'; the answer key gives 'more'.",
        ),
        (
            "return them + 1, them",
            "assert set(f(3)) == {4, 3}\nassert set(f(6)) == {7, 6}",
            "return (them, them + 1)\n    f(1) gives (1, 2); the answer key gives (2, 1).",
        ),
    ],
)
def test_programs_that_differ_in_what_tests_leave_open_stand_apart(
    audit: Audit, solution: str, tests: str, told: str
) -> None:
    said = audit([answer("group", solution, "def f(them):"), graded("groups", tests)], status=0)
    wrong, arguable = said.stdout.split("Arguable, ")
    assert "These together" not in wrong
    assert "assert" not in wrong
    assert told in arguable
    assert "0 answer otherwise than the answer key" in arguable


@pytest.mark.deep
def test_an_input_with_an_answer_like_those_in_the_tests_is_shown_first(audit: Audit) -> None:
    solution = "d = b * b - 4 * c\nreturn (-b - d ** 0.5) / 2, (-b + d ** 0.5) / 2"
    cell = answer("roots", solution, "def roots(b, c):")
    said = audit([cell, graded("g", "assert roots(1, 0) == (-1, 0)")]).stdout
    [told] = re.findall(r"\(-b \+ d \*\* 0.5\) \* 2\n    (roots.*; the answer.*)", said)
    assert "j)" not in told


def test_what_was_learned_of_the_answer_key_is_kept(audit: Audit, tmp_path: Path) -> None:
    file = tmp_path / ".autograder-plans" / "ages.pickle"
    audit(group(WEAK), "--minutes", 0)
    before = file.stat().st_mtime_ns
    assert "0 of" in audit(group(WEAK), "--minutes", 0).stdout
    assert file.stat().st_mtime_ns == before
    audit(group(STRONG), "--minutes", 0)
    assert file.stat().st_mtime_ns > before


@pytest.mark.deep
def test_answers_with_arrays_are_told_apart_up_to_rounding(audit: Audit) -> None:
    halves = answer("halves", "return np.tril(a) / 3, np.triu(a, 1) / 3", "def halves(a):")
    test = (
        "import numpy as np\nlow, high = halves(np.ones((9, 9)) * 1.23456789)\n"
        "assert low.shape == high.shape"
    )
    said = audit([halves, graded("groups", test)]).stdout
    assert "+ return np.tril(a) / 3, np.triu(a, 2) / 3" in re.sub(" +", " ", said)
    lines = [line[4:] for line in said.splitlines()]
    place = lines.index("from numpy.testing import assert_allclose")
    caught = [*lines[place : place + 2], f"    {lines[place + 2].strip()}"]
    right = "def halves(a):\n    return np.tril(a / 3), np.triu(a / 3, 1)"  # rounded otherwise
    for program, is_right in ((right, True), (right.replace("/ 3, 1", "/ 4, 1"), False)):
        done = run([sys.executable, "-c", "\n".join(["import numpy as np", program, *caught])])
        assert (done.returncode == 0) == is_right


def test_errors_and_what_is_printed_are_told_apart(audit: Audit) -> None:
    solution = "if not names:\n    raise ValueError('nobody')\nprint(names[0])"
    cell = answer("greet", solution, "def greet(names):")
    said = audit([cell, graded("groups", "assert greet(['a', 'b']) is None")]).stdout
    assert "A change could not be graded" not in said
    assert "greet(['a', 'b']) prints 'b\\n'; the answer key prints 'a\\n'." in said
    assert "greet([]) raises IndexError; the answer key raises ValueError." in said


@pytest.mark.deep
def test_a_change_that_never_ends_costs_its_own_time_only(audit: Audit, tmp_path: Path) -> None:
    solution = "n = 0\nwhile n < age:\n    n += 1\nreturn n"
    said = audit(group("assert group(3) == 3", solution=solution), status=0)
    rows = [json.loads(line) for line in tried(tmp_path)[1]]
    endless = [one for one in rows if one["after"].strip() in ("n -= 1", "while True:", "pass")]
    assert len(endless) >= 3
    assert all(one["failed"] == ["groups"] for one in endless)
    assert re.search(r"(\d+) of \1 small changes", said.stdout), said.output


@pytest.mark.deep
def test_a_run_that_is_out_of_time_goes_on_where_it_stopped(audit: Audit, tmp_path: Path) -> None:
    stopped = audit(group(STRONG), "--minutes", 0).stdout
    assert "no change" not in stopped
    assert re.match(r"0 of \d+ small changes", stopped.splitlines()[-2]), stopped
    audit(group(STRONG), status=0)
    file, whole = tried(tmp_path)
    file.write_text("\n".join([*whole[:3], whole[3][:20]]))  # as after `kill -9`
    audit(group(STRONG), status=0)
    assert len(tried(tmp_path)[1]) == len(whole) + 1
    audit(group(WEAK))  # with another master, no saved result counts


def test_an_endless_answer_hides_none_of_those_behind_it(jail: WarmJail) -> None:
    asked = ["iter(int, 1)"] * 10 + ["iter([1, 2])"]
    replies = replies_to(
        jail, submission(student("", "group")), {"group": [Probe("", one) for one in asked]}
    )
    assert [one.kind for one in replies["group"]] == ["object"] * 10 + ["list"]


@pytest.mark.parametrize(
    ("call", "other", "tiers"),
    [
        ("f([1, 2, 3])", "f([1, 3])", {0}),
        ("f((1, 2, 3))", "f((1, 3))", {1}),  # the exercise may be about three
        ("f([1, 2], 7)", "f([2, 1], 7)", {0}),
        ("f('ab', 3)", "f('ab', 4)", {0}),
        ("f('ab', 3)", "f(3, 3)", set()),
    ],
)
def test_an_argument_is_varied_as_one_of_its_type(call: str, other: str, tiers: set[int]) -> None:
    probes = varied([Probe("", call)], "f")
    assert {probe.tier for probe in probes if probe.asked == other} == tiers


@pytest.mark.parametrize(
    ("right", "mistaken"),
    [
        ("board[row][column]", "board[column][row]"),
        ("join(one, other)", "join(other, one)"),
        ("(one, other)", "(other, one)"),
    ],
)
def test_two_that_are_easily_mixed_up_are_exchanged(right: str, mistaken: str) -> None:
    assert f"x = {mistaken}" in [text for _, text in changed_sources(f"x = {right}", {1})]


def test_a_change_leaves_all_other_text_as_it_is() -> None:
    source = "def f(a):  # why\n    return a < 'x'  # so"
    found = [text for _, text in changed_sources(source, {2})]
    assert "def f(a):  # why\n    return a <= 'x'  # so" in found
    assert all(text.startswith("def f(a):  # why\n") for text in found)
