"""`progress()`: what holds in this lesson, or, outside of one, the map of the whole course."""

from html import escape
from pathlib import Path

from course.lessons import Exercise, Lesson, lessons
from course.mine.place import folder_of_lessons
from course.mine.results import Results, read

_NEXT = "go on here"


class Progress:
    """The lessons with what holds in each; in a lesson, only that one, and where to go on."""

    def __init__(self, results: dict[str, Results], here: str = "", place: str = "") -> None:
        self.results = {entry.id: results.get(entry.id, Results()) for entry in lessons()}
        self.here = next((entry for entry in lessons() if entry.id == here), None)
        self.place = place  # how the lesson folders are reached from where this is shown

    @property
    def next(self) -> Lesson | None:
        """The first lesson in which something is still open."""
        return next((entry for entry in lessons() if self._open(entry)), None)

    def __repr__(self) -> str:
        if self.here is not None:
            return "\n".join([self._summary(self.here), *self._lines(self.here), self._after()])
        return "\n".join(self._summary(entry) for entry in lessons())

    def _repr_html_(self) -> str:
        if self.here is None:
            rows = "".join(self._row(entry) for entry in lessons())
            return (
                f'<div style="{_CARD}"><table style="{_TABLE}"><tbody>{rows}</tbody></table></div>'
            )
        lines = "".join(f"<li>{escape(line)}</li>" for line in self._lines(self.here))
        return (
            f'<div style="{_CARD}"><strong>{escape(self._summary(self.here))}</strong>'
            f"<ul>{lines}</ul>{self._link_on()}</div>"
        )

    def _holding(self, lesson: Lesson) -> int:
        return len(self.results[lesson.id].holds & set(lesson.checks))

    def _open(self, lesson: Lesson) -> bool:
        return self._holding(lesson) < len(lesson.checks)

    def _summary(self, lesson: Lesson) -> str:
        holding, total = self._holding(lesson), len(lesson.checks)
        number = lesson.id.partition("-")[0]
        mark = "✓" if holding == total else "·"
        return f"{mark} {number} {lesson.title}: {holding} of {total} ideas hold"

    def _lines(self, lesson: Lesson) -> list[str]:
        """What holds and what does not yet, exercise by exercise."""
        return [self._line(lesson, exercise) for exercise in lesson.exercises]

    def _line(self, lesson: Lesson, exercise: Exercise) -> str:
        holds = self.results[lesson.id].holds
        missing = [check for check in exercise.checks if check not in holds]
        if not missing:
            return f"✓ {exercise.name}: done"
        done = len(exercise.checks) - len(missing)
        return f"· {exercise.name}: {done} of {len(exercise.checks)}; not yet {', '.join(missing)}"

    def _after(self) -> str:
        return "" if self.next is None else f"Next: {self.next.title}."

    def _link_on(self) -> str:
        if self.next is None:
            return "<p>Every idea of the course holds.</p>"
        if self.next == self.here:
            return ""
        return f"<p>Next: {self._link(self.next)}</p>"

    def _link(self, lesson: Lesson) -> str:
        target = f"{self.place}{lesson.id}/{lesson.notebook}"
        return f'<a href="{escape(target)}">{escape(lesson.title)}</a>'

    def _row(self, lesson: Lesson) -> str:
        holding, total = self._holding(lesson), len(lesson.checks)
        size = round(140 * holding / total)
        bar = f'<div style="{_BAR};width:{size}px"></div>'
        mark = "✓" if holding == total else ""
        here = f" ← {_NEXT}" if lesson == self.next else ""
        return (
            f'<tr style="background:none"><td style="{_CELL}">{mark}</td>'
            f'<th scope="row" style="{_CELL};text-align:left">'
            f"{escape(lesson.id.partition('-')[0])} {self._link(lesson)}{here}</th>"
            f'<td style="{_CELL}"><div style="{_TRACK}">{bar}</div></td>'
            f'<td style="{_CELL}">{holding} of {total}</td></tr>'
        )


def progress() -> Progress:
    """What holds so far, as the checks in the notebooks have shown it.

    In a lesson's folder it tells of that lesson, elsewhere of the whole course. It only looks: no
    notebook is changed.
    """
    place = folder_of_lessons()
    if place is None:
        return Progress({})
    here = Path.cwd().absolute()
    is_lesson = here.parent == place
    return Progress(read(place), here.name if is_lesson else "", "../" if is_lesson else "")


_CARD = (
    "display:inline-block;padding:12px 16px;border-radius:8px;background:#faf6f0;color:#1b1b1b;"
    "font:14px system-ui,sans-serif;line-height:1.6"
)
_TABLE = "margin:0;border-collapse:separate;border-spacing:4px;color:#1b1b1b"
_CELL = "background:none;border:0;padding:2px 6px;font-size:14px"
_TRACK = "width:140px;height:12px;border:1px solid #8a7a66;border-radius:6px;overflow:hidden"
_BAR = "height:12px;background:#1a7f37"
