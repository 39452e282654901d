"""A real browser for the tests here: Chromium, a blank page, and a Jupyter server of its own."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.blank import BlankPage
from tests.browser.notebooks import NotebookPage
from tests.browser.servers import Server, jupyter_server
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
    """Everything here needs the browser; one worker has the one Jupyter server."""
    for item in items:
        if "tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
            if "server" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.xdist_group("jupyter"))


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Debian's Chromium, without a window and without a network."""
    expect.set_options(timeout=1000 * SECONDS)
    with sync_playwright() as playwright:
        own = {"XDG_RUNTIME_DIR": str(tmp_path_factory.mktemp("chromium"))}
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=OPTIONS, env={**os.environ, **own}
        )
        yield browser
        browser.close()


@contextmanager
def new_page(chromium: Browser) -> Iterator[Page]:
    """A page of a new, forgetful browser, which is patient on a busy machine."""
    context = chromium.new_context(viewport={"width": 1100, "height": 900})
    context.set_default_timeout(1000 * SECONDS)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page for one test."""
    with new_page(chromium) as made:
        yield made


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One Jupyter server; each test opens notebooks in folders of its own."""
    with jupyter_server(tmp_path_factory.mktemp("jupyter")) as running:
        yield running


@pytest.fixture(scope="session")
def lab_page(chromium: Browser) -> Iterator[Page]:
    """The one page on which JupyterLab is loaded once, for all tests."""
    with new_page(chromium) as made:
        yield made


@pytest.fixture
def lab(lab_page: Page, server: Server) -> NotebookPage:
    """JupyterLab, ready to open a notebook."""
    return NotebookPage(lab_page, server, "lab")


@pytest.fixture
def notebook7(page: Page, server: Server) -> NotebookPage:
    """Notebook 7, ready to open a notebook."""
    return NotebookPage(page, server, "notebook")


@pytest.fixture(scope="session")
def blank_host(chromium: Browser) -> Iterator[BlankPage]:
    """The one page that all tests of a script alone are shown on."""
    with new_page(chromium) as made:
        yield BlankPage(made)


@pytest.fixture
def blank(blank_host: BlankPage) -> Iterator[BlankPage]:
    """A blank page for a widget's script alone."""
    blank_host.clear()
    yield blank_host
    blank_host.settle()


@pytest.fixture(scope="session")
def timed_host(chromium: Browser) -> Iterator[BlankPage]:
    """The same, with a clock that tests set."""
    with new_page(chromium) as made:
        made.clock.install()
        yield BlankPage(made)


@pytest.fixture
def timed_blank(timed_host: BlankPage) -> Iterator[BlankPage]:
    """A blank page whose clock the test sets."""
    timed_host.clear()
    yield timed_host
    timed_host.settle()
