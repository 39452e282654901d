"""An agent, a program that plays a game: it is made in the jail, and chooses its moves there.

If a student hands in a notebook, only the cells that are needed to make the agent are run.
"""

import ast
import os
import random
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from autograder.jail.inside.names_in_code import names_of
from autograder.wire import Encoder, WireError

Message = dict[str, Any]

# An agent has one thread: libraries that start more would fail.
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_CLASSES = ("Agent", "Player")  # of this course, and of the original platform
_TRANSFORMER: Any = TransformerManager()  # type: ignore[no-untyped-call]
_MEASURED = re.compile(r"\A%%(time|timeit|capture)\b.*(\n|\Z)")  # below it, plain Python


class SeatedAgent:
    """The agent of one side in one game."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._agent: Any = None
        self._game: Message = {}

    def sit(self, question: Message) -> Message:
        """Run a program and make its agent; return a dictionary with `skips`.

        `skips` is true if the agent has a method `skip`. The seed in the question is for the module
        `random`. If a cell of a notebook stops with an error, the names that it has defined until
        then are kept, and the next cells run. This error is raised only if no agent can be made
        after all cells.
        """
        os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
        random.seed(question["seed"])
        self._game = {key: question[key] for key in ("player", "numbers")}
        rules = import_module("course.rules")  # as the lesson offers them
        own = self._shell.user_ns
        own.update({name: getattr(rules, name) for name in question["offered"]})
        stopped: Exception | None = None
        sources = question["sources"]
        if question["is_notebook"]:
            needed = needed_cells([source for _, source in sources])
            sources = [(sources[number][0], source) for number, source in needed]
        for name, source in sources:
            try:
                text = self._shell.transform_cell(source) if question["is_notebook"] else source
                exec(compile(text, name, "exec"), own)  # noqa: S102 — what a jail is for
            except Exception as error:
                if not question["is_notebook"]:
                    raise
                stopped = stopped or error
        try:
            if "Agent" in own:
                self._agent = own["Agent"]()
            elif "Player" in own:
                original = import_module("course.playing").OriginalAgent
                numbers = self._game["numbers"]
                self._agent = original(own["Player"], self._game["player"], numbers)
            else:
                raise NameError("there is no class Agent")
        except Exception:
            if stopped is None:
                raise
            raise stopped from None
        return {"skips": hasattr(self._agent, "skip")}

    def play(self, question: Message) -> Message:
        """Return the agent's answer in one phase, or the type of an answer that cannot be sent.

        The agent gets a view of the game, which `course.playing` describes. If no answer is legal,
        its method `skip` is called, and the value is `None`.
        """
        numbers, round_ = self._game["numbers"], question["round"]
        legal, (first, second) = (
            [tuple(one) if isinstance(one, list) else one for one in question[key]]
            for key in ("legal", "last")
        )
        own, other = question["time"]
        view = {
            "board": question["board"],
            "player": self._game["player"],
            "phase": question["phase"],
            "legal": legal,
            "round": round_,
            "rounds": len(numbers),
            "numbers": numbers[round_:],
            "last": {1: first, -1: second},
            "time_left": own,
            "opponent_time_left": other,
        }
        if not legal:
            self._agent.skip(view)
            return {"value": None}
        ask = self._agent.place if view["phase"] == "place" else self._agent.push
        answer = ask(view)
        try:
            return {"value": Encoder().encode(answer)}
        except WireError:  # say its type, and the types in a tuple
            parts = answer if type(answer) is tuple else ()
            inside = ", ".join(type(part).__name__[:40] for part in parts[:4])
            return {"odd": type(answer).__name__[:80] + (f" of {inside}" if inside else "")}


def needed_cells(sources: Sequence[str]) -> list[tuple[int, str]]:
    """Return the code of a notebook that is to be run, as pairs (number of a cell, code).

    The last cell that defines the agent is run as a whole, and so are all cells that this cell
    needs. Of any other cell, only the imports are run; a cell without imports is left out. If no
    cell defines an agent, the list is empty.
    """
    cells = [_Cell(source) for source in sources]
    agents = [n for kind in reversed(_CLASSES) for n, one in enumerate(cells) if kind in one.bound]
    waiting, needed = agents[-1:], set[int]()
    while waiting:
        number = waiting.pop()
        if number in needed:
            continue
        needed.add(number)
        cell = cells[number]
        for name in cell.needed:
            end = number if name in cell.bound else len(cells)
            waiting += [n for n, other in enumerate(cells[:end]) if name in other.bound][-1:]
        for name in cell.bound:
            waiting += [n for n, other in enumerate(cells) if name in other.changed and n > number]
    return [
        (number, cell.source if number in needed else cell.imports)
        for number, cell in enumerate(cells)
        if needed and (number in needed or cell.imports)
    ]


class _Cell:
    """A cell of a notebook: the names that it binds, needs and changes, and its imports."""

    def __init__(self, source: str) -> None:
        self.source = _MEASURED.sub("\n", source)
        self.bound = self.needed = frozenset[str]()
        self.changed: set[str] = set()
        self.imports = ""
        try:
            tree = ast.parse(_TRANSFORMER.transform_cell(self.source))
            for node in tree.body:
                changed = _changed_by(node)
                self.changed |= changed
                if changed and isinstance(node, ast.FunctionDef):
                    node.name = "_"  # the function becomes a method, so its name is not bound
            names = names_of(tree.body)
        except (SyntaxError, ValueError, RecursionError):
            # if the agent is in this cell, running it shows the error
            self.bound = frozenset(kind for kind in _CLASSES if f"class {kind}" in source)
            return
        imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        self.imports = "\n".join(map(ast.unparse, imports))
        self.bound, self.needed = names.bound - names_of(imports).bound, names.needed


def _changed_by(statement: ast.stmt) -> set[str]:
    """Return the names whose objects a statement changes, such as `a` in `a.b = c` or `a[b] = c`.

    For a function, these are the names in its decorators, as in `@add_to(Agent)`; its body runs
    later. A statement that only calls a method, `a.b()`, counts: it may change the object `a`.
    """
    parts: list[ast.AST] = []
    if isinstance(statement, ast.FunctionDef):
        for decorator in statement.decorator_list:
            parts += [part for part in ast.walk(decorator) if isinstance(part, ast.Name)]
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        later = node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
        waiting += [child for child in ast.iter_child_nodes(node) if child not in later]
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            parts.append(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            parts += [node.value.func] if isinstance(node.value.func, ast.Attribute) else []
    owners = set()
    for part in parts:  # `a`, for `a.b[c]`
        while isinstance(part, ast.Attribute | ast.Subscript):
            part = part.value
        owners |= {part.id} if isinstance(part, ast.Name) else set()
    return owners
