"""The student's functions, classes and objects, used by a test that runs outside of the jail."""

import pytest

from autograder.grading_data import Outcome
from autograder.jail import WarmJail
from tests.autograder.grading_helpers import checks_by, limited, verdict_on

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

    def itself(self):
        return self

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


USES = (
    "game = Game(2, 3)\nassert game.board == [[0, 0, 0], [0, 0, 0]]",
    "game = Game(width=2)\nassert (game.score, game.kind, Game.kind) == (0, *['classic'] * 2)",
    "game = Game()\nassert game.move('left') is True\nassert game.score == 4",
    "game = Game()\ngame.board = [[2, 0]]\ngame.move('left')\nassert game.board == [[0, 2]]",
    "game = Game()\nassert not game.is_over\ngame.score = 11\nassert game.is_over",
    "game = Game()\nassert (str(game), repr(game), len(game)) == ('Score: 0', 'Game()', 4)",
    "assert repr([Game(), Game]) == '[<Game object>, <Game class>]'",
    "assert list(Game(2, 1)) == [[0], [0]]",
    "assert Game(1, 2)[0] == [0, 0]",
    "game = Game()\nassert isinstance(game, Game) and not isinstance([], Game)",
    "game = Game()\nassert game.twin(game) and not game.twin(Game())",
    "games = [Game()]\nassert games[0].itself() is games[0] is not Game()",
    "assert Game.__name__ == 'Game' and callable(Game) and not callable(Game())",
    "game = Game()\nassert not hasattr(game, 'nothing')",
    "check(Game().move, 'up', raises=ValueError)",
    "from random import Random\nassert Game(rng=Random(7)).roll() == Random(7).randrange(1000)",
    "game = Game()\nassert bool(game) is True",
    "game = Game(3, 3)\nboard = game.board\nboard[0][0] = 2\nassert game.board[0][0] == 0",
)


def test_a_class_is_used_as_if_it_were_here(jail: WarmJail):
    for test, check in zip(USES, checks_by(jail, GAME, USES), strict=True):
        assert (check.outcome, check.message) == (Outcome.PASSED, ""), test


ODD = (
    *("game == game", "game == 5", "game != Game()", "4 in game", "game[0] = 2", "game < 5"),
    *("game + 1", "{game}", "f'{game:>9}'", "dir(game)", "vars(game)", "type(game)"),
    *("game.__class__", "deepcopy(game)", "np.array([1]) + game", "hash(game)"),
    *("issubclass(Game, object)", "reversed(game)", "sorted([Game(), Game()])"),
)


def test_nothing_else_is_answered_by_python_itself(jail: WarmJail):
    given, caught = "from copy import deepcopy\nimport numpy as np", "game = Game()\ntry:\n"
    tests = [f"{caught}    {test}\nexcept Exception:\n    pass" for test in ODD]
    for test, check in zip(ODD, checks_by(jail, GAME, tests, given), strict=True):
        assert check.outcome is Outcome.ERROR, test
        assert "only a test beside the program can ask" in check.message, test


SORTS = "def merge(line): line.sort()"
SORTS = "def merge(line): line.sort()"
CALLED = {
    "in place": (SORTS, "line = [2, 1]\nmerge(line)\nassert line == [1, 2]"),
    "many": (SORTS, "check.many(merge, [[2, 1]], gives=None)"),
    "on copies": (SORTS, "line = [2, 1]\ncheck(merge, line, gives=None)\nassert line == [2, 1]"),
    "a batch": (
        SORTS,
        "answers = merge.call_many([[[2, 1]], [[1]], [3]])\n"
        "assert answers[0].arguments == ([1, 2],)\n"
        "assert type(answers[2].error) is AttributeError",
    ),
    "very many calls": (
        "def merge(rng, n): return n, rng.random()",
        "calls = [[Random(n), n] for n in range(1200)]\nanswers = merge.chance_many(calls)\n"
        "assert [a.value for a in answers] == [(n, Random(n).random()) for n in range(1200)]\n"
        "assert answers[7].arguments[0].random() != Random(7).random()",
    ),
    "lists that are not all new": (
        "known, row = [0], [0]\ndef merge(line):\n"
        "    return {1: [], 2: line, 3: known, 4: [row, row], 5: [[0], [0]]}[line[0]]",
        "answers = merge.call_many([[[n]] for n in (1, 2, 3, 3, 4, 5)])\n"
        "found = [one.is_shared for one in answers]\n"
        "assert found == [False, True, False, True, True, False]",
    ),
    "chance that has moved on": (
        "def merge(rng): rng.random()",
        "rng, same = Random(1), Random(1)\nmerge(rng)\nsame.random()\n"
        "assert rng.random() == same.random()",
    ),
}


@pytest.mark.parametrize(("program", "test"), CALLED.values(), ids=CALLED)
def test_what_a_function_does_to_its_arguments_is_seen(jail: WarmJail, program: str, test: str):
    check = verdict_on(jail, program, test, "from random import Random")
    assert (check.outcome, check.message) == (Outcome.PASSED, "")


def test_what_is_left_in_an_argument_does_not_touch_the_answer(jail: WarmJail):
    student = "def merge(line):\n    line.append(object())\n    return len(line)"
    assert verdict_on(jail, student, "check(merge, [2], gives=2)").outcome is Outcome.PASSED
    check = verdict_on(jail, student, "check.unchanged(merge, [[2]])")
    assert (check.outcome, check.points) == (Outcome.FAILED, 0)


def test_a_class_may_come_from_a_module_that_a_cell_has_written(jail: WarmJail):
    student = """
from pathlib import Path
Path("mine.py").write_text("class Tile:\\n    value = 2")
from mine import Tile as merge
"""
    assert verdict_on(jail, student, "assert merge().value == 2").outcome is Outcome.PASSED


def test_an_object_is_lost_with_its_process(jail: WarmJail):
    student = GAME + "\nimport os\ndef merge(line):\n    os._exit(0)"
    test = "game = Game()\ntry:\n    merge([])\nexcept BaseException:\n    pass\ngame.score"
    with limited(jail, call=0.3):
        check = verdict_on(jail, student, test)
    assert check.outcome is Outcome.CRASHED
    assert "lost with the process" in check.message
