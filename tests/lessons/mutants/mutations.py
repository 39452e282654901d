"""Mutants of whole programs, by the mutations of `autograder audit`."""

import ast
from collections.abc import Iterator
from copy import deepcopy

from autograder.audit.mutations import variants


def mutants(program: str) -> Iterator[tuple[int, str]]:
    """Yield each mutant of a program once: the number of the changed line, and the whole text.

    >>> [text for _, text in mutants("def f(line):\\n    return line[0] == 2")][:2]
    ['def f(line):\\n    pass', 'def f(line):\\n    return None']
    """
    tree = ast.parse(program)
    seen = {ast.unparse(tree)}
    for number, node in enumerate(ast.walk(tree)):
        for place, _ in enumerate(variants(node)):
            changed = _changed(tree, number, place)
            if changed not in seen:
                seen.add(changed)
                yield getattr(node, "lineno", 0), changed


def _changed(tree: ast.Module, number: int, place: int) -> str:
    """Return the text of a copy of the tree in which one of its nodes is replaced by a variant."""
    copy = deepcopy(tree)
    node = list(ast.walk(copy))[number]
    _replace(copy, node, list(variants(node))[place])
    return ast.unparse(ast.fix_missing_locations(copy))


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list):
                for index, item in enumerate(value):
                    if item is old:
                        value[index] = new
