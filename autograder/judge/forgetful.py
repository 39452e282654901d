"""Whether a program can keep nothing of what it is asked.

Functions over lists and numbers, as most are, leave nothing behind when they return: they have no
variables but their own, no defaults that change, no attributes. What such a program shows after a
test is what it would show without it. What is not plainly of this kind counts as able to keep.
"""

import ast
import itertools
from collections.abc import Iterable
from functools import lru_cache

from autograder.course import names_offered
from autograder.judge.shared import names_asked_in
from autograder.submission import Cell, Kind

_OFFERED = names_offered()
_PIECES = _OFFERED["course.rules"]
_SHOWN = _OFFERED["course"] | {"print"}
_BUILTINS = frozenset(
    (
        *("abs", "all", "any", "bool", "divmod", "enumerate", "filter", "int", "isinstance", "len"),
        *("list", "map", "max", "min", "pow", "range", "reversed", "round", "sorted", "sum"),
        *("tuple", "zip"),
    )
)
_METHODS = frozenset(
    (
        *("append", "appendleft", "clear", "copy", "count", "extend", "index", "insert", "pop"),
        *("popleft", "remove", "reverse", "sort"),
    )
)
_IMPORTED = {
    "collections": frozenset(("deque",)),
    "functools": frozenset(("reduce",)),
    "itertools": frozenset(name for name in dir(itertools) if name[0] != "_"),
}
_ALLOWED = (
    *(ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.For),
    *(ast.While, ast.If, ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.BoolOp, ast.boolop),
    *(ast.BinOp, ast.operator, ast.UnaryOp, ast.unaryop, ast.Compare, ast.cmpop, ast.IfExp),
    *(ast.List, ast.Tuple, ast.Subscript, ast.Slice, ast.Starred, ast.ListComp, ast.comprehension),
    *(ast.GeneratorExp, ast.Lambda, ast.Call, ast.keyword, ast.Name, ast.expr_context),
    *(ast.Yield, ast.YieldFrom, ast.Match, ast.match_case, ast.MatchValue, ast.MatchSingleton),
    *(ast.MatchSequence, ast.MatchStar, ast.MatchAs, ast.MatchOr),
)


def is_forgetful(cells: Iterable[Cell]) -> bool:
    """Whether nothing in these cells can keep what it is asked.

    >>> sources = "def f(x): return x + [2]", "def f(x, y=[]): y.append(x)", "'%s' % f"
    >>> [is_forgetful([Cell("a", Kind.STUDENT, source)]) for source in sources]
    [True, False, False]
    """
    told = [cell for cell in cells if cell.kind is not Kind.TEST]
    own = tuple(cell.source for cell in told if cell.kind is not Kind.GIVEN)
    given = (cell.source for cell in told if cell.kind is Kind.GIVEN)
    try:
        return all(map(is_the_courses, given)) and _keep_nothing(own)
    except RecursionError:  # it goes deeper than is worth following
        return False


@lru_cache(maxsize=256)
def is_the_courses(source: str) -> bool:
    """Whether a given cell does nothing but import and call what the course offers."""
    try:
        return all(map(_is_offered, _parsed(source)))
    except RecursionError:
        return False


def _is_offered(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module in _OFFERED
    is_call = isinstance(node, ast.Expr) and _shows_plainly(node.value)
    return is_call and names_asked_in(ast.unparse(node)) <= _SHOWN | _PIECES


@lru_cache(maxsize=256)
def _keep_nothing(sources: tuple[str, ...]) -> bool:
    parsed = {source: _parsed(source) for source in sources}
    statements = [node for nodes in parsed.values() for node in nodes]
    functions = {node.name for node in statements if isinstance(node, ast.FunctionDef)}
    imported = [node for node in statements if isinstance(node, ast.ImportFrom)]
    names = {alias.asname or alias.name for node in imported for alias in node.names}
    known = frozenset(functions | names | _BUILTINS | _PIECES)
    if not all(map(_is_pure, imported)):
        return False
    shown = [node for node in statements if isinstance(node, ast.Expr)]
    defined = [node for node in statements if not isinstance(node, ast.Expr | ast.ImportFrom)]
    if not all(isinstance(one, ast.FunctionDef) and _is_plain(one) for one in defined):
        return False
    if not all(_shows_plainly(one.value) for one in shown):
        return False
    return all(_asks_for(known, source, nodes) for source, nodes in parsed.items())


def _asks_for(known: frozenset[str], source: str, nodes: list[ast.stmt]) -> bool:
    """Whether a cell asks for names that are known only; where it shows something, for a few more.

    Made into text again, its statements would take far longer to look at.
    """
    if not any(isinstance(node, ast.Expr) for node in nodes):
        return names_asked_in(source) <= known
    more = known | _SHOWN
    return all(
        names_asked_in(ast.unparse(node)) <= (more if isinstance(node, ast.Expr) else known)
        for node in nodes
    )


def _is_pure(node: ast.ImportFrom) -> bool:
    """Whether what is imported has nothing to keep anything in."""
    offered = _IMPORTED.get(node.module or "", frozenset())
    return not node.level and {alias.name for alias in node.names} <= offered


def _parsed(source: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return [ast.Global([])]  # which is not allowed


def _shows_plainly(value: ast.expr) -> bool:
    """Whether a last line shows a plain value; a text in it is only ever passed on."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return isinstance(value, ast.Constant) or _is_plain(value)
    parts = [*value.args, *(one.value for one in value.keywords)]
    return all(isinstance(part, ast.Constant) or _is_plain(part) for part in parts)


def _is_plain(node: ast.AST) -> bool:
    """Whether there is nothing in it but what works on lists and numbers."""
    parts: Iterable[ast.AST] = ast.iter_child_nodes(node)
    match node:
        case ast.FunctionDef(body=body, decorator_list=[]):
            is_told = ast.get_docstring(node, clean=False) is not None
            parts = [node.args, *body[is_told:], *filter(None, [node.returns])]
        case ast.arguments(defaults=defaults, kw_defaults=more):
            if not all(isinstance(one, ast.Constant) for one in (*defaults, *filter(None, more))):
                return False
        case ast.Constant(value):
            return value is None or isinstance(value, bool | int | float)
        case ast.Call(ast.Attribute(value, attr), arguments, keywords):
            parts = [value, *arguments, *keywords]
            if attr not in _METHODS:
                return False
        case _ if not isinstance(node, _ALLOWED):
            return False
    return all(map(_is_plain, parts))
