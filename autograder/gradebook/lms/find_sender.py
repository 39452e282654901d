"""Functions that find out, by a file's name in a download of Canvas or Moodle, who sent the file.

Students choose the end of a file's name, and often also the person's name at its beginning. So one
name alone is not trusted: the form of the names, Canvas's or Moodle's, is found once for a whole
archive, by the first parts of all its paths. A file whose name can be read in two ways is given to
nobody.
"""

import os
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, Student
from nbgrader.plugins import FileNameCollectorPlugin

from autograder.gradebook.lms.read_archive import Archive, ArchivedFile, Parts, is_junk, shown
from autograder.notebook.safe_text import printable
from autograder.system import Trouble

# Canvas's form is `lovelaceada_LATE_1234_98765_merge-a-line-1.ipynb`: the sortable name of the
# student or a group in small letters, the number of the student or of one member, the number of the
# file, and the file's own name; its `-1` says that it was handed in again once (canvas-lms
# `lib/content_zipper.rb`: `get_filename`, `add_upload_submission`, `add_text_or_url`;
# `app/models/assignment.rb`).
_CANVAS = re.compile(
    r"(?=(?:\A|_)(?P<late>LATE_)?(?P<number>\d+|anon_[A-Za-z0-9]{5})"
    r"_(?:\d+_(?P<file>.+)|(?P<page>(?:text|link)\.html))\Z)",
    re.ASCII | re.DOTALL,
)
# Moodle's form is `Ada Lovelace_1234_assignsubmission_file`: a folder, until Moodle 4.0 with `_` at
# the end, or the beginning of a file's name. The number is another one in each assignment, so it
# does not identify a student. The folder of a group is `Group A_55_…`; until 4.0, each member has a
# folder, `Group A-Ada Lovelace_1234_…` (moodle `mod/assign/classes/downloader.php`).
_MOODLE = re.compile(
    r"(?P<name>[^_/]+)(?:_(?P<number>\d+))?_assignsubmission_(?P<plugin>[a-z0-9]+)"
    r"(?:_(?P<file>.*))?",
    re.ASCII | re.DOTALL,
)
_COPY = re.compile(r"-\d+(?=\.\w+\Z)")  # Canvas's number of a repeated hand-in
_USUAL_ID = re.compile(r"\w[\w.@ -]*")
# not `nbgrader db student add`, which erases the name of a student who is in the gradebook already
_NUMBERS = "nbgrader db student import FILE, a table with the columns id and lms_user_id"


class Form(StrEnum):
    """The form of the paths in an archive: Canvas's, Moodle's, or a folder for each student."""

    CANVAS = "canvas"
    MOODLE = "moodle"
    PLAIN = "plain"


@dataclass(frozen=True)
class Sender:
    """The sender of a file, as the path of the file says.

    `number` is the number that Canvas or Moodle wrote into the path, or empty.
    """

    name: str
    number: str = ""

    @property
    def is_anonymous(self) -> bool:
        """True if the name is hidden: Canvas's number is `anon_…`, Moodle's name `Participant`."""
        return self.number.startswith("anon_") or self.name == "Participant"

    def __str__(self) -> str:
        return shown(("_".join(filter(None, [self.name, self.number])),))


@dataclass(frozen=True)
class Reading:
    """One way to split a path of an archive into the sender of a file and the file's own path.

    `is_late` is true if Canvas says in the path that the file is late.
    """

    sender: Sender
    parts: Parts
    is_late: bool = False


@dataclass(frozen=True)
class StudentFound:
    """The student who sent a file; if none was found, `why`, and the `candidates` who may have.

    If a student was found by Canvas's number although the name is another one, `why` says so.
    """

    student: str = ""
    why: str = ""
    candidates: tuple[str, ...] = ()


