"""Functions that send probes to programs in the jail, compare the replies, and write asserts."""

import ast
import json
import re
from cmath import isclose
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import getsource
from numbers import Number
from typing import Any

from autograder.audit import programs_in_jail
from autograder.audit.generate_probes import Probe, leaves
from autograder.grading_data import Cell, CellKind, Submission
from autograder.jail import Lost, WarmJail
from autograder.judge import Uses
from autograder.judge.clock import Clock
from autograder.judge.tests_inside import run_inside

AT_ONCE = 60  # probes that the jail is asked at a time
_ASKED = 10.0  # seconds of the processor for one question
_EXACT = 1e-9
_VISIBLE = 1e-6  # relative; smaller differences may come from the way of computing
_CLOSE = "from numpy.testing import assert_allclose\n"
_TIME = "import time as _time; print('seconds', _time.process_time())"


@dataclass(frozen=True)
class ProbeReply:
    """A program's reply to a probe, which is a question such as `merge([2, 2])`.

    `kind` says what happened, and decides what `text` is:

    - "value": the answer as a literal
    - "arrays": the answer, a list or tuple with arrays, as a literal with lists in place of arrays
    - "list": the items of the answer, an iterator, as a literal
    - "tolist", "to_dict": the result of this method of the answer, as a literal
    - "printed": the text that the program printed
    - "raised": the class of an error that a `raise` statement of the program raised
    - "error": the class of any other error
    - "object": the class of an answer that has no literal, or words for an answer that is too long
    - "late": empty; the time was up
    - "ended": empty; the process ended
    - "chance": empty; the replies to the same probe differed, or the probe was not asked
    """

    kind: str
    text: str

    @property
    def is_useful(self) -> bool:
        """True if every right program surely gives the same reply."""
        return self.kind not in ("error", "late", "ended", "object", "chance")

    @property
    def form(self) -> tuple[str, ...]:
        """The kind of the reply and, if it has a literal, the names of the types in the literal."""
        if self.kind in ("printed", "raised"):
            return (self.kind,)
        types = {type(one).__name__ for one in (self.value, *leaves(self.value))}
        return self.kind, *sorted(types)

    @property
    def is_caught(self) -> bool:
        """True if this reply to an `assert` shows that the `assert` does not hold."""
        return self.kind in ("raised", "error", "late", "ended")

    @property
    def value(self) -> Any:
        """The value of the literal in `text`; only some kinds of replies have a literal."""
        return ast.literal_eval(self.text)

    def __str__(self) -> str:
        words = {
            "printed": f"prints {self.text!r}",
            "raised": f"raises {self.text}",
            "error": f"raises {self.text}",
            "late": "never ends",
            "ended": "ends its process",
            "object": f"gives an object: {self.text}",
        }
        return words.get(self.kind, f"gives {self.text}")


def differs(key: ProbeReply, other: ProbeReply) -> bool:
    """Return true if an `assert` can tell the reply `other` from `key`, that of the answer key.

    >>> differs(ProbeReply("value", "{1: [.3]}"), ProbeReply("value", "{1: [.30000000000000004]}"))
    False
    >>> differs(ProbeReply("value", "[1, 2]"), ProbeReply("value", "(1, 2)"))
    True
    """
    if not key.is_useful or other.kind == "chance":
        return False
    if key.kind == "raised":
        return other.kind not in ("raised", "error") or other.text != key.text
    if key.kind != other.kind or key.kind == "printed":
        return key != other
    return not _close(key.value, other.value)


def is_reordered(key: ProbeReply, other: ProbeReply) -> bool:
    """Return true if two replies are lists, or tuples, with the same items in any order.

    >>> is_reordered(ProbeReply("value", "(.3, 2)"), ProbeReply("value", "(2, .30000000000000004)"))
    True
    """
    if key.kind != other.kind or key.kind in ("printed", "raised"):
        return False
    right, left = key.value, other.value
    if type(right) is not type(left) or not isinstance(right, list | tuple):
        return False
    left = list(left)
    for one in right:
        alike = [n for n, item in enumerate(left) if _close(one, item)]
        if not alike:
            return False
        del left[alike[0]]
    return not left


def _close(one: Any, other: Any) -> bool:
    if isinstance(one, float | complex) and isinstance(other, int | float | complex):
        return isclose(one, other, rel_tol=_VISIBLE, abs_tol=_EXACT)
    if type(one) is type(other) and isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_close, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_close(one[name], other[name]) for name in one)
    return bool(one == other)


