"""Kernels for tests.

A test reaches its kernel by files. By default, Jupyter looks for free ports and then starts a
kernel that opens them; on a busy machine, another program may take a port in between.
"""

from pathlib import Path
from typing import Any
from uuid import uuid4

import nbformat
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager
from jupyter_core.paths import jupyter_runtime_dir
from nbclient import NotebookClient
from traitlets.config import Config


def new_kernel(**options: Any) -> tuple[KernelManager, BlockingKernelClient]:
    """Start a kernel that is ready to run code; `options` are those of `start_kernel`."""
    manager = KernelManager(kernel_name="python3", config=_by_files())
    manager.start_kernel(**options)
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=120)
    return manager, client


def run_notebook(notebook: nbformat.NotebookNode, **options: Any) -> nbformat.NotebookNode:
    """Run all cells of a notebook, also after an error; return the notebook, with the outputs."""
    fixed = {"timeout": 60, "allow_errors": True, "kernel_name": "python3", "config": _by_files()}
    NotebookClient(notebook, **fixed, **options).execute()
    return notebook


def _by_files() -> Config:
    folder = Path(jupyter_runtime_dir())
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"kernel-{uuid4()}.json"
    return Config({"KernelManager": {"transport": "ipc", "connection_file": str(file)}})
