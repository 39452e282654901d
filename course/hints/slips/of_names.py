"""Finders of slips (ids of general hints) in code: names, calls and conditions that are wrong.

A finder takes the syntax tree of a function, and yields (slip, node) for each wrong line.
"""

import ast
import builtins
import inspect
import re
from collections.abc import Callable
from difflib import SequenceMatcher

from course import rules
from course.hints.slips.syntax_tree import (
    Found,
    Node,
    arguments,
    called,
    conditions,
    defaults,
    givers,
    inside,
    like,
    loaded,
    name_of,
    stored,
    targets,
)
from course.lessons import lessons

_GIVE_NOTHING = ("append", "clear", "extend", "insert", "remove", "reverse", "sort")
_ASKED_FIRST = ("random", "choice", "copy", "split", "lower", "upper", "strip")  # need brackets
_OF_LINES = "close_gaps|merge|has_pair|points"
_GIVE_LISTS = ("close_gaps", "merge", "rotate", "slide", "empty_cells", "take_turn", "push")
_MOVES = ("close_gaps", "merge", "slide")  # functions that keep the sum of all tiles
_OF_GAMES = ("board", "score", "moves", "rng", "p_four", "height", "width", "total")
_ASKS = ("is_", "has_", "can_")  # beginnings of names of functions that return true or false
_LIKE = 0.8  # two names at least this much alike, 1 being equal, may be one name, misspelt
_FIXED = r"(None|True|False|[\d.]+|'[^']*')"  # the text of a constant
_KIND = rf"{_FIXED}|type\(.*\)"


def _texts_alone(function: Node) -> Found:
    """Find `direction == "left" or "right"`: the text behind `or` is always true."""
    asked = {id(each) for test in conditions(function) for each in ast.walk(test)}
    for node in inside(function, ast.BoolOp):
        fixed = [each.value if isinstance(each, ast.Constant) else None for each in node.values]
        alone = [type(value) in (str, int) and bool(value) for value in fixed]
        compared = [isinstance(each, ast.Compare) for each in node.values]
        is_or = isinstance(node.op, ast.Or) and (alone[0] or any(compared))
        if any(alone) and (is_or or (any(compared) and id(node) in asked)):
            yield "text-as-condition", node


def _rebound(function: Node) -> Found:
    """Find `merge = merge(row)`, `self = ...`, `self.move = ...` in `move`, and nested methods."""
    calls = {called(each)[0] for each in inside(function, ast.Call)}
    first = next((each.arg for each in function.args.args), "")
    for line in inside(function, ast.Assign):
        names = {each.id for each in line.targets if isinstance(each, ast.Name)}
        is_value = not isinstance(line.value, ast.Lambda | ast.Name | ast.Attribute)
        if names & calls & givers() and is_value:
            yield "function-name-rebound", line
        elif "self" in names and first == "self":
            yield "self-rebound", line
        for each in line.targets:
            of_self = isinstance(each, ast.Attribute) and name_of(each.value) == "self" == first
            if of_self and each.attr == function.name:
                yield "assigns-own-name", line
    for each in function.body if first == "self" else []:
        if isinstance(each, ast.FunctionDef) and [a.arg for a in each.args.args][:1] == ["self"]:
            yield "method-in-method", each


def _functions_as_values(function: Node) -> Found:
    """Find `rng.random < p_four`, `if is_legal:` and `new = merge`, which lack brackets."""
    own = {each.arg for each in inside(function.args, ast.arg)}
    own |= {each.id for each in stored(function)}
    compared = inside(function, ast.Compare)
    asked = [each for node in compared for each in (node.left, *node.comparators)]
    asked += [each for node in inside(function, ast.BoolOp) for each in node.values]
    calls = inside(function, ast.Call)
    maps = [each for each in calls if called(each)[0] in ("map", "filter")]
    used = {called(each)[0] for each in calls} | {name_of(each) for m in maps for each in m.args}
    returned = [each.value for each in inside(function, ast.Return)]
    kept = [each for each in inside(function, ast.Assign) if name_of(each.targets[0]) not in used]
    for each in [*asked, *conditions(function), *(line.value for line in kept), *returned]:
        if isinstance(each, ast.Attribute) and name_of(each.value) not in ("", "self"):
            is_function = each.attr in _ASKED_FIRST
        else:
            name = each.id if isinstance(each, ast.Name) and each not in returned else ""
            is_type = isinstance(getattr(builtins, name, None), type)
            is_function = name in givers() - own and not is_type
        if is_function:
            yield "call-without-brackets", each


