"""Messages below a cell: hints, lines that are missing, a cell that runs for long."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course.checks import CheckFailed, NoAnswer
from course.widgets import static_html
from course.widgets.below_cells import still_running
from course.widgets.below_cells.cell_messages import _cell_has_run
from course.widgets.below_cells.cells_without_name import lack_of
from course.widgets.below_cells.error_advice import cut_recursion
from course.widgets.below_cells.still_running import SAID, say_if_still_running
from tests.kernels import new_kernel
from tests.waiting import until

SOURCE = "# merge-once: every pair merges once.\ncheck(merge, [4, 4, 4, 4], gives=[8, 8, 0, 0])"


@pytest.mark.parametrize(
    ("error", "seen"),
    [
        (CheckFailed("wrong\nHint: Look at the pairs."), "Look at the pairs."),
        (ZeroDivisionError(), ""),
        (NoAnswer(), ""),
        (KeyboardInterrupt(), ""),
    ],
    ids=["wrong", "an error", "late", "stopped"],
)
def test_below_a_check_that_fails_stands_a_button_for_hints(
    error: BaseException, seen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown: list[Any] = []
    monkeypatch.setattr("course.widgets.hint_widget.show", lambda made, *_: shown.append(made))
    info = SimpleNamespace(raw_cell=SOURCE, cell_id="merge-once")
    _cell_has_run(
        SimpleNamespace(info=info, success=False, error_before_exec=None, error_in_exec=error)
    )
    assert [(each.exercise, each.seen) for each in shown] == [("merge", seen)]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[[str, str], str]:
    """Return a function `run(source, cell)`, which runs a cell and returns what is shown below."""
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    shell.events.register("post_run_cell", _cell_has_run)

    def run(source: str, cell: str) -> str:
        shell.run_cell(source, cell_id=cell)
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("winning_tile == 2048", "one sign: == only compares"),
        ("print(2048)", "print only shows"),
        ("# winning_tile = 2048", "begins with # does nothing"),
        ("", "begins with # does nothing"),
        ("wining_tile = 2048", "is called wining_tile"),
        ("winning_tile = 2048\nraise NotImplementedError()", "is still there"),
        ("winning tile = 2048", "In line 1 (winning tile = 2048): invalid syntax"),
        ("raise NotImplementedError()", ""),
        ("winning_tile = 2048", ""),
        ("    winning_tile = 2048", ""),
    ],
)
def test_a_cell_that_does_not_define_its_name_is_told_why(
    run: Callable[[str, str], str], source: str, says: str
):
    run(source, "winning_tile")
    said = lack_of("winning_tile", is_known=False)
    assert says in said
    assert bool(says) == bool(said)


def test_an_older_value_says_nothing_about_a_cell(run: Callable[[str, str], str]):
    run("winning_tile = 2048", "winning_tile")
    assert "does not give it a value" in run("winning_tile == 2048", "winning_tile")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("winning_tile = 2,048", "digits only"),
        ("2048 = winning_tile", "on the left of ="),
        ("winning tile = 2048", "no blanks"),
        ("winning-tile = 2048", "no - in it"),
        ("return 2048", "inside a function"),
        ("print(winning_tile = 2048)", "winning_tile = and the value on a line of its own"),
    ],
)
def test_a_line_that_is_no_python_gets_a_sentence(
    run: Callable[[str, str], str], source: str, says: str
):
    assert says in run(source, "winning_tile")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("if not moved", "begins with if ends with :"),
        ("while tile and not merged", "begins with while ends with :"),
        ("for tile in [2,4,128]", "begins with for ends with :"),
        ("if len(line) > max and full", "begins with if ends with :"),
        ("if tile == '#'  # not yet!", "begins with if ends with :"),
        ("else if full:", "one word: elif"),
        ("if tile not 0:", "Not equal is !="),
        ("if not full and tile not 0:", "Not equal is !="),
        ("if score >= 25,000:", "digits only"),
        ("if 25,000 <= score:", "digits only"),
        ("if max line > 3:", "Behind max stand brackets"),
        ("tile = 2 +* 2  # not yet!", "Look just before the mark"),
        ("elif not moved:", "Look just before the mark"),
        ("merge([2,128]) == [2,128] []", "Look just before the mark"),
        ("for tile in list if", "Look just before the mark"),
    ],
)
def test_advice_on_a_line_is_not_about_what_is_right_in_it(
    run: Callable[[str, str], str], line: str, says: str
):
    before = "if True:\n    pass\n" if line.startswith("else") else ""
    assert says in run(f"{before}{line}\n    pass", "own-1")


def test_a_name_of_the_course_that_gets_another_meaning_is_told(run: Callable[[str, str], str]):
    said = "is the name of a function of the course"
    assert f"check {said}" in run("def check(line):\n    return line == []", "own-1")
    assert f"hint {said}" in run("hint = 'left'", "own-2")
    assert said not in run("def merge(line):\n    check = line == []\n    return check", "own-3")


def test_words_before_a_name_are_no_name_with_blanks(run: Callable[[str, str], str]):
    assert "no blanks" not in run("return tile = 2048", "winning_tile")


def test_a_function_that_is_missing_has_to_begin_with_def(run: Callable[[str, str], str]):
    run("tiles = [2]", "merge")
    assert lack_of("merge", is_known=False).endswith("a line that begins with def merge.")
    assert lack_of("merge", is_known=True) == ""
    run("def merge(line):\n    if line[0] = 2:\n        return line", "merge")
    assert "Maybe you meant '=='" in lack_of("merge", is_known=True)


def test_a_cell_that_has_lost_its_def_line_is_told_so(run: Callable[[str, str], str]):
    assert "It needs a line that begins with def merge." in run("new = line[:]", "merge")
    assert "It needs" not in run("def merge(line):\n    return line\nline", "merge")
    assert "It needs" not in run("new = line[:]", "merge-call")


THREE = """
def reset(n):
    return again(n + 1)
def again(n):
    return once_more(n) if n % 2 else once_more(n + 2)
def once_more(n):
    return reset(n)
reset(0)
"""


@pytest.fixture
def shell() -> InteractiveShell:
    shell = InteractiveShell()
    cut_recursion(shell)
    return shell


def test_an_endless_recursion_shows_its_first_calls_and_how_many_there_are(shell, capsys):
    result = shell.run_cell(THREE)
    said = capsys.readouterr().out
    assert isinstance(result.error_in_exec, RecursionError)
    assert said.count("once_more(n)") < 12
    assert len(said) < 5000
    assert "more calls are not shown: the same lines run again and again." in said


def test_other_errors_are_shown_as_ever(shell, capsys):
    cell = "def half(n):\n    return half(n - 1) / n if n else 1\nhalf(20)\n1 / 0"
    shell.run_cell(cell)
    said = capsys.readouterr().out
    InteractiveShell().run_cell(cell)
    assert said == capsys.readouterr().out


def test_a_shell_that_shows_errors_in_its_own_way_keeps_to_it():
    shell = InteractiveShell()
    shell.set_custom_exc((KeyError,), lambda *_, **__: None)
    cut_recursion(shell)
    assert shell.custom_exceptions == (KeyError,)


VIEW = Path(static_html.__file__).parent / "static" / "play" / "live_view.js"


class Shell:
    """A stand-in for IPython's shell: it keeps all outputs; a test begins and ends its cells."""

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
    manager, client = new_kernel()
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
