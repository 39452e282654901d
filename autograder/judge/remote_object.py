"""References: each knows the number of one object in the jail, and asks questions about it."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from random import Random
from typing import Any, Literal, NoReturn, Protocol

from autograder.course_adapter import Answer, Made, Seeded, without_chance
from autograder.jail import Crashed, Session
from autograder.wire import Budget, Decoder, Encoder, Frame, WireError, plain_copy

Message = dict[str, Any]
Back = Literal["values", "arguments", "chance"]
_BATCH = 500  # calls in one message; each may have the 2,500 bytes of a Random in it
_KINDS = ("function", "class", "instance", "callable instance", "iterator")
_MOST_OBJECTS = 10**9
_ERROR = 2000  # bytes that an error takes from the budget, beside those of its text


class Asker(Protocol):
    """All that a reference needs of the process in which its object is; see `process.py`."""

    @property
    def budget(self) -> Budget:
        """The budget that limits the memory of all answers to the test that now runs."""

    def ask(self, session: Session, question: Message, label: str, what: str) -> Frame:
        """Return the answer to a question. Raises `Lost`."""

    def refuse(self, why: str) -> NoReturn:
        """End the test that now runs. Raises `Refused`."""

    def share_values(self, values: Iterable[Any]) -> None:
        """Note values that a test and the program share, if the answer key is now graded."""

    def raised(self, parts: Any) -> Exception:
        """Return the exception that the jail describes; raise `WireError` if it describes none."""

    def understood(self) -> AbstractContextManager[None]:
        """Return a context in which a `WireError` ends the process that gave the answer."""

    def find(self, name: str) -> "Reference | None":
        """Return a reference to the object with this name in the current process, or `None`."""

    def encoder(self, session: Session) -> Encoder:
        """Return an encoder for the questions to a session; a question may contain proxies."""

    def decoder(self, session: Session, label: str, originals: Sequence[Any] = ()) -> Decoder:
        """Return a decoder for answers of a session; objects become proxies with this `label`."""


class Reference:
    """A reference to one object of the student's in the jail.

    `label` is the name of the object in messages, and in the count of calls that never come back:
    `merge`, `Game`, `Game.move`. `is_root` is true if the student's notebook has the object under
    this name, so that it can be found again in a new process.
    """

    def __init__(
        self, asker: Asker, session: Session, handle: Any, label: str, is_root: bool = False
    ) -> None:
        if type(handle) is not list or len(handle) != 3:
            raise WireError("this is no handle")
        self.number, self.kind, self.type_name = handle
        if type(self.number) is not int or not 0 <= self.number < _MOST_OBJECTS:
            raise WireError("this is no handle")
        if self.kind not in _KINDS or type(self.type_name) is not str or len(self.type_name) > 100:
            raise WireError("this is no handle")
        self.label = label
        self.name = label if is_root else self.type_name
        self._asker = asker
        self._session = session
        self._is_root = is_root

    def number_in(self, session: Session) -> int:
        """Return the object's number; raise `Crashed` if another process has the object."""
        self._find()
        if self._session is not session:
            raise Crashed(f"{self.label} is in another process")
        number: int = self.number
        return number

    def attribute(self, name: str) -> Any:
        """Return an attribute of the object."""
        return self._step("get", [name], f"{self.label}.{name}")

    def operate(self, operator: str, *operands: Any) -> Any:
        """Return the result of an operator, such as "len"; `handles.py` has all operators."""
        return self._step(operator, list(operands), self.label)

    def _step(self, operator: str, operands: list[Any], label: str) -> Any:
        got, error = self._steps([[operator, *operands]], label, label)
        if error is not None:
            raise error if operator == "next" else _to_raise(error)
        self._asker.share_values(got)
        return got[0]

    def refuse(self, what: str) -> NoReturn:
        """End the test: only a test inside of the jail can do `what` with the object."""
        name = self.type_name or self.label
        self._asker.refuse(
            f"{what} of a {name} {self.kind}: only a test beside the program can ask"
        )

    def take_steps(self, steps: list[Any]) -> tuple[list[Any], Exception | None]:
        """Return the results of steps up to the first that raises, and its error or `None`."""
        return self._steps(steps, f"{len(steps)} steps with {self.label}", self.label)

    def _steps(self, steps: list[Any], what: str, label: str) -> tuple[list[Any], Exception | None]:
        self._find()
        answer = self._ask({"do": "steps", "steps": self._told(steps)}, what)
        with self._asker.understood():
            if (error := self._error(answer)) is None:
                taken = _part(answer, "taken")
                return self._taken(taken, steps, self._is_paid(answer), label)
        raise _to_raise(error)

    def made_many(self, plans: list[list[Any]]) -> list[Made]:
        """Return for each plan the object that a call makes, and the results of steps with it.

        A plan is a list of two lists: the arguments of the call, and the steps.
        """
        self._find()
        told = [[self._encoded(arguments), *self._told(steps)] for arguments, steps in plans]
        count = "a call" if len(plans) == 1 else f"{len(plans)} calls"
        answer = self._ask({"do": "make", "plans": told}, f"{count} of {self.label}")
        with self._asker.understood():
            if (error := self._error(answer)) is None:
                made, is_plain = _part(answer, "made"), self._is_paid(answer)
                pairs = zip(_list_of(made, len(plans)), plans, strict=True)
                return [self._one_made(parts, steps, is_plain) for parts, (_, steps) in pairs]
        raise _to_raise(error)

    def _one_made(self, parts: Any, steps: list[Any], is_plain: bool) -> Made:
        raised, handle, value, taken = _list_of(parts, 4)
        if raised is not None:
            return Made(None, None, _to_raise(self._made(raised)))
        told = value if handle is None else {"handle": handle}
        return Made(
            self._decoder(self.label).decode(told), *self._taken(taken, steps, is_plain, self.label)
        )

    def _told(self, steps: list[Any]) -> list[Any]:
        """Return the steps in the form in which they are sent, and true if that is plain data."""
        plain = plain_copy(steps)
        return [[*map(self._encoded, steps)], False] if plain is None else [plain, True]

    def _taken(
        self, taken: Any, steps: list[Any], is_plain: bool, label: str
    ) -> tuple[list[Any], Exception | None]:
        got, raised = _list_of(taken, 2)
        error = None if raised is None else self._made(raised)
        if type(got) is not list or (len(got) == len(steps)) != (error is None):
            raise WireError("not every step has an answer")
        return [self._decoded(one, is_plain, label) for one in got], error

    def call(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Return the result of a call, and change the lists in the arguments as the call did."""
        self._find()
        encoder = self._asker.encoder(self._session)
        question = {"do": "call", "with": self._encoded((list(arguments), options), encoder)}
        answer = self._ask(question, f"a call of {self.label}")
        decoder = self._decoder(self.label, encoder.mutable)
        with self._asker.understood():
            if "after" in answer:
                decoder.is_result = False
                decoder.decode(answer["after"])
                decoder.is_result = True
            error = self._error(answer)
            value = None if error is not None else decoder.decode(_part(answer, "value"))
            decoder.commit()
        self._asker.share_values([*arguments, *options.values(), value])
        if error is not None:
            raise _to_raise(error)
        return value

    def call_many(
        self, calls: list[list[Any]], steps: Sequence[Any] = (), back: Back = "arguments"
    ) -> list[Answer]:
        """Return the answers of many calls, asked for in one message, or in a few.

        `back` says what comes back: the values alone, or also the arguments as the calls left them.
        A `Random` among the arguments comes back only if `back` is "chance".
        """
        batches = [calls[start : start + _BATCH] for start in range(0, len(calls), _BATCH)]
        return [answer for batch in batches for answer in self._call_batch(batch, steps, back)]

    def _call_batch(self, calls: list[list[Any]], steps: Sequence[Any], back: Back) -> list[Answer]:
        self._find()
        place = _place_of_chance(calls)
        numbered, chances = (calls, []) if place is None else _numbered(calls, place)
        known: dict[int, Any] = {}
        plain = [_plain_call(call, known) for call in numbered]
        are_plain = None not in plain
        question = {
            "do": "many",
            "calls": plain if are_plain else [self._encoded(call) for call in calls],
            "are plain": are_plain,
            "chances": [
                one.seed if isinstance(one, Seeded) else self._encoded(one) for one in chances
            ],
            "chance at": place if are_plain else None,
            "steps": self._encoded(list(map(list, steps))),
            "back": back,
        }
        count = "a call" if len(calls) == 1 else f"{len(calls)} calls"
        answer = self._ask(question, f"{count} of {self.label}")
        with self._asker.understood():
            if (error := self._error(answer)) is None:
                answers = _list_of(_part(answer, "answers"), len(calls))
                is_plain = self._is_paid(answer)
                pairs = zip(answers, calls, strict=True)
                return [self._answer(parts, call, back, is_plain) for parts, call in pairs]
        raise _to_raise(error)

    def _is_paid(self, answer: Frame) -> bool:
        """Take the cost of a plain answer from the budget, and return true.

        Return false if the answer is not plain: it has to be decoded, which takes its cost.
        """
        if answer.plain_cost is None:
            return False
        self._asker.budget.spend(answer.plain_cost)
        return True

    def _decoded(self, data: Any, is_plain: bool, label: str) -> Any:
        return data if is_plain else self._decoder(label).decode(data)

    def _answer(self, parts: Any, call: list[Any], back: Back, is_plain: bool) -> Answer:
        raised, told, *facts = _list_of(parts, 4)
        arguments, value = _list_of(self._decoded(told, is_plain, self.label), 2)
        count = 0 if back == "values" else len(call)
        if not all(type(fact) is bool for fact in facts):
            raise WireError("these are no facts about a call")
        after = tuple(_list_of(arguments, count))
        if back == "arguments":
            after = without_chance(call, after)
        error = None if raised is None else self._made(raised)
        return Answer(value if error is None else None, error, after, *facts)

    def _ask(self, question: Message, what: str) -> Frame:
        question["on"] = self.number
        return self._asker.ask(self._session, question, self.label, what)

    def _find(self) -> None:
        """Find the object again if its process is over; raise `Crashed` if it is lost."""
        if not self._session.is_over:
            return
        if not self._is_root:
            raise Crashed(f"{self.label}: the object was lost with the process it was in")
        found = self._asker.find(self.label)
        if found is None:
            raise Crashed(f"{self.label} is not there any more after the cells were run again")
        self._session, self.number = found._session, found.number

    def _encoded(self, value: Any, encoder: Encoder | None = None) -> Any:
        try:
            return (encoder or self._asker.encoder(self._session)).encode(value)
        except WireError as error:
            self._asker.refuse(f"{self.label}: {error}")

    def _decoder(self, label: str, originals: Sequence[Any] = ()) -> Decoder:
        return self._asker.decoder(self._session, label, originals)

    def _error(self, answer: Message) -> Exception | None:
        return self._made(answer["error"]) if "error" in answer else None

    def _made(self, parts: Any) -> Exception:
        error = self._asker.raised(parts)
        self._asker.budget.spend(_ERROR)
        self._asker.budget.spend_text(str(error))
        return error


def _place_of_chance(calls: list[list[Any]]) -> int | None:
    """Return the index at which each call has a source of chance, a `Random` or a `Seeded`.

    Return `None` if a call has none or several, or if the index is not the same in all calls.
    """
    chance = (Random, Seeded)
    places = {tuple(n for n, one in enumerate(call) if type(one) in chance) for call in calls}
    [first, *others] = places or [()]
    return first[0] if len(first) == 1 and not others else None


def _numbered(calls: list[list[Any]], place: int) -> tuple[list[list[Any]], list[Any]]:
    """Return the calls with numbers in place of their sources of chance, and these by number.

    Each call has its source of chance at the index `place`. Equal sources have one number.
    """
    chances: list[Any] = []
    numbers: dict[Any, int] = {}
    numbered = []
    for call in calls:
        chance = call[place]
        state = chance.seed if isinstance(chance, Seeded) else chance.getstate()
        if state not in numbers:
            numbers[state] = len(chances)
            chances.append(chance)
        numbered.append([*call[:place], numbers[state], *call[place + 1 :]])
    return numbered, chances


def _plain_call(call: list[Any], known: dict[int, Any]) -> list[Any] | None:
    """Return `plain_copy` of a call; copy a list that many calls share only once."""
    if [type(one) for one in call].count(list) != 1:
        copied: list[Any] | None = plain_copy(call)
        return copied
    plain: list[Any] = []
    for one in call:
        copy = known.get(id(one))
        if copy is None:
            copy = plain_copy(one)
            if copy is None and one is not None:
                return None
            if type(one) is list:
                known[id(one)] = copy
        plain.append(copy)
    return plain


def _to_raise(error: Exception) -> Exception:
    """Return the error to raise in the test: a `RuntimeError` in place of a `StopIteration`.

    A `StopIteration` would silently end a loop of the test, as in `all(map(merge, lines))`.
    """
    if not isinstance(error, StopIteration):
        return error
    instead = RuntimeError(f"StopIteration: {error}")
    instead.place = error.place  # type: ignore[attr-defined]
    return instead


def _list_of(parts: Any, count: int) -> list[Any]:
    if type(parts) is not list or len(parts) != count:
        raise WireError("these parts of an answer are too few or too many")
    return parts


def _part(answer: Message, name: str) -> Any:
    if name not in answer:
        raise WireError(f"the answer has no {name}")
    return answer[name]
