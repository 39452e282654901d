"""`autograder collect`: archives of Canvas and Moodle, honest, messy and hostile."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.api import Student

from autograder.gradebook.lms.find_sender import Form, Roster, Sender, form_of, readings
from tests.autograder.conftest import LESSON, Autograder
from tests.autograder.gradebook.lms.names_in_downloads import (
    CLASS,
    DUE,
    NAME,
    Collect,
    canvas,
    moodle,
    of,
    saved,
    told,
    worksheet,
)
from tests.autograder.gradebook.nbgrader_helpers import BOOK, DOWNLOADED, zipped


def messes() -> dict[str, str | bytes]:
    """Return name → content of files that are handed in, but are not one plain notebook."""
    inside = {f"homework/{NAME}": BOOK, "homework/data.csv": "1,2", "__MACOSX/._x": "junk"}
    return {
        "work.zip": zipped(inside),
        "corrupt.zip": b"PK\x03\x04 and no more",
        "solution.py": "def merge(line): ...",
        "page.html": "<p>merge</p>",
        "escape.zip": zipped({f"../../../s09/{LESSON}/{NAME}": "stolen", "/etc/x": "", NAME: BOOK}),
        "link.zip": zipped({"passwd": "LINK", NAME: BOOK}),
        "bomb.zip": zipped({"zeros.csv": bytes(65 * 2**20), NAME: BOOK}),
        "nested.zip": zipped({"inner.zip": zipped({NAME: BOOK})}),
        "My solution (final).ipynb": BOOK,
        "work.rar": b"Rar!",
    }


def shelf(course: Path) -> dict[str, str]:
    """Return what lies in `submitted/` and `downloaded/`: path → content."""
    folders = (course / "submitted", course / "downloaded")
    paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(course)): path.read_text(errors="replace") for path in paths}


def of_forty(form: str) -> dict[str, str | bytes]:
    """Return path → content for a class of 40: one sent nothing, ten sent one of `messes` each."""
    named = canvas if form == "canvas" else moodle
    found: dict[str, str | bytes] = {}
    for number in range(40):
        if number != 11:
            mess = list(messes().items())[number - 20 : number - 19] if number >= 20 else []
            for file, content in mess or [(NAME, BOOK)]:
                found[named(number, file)] = content
    if form == "moodle":
        found[moodle(12, f"folder/in/{NAME}")] = found.pop(moodle(12, NAME))
        found[moodle(13, "onlinetext.html", "onlinetext")] = "<p>see my file</p>"
        found[moodle(14, "second.ipynb")] = BOOK
    else:
        found[canvas(12, NAME, late=True)] = found.pop(canvas(12, NAME))
        found[f"{canvas(13, 'x').split('_')[0]}_1013_text.html"] = "<p>see my file</p>"
        found[canvas(14, "merge-a-line-1.ipynb")] = "a second one"
        found["readme.txt"] = "of nobody"
    return found


@pytest.mark.parametrize("form", ["canvas", pytest.param("moodle", marks=pytest.mark.deep)])
def test_a_download_of_forty_is_taken_in_and_a_second_run_changes_nothing(
    form: str, course: Path, collect: Collect
) -> None:
    first = collect(of_forty(form))
    assert first.exit_code == 1, first.output
    came = {path.parent.name for path in (course / "submitted").glob(f"*/{LESSON}")}
    assert came == {student for student, *_ in CLASS} - {"s11", "bob1", "bob2"}
    assert all(of(f"s{n:02}").read_text() == BOOK for n in (0, 1, 2, 3, 5, 20, 24, 25, 26, 27))
    assert of("s20", "data.csv").read_text() == "1,2"
    assert of("s21", "corrupt.zip").read_bytes() == messes()["corrupt.zip"]
    for number, kept in ((22, "solution.py"), (23, "page.html")):
        assert of(f"s{number}", kept).read_text() == messes()[kept]
    assert of("s28", "My solution (final).ipynb").exists()
    assert not list((course / "submitted").rglob("zeros.csv"))
    assert "Nothing came from 1: s11" in first.stdout
    said = told(first)
    for sentence in (
        "bob1 and bob2 have this name",
        "corrupt.zip is no zip file, or a damaged one",
        "no notebook, only solution.py",
        "its path leads out (..), so it was refused",
        "etc/x in escape.zip: its path is absolute",
        "passwd in link.zip: it is a link",
        "zeros.csv in bomb.zip: it would have 65 MiB",
        "work.rar is no zip file",
    ):
        assert sentence in said, sentence
    if form == "canvas":
        assert of("s12", "timestamp.txt").read_text() == "2026-03-01 12:00:01 UTC\n"
        assert of("s14", "merge-a-line (2).ipynb").read_text() == "a second one"
        assert "its name has not Canvas's form" in said
    else:
        assert of("s12", f"folder/in/{NAME}").exists()
        assert of("s14", "second.ipynb").exists()
        assert "have the time of the download" in said
    assert of("s13", "text.html" if form == "canvas" else "onlinetext.html").exists()
    late = [path.parts[1] for path in Path("submitted").rglob("timestamp.txt")]
    assert late == ["s12"] * (form == "canvas")

    before = shelf(course)
    again = collect("download.zip")
    assert shelf(course) == before
    assert "Nothing changed: all that could be matched was there before." in again.stdout


def _student(identity: str, first: str, last: str) -> Student:
    return Student(id=identity, first_name=first, last_name=last)


def test_a_name_is_compared_with_all_its_marks_as_canvas_writes_them() -> None:
    """Ruby's `[[:word:]]`, the signs that Canvas keeps, includes the marks of letters (accents)."""
    turkish, hindi = ("İrem", "Işık"), ("किरण", "राव")
    listed = [_student("t", *turkish), _student("h", *hindi)]
    firsts = [f"{''.join(reversed(name)).lower()}_7_501_ps1.ipynb" for name in (turkish, hindi)]
    roster = Roster(listed, form_of(firsts, "x"), [])
    for student, first in zip("th", firsts, strict=True):
        (way,) = readings(Form.CANVAS, (first,))
        assert roster.find(way.sender).student == student
    other = Roster([_student("k", "करण", "राव")], Form.CANVAS)
    assert not other.find(Sender("रावकिरण", "7")).student


