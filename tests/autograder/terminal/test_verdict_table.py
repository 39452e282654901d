"""The table of results in a terminal: names stay whole, a repair of many cells is one line."""

import io

from rich.console import Console
from rich.text import Text

from autograder.grading_data import Verdict
from autograder.terminal.verdict_table import keep_words_whole, new_table, show_problems


def test_names_of_checks_are_not_broken_in_a_narrow_terminal() -> None:
    table = new_table("student")
    for number, name in enumerate(("state", "checks lost", "likely cause"), 1):
        table.add_column(name, ratio=number, overflow="fold")
    lost = "all but tiles-to-front, merge-once, leaves-argument-alone"
    table.add_row("student-15", "0/12", Text("late"), Text(lost), Text("Tiles are lost " * 9))
    keep_words_whole(table)
    console = Console(file=io.StringIO(), width=64)
    console.print(table)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "leaves-argument-alone" in printed
    assert max(map(len, printed.splitlines())) <= 64


def test_what_was_repaired_in_many_cells_is_said_once() -> None:
    problems = tuple(f"test cell {name} was missing" for name in ("a", "b", "c"))
    console = Console(file=io.StringIO(), width=64)
    show_problems(console, [("ada", Verdict("", "", (), problems))])
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert "  3 times: test cell … was missing (a, b, c)" in said
