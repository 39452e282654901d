"""The judge: where each cell runs, what a test sees, and what becomes of a check."""

import time
from collections.abc import Iterator
from random import Random

import pytest

from autograder.jail import Jail, Limits
from autograder.judge import judge
from autograder.judge.errors import StudentError, make_error, place_of
from autograder.judge.outputs import MOST, Outputs
from autograder.submission import Cell, CheckResult, Kind, Outcome, Submission
from autograder.wire import WireError
from tests.autograder.submissions import LESSON, master_submission, score, submission_of

HASTY = Limits(cell=1.0, call=0.3, submission=10.0, patience=2.0, last_chance=0.1)

GAME = """
from random import Random

class Game:
    kind = "classic"

    def __init__(self, height=4, width=4, rng=None):
        self.board = [[0] * width for _ in range(height)]
        self.score = 0
        self.rng = rng or Random()

    def move(self, direction):
        if direction not in ("left", "right"):
            raise ValueError(f"{direction} is no direction")
        self.score += 4
        self.board[0].reverse()
        return True

    @property
    def is_over(self):
        return self.score > 10

    def roll(self):
        return self.rng.randrange(1000)

    def twin(self, other):
        return other is self

    def __str__(self):
        return f"Score: {self.score}"

    def __repr__(self):
        return "Game()"

    def __len__(self):
        return len(self.board)

    def __getitem__(self, row):
        return self.board[row]

    def __setitem__(self, row, value):
        self.board[row] = value

    def __contains__(self, tile):
        return any(tile in row for row in self.board)

    def __iter__(self):
        return iter(self.board)

    def __eq__(self, other):
        return True
"""


@pytest.fixture(scope="module")
def jail() -> Iterator[Jail]:
    with Jail(LESSON) as made:
        yield made


@pytest.fixture(scope="module")
def hasty_jail() -> Iterator[Jail]:
    with Jail(LESSON, HASTY) as made:
        yield made


def verdict_on(jail: Jail, student: str, test: str, given: str = "") -> CheckResult:
    """What becomes of one test cell after one student's cell."""
    [check] = judge(submission_of(student, test, given=given), jail).checks
    return check


def test_the_master_passes_every_check(jail: Jail):
    verdict = judge(master_submission(), jail)
    assert {check.outcome for check in verdict.checks} == {Outcome.PASSED}
    assert score(verdict) == sum(check.max_points for check in verdict.checks)


@pytest.mark.parametrize(
    ("student", "test", "outcome", "message"),
    [
        ("merge = sorted", "check(merge, [2, 1], gives=[1, 2])", Outcome.PASSED, ""),
        (
            "def merge(line): return line",
            "check(merge, [2], gives=[4])",
            Outcome.FAILED,
            "expected  [4]",
        ),
        ("def merge(line): pass", "assert merge([2]) == [2]", Outcome.FAILED, "AssertionError"),
        (
            "def merge(line):\n    raise NotImplementedError()",
            "check(merge, [2], gives=[2])",
            Outcome.FAILED,
            "NotImplementedError",
        ),
        (
            "def merge(line):\n    return line[9]",
            "merge([2])",
            Outcome.ERROR,
            "IndexError: list index out of range (merge, line 2)",
        ),
        ("x = 1", "merge([2])", Outcome.ERROR, "name 'merge' is not defined"),
        ("def merge(line)", "merge([2])", Outcome.ERROR, "its cell stopped with SyntaxError"),
        ("merge = 5", "merge([2])", Outcome.ERROR, "'int' object is not callable"),
        ("merge = (n for n in [])", "merge", Outcome.ERROR, "name 'merge' is not defined"),
        ("def merge(line): exit()", "merge([2])", Outcome.PASSED, ""),
        (
            "def merge(line): raise SystemExit(3)",
            "merge([2])",
            Outcome.ERROR,
            "SystemExit: 3",
        ),
        (
            "def merge(line): raise KeyboardInterrupt",
            "merge([2])",
            Outcome.ERROR,
            "KeyboardInterrupt",
        ),
        (
            "import os\ndef merge(line): os._exit(0)",
            "merge([2])",
            Outcome.CRASHED,
            "a call of merge: the program ended the Python process it ran in",
        ),
        (
            "def merge(line): return (n for n in line)",
            "merge([2])",
            Outcome.ERROR,
            "generator can not be handed to the tests",
        ),
        (
            "def merge(line): return line",
            "merge(check)",
            Outcome.ERROR,
            "a Check can not be given to the student's code",
        ),
    ],
    ids=[
        "right",
        "wrong",
        "assert",
        "stub",
        "raises",
        "missing",
        "syntax",
        "no function",
        "odd value",
        "exit",
        "SystemExit",
        "KeyboardInterrupt",
        "os._exit",
        "generator",
        "odd argument",
    ],
)
def test_what_becomes_of_a_check(
    jail: Jail, student: str, test: str, outcome: Outcome, message: str
):
    check = verdict_on(jail, student, test)
    assert (check.outcome, check.points) == (outcome, float(outcome is Outcome.PASSED))
    assert message in check.message


