"""`check`: it prints nothing if the answer is right, and a complete, plain message if not."""

from random import Random

import numpy
import pytest
from IPython.core.interactiveshell import InteractiveShell

from course import rules
from course.checks import CheckFailed, check
from course.function_calls import Answer, NoAnswer
from tests.course.playing import learners


def cascade(line):
    return learners.cascade(line)


cascade.__name__ = "merge"


def message(*arguments, **options) -> str:
    with pytest.raises(CheckFailed) as failed:
        check(*arguments, **options)
    return str(failed.value)


def test_a_wrong_answer_shows_call_expected_and_got_and_a_known_mistake_by_one_hint():
    with pytest.raises(CheckFailed) as failed:
        check(cascade, [4, 4, 4, 4], gives=[8, 8, 0, 0])
    assert failed.value.diagnosis.id == "cascade"
    assert str(failed.value).splitlines() == [
        "merge([4, 4, 4, 4])",
        "  expected  [8, 8, 0, 0]",
        "  got       [16, 0, 0, 0]",
        "Hint: A tile that has just been made rests for this move.",
    ]


def test_only_numbers_with_a_point_are_said_to_have_one():
    def diagnosis(kind):
        def close_gaps(line):
            return [kind(tile) for tile in rules.close_gaps(line)]

        with pytest.raises(CheckFailed) as failed:
            check(close_gaps, [0, 2, 4], gives=[2, 4, 0])
        return failed.value.diagnosis.id

    assert [diagnosis(kind) for kind in (float, numpy.float64)] == ["decimal-point"] * 2
    assert [diagnosis(kind) for kind in (numpy.int64, complex)] == ["other-items"] * 2


class UnreadableError(Exception):
    def __str__(self):
        return f"bad {self.board}"


def raising(error):
    def merge(line, *_):
        raise error

    return merge


def test_long_values_are_never_cut():
    long = [*range(2, 2000, 2)]
    assert message(lambda line: [*line, 2], long, gives=long).count(repr(long)[1:-1]) == 3


class Equal:
    """An object that equals everything."""

    def __eq__(self, other):
        return True


@pytest.mark.parametrize(
    ("merge", "got"),
    [
        (lambda line: line[9], "IndexError: list index out of range"),
        (raising(UnreadableError()), "UnreadableError"),
        (raising(SystemExit("too short")), "SystemExit: too short"),
        (raising(NotImplementedError()), "NotImplementedError: the line raise"),
        (lambda line: numpy.array([]), "array([], dtype=float64)"),
        (lambda line: Equal(), "<"),
    ],
    ids=["an error", "without a text", "an exit", "unwritten", "an array", "an equal"],
)
def test_whatever_a_function_does_the_check_says_what_was_asked_and_what_came(merge, got):
    merge.__name__ = "merge"
    told = message(merge, [2, 2], gives=[4, 0])
    assert told.startswith(f"merge([2, 2])\n  expected  [4, 0]\n  got       {got}")


def test_whatever_a_method_does_the_check_says_what_was_asked_and_what_came():
    for error in (ExceptionGroup("two", [ValueError()]), SystemExit()):
        made = type("Score", (), {"add": raising(error), "total": 0})
        with pytest.raises(CheckFailed) as failed:
            check.object(made, ("add", 8), total=8)
        assert f"score.add(8)\n  got       {type(error).__name__}" in str(failed.value)
    assert failed.value.diagnosis.id == "stops-with-an-error"


def test_a_function_that_is_too_slow_is_told_so_even_where_it_has_odd_errors():
    def merge(line):
        raise NoAnswer if line == [7] else UnreadableError

    with pytest.raises(NoAnswer):
        check(merge, [7], gives=[7])


def test_an_error_in_a_cell_is_shown_with_its_line():
    shell = InteractiveShell()
    shell.run_cell("def merge(line):\n    return line[len(line)]").raise_error()
    with pytest.raises(CheckFailed, match=r"\n +in line 2: return line\[len\(line\)\]"):
        check(shell.user_ns["merge"], [2], gives=[2])


def test_what_is_printed_while_a_mistake_is_looked_for_is_not_shown(capsys):
    def merge(line):
        print("called")

    with pytest.raises(CheckFailed, match="Hint: "):
        check(merge, [2], gives=[2])
    assert capsys.readouterr().out == "called\n"


def test_a_wanted_error_is_silent_and_another_or_none_is_told():
    check(int, "x", raises=ValueError)
    assert "expected  KeyError\n  got       ValueError" in message(int, "x", raises=KeyError)
    assert "expected  ValueError\n  got       2" in message(int, "2", raises=ValueError)


def test_the_function_gets_a_copy_so_a_changed_argument_does_not_spoil_the_next_call():
    line = [2, 2]
    check(lambda given: given.pop(), line, gives=2)
    assert line == [2, 2]


