"""Widgets and strips in a real kernel without a browser, as when nbgrader runs a notebook."""

from ast import literal_eval
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course.lab.start import FIRST
from tests.kernels import new_kernel, run_notebook
from tests.waiting import until

DEFINE = "def merge(line):\n    return line"
AGAIN = "from course.rules import merge as right\ndef merge(line):\n    return right(line)"
MOVE = """
answers = []
board.send = answers.append
def move():
    message = dict(do="move", direction="left", view="v")
    board._handle_custom_msg(message, [])
    return answers[-1]["state"]
"""


def run(*cells: str) -> nbformat.NotebookNode:
    return run_notebook(new_notebook(cells=[new_code_cell(cell) for cell in cells]))


@pytest.fixture(scope="module")
def followed() -> list:
    start = "from course import play\nboard = play(merge=merge, board=[[2, 2]], p_four=0)"
    return run(DEFINE, start, MOVE + "move()['note']['lines']", AGAIN, "move()['board']").cells


@pytest.mark.slow
def test_a_cell_that_is_run_anew_changes_the_board_that_is_there(followed) -> None:
    before, _, after = followed[2:]
    assert "The rules give 4 0" in before.outputs[0].data["text/plain"]
    assert after.outputs[0].data["text/plain"] == "[[4, 2]]"


@pytest.mark.slow
def test_in_the_course_what_to_do_is_told_from_the_first_cell_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONSTARTUP", str(FIRST))
    cell, names, endless, stub, *broken_off = run(
        "play()",
        "sorted(n for n in dir() if 'begin' in n)",
        "def merge(line):\n    return merge(line)\nmerge([2])",
        "raise NotImplementedError()",
        "merge([2, 2",
        "def merge(line):\n    # YOUR CODE HERE",
    ).cells
    assert "Run the first code cell" in cell.outputs[-1].data["text/plain"]
    assert names.outputs[0].data["text/plain"] == "[]"
    error, said = endless.outputs
    assert error.ename == "RecursionError"
    assert "\n".join(error.traceback).count("return merge(line)") < 10
    assert "calls itself again and again" in said.data["text/plain"]
    assert "Your code takes its place" in stub.outputs[-1].data["text/plain"]
    bracket, body = (cell.outputs[0].evalue for cell in broken_off)
    assert bracket.startswith("'[' was never closed")
    assert body.startswith("expected an indented block after function definition on line 1")


THREADS = """
import asyncio, threading
def merge(line):
    seen.append(threading.current_thread() is threading.main_thread())
    return line
seen = []
message = dict(do="move", direction="left", view="v")
await asyncio.to_thread(board._handle_custom_msg, message, [])
await asyncio.sleep(0)
set(seen)"""


@pytest.mark.slow
def test_a_move_that_comes_in_another_thread_is_made_in_the_main_thread() -> None:
    start = "from course import play\nboard = play(merge=merge, board=[[2, 2]])"
    *_, last = run(DEFINE, start, THREADS).cells
    assert last.outputs[0].data["text/plain"] == "{True}"


@pytest.mark.slow
def test_a_notebook_that_runs_without_a_browser_holds_pictures_and_no_error() -> None:
    notebook = run(
        "from course import play, watch, predict, replay, check\n"
        "from course.rules import merge, Game",
        "play()",
        "watch(merge, [2, 2])",
        'predict("merge", [2, 2], options=[[4, 0]])',
        "replay(Game(2, 2))",
        "try:\n    check(merge, [2, 2], gives=[2, 2])\nexcept AssertionError:\n    pass",
        "check(merge, [2, 2], gives=[2, 2])",
    )
    for cell in notebook.cells[1:5]:
        kinds = [set(output.data) for output in cell.outputs]
        assert kinds == [
            {"text/html", "text/plain"},
            {"application/vnd.jupyter.widget-view+json", "text/plain"},
        ]
    assert notebook.cells[5].outputs == []
    kinds = [output.output_type for output in notebook.cells[6].outputs]
    assert kinds == ["display_data", "error"]


