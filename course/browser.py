"""Code that a kernel in a browser runs before the first cell. It leaves the learner no name."""

from typing import Any

import IPython


def _prepare(shell: Any) -> None:
    """Stop endless loops, and watch each cell; load the code that watches with the first cell."""
    from importlib import import_module

    from course.endless_loops import stop_loops

    stop_loops(shell)
    shell.events.register("pre_run_cell", lambda _: import_module("course.widgets.success").begin())


if IPython.get_ipython() is not None:  # there is no kernel if this file is only read
    _prepare(IPython.get_ipython())
del Any, IPython, _prepare
