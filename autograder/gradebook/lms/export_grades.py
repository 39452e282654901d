"""Tables of grades that Canvas's and Moodle's gradebooks can import."""

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry, Student
from nbgrader.plugins import ExportPlugin

from autograder.gradebook.course_folder import CourseFolder
from autograder.gradebook.lms.find_sender import (
    Form,
    Roster,
    Sender,
    StudentFound,
)
from autograder.gradebook.open_gradebook import opened
from autograder.gradebook.read_grades import Result, as_rows
from autograder.gradebook.timestamp import parse_timestamp
from autograder.notebook.safe_text import printable
from autograder.system import Trouble
from autograder.system.atomic_write import put_file


class _Export(ExportPlugin):  # type: ignore[misc]
    """An exporter of a CSV table: a row for each student, a column for each assignment.

    For example: `nbgrader export --exporter autograder.gradebook.lms.Canvas --to canvas.csv`
    """

    file = ""
    advice = ""
    heads: tuple[str, ...] = ()
    points_possible: tuple[str, ...] = ()  # the beginning of a row of the possible points

    def export(self, gradebook: Gradebook) -> None:
        """Write the table to the path `--to`; `--assignment` and `--student` limit its content."""
        path = Path(self.to or self.file)
        named, students = set(map(str, self.assignment)), set(map(str, self.student))
        assignments = [one for one in gradebook.assignments if not named or one.name in named]
        names = [one.name for one in assignments]
        self.log.info("Exporting grades to %s", path)
        if self.advice:
            self.log.info(self.advice, ", ".join(names))
        rows: list[list[Any]] = [[*self.heads, *names]]
        if self.points_possible:
            rows.append([*self.points_possible, *(one.max_score for one in assignments)])
        for student in gradebook.students:
            if students and student.id not in students:
                continue
            row: list[Any] = [text or "" for text in self.columns(student)]
            for name in names:  # the score after the late penalty, or "" if nothing was handed in
                try:
                    found = gradebook.find_submission(name, student.id)
                    penalty = float(found.late_submission_penalty or 0.0)
                    row.append(max(0.0, float(found.score) - penalty))
                except MissingEntry:
                    row.append("")
            rows.append(row)
        path.write_text(as_rows(rows), encoding="utf-8", newline="")

    def columns(self, student: Any) -> list[Any]:
        """Return the values that identify a student, for the first columns."""
        raise NotImplementedError


class Canvas(_Export):
    """An exporter for Canvas's gradebook; `lms_user_id` is the student's number in Canvas.

    The columns are those of Canvas's own export (canvas-lms `lib/gradebook_exporter.rb`) and of the
    tests of its import (`spec/lib/gradebook_importer_spec.rb`). Canvas finds a student by `ID`, by
    `SIS User ID` or by `SIS Login ID`, and an assignment by its title.
    """

    file = "canvas.csv"
    advice = "Canvas must have assignments with these titles before the import: %s"
    heads = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
    points_possible = ("    Points Possible", "", "", "", "")

    def columns(self, student: Any) -> list[Any]:
        """Return the name and the numbers of a student."""
        name = ", ".join(filter(None, [student.last_name, student.first_name]))
        return [name or student.id, student.lms_user_id, "", student.id, ""]


class Moodle(_Export):
    """An exporter for Moodle's gradebook; `lms_user_id` is the ID number in a student's profile.

    The import accepts any columns, and finds a user by `Email address`, `ID number` or `Username`.
    """

    file = "moodle.csv"
    heads = ("First name", "Last name", "Username", "ID number", "Email address")

    def columns(self, student: Any) -> list[Any]:
        """Return the names, the number and the address of a student."""
        names = [student.first_name, student.last_name, student.id]
        return [*names, student.lms_user_id, student.email]


