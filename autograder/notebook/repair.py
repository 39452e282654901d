"""Repair of a submission: the master's tests and the student's answers, in the master's order."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import count

from autograder.grading_data import Cell, CellKind, Submission
from autograder.notebook.master import Master, MasterCell, is_marked
from autograder.notebook.match_cells import Matches, match, moved
from autograder.notebook.parse_notebook import RawCell, RawNotebook
from autograder.notebook.safe_text import printable, unturned, without_markup
from autograder.notebook.sanitize_markdown import as_plain_text, harmless, too_long

IN_BROWSER = "python"  # the kernel's name in every notebook that JupyterLite has opened
_CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def repair(raw: RawNotebook, master: Master) -> Submission:
    """Return the repaired submission that is made from a student's notebook."""
    matches = match(raw.cells, master)
    written = _in_order(matches)
    known = {cell.id for cell in written if _is_masters(cell, master)}
    long = too_long(cell for cell in written if cell.id not in known)
    reserved = frozenset(name for cell in master.cells for name in (cell.id, f"{cell.id}-comment"))
    cells = tuple(
        cell if cell.id in known else harmless(cell, cell.id in long, reserved) for cell in written
    )
    usual = f"the notebook had the format {master.format}; it was converted to 4.5"
    problems = [problem for problem in raw.problems if problem != usual]
    kernel = master.metadata.get("kernelspec", {}).get("name")
    if kernel is not None and raw.kernel not in (kernel, IN_BROWSER):
        named = "no kernel" if raw.kernel is None else f"the kernel {_quoted(raw.kernel)}"
        problems.append(f"the notebook named {named}; {kernel} was used")
    problems += matches.problems
    problems += _cell_problems(matches)
    problems += _own_cell_problems(matches)
    problems += _harmless_problems(written, cells, long)
    return Submission(
        master.lesson,
        cells,
        tuple(map(printable, problems)),
        answered=master.answered,
        # an editable file may be the student's own, so it is only among `files`
        given_files={path: master.files[path] for path in master.files.keys() - master.editable},
        files=master.files,
        imports=master.imports,
    )


def unreadable(master: Master, reason: str, problems: tuple[str, ...] = ()) -> Submission:
    """Return a submission with the master's cells, empty answers, and the `reason` as text."""
    words = tuple(map(printable, (reason, *problems)))
    text = f"**Nothing could be graded:** {without_markup(words[0])}."
    note = Cell("nothing-graded", CellKind.GIVEN, text, cell_type="markdown")
    cells = (note, *(_master_copy(cell, None) for cell in master.cells))
    return Submission(master.lesson, cells, words, is_readable=False)


def _in_order(matches: Matches) -> list[Cell]:
    """Return the cells in the master's order, and between them the student's own cells.

    A cell is the student's own if it matches none of the master's. It stays behind the same cell of
    the master as in the submission, where cells that the student moved do not count. It loses its
    marks, and gets a new id if its id is not valid or not unique.
    """
    cells, masters = matches.cells, matches.master.cells
    out_of_order = set(moved(matches.chosen))
    places = {index: place for place, index in matches.chosen.items() if place not in out_of_order}
    own: dict[int, list[RawCell]] = defaultdict(list)
    taken, followed = matches.taken, -1
    for index, cell in enumerate(cells):
        if index not in taken:
            own[followed].append(cell)
        followed = places.get(index, followed)
    names = set(matches.master.by_id)
    new_names = (f"own-{number}" for number in count(1))
    placed = []
    for place in range(-1, len(masters)):
        if place >= 0:
            chosen = matches.chosen.get(place)
            submitted = None if chosen is None else cells[chosen]
            placed.append(_master_copy(masters[place], submitted))
        for cell in own[place]:
            name = cell.id
            if name is None or not _CELL_ID.fullmatch(name) or name in names:
                name = next(new for new in new_names if new not in names)
            names.add(name)
            pictures = cell.attachments if cell.cell_type != "code" else {}
            own_cell = Cell(name, CellKind.STUDENT, cell.source, cell_type=cell.cell_type)
            placed.append(replace(own_cell, attachments=pictures))
    return placed


def _is_masters(cell: Cell, master: Master) -> bool:
    """Return true if a cell is as the instructor wrote it, and so is surely harmless."""
    if cell.cell_type == "markdown" and cell.source in master.texts and not cell.attachments:
        return True
    if (original := master.by_id.get(cell.id)) is None:
        return False
    is_given = not original.is_answer or cell.source == original.source
    return is_given and cell.attachments == original.attachments


