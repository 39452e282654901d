"""`keep` saves a learner's function in a file, and `kept` returns it in another lesson."""

import subprocess
import sys

import pytest

from course import rules
from course.mine.keeping import EARLIER, HEADER, keep, kept
from course.mine.load_own_file import FILE, kept_file
from course.refusal import Refusal

REST = "def merge(line):\n    return [0] * len(line)\n"
MINE = "def merge(line):\n    return list(line)\n"


def test_the_file_is_beside_the_lesson_folders_or_else_in_the_folder_itself(
    lesson, tmp_path, monkeypatch
):
    assert kept_file() == lesson
    monkeypatch.chdir(tmp_path)
    assert kept_file() == tmp_path / FILE


def test_keeping_says_what_it_did_and_the_file_nothing_about_this_computer(cell, lesson, capsys):
    keep(cell(MINE))
    assert capsys.readouterr().out.splitlines()[0] == "Kept merge in my_2048.py."
    assert lesson.read_text() == f"{HEADER}\n\n{MINE}"


GAME = "class Game(Right):\n    pass\n"


def test_keeping_a_game_prints_a_command_that_works_in_any_terminal(
    cell, tmp_path, monkeypatch, capsys
):
    folder = tmp_path / "my lessons; it's 'mine'"
    folder.mkdir()
    monkeypatch.chdir(folder)
    keep(cell(MINE))
    assert "terminal" not in capsys.readouterr().out  # a piece is no game yet
    cell("from course.rules import Game as Right")
    keep(cell(GAME, "Game"))
    command = capsys.readouterr().out.splitlines()[-1].strip()
    told = subprocess.run(
        command,
        shell=True,
        cwd="/",
        env={"PATH": "/nowhere"},
        input="e",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "You play your Game." in told.stdout
    assert "Goodbye." in told.stdout


def test_the_pieces_of_a_duel_are_no_game_for_a_terminal(cell, lesson, capsys):
    pushes = "def push(board, player, direction):\n    return [row[:] for row in board]\n"
    keep(cell(pushes, "push"))
    assert "terminal" not in capsys.readouterr().out
    agent = "class Agent:\n    def place(self, view):\n        return view['legal'][0]\n"
    keep(cell(agent, "Agent"))
    said = capsys.readouterr().out
    assert "terminal" not in said
    imports, call = said.partition("Play against it in any lesson:")[2].split("\n")[1:3]
    cell(f"{imports.strip()}\nboard = {call.strip()}")
    opponent = cell("", "board").game._make[-1]()
    assert opponent.place({"legal": [(0, 4)]}) == (0, 4)


def test_on_the_site_it_is_said_once_a_cell_where_the_file_lies(cell, lesson, capsys, monkeypatch):
    monkeypatch.setattr("IPython.get_ipython", lambda: cell.shell)
    monkeypatch.setattr("course.mine.keeping.IS_BROWSER", True)
    cell("from course import keep\nfrom course.rules import merge as right")
    cell("def merge(line):\n    return right(line)\ndef has_pair(line):\n    return False")
    cell("keep(merge)\nkeep(has_pair)\nkeep(merge)")
    said = capsys.readouterr().out
    assert said.count("Kept ") == 3
    assert said.count("in this browser") == 1
    cell("keep(merge)")
    assert "in this browser" in capsys.readouterr().out


def test_what_is_no_piece_of_the_game_comes_without_a_command(cell, lesson, capsys):
    keep(cell("def my_own(line):\n    return line\n", "my_own"))
    assert capsys.readouterr().out == "Kept my_own in my_2048.py.\n"


def test_what_is_not_written_yet_does_not_replace_what_is_kept(cell, lesson, capsys):
    keep(cell(MINE))
    keep(cell("def merge(line):\n    raise NotImplementedError()\n"))
    assert "merge is not kept, because it still says" in capsys.readouterr().out
    assert kept("merge")([2, 2]) == [2, 2]


def test_a_stub_in_a_comment_or_a_text_is_not_to_be_written_any_more(cell, lesson, capsys):
    source = "def close_gaps(line):\n    {}raise NotImplementedError()\n    return [7]\n"
    keep(cell(source.format("# "), "close_gaps"))
    assert kept("close_gaps")([2]) == [7]
    cell(source.format("'Was: '  # "))
    keep(cell("def merge(line):\n    return close_gaps(line) + ['raise NotImplementedError()']\n"))
    assert kept("merge")([2, 2])[0] == 7
    assert capsys.readouterr().out.count("Kept ") == 2


def test_keeping_again_replaces_that_function_only_and_loses_nothing(cell, lesson):
    keep(cell("def slide(board, direction):\n    return board\n", "slide"))
    keep(cell(MINE))
    keep(cell(REST))
    keep(cell("def merge(line):\n    return None\n"))
    assert kept("merge")([2, 2]) is None
    assert kept("slide")([[0, 2]], "left") == [[0, 2]]
    earlier = lesson.with_name(EARLIER).read_text()
    assert MINE in earlier
    assert REST in earlier
    assert lesson.read_text().count("def merge") == 1


def test_keeping_the_same_again_changes_nothing(cell, lesson):
    keep(cell(MINE))
    before = lesson.read_text()
    keep(cell(MINE))
    assert lesson.read_text() == before
    assert not lesson.with_name(EARLIER).exists()


def test_a_learners_own_additions_to_the_file_stay(cell, lesson):
    keep(cell(MINE))
    lesson.write_text(lesson.read_text() + "\n\n# my notes\nBEST = 2048\n")
    keep(cell(REST))
    assert lesson.read_text().endswith("# my notes\nBEST = 2048\n")


def test_a_class_is_kept_with_all_its_methods(cell, lesson):
    cell("from course.rules import Game as Base\nSTART = 7", "START")
    source = (
        "class Game(Base):\n    '''Mine.'''\n    def reset(self):\n        super().reset()\n"
        "        self.score = START\n"
    )
    keep(cell(source, "Game"))
    game = kept("Game")()
    game.reset()
    assert game.score == 7


def test_a_local_name_is_no_value_to_keep(cell, lesson):
    cell("tiles = [2, 4]", "tiles")
    keep(cell("def merge(line):\n    tiles = list(line)\n    return tiles\n"))
    assert "[2, 4]" not in lesson.read_text()


def test_what_was_never_kept_is_the_courses_own(lesson):
    assert kept("merge") is rules.merge
    assert kept("Game") is rules.Game


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def merge(line:\n    return line\n", "my_2048.py, line 1: SyntaxError"),
        ("import random\n\nrandom.choice([])\n", "my_2048.py, line 3: IndexError"),
    ],
    ids=["broken", "raises"],
)
def test_a_file_in_trouble_is_told_with_its_line_and_the_courses_own_stands_in(
    lesson, capsys, text, says
):
    lesson.write_text(text)
    assert kept("merge") is rules.merge
    assert says in capsys.readouterr().out


