"""Zip files of students are unpacked within limits; a few words say which files are refused."""

import json
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from autograder.gradebook.lms.read_archive import ArchivedFile, Parts, contents, opened_archive
from autograder.system import Trouble
from tests.autograder.gradebook.nbgrader_helpers import BOOK, zipped


def opened(data: bytes) -> tuple[set[Parts], str]:
    """Return which files a student's zip file has, and the grader's messages about the zip file."""
    file = ArchivedFile(("work.zip",), lambda: data, len(data))
    found, remarks = contents([(file.parts, file)], is_by_student=True)
    return set(found), "; ".join(remarks)


@pytest.mark.deep
def test_what_a_student_packs_has_limits_also_if_it_is_damaged_or_nameless():
    many = zipped({f"{number}.txt": "" for number in range(1500)})
    paths, said = opened(zipped({f"{number}.zip": many for number in range(3)}))
    assert (len(paths) < 2000, "more than 2000 files are not read" in said) == (True, True)

    large = zipped({str(number): bytes(2**20) for number in range(300)})
    damaged = re.sub(rb"(PK\x01\x02.{12}).{4}", rb"\1wrng", large, flags=re.DOTALL)
    assert "it is too much together" in opened(zipped({"inner.zip": damaged}))[1]

    # also hundreds of refused files get few words, and hide no notebook behind them
    bombs = {f"{n}.csv": bytes((65 + n) * 2**20) for n in range(3)}
    small = {f"../{n}": "" for n in range(300)} | {f"{n}.zip": "PK" for n in range(9)}
    flood = {**bombs, "large.zip": large, **small, "b.ipynb": BOOK}
    paths, said = opened(zipped({"flood.zip": zipped(flood)}))
    assert (("b.ipynb",) in paths, len(said) < 1200) == (True, True), said
    assert "300 times: …: its path leads out (..), so it was refused (../0 in flood.zip, " in said
    assert "was left as it is; ask for it again (0.zip, 1.zip, 2.zip, 3.zip, 4.zip, …)" in said
    assert "3 times: …: it would have 65 MiB" in said
    assert said.count("it is too much together") == 1

    named = zipped({"X": "1", "a.py": "1"})
    nameless = re.sub(
        rb"(PK\x01\x02.{24})\x01(.{17})X", b"\\1\0\\2", named, count=1, flags=re.DOTALL
    )
    end = nameless.index(b"PK\5\6")
    size = (end - nameless.index(b"PK\1\2")).to_bytes(4, "little")
    nameless = nameless[: end + 12] + size + nameless[end + 16 :]
    assert opened(nameless) == ({("a.py",)}, "work.zip was unpacked; no notebook, only a.py")


def test_a_notebook_that_printed_too_long_is_read_however_well_it_is_packed() -> None:
    lines = ["[0, 0, 2, 4]\n"] * 100_000
    output = {"output_type": "stream", "name": "stdout", "text": lines}
    book = json.dumps({"cells": [{"cell_type": "code", "outputs": [output]}]}, indent=1)
    packed = zipped({"a.ipynb": book})
    assert len(book) > 350 * len(packed)
    assert opened(packed) == ({("a.ipynb",)}, "work.zip was unpacked")


def test_what_the_grader_takes_for_a_notebook_is_not_called_none() -> None:
    """A browser may save a notebook as `a.ipynb.txt`; `find_submitted_notebook.py` accepts it."""
    assert opened(zipped({"a.ipynb.txt": BOOK})) == ({("a.ipynb.txt",)}, "work.zip was unpacked")


@pytest.mark.parametrize("is_by_student", [True, False], ids=["sent", "collected by hand"])
@pytest.mark.parametrize(
    "path",
    ["timestamp.txt/x", "TIMESTAMP.TXT/x", "a/Submission_Secret.txt/b/c", "Time\u017ftamp.txt/x"],
)
def test_no_folder_has_the_name_of_a_file_of_nbgraders(path: str, is_by_student: bool) -> None:
    parts = tuple(path.split("/"))
    files = [ArchivedFile(one, BOOK.encode, 9) for one in (parts, ("a.ipynb",))]
    found, said = contents([(file.parts, file) for file in files], is_by_student)
    assert list(found) == [("a.ipynb",)]
    assert said == [f"{path} of the student's was left out; nbgrader writes it"]


def test_only_a_person_who_collects_by_hand_says_when_it_came() -> None:
    file = ArchivedFile(("timestamp.txt",), b"2026-03-01".strip, 10)
    assert list(contents([(file.parts, file)], is_by_student=False)[0]) == [file.parts]
    for name in ("timestamp.txt", "TIMESTAMP.TXT"):
        assert opened(zipped({name: "2026-03-01", "a.ipynb": BOOK}))[0] == {("a.ipynb",)}
    why = "timestamp.txt of the student's was left out; nbgrader writes it"
    assert opened(zipped({"timestamp.txt": ""})) == (set(), f"work.zip was unpacked; {why}")


@pytest.mark.parametrize(("number", "end"), [(5, "../4 in work.zip)"), (6, "../4 in work.zip, …)")])
def test_of_many_that_are_refused_five_are_named(number: int, end: str) -> None:
    paths = {f"../{n}": "" for n in range(number)}
    assert end in opened(zipped({**paths, "a.ipynb": BOOK}))[1]


def test_a_name_that_is_not_too_long_stays_as_it_is_after_its_last_dot() -> None:
    name = "2. what I think about the merging of lines"
    assert opened(zipped({name: "", "a.ipynb": BOOK}))[0] == {(name,), ("a.ipynb",)}


def test_files_without_a_time_in_an_archive_are_not_taken_for_old_ones(tmp_path: Path) -> None:
    start, day = datetime(1980, 1, 1), timedelta(days=1)  # a zip file has no earlier time
    times = {"a.ipynb": start, "b.ipynb": start + 2 * day}
    (tmp_path / "all.zip").write_bytes(zipped(dict.fromkeys(times, BOOK), times))
    with opened_archive(tmp_path / "all.zip") as archive:
        assert [file.at for file in archive.files] == [None, start + 2 * day]


@pytest.mark.parametrize(
    ("place", "byte", "why"),
    [(6, 99, "zip file version 9.9"), (46, 0xFF, "invalid start byte")],
    ids=["version", "name"],
)
def test_an_archive_with_a_damaged_directory_is_told_in_a_sentence(
    place: int, byte: int, why: str, tmp_path: Path
) -> None:
    data = bytearray(zipped({"Zoë.ipynb": BOOK}))
    data[data.index(b"PK\1\2") + place] = byte
    (tmp_path / "all.zip").write_bytes(data)
    said = re.escape(f"{why}); download it again, or unpack it and name the folder.")
    with pytest.raises(Trouble, match=said), opened_archive(tmp_path / "all.zip"):
        pass
