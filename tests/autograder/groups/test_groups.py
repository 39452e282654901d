"""Groups of wrong programs that do the same; a name for a group counts for all students in it."""

import re
import shutil
from pathlib import Path

import pytest

from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.read_grades import read_class
from autograder.groups.group_names_file import FILE
from autograder.reports.class_report import WrongGroup, wrong_groups_of
from tests.autograder.assignment_builder import STUB, Assignment, answer, graded, notebook, plain
from tests.autograder.conftest import Autograder

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("groups")]

HIDDEN = "\n### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"
EVEN, MEAN, STACK = "def is_even(n):", "def mean(numbers):", "class Stack:"
NOTHING = "    # YOUR CODE HERE\n    raise NotImplementedError()"
INIT = "    def __init__(self):\n        self.items = []\n"
PUSH = "    def push(self, item):\n        self.items.append(item)\n"
POP = "    def pop(self):\n        return self.items.pop()"
LOOP = "    total = 0\n    for number in numbers:\n        total += number\n"
WRONG = {  # group → programs of students who do the same wrong thing
    "odd is even": {
        "ada": {"even": f"{EVEN}\n    return n % 2 == 1"},
        "bob": {"even": f"{EVEN}\n    if n % 2:\n        return True\n    return False"},
        "cleo": {"even": "is_even = lambda n: bool(n & 1)"},
    },
    "a number, not a flag": {
        "dan": {"even": f"{EVEN}\n    return 1 - n % 2"},
        "eva": {"even": f"{EVEN}\n    return (n + 1) % 2"},
    },
    "only small numbers are even": {"mia": {"even": f"{EVEN}\n    return n % 2 == 0 and n < 8000"}},
    "nothing comes back": {"fay": {"even": f"{EVEN}\n    print(n % 2 == 0)"}},
    "rounded down": {
        "gus": {"mean": f"{MEAN}\n    return int(sum(numbers) / len(numbers))"},
        "hal": {"mean": f"{MEAN}\n{LOOP}    return round(total / len(numbers) - 0.25)"},
    },
    "one too few": {
        "ivy": {"mean": f"{MEAN}\n    return sum(numbers) / (len(numbers) - 1)"},
        "jan": {"mean": f"{MEAN}\n    n = len(numbers)\n    return sum(numbers) / (n - 1)"},
    },
    "the first one comes out": {
        "kim": {"stack": f"{STACK}\n{INIT}{PUSH}{POP[:-1]}0)"},
        "leo": {"stack": f"{STACK}\n{INIT}{PUSH}    def pop(self):\n"
                "        first, *self.items = self.items\n        return first"},
    },
}  # fmt: skip
SHOWN = "stack = Stack()\nstack.push(1)\n"
COURSE = Assignment(
    "ps1",
    {
        "ps1": notebook(
            plain("# Numbers and stacks", "markdown"),
            answer("even", "return n % 2 == 0", EVEN),
            graded("even-shown", "assert is_even(4) is True\nassert is_even(3) is False"),
            graded("even-more", f"assert not is_even(7){HIDDEN.format('assert is_even(8676)')}"),
            answer("mean", "return sum(numbers) / len(numbers)", MEAN),
            graded("mean-shown", "assert abs(mean([1, 2, 4, 6]) - 3.25) < 1e-9"),
            graded("mean-more", f"mean([4, 4]){HIDDEN.format('assert mean([8675, 8676]) > 8675')}"),
            answer("stack", f"{STACK}\n{INIT}{PUSH}{POP}"),
            graded("stack-order", f"{SHOWN}stack.push(2)\nassert stack.pop() == 2"),
            graded("stack-state", f"{SHOWN}assert stack.items == [1]", 2),
        )
    },
    answers={student: texts for ones in WRONG.values() for student, texts in ones.items()}
    | {"right": {}, "stub": {"even": f"{EVEN}\n{NOTHING}", "stack": STUB}},
)  # fmt: skip


@pytest.fixture(scope="module")
def graded_once(
    tmp_path_factory: pytest.TempPathFactory, new_gradebook: Path, autograder: Autograder
) -> Path:
    """Return the folder of a course whose tests are plain asserts, with its students graded."""
    course = tmp_path_factory.mktemp("groups") / "course"
    course.mkdir()
    shutil.copyfile(new_gradebook, course / "gradebook.db")
    COURSE.put(course)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course)
        autograder("init")
        with (course / "nbgrader_config.py").open("a") as config:
            config.write("c.CourseDirectory.course_id = '2048'\n")
        said = autograder("grade", "ps1", "--workers", 1)
    assert said.exit_code == 0, said.output
    return course