@pytest.mark.parametrize(
    ("named", "name", "takes"),
    [
        (canvas, "mallory_99_501_SmithBob_0_assignsubmission_file_ps1.ipynb", None),
        (canvas, "mallory_99_501_lastfirstae_1004_50004_ps1.ipynb", None),
        # in Canvas, a student may take another one's name, with the number in it
        (canvas, "lastfirstae_1004_99_501_ps1.ipynb", None),
        (canvas, f"lastfirstae_1004_99_501_{NAME}", None),
        (canvas, f"mallory_99_501_1004_9_{NAME}", None),  # and may call a file so
        # a name that s04 has, with the number of nobody, or of another student
        (canvas, "lastfirstae_99_501_ps1.ipynb", None),
        (canvas, f"lastfirstae_1006_501_{NAME}", "s06"),
        (canvas, "late_1004_99_501_ps1.ipynb", None),
        (canvas, "anon_1004_501_ps1.ipynb", "s04"),
        (canvas, "anon_Ab12c_501_ps1.ipynb", None),
        (canvas, f"s04_99_501_{NAME}", None),
        (moodle, f"Mallory_99_assignsubmission_file/{canvas(4, NAME)}", None),
        (moodle, f"Mallory_99_assignsubmission_file/{moodle(4, NAME)}", None),
        (moodle, f"Mallory 300_99_assignsubmission_file_{canvas(4, NAME)}", None),
        # Moodle's number counts in one assignment, and is no number of a student in Canvas
        (moodle, f"Mallory_1004_assignsubmission_file/{NAME}", None),
        (moodle, f"s04_99_assignsubmission_file/{NAME}", None),
        (moodle, f"Fir stAe Last_99_assignsubmission_file/{NAME}", None),
        (moodle, f"Participant_99_assignsubmission_file/{NAME}", None),
        (moodle, f"FirstAe Last_99_assignsubmission_file/{NAME}", "s04"),
        # Moodle until 4.0 ends a folder's name with an underscore
        (moodle, f"FirstAe Last_99_assignsubmission_file_/{NAME}", "s04"),
    ],
)
def test_nobody_takes_anothers_place_by_a_name(
    named: Callable[[int, str], str], name: str, takes: str | None, collect: Collect
) -> None:
    collect({name: "of mallory", **{named(number, NAME): BOOK for number in (20, 21)}})
    paths = Path("submitted").rglob("*.ipynb")
    got = [path.parts[1] for path in paths if path.read_text() == "of mallory"]
    assert got == [takes] * bool(takes)


