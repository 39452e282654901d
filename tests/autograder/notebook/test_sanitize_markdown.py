"""Students' text cells in nbgrader's pages: they are shown without scripts or other active HTML."""

import base64
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import nbgrader
import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter

from autograder.course_adapter import ROOT, lesson_order
from autograder.grading_data import CellKind, Submission
from autograder.notebook.find_submitted_notebook import handin_of, understand
from autograder.notebook.make_graded_notebook import as_notebook
from autograder.notebook.master import Master, MasterCell, read_master
from autograder.sample import Sampler
from tests.autograder.grading_helpers import LESSON, the_master

TEMPLATES = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
STYLES = TEMPLATES.parent / "static" / "node_modules" / "bootstrap" / "dist" / "css"
# one pixel
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1").decode()

HONEST = [
    "a < b",
    "x<y",
    "`<script>` is a tag",
    "$a<b$ and $c>d$",
    r"\begin{align} a & < b \\ c & > d \end{align}",
    "[the rules](https://example.org/2048?size=4&goal=2048)",
    "[below](#the-end), [a person](mailto:a@example.org), line[0] (the front)",
    "![my picture](pictures/mine.png)",
    "<https://example.org>",
    "https://example.org",
    "```\n<script>alert(1)</script>\n```",
    "~~~html\n<p onclick='x'>\n~~~",
    "    <script>in a block of code</script>",
    "<b>bold</b>, <br> and <img src='pictures/x.png' width=30>",
    "| a | b |\n|---|---|\n| <2 | 4> |",
    "<table><tr><td>2</td></tr></table>",
    "<details><summary>why</summary>\n\nbecause\n\n</details>",
    "# Title <3",
    "Alert\n---\n<div class='alert alert-info'>\n\n`x` **of**\n\n</div>\n\n```python\nx = 2\n```",
    "- [x] <b>done</b>\n- [ ] not yet",
    "Tom & Jerry &amp; &lt;friends&gt;",
    f"![me](data:image/png;base64,{PNG})",
    "the javascript: scheme, and onerror=alert(1) as text",
    "![me](attachment:me.png)",
    "\\alpha, {braces}, 50 % * 2 _ 3",
    "<!-- a note -->",
    "<img src=x onerror=alert(1)",
]
ACTIVE = [
    "<script>alert(1)</script>",
    "<ScRiPt src=https://example.org/x.js></sCrIpT>",
    "<img src=x onerror=alert(1)>",
    "<b\nonmouseover=alert(1)>x</b>",
    "<x onclick=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<math><a xlink:href='javascript:alert(1)'>x</a></math>",
    "<iframe src=https://example.org></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<style>body { display: none }</style>",
    "<p style='position: fixed; inset: 0'>x</p>",
    "<form action=https://example.org><input name=x autofocus onfocus=alert(1)></form>",
    "<input type=text>",
    "<object data=x></object><embed src=x>",
    "<base href=https://example.org>",
    "<meta http-equiv=refresh content='0; url=https://example.org'>",
    "<link rel=stylesheet href=https://example.org/x.css>",
    "<textarea>",
    "<!--",
    "<![CDATA[<script>alert(1)</script>]]>",
    "</div></div></div></body>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#115;cript:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x][1]\n\n[1]: javascript:alert(1)",
    "[x]\n\n[x]: <javascript:alert(1)> 'title'",
    "<javascript:alert(1)>",
    "<a href='java&#10;script:alert(1)'>x</a>",
    "<a href=' javascript:alert(1)'>x</a>",
    "<a href='vbscript:x'>x</a>",
    "![x](javascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "```mermaid\n<img src=x onerror=alert(1)>\n```",
    "```mermaid\ngraph TD\n```",
    "[my picture](page.html)",
    "[x][1]\n\n[1]: <sub/page.html> 'title'",
    "[x]\n\n[x]: ../page.svg",
    "<a href=page.html>x</a>",
    "<a href='https:page.html'>x</a>",
    r"<a href='https:\page.html'>x</a>",
    "<a href=//example.org/page.html>x</a>",
    r"$\href{javascript:alert(1)}{x}$",
    r"$\require{html}\style{position:fixed}{x}$",
    r"$\let\x\href \x{javascript:alert(1)}{x}$",
    "\\begin{align}\n\\newcommand{\\x}{\\href}\n\\end{align}\n\n$\\x{javascript:alert(1)}{x}$",
    "![x](https://example.org/seen.png)",
    "<img src=//example.org/seen.png>",
    "<p class='nbgrader_cell'>x</p>",
    "<b class='btn score'>x</b>",
    "<p id=no-chain>x</p>",
    "# no-chain",
    "> 1. ## no **chain**",
    "no-chain comment\n===",
    "> - <script>alert(1)</script>",
    "| a |\n|---|\n| <img src=x onerror=alert(1)> |",
    "```text\n```\n<script>alert(1)</script>",
    "<b>" + "x" * 30_000 + "<img src=x onerror=alert(1)>",
]
CLASSES = ".mermaid, .nbgrader_cell, .score"
FORBIDDEN = "script,svg,math,iframe,object,embed,style,form,input,textarea,base,meta,link"


