"""A card brings its style along, and its numbers are read without it, too."""

from course import rules
from course.lessons import lessons
from course.widgets.charts import compare
from course.widgets.picture import card, cell, count, row, table
from course.widgets.progress import Progress


def test_text_in_a_card_is_never_html() -> None:
    html = card("<b>", table([row("merge", cell("<i>", "why"))], ["<u>"]))
    assert not {"<b>", "<i>", "<u>"} & set(html.replace(">", "> ").split())
    assert "&lt;i&gt;" in html


def test_a_number_stands_beside_its_bar() -> None:
    assert ">5</td>" in count(5, 0.5)


def test_a_chart_has_a_row_for_each_tile_and_each_total() -> None:
    chart = compare(rules.Game, games=2)
    assert chart._repr_html_().count('<th scope="row">') == len(chart.tiles) + 3


def test_the_map_links_to_every_lesson() -> None:
    assert Progress({})._repr_html_().count("<a href=") == len(lessons())
