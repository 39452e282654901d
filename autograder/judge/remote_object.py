"""References: each knows the number of one object in the jail, and asks questions about it."""

from collections.abc import Sequence
from random import Random
from typing import Any, Literal, NoReturn

from autograder.course_adapter import Answer, Made, Seeded, without_chance
from autograder.jail import Crashed, Session
from autograder.judge.rebuild_errors import make_error
from autograder.wire import Decoder, Encoder, Frame, WireError, encoded

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

    `process` is the `Process` that sends the questions; its module imports this one. `label` is the
    object's name in messages, and in the count of calls that never come back: `merge`, `Game`,
    `Game.move`. `is_root` is true if the student's notebook has the object under this name, so that
    it can be found again in a new process. `place` is the place in the test at which the object
    arrived; values from an iteration over it are also accepted if this place accepts them.
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
        self.number, self.kind, self.type_name = _list_of(handle, 3)
        is_number = type(self.number) is int and 0 <= self.number < _MOST_OBJECTS
        is_name = type(self.type_name) is str and len(self.type_name) <= 100
        if not is_number or not is_name or self.kind not in _KINDS:
            raise WireError("this is no handle")
        self.label, self.place = label, place
        self.name = label if is_root else self.type_name
        self._process = process
        self._session = session
        self._is_root = is_root

    def number_in(self, session: Session) -> Any:
        """Return the number of the object; raise `Crashed` if the object is in another session."""
        self._find()
        if self._session is not session:
            raise Crashed(f"{self.label} is in another process")
        return self.number

    def is_same(self, other: "Reference") -> bool:
        """Return true if the other reference is to the same object."""
        return self._session is other._session and self.number == other.number

    def attribute(self, name: str) -> Any:
        """Return an attribute of the object."""
        return self.operate("get", name, label=f"{self.label}.{name}")

    def operate(self, operator: str, *operands: Any, label: str = "") -> Any:
        """Return the result of an operator, such as "len"; `handles.py` lists all operators."""
        label = label or self.label
        got, error = self.take_steps([[operator, *operands]], label, label)
        if error is not None:
            raise error if operator == "next" else _to_raise(error)
        self._process.share_values(got)
        return got[0]

    def refuse(self, what: str) -> NoReturn:
        """End the test: only a test inside of the jail can do `what` with the object."""
        name = self.type_name or self.label
        why = f"{what} of a {name} {self.kind}: only a test beside the program can ask"
        raise self._process.refuse(why)

    def take_steps(
        self, steps: list[Any], what: str = "", label: str = ""
    ) -> tuple[list[Any], Exception | None]:
        """Return the results of steps up to the first that raises, and its error or `None`.

        A step is a list: an operator of `handles.py`, and its operands. `what` names the steps in
        messages; `label` is that of the objects that they return.
        """
        self._find()
        what = what or f"{len(steps)} steps with {self.label}"
        answer = self._ask({"do": "steps", "steps": list(map(self._encoded, steps))}, what)
        with self._process.understood():
            origin = self.place if steps and steps[0][0] in _ITERATES else ""
            taken = _part(answer, "taken")
            return self._taken(answer, taken, steps, label or self.label, origin)

    def made_many(self, plans: list[list[Any]]) -> list[Made]:
        """Call the object once for each plan; return the new objects, and the results of steps.

        A plan is a list of two lists: the arguments of the call, and the steps with its object.
        """
        self._find()
        told = [[self._encoded(given), list(map(self._encoded, steps))] for given, steps in plans]
        answer = self._ask({"do": "make", "plans": told}, self._calls(len(plans)))
        all_made = []
        with self._process.understood():
            made = _list_of(_part(answer, "made"), len(plans))
            for parts, (_, steps) in zip(made, plans, strict=True):
                raised, handle, value, taken = _list_of(parts, 4)
                if raised is not None:
                    all_made.append(Made(None, None, _to_raise(self._made(raised))))
                    continue
                thing = value if handle is None else {"handle": handle}
                decoded = self._decoder(self.label).decode(thing)
                all_made.append(Made(decoded, *self._taken(answer, taken, steps, self.label)))
        return all_made

    def _taken(
        self, answer: Frame, taken: Any, steps: list[Any], label: str, origin: str = ""
    ) -> tuple[list[Any], Exception | None]:
        got, raised = _list_of(taken, 2)
        error = None if raised is None else self._made(raised)
        if type(got) is not list or (len(got) == len(steps)) != (error is None):
            raise WireError("not every step has an answer")
        return [self._decoded(answer, one, label, origin) for one in got], error

    def call(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Return the result of a call, or raise its error; change the arguments as the call did."""
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
        """Return the answers of many calls, of which up to 500 share one message.

        If `back` is "values", an answer has only the value; else it also has the arguments as the
        call left them. But a `Random` among them is as it was before the call, unless `back` is
        "chance". If there are `steps`, they are taken with the object that each call returns; then
        the value is a list of the attributes that they read.
        """
        answers: list[Answer] = []
        for start in range(0, len(calls), _BATCH):
            self._find()
            batch = calls[start : start + _BATCH]
            numbered, chances, place = _numbered_chances(batch)
            question = {
                "do": "many",
                "calls": list(map(self._encoded, numbered)),
                "chances": [
                    one.seed if isinstance(one, Seeded) else self._encoded(one) for one in chances
                ],
                "chance at": place,
                "steps": self._encoded(list(map(list, steps))),
                "back": back,
            }
            answer = self._ask(question, self._calls(len(batch)))
            with self._process.understood():
                parts = _list_of(_part(answer, "answers"), len(batch))
                pairs = zip(parts, batch, strict=True)
                answers += [self._answer(answer, one, call, back) for one, call in pairs]
        return answers

    def _answer(self, answer: Frame, parts: Any, call: list[Any], back: Back) -> Answer:
        raised, told, printed, is_shared = _list_of(parts, 4)
        arguments, value = _list_of(self._decoded(answer, told, self.label), 2)
        if type(printed) is not bool or type(is_shared) is not bool:
            raise WireError("these are no facts about a call")
        after = tuple(_list_of(arguments, 0 if back == "values" else len(call)))
        if back == "arguments":
            after = without_chance(call, after)
        value, error = (value, None) if raised is None else (None, self._made(raised))
        return Answer(value, error, after, printed, is_shared)

    def _decoded(self, answer: Frame, data: Any, label: str, origin: str = "") -> Any:
        """Return the value that `data`, a part of an answer, describes.

        If the whole answer is plain data, `_ask` has already counted its cost.
        """
        is_plain = answer.plain_cost is not None
        return data if is_plain else self._decoder(label, origin=origin).decode(data)

    def _calls(self, count: int) -> str:
        return f"{'a call' if count == 1 else f'{count} calls'} of {self.label}"

    def _ask(self, question: Message, what: str) -> Frame:
        """Return the answer, or raise the error in it; count the cost of its plain data."""
        answer = self._asked(question, what)
        with self._process.understood():
            if "error" not in answer:
                self._process.budget.spend(answer.plain_cost or 0)
                return answer
            error = self._made(answer["error"])
        raise _to_raise(error)

    def _asked(self, question: Message, what: str) -> Frame:
        question["on"] = self.number
        answer: Frame = self._process.ask(self._session, question, self.label, what)
        return answer

    def _find(self) -> None:
        """If the session is over, find the object in a new one; raise `Crashed` if it is lost."""
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
            if encoder is not None:
                return encoder.encode(value)
            return encoded(value, lambda: self._process.encoder(self._session))
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


def _numbered_chances(calls: list[list[Any]]) -> tuple[list[list[Any]], list[Any], int | None]:
    """Return calls with numbers in place of sources of chance, a list of the sources, and an index.

    A source of chance is a `Random` or a `Seeded`. A number is its place in the list of sources,
    so that each source is sent only once; the index is its place in each call. Unless every call
    has a source at the same index, nothing is replaced, and the index is `None`.
    """
    place = next((n for n, one in enumerate(calls[0]) if type(one) in _CHANCE), len(calls[0]))
    if any(len(call) <= place or type(call[place]) not in _CHANCE for call in calls):
        return calls, [], None
    numbers: dict[Any, int] = {}
    chances: list[Any] = []
    numbered = []
    for call in calls:
        chance = call[place]
        key = chance.seed if type(chance) is Seeded else ("Random", id(chance))
        if (number := numbers.setdefault(key, len(chances))) == len(chances):
            chances.append(chance)
        numbered.append([*call[:place], number, *call[place + 1 :]])
    return numbered, chances, place


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
