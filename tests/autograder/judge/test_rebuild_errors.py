"""Errors in a student's code: the judge gets each as an error of a built-in type, with its line."""

import pytest

from autograder.jail import WarmJail
from autograder.judge import judge
from autograder.judge.rebuild_errors import StudentError, make_error, place_of
from autograder.wire import WireError
from tests.autograder.grading_helpers import submission_of


@pytest.mark.parametrize(
    ("student", "shown"),
    [
        ("def merge(line):\n    return line[9]\nmerge([2])", "Cell merge, line 2"),
        ("def merge(line", "Cell merge, line 1"),
        (
            "import traceback\ntry:\n    1 / 0\nexcept Exception:\n    traceback.print_exc()",
            '"merge", line 3',
        ),
    ],
    ids=["error", "syntax", "printed"],
)
def test_a_traceback_names_the_cell(jail: WarmJail, student: str, shown: str):
    outputs = judge(submission_of(student), jail).outputs["merge"]
    text = "\n".join("\n".join(o.get("traceback", [o.get("text", "")])) for o in outputs)
    assert shown in text
    assert "ipython-input" not in str(outputs)


@pytest.mark.parametrize(
    ("parts", "kind", "text"),
    [
        ([["ValueError", "Exception"], "ValueError", "no", 3], ValueError, "no"),
        ([["KeyError"], "KeyError", "x", None], KeyError, "'x'"),
        ([["UnicodeDecodeError", "UnicodeError"], "U", "x", None], UnicodeError, "x"),
        ([["Exception"], "Mine", "x", None], Exception, "x"),
        ([["SystemExit", "BaseException"], "SystemExit", "0", None], StudentError, "SystemExit: 0"),
        ([["print", "exit", "BaseException"], "Odd", "x", None], StudentError, "Odd: x"),
        ([[None, [], "__import__"], "Odd", "x", "line"], StudentError, "Odd: x"),
    ],
)
def test_an_error_is_the_nearest_built_in(parts: list[object], kind: type[Exception], text: str):
    error = make_error(parts)
    assert (type(error), str(error)) == (kind, text)


@pytest.mark.parametrize("parts", [None, [], [1, 2, 3, 4], [[], "x", 1, None], [[], 1, "x", None]])
def test_what_is_no_error_is_refused(parts: object):
    with pytest.raises(WireError):
        make_error(parts)


def test_an_error_knows_the_learners_cell_and_line():
    error = make_error([["ValueError"], "ValueError", "", ["merge", 3]])
    assert place_of(error, frozenset({"merge"})) == ("merge", 3)
    assert place_of(error, frozenset()) is None
