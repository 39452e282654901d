"""Slips (ids of general hints) that the text of a function shows: lines that do not do their work.

All these lines are mistakes in nearly any program, and in a right one they do no harm. So only
functions that are known to be wrong are looked into. A `node` is a part of a syntax tree, and a
`block` is a list of statements that follow each other.
"""

import ast
import builtins
import inspect
import linecache
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from course.lessons import lessons

Node = Any  # a statement or an expression
Found = Iterator[tuple[str, Node]]

STUB, IN_QUOTES = "stub-left", "number-in-quotes"
COMPARES, THROWN_AWAY = "compares-in-place-of-storing", "value-thrown-away"
TEXT_ALONE, NO_RAISE = "text-as-condition", "raise-forgotten"
NO_CALL, IN_TEXT = "call-without-brackets", "word-in-text"
LETS_THROUGH = (TEXT_ALONE, NO_RAISE, NO_CALL, IN_TEXT)  # these may be why no error is raised
SURE = (STUB, COMPARES, THROWN_AWAY)  # slips of lines that cannot be meant

_QUIET = ("print", "input", "next", "setattr", "delattr", "exec", "exit", "quit", "help", "super")
_LENT = ("empties", "territory", "lines", "say_merges")  # functions that notebooks lend
_NEW = ("copy", "choice", "sample", "random", "join", "replace", "rjust", "split")
_MAY_STAND_ALONE = (ast.Call, ast.Constant, ast.ListComp, ast.NamedExpr, ast.Yield, ast.YieldFrom)
_SHORTENS = ("remove", "pop", "insert")
_GIVE_NOTHING = ("append", "clear", "extend", "insert", "remove", "reverse", "sort")
_ASKED_FIRST = ("random", "choice", "copy", "split", "lower", "upper", "strip")  # with brackets
_OF_LINES = ("close_gaps", "merge", "has_pair", "points")
_LIKE = 0.8  # of two names, how much alike they are if one of them may be misspelt
_DIGITS = re.compile(r"-?\d+")
_RANGES = re.compile(r"range\((?P<start>1, )?len\((?P<name>\w+)\)(?P<end> - 1)?\)")
_SHALLOW = re.compile(r"(\w+)\[:\]|(\w+)\.copy\(\)|list\((\w+)\)")
_EMPTY = ("[]", "0", "''")


@dataclass(frozen=True)
class CodeSlip:
    """A line that does not do its work: the `id` of the general hint, the line, and its number.

    `method` is the method or property of a class that the line is in; it is empty for a function.
    """

    id: str
    method: str
    number: int
    code: str

    @property
    def example(self) -> str:
        """A sentence that shows the line."""
        return f"Look at line {self.number}: `{self.code}`."


def slips_of_code(function: Callable[..., Any]) -> list[CodeSlip]:
    """Return the slips that the code of a function or class shows, the surest kinds first.

    The list is empty if the text of the code is not known.

    >>> def add(total, gained):
    ...     total == total + gained
    >>> [slip.id for slip in slips_of_code(add)]
    ['compares-in-place-of-storing']
    """
    parts = vars(function).items() if isinstance(function, type) else [("", function)]
    found = []
    for method, part in ((name, getattr(each, "fget", each)) for name, each in parts):
        if inspect.isfunction(part):
            lines = linecache.getlines(part.__code__.co_filename)
            for rank, slip, at in _slips("".join(lines), part.__code__.co_firstlineno):
                text = lines[at.lineno - 1].strip()
                found.append((rank, CodeSlip(slip, method, at.lineno, text)))
    return [slip for _, slip in sorted(found, key=lambda pair: pair[0])]


def slips_of_text(program: str) -> set[str]:
    """Return the ids of the slips that the text of a program shows."""
    return {slip for _, slip, _ in _slips(program)}


@cache
def _slips(program: str, first: int = 0) -> list[tuple[int, str, Node]]:
    """Return the rank, the id and the node of all slips, or only of those of one function.

    `first` is the number of the first line of that function.
    """
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError):
        return []
    every = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    starts = [min([each.lineno, *(d.lineno for d in each.decorator_list)]) for each in every]
    own = [each for each, start in zip(every, starts, strict=True) if first in (0, start)]
    return [(n, *each) for f in own for n, find in enumerate(_FINDERS) for each in find(f)]


