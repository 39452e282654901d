"""Reading of the time of a hand-in from `timestamp.txt`, which a student may have changed."""

import os
import re
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from dateutil.parser import parse

from autograder.notebook.submitted_files import Unreadable, read_bytes

FILE = "timestamp.txt"
_UNTIL = "a line such as 2026-03-01 12:00:00 UTC, or nothing counts as late"
_EMPTY = f"{FILE} is empty; write into it when this was handed in, {_UNTIL}"
_UNREADABLE = f"{FILE} could not be read; mend it: {_UNTIL}"
_TEXT = re.compile(r"[\w:,/+-]+(?:[ .][\w:,/+-]+)*")
_USUAL = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})?", re.ASCII)
_LONGEST = 64
# dateutil takes missing parts of a date from a default day. These two days have no part in common.
# So a text has a whole date if both defaults give the same time.
_DAYS = datetime(2000, 1, 1), datetime(2001, 2, 2)
_zones = cache(available_timezones)


def read_timestamp(folder: Path, zone: str) -> tuple[datetime | None, str]:
    """Return a pair: the time of a hand-in or `None`, and the problem with the file or `""`.

    `zone` is nbgrader's setting `Exchange.timezone`. nbgrader writes the short name of this zone,
    such as `EDT`, into the file.
    """
    if not os.path.lexists(folder / FILE):
        return None, ""
    try:
        text = " ".join(read_bytes(folder / FILE).decode("utf-8-sig").split())
        return (parse_timestamp(text, zone), "") if text else (None, _EMPTY)
    except (Unreadable, ValueError):
        return None, _UNREADABLE


def parse_timestamp(text: str, zone: str = "UTC") -> datetime:
    """Return the time that a text says, in UTC and without `tzinfo`.

    The text may have any form that nbgrader writes. A time without a zone is in UTC. A short name
    of a zone, such as `EDT`, is known only if the zone `zone` has this name. Raise `ValueError` if
    the text is no time, or if its zone is not known.
    """
    if len(text) > _LONGEST or not _TEXT.fullmatch(text):
        raise ValueError("this is no time")
    rest, _, last = text.rpartition(" ")
    named = ZoneInfo(last) if last in _zones() else None
    said = rest if named else text

    def moment(day: datetime) -> datetime:
        def offset(name: str | None, seconds: int | None) -> int | None:
            if seconds is not None or name is None:
                return seconds
            when = parse(said, default=day, ignoretz=True)
            for fold in (0, 1):
                local = when.replace(tzinfo=ZoneInfo(zone), fold=fold)
                if local.tzname() == name:
                    return int((local.utcoffset() or timedelta()).total_seconds())
            raise ValueError(f"{name} is no zone that is known here")

        if _USUAL.fullmatch(said):  # this is a hundred times as quick as dateutil
            return datetime.fromisoformat(said)
        found: datetime = parse(said, default=day, tzinfos=offset)
        return found

    try:
        first, second = map(moment, _DAYS)
        aware = first if first.tzinfo else first.replace(tzinfo=named or UTC)
        found = aware.astimezone(UTC).replace(tzinfo=None)
    except Exception as error:  # dateutil raises many kinds of errors for odd text
        raise ValueError("this is no time") from error
    if first != second:
        raise ValueError("this says no day")
    return found
