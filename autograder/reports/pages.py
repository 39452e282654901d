"""Making pages from templates: all that people wrote is escaped, and none of it is active."""

import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from autograder.course import drawn_style

_CODE = re.compile(r"`([^`]+)`")


def page(template: str, **facts: Any) -> str:
    """Return a whole page that needs nothing beside it."""
    return _environment().get_template(template).render(facts)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("autograder.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["tiles"] = drawn_style
    environment.filters["code"] = with_code
    environment.filters["points"] = points
    environment.filters["duration"] = duration
    environment.filters["percent"] = percent
    return environment


def with_code(text: str) -> Markup:
    """Return a text of the catalogue as HTML, in which what stands in backticks is code.

    >>> with_code("`a < b`")
    Markup('<code>a &lt; b</code>')
    """
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def points(number: float) -> str:
    """Return points as a person writes them.

    >>> points(8.0), points(1 / 3)
    ('8', '0.33')
    """
    return f"{round(number, 2):g}"


def percent(share: float) -> str:
    """Return a share of one in whole percent.

    >>> percent(0.666)
    '67 %'
    """
    return f"{share:.0%}".replace("%", " %")


def duration(seconds: float) -> str:
    """Return a time in its two largest units.

    >>> duration(129600), duration(59)
    ('1 day 12 hours', '59 seconds')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = ((days, "day"), (hours, "hour"), (minutes, "minute"), (rest, "second"))
    said = [f"{number} {unit}{'' if number == 1 else 's'}" for number, unit in parts if number]
    return " ".join(said[:2]) or "less than a second"
