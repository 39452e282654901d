"""Functions behind `autograder collect`: they put downloaded hand-ins into `submitted/`.

The file `downloaded/ASSIGNMENT/collected.json` says what was taken in, and from whom. So a second
run changes nothing, and an older archive does not undo a newer one. Replaced folders are kept in
`downloaded/ASSIGNMENT/replaced/STUDENT/`.
"""

import json
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from nbgrader.api import MissingEntry, Student

from autograder.gradebook.course_folder import COLLECTED, UNFINISHED, CourseFolder
from autograder.gradebook.lms.export_grades import Worksheet
from autograder.gradebook.lms.find_sender import (
    Form,
    Roster,
    Sender,
    StudentFound,
    form_of,
    readings,
    roster_of,
    unwrapped,
    usual_names,
)
from autograder.gradebook.lms.read_archive import (
    Archive,
    ArchivedFile,
    Contents,
    Parts,
    contents,
    files_digest,
    folder_digest,
    is_junk,
    opened_archive,
    shown,
)
from autograder.gradebook.locks import one_at_a_time
from autograder.gradebook.open_gradebook import is_there, opened
from autograder.gradebook.timestamp import FILE, read_timestamp
from autograder.system import Trouble
from autograder.system.atomic_write import put_file, scratch_folder

_PACKING = timedelta(minutes=10)  # packing takes less time; the hand-ins of a class take more
_SECOND = timedelta(seconds=1)

NEW, REPLACED, SAME, LEFT = "came", "replaced", "there before", "left"
FAILED = NOBODY, REFUSED = "nobody", "not taken in"


@dataclass(frozen=True)
class CollectedHandin:
    """The hand-in of one sender, and what became of it.

    `student` is empty if no student was found. `state` is `NEW`, `REPLACED`, `SAME`, `LEFT`,
    `NOBODY` or `REFUSED`. `remarks` are sentences about the hand-in.
    """

    sender: str
    student: str
    state: str
    remarks: tuple[str, ...] = ()


@dataclass
class Collection:
    """The result of a run: `lines` are the hand-ins, `missing` the ids of students who sent none.

    `remarks` are sentences about whole archives, `troubles` about files that could not be read.
    """

    lines: list[CollectedHandin] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    @property
    def is_fine(self) -> bool:
        """True if everything was read, and a student was found for each hand-in."""
        return not self.troubles and all(one.state not in FAILED for one in self.lines)


@dataclass
class _Handed:
    """All files of one sender in an archive, each with its path inside the hand-in.

    `submitted` is the time of the hand-in, from Moodle's grading worksheet or else the archive.
    """

    sender: Sender
    form: Form
    files: list[tuple[Parts, ArchivedFile]] = field(default_factory=list)
    is_late: bool = False
    submitted: datetime | None = None
    remarks: list[str] = field(default_factory=list)

    @property
    def at(self) -> datetime | None:
        return max((file.at for _, file in self.files if file.at), default=None)


def collect_archives(
    course: CourseFolder,
    assignment: str,
    paths: Sequence[Path],
    form: Form | None,
    worksheet: Path | None = None,
) -> Collection:
    """Put the hand-ins in downloaded archives into `submitted/`; return what became of each.

    Without a `form` (Canvas's, Moodle's or plain), the paths in each archive tell it. An archive
    that cannot be read does not stop the others; if it is the only one, raise `Trouble`. Moodle's
    grading `worksheet` says who is in a group, and which of two students with one name sent a file.
    """
    with one_at_a_time(course.root, course.db_url, lambda: None):
        sheet = Worksheet(worksheet) if worksheet else None
        collector = _Collector(course, assignment, sheet)
        for path in paths:
            try:
                collector.take_in(path, form)
            except Trouble as trouble:
                if len(paths) == 1:
                    raise
                collector.collection.troubles.append(str(trouble))
        collector.finish()
    return collector.collection