def test_a_known_mistake_is_named(jail: Jail):
    slides_only = "def merge(line):\n    return close_gaps(line)"
    checks = {check.id: check for check in judge(master_submission(merge=slides_only), jail).checks}
    assert checks["merge-once"].misconception == "slides-only"
    assert checks["tiles-to-front"].misconception is None


@pytest.mark.parametrize(
    "test",
    [
        "game = Game(2, 3)\nassert game.board == [[0, 0, 0], [0, 0, 0]]",
        "game = Game(width=2)\nassert (game.score, game.kind, Game.kind) == (0, *['classic'] * 2)",
        "game = Game()\nassert game.move('left') is True\nassert game.score == 4",
        "game = Game()\ngame.board = [[2, 0]]\ngame.move('left')\nassert game.board == [[0, 2]]",
        "game = Game()\nassert not game.is_over\ngame.score = 11\nassert game.is_over",
        "game = Game()\nassert (str(game), repr(game), len(game)) == ('Score: 0', 'Game()', 4)",
        "assert repr([Game(), Game]) == '[<Game object>, <Game class>]'",
        "game = Game(1, 2)\ngame[0] = [2, 4]\nassert game[0] == [2, 4] and 4 in game",
        "assert list(Game(2, 1)) == [[0], [0]]",
        "game = Game()\nassert isinstance(game, Game) and not isinstance([], Game)",
        "game = Game()\nassert game.twin(game) and not game.twin(Game())",
        "game = Game()\nassert game == game and game != Game() and game != 5",
        "game = Game()\nassert len({game, game, Game()}) == 2",
        "assert Game.__name__ == 'Game' and callable(Game) and not callable(Game())",
        "game = Game()\nassert not hasattr(game, 'nothing')",
        "game = Game()\ndel game.score\nassert not hasattr(game, 'score')",
        "check(Game().move, 'up', raises=ValueError)",
        "from random import Random\nassert Game(rng=Random(7)).roll() == Random(7).randrange(1000)",
        "from copy import deepcopy\ngame = Game()\nassert deepcopy(game) == game",
        "game = Game()\nassert bool(game) is True",
        "game = Game(3, 3)\nboard = game.board\nboard[0][0] = 2\nassert game.board[0][0] == 0",
    ],
)
def test_a_class_is_used_as_if_it_were_here(jail: Jail, test: str):
    check = verdict_on(jail, GAME, test)
    assert (check.outcome, check.message) == (Outcome.PASSED, "")


