"""`@add_to(Game)`: a class grows cell by cell, and is saved as one ordinary class."""

import ast
from random import Random

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course import CheckFailed, add_to, check
from course.mine.keeping import keep, kept
from course.playing.game_implementations import OwnGame
from course.playing.game_in_progress import Match
from course.refusal import Refusal
from course.rules import is_over

CLASS = """from random import Random
from course import add_to
from course.rules import new_board, take_turn, is_over

class Game:
    '''Mine.'''

    def __init__(self, height=4, width=4, rng=None, p_four=0.1):
        self.rng = rng or Random()
        self.board = new_board(height, width, self.rng, p_four)
        self.score = self.moves = 0
"""
MOVE = """@add_to(Game)
def move(self, direction):
    before = self.board
    self.board = take_turn(before, direction, self.rng)
    return self.board != before
"""
OVER = """@add_to(Game)
@property
def is_over(self):
    return is_over(self.board)
"""


@pytest.fixture
def shell():
    return InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))


@pytest.fixture
def cell(shell):
    """Return a function that runs some cells, and returns the class `Game` that they have made."""

    def run(*sources: str):
        for source in sources:
            shell.run_cell(source, store_history=False).raise_error()
        return shell.user_ns["Game"]

    return run


def test_a_method_is_put_on_the_class_under_its_own_name_for_objects_that_are_there_too(cell):
    game = cell(CLASS)(2, 2)
    cell(MOVE)
    assert game.move.__qualname__ == "Game.move"
    assert game.move("left") in (True, False)


def test_a_method_is_replaced_by_its_cell_and_gone_after_the_cell_of_the_class(cell, shell):
    grown = cell(CLASS, MOVE, MOVE.replace("return self.board != before", "return 7"))
    assert grown().move("left") == 7
    assert shell.user_ns["move"] is vars(grown)["move"]
    assert not hasattr(cell(CLASS), "move")


def test_a_property_stays_one_and_the_function_of_its_name_keeps_its_meaning(cell, shell):
    game = cell(CLASS, OVER, OVER)(rng=Random(1))
    assert game.is_over is False
    assert shell.user_ns["is_over"] is is_over


def test_decorators_in_the_wrong_order_can_be_put_right(cell):
    first, second, *rest = OVER.splitlines()
    assert cell(CLASS, "\n".join([second, first, *rest]), OVER)().is_over is False


@pytest.mark.parametrize("wrong", [lambda: None, "Game", 7])
def test_what_is_no_class_and_what_is_no_method_is_refused_with_what_to_write(wrong):
    with pytest.raises(TypeError, match=r"as in @add_to\(Game\)"):
        add_to(wrong)
    with pytest.raises(TypeError, match="a def, or @property and a def"):
        add_to(int)(7)


MISSING = r"Game has no move yet\. Run the cell with `def move` below `@add_to\(Game\)`"


def test_a_check_says_which_cells_to_run_where_a_method_is_missing(cell):
    with pytest.raises(CheckFailed, match=MISSING):
        check.plays(cell(CLASS), [[2, 2]], "left", moves=1)


def test_a_check_says_so_of_a_property_and_of_the_text(cell):
    for fact in ("is_over", "text"):
        with pytest.raises(CheckFailed, match=r"yet\. Run the cell with"):
            check.plays(cell(CLASS), [[2, 2]], **{fact: False})


def test_a_board_says_so_when_it_is_made_and_when_the_class_was_made_again(cell, monkeypatch):
    with pytest.raises(Refusal, match=MISSING):
        OwnGame(cell(CLASS)())
    match = Match(OwnGame(cell(CLASS, MOVE)()))
    newest = cell(CLASS)
    monkeypatch.setattr(
        "course.playing.game_implementations.notebook_names", lambda: {"Game": newest}
    )
    assert "Game has no move yet" in repr(vars(match.move("left")))


def test_a_class_that_grew_is_kept_as_one_ordinary_class(cell, lesson):
    keep(cell(CLASS, MOVE, OVER))
    text = lesson.read_text()
    [kept_class] = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    methods = [part.name for part in kept_class.body if isinstance(part, ast.FunctionDef)]
    assert methods == ["__init__", "move", "is_over"]
    assert "add_to" not in text
    game = kept("Game")(2, 2)
    assert game.is_over is False
    assert game.move("left") in (True, False)


