"""Puzzles in a browser: the lines of a program are put in order by keys alone."""

from playwright.sync_api import Page

from course.hints.parsons_puzzles import Puzzle, Row, puzzle

PROGRAM = "[aria-label='Your program']"
BIN = "[aria-label^='Bin']"


def known(name: str) -> Puzzle:
    found = puzzle(name)
    assert found is not None
    return found


def lines(page: Page, where: str = PROGRAM) -> list[str]:
    """Return the lines of the program (or of another list, such as the bin) from top to bottom."""
    return page.locator(f"{where} code").all_text_contents()


def keys(page: Page, *names: str) -> None:
    for name in names:
        page.keyboard.press(name)


def choose(page: Page, text: str) -> int:
    """Move the focus to a line of the program by arrow keys; return the index of the line."""
    page.locator(f"{PROGRAM} [tabindex='0']").focus()
    now = lines(page).index(page.locator(":focus code").text_content() or "")
    wanted = lines(page).index(text)
    keys(page, *["ArrowDown" if wanted > now else "ArrowUp"] * abs(wanted - now))
    return wanted


def arrange(page: Page, about: Puzzle, rows: tuple[Row, ...]) -> None:
    """Put the lines `rows` at the top of the program by keys, in order and indented.

    Stray lines, which no right program needs, go to the bin unless `rows` has them. No text may
    occur twice in the program.
    """
    for text in about.strays:
        if text not in [row.text for row in rows]:
            choose(page, text)
            keys(page, "Delete")
    for place, row in enumerate(rows):
        up = choose(page, row.text) - place
        right = row.indent - about.base
        keys(page, " ", *["ArrowUp"] * up, *["ArrowRight"] * right, " ")


def check(page: Page) -> None:
    page.get_by_role("button", name="Check my program").focus()
    keys(page, "Enter")
