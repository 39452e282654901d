"""Traces: the questions that a test has asked of a program, and the answers, as texts.

Two wrong programs are in one group if they fail the same tests of a function with equal traces. The
texts depend on the program alone: they contain no addresses of objects. Of an answer that depends
on chance, only type and size are compared. Floats are rounded, as their last digits may differ.
"""

import json
import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from random import Random
from reprlib import Repr
from typing import Any

from autograder.course_adapter import cell_of
from autograder.grading_data import CheckResult, Difference, Outcome, Submission
from autograder.wire import Budget, Decoder
from autograder.wire.type_codecs import kind_of

_MOST, _LENGTH = 2000, 2_000_000  # questions of a test, and characters; later ones are dropped
_OF_KEY = 20_000  # characters that are kept of the answer key's trace of a test
_SHOWN = 200  # characters of a question or an answer
_SIZE = 2_000_000  # the largest size of a value, as `Budget` counts it
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_CHANCE = "Random(…)"
_OPENING, _CONTENT = "[({'\"", re.compile(r"[^\[\](){},]+")  # what is left shows type and size
_STEPS = {
    "get": "{0}.{1}",
    "has": "hasattr({0}, '{1}')",
    "set": "{0}.{1} = {2}",
    "item": "{0}[{1}]",
    "text": "str({0})",
}

Step = tuple[str, str, str]
"""The name (or names) that a step is about, such as `Game.move`; the question; the answer."""


