"""HTML pages, made from templates. Text that people wrote is escaped, so that it cannot run."""

import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

import nh3
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from autograder.course_adapter import drawn_style
from autograder.notebook.safe_text import duration

_CODE = re.compile(r"`([^`]+)`")


def page(template: str, **facts: Any) -> str:
    """Return an HTML page from a template and its variables `facts`; the page needs no files."""
    return _PAGES.get_template(template).render(facts)


def script(name: str) -> dict[str, str]:
    """Return variables for `page`: a script, and its hash, so that no other script can run."""
    text = files("autograder.reports").joinpath(f"templates/{name}").read_text("utf-8")
    digest = b64encode(sha256(text.encode()).digest()).decode()
    return {"script": Markup(text), "script_digest": digest}


def with_code(text: str) -> Markup:
    """Return a text about a known mistake as HTML; words in backticks become code.

    >>> with_code("`a < b`")
    Markup('<code>a &lt; b</code>')
    """
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def from_markdown(text: str) -> Markup:
    """Return a comment in Markdown as HTML, as nbgrader does, but without scripts and images."""
    from nbconvert.filters import markdown2html  # slow to load, and few pages have comments

    return Markup(nh3.clean(markdown2html(text), tags=nh3.ALLOWED_TAGS - {"img"}))


def points(number: float) -> str:
    """Return points as text with at most two decimals.

    >>> points(8.0), points(1 / 3)
    ('8', '0.33')
    """
    return f"{round(number, 2):g}"


def percent(share: float) -> str:
    """Return a share, such as 0.5, as text in whole percent.

    >>> percent(0.666)
    '67 %'
    """
    return f"{share:.0%}".replace("%", " %")


_PAGES = Environment(
    loader=PackageLoader("autograder.reports"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES.globals["tiles"] = drawn_style
_PAGES.filters.update(
    code=with_code, markdown=from_markdown, points=points, duration=duration, percent=percent
)
