"""Functions that make students' text cells harmless for the people who read them.

A text cell is active if something in it could run in a reader's browser, such as a script; could
make the browser ask another server, such as a picture from elsewhere; or could pass for a part of
the page itself, such as an element with the name of a test. To find this out, the cell is rendered
as in nbgrader's pages. Only active and very long cells are shown as plain text.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from html import unescape
from html.parser import HTMLParser

import nh3

from autograder.grading_data import Cell
from autograder.notebook.outputs_from_jail import is_picture
from autograder.notebook.safe_text import unturned

_NAMES = (
    "a abbr b blockquote br caption center code dd del details div dl dt em figcaption figure h1 "
    "h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q s samp small span strong sub summary "
    "sup table tbody td tfoot th thead tr tt u ul var"
)
_TAGS = set(_NAMES.split())
_ANY = {"title", "align", "id", "class", "lang", "dir"}
_ATTRIBUTES = {
    "*": _ANY,
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "input": {"type", "checked", "disabled"},  # the box in a list of tasks
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
_SCHEMES = {"http", "https", "mailto", "data"}
_ATTACHED = "AAAA"  # stands for the data of an attachment, which was examined before
_PICTURE = re.compile(r"data:(image/\w+);base64,([A-Za-z0-9+/=\s]*+)\Z")
# no relative link: formgrader serves the student's own files as its own pages
_ELSEWHERE = re.compile(r"https?://[^/\\]|mailto:|#", re.I)
_ADDRESS = re.compile(r"[\\/]{2}|[a-z][a-z0-9+.-]*:", re.I)
# Whatever may be active: markup, links, addresses with a scheme, commands to MathJax, diagrams.
_SUSPICIOUS = re.compile(
    r"<[a-z/!?]|\](?:\(|\[|:)|script:|data:|attachment:|mermaid|\\(?:href|url|require|style|css|class|html|data)",
    re.I,
)
_HEADING = re.compile(r"#|[=-]\s*(?:\r|$)", re.MULTILINE)  # perhaps a heading; pages give it an id
# In a formula, a command counts even without a brace, as \let\x\href gives it another name.
_COMMAND = r"\\(?:href|url|require|style|cssId|class|html[a-zA-Z]*|data)"
_MATHJAX = re.compile(rf"{_COMMAND}\s*+[{{\[]")
_IN_FORMULA = re.compile(rf"(?:\$|\\\(|\\\[|\\begin\b).*{_COMMAND}(?![a-zA-Z])", re.DOTALL)
# the renderer's classes for links to headings, lists of tasks, coloured code; and those of alerts
_CLASS = r"anchor-link|highlight|hl-\S+|task-list-item(?:-checkbox)?|alert(?:-\w+)?|[a-z]{1,2}\d?"
_CLASSES = re.compile(rf"\s*(?:(?:{_CLASS})(?:\s+|\Z))*")
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\x9f\\]+")
_LONGEST = 20_000  # characters; longer texts take too long to render
_MOST_WORK = 2 * 10**9  # sum of squared lengths; rendering may take quadratic time
_FENCE = re.compile(r"`+")


def harmless(cell: Cell, is_too_long: bool = False, reserved: frozenset[str] = frozenset()) -> Cell:
    """Return a harmless copy of a cell, without attachments that are no pictures.

    Text that is active, or too long to be rendered, becomes plain text. `reserved` are names by
    which formgrader finds the box for a score, so no element may have one as its `id`.
    """
    text = unturned(cell.source)
    if cell.cell_type == "code":
        return replace(cell, source=text)
    pictures: dict[str, dict[str, str]] = {}
    for name, kinds in cell.attachments.items():
        for kind, data in kinds.items():
            if is_picture(kind, data):
                pictures.setdefault(name, {})[kind] = data
    names = tuple(sorted((name, next(iter(kinds))) for name, kinds in pictures.items()))
    # also without the escapes that may disguise a word, such as `java&#x73;cript&colon;`
    forms = (text, unescape(text), _UNSEEN.sub("", unescape(text)))
    is_odd = any(map(_SUSPICIOUS.search, forms)) or (reserved and _HEADING.search(text))
    if is_too_long or (is_odd and not _is_harmless(text, cell.cell_type, names, reserved)):
        return replace(cell, cell_type="markdown", source=as_plain_text(text), attachments=pictures)
    return replace(cell, source=text, attachments=pictures)


def too_long(cells: Iterable[Cell]) -> set[str]:
    """Return the ids of the text cells that would take too long to render."""
    left = _MOST_WORK
    found = set()
    for cell in cells:
        work = len(cell.source) ** 2 if cell.cell_type != "code" else 0
        if work > left:
            found.add(cell.id)
        else:
            left -= work
    return found


def as_plain_text(source: str) -> str:
    r"""Return a text in a code fence, where nothing is markup.

    >>> as_plain_text("<b>")
    '```text\n<b>\n```'
    """
    longest = max((len(run) for run in _FENCE.findall(source)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{source}\n{fence}"


@lru_cache(maxsize=512)
def _is_harmless(
    text: str, cell_type: str, names: tuple[tuple[str, str], ...], reserved: frozenset[str]
) -> bool:
    if len(text) > _LONGEST:
        return False
    page = text
    if cell_type != "raw":
        # it takes a while to load, and most texts do not need it
        from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

        attachments = {name: {kind: _ATTACHED} for name, kind in names}
        renderer = IPythonRenderer(escape=False, attachments=attachments)
        try:
            page = str(MarkdownWithMath(renderer=renderer).render(text))
        except Exception:  # the same error would keep nbgrader from making the student's page
            return False
    kept = nh3.clean(
        page,
        tags=_TAGS,
        clean_content_tags=set(),
        attributes=_ATTRIBUTES,
        attribute_filter=_harmless_attribute,
        link_rel=None,
        url_schemes=_SCHEMES,
    )
    before, after = _Reader(page), _Reader(kept)
    is_whole = before.elements == after.elements and before.text == after.text
    return is_whole and not before.is_odd and reserved.isdisjoint(before.ids)


def _harmless_attribute(tag: str, attribute: str, value: str) -> str | None:
    scheme = _UNSEEN.sub("", value).lower()
    if attribute in ("href", "src") and scheme.startswith("data:"):
        found = _PICTURE.match(value)
        is_shown = found and (found[2] == _ATTACHED or is_picture(found[1], found[2]))
        return value if tag == "img" and is_shown else None
    if attribute == "href" and not _ELSEWHERE.match(scheme):
        return None
    if attribute == "src" and _ADDRESS.match(scheme):
        return None
    if attribute == "class" and not _CLASSES.fullmatch(value):
        return None
    if tag == "input" and attribute == "type" and value != "checkbox":
        return None
    return value


class _Reader(HTMLParser):
    """The parts of an HTML page: elements with their attributes, and text without white space.

    `ids` are the values of the attributes `id` and `name`. `is_odd` is true if the page has
    declarations or processing instructions, an end tag without a start tag, or commands to MathJax
    outside of code.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, list[tuple[str, str]]]] = []
        self.ids: set[str] = set()
        self.is_odd = False
        self._texts: list[str] = []
        self._open: Counter[str] = Counter()
        self.feed(page)
        self.close()
        self.text = "".join("".join(self._texts).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[tag] += 1
        if tag != "tbody":  # a browser adds it
            self.elements.append((tag, sorted((name, value or "") for name, value in attrs)))
            self.ids |= {value or "" for name, value in attrs if name in ("id", "name")}

    def handle_endtag(self, tag: str) -> None:
        self._open[tag] -= 1
        self.is_odd |= self._open[tag] < 0

    def handle_data(self, data: str) -> None:
        self._texts.append(data)
        if not self._open["code"]:
            self.is_odd |= bool(_MATHJAX.search(data) or _IN_FORMULA.search(data))

    def handle_decl(self, decl: str) -> None:
        self.is_odd = True

    def unknown_decl(self, data: str) -> None:
        self.is_odd = True

    def handle_pi(self, data: str) -> None:
        self.is_odd = True
