"""Probes: questions to a program, such as `merge([2, 2])`, by which two programs are told apart.

Probes are the calls that the tests make, and variations of these calls.
"""

import ast
import builtins
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, combinations, islice
from random import Random
from typing import Any
from unicodedata import category

from autograder.grading_data import Cell, CellKind
from autograder.jail.inside.names_in_code import Names, names_of
from autograder.notebook.magics import without_magics

_PYTHON = frozenset(dir(builtins))
_MOST = 300  # probes of a function, about
_LONGEST = 300  # characters of a probe
_LEAVES = 12  # frequent values in the tests' arguments, which variations use
_DEEP = 3  # the most changes in one random probe
_ALIKE = 4  # probes in which two arguments get the same new value
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Probe:
    """A question to a program: an expression, `asked`, evaluated after the lines of `setup`.

    `tier` is 0 for a call close to those of the tests. It is 1 for a bolder question, which the
    exercise may not be about: with an empty list or text, with a sign of numbers or a kind of
    letters that no test has, or on what a call does to its argument.
    """

    setup: str
    asked: str
    tier: int = 0

    @property
    def text(self) -> str:
        """The lines of `setup` and the expression."""
        return "\n".join(filter(None, (self.setup, self.asked)))

    @property
    def order(self) -> tuple[int, int, str]:
        """The key by which probes are sorted: the plainest comes first."""
        text = self.setup + self.asked
        return 2 * self.tier + ("\n" in self.setup), len(text), text

    @property
    def needed(self) -> frozenset[str]:
        """The names that the probe needs from the program, or from Python."""
        return names_of(self.text).needed


def names_in_cell(source: str) -> Names:
    """Return the names that a cell defines and needs; no names if the cell is no valid Python."""
    with suppress(SyntaxError, ValueError):
        return names_of(without_magics(source))
    return Names(frozenset(), frozenset())


def place_of(
    answer: Cell, own: Set[str], below: Iterable[tuple[Cell, Names]], failing: Set[str]
) -> str:
    """Return the id of the cell at whose end the probes of an answer cell are asked.

    `own` are the names that the answer defines; `below` are the cells below it. The result is the
    first test that uses one of these names, else the last test, else the answer itself. Tests in
    `failing` do not count. If a cell defines one of these names again, that cell and all below it
    do not count.
    """
    tests = [answer.id]
    for cell, names in below:
        if own & names.bound:
            break
        if cell.kind is CellKind.TEST and cell.id not in failing:
            tests.append(cell.id)
            if own & names.needed:
                break
    return tests[-1]


def constants_in(sources: Iterable[str]) -> set[int | float | str]:
    """Return the literal numbers and texts in some programs."""
    found = set[int | float | str]()
    for source in sources:
        with suppress(SyntaxError, ValueError):
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Constant) and isinstance(node.value, int | float | str):
                    found.add(node.value)
    return found


