"""Probes: questions to a program, such as `merge([2, 2])`, by which two programs are told apart.

They are the calls that the tests make, and variations of these calls. The answer key and a mutant
of it, which has one small change, are asked in the jail. A probe that the two answer differently
becomes an `assert` line.
"""

import ast
import builtins
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import isclose
from random import Random
from typing import Any

from autograder.jail.inside.names_in_code import names_of

_PYTHON = frozenset(dir(builtins))
_MOST = 300  # probes of a function
_LONGEST = 300  # characters of a probe
_LEAVES = 12  # values in the tests' arguments from which others are made
_DEEP = 3  # variations on top of each other
_EXACT = 1e-9
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Probe:
    """An expression to be evaluated after the lines of `setup`.

    `tier` is 0 for calls that stay close to those of the tests, and 1 for bolder ones, which may be
    outside of what the exercise is about.
    """

    setup: str
    asked: str
    tier: int = 0

    @property
    def order(self) -> tuple[int, int, str]:
        """The key by which probes are sorted: the plainest comes first."""
        text = self.setup + self.asked
        return self.tier + 2 * ("\n" in self.setup), len(text), text

    @property
    def needed(self) -> frozenset[str]:
        """The names that the probe needs of the program, or of Python."""
        return names_of(ast.parse(f"{self.setup}\n{self.asked}").body).needed


@dataclass(frozen=True)
class ProbeReply:
    """A program's answer to a probe.

    `kind` is "value", or a method such as "tolist" that made a value of the answer, or "list" for
    an iterator; "printed", "raised", "error" for an error that no `raise` of the program has
    raised, "late", "ended", or "object" for all that has no literal. `text` is the literal, the
    printed text, or the name of the error's or the object's class.
    """

    kind: str
    text: str

    @property
    def is_useful(self) -> bool:
        """True if a right program surely answers the same."""
        return self.kind not in ("error", "late", "ended", "object", "chance")


def differs(key: ProbeReply, other: ProbeReply) -> bool:
    """Return true if an `assert` can tell the other reply from that of the answer key.

    >>> differs(ProbeReply("value", "0.3"), ProbeReply("value", "0.30000000000000004"))
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
    return not _close(_value(key), _value(other))


def _value(reply: ProbeReply) -> Any:
    return ast.literal_eval(reply.text)


def _close(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, int | float):
        return isclose(one, other, rel_tol=_EXACT, abs_tol=_EXACT)
    if type(one) is type(other) and isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_close, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_close(one[name], other[name]) for name in one)
    return bool(one == other)


def as_assert(probe: Probe, key: ProbeReply) -> str:
    """Return the lines of a test that hold for the answer key and for no program that differs.

    >>> as_assert(Probe("a = [2]", "f(a)"), ProbeReply("value", "[4]"))
    'a = [2]\\nassert f(a) == [4]'
    """
    asked = probe.asked
    if key.kind == "raised":
        lines = ["try:", f"    {asked}", f"except {key.text}:", "    pass", "else:"]
        lines += [f"    raise AssertionError({f'{asked} raises no {key.text}'!r})"]
    elif key.kind == "printed":
        lines = ["from contextlib import redirect_stdout", "from io import StringIO"]
        lines += ["with redirect_stdout(StringIO()) as printed:", f"    {asked}"]
        lines += [f"assert printed.getvalue() == {key.text!r}"]
    else:
        if key.kind != "value":
            asked = f"list({asked})" if key.kind == "list" else f"{asked}.{key.kind}()"
        lines = [f"assert {_compared(asked, key.text, _value(key))}"]
    return "\n".join([*filter(None, [probe.setup]), *lines])


def _compared(asked: str, text: str, value: Any) -> str:
    if value is None:
        return f"{asked} is None"
    if type(value) is float:
        return f"abs({asked} - {f'({text})' if value < 0 else text}) < 1e-9"
    flat = value if type(value) in (list, tuple) else ()
    if any(type(one) is float for one in flat) and all(type(one) in (int, float) for one in flat):
        return f"[round(one, 6) for one in {asked}] == {[round(one, 6) for one in flat]}"
    return f"{asked} == {text}"


def written_probes(source: str, names: Collection[str]) -> Iterator[Probe]:
    """Yield what a test asks of the functions and classes with these names, as its text says.

    >>> [probe.asked for probe in written_probes("assert f(3).size == 4", {"f"})]
    ['f(3).size', 'f(3)']
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
    for body in (tree.body, *bodies):
        for place, statement in enumerate(body):
            if not isinstance(statement, ast.Assert | ast.Expr | ast.Assign):
                continue
            for asked in _asked(statement):
                setup = _setup(body[:place], asked, names)
                text = "\n".join(map(ast.unparse, setup))
                if set(names) & _read(*setup, asked) and len(text) <= _LONGEST:
                    yield Probe(text, ast.unparse(asked))


