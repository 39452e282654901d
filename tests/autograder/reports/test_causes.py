"""The cause of every lost point, also if the mistake is not a known one."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from autograder.gradebook.read_graded_notebook import Key, Notes, Remark
from autograder.gradebook.read_grades import ClassGrades, GradedCell, Mark, Result, StudentGrades
from autograder.reports.class_report import (
    Mistake,
    example_of,
    items_of,
    lost_by,
    mistakes_of,
    report_page,
)
from autograder.reports.failure_causes import Said, cause_of, causes_of
from autograder.reports.feedback import Point, causes_in, feedback_page, told_page
from autograder.reports.similar_answers import groups_of

CELL = ("lesson", "merge")
NO_MERGE = "NameError: name 'merge' is not defined"
STOPPED = f"{NO_MERGE}; its cell stopped with "
UNWRITTEN = (
    "merge([2])\n  expected  [2]\n"
    "  got       NotImplementedError: the line raise NotImplementedError() is still there"
)
LONG = """
def merge(line):
    kept = []
    for tile in line:
        if tile != 0:
            kept.append(tile)
    while len(kept) < len(line):
        kept.append(0)
    return kept
"""


def student(name: str = "ada", **facts: Any) -> StudentGrades:
    return StudentGrades(Result(name, "", "", True, 5.0), **facts)


def someone(name: str, answer: str = "", **remark: str) -> StudentGrades:
    """Return a student with one answer and one lost check, on which `remark` is noted."""
    return student(name, notes=Notes(remarks={CELL: Remark(**remark)}, answers={CELL: answer}))


def book_of(*people: StudentGrades, cells: Iterable[GradedCell] = ()) -> ClassGrades:
    return ClassGrades("", "lesson", None, tuple(cells), people)


def asked(name: str) -> GradedCell:
    return GradedCell(("lesson", name), name, 1.0, is_by_hand=False)


BY_HAND = GradedCell(CELL, "Say why.", 5.0, is_by_hand=True)


LACKS = "AttributeError: 'Game' object has no attribute"
RENAMED = "There is no `{}`; it may have another name"
STOPS = "SyntaxError: expected ':' (merge, line 1)"
OUTSIDE = "IndexError: out of range (merge, line 3)"


@pytest.mark.parametrize(
    ("outcome", "told", "cause"),
    [
        ("passed", "", ""),
        ("error", f"{STOPPED}{STOPS}", f"The cell stops: {STOPS}"),
        ("error", NO_MERGE, RENAMED.format("merge")),
        ("failed", "this Game has no move yet. Write it", RENAMED.format("Game.move")),
        ("error", f"{LACKS} 'add'", f"{LACKS} 'add'"),
        ("failed", f"merge([2])\n  got       {OUTSIDE}", OUTSIDE),
        ("timeout", "merge did not come back", "It does not come back in time"),
        ("crashed", "it ended", "It ends the process that it runs in"),
        ("failed", f"{UNWRITTEN} here", ""),
        ("failed", "merge([2])\n  got  [4]", "Wrong answers that have no name yet"),
        ("failed", "", "Only a hidden test fails"),
    ],
)
def test_a_lost_check_has_a_cause(outcome: str, told: str, cause: str) -> None:
    assert cause_of(Remark(outcome, told=told)) == cause
    named = Remark(outcome, "id", "Tiles are lost", told=told)
    assert cause_of(named) == ("Tiles are lost" if cause else "")


@pytest.mark.parametrize("told", [f"{UNWRITTEN} here", "NotImplementedError (merge, line 4)"])
def test_where_nothing_was_written_that_is_the_cause(told: str) -> None:
    one = replace(someone("ada", outcome="failed", told=told), untouched={CELL: "merge"})
    assert causes_of(one) == ("Nothing was written in `merge`",)


def test_a_file_that_can_not_be_read_is_a_cause_but_no_mistake() -> None:
    reason = "the file is empty"
    notes = Notes({"lesson": (reason, "more")}, {"lesson": reason}, remarks={CELL: Remark("x")})
    assert causes_of(student(notes=notes)) == ("the file is empty",)
    assert mistakes_of(book_of(student(notes=notes))) == []


def test_a_page_made_at_once_tells_of_each_notebook_its_own_checks_and_problems() -> None:
    usual = {"max_points": 1, "misconception": "", "mistake": "", "hint": "", "message": "?"}
    told = ["a.ipynb: it is old", "b.ipynb: it is empty", "c.ipynb: it is cut off"]
    answer = {
        "assignment": "three",
        "handed_in_at": "2026-03-01T12:00",
        "checks": [
            {**usual, "id": f"{name}/t", "idea": f"idea of {name}", "outcome": "failed"}
            for name in "abc"
        ],
        "problems": told,
        "unreadable": "\n".join(told[1:]),  # `a` was only repaired
        "untouched": ["a/q", "b/q", "c/q"],
    }
    pages = {name: told_page(answer, "ada", name) for name in ("a", "b", "c", "")}
    words = (*told, *(f"idea of {name}" for name in "abc"), "a/q", "b/q", "could be graded")
    found = {name: [one for one in words if one in page] for name, page in pages.items()}
    assert found == {
        "a": [told[0], "idea of a", "a/q"],
        "b": [told[1], "could be graded"],
        "c": [told[2], "could be graded"],
        "": [*told[1:], "idea of a", "a/q", "could be graded"],
    }
    assert ["Not all could" in pages[""], "Nothing could" in pages["b"]] == [True, True]


def test_errors_that_differ_by_an_attribute_or_a_line_are_one_mistake() -> None:
    other = f"{LACKS} 'a' (b, line 1)"
    told = (f"{LACKS} '_board' (move, line 3)", f"{LACKS} 'grid' (move, line 4)", other)
    people = (someone(f"{n}", outcome="error", told=text) for n, text in enumerate(told))
    found = mistakes_of(book_of(*people))
    assert [one.title for one in found] == [f"{LACKS} … (move)", other]
    assert [[who.result.name for who in one.students] for one in found] == [["0", "1"], ["2"]]


def alike(*answers: str) -> list[tuple[tuple[str, ...], bool, tuple[str, ...]]]:
    people = (someone(f"{n}", text, outcome="crashed", told="x") for n, text in enumerate(answers))
    found = groups_of(book_of(*people))
    return [(group.students, group.is_renamed, group.causes) for group in found]


def test_who_wrote_the_same_under_other_names_is_asked_about() -> None:
    other = LONG.replace("kept", "my_tiles").replace("tile ", "x ").replace("(tile)", "(x)")
    shared = ("It ends the process that it runs in",)
    assert alike(LONG, other) == [(("0", "1"), True, shared)]
    assert alike(LONG, LONG + "# mine") == [(("0", "1"), False, shared)]


def test_another_way_to_do_it_and_a_usual_one_are_no_question() -> None:
    another = """
