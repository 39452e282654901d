"""The strip below an answer in a real kernel, which is told the ids of cells as on a page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client.manager import start_new_kernel

from tests.waiting import until

AGAIN = "from course.rules import merge as right\ndef merge(line):\n    return right(line)"
FIRST_CELL = "from course import check\nfrom course.mine import visible_outcomes\n"
BEGUN = "def merge(line):\n    open('begun', 'w').close()\n    while True:\n        pass"


class LessonKernel:
    """A kernel that is told the ids of cells, as a notebook on a page tells it."""

    def __init__(self) -> None:
        self.manager, self.client = start_new_kernel(kernel_name="python3")

    def begin(self, cell: str, source: str) -> str:
        """Ask the kernel to run a cell, and return the id of this message."""
        content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False}
        asked = self.client.session.msg("execute_request", content, metadata={"cellId": cell})
        self.client.shell_channel.send(asked)
        return str(asked["header"]["msg_id"])

    def shown(self, asked: str) -> str:
        """Return as text what the cell shows, when it has come to its end."""
        texts: list[str] = []
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            content = message["content"]
            if message["parent_header"].get("msg_id") != asked:
                continue
            if content.get("execution_state") == "idle":
                return "\n".join(filter(None, texts))
            texts.append(content.get("data", {}).get("text/plain", ""))

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
def test_the_stop_button_ends_the_checks_below_a_cell_with_a_sentence(
    kernel: LessonKernel, tmp_path: Path
) -> None:
    kernel.run("first", f"{FIRST_CELL}visible_outcomes.SECONDS = 600")
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
    kernel.run("first", f"{FIRST_CELL}visible_outcomes.SECONDS = 0.2")
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