class _Collector:
    """A collector that takes in the archives of one assignment, one after the other."""

    def __init__(self, course: CourseFolder, assignment: str, sheet: Worksheet | None) -> None:
        self._course = course
        self._assignment = assignment
        self.collection = Collection()
        self._usual = usual_names(course.masters(assignment))
        self._notes = course.collected(assignment)
        self._students: list[Student] = []
        self._due: datetime | None = None
        self._due_of: dict[str, datetime] = {}  # for students with an extension
        if is_there(course):
            with opened(course) as gradebook:
                self._students = gradebook.students
                with suppress(MissingEntry):
                    row = gradebook.find_assignment(assignment)
                    rows = (one for one in row.submissions if one.duedate)
                    self._due_of = {one.student_id: one.duedate for one in rows}
                    self._due = row.duedate
        self._sheet = sheet
        self._participants = sheet.students(self._students, {}) if sheet else {}
        self._unclear = {one["sender"]: one for one in self._notes.get("unmatched", [])}
        self._taken: dict[str, Any] = dict(self._notes.get("students", {}))

    def take_in(self, path: Path, form: Form | None) -> None:
        """Put the hand-ins of one archive into `submitted/`."""
        remarks = self.collection.remarks
        if path.resolve() == self._course.root.resolve():
            raise Trouble(f"{path} is the course's folder; name the download, or a folder in it.")
        with opened_archive(path) as archive:
            name = archive.name
            archive.files = unwrapped(archive, path, form, {one.id for one in self._students})
            firsts = {file.parts[0] for file in archive.files}
            form = form_of(firsts, name, form)
            if form is Form.PLAIN and firsts and all(one.endswith(".zip") for one in firsts):
                inside = ", ".join(sorted(firsts)[:3])
                raise Trouble(f"{name} holds archives ({inside}); unpack it, and name them.")
            if self._sheet and form is not Form.MOODLE:
                remarks.append(f"The worksheet says nothing of {name}, which is not Moodle's.")
            roster = roster_of(self._students, form, firsts, self._usual)
            handed = self._sorted_out(archive, roster)
            for where, why in archive.refused:
                self.collection.troubles.append(f"{where} in {name}: {why}")
                ways = readings(form, tuple(where.split("/")), self._usual)
                if students := roster.may_be(ways):  # a file of theirs was seen
                    self._unclear[where] = {"sender": where, "why": why, "candidates": students}
            if not handed and not archive.refused:
                remarks.append(f"{name} holds nothing that was handed in.")
            # In Canvas's archive, and in a folder that a person made, all files have the time of
            # the download. In Moodle's, they have it if all times are within ten minutes.
            times = [one.at for one in handed if one.at and form is Form.MOODLE]
            says_times = bool(times) and max(times) - min(times) > _PACKING
            matched = self._matched(handed, roster)
            has_times = any(one.submitted for one in matched.values())
            if form is not Form.CANVAS and handed and not says_times and not has_times:
                more = ", and those in Moodle's grading worksheet: --worksheet FILE"
                remarks.append(
                    f"The files in {name} may all have the time of the download, so nothing of it "
                    f"counts as late; a time in {FILE} beside a notebook does"
                    f"{more * (form is Form.MOODLE)}."
                )
            for student, one in matched.items():
                one.submitted = one.submitted or (one.at if says_times else None)
                self._take(student, one)

    def finish(self) -> None:
        """Write down what was taken in, and find out who is missing."""
        notes = {"students": self._taken, "unmatched": list(self._unclear.values())}
        if notes != self._notes and (self._notes or self._taken or self._unclear):
            folder = self._course.downloads(self._assignment)
            folder.mkdir(parents=True, exist_ok=True)
            put_file(folder / COLLECTED, json.dumps(notes, indent=1, ensure_ascii=False) + "\n")
        here = self._course.seen(self._assignment)
        excluded = self._course.directory.student_id_exclude.split(",")
        everybody = {one.id for one in self._students}
        self.collection.missing = sorted(everybody - set(here) - set(excluded))

    def _sorted_out(self, archive: Archive, roster: Roster) -> list[_Handed]:
        """Return the files of each sender; report all other files in `collection`."""
        found: dict[Sender, _Handed] = {}
        form, others = roster.form, set(self._course.lessons()) - {self._assignment}
        for file in archive.files:
            parts, why = file.parts, ""
            if form is Form.PLAIN:
                if (len(parts) > 2 and parts[1] in others) or (len(parts) == 2 and is_junk(parts)):
                    continue  # other assignments in a copy of `submitted/`
                if len(parts) > 2 and parts[1] == self._assignment:
                    parts = (parts[0], *parts[2:])
                if len(parts) == 1 and not self._students:
                    why = "it lies in no folder of a student"
            ways = readings(form, parts, self._usual)
            if not ways:
                why = f"its name has not {form.title()}'s form; put it where it belongs yourself"
            elif len(ways) > 1:
                both = " or as ".join(str(way.sender) for way in ways[:3])
                why = f"its name can be read as {both}"
                why += "; put it into the right folder in submitted/ yourself"
            if why:
                students = roster.may_be(ways) if len(ways) > 1 else []
                self._set_aside(shown(file.parts), why, *students)
                continue
            one = found.setdefault(ways[0].sender, _Handed(ways[0].sender, form))
            one.files.append((ways[0].parts, file))
            one.is_late |= ways[0].is_late
        return list(found.values())

    def _matched(self, handed: Iterable[_Handed], roster: Roster) -> dict[str, _Handed]:
        """Return a dictionary from students to hand-ins that are certainly theirs.

        Report all other hand-ins in `collection`.
        """
        found: dict[str, list[_Handed]] = {}
        for one in handed:
            name = str(one.sender)
            # forget a group's members; those who are still unclear are noted again below
            for key in [key for key in self._unclear if key.startswith(f"{name}: ")]:
                del self._unclear[key]
            senders: list[tuple[str, StudentFound]] = []
            if self._sheet and one.form is Form.MOODLE:
                numbers = self._sheet.senders(one.sender)
                senders = [(who, self._participants[number]) for who, number in numbers.items()]
                times = map(self._sheet.submitted, numbers.values())
                one.submitted = max(filter(None, times), default=None)
            for sender, match in senders or [(name, roster.find(one.sender))]:
                if match.student:
                    one.remarks += [match.why] * bool(match.why)
                    found.setdefault(match.student, []).append(one)
                else:
                    self._set_aside(sender, match.why, *match.candidates)
        certain = {}
        for student, ones in found.items():
            before = self._taken.get(student, {})
            if before.get("form") == roster.form and before["number"] != ones[0].sender.number:
                why = f"{student} has this name, but sent files as number {before['number']} before"
            elif len(ones) > 1:
                both = ", ".join(str(one.sender) for one in ones)
                why = f"{len(ones)} people sent files under the name of {student}: {both}"
            else:
                certain[student] = ones[0]
                continue
            for one in ones:
                way = f"put the right files into a folder {student}/, and collect the folder around"
                self._set_aside(str(one.sender), f"{why}; {way} it", student)
        return certain

    def _set_aside(self, sender: str, why: str, *candidates: str, student: str = "") -> None:
        """Report in `collection` a hand-in that was not taken in, and note it for later runs."""
        state = REFUSED if student else NOBODY
        self.collection.lines.append(CollectedHandin(sender, student, state, (why,)))
        self._unclear[sender] = {"sender": sender, "why": why, "candidates": list(candidates)}

    def _take(self, student: str, handed: _Handed) -> None:
        """Put what a student handed in into `submitted/`; report in `collection` what happened."""
        files, remarks = contents(handed.files, is_by_student=handed.form is not Form.PLAIN)
        remarks = handed.remarks + remarks
        sender = str(handed.sender)
        if not files:
            why = "; ".join(remarks) or "it is empty"
            self._set_aside(sender, f"nothing of it could be read: {why}", student, student=student)
            return
        state = ""
        try:
            state = self._put(student, handed, files, remarks)
            if state != LEFT and (FILE,) not in files:
                remarks += self._keep_time(student, handed)
        except OSError as error:
            why = f"could not be written ({error.strerror or error}"
            if not state:
                why = f"it {why}: {error.filename or student})"
                self._set_aside(sender, why, student, student=student)
                return
            self.collection.troubles.append(f"{student}: {FILE}, which says when it came, {why})")
        for one in list(self._unclear.values()):  # a person may have solved what was unclear
            if one["sender"] == sender or one["candidates"] == [student]:
                del self._unclear[one["sender"]]
        self.collection.lines.append(CollectedHandin(sender, student, state, tuple(remarks)))

    def _put(self, student: str, handed: _Handed, files: Contents, remarks: list[str]) -> str:
        """Put files into a student's folder in `submitted/`, unless the folder has to stay.

        Return the state, such as `NEW` or `LEFT`, and add sentences on it to `remarks`.
        """
        folder = self._course.submitted(student, self._assignment).path
        if folder.is_symlink() or folder.parent.is_symlink():
            raise OSError(0, "it is a symbolic link", str(folder))
        new, now = files_digest(files), folder_digest(folder)
        note = self._taken.get(student, {})
        digests, at = note.get("digests", []), handed.at.isoformat() if handed.at else ""
        before = note.get("at", "")
        if not before and (moment := read_timestamp(folder, "UTC")[0]):
            # in local time, like the times in archives
            before = moment.replace(tzinfo=UTC).astimezone().replace(tzinfo=None).isoformat()
        if now == new:
            state = SAME
        elif now is not None and digests[-1:] == [new]:
            remarks.append("the folder was changed by hand since; left as it is")
            return SAME
        elif now is not None and (new in digests or (at and before and at < before)):
            remarks.append("what is in submitted/ is newer; left as it is")
            return LEFT
        else:
            state = NEW if now is None else REPLACED
            if now is None and new in digests:
                remarks.append("it was taken in before, and was gone from submitted/")
            kept = self._swap(student, folder, files)
            if kept is not None:
                remarks.append(f"the one before is in {kept.relative_to(self._course.root)}")
        self._taken[student] = {
            "form": str(handed.form),
            "number": handed.sender.number,
            "at": max(at, note.get("at", "")),
            "digests": [*(one for one in digests if one != new), new],
        }
        return state

    def _swap(self, student: str, folder: Path, files: Contents) -> Path | None:
        """Put new files in place of a folder; return where the old one is now, or `None`."""
        downloads = self._course.downloads(self._assignment)
        downloads.mkdir(parents=True, exist_ok=True)
        kept = None
        with scratch_folder(UNFINISHED, downloads) as scratch:
            for parts, data in files.items():
                path = scratch.joinpath("new", *parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            if folder.exists():
                above = downloads / "replaced" / student
                above.mkdir(parents=True, exist_ok=True)
                kept = next(p for n in count(1) if not (p := above / str(n)).exists())
                shutil.move(folder, kept)
            folder.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(scratch / "new", folder)
        return kept

    def _keep_time(self, student: str, handed: _Handed) -> list[str]:
        """Write `timestamp.txt` for nbgrader; return a list with a remark if the hand-in is late.

        Canvas says if a hand-in is late, but not how late. If the time in the file contradicts
        this, it becomes one second after the due date or, if the hand-in is not late, the file is
        removed.
        """
        folder = self._course.submitted(student, self._assignment)
        path, (known, _) = folder.path / FILE, self._course.timestamp(folder)
        due, written = self._due_of.get(student, self._due), None
        if handed.form is not Form.CANVAS:
            if handed.submitted and known is None:
                known = written = handed.submitted.astimezone(UTC).replace(tzinfo=None)
            said = ["late"] if due and known and known > due else []
        elif due is None:
            missing = "the gradebook has no due date; enter it, and collect again"
            said = [f"late, says Canvas, but {missing}"] if handed.is_late else []
        else:
            if handed.is_late != bool(known and known > due):
                known = written = due + _SECOND if handed.is_late else None
                if not handed.is_late:
                    path.unlink(missing_ok=True)
            least = "late, says Canvas, not how late: counted as a second"
            said = [least if known == due + _SECOND else "late"] * handed.is_late
        if written:
            put_file(path, f"{written:%Y-%m-%d %H:%M:%S} UTC\n")
        return said
