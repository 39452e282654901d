"""Answers that are nearly equal, compared word by word; the instructor must judge the reason.

A word is a name, a number or a sign. Not Python's tokenizer finds the words but a regular
expression, so that no answer, however odd, stops the report.
"""

import builtins
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from keyword import iskeyword

from rapidfuzz.distance import Indel

from autograder.gradebook.read_graded_notebook import Key
from autograder.gradebook.read_grades import ClassGrades
from autograder.reports.failure_causes import causes_of

_ALIKE, _ALIKE_BUT_FOR_NAMES = 0.9, 0.97
_SHORT = 40  # words; shorter answers are alike anyway
_LONGEST = 5000  # words that are compared
_WORD = re.compile(r"(#.*)|[^\W\d]\w*|\d[\w.]*|\S")

Words = tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """A group of students, each with an answer in one cell that is nearly equal to another's."""

    cell: str
    students: tuple[str, ...]
    likeness: float  # the lowest of these similarities; 1 if all answers are equal
    is_renamed: bool = False  # true: they are alike only without the names that the students chose
    causes: tuple[str, ...] = ()  # of lost points, that all students have in common


def groups_of(book: ClassGrades) -> list[Group]:
    """Return the groups of all cells: first groups with a common cause of lost points, then others.

    In both parts, small groups come first. Two kinds of groups are left out, because their students
    may all have found a usual solution: groups with more than half of the answers, and groups of
    more than two students whose answers are similar only if the chosen names are ignored.
    """
    found = []
    cells: dict[Key, dict[str, Words]] = defaultdict(dict)
    for one in book.students:
        for key, source in one.notes.answers.items():
            if key not in one.untouched and len(words := _words(source)) >= _SHORT:
                cells[key][one.result.student] = words
    for key, answers in cells.items():
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

    >>> _with_numbers(_words("def f(line): return len(line)"))
    ('def', '0', '(', '1', ')', ':', 'return', 'len', '(', '1', ')')
    """
    numbers: dict[str, str] = {}
    for word in words:
        if word.isidentifier() and not iskeyword(word) and not hasattr(builtins, word):
            numbers.setdefault(word, str(len(numbers)))
    return tuple(numbers.get(word, word) for word in words)


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
