"""The process of one submission in the jail: runs its cells and answers the questions of tests.

If the process is lost, the next question begins a new process, in which the cells are run again.
"""

import gc
import json
import re
from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from math import inf
from threading import RLock, get_ident
from typing import Any, NoReturn

from autograder.course_adapter import Seeded
from autograder.grading_data import Cell
from autograder.groups.traces import Trace
from autograder.jail import Crashed, Lost, Refused, Session, TimedOut, WarmJail
from autograder.judge.answer_key_record import Uses, as_text, containers_in, place_in
from autograder.judge.clock import Clock
from autograder.judge.proxy import PROXIES, CallableStudentProxy, StudentProxy, reference_of
from autograder.judge.remote_object import Reference
from autograder.wire import Budget, Decoder, Encoder, Frame, WireError, library_names

Message = dict[str, Any]
_BARRED = "{}: an object of the type {} came back where the answer key has plain data"
_UNANSWERED = {TimedOut: "no answer in time", Crashed: "its process ended"}
_MOST_SHARED = 300  # values that are noted, each with its text
_LARGE = 10_000_000  # bytes; if the answers were larger, garbage is collected after the test


class Process:
    """The judge's side of one submission's process in the jail: sends cells and questions there.

    `lost` says why the running test got no answer; it is `None` if all answers came. `words` are
    all words, such as names, in the source of the running test.
    """

    def __init__(self, jail: WarmJail, clock: Clock, uses: Uses) -> None:
        self.lost: Lost | None = None
        self._asking = RLock()  # a test may have threads
        self.uses = uses
        self._test = ""
        self.testing: str | None = None  # the source of the test that now runs
        self.words: frozenset[str] = frozenset()
        self._place: tuple[int, str, bool] | None = None  # the last question's thread and place
        self._shared: list[tuple[Any, str]] = []  # values that the program also has; their texts
        self._together = deque[list[Any]](maxlen=_MOST_SHARED)  # lists that crossed in one message
        self._proxies: dict[tuple[Session, int, str], StudentProxy] = {}
        self.budget = Budget()
        self.trace = Trace()
        self._jail = jail
        self.clock = clock
        self._ran: list[tuple[Cell, str]] = []  # cells, each with "run", "share" or "test"
        self._stopped: set[str] = set()  # the ids of those cells that were interrupted
        self._session: Session | None = None

    def begin_test(self, test: str, source: str) -> None:
        """Begin a test cell: forget which answer the last test lost, and what its answers cost."""
        self.clock.end_test()
        with suppress(Lost):
            self._now()  # the time of the test does not count for cells that are run again
        self.lost = None
        self.budget = Budget()
        self.trace = Trace()
        self._test = test
        self.testing = source
        self.words = frozenset(re.findall(r"\w+", source))
        self._shared.clear()
        self._together.clear()
        self._proxies.clear()
        self.clock.begin_test(test)

    def end_test(self) -> None:
        """End a test cell; if its answers were large, free their memory."""
        self.testing = None
        if self.budget.spent > _LARGE:
            gc.collect()

    def run(self, cell: Cell) -> Any:
        """Run a cell of the notebook; return the outputs that the jail reports, or raise `Lost`.

        If a new process is begun later, the cell is run again there, unless it has ended a process.
        """
        self.clock.end_test()
        return self._run_first(cell, "run").get("outputs")

    def share(self, cell: Cell, lines: str) -> None:
        """Run those `lines` of a test that set names for the student's code, or raise `Lost`."""
        self.clock.end_test()
        self._run_first(replace(cell, source=lines), "share")

    def test(self, cell: Cell, about: str) -> Frame:
        """Run a test cell in the student's process; return a message with its outputs and error.

        `about` is the function that the test is about, or "". Raise `Lost` if no answer comes.
        """
        self.clock.end_test()
        self._now()
        self.clock.begin_test(cell.id)
        label = f"the released test of {about}" if about else ""
        self._begin(label)
        # If the test runs here only for its messages, not for points, it gets the time of a call.
        most = inf if cell.is_inside else self._jail.limits.call
        return self._run_first(cell, "test", label, most)

    def mistake(self, name: str, check: str) -> Any:
        """Return the known mistake in the function `name`, as the jail describes it, or `None`.

        `check` is the id of the test that failed. Raise `Lost` if no answer comes.
        """
        self.clock.end_test()
        question = {"do": "mistake", "name": name, "check": check}
        most = self._jail.limits.cell
        return self._ask(self._now(), question, most, "", "looking for a hint").get("mistake")

    def values(self, names: list[str], answered: Container[str] = ()) -> dict[str, Any]:
        """Return a dictionary from names to the student's values, as plain data or as proxies.

        Names that the jail does not know, or whose values cannot be sent, are left out. If the
        answer key took a name from a library, the value is that of this library; but if the
        student's value is from no library, the name is left out. These two rules do not apply to
        the names in `answered`, which students must define.
        """
        values: dict[str, Any] = {}
        session = self._now()
        found = self._found(session, names)
        with self.understood():
            for name, data in found.items():
                is_library = type(data) is dict and "library" in data
                where, own = (data["library"], data.get("else")) if is_library else ("", data)
                if name not in answered:
                    if is_library and self.uses.is_learning and library_names.is_harmless(where):
                        self.uses.names[name] = where
                    # If the answer key has this name from a library, no other value is used.
                    if (known := self.uses.names.get(name)) is not None:
                        if is_library:
                            with suppress(ImportError):
                                values[name] = library_names.find(known)
                        continue
                if own is not None or not is_library:
                    is_root = type(own) is dict and "handle" in own
                    decoder = self.decoder(session, name, (), is_root, f"the name {name}")
                    values[name] = decoder.decode(own)
                    self.share_values([values[name]])
                    self.trace.note(name, {"do": "value"}, own)
        return values

    def _found(self, session: Session, names: list[str]) -> dict[str, Any]:
        if not names:
            return {}
        question = {"do": "names", "names": names}
        found = self.ask(session, question, "", "looking up the names").get("found")
        with self.understood():
            if type(found) is not dict or not set(found) <= set(names):
                raise WireError("these are not the names that were asked for")
        unfit = {name for name, one in found.items() if type(one) is dict and "unfit" in one}
        return {name: data for name, data in found.items() if name not in unfit}

    def variables(self, names: list[str], test: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        """Return a dictionary from names to the student's value and the test's, both as texts."""
        found = self._found(self._now(), names)
        return {name: (json.dumps(data), as_text(test.get(name))) for name, data in found.items()}

    def share_values(self, values: Iterable[Any]) -> None:
        """While the answer key is graded, remember `values`: test and program have copies of them.

        If the test changes its copy and then asks again, this test must run inside.
        """
        if self.uses.is_learning:
            values = list(values)
            self._together.append(list(containers_in(values)))
            known = {id(value): value for value in (*(one for one, _ in self._shared), *values)}
            self._shared = [(value, as_text(value)) for value in known.values()][:_MOST_SHARED]

    def is_same(self, one: Any, other: Any) -> bool:
        """Return the value that `one is other` has in a notebook.

        If two values are plain data and crossed in different messages, only the program knows if
        they are one. While the answer key is graded, this question ends the test.
        """
        if isinstance(one, StudentProxy) and isinstance(other, StudentProxy):
            return reference_of(one).is_same(reference_of(other))
        if self.uses.is_learning and one is not other:
            pair = {id(one), id(other)}
            crossed = [pair.intersection(map(id, values)) for values in self._together]
            if pair not in crossed and set[int]().union(*crossed) == pair:
                self.refuse("whether two values are one: only a test beside the program can ask")
        return one is other

    def find(self, name: str) -> Reference | None:
        """Return a reference to the object with this name in the current process, or `None`."""
        value = self.values([name]).get(name)
        return reference_of(value) if isinstance(value, StudentProxy) else None

    def ask(self, session: Session, question: Message, label: str, what: str) -> Frame:
        """Return the answer to a question, or raise `Lost`; the time limit is that of a call."""
        self._begin(label)
        self._place = None
        if any(as_text(value) != text for value, text in self._shared):
            self.refuse("the test changes a value that the program has, too, and asks again")
        try:
            answer = self._ask(session, question, self._jail.limits.call, label, what)
        except Lost as lost:
            self.trace.note(label, question, _UNANSWERED.get(type(lost), "no answer"))
            raise
        self.trace.note(label, question, answer)
        if "unfit" in answer:
            self.refuse(f"{what} gave what cannot be handed to the tests")
        return answer

    def _begin(self, label: str) -> None:
        """Raise `Lost` if the test has lost an answer before, or if `label` may not be called."""
        try:
            if self.lost is not None and self.testing is not None:
                raise self.lost
            self.clock.refuse(label)
        except Lost as lost:
            raise self._note(lost) from None

    def close(self) -> None:
        """End the session; the next question begins a new one, in which the cells run again."""
        if self._session is not None:
            self._session.close()

    def refuse(self, why: str) -> NoReturn:
        """End the running test with `Refused`; the test is lost even if it catches the error."""
        raise self._note(Refused(why))

    @contextmanager
    def understood(self) -> Iterator[None]:
        """If the `with` block raises `WireError`, end the student's process and raise `Crashed`."""
        try:
            yield
        except WireError as error:
            self.close()
            raise self._note(Crashed(f"the answer makes no sense: {error}")) from None

    def encoder(self, session: Session) -> Encoder:
        """Return an encoder for the questions to a session; a question may contain proxies."""

        def reference(value: Any) -> Any:
            if isinstance(value, StudentProxy):
                return reference_of(value).number_in(session)
            if isinstance(value, Seeded):
                return {"seed": value.seed}
            # Even if the object's class extends a plain type, it is not sent as a plain value.
            return self.refuse(f"a {type(value).__name__} cannot be given to the student's code")

        return Encoder(reference, named=library_names.name_of)

    def decoder(
        self,
        session: Session,
        label: str,
        originals: Sequence[Any] = (),
        is_root: bool = False,
        named: str = "",
        origin: str = "",
    ) -> Decoder:
        """Return a decoder for answers of a session; objects in them become proxies named `label`.

        `originals` are the values passed in with the call that can change. `is_root` is true if the
        label is the object's name in the notebook.

        An object is accepted if the answer key gave an object at the same place, or if the test
        does not use the value. The place is `named`; if this is empty, it is the position at which
        the test runs, with the last name in the `label`. For values from an iteration over an
        object, the `origin` is a second place: the one at which this object arrived.

        An object that is not accepted is replaced by the plain value that it holds: all values of
        an iterator, or the content of an object whose class is, or extends, a library's. If the
        object holds no plain value, the test ends.
        """
        last = label.rpartition(".")[2]  # "left" of `tree.left.left`: trees differ in depth

        def may_come(kind: str) -> bool:
            place, is_unused = ("", False) if named else self._place_now()
            if decoder.is_result and is_unused:
                return True
            # In a thread that a library began, nobody knows which line of the test has asked.
            if not (named or place or self.uses.objects is None):
                return False
            places = (named or f"{place}; {last}", origin)
            return any(self.uses.may_come(self._test, one, kind) for one in places if one)

        def is_object() -> bool:
            return self.uses.is_known and may_come("instance")

        def proxy(handle: Any) -> Any:
            place = origin or named or f"{self._place_now()[0]}; {last}"
            reference = Reference(self, session, handle, label, is_root, place)
            if not may_come(reference.kind):
                if reference.kind == "iterator":
                    return iter(reference.operate("items"))
                got, _ = reference.take_steps([["held"]])
                if not got:
                    self.refuse(_BARRED.format(label, reference.type_name or reference.kind))
                return got[0]
            key = session, reference.number, label if is_root else ""
            # `a in [a]` is true without a call of `==`, which proxies refuse. While the answer key
            # is graded, no proxy comes twice; so a test that needs this is found, and runs inside.
            if (known := self._proxies.get(key)) is None or self.uses.is_learning:
                kind = PROXIES.get(reference.kind, CallableStudentProxy)
                known = self._proxies[key] = kind(reference)
            return known

        decoder = Decoder(proxy, originals, self.budget, is_object=is_object)
        return decoder

    def _place_now(self) -> tuple[str, bool]:
        thread = get_ident()  # for all values of one answer, look only once
        if (known := self._place) is None or known[0] != thread:
            known = self._place = (thread, *place_in(self._test))
        return known[1:]

    def _now(self) -> Session:
        """Return the session; if it is over, begin a new one in which the cells are run again."""
        while self._session is None or self._session.is_over:
            session = self._session = self._jail.session()
            self.clock.follow(session)
            for cell, do in list(self._ran):
                try:
                    self._run(session, cell, do, is_again=cell.id not in self._stopped)
                except Lost as lost:
                    if session.is_over:
                        self._ran.remove((cell, do))  # this time, the cell has ended the process
                        break
                    if not lost.is_stopped:
                        session.close()  # there is no time left to run it
                        raise
        return self._session

    def _run_first(self, cell: Cell, do: str, label: str = "", most: float = inf) -> Frame:
        session = self._now()
        try:
            answer = self._run(session, cell, do, label, most)
        except Lost:
            if not session.is_over:
                self._ran.append((cell, do))
                self._stopped.add(cell.id)
            raise
        self._ran.append((cell, do))
        return answer

    def _run(
        self,
        session: Session,
        cell: Cell,
        do: str,
        label: str = "",
        most: float = inf,
        is_again: bool = False,
    ) -> Frame:
        question = {"do": do, "source": cell.source, "name": cell.id}
        most, what = min(most, self._jail.limits.cell), f"the cell {cell.id}"
        return self._ask(session, question, most, label or what, what, is_again)

    def _ask(
        self,
        session: Session,
        question: Message,
        most: float,
        label: str,
        what: str,
        is_again: bool = False,
    ) -> Frame:
        """Return the answer, or raise `Lost` if there is none within `most` seconds.

        The message of the error names `what` was asked.
        """
        with self._asking:
            begin = self.clock.spent
            try:
                seconds = self.clock.seconds(most, what, label, is_again)
            except TimedOut as lost:
                raise self._note(lost) from None
            try:
                return session.ask(question, seconds, goes_on=True)
            except Lost as lost:
                self.clock.note_lost(lost, begin, label, seconds, most)
                is_late = isinstance(lost, TimedOut)
                why = self.clock.why_late(most, what, label) if is_late else f"{what}: {lost}"
                told = type(lost)(why)
                told.is_stopped = lost.is_stopped
                raise self._note(told) from None

    def _note(self, lost: Lost) -> Lost:
        self.lost = lost
        return lost