def _inside(part: Any, *kinds: type) -> list[Node]:
    """Return all nodes of some kinds in a node or a block, in the order of their lines."""
    nodes = part if isinstance(part, list) else [part]
    every = [each for node in nodes for each in ast.walk(node) if isinstance(each, kinds)]
    return sorted(every, key=lambda each: each.lineno)


def _stored(part: Any, kind: type = ast.Name) -> list[Node]:
    """Return the names in a node or a block that get a value, or the items of lists that do."""
    return [each for each in _inside(part, kind) if isinstance(each.ctx, ast.Store)]


def _blocks(node: Node) -> Iterator[list[Any]]:
    fields = (getattr(each, field, 0) for each in ast.walk(node) for field in ("body", "orelse"))
    return (block for block in fields if isinstance(block, list))


def _name(node: Any) -> str:
    """Return the name that a node is, or the list that it is an item of; else an empty text."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _called(node: Any) -> tuple[str, str, str]:
    """Return of a call the function, or the name and the method; empty texts if there is none."""
    if not isinstance(node, ast.Call):
        return "", "", ""
    method = node.func if isinstance(node.func, ast.Attribute) else None
    return ("", _name(method.value), method.attr) if method else (_name(node.func), "", "")


def _leaves(block: list[Any]) -> bool:
    """Return true if a block never comes to its end: it always leaves the function or the loop."""
    return any(
        isinstance(each, ast.Return | ast.Raise | ast.Break)
        or (isinstance(each, ast.If) and _leaves(each.body) and _leaves(each.orelse))
        for each in block
    )


def _stubs(function: Node) -> Found:
    """Find `raise NotImplementedError()` above other code."""
    for block in _blocks(function):
        for each in block[:-1]:
            if isinstance(each, ast.Raise) and "NotImplementedError" in ast.unparse(each):
                yield STUB, each


def _values_alone(function: Node) -> Found:
    """Find values that nothing is done with, but not those that are tried, for the error."""
    tried = [line for each in _inside(function, ast.Try) for line in each.body]
    for line in _inside(function, ast.Expr):
        value = line.value
        asked, _, method = _called(value)
        if line in tried:
            continue
        if asked.endswith(("Error", "Exception")) and hasattr(builtins, asked):
            yield NO_RAISE, line
        elif isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.Eq):
            yield COMPARES, line
        elif not isinstance(value, _MAY_STAND_ALONE) or type(getattr(value, "value", "")) is int:
            yield THROWN_AWAY, line
        elif asked in _givers() or method in _NEW:
            yield "answer-thrown-away", line


@cache
def _givers() -> set[str]:
    """Return the names of functions that give an answer, and do nothing else."""
    every = {one.name for entry in lessons() for one in entry.exercises}
    of_python = (name for name, value in vars(builtins).items() if callable(value))
    names = {*of_python, *every, *_LENT} - {*_QUIET}
    return {name for name in names if name.islower()}


def _changed_lists(function: Node) -> Found:
    """Find a list that gets shorter or longer while a loop walks over it or its indices."""
    for loop in _inside(function, ast.For):
        walked = {_name(each) for each in ast.walk(loop.iter)} - {""}
        is_walk = isinstance(loop.iter, ast.Name) or _called(loop.iter)[0] in ("range", "enumerate")
        for block in _blocks(loop) if is_walk else ():
            for at, line in enumerate(block):
                simple: list[Node] = [line] if isinstance(line, ast.Expr | ast.Assign) else []
                calls = map(_called, _inside(simple, ast.Call))
                is_shorter = any(name in walked and does in _SHORTENS for _, name, does in calls)
                if is_shorter and not _leaves(block[at + 1 : at + 2]):
                    yield "list-changes-in-loop", line


def _early_ends(function: Node) -> Found:
    """Find a `return` that ends a loop in its first round, or gives what the loop still fills."""
    for loop in _inside(function, ast.For, ast.While):
        ends = _inside(loop.body, ast.Return)
        calls = map(_called, _inside(loop.body, ast.Call))
        filled = {name for _, name, does in calls if does == "append"}
        filled |= {*map(_name, _stored(loop.body, ast.Subscript))}
        filled -= {_name(each) for line in _inside(loop.body, ast.Assign) for each in line.targets}
        early = [each for each in ends if filled & {*map(_name, ast.walk(each))} - {""}]
        if _leaves(loop.body) and not _inside(loop.body, ast.Continue):
            early = ends
        if early:
            yield "returns-too-early", early[-1]


def _value_indices(function: Node) -> Found:
    """Find `line[tile]` in a loop that walks over the values of `line`, not over its indices."""
    walks = _inside(function, ast.For)
    source = {_name(each.target): _name(each.iter) for each in walks}
    keys = bool(_inside(function, ast.Dict, ast.DictComp))  # these are no indices
    for loop in [] if keys else walks:
        value, walked = _name(loop.target), _name(loop.iter)
        lists = {walked, source.get(walked, "")} - {""} if walked else ()
        of_row = isinstance(loop.iter, ast.Subscript) and isinstance(loop.iter.slice, ast.Constant)
        for node in _inside(loop.body, ast.Subscript):
            index = node.slice.left if isinstance(node.slice, ast.BinOp) else node.slice
            is_index = isinstance(index, ast.Name) and index.id == value
            if is_index and (of_row or _name(node) in lists):
                yield "value-as-index", node


def _odd_indices(function: Node) -> Found:
    """Find loops over indices that leave one out, or take `line[-1]` for the square before 0."""
    bare = {_name(each) for each in _conditions(function)}  # as in `if index:`
    compared = {_name(node.left) for node in _inside(function, ast.Compare)}
    for loop in _inside(function, ast.For):
        index, texts = _name(loop.target), [*map(ast.unparse, loop.body)]
        walked = _RANGES.fullmatch(ast.unparse(loop.iter))
        if not index or walked is None or not re.search(rf"\[{index}\]", "".join(texts)):
            continue
        start, name, end = walked["start"], walked["name"], walked["end"]
        beside = re.search(rf"\b{index} ?[-+]|[-+] ?{index}\b", "".join(texts))
        edges = re.search(rf"\b{name}\[(0|-1|1:|:-1|len)|\b{name}\.", ast.unparse(function))
        if bool(start) != bool(end) and not beside and not edges:
            yield "square-left-out", loop.iter
        elif not start and index not in bare | compared:
            for line, text in zip(loop.body, texts, strict=True):
                if re.search(rf"\b{name}\[{index} - 1\]", text):
                    yield "index-before-first", line
    walks = [n for n in ast.walk(function) if isinstance(n, ast.For | ast.comprehension)]
    pairs = {(_name(each.iter), _name(each.target)) for each in walks}
    for call in _inside(function, ast.Call):
        given = _name(call.args[0]) if call.args else ""
        if _called(call)[2] == "index" and given and (_called(call)[1], given) in pairs:
            yield "index-finds-first", call


def _shallow_copies(function: Node) -> Found:
    """Find `new[row][column] = ...` where `new` is a copy that has the same rows as an argument."""
    given = {each.arg for each in function.args.args}
    stores = _stored(function, ast.Subscript)
    given -= {each.id for each in _stored(function)}
    rows = {_name(each) for each in stores if isinstance(each.value, ast.Name)}  # new ones, perhaps
    for line in _inside(function, ast.Assign):
        name, copied = _name(line.targets[0]), _SHALLOW.fullmatch(ast.unparse(line.value))
        if isinstance(line.targets[0], ast.Name) and copied and {*copied.groups()} & given - rows:
            deep = {_name(each) for each in stores if isinstance(each.value, ast.Subscript)}
            if name in deep - rows:
                yield "shallow-copy", line


def _resets(function: Node) -> Found:
    """Find `total = 0` or `cells = []` inside a loop, where what is counted is read behind it."""
    for loop in _inside(function, ast.For, ast.While):
        for line in loop.body:
            value = line.value if isinstance(line, ast.Assign) else None
            empty = isinstance(value, ast.List | ast.Constant) and ast.unparse(value) in _EMPTY
            name = _name(line.targets[0]) if empty else ""
            if not name:
                continue
            own = [n for n in _inside(loop.body, ast.Assign, ast.AugAssign) if n is not line]
            grows = [n for n in own if _name(getattr(n, "target", None) or n.targets[0]) == name]
            calls = [n for n in _inside(loop.body, ast.Call) if _called(n)[1:] == (name, "append")]
            inner = _inside([*grows, *calls], ast.Name)
            later = [n for n in _inside(function, ast.Name) if n.lineno > line.lineno]
            read = [n for n in later if n.id == name and isinstance(n.ctx, ast.Load)]
            lines = [n.lineno for n in read if n not in inner]
            if grows + calls and lines and min(lines) > loop.end_lineno:
                yield "reset-in-loop", line


def _lost_values(function: Node) -> Found:
    """Find new values of a loop's variable that are lost when the next round begins."""
    for loop in _inside(function, ast.For):
        names = {_name(each) for each in ast.walk(loop.target)} - {""}
        for line in _inside(loop.body, ast.Assign, ast.AugAssign):
            target = line.targets[0] if isinstance(line, ast.Assign) else line.target
            stored = target.id if isinstance(target, ast.Name) and target.id in names else None
            rounds = [each for each in _inside(loop.body, ast.For, ast.While) if line in each.body]
            again, own = _inside(rounds, ast.Name), _inside(line, ast.Name)
            loads = [n for n in _inside(function, ast.Name) if isinstance(n.ctx, ast.Load)]
            used = [n.id for n in loads if n not in own and (n.lineno > line.lineno or n in again)]
            if stored and stored not in used:
                yield "new-value-lost", line