def _nothings(function: Node) -> Found:
    """Find `new.append(row.reverse())`: the answer of a method that gives `None` is used."""
    alone = [each.value for each in inside(function, ast.Expr)]
    alone += [each.elt for each in alone if isinstance(each, ast.ListComp)]
    chosen = [each for one in inside(function, ast.BoolOp, ast.IfExp) for each in ast.walk(one)]
    for call in inside(function, ast.Call):
        if called(call)[2] in _GIVE_NOTHING and call not in [*alone, *chosen]:
            yield "method-gives-none", call


def _of_boards(function: Node) -> Found:
    """Find `0 in board`, `max(max(board))` and `merge(board)`, which use a board like a row."""
    walks = [n for n in ast.walk(function) if isinstance(n, ast.For | ast.comprehension)]
    if "board" in {name_of(each) for walk in walks for each in ast.walk(walk.target)}:
        return
    numbers = [name for name, value in defaults(function) if type(value) is int]
    number, board = "|".join([r"\d+", *numbers]), r"(\w+\.)*board"
    yield from like("number-in-board", ast.Compare, rf"({number}) (not )?in {board}")(function)
    yield from like("board-for-line", ast.Call, rf"({_OF_LINES})\({board}\)")(function)
    largest = rf"(max|min)\(\1\({board}(, .*)?\)(, \w+=.*)?\)"
    yield from like("largest-row", ast.Call, largest)(function)


def _equal_sums(function: Node) -> Found:
    """Find `sum(merge(line)) - sum(line)`, which is always 0: a move keeps the sum of all tiles."""
    lines = inside(function, ast.Assign)
    moved = [name_of(each.targets[0]) for each in lines if called(each.value)[0] in _MOVES]
    after = rf"\b({'|'.join([*filter(None, moved), *_MOVES])})\b"
    for node in inside(function, ast.Compare, ast.BinOp):
        other = node.comparators[0] if isinstance(node, ast.Compare) else node.right
        are_sums = called(node.left)[0] == called(other)[0] == "sum"
        is_asked = isinstance(node, ast.Compare) or isinstance(node.op, ast.Sub)
        sides = [bool(re.search(after, ast.unparse(side))) for side in (node.left, other)]
        if are_sums and is_asked and sides[0] != sides[1]:
            yield "sums-are-equal", node


def _points_in_numbers(function: Node) -> Found:
    """Find numbers such as 25.000, which Python reads as 25, where 25000 was meant."""
    for node in inside(function, ast.Constant):
        value, length = node.value, node.end_col_offset - node.col_offset
        if type(value) is float and value >= 1 and length == len(f"{value:.3f}") and value % 1 == 0:
            yield "point-in-number", node


def _misspelt(function: Node) -> Found:
    """Find `wonn = True` if `wonn` is never read, and is much like `won`, a name that is read."""
    read, ends = {each.id for each in loaded(function)}, {*"s0123456789"}
    calls = {called(each)[0] for each in inside(function, ast.Call)}
    for line in inside(function, ast.Assign, ast.AugAssign):
        for each in targets(line):
            name = each.id if isinstance(each, ast.Name) and each.id not in read else ""
            others = [other for other in read - calls if not {name[-1:], other[-1:]} & ends]
            likes = [SequenceMatcher(None, name, other).ratio() for other in others]
            if len(name) > 2 and max(likes, default=0) >= _LIKE:
                yield "name-never-read", line


def _caught(function: Node) -> Found:
    """Find an `except` that catches the error that the function has to raise."""
    for node in inside(function, ast.Try):
        for handler in node.handlers:
            kind = name_of(handler.type) or "Exception"
            is_raised = inside(handler.body, ast.Raise)
            if kind in ("ValueError", "Exception", "BaseException") and not is_raised:
                yield "error-caught", handler


def _same_lists(function: Node) -> Found:
    """Find `new = board` if `new` is then changed: it is no copy, but the same list."""
    changed = {name_of(each) for each in stored(function, ast.Subscript)}
    for line in inside(function, ast.Assign):
        name, value = line.targets[0], line.value
        are_names = isinstance(name, ast.Name) and isinstance(value, ast.Name)
        if are_names and value.id in arguments(function) and name.id in changed - {value.id}:
            yield "same-list", line


