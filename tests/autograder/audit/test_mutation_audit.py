"""The audit finds wrong programs that keep full marks, and asserts that catch them."""

import json
import re
import sys
from pathlib import Path
from subprocess import run

import pytest

from autograder.audit.compare_replies import replies_to
from autograder.audit.generate_probes import Probe, varied
from autograder.audit.mutations import changed_sources
from autograder.jail import WarmJail
from tests.autograder.assignment_builder import Assignment, answer, given, graded, notebook
from tests.autograder.conftest import Autograder
from tests.autograder.grading_helpers import student, submission

pytestmark = pytest.mark.slow

GROWN = "if age >= 18:\n    return 'adult'\nreturn 'child'"
WEAK = "assert group(30) == 'adult'\nassert group(3) == 'child'"
STRONG = f"{WEAK}\nassert group(18) == 'adult'\nassert group(17) == 'child'"


def put(course: Path, test: str, solution: str = GROWN, more: str = "") -> None:
    cells = [answer("group", solution, "def group(age):"), graded("groups", test)]
    cells += [graded("again", more)] if more else []
    Assignment("ages", {"ages": notebook(*cells)}).put(course)


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\nc.Jail.cell = 2.0\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_a_weak_test_lets_pass_is_caught_by_the_asserts_that_are_proposed(
    course: Path, autograder: Autograder
) -> None:
    put(course, WEAK)
    said = autograder("audit", "ages", "--workers", 1, "--into", "page.html")
    assert said.exit_code == 1, said.output
    assert "+ if age > 18:" in re.sub(" +", " ", said.stdout)
    proposed = [line.strip() for line in said.stdout.splitlines() if "    assert" in line]
    assert "assert group(18) == 'adult'" in proposed
    page = (course / "page.html").read_text()
    assert "if age &gt; 18:" in page
    assert "group(18)" in page
    put(course, "\n".join([WEAK, *dict.fromkeys(proposed)]))
    again = autograder("audit", "ages", "--workers", 1)
    assert again.exit_code == 0, again.output
    assert "+" not in again.stdout


def test_a_strong_test_lets_nothing_pass_and_weak_tests_are_told(
    course: Path, autograder: Autograder
) -> None:
    put(course, STRONG, more="assert callable(group)")
    said = autograder("audit", "ages", "--workers", 1)
    assert said.exit_code == 0, said.output
    assert "0 keep full marks" in said.stdout
    assert "again: no change to the answer key made it fail." in said.stdout


@pytest.mark.deep
def test_tests_without_points_catch_as_much_as_others(course: Path, autograder: Autograder) -> None:
    named = graded("named", "assert 'group' in dir()", 0)  # true only inside
    cells = [answer("group", GROWN, "def group(age):"), graded("groups", STRONG, 0), named]
    Assignment("ages", {"ages": notebook(*cells)}).put(course)
    assert "1 not protected" in autograder("verify", "ages").stdout
    said = autograder("audit", "ages", "--workers", 1)
    assert said.exit_code == 0, said.output
    assert "0 keep full marks" in said.stdout


@pytest.mark.deep
def test_a_test_may_hand_in_a_function_without_a_name(course: Path, autograder: Autograder) -> None:
    cell = answer("twice", "return f(f(n)) * n", "def twice(f, n):")
    test = graded("groups", "assert twice(lambda n: n * n, 1) == 1")
    Assignment("ages", {"ages": notebook(cell, test)}).put(course)
    said = autograder("audit", "ages", "--workers", 1)
    assert said.exit_code == 1, said.output
    assert "    assert twice(lambda n: n * n, " in said.stdout


