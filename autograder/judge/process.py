"""One submission's process: runs its cells and answers questions, and is replaced when it is lost.

The next question after a loss begins a new process, in which the cells are run again.
"""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from autograder.jail import Crashed, Jail, Lost, Session, TimedOut
from autograder.judge.clock import Clock
from autograder.judge.proxy import StandIn, make_stand_in, reference_of
from autograder.judge.reference import Reference
from autograder.submission import Cell
from autograder.wire import Budget, Decoder, Encoder, WireError

Message = dict[str, Any]
_LARGE = 10_000_000  # bytes that are not left to the garbage collector's own time


class Process:
    """One submission in the jail. `lost` says what the test that now runs was left without.

    Where it `gives_no_hints`, nothing is found out for them.
    """

    def __init__(self, jail: Jail, clock: Clock, gives_no_hints: bool = False) -> None:
        self.lost: Lost | None = None
        self.budget = Budget()
        self._jail = jail
        self._clock = clock
        self._ran: list[Cell] = []
        self._session: Session | None = None
        self._gives_no_hints = gives_no_hints
        self._remembered: dict[tuple[int, str, str], Any] = {}

    def begin_test(self, test: str) -> None:
        """A test cell begins: nothing is lost yet, and nothing spent."""
        self.lost = None
        self.budget = Budget()
        self._clock.begin_test(test)

    def end_test(self) -> None:
        """A test cell has ended; the memory of a large answer is given back before the next."""
        if self.budget.spent > _LARGE:
            gc.collect()

    def run(self, cell: Cell) -> Any:
        """What a cell of the notebook shows, as the jail says it. Raises `Lost`.

        A cell that was lost is not run again.
        """
        self._clock.end_test()
        shown = self._run(self._now(), cell)
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
                name: self.decoder(session, name, is_root=_is_object(data)).decode(data)
                for name, data in found.items()
                if not (type(data) is dict and "unfit" in data)
            }

    def find(self, name: str) -> Reference | None:
        """What a name stands for in the process that now runs, if it is an object there."""
        value = self.values([name]).get(name)
        return reference_of(value) if isinstance(value, StandIn) else None

    def ask(self, session: Session, question: Message, label: str, what: str) -> Message:
        """The answer to a question within the time of a call. Raises `Lost`."""
        try:
            self._clock.refuse(label)
        except Lost as lost:
            raise self._note(lost) from None
        return self._ask(session, question, self._jail.limits.call, label, what)

    def aside(self, key: tuple[str, str] | None, find_out: Callable[[], Any]) -> Any:
        """What is found out for a hint; `None` where the student's code does not answer.

        It costs no test anything. With a key it is found out once, until another cell has run.
        """
        if self._gives_no_hints:
            return None
        known = None if key is None else (len(self._ran), *key)
        if known in self._remembered:
            return self._remembered[known]
        lost, found = self.lost, None
        with self._clock.aside(), suppress(Lost):
            found = find_out()
        self.lost = lost
        if known is not None:
            self._remembered[known] = found
        return found

    @contextmanager
    def understood(self) -> Iterator[None]:
        """An answer that makes no sense ends the process that gave it. Raises `Crashed`."""
        try:
            yield
        except WireError as error:
            if self._session is not None:
                self._session.close()
            raise self._note(Crashed(f"the answer makes no sense: {error}")) from None

    def encoder(self, session: Session) -> Encoder:
        """Encodes a question to that session, in which stand-ins may occur."""

        def reference(value: Any) -> Any:
            if not isinstance(value, StandIn):
                raise TypeError(f"a {type(value).__name__} can not be given to the student's code")
            return reference_of(value).reference_in(session)

        return Encoder(reference)

    def decoder(
        self, session: Session, label: str, originals: Sequence[Any] = (), is_root: bool = False
    ) -> Decoder:
        """Decodes an answer of that session; objects in it become stand-ins of that label."""

        def stand_in(handle: Any) -> StandIn:
            return make_stand_in(Reference(self, session, handle, label, is_root))

        return Decoder(stand_in, originals, self.budget)

    def close(self) -> None:
        """The submission is over."""
        if self._session is not None:
            self._session.close()

    def _now(self) -> Session:
        """The process that now runs; a new one runs the cells again that came to their end."""
        while self._session is None or self._session.is_over:
            session = self._session = self._jail.session()
            for cell in list(self._ran):
                try:
                    self._run(session, cell, is_again=True)
                except Lost:
                    if not session.is_over:  # there is no time left to run it
                        session.close()
                        raise
                    self._ran.remove(cell)
                    break
        return self._session

    def _run(self, session: Session, cell: Cell, is_again: bool = False) -> Any:
        question = {"do": "run", "source": cell.source, "name": cell.id}
        most, what = self._jail.limits.cell, f"the cell {cell.id}"
        return self._ask(session, question, most, "", what, is_again).get("outputs")

    def _ask(
        self,
        session: Session,
        question: Message,
        most: float,
        label: str,
        what: str,
        is_again: bool = False,
    ) -> Message:
        begin = time.monotonic()
        try:
            seconds = self._clock.seconds(most, what, is_again)
        except TimedOut as lost:
            raise self._note(lost) from None
        try:
            return session.ask(question, seconds)
        except Lost as lost:
            self._clock.note_lost(lost, begin, label)
            is_late = isinstance(lost, TimedOut)
            why = self._clock.why_late(seconds, most, what) if is_late else f"{what}: {lost}"
            raise self._note(type(lost)(why)) from None

    def _note(self, lost: Lost) -> Lost:
        self.lost = lost
        return lost


def _is_object(data: Any) -> bool:
    return type(data) is dict and "handle" in data
