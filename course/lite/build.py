"""Building the site: JupyterLite with the learners' notebooks, Python, and the landing page."""

import hashlib
import json
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from course.lab.start import MAP, SETTINGS
from course.lessons import Lesson, lessons
from course.lite.pyodide_bundle import ROOT, STARTUP, put_runtime
from course.widgets import static_html

PAGES = Path(__file__).parent / "pages"
WORKER = "service-worker.js"  # JupyterLite's own service worker
STRIP = {
    "</head>": '<link rel="stylesheet" href="../landing/strip.css">\n</head>',
    "</body>": '<script type="module" src="../landing/strip.js" data-hand-in="{hand_in}">'
    "</script>\n</body>",
}
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
APPS = ("lab", "notebooks")
# Parts of JupyterLab that are left out: an icon without a page behind it, the time of the last
# checkpoint, the trust in a notebook, and the state of Python, which the strip above the lesson
# already shows.
DISABLED = (
    "@jupyter-notebook/application-extension:logo",
    "@jupyter-notebook/notebook-extension:checkpoints",
    "@jupyter-notebook/notebook-extension:kernel-status",
    "@jupyter-notebook/notebook-extension:trusted",
    "@jupyterlab/notebook-extension:trust-status",
    "@jupyterlite/notebook-application-extension:logo",
)
# In the browser, no button can stop Python, so the stop button is left out. Work is saved often,
# because a tablet may close a page at any time.
SETTINGS_HERE = {
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 10},
    "@jupyterlab/notebook-extension:panel": {"toolbar": [{"name": "interrupt", "disabled": True}]},
    "@jupyterlab/mainmenu-extension:plugin": {
        "menus": [
            {
                "id": "jp-mainmenu-kernel",
                "items": [{"command": "kernelmenu:interrupt", "disabled": True}],
            }
        ]
    },
}
EXTENSIONS = (
    "@jupyterlite/pyodide-kernel-extension",
    "@jupyter-widgets/jupyterlab-manager",
    "anywidget",
)

# Sentences of the lessons that are wrong if Python runs in the browser → sentences to replace them.
STOPPED = "It is stopped for you after a minute. If it is not: **Kernel → Restart Kernel**."
BY_DOWNLOAD = (
    "Save the notebook. Then choose **File → Download**, and hand in that file the way your "
    "instructor has told you."
)
BY_BUTTON = "Press **Hand in** above the notebook."  # if the site has the address of a server
SENTENCES = {
    "Press the stop button **■** above the notebook, or **Escape** and then **I** twice.": STOPPED,
    "Now you can play it without any notebook. `keep` has printed a line for that. "
    "Open a terminal (**File → New → Terminal**), copy the line there, and press Enter.": (
        "On a computer with Python and this course, you can play it without any notebook, in a "
        "terminal. Take your `my_2048.py` there, and type "
        "`python -m course play --with my_2048.py`."
    ),
    "Now you can play it without any notebook, as the special rules were played at first. "
    "`keep` has printed a line for that. "
    "Open a terminal (**File → New → Terminal**), copy the line there, and press Enter.": (
        "On a computer with Python and this course, you can play it without any notebook, as the "
        "special rules were played at first: in a terminal. Take your `my_2048.py` there, and type "
        "`python -m course play --with my_2048.py --special`."
    ),
    "Save the notebook, and hand it in the way your instructor has told you.": BY_DOWNLOAD,
}


def build(fetched: Path, site: Path, hand_in: str = "") -> None:
    """Build a new site in the folder `site`, without any network.

    `fetched` is the folder that `fetch` has filled. An old site is replaced once the new one is
    complete. `hand_in` is the address of a server to which learners hand in, such as
    `https://example.org/course`; without one, they download their work.
    """
    with TemporaryDirectory(dir=site.parent, prefix=".site-") as name:
        work, new = Path(name, "work"), Path(name, "site")
        packages = put_runtime(fetched, work / "static" / "pyodide")
        _put_notebooks(work / "content", hand_in)
        _put_settings(work, packages)
        _run_jupyterlite(work, new)
        # Leave out fonts for browsers too old to run Python, and build settings of JupyterLite.
        for pattern in ("build/fa-*.eot", "build/fa-*.svg", "build/fa-*.ttf", "rspack.config*"):
            for file in new.glob(pattern):
                file.unlink()
        put_landing(new, hand_in)
        put_offline(new)
        shutil.rmtree(site, ignore_errors=True)
        new.rename(site)


def _run_jupyterlite(work: Path, new: Path) -> None:
    apps = [word for app in APPS for word in ("--apps", app)]
    paths = ["--contents", "content", "--output-dir", str(new)]
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--no-sourcemaps", *paths, *apps]
    # JupyterLite looks for its settings and files in the current folder, which is `work`.
    ended = subprocess.run(command, cwd=work, capture_output=True, text=True)
    if ended.returncode:
        raise SystemExit(f"JupyterLite could not be built:\n{ended.stdout}\n{ended.stderr}")