@pytest.fixture
def course(graded_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = Path(shutil.copytree(graded_once, tmp_path / "course"))
    monkeypatch.chdir(copy)
    return copy


def groups() -> list[WrongGroup]:
    return wrong_groups_of(read_class(CourseFolder(), "ps1"))


def group_of(*students: str) -> WrongGroup:
    [found] = [one for one in groups() if {s.result.name for s in one.students} == set(students)]
    return found


def page(student: str) -> str:
    return Path("feedback", student, "ps1", "ps1.html").read_text("utf-8")


def report(autograder: Autograder, *before: str) -> str:
    """Return the page of the class, which is made after the commands `before` were run."""
    for command in (*before, "report ps1"):
        said = autograder(*command.split())
        assert said.exit_code == 0, said.output
    return Path("reports/ps1.html").read_text("utf-8")


@pytest.mark.usefixtures("course")
def test_programs_that_do_the_same_are_together_and_say_what_was_asked_and_answered():
    found = sorted(sorted(student.result.name for student in one.students) for one in groups())
    assert found == sorted(sorted(ones) for ones in WRONG.values())
    odd, few = group_of("ada", "bob", "cleo"), group_of("ivy", "jan")
    assert odd.program == WRONG["odd is even"]["cleo"]["even"]
    told = odd.difference
    assert (told.cell, told.question) == ("even", "is_even(4)")
    assert (told.answer, told.expected) == ("False", "True")
    assert (few.difference.answer, few.difference.expected) == ("4.33333333", "3.25")
    stack = group_of("kim", "leo").difference
    assert (stack.question, stack.answer, stack.expected) == ("Stack.pop()", "1", "2")


@pytest.mark.usefixtures("course")
def test_a_name_reaches_those_graded_before_and_after_and_the_report_counts_it(
    autograder: Autograder,
):
    group = group_of("gus", "hal").difference.group
    said = autograder("name", "ps1", group, "It `rounds` down", "--hint", "What gives 3.25? <b>")
    assert said.exit_code == 0, said.output
    shutil.copytree("submitted/gus", "submitted/zoe")
    text = report(autograder, "grade ps1 --workers 1", "feedback ps1")
    for student in ("gus", "hal", "zoe"):
        assert "It <code>rounds</code> down" in page(student)
        assert "What gives 3.25? &lt;b&gt;" in page(student)
    assert "rounds" not in page("ivy")
    assert re.search(r"It <code>rounds</code> down</th><td class=\"number\">3</td>", text)
    assert "gus" in autograder("comment", "ps1", "Look.", "--mistake", "It rounds").output
    assert "It rounds down" in autograder("check", "submitted/zoe/ps1/ps1.ipynb").output


def test_a_name_that_is_given_this_year_counts_earlier_years_too(
    course: Path, tmp_path: Path, autograder: Autograder
):
    shutil.copytree(course, tmp_path / "last year")
    autograder("name", "ps1", group_of("gus", "hal").difference.group, "It rounds down")
    assert autograder("report", "ps1", "--before", tmp_path / "last year").exit_code == 0
    text = Path("reports/ps1.html").read_text("utf-8")
    row = re.search(r"<tr><th scope=\"row\">It rounds down</th><td.*every year.*</tr>", text)
    assert row is not None
    assert len(re.findall(r">2 \(\d+ %\)</td>", row[0])) == 2


@pytest.mark.usefixtures("course")
def test_what_hidden_tests_ask_is_in_the_report_alone(autograder: Autograder):
    for one in groups():
        autograder("name", "ps1", one.difference.group, "A name", "--hint", "A hint")
    shown = report(autograder, "feedback ps1")
    pages = "".join(page(student) for student in COURSE.answers)
    assert not [one for one in groups() if one.difference.group in pages]
    assert ("8675" in pages, "A hint" in pages, "8676" in shown) == (False, True, True)


@pytest.mark.deep
def test_a_group_outlives_another_run_and_lines_below_and_the_report_tells_of_empty_ones(
    course: Path, autograder: Autograder
):
    path, first, last = course / "source/ps1/ps1.ipynb", "assert is_even(4)", "is_even(3) is False"
    before = {one.difference.group for one in groups()}
    report(autograder, "grade ps1 --workers 1 --force")
    assert {one.difference.group for one in groups()} == before
    group, other = (group_of(*ones).difference.group for ones in (("ada", "bob", "cleo"), ["fay"]))
    (course / FILE).write_text(f'[ps1.{group}]\ntitle = "Odd"\n[ps1.{other}]\ntitle = "Prints"')

    def told(line: str, new: str) -> tuple[int, bool]:
        master = path.read_text()
        assert line in master
        path.write_text(master.replace(line, new))
        text = report(autograder, "grade ps1 --workers 1")
        return [one.name for one in groups()].count("Odd"), f"<code>{group}</code>: Odd" in text

    assert told(last, f"{last}\\nassert is_even(1) is False") == (1, False)
    assert told(first, f"assert is_even(2) is True\\n{first}") == (0, True)


@pytest.mark.parametrize(
    ("group", "title", "said"),
    [
        ("mean-000000", "A title", "no group 'mean-000000'. Its groups are: is_even-"),
        ("", " ", "The title is empty"),
    ],
    ids=["no such group", "no title"],
)
def test_a_name_that_cannot_be_given_gets_a_sentence(
    course: Path, autograder: Autograder, group: str, title: str, said: str
):
    result = autograder("name", "ps1", group or groups()[0].difference.group, title)
    assert (result.exit_code, said in result.output) == (2, True), result.output
    assert not (course / FILE).exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[ps1.a]\ntitle = "A"\n[ps1.b]\ntitle = B"\n', "line 4"),
        ('[ps1.a]\ntitle = "A"\n[ps1.b-1]\nhint = "B"\n', "line 3: b-1 needs a title"),
        ('title = "A"\n', "line 1: title needs a title"),
    ],
    ids=["no TOML", "no title", "no group"],
)
def test_names_that_were_broken_by_hand_get_a_sentence_with_the_line(
    course: Path, autograder: Autograder, text: str, said: str
):
    (course / FILE).write_text(text)
    result = autograder("feedback", "ps1")
    assert (result.exit_code, said in result.output) == (2, True), result.output


def test_names_by_hand_and_by_the_command_stand_in_one_file(course: Path, autograder: Autograder):
    one, other = (found.difference.group for found in groups()[:2])
    (course / FILE).write_text(f'# Mine\n[ps1.{one}]\ntitle = "By hand \N{WAVING HAND SIGN}"')
    autograder("name", "ps1", other, 'By "command"')
    names = [found.name for found in groups()[:2]]
    assert names == ["By hand \N{WAVING HAND SIGN}", 'By "command"']
    assert (course / FILE).read_text().startswith("# Mine\n")
    again = autograder("name", "ps1", other, "Another")
    assert (again.exit_code, "change it there" in again.output) == (2, True)
