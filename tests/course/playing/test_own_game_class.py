"""Games of the learner's own class, and matches by the special rules of lesson 7."""

from random import Random

import pytest

from course import play
from course.playing.game_implementations import Functions, OwnGame
from course.playing.game_in_progress import Match
from course.refusal import Refusal
from course.rules import DIRECTIONS, Game, SpecialGame, has_won_special, second_chance, take_turn
from course.terminal.loop import match_of
from tests.course.playing.learners import faults
from tests.course.widgets.test_live_board_messages import ask


def match(game) -> Match:
    return Match(OwnGame(game))


class Methods(Game):
    """A game with methods in place of the properties `is_over` and `has_won`."""

    def is_over(self):
        return super().is_over

    def has_won(self):
        return super().has_won


@pytest.mark.parametrize("kind", [Game, SpecialGame, Methods], ids=lambda kind: kind.__name__)
def test_a_right_game_is_played_without_a_fault(kind) -> None:
    played = match(kind(rng=Random(2)))
    turns = [played.move(DIRECTIONS[number % 4]) for number in range(60)]
    assert [fault for turn in turns for fault in turn.found] == []
    game, state = played.player.game, played.state
    assert (state.board, state.score, state.moves) == (game.board, game.score, game.moves)


def test_undo_takes_the_game_itself_back_and_a_board_that_a_cell_has_changed_is_played_on() -> None:
    game = Game(rng=Random(2))
    played = match(game)
    before = [row[:] for row in game.board]
    for way in ("left", "up"):
        played.move(way)
    for _ in range(2):
        played.undo()
    assert (game.board, game.score, game.moves) == (before, 0, 0)
    game.board = [[2, 2, 0, 0]] + [[0] * 4] * 3
    assert faults(played.move("left")) == []
    assert played.board[0][0] == 4


class ForgetsPoints(Game):
    def move(self, direction):
        moved = super().move(direction)
        self.score = 0
        return moved


class SpawnsAlways(Game):
    def move(self, direction):
        before = self.moves
        super().move(direction)
        if self.moves == before and [0, 0] in [row[2:] for row in self.board]:
            self.board[0][3] = 2
        return self.moves > before


class SaysNothing(Game):
    def move(self, direction):
        super().move(direction)


class Breaks(Game):
    def move(self, direction):
        self.board = None


class Raises(Game):
    def move(self, direction):
        return self.bored


@pytest.mark.parametrize(
    ("kind", "line", "said"),
    [
        (ForgetsPoints, [2, 2, 0, 0], "score gave 0. The rules give 4."),
        (SaysNothing, [2, 2, 0, 0], 'move("left") gave None. The rules give True.'),
        (SpawnsAlways, [2, 4, 0, 0], "No tile could move, yet move changed the board."),
    ],
)
def test_a_wrong_game_is_named(kind, line, said: str) -> None:
    game = kind(1, 4, Random(2))
    game.board = [line]
    assert faults(match(game).move("left")) == [said]


@pytest.mark.parametrize(("value", "is_over"), [(False, False), (0, True), ("no", True)], ids=repr)
def test_a_wrong_value_of_a_game_counts_if_it_is_of_the_right_kind(value, is_over) -> None:
    game = type("Mine", (Game,), {"is_over": value})(1, 4, Random(2))
    game.board = [[2, 4, 8, 16]]
    turn = match(game).move("left")
    assert faults(turn) == [f"is_over gave {value!r}. The rules give True."]
    assert turn.after.is_over is is_over


@pytest.mark.parametrize(
    ("kind", "said"), [(Breaks, "It is None."), (Raises, "AttributeError in line")]
)
def test_a_game_without_an_answer_stays_as_it_was(kind, said: str) -> None:
    game = kind(rng=Random(2))
    before = [row[:] for row in game.board]
    assert said in match(game).move("left").trouble.text
    assert game.board == before


