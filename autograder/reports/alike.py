"""Answers that are nearly the same, token by token: a question to the instructor, no verdict."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pygments.lexers import PythonLexer
from pygments.token import Comment, Text
from rapidfuzz.distance import Indel

from autograder.records.classbook import ClassBook
from autograder.records.kept import Key

_ALIKE = 0.9
_SHORT = 40  # tokens; shorter answers are alike by themselves
_LONGEST = 5000  # tokens that are compared


@dataclass(frozen=True)
class Group:
    """Students whose answers in one cell are nearly the same; `likeness` is the least of them."""

    cell: str
    students: tuple[str, ...]
    likeness: float


def groups_of(book: ClassBook) -> list[Group]:
    """The groups of every cell, small groups of long answers first.

    What half of a class writes is what the task leads to, so such a group is no question.
    """
    found = []
    keys = dict.fromkeys(key for one in book.students for key in one.kept.answers)
    for key in keys:
        answers = {
            one.result.student: tokens
            for one in book.students
            if key in one.kept.answers and key not in one.untouched
            if len(tokens := _tokens(one.kept.answers[key])) >= _SHORT
        }
        groups = list(_groups(key, answers))
        found += [group for group in groups if len(group.students) <= max(2, len(answers) // 2)]
    return sorted(found, key=lambda group: (len(group.students), -group.likeness))


def _tokens(source: str) -> tuple[str, ...]:
    """The words and signs of a program, without blanks and comments.

    >>> _tokens("a = 1  # one")
    ('a', '=', '1')
    """
    found = PythonLexer().get_tokens(source)
    words = (text for kind, text in found if kind not in Text and kind not in Comment)
    return tuple(word for word in words if word.strip())[:_LONGEST]


def _groups(key: Key, answers: Mapping[str, tuple[str, ...]]) -> Iterator[Group]:
    """Those who are alike by a chain of others that are."""
    left = list(answers)
    while left:
        group, likeness = [left.pop(0)], 1.0
        for one in group:  # which grows
            for other in list(left):
                alike = Indel.normalized_similarity(
                    answers[one], answers[other], score_cutoff=_ALIKE
                )
                if alike >= _ALIKE:
                    left.remove(other)
                    group.append(other)
                    likeness = min(likeness, alike)
        if len(group) > 1:
            yield Group(key[1], tuple(sorted(group)), likeness)
