"""Additions to the site of JupyterLite: a landing page, and a way to work without a network.

The landing page has a welcome, a board to play on, and all lessons with the learner's progress.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from course.lessons import Lesson, lessons
from course.lite.pyodide_bundle import ROOT
from course.widgets import static_html

PAGES = Path(__file__).parent / "pages"
WORKER = "service-worker.js"  # JupyterLite's own service worker
STRIP = {
    "</head>": '<link rel="stylesheet" href="../landing/strip.css">\n</head>',
    "</body>": '<script type="module" src="../landing/strip.js"></script>\n</body>',
}


def put_landing(site: Path, apps: Iterable[str]) -> None:
    """Put the landing page into a site, and a link back to it on the pages of the given apps."""
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
    text = page.render(lessons=[_entry(index, each) for index, each in enumerate(lessons())])
    (site / "index.html").write_text(text, encoding="utf-8")
    (site / ".nojekyll").touch()  # GitHub Pages leaves all files as they are
    for app in apps:
        shell = site / app / "index.html"
        text = shell.read_text(encoding="utf-8")
        for end, with_strip in STRIP.items():
            assert text.count(end) == 1
            text = text.replace(end, with_strip)
        shell.write_text(text, encoding="utf-8")


def _entry(index: int, lesson: Lesson) -> dict[str, Any]:
    """Return the data of one lesson for the landing page."""
    pictures = sorted((ROOT / "release" / lesson.id / "pictures").glob("*.svg"))
    own = f"landing/{lesson.id}.svg"  # for a lesson without pictures
    return {
        "id": lesson.id,
        "number": lesson.id.partition("-")[0],
        "title": lesson.title,
        "minutes": lesson.minutes,
        "builds": lesson.builds,
        "is_extra": lesson.is_extra,
        "checks": list(lesson.checks),
        "tile": 2 ** (index + 1),
        "picture": f"files/{lesson.id}/pictures/{pictures[0].name}" if pictures else own,
        "address": f"notebooks/index.html?path={lesson.id}/{lesson.notebook}",
    }


def put_offline(site: Path) -> None:
    """Make a site work without a network: list its files, and extend its service worker."""
    files = sorted(file for file in site.rglob("*") if file.is_file() and file.name != WORKER)
    ours = (PAGES / "service_worker.js").read_text(encoding="utf-8")
    its_own = (site / WORKER).read_text(encoding="utf-8").replace('"use strict";', "")

    def digest(file: Path) -> bytes:
        return hashlib.sha256(file.name.encode() + file.read_bytes()).digest()

    version = hashlib.sha256(b"".join(map(digest, files))).hexdigest()[:16]
    head = f"self.VERSION = {json.dumps(version)};"
    (site / WORKER).write_text(
        "\n".join([head, ours, f"(() => {{{its_own}}})();"]), encoding="utf-8"
    )
    names = [file.relative_to(site).as_posix() for file in files]
    (site / "offline.json").write_text(json.dumps(names), encoding="utf-8")