class Worksheet:
    """Moodle's grading worksheet of one assignment, as an instructor downloaded it.

    Its columns are those of moodle `mod/assign/gradingtable.php`, under their English names, for
    which Moodle looks again (`mod/assign/feedback/offline/importgradeslib.php`). An `Identifier`
    ends with the participant's number. Raise `Trouble` if the file is no such table.
    """

    def __init__(self, path: Path) -> None:
        self.name = printable(path.name)
        try:
            self._text = path.read_bytes().decode("utf-8")
        except FileNotFoundError as error:
            where = printable(str(path))
            raise Trouble(f"{where} is not there; name Moodle's worksheet.") from error
        except (OSError, UnicodeError) as error:
            cause = f"{self.name} is no text in UTF-8"
            raise Trouble(f"{cause}; download the grading worksheet again, as CSV.") from error
        for self._mark in ",;\t":
            try:
                lines = io.StringIO(self._text.removeprefix("\ufeff"), newline="")
                self._rows = list(csv.reader(lines, delimiter=self._mark))
            except csv.Error as error:
                raise Trouble(f"{self.name} is no CSV table ({error}).") from error
            heads = [head.strip().casefold() for head in self._rows[0]] if self._rows else []
            self._columns = {head: place for place, head in enumerate(heads)}
            if "identifier" in self._columns:
                break
        else:
            raise Trouble(
                f"{self.name} has no column Identifier; download the grading worksheet from "
                "Moodle as CSV, with Moodle set to English."
            )
        self._lines: dict[str, list[str]] = {}  # participant's number → row
        self._cells: dict[str, dict[str, str]] = {}
        for row in self._rows[1:]:
            cells = defaultdict(str, zip(heads, map(str.strip, row), strict=False))
            if found := re.search(r"\d+\Z", cells["identifier"], re.ASCII):
                number = found[0]
                if number in self._lines:
                    raise Trouble(f"{self.name} has Participant {number} twice; download it again.")
                self._lines[number], self._cells[number] = row, cells

    def who(self, number: str) -> str:
        """Return words for a participant, such as "Ada Lovelace (Participant 31)"."""
        name = self._cells[number]["full name"]
        return printable(f"{name} (Participant {number})" if name else f"Participant {number}")

    def students(
        self, listed: Iterable[Student], collected: Mapping[str, str]
    ) -> dict[str, StudentFound]:
        """Return a dictionary from participants' numbers to the students who they are.

        `collected` is a dictionary: number under which work was collected → student. A participant
        is found in it, or by email address, ID number or username, else by a name that is unique.
        """
        names = {number: Sender(c["full name"], number) for number, c in self._cells.items()}
        roster = Roster(listed, Form.MOODLE, list(names.values()))
        if "group" in self._columns:  # a group's work was collected under the group's number
            collected = {}
        known: dict[tuple[str, str], list[str]] = defaultdict(list)
        for one in roster.students:
            said = {"email address": one.email, "id number": one.lms_user_id, "username": one.id}
            for column, value in said.items():
                known[column, (value or "").strip().casefold()].append(one.id)
        found: dict[str, tuple[str, ...]] = {}
        for number, cells in self._cells.items():
            ids = {collected.get(number, "")} & {one.id for one in roster.students}
            for column in ("email address", "id number", "username"):
                same = known[column, cells[column].casefold()] if cells[column] else []
                ids |= set(same) if len(same) == 1 else set()
            found[number] = tuple(sorted(ids))
        taken = {student for ids in found.values() for student in ids}
        for number in [number for number, ids in found.items() if not ids]:
            match = roster.find(names[number])
            ids = {*filter(None, [match.student]), *match.candidates} - taken
            found[number] = tuple(sorted(ids))
        count, students = Counter(found.values()), {}
        for number, of_row in found.items():
            if len(of_row) > 1:
                why = f"{' or '.join(of_row)} may be meant; enter their addresses in the gradebook"
            elif not of_row:
                why = "nobody in the gradebook has this address or name; "
                why += "nbgrader db student add enters one"
            elif count[of_row] > 1:
                why = f"{count[of_row]} rows may be {of_row[0]}; enter the address in the gradebook"
            else:
                students[number] = StudentFound(of_row[0])
                continue
            students[number] = StudentFound("", why, of_row)
        return students

    def senders(self, sender: Sender) -> dict[str, str]:
        """Return a dictionary from words for the senders of a file to participants' numbers.

        A group's file has several senders. The dictionary is empty if the worksheet does not say
        who sent the file.
        """
        plain = _plain(sender.name)
        groups = {number: cells["group"] for number, cells in self._cells.items()}
        groups = {number: group for number, group in groups.items() if _plain(group) == plain}
        if plain and len(set(groups.values())) == 1:
            return {f"{sender}: {self.who(number)}": number for number in groups}
        cells = self._cells.get(sender.number)
        is_one = cells and plain.endswith(_plain(cells["full name"]))
        return {str(sender): sender.number} if is_one else {}

    def submitted(self, number: str) -> datetime | None:
        """Return when a participant handed in, in the worksheet's time zone, or `None`."""
        said = self._cells[number]["last modified (submission)"]
        with suppress(ValueError):
            return parse_timestamp(" ".join(said.split()))
        return None

    def fill(self, results: Iterable[Result], found: Mapping[str, StudentFound]) -> "Filled":
        """Write into the column `Grade` the scores of those who handed in; change nothing else.

        `found` is what `students` returns. Raise `Trouble` if a column is missing, or if Moodle's
        maximum grade differs from the assignment's points.
        """
        by_student = {result.student: result for result in results}
        if missing := {"grade", "grade can be changed"} - self._columns.keys():
            raise Trouble(f"{self.name} has no column {', '.join(sorted(missing))}.")
        said, count, changed = [], 0, []
        for number, cells in self._cells.items():
            who, match = self.who(number), found[number]
            result = by_student.get(match.student)
            if result is None:
                said.append(f"{who} was left out: {match.why}")
                continue
            most = cells["maximum grade"]
            if not most:
                raise Trouble(f"{self.name} has no maximum grade: Moodle grades it with a scale.")
            if not _is_close(most, result.max_score):
                points = f"{result.max_score:g}"
                raise Trouble(
                    f"Moodle's maximum grade is {most}, and the assignment has {points} points. "
                    f"Set the maximum grade to {points} in the assignment's settings in Moodle, "
                    "and download the worksheet again."
                )
            if not result.handed_in:
                continue
            old, score = cells["grade"], round(result.score, 5)
            if _is_close(old, score):
                count += 1
            elif cells["grade can be changed"].casefold() != "yes":
                there = f"the grade there is {old or 'empty'}, here it is {score:g}"
                said.append(f"{who} was left out: Moodle does not let it be changed; {there}")
            elif score > result.max_score:
                limit = f"Moodle accepts at most {result.max_score:g}"
                said.append(f"{who} was left out: {score:g} points, and {limit}")
            else:
                self._lines[number][self._columns["grade"]] = str(score)
                count += 1
                changed += [f"{who} {old} → {score:g}"] if old else []
        here = {match.student for match in found.values()}
        gone = [one for one in by_student.values() if one.handed_in and one.student not in here]
        said += [f"{printable(one.student)} handed in, and has no row in it" for one in gone]
        return Filled(count, tuple(said), tuple(changed))

    def text(self) -> str:
        """Return the table as text, with the delimiter and the line ends of the original file."""
        made = io.StringIO()
        end = "\r\n" if "\r\n" in self._text else "\n"
        csv.writer(made, delimiter=self._mark, lineterminator=end).writerows(self._rows)
        return "\ufeff" * self._text.startswith("\ufeff") + made.getvalue()


@dataclass(frozen=True)
class Filled:
    """The number of rows with the right grade, and sentences on rows left out or changed."""

    count: int
    left_out: tuple[str, ...]
    changed: tuple[str, ...]


def fill_worksheet(
    course: CourseFolder, assignment: str, results: Iterable[Result], path: Path
) -> tuple[Path, Filled]:
    """Write a filled copy beside Moodle's worksheet; return its path, and what was filled in."""
    sheet = Worksheet(path)
    with opened(course) as gradebook:
        students = gradebook.students
    notes = course.collected(assignment).get("students", {}).items()
    numbers = {note["number"]: who for who, note in notes if note["form"] == Form.MOODLE}
    filled = sheet.fill(results, sheet.students(students, numbers))
    target = path.with_stem(f"{path.stem}-filled")
    put_file(target.resolve(), sheet.text())
    return target, filled


def _plain(name: str) -> str:
    """Return a name's letters and digits, in lower case, because Moodle may drop other signs."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _is_close(text: str, number: float) -> bool:
    """Return true if `text` says `number`, perhaps rounded by Moodle to two places."""
    try:
        return abs(float(text.replace(",", ".")) - number) < 0.00501
    except ValueError:
        return False