@pytest.mark.parametrize(
    ("there", "says"),
    [(b"def merge(line:\n", "mistake in line 1"), (b"\xff\xfe", "cannot be read as text")],
    ids=["broken", "no text"],
)
def test_nothing_is_written_into_a_file_that_is_no_python(cell, lesson, there, says):
    lesson.write_bytes(there)
    with pytest.raises(Refusal, match=says):
        keep(cell(MINE))
    assert lesson.read_bytes() == there


def test_a_file_that_can_not_be_written_is_said(cell, lesson):
    merge = cell(MINE)
    lesson.with_name(f".{FILE}.new").mkdir()
    with pytest.raises(Refusal, match="cannot be written: Is a directory"):
        keep(merge)


def test_an_unknown_name_raises_and_lists_what_there_is(cell, lesson):
    keep(cell("def my_own(line):\n    return line\n", "my_own"))
    with pytest.raises(ValueError, match=r"'nope'; there are .*merge, .*my_own"):
        kept("nope")


@pytest.mark.parametrize(
    ("piece", "says"),
    [
        pytest.param(3, "a function or a class", id="a number"),
        pytest.param("merge", "a function or a class", id="a name"),
        pytest.param(lambda line: line, "no name", id="a lambda"),
        pytest.param(rules.merge, "course's own", id="a function of the course"),
    ],
)
def test_what_can_not_be_kept_is_said(piece, says, lesson):
    with pytest.raises(Refusal, match=says) as refused:
        keep(piece)
    assert refused.value._render_traceback_() == [str(refused.value)]
    assert not lesson.exists()


def test_a_function_whose_source_is_gone_can_not_be_kept(lesson):
    names = {"__name__": "__main__"}
    exec("def merge(line):\n    return line", names)  # noqa: S102 — unlike a cell, this leaves no source
    with pytest.raises(ValueError, match="run its cell again"):
        keep(names["merge"])


def test_the_file_is_a_python_file_like_any_other(cell, lesson):
    keep(cell(MINE))
    run = [sys.executable, "-c", "import my_2048; print(my_2048.merge([2, 2]))"]
    told = subprocess.run(
        run,
        cwd=lesson.parent,
        env={"PYTHONPATH": ":".join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "[2, 2]\n"
