"""The IPython that runs a learner's cells, and keeps what they would show."""

import ast
import builtins
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.jail.inside.cell_outputs import CellOutputs


class _Hook(DisplayHook):
    """A display hook that keeps the value of a cell's last expression."""

    def write_output_prompt(self) -> None:
        """Write no prompt, because nobody sees one."""

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
        shell: Any = self.shell
        shell.outputs.add_data("execute_result", format_dict, execution_count=self.prompt_count)

    def finish_displayhook(self) -> None:
        self._is_active = False


class _Publisher(DisplayPublisher):
    """A publisher that keeps what `display` is given."""

    def publish(self, data: Any, metadata: Any = None, source: Any = None, **_more: Any) -> None:
        self.shell.outputs.add_data("display_data", data)

    def clear_output(self, wait: bool = False) -> None:
        self.shell.outputs.start(self.shell.outputs.limit)


class _Compiler(CachingCompiler):
    """A compiler that names code after its cell, for tracebacks and messages."""

    name = ""

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return self.name or super().get_code_name(raw_code, transformed_code, number)

    def format_code_name(self, name: str) -> tuple[str, str] | None:
        return ("Cell", name) if name in self._filename_map else None


class Shell(InteractiveShell):
    """IPython without a terminal, without a history, and without a person who could answer."""

    displayhook_class = _Hook
    display_pub_class = _Publisher
    compiler_class = _Compiler

    def __init__(self, **options: Any) -> None:
        self.outputs = CellOutputs()
        self._shows_errors = True
        super().__init__(**options)  # type: ignore[no-untyped-call]
        self.user_ns.update(dict.fromkeys(("_", "__", "___"), ""))  # as in a new kernel

    def showtraceback(self, *arguments: Any, **options: Any) -> None:
        """Show the error of a cell only if somebody reads it: a traceback takes milliseconds."""
        if self._shows_errors:
            super().showtraceback(*arguments, **options)

    def _format_exception_for_storage(self, *_arguments: Any, **_options: Any) -> dict[str, Any]:
        """Return nothing for the history of errors, which nobody reads."""
        return {}

    @contextmanager
    def _tee(self, channel: str) -> Iterator[None]:
        """Keep no second copy of what a cell prints, because nothing would limit its size."""
        yield

    def should_run_async(self, raw_cell: str, **transformed: Any) -> bool:
        """Return true if a cell awaits something; compile no cell without `await` or `async`."""
        may = any(word in raw_cell for word in ("await", "async"))
        return may and bool(super().should_run_async(raw_cell, **transformed))

    def _showtraceback(self, etype: type, evalue: Any, stb: list[str]) -> None:
        lines = [str(line) for line in stb]
        error = {
            "output_type": "error",
            "ename": etype.__name__,
            "evalue": str(evalue)[:10_000],
            "traceback": lines,
        }
        self.outputs.add(error, sum(map(len, lines)))

    def run(self, source: str, name: str = "", shows_error: bool = True) -> BaseException | None:
        """Run a cell under this `name`, and return the error that it raises, or `None`.

        If the cell is no valid Python, IPython may take a line of it for a magic without its `%`.
        With `shows_error=False`, the error is not among the outputs.
        """
        compiler: Any = self.compile
        compiler.name = name
        self._shows_errors = shows_error
        is_python = _is_python(source)
        if not is_python:
            self.automagic = False
            with suppress(Exception):  # not only a SyntaxError; it is shown when the cell runs
                is_python = _parses(self.transform_cell(source))
        self.automagic = not is_python
        done = self.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]
        error: BaseException | None = done.error_before_exec or done.error_in_exec
        return error

    def transform_cell(self, raw_cell: str) -> str:
        """Return a cell as plain Python.

        A cell that is plain Python already is not given to IPython, because IPython is slow.
        """
        if _is_python(raw_cell):
            return raw_cell if raw_cell.endswith("\n") else raw_cell + "\n"
        transformed: str = super().transform_cell(raw_cell)  # type: ignore[no-untyped-call]
        return transformed

    def ask_exit(self) -> None:
        """Do nothing: `exit` in a cell ends nothing."""

    def enable_gui(self, gui: Any = None) -> None:
        """Do nothing, because there is no screen."""


@lru_cache(maxsize=1)  # each cell is asked about before it runs, and when it runs
def _is_python(cell: str) -> bool:
    """Return true if a cell is plain Python, from its first character on."""
    return bool(cell[:1].strip()) and _parses(cell)


def _parses(source: str) -> bool:
    with suppress(Exception):  # also other errors, for zero bytes or too deep nesting
        return bool(ast.parse(source))
    return False


def make_shell() -> Shell:
    """Return the shell of the warm process, of which each submission gets a copy."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.autoindent = False
    shell: Shell = Shell.instance(config=config)
    builtins.input = shell.builtin_trap.auto_builtins["input"] = _no_input
    # The first run of a cell is slow, so it is done before there is a submission.
    for source in ("1/0", "1", "print()"):
        shell.run(source)
    shell.reset()  # type: ignore[no-untyped-call]
    shell.execution_count = 1
    return shell


def _no_input(prompt: object = "") -> str:
    raise StdinNotImplementedError("input() is not available while grading: nobody can answer")
