"""The page about the class: the scores, the hard checks, the mistakes, and the similar answers.

An item analysis says how hard each check is, and how well it tells strong from weak students.
"""

import shlex
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import truediv
from statistics import correlation, mean, median
from typing import NamedTuple

from autograder.course_adapter import title_of
from autograder.gradebook.read_graded_notebook import Key
from autograder.gradebook.read_grades import ClassGrades, GradedCell, Mark, StudentGrades
from autograder.grading_data import Difference
from autograder.groups.group_names_file import Named
from autograder.notebook.safe_text import gathered, lost_in_short
from autograder.reports.failure_causes import UNNAMED, causes_of, kind_of, where_lost
from autograder.reports.html_templates import page
from autograder.reports.similar_answers import groups_of

_BARS = 10
_SLOWEST = 5
_FEW = 10  # for fewer students, no correlation is given
_OPEN = "It is not protected: it runs beside the students' code, which may change what comes out."
_LOW, _EASY, _HARD = 0.1, 0.95, 0.2


@dataclass(frozen=True)
class Mistake:
    """A cause of lost points, in words, and the students who lost points for this cause.

    `cells` is a dictionary: student → the first cell in which the mistake shows.
    """

    title: str
    students: tuple[StudentGrades, ...]
    cells: Mapping[str, Key]

    @property
    def typed(self) -> str:
        """The title as a person types it in a terminal: without backticks."""
        return self.title.replace("`", "")

    def comment_command(self, assignment: str) -> str:
        """Return the command that writes a comment to all students who made the mistake."""
        title = shlex.quote(self.typed)
        if not set(self.typed) & set('"$\\!'):
            title = f'"{self.typed}"'  # easier to read if the title has an apostrophe
        return f'autograder comment {shlex.quote(assignment)} --mistake {title} "Your comment."'


@dataclass(frozen=True)
class WrongGroup:
    """Students whose programs do the same wrong thing in one cell.

    `difference` holds the first question (such as a call) of a test that the programs answer
    wrongly, with the answers. `name` is the title of the mistake, or empty. `called` is the name of
    the cell on pages, and `program` the shortest of the students' answers in it.
    """

    difference: Difference
    students: tuple[StudentGrades, ...]
    name: str
    called: str
    program: str

    @property
    def is_alone(self) -> bool:
        """True if only one student's program does this."""
        return len(self.students) == 1

    def name_command(self, assignment: str) -> str:
        """Return the command with which a person gives the group a name."""
        words = shlex.join(["autograder", "name", assignment, self.difference.group])
        return f'{words} "TITLE" --hint "HINT"'


def wrong_groups_of(book: ClassGrades) -> list[WrongGroup]:
    """Return the groups of wrong programs, the largest first; untouched answers are in none."""
    found: dict[tuple[str, str], list[tuple[StudentGrades, Difference, str]]] = defaultdict(list)
    for one in book.students:
        for (notebook, _), remark in one.notes.remarks.items():
            told = remark.difference
            if told is not None and (notebook, told.cell) not in one.untouched:
                found[notebook, told.group].append((one, told, remark.mistake))
    groups = []
    for (notebook, _), ones in found.items():
        difference = ones[0][1]
        key = notebook, difference.cell
        students = tuple({one.result.student: one for one, _, _ in ones}.values())
        names = Counter(name for _, _, name in ones if name).most_common(1)
        program = min((one.notes.answers.get(key, "") for one in students), key=len)
        called = book.called.get(key, difference.cell)
        name = names[0][0] if names else ""
        groups.append(WrongGroup(difference, students, name, called, program))
    return sorted(groups, key=lambda one: (-len(one.students), one.difference.group))


class Trend(NamedTuple):
    """A mistake over the years: `counts` are the numbers of students who made it, year by year.

    `changed` are the years in which the text above the answer with the mistake was not the same as
    the year before. `remark` says in a word or two if the mistake comes back, such as "gone".
    """

    title: str
    counts: list[int]
    changed: list[str]
    remark: str