@pytest.mark.parametrize("thing", [Game, object(), 7], ids=["a class", "an object", "a number"])
def test_what_is_no_game_is_refused(thing) -> None:
    with pytest.raises(Refusal):
        match(thing)


def test_a_game_that_becomes_special_while_it_is_played_is_played_as_one() -> None:
    game = Game(2, 2, Random(1))
    played = match(game)
    game.__class__ = SpecialGame
    game.has_continued = False
    game.board = [[512, 2], [4, 256]]
    played.move("left")
    assert played.state.can_continue


def test_a_game_without_a_score_is_counted_by_the_rules() -> None:
    class Bare:
        def __init__(self):
            self.board = [[2, 2, 0]]

        def move(self, direction):
            before = self.board
            self.board = take_turn(before, direction, Random(1))
            return self.board != before

    played = match(Bare())
    turn = played.move("left")
    assert faults(turn) == []
    assert (turn.after.score, turn.after.moves, turn.after.is_over) == (4, 1, False)


def test_a_board_in_the_game_that_is_none_is_told_at_the_start() -> None:
    game = Game(rng=Random(1))
    game.board = [[2, 2], [2]]
    assert "It is [[2, 2], [2]]." in match(game).opening.trouble.text


LOST = [[512, 2], [4, 256]]
ALMOST = [[512, 256], [2, 2]]  # lost after a slide to the left that spawns a 2


class ClearsAll(SpecialGame):
    """A game whose second chance clears the whole board, and costs nothing."""

    def continue_(self):
        self.board = [[0, 0], [0, 0]]
        self.has_continued = True


class AlwaysAgain(SpecialGame):
    """A game that offers its second chance again and again."""

    can_continue = True


class HalfWritten(Game):
    """A `SpecialGame` that is not finished: of the special rules, it has only `has_won`."""

    @property
    def has_won(self):
        return has_won_special(self.board, self.score)


HalfWritten.__name__ = "SpecialGame"


def on(kind, board=LOST, score=3000):
    game = kind(2, 2, Random(1))
    game.board, game.score = [row[:] for row in board], score
    return game


def clears_all(board, score, rng):
    return [[0, 0], [0, 0]], score


WRONG = [
    "A1 was 512 and became 0. Only tiles of at most 128 are cleared.",
    "B2 was 256 and became 0. Only tiles of at most 128 are cleared.",
    "4 tiles were cleared. The rules clear 2.",
]
FREE = "The score changed by 0. The rules take 2048."


@pytest.mark.parametrize(
    "options",
    [lambda: {"game": on(ClearsAll)}, lambda: {"second_chance": clears_all, "board": LOST}],
    ids=["an object", "a function"],
)
def test_a_wrong_second_chance_is_named_and_marked_on_the_board(options) -> None:
    widget = play(**options())
    assert widget.state["canContinue"] is True
    state = ask(widget, "continue")["state"]
    assert state["marks"] == [[0, 0], [1, 1]]
    assert state["note"]["lines"] == [*WRONG, "1 more thing is not by the rules."]
    assert not state["counts"]
    assert faults(play(**options()).match.continue_()) == [*WRONG, FREE]


@pytest.mark.parametrize(
    "options",
    [
        {"game": on(SpecialGame)},
        {"second_chance": second_chance, "board": LOST},
        {"has_won_special": has_won_special, "board": LOST},
    ],
    ids=["an object", "second_chance", "has_won_special"],
)
def test_the_notebook_plays_the_special_rules(options) -> None:
    widget = play(**options)
    answer = ask(widget, "continue")
    assert answer["said"].startswith("The game goes on. 2 tiles are cleared. Score ")
    assert answer["state"]["board"] == [[512, 0], [0, 256]]
    assert answer["state"]["note"] is None
    assert answer["state"]["canContinue"] is False
    assert ask(widget, "undo")["state"]["canContinue"] is True
    game = options.get("game")
    assert game is None or (game.board, game.score, game.has_continued) == (LOST, 3000, False)


