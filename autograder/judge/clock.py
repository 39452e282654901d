"""The time of one submission: what each question, test and cell may take of it."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from autograder.jail import Limits, Lost, TimedOut
from autograder.judge.alarm import alarm

_TIMES = 2  # test cells in which a function may fail to come back
_OWN_TIME = 2  # times the time of a cell that a test has for all it does, asking included


class Clock:
    """Runs from the begin of a submission, and knows what never came back.

    What is waited for in vain is taken from the submission's patience; when that is used up, each
    question gets a last chance only. Hints have a time of their own, and cost no test anything.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._end = self._test_end = time.monotonic() + limits.submission
        self._test = ""
        self._waited = 0.0
        self._hints = limits.hints
        self._is_aside = False
        self._never_back: dict[str, dict[str, type[Lost]]] = defaultdict(dict)

    def begin_test(self, test: str) -> None:
        """A test cell begins: it has the time of one cell."""
        self._test = test
        self._test_end = min(self._end, time.monotonic() + self._limits.cell)

    @contextmanager
    def over(self, cell: str) -> Iterator[None]:
        """Ends code of the instructor's that does not come to its end; raises `TimedOut` then."""
        seconds = _OWN_TIME * self._limits.cell
        late = TimedOut(f"the cell {cell} itself did not come to its end within {seconds:.3g} s")
        with alarm(seconds, late):
            yield

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What is asked here is asked for a hint, in the time that is left for hints."""
        if self._is_aside:
            yield
            return
        begin, test_end = time.monotonic(), self._test_end
        self._test_end = min(self._end, begin + self._hints)
        self._is_aside = True
        try:
            yield
        finally:
            took = time.monotonic() - begin
            self._is_aside = False
            self._hints -= took
            self._test_end = test_end + took

    def end_test(self) -> None:
        """What comes now belongs to no test."""
        self._test_end = self._end

    def seconds(self, most: float, what: str, is_again: bool = False) -> float:
        """How long to wait for an answer, `most` at best; raises `TimedOut` if not at all.

        What is only done again has come back before, and is no matter of patience.
        """
        is_patient = is_again or self._is_aside
        seconds = min(most, self._left, most if is_patient else self._patience)
        if seconds <= 0:
            raise TimedOut(f"{what} was not asked for: {self._out_of_time()}")
        return seconds

    def note_lost(self, lost: Lost, begin: float, label: str) -> None:
        """A question that was asked at `begin` has no answer; `label` is the function's name."""
        if self._is_aside:
            return
        if isinstance(lost, TimedOut):
            self._waited += time.monotonic() - begin
        self._never_back[label][self._test] = type(lost)

    def why_late(self, seconds: float, most: float, what: str) -> str:
        """The sentence for an answer that has not come within `seconds` of `most`."""
        said = f"{what} did not come back within {seconds:.2g} s"
        if f"{seconds:.2g}" == f"{most:.2g}":
            return said
        if time.monotonic() >= self._test_end:
            return f"{said}, and {self._out_of_time()}"
        return (
            f"{said}: it had less than {most:.3g} s, because other calls or cells of this "
            f"submission that did not come back have used up the {self._limits.patience:.3g} s "
            "for waiting"
        )

    def refuse(self, label: str) -> None:
        """What has not come back often enough is not called again. Raises `Lost`.

        That is in two tests before this one; or in this one, where there is no patience left. For a
        hint, once is enough.
        """
        tests = self._never_back[label] if label else {}
        has_patience = self._waited < self._limits.patience
        is_vain = bool(tests) if self._is_aside else self._test in tests and not has_patience
        if is_vain or len(tests.keys() - {self._test}) >= _TIMES:
            kind = list(tests.values())[-1]
            raise kind(f"{label} did not come back before; it is not called again")

    @property
    def _patience(self) -> float:
        return max(self._limits.patience - self._waited, self._limits.last_chance)

    @property
    def _left(self) -> float:
        return self._test_end - time.monotonic()

    def _out_of_time(self) -> str:
        if time.monotonic() >= self._end:
            return f"the {self._limits.submission:.3g} s for the whole submission are over"
        return f"the {self._limits.cell:.3g} s for this test are over"
