"""Cards: small tables with bars on a background of their own, the same for all results."""

from collections.abc import Iterable, Sequence
from html import escape

from course.widgets.assets import read


def card(title: str, *parts: str) -> str:
    """Return a card with a title, as HTML with its style; `parts` are HTML and may be empty.

    >>> card("1 < 2").endswith('<div class="c2048-card-title">1 &lt; 2</div></div>')
    True
    """
    name = f'<div class="c2048-card-title">{escape(title)}</div>'
    return f'<style>{read("card.css")}</style><div class="c2048-card">{name}{"".join(parts)}</div>'


def table(rows: Iterable[str], heads: Sequence[str] = ()) -> str:
    """Return rows as a table; `heads` are the texts above its columns, some of them empty."""
    names = "".join(f'<th scope="col">{escape(h)}</th>' if h else "<td></td>" for h in heads)
    head = f"<thead><tr>{names}</tr></thead>" if heads else ""
    return f'<table class="c2048-table">{head}<tbody>{"".join(rows)}</tbody></table>'


def row(name: str, *cells: str) -> str:
    """Return a row: what it is about, as HTML, then its cells.

    >>> row("merge", cell("yours", "done"))
    '<tr><th scope="row">merge</th><td class="c2048-done">yours</td></tr>'
    """
    return f'<tr><th scope="row">{name}</th>{"".join(cells)}</tr>'


def cell(text: str, kind: str) -> str:
    """Return a cell with a text.

    `kind` is `done` (it holds), `of` (so many of so many), `total` (a number), or `why`. If the
    page is narrow, a `why` stands below the rest of its row.
    """
    return f'<td class="c2048-{kind}">{escape(text)}</td>'


def track(part: float) -> str:
    """Return a cell with a bar that shows a part from 0 to 1; the number stands in another cell."""
    return f'<td><div class="c2048-track"><div class="c2048-fill" {_size(part)}></div></div></td>'


def count(number: int, part: float) -> str:
    """Return a cell with a number on a bar that shows its part of the whole, from 0 to 1.

    >>> count(5, 0.5)
    '<td class="c2048-count" style="--part:0.50">5</td>'
    """
    return f'<td class="c2048-count" {_size(part)}>{number}</td>'


def heat(number: int, part: float) -> str:
    """Return a cell with a number; its background is the stronger, the nearer `part` is to 1.

    `part` is the number as a part of the highest number.
    """
    return f'<td class="c2048-heat" {_size(part)}>{number}</td>'


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return a table as plain text: rows of texts, one below the other, in columns.

    >>> print(columns([["tile", "games"], ["8", "100"]]))
    tile  games
       8    100
    """
    sizes = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ([text.rjust(size) for text, size in zip(row, sizes, strict=True)] for row in rows)
    return "\n".join("  ".join(line) for line in lines)


def _size(part: float) -> str:
    return f'style="--part:{part:.2f}"'
