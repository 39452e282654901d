"""Functions of a test that the student's code was given: it may call them, and nothing more."""

from collections.abc import Sequence
from typing import Any, Protocol

from autograder.jail import Session
from autograder.judge.errors import said_by
from autograder.wire import Budget, Decoder, Encoder, WireError

Message = dict[str, Any]
_LONGEST = 500  # characters of a name, of what is said of it, of an error
_COST = 1000  # bytes that a call back takes from what a test may be answered


class Coder(Protocol):
    """The process that the functions are called from."""

    budget: Budget

    def encoder(self, session: Session, known: Sequence[Any] = ()) -> Encoder:
        """Encodes what is said to a session."""

    def decoder(self, session: Session, label: str, originals: Sequence[Any] = ()) -> Decoder:
        """Decodes what a session says."""


class Ours:
    """The functions by their numbers, as long as the test runs that gave them."""

    def __init__(self, process: Coder) -> None:
        self._process = process
        self._functions: dict[int, Any] = {}
        self._count = 0

    def forget(self) -> None:
        """Another test begins."""
        self._functions.clear()

    @property
    def has_any(self) -> bool:
        """Whether the test has given any."""
        return bool(self._functions)

    def describe(self, function: Any) -> Message:
        """What stands for a function in a question: its number, its name, and what it says."""
        number = next((n for n, one in self._functions.items() if one is function), None)
        if number is None:
            number = self._count = self._count + 1
            self._functions[number] = function
        said = (getattr(function, name, None) for name in ("__name__", "__doc__"))
        return {"ours": [number, *(str(text or "")[:_LONGEST] for text in said)]}

    def find(self, number: Any) -> Any:
        """The function of a number; raises `WireError` if there is none."""
        if type(number) is not int or number not in self._functions:
            raise WireError("there is no such function")
        return self._functions[number]

    def call(self, asked: Message, session: Session) -> Message:
        """What a call of one of them gives, and what became of the arguments."""
        self._process.budget.spend(_COST)
        number = asked["call back"]
        if type(number) is not int or not 0 < number <= self._count:
            raise WireError("there is no such function")
        function = self._functions.get(number, _is_over)
        decoder = self._process.decoder(session, "")
        given = decoder.decode(asked.get("with"))
        if type(given) is not list or len(given) != 2 or type(given[1]) is not dict:
            raise WireError("this is no call")
        arguments, options = given
        error, value = None, None
        try:
            value = function(*arguments, **options)
        except Exception as raised:
            error = [_kinds(raised), said_by(raised)[:_LONGEST]]
        encoder = self._process.encoder(session, decoder.mutable)
        try:
            return {"error": error, "after": encoder.encode(given), "value": encoder.encode(value)}
        except WireError:  # of what the test has, nothing is told
            raise WireError("a function of the test gave what can not be handed over") from None


def _is_over(*_arguments: Any, **_options: Any) -> None:
    """In place of a function that an earlier test has given."""
    raise RuntimeError("the test that gave this function is over")


def _kinds(error: Exception) -> list[str]:
    """The classes of an error, nearest first."""
    return [kind.__name__ for kind in type(error).__mro__]
