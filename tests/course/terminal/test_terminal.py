"""2048 in a terminal: keys, plain output, the drawn board, own pieces, special rules."""

import os
import pty
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from rich.console import Console
from rich.text import Text
from typer.testing import CliRunner

from course import rules
from course.__main__ import app
from course.playing.game_in_progress import Match
from course.rules import Game
from course.terminal.loop import HELP, SECOND_CHANCE, match_of, pieces_of, run
from course.terminal.screens import DrawnScreen, PlainScreen

SAMPLE = [[2, 0, 4, 0], [0] * 4, [0] * 4, [2, 0, 0, 0]]
LOST = [[512, 2], [4, 256]]
CASCADE = """
def merge(line):
    tiles = []
    for tile in line:
        while tile and tiles and tiles[-1] == tile:
            tile += tiles.pop()
        if tile:
            tiles.append(tile)
    return tiles + [0] * (len(line) - len(tiles))
"""


def typed(keys: str, *options: str) -> str:
    """Run `course play` with keys from a pipe; return its output."""
    told = CliRunner().invoke(app, ["play", *options], input=keys)
    assert told.exit_code == 0, told.output
    return told.output


def told_by(match: Match, keys: str, capsys, note: str = "") -> str:
    """Play a match with these keys, as on a plain terminal; return its output."""
    run(match, PlainScreen(), keys.split(), note)
    return capsys.readouterr().out


def drawn(match: Match, keys: list[str], width: int, height: int) -> str:
    """Play a match on a drawn screen of this size; return its output without colours."""
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=width, height=height)
    run(match, DrawnScreen(console), keys)
    return Text.from_ansi(out.getvalue()).plain


def match_on(board, own: str | None = None, score: int = 0, **options) -> Match:
    """Return a match that starts on this board, with the functions in the learner's file `own`."""
    pieces = pieces_of(Path(own)) if own else {}
    match, _ = match_of(pieces, height=len(board), width=len(board[0]), seed=1, **options)
    start = replace(match.state, board=[row[:] for row in board], score=score)
    match._states[-1] = match.player.end(start)
    return match


@pytest.fixture
def own(tmp_path):
    """Return a function that writes a learner's file and returns its path."""

    def write(source: str) -> str:
        file = tmp_path / "mine.py"
        file.write_text(source)
        return str(file)

    return write


def test_the_sample_of_the_special_rules_slides_up_and_scores_4(capsys):
    told = told_by(match_on(SAMPLE), "w e", capsys)
    assert "Score 4, 1 move.\nMerged into 4. 4 points. New " in told
    assert any(line.split()[::2] == ["4", "4"] for line in told.splitlines())


@pytest.mark.parametrize(
    ("key", "direction"),
    [("w", "up"), ("a", "left"), ("s", "down"), ("d", "right"), ("W", "up"), ("\x1b[A", "up"),
     ("\x1b[D", "left"), ("\x1bOB", "down"), ("\x1b[C", "right")],
)  # fmt: skip
def test_a_key_slides(key, direction, capsys):
    board = [[0, 0, 0], [0, 2, 0], [0, 0, 0]]
    match = match_on(board)
    told_by(match, key, capsys)
    row, column = rules.move_cursor(board, (1, 1), direction)
    assert match.board[row][column] == 2


def test_keys_may_come_one_a_line_or_many_a_line():
    assert typed("w\na\ns\ne\n", "--seed", "3") == typed("w a s e", "--seed", "3")


def test_a_seed_plays_the_same_game_as_the_rules():
    game = Game(rng=Random(3))
    for direction in ("up", "left", "down"):
        game.move(direction)
    last = typed("w a s", "--seed", "3")
    assert str(game).splitlines()[:4] == last.split("\n\n")[3].splitlines()[:4]


@pytest.mark.parametrize(("keys", "said"), [("", "No more keys. Goodbye."), ("e w w", "Goodbye.")])
def test_e_or_the_last_key_ends_the_game_politely(keys, said):
    assert typed(keys).endswith(f"\n\n{said}\n\n")


@pytest.mark.parametrize("key", ["x", "left", "\x1b[Z", "\x1b", "é", "wa"])
def test_another_key_says_which_keys_there_are(key, capsys):
    match = match_on(SAMPLE)
    assert f"There is no key {key!r}. {HELP}" in told_by(match, key, capsys)
    assert match.board == SAMPLE


