"""Matching of submitted cells with the master's: by name (`grade_id`), by id, by content."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter

from rapidfuzz import fuzz

from autograder.course_adapter import definition
from autograder.notebook.master import Master, MasterCell
from autograder.notebook.parse_notebook import RawCell

_ALIKE = 85  # percent of likeness at which a cell without a name is recognised
_EDITED = 50  # percent of likeness at which a cell with the right name counts as edited
_COMPARED = 20_000  # characters of a cell that are compared
# The work of comparing two texts is the product of their lengths. This much work takes about a
# second; a notebook in which all names and ids are lost needs a hundredth of it.
_MOST_WORK = 10**10


@dataclass
class Matches:
    """The submitted cells and the master, and indices that say which cells belong together.

    `chosen` is a dictionary: index in the master → index in the submission. `copies` are indices of
    submitted cells that repeat a master cell. `replaced` are indices of master cells whose name is
    only on submitted cells with unrelated text. `problems` are sentences about all this.
    """

    cells: tuple[RawCell, ...]
    master: Master
    chosen: dict[int, int] = field(default_factory=dict)
    copies: set[int] = field(default_factory=set)
    replaced: set[int] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)

    @property
    def taken(self) -> set[int]:
        """The indices of all submitted cells that belong to cells of the master, copies, too."""
        return {*self.chosen.values(), *self.copies}

    @property
    def own(self) -> list[RawCell]:
        """The student's own cells, which belong to no cell of the master."""
        taken = self.taken
        return [cell for index, cell in enumerate(self.cells) if index not in taken]

    def missing(self) -> Iterator[tuple[int, MasterCell]]:
        """Yield pairs (index, cell) of the master's cells that have no match yet."""
        for position, original in enumerate(self.master.cells):
            if position not in self.chosen and position not in self.replaced:
                yield position, original


def match(cells: tuple[RawCell, ...], master: Master) -> Matches:
    """Return the matches: for each cell of the master, the submitted version, if there is one."""
    matches = Matches(cells, master)
    _match_names(matches)
    _match_ids(matches)
    _match_contents(matches)
    return matches


def moved(chosen: Mapping[int, int]) -> tuple[int, ...]:
    """Return the indices of the master's cells that a student has moved; see `Matches.chosen`.

    They are the smallest set of cells without which all others are in the master's order.

    >>> moved({0: 0, 1: 3, 2: 1, 3: 2})
    (1,)
    """
    order = [index for index, _ in sorted(chosen.items(), key=itemgetter(1))]
    # for each length, the increasing subsequence with the lowest end; the last is the longest
    ends: list[int] = []
    runs: list[list[int]] = [[]]
    for index in order:
        length = bisect_left(ends, index)
        ends[length : length + 1] = [index]
        runs[length + 1 : length + 2] = [[*runs[length], index]]
    return tuple(sorted({*order}.difference(runs[-1])))


def _match_names(matches: Matches) -> None:
    """Match cells by their names, the `grade_id`s; several submitted cells may have the same name.

    For an answer, the first cell that the student worked on is chosen; empty and unchanged ones
    become `copies`. For any other cell of the master, the most similar one is chosen; others that
    are empty, unchanged or similar become `copies`, and cells with unrelated text stay unmatched.
    """
    by_name: dict[str, dict[int, RawCell]] = defaultdict(dict)
    for index, cell in enumerate(matches.cells):
        if cell.grade_id is not None:
            by_name[cell.grade_id][index] = cell
    for position, original in enumerate(matches.master.cells):
        if not (claims := by_name.get(original.id)):
            continue
        if original.is_answer:
            copies = [n for n, cell in claims.items() if cell.plain in ("", original.released)]
            best = next((claim for claim in claims if claim not in copies), next(iter(claims)))
            are_kept = len(claims) - len(copies) > 1
            kept = ", the others were kept as the student's own cells" if are_kept else ""
            fate = f"the first that was worked on counts{kept}"
        else:
            likeness = {n: _likeness_to(original, cell, _EDITED) for n, cell in claims.items()}
            copies = [n for n in claims if likeness[n] or claims[n].is_untouched]
            if not copies:
                matches.replaced.add(position)
                matches.problems.append(
                    f"other text stood in {original.name}; the master copy was used, the text was "
                    "kept as the student's own cell"
                )
                continue
            best = max(copies, key=likeness.__getitem__)
            fate = "one master copy was used"
        matches.chosen[position] = best
        matches.copies.update(claim for claim in copies if claim != best)
        if len(claims) > 1:
            matches.problems.append(f"{original.name} was there {len(claims)} times; {fate}")


def _match_ids(matches: Matches) -> None:
    """Match by Jupyter's cell ids, which a cell keeps even if it loses nbgrader's metadata."""
    free: dict[str | None, int] = {}
    for index, cell in enumerate(matches.cells):
        if cell.grade_id not in matches.master.by_id:
            free.setdefault(cell.id, index)
    for position, original in matches.missing():
        if original.id in free:
            matches.chosen[position] = free[original.id]
            matches.problems.append(
                f"{original.name} had lost its nbgrader name; it was recognised by its cell id"
            )


def _match_contents(matches: Matches) -> None:
    """Match the rest: answers by what they define, others by similar text, up to `_MOST_WORK`."""
    cells, work = matches.cells, 0
    letters = sum(min(len(cell.plain), _COMPARED) for cell in cells)
    for position, original in matches.missing():
        work += 0 if original.is_answer else letters * sum(map(len, original.versions))
        if work > _MOST_WORK:
            break
        taken = matches.taken
        free = [index for index in range(len(cells)) if index not in taken]
        found = None
        if original.is_answer:
            defines = definition(original.id)
            # the last definition is the one that counts when a notebook is run
            found = next((i for i in reversed(free) if defines.search(cells[i].source)), None)
        elif original.released and free:
            likeness = {index: _likeness_to(original, cells[index], _ALIKE) for index in free}
            best = max(likeness, key=likeness.__getitem__)
            found = best if likeness[best] else None
        if found is not None:
            how = "what it defines" if original.is_answer else "its text"
            matches.chosen[position] = found
            matches.problems.append(
                f"{original.name} had lost its name and id; it was recognised by {how}"
            )


def _likeness_to(original: MasterCell, cell: RawCell, least: float) -> float:
    """Return in percent how similar a cell is to the closest of a master cell's versions.

    Return 0 if this is less than `least`.
    """
    text = cell.plain[:_COMPARED]
    return max(
        fuzz.ratio(text, version[:_COMPARED], score_cutoff=least) for version in original.versions
    )
