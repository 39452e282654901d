"""The page about the class: the scores, the hard checks, the mistakes, and the similar answers."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import mean, median

from autograder.course_adapter import title_of
from autograder.gradebook.read_grades import ClassGrades, StudentGrades
from autograder.notebook.safe_text import gathered, lost_in_short
from autograder.reports.failure_messages import causes_of
from autograder.reports.item_analysis import items_of
from autograder.reports.pages import page
from autograder.reports.similar_answers import groups_of

_BARS = 10
_SLOWEST = 5
_GROUPS = 12


@dataclass(frozen=True)
class Mistake:
    """A cause of lost points, in words, and the students who lost points for this cause."""

    title: str
    students: tuple[StudentGrades, ...]


def report_page(book: ClassGrades, pages: dict[str, str]) -> str:
    """Return the HTML page about the class; `pages` is a dictionary: student → link to a page."""
    here = [one for one in book.students if one.result.handed_in]
    scores = [one.result.score for one in here]
    timed = [(one, one.notes.seconds) for one in here if one.notes.seconds is not None]
    return page(
        "report.html",
        title=title_of(book.assignment),
        book=book,
        pages=pages,
        here=here,
        anchors={one.result.student: f"student-{n}" for n, one in enumerate(book.students)},
        names={one.result.student: one.name for one in book.students},
        mean=mean(scores) if scores else 0.0,
        median=median(scores) if scores else 0.0,
        max_score=book.students[0].result.max_score if book.students else 0.0,
        bars=_bars(here),
        items=items_of(book),
        mistakes=mistakes_of(book),
        missing=[one for one in book.students if one.result.is_missing],
        seen=[one for one in book.students if one.result.seen],
        late=[one for one in here if one.result.late_seconds],
        waiting=[one for one in here if one.result.points_waiting],
        withdrawn=[one for one in here if one.result.is_withdrawn],
        unreadable=[one for one in here if not one.notes.is_readable],
        repaired=[one for one in here if one.notes.problems],
        slowest=sorted(timed, key=lambda pair: -pair[1])[:_SLOWEST],
        groups=groups_of(book),
        causes={one.result.student: causes_of(one) for one in book.students},
        lost={one.result.student: lost_by(book, one) for one in here},
        gathered=gathered,
        most_groups=_GROUPS,
    )


def mistakes_of(book: ClassGrades) -> list[Mistake]:
    """Return the causes of lost points, the most frequent first."""
    made: dict[str, list[StudentGrades]] = defaultdict(list)
    for one in book.students:
        if one.notes.is_readable:
            for cause in causes_of(one):
                made[cause].append(one)
    found = [Mistake(title, tuple(who)) for title, who in made.items()]
    return sorted(found, key=lambda mistake: (-len(mistake.students), mistake.title))


def lost_by(book: ClassGrades, student: StudentGrades) -> str:
    """Return the names of a student's failed checks or, if shorter, "all but" the passed checks."""
    lost: dict[bool, list[str]] = {True: [], False: []}
    for one in book.asked:
        mark = student.marks.get(one.key)
        if mark is not None and not mark.waits:
            lost[mark.score < one.points].append(one.key[1])
    return lost_in_short(lost[True], lost[False])


def _bars(here: Iterable[StudentGrades]) -> list[int]:
    """Return ten counts of students: with 0 to 10 % of the points, with 10 to 20 %, and so on."""
    counts = [0] * _BARS
    for one in here:
        share = one.result.score / one.result.max_score if one.result.max_score else 0.0
        counts[min(_BARS - 1, int(share * _BARS))] += 1
    return counts