@pytest.mark.parametrize("left", [".ipynb_checkpoints/a-checkpoint.ipynb", "a/.DS_Store"])
def test_who_sent_only_what_a_computer_made_is_in_the_table_and_not_among_the_missing(
    left: str, collect: Collect
) -> None:
    files = {moodle(4, NAME): BOOK, moodle(4, left): "", moodle(5, left): "", "__MACOSX/x": ""}
    result = collect(files)
    row = f"s05 not taken in nothing of it could be read: {left}: made by macOS, Windows or"
    assert row in told(result)
    assert result.stdout.split("Nothing came from")[1].startswith(" 38: bob1, bob2, s00, s01, s02,")
    assert "s04, s05" not in result.stdout.split("Nothing came from")[1]
    assert [path.name for path in of("s04").parent.iterdir()] == [NAME]


def test_a_name_that_can_be_read_in_thousands_of_ways_stops_nobody(collect: Collect) -> None:
    files = {f"mallory_99_501_{'1_' * n}x": BOOK for n in (400, 32_000)}
    said = told(collect({**files, canvas(4, NAME): BOOK}))
    assert "can be read as mallory_99 or as mallory_99_501 or as mallory_99_501_1; put it" in said
    assert "its name is too long; ask for it with another" in said
    assert len(said) < 2000
    assert of("s04").exists()


def test_two_who_send_under_one_name_get_nothing_and_neither_counts_as_missing(
    collect: Collect, autograder: Autograder
) -> None:
    other = {f"FirstAe Last_99_assignsubmission_file/{NAME}": "other"}
    result = collect({moodle(4, NAME): BOOK, **other})
    assert "2 people sent files under the name of s04" in told(result)
    assert not Path("submitted").exists()
    assert "s04" not in result.stdout.split("Nothing came from")[1]
    results = autograder("results", LESSON)
    assert "s04" not in results.stdout.split("Handed in nothing")[-1]
    # a second download in which only the other one is left
    collect({moodle(4, NAME): BOOK})
    assert "sent files as number 304 before" in told(collect(other))
    assert of("s04").read_text() == BOOK


def test_a_newer_download_replaces_an_older_one_is_left_and_nothing_is_lost(
    course: Path, collect: Collect
) -> None:
    collect({canvas(4, NAME): "first", canvas(5, NAME): BOOK}, name="monday.zip")
    changed = {canvas(4, "merge-a-line-1.ipynb"): "second", canvas(5, NAME): BOOK}
    result = collect(changed, at=DOWNLOADED + timedelta(days=1), name="tuesday.zip")
    kept = f"downloaded/{LESSON}/replaced/s04/1"
    assert f"s04 replaced the one before is in {kept}" in told(result)
    assert (of("s04").read_text(), Path(kept, NAME).read_text()) == ("second", "first")
    before = shelf(course)
    said = told(collect("monday.zip"))
    assert "s04 left what is in submitted/ is newer; left as it is" in said
    assert shelf(course) == before
    # if a person changed a file in submitted/, the download that it came from does not undo this
    of("s04").write_text("mended by hand")
    assert "changed by hand since" in told(collect("tuesday.zip"))
    assert of("s04").read_text() == "mended by hand"


def test_what_was_taken_out_by_hand_does_not_come_back_unsaid(collect: Collect) -> None:
    collect({canvas(4, NAME): BOOK, canvas(5, NAME): BOOK})
    of("s04").unlink()
    of("s04").parent.rmdir()
    said = told(collect("download.zip"))
    assert "it was taken in before, and was gone from submitted/" in said
    assert said.count("taken in before") == 1