def trends_of(years: Mapping[str, ClassGrades]) -> list[Trend]:
    """Return the trends of all mistakes, those with the largest shares of students first.

    `years` is a dictionary from names of years to grades, the oldest year first, this year last.
    """
    made = [{kind_of(one.typed): one for one in mistakes_of(book)} for book in years.values()]
    sizes = [sum(one.result.handed_in for one in book.students) or 1 for book in years.values()]
    found, names, books = [], list(years), list(years.values())
    for kind in dict.fromkeys(kind for of_year in reversed(made) for kind in of_year):
        counts = [len(of_year[kind].students) if kind in of_year else 0 for of_year in made]
        latest = next(place for place in reversed(range(len(made))) if counts[place])
        mistake, book = made[latest][kind], books[latest]
        cell = min(mistake.cells.values())
        answer = book.answer_cells.get(cell, cell)
        texts = [one.texts.get(answer) for one in books]
        changed = [names[n] for n in range(1, len(names)) if texts[n] != texts[n - 1]]
        title = mistake.title if counts.count(0) == len(counts) - 1 else kind
        *before, now = counts
        again = "every year" if all(before) else "back" if not before[-1] else "still there"
        remark = "gone" if not now else "new" if not any(before) else again
        found.append(Trend(title, counts, changed, remark))
    return sorted(found, key=lambda one: -sum(map(truediv, one.counts, sizes)))


def report_page(
    book: ClassGrades,
    pages: dict[str, str],
    served: Mapping[str, tuple[int, int]],
    before: Mapping[str, ClassGrades],
    by_hand: Mapping[str, Named],
) -> str:
    """Return the HTML page about the class.

    `pages` is a dictionary from students to links to their feedback pages; `served` is as in
    `make_report`. `before` is a dictionary from earlier years to their grades, the oldest first.
    `by_hand` is a dictionary from groups of wrong programs to the names that a person gave them;
    the page lists named groups without students, too.
    """
    years = {**before, "this year": book} if before else {}
    mistakes = mistakes_of(book)
    here = [one for one in book.students if one.result.handed_in]
    results = [one.result for one in here]
    scores = [one.score for one in results]
    shares = [one.score / one.max_score if one.max_score else 0.0 for one in results]
    # students with 0 to 10 % of the points, with 10 to 20 %, and so on
    bars = Counter(min(_BARS - 1, int(share * _BARS)) for share in shares)
    timed = [(one, one.notes.seconds) for one in here if one.notes.seconds is not None]
    remarks = [remark for one in book.students for remark in one.notes.remarks.values()]
    in_use = {remark.difference.group for remark in remarks if remark.difference}
    return page(
        "report.html",
        title=title_of(book.assignment),
        book=book,
        pages=pages,
        years={
            name: sum(one.result.handed_in for one in of.students) for name, of in years.items()
        },
        trends=trends_of(years),
        served=sorted(served.items(), key=lambda pair: (-pair[1][0], pair[0])),
        anchors={one.result.student: f"student-{n}" for n, one in enumerate(book.students)},
        names={one.result.student: one.result.name for one in book.students},
        mean=mean(scores) if scores else 0.0,
        median=median(scores) if scores else 0.0,
        max_score=book.students[0].result.max_score if book.students else 0.0,
        bars=[bars[n] for n in range(_BARS)],
        items=items_of(book),
        mistakes=mistakes,
        example=example_of(mistakes) if mistakes else None,
        wrong_groups=wrong_groups_of(book),
        idle={group: by_hand[group].mistake for group in sorted(by_hand.keys() - in_use)},
        slowest=sorted(timed, key=lambda pair: -pair[1])[:_SLOWEST],
        groups=groups_of(book),
        causes={one.result.student: causes_of(one) for one in book.students},
        lost={one.result.student: lost_by(book, one) for one in here},
        gathered=gathered,
    )


