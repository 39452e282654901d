"""Taking in of downloaded archives: what each student sent is put into `submitted/`.

`downloaded/ASSIGNMENT/collected.json` notes what was taken in, and from whom, so that a second run
changes nothing, and an older archive does not undo a newer one. What is replaced is kept in
`downloaded/ASSIGNMENT/replaced/STUDENT/`.
"""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from nbgrader.api import MissingEntry

from autograder.gradebook.course_folder import COLLECTED, CourseFolder
from autograder.gradebook.database import is_there, opened
from autograder.gradebook.lms.collect_downloads import (
    Form,
    Listed,
    Reading,
    Roster,
    Sender,
    StudentFound,
    form_of,
    readings,
    roster_of,
    students_in,
    unwrapped,
    usual_names,
)
from autograder.gradebook.lms.export_grades import Worksheet
from autograder.gradebook.lms.read_archive import (
    Archive,
    ArchivedFile,
    Parts,
    contents,
    digest,
    digest_of,
    opened_archive,
)
from autograder.gradebook.locks import one_at_a_time
from autograder.gradebook.timestamp import FILE, read_timestamp
from autograder.system.disk import put_file, scratch_folder
from autograder.system.trouble import Trouble

_PACKING = timedelta(minutes=10)  # a download takes less, and a class takes longer to hand in
_SECOND = timedelta(seconds=1)

NEW, REPLACED, SAME, LEFT, NOBODY = "came", "replaced", "there before", "left", "nobody"


@dataclass(frozen=True)
class CollectedHandin:
    """The hand-in of one sender, and what became of it.

    `student` is empty if no student was found. `state` is one of the five above. `remarks` are
    sentences about it.
    """

    sender: str
    student: str
    state: str
    remarks: tuple[str, ...] = ()


@dataclass
class Collection:
    """The hand-ins of a run. `remarks` are sentences about whole archives; `missing`, students."""

    lines: list[CollectedHandin] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    @property
    def is_fine(self) -> bool:
        """True if everything was read, and a student was found for it."""
        return not self.troubles and all(one.state != NOBODY for one in self.lines)


@dataclass
class _Handed:
    """All that one sender has in an archive, and the path of each file in the hand-in."""

    sender: Sender
    files: list[tuple[Parts, ArchivedFile]] = field(default_factory=list)
    is_late: bool = False

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
    """Put what students handed in from downloaded archives into `submitted/`.

    `form` is the form of the archives; without it, each has the form of its own paths. An archive
    that cannot be read does not stop the others. Moodle's grading `worksheet` says who is in a
    group, and who of two with one name sent a file. Raise `Trouble` if the gradebook, the folders,
    the worksheet or all archives cannot be used.
    """
    collection = Collection()
    with one_at_a_time(course.root, course.db_url, lambda: None):
        sheet = Worksheet(worksheet) if worksheet else None
        collector = _Collector(course, assignment, collection, sheet)
        for path in paths:
            try:
                collector.take_in(path, form)
            except Trouble as trouble:
                if len(paths) == 1:
                    raise
                collection.troubles.append(str(trouble))
        collector.finish()
    return collection