@pytest.mark.parametrize(
    "test",
    [
        "line = [2, 1]\nmerge(line)\nassert line == [1, 2]",
        "check.many(merge, [[2, 1]], gives=None)\n",
        "line = [2, 1]\ncheck(merge, line, gives=None)\nassert line == [2, 1]",
        "answers = merge.call_many([[[2, 1]], [[1]], [3]])\n"
        "assert answers[0].arguments == ([1, 2],)\n"
        "assert type(answers[2].error) is AttributeError",
    ],
    ids=["in place", "many", "on copies", "batch"],
)
def test_what_a_function_does_to_its_arguments_is_seen(jail: Jail, test: str):
    check = verdict_on(jail, "def merge(line): line.sort()", test)
    assert (check.outcome, check.message) == (Outcome.PASSED, "")


def test_very_many_calls_are_all_answered(jail: Jail):
    test = "calls = [[Random(n), n] for n in range(1200)]\nanswers = merge.call_many(calls)\n"
    test += "assert [a.value for a in answers] == [(n, Random(n).random()) for n in range(1200)]\n"
    test += "assert answers[7].arguments[0].random() != Random(7).random()"
    student = "def merge(rng, n): return n, rng.random()"
    check = verdict_on(jail, student, test, "from random import Random")
    assert (check.outcome, check.message) == (Outcome.PASSED, "")


def test_a_random_that_the_student_used_has_moved_on(jail: Jail):
    wanted = Random(1)
    wanted.random()
    test = f"rng = Random(1)\nmerge(rng)\nassert rng.random() == {wanted.random()!r}"
    given = "from random import Random"
    assert verdict_on(jail, "def merge(rng): rng.random()", test, given).outcome is Outcome.PASSED


def test_given_names_win_over_the_students_except_those_of_exercises(jail: Jail):
    given = "def helper(): return 1\ndef merge(line): return 'given'"
    student = "def helper(): return 2\ndef merge(line): return helper()"
    test = "assert (helper(), merge([])) == (1, 2)"
    assert verdict_on(jail, student, test, given).outcome is Outcome.PASSED


def test_a_given_helper_calls_the_students_function(jail: Jail):
    given = "def twice(line): return merge(merge(line))"
    test = "assert twice([1]) == [1, 0, 0]"
    student = "def merge(line): return line + [0]"
    assert verdict_on(jail, student, test, given).outcome is Outcome.PASSED


def test_a_test_sees_the_student_as_he_was_at_that_point_of_the_notebook(jail: Jail):
    cells = (
        Cell("first", Kind.STUDENT, "value = 1"),
        Cell("one", Kind.TEST, "assert value == 1", 1.0),
        Cell("second", Kind.STUDENT, "value = 2"),
        Cell("two", Kind.TEST, "assert value == 2", 1.0),
    )
    assert score(judge(Submission(LESSON, cells), jail)) == 2


def test_tests_do_not_see_each_others_names(jail: Jail):
    first, second = judge(submission_of("merge = 1", "secret = 1", "secret"), jail).checks
    assert (first.outcome, second.outcome) == (Outcome.PASSED, Outcome.ERROR)


def test_a_cell_that_raises_does_not_stop_the_later_ones(jail: Jail):
    cells = (
        Cell("first", Kind.STUDENT, "1 / 0"),
        Cell("second", Kind.STUDENT, "value = 2"),
        Cell("test", Kind.TEST, "assert value == 2", 1.0),
    )
    verdict = judge(Submission(LESSON, cells), jail)
    assert score(verdict) == 1
    assert verdict.outputs["first"][0]["ename"] == "ZeroDivisionError"


def test_warnings_and_prints_cost_nothing(jail: Jail):
    student = """
import sys, warnings
def merge(line):
    print(1, file=sys.stderr)
    warnings.warn("x")
    return 1
"""
    assert verdict_on(jail, student, "check(merge, [], gives=1)").outcome is Outcome.PASSED


def test_a_given_cell_that_fails_lets_no_check_pass(jail: Jail):
    check = verdict_on(jail, "merge = 1", "pass", given="1 / 0")
    assert (check.outcome, check.points) == (Outcome.ERROR, 0)
    assert "given" in check.message


