"""Times of submissions: every form that nbgrader writes is read, and other text does no harm."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.gradebook.timestamp import parse_timestamp, read_timestamp

MIDNIGHT = datetime(2026, 1, 1)
NBGRADERS = "%Y-%m-%d %H:%M:%S.%f %Z"


@pytest.mark.parametrize(
    "zone", ["UTC", "America/Los_Angeles", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu"]
)
@pytest.mark.parametrize("month", [1, 7], ids=["winter", "summer"])
def test_what_nbgraders_exchange_writes_in_any_zone_is_read(zone: str, month: int) -> None:
    moment = datetime(2026, month, 3, 12, 30, 1, 5, tzinfo=UTC)
    text = moment.astimezone(ZoneInfo(zone)).strftime(NBGRADERS)
    assert parse_timestamp(text, zone) == moment.replace(tzinfo=None)


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("2026-01-01 00:00:00.000000 America/Los_Angeles", 8),
        ("2026-01-01 00:00:00 UTC", 0),
        (MIDNIGHT.isoformat(" "), 0),
        ("2026-01-01T00:00:00Z", 0),
        ("2026-01-01 00:00:00 -0500", 5),
        ("2026-01-01 00:00:00-05:00", 5),
        ("Thu Jan  1 00:00:00 2026", 0),
        ("\ufeff2026-01-01 00:00\r\n", 0),
    ],
)
def test_other_forms_are_read(text: str, hours: int, tmp_path: Path) -> None:
    (tmp_path / "timestamp.txt").write_text(text, encoding="utf-8")
    assert read_timestamp(tmp_path, "UTC") == (MIDNIGHT.replace(hour=hours), "")


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-01 00:00:00 ..",
        "2026-01-01 00:00:00 /etc/localtime",
        "2026-01-01 00:00:00 ../../../etc/passwd",
        "2026-01-01 00:00:00 Europe/..",
        "2026-01-01 00:00:00 EDT",
        "2026-01-01 00:00:00 +99:99",
        "0001-01-01 00:00:00 +05:00",
        "12:00",
        "yesterday",
        "9" * 60,
        "1e999",
        "2026-01-01 " + "0" * 10_000_000,
        "\0" * 20,
    ],
    ids=lambda text: text[:30].replace("\0", "NUL"),
)
def test_what_is_no_time_is_said_so(text: str, tmp_path: Path) -> None:
    (tmp_path / "timestamp.txt").write_text(text)
    time, problem = read_timestamp(tmp_path, "UTC")
    assert time is None
    assert problem.startswith("timestamp.txt could not be read; mend it: a line such as 2026-03-01")


def test_an_empty_file_is_called_empty_and_it_is_said_what_to_write(tmp_path: Path) -> None:
    assert read_timestamp(tmp_path, "UTC") == (None, "")  # no file is no problem
    for text in ("", " \n"):
        (tmp_path / "timestamp.txt").write_text(text)
        time, problem = read_timestamp(tmp_path, "UTC")
        assert time is None
        assert problem.startswith("timestamp.txt is empty; write into it when this was handed in,")
    example = problem.split("such as ")[1].split(", or")[0]
    (tmp_path / "timestamp.txt").write_text(example)
    assert read_timestamp(tmp_path, "UTC") == (datetime(2026, 3, 1, 12), "")


@pytest.mark.deep
@given(st.text(max_size=70) | st.from_regex(r"\A2026-0[1-9]-[0-3][0-9] [ -~]{0,40}\Z"))
def test_nothing_in_it_raises_anything_but_that(text: str) -> None:
    with suppress(ValueError):
        assert parse_timestamp(text).tzinfo is None
