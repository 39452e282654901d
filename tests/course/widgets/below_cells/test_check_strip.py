"""The strip below an answer: its marks, the first failure, and what it says after a change."""

import linecache
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from course.lessons import exercise, lesson, ways
from course.mine.passed_checks import FILE
from course.mine.run_visible_checks import CheckOutcome
from course.widgets.below_cells import check_strip
from course.widgets.below_cells.cell_messages import _cell_has_run
from course.widgets.below_cells.check_strip import NEEDS_OTHERS, Strip, make_stale, strip_of
from course.widgets.below_cells.error_advice import STUB as STUB_LEFT
from course.widgets.below_cells.success_marks import (
    Success,
    _shown,
    note_result,
    show_success,
    write_down,
)

CLOSE = "def close_gaps(line):\n    return [t for t in line if t] + [0] * line.count(0)"
SLIDES = "def merge(line):\n    return close_gaps(line)"
RIGHT = "from course.rules import merge as right\n\n\ndef merge(line):\n    return right(line)"
STUB = "def merge(line):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
LESSON = lesson("1-merge-a-line")


class Shown:
    """A stand-in for IPython's module `display`: it keeps all that is displayed, by display id."""

    def __init__(self) -> None:
        self.outputs: dict[str, Any] = {}

    def display(self, thing: Any, display_id: str = "") -> None:
        self.outputs[display_id] = thing

    def update_display(self, thing: Any, display_id: str) -> None:
        assert display_id in self.outputs
        self.outputs[display_id] = thing


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """Replace IPython's module `display` by a stand-in, and return the stand-in."""
    import IPython

    seen = Shown()
    monkeypatch.setattr(IPython, "display", seen)
    return seen


