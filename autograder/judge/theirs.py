"""Exceptions of the student's own: each has a class outside, so that a test can catch it."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from autograder.jail import Session
from autograder.judge.errors import More, library_kind, make_kind
from autograder.wire import Decoder, WireError
from autograder.wire.named import find_class

_MOST_BASES = 10
_DEEPEST = 10
_MOST = 1000


class Coder(Protocol):
    """The process that the exceptions come from; `words` are those of the test that now runs."""

    words: frozenset[str]

    def decoder(self, session: Session, label: str, originals: Sequence[Any] = ()) -> Decoder:
        """Decodes what a session says."""


class Exceptions:
    """The classes outside, by the process they come from and their numbers there."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[Session, int], type[Exception]] = {}

    def kind(
        self, session: Session, said: Any, given: Mapping[str, type], depth: int = 0
    ) -> type[Exception]:
        """The class outside of what a process says about one: a number, a name, its bases.

        A base is another one, or the name of a class: one that a given cell defines, or Python's.
        """
        if type(said) is str:
            return _exception(given[said] if said in given else find_class(said))
        if type(said) is not list or len(said) != 3 or depth > _DEEPEST:
            raise WireError("this is no class of exceptions")
        number, name, bases = said
        if type(number) is not int or type(name) is not str or type(bases) is not list:
            raise WireError("this is no class of exceptions")
        key = session, number
        if key not in self._kinds:
            if not 0 < len(bases) <= _MOST_BASES or len(self._kinds) >= _MOST:
                raise WireError("this is no class of exceptions")
            made = tuple(self.kind(session, base, given, depth + 1) for base in bases)
            self._kinds[key] = make_kind(name, made)
        return self._kinds[key]

    def more(self, said: Any, process: Coder, session: Session, given: Mapping[str, type]) -> More:
        """What a process says about an exception beyond its nearest built-in class.

        Of a library it is only if the test that now runs has a word for it.
        """
        if type(said) is not dict or type(said.get("kinds")) is not list:
            raise WireError("this is no error")
        kind = library_kind(said["kinds"], process.words)
        if "class" in said:
            kind = self.kind(session, said["class"], given)
        decoder = process.decoder(session, "")
        arguments = decoder.decode(said.get("args"))
        if arguments is not None and type(arguments) is not tuple:
            raise WireError("this is no error")
        return More(kind, arguments, decoder.decode(said.get("self")))


def _exception(kind: type) -> type[Exception]:
    if not issubclass(kind, Exception):
        raise WireError("this is no class of exceptions")
    return kind