def mistakes_of(book: ClassGrades) -> list[Mistake]:
    """Return the causes of lost points, the most frequent first."""
    made: dict[str, dict[str, tuple[str, Key]]] = defaultdict(dict)
    for one in book.students:
        for cause, cell in where_lost(one).items():
            made[kind_of(cause)].setdefault(one.result.student, (cause, cell))
    found = []
    for kind, by_student in made.items():
        causes = {cause for cause, _ in by_student.values()}
        students = tuple(one for one in book.students if one.result.student in by_student)
        cells = {student: cell for student, (_, cell) in by_student.items()}
        found.append(Mistake(causes.pop() if len(causes) == 1 else kind, students, cells))
    return sorted(found, key=lambda mistake: (-len(mistake.students), mistake.title))


def example_of(mistakes: Sequence[Mistake]) -> Mistake:
    """Return the first mistake whose title is not in `UNNAMED`; if there is none, the first one."""
    return next((one for one in mistakes if one.title not in UNNAMED), mistakes[0])


def lost_by(book: ClassGrades, student: StudentGrades) -> str:
    """Return the names of a student's failed checks, or "all but" the passed ones if shorter."""
    lost: dict[bool, list[str]] = {True: [], False: []}
    for one in book.asked:
        mark = student.marks.get(one.key)
        if mark is not None and not mark.waits:
            lost[mark.score < one.points].append(one.name)
    return lost_in_short(lost[True], lost[False])


@dataclass(frozen=True)
class Item:
    """The analysis of one graded cell: `passed` of `count` students have all its points.

    `difficulty` is the mean share of the cell's points that students have. `discrimination` is the
    correlation of the cell's points with the points of all other cells together, or `None` if it
    cannot be computed. `waiting` is the number of further students, whom a person must still grade.
    """

    asked: GradedCell
    passed: int
    count: int
    difficulty: float
    discrimination: float | None
    is_protected: bool = True
    waiting: int = 0

    @property
    def remark(self) -> str:
        """A remark on what the instructor should look at, or an empty text."""
        said = [] if self.is_protected else [_OPEN]
        if self.count >= _FEW:
            if self.discrimination is not None and self.discrimination < _LOW:
                said.append("Weak and strong students do alike here: does it ask what it should?")
            elif self.difficulty < _HARD:
                said.append("Hard: most students lose it.")
            elif self.difficulty > _EASY:
                said.append("Easy: it tells little.")
        return " ".join(said)


def items_of(book: ClassGrades) -> list[Item]:
    """Return the analysis of every graded cell.

    For each cell, those students are counted whose notebook with the cell could be read, except if
    a person must still grade their answer. The discrimination leaves out students with any notebook
    that could not be read.
    """
    graded = [one for one in book.students if one.marks]
    remarks = [pair for one in graded for pair in one.notes.remarks.items()]
    unprotected = {key for key, remark in remarks if not remark.is_protected}
    # cells in which a person must still grade some answers; `rest` leaves them out
    unfinished = {key for one in graded for key, mark in one.marks.items() if mark.waits}
    items = []
    for asked in book.asked:
        read = [one for one in graded if asked.key[0] not in one.notes.unreadable]
        done = [one for one in read if not one.marks.get(asked.key, Mark(0.0, waits=True)).waits]
        shares = [one.marks[asked.key].score / asked.points for one in done if asked.points]
        counted = sum(share >= 1 for share in shares), len(done), mean(shares or [0.0])
        others = {cell.key for cell in book.asked} - unfinished - {asked.key}
        whole = [one.marks for one in done if not one.notes.unreadable]
        mine = [marks[asked.key].score for marks in whole]
        rest = [sum(marks[key].score for key in others & marks.keys()) for marks in whole]
        waiting = len(read) - len(done) if asked.is_by_hand else 0
        is_protected = asked.key not in unprotected
        items.append(Item(asked, *counted, _correlation(mine, rest), is_protected, waiting))
    return items


def _correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the correlation of two lists, or `None` if they are short, or if one is constant.

    >>> _correlation([0] * 5 + [1] * 5, [1] * 5 + [8] * 5)
    1.0
    """
    is_told = len(first) >= _FEW and len(set(first)) > 1 and len(set(second)) > 1
    return round(correlation(first, second), 2) + 0.0 if is_told else None  # never -0.0