def as_assert(probe: Probe, key: ProbeReply) -> str:
    """Return lines of a test that a program passes only with the answer key's reply, `key`.

    >>> as_assert(Probe("", "f(1)"), ProbeReply("value", "(-1j, 1j)"))
    'assert all(abs(one - right) < 1e-9 for one, right in zip(f(1), (-1j, 1j), strict=True))'
    >>> as_assert(Probe("a = [2]", "f(a)"), ProbeReply("tolist", "[]"))
    'a = [2]\\nassert f(a).tolist() == []'
    """
    asked, text = probe.asked, key.text
    setup = f"{probe.setup}\n" if probe.setup else ""
    if key.kind == "raised":
        why = f"{asked} raises no {text}"
        lines = f"    pass\nelse:\n    raise AssertionError({why!r})"
        return f"{setup}try:\n    {asked}\nexcept {text}:\n{lines}"
    if key.kind == "printed":
        imports = "from contextlib import redirect_stdout\nfrom io import StringIO\n"
        printed = f"with redirect_stdout(StringIO()) as printed:\n    {asked}\n"
        return f"{setup}{imports}{printed}assert printed.getvalue() == {text!r}"
    value = key.value
    if key.kind == "arrays":
        check = f"for one, right in zip({asked}, {text}, strict=True):"
        return f"{setup}{_CLOSE}{check}\n    assert_allclose(one, right, atol=1e-9)"
    if key.kind == "tolist" and value and type(value[0]) is list:
        return f"{setup}{_CLOSE}assert_allclose({asked}, {text}, atol=1e-9)"
    if key.kind != "value":
        asked = f"list({asked})" if key.kind == "list" else f"{asked}.{key.kind}()"
    flat = value if type(value) in (list, tuple) else ()
    if value is None:
        return f"{setup}assert {asked} is None"
    if type(value) in (float, complex):
        return f"{setup}assert abs({asked} - {f'({text})' if text[0] == '-' else text}) < 1e-9"
    if any(type(one) is float for one in flat) and all(type(one) in (int, float) for one in flat):
        rounded = [round(one, 6) for one in flat]
        return f"{setup}assert [round(one, 6) for one in {asked}] == {rounded}"
    if any(type(one) is complex for one in flat) and all(isinstance(one, Number) for one in flat):
        pairs = f"zip({asked}, {text}, strict=True)"
        return f"{setup}assert all(abs(one - right) < 1e-9 for one, right in {pairs})"
    return f"{setup}assert {asked} == {text}"


def _in_jail(program: Callable[..., object], *arguments: Any) -> str:
    """Return the text of a cell that calls `program`, a function of `programs_in_jail.py`.

    The function gets the globals of the cells and the `arguments`.
    """
    call = f"_audit[{program.__name__!r}](globals(), *{arguments!r})"
    return f"_audit = {{}}\nexec({getsource(programs_in_jail)!r}, _audit)\n{call}"


def calls_in_tests(
    jail: WarmJail, submission: Submission, names: Iterable[str]
) -> dict[str, list[str]]:
    """Run a submission; return a dictionary from `names` of functions to their calls, as texts."""
    start = _in_jail(programs_in_jail.record_calls, sorted(names))
    end = "import json, sys\nprint(json.dumps(sys.getprofile().recorded))\nsys.setprofile(None)"
    first, last = (Cell(f"audit {n}", CellKind.GIVEN, text) for n, text in enumerate((start, end)))
    cells = [first, *submission.cells, last]
    try:
        found: dict[str, list[str]] = json.loads(_printed(jail, submission, cells)[last.id])
    except (ValueError, KeyError):
        return {}
    return found


def seconds_of_cells(jail: WarmJail, submission: Submission) -> dict[str, float]:
    """Return a dictionary from ids of a submission's cells to their processor times in seconds."""
    cells = [Cell("time 0", CellKind.GIVEN, _TIME)]
    for n, cell in enumerate(submission.code, 1):
        cells += [cell, Cell(f"time {n}", CellKind.GIVEN, _TIME)]
    said = _printed(jail, submission, cells)
    times = [re.search(r"seconds ([\d.]+)", said.get(f"time {n}", "")) for n in range(len(cells))]
    pairs = zip(submission.code, times, times[1:], strict=False)
    return {cell.id: float(b[1]) - float(a[1]) for cell, a, b in pairs if a and b}


def _printed(jail: WarmJail, submission: Submission, cells: Sequence[Cell]) -> dict[str, str]:
    """Run `cells` in the jail, with hidden lines; return a dictionary from ids to printed texts."""
    beside = jail.beside()
    whole = replace(submission, cells=tuple(cells))
    said = run_inside(whole, beside, Clock(beside.limits), lambda cell: cell.source, Uses())
    return {
        name: "".join(str(one["text"]) for one in outputs if one.get("name") == "stdout")
        for name, outputs in said.outputs.of_cells.items()
    }


def replies_to(
    jail: WarmJail, submission: Submission, asked: Mapping[str, Sequence[Probe]], times: int = 1
) -> dict[str, list[ProbeReply]]:
    """Ask a program probes, and return a dictionary from ids of cells to lists of replies.

    `asked` is a dictionary from the ids of cells to the probes that are asked as soon as the cell
    has run. Each probe is asked `times` times. The cells run in order, down to the last one in
    `asked`; tests run with their hidden lines, as in nbgrader. If a probe cannot be asked, its
    reply has the kind "chance".
    """
    jail.lay(submission.files)
    session = jail.session()
    found: dict[str, list[ProbeReply]] = {place: [] for place in asked}
    try:
        for cell in submission.code:
            question = {"do": "run", "source": cell.source, "name": cell.id}
            try:
                session.ask(question, jail.limits.cell, True)
            except Lost as lost:
                if not lost.is_stopped:
                    raise
            probes = asked.get(cell.id, ())
            for start in range(0, len(probes), AT_ONCE):
                part = [(one.setup, one.asked) for one in probes[start : start + AT_ONCE]]
                source = _in_jail(programs_in_jail.answer_probes, part, times)
                said = session.ask({"do": "run", "source": source, "name": "audit"}, _ASKED)
                outputs = said.get("outputs", ())
                texts = [one["text"] for one in outputs if one.get("name") == "stdout"]
                found[cell.id] += [ProbeReply(*pair) for pair in json.loads("".join(texts))]
            if all(len(found[name]) == len(asked[name]) for name in asked):
                break
    except (Lost, ValueError, LookupError, TypeError):
        pass
    finally:
        session.close()
    none = ProbeReply("chance", "")
    return {name: found[name] + [none] * (len(asked[name]) - len(found[name])) for name in asked}
