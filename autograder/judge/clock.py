"""The time of one submission: how many seconds each question, test and cell may take."""

from collections import defaultdict

from autograder.jail import Limits, Lost, Session, TimedOut

_MOST_ENDED = 2  # test cells in which one function may end the process
_MOST_ASLEEP = 120.0  # seconds charged for sleep, one for six: 12 minutes of sleep


class Clock:
    """The seconds that a submission has spent, and the functions and cells that never came back.

    If a function did not come back and is called again in the same test, it gets only
    `limits.last_chance` seconds. In another test it gets its full time, unless the waits for calls
    that did not come back have already taken `limits.patience` seconds in all.

    `before` is the clock of an earlier run of the submission; `spent` are the seconds that this run
    has spent already. In the `sessions` of all runs together, sleep may count for no more than
    `limits.submission` seconds, and for no more than `_MOST_ASLEEP`.
    """

    def __init__(self, limits: Limits, before: "Clock | None" = None, spent: float = 0.0) -> None:
        self._limits = limits
        self._session: Session | None = None
        self._before = spent  # in earlier sessions
        self._end = self._test_end = limits.submission
        self._test = ""
        self._waited = 0.0
        self.sessions: list[Session] = []
        self._never_back: dict[str, dict[str, Lost]] = defaultdict(dict)
        if before is not None:
            known = {label: dict(tests) for label, tests in before._never_back.items()}
            self._never_back.update(known)
            self._waited = before._waited
            self.sessions = before.sessions

    @property
    def spent(self) -> float:
        """The seconds that the submission has spent in this run."""
        return self._before + (self._session.spent if self._session is not None else 0.0)

    @property
    def has_overslept(self) -> bool:
        """True if the runs of the submission, taken together, have slept for too long."""
        asleep = sum(one.asleep for one in self.sessions)
        return asleep >= min(self._limits.submission, _MOST_ASLEEP)

    def follow(self, session: Session) -> None:
        """Count the seconds of `session`, too, which has just begun."""
        self._before, self._session = self.spent, session
        self.sessions.append(session)

    def begin_test(self, test: str) -> None:
        """Note that a test cell begins, and that it may take `limits.cell` seconds."""
        self._test = test
        self._test_end = min(self._end, self.spent + self._limits.cell)

    def end_test(self) -> None:
        """Note that the questions from now on belong to no test."""
        self._test = ""
        self._test_end = self._end

    def seconds(self, most: float, what: str, label: str, is_again: bool = False) -> float:
        """Return the seconds that an answer may take, at most `most`.

        Raise `TimedOut` if no time is left; `what` names the question in its message. `label` is
        the name of the function or cell. `is_again` is true if a cell that once came to its end is
        run again; this cell gets more than `limits.last_chance`.
        """
        tests = self._never_back.get(label, {})
        is_patient = self._waited < self._limits.patience
        if (self._test in tests or (tests and not is_patient)) and not is_again:
            most = min(most, self._limits.last_chance)
        seconds = min(most, self._test_end - self.spent)
        if seconds <= 0 or self.has_overslept:
            raise TimedOut(f"{what} was not asked for: {self._out_of_time()}")
        return seconds

    def note_lost(self, lost: Lost, begin: float, label: str, seconds: float, most: float) -> None:
        """Note that a question about the function or cell `label` got no answer, because of `lost`.

        `begin` are the seconds that the submission had spent before the question. `most` is the
        full time of an answer. If the answer was late, but was allowed fewer `seconds`, only the
        time of waiting is noted, because the next answer may come.
        """
        if isinstance(lost, TimedOut):
            self._waited += self.spent - begin
            if seconds < most:
                return
        self._never_back[label][self._test] = lost

    def why_late(self, most: float, what: str, label: str) -> str:
        """Return a sentence that says why an answer has not come; `most` is its full time.

        It does not say how much time was left: that could reveal what hidden tests ask.
        """
        if self._test in self._never_back.get(label, {}):  # it had its full time
            return f"{what} did not come back within its {most:.3g} s"
        if self.spent >= self._test_end:
            return f"{what} did not come back, and {self._out_of_time()}"
        before = f"before, it had not come back within its {most:.3g} s"
        return f"{what} did not come back again; {before}"

    def refuse(self, label: str) -> None:
        """Raise `Lost` if calls of the function `label` ended the process in two earlier tests."""
        tests = self._never_back.get(label, {})
        ended = [one for test, one in tests.items() if test != self._test and not one.is_stopped]
        if label and len(ended) >= _MOST_ENDED:  # `label` is "" if names are looked up
            raise type(ended[-1])(f"{label} did not come back before; it is not called again")

    def _out_of_time(self) -> str:
        if self.spent >= self._end or self.has_overslept:
            return f"the {self._limits.submission:.3g} s for the whole submission are over"
        return f"the {self._limits.cell:.3g} s for this test are over"