class _Collector:
    """The place where archives of one assignment are taken in, one after the other."""

    def __init__(
        self,
        course: CourseFolder,
        assignment: str,
        collection: Collection,
        sheet: Worksheet | None,
    ) -> None:
        self._course = course
        self._assignment = assignment
        self._found = collection
        self._usual = usual_names(course.masters(assignment))
        self._notes = course.collected(assignment)
        self._students, self._due, self._due_of = _roster_and_due(course, assignment)
        self._sheet = sheet
        self._participants = sheet.students(self._students, {}) if sheet else {}
        self._unclear = {one["sender"]: one for one in self._notes.get("unmatched", [])}
        self._taken: dict[str, Any] = dict(self._notes.get("students", {}))

    def take_in(self, path: Path, form: Form | None) -> None:
        """Take in one archive."""
        with opened_archive(path) as archive:
            archive.files = unwrapped(archive, path, form, {one.id for one in self._students})
            firsts = {file.parts[0] for file in archive.files}
            form = form or form_of(firsts, archive.name)
            if form is Form.PLAIN and firsts and all(one.endswith(".zip") for one in firsts):
                inside = ", ".join(sorted(firsts)[:3])
                raise Trouble(
                    f"{archive.name} holds archives ({inside}); unpack it, and name them."
                )
            if self._sheet and form is not Form.MOODLE:
                self._found.remarks.append(
                    f"The worksheet says nothing of {archive.name}, which is not Moodle's."
                )
            roster = roster_of(self._students, form, firsts, self._usual)
            handed = self._sorted_out(archive, form, roster)
            for where, why in archive.refused:
                self._found.troubles.append(f"{where} in {archive.name}: {why}")
                ways = readings(form, tuple(where.split("/")), self._usual)
                if students := _may_be(ways, roster):  # a file of theirs was seen
                    self._unclear[where] = {"sender": where, "why": why, "candidates": students}
            if not handed and not archive.refused:
                self._found.remarks.append(f"{archive.name} holds nothing that was handed in.")
            says_times = _says_times(handed, form)
            if form is Form.MOODLE and handed and not says_times:
                self._found.remarks.append(
                    f"All files in {archive.name} have the time of the download, as Moodle writes "
                    f"it, so nothing of it counts as late; a time in {FILE} beside a notebook does."
                )
            for student, one in self._matched(handed, roster).items():
                self._take(student, one, form, says_times)

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
        self._found.missing = sorted(everybody - set(here) - set(excluded))

    def _sorted_out(self, archive: Archive, form: Form, roster: Roster) -> list[_Handed]:
        """Return the files of each sender; files of nobody get a line each."""
        found: dict[Sender, _Handed] = {}
        others = set(self._course.lessons()) - {self._assignment}
        for file in archive.files:
            parts = file.parts
            if form is Form.PLAIN and len(parts) > 2:
                if parts[1] in others:
                    continue  # as in a copy of `submitted/`
                if parts[1] == self._assignment:
                    parts = (parts[0], *parts[2:])
            if form is Form.PLAIN and len(parts) == 1 and not self._students:
                self._set_aside(file.name, "it lies in no folder of a student")
                continue
            ways = readings(form, parts, self._usual)
            if len(ways) != 1:
                self._set_aside(file.name, *_why_unclear(form, ways, roster))
                continue
            way = ways[0]
            one = found.setdefault(way.sender, _Handed(way.sender))
            one.files.append((way.parts, file))
            one.is_late |= way.is_late
        return list(found.values())

    def _matched(self, handed: Iterable[_Handed], roster: Roster) -> dict[str, _Handed]:
        """Return what each student handed in; what is nobody's for certain gets a line."""
        found: dict[str, list[_Handed]] = {}
        for one in handed:
            stale = [key for key in self._unclear if key.startswith(f"{one.sender}: ")]
            for key in stale:  # members of a group; who is still unclear comes again
                del self._unclear[key]
            for sender, match in self._senders(one.sender, roster):
                if match.student:
                    found.setdefault(match.student, []).append(one)
                else:
                    self._set_aside(sender, match.why, match.candidates)
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
                self._set_aside(str(one.sender), f"{why}; {way} it", (student,))
        return certain

    def _senders(self, sender: Sender, roster: Roster) -> list[tuple[str, StudentFound]]:
        """Return who sent a file, or each member of the group that did, as the worksheet says."""
        if self._sheet and roster.form is Form.MOODLE:
            if members := self._sheet.members(sender.name):
                names = [(f"{sender}: {self._sheet.who(number)}", number) for number in members]
                return [(name, self._participants[number]) for name, number in names]
            if number := self._sheet.sender(sender):
                return [(str(sender), self._participants[number])]
        return [(str(sender), roster.find(sender))]

    def _set_aside(self, sender: str, why: str, candidates: Sequence[str] = ()) -> None:
        self._found.lines.append(CollectedHandin(sender, "", NOBODY, (why,)))
        self._unclear[sender] = {"sender": sender, "why": why, "candidates": list(candidates)}

    def _take(self, student: str, handed: _Handed, form: Form, says_times: bool) -> None:
        """Put what a student handed in into `submitted/`; whatever happens, it gets a line."""
        files, remarks = contents(handed.files, is_by_student=form is not Form.PLAIN)
        sender = str(handed.sender)
        if not files:
            why = "; ".join(remarks) or "it is empty"
            self._set_aside(sender, f"nothing of it could be read: {why}", (student,))
            return
        try:
            state = self._put(student, handed, form, files, remarks)
            remarks += self._keep_time(student, handed, form, files, says_times, state)
        except OSError as error:
            cause = f"{error.strerror or error}: {error.filename or student}"
            self._set_aside(sender, f"it could not be written ({cause})", (student,))
            return
        self._unclear.pop(sender, None)
        for one in list(self._unclear.values()):  # a person may have solved what was unclear
            if one["candidates"] == [student]:
                del self._unclear[one["sender"]]
        self._found.lines.append(CollectedHandin(sender, student, state, tuple(remarks)))

    def _put(
        self,
        student: str,
        handed: _Handed,
        form: Form,
        files: Mapping[Parts, bytes],
        remarks: list[str],
    ) -> str:
        """Put files into a student's folder in `submitted/`, and return the state of it.

        Add sentences to `remarks`. A folder that is replaced is kept among the downloads.
        """
        folder = self._course.submitted(student, self._assignment).path
        if folder.is_symlink() or folder.parent.is_symlink():
            raise OSError(0, "it is a symbolic link", str(folder))
        new, now = digest(files), digest_of(folder)
        note = self._taken.get(student, {})
        digests, at = note.get("digests", []), handed.at.isoformat() if handed.at else ""
        latest = digests[-1] if digests else ""
        before = note.get("at") or _when(folder)
        if now == new:
            state = SAME
        elif now is not None and new == latest:
            remarks.append("the folder was changed by hand since; left as it is")
            return SAME
        elif now is not None and (new in digests or (at and before and at < before)):
            remarks.append("what is in submitted/ is newer; left as it is")
            return LEFT
        else:
            state = NEW if now is None else REPLACED
            kept = self._swap(student, folder, files)
            if kept is not None:
                remarks.append(f"the one before is in {kept.relative_to(self._course.root)}")
        self._taken[student] = {
            "form": str(form),
            "number": handed.sender.number,
            "at": max(at, note.get("at", "")),
            "digests": [*(one for one in digests if one != new), new],
        }
        return state

    def _swap(self, student: str, folder: Path, files: Mapping[Parts, bytes]) -> Path | None:
        """Put new files in the place of a folder; return where the old folder is now."""
        downloads = self._course.downloads(self._assignment)
        downloads.mkdir(parents=True, exist_ok=True)
        kept = None
        with scratch_folder(".unfinished-", downloads) as scratch:
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

    def _keep_time(
        self,
        student: str,
        handed: _Handed,
        form: Form,
        files: Mapping[Parts, bytes],
        says_times: bool,
        state: str,
    ) -> list[str]:
        """Write nbgrader's `timestamp.txt`, and return sentences about it.

        Canvas says if a hand-in is late, but not how late; its word counts more than a time.
        """
        if state == LEFT or (FILE,) in files:
            return []
        folder = self._course.submitted(student, self._assignment)
        known, _ = self._course.timestamp(folder)
        at = handed.at.astimezone(UTC).replace(tzinfo=None) if handed.at and says_times else None
        due = self._due_of.get(student, self._due)
        if form is not Form.CANVAS:
            if at and known is None:
                _write_time(folder.path, at)
                known = at
            return ["late"] if due and known and known > due else []
        if due is None:
            missing = "the gradebook has no due date; enter it, and collect again"
            return [f"late, says Canvas, but {missing}"] if handed.is_late else []
        if handed.is_late != bool(known and known > due):
            # a time that Canvas contradicts is no time of the hand-in
            known = at if at and (at > due) == handed.is_late else None
            if handed.is_late:
                _write_time(folder.path, known or due + _SECOND)
            else:
                (folder.path / FILE).unlink(missing_ok=True)
        elif known is None and at and at <= due:
            _write_time(folder.path, at)
        if not handed.is_late:
            return []
        least = "late, says Canvas, not how late: counted as a second"
        return [least if known in (None, due + _SECOND) else "late"]


