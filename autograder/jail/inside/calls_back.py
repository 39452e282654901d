"""Functions of the test in the student's hands: each call of one is a question to the judge."""

import builtins
from collections.abc import Callable
from typing import Any

from autograder.wire import Decoder, Encoder

Message = dict[str, Any]


class CallsBack:
    """The functions by their numbers. `ask` puts a question to the judge and gives its answer."""

    def __init__(
        self,
        ask: Callable[[Message], Message],
        encoder: Callable[..., Encoder],
        decoder: Callable[..., Decoder],
    ) -> None:
        self._ask = ask
        self._encoder = encoder
        self._decoder = decoder
        self._functions: dict[int, Any] = {}
        self._numbers: dict[int, int] = {}

    def number_of(self, value: Any) -> int | None:
        """The number of a function that the judge has; `None` for anything else."""
        number = self._numbers.get(id(value))
        return number if number is not None and self._functions.get(number) is value else None

    def function(self, number: int, name: str, doc: str) -> Any:
        """What the student's code gets in place of the function of that number."""
        known = self._functions.get(number)
        if known is not None and (known.__name__, known.__doc__) == (name, doc or None):
            return known

        def called_back(*arguments: Any, **options: Any) -> Any:
            return self._call(number, arguments, options)

        called_back.__name__ = called_back.__qualname__ = name
        called_back.__doc__ = doc or None
        self._numbers[id(called_back)] = number
        self._functions[number] = called_back  # last: an interrupt leaves none without its number
        return called_back

    def _call(self, number: int, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        encoder = self._encoder()
        given = encoder.encode([list(arguments), options])
        gave = self._ask({"call back": number, "with": given})
        decoder = self._decoder(encoder.mutable)
        decoder.decode(gave["after"])
        value = decoder.decode(gave["value"])
        decoder.commit()
        if gave["error"] is not None:
            raise _error(*gave["error"])
        return value


def _error(kinds: list[str], message: str) -> Exception:
    """What the function raised, or the nearest that Python has."""
    for name in kinds:
        kind = getattr(builtins, name, None)
        if isinstance(kind, type) and issubclass(kind, Exception):
            return kind(message)
    return Exception(message)
