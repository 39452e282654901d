"""Printing of plans in the terminal: the place of each test, and points of answer key and stub.

A test is protected if it runs outside of the jail, away from the student's code. The answer key has
the instructor's solutions, and should get all points of a test. The stub is the notebook as
students get it, and should get none.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.plan import Place, Plan, Planned

_WIDEST = 100  # letters of a line of a table, also in a pipe
_COLOURS = {Place.OUTSIDE: "green", Place.INSIDE: "yellow", Place.NOWHERE: "red"}


def show_plans(console: Console, plans: Mapping[str, Sequence[Plan]]) -> None:
    """Print for each assignment a table of each notebook that has tests, and then a summary."""
    for assignment, found in plans.items():
        for plan in found:
            console.print(Text(f"{assignment}/{plan.notebook}", style="bold"))
            if plan.tests:
                console.print(_table(plan.tests), width=min(console.width, _WIDEST))
            for name, why in plan.failing:
                console.print(Text(f"The given cell {name} fails: {why}", style="red"))
            for name, why in plan.given:
                if name in dict(plan.failing):
                    continue
                console.print(Text(f"The given cell {name} runs inside only: {why}"))
        for sentence in _summary(found):
            console.print(Text(sentence))


def not_protected(plans: Sequence[Plan]) -> Iterator[str]:
    """Yield a sentence for each test that is not protected."""
    for plan in plans:
        where = f"{plan.notebook.removesuffix('.ipynb')}/" if len(plans) > 1 else ""
        for test in plan.inside:
            yield f"Not protected, it runs beside the student's code: {where}{test.id} ({test.why})"


def _table(tests: Sequence[Planned]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("test", overflow="fold", max_width=40)
    for heading in ("points", "answer key", "stub"):
        table.add_column(heading, justify="right")
    table.add_column("runs")
    table.add_column("why", overflow="fold")
    for test in tests:
        place = Text(test.place.value, style=_COLOURS[test.place])
        marks = [Text(f"{points:g}") for points in (test.points, test.key, test.stub)]
        table.add_row(Text(test.id), *marks, place, Text(test.trouble or test.warning or test.why))
    return table


def _summary(plans: Sequence[Plan]) -> Iterator[str]:
    tests = [test for plan in plans for test in plan.tests]
    count = Counter(test.place for test in tests)
    troubles = [trouble for plan in plans for trouble in plan.troubles]
    if not tests:
        yield "There are no tests: all points are given by a person."
        return
    said = f"{count[Place.OUTSIDE]} protected, {count[Place.INSIDE]} not protected"
    yield f"{len(tests)} tests: {said}, {count[Place.NOWHERE]} that the answer key does not pass."
    for test in tests:
        if test.warning:
            yield f"Look at {test.id}: {test.warning}."
    if troubles:
        more = f" (and {len(troubles) - 1} more)" if len(troubles) > 1 else ""
        yield f"Nothing is graded until it is mended, or with --anyway: {troubles[0]}{more}."