def own(source: str, cell_type: str = "markdown", **more: Any) -> dict[str, Any]:
    return {"cell_type": cell_type, "id": "mine", "metadata": {}, "source": source, **more}


@cache
def right_notebook() -> str:
    return json.dumps(Sampler(ROOT, LESSON).notebook())


def hand_in(*cells: dict[str, Any], master: Master | None = None) -> Submission:
    """Return the repaired submission of right answers with more cells at its end."""
    notebook = json.loads(right_notebook())
    notebook["cells"] += cells
    data = json.dumps(notebook).encode()
    return understand(handin_of("merge-a-line.ipynb", data), master or the_master())


@cache
def exporter() -> HTMLExporter:
    return HTMLExporter(
        template_name="feedback",
        extra_template_basedirs=[str(TEMPLATES)],
        extra_template_paths=[str(STYLES)],
    )


def page(submission: Submission) -> BeautifulSoup:
    """Return nbgrader's page, parsed, with two cells: the last two without nbgrader's metadata."""
    notebook = nbformat.from_dict(as_notebook(submission, the_master()))
    nbformat.validate(notebook)
    notebook.cells = [cell for cell in notebook.cells if "nbgrader" not in cell.metadata][-2:]
    names = {"notebook": "merge-a-line", "score": 0, "max_score": 12, "late_penalty": 0}
    html, _ = exporter().from_notebook_node(notebook, {"nbgrader": names})
    return BeautifulSoup(html, "html.parser").find(id="notebook-container")


def active(found: BeautifulSoup) -> list[str]:
    """Return all tags of a page that a browser would run, load or obey, or that imitate a score."""
    boxes = found.select("input[type=checkbox][disabled]")
    bad = [str(tag) for tag in found.find_all(FORBIDDEN.split(",")) if tag not in boxes]
    for tag in found.find_all(True):
        for name, value in tag.attrs.items():
            address = "".join(str(value).split()).lower()
            if (
                name.startswith("on")
                or name == "style"
                or "script:" in address
                or (name == "href" and not address.startswith(("https://", "mailto:", "#")))
                or (name == "src" and "//" in address)
                or (name == "id" and address.startswith("no-chain"))
                or (address.startswith("data:") and not address.startswith("data:image/png"))
            ):
                bad.append(str(tag)[:200])
    return bad + [tag for tag in (str(one) for one in found.select(CLASSES)) if tag]


@pytest.mark.parametrize("source", HONEST)
def test_honest_text_stays_as_it_was_written(source: str) -> None:
    picture = {"me.png": {"image/png": PNG}}
    submission = hand_in(own(source, attachments=picture))
    assert submission.cells[-1].source == source
    assert submission.cells[-1].attachments == picture
    assert submission.problems == ()


