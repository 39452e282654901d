"""The checks of a lesson that a solution can affect, worked out from the master's own cells.

A check reaches the cells that make the names that the check uses, and all cells that these cells
use in turn. So a wrong `new_board` can lose no check of `spawn`, and the checks of `spawn` need not
be run.
"""

import ast
from collections.abc import Collection, Iterator
from functools import cache
from symtable import SymbolTable, symtable

from autograder.course_adapter import ROOT
from autograder.grading_data import CellKind
from autograder.notebook.master import read_master


def reaches(lesson_id: str, check: str, cells: Collection[str]) -> bool:
    """Return true if replacing some solution cells may change the result of a check."""
    return not _reached(lesson_id)[check].isdisjoint(cells)


@cache
def _reached(lesson_id: str) -> dict[str, set[str]]:
    """Return, for each check, all cells that it reaches."""
    code = [one for one in read_master(lesson_id, ROOT / "source").cells if one.cell_type == "code"]
    made = {one.id: _made_and_used(one.source) for one in code if one.kind is not CellKind.TEST}
    return {
        one.id: _closure(_made_and_used(one.source)[1], made)
        for one in code
        if one.kind is CellKind.TEST
    }


def _closure(names: set[str], made: dict[str, tuple[set[str], set[str]]]) -> set[str]:
    found: set[str] = set()
    while new := {cell for cell in made if cell not in found and names & made[cell][0]}:
        found |= new
        names = names.union(*(made[cell][1] for cell in new))
    return found


def _made_and_used(source: str) -> tuple[set[str], set[str]]:
    """Return the names that a cell makes or adds to, and the global names that it uses.

    >>> [sorted(names) for names in _made_and_used("@add_to(Game)\\ndef move(self): hop(self)")]
    [['Game', 'add_to', 'move'], ['Game', 'add_to', 'hop']]
    """
    table = symtable(source, "cell", "exec")
    made = {each.get_name() for each in table.get_symbols() if each.is_assigned()}
    for node in ast.parse(source).body:
        for decorator in getattr(node, "decorator_list", []):
            made |= {each.id for each in ast.walk(decorator) if isinstance(each, ast.Name)}
    return made, set(_globals(table))


def _globals(table: SymbolTable) -> Iterator[str]:
    top = table.get_type() == "module"
    for each in table.get_symbols():
        if each.is_referenced() and (top or each.is_global()):
            yield each.get_name()
    for child in table.get_children():
        yield from _globals(child)