def _put_notebooks(folder: Path, hand_in: str) -> None:
    """Copy the lessons and the map of the course; replace sentences that are wrong in a browser."""
    shutil.copytree(ROOT / "release", folder)
    shutil.copyfile(MAP, folder / MAP.name)
    for notebook in folder.rglob("*.ipynb"):
        text = notebook.read_text(encoding="utf-8")
        for said, instead in SENTENCES.items():
            text = text.replace(said, instead)
        if hand_in:
            text = text.replace(BY_DOWNLOAD, BY_BUTTON)
        notebook.write_text(text, encoding="utf-8")
    for picture in folder.rglob("*.svg"):  # JupyterLite shows pictures only in plain ASCII
        text = picture.read_text(encoding="utf-8")
        picture.write_bytes(text.encode("ascii", "xmlcharrefreplace"))


def _put_settings(folder: Path, packages: list[str]) -> None:
    settings = json.loads((SETTINGS / "overrides.json").read_text(encoding="utf-8"))
    (folder / "overrides.json").write_text(json.dumps(settings | SETTINGS_HERE), encoding="utf-8")
    kernel = {
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": packages, "env": {"PYTHONSTARTUP": STARTUP}},
    }
    page = {
        "appName": "2048, written by you",
        "disabledExtensions": DISABLED,
        "enableServiceWorkerCache": False,  # service_worker.js keeps the files
        "exposeAppInBrowser": True,  # for strip.js
        "litePluginSettings": {KERNEL: kernel},
    }
    shared = Path(sys.prefix, "share", "jupyter", "labextensions")
    of_build = {
        "federated_extensions": [str(shared / name) for name in EXTENSIONS],
        "ignore_sys_prefix": ["federated_extensions"],
    }
    files: dict[str, dict[str, Any]] = {
        "jupyter-lite.json": {"jupyter-config-data": page},
        "jupyter_lite_config.json": {"LiteBuildConfig": of_build},
    }
    for name, values in files.items():
        text = json.dumps({"jupyter-lite-schema-version": 0, **values})
        (folder / name).write_text(text, encoding="utf-8")


def put_landing(site: Path, hand_in: str) -> None:
    """Put the landing page into a site, and the strip, a bar with links, onto JupyterLite's pages.

    If `hand_in`, the address of a server, is not "", the strip has a button *Hand in*.
    """
    folder = site / "landing"
    folder.mkdir()
    for file in PAGES.iterdir():
        if file.suffix in (".js", ".css", ".svg"):
            shutil.copyfile(file, folder / file.name)
    for name in ("board.js", "board.css"):  # the same board as in the lessons
        (folder / name).write_text(static_html.read(name), encoding="utf-8")
    page = Environment(
        loader=FileSystemLoader(PAGES), autoescape=True, undefined=StrictUndefined
    ).get_template("index.html")
    text = page.render(lessons=lessons(), picture_of=_picture_of)
    (site / "index.html").write_text(text, encoding="utf-8")
    (site / ".nojekyll").touch()  # GitHub Pages leaves all files as they are
    for app in APPS:
        shell = site / app / "index.html"
        text = shell.read_text(encoding="utf-8")
        for end, with_strip in STRIP.items():
            assert text.count(end) == 1
            text = text.replace(end, with_strip.format(hand_in=escape(hand_in.rstrip("/"))))
        shell.write_text(text, encoding="utf-8")


def _picture_of(lesson: Lesson) -> str:
    pictures = sorted((ROOT / "release" / lesson.id / "pictures").glob("*.svg"))
    own = f"landing/{lesson.id}.svg"  # for a lesson without pictures
    return f"files/{lesson.id}/pictures/{pictures[0].name}" if pictures else own


def put_offline(site: Path) -> None:
    """Make a site work without a network: list its files, and extend its service worker."""
    files = sorted(file for file in site.rglob("*") if file.is_file() and file.name != WORKER)
    ours = (PAGES / "service_worker.js").read_text(encoding="utf-8")
    its_own = (site / WORKER).read_text(encoding="utf-8").replace('"use strict";', "")

    version = hashlib.sha256()
    for file in files:
        version.update(file.name.encode() + file.read_bytes())
    head = f"self.VERSION = {json.dumps(version.hexdigest()[:16])};"
    (site / WORKER).write_text(
        "\n".join([head, ours, f"(() => {{{its_own}}})();"]), encoding="utf-8"
    )
    names = [file.relative_to(site).as_posix() for file in files]
    (site / "offline.json").write_text(json.dumps(names), encoding="utf-8")
