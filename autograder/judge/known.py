"""What came of a test before: the same answers to the same questions have the same result.

A test that depends on nothing but its answers (`repeatable.py`) is a tree: a question, and for each
answer to it another question, or the result. What one submission has answered stays here, so the
next one is asked the same frames, and as long as it answers the same bytes, nothing is made,
encoded, decoded or compared anew. At the first answer that was never given before, the test runs.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from sys import getsizeof
from typing import Any

from autograder.judge.blind import is_blind
from autograder.judge.talk import Exchange, digest
from autograder.judge.uses import Uses
from autograder.submission import CheckResult, Kind, Submission

_ASSIGNMENTS = 2
_MOST = 64_000_000  # bytes of questions and endings that are kept for an assignment
_TOGETHER = 30_000  # bytes that are sent without waiting; any socket holds them
_NODE = 1000  # bytes of a question beside its frame, or of an ending beside its message


@dataclass(frozen=True)
class Ending:
    """How a test ended: its result, the name it missed, and the names it has defined for others."""

    result: CheckResult
    missing: str
    defined: frozenset[str]


@dataclass
class Question:
    """A question of a test, and what came after each answer; answers by the hash of their bytes."""

    frame: bytes
    label: str
    what: str
    line: int
    is_alone: bool = False  # it must not be asked before it is known that the test asks it
    after: dict[bytes, "Question | Ending"] = field(default_factory=dict)

    def usually_followed_by(self, most: int) -> list["Question"]:
        """This question and those after it, as long as the answers are what came first."""
        found, size = [self], len(self.frame)
        while len(found) < most and found[-1].after:
            following = next(iter(found[-1].after.values()))
            if isinstance(following, Ending) or following.is_alone:
                break
            if (size := size + len(following.frame)) > _TOGETHER:
                break
            found.append(following)
        return found


class Known:
    """The trees of an assignment's tests, in this process."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._left = most
        self._first: dict[Hashable, Question] = {}
        self._frames: dict[bytes, bytes] = {}
        self._odd: set[Hashable] = set()
        self.repeated = 0

    def repeat(
        self,
        test: Hashable,
        ask: Callable[[Sequence[Question]], Generator[bytes, None, None]],
        most: int,
    ) -> Ending | None:
        """How a test ends, as far as `ask` gets answers that are known; else `None`.

        At `most` so many questions are asked together, as long as the answers are the usual ones.
        """
        question: Question | Ending | None = self._first.get(test)
        while isinstance(question, Question):
            asked = question.usually_followed_by(most)
            answers = ask(asked)
            for one, expected, answer in zip(asked, [*asked[1:], None], answers, strict=False):
                question = one.after.get(digest(answer))
                if question is not expected:
                    break
            answers.close()
        self.repeated += question is not None
        return question

    def learn(self, test: Hashable, said: Sequence[Exchange], ending: Ending) -> None:
        """A test has run to its end: what it has asked, and what came of the answers."""
        if not said or test in self._odd:
            return
        if self._left < 0:
            self._first.clear()
            self._frames.clear()
            self._left = self._most
        first = self._first.get(test) or self._question(said[0])
        if first.frame != said[0].frame:
            return
        self._first[test] = question = first
        for exchange, following in pairwise(said):
            found = question.after.get(exchange.answer) or self._question(following)
            question.after[exchange.answer] = found
            if isinstance(found, Ending) or found.frame != following.frame:
                return
            question = found
        if said[-1].answer not in question.after:
            question.after[said[-1].answer] = ending
            self._left -= _NODE + getsizeof(ending.result.message)

    def forget(self, test: Hashable) -> None:
        """A test has asked something else this time: it is not repeatable after all."""
        self._first.pop(test, None)
        self._odd.add(test)

    def _question(self, exchange: Exchange) -> Question:
        frame = self._frames.setdefault(exchange.frame, exchange.frame)
        self._left -= _NODE + (len(frame) if frame is exchange.frame else 0)
        said = exchange.label, exchange.what, exchange.line, exchange.is_alone
        return Question(frame, *said)


class _OfAssignments(threading.local):
    """What is known of the assignments that were judged last, in this thread."""

    def __init__(self) -> None:
        self.begin_with(())

    def begin_with(self, known: Iterable[tuple[Any, Known]]) -> None:
        """Nothing else is known."""
        self._known: OrderedDict[Any, Known] = OrderedDict(known)

    def items(self) -> list[tuple[Any, Known]]:
        """All assignments, and what is known of them."""
        return list(self._known.items())

    def of(self, assignment: Any) -> Known:
        """What is known of an assignment."""
        known = self._known.pop(assignment, None) or Known()
        self._known[assignment] = known
        if len(self._known) > _ASSIGNMENTS:
            self._known.popitem(last=False)
        return known


_assignments = _OfAssignments()


def all_known() -> list[tuple[Any, Known]]:
    """What is known in this thread, for another process to begin with."""
    return _assignments.items()


def begin_with(known: Iterable[tuple[Any, Known]]) -> None:
    """From now on this is known in this thread, and in that of a process forked from it."""
    _assignments.begin_with(known)


def known_of(submission: Submission, uses: Uses | None = None) -> Known | None:
    """What is known of the tests of a submission, in this thread.

    Nothing where its program could notice how quick they are, nor of an answer key from which is
    learned what the tests use.
    """
    if not is_blind(submission.code) or (uses is not None and uses.is_learning):
        return None
    of_master = [cell for cell in submission.code if cell.kind in (Kind.GIVEN, Kind.TEST)]
    cells = tuple((one.id, one.kind, one.source, one.points, one.is_inside) for one in of_master)
    files = tuple(sorted(submission.given_files.items()))
    rests_on = "" if uses is None else json.dumps(uses.as_json(), sort_keys=True)
    return _assignments.of((submission.lesson, submission.answered, cells, files, rests_on))
