"""What makes the site work without a network: a list of its files, and a service worker."""

import hashlib
import json
from pathlib import Path

PAGES = Path(__file__).parent / "pages"
WORKER = "service-worker.js"  # where JupyterLite has its own


def put_offline(site: Path) -> None:
    """Lists all files of a finished site, and puts the course's worker before JupyterLite's."""
    files = sorted(file for file in site.rglob("*") if file.is_file() and file.name != WORKER)
    worker = (PAGES / "offline.js").read_text(encoding="utf-8")
    its_own = (site / WORKER).read_text(encoding="utf-8").replace('"use strict";', "")
    version = hashlib.sha256(b"".join(map(_digest, files))).hexdigest()[:16]
    head = f"self.VERSION = {json.dumps(version)};\n"
    (site / WORKER).write_text(f"{head}{worker}\n(() => {{{its_own}}})();\n", encoding="utf-8")
    names = [file.relative_to(site).as_posix() for file in files]
    (site / "offline.json").write_text(json.dumps(names), encoding="utf-8")


def _digest(file: Path) -> bytes:
    return hashlib.sha256(file.name.encode() + file.read_bytes()).digest()