def test_a_second_chance_that_is_offered_twice_is_named() -> None:
    match = Match(OwnGame(on(AlwaysAgain)))
    assert "can_continue gave True. The rules give False." in faults(match.continue_())


def test_a_second_chance_that_does_nothing_is_gone_and_can_be_taken_back() -> None:
    match = Match(Functions({"second_chance": lambda b, s, rng: (b, s)}, board=LOST))
    turn = match.continue_()
    assert match.can_undo
    assert (turn.after.has_continued, turn.after.can_continue) == (True, False)
    match.undo()
    assert match.state.can_continue


@pytest.mark.parametrize(
    "player",
    [Functions({"second_chance": second_chance}, board=LOST), OwnGame(on(SpecialGame))],
    ids=["functions", "an object"],
)
def test_a_declined_second_chance_is_gone_and_nobody_is_blamed(player) -> None:
    match = Match(player)
    assert match.decline().aloud == "Game over."
    turn = match.move("left")
    assert (match.state.can_continue, faults(turn), match.board) == (False, [], LOST)
    assert match.continue_().said == match.decline().said == "There is no second chance."
    assert faults(match.start()) == []


def test_a_move_back_after_a_decline_gives_the_offer_again() -> None:
    match = Match(OwnGame(on(SpecialGame, ALMOST)))
    assert match.move("left").after.can_continue
    match.decline()
    match.undo()
    assert match.move("left").after.can_continue


def test_the_offer_is_said_with_its_keys_as_long_as_it_stands() -> None:
    widget = play(game=on(SpecialGame, ALMOST))
    offer = "Second chance: Y takes it, N does not."
    said = ask(widget, "move", direction="left")["said"]
    assert said == f"Merged into 4. 4 points. New 2 at B2. Game over. {offer}"
    assert ask(widget, "read", what="status", square=[0, 0])["said"].endswith(f"1 move. {offer}")
    assert ask(widget, "decline")["said"] == "Game over."
    assert ask(widget, "read", what="status", square=[0, 0])["said"] == "Score 3004, 1 move"


def test_a_second_chance_that_has_nothing_to_clear_says_that_the_game_is_over() -> None:
    match = Match(OwnGame(on(SpecialGame, [[512, 256], [256, 512]], 100)))
    assert match.continue_().aloud == "Game over. No tiles are cleared. Score -1948, 0 moves"


def test_a_game_that_a_cell_has_started_again_has_its_second_chance_again() -> None:
    game = on(SpecialGame, ALMOST)
    match = Match(OwnGame(game))
    match.move("left")
    match.continue_()
    game.reset()
    game.board = [row[:] for row in LOST]
    turn = match.move("left")
    assert (faults(turn), turn.after.can_continue) == ([], True)


@pytest.mark.parametrize("kind", [SpecialGame, HalfWritten], ids=["whole", "half written"])
def test_a_game_that_is_won_by_points_says_so(kind) -> None:
    game = on(kind, [[2, 2], [0, 0]], 24_996)
    state = ask(play(game=game), "move", direction="left")["state"]
    assert state["won"]
    assert state["note"]["title"] == "You made it!"
    assert state["note"]["lines"] == ["You have 25000 points. Play on as long as you like."]
    assert state["goal"] == 25_000


def test_a_file_with_special_pieces_says_how_they_are_played() -> None:
    match, note = match_of({"second_chance": clears_all})
    assert not match.player.is_special
    assert note == "Add --special to play with your second_chance, too."
    assert match_of({"second_chance": clears_all}, special=True)[0].player.is_special


def test_a_second_chance_that_raises_leaves_the_game_as_it_was() -> None:
    class Breaks(SpecialGame):
        def continue_(self):
            self.board = [[0, 0], [0, 0]]
            raise RuntimeError("half way")

    game = on(Breaks)
    match = Match(OwnGame(game))
    assert match.continue_().trouble is not None
    assert (game.board, match.board, match.state.can_continue) == (LOST, LOST, True)
