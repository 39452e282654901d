"""HTML without scripts: boards, cards, pictures in place of widgets; and the files of `static/`."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from course.plain_errors import ipython_shell
from course.playing.motion import board_motion
from course.rules import DIRECTIONS, Board, Square
from course.rules.board import is_board
from course.rules.line import is_line
from course.steps.values import LONGEST, rows_of

STATIC = Path(__file__).parent / "static"
IMPORT = re.compile(
    r'^(?:import \{[^}]*\} from|@import) "\.{1,2}/(?:\w+/)?([\w-]+\.(?:js|css))";\n', re.M
)
EXPORT = re.compile(r"^export (?!default )", re.M)
CODE = re.compile("`([^`]+)`")
DEFAULT = re.compile(r"^export default .*\n", re.M)

SIZE = 42  # the side of a square, with its gap, in pixels

# While a widget is live, its script hides the picture that has its id. In a notebook that is opened
# again, the widget is gone. JupyterLab then writes in its place that the widget is loading, or that
# there was an error. The last rule of this style hides that message.
STYLE = """
@keyframes c2048-late { from { max-height: 0; opacity: 0; } to { max-height: none; opacity: 1; } }
.c2048-saved { overflow: hidden; animation: c2048-late 1ms 1.5s both; }
.c2048-saved .c2048 { margin: 2px 0 8px; }
.jp-OutputArea-child:has(.c2048-saved)
  + .jp-OutputArea-child:has(> .jp-OutputArea-output.jupyter-widgets),
.jp-OutputArea-child:has(.c2048-saved)
  + .jp-OutputArea-child:not(:has(> .jp-OutputArea-output > *)) { display: none; }