@pytest.mark.slow
def test_the_lines_of_a_cell_are_found_by_their_numbers_there() -> None:
    helper = "# in a cell of its own\ndef close_gaps(line):\n    return line"
    define = "%config\n\ndef merge(line):\n    tiles = close_gaps(line)\n    return tiles"
    show = "from course import watch\nstepper = watch(merge, [2])\n"
    words = "[(step['line'], step['words']) for step in stepper.run['steps']]"
    *_, last = run(helper, define, show + words).cells
    assert literal_eval(last.outputs[0].data["text/plain"]) == [
        (0, "merge([2]) starts."),
        (4, "close_gaps([2]) is called."),
        (3, "close_gaps gives back [2]."),
        (4, "tiles is now [2]."),
        (5, "merge gives back [2]."),
    ]


FIRST_CELL = "from course import check\nfrom course.mine import run_visible_checks\n"
BEGUN = "def merge(line):\n    open('begun', 'w').close()\n    while True:\n        pass"


class LessonKernel:
    """A kernel that gets the id of each cell with its source, as from a notebook on a page."""

    def __init__(self) -> None:
        self.manager, self.client = new_kernel()

    def begin(self, cell: str, source: str) -> str:
        """Send the kernel a message to run a cell, and return the id of the message."""
        content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False}
        asked = self.client.session.msg("execute_request", content, metadata={"cellId": cell})
        self.client.shell_channel.send(asked)
        return str(asked["header"]["msg_id"])

    def shown(self, asked: str) -> str:
        """Wait for the end of the run that message `asked` began; return its outputs as text."""
        texts: list[str] = []
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            content = message["content"]
            if message["parent_header"].get("msg_id") != asked:
                continue
            if content.get("execution_state") == "idle":
                return "\n".join(filter(None, texts))
            texts.append(content.get("data", {}).get("text/plain", ""))
            texts += content.get("traceback", [])

    def run(self, cell: str, source: str) -> str:
        return self.shown(self.begin(cell, source))


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LessonKernel]:
    monkeypatch.chdir(tmp_path)
    made = LessonKernel()
    yield made
    made.client.stop_channels()
    made.manager.shutdown_kernel(now=True)


@pytest.mark.slow
def test_an_endless_loop_in_a_check_that_is_stopped_ends_with_a_sentence(
    kernel: LessonKernel, tmp_path: Path
) -> None:
    kernel.run("first", f"{FIRST_CELL}{BEGUN}")
    asked = kernel.begin("own", "check(merge, [2, 2], gives=[4, 0])")
    until((tmp_path / "begun").exists, "the loop has begun")
    kernel.manager.interrupt_kernel()
    said, place = kernel.shown(asked).splitlines()
    assert said == (
        "Your merge was stopped. It had not answered yet. Does one of its loops never end?"
    )
    assert place.startswith("    in line ")


@pytest.mark.slow
def test_the_stop_button_ends_the_checks_below_a_cell_with_a_sentence(
    kernel: LessonKernel, tmp_path: Path
) -> None:
    kernel.run("first", f"{FIRST_CELL}run_visible_checks.SECONDS = 600")
    asked = kernel.begin("merge", BEGUN)
    until((tmp_path / "begun").exists, "the loop has begun")
    kernel.manager.interrupt_kernel()
    said = kernel.shown(asked)
    assert said.startswith("merge: 0 of 10 checks hold.\n✗ merge-a-pair  – merge-across-gaps")
    assert "Your merge was stopped. It had not answered yet." in said
    assert 'hint("merge") gives a hint.' in said
    assert kernel.run("after", "6 * 7") == "42"


@pytest.mark.slow
def test_an_endless_loop_in_an_answer_ends_by_itself(kernel: LessonKernel) -> None:
    kernel.run("first", f"{FIRST_CELL}run_visible_checks.SECONDS = 0.2")
    said = kernel.run("merge", BEGUN)
    assert "Does one of its loops never end?" in said
    assert "in line 4: pass" in said or "in line 3: while True:" in said


@pytest.mark.slow
@pytest.mark.parametrize("is_graded", [False, True], ids=["a learner", "nbgrader"])
def test_nbgrader_gets_no_strip(is_graded: bool, request: pytest.FixtureRequest) -> None:
    if is_graded:
        request.getfixturevalue("monkeypatch").setenv("NBGRADER_EXECUTION", "autograde")
    kernel = request.getfixturevalue("kernel")
    kernel.run("first", FIRST_CELL)
    said = kernel.run("merge", AGAIN)
    assert said.startswith("" if is_graded else "merge: all 10 checks hold.")
    assert bool(said) != is_graded