@pytest.mark.deep
def test_a_function_that_is_written_again_later_is_asked_before(
    course: Path, autograder: Autograder
) -> None:
    cells = [
        given("begin", "%reset -f"),
        answer("draft", "return n + 1", "def grown(n):"),
        answer("first", "return n + 2", "def grown(n):"),
        graded("groups", "assert grown(1) > 1"),
        answer("better", "return max(n, 0) + 2", "def grown(n):"),
        graded("again", "assert [grown(n) for n in (-1, 0, 1)] == [2, 2, 3]"),
    ]
    Assignment("ages", {"ages": notebook(*cells)}).put(course)
    said = autograder("audit", "ages", "--workers", 1).stdout
    for change, place in (
        ("2", "To paste into a new test below draft:"),
        ("3", "To paste at the end of the test groups:"),
    ):
        assert re.search(rf"return n \+ {change}\n    grown\(.*{place}\n    assert grown", said), (
            said
        )
    assert (
        said.count("To paste into a new test below draft:\n  assert") == 1
    )  # among those that catch every wrong program


@pytest.mark.parametrize("hidden", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_an_assert_is_tried_at_the_end_of_the_test_to_which_it_belongs(
    course: Path, autograder: Autograder, hidden: bool
) -> None:
    lines = "step = 9\nassert more(0) in (9, -9)"
    marks = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"
    test = marks.format(lines) if hidden else lines

    def put_test(text: str) -> None:
        cells = [
            given("before", "step = 5"),
            answer("first", "return n + step", "def more(n):"),
            graded("groups", text),
            given("next", "step = 7"),
            graded("end", "assert step == 7"),
        ]
        Assignment("ages", {"ages": notebook(*cells)}).put(course)

    put_test(test)
    said = autograder("audit", "ages", "--workers", 1)
    assert said.exit_code == 1, said.output
    assert "To paste at the end of the test groups:" in said.stdout
    [proposed] = re.findall(r"^    (assert .*)", said.stdout, re.M)
    put_test(test.replace(lines, f"{lines}\n{proposed}"))
    again = autograder("audit", "ages", "--workers", 1)
    assert again.exit_code == 0, again.output


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
    course: Path, autograder: Autograder, solution: str, tests: str, told: str
) -> None:
    cell = answer("group", solution, "def f(them):")
    Assignment("ages", {"ages": notebook(cell, graded("groups", tests))}).put(course)
    said = autograder("audit", "ages", "--workers", 1)
    assert said.exit_code == 0, said.output
    wrong, arguable = said.stdout.split("Arguable, ")
    assert "These together" not in wrong
    assert "assert" not in wrong
    assert told in arguable
    assert "0 answer otherwise than the answer key" in arguable


@pytest.mark.deep
def test_an_input_with_an_answer_like_those_in_the_tests_is_shown_first(
    course: Path, autograder: Autograder
) -> None:
    solution = "d = b * b - 4 * c\nreturn (-b - d ** 0.5) / 2, (-b + d ** 0.5) / 2"
    cell = answer("roots", solution, "def roots(b, c):")
    Assignment("ages", {"ages": notebook(cell, graded("g", "assert roots(1, 0) == (-1, 0)"))}).put(
        course
    )
    said = autograder("audit", "ages", "--workers", 1).stdout
    [told] = re.findall(r"\(-b \+ d \*\* 0.5\) \* 2\n    (roots.*; the answer.*)", said)
    assert "j)" not in told


def test_what_was_learned_of_the_answer_key_is_kept(course: Path, autograder: Autograder) -> None:
    put(course, WEAK)
    autograder("audit", "ages", "--minutes", 0)
    file = course / ".autograder-plans" / "ages.pickle"
    before = file.stat().st_mtime_ns
    assert "0 of" in autograder("audit", "ages", "--minutes", 0).stdout
    assert file.stat().st_mtime_ns == before
    put(course, STRONG)
    autograder("audit", "ages", "--minutes", 0)
    assert file.stat().st_mtime_ns > before


@pytest.mark.deep
def test_two_arguments_are_tried_with_the_same_value(course: Path, autograder: Autograder) -> None:
    found = "return any(chr(97 + n) in one and chr(97 + n) in other for n in range(26))"
    tests = "assert share('abc', 'cde') == True\nassert share('zx', 'yw') == False"
    cell = answer("share", found, "def share(one, other):")
    Assignment("ages", {"ages": notebook(cell, graded("groups", tests))}).put(course)
    said = autograder("audit", "ages", "--workers", 1)
    assert "assert share('z', 'z') == True" in said.stdout, said.output


