"""Dates and times of Python's library; time zones are known by an offset or a name."""

from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from autograder.wire.frames import Unfit
from autograder.wire.kinds.kind import Kind, exactly


def _zone(value: Any) -> tzinfo | None:
    zone: tzinfo | None = exactly(value, timezone, ZoneInfo, type(None))
    return zone


def _datetime_parts(value: datetime) -> list[Any]:
    day = [value.year, value.month, value.day]
    return [*day, *_time_parts(value)]


def _time_parts(value: datetime | time) -> list[Any]:
    if type(value.tzinfo) not in (timezone, ZoneInfo, type(None)):
        raise Unfit("a time zone is not one of Python's own")
    clock = [value.hour, value.minute, value.second, value.microsecond]
    return [*clock, value.fold, value.tzinfo]


def _datetime(*parts: Any) -> datetime:
    *numbers, fold, zone = parts
    year, month, day, *clock = numbers
    moment = datetime(year, month, day, *clock)
    return moment.replace(tzinfo=_zone(zone), fold=fold)


def _time(*parts: Any) -> time:
    *clock, fold, zone = parts
    return time(*clock).replace(tzinfo=_zone(zone), fold=fold)


def _timezone_parts(value: timezone) -> list[timedelta]:
    offset = value.utcoffset(None)
    if timezone(offset) != value or timezone(offset).tzname(None) != value.tzname(None):
        raise Unfit("a time zone has a name of its own")
    return [offset]


def _timezone(offset: Any) -> timezone:
    return timezone(exactly(offset, timedelta)) if offset else UTC


def _zone_parts(value: ZoneInfo) -> list[str]:
    if value.key is None:
        raise Unfit("a time zone has no name")
    return [value.key]


KINDS = {
    "date": Kind(date, lambda value: [value.year, value.month, value.day], date),
    "datetime": Kind(datetime, _datetime_parts, _datetime),
    "time": Kind(time, _time_parts, _time),
    "timedelta": Kind(
        timedelta, lambda value: [value.days, value.seconds, value.microseconds], timedelta
    ),
    "timezone": Kind(timezone, _timezone_parts, _timezone),
    "ZoneInfo": Kind(ZoneInfo, _zone_parts, lambda key: ZoneInfo(exactly(key, str))),
}