def test_a_changed_argument_costs_only_the_check_that_asks_for_it():
    def merge(line):
        line[:] = rules.merge(line)
        return line

    check(merge, [2, 2], gives=[4, 0])
    with pytest.raises(CheckFailed, match=r"must stay as it is\n  before    \[2, 2\]"):
        check.unchanged(merge, [[2, 2]])


def test_chance_may_change_its_generator():
    check.unchanged(lambda rng: rng.random(), [(Random(1),)])


def test_a_list_that_was_passed_in_or_returned_before_is_no_new_one():
    known = {}

    def itself(line):
        return line if len(line) < 2 else rules.merge(line)

    def returned_before(line):
        return known.setdefault(tuple(line), rules.merge(line))

    for merge in (itself, returned_before):
        check.unchanged(merge, [[2], [2, 2]])
    with pytest.raises(CheckFailed, match=r"itself\(\[2\]\)\n.*\n.*was there before"):
        check.unchanged(itself, [[2, 2], [2]], new=True)
    with pytest.raises(CheckFailed, match="was there before"):
        check.unchanged(returned_before, [[2, 2], [2]], new=True)


def test_an_answer_that_depends_on_the_call_before_is_told():
    asked = []

    def merge(line):
        asked.append(line)
        return line if asked.count(line) > 1 else rules.merge(line)

    with pytest.raises(CheckFailed, match="the same call gave another answer before"):
        check.many(merge, [[2, 2], [4, 4], [8, 8]], like=rules.merge)


def test_an_argument_that_is_changed_before_an_error_is_told():
    def slide(board, direction):
        board.clear()
        raise ValueError(direction)

    with pytest.raises(CheckFailed, match="must stay as it is"):
        check(slide, [[2, 0]], "north", raises=ValueError)


def test_many_cases_are_compared_with_a_reference_or_obey_a_rule_that_says_what_is_wrong():
    with pytest.raises(CheckFailed, match=r"merge\(\[4, 2, 2\]\)"):
        check.many(cascade, [[2, 2], [4, 2, 2]], like=rules.merge)
    check.many(rules.merge, [[2, 2]], obeys=lambda answer, line: None)
    with pytest.raises(CheckFailed, match="too short"):
        check.many(rules.merge, [[2, 2]], obeys=lambda answer, line: "too short")


def test_a_statement_that_does_not_hold_is_the_message():
    with pytest.raises(CheckFailed, match=r"^two tiles$"):
        check.that(False, "two tiles")


class Remote:
    """A stand-in for a function in another process, which gets many calls in one batch."""

    __name__ = "merge"
    batches = 0

    def call_many(self, calls):
        self.batches += 1
        if calls == [[[7]]]:
            raise NoAnswer("3 seconds")
        return [Answer(rules.merge(*call), None, tuple(call)) for call in calls]


def test_many_calls_go_out_in_one_batch_and_no_answer_is_no_exception():
    remote = Remote()
    check.many(remote, [[2, 2], [4, 4]], like=rules.merge)
    assert remote.batches == 1
    with pytest.raises(NoAnswer):
        check(remote, [7], raises=Exception)


@pytest.mark.parametrize("said", ["Row 1: 2, zero", "row 1 2 ZERO", "  Row 1 - 2,  Zero. "])
def test_a_check_that_listens_hears_words_and_numbers_only(said):
    check.says(lambda: said, text="Row 1: 2, zero")


@pytest.mark.parametrize(
    "said", ["Row 12, zero", "Row 1: zero, 2", "Row 1: 2, 0", "Row 1: 2, zero, zero", None, 1]
)
def test_a_check_that_listens_shows_what_was_said_otherwise(said):
    with pytest.raises(CheckFailed) as failed:
        check.says(lambda: said, text="Row 1: 2, zero")
    assert f"  expected  'Row 1: 2, zero'\n  got       {said!r}" in str(failed.value)


def test_the_hint_beside_a_wanted_error_is_about_errors_whatever_else_is_wrong():
    def slide(board, direction):
        return [rules.merge(row) for row in board]

    said = message(slide, [[2, 0], [0, 4]], "north", raises=ValueError)
    assert said.endswith("Hint: Is there a call for which `slide` has to raise an error?")
    said = message(slide, [[2, 0]], "right", gives=[[0, 2]])
    assert said.endswith("At which wall are your tiles after the move?")


def test_an_answer_that_was_printed_is_told_to_be_printed(capsys):
    def merge(line):
        print([4, 0])

    with pytest.raises(CheckFailed, match="something was printed, but nothing was ret") as told:
        check(merge, [2, 2], gives=[4, 0])
    assert told.value.diagnosis.id == "prints-instead"
    assert capsys.readouterr().out == "[4, 0]\n"


def test_a_name_that_is_misspelt_is_told_with_the_name_that_is_meant():
    names = {"__name__": "__main__", "close_gaps": list}
    exec("def merge(line):\n    return close_gpas(line)", names)  # noqa: S102
    with pytest.raises(CheckFailed, match="Did you mean 'close_gaps'"):
        check(names["merge"], [2, 2], gives=[4, 0])
