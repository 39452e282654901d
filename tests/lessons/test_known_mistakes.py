"""Right programs pass all checks; known mistakes are named; other wrong programs lose checks.

Many of these programs are graded by the real judge, all others in one process.
"""

import json
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from autograder.course_adapter import DIGESTS, general
from autograder.grading_data import CellKind, CheckResult, Outcome
from autograder.jail import WarmJail
from autograder.judge import judge
from autograder.misconceptions import Misconception, catalogue
from autograder.misconceptions.write_digests import write_digests
from course.hints.mistakes import table
from course.lessons import cell_of, lesson, lessons
from tests.autograder.grading_helpers import limited, master_submission
from tests.lessons.right import Style, right_styles
from tests.lessons.running import affected, lost_checks, named
from tests.parametrize_marks import some_in_every_run

CATALOGUES = {entry.id: catalogue(entry.id) for entry in lessons()}
QUICK = "1-merge-a-line"  # the one lesson that is judged among the quick tests
OF_ANY = {*general()}
# The judge grades all programs of these lessons. Of other lessons, it grades one mistake of each
# exercise, and every third right submission. This is enough, because the judge only adds the way to
# the jail and back, which is always the same.
JUDGED_WHOLE = (QUICK, "2-slide-in-four-directions", "2b-the-other-road", "5-points-and-objects")
ENDLESS = ("full-hangs", "tries-for-ever")  # these never end by themselves; the judge ends them
SOON = {"call": 1.0, "patience": 2.0}
STYLES = 12  # right programs that an exercise must have, with the master's solution


def param(lesson_id: str, entry: object, name: str, *, in_every_run: bool) -> ParameterSet:
    marks = [pytest.mark.xdist_group(lesson_id)]  # each lesson has one jail, in one worker
    marks += [] if lesson_id == QUICK else [pytest.mark.slow]
    marks += [] if in_every_run else [pytest.mark.deep]
    return pytest.param(lesson_id, entry, id=f"{lesson_id}-{name}", marks=marks)


def right_submissions(lesson_id: str) -> list[dict[str, Style]]:
    """Return submissions of right programs, each as a dictionary: solution cell → program.

    No two submissions have the same program for an exercise. There are as many submissions as the
    exercise with the most programs has; later ones leave out the exercises with fewer programs.
    """
    styles: dict[str, list[Style]] = {}
    for entry in right_styles(lesson_id):
        styles.setdefault(cell_of(entry.exercise), []).append(entry)
    return [
        {cell: entries[turn] for cell, entries in styles.items() if turn < len(entries)}
        for turn in range(max(map(len, styles.values()), default=0))
    ]


def mistakes(*, judged: bool) -> list[ParameterSet]:
    """Return the known mistakes that the real judge grades; if `judged` is false, all others.

    The judge grades the first mistake of each exercise, and all whose programs only it can stop. In
    every test run, only the first of each lesson are tried; `some` returns their number.
    """
    found = []
    for lesson_id, known in CATALOGUES.items():
        first = {entry.exercise: entry for entry in reversed(known)}.values()
        asked = [
            entry
            for entry in known
            if judged == (lesson_id in JUDGED_WHOLE or entry in first or entry.id in ENDLESS)
        ]
        for place, entry in enumerate(asked):
            found.append(param(lesson_id, entry, entry.id, in_every_run=place < some(lesson_id)))
    return found


def some(lesson_id: str) -> int:
    """Return the number of cases of a lesson that are tried in every test run."""
    return 2 if lesson_id == QUICK else 1


def right(*, judged: bool) -> list[ParameterSet]:
    """Return the right submissions that the real judge grades; if `judged` is false, all others."""
    return [
        param(
            lesson_id,
            styles,
            str(turn),
            in_every_run=turn <= some(lesson_id) if judged else (lesson_id, turn) == ("3-spawn", 2),
        )
        for lesson_id in CATALOGUES
        for turn, styles in enumerate(right_submissions(lesson_id), start=1)
        if judged == (lesson_id in JUDGED_WHOLE or turn % 3 == 1)
    ]


Grade = Callable[..., dict[str, CheckResult]]


@pytest.fixture(scope="module")
def grade() -> Iterator[Grade]:
    """Yield a function that judges the instructor's notebook with some solution cells replaced.

    Left out are the test cells before the first replaced cell, and those that no replaced cell can
    affect.
    """
    with ExitStack() as stack:

        @cache
        def jail(lesson_id: str) -> WarmJail:
            return stack.enter_context(WarmJail(lesson_id))

        def judged(
            lesson_id: str, replaced: dict[str, str], is_endless: bool = False
        ) -> dict[str, CheckResult]:
            whole = master_submission(lesson_id, **replaced)
            first = min(place for place, cell in enumerate(whole.cells) if cell.id in replaced)
            asked = affected(lesson_id, replaced)
            cells = tuple(
                cell
                for place, cell in enumerate(whole.cells)
                if cell.kind is not CellKind.TEST or (place >= first and cell.id in asked)
            )
            with limited(jail(lesson_id), **SOON if is_endless else {}) as limits:
                verdict = judge(replace(whole, cells=cells), limits)
            return {check.id: check for check in verdict.checks}

        yield judged