def test_a_move_that_does_nothing_is_said_without_the_board_again(capsys):
    told = told_by(match_on([[2, 4, 0]]), "a", capsys).split("\n\n")
    assert told[1] == "Nothing moved."


def test_the_end_is_said_and_ends_the_game(capsys):
    told = told_by(match_on([[4, 8, 0]]), "d d d", capsys)
    assert told.count("Game over.") == 1
    assert told.endswith("Game over.\n\n")
    assert "2 moves" not in told


def test_winning_is_said_once_and_play_goes_on(capsys):
    told = told_by(match_on([[8, 8, 0, 0]], goal=16), "a d a", capsys)
    assert told.count("You win!") == 1
    assert "2 moves" in told


def test_size_and_goal_are_options():
    first = typed("e", "--height", "2", "--width", "5").splitlines()
    assert [len(row.split()) for row in first[:2]] == [5, 5]
    assert first[2] == "Score 0, 0 moves."


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        pytest.param((80, 40), "│      │      │      │      │\n│  2   │", id="tall tiles"),
        pytest.param((80, 15), "│  2   │  ·   │  4   │  ·   │\n├──────┼", id="low tiles"),
        pytest.param((20, 12), "2 . 4 .", id="text"),
    ],
)
def test_the_drawn_board_is_as_large_as_there_is_room_for(size, shown):
    assert shown in drawn(match_on(SAMPLE), [], *size)


def test_a_wrong_square_is_marked_on_the_drawn_board(own):
    assert "│  8!  │" in drawn(match_on([[4, 2, 2, 0]], own(CASCADE)), ["a"], 80, 40)


def test_a_learners_merge_is_played_and_its_mistake_named(own, capsys):
    match = match_on([[4, 2, 2, 0]], own(CASCADE))
    told = told_by(match, "a", capsys)
    assert match.board[0][0] == 8
    assert "\nRow 0 (counted from 0): 4 2 2 0 became 8 0 0 0. The rules give 4 4 0 0.\n" in told


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("return line[99]", "IndexError in line 2: list index out of range. The board stays"),
        ("raise KeyboardInterrupt", "Your merge was stopped."),
        ("return 'left'", "Your merge gave no answer to go on with."),
    ],
    ids=["an error", "endless", "nonsense"],
)
def test_without_an_answer_it_is_told_why_the_board_stays_and_play_goes_on(own, capsys, line, says):
    match = match_on(SAMPLE, own(f"def merge(line):\n    {line}\n"))
    told = told_by(match, "w a", capsys)
    assert told.count(says) == 2
    assert ("\nreturn line[99]\n" in told) is ("IndexError" in says)
    assert match.board == SAMPLE


def test_what_a_function_prints_is_shown(own, capsys):
    printing = own("def has_won(board):\n    print('hello')\n    return False\n")
    told = told_by(match_on(SAMPLE, printing), "w", capsys)
    assert "Your code printed: hello" in told
    assert "1 move." in told


def test_what_is_printed_while_a_mistake_is_looked_for_is_not_shown(own, capsys):
    printing = CASCADE.replace("tiles = []", "print(line)\n    tiles = []", 1)
    told = told_by(match_on([[4, 2, 2, 0]], own(printing)), "a", capsys)
    assert "Hint: " in told
    assert told.count("Your code printed: ") == 1


def test_a_learners_wrong_end_does_not_end_the_game(own, capsys):
    match = match_on(SAMPLE, own("def is_over(board):\n    return True\n"))
    told = told_by(match, "w a", capsys)
    assert "The rules give False." in told
    assert "2 moves" in told


GAME = """
from course.rules import Game as Base
class Game(Base):
    def move(self, direction):
        moved = super().move(direction)
        self.score += 1
        return moved
"""


def test_a_learners_class_is_played(own):
    told = typed("w", "--with", own(GAME), "--seed", "3")
    assert "You play your Game." in told
    assert "score gave 1. The rules give 0." in told


def test_a_learners_class_that_can_not_start_leaves_the_course_to_play(own):
    file = own("class Game:\n    def __init__(self):\n        pass\n")
    told = typed("s", "--seed", "3", "--with", file)
    assert "Your Game raised an error. TypeError: Game.__init__() takes 1 " in told
    assert "1 move." in told