"""


# --- scripts and styles


def read(name: str) -> str:
    """Return a file of static/ and all that it imports, each file once, as one text.

    anywidget gives the browser a single text, in which an import such as `./parts.js` finds no
    file. So an imported file stands before the files that need it, without its default export.

    >>> read("ask.css").index(".c2048-board") < read("ask.css").index(".c2048-button")
    True
    """
    found: dict[str, str] = {}

    def follow(needed: str) -> None:
        if needed not in found:
            [path] = STATIC.glob(f"*/{needed}")
            text = path.read_text("utf-8")
            for other in IMPORT.findall(text):
                follow(other)
            own = text if needed == name else DEFAULT.sub("", text)
            found[needed] = EXPORT.sub("", IMPORT.sub("", own))

    follow(name)
    return "\n".join(found.values())


# --- lines and boards


def board_html(board: Board) -> str:
    """Return a board as an HTML table with its style."""
    return f'<style>{read("tiles.css")}</style><div class="c2048">{table_of(board)}</div>'


def as_board(value: Any) -> Any:
    """Return a copy of a board, a line as a board of one row, and `None` for any other value.

    Tiles may be negative, as in a duel. `None` is returned, too, if a side has more than 32
    squares, or if a number is too long for its square.

    >>> as_board([2, 0]), as_board([[2], [-4]]), as_board([2] * 33), as_board("2")
    ([[2, 0]], [[2], [-4]], None, None)
    """
    return rows_of(value, LONGEST**2)


def table_of(board: Board, marks: Mapping[Square, str] | None = None) -> str:
    """Return a board as an HTML table, without the style that it needs.

    `marks` has a word for each square that is to be outlined; screen readers read this word.
    "differs" marks a wrong tile. "correct", "wrong" and "named" mark the squares of an answer;
    "named" is for an answer that is not compared with another.
    """
    marked = marks or {}
    width = max(len(row) for row in board) * SIZE
    body = ""
    for number, line in enumerate(board):
        body += "<tr>"
        for column, tile in enumerate(line):
            mark = note = ""
            if word := marked.get((number, column)):
                mark = f" c2048-{word if word in ('correct', 'named') else 'marked'}"
                note = f'<span class="c2048-hidden"> {word}</span>'
            inside = '<span class="c2048-hidden">0</span>'
            if tile:
                style = f"--digits: {len(str(tile))}; --face: var(--tile-{abs(tile)})"
                facts = f'data-tile="{abs(tile)}"' + (' data-owner="second"' if tile < 0 else "")
                inside = f'<div class="c2048-tile" {facts} style="{style}">{tile}</div>'
            square = f'<div class="c2048-square">{inside}{note}</div>'
            body += f'<td class="c2048-cell{mark}">{square}</td>'
        body += "</tr>"
    return f'<table class="c2048-board c2048-small" style="width: {width}px">{body}</table>'


def drawn(value: Any) -> Any:
    """Return a board as it is, a line as a board of one row, and `None` for any other value.

    Unlike `as_board`, this accepts boards of any size, but no negative tiles.
    """
    return [value] if is_line(value) else value if is_board(value) else None


def call_motion(arguments: Sequence[Any], answer: Any) -> dict[str, Any] | None:
    """Return how tiles move from the first argument of a call to its answer, as plain lists.

    Tiles move from a line to a line of the same length. If another argument is a direction, they
    also move from a board to a board of the same shape. In all other cases, the result is `None`.

    >>> call_motion([[0, 2]], [2, 0])["glides"]
    [[0, 1, 0, 0, 2]]
    """
    if not arguments or not as_board(answer) or not as_board(arguments[0]):
        return None
    before, ways = arguments[0], [each for each in arguments[1:] if type(each) is str]
    if is_line(before) and is_line(answer):
        same = len(before) == len(answer)
        return board_motion([before], [answer], "left").as_json() if same else None
    shapes = [(len(each), len(each[0])) for each in (before, answer) if is_board(each)]
    if ways[:1] and ways[0] in DIRECTIONS and shapes[:1] * 2 == shapes:
        return board_motion(before, answer, ways[0]).as_json()
    return None


def with_code(sentence: str) -> str:
    """Return a sentence as HTML, with all that stands between backticks as code.

    >>> with_code("Is `1 < 2`?")
    'Is <code>1 &lt; 2</code>?'
    """
    return CODE.sub(r"<code>\1</code>", escape(sentence))


# --- cards: small tables on a background of their own, the same for all results


def card(title: str, *parts: str) -> str:
    """Return a card with a title, as HTML with its style; `parts` are HTML and may be empty.

    >>> card("1 < 2").endswith('<div class="c2048-card-title">1 &lt; 2</div></div>')
    True
    """
    name = f'<div class="c2048-card-title">{escape(title)}</div>'
    style = f"<style>{read('table_card.css')}</style>"
    return f'{style}<div class="c2048-card">{name}{"".join(parts)}</div>'


def table(rows: Iterable[str], heads: Sequence[str] = ()) -> str:
    """Return rows as a table; `heads` are the texts above its columns, some of them empty."""
    names = "".join(f'<th scope="col">{escape(h)}</th>' if h else "<td></td>" for h in heads)
    head = f"<thead><tr>{names}</tr></thead>" if heads else ""
    return f'<table class="c2048-table">{head}<tbody>{"".join(rows)}</tbody></table>'


def row(name: str, *cells: str) -> str:
    """Return a row of a table: its name, as HTML, and then its cells.

    >>> row("merge", cell("yours", "done"))
    '<tr><th scope="row">merge</th><td class="c2048-done">yours</td></tr>'
    """
    return f'<tr><th scope="row">{name}</th>{"".join(cells)}</tr>'


def cell(text: str, kind: str) -> str:
    """Return a `<td>` with a text; `kind`, its style, is `done`, `of`, `total`, or `why`."""
    return f'<td class="c2048-{kind}">{escape(text)}</td>'


def count(number: int, part: float, kind: str = "count") -> str:
    """Return a `<td>` with a number, over a bar that is filled up to `part`, from 0 to 1.

    With the kind `heat`, there is no bar: the greater `part`, the stronger is the background.
    """
    return f'<td class="c2048-{kind}" style="--part:{part:.2f}">{number}</td>'


# --- the saved output of a widget: a picture for a notebook in which the widget is not live


def show(widget: Any, picture: str, caption: str, text: str = "") -> None:
    """Display a picture with a caption, then a widget; a live widget hides its picture.

    In a notebook that is opened again, no widget is live, and JupyterLab would only write "Error
    displaying widget". `text` is for readers who see no pictures; by default, it is the caption.
    """
    if ipython_shell() is None:
        return
    display = sys.modules["IPython"].display.display
    saved = saved_html(widget.saved_id, picture, caption)
    display({"text/html": saved, "text/plain": text or caption}, raw=True)
    view = {"version_major": 2, "version_minor": 1, "model_id": widget.model_id}
    live = {"application/vnd.jupyter.widget-view+json": view, "text/plain": repr(widget)}
    display(live, raw=True)


def saved_html(saved_id: str, picture: str, caption: str) -> str:
    """Return HTML with a picture that appears after 1.5 seconds, unless a live widget hides it."""
    return (
        f"<style>{STYLE}</style>"
        f'<div class="c2048-saved c2048-saved-{saved_id}">{picture}<p>{escape(caption)}</p></div>'
    )
