"""`hint("merge")`: three steps, about the learner's own mistake where it is known."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course.hints.asking import _shown, hint
from course.refusal import Refusal


@pytest.fixture(autouse=True)
def fresh_hints():
    _shown.clear()
    yield
    InteractiveShell.clear_instance()


def test_each_call_says_more_and_the_last_one_is_repeated():
    steps = [hint("winning_tile").text for _ in range(4)]
    assert len(set(steps)) == 3
    assert steps[3] == steps[2] == "Write `winning_tile = 2048`."


def test_an_unknown_exercise_is_refused_with_the_names_that_exist():
    with pytest.raises(ValueError, match="the exercises are winning_tile"):
        hint("merg")


def test_the_learners_own_mistake_is_what_the_hint_is_about():
    shell = InteractiveShell.instance()
    shell.run_cell("def merge(line):\n    return sorted(line, reverse=True)")
    first = hint("merge").text
    shell.run_cell("def merge(line):\n    print(line)")
    assert hint("merge").text == "What does your function give back?"
    assert first != "What does your function give back?"


def test_a_right_function_gets_the_hints_of_the_exercise():
    shell = InteractiveShell.instance()
    shell.run_cell("from course.rules import merge")
    assert hint("merge").text.startswith("Close the gaps first.")


def test_a_function_that_never_ends_is_given_up_on():
    shell = InteractiveShell.instance()
    shell.run_cell("def merge(line):\n    while True:\n        pass")
    assert hint("merge").text.startswith("Close the gaps first.")


def test_a_function_may_stand_for_its_name():
    def merge(line):
        print(line)

    assert hint(merge).text == "What does your function give back?"


@pytest.mark.parametrize("asked", [3, None, ["merge"]], ids=repr)
def test_what_is_no_name_is_answered_with_what_to_write(asked):
    with pytest.raises(Refusal, match=r'as hint\("merge"\), and not'):
        hint(asked)


def test_a_refusal_is_shown_as_a_sentence():
    with pytest.raises(Refusal) as refused:
        hint(len)
    assert refused.value._render_traceback_()[0].startswith("there is no exercise 'len'")


@pytest.mark.parametrize(
    "body",
    [
        "exit()",
        "raise SystemExit",
        "raise KeyboardInterrupt",
        "return merge(line)",
        "return input()",
        "while True:\n        try:\n            line.index(3)\n        except:\n            pass",
        "return type('L', (list,), {'__len__': lambda self: 1 / 0})()",
        "line.append(line)\n    return line",
    ],
)
def test_a_function_in_any_trouble_gets_a_hint_and_no_traceback(body):
    shell = InteractiveShell.instance()
    shell.run_cell(f"def merge(line):\n    {body}")
    assert hint("merge").text
