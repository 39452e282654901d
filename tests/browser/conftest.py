"""Fixtures for tests in a real browser: Chromium, blank pages, and a Jupyter server."""

import asyncio
import os
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright._impl._sync_base import SyncBase
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.notebook_page import NotebookPage
from tests.browser.servers import Server, jupyter_server
from tests.browser.widget_page import BlankPage
from tests.waiting import SECONDS

CHROMIUM = "/usr/bin/chromium-headless-shell"
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-proxy-server",
    "--no-first-run",
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests here as `browser`; run all that need the Jupyter server in one worker."""
    for item in items:
        if "tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
            if "server" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.xdist_group("jupyter"))


async def in_time(answer: Awaitable[Any]) -> Any:
    """Wait for an answer of the browser, and return it; raise `TimeoutError` after `2 * SECONDS`.

    Without this limit, Playwright would wait for ever for a script, or for a page to open or close.
    """
    async with asyncio.timeout(2 * SECONDS):
        return await answer


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Yield Debian's Chromium, running without a window and without a network."""
    expect.set_options(timeout=1000 * SECONDS)
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        wait = SyncBase._sync
        patch.setattr(SyncBase, "_sync", lambda self, answer: wait(self, in_time(answer)))
        own = {"XDG_RUNTIME_DIR": str(tmp_path_factory.mktemp("chromium"))}
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=OPTIONS, env={**os.environ, **own}
        )
        yield browser
        browser.close()


@contextmanager
def new_page(
    chromium: Browser, width: int = 1100, height: int = 900, **options: Any
) -> Iterator[Page]:
    """Yield a page without data of earlier pages; its long timeouts suit a busy machine."""
    context = chromium.new_context(viewport={"width": width, "height": height}, **options)
    context.set_default_timeout(1000 * SECONDS)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with new_page(chromium) as made:
        yield made


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start one Jupyter server for all tests; each test opens notebooks in its own folders."""
    with jupyter_server(tmp_path_factory.mktemp("jupyter")) as running:
        yield running


@pytest.fixture(scope="session")
def lab_page(chromium: Browser) -> Iterator[Page]:
    """Yield one page for all tests, so that JupyterLab is loaded only once."""
    with new_page(chromium) as made:
        yield made


@pytest.fixture
def lab(lab_page: Page, server: Server) -> NotebookPage:
    return NotebookPage(lab_page, server, "lab")


@pytest.fixture
def notebook7(page: Page, server: Server) -> NotebookPage:
    return NotebookPage(page, server, "notebook")


@pytest.fixture(scope="session")
def blank_host(chromium: Browser) -> Iterator[BlankPage]:
    """Yield one blank page for all tests of widgets without a server."""
    with new_page(chromium) as made:
        yield BlankPage(made)


@pytest.fixture
def blank(blank_host: BlankPage) -> Iterator[BlankPage]:
    yield from emptied(blank_host)


@pytest.fixture(scope="session")
def timed_host(chromium: Browser) -> Iterator[BlankPage]:
    """Yield one blank page for all tests that set its clock."""
    with new_page(chromium) as made:
        made.clock.install()
        yield BlankPage(made)


@pytest.fixture
def timed_blank(timed_host: BlankPage) -> Iterator[BlankPage]:
    yield from emptied(timed_host)


def emptied(host: BlankPage) -> Iterator[BlankPage]:
    """Empty a page for one test, yield it, and wait until all is answered."""
    host.clear()
    yield host
    host.settle()
