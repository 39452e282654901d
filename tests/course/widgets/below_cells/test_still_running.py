"""A line below a cell that runs for long says how to stop it, and goes when the cell ends."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel

from course.widgets import static_html
from course.widgets.below_cells import still_running
from course.widgets.below_cells.still_running import SAID, say_if_still_running
from tests.waiting import until

VIEW = Path(static_html.__file__).parent / "static" / "play" / "live_view.js"


class Shell:
    """A shell that keeps what is published, and whose cells begin and end as the test says."""

    def __init__(self, has_person: bool = True) -> None:
        self.published: list[tuple[Any, bool]] = []
        self.calls: dict[str, Any] = {}
        self.events = SimpleNamespace(register=self.calls.__setitem__)
        message = {"content": {"allow_stdin": has_person}}
        self.kernel = SimpleNamespace(get_parent=lambda: message)
        self.display_pub = SimpleNamespace(publish=self.publish)
        say_if_still_running(self)

    def publish(self, data: Any, *, transient: Any, update: bool = False) -> None:
        self.published.append((data.get("text/plain"), update))

    def begin(self) -> None:
        self.calls["pre_run_cell"](None)

    def end(self) -> None:
        self.calls["post_run_cell"](None)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(still_running, "PATIENCE", 0.001)


def test_the_line_is_shown_while_the_cell_runs_and_goes_when_it_ends(impatient: None) -> None:
    shell = Shell()
    shell.begin()
    until(lambda: shell.published, "the line is shown")
    shell.end()
    assert shell.published == [(SAID, False), (None, True)]


def test_a_quick_cell_shows_no_line() -> None:
    shell = Shell()
    shell.begin()
    shell.end()
    assert shell.published == []


def test_nothing_begins_where_nobody_could_press_a_button(impatient: None) -> None:
    shell = Shell(has_person=False)
    shell.begin()
    shell.end()
    assert shell.published == []


def test_a_cell_that_waits_for_input_shows_no_line(
    impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, look = [], still_running._is_asking
    monkeypatch.setattr(still_running, "_is_asking", lambda: found.append(look()) or found[-1])

    def _input_request() -> None:  # the name of the kernel's method
        shell.begin()
        until(lambda: len(found) > 2, "it was looked a few times")
        shell.end()

    shell = Shell()
    _input_request()
    assert set(found) == {True}
    assert shell.published == []


def test_the_boards_say_it_in_the_same_words() -> None:
    assert SAID.split(" … ")[1] in VIEW.read_text("utf-8")


@pytest.mark.slow
def test_in_a_kernel_the_line_belongs_to_the_cell_and_leaves_no_words_behind() -> None:
    manager, client = start_new_kernel(kernel_name="python3")
    seen: list[tuple[str, Any]] = []

    def look(message: dict[str, Any]) -> None:
        content = message["content"]
        seen.append((message["msg_type"], content.get("data", {}).get("text/plain")))
        if message["msg_type"] == "display_data":
            manager.interrupt_kernel()

    try:
        start = "import course.widgets.below_cells.still_running as lines\nlines.PATIENCE = 0.1"
        client.execute_interactive(f"from course import check\n{start}", timeout=60)
        client.execute_interactive("while True: pass", timeout=60, output_hook=look)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    kinds = [kind for kind, _ in seen if kind not in ("status", "execute_input")]
    assert kinds == ["display_data", "error", "update_display_data"]
    assert ("display_data", SAID) in seen
    assert ("update_display_data", None) in seen
