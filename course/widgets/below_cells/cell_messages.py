"""Functions that IPython calls before and after each cell, to show messages below the cell."""

import os
import sys
from typing import Any

from course.browser_deadline import IS_BROWSER
from course.checks.failed import HINT, CheckFailed, note_run
from course.function_calls import NoAnswer
from course.hints.diagnosis import exercise_of, note_check
from course.lessons import lessons
from course.mine.run_visible_checks import check_and_idea
from course.plain_errors import ipython_shell, say_what_is_missing
from course.widgets.below_cells import error_advice, success_marks
from course.widgets.below_cells.cells_without_name import lack_of, lost_def, note_last_run
from course.widgets.below_cells.check_strip import show_strip, strip_of
from course.widgets.below_cells.still_running import say_if_still_running
from course.widgets.failure_picture import show_failure


def begin() -> None:
    """From now on, show failed checks as pictures, and messages below the cells that need one.

    In a script, and while nbgrader runs the notebook, only the pictures are switched on.
    """
    CheckFailed.picture = staticmethod(show_failure)
    shell = ipython_shell()
    if not hasattr(shell, "kernel") or "NBGRADER_EXECUTION" in os.environ:
        return
    if not getattr(shell, "shows_success_2048", False):
        shell.shows_success_2048 = True
        shell.events.register("pre_run_cell", _cell_begins)
        shell.events.register("post_run_cell", _cell_has_run)
        error_advice.cut_recursion(shell)
        say_what_is_missing(shell)
        if not IS_BROWSER:  # in a browser, there are no threads, and the page itself says it
            say_if_still_running(shell)


def _cell_begins(info: Any) -> None:
    """Note which check a cell runs, or that it runs none; IPython calls this before each cell."""
    note_check(check_and_idea(str(info.raw_cell))[0])


def _cell_has_run(result: Any) -> None:
    """Show the messages below a cell that has run; if this fails, end without an error."""
    try:
        source, cell = str(result.info.raw_cell), result.info.cell_id
        if cell is None:  # in the browser, only the message that asked to run the cell has its id
            cell = ipython_shell().kernel.get_parent().get("metadata", {}).get("cellId")
        cell = str(cell)
        error = result.error_before_exec or result.error_in_exec
        note_run(cell, source, bool(result.success))
        note_last_run(cell, source, error)
        if result.success:
            _show_success(source, cell)
        else:
            _show_help(source, cell, error)
    except (Exception, KeyboardInterrupt):
        return


def _show_success(source: str, cell: str) -> None:
    success = success_marks.note_result(source, cell, holds=True)
    if success is not None:
        success_marks.show_success(success)
        return
    said = error_advice.not_added(source, cell)
    for advised in filter(None, (said, error_advice.taken(source))):
        _advise(advised)
    for lesson in lessons():
        for exercise in lesson.exercises:
            if exercise.cell == cell:
                lack = "" if said else lack_of(exercise.name, is_known=False)
                if lack:  # an older value of the name says nothing about this cell
                    _advise(lack)
                    continue
                strip = strip_of(exercise, source, vars(sys.modules["__main__"]))
                if strip is not None:
                    success_marks.write_down(lesson, strip.outcomes)
                    show_strip(strip)


def _show_help(source: str, cell: str, error: BaseException | None) -> None:
    check, _ = check_and_idea(source)
    success_marks.forget_success(check)
    success_marks.note_result(source, "", holds=False)
    if said := lost_def(cell, source, error) or error_advice.advice(error):
        _advise(said)
    elif isinstance(error, Exception | NoAnswer | KeyboardInterrupt) and exercise_of(check):
        # Imported here, because a notebook in which all checks hold needs no widgets.
        from course.widgets.hint_widget import show_button

        show_button(exercise_of(check), str(error).partition(HINT)[2], check, error)


def _advise(said: str) -> None:
    shown = {"text/html": error_advice.advice_html(said), "text/plain": said.replace("`", "")}
    sys.modules["IPython"].display.display(shown, raw=True)
