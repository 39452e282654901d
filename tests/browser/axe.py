"""axe, a program that finds what keeps people from using a page."""

from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"


def violations(page: Page, where: str = "main") -> list[str]:
    """Return the faults that axe finds below a selector; fail if it has not checked colours."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("async (where) => await axe.run(where)", where)
    assert "color-contrast" in [each["id"] for each in found["passes"]]
    return [
        f"{each['id']}: {node['html'][:120]} {node['failureSummary'][:300]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]
