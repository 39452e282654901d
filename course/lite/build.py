"""Builds the site: JupyterLite with the release notebooks, the runtime, and the landing page."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from course.lab.start import MAP, SETTINGS
from course.lite.runtime import ROOT, packages, put_runtime

KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
EXTENSIONS = (
    "@jupyterlite/pyodide-kernel-extension",
    "@jupyter-widgets/jupyterlab-manager",
    "@jupyter-notebook/lab-extension",
    "anywidget",
)
APPS = ("--apps", "lab", "--apps", "notebooks")


def build(fetched: Path, site: Path) -> None:
    """A whole new site in the folder `site`, from what was fetched; nothing is asked of a network.

    A site that was there is replaced, once the new one is whole.
    """
    with TemporaryDirectory(dir=site.parent, prefix=".site-") as name:
        work = Path(name, "work")
        put_runtime(fetched, work / "static" / "pyodide")
        _put_contents(work / "content")
        _put_settings(work)
        new = Path(name, "site")
        # Run in its own folder: the paths in it are told from there.
        subprocess.run(
            [
                *(sys.executable, "-m", "jupyterlite_core", "build"),
                *("--contents", "content", "--output-dir", str(new), "--no-sourcemaps", *APPS),
            ],
            cwd=work,
            check=True,
        )
        shutil.rmtree(site, ignore_errors=True)
        new.rename(site)


def _put_contents(folder: Path) -> None:
    shutil.copytree(ROOT / "release", folder)
    shutil.copyfile(MAP, folder / MAP.name)


def _put_settings(folder: Path) -> None:
    shutil.copyfile(SETTINGS / "overrides.json", folder / "overrides.json")
    kernel = {
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": packages(folder / "static" / "pyodide")},
    }
    config: dict[str, Any] = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "2048, written by you",
            "exposeAppInBrowser": True,
            "litePluginSettings": {KERNEL: kernel},
        },
    }
    (folder / "jupyter-lite.json").write_text(json.dumps(config), encoding="utf-8")
    shared = Path(sys.prefix, "share", "jupyter", "labextensions")
    wanted = {
        "federated_extensions": [str(shared / name) for name in EXTENSIONS],
        "ignore_sys_prefix": ["federated_extensions"],
    }
    (folder / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": wanted}))