def merge(line):
    values = sorted([square for square in line], key=lambda value: value == 0)
    return [value * 2 if value else 0 for value in values][: len(line)] + []
"""
    assert alike(LONG, another) == []
    assert alike(*(LONG.replace("kept", name) for name in ("a", "bb", "ccc", "d"))) == []


def test_an_answer_that_no_lexer_of_python_ends_with_is_compared_as_any_other() -> None:
    endless = 'text = "' + "\\N{" * 100_000
    assert [group[:2] for group in alike(LONG, endless, LONG, endless)] == [
        (("0", "2"), False),
        (("1", "3"), False),
    ]


def test_tests_that_hold_use_up_no_examples() -> None:
    hidden = [Point(asked(f"h{n}"), Mark(0), Remark("failed", "x", "X"), Said()) for n in range(3)]
    shown = Point(asked("s"), Mark(0), Remark("failed", "x", "X", told="merge([2])"), Said())
    [cause] = causes_in([*hidden, shown])
    assert cause["examples"] == [shown]


def test_a_cell_for_a_person_says_how_many_wait() -> None:
    waits = Mark(0.0, waits=True)
    people = [student(f"{n}", marks={CELL: one}) for n, one in enumerate([Mark(0.0), waits, waits])]
    book = book_of(*people, cells=[BY_HAND])
    (item,) = items_of(book)
    assert (item.passed, item.count, item.waiting) == (0, 1, 2)
    assert "2 wait for a person" in report_page(book, {}, {}, {}, {})


def test_a_persons_points_and_words_on_a_cell_stand_together() -> None:
    said: dict[Key, str] = {
        CELL: "Well said:\n\n- **short**<script>1</script>",
        ("lesson", "other"): "Look here.",
    }
    ada = student(marks={CELL: Mark(4.0)}, comments=said)
    page = feedback_page(book_of(ada, cells=[BY_HAND]), ada, "lesson")
    _, own, other = page.split('<div class="card person">')
    assert "4 of 5 points" in own
    assert "<li><strong>short</strong></li>" in own
    assert "script" not in own
    assert "About <code>other</code>" in other
    assert "Well said" not in other


def test_points_given_by_a_person_count_also_if_they_are_to_be_looked_at_again() -> None:
    ada = student(marks={CELL: Mark(4.0, is_again=True)})
    ada = replace(ada, result=replace(ada.result, score_before_penalty=4.0, cells_again=1))
    page = feedback_page(book_of(ada, cells=[BY_HAND]), ada, "lesson")
    assert "4 of 5 points. Your notebook was graded again since" in page
    assert "can still come" not in page
    assert "has not read" not in page


def test_a_comment_is_proposed_for_one_mistake_and_not_for_all_without_a_name() -> None:
    ada = student()
    mixed, one = Mistake("Only a hidden test fails", (ada, ada), {}), Mistake("M", (ada,), {})
    assert example_of([mixed, one]) == one
    assert example_of([mixed]) == mixed


def test_no_discrimination_is_not_below_nothing() -> None:
    points = [0.5, 0.5] * 5 + [0.4, 0.4] * 4 + [0.5001, 0.5]
    people = (
        student(f"{n}", marks={("lesson", "a"): Mark(n % 2), ("lesson", "b"): Mark(b)})
        for n, b in enumerate(points)
    )
    book = book_of(*people, cells=map(asked, "ab"))
    assert {str(item.discrimination) for item in items_of(book)} == {"0.0"}


def test_points_that_wait_say_nothing_of_how_strong_a_student_is() -> None:
    people = []
    for number in range(12):
        of_tests = dict.fromkeys([("lesson", "a"), ("lesson", "b")], Mark(float(number > 3)))
        by_hand = Mark(5.0) if number <= 3 else Mark(0.0, waits=True)
        people.append(student(f"{number}", marks={CELL: by_hand, **of_tests}))
    book = book_of(*people, cells=[BY_HAND, *map(asked, "ab")])
    assert [item.discrimination for item in items_of(book)] == [None, 1.0, 1.0]


@pytest.mark.parametrize(
    ("held", "lost"),
    [("abcdef", ""), ("", "all"), ("a", "all but a"), ("abcd", "e, f")],
)
def test_what_was_lost_is_said_the_shorter_way(held: str, lost: str) -> None:
    cells = [asked(name) for name in "abcdef"]
    marks = {one.key: Mark(float(one.idea in held)) for one in cells}
    assert lost_by(book_of(cells=cells), student(marks=marks)) == lost
