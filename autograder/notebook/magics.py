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
    """Return a cell's source with `pass` for each magic line, so that all lines keep their numbers.

    The magic `%run` with a Python file becomes code that runs the file. A line that begins with `%`
    or `!` counts as a magic only if Python's parser reports an error there; so a line inside a
    string does not count. If a cell has some other syntax error, its source is returned unchanged.

    >>> without_magics("%matplotlib inline\\nx = 1")
    'pass\\nx = 1'
    """
    if is_cell_magic(source):
        return source
    lines = source.split("\n")
    for _ in lines:
        try:
            ast.parse("\n".join(lines))
            break
        except SyntaxError as error:
            if not _left_out(lines, (error.lineno or 0) - 1):
                return source
        except ValueError:
            return source
    return "\n".join(lines)


def as_python(source: str) -> str:
    """Return the Python code that IPython would run for a cell, with a call for each magic.

    Raise `SyntaxError` if IPython cannot read the source.
    """
    from IPython.core.inputtransformer2 import TransformerManager

    manager: Any = TransformerManager  # IPython has no types here
    text: str = manager().transform_cell(source)
    return text


def _left_out(lines: list[str], place: int) -> bool:
    """Replace a magic line, and the lines that continue it; return false if the line is none."""
    if not 0 <= place < len(lines) or not lines[place].lstrip().startswith(_MARKS):
        return False
    goes_on, line = lines[place].endswith("\\"), lines[place]
    lines[place] = line[: len(line) - len(line.lstrip())] + _instead(line)
    while goes_on and place + 1 < len(lines):
        place += 1
        goes_on, lines[place] = lines[place].endswith("\\"), ""
    return True


def _instead(line: str) -> str:
    """Return the code that replaces a magic line: `pass`, or for `%run` code that runs the file."""
    if (found := _RUN.fullmatch(line.strip())) is None:
        return "pass"
    file = found[1].strip("'\"")
    return f"exec(compile(open({file!r}).read(), {file!r}, 'exec'))"
