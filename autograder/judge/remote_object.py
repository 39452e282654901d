"""References: each knows the number of one object in the jail, and asks questions about it."""

from collections.abc import Sequence
from random import Random
from typing import Any, Literal, NoReturn

from autograder.course_adapter import Answer, Made, Seeded, without_chance
from autograder.jail import Crashed, Session
from autograder.judge.student_errors import make_error
from autograder.wire import Decoder, Encoder, Frame, WireError, is_plain

Message = dict[str, Any]
Back = Literal["values", "arguments", "chance"]
_BATCH = 500  # calls in one message; each may have the 2,500 bytes of a Random in it
_KINDS = ("function", "class", "instance", "callable instance", "iterator")
_MOST_OBJECTS = 10**9
_CHANCE = (Random, Seeded)
_ITERATES = ("iter", "next", "items")
_ERROR = 2000  # bytes that an error takes from the budget, beside those of its text


class Reference:
    """A reference to one object of the student's in the jail.

    `process` is the `Process` in which the object is; `process.py` needs this module for its own.
    `label` is the name of the object in messages, and in the count of calls that never come back:
    `merge`, `Game`, `Game.move`. `is_root` is true if the student's notebook has the object under
    this name, so that it can be found again in a new process. `place` is where in a test the object
    came from: what it gives when it is iterated over may be what the answer key gave there.
    """

    def __init__(
        self,
        process: Any,
        session: Session,
        handle: Any,
        label: str,
        is_root: bool = False,
        place: str = "",
    ) -> None:
        if type(handle) is not list or len(handle) != 3:
            raise WireError("this is no handle")
        self.number, self.kind, self.type_name = handle
        if type(self.number) is not int or not 0 <= self.number < _MOST_OBJECTS:
            raise WireError("this is no handle")
        if self.kind not in _KINDS or type(self.type_name) is not str or len(self.type_name) > 100:
            raise WireError("this is no handle")
        self.label, self.place = label, place
        self.name = label if is_root else self.type_name
        self._process = process
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
        self._process.share_values(got)
        return got[0]

    def refuse(self, what: str) -> NoReturn:
        """End the test: only a test inside of the jail can do `what` with the object."""
        name = self.type_name or self.label
        why = f"{what} of a {name} {self.kind}: only a test beside the program can ask"
        raise self._process.refuse(why)

    def take_steps(self, steps: list[Any]) -> tuple[list[Any], Exception | None]:
        """Return the results of steps up to the first that raises, and its error or `None`."""
        return self._steps(steps, f"{len(steps)} steps with {self.label}", self.label)

    def _steps(self, steps: list[Any], what: str, label: str) -> tuple[list[Any], Exception | None]:
        self._find()
        answer = self._ask({"do": "steps", "steps": self._told(steps)}, what)
        with self._process.understood():
            origin = self.place if steps and steps[0][0] in _ITERATES else ""
            return self._taken(_part(answer, "taken"), steps, self._is_paid(answer), label, origin)

    def made_many(self, plans: list[list[Any]]) -> list[Made]:
        """Return for each plan the object that a call makes, and the results of steps with it.

        A plan is a list of two lists: the arguments of the call, and the steps.
        """
        self._find()
        told = [[self._encoded(arguments), *self._told(steps)] for arguments, steps in plans]
        answer = self._ask({"do": "make", "plans": told}, self._calls(len(plans)))
        all_made = []
        with self._process.understood():
            parts_of_all, is_paid = _part(answer, "made"), self._is_paid(answer)
            for parts, (_, steps) in zip(_list_of(parts_of_all, len(plans)), plans, strict=True):
                raised, handle, value, taken = _list_of(parts, 4)
                if raised is not None:
                    all_made.append(Made(None, None, _to_raise(self._made(raised))))
                    continue
                thing = value if handle is None else {"handle": handle}
                decoded = self._decoder(self.label).decode(thing)
                all_made.append(Made(decoded, *self._taken(taken, steps, is_paid, self.label)))
        return all_made

    def _told(self, steps: list[Any]) -> list[Any]:
        """Return the steps in the form in which they are sent, and true if that is plain data."""
        return [steps, True] if is_plain(steps) else [[*map(self._encoded, steps)], False]

    def _taken(
        self, taken: Any, steps: list[Any], is_paid: bool, label: str, origin: str = ""
    ) -> tuple[list[Any], Exception | None]:
        got, raised = _list_of(taken, 2)
        error = None if raised is None else self._made(raised)
        if type(got) is not list or (len(got) == len(steps)) != (error is None):
            raise WireError("not every step has an answer")
        return [self._decoded(one, is_paid, label, origin) for one in got], error

    def call(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Return the result of a call, and change the lists in the arguments as the call did."""
        self._find()
        encoder = self._process.encoder(self._session)
        question = {"do": "call", "with": self._encoded((list(arguments), options), encoder)}
        answer = self._asked(question, self._calls(1))
        decoder = self._decoder(self.label, encoder.mutable)
        with self._process.understood():
            if "after" in answer:
                decoder.is_result = False
                decoder.decode(answer["after"])
                decoder.is_result = True
            error = self._made(answer["error"]) if "error" in answer else None
            value = None if error is not None else decoder.decode(_part(answer, "value"))
            decoder.commit()
        self._process.share_values([*arguments, *options.values(), value])
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
        plain, chances, place = _plain_calls(calls)
        question = {
            "do": "many",
            "calls": [self._encoded(call) for call in calls] if plain is None else plain,
            "are plain": plain is not None,
            "chances": [
                one.seed if isinstance(one, Seeded) else self._encoded(one) for one in chances
            ],
            "chance at": place,
            "steps": self._encoded(list(map(list, steps))),
            "back": back,
        }
        answer = self._ask(question, self._calls(len(calls)))
        with self._process.understood():
            answers = _list_of(_part(answer, "answers"), len(calls))
            is_paid = self._is_paid(answer)
            pairs = zip(answers, calls, strict=True)
            return [self._answer(parts, call, back, is_paid) for parts, call in pairs]

    def _answer(self, parts: Any, call: list[Any], back: Back, is_paid: bool) -> Answer:
        raised, told, printed, is_argument = _list_of(parts, 4)
        arguments, value = _list_of(told if is_paid else self._decoded(told, False, self.label), 2)
        if type(printed) is not bool or type(is_argument) is not bool:
            raise WireError("these are no facts about a call")
        after = tuple(_list_of(arguments, 0 if back == "values" else len(call)))
        if back == "arguments":
            after = without_chance(call, after)
        if raised is None:
            return Answer(value, None, after, printed, is_argument)
        return Answer(None, self._made(raised), after, printed, is_argument)

    def _is_paid(self, answer: Frame) -> bool:
        """Take the cost of a plain answer from the budget, and return true.

        Return false if the answer is not plain: it has to be decoded, which takes its cost.
        """
        if answer.plain_cost is None:
            return False
        self._process.budget.spend(answer.plain_cost)
        return True

    def _decoded(self, data: Any, is_paid: bool, label: str, origin: str = "") -> Any:
        return data if is_paid else self._decoder(label, origin=origin).decode(data)

    def _calls(self, count: int) -> str:
        return f"{'a call' if count == 1 else f'{count} calls'} of {self.label}"

    def _ask(self, question: Message, what: str) -> Frame:
        """Return the answer to a question; raise the error if it is one."""
        answer = self._asked(question, what)
        if "error" not in answer:
            return answer
        with self._process.understood():
            error = self._made(answer["error"])
        raise _to_raise(error)

    def _asked(self, question: Message, what: str) -> Frame:
        question["on"] = self.number
        answer: Frame = self._process.ask(self._session, question, self.label, what)
        return answer

    def _find(self) -> None:
        """Find the object again if its process is over; raise `Crashed` if it is lost."""
        if not self._session.is_over:
            return
        if not self._is_root:
            raise Crashed(f"{self.label}: the object was lost with the process it was in")
        found = self._process.find(self.label)
        if found is None:
            raise Crashed(f"{self.label} is not there any more after the cells were run again")
        self._session, self.number = found._session, found.number

    def _encoded(self, value: Any, encoder: Encoder | None = None) -> Any:
        try:
            return (encoder or self._process.encoder(self._session)).encode(value)
        except WireError as error:
            raise self._process.refuse(f"{self.label}: {error}") from None

    def _decoder(self, label: str, originals: Sequence[Any] = (), origin: str = "") -> Decoder:
        decoder: Decoder = self._process.decoder(self._session, label, originals, origin=origin)
        return decoder

    def _made(self, parts: Any) -> Exception:
        error = make_error(parts, self._process.words)
        self._process.budget.spend(_ERROR)
        self._process.budget.spend_text(str(error))
        return error


def _plain_calls(calls: list[list[Any]]) -> tuple[list[list[Any]] | None, list[Any], int | None]:
    """Return calls as plain data, the sources of chance in them, and their index in each call.

    These are a `Random` or a `Seeded`; if each call has one, at the same index, a number takes its
    place, the same for equal ones. The calls are `None` if only the encoder can write them.
    """
    place = next((n for n, one in enumerate(calls[0]) if type(one) in _CHANCE), None)
    chances: list[Any] = []
    numbers: dict[Any, int] = {}  # by the id of a `Random`, by its state, or by a seed
    plain: list[list[Any]] = []
    each: dict[int, Any] = {}  # calls may share lists
    have_one_list = True
    for call in calls:
        if place is not None:
            chance: Any = call[place] if place < len(call) else None
            kind = type(chance)
            if kind not in _CHANCE:
                return None, [], None
            known = ("seed", chance.seed) if kind is Seeded else id(chance)
            number = numbers.get(known)
            if number is None:
                state = known if kind is Seeded else chance.getstate()
                number = numbers[known] = numbers.setdefault(state, len(chances))
                if number == len(chances):
                    chances.append(chance)
            call = [*call]
            call[place] = number
        for one in call:
            each[id(one)] = one
        have_one_list = have_one_list and [*map(type, call)].count(list) < 2
        plain.append(call)
    if (have_one_list and is_plain([*each.values()])) or all(map(is_plain, plain)):
        return plain, chances, place
    return None, [], None


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
