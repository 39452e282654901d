"""The bench: keeps one submission's process going, and an eye on the time.

When the process is lost, the next question begins a new one, in which the cells are run again.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from autograder.jail import Crashed, Jail, Lost, Session, TimedOut
from autograder.judge.proxy import StandIn, make_stand_in, witness_of
from autograder.judge.witness import Witness
from autograder.submission import Cell
from autograder.wire import Decoder, WireError

Message = dict[str, Any]
_TIMES = 2  # test cells in which a function may fail to come back


@dataclass
class Bench:
    """One submission in the jail. `test` is the id of the test cell that now runs."""

    jail: Jail
    test: str = ""
    lost: Lost | None = None
    _ran: list[Cell] = field(default_factory=list)
    _session: Session | None = None
    _waited: float = 0.0
    _never_back: dict[str, dict[str, type[Lost]]] = field(default_factory=lambda: defaultdict(dict))

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.jail.limits.submission
        self._test_end = self._end

    def begin_test(self, test: str) -> None:
        """A test cell begins: nothing is lost yet, and it has the time of one cell."""
        self.test = test
        self.lost = None
        self._test_end = min(self._end, time.monotonic() + self.jail.limits.cell)

    def run(self, cell: Cell) -> Any:
        """What a cell of the notebook shows, as the jail says it. Raises `Lost`.

        A cell that was lost is not run again.
        """
        self._test_end = self._end
        shown = self._run(self._now(), cell, self._patience())
        self._ran.append(cell)
        return shown

    def values(self, names: list[str]) -> dict[str, Any]:
        """The student's values of these names, as plain data or as stand-ins.

        Names that are unknown there, or whose values can not cross, are left out.
        """
        if not names:
            return {}
        session = self._now()
        answer = self.ask(session, {"do": "names", "names": names}, "", "looking up the names")
        found = answer.get("found")
        with self.understood():
            if type(found) is not dict or not set(found) <= set(names):
                raise WireError("these are not the names that were asked for")
            return {
                name: self._value(session, name, data)
                for name, data in found.items()
                if not (type(data) is dict and "unfit" in data)
            }

    def find(self, name: str) -> Witness | None:
        """The witness of a name in the process that now runs."""
        value = self.values([name]).get(name)
        return witness_of(value) if isinstance(value, StandIn) else None

    def ask(self, session: Session, question: Message, label: str, what: str) -> Message:
        """The answer to a question within the time of a call. Raises `Lost`."""
        self._refuse(label)
        seconds = min(self.jail.limits.call, self._patience())
        return self._ask(session, question, seconds, label, what)

    def _refuse(self, label: str) -> None:
        """What has not come back often enough is not called again. Raises `Lost`.

        That is in two tests before this one; or in this one, where there is no patience left.
        """
        tests = self._never_back[label] if label else {}
        has_patience = self._waited < self.jail.limits.patience
        if (self.test in tests and not has_patience) or len(tests.keys() - {self.test}) >= _TIMES:
            kind = list(tests.values())[-1]
            raise self._note(kind(f"{label} did not come back before; it is not called again"))

    @contextmanager
    def understood(self) -> Iterator[None]:
        """An answer that makes no sense ends the process that gave it. Raises `Crashed`."""
        try:
            yield
        except WireError as error:
            if self._session is not None:
                self._session.close()
            raise self._note(Crashed(f"the answer makes no sense: {error}")) from None

    def stand_in(self, session: Session, handle: Any, label: str) -> StandIn:
        """The stand-in of an object that an answer speaks of."""
        return make_stand_in(Witness(self, session, handle, label))

    def reference_to(self, session: Session) -> Callable[[Any], Any]:
        """What stands for a stand-in in a question to that session."""

        def reference(value: Any) -> Any:
            if not isinstance(value, StandIn):
                raise TypeError(f"a {type(value).__name__} can not be given to the student's code")
            return witness_of(value).reference_in(session)

        return reference

    def close(self) -> None:
        """The submission is over."""
        if self._session is not None:
            self._session.close()

    def _now(self) -> Session:
        """The process that now runs; a new one runs the cells again that came to their end."""
        while self._session is None or self._session.is_over:
            session = self._session = self.jail.session()
            for cell in list(self._ran):
                try:
                    self._run(session, cell, self.jail.limits.cell)
                except Lost:
                    if not session.is_over:  # there is no time left to run it
                        session.close()
                        raise
                    self._ran.remove(cell)
                    break
        return self._session

    def _run(self, session: Session, cell: Cell, most: float) -> Any:
        question = {"do": "run", "source": cell.source}
        seconds = min(self.jail.limits.cell, most)
        return self._ask(session, question, seconds, "", f"the cell {cell.id}").get("outputs")

    def _ask(
        self, session: Session, question: Message, most: float, label: str, what: str
    ) -> Message:
        now = time.monotonic()
        seconds = min(most, self._test_end - now)
        if seconds <= 0:
            raise self._note(TimedOut(self._out_of_time()))
        try:
            return session.ask(question, seconds)
        except Lost as lost:
            kind, said = type(lost), f"{what}: {lost}"
            if isinstance(lost, TimedOut):
                self._waited += time.monotonic() - now
                said = f"{what} did not come back within {seconds:.2g} s"
                if seconds < most:
                    said = f"{what} did not come back, and {self._out_of_time()}"
            self._never_back[label][self.test] = kind
            raise self._note(kind(said)) from None

    def _patience(self) -> float:
        limits = self.jail.limits
        return max(limits.patience - self._waited, limits.last_chance)

    def _out_of_time(self) -> str:
        limits = self.jail.limits
        if time.monotonic() >= self._end:
            return f"the {limits.submission:.3g} s for the whole submission are over"
        return f"the {limits.cell:.3g} s for this test are over"

    def _value(self, session: Session, name: str, data: Any) -> Any:
        is_root = type(data) is dict and "handle" in data

        def stand_in(handle: Any) -> StandIn:
            return make_stand_in(Witness(self, session, handle, name, is_root))

        return Decoder(stand_in).decode(data)

    def _note(self, lost: Lost) -> Lost:
        self.lost = lost
        return lost
