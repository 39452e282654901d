"""HTML without script: boards, cards and tables."""

from course.widgets.static_html import board_html, card, cell, count, row, table


def test_a_drawn_board_says_every_tile() -> None:
    html = board_html([[2, 0], [131072, 4]])
    assert [html.count(f">{tile}</div>") for tile in (2, 131072, 4)] == [1, 1, 1]


def test_text_in_a_card_is_never_html_and_a_number_stands_beside_its_bar() -> None:
    html = card("<b>", table([row("merge", cell("<i>", "why"))], ["<u>"]))
    assert not {"<b>", "<i>", "<u>"} & set(html.replace(">", "> ").split())
    assert "&lt;i&gt;" in html
    assert ">5</td>" in count(5, 0.5)