def _prints(function: Node) -> Found:
    """Find a value that is printed at the end of a block, where it should be returned."""
    for block in _blocks(function):
        call: Node = getattr(block[-1], "value", None) if block else None
        is_print = _called(call)[0] == "print" and len(call.args) == 1 and not call.keywords
        if is_print and type(getattr(call.args[0], "value", None)) is not str:
            yield "prints-instead", block[-1]


def _digits(function: Node) -> Found:
    """Find numbers in quotes, but not where a function makes a text."""
    for node in [] if _inside(function, ast.JoinedStr) else _inside(function, ast.Constant):
        if type(node.value) is str and _DIGITS.fullmatch(node.value):
            yield IN_QUOTES, node


def _conditions(function: Node) -> list[Node]:
    """Return all that is asked in a function: what stands behind `if`, `while` and `not`."""
    tests = [each.test for each in _inside(function, ast.If, ast.While, ast.IfExp)]
    tests += [test for each in ast.walk(function) for test in getattr(each, "ifs", [])]
    nots = _inside(function, ast.UnaryOp)
    return tests + [each.operand for each in nots if isinstance(each.op, ast.Not)]


def _texts_alone(function: Node) -> Found:
    """Find `direction == "left" or "right"`: what stands behind `or` is no question."""
    asked = {id(each) for test in _conditions(function) for each in ast.walk(test)}
    for node in _inside(function, ast.BoolOp):
        fixed = [each.value if isinstance(each, ast.Constant) else None for each in node.values]
        alone = [type(value) in (str, int) and bool(value) for value in fixed]
        compared = [isinstance(each, ast.Compare) for each in node.values]
        is_or = isinstance(node.op, ast.Or) and (alone[0] or any(compared))
        if any(alone) and (is_or or (any(compared) and id(node) in asked)):
            yield TEXT_ALONE, node