def _roster_and_due(
    course: CourseFolder, assignment: str
) -> tuple[list[Listed], datetime | None, dict[str, datetime]]:
    """Return the students, and when an assignment is due: for all, and with an extension."""
    if not is_there(course):
        return [], None, {}
    with opened(course) as gradebook:
        students = students_in(gradebook)
        try:
            row = gradebook.find_assignment(assignment)
        except MissingEntry:
            return students, None, {}
        extended = {one.student_id: one.duedate for one in row.submissions if one.duedate}
        return students, row.duedate, extended


def _why_unclear(
    form: Form, ways: Sequence[Reading], roster: Roster
) -> tuple[str, tuple[str, ...]]:
    """Return why a path belongs to no sender for certain, and the students who might be it."""
    if not ways:
        if form is Form.PLAIN:
            return "it lies in no folder of a student", ()
        return f"its name has not {form.title()}'s form; put it where it belongs yourself", ()
    both = " or as ".join(str(way.sender) for way in ways)
    why = f"its name can be read as {both}; put it into the right folder in submitted/ yourself"
    return why, tuple(_may_be(ways, roster))


def _may_be(ways: Sequence[Reading], roster: Roster) -> list[str]:
    """Return the students who may have sent a file whose path can be read in some ways."""
    found = [roster.find(way.sender) for way in ways]
    return sorted({s for one in found for s in (one.student, *one.candidates) if s})


def _says_times(handed: Sequence[_Handed], form: Form) -> bool:
    """Return true if the times of the files may be those of the hand-ins.

    If all are of the same ten minutes, they say when the archive was made.
    """
    times = [one.at for one in handed if one.at]
    if len(times) < 2:
        return form is Form.PLAIN
    return max(times) - min(times) > _PACKING


def _when(folder: Path) -> str:
    """Return the time in a folder's `timestamp.txt` in the form of an archive, or an empty text."""
    moment, _ = read_timestamp(folder, "UTC")
    if moment is None:
        return ""
    return moment.replace(tzinfo=UTC).astimezone().replace(tzinfo=None).isoformat()


def _write_time(folder: Path, moment: datetime) -> None:
    put_file(folder / FILE, f"{moment:%Y-%m-%d %H:%M:%S} UTC\n")
