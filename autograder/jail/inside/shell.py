"""The learner's IPython: runs cells and keeps what they would show, in nbformat's form."""

import ast
import builtins
import io
import os
import sys
import tempfile
from contextlib import suppress
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

Output = dict[str, Any]
SHOWN = ("text/plain", "image/png")
_CUT = "\n… the rest of the output was cut\n"


class Outputs:
    """What the current cell has shown so far, at most `limit` characters of it."""

    def __init__(self) -> None:
        self.files: dict[str, int] = {}
        self.start(0)

    def start(self, limit: int) -> None:
        """A new cell has shown nothing yet."""
        self.shown: list[Output] = []
        self.limit = limit
        self._left = limit

    @property
    def size(self) -> int:
        """How much was shown so far, up to the limit."""
        return self.limit - self._left

    def write(self, name: str, text: str) -> None:
        """Adds to the stream of that name; what exceeds the limit is cut, and says so."""
        if self._left < 0:
            return
        if len(text) > self._left:
            text = text[: self._left] + _CUT
            self._left = -1
        else:
            self._left -= len(text)
        last = self.shown[-1] if self.shown else {}
        if last.get("name") == name:
            last["text"].append(text)
        else:
            self.shown.append({"output_type": "stream", "name": name, "text": [text]})

    def add(self, output: Output, size: int) -> None:
        """Adds a whole output, if it still fits."""
        if size > self._left:
            self._left = min(self._left, 0)
            self.write("stderr", "\n")
        else:
            self._left -= size
            self.shown.append(output)

    def add_data(self, kind: str, data: dict[str, Any], **more: Any) -> None:
        """Adds what a value looks like; only text and pictures are kept."""
        kept = {mime: str(data[mime]) for mime in SHOWN if mime in data}
        size = sum(map(len, kept.values()))
        self.add({"output_type": kind, "data": kept, "metadata": {}, **more}, size)

    def taken(self) -> list[Output]:
        """All outputs of the cell, streams as one text each."""
        for name, fd in self.files.items():
            self._take_file(name, fd)
        streams = [output for output in self.shown if output["output_type"] == "stream"]
        for output in streams:
            output["text"] = "".join(output["text"])
        shown, self.shown = self.shown, []
        return shown

    def _take_file(self, name: str, fd: int) -> None:
        """What a file has got since the last cell; the file is empty then."""
        with suppress(OSError):
            if os.fstat(fd).st_size:
                self.write(name, os.pread(fd, max(self._left, 0) + 1, 0).decode("utf-8", "replace"))
                os.ftruncate(fd, 0)


class _Stream(io.TextIOBase):
    """What `print` writes to."""

    encoding = "utf-8"
    errors = "strict"

    def __init__(self, name: str, fd: int, outputs: Outputs) -> None:
        self.name = name
        self._fd = fd
        self._outputs = outputs

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._fd

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._outputs.write(self.name, text)
        return len(text)


class _Hook(DisplayHook):
    """Keeps the value of a cell's last expression."""

    def write_output_prompt(self) -> None:
        """Nobody sees a prompt."""

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
        shell: Any = self.shell
        shell.outputs.add_data("execute_result", format_dict, execution_count=self.prompt_count)

    def finish_displayhook(self) -> None:
        self._is_active = False


class _Publisher(DisplayPublisher):
    """Keeps what `display` is given."""

    def publish(self, data: Any, metadata: Any = None, source: Any = None, **_more: Any) -> None:
        self.shell.outputs.add_data("display_data", data)

    def clear_output(self, wait: bool = False) -> None:
        self.shell.outputs.start(self.shell.outputs.limit)


class _Compiler(CachingCompiler):
    """Names the code of a cell after the cell, in tracebacks and messages."""

    name = ""

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return self.name or super().get_code_name(raw_code, transformed_code, number)

    def format_code_name(self, name: str) -> tuple[str, str] | None:
        return ("Cell", name) if name in self._filename_map else None


class Shell(InteractiveShell):
    """IPython without a terminal, a history, or anyone to ask."""

    displayhook_class = _Hook
    display_pub_class = _Publisher
    compiler_class = _Compiler

    def __init__(self, **options: Any) -> None:
        self.outputs = Outputs()
        super().__init__(**options)  # type: ignore[no-untyped-call]

    def _showtraceback(self, etype: type, evalue: Any, stb: list[str]) -> None:
        lines = [str(line) for line in stb]
        error = {
            "output_type": "error",
            "ename": etype.__name__,
            "evalue": str(evalue)[:10_000],
            "traceback": lines,
        }
        self.outputs.add(error, sum(map(len, lines)))

    def run(self, source: str, name: str = "") -> None:
        """Runs a cell of that name, whatever it raises; what is Python is no magic without `%`."""
        compiler: Any = self.compile
        compiler.name = name
        text = self.transform_cell(source)  # type: ignore[no-untyped-call]
        self.automagic = not _is_python(text)
        self.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]

    def ask_exit(self) -> None:
        """`exit` in a cell ends nothing."""

    def enable_gui(self, gui: Any = None) -> None:
        """There is no screen."""


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


def make_shell() -> Shell:
    """The shell of the warm process, which every submission gets a copy of."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.autoindent = False
    shell: Shell = Shell.instance(config=config)
    builtins.input = shell.builtin_trap.auto_builtins["input"] = _no_input
    # What is slow at the first time is done before there is a submission.
    for source in ("1/0", "1", "print()"):
        shell.run(source)
    shell.reset()  # type: ignore[no-untyped-call]
    shell.execution_count = 1
    return shell


def capture(shell: Shell) -> None:
    """From now on all output goes to the shell's outputs, and there is no input."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    for fd, name in ((1, "stdout"), (2, "stderr")):
        # What programs write that a cell starts, and what passes Python by.
        with tempfile.TemporaryFile("ab") as file:
            os.dup2(file.fileno(), fd)
        shell.outputs.files[name] = fd
        stream = _Stream(name, fd, shell.outputs)
        for attribute in (name, f"__{name}__"):
            setattr(sys, attribute, stream)


def _no_input(prompt: object = "") -> str:
    raise StdinNotImplementedError("input() is not available while grading: nobody can answer")