class Roster:
    """The students of the gradebook, among whom the senders of an archive are looked up.

    All names of an archive have the same order, last name or first name first: the order in which
    more of the `senders` are students. A student without a name in the gradebook is found by id.
    """

    def __init__(self, students: Iterable[Student], form: Form, senders: Collection[Sender] = ()):
        self.students = tuple(students)
        self.form = form
        given = {one.name for one in senders}
        called = set(map(self._key, given))
        tables = []
        for order in (1, -1) if form is Form.CANVAS else (-1, 1):
            table: dict[str, list[Student]] = defaultdict(list)
            for student in self.students:
                names = [student.last_name, student.first_name][::order]
                table[self._key(" ".join(filter(None, names)) or student.id)].append(student)
            tables.append(table)
        self._names = max(tables, key=lambda table: len(called & table.keys()))
        # Names that may be those of groups: texts before a hyphen that two or more senders share.
        # There are none if some sender has no hyphen, or is a student.
        has_groups = form is Form.MOODLE and not called & self._names.keys()
        count = Counter(group for name in given for group, _ in _halves(name))
        are_all = has_groups and all("-" in name for name in given)
        self._groups = {group for group, n in count.items() if n > 1 and are_all}

    def find(self, sender: Sender) -> StudentFound:
        """Return the student who is this sender; if several may be, all are only `candidates`."""
        is_canvas, name = self.form is Form.CANVAS, sender.name
        if self.form is Form.PLAIN and (
            any(one.id == name for one in self.students)
            # no student was entered yet, so a folder's name is taken for an id
            or (not self.students and _USUAL_ID.fullmatch(name))
        ):
            return StudentFound(name)
        if self.form is not Form.PLAIN and sender.is_anonymous:
            lms = self.form.title()
            why = f"{lms} hid the names; let {lms} show them, and download again"
            return StudentFound(why=why)
        same = [one for one in self.students if is_canvas and one.lms_user_id == sender.number]
        if not same:
            members = (rest for group, rest in _halves(name) if group in self._groups)
            named = self._names.get(self._key(name)) or [
                one for rest in members for one in self._names.get(self._key(rest), [])
            ]
            same = [one for one in named if not (is_canvas and one.lms_user_id)]
            if named and not same:
                why = f"{named[0].id} has this name, but the number {named[0].lms_user_id} in "
                why += f"Canvas, not {sender.number}: somebody else, or lms_user_id is wrong"
                return StudentFound(why=why)
        ids = tuple(sorted(one.id for one in same))
        if len(ids) == 1:
            return StudentFound(*ids, self._remark_on_name(sender, same[0]) if is_canvas else "")
        return StudentFound(why=self._why_nobody(sender, ids), candidates=ids)

    def may_be(self, ways: Iterable[Reading]) -> list[str]:
        """Return the ids of students who may have sent a file; `ways` are readings of its path."""
        found = [self.find(way.sender) for way in ways]
        return sorted({s for one in found for s in (one.student, *one.candidates) if s})

    def _remark_on_name(self, sender: Sender, student: Student) -> str:
        """Return a remark if no name of the student is in the name of the sender, else `""`."""
        names = list(map(self._key, filter(None, (student.last_name, student.first_name))))
        if not names or any(name in self._key(sender.name) for name in names):
            return ""
        return (
            f"the number is that of {student.id}, the name is not; if it is a group's, the other "
            "members get nothing of it: put the files into a folder with the id of each, and "
            "collect the folder around them"
        )

    def _why_nobody(self, sender: Sender, ids: tuple[str, ...]) -> str:
        folder = "put the files into a folder {}/, and collect the folder around it"
        if ids:
            both = " and ".join(ids)
            if self.form is Form.CANVAS:
                return f"{both} have this name; enter their numbers in Canvas: {_NUMBERS}"
            sheet = "if the gradebook has their addresses, name Moodle's grading worksheet, too"
            folder = folder.format("/ or ".join(ids))
            return f"{both} have this name; {sheet}: --worksheet FILE; else {folder}"
        if self.form is Form.CANVAS:
            who = f"nobody in the gradebook has the number {sender.number} or this name"
            return f"{who}; enter the number: {_NUMBERS}"
        if self.form is Form.MOODLE:
            group = "if it is a group, Moodle's grading worksheet must have it: --worksheet FILE"
            return f"nobody in the gradebook has this name; {group}; else {folder.format('ID')}"
        who = f"nbgrader db student add {shown((sender.name,))}"
        return f"nobody in the gradebook has this id; {who}"

    def _key(self, name: str) -> str:
        """Return a name in a form in which it can be compared with other names.

        The form has only letters and digits, in lower case, and blanks between words. It has no
        blanks if Canvas named the files, for Canvas drops them. A `_` counts as a blank.
        """
        words = unicodedata.normalize("NFKC", name).casefold().replace("_", " ").split()
        plain = ("".join(filter(_is_of_word, word)) for word in words)
        return ("" if self.form is Form.CANVAS else " ").join(filter(None, plain))