@pytest.mark.deep
def test_answers_with_arrays_are_told_apart_up_to_rounding(
    course: Path, autograder: Autograder
) -> None:
    halves = answer("halves", "return np.tril(a) / 3, np.triu(a, 1) / 3", "def halves(a):")
    test = (
        "import numpy as np\nlow, high = halves(np.ones((9, 9)) * 1.23456789)\n"
        "assert low.shape == high.shape"
    )
    Assignment("ages", {"ages": notebook(halves, graded("groups", test))}).put(course)
    said = autograder("audit", "ages", "--workers", 1)
    assert said.exit_code == 1, said.output
    assert "+ return np.tril(a) / 3, np.triu(a, 2) / 3" in re.sub(" +", " ", said.stdout)
    lines = [line[4:] for line in said.stdout.splitlines()]
    place = lines.index("from numpy.testing import assert_allclose")
    caught = [*lines[place : place + 2], f"    {lines[place + 2].strip()}"]
    right = "def halves(a):\n    return np.tril(a / 3), np.triu(a / 3, 1)"  # rounded otherwise
    for program, is_right in ((right, True), (right.replace("/ 3, 1", "/ 4, 1"), False)):
        said_of = run([sys.executable, "-c", "\n".join(["import numpy as np", program, *caught])])
        assert (said_of.returncode == 0) == is_right


def test_errors_and_what_is_printed_are_told_apart(course: Path, autograder: Autograder) -> None:
    solution = "if not names:\n    raise ValueError('nobody')\nprint(names[0])"
    cell = answer("greet", solution, "def greet(names):")
    test = graded("groups", "assert greet(['a', 'b']) is None")
    Assignment("ages", {"ages": notebook(cell, test)}).put(course)
    said = autograder("audit", "ages", "--workers", 1)
    assert said.exit_code == 1, said.output
    assert "A change could not be graded" not in said.stdout
    assert "greet(['a', 'b']) prints 'b\\n'; the answer key prints 'a\\n'." in said.stdout
    assert "greet([]) raises IndexError; the answer key raises ValueError." in said.stdout


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


@pytest.mark.deep
def test_a_change_that_never_ends_costs_its_own_time_only(
    course: Path, autograder: Autograder
) -> None:
    put(course, "assert group(3) == 3", "n = 0\nwhile n < age:\n    n += 1\nreturn n")
    said = autograder("audit", "ages", "--workers", 1)
    [file] = (course / "audits").iterdir()
    tried = [json.loads(line) for line in file.read_text().splitlines()]
    endless = [one for one in tried if one["after"].strip() in ("n -= 1", "while True:", "pass")]
    assert len(endless) >= 3
    assert all(one["failed"] == ["groups"] for one in endless)
    assert re.search(r"(\d+) of \1 small changes", said.stdout), said.output


@pytest.mark.deep
def test_a_run_that_is_out_of_time_goes_on_where_it_stopped(
    course: Path, autograder: Autograder
) -> None:
    put(course, STRONG)
    stopped = autograder("audit", "ages", "--workers", 1, "--minutes", 0)
    assert "no change" not in stopped.stdout
    assert stopped.exit_code == 1
    assert re.match(r"0 of \d+ small changes", stopped.stdout.splitlines()[-2]), stopped.stdout
    assert autograder("audit", "ages", "--workers", 1).exit_code == 0
    [file] = (course / "audits").iterdir()
    whole = file.read_text().splitlines(keepends=True)
    file.write_text("".join(whole[:3]) + whole[3][:20])  # as after `kill -9`
    assert autograder("audit", "ages", "--workers", 1).exit_code == 0
    assert len(file.read_text().splitlines()) == len(whole) + 1
    put(course, WEAK)  # with another master, no saved result counts
    assert autograder("audit", "ages", "--workers", 1).exit_code == 1


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
