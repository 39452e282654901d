"""The page about the class: the scores, the hard checks, the mistakes, and the similar answers.

Item analysis finds the difficulty of each check, and how well it tells strong from weak students.
Answers that are nearly equal, word by word, are found, too; the instructor must judge the reason. A
word is a Python token, that is, a name, number, text or sign. Blanks and comments do not count.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import correlation, mean, median
from typing import Any

from pygments.lexers import PythonLexer
from pygments.token import Comment, Name, Text
from rapidfuzz.distance import Indel

from autograder.course_adapter import title_of
from autograder.gradebook.grading_metadata import Key
from autograder.gradebook.read_grades import ClassGrades, GradedCell, Mark, StudentGrades
from autograder.notebook.safe_text import gathered, lost_in_short
from autograder.reports.failure_messages import causes_of
from autograder.reports.pages import page

_BARS = 10
_SLOWEST = 5
_GROUPS = 12
_FEW = 10  # students; for fewer, no correlation is given
_OPEN = "It is not protected: it runs beside the students' code, which may change what comes out."
_LOW, _EASY, _HARD = 0.1, 0.95, 0.2
_ALIKE, _ALIKE_BUT_FOR_NAMES = 0.9, 0.97
_PAIR = 2
_SHORT = 40  # tokens; shorter answers are alike anyway
_LONGEST = 5000  # tokens that are compared

Words = tuple[str, ...]
Tokens = list[tuple[Any, str]]


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


@dataclass(frozen=True)
class Item:
    """The analysis of one graded cell: `passed` of `count` students have all its points.

    `difficulty` is the mean share of the cell's points that students have; 1 means that everybody
    has all of them. `discrimination` is the correlation of the cell's points with the points of all
    other cells together, or `None` if it cannot be computed. `is_protected` is false if the cell's
    test runs beside the students' code, which may change the outcome.
    """

    asked: GradedCell
    passed: int
    count: int
    difficulty: float
    discrimination: float | None
    is_protected: bool = True

    @property
    def remark(self) -> str:
        """A remark on what the instructor should look at, or an empty text."""
        return " ".join(filter(None, ["" if self.is_protected else _OPEN, self._judgement]))

    @property
    def _judgement(self) -> str:
        if self.count < _FEW:
            return ""
        if self.discrimination is not None and self.discrimination < _LOW:
            return "Weak and strong students do alike here: does it ask what it should?"
        if self.difficulty < _HARD:
            return "Hard: most students lose it."
        return "Easy: it tells little." if self.difficulty > _EASY else ""


def items_of(book: ClassGrades) -> list[Item]:
    """Return the analysis of every graded cell.

    Only submissions that could be read are counted. If a person must still grade a cell of a
    submission, the submission is not counted for this cell.
    """
    graded = [one for one in book.students if one.marks and one.notes.is_readable]
    unprotected = {
        key
        for one in graded
        for key, remark in one.notes.remarks.items()
        if not remark.is_protected
    }
    return [
        replace(_item(asked, graded), is_protected=asked.key not in unprotected)
        for asked in book.asked
    ]


def _item(asked: GradedCell, graded: Sequence[StudentGrades]) -> Item:
    done = [one for one in graded if not one.marks.get(asked.key, Mark(0.0, waits=True)).waits]
    mine = [one.marks[asked.key].score for one in done]
    rest = [
        sum(mark.score for mark in one.marks.values()) - score
        for one, score in zip(done, mine, strict=True)
    ]
    shares = [score / asked.points for score in mine] if asked.points else []
    return Item(
        asked,
        sum(share >= 1 for share in shares),
        len(done),
        mean(shares) if shares else 0.0,
        _correlation(mine, rest),
    )


def _correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the correlation of two lists, or `None` if they are short, or if one is constant.

    >>> _correlation([0] * 5 + [1] * 5, [1] * 5 + [8] * 5)
    1.0
    """
    is_told = len(first) >= _FEW and len(set(first)) > 1 and len(set(second)) > 1
    return round(correlation(first, second), 2) if is_told else None


