"""Tables look the same in every notebook, whatever style that has for tables of its own."""

import re

import pytest

from course import rules
from course.lessons import lessons
from course.mine.whose import Piece
from course.widgets.compare import compare
from course.widgets.progress import Progress
from course.widgets.tally import tally
from course.widgets.whose import Pieces

CARDS = {
    "tally": lambda: tally(rules.spawn, times=20),
    "compare": lambda: compare(rules.Game, games=1),
    "progress": lambda: Progress({}),
    "pieces": lambda: Pieces([Piece("merge", rules.merge, True), Piece("slide", None, False)]),
}


@pytest.mark.parametrize("name", CARDS)
def test_no_row_and_no_square_gets_the_stripes_of_the_notebook(name: str):
    html = CARDS[name]()._repr_html_()
    parts = re.findall(r"<t[rhd]\b[^>]*>", html)
    bare = [part for part in parts if "background" not in part and part != "<td>"]
    assert parts
    assert bare == []


@pytest.mark.parametrize("name", CARDS)
def test_every_link_has_a_colour_that_goes_with_its_ground(name: str):
    links = re.findall(r"<a\b[^>]*>", CARDS[name]()._repr_html_())
    assert all("color:" in link for link in links)
    assert len(links) == (len(lessons()) if name == "progress" else 0)