def _asked(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions in a statement of a test that may ask the program something."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Compare):
            yield from (one for one in (node.left, *node.comparators) if not _is_literal(one))
        elif isinstance(node, ast.Call) and not isinstance(statement, ast.Expr):
            yield node
        elif isinstance(node, ast.Call):
            yield from (one for one in node.args if isinstance(one, ast.Call))


def _setup(before: Sequence[ast.stmt], asked: ast.expr, names: Collection[str]) -> list[ast.stmt]:
    """Return those statements of `before` on which the value of an expression depends."""
    needed = _read(asked) - set(names) - _PYTHON
    kept: list[ast.stmt] = []
    for statement in reversed(before):
        if not isinstance(statement, ast.Assert) and needed & _mentioned(statement):
            kept.insert(0, statement)
            needed |= _read(statement) - set(names) - _PYTHON
    return kept


def _read(*nodes: ast.AST) -> set[str]:
    parts = (part for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name))
    return {part.id for part in parts if isinstance(part.ctx, ast.Load)}


def _mentioned(node: ast.AST) -> set[str]:
    aliases = (part for part in ast.walk(node) if isinstance(part, ast.alias))
    imported = {(one.asname or one.name).partition(".")[0] for one in aliases}
    return imported | {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def varied(probes: Sequence[Probe], seed: str, constants: Collection[Any] = ()) -> list[Probe]:
    """Return probes of one function and variations of their arguments, at most about `_MOST`.

    `constants` are values in the answer key, at which it may change what it does.
    """
    limits = {type(one)(one + more) for one in constants if _is_number(one) for more in (0, -1, 1)}
    limits |= {one for one in constants if isinstance(one, str)}
    rng = Random(seed)
    originals = sorted(dict.fromkeys(probes), key=lambda probe: probe.order)[: _MOST // 3]
    forms = [_Form(probe) for probe in originals]
    used = (leaf for form in forms for value in form.values for leaf in _leaves(value))
    leaves = [leaf for leaf, _ in Counter(used).most_common(_LEAVES)]
    found: dict[Probe, None] = {}
    for form in forms:
        for place, value in enumerate(form.values):
            for tier, new in _variants(value, leaves):
                found.setdefault(form.filled({place: new}, tier))
            for new in sorted(limits, key=repr):
                if type(new) is type(value) and (not _is_number(new) or new >= min(0, value)):
                    found.setdefault(form.filled({place: new}, 0))
    changed = [form for form in forms if form.values]
    for _ in range(_MOST // 2 if changed else 0):
        form = rng.choice(changed)
        news: dict[int, Any] = {}
        for _ in range(rng.randint(2, _DEEP)):
            place = rng.randrange(len(form.values))
            value = news.get(place, form.values[place])
            if close := [new for tier, new in _variants(value, leaves) if not tier]:
                news[place] = rng.choice(close)
        found.setdefault(form.filled(news, 0))
    short = [one for one in found if len(one.setup + one.asked) <= _LONGEST]
    rest = rng.sample(short, min(len(short), _MOST - len(originals)))
    return list(dict.fromkeys([*originals, *rest, *_arguments_after(originals[:10])]))


class _Form:
    """The text of a probe with gaps, and the `values` of the literals that stood there.

    They are the arguments of calls, and the values that variables get.
    """

    def __init__(self, probe: Probe) -> None:
        self.values: list[Any] = []
        tree = ast.parse(f"{probe.setup}\n{probe.asked}")
        for node in list(ast.walk(tree)):
            if isinstance(node, ast.Call) and _name(node.func) not in _PYTHON:
                node.args = list(map(self._gap, node.args))
                for keyword in node.keywords:
                    keyword.value = self._gap(keyword.value)
            elif isinstance(node, ast.Assign):
                node.value = self._gap(node.value)
        *setup, asked = map(ast.unparse, tree.body)
        self._texts = "\n".join(setup), asked

    def _gap(self, node: ast.expr) -> ast.expr:
        if not _is_literal(node):
            return node
        self.values.append(ast.literal_eval(ast.unparse(node)))
        return ast.Name(f"_{len(self.values) - 1}_", ast.Load())

    def filled(self, news: dict[int, Any], tier: int) -> Probe:
        """Return the probe, with new values in some gaps: `news` is number of a gap → new value."""
        setup, asked = self._texts
        for n, value in enumerate(self.values):
            gap, text = f"_{n}_", repr(news.get(n, value))
            setup, asked = setup.replace(gap, text), asked.replace(gap, text)
        return Probe(setup, asked, tier)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _arguments_after(probes: Sequence[Probe]) -> Iterator[Probe]:
    """Yield, for calls that get a list or the like, a probe of this argument after the call."""
    for probe in probes:
        call = ast.parse(probe.asked, mode="eval").body
        if isinstance(call, ast.Call) and not probe.setup:
            for place, one in enumerate(call.args):
                if isinstance(one, ast.List | ast.Dict | ast.Set) and _is_literal(one):
                    copy = deepcopy(call)
                    copy.args[place] = ast.Name("argument", ast.Load())
                    setup = f"argument = {ast.unparse(one)}\n{ast.unparse(copy)}"
                    yield Probe(setup, "argument", 1)


def _is_literal(node: ast.AST) -> bool:
    try:
        ast.literal_eval(ast.unparse(node))
    except (ValueError, SyntaxError, TypeError):
        return False
    return True


def _leaves(value: Any) -> Iterator[Any]:
    """Yield the values in a value that hold no others."""
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set):
        for one in value:
            yield from _leaves(one)
    else:
        yield value


def _variants(value: Any, leaves: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """Yield pairs (tier, variation) of an argument. `leaves` are values that the tests use."""
    others = dict.fromkeys(one for one in leaves if type(one) is type(value) and one != value)
    if isinstance(value, bool):
        yield 0, not value
    elif isinstance(value, int | float):
        yield from ((0, one) for one in others)
        lowest = min([value, 0, *others])
        yield from ((0, one) for one in (value + 1, value - 1, value * 2) if one >= lowest)
    elif isinstance(value, str):
        yield from ((0, one) for one in others)
        news = (value[:1], value[1:], value[:-1], value[::-1], value * 2, value.swapcase())
        yield from ((0 if new else 1, new) for new in dict.fromkeys(news) if new != value)
        yield 1, ""
    elif isinstance(value, list | tuple) and value:
        yield from _variants_of_list(value, leaves)
    elif isinstance(value, dict):
        for name in value:
            yield 0, {one: value[one] for one in value if one != name}
            yield from (
                (tier, {**value, name: new}) for tier, new in _variants(value[name], leaves)
            )
    elif isinstance(value, set) and len(value) > 1:
        yield from ((0, value - {one}) for one in sorted(value, key=repr))


def _variants_of_list(
    value: list[Any] | tuple[Any, ...], leaves: Sequence[Any]
) -> Iterator[tuple[int, Any]]:
    made = type(value)
    is_table = all(isinstance(row, list) and row for row in value)
    if is_table and len(set(map(len, value))) == 1:  # it stays a rectangle
        yield 0, made([row[::-1] for row in value])
        yield 0, made([list(row) for row in zip(*value, strict=True)])
        if len(value[0]) > 1:
            yield from ((1, made([row[:-1] for row in value])), (1, made([r[1:] for r in value])))
    yield 0, value[::-1]
    yield int(is_table), value[:1]
    places = range(min(len(value), 8))
    for n in places:
        if len(value) > 1:
            yield int(isinstance(value, tuple) or is_table), made([*value[:n], *value[n + 1 :]])
            yield 0, made([*value[:n], value[n - 1], *value[n + 1 :]])
        if n:
            yield 0, made([*value[: n - 1], value[n], value[n - 1], *value[n + 1 :]])
        for tier, new in _variants(value[n], leaves):
            is_shaped = not is_table or len(new) == len(value[n])
            is_new = not isinstance(new, int | float) or new in leaves
            if is_shaped:
                yield max(tier, int(not is_new)), made([*value[:n], new, *value[n + 1 :]])
    yield 1, made([*value, *value])
    yield 1, made()


# The two functions below run in the jail, as text, and use no name of this module.


def record_calls(space: dict[str, Any], names: Collection[str], most: int) -> None:
    """Note the calls of functions with these names from now on, as texts in `recorded_calls`."""
    import sys

    recorded: dict[str, dict[str, None]] = {name: {} for name in names}
    space["recorded_calls"] = recorded

    def shown(value: object) -> str:
        if type(value).__module__ == "random" and type(value).__name__ == "Random":
            return "__import__('random').Random(7)"
        if type(value).__module__ == "numpy" and hasattr(value, "tolist") and "np" in space:
            text = repr(value.tolist())
            return f"np.array({text})" if type(value).__name__ == "ndarray" else text
        if callable(value) and space.get(name := getattr(value, "__name__", "")) is value:
            return str(name)
        return repr(value)

    def watch(frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code.co_name not in recorded or frame.f_globals is not space:
            return
        known = recorded[code.co_name]
        function: Any = space.get(code.co_name)
        is_this = bool(getattr(function, "__code__", None) is code)
        if len(known) >= most or not is_this:
            return
        try:
            local = frame.f_locals
            count = code.co_argcount
            values = [local[name] for name in code.co_varnames[:count]]
            usual = list(function.__defaults__ or ())
            while usual and values and values[-1] is usual[-1]:
                values.pop()
                usual.pop()
            parts = list(map(shown, values))
            end = count + code.co_kwonlyargcount
            parts += [f"{one}={shown(local[one])}" for one in code.co_varnames[count:end]]
            if code.co_flags & 4:
                parts += map(shown, local[code.co_varnames[end]])
            known[f"{code.co_name}({', '.join(parts)})"] = None
        except Exception:
            pass

    sys.setprofile(watch)


def answer_probes(
    space: dict[str, Any], probes: Sequence[tuple[str, str]], times: int, seconds: float, most: int
) -> None:
    """Print a JSON list with a pair (kind, text) for each probe, ten of them in a new process.

    If a process ends early, each of its probes has a new process of its own. A probe that is not
    answered in the same way all `times` depends on chance.
    """
    import contextlib
    import io
    import itertools
    import json
    import opcode
    import os
    import random
    import signal
    import sys

    def plain(value: Any) -> Any:
        if type(value).__module__ == "numpy" and not getattr(value, "shape", True):
            return value.item()
        if type(value) in (list, tuple, set, frozenset):
            return type(value)(plain(one) for one in value)
        if type(value) is dict:
            return {plain(name): plain(one) for name, one in value.items()}
        return value

    def literal(value: Any) -> bool:
        if type(value) in (list, tuple, set):
            return all(map(literal, value))
        if type(value) is dict:
            return all(literal(one) for pair in value.items() for one in pair)
        if type(value) is float:
            return value - value == 0
        return type(value) in (int, bool, str, bytes, type(None))

    def told(value: Any, printed: str) -> tuple[str, str]:
        if value is None and printed:
            return "printed", printed
        kind = "value"
        if hasattr(value, "__next__"):
            kind, value = "list", list(itertools.islice(value, 1000))
        elif type(value).__module__.startswith("pandas") and hasattr(value, "to_dict"):
            kind, value = "to_dict", value.to_dict()
        elif type(value).__name__ == "ndarray" and value.shape:
            kind, value = "tolist", value.tolist()
        value = plain(value)
        return (kind, repr(value)) if literal(value) else ("object", type(value).__name__)

    def one(setup: str, asked: str, seed: int) -> tuple[str, str]:
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed)
        names = dict(space)
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                exec(setup, names)  # noqa: S102 — what a jail is for
                if not asked:
                    return "value", "None"
                return told(eval(asked, names), printed.getvalue())
        except Exception as error:
            trace = error.__traceback__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            assert trace is not None
            code, place = trace.tb_frame.f_code, trace.tb_lasti
            is_own = trace.tb_frame.f_globals is space and type(error).__module__ == "builtins"
            is_raised = opcode.opname[code.co_code[place]] == "RAISE_VARARGS"
            return "raised" if is_own and is_raised else "error", type(error).__name__

    def apart(part: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            os.close(ours)
            signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            try:
                replies = []
                for setup, asked in part:
                    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
                    signal.alarm(int(20 * seconds) + 1)
                    found = {one(setup, asked, seed) for seed in range(times)}
                    reply = found.pop() if len(found) == 1 else ("chance", "")
                    replies.append(reply if len(reply[1]) <= most else ("object", "of a long text"))
                with os.fdopen(theirs, "wb") as pipe:
                    pipe.write(json.dumps(replies).encode())
            finally:
                os._exit(0)
        os.close(theirs)
        with os.fdopen(ours, "rb") as pipe:
            said = pipe.read()
        ended = os.waitpid(child, 0)[1]
        if said:
            return [(kind, text) for kind, text in json.loads(said)]
        if len(part) > 1:  # one of them has ended the process
            return [reply for alone in part for reply in apart([alone])]
        is_late = os.WIFSIGNALED(ended) and os.WTERMSIG(ended) in (signal.SIGVTALRM, signal.SIGALRM)
        return [("late", "") if is_late else ("ended", "")]

    replies: list[tuple[str, str]] = []
    for start in range(0, len(probes), 10):
        late = sum(kind == "late" for kind, _ in replies)
        part = probes[start : start + 10]
        replies += apart(part) if late < 5 else [("chance", "")] * len(part)
    print(json.dumps(replies))
