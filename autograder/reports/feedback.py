"""The page for one student: checks that pass, checks that fail, and what a person said."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

from autograder.course_adapter import title_of
from autograder.gradebook.read_graded_notebook import Remark
from autograder.gradebook.read_grades import ClassGrades, GradedCell, Mark, StudentGrades
from autograder.notebook.safe_text import gathered
from autograder.reports.failure_causes import Said, error_in, take_apart
from autograder.reports.html_templates import page

_PASSED = "passed"
_EXAMPLES = 3


@dataclass(frozen=True)
class Point:
    """One graded cell, a student's mark for it, the grader's notes, and the message's parts."""

    asked: GradedCell
    mark: Mark
    remark: Remark
    said: Said

    @property
    def holds(self) -> bool:
        """True if the student got all points of the cell, and no person must still grade it."""
        return not self.mark.waits and self.mark.score >= self.asked.points

    @property
    def cause(self) -> str:
        """The reason why the check failed, as a text; the page groups checks with equal texts."""
        return self.remark.misconception or error_in(self.remark.told) or self.remark.told

    @property
    def is_hidden(self) -> bool:
        """True if the check failed, and the student may not read its message."""
        return self.remark.outcome not in ("", _PASSED) and not self.remark.told


def feedback_page(book: ClassGrades, student: StudentGrades, notebook: str) -> str:
    """Return the HTML page for a student about one notebook."""
    every = []
    for asked in book.asked:
        if asked.key[0] == notebook:
            mark = student.marks.get(asked.key, Mark(0.0))
            remark = student.notes.remarks.get(asked.key, Remark())
            every.append(Point(asked, mark, remark, take_apart(remark.told, book.assignment)))
    unreadable = student.notes.unreadable.get(notebook)
    tests = [] if unreadable else [point for point in every if not point.asked.is_by_hand]
    by_hand = [point for point in every if point.asked.is_by_hand]
    return page(
        "feedback.html",
        title=title_of(book.assignment),
        notebook=notebook if len(book.notebooks) > 1 else "",
        student=student,
        name=student.result.name,
        has_points=True,
        unreadable=[unreadable] if unreadable else [],
        result=student.result,
        holding=[point for point in tests if point.holds],
        causes=causes_in(tests),
        by_hand=by_hand,
        comments=[
            (book.called.get(key, key[1]), text)
            for key, text in student.comments.items()
            if key[0] == notebook and key not in {point.asked.key for point in by_hand}
        ],
        problems=gathered(student.notes.problems.get(notebook, ())),
        untouched=[name for key, name in sorted(student.untouched.items()) if key[0] == notebook],
    )


def told_page(answer: Mapping[str, Any], student: str, notebook: str = "") -> str:
    """Return the HTML page about a hand-in that was checked as soon as it came.

    `answer` is made by `autograder/serve/answers_to_students.py`. If the answer has checks of
    several notebooks, the page is only about `notebook`; if this is "", it is about all of them.
    """
    is_one = bool(notebook) and any("/" in one["id"] for one in answer["checks"])
    before = f"{notebook}.ipynb: " if is_one else ""
    reasons = [one for one in answer.get("unreadable", "").splitlines() if one.startswith(before)]

    def is_shown(name: str) -> bool:
        folder, slash, _ = name.partition("/")
        begin = f"{folder}.ipynb: " if slash else ""
        is_read = not any(reason.startswith(begin) for reason in reasons)
        return is_read and (folder == notebook or not is_one)

    every, unsaid = [], []
    for one in (one for one in answer["checks"] if is_shown(one["id"])):
        if one["outcome"] in ("manual", "not_told"):
            unsaid.append(one["idea"])
            continue
        score = one.get("points", one["max_points"] if one["outcome"] == _PASSED else 0.0)
        named = one["misconception"] or "", one["mistake"], one["hint"]
        remark = Remark(one["outcome"], *named, told=one["message"])
        asked = GradedCell(("", one["id"]), one["idea"], one["max_points"], False)
        said = take_apart(one["message"], answer["assignment"])
        every.append(Point(asked, Mark(score), remark, said))
    return page(
        "told.html",
        title=title_of(answer["assignment"]),
        answer=answer,
        at=datetime.fromisoformat(answer["handed_in_at"]),
        name=student,
        has_points="score" in answer,
        unreadable=reasons,
        left=answer.get("attempts_left"),
        untouched=[one for one in answer.get("untouched", ()) if is_shown(one)],
        holding=[point for point in every if point.holds],
        causes=causes_in(every),
        unsaid=unsaid,
        problems=gathered(one for one in answer["problems"] if one.startswith(before)),
    )


def causes_in(points: Iterable[Point]) -> list[dict[str, Any]]:
    """Return the checks that failed, grouped by the reason why: one dictionary for each reason.

    `points` are the checks with this reason, those with a hidden message last. If the reason is a
    known mistake, the remark of the first check has its name and hint. `examples` are the checks
    that the page shows in full, none with a hidden message: the first three if the reason is a
    known mistake and no message has a Python error, else only the first. `error` is the Python
    error in the first message, or "" if it has none or only one check has this reason.
    """
    groups: dict[str, list[Point]] = {}
    for point in points:
        if not point.holds:
            groups.setdefault(point.cause or str(point.asked.key), []).append(point)
    causes = []
    for group in groups.values():
        group.sort(key=attrgetter("is_hidden"))
        first, shown = group[0].remark, [point for point in group if not point.is_hidden]
        has_error = any(error_in(point.remark.told) for point in shown)
        examples = shown[: _EXAMPLES if first.mistake and not has_error else 1]
        error = error_in(first.told) if len(group) > 1 else ""
        causes.append({"points": group, "examples": examples, "error": error})
    return causes
