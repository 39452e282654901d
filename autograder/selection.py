"""A part of a Python package: chosen names, all that they need themselves, and nothing else."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path


class _Module:
    """One file of the package: its definitions and its imports, by the names that they bind."""

    def __init__(self, path: Path, package: str) -> None:
        self.definitions: dict[str, ast.stmt] = {}
        self.imports: dict[str, tuple[str, str]] = {}
        self.foreign: dict[str, ast.stmt] = {}
        for node in ast.parse(path.read_text("utf-8")).body:
            self._add(node, package)

    def _add(self, node: ast.stmt, package: str) -> None:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(package + "."):
            module = (node.module or "").removeprefix(package + ".")
            for alias in node.names:
                self.imports[alias.asname or alias.name] = (module, alias.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                self.foreign[(alias.asname or alias.name).partition(".")[0]] = node
        else:
            for name in _bound(node):
                self.definitions[name] = node


class _Selection:
    """Names of the package, and all that they need, module by module."""

    def __init__(self, package: str, folder: Path, names: tuple[str, ...]) -> None:
        self.package = package
        self.modules = {path.stem: _Module(path, package) for path in folder.glob("*.py")}
        self.needed: dict[str, set[str]] = {}
        self.linked: dict[str, dict[str, tuple[str, str]]] = {}
        self.foreign: dict[str, dict[str, ast.stmt]] = {}
        offered = self.modules["__init__"].imports
        self.homes = {name: self._need(*offered[name]) for name in names}

    def _need(self, module: str, name: str) -> str:
        names = self.needed.setdefault(module, set())
        if name in names:
            return module
        names.add(name)
        found = self.modules[module]
        for used in _used(found.definitions[name]):
            if used in found.definitions:
                self._need(module, used)
            elif used in found.imports:
                self.linked.setdefault(module, {})[used] = found.imports[used]
                self._need(*found.imports[used])
            elif used in found.foreign:
                self.foreign.setdefault(module, {})[used] = found.foreign[used]
        return module

    @property
    def files(self) -> dict[str, str]:
        """The text of each module, and of the package's `__init__`, by file name."""
        files = {f"{module}.py": self._text(module) for module in self.needed}
        links = [f"from {self.package}.{home} import {name}" for name, home in self.homes.items()]
        files["__init__.py"] = "\n".join([*links, f"__all__ = {sorted(self.homes)!r}", ""])
        return files

    def _text(self, module: str) -> str:
        lines = [ast.unparse(node) for node in {*self.foreign.get(module, {}).values()}]
        for bound, (home, name) in self.linked.get(module, {}).items():
            lines.append(f"from {self.package}.{home} import {name} as {bound}")
        nodes = {id(node): node for node in self._nodes(module)}
        return "\n\n\n".join(lines + [ast.unparse(node) for node in nodes.values()]) + "\n"

    def _nodes(self, module: str) -> Iterator[ast.stmt]:
        for name, node in self.modules[module].definitions.items():
            if name in self.needed[module]:
                yield node


@cache
def select(package: str, folder: Path, names: tuple[str, ...]) -> dict[str, str]:
    """Return the files of a package that offers these names and no others: file name → text.

    `folder` is where the package lies; its `__init__.py` imports the names from its modules.
    """
    return _Selection(package, folder, names).files


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and _stored(part)}
    return set()


def _stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _used(node: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and not _stored(part)}