def _master_copy(original: MasterCell, submitted: RawCell | None) -> Cell:
    """Return a copy of a cell of the master; an answer cell gets the student's source.

    If nothing was `submitted` for an answer cell, its source is empty.
    """
    copy = Cell(*(getattr(original, one.name) for one in fields(Cell)))
    if not original.is_answer:
        return copy
    answer = submitted.source if submitted else ""
    pictures = submitted.attachments if submitted else original.attachments
    return replace(copy, source=answer, attachments=pictures, visible=None)


def _cell_problems(matches: Matches) -> Iterator[str]:
    """Yield a sentence for each repair of a cell of the master."""
    for position, original in enumerate(matches.master.cells):
        chosen = matches.chosen.get(position)
        if chosen is not None:
            cell, name = matches.cells[chosen], original.name
            if cell.cell_type != original.cell_type:
                yield f"{name} was a {cell.cell_type} cell; it was read as {original.cell_type}"
            if not original.is_answer and cell.plain not in original.versions:
                yield (
                    f"{name} is as it was given out, but the master has changed since; the master "
                    "copy was used"
                    if cell.is_as_released
                    else f"{name} had been changed; the master copy was used"
                )
            if changed := cell.changed_marks(original.metadata["nbgrader"]):
                what = ", ".join(changed)
                yield f"the marks of {name} had been changed ({what}); the master's count"
        if original.is_answer:
            yield from _empty_answer(matches, position)
        elif chosen is None and position not in matches.replaced:
            yield f"{original.name} was missing; the master copy was used"
    if names := [matches.master.cells[position].id for position in moved(matches.chosen)]:
        yield f"cells stood in another order and were put back: {_first_three(names)}"


def _empty_answer(matches: Matches, position: int) -> Iterator[str]:
    """Yield a sentence if an answer cell has no answer; name the other cell that has it, if any."""
    cells, original, elsewhere = matches.cells, matches.master.cells[position], ""
    chosen = matches.chosen.get(position)
    for place, index in matches.chosen.items():
        other = matches.master.cells[place]
        if place == position or not other.is_answer or elsewhere:
            continue
        if original.is_answered_in(cells[index].source):
            elsewhere = "" if original.is_answered_in(other.solution) else other.name
    if chosen is None or not cells[chosen].source.strip():
        state = "was missing" if chosen is None else "was empty"
        instead = f"its answer stands in {elsewhere}" if elsewhere else "it counts as empty"
        yield f"{original.name} {state}; {instead}"
    elif elsewhere and cells[chosen].plain == original.released:
        yield f"{original.name} is as it was given out; its answer stands in {elsewhere}, too"


def _own_cell_problems(matches: Matches) -> Iterator[str]:
    """Yield a sentence for each problem with the student's own cells."""
    own, known = matches.own, matches.master.by_id
    unknown = [
        _quoted(cell.grade_id or "nothing")
        for cell in own
        if cell.grade_id not in known and is_marked({"nbgrader": cell.marks})
    ]
    if unknown:
        is_one = len(unknown) == 1
        what, fate = ("a cell was", "it gives") if is_one else ("cells were", "they give")
        names = _first_three(unknown)
        yield f"{what} marked as {names}, which the lesson does not have; {fate} no points"
    ids = {cell.id for cell in own if cell.id is not None and _CELL_ID.fullmatch(cell.id)}
    new = len(own) - len(ids.difference(known))
    if new and any(cell.id is not None for cell in matches.cells):
        yield f"cells of the student's own without a usable id were given one: {new}"


def _harmless_problems(
    written: list[Cell], shown: tuple[Cell, ...], long: set[str]
) -> Iterator[str]:
    """Yield a sentence for each sort of content that was changed to make it harmless."""
    pairs = list(zip(written, shown, strict=True))
    plain = [old.id for old, new in pairs if new.source == as_plain_text(unturned(old.source))]
    if long:
        yield f"text cells that are too long to be laid out: {len(long)}; shown as plain text"
    texts = len(set(plain) - long)
    if texts:
        yield f"text cells with markup that may not be safe: {texts}; shown as plain text"
    turned = sum(old.source != unturned(old.source) for old, _ in pairs)
    if turned:
        yield f"cells with characters that turn the direction of text: {turned}; made visible"
    before, after = (
        sum(len(kinds) for cell in side for kinds in cell.attachments.values())
        for side in (written, shown)
    )
    if before > after:
        yield f"attachments that are no png, jpeg, gif or webp picture: {before - after}; left out"


def _first_three(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…")