def test_lateness_is_canvass_word_and_else_the_time_of_the_file(collect: Collect) -> None:
    early, late = datetime(2026, 2, 27, 9), datetime(2026, 3, 2, 9)
    times = {moodle(4, NAME): early, moodle(5, NAME): late}
    collect(dict.fromkeys(times, BOOK), at=times)
    written = [of(s, "timestamp.txt").read_text()[:10] for s in ("s04", "s05")]
    assert written == ["2026-02-27", "2026-03-02"]
    # a student cannot set the time by a file
    forged = {moodle(6, NAME): BOOK, moodle(6, "timestamp.txt"): "2020-01-01 00:00:00 UTC"}
    assert "timestamp.txt of the student's was left out" in told(collect(forged))
    assert not of("s06", "timestamp.txt").exists()
    # only Canvas's word decides; its files have the times of the download, which may take an hour
    names = canvas(7, NAME), canvas(8, NAME, late=True), canvas(9, NAME, late=True)
    times = dict(zip(names, (late, early, late), strict=True))
    collect(dict.fromkeys(times, BOOK), at=times)
    assert not of("s07", "timestamp.txt").exists()
    # and no folder in a student's zip file replaces the file that has the time
    archive = zipped({NAME: BOOK, "Timestamp.txt/x": "", "timestamp.txt/x": ""})
    result = collect({canvas(10, "a.zip", late=True): archive})
    assert (result.exit_code, "timestamp.txt/x of the student's" in told(result)) == (0, True)
    for student in ("s08", "s09", "s10"):
        assert of(student, "timestamp.txt").read_text() == "2026-03-01 12:00:01 UTC\n"


def test_a_time_that_cannot_be_written_is_said_and_the_work_counts_as_taken_in(
    collect: Collect,
) -> None:
    of("s08", "timestamp.txt").mkdir(parents=True)
    of("s08").write_text(BOOK)
    result = collect({canvas(8, NAME, late=True): BOOK})
    assert "s08: timestamp.txt, which says when it came, could not be written" in told(result)
    assert (result.exit_code, "Could not be taken in" in told(result)) == (1, False)


def test_moodles_worksheet_says_when_each_handed_in(collect: Collect) -> None:
    files = {moodle(number, NAME): BOOK for number in (4, 5, 6)}
    assert "those in Moodle's grading worksheet" in told(collect(files))
    due = datetime.fromisoformat(DUE).replace(tzinfo=UTC).astimezone()
    rows = ["Identifier,Full name,Last modified (submission)"]
    moments = (due - timedelta(hours=1), due + timedelta(days=2))
    for number, at in enumerate(moments, 4):
        said = f"{at:%A}, {at.day} {at:%B %Y, %I:%M %p}"
        rows.append(f'Participant {300 + number},{" ".join(CLASS[number][1:])},"{said}"')
    rows.append(f"Participant 306,{' '.join(CLASS[6][1:])},-")
    result = collect(files, *worksheet(*rows))
    assert result.exit_code == 0
    assert "have the time of the download" not in told(result)
    assert of("s04", "timestamp.txt").read_text() == "2026-03-01 11:00:00 UTC\n"
    assert of("s05", "timestamp.txt").read_text() == "2026-03-03 12:00:00 UTC\n"
    assert not of("s06", "timestamp.txt").exists()
    assert told(result).count(" late") == 1