@pytest.mark.parametrize("source", [*ACTIVE, *HONEST], ids=lambda source: source[:40])
def test_nothing_active_of_a_student_is_in_nbgraders_page(source: str) -> None:
    for cell_type in ("markdown", "raw"):
        submission = hand_in(own(source, cell_type), own("the end", id="end"))
        assert active(page(submission)) == []


@pytest.mark.parametrize("source", ACTIVE, ids=lambda source: source[:40])
def test_active_text_is_shown_as_plain_text_whole_and_is_listed(source: str) -> None:
    submission = hand_in(own(source), own("the end", id="end"))
    shown = page(submission).get_text()
    assert "".join(source.split()) in "".join(shown.split())
    assert "the end" in shown
    assert submission.problems == (
        "text cells with markup that may not be safe: 1; shown as plain text",
    )


@pytest.mark.deep
def test_text_that_would_take_hours_to_render_is_shown_as_plain_text() -> None:
    # `\\\\[` opens a formula, and its end is searched for in the whole text
    slow = [own(f"{number}" + "\\\\[" * 6000, id=f"slow-{number}") for number in range(300)]
    submission = hand_in(own("[a](https://example.org)"), *slow, own("the end"))
    long = [cell for cell in submission.cells if cell.source.startswith("```text\n")]
    assert len(long) == 294
    assert submission.cells[-1].source == "the end"
    assert "text cells that are too long to be laid out: 294; shown as plain text" in (
        submission.problems
    )


def test_an_answer_that_a_person_reads_is_no_way_in() -> None:
    marks = {"grade": True, "solution": True, "locked": False, "points": 3, "grade_id": "explain"}
    essay = MasterCell("explain", CellKind.MANUAL, "Why?", 3.0, "markdown", {"nbgrader": marks})
    longer = replace(the_master(), cells=(*the_master().cells, essay))
    answer = own(
        "<script>alert(1)</script>",
        id="explain",
        metadata={"nbgrader": marks},
        attachments={"me.png": {"image/png": PNG}},
    )
    submission = hand_in(answer, master=longer)
    assert submission.cells[-1].attachments == {"me.png": {"image/png": PNG}}
    assert "```" in submission.cells[-1].source


@pytest.mark.parametrize(
    "kinds",
    [
        {"image/svg+xml": "PHN2Zz4="},
        {"text/html": "PHNjcmlwdD4="},
        {"image/png": '"><script>alert(1)</script>'},
        {"image/png": ""},
        {'image/png"><script>': PNG},
    ],
    ids=str,
)
def test_an_attachment_that_is_no_picture_is_left_out_and_listed(kinds: dict[str, str]) -> None:
    cell = own("![me](attachment:me)", attachments={"me": kinds})
    submission = hand_in(cell)
    assert submission.cells[-1].attachments == {}
    assert active(page(submission)) == []
    lost = "attachments that are no png, jpeg, gif or webp picture: 1; left out"
    assert lost in submission.problems


@pytest.mark.parametrize("cell_type", ["code", "markdown", "raw"])
def test_characters_that_turn_the_direction_of_text_are_made_visible(cell_type: str) -> None:
    turns = "\u202e\u202a\u2066\u2069\u200e\u200f\u061c"
    submission = hand_in(own(f"'a{turns}b'", cell_type))
    escaped = "".join(f"\\u{ord(turn):04x}" for turn in turns)
    assert submission.cells[-1].source == f"'a{escaped}b'"
    assert submission.problems == (
        "cells with characters that turn the direction of text: 1; made visible",
    )


@pytest.mark.parametrize("lesson_id", lesson_order())
@pytest.mark.parametrize("folder", ["release", "source"])
def test_the_courses_own_texts_need_no_repair(folder: str, lesson_id: str) -> None:
    lesson = read_master(lesson_id, ROOT / "source")
    data = (ROOT / folder / lesson_id / lesson.notebook).read_bytes()
    assert understand(handin_of(lesson.notebook, data), lesson).problems == ()