def names_of(*sources: str) -> dict[str, Any]:
    """Run cells, whose lines Python can look up, as in a kernel; return name → value."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(sources):
        file = f"<cell {number}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec"), names)  # noqa: S102
    return names


def strip(*sources: str) -> Strip:
    made = strip_of(exercise("merge"), sources[-1], names_of(*sources))
    assert made is not None
    return made


def test_a_right_answer_shows_a_mark_for_each_check_and_nothing_more() -> None:
    made = strip(RIGHT)
    title, marks = repr(made).split("\n")
    assert title == "merge: all 10 checks hold."
    assert marks.count("✓") == 10
    assert "✓ merge-once" in marks


def test_a_right_answer_offers_other_ways_to_write_it() -> None:
    made = strip(RIGHT)
    _, _, folded = made._repr_html_().partition("<details")
    assert "Other ways to write it" in folded
    assert folded.count(">def</span> merge(<wbr>line):") == len(ways("merge"))
    assert "<code>pop(0)</code> takes the first tile" in folded


def test_a_wrong_answer_shows_its_first_failure_with_boards_and_text_and_no_other_way() -> None:
    made = strip(CLOSE, SLIDES)
    text, html = repr(made), made._repr_html_()
    assert "✗ merge-a-pair: two equal neighbours" in text
    assert "merge([2, 2, 0, 0])\n  expected  [4, 0, 0, 0]\n  got       [2, 2, 0, 0]" in text
    assert text.endswith(f"Hint: {made.nudge}")
    assert html.count("c2048-failure") >= 1
    assert "merge-a-pair<span" in html
    assert " does not hold</span>" in html
    assert "[2, 2, 0, 0]" in html
    assert "<details" not in html


def test_markup_in_what_a_learner_writes_is_text() -> None:
    made = strip('def merge(line):\n    return "<img src=x onerror=alert(1)>"')
    assert "<img" not in made._repr_html_()


@pytest.mark.parametrize(
    "source",
    ["def merg(line):\n    return line", "x = 1", "# merge"],
    ids=["another name", "no function", "a comment"],
)
def test_a_cell_without_an_answer_shows_nothing(source: str) -> None:
    assert strip_of(exercise("merge"), source, names_of(RIGHT, source)) is None


def test_an_untouched_cell_shows_its_checks_as_open_and_says_once_what_to_do() -> None:
    made = strip(RIGHT, STUB)
    assert {each.state for each in made.outcomes} == {"open"}
    text, html = repr(made), made._repr_html_()
    assert text.startswith("merge: 0 of 10 checks hold.\n– merge-a-pair")
    assert text.count("Python has stopped at the line raise NotImplementedError().") == 1
    assert html.count("<code>raise NotImplementedError()</code>") == 1
    assert "<pre" not in html


def test_only_code_in_a_message_is_set_as_code() -> None:
    message = "Your merge raised an error. ValueError: no\n    in line 2: int(tile)\nmerge([2, 0])"
    html = check_strip._message_html(message)
    assert html == (
        "<p>Your merge raised an error. ValueError: no</p>"
        "<pre>    in line 2: int(tile)\nmerge([2, 0])</pre>"
    )


def test_the_name_of_an_only_check_that_fails_stands_there_once() -> None:
    made = Strip("merge", [CheckOutcome("one-check", "an idea.", "fails", ValueError("wrong"))])
    assert repr(made).count("one-check") == 1
    assert made._repr_html_().count("one-check") == 1


@pytest.mark.parametrize(
    "lines",
    [
        ["squares = close_gaps(line)", "# YOUR CODE HERE", "raise NotImplementedError()"],
        ["# YOUR CODE HERE", "squares = close_gaps(line)", "raise NotImplementedError()"],
        ["# YOUR CODE HERE", "raise NotImplementedError()", "return close_gaps(line)"],
        ["if line: raise NotImplementedError()", "return close_gaps(line)"],
    ],
    ids=["above", "between", "below", "on one line"],
)
def test_with_own_lines_beside_the_stub_a_sentence_says_that_the_stub_must_go(
    lines: list[str],
) -> None:
    made = strip(CLOSE, "\n    ".join(["def merge(line):", *lines]))
    assert {each.state for each in made.outcomes} == {"fails"}
    for text in (repr(made), made._repr_html_()):
        assert re.sub("`|</?code>", "", text).count(STUB_LEFT.replace("`", "")) == 1
        assert NEEDS_OTHERS not in text


def test_own_code_that_meets_the_stub_of_another_cell_leaves_checks_open() -> None:
    merge = f"{SLIDES}\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    made = strip('def close_gaps(line):\n    """Tiles."""\n    raise NotImplementedError()', merge)
    assert {each.state for each in made.outcomes} == {"open"}
    for text in (repr(made), made._repr_html_()):
        assert NEEDS_OTHERS in text
        assert "take that line away" not in text


def test_a_failure_comes_before_what_is_open() -> None:
    late = CheckOutcome("one", "an idea.", "open", ValueError("open"))
    wrong = CheckOutcome("two", "an idea.", "fails", ValueError("wrong"))
    assert Strip("merge", [late, wrong]).failure == wrong
    assert Strip("merge", [late]).failure == late
    assert Strip("merge", [CheckOutcome("one", "an idea.", "open")]).failure is None


@pytest.mark.parametrize(
    ("states", "title"),
    [
        (["holds"], "merge: its check holds."),
        (["fails"], "merge: its check does not hold yet."),
        (["holds", "open"], "merge: 1 of 2 checks hold."),
    ],
    ids=str,
)
def test_the_title_counts_in_good_english(states: list[Any], title: str) -> None:
    made = Strip("merge", [CheckOutcome(f"check-{state}", "an idea.", state) for state in states])
    assert repr(made).splitlines()[0] == title


def test_a_strip_says_that_what_it_uses_has_changed(shown: Shown) -> None:
    check_strip.show_strip(Strip("merge", [CheckOutcome("one", "an idea.", "holds")]))
    make_stale(["merge", "close_gaps"])
    [said] = shown.outputs.values()
    assert repr(said) == (
        "merge: Not checked since you changed code that it uses. Run this cell again."
    )
    assert "Not checked since you changed code that it uses." in said._repr_html_()
    assert "✓" not in said._repr_html_()


class Notebook:
    """A notebook whose cells run here: the answers are in `__main__`, as they are in a kernel."""

    def __init__(self, shown: Shown, patch: pytest.MonkeyPatch) -> None:
        self.shown, self.patch = shown, patch

    def run(self, cell: str, source: str) -> None:
        main = sys.modules["__main__"]
        for name, value in names_of(f"from __main__ import *\n{source}").items():
            if name in ("merge", "close_gaps"):
                self.patch.setattr(main, name, value, raising=False)
        names = {"close_gaps", "merge"} & vars(main).keys()
        for name in names:  # each function finds the other
            getattr(main, name).__globals__.update({each: getattr(main, each) for each in names})
        info = type("Info", (), {"raw_cell": source, "cell_id": cell})
        no_error = {"error_before_exec": None, "error_in_exec": None}
        _cell_has_run(type("Result", (), {"info": info, "success": True, **no_error}))

    def state(self, check: str) -> str:
        return self.shown.outputs[f"check-{check}"].state


@pytest.fixture
def notebook(
    shown: Shown, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Notebook:
    """Return a notebook with a right `merge`, in which the ✓ of the check `merge-once` is shown."""
    monkeypatch.chdir(tmp_path_factory.mktemp("nowhere"))
    made = Notebook(shown, monkeypatch)
    made.run("close_gaps", CLOSE)
    made.run("merge", MERGE)
    made.run("merge-once", CHECK)
    return made


CHECK = "# merge-once: every pair merges."
MERGE = """def merge(line):
    squares = close_gaps(line)
    for index in range(len(squares) - 1):
        if squares[index] == squares[index + 1]:
            squares[index : index + 2] = [2 * squares[index], 0]
    return close_gaps(squares)"""


def test_a_mark_is_green_as_long_as_the_program_is_the_same(notebook: Notebook) -> None:
    assert notebook.state("merge-once") == "holds"
    notebook.run("merge", MERGE + "  # as before")
    assert notebook.state("merge-once") == "holds"


def test_a_mark_of_a_changed_program_is_grey_until_the_strip_finds_that_it_holds(
    notebook: Notebook,
) -> None:
    notebook.run("merge", SLIDES)
    assert notebook.state("merge-once") == "fails"
    notebook.run("merge", STUB)
    assert notebook.state("merge-once") == "fails"
    notebook.run("merge", MERGE)
    assert notebook.state("merge-once") == "holds"
    notebook.run("merge", STUB)
    assert notebook.state("merge-once") == "stale"


def test_a_change_reaches_the_marks_and_strips_of_answers_that_use_it(notebook: Notebook) -> None:
    notebook.run("close_gaps", CLOSE.replace("t for t", "one for one").replace("if t", "if one"))
    assert notebook.state("merge-once") == "stale"
    assert notebook.shown.outputs["strip-merge"].is_stale
    assert not notebook.shown.outputs["strip-close_gaps"].is_stale
    notebook.run("merge", MERGE)
    assert notebook.state("merge-once") == "holds"
    assert not notebook.shown.outputs["strip-merge"].is_stale


def test_the_checks_of_a_strip_count(notebook: Notebook) -> None:
    notebook.run("merge", MERGE)
    said = note_result(CHECK, "", holds=True)
    assert repr(said).endswith("All 11 ideas of this lesson hold.")


def test_open_checks_do_not_count(shown: Shown) -> None:
    show_success(Success("merge-once", "an idea.", LESSON, 1))
    write_down(LESSON, [CheckOutcome("merge-once", "an idea.", "holds")])
    write_down(LESSON, [CheckOutcome("merge-once", "an idea.", "open")])
    assert _shown["merge-once"].state == "holds"


def test_a_mark_whose_results_were_deleted_is_stale_and_one_that_failed_stays_so(
    notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / LESSON.id).mkdir()
    monkeypatch.chdir(tmp_path / LESSON.id)
    for check in ("merge-once", "no-chain"):
        notebook.run(check, f"# {check}: an idea.")
    write_down(LESSON, [CheckOutcome("no-chain", "an idea.", "fails")])
    (tmp_path / FILE).unlink()
    notebook.run("close_gaps", CLOSE)
    assert (notebook.state("merge-once"), notebook.state("no-chain")) == ("stale", "fails")


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ("stale", "– merge-once: an idea. (not checked since your last change)"),
        ("fails", "✗ merge-once: an idea. (does not hold any more)"),
    ],
)
def test_a_grey_mark_says_why_in_words(state: Any, text: str) -> None:
    said = Success("merge-once", "an idea.", LESSON, 1, state=state)
    assert repr(said) == text
    assert text.partition("(")[2].rstrip(")") in said._repr_html_()
    assert "#1a7f37" not in said._repr_html_()