def _rebound(function: Node) -> Found:
    """Find `merge = merge(row)` and `self = ...`, and methods that stand or end inside a method."""
    calls = {_called(each)[0] for each in _inside(function, ast.Call)}
    first = next((each.arg for each in function.args.args), "")
    for line in _inside(function, ast.Assign):
        names = {each.id for each in line.targets if isinstance(each, ast.Name)}
        is_value = not isinstance(line.value, ast.Lambda | ast.Name | ast.Attribute)
        if names & calls & _givers() and is_value:
            yield "function-name-rebound", line
        elif "self" in names and first == "self":
            yield "self-rebound", line
        for each in line.targets:
            of_self = isinstance(each, ast.Attribute) and _name(each.value) == "self" == first
            if of_self and each.attr == function.name:
                yield "assigns-own-name", line
    for each in function.body if first == "self" else []:
        if isinstance(each, ast.FunctionDef) and [a.arg for a in each.args.args][:1] == ["self"]:
            yield "method-in-method", each


def _functions_as_values(function: Node) -> Found:
    """Find `rng.random < p_four` and `if is_legal:`, which lack the brackets of a call."""
    given = {each.arg for each in _inside(function.args, ast.arg)}
    stored = {each.id for each in _stored(function)}
    asked = []
    for node in _inside(function, ast.Compare):
        asked += [node.left, *node.comparators]
    for node in _inside(function, ast.BoolOp):
        asked += node.values
    calls = {_called(each)[0] for each in _inside(function, ast.Call)}
    kept = [each for each in _inside(function, ast.Assign) if _name(each.targets[0]) not in calls]
    values = [each.value for each in [*kept, *_inside(function, ast.Return)]]
    for each in [*asked, *_conditions(function), *values]:
        if isinstance(each, ast.Attribute) and _name(each.value) not in ("", "self"):
            is_function = each.attr in _ASKED_FIRST
        else:
            name = each.id if isinstance(each, ast.Name) and each not in values else ""
            is_type = isinstance(getattr(builtins, name, None), type)
            is_function = name in _givers() - given - stored and not is_type
        if is_function:
            yield NO_CALL, each


