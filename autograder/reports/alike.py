"""Answers that are nearly the same, token by token: a question to the instructor, no verdict."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pygments.lexers import PythonLexer
from pygments.token import Comment, Name, Text
from rapidfuzz.distance import Indel

from autograder.records.classbook import ClassBook
from autograder.records.kept import Key
from autograder.reports.causes import causes_of

_ALIKE, _ALIKE_BUT_FOR_NAMES = 0.9, 0.97
_PAIR = 2
_SHORT = 40  # tokens; shorter answers are alike by themselves
_LONGEST = 5000  # tokens that are compared


Words = tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """Students whose answers in one cell are nearly the same; `likeness` is the least of them.

    `is_renamed`: only if the names that they chose are taken to be the same. `causes` are those
    that they have in common for points that they lost.
    """

    cell: str
    students: tuple[str, ...]
    likeness: float
    is_renamed: bool = False
    causes: tuple[str, ...] = ()


def groups_of(book: ClassBook) -> list[Group]:
    """The groups of every cell: first those who are wrong alike, then small groups.

    What half of a class writes is what the task leads to, so such a group is no question. Nor is
    one of more than two that have the same but for the names: that is a usual way to do it.
    """
    found = []
    for key in dict.fromkeys(key for one in book.students for key in one.kept.answers):
        answers = {
            one.result.student: one.kept.answers[key]
            for one in book.students
            if key in one.kept.answers and key not in one.untouched
            if len(_words(one.kept.answers[key])) >= _SHORT
        }
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
    found = [replace(group, causes=_shared(group, causes)) for group in found]
    return sorted(found, key=lambda one: (not one.causes, len(one.students), -one.likeness))


def _shared(group: Group, causes: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    first, *others = (causes[student] for student in group.students)
    return tuple(cause for cause in first if all(cause in other for other in others))


def _words(source: str) -> Words:
    """The words and signs of a program, without blanks and comments.

    >>> _words("a = 1  # one")
    ('a', '=', '1')
    """
    return tuple(word for _, word in _tokens(source))


def _with_numbers(source: str) -> Words:
    """The same, each name as the number of its first appearance; Python's own names stay.

    >>> _with_numbers("def f(line): return len(line)")
    ('def', '0', '(', '1', ')', ':', 'return', 'len', '(', '1', ')')
    """
    numbers: dict[str, str] = {}
    return tuple(
        numbers.setdefault(word, str(len(numbers))) if kind in _CHOSEN else word
        for kind, word in _tokens(source)
    )


_CHOSEN = {Name, Name.Function, Name.Class, Name.Variable}


def _tokens(source: str) -> list[tuple[Any, str]]:
    found = PythonLexer().get_tokens(source)
    words = [(kind, text) for kind, text in found if kind not in Text and kind not in Comment]
    return [(kind, word) for kind, word in words if word.strip()][:_LONGEST]


def _groups(key: Key, answers: Mapping[str, Words], least: float) -> Iterator[Group]:
    """Those who are alike by a chain of others that are."""
    left = list(answers)
    while left:
        group, likeness = [left.pop(0)], 1.0
        for one in group:  # which grows
            for other in list(left):
                alike = Indel.normalized_similarity(
                    answers[one], answers[other], score_cutoff=least
                )
                if alike >= least:
                    left.remove(other)
                    group.append(other)
                    likeness = min(likeness, alike)
        if len(group) > 1:
            yield Group(key[1], tuple(sorted(group)), likeness)