@dataclass(frozen=True)
class Group:
    """A group of students whose answers in one cell are nearly equal.

    Each answer is similar to at least one other in the group. `likeness` is the lowest similarity
    that counted, from 0 to 1; it is 1 if all answers are equal. If `is_renamed` is true, the
    answers are similar only if the names that the students chose are ignored. `causes` are the
    causes of lost points that the students have in common.
    """

    cell: str
    students: tuple[str, ...]
    likeness: float
    is_renamed: bool = False
    causes: tuple[str, ...] = ()


def groups_of(book: ClassGrades) -> list[Group]:
    """Return the groups of all cells: first groups with a common cause of lost points, then others.

    In both parts, small groups come first. A group with more than half of the answers is left out,
    because the task itself leads to such an answer. If answers are similar only without the names,
    a group of more than two students is left out, too, because they may all use a usual solution.
    """
    found = []
    for key in dict.fromkeys(key for one in book.students for key in one.notes.answers):
        every = {
            one.result.student: _tokens(one.notes.answers[key])
            for one in book.students
            if key in one.notes.answers and key not in one.untouched
        }
        answers = {who: tokens for who, tokens in every.items() if len(tokens) >= _SHORT}
        same = list(_groups(key, {who: _words(text) for who, text in answers.items()}, _ALIKE))
        found += [group for group in same if len(group.students) <= max(2, len(answers) // 2)]
        known = {frozenset(group.students) for group in same}
        numbered = {who: _with_numbers(text) for who, text in answers.items()}
        found += [
            replace(group, is_renamed=True)
            for group in _groups(key, numbered, _ALIKE_BUT_FOR_NAMES)
            if len(group.students) == _PAIR and frozenset(group.students) not in known
        ]
    causes = {one.result.student: causes_of(one) for one in book.students}
    for place, group in enumerate(found):
        first, *others = (causes[student] for student in group.students)
        shared = tuple(cause for cause in first if all(cause in other for other in others))
        found[place] = replace(group, causes=shared)
    return sorted(found, key=lambda one: (not one.causes, len(one.students), -one.likeness))


def _words(tokens: Tokens) -> Words:
    """Return the words and signs of a program, without blanks and comments.

    >>> _words(_tokens("a = 1  # one"))
    ('a', '=', '1')
    """
    return tuple(word for _, word in tokens)


def _with_numbers(tokens: Tokens) -> Words:
    """Return the words of a program, with a number in the place of each name that its author chose.

    The names are numbered in the order in which they first appear. Python's own names stay.

    >>> _with_numbers(_tokens("def f(line): return len(line)"))
    ('def', '0', '(', '1', ')', ':', 'return', 'len', '(', '1', ')')
    """
    numbers: dict[str, str] = {}
    return tuple(
        numbers.setdefault(word, str(len(numbers))) if kind in _CHOSEN else word
        for kind, word in tokens
    )


_CHOSEN = {Name, Name.Function, Name.Class, Name.Variable}


def _tokens(source: str) -> Tokens:
    found = PythonLexer().get_tokens(source)
    words = [(kind, text) for kind, text in found if kind not in Text and kind not in Comment]
    return [(kind, word) for kind, word in words if word.strip()][:_LONGEST]


def _groups(key: Key, answers: Mapping[str, Words], least: float) -> Iterator[Group]:
    """Yield groups of students; a chain of similar answers connects any two answers in a group."""
    same: dict[str, list[str]] = {}
    for who, text in _in_letters(answers).items():
        same.setdefault(text, []).append(who)
    left = dict.fromkeys(same)
    while left:
        group, likeness = [next(iter(left))], 1.0
        del left[group[0]]
        for one in group:  # the list grows in the loop
            for other in list(left):
                alike = Indel.normalized_similarity(one, other, score_cutoff=least)
                if alike >= least:
                    del left[other]
                    group.append(other)
                    likeness = min(likeness, alike)
        students = sorted(who for text in group for who in same[text])
        if len(students) > 1:
            yield Group(key[1], tuple(students), likeness)


def _in_letters(answers: Mapping[str, Words]) -> dict[str, str]:
    """Return the answers with one letter in place of each word; such texts are compared faster.

    >>> _in_letters({"ann": ("a", "=", "a")})["ann"]
    'ABA'
    """
    letters: dict[str, str] = {}
    return {
        who: "".join(letters.setdefault(word, chr(65 + len(letters))) for word in words)
        for who, words in answers.items()
    }