def test_a_kept_file_can_be_played(tmp_path, monkeypatch, own):
    monkeypatch.chdir(tmp_path)
    from course.mine.keeping import keep

    keep(pieces_of(Path(own(CASCADE)))["merge"])
    assert "You play with your merge." in typed("e", "--with", "my_2048.py")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        pytest.param("mine.py", "def merge(line)\n", "mine.py, line 1: SyntaxError", id="broken"),
        pytest.param("mine.py", "x = 1\n", "no piece of the game", id="nothing in it"),
        pytest.param("mine.ipynb", "{}", "is a notebook", id="a notebook"),
        pytest.param("mine.py", None, "No such file", id="not there"),
    ],
)
def test_a_file_that_can_not_be_played_is_told_in_one_line(tmp_path, name, content, says):
    if content is not None:
        (tmp_path / name).write_text(content)
    told = CliRunner().invoke(app, ["play", "--with", str(tmp_path / name)])
    assert told.exit_code == 1
    assert says in told.output
    assert len(told.output.splitlines()) == 1


def test_the_second_chance_is_offered_and_taken_once(capsys):
    match = match_on(LOST, score=3000, special=True)
    told = told_by(match, "a y", capsys)
    assert SECOND_CHANCE in told
    assert match.board == [[512, 0], [0, 256]]
    assert match.state.score == 952
    assert told.count(SECOND_CHANCE) == 1


def test_another_key_asks_for_the_second_chance_again(capsys):
    told = told_by(match_on(LOST, special=True), "a x n", capsys)
    assert f"There is no key 'x'.\n{SECOND_CHANCE}" in told


@pytest.mark.parametrize(
    ("body", "says"),
    [
        pytest.param("return board", "return board, score", id="no score"),
        pytest.param("return [[1]], score", "return board, score", id="another shape"),
        pytest.param("return 1 / 0", "ZeroDivisionError in line 2", id="an error"),
    ],
)
def test_a_second_chance_without_an_answer_leaves_the_game_as_it_was(own, capsys, body, says):
    source = f"def second_chance(board, score, rng):\n    {body}\n"
    match = match_on(LOST, own(source), special=True)
    assert says in told_by(match, "a y n", capsys)
    assert match.board == LOST


SAMPLE_GAME = f"""
class SpecialGame(Game):
    has_continued = False

    def __init__(self, height=4, width=4, rng=None, p_four=0.1):
        Game.__init__(self, height, width, rng, p_four)
        self.board = {SAMPLE}
"""


def test_the_sample_game_of_the_special_rules_is_replayed_in_text_by_a_class_of_ones_own(own):
    told = typed("w e", "--special", "--seed", "4", "--with", own(SAMPLE_GAME))
    before, after = told.split("Keys: w up, a left, s down, d right, e exit.")
    assert before.startswith("2 . 4 .\n. . . .\n. . . .\n2 . . .\nScore 0, 0 moves.")
    assert after.strip().startswith("4 . 4 .")
    assert "Score 4, 1 move." in after
    assert told.endswith("Goodbye.\n\n")


@pytest.fixture
def terminal():
    """Start a game in a real terminal; yield the file descriptor through which tests use it."""
    lead, follow = pty.openpty()
    run = [sys.executable, "-m", "course", "play", "--seed", "3"]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(
        run, stdin=follow, stdout=follow, stderr=follow, env=environment
    ) as process:
        os.close(follow)
        yield lead
        assert process.wait(30) == 0
    os.close(lead)


def test_in_a_real_terminal_keys_act_without_enter_and_ctrl_d_leaves(terminal):
    read_until(terminal, "e exit")
    os.write(terminal, b"w")
    read_until(terminal, "1 move.")
    os.write(terminal, b"\x1b[D")
    read_until(terminal, "2 moves")
    os.write(terminal, b"\x04")
    read_until(terminal, "No more keys.")


def test_in_a_real_terminal_no_key_of_a_burst_is_lost(terminal):
    os.write(terminal, b"wasd" * 5)
    game = Game(rng=Random(3))
    for direction in ("up", "left", "down", "right") * 5:
        game.move(direction)
    read_until(terminal, f"Score {game.score}, {game.moves} moves")
    os.write(terminal, b"e")
    read_until(terminal, "Goodbye.")


def read_until(terminal: int, text: str) -> None:
    """Read a terminal until it has shown `text`; raise `OSError` if the terminal closes first."""
    seen = ""
    while text not in seen:
        seen += os.read(terminal, 4096).decode(errors="replace")
