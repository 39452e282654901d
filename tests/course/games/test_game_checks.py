"""Checks of the class `Game`: they are tried on right games and on games with mistakes."""

from random import Random

import pytest

from autograder.misconceptions import catalogue
from course.checks import CheckFailed, check
from course.games import (
    IDEAS,
    GameProblem,
    Observed,
    chance_faults,
    facts_hold,
    only_looks,
    play_by_the_rules,
    refuses,
    restart_faults,
    starts_again,
    stays_apart,
    tells,
    uses_chance,
)
from course.games.move_checks import Move, move_problem
from course.games.state_checks import shows
from course.lessons import cell_of
from course.rules import Game, is_over, new_board
from tests.lessons.running import defined

LESSON = "6-the-whole-game"


class Broken(Game):
    """A game whose score cannot be read."""

    @property
    def score(self):
        raise RuntimeError("no score")

    @score.setter
    def score(self, value):
        pass


class Nested(Game):
    """A game whose board is not a list of rows."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.board = {"rows": self.board}


class Endless(Game):
    """A game that never ends, since its moves do nothing."""

    def move(self, direction):
        return False


class Shared(Game):
    """A game whose count of moves is shared by all games of this class."""

    def __setattr__(self, name, value):
        if name == "moves":
            Shared.moves = value
        else:
            super().__setattr__(name, value)


def test_a_play_writes_down_what_was_done_but_not_what_was_read():
    board = [[2, 2, 0]]
    play = Observed(Game, board, p_four=1)
    play.step("left")
    play.read("score")
    play.step("reset")
    assert play.script == [
        "game = Game(1, 3, rng, 1)",
        "game.board = [[2, 2, 0]]",
        "game.move('left')",
        "game.reset()",
    ]
    assert board == [[2, 2, 0]]


def test_an_error_and_a_board_that_is_none_are_shown_below_their_lines():
    said = r"^game = Broken\(2, 2, rng\)\ngame\.score\n  got       RuntimeError: no score$"
    with pytest.raises(GameProblem, match=said):
        Observed(Broken, (2, 2)).read("score")
    with pytest.raises(GameProblem, match="a list of rows"):
        Observed(Nested, (2, 2)).board()


def test_of_a_long_script_the_first_and_the_last_lines_are_shown():
    play = Observed(Game, (4, 4))
    for _ in range(20):
        play.step("left")
    assert str(play.problem("wrong")).splitlines() == [
        "game = Game(4, 4, rng)",
        "game.move('left')",
        "…",
        "game.move('left')",
        "game.move('left')",
        "wrong",
    ]


@pytest.mark.parametrize(
    ("start", "steps", "facts"),
    [
        ([[2, 2]], ["left"], {"score": 4, "moves": 1}),
        ([[2, 4]], ["left"], {"answers": [False], "board": [[2, 4]]}),
        ((2, 2), ["north"], {"answers": [ValueError]}),
        ((3, 5), ["reset"], {"shape": (3, 5), "tiles": 2, "answers": [None]}),
        ([[4, 8, 4]], [], {"values": [4, 8], "is_over": True}),
        (None, [], {"shape": (4, 4), "has_won": False}),
    ],
    ids=["a move", "illegal", "wrong direction", "reset", "over", "without arguments"],
)
def test_facts_that_hold_are_silent(start, steps, facts):
    facts_hold(Game, [start], steps, facts)


WRONG_FACTS = ({"score": 8}, {"score": 4.0}, {"moves": True}, {"answers": [False]})


@pytest.mark.parametrize("facts", WRONG_FACTS, ids=str)
def test_facts_that_do_not_hold_are_a_problem(facts):
    with pytest.raises(GameProblem):
        facts_hold(Game, [[[2, 2]]], ["left"], facts)
    with pytest.raises(GameProblem, match="ValueError"):
        facts_hold(Game, [(2, 2)], ["north"], {"answers": [KeyError]})


@pytest.mark.parametrize("size", [(1, 1), (1, 4), (4, 1), (2, 3), (3, 3)], ids=str)
def test_right_games_follow_every_idea_to_their_ends(size):
    played = play_by_the_rules(Game, [size] * 5, list(IDEAS), 3000, whole=True)
    assert len(played) == 5
    assert all(is_over(game.board()) for game in played)


def test_a_game_that_does_not_come_to_its_end_is_a_problem():
    with pytest.raises(GameProblem, match="come to its end"):
        play_by_the_rules(Endless, [(3, 3)], [], 50, whole=True)


BEFORE = [[2, 2, 0], [0, 4, 0]]
RIGHT = [[4, 0, 2], [4, 0, 0]]
SLID = [[4, 0, 0], [4, 0, 0]]


def turn(after, answer=True, before=BEFORE, score=4, moves=1, **facts):
    then = {"score": 0, "moves": 0}
    now = {"score": score, "moves": moves, "is_over": False, "has_won": False, **facts}
    return Move("left", before, after, answer, then, now)


@pytest.mark.parametrize(
    ("idea", "wrong"),
    [
        pytest.param("answer", turn(RIGHT, answer=None), id="no-answer"),
        pytest.param("slide", turn([[0, 0, 4], [4, 0, 2]]), id="other-way"),
        pytest.param("slide", turn([[4, 4], [0, 0], [2, 0]]), id="turned"),
        pytest.param("new tile", turn(SLID), id="no-tile"),
        pytest.param("new tile", turn([[4, 2, 2], [4, 0, 0]]), id="two-tiles"),
        pytest.param("new tile", turn([[4, 8, 0], [4, 0, 0]]), id="an-8"),
        pytest.param("illegal", turn([[4, 2]], before=[[4, 0]]), id="tile-after-nothing"),
        pytest.param("score", turn(RIGHT, score=8), id="score"),
        pytest.param("moves", turn(RIGHT, moves=2), id="moves"),
        pytest.param("moves", turn([[4, 0]], before=[[4, 0]]), id="illegal-counted"),
        pytest.param("is_over", turn(RIGHT, is_over=True), id="over"),
        pytest.param("has_won", turn(RIGHT, has_won=1), id="won"),
        pytest.param("text", turn(RIGHT, text="4 2\n4\n"), id="text"),
    ],
)
def test_a_wrong_turn_is_seen_by_its_idea_and_a_right_one_is_right_in_it(idea, wrong):
    assert "expected" in str(move_problem(wrong, idea))
    assert move_problem(turn(RIGHT, text="4 . 2\n4 . .\nScore: 4"), idea) is None


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        pytest.param("2 . 4\n. . 8\nScore: 12", True, id="dots"),
        pytest.param("   2    0    4\n   0    0    8\nScore: 12", True, id="zeros"),
        pytest.param("+--+\n|2| |4|\n+--+\n| | |8|\n+--+\nScore: 12, moves: 3", True, id="frames"),
        pytest.param("[2, 0, 4]\n[0, 0, 8]\n\n12", True, id="lists"),
        pytest.param("Score: 12\n2 . 4\n. . 8", False, id="score-above"),
        pytest.param("2 . 4\n. . 8", False, id="no-score"),
        pytest.param("2 . 4\n. . 8\nScore: 8", False, id="another-score"),
        pytest.param("2 . 4\n. . 8\nScore: 12.0", False, id="score-with-a-point"),
        pytest.param("2 . 4\n. . 8\nScore: 12,000", False, id="score-with-a-comma"),
        pytest.param("2 . 4\n. . 8\n12, after 9 moves.", True, id="score-in-a-sentence"),
        pytest.param("02 . 4\n. . 8\nScore: 12", False, id="zeros-before-a-tile"),
        pytest.param(". . 8\n2 . 4\nScore: 12", False, id="rows-swapped"),
        pytest.param("4 . 2\n8 . .\nScore: 12", False, id="mirrored"),
        pytest.param("2 . 4 . . 8\nScore: 12", False, id="one-line"),
        pytest.param(None, False, id="no-text"),
    ],
)
def test_a_text_shows_the_rows_and_the_score(text, is_shown):
    assert shows(text, [[2, 0, 4], [0, 0, 8]], 12) is is_shown


def test_rows_without_tiles_need_a_line_too():
    assert shows(". .\n. .\nScore: 0", [[0, 0], [0, 0]], 0)
    assert not shows(". .\nScore: 0", [[0, 0], [0, 0]], 0)


def test_a_right_game_has_good_habits_and_starts_again():
    stays_apart(Game)
    uses_chance(Game)
    for size in [(1, 1), (1, 6), (4, 4)]:
        starts_again(Game, size)


def test_games_that_share_their_count_are_seen():
    with pytest.raises(GameProblem, match="its moves"):
        stays_apart(Shared)


class Drawing(Game):
    """A game that draws one random number too many in `is_over`, in `move` and in `__str__`."""

    @property
    def is_over(self):
        self.rng.random()
        return super().is_over

    def move(self, direction):
        self.rng.random()
        return super().move(direction)

    def __str__(self):
        self.rng.random()
        return super().__str__()


class Stale(Game):
    """A game whose text always shows the score at the time when the text was first made."""

    def __str__(self):
        self.shown = getattr(self, "shown", self.score)
        return f"{self.board}"[1:-1].replace("], ", "],\n") + f"\n{self.shown}"


@pytest.mark.parametrize(
    ("holds", "arguments"),
    [
        (only_looks, ("is_over", [({"board": [[2, 4]]}, True)])),
        (refuses, ([[2, 4]], "left")),
        (refuses, ([[2, 4]], "sideways")),
        (tells, ([[2, 4]], 8)),
    ],
    ids=["a question", "an illegal move", "a wrong direction", "the text"],
)
def test_a_question_or_refused_step_that_draws_from_rng_is_seen(holds, arguments):
    holds(Game, *arguments)
    with pytest.raises(GameProblem, match=r"next game\.rng\.random"):
        holds(Drawing, *arguments)


def test_a_text_that_is_not_up_to_date_or_not_there_is_seen():
    tells(Game, [[2, 4], [8, 16]], 8)
    with pytest.raises(GameProblem, match="the score 12"):
        tells(Stale, [[2, 4], [8, 16]], 8)
    textless = type("Game", (Game,), {"__str__": object.__str__})
    with pytest.raises(GameProblem, match=r"\nstr\(game\)\n  Game has no __str__ yet"):
        tells(textless, [[2, 4]], 8)


@pytest.mark.parametrize("name", ["p_four", "width"])
def test_a_reset_that_changes_what_it_should_keep_is_seen(name):
    class Changing(Game):
        def reset(self):
            super().reset()
            setattr(self, name, 9)

    with pytest.raises(GameProblem, match=rf"game\.{name}"):
        starts_again(Changing, (1, 6))


def game_with(mistake):
    """Return a class `Game` with a known mistake of lesson 6."""
    [entry] = [each for each in catalogue(LESSON) if each.id == mistake]
    return defined(LESSON, {cell_of(entry.exercise): entry.specimen}, "Game")


@pytest.mark.parametrize(
    ("mistake", "play", "told"),
    [
        ("game-move-own-rng", uses_chance, "equal rng"),
        ("game-copies-rng", uses_chance, "get one rng"),
        ("game-move-copies-rng", uses_chance, "equal moves"),
        ("game-reset-board-only", lambda make: starts_again(make, (4, 4)), r"game\.score"),
    ],
)
def test_a_known_mistake_is_seen_and_told(mistake, play, told):
    with pytest.raises(GameProblem, match=told):
        play(game_with(mistake))


class FewTiles(Game):
    """A game whose first board is seldom another one, and in which only the first tile varies."""

    def __init__(self, height=4, width=4, rng=None, p_four=0.1):
        super().__init__(height, width, rng, p_four)
        self.board = [[4 if self.rng.random() < 0.1 else 2, 2, 0, 0], *([0] * 4 for _ in range(3))]


class FixedTiles(FewTiles):
    """A game whose first board is always the same."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.board[0][0] = 2