def written_probes(source: str, names: Collection[str]) -> Iterator[Probe]:
    """Yield as probes the expressions of a test that use functions or classes in `names`.

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
                read = _names(asked, ast.Load)
                setup: list[ast.stmt] = []  # the statements on which the value depends
                for before in reversed(body[:place]):
                    needed = read - set(names) - _PYTHON
                    if not isinstance(before, ast.Assert) and needed & _names(before):
                        setup.insert(0, before)
                        read |= _names(before, ast.Load)
                text = "\n".join(map(ast.unparse, setup))
                if set(names) & read and len(text) <= _LONGEST:
                    yield Probe(text, ast.unparse(asked))


def _asked(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions in a test's statement whose values may come from the program."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Compare):
            yield from (one for one in (node.left, *node.comparators) if not _is_literal(one))
        elif isinstance(node, ast.Call) and not isinstance(statement, ast.Expr):
            yield node
        elif isinstance(node, ast.Call):
            yield from (one for one in node.args if isinstance(one, ast.Call))


def _names(node: ast.AST, context: type[ast.expr_context] = ast.expr_context) -> set[str]:
    """Return all names in a node, imported ones too, or only those in a context like `ast.Load`."""
    found = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, context):
            found.add(part.id)
        elif isinstance(part, ast.alias) and context is ast.expr_context:
            found.add((part.asname or part.name).partition(".")[0])
    return found


def varied(probes: Sequence[Probe], seed: str, constants: Collection[Any] = ()) -> list[Probe]:
    """Return the simplest of a function's `probes`, and the same calls with other arguments.

    These are at most `_MOST` probes. The result also has a few probes that find out if a call
    changes its argument. `seed` decides the random choices. `constants` are the numbers and texts
    in the answer key; some new arguments are near them, as the function may behave otherwise there.
    """
    numbers = [one for one in constants if type(one) in (int, float)]
    limits = {type(one)(one + more) for one in numbers for more in (0, -1, 1)}
    limits |= {one for one in constants if isinstance(one, str)}
    rng = Random(seed)
    originals = sorted(dict.fromkeys(probes), key=lambda probe: probe.order)[: _MOST // 3]
    forms = [_Form(probe) for probe in originals]
    used = [leaf for form in forms for value in form.values for leaf in leaves(value)]
    common = [leaf for leaf, _ in Counter(used).most_common(_LEAVES)]
    given = chain.from_iterable(_Form(probe).values for probe in probes)
    usual = {kind for value in given for leaf in leaves(value) for kind in _kinds(leaf)}
    found: dict[Probe, None] = {}

    def note(form: _Form, news: dict[int, Any], tier: int = 0) -> None:
        is_bold = tier or any(_kinds(one) - usual for new in news.values() for one in leaves(new))
        found.setdefault(form.filled(news, int(is_bold)))

    for form in forms:
        for place, value in enumerate(form.values):
            for tier, new in _variants(value, common):
                note(form, {place: new}, tier)
            for new in sorted(limits, key=repr):
                if type(new) is type(value) and (isinstance(new, str) or new >= min(0, value)):
                    note(form, {place: new})
        for place, other in combinations(range(len(form.values)), 2):  # both get the same value
            one = form.values[place]
            if type(one) is type(form.values[other]):
                alike = (new for tier, new in _variants(one, ()) if not tier)
                for new in (one, *islice(alike, _ALIKE)):
                    note(form, {place: new, other: new})
    open_forms = [form for form in forms if form.values]
    for _ in range(_MOST // 2 if open_forms else 0):
        form = rng.choice(open_forms)
        news: dict[int, Any] = {}
        for _ in range(rng.randint(2, _DEEP)):
            place = rng.randrange(len(form.values))
            value = news.get(place, form.values[place])
            if close := [new for tier, new in _variants(value, common) if not tier]:
                news[place] = rng.choice(close)
        note(form, news)
    short = [one for one in found if len(one.setup + one.asked) <= _LONGEST]
    made = [*originals, *rng.sample(short, min(len(short), _MOST - len(originals)))]
    for probe in originals[:10]:  # is an argument, such as a list, the same after the call?
        call = ast.parse(probe.asked, mode="eval").body
        if not isinstance(call, ast.Call) or probe.setup:
            continue
        for one in call.args:
            if isinstance(one, ast.List | ast.Dict | ast.Set) and _is_literal(one):
                args = [ast.Name("argument") if each is one else each for each in call.args]
                changed = ast.unparse(ast.Call(call.func, args, call.keywords))
                made.append(Probe(f"argument = {ast.unparse(one)}\n{changed}", "argument", 1))
    return list(dict.fromkeys(made))


class _Form:
    """A probe whose text has gaps in place of literals; `values` are the values of these literals.

    A gap replaces each literal that is an argument of a call, or is assigned to a variable.
    """

    def __init__(self, probe: Probe) -> None:
        self.values: list[Any] = []
        tree = ast.parse(f"{probe.setup}\n{probe.asked}")
        for node in list(ast.walk(tree)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") not in _PYTHON:
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
        """Return a probe of this `tier`, in which the gaps are filled.

        `news` is a dictionary from numbers of gaps to new values; other gaps get their old values.
        """
        setup, asked = self._texts
        for n, value in enumerate(self.values):
            gap, text = f"_{n}_", repr(news.get(n, value))
            setup, asked = setup.replace(gap, text), asked.replace(gap, text)
        return Probe(setup, asked, tier)


def _is_literal(node: ast.AST) -> bool:
    try:
        ast.literal_eval(ast.unparse(node))
    except (ValueError, SyntaxError, TypeError):
        return False
    return True


def leaves(value: Any) -> Iterator[Any]:
    """Yield the innermost values of nested containers, or `value` itself if it is no container."""
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set):
        for one in value:
            yield from leaves(one)
    else:
        yield value


def _kinds(leaf: Any) -> set[str]:
    """Return the kinds of a value: a number's sign, or the Unicode categories of a text's letters.

    >>> sorted(_kinds("Ab 1")), _kinds(0)
    (['Ll', 'Lu', 'Nd', 'Zs'], {'zero'})
    """
    if isinstance(leaf, str):
        return {category(letter) for letter in leaf}
    if isinstance(leaf, int | float) and not isinstance(leaf, bool):
        return {"zero" if leaf == 0 else "above" if leaf > 0 else "below"}
    return set()


def _variants(value: Any, leaves: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """Yield pairs of a `tier`, as in `Probe`, and a new value in place of the argument `value`.

    `leaves` are values that the tests use.
    """
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
        yield from ((tier, type(value)(new)) for tier, new in _variants_of_list(value, leaves))
    elif isinstance(value, dict):
        for name in value:
            yield 0, {one: value[one] for one in value if one != name}
            for tier, new in _variants(value[name], leaves):
                yield tier, {**value, name: new}
    elif isinstance(value, set) and len(value) > 1:
        yield from ((0, value - {one}) for one in sorted(value, key=repr))


def _variants_of_list(
    value: list[Any] | tuple[Any, ...], leaves: Sequence[Any]
) -> Iterator[tuple[int, Sequence[Any]]]:
    is_table = all(isinstance(row, list) and row for row in value)
    is_even = is_table and len(set(map(len, value))) == 1
    is_square = is_even and len(value) == len(value[0]) > 1
    if is_even:  # a rectangle is replaced by rectangles only
        yield 0, [row[::-1] for row in value]
        yield 0, [list(row) for row in zip(*value, strict=True)]
        if is_square:  # and a square by squares only, as the exercise may be about squares
            yield 1, [row[:-1] for row in value[:-1]]
        elif len(value[0]) > 1:
            yield 1, [row[:-1] for row in value]
            yield 1, [row[1:] for row in value]
    yield 0, value[::-1]
    if not is_square:
        yield int(is_table), value[:1]
    for n, one in enumerate(value[:8]):
        before, after = value[:n], value[n + 1 :]
        if len(value) > 1:
            if not is_square:
                yield int(isinstance(value, tuple) or is_table), [*before, *after]
            yield 0, [*before, value[n - 1], *after]
        if n:
            yield 0, [*before[:-1], one, value[n - 1], *after]
        for tier, new in _variants(one, leaves):
            is_new = isinstance(new, int | float) and new not in leaves
            if not is_table or len(new) == len(one):
                yield max(tier, int(is_new)), [*before, new, *after]
    if not is_square:
        yield 1, [*value, *value]
        yield 1, ()