def test_a_test_cell_that_is_no_python_is_an_error(jail: Jail):
    assert verdict_on(jail, "merge = 1", "assert (").outcome is Outcome.ERROR


def test_a_manual_cell_waits_for_a_person(jail: Jail):
    [check] = judge(Submission(LESSON, (Cell("essay", Kind.MANUAL, "text", 3.0),)), jail).checks
    assert (check.outcome, check.points, check.max_points) == (Outcome.MANUAL, 0, 3)


# Time.


def test_a_loop_costs_its_own_checks_and_the_rest_is_scored(hasty_jail: Jail):
    student = "def merge(line):\n    while line: pass\ndef other(): return 1"
    tests = ["merge([])", "merge([2])", "assert other() == 1", "merge([2])", "merge([])", "other()"]
    outcomes = [
        check.outcome.value for check in judge(submission_of(student, *tests), hasty_jail).checks
    ]
    assert outcomes == ["passed", "timeout", "passed", "timeout", "timeout", "passed"]


def test_a_function_that_did_not_come_back_twice_is_not_called_again(hasty_jail: Jail):
    student = "def merge(line):\n    while True: pass"
    *_, last = judge(submission_of(student, *["merge([])"] * 3), hasty_jail).checks
    assert "not called again" in last.message


def test_a_message_says_how_long_was_waited_and_why_no_longer(hasty_jail: Jail):
    loops = [f"def loop_{n}():\n    while True: pass" for n in range(20)]
    tests = [f"loop_{n}()" for n in range(20)]
    checks = judge(submission_of("\n".join(loops), *tests), hasty_jail).checks
    assert checks[0].message == "a call of loop_0 did not come back within 0.3 s"
    assert checks[-1].message == (
        "a call of loop_19 did not come back within 0.1 s: it had less than 0.3 s, because other "
        "calls or cells of this submission that did not come back have used up the 2 s for waiting"
    )


def test_a_cell_that_once_came_to_its_end_gets_its_time_again_when_it_is_run_again():
    limits = Limits(cell=3.0, call=0.3, patience=0.3, last_chance=0.1)
    student = "import time; time.sleep(0.5)\ndef merge(line):\n    while line: pass\n    return 1"
    cells = (
        Cell("quick", Kind.STUDENT, student.replace("0.5", "0")),
        Cell("slow", Kind.STUDENT, "import os, time\ntime.sleep(0.2)"),
        Cell("one", Kind.TEST, "merge([2])", 1.0),
        Cell("two", Kind.TEST, "assert merge([]) == 1", 1.0),
    )
    with Jail(LESSON, limits) as jail:
        first, second = judge(Submission(LESSON, cells), jail).checks
    assert (first.outcome, second.outcome) == (Outcome.TIMEOUT, Outcome.PASSED)


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
def test_a_traceback_names_the_cell(jail: Jail, student: str, shown: str):
    outputs = judge(submission_of(student), jail).outputs["merge"]
    text = "\n".join("\n".join(o.get("traceback", [o.get("text", "")])) for o in outputs)
    assert shown in text
    assert "ipython-input" not in str(outputs)


def test_a_test_can_not_swallow_a_timeout(hasty_jail: Jail):
    test = "try:\n    merge([])\nexcept Exception:\n    pass"
    check = verdict_on(hasty_jail, "def merge(line):\n    while True: pass", test)
    assert (check.outcome, check.points) == (Outcome.TIMEOUT, 0)


def test_a_timeout_is_no_error_that_a_check_may_wait_for(hasty_jail: Jail):
    test = "check(merge, [], raises=Exception)"
    check = verdict_on(hasty_jail, "def merge(line):\n    while True: pass", test)
    assert check.outcome is Outcome.TIMEOUT


