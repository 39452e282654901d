"""The learner's progress: `progress()` shows checks, `pieces()` functions and their owners."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from course.lessons import Lesson, built_before, folder_of_lessons, lessons
from course.mine.own_or_course import NOT_KEPT, Piece, piece
from course.mine.passed_checks import Results, read
from course.plain_errors import plainly
from course.widgets.static_html import card, cell, row, table

_AGAIN = (
    "“Run again” means: the check held for your code as it was before. "
    "You have changed the code since, so run the check again."
)


class Progress:
    """The progress of a learner, which a notebook shows as a card.

    If `here` is the id of a lesson, the card shows its exercises, and links to the lessons to go on
    with; else it shows all lessons. `results` is a dictionary from ids of lessons to results.
    """

    def __init__(self, results: dict[str, Results], here: str = "", place: str = "") -> None:
        self.results = {entry.id: results.get(entry.id, Results()) for entry in lessons()}
        self.here = next((entry for entry in lessons() if entry.id == here), None)
        self.place = place  # the path from the current folder to that of the lessons

    @property
    def next(self) -> Lesson | None:
        """The first lesson with a check that does not hold yet; extra lessons come last."""
        return self._first_open(lessons())

    def __repr__(self) -> str:
        if self.here is None:
            return "\n".join(map(self._summary, lessons()))
        told = [self._summary(self.here)]
        for name, holding, total, why in self._exercises(self.here):
            done = holding == total
            told.append(f"✓ {name}: done" if done else f"· {name}: {holding} of {total}; {why}")
        told += [_AGAIN] if self.results[self.here.id].again else []
        ways = [f"{where}: {lesson.title}." for where, lesson in self._ways_on(self.here)]
        return "\n".join([*told, *ways])

    def _repr_html_(self) -> str:
        if self.here is None:
            rows = []
            for lesson in lessons():
                here = "← go on here" if lesson == self.next else "extra" if lesson.is_extra else ""
                name = f"{escape(lesson.id.partition('-')[0])} {self._link(lesson)}"
                how_far = _how_far(self._holding(lesson), len(lesson.checks), here)
                rows.append(row(name, *how_far))
            return card("Your way through the course", table(rows))
        rows = [
            row(f"<code>{escape(name)}</code>", *_how_far(holding, total, why))
            for name, holding, total, why in self._exercises(self.here)
        ]
        told = [escape(_AGAIN)] if self.results[self.here.id].again else []
        if self.next is None:
            told.append("Every idea of the course holds.")
        else:
            ways = self._ways_on(self.here)
            told += [f"{where}: {self._link(lesson)}" for where, lesson in ways]
        title = self._summary(self.here).strip("· ")
        return card(title, table(rows), *(f"<p>{line}</p>" for line in told))

    def _holding(self, lesson: Lesson) -> int:
        return len(self.results[lesson.id].holds & set(lesson.checks))

    def _open(self, lesson: Lesson) -> bool:
        return self._holding(lesson) < len(lesson.checks)

    def _summary(self, lesson: Lesson) -> str:
        holding, total = self._holding(lesson), len(lesson.checks)
        number = lesson.id.partition("-")[0]
        mark = "✓" if holding == total else "·"
        ideas = "idea holds" if total == 1 else "ideas hold"
        return f"{mark} {number} {lesson.title}: {holding} of {total} {ideas}"

    def _exercises(self, lesson: Lesson) -> Iterator[tuple[str, int, int, str]]:
        """Yield (name, number of checks that hold, number of checks, text) for each exercise.

        The text names the checks that do not hold.
        """
        results = self.results[lesson.id]
        for exercise in lesson.exercises:
            missing = [one for one in exercise.checks if one not in results.holds]
            again = [check for check in missing if check in results.again]
            said = {"run again": again, "not yet": [one for one in missing if one not in again]}
            why = "; ".join(f"{how} {', '.join(some)}" for how, some in said.items() if some)
            total = len(exercise.checks)
            yield exercise.name, total - len(missing), total, why

    def _ways_on(self, here: Lesson) -> list[tuple[str, Lesson]]:
        """Return at most two lessons to go on with, each as (label, lesson).

        A lesson is open as long as one of its checks does not hold. If `here` is not open, the
        first open lesson after `here` is returned. In any case, the first open lesson before `here`
        is returned, if there is one.
        """
        every = list(lessons())
        place = every.index(here)
        behind = None if self._open(here) else self._first_open(every[place + 1 :])
        before = self._first_open(every[:place])
        ways = [("Next", behind), ("Still open in an earlier lesson", before)]
        return [(where, lesson) for where, lesson in ways if lesson is not None]

    def _first_open(self, some: Sequence[Lesson]) -> Lesson | None:
        in_order = sorted(some, key=lambda entry: entry.is_extra)
        return next(filter(self._open, in_order), None)

    def _link(self, lesson: Lesson) -> str:
        target = f"{self.place}{lesson.id}/{lesson.notebook}"
        return f'<a href="{escape(target)}">{escape(lesson.title)}</a>'


def _how_far(holding: int, total: int, why: str) -> list[str]:
    """Return the cells of a row: a tick, a bar, the numbers, and the text `why`."""
    tick = "✓" if holding == total else ""
    bar = f'<div class="c2048-fill" style="--part:{holding / total:.2f}"></div>'
    track = f'<td><div class="c2048-track">{bar}</div></td>'
    return [cell(tick, "done"), track, cell(f"{holding} of {total}", "of"), cell(why, "why")]


@plainly
def progress() -> Progress:
    """Show which checks of your notebooks hold so far.

    In a lesson's folder, you see that lesson; elsewhere, the whole course. No check is run, and no
    notebook is changed.
    """
    place = folder_of_lessons()
    if place is None:
        return Progress({})
    here = Path.cwd().absolute()
    is_lesson = here.parent == place
    return Progress(read(place), here.name if is_lesson else "", "../" if is_lesson else "")


@dataclass(repr=False)
class PieceTable:
    """A table of the game's functions and classes, with their owners: the learner or the course."""

    pieces: list[Piece]

    def __repr__(self) -> str:
        return "\n".join(map(str, self.pieces))

    def _repr_html_(self) -> str:
        rows = []
        for one in self.pieces:
            if one.reason != NOT_KEPT:
                whose = cell("✓ yours", "done") if one.is_own else cell("the course's", "of")
                why = cell(f"because {one.reason}" if one.reason else "", "why")
                rows.append(row(f"<code>{escape(one.name)}</code>", whose, why))
        left = ", ".join(one.name for one in self.pieces if one.reason == NOT_KEPT)
        lent = (
            f'<p class="c2048-why">You have not kept these, so they are the course\'s: {left}.</p>'
        )
        return card("The pieces of your game", table(rows), lent if left else "")


@plainly
def pieces() -> PieceTable:
    """Show which functions and classes of the game are yours, and which are the course's.

    In a lesson's folder, you see only those that the lesson builds on; elsewhere, all of them.
    """
    here = Path.cwd().name
    is_lesson = any(entry.id == here for entry in lessons())
    every = [name for entry in lessons() for name in entry.builds]
    return PieceTable([piece(name) for name in (built_before(here) if is_lesson else every)])