class SameRng(FewTiles):
    """A game that has equal random numbers each time if it gets no `rng`."""

    def __init__(self, height=4, width=4, rng=None, p_four=0.1):
        super().__init__(height, width, rng or Random(1), p_four)


class SameBoard(Game):
    """A game whose first board is the same each time if it gets no `rng`."""

    def __init__(self, height=4, width=4, rng=None, p_four=0.1):
        super().__init__(height, width, rng, p_four)
        if rng is None:
            self.board = new_board(height, width, Random(42), p_four)


@pytest.mark.parametrize("make", [FewTiles, FixedTiles, SameRng, SameBoard])
def test_games_without_rng_differ_by_their_rng_even_if_their_first_boards_are_equal(make):
    said = "Game() without rng must be another game each time"
    assert all((said in chance_faults(make)) is (make is not FewTiles) for _ in range(20))


def test_a_reset_that_draws_from_a_copy_of_rng_is_seen():
    assert restart_faults(game_with("game-reset-copies-rng")) != []


def test_a_failed_check_of_a_game_names_the_mistake():
    with pytest.raises(CheckFailed, match="Hint: ") as failed:
        check.plays(game_with("game-always-true"), [[2, 4]], "left", answers=[False])
    assert failed.value.diagnosis.id == "game-always-true"