def test_a_cell_that_does_not_end_is_not_run_again(hasty_jail: Jail):
    cells = (
        Cell("given", Kind.GIVEN, "from course import check"),
        Cell("loop", Kind.STUDENT, "while True: pass"),
        Cell("merge", Kind.STUDENT, "def merge(line): return line"),
        Cell("test", Kind.TEST, "check(merge, [2], gives=[2])", 1.0),
    )
    verdict = judge(Submission(LESSON, cells), hasty_jail)
    assert score(verdict) == 1
    assert "did not come back" in verdict.outputs["loop"][0]["evalue"]


def test_a_test_that_never_stops_asking_is_stopped(hasty_jail: Jail):
    test = "while not merge([]):\n    pass"
    check = verdict_on(hasty_jail, "def merge(line): return False", test)
    assert check.outcome is Outcome.TIMEOUT
    assert "for this test are over" in check.message


def test_a_submission_has_its_time_and_no_more():
    limits = Limits(cell=1.0, submission=1.5)
    cells = [Cell(f"slow-{n}", Kind.STUDENT, "import time; time.sleep(0.6)") for n in range(5)]
    cells.append(Cell("test", Kind.TEST, "merge", 1.0))
    with Jail(LESSON, limits) as jail:
        begin = time.monotonic()
        verdict = judge(Submission(LESSON, tuple(cells)), jail)
        assert time.monotonic() - begin < 3
    assert "whole submission" in verdict.checks[0].message


def test_an_object_is_lost_with_its_process(hasty_jail: Jail):
    student = GAME + "\ndef merge(line):\n    while True: pass"
    test = "game = Game()\ntry:\n    merge([])\nexcept BaseException:\n    pass\ngame.score"
    check = verdict_on(hasty_jail, student, test)
    assert check.outcome is Outcome.CRASHED
    assert "lost with the process" in check.message


@pytest.mark.slow
def test_an_endless_loop_in_merge_is_graded_within_15_seconds(jail: Jail):
    begin = time.monotonic()
    verdict = judge(master_submission(merge="def merge(line):\n    while True: pass"), jail)
    assert time.monotonic() - begin < 15
    assert [check.id for check in verdict.checks if check.points] == ["tiles-to-front"]


# What the jail says is not trusted.


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


PNG = "iVBORw0KGgoAAAANSUhEUgAA\n"


def pictured(*png: str) -> dict[str, object]:
    return {"output_type": "display_data", "data": dict(zip(["image/png"], png, strict=False))}


def kept_outputs(said: object, most: int = MOST) -> object:
    outputs = Outputs(most)
    outputs.keep("cell", said)
    return outputs.of_cells["cell"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (None, []),
        ([None, {}, {"output_type": "stream", "name": "stdin"}], []),
        (
            [{"output_type": "stream", "name": "stdout", "text": 5}],
            [{"output_type": "stream", "name": "stdout", "text": ""}],
        ),
        (
            [{"output_type": "display_data", "data": {"text/html": "<script>", "text/plain": "x"}}],
            [{"output_type": "display_data", "data": {"text/plain": "x"}, "metadata": {}}],
        ),
        (
            [{"output_type": "error", "ename": "\ud800", "evalue": "\0", "traceback": [1]}],
            [{"output_type": "error", "ename": "?", "evalue": "\ufffd", "traceback": [""]}],
        ),
        ([pictured(PNG)], [{**pictured(PNG), "metadata": {}}]),
        ([pictured(PNG + '"><script>')], [{**pictured(), "metadata": {}}]),
    ],
    ids=["nothing", "nonsense", "odd text", "script", "odd characters", "picture", "no picture"],
)
def test_only_well_formed_outputs_are_kept(said: object, kept: object):
    assert kept_outputs(said) == kept


def test_a_patched_wire_can_not_break_the_judge(jail: Jail):
    student = """
from autograder.jail.inside import child
nonsense = {"answers": {}, "value": {"ref": 7}}
child.Server._many = child.Server._call = lambda self, question: nonsense
def merge(line): return line
"""
    for test in ("merge([])", "check.many(merge, [[2]], gives=[2])"):
        check = verdict_on(jail, student, test)
        assert (check.outcome, check.points) == (Outcome.CRASHED, 0)
        assert "makes no sense" in check.message


