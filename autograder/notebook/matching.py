"""Matching of submitted cells with the cells of the master: by name, by id, by content.

The master is the instructor's copy of the notebook. A cell's name is the `grade_id` in nbgrader's
metadata. A cell's id is the one that Jupyter gives to every cell.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from autograder.course_adapter import definition
from autograder.notebook.master import Master, MasterCell
from autograder.notebook.reading import RawCell

_ALIKE = 85  # percent, from which on a cell without a name is recognised by its text
_EDITED = 50  # percent, from which on a cell with the right name is recognised as edited
_COMPARED = 20_000  # characters of a cell
# Products of the lengths of two texts that are compared. A second is enough for about so many, and
# a notebook in which all names and ids are lost needs a hundredth.
_MOST_WORK = 10**10

Claims = dict[int, RawCell]  # index → submitted cell, for all submitted cells with a certain name


@dataclass
class Matches:
    """The result of matching, as indices into the master's cells and into the submitted cells.

    `chosen` is a dictionary: index in the master → index in the submission. `copies` is a
    dictionary: index in the submission → index in the master, for submitted cells that are left out
    because they repeat a master cell. `replaced` are the indices of master cells whose name was
    found in the submission, but on a cell with unrelated text. `problems` are sentences about what
    was unusual.
    """

    chosen: dict[int, int] = field(default_factory=dict)
    copies: dict[int, int] = field(default_factory=dict)
    replaced: set[int] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)

    @property
    def taken(self) -> set[int]:
        """The indices of the submitted cells that belong to a cell of the master."""
        return set(self.chosen.values()) | set(self.copies)


def match(cells: tuple[RawCell, ...], master: Master) -> Matches:
    """Return the matches: for each cell of the master, the submitted version, if there is one."""
    matches = Matches()
    _match_names(cells, master, matches)
    _match_ids(cells, master, matches)
    _match_contents(cells, master, matches)
    return matches


def moved(matches: Matches) -> tuple[int, ...]:
    """Return the indices of the master's cells that a student has moved to another place.

    These are the fewest cells without which all others are in the master's order.

    >>> moved(Matches(chosen={0: 0, 1: 3, 2: 1, 3: 2}))
    (1,)
    """
    order = [index for index, _ in sorted(matches.chosen.items(), key=lambda item: item[1])]
    kept = set(_longest_increasing(order))
    return tuple(sorted(index for index in order if index not in kept))


def _match_names(cells: tuple[RawCell, ...], master: Master, matches: Matches) -> None:
    """Match by name, that is, by the `grade_id` in nbgrader's metadata.

    A submitted cell that has the name of a master cell, but unrelated text, stays unmatched.
    """
    by_name: dict[str, Claims] = {}
    for index, cell in enumerate(cells):
        if cell.grade_id is not None:
            by_name.setdefault(cell.grade_id, {})[index] = cell
    for position, original in enumerate(master.cells):
        if claims := by_name.get(original.id):
            choose = _answer_among if original.is_answer else _copy_among
            best, copies, fate = choose(original, claims)
            if best is None:
                matches.replaced.add(position)
            else:
                matches.chosen[position] = best
                matches.copies.update({claim: position for claim in copies if claim != best})
            if fate:
                matches.problems.append(fate)


def _answer_among(original: MasterCell, claims: Claims) -> tuple[int, list[int], str]:
    """Choose one of the submitted cells with the name of an answer: the first with student's work.

    Return three things: the index of the chosen cell, the indices of the untouched cells, and a
    sentence if there was more than one cell.
    """
    untouched = [claim for claim, cell in claims.items() if cell.plain == original.released]
    first = next((claim for claim in claims if claim not in untouched), next(iter(claims)))
    others = len(claims) - len(untouched) - 1
    kept = ", the others were kept as the student's own cells" if others > 0 else ""
    return first, untouched, _twice(original, claims, f"the first that was worked on counts{kept}")


def _copy_among(original: MasterCell, claims: Claims) -> tuple[int | None, list[int], str]:
    """Choose one of the submitted cells with the name of a given or test cell: the most similar.

    Return three things: the index of the chosen cell; the indices of all cells that are empty or
    recognisable as versions of the master's cell; and a sentence if something was unusual. The
    master's cell replaces all these cells. If there is none, the chosen index is `None`.
    """
    likeness = {claim: _likeness_to(original, cell, _EDITED) for claim, cell in claims.items()}
    copies = [
        claim
        for claim, cell in claims.items()
        if likeness[claim] or not cell.plain or cell.is_as_released
    ]
    if not copies:
        fate = "the master copy was used, the text was kept as the student's own cell"
        return None, [], f"other text stood in {original.name}; {fate}"
    best = max(copies, key=lambda claim: likeness[claim])
    return best, copies, _twice(original, claims, "one master copy was used")


def _twice(original: MasterCell, claims: Claims, fate: str) -> str:
    times = len(claims)
    return f"{original.name} was there {times} times; {fate}" if times > 1 else ""


def _match_ids(cells: tuple[RawCell, ...], master: Master, matches: Matches) -> None:
    """Match by Jupyter's cell ids, which a cell keeps even if it loses nbgrader's metadata."""
    names = {cell.id for cell in master.cells}
    free = {
        cell.id: index
        for index, cell in reversed(list(enumerate(cells)))
        if cell.id is not None and cell.grade_id not in names
    }
    for position, original in _missing(master, matches):
        if original.id in free:
            matches.chosen[position] = free[original.id]
            matches.problems.append(
                f"{original.name} had lost its nbgrader name; it was recognised by its cell id"
            )


def _match_contents(cells: tuple[RawCell, ...], master: Master, matches: Matches) -> None:
    """Match answers by the names that they define, and other cells by the most similar text.

    If the notebook is so large that this would take minutes, the last cells stay unmatched.
    """
    letters, work = sum(min(len(cell.plain), _COMPARED) for cell in cells), 0
    for position, original in _missing(master, matches):
        work += 0 if original.is_answer else letters * sum(map(len, original.versions))
        if work > _MOST_WORK:
            break
        index = _find_content(cells, original, matches.taken)
        if index is not None:
            how = "what it defines" if original.is_answer else "its text"
            matches.chosen[position] = index
            matches.problems.append(
                f"{original.name} had lost its name and id; it was recognised by {how}"
            )


def _find_content(cells: tuple[RawCell, ...], original: MasterCell, taken: set[int]) -> int | None:
    free = [index for index in range(len(cells)) if index not in taken]
    if original.is_answer:
        defines = definition(original.id)
        # the last definition is the one that counts when a notebook is run
        return next((i for i in reversed(free) if defines.search(cells[i].source)), None)
    if not original.released:
        return None
    likeness = {index: _likeness_to(original, cells[index], _ALIKE) for index in free}
    best = max(likeness, key=lambda index: likeness[index], default=None)
    return best if best is not None and likeness[best] else None


def _missing(master: Master, matches: Matches) -> Iterator[tuple[int, MasterCell]]:
    for position, original in enumerate(master.cells):
        if position not in matches.chosen and position not in matches.replaced:
            yield position, original


def _likeness_to(original: MasterCell, cell: RawCell, least: float) -> float:
    """Return how similar a cell is to the master's cell, as a percentage; 0 if below `least`.

    The master's cell has two versions: as students got it, and as it is now. The more similar
    version counts.
    """
    text = cell.plain[:_COMPARED]
    return max(
        fuzz.ratio(text, version[:_COMPARED], score_cutoff=least) for version in original.versions
    )


def _longest_increasing(numbers: list[int]) -> list[int]:
    """Return the longest increasing subsequence of some numbers.

    >>> _longest_increasing([4, 0, 1, 3, 2])
    [0, 1, 2]
    """
    ends: list[int] = []
    runs: list[list[int]] = []
    for number in numbers:
        place = bisect_left(ends, number)
        run = (runs[place - 1] if place else []) + [number]
        ends[place : place + 1] = [number]
        runs[place : place + 1] = [run]
    return runs[-1] if runs else []