def _is_of_word(letter: str) -> bool:
    """Return true for a letter, a digit, or a mark of a letter, such as a vowel in Hindi."""
    return letter.isalnum() or unicodedata.category(letter).startswith("M")


def _halves(name: str) -> list[tuple[str, str]]:
    """Return for each hyphen in a name the text before it and the text after it."""
    return [(name[: one.start()], name[one.end() :]) for one in re.finditer("-", name)]


def readings(form: Form, parts: Parts, usual: Collection[str] = ()) -> list[Reading]:
    """Return all ways in which a path of an archive can be read.

    `usual` are the names of the assignment's files. If the reading with the shortest name of a
    person gives the file such a name, only this reading is returned. Any other would take a part of
    the file's name, which the student chose, for a part of a person's name.

    >>> [one.sender.name for one in readings(Form.CANVAS, ("ada_77_501_2_1_ps1.ipynb",))]
    ['ada', 'ada_77', 'ada_77_501']
    >>> [one.sender.name for one in readings(Form.CANVAS, ("ada_7_5_1_a.ipynb",), ["1_a.ipynb"])]
    ['ada']
    >>> [one.parts for one in readings(Form.CANVAS, ("ada_7_5_ps1-2.ipynb",), ["ps1.ipynb"])]
    [('ps1.ipynb',)]
    """
    first, rest = parts[0], parts[1:]
    if form is Form.PLAIN:
        stem = first if rest else os.path.splitext(first)[0]
        return [Reading(Sender(stem), rest or parts)]
    if form is Form.MOODLE:
        found = _MOODLE.fullmatch(first)
        if not found or not (rest or found["file"]):
            return []
        sender = Sender(found["name"], found["number"] or "")
        return [Reading(sender, rest or (found["file"],))]
    ways = []
    for match in _CANVAS.finditer(first):
        name = first[: match.start()]
        sender = Sender(name, match["number"])
        # Canvas writes names in small letters, digits and underscores
        is_canvas = name == name.lower() and all(one == "_" or _is_of_word(one) for one in name)
        if not is_canvas or (sender.is_anonymous and name):
            continue
        file = match["file"] or match["page"]
        plain = _COPY.sub("", file)
        if file not in usual and plain in usual:
            file = plain
        ways.append(Reading(sender, rest or (file,), bool(match["late"])))
    return ways[:1] if ways and ways[0].parts[-1] in usual else ways


def form_of(firsts: Collection[str], name: str, said: Form | None = None) -> Form:
    """Return the form of the paths in an archive; `firsts` are the first parts of all its paths.

    If a form is given as `said`, return it; raise `Trouble` if it is Canvas's or Moodle's, and no
    path has it. Else raise `Trouble` if the paths have two forms, or can be read in both.
    """
    count = Counter(
        (bool(readings(Form.CANVAS, (one,))), bool(_MOODLE.fullmatch(one))) for one in firsts
    )
    if said:
        place = list(Form).index(said)
        if count and said is not Form.PLAIN and not any(has[place] for has in count):
            raise Trouble(f"no name in {name} has {said.title()}'s form; leave --from {said} out.")
        return said
    canvas, moodle, both = count[True, False], count[False, True], count[True, True]
    if (canvas and moodle) or (both and not canvas and not moodle):
        raise Trouble(
            f"the names in {name} have Canvas's form and Moodle's; say to autograder collect which "
            "is right: --from canvas or --from moodle"
        )
    if 2 * (canvas + moodle + both) < len(firsts) or not canvas + moodle:
        return Form.PLAIN
    return Form.CANVAS if canvas else Form.MOODLE


