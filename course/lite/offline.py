"""Use of the site without a network: a list of its files, and a service worker."""

import hashlib
import json
from pathlib import Path

PAGES = Path(__file__).parent / "pages"
OURS = ("offline.js", "drive.js")
WORKER = "service-worker.js"  # where JupyterLite has its own


def put_offline(site: Path) -> None:
    """List all files of a finished site, and put our own worker before JupyterLite's."""
    files = sorted(file for file in site.rglob("*") if file.is_file() and file.name != WORKER)
    ours = [(PAGES / name).read_text(encoding="utf-8") for name in OURS]
    its_own = (site / WORKER).read_text(encoding="utf-8").replace('"use strict";', "")
    version = hashlib.sha256(b"".join(map(_digest, files))).hexdigest()[:16]
    head = f"self.VERSION = {json.dumps(version)};"
    (site / WORKER).write_text(
        "\n".join([head, *ours, f"(() => {{{its_own}}})();"]), encoding="utf-8"
    )
    names = [file.relative_to(site).as_posix() for file in files]
    (site / "offline.json").write_text(json.dumps(names), encoding="utf-8")


def _digest(file: Path) -> bytes:
    return hashlib.sha256(file.name.encode() + file.read_bytes()).digest()