SHOWN = '''@add_to(Basket)
def __str__(self):
    title = """The board: \\
 {}

 :"""

    return title.format(f"""{self.apples}
is the score""") + (
        "."
    )
'''


def test_texts_of_several_lines_in_methods_and_functions_are_kept_as_they_are(cell, shell, lesson):
    cell(CLASS, "class Basket:\n    def __init__(self):\n        self.apples = 3\n", SHOWN)
    keep(shell.user_ns["Basket"])
    assert str(kept("Basket")()) == str(shell.user_ns["Basket"]())
    assert '            "."\n' in lesson.read_text()
    cell('if True:\n    def merge(line):\n        return """\n    {} \n\n  """.format(line)\n')
    keep(shell.user_ns["merge"])
    assert kept("merge")([2]) == "\n    [2] \n\n  "


@pytest.mark.deep
def test_the_newest_version_of_a_method_takes_the_place_of_one_in_the_class(cell, lesson):
    stale = CLASS + "\n    def move(self, direction):\n        return 1\n"
    keep(cell(stale, MOVE.replace("take_turn", "wrong"), MOVE))
    assert lesson.read_text().count("def move") == 1
    assert "wrong" not in lesson.read_text()


def test_a_method_that_is_still_to_be_written_keeps_the_class_back(cell, lesson, capsys):
    stub = "@add_to(Game)\ndef reset(self):\n    raise NotImplementedError()\n"
    keep(cell(CLASS, MOVE, stub))
    assert "Game is not kept" in capsys.readouterr().out
    assert not lesson.exists()


def test_a_part_without_a_def_is_refused_with_what_to_write(cell, lesson):
    grown = cell(CLASS, "Game.move = lambda self, direction: True")
    with pytest.raises(ValueError, match="write it with def move below @add_to"):
        keep(grown)


SPECIAL = """class SpecialGame(Game):
    has_continued = False

    @property
    def has_won(self):
        return has_won_special(self.board, self.score)
"""
CONTINUE = """@add_to(SpecialGame)
def continue_(self):
    self.board, self.score = second_chance(self.board, self.score, self.rng)
    self.has_continued = True
"""
RESET = """@add_to(SpecialGame)
def reset(self):
    Game.reset(self)
    self.has_continued = False
"""


@pytest.mark.deep
@pytest.mark.parametrize("base", ["course.mine", "course.rules"], ids=["mine", "the course's"])
def test_a_class_that_grew_on_another_is_kept_with_all_that_was_added(
    cell, shell, lesson, base, capsys
):
    keep(cell(CLASS, MOVE))
    cell(f"from {base} import Game, has_won_special, second_chance\n", SPECIAL, CONTINUE, RESET)
    keep(shell.user_ns["SpecialGame"])
    assert capsys.readouterr().out.endswith("my_2048.py --special\n")
    game = kept("SpecialGame")(2, 2)
    game.board, game.score = [[512, 2], [4, 256]], 26_000
    assert game.has_won
    game.continue_()
    assert (game.board, game.score, game.has_continued) == ([[512, 0], [0, 256]], 23_952, True)
    assert "add_to" not in lesson.read_text()


@pytest.mark.parametrize(
    ("line", "is_right"),
    [("super().reset()", False), ("super(SpecialGame, self).reset()", True)],
)
def test_super_where_it_can_not_work_is_told_with_what_to_write(cell, line, is_right):
    cell(CLASS, "from course.rules import Game", SPECIAL)
    source = RESET.replace("Game.reset(self)", line)
    if is_right:
        cell(source)
        return
    with pytest.raises(TypeError, match=r"write Game\.reset in the place of super\(\)\.reset"):
        cell(source)


def test_what_an_earlier_version_of_a_method_has_stored_in_the_class_is_taken_back():
    class Basket:
        is_full = False

    def filling(of_all):
        def put(self):
            (Basket if of_all else self).is_full = True

        return put

    add_to(Basket)(filling(of_all=True))
    Basket().put()
    assert Basket.is_full
    add_to(Basket)(filling(of_all=False))
    basket = Basket()
    basket.put()
    assert (basket.is_full, Basket.is_full) == (True, False)