class Trace:
    """All questions of one test, with the answers; they are made into texts only when needed."""

    def __init__(self) -> None:
        self._asked: list[tuple[str, Any]] = []
        self._room = _LENGTH

    def note(self, label: str, question: Mapping[str, Any], answer: Any) -> None:
        """Note a question about `label`, and the answer, or a text that says why there is none."""
        if len(self._asked) < _MOST and self._room > 0:
            copy: Any = question, answer
            if question["do"] not in ("many", "make"):  # a test may change the objects later
                copy = json.dumps(copy)
                self._room -= len(copy)
            self._asked.append((label, copy))

    def steps(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield each step: name, question, answer, and the part of the answer that is compared."""
        has_chance, called = False, dict[str, str]()
        for label, noted in self._asked:
            question, answer = json.loads(noted) if isinstance(noted, str) else noted
            try:
                for about, asked, said in list(_steps(label, question, answer, called)):
                    has_chance = has_chance or _CHANCE in asked
                    is_by_chance = has_chance and said[:1] in _OPENING
                    yield about, asked, said, _CONTENT.sub("", said) if is_by_chance else said
            except Exception:  # the answer is very large or malformed
                yield label, label, "what cannot be shown", _digest([answer])

    def of_key(self) -> list[list[str]]:
        """Return the first steps of the answer key's trace, each as [question, answer, digest]."""
        kept: list[list[str]] = []
        room = _OF_KEY
        for _, asked, said, part in self.steps():
            kept.append([_cut(asked), _cut(said), _digest([asked, part])])
            room -= sum(map(len, kept[-1]))
            if room <= 0:
                break
        return kept

    def told(self, key: list[list[str]]) -> list[str]:
        """Return a list: a digest of all steps; one step's name, question, answer; key's answer.

        `key` is what `of_key` returned. The step is the first of these that exists:

        1. the first whose question, or the value of whose answer, differs from the key's
        2. the first that differs in any other way, such as 2 in place of 2.0
        3. the one after the key's last step
        4. the last one; its name is then "", because no step is known to be wrong

        The key's answer is "" if the key was not asked this question, or gave the same answer.
        """
        steps = list(self.steps()) or [("", "", "", "")]
        digests = [_digest([asked, part]) for _, asked, _, part in steps]
        same = [digest == other for digest, (*_, other) in zip(digests, key, strict=False)]
        others = [n for n, is_same in enumerate(same) if not is_same]
        unequal = (n for n in others if not _is_equal(steps[n][1:3], key[n]))
        at = next(unequal, others[0] if others else min(len(same), len(steps) - 1))
        about, question, answer, _ = map(_cut, steps[at])
        about = about if len(same) <= at or not same[at] else ""
        expected = key[at][1] if at < len(key) and key[at][0] == question else ""
        expected = "" if expected == answer else expected  # equal texts do not say what is wrong
        return [_digest(digests) if question else "", about, question, answer, expected]


def with_groups(
    checks: Mapping[str, CheckResult], traces: Mapping[str, list[str]], submission: Submission
) -> dict[str, CheckResult]:
    """Return the checks; each that has lost points gets a `Difference` with the id of its group.

    The programs of a group fail the same tests of one name, with equal answers. `traces` is test →
    what `Trace.told` returned. Tests without a trace are compared by outcome and message. A test is
    about the first of these that exists:

    1. the first name of its trace that an answer cell defines
    2. if the trace has no name: the first name in the test's cell that students must define; if
       that is a class, the method whose answer cell is above the test
    3. the answer cell above the test
    """
    masters = {cell.id: cell.id for cell in submission.cells if cell.metadata.get("nbgrader")}
    groups: dict[tuple[str, str], list[list[Any]]] = {}
    above, found = "", dict(checks)
    for cell in submission.cells:
        above = cell.id if cell.metadata.get("nbgrader", {}).get("solution") else above
        one = checks.get(cell.id)
        if one is None or (one.outcome is Outcome.PASSED and one.points >= one.max_points):
            continue
        digest, label, *step = traces.get(cell.id) or [""] * 5
        words = (word for word in re.findall(r"\w+", cell.source) if word in submission.answered)
        name = next(words, "")
        labels = label.split() or [above if name and above.startswith(f"{name}-") else name]
        if not digest:
            said = _ADDRESS.sub("", one.message)
            digest, step = _digest([one.outcome, said]), ["", _cut(said), ""]
        roots = [(one, name) for one in labels for name in (one, cell_of(one))]
        roots.append((labels[-1], labels[-1].partition(".")[0]))
        owns = ((one, submission.answer_of(n, cell.id) or masters.get(n, "")) for one, n in roots)
        label, answer = next((own for own in owns if own[1]), (labels[-1], above))
        groups.setdefault((label, answer), []).append([cell.id, one.line, digest, step])
    for (label, answer), ones in groups.items():
        name = re.sub(r"\W+", "-", label or answer).strip("-")
        group = f"{name or 'cell'}-{_digest(one[:3] for one in ones)[:6]}"
        for test, *_, step in ones:
            found[test] = replace(checks[test], difference=Difference(group, answer, *step))
    return found


def _digest(parts: Iterable[Any]) -> str:
    return sha256(json.dumps(list(parts)).encode()).hexdigest()[:12]


def _is_equal(step: Sequence[str], other: Sequence[str]) -> bool:
    """Return true if the questions are the same, and the texts of the answers mean equal values."""
    with suppress(SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        question, answer = map(_cut, step)  # a text that was cut off is no literal
        return question == other[0] and bool(literal_eval(answer) == literal_eval(other[1]))
    return False


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _steps(
    label: str, question: Mapping[str, Any], answer: Any, called: dict[str, str]
) -> Iterator[Step]:
    """Yield the steps of one question to the jail: its calls, or its uses of objects.

    `label` is the name that is called. `called` is a dictionary: name of a class → the method that
    was last called on any object of it; this function keeps it up to date.
    """
    do = question["do"]
    if do in ("names", "value"):  # only the value of a variable is a step
        if do == "value" and not (type(answer) is dict and "handle" in answer):
            yield label, label, _text(_decoder().decode(answer))
        return
    lost = answer if type(answer) is str else "what cannot be handed to a test"
    is_lost = type(answer) is str or "unfit" in answer
    if do == "steps":
        taken = [[], lost] if is_lost else answer["taken"]
        yield from _taken(label, called, question["steps"], *taken)
        return
    called.pop(label, None)  # of a new object, no method was called yet
    many = question.get("calls") or [plan[0] for plan in question.get("plans", [[None]])]
    for at, call in enumerate(many):
        asked, place, taken, options = _decoder(), question.get("chance at"), None, {}
        if do == "call":
            given, options = asked.decode(question["with"])
        else:
            given = asked.decode(call)
        if place is not None:
            given[place] = Random()
        before = [*map(_text, given), *(f"{name}={_text(one)}" for name, one in options.items())]
        text = f"{label}({', '.join(before)})"
        if is_lost:
            yield label, text + (f" and {len(many) - 1} more" if len(many) > 1 else ""), lost
            return
        back, after = _decoder(asked.mutable), []
        if do == "call":
            back.decode(answer.get("after"))
            error, value, after = answer.get("error"), back.decode(answer.get("value")), given
            back.commit()
        elif do == "many":
            error, told, *_ = answer["answers"][at]
            after, value = back.decode(told)
        else:
            error, handle, value, taken = answer["made"][at]
            value = back.decode(value) if handle is None else _Word("<an object>")
        said = str(error[0][0]) if error else _text(value)
        if any(n != place and _text(one) != before[n] for n, one in enumerate(after)):
            said += ", and changed what it was given"
        yield label, text, said
        if taken:
            yield from _taken(label, called, question["plans"][at][1], *taken)


def _taken(
    label: str, called: dict[str, str], steps: list[Any], got: list[Any], error: Any
) -> Iterator[Step]:
    """Yield the steps in which a test uses one object, such as `Game.move('left')` or `Game.score`.

    A step that reads something, such as `Game.score`, is about two names: the one that is read, and
    the method that was called before.
    """
    for at, step in enumerate(steps[: len(got) + bool(error)]):
        operator, *operands = _decoder().decode(step)
        texts = [*map(_text, operands)]
        if operator == "call":
            about = called[label] = f"{label}.{operands[0]}"
            text = f"{about}({', '.join(texts[1:])})"
        else:
            first = operands[:1] if operator in ("get", "has", "set") else texts[:1]
            how = _STEPS.get(operator, f"{operator}({{0}})")
            text = how.format(label, *first, *texts[1:])
            read = {"get": first, "has": first, "text": ["__str__"]}.get(operator, [])
            about = " ".join([*(f"{label}.{name}" for name in read), called.get(label, label)])
        failed = error if type(error) is str else error and str(error[0][0])
        yield about, text, _text(_decoder().decode(got[at])) if at < len(got) else failed


class _Word(str):
    """A word, such as `<an object>`, that stands in a text in place of a value."""

    def __repr__(self) -> str:
        return str(self)


def _decoder(originals: Sequence[Any] = ()) -> Decoder:
    def found(handle: Any) -> Any:
        return Random() if type(handle) is dict else _Word("<an object>")

    return Decoder(found, originals, Budget(_SIZE), _Word)


class _Texts(Repr):
    """A maker of texts for values, of any length; its base, `Repr`, sorts sets and dictionaries."""

    def __init__(self) -> None:
        super().__init__()
        vars(self).update({name: _SIZE for name in vars(self) if name.startswith("max")})

    def repr_float(self, value: float, _level: int) -> str:
        return repr(float(f"{value:.9g}") + 0.0)

    def repr_Random(self, _value: Any, _level: int) -> str:  # noqa: N802 — the name of the type
        return _CHANCE

    def repr_bool(self, value: Any, _level: int) -> str:
        return repr(value.item() if hasattr(value, "item") else value)

    repr_float64, repr_int64 = repr_float, repr_bool  # numpy's


def _text(value: Any) -> str:
    return _ADDRESS.sub("", _Texts().repr(_without_sets(value)))


def _without_sets(value: Any) -> Any:
    """Return a value in which each set is replaced by its text.

    Of the items that `Repr` cannot sort, such as sets, the order would depend on their hashes, and
    these differ from one run to the next.
    """
    kind = type(value)
    if kind in (set, frozenset):
        items = sorted(map(_without_sets, value), key=_text)
        return _Word(getattr(_Texts(), f"repr_{kind.__name__}")(items, _SIZE))
    if kind in (list, tuple):
        return kind(map(_without_sets, value))
    if kind is dict:
        return {_without_sets(key): _without_sets(one) for key, one in value.items()}
    found = kind_of(kind)
    if found is not None and {list, dict}.intersection(found[1].of):  # such as an `OrderedDict`
        return found[1].make(*map(_without_sets, found[1].parts(value)))
    return value
