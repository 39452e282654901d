"""Code that every kernel of the course runs before the first cell.

This file deletes its own names at its end, so that the learner's notebook has none of them.
"""

from typing import Any

import IPython


def _prepare(shell: Any) -> None:
    """Make an IPython shell show messages below cells; in a browser, also stop endless loops.

    In a browser, the code that shows messages is imported only when the first cell runs.
    """
    from importlib import import_module

    from course.browser_deadline import IS_BROWSER, stop_loops

    def begin(*_: object) -> None:
        import_module("course.widgets.below_cells.cell_messages").begin()

    if IS_BROWSER:
        stop_loops(shell)
        shell.events.register("pre_run_cell", begin)
    else:
        begin()


if IPython.get_ipython() is not None:  # outside of a kernel, there is nothing to prepare
    _prepare(IPython.get_ipython())
del Any, IPython, _prepare