def _nothings(function: Node) -> Found:
    """Find `new.append(row.reverse())`: methods that give `None`, where a value should stand."""
    alone = [each.value for each in _inside(function, ast.Expr)]
    alone += [each.elt for each in alone if isinstance(each, ast.ListComp)]
    chosen = [each for one in _inside(function, ast.BoolOp, ast.IfExp) for each in ast.walk(one)]
    for call in _inside(function, ast.Call):
        if _called(call)[2] in _GIVE_NOTHING and call not in [*alone, *chosen]:
            yield "method-gives-none", call


def _of_boards(function: Node) -> Found:
    """Find `0 in board`, `max(max(board))` and `merge(board)`, in which a row is passed over."""
    walks = [n for n in ast.walk(function) if isinstance(n, ast.For | ast.comprehension)]
    looped = {_name(each) for walk in walks for each in ast.walk(walk.target)}
    pairs = zip(function.args.args[::-1], function.args.defaults[::-1], strict=False)
    numbers = [one.arg for one, each in pairs if type(getattr(each, "value", None)) is int]

    def is_board(node: Node = None) -> bool:
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        return name == "board" and name not in looped

    for node in _inside(function, ast.Compare):
        is_number = type(getattr(node.left, "value", None)) is int or _name(node.left) in numbers
        is_asked = is_number and isinstance(node.ops[0], ast.In | ast.NotIn)
        if is_asked and is_board(node.comparators[0]):
            yield "number-in-board", node
    for call in _inside(function, ast.Call):
        name, inside = _called(call)[0], call.args[0] if len(call.args) == 1 else None
        if name in _OF_LINES and is_board(inside):
            yield "board-for-line", call
        is_twice = name in ("max", "min") and _called(inside)[0] == name
        if is_twice and inside is not None and is_board(*inside.args[:1]):
            yield "largest-row", call


def _misread(function: Node) -> Found:
    """Find `is` between values, a word looked for in a text of words, and 25.000 for 25000."""
    for node in _inside(function, ast.Compare):
        other = node.comparators[0]
        sides = (node.left, other)
        is_fixed = any(isinstance(s, ast.Constant) or _called(s)[0] == "type" for s in sides)
        if isinstance(node.ops[0], ast.Is | ast.IsNot) and not is_fixed:
            yield "is-for-equal", node
        words = other.value if isinstance(other, ast.Constant) else None
        is_in = isinstance(node.ops[0], ast.In | ast.NotIn) and isinstance(node.left, ast.Name)
        if is_in and type(words) is str and len(words.split()) > 1:
            yield IN_TEXT, node
    for node in _inside(function, ast.Constant):
        value, length = node.value, node.end_col_offset - node.col_offset
        if type(value) is float and value >= 1 and length == len(f"{value:.3f}") and value % 1 == 0:
            yield "point-in-number", node


def _misspelt(function: Node) -> Found:
    """Find `wonn = True` where `won` is used: nothing reads a name, and another is much like it."""
    names, ends = _inside(function, ast.Name), {*"s0123456789"}
    calls = {_called(each)[0] for each in _inside(function, ast.Call)}
    read = {each.id for each in names if isinstance(each.ctx, ast.Load)}
    for line in _inside(function, ast.Assign, ast.AugAssign):
        for each in getattr(line, "targets", [getattr(line, "target", None)]):
            name = each.id if isinstance(each, ast.Name) and each.id not in read else ""
            others = [other for other in read - calls if not {name[-1:], other[-1:]} & ends]
            likes = [SequenceMatcher(None, name, other).ratio() for other in others]
            if len(name) > 2 and max(likes, default=0) >= _LIKE:
                yield "name-never-read", line


_FINDERS: tuple[Callable[[Node], Found], ...] = (
    _stubs,
    _values_alone,
    _texts_alone,
    _rebound,
    _functions_as_values,
    _of_boards,
    _nothings,
    _changed_lists,
    _early_ends,
    _value_indices,
    _odd_indices,
    _shallow_copies,
    _resets,
    _lost_values,
    _prints,
    _digits,
    _misread,
    _misspelt,
)
