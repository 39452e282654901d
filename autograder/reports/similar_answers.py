"""Answers that are nearly equal, compared word by word; the instructor must judge the reason.

A word is a name, a number or a sign. Blanks and comments do not count. A regular expression splits
programs into words, not Python's tokenizer, so that no answer, however odd, stops the report.
"""

import builtins
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from keyword import iskeyword

from rapidfuzz.distance import Indel

from autograder.gradebook.read_grades import ClassGrades
from autograder.reports.failure_causes import causes_of

_ALIKE, _ALIKE_BUT_FOR_NAMES = 0.9, 0.97
_SHORT = 40  # words; shorter answers are alike anyway
_LONGEST = 5000  # words that are compared
_WORD = re.compile(r"(#.*)|[^\W\d]\w*|\d[\w.]*|\S")

Words = tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """A group of students whose answers in one cell are nearly equal.

    Each answer is similar to at least one other in the group. `likeness` is the lowest similarity
    by which an answer came into the group; it is 1 if all answers are equal. If `is_renamed` is
    true, the answers are alike only if the names that the students chose are ignored. `causes` are
    the causes of lost points that all students of the group have in common.
    """

    cell: str
    students: tuple[str, ...]
    likeness: float
    is_renamed: bool = False
    causes: tuple[str, ...] = ()


def groups_of(book: ClassGrades) -> list[Group]:
    """Return the groups of all cells: first groups with a common cause of lost points, then others.

    In both parts, small groups come first. Two kinds of groups are left out, because their students
    may all have found a usual solution: groups with more than half of the answers, and groups of
    more than two students whose answers are similar only if the chosen names are ignored.
    """
    found = []
    for key in dict.fromkeys(key for one in book.students for key in one.notes.answers):
        answers = {}
        for one in book.students:
            if key in one.notes.answers and key not in one.untouched:
                words = _words(one.notes.answers[key])
                if len(words) >= _SHORT:
                    answers[one.result.student] = words
        called = book.called.get(key, key[1])
        same = list(_groups(called, answers, _ALIKE))
        found += [group for group in same if len(group.students) <= max(2, len(answers) // 2)]
        known = {frozenset(group.students) for group in same}
        numbered = {who: _with_numbers(words) for who, words in answers.items()}
        found += [
            replace(group, is_renamed=True)
            for group in _groups(called, numbered, _ALIKE_BUT_FOR_NAMES)
            if len(group.students) == 2 and frozenset(group.students) not in known
        ]
    causes = {one.result.student: causes_of(one) for one in book.students}
    for place, group in enumerate(found):
        first, *others = (causes[student] for student in group.students)
        shared = tuple(cause for cause in first if all(cause in other for other in others))
        found[place] = replace(group, causes=shared)
    return sorted(found, key=lambda one: (not one.causes, len(one.students), -one.likeness))


def _words(source: str) -> Words:
    """Return the words of a program, at most the first `_LONGEST`.

    >>> _words("points += 2*line[0]  # twice")
    ('points', '+', '=', '2', '*', 'line', '[', '0', ']')
    """
    found = (match[0] for match in _WORD.finditer(source) if match[1] is None)
    return tuple(islice(found, _LONGEST))


def _with_numbers(words: Words) -> Words:
    """Return the words of a program, with a number in the place of each name that its author chose.

    The names are numbered in the order in which they first appear. Python's own names stay.

    >>> _with_numbers(_words("def f(line): return len(line)"))
    ('def', '0', '(', '1', ')', ':', 'return', 'len', '(', '1', ')')
    """
    numbers: dict[str, str] = {}

    def is_chosen(word: str) -> bool:
        return word.isidentifier() and not iskeyword(word) and not hasattr(builtins, word)

    return tuple(
        numbers.setdefault(word, str(len(numbers))) if is_chosen(word) else word for word in words
    )


def _groups(cell: str, answers: Mapping[str, Words], least: float) -> Iterator[Group]:
    """Yield groups of students. In a group, a chain of similar answers connects any two answers."""
    letters: dict[str, str] = {}  # word → one letter; texts of letters are compared faster
    same: dict[str, list[str]] = {}
    for who, words in answers.items():
        text = "".join(letters.setdefault(word, chr(65 + len(letters))) for word in words)
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
            yield Group(cell, tuple(students), likeness)