def test_plain_folders_and_zip_files_are_taken_in_by_the_students_ids(collect: Collect) -> None:
    folder = Path("by hand")
    for path in (f"bob1/{NAME}", f"bob2/{LESSON}/{NAME}", "s05/other/x.ipynb", f"nobody/{NAME}"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(path)
    (folder / "s05" / "link.ipynb").symlink_to("/etc/passwd")
    result = collect(folder)
    assert of("bob1").read_text() == f"bob1/{NAME}"
    assert of("bob2").read_text() == f"bob2/{LESSON}/{NAME}"
    assert "link.ipynb: it is a link" in told(result)
    assert "nobody in the gradebook has this id; nbgrader db student add nobody" in told(result)
    folders = {f"class/s06/{NAME}": BOOK, f"class/s07/{NAME}": BOOK}
    folders |= dict.fromkeys(["class/.DS_Store", "class/s08/.DS_Store", "__MACOSX/._class"], "")
    result = collect(folders, name="class.zip")
    assert (result.exit_code, "s08" in result.stdout.split("Nothing came")[0]) == (0, False)
    assert (of("s06").exists(), of("s07").exists()) == (True, True)


def test_a_bad_archive_stops_no_other_and_is_told_in_a_sentence(
    collect: Collect, autograder: Autograder
) -> None:
    broken, good = saved(b"nothing", "broken.zip"), saved(zipped({moodle(4, NAME): BOOK}))
    result = autograder("collect", broken, good, LESSON)
    assert (result.exit_code, of("s04").exists()) == (1, True)
    assert "broken.zip is no zip file" in told(result)
    files = {canvas(5, "data.bin"): bytes(range(256)) * 9, canvas(6, NAME): BOOK}
    damaged = bytearray(zipped(files))
    damaged[90:110] = b"x" * 20
    said = told(collect(saved(bytes(damaged))))
    assert "nothing of it could be read: data.bin: it is damaged" in said
    assert of("s06").exists()
    # also Canvas's archive, named as Moodle's, and the course's own folder
    for arguments in ((broken,), ("away.zip",), ("download.zip", "--from", "moodle"), (".",)):
        result = collect(*arguments)
        assert (result.exit_code, len(result.output.splitlines())) == (2, 1), result.output


def test_results_and_report_never_call_missing_whose_file_was_seen(
    course: Path, collect: Collect, autograder: Autograder
) -> None:
    files = {moodle(4, NAME): BOOK, moodle(38, NAME): "of a Bob"}
    files[f"{moodle(7, '..')}/{NAME}"] = "its path leads out"
    collect(files)
    autograder("results", LESSON, "--csv", "results.csv")
    lines = {line.split(",")[0]: line for line in Path("results.csv").read_text().splitlines()}
    assert "handed in, not graded yet" in lines["s04"]
    for student in ("bob1", "bob2"):
        assert "a file came that may be theirs (Bob Smith_338)" in lines[student]
    assert "its path leads out" in lines["s07"]
    result = autograder("grade", LESSON, "--workers", 1)
    seen = f"Seen, but without a grade: bob1, bob2, s07 (autograder results {LESSON} says why)"
    assert seen in result.stderr
    autograder("report", LESSON)
    page = (course / "reports" / f"{LESSON}.html").read_text()
    assert "Seen, but without a grade" in page


@pytest.mark.parametrize("named", [canvas, moodle])
def test_without_a_class_list_one_sentence_says_how_to_enter_it(
    named: Callable[[int, str], str], collect: Collect
) -> None:
    Path("gradebook.db").unlink()
    result = collect({named(number, NAME): BOOK for number in range(9)})
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1), result.output
    assert "Enter them: nbgrader db student import FILE" in result.output
    assert not Path("submitted").exists()


def test_an_archive_in_two_forms_is_of_none() -> None:
    both = ["bob_1_assignsubmission_file_99_501_ps1.ipynb"]
    with pytest.raises(Exception, match="--from canvas or --from moodle"):
        form_of(both, "a.zip")
    with pytest.raises(Exception, match="--from canvas or --from moodle"):
        form_of(["ada_1_2_x.ipynb", "Ada L_3_assignsubmission_file"], "a.zip")
    assert form_of([*both, "ada_77_501_ps1.ipynb"], "a.zip") is Form.CANVAS
    assert form_of([*both, "Ada L_31_assignsubmission_file"], "a.zip") is Form.MOODLE
    assert form_of(["ada", "ben_1_2_x.ipynb", "cy"], "a.zip") is Form.PLAIN


@pytest.mark.parametrize("form", [Form.CANVAS, Form.MOODLE])
def test_an_underscore_in_a_name_stands_for_the_blank_that_moodle_writes(form: Form) -> None:
    """Canvas keeps the underscore (`get_filename`); Moodle does not (`get_student_prefix`)."""
    name = {Form.CANVAS: "ben_davidnoa", Form.MOODLE: "Noa Ben David"}[form]
    roster = Roster([_student("n", "Noa", "Ben_David")], form, [Sender(name, "7")])
    assert roster.find(Sender(name, "7")).student == "n"


def test_the_order_of_names_is_that_of_most_and_decided_once() -> None:
    students = [_student("a", "James", "Martin"), _student("b", "Ada", "Lovelace")]
    senders = [Sender("Lovelace Ada"), Sender("Martin James")]
    assert Roster(students, Form.MOODLE, senders).find(senders[1]).student == "a"
    turned = [Sender("Ada Lovelace"), Sender("Martin James")]
    assert Roster(students, Form.MOODLE, turned).find(turned[1]).student == ""
