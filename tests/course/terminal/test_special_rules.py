"""The special rules in a terminal: the second chance, and winning by points."""

from pathlib import Path

import pytest

from course.terminal.load_own_functions import pieces_of
from course.terminal.loop import SECOND_CHANCE
from tests.course.terminal.played import LOST, SAMPLE, match_on, standing, told_by, typed


def test_the_second_chance_is_offered_and_taken_once(capsys):
    match = match_on(LOST, special=True)
    standing(match, score=3000)
    told = told_by(match, "a y", capsys)
    assert SECOND_CHANCE in told
    assert match.board == [[512, 0], [0, 256]]
    assert match.score == 952
    assert told.count(SECOND_CHANCE) == 1


def test_a_declined_second_chance_ends_the_game(capsys):
    match = match_on(LOST, special=True)
    assert told_by(match, "a n w w", capsys).endswith("Game over.\n\n")
    assert match.board == LOST


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
    match = match_on(LOST, pieces_of(Path(own(source))).items(), special=True)
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
