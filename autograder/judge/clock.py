"""The time of one submission: what each question, test and cell may take of it."""

from collections import defaultdict

from autograder.jail import Limits, Lost, Session, TimedOut

_MOST_ENDED = 2  # test cells in which a function may end the process


class Clock:
    """Knows what a submission has spent, and what of it never came back.

    All seconds are those that its processes have spent, as `jail/meter.py` counts them: neither the
    judge's work nor a busy machine takes any of them. Each function and each cell has as many as
    nbgrader would wait. One that has not come back is given as many again while there is patience,
    then it gets a last chance only; so it costs nothing that stands beside it.
    """

    def __init__(self, limits: Limits, before: "Clock | None" = None, spent: float = 0.0) -> None:
        self._limits = limits
        self._session: Session | None = None
        self._before = spent  # in sessions before that
        self._end = self._test_end = limits.submission
        self._test = ""
        self._waited = 0.0
        self._never_back: dict[str, dict[str, Lost]] = defaultdict(dict)
        if before is not None:
            known = {label: dict(tests) for label, tests in before._never_back.items()}
            self._never_back.update(known)
            self._waited = before._waited

    @property
    def spent(self) -> float:
        """Seconds that the submission has spent."""
        return self._before + (self._session.spent if self._session is not None else 0.0)

    def follow(self, session: Session) -> None:
        """From now on the submission runs in that session, which has just begun."""
        self._before, self._session = self.spent, session

    def begin_test(self, test: str) -> None:
        """A test cell begins: it has the time of one cell."""
        self._test = test
        self._test_end = min(self._end, self.spent + self._limits.cell)

    def end_test(self) -> None:
        """Note that questions from now on belong to no test."""
        self._test = ""
        self._test_end = self._end

    def seconds(self, most: float, what: str, label: str, is_again: bool = False) -> float:
        """The seconds that there are for an answer, `most` at best; raises `TimedOut` for none.

        `label` is the name of the function, or of the cell. What is only done again has come back
        before.
        """
        if self._is_in_vain(label) and not is_again:
            most = min(most, self._limits.last_chance)
        seconds = min(most, self._test_end - self.spent)
        if seconds <= 0:
            raise TimedOut(f"{what} was not asked for: {self._out_of_time()}")
        return seconds

    def note_lost(self, lost: Lost, begin: float, label: str, seconds: float, most: float) -> None:
        """A question had so many seconds, of the `most` that it can have, and has no answer.

        `begin` is what was spent when it was asked. What had less than the time of a question may
        yet come back.
        """
        if isinstance(lost, TimedOut):
            self._waited += self.spent - begin
            if seconds < most:
                return
        self._never_back[label][self._test] = lost

    def why_late(self, most: float, what: str, label: str) -> str:
        """The sentence for an answer that has not come; `most` is the time it has at best.

        It does not say what was left of that: by this, what hidden tests ask could be told.
        """
        if self._test in self._never_back.get(label, {}):  # it had all its time, if not just now
            return f"{what} did not come back within its {most:.3g} s"
        if self.spent >= self._test_end:
            return f"{what} did not come back, and {self._out_of_time()}"
        before = f"before, it had not come back within its {most:.3g} s"
        return f"{what} did not come back again; {before}"

    def refuse(self, label: str) -> None:
        """Raise `Lost` for a function that has ended its process in two tests."""
        tests = self._never_back.get(label, {})
        ended = [one for test, one in tests.items() if test != self._test and not one.is_stopped]
        if label and len(ended) >= _MOST_ENDED:  # nobody is to blame for looking up names
            raise type(ended[-1])(f"{label} did not come back before; it is not called again")

    def _is_in_vain(self, label: str) -> bool:
        """Return true if it did not come back in this test, or patience with it is over."""
        tests = self._never_back.get(label, {})
        return self._test in tests or (bool(tests) and self._waited >= self._limits.patience)

    def _out_of_time(self) -> str:
        if self.spent >= self._end:
            return f"the {self._limits.submission:.3g} s for the whole submission are over"
        return f"the {self._limits.cell:.3g} s for this test are over"
