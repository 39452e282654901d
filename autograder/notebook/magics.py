"""Lines of a notebook that are not Python: magics (`%…`) and shell commands (`!…`)."""

import ast
import re
from typing import Any

_MARKS = ("%", "!")
_RUN = re.compile(r"%run(?:\s+-[in])*\s+([\w./-]+\.py|'[^']+\.py'|\"[^\"]+\.py\")")


def is_cell_magic(source: str) -> bool:
    """Return true if a cell begins with a magic that concerns the whole cell.

    >>> is_cell_magic("%%capture\\nx = 1")
    True
    """
    return source.lstrip().startswith("%%")


def without_magics(source: str) -> str:
    r"""Return a cell's source with `pass` for each magic line; all lines keep their numbers.

    `%run` with a Python file becomes code that runs this file. A line counts as a magic only if
    Python's parser reports an error in it, so a line inside a string does not. A cell that begins
    with a cell magic, or has another syntax error, is returned unchanged.

    >>> without_magics("%matplotlib inline\nx = 1")
    'pass\nx = 1'
    >>> without_magics("x = 1\n!echo one \\\n  line")
    'x = 1\npass\n'
    """
    if is_cell_magic(source):
        return source
    lines = source.split("\n")
    for _ in lines:
        try:
            ast.parse("\n".join(lines))
            break
        except SyntaxError as error:
            place = (error.lineno or 0) - 1
            if not 0 <= place < len(lines) or not lines[place].lstrip().startswith(_MARKS):
                return source
        except ValueError:
            return source
        line, instead = lines[place], "pass"
        if found := _RUN.fullmatch(line.strip()):
            file = found[1].strip("'\"")
            instead = f"exec(compile(open({file!r}).read(), {file!r}, 'exec'))"
        lines[place] = line[: len(line) - len(line.lstrip())] + instead
        while line.endswith("\\") and place + 1 < len(lines):  # the lines that continue the magic
            place += 1
            line, lines[place] = lines[place], ""
    return "\n".join(lines)


def as_python(source: str) -> str:
    """Return the Python code that IPython would run for a cell, or raise `SyntaxError`."""
    from IPython.core.inputtransformer2 import TransformerManager

    manager: Any = TransformerManager  # IPython has no types here
    text: str = manager().transform_cell(source)
    return text