def _of_the_def_line(function: Node) -> Found:
    """Find a `def` line whose parameters differ from the right ones, and parameters never used."""
    given = [each.arg for each in function.args.args]
    right = getattr(rules, function.name, None)
    is_method = function.col_offset > 0 or bool(function.decorator_list)
    if not is_method and inspect.isfunction(right):
        wanted = inspect.signature(right).parameters
        needed = sum(each.default is each.empty for each in wanted.values())
        without_default = len(given) - len(function.args.defaults)
        is_turned = {*given} == {*wanted} and given != [*wanted]
        if not function.args.vararg and (is_turned or needed != without_default):
            yield "def-line-changed", function
    used = {each.id for each in inside(function, ast.Name)}
    for each in function.args.args[given[:1] == ["self"] :]:
        # If no parameter is used, no code is written yet. If `rng` or `p_four` is unused, known
        # mistakes say more.
        if used & {*given} and each.arg not in (*used, "rng", "p_four"):
            yield "parameter-unused", each


def _of_methods(function: Node) -> Found:
    """Find slips in methods: `self.is_legal(...)` for a function, `board` for `self.board`, …"""
    if "self" not in arguments(function):
        return
    every = {each.name for entry in lessons() for each in entry.exercises}
    methods = {each.partition(".")[2] for each in every} | {"place"}
    for call in inside(function, ast.Call):
        _, owner, name = called(call)
        is_own = name in methods and name != function.name and name not in ("is_over", "has_won")
        if owner == "self" and name in every and not is_own and call.args:
            yield "function-as-method", call
    own = {each.id for each in stored(function)} | arguments(function)
    names = inside(function, ast.Name)
    for node in names:
        if node.id in _OF_GAMES and node.id not in own:
            yield "self-missing", node
    told = {node.attr for node in inside(function, ast.Attribute)} | arguments(function)
    for line in inside(function, ast.Assign, ast.AugAssign):
        elsewhere = {node.id for node in {*names} - {*inside(line, ast.Name)}}
        for name in {each.id for each in targets(line) if isinstance(each, ast.Name)}:
            if name in _OF_GAMES and name not in told | elsewhere:
                yield "self-missing", line
    classes = {name: each for name, each in vars(rules).items() if inspect.isclass(each)}
    for node in inside(function, ast.Attribute):
        if name_of(node.value) in classes and node.attr in _OF_GAMES:
            yield "class-for-object", node
        is_changed = isinstance(node.ctx, ast.Store) and name_of(node.value) == "self"
        if is_changed and function.name.startswith(_ASKS) and node.attr != function.name:
            yield "question-changes", node
    right = [vars(each).get(function.name) for each in classes.values()]
    wanted = {each.__annotations__.get("return", "") for each in right if inspect.isfunction(each)}
    for line in inside(function, ast.Return):
        is_said = line.value is None or isinstance(line.value, ast.Constant)
        is_none = bool(wanted) and wanted <= {None, "None"}
        if is_none and not is_said and "Error" not in ast.unparse(line.value):
            yield "returns-in-vain", line
        if isinstance(line.value, ast.Name) and line.value.id in every - own:
            yield "call-without-brackets", line


def _other_kinds(function: Node) -> Found:
    """Find `== "True"`, `slide(...) == True`, and `if row:` for a `row` that may be `None` or 0."""
    for node in inside(function, ast.Compare):
        for one, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            value = other.value if isinstance(other, ast.Constant) else ()
            is_list = called(one)[0] in _GIVE_LISTS and type(value) in (bool, int)
            if isinstance(node.ops[0], ast.Eq) and (is_list or value in ("True", "False")):
                yield "compares-kinds", node
    perhaps = {name for name, value in defaults(function) if value is None}
    for node in conditions(function):
        asked = node.values if isinstance(node, ast.BoolOp) else [node]
        for each in asked:
            if isinstance(each, ast.Name) and each.id in perhaps:
                yield "none-as-condition", each


FINDERS: tuple[Callable[[Node], Found], ...] = (
    _texts_alone,
    # as `way != "left" or way != "right"`, which always holds
    like("or-of-unequal", ast.BoolOp, rf"(.* or )?(.+) != {_FIXED}( or .*)? or \2 != {_FIXED}.*"),
    _rebound,
    _functions_as_values,
    _of_methods,
    _of_boards,
    _equal_sums,
    _nothings,
    _other_kinds,
    _same_lists,
)
LAST: tuple[Callable[[Node], Found], ...] = (
    like("is-for-equal", ast.Compare, rf"(?!({_KIND}) is ).+ is (not )?+(?!({_KIND})$).+"),
    # as `way in "left right"`, in which a word is looked for in a text of words
    like("word-in-text", ast.Compare, r"[A-Za-z_]\w* (not )?in ('|\") *\S+ +\S.*\2"),
    _points_in_numbers,
    _misspelt,
    _caught,
    _of_the_def_line,
)