def test_what_all_cells_show_together_is_limited_here_too():
    shown = [{"output_type": "stream", "name": "stdout", "text": "x" * 5000}] * 2
    outputs = Outputs(most=20_000)
    for cell in "abcd":
        outputs.keep(cell, shown)
    texts = [output["text"][:1] for cell in "abcd" for output in outputs.of_cells[cell]]
    assert texts == ["x", "x", "x", "…"]


DOUBLED = "answer = []\n    for _ in range(50): answer = [answer, answer]\n    return answer"
SHARED = """
from autograder.jail.inside import child
answer = [None, [[[]], [[0] * 1000, *[{"ref": 4}] * 5000]]]
child.Server._one = lambda self, function, call: answer
def merge(line): return line
"""


@pytest.mark.parametrize(
    "student", [f"def merge(line):\n    {DOUBLED}", SHARED], ids=["doubled", "shared rows"]
)
def test_an_answer_that_repeats_itself_is_not_written_out(jail: Jail, student: str):
    check = verdict_on(jail, student, "check(merge, [2], gives=[2])")
    assert (check.outcome, check.points) == (Outcome.CRASHED, 0)
    assert "repeated too often" in check.message


def test_an_answer_may_share_its_rows(jail: Jail):
    student = "def merge(line):\n    row = [0] * 9\n    return [row] * 9"
    check = verdict_on(jail, student, "check(merge, [2], gives=[[0] * 9] * 9)")
    assert check.outcome is Outcome.PASSED


def test_a_text_without_end_costs_only_its_check(jail: Jail):
    student = "class merge:\n    def __str__(self): return '\\n' * 6_000_000"
    check = verdict_on(jail, student, "str(merge())")
    assert (check.outcome, check.points) == (Outcome.ERROR, 0)
    assert "too long" in check.message


def test_a_class_may_come_from_a_module_that_a_cell_has_written(jail: Jail):
    student = """
from pathlib import Path
Path("mine.py").write_text("class Tile:\\n    value = 2")
from mine import Tile as merge
"""
    assert verdict_on(jail, student, "assert merge().value == 2").outcome is Outcome.PASSED


def test_what_is_left_in_an_argument_does_not_touch_the_answer(jail: Jail):
    student = "def merge(line):\n    line.append(object())\n    return len(line)"
    assert verdict_on(jail, student, "check(merge, [2], gives=2)").outcome is Outcome.PASSED
    check = verdict_on(jail, student, "check.unchanged(merge, [[2]])")
    assert (check.outcome, check.points) == (Outcome.FAILED, 0)


def test_stop_iteration_does_not_end_a_test_in_silence(jail: Jail):
    student = "def merge(line): raise StopIteration"
    check = verdict_on(jail, student, "assert all(map(merge, [[2], [4]]))")
    assert (check.outcome, check.points) == (Outcome.ERROR, 0)
    assert verdict_on(jail, student, "check(merge, [2], raises=StopIteration)").points == 1


def test_what_was_printed_and_returned_and_a_wrong_helper_are_seen_through_the_wall(jail: Jail):
    helper = "def close_gaps(line):\n    return line\n"
    uses = helper + "def merge(line):\n    return [tile for tile in close_gaps(line)]"
    named = {
        "def merge(line):\n    print(line)": "prints-instead",
        "def merge(line):\n    return None": "returns-nothing",
        "def merge(line):\n    return ValueError('no')": "error-returned",
        "def merge(line):\n    return (tile for tile in line)": "returns-iterator",
        uses: "gives-its-argument",
    }
    test = "check(merge, [2, 2], gives=[4, 0])"
    found = {program: verdict_on(jail, program, test).misconception for program in named}
    assert found == named