@pytest.mark.parametrize(("lesson_id", "styles"), right(judged=False))
def test_right_programs_in_any_style_pass_all_checks_in_one_process(
    lesson_id: str, styles: dict[str, Style]
):
    replaced = {cell: style.program for cell, style in styles.items()}
    lost = lost_checks(lesson_id, replaced)
    assert lost == [], [style.title for style in styles.values()]


@pytest.mark.parametrize(("lesson_id", "styles"), right(judged=True))
def test_right_programs_in_any_style_get_full_marks(
    grade: Grade, lesson_id: str, styles: dict[str, Style]
):
    checks = grade(lesson_id, {cell: style.program for cell, style in styles.items()})
    lost = {check.id: check.message for check in checks.values() if check.outcome != Outcome.PASSED}
    assert lost == {}, [style.title for style in styles.values()]


@pytest.mark.parametrize(("lesson_id", "mistake"), mistakes(judged=False))
def test_a_known_mistake_loses_its_checks_and_no_others_and_is_named_in_one_process(
    lesson_id: str, mistake: Misconception, record_property: Callable[[str, object], None]
):
    cell = cell_of(mistake.exercise)
    asked = affected(lesson_id, [cell])
    lost = lost_checks(lesson_id, {cell: mistake.specimen}, only=asked)
    record_property("table", row(lesson_id, mistake, lost))
    assert lost == list(mistake.loses)
    said = named(lesson_id, mistake.exercise, mistake.specimen)
    assert said is not None
    assert said.id == mistake.id or said.id in OF_ANY  # the program may only show errors


@pytest.mark.parametrize(("lesson_id", "mistake"), mistakes(judged=True))
def test_a_known_mistake_loses_its_checks_and_no_others_and_is_named(
    grade: Grade,
    lesson_id: str,
    mistake: Misconception,
    record_property: Callable[[str, object], None],
):
    replaced = {cell_of(mistake.exercise): mistake.specimen}
    checks = grade(lesson_id, replaced, mistake.id in ENDLESS)
    lost = [check.id for check in checks.values() if check.outcome != Outcome.PASSED]
    record_property("table", row(lesson_id, mistake, lost))
    assert lost == list(mistake.loses)
    own = lesson(lesson_id).exercises
    asked = next(entry.checks for entry in own if entry.name == mistake.exercise)
    # Some mistakes show only when other parts of a class are there, too.
    shown = [check for check in lost if check in asked] or lost
    said = {checks[check].misconception for check in shown}
    assert said <= OF_ANY | {mistake.id}  # for some checks, the program may only show errors


def row(lesson_id: str, mistake: Misconception, lost: list[str]) -> str:
    """Return a row of the table that is printed at the end of a test run."""
    return f"{lesson_id:28} {mistake.id:26} {', '.join(lost)}"


@pytest.mark.deep
def test_an_exercise_has_right_programs_in_twelve_styles():
    for entry in lessons()[1:]:
        for exercise in entry.exercises:
            own = {one.program for one in right_styles(entry.id) if one.exercise == exercise.name}
            assert len(own) + 1 >= STYLES, exercise.name  # the master's own is one more


@pytest.mark.parametrize(
    "name", sorted({name.partition(".")[0] for name in json.loads(DIGESTS.read_text())})
)
def test_no_two_mistakes_give_the_same_answers_and_none_is_right(name):
    known = table(name)
    answers = [repr((entry.seen, entry.more)) for entry in (known.right, *known.wrong)]
    assert len(set(answers)) == len(answers)


@pytest.mark.parametrize("lesson_id", CATALOGUES)
def test_ids_are_unique_and_every_entry_has_its_four_texts(lesson_id: str):
    known = CATALOGUES[lesson_id]
    assert len({entry.id for entry in known}) == len(known)
    for entry in known:
        texts = {entry.title, entry.nudge, entry.explain, entry.show}
        assert "" not in texts
        assert len(texts) == 4


@pytest.mark.deep
def test_the_digests_are_what_regenerating_gives(tmp_path):
    write_digests(tmp_path / "digests.json")
    assert (tmp_path / "digests.json").read_text() == DIGESTS.read_text()


def wrong_programs() -> list[object]:
    found = {
        f"{path.stem}-{hole['exercise']}-{hole['title']}": (path.stem, hole)
        for path in sorted(Path(__file__).with_name("wrong").glob("*.toml"))
        for hole in tomllib.loads(path.read_text("utf-8"))["hole"]
    }
    return some_in_every_run(found, [*found][::10])


@pytest.mark.slow
@pytest.mark.parametrize(("lesson_id", "hole"), wrong_programs())
def test_a_program_that_is_wrong_in_many_calls_loses_its_checks(
    lesson_id: str, hole: dict[str, Any]
):
    replaced = {cell_of(hole["exercise"]): hole["program"]}
    lost = lost_checks(lesson_id, replaced, only=hole["loses"])
    assert lost == hole["loses"]
