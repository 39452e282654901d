"""The keys for the ear on a board on a blank page."""

import pytest
from playwright.sync_api import Page

from tests.browser.blank import BlankPage
from tests.browser.board import show


def scheme(page: Page) -> str | None:
    return page.locator(".c2048-play").get_attribute("data-keys")


def test_the_keys_for_the_ear_are_explained_and_of_this_board_alone(blank: BlankPage) -> None:
    blank.remember()
    page = show(blank)
    toggle = page.get_by_role("button", name="Keys for the ear")
    assert toggle.get_attribute("aria-pressed") == "false"
    assert not page.locator(".c2048-ear").is_visible()
    toggle.click()
    assert "the arrow keys walk over the squares" in page.locator(".c2048-ear").inner_text()
    assert "the arrow keys walk" in page.get_by_role("status").inner_text()
    show(blank)
    assert scheme(page) == "eye"


def test_the_keys_for_the_ear_are_kept_for_who_wants_them(blank: BlankPage) -> None:
    blank.remember()
    page = show(blank)
    page.get_by_role("button", name="Keys for the ear").click()
    page.get_by_label("Start every new board with these keys").check()
    show(blank)
    assert scheme(page) == "ear"
    assert page.get_by_label("Start every new board with these keys").is_checked()
    show(blank, keys="eye")
    assert scheme(page) == "eye"
    show(blank)
    page.get_by_role("button", name="Keys for the ear").click()
    show(blank)
    assert scheme(page) == "eye"


def test_with_the_keys_for_the_ear_columns_and_rows_are_named_at_the_edges(
    blank: BlankPage,
) -> None:
    page = show(blank)
    assert not page.locator(".c2048-edge").first.is_visible()
    page.get_by_role("button", name="Keys for the ear").click()
    names = [each.split() for each in page.locator(".c2048-edge").all_inner_texts()]
    assert names == [["A", "B", "C", "D"], ["1", "2", "3", "4"]]
    middle = """node => { const box = node.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2]; }"""
    corner = page.locator(".c2048-cell").last.evaluate(middle)
    assert page.locator(".c2048-letters span").last.evaluate(middle)[0] == pytest.approx(
        corner[0], abs=2
    )
    assert page.locator(".c2048-digits span").last.evaluate(middle)[1] == pytest.approx(
        corner[1], abs=2
    )