def unwrapped(
    archive: Archive, path: Path, form: Form | None, students: set[str]
) -> list[ArchivedFile]:
    """Return an archive's files; if one folder is around all of them, leave it out of their paths.

    The folder is left out only if it has the name `submitted` or that of the archive. Any other
    folder may be a student's, and then the student chose what is in it.
    """
    files = archive.files
    names = {file.parts[0] for file in files}
    usual = {"submitted", path.stem, path.stem.split(" (")[0]} - students
    if len(names) != 1 or not names <= usual or any(len(file.parts) == 1 for file in files):
        return files
    folder = (*names, "")
    if form is not Form.PLAIN and (readings(Form.CANVAS, folder) or readings(Form.MOODLE, folder)):
        return files
    inside = [replace(file, parts=file.parts[1:]) for file in files]
    return [file for file in inside if not is_junk(file.parts[:1])]


class FromCourse(FileNameCollectorPlugin):  # type: ignore[misc]
    """A collector for `nbgrader zip_collect`: it finds the same students as `autograder collect`.

    The option `--collector=autograder.gradebook.lms.FromCourse` chooses it.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._course: Any = self.parent.coursedir
        steps = self._course.source_directory, ".", self._course.assignment_id
        self._usual = usual_names(Path(self._course.format_path(*steps)))
        self._given: set[tuple[str, str]] = set()
        # the folder into which nbgrader unpacks
        self._folder = Path(self.parent._format_collect_path(self.parent.extracted_directory))

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return the `student_id` and `file_id`, or `None` if it is uncertain who sent the file."""
        path = Path(submitted_file)
        if not path.is_relative_to(self._folder) or path.suffix not in self.valid_ext:
            return None
        path = path.relative_to(self._folder)
        if is_junk(path.parts):
            return None
        roster = self._rosters.get(path.parts[0])
        # nbgrader unpacks each archive into a folder of its own
        parts = path.parts[1:] if roster else path.parts
        roster = roster or self._rosters["."]
        ways = readings(roster.form, parts, self._usual)
        found = roster.find(ways[0].sender) if len(ways) == 1 else StudentFound(why="it is unclear")
        if not found.student:
            said = "%s was left out: %s (autograder collect says more)"
            self.log.warning(said, printable(str(path)), found.why)
            return None
        file = "/".join(ways[0].parts)
        if (found.student, file) in self._given:  # nbgrader would stop at a second one
            file = "/".join(parts)
        self._given.add((found.student, file))
        return {"student_id": found.student, "file_id": file}

    @cached_property
    def _rosters(self) -> dict[str, Roster]:
        """A dictionary from the folders into which archives were unpacked to rosters.

        The key `"."` is for all files that are not in one of these folders.
        """
        with Gradebook(self._course.db_url, self._course.course_id) as gradebook:
            students = gradebook.students
        below: dict[str, set[str]] = {".": set()}
        for path in self._folder.iterdir():
            is_sent = readings(Form.CANVAS, (path.name,)) or _MOODLE.fullmatch(path.name)
            if path.is_dir() and not is_sent:
                below[path.name] = {one.name for one in path.iterdir()}
            else:
                below["."].add(path.name)
        try:
            return {
                name: roster_of(students, form_of(firsts, name), firsts, self._usual)
                for name, firsts in below.items()
            }
        except Trouble as trouble:
            self.parent.fail(str(trouble))
            raise


def usual_names(masters: Path) -> set[str]:
    """Return the names of all files of an assignment, from the folder `masters`."""
    return {path.name for path in masters.rglob("*") if path.is_file()}


def roster_of(
    students: Iterable[Student], form: Form, firsts: Iterable[str], usual: Collection[str]
) -> Roster:
    """Return the students among whom the senders of an archive are looked up.

    `firsts` are the first parts of the archive's paths. Raise `Trouble` if there are no `students`,
    except in the plain form, which does not need them: its folders are named by students' ids.
    """
    students = list(students)
    if form is not Form.PLAIN and not students:
        raise Trouble(
            "The gradebook has no students yet. Enter them: nbgrader db student import FILE, a "
            "table with the columns id, last_name, first_name, email and lms_user_id."
        )
    ways = [readings(form, (one, "") if form is Form.MOODLE else (one,), usual) for one in firsts]
    return Roster(students, form, [one[0].sender for one in ways if len(one) == 1])
