"""The masters in `source/` are readable, without outputs, and agree with the list of lessons."""

import ast
import re
import symtable

import nbformat
from nbformat import NotebookNode

from autograder.course_adapter import ROOT
from course.lessons import Lesson, built_before, definition, lessons

LONGEST_CELL = 40
LONGEST_ANSWER = 15
NAMES_OF_TESTS = {
    *("_", "_hidden", "course", "board", "tall_board", "lost_board", "ended_board", "weak_board"),
    *("score", "mine", "yours", "winning_move", "later_move"),
    *("check_fours", "check_squares", "check_only_rng", "check_cleared", "check_clears_by_rng"),
}  # names that no learner gives to a function
MARKED = re.compile(r"^ *###.*\n?", flags=re.MULTILINE)


def bound_names(text: str) -> set[str]:
    """Return the names that a cell with this text assigns, defines or imports."""
    symbols = symtable.symtable(text, "cell", "exec").get_symbols()
    return {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}


def marked(master: NotebookNode, key: str) -> list[NotebookNode]:
    """Return the cells with a mark of nbgrader, `grade` or `solution`."""
    return [cell for cell in master.cells if cell.metadata.get("nbgrader", {}).get(key)]


def test_every_folder_is_a_lesson_and_every_lesson_a_folder():
    folders = {path.name for path in (ROOT / "source").iterdir() if path.is_dir()}
    assert folders == {entry.id for entry in lessons()}


def test_a_folder_holds_its_notebook_and_pictures_only(lesson: Lesson):
    files = {path for path in (ROOT / "source" / lesson.id).rglob("*") if path.is_file()}
    others = {path for path in files if path.suffix not in (".svg", ".png")}
    assert others == {ROOT / "source" / lesson.id / lesson.notebook}


def test_every_picture_is_shown(lesson: Lesson, master: NotebookNode):
    folder = ROOT / "source" / lesson.id
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", "\n".join(cell.source for cell in master.cells))
    there = [str(path.relative_to(folder)) for path in folder.rglob("*.svg")]
    assert sorted(set(shown)) == sorted(there)


def test_a_notebook_is_written_in_the_form_that_a_diff_can_read(
    lesson: Lesson, master: NotebookNode
):
    text = (ROOT / "source" / lesson.id / lesson.notebook).read_text(encoding="utf-8")
    assert text == nbformat.writes(master) + "\n"


def test_a_master_has_no_outputs(master: NotebookNode):
    code = [cell for cell in master.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


def test_cell_ids_are_words_and_unique(master: NotebookNode):
    ids = [cell.id for cell in master.cells]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z]*([-_][A-Za-z0-9]+)*", name) for name in ids)


def test_graded_cells_and_points_are_those_of_the_manifest(lesson: Lesson, master: NotebookNode):
    marks = [cell.metadata.nbgrader for cell in marked(master, "grade")]
    assert [(each.grade_id, each.points) for each in marks] == [*lesson.checks.items()]


def test_solution_cells_are_named_after_what_they_define(lesson: Lesson, master: NotebookNode):
    cells = marked(master, "solution")
    assert [cell.id for cell in cells] == [entry.cell for entry in lesson.exercises]
    assert all(definition(cell.id).search(MARKED.sub("", cell.source)) for cell in cells)


def test_no_cell_that_a_learner_writes_is_over_fifteen_lines(lesson: Lesson, master: NotebookNode):
    release = nbformat.read(ROOT / "release" / lesson.id / lesson.notebook, as_version=4)
    names = {entry.cell for entry in lesson.exercises}
    for cell in (*master.cells, *release.cells):
        if cell.id in names:
            assert len(MARKED.sub("", cell.source).splitlines()) <= LONGEST_ANSWER, cell.id


def test_the_first_cell_brings_in_all_that_earlier_lessons_built(
    lesson: Lesson, master: NotebookNode
):
    given = next(cell for cell in master.cells if cell.id == "given-imports")
    names = {
        alias.name
        for node in ast.parse(given.source).body
        if isinstance(node, ast.ImportFrom) and node.module == "course.mine"
        for alias in node.names
    }
    assert names == set(built_before(lesson.id))


def test_a_line_of_tiles_in_a_text_is_not_broken(master: NotebookNode):
    texts = "\n".join(cell.source for cell in master.cells if cell.cell_type == "markdown")
    assert not re.search(r"`\d+( \d+)+`", texts), "it needs no-break spaces"


def test_nbgrader_and_the_notebook_know_a_cell_by_the_same_name(master: NotebookNode):
    marks = {cell.id: cell.metadata.get("nbgrader") for cell in master.cells}
    assert [cell for cell, mark in marks.items() if mark and mark.grade_id != cell] == []


def test_code_cells_are_short_enough_to_read(master: NotebookNode):
    code = [cell for cell in master.cells if cell.cell_type == "code"]
    for cell in code:
        assert len(MARKED.sub("", cell.source).splitlines()) <= LONGEST_CELL, cell.id


def test_a_test_cell_opens_with_its_name_and_its_idea(master: NotebookNode):
    for cell in marked(master, "grade"):
        assert cell.source.startswith(f"# {cell.id}: ")


def test_a_test_cell_gives_no_name_of_a_learner_another_meaning(master: NotebookNode):
    """A learner may have a helper called `height`, `wide` or `keeps_length`."""
    for cell in marked(master, "grade"):
        assert bound_names(cell.source) - NAMES_OF_TESTS == set(), cell.id


def test_the_kernel_is_the_one_that_every_jupyter_has(master: NotebookNode):
    assert master.metadata.kernelspec.name == "python3"


def test_a_lesson_says_how_long_each_sitting_takes(lesson: Lesson, master: NotebookNode):
    said = re.findall(r"about (\d+) minutes", master.cells[0].source)
    assert tuple(map(int, said)) == lesson.minutes
    assert all(minutes < 60 for minutes in lesson.minutes)


def test_every_exercise_has_a_hint_of_each_level(lesson: Lesson):
    assert all(len(entry.hints) == 3 and all(entry.hints) for entry in lesson.exercises)
