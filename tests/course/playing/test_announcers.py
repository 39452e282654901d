"""A learner's own announcer: what it says is said, and whatever it does, the game goes on."""

import pytest

from course.playing.match import Match, Turn
from course.playing.players import Functions
from course.rules import announce_move, has_won

START = [[2, 2, 0], [0, 0, 0]]
RIGHT = "Merged into 4. 4 points. New 2 at "


def in_other_marks(before, after, gained, spawned):
    return announce_move(before, after, gained, spawned).lower().replace(". ", ",  ").rstrip(".")


def in_other_words(before, after, gained, spawned):
    return f"Hooray, {gained} points!"


def raising(before, after, gained, spawned):
    return f"{len(after[9])} squares"


def silent(before, after, gained, spawned):
    return None


def flooding(before, after, gained, spawned):
    return "A1 zero, " * 200


def played(board=START, goal=2048, **pieces) -> tuple[Match, Turn]:
    match = Match(Functions(pieces, board=board, p_four=0, goal=goal))
    return match, match.move("left")


def test_capital_letters_and_punctuation_are_not_heard():
    _, turn = played(announce_move=in_other_marks)
    assert turn.aloud.startswith("merged into 4,  4 points,  new 2 at ")
    assert (turn.found, turn.trouble) == ((), None)


def test_other_words_are_said_and_told_beside_the_board_but_not_read_out_again():
    _, turn = played(announce_move=in_other_words)
    assert turn.aloud == "Hooray, 4 points! The rules say it otherwise: see the note."
    [fault] = turn.faults
    assert fault.startswith(
        f"Your announce_move says 'Hooray, 4 points!'. By the rules it is '{RIGHT}"
    )


@pytest.mark.parametrize(
    ("announcer", "title"),
    [
        (raising, "Your announce_move raised an error."),
        (silent, "Your announce_move gave no answer to go on with."),
        (flooding, "Your announce_move gave no answer to go on with."),
    ],
    ids=["raises", "says nothing", "floods"],
)
def test_an_announcer_that_finds_no_words_stops_no_game(announcer, title):
    match, turn = played(announce_move=announcer)
    assert match.board[0][0] == 4
    assert (match.score, match.moves, match.can_undo) == (4, 1, True)
    assert turn.aloud.startswith(f"{title} {RIGHT}")
    assert turn.trouble is not None
    assert turn.trouble.title == title
    assert turn.trouble.text.endswith("The move was played.")
    assert match.move("right").after.moves == 2


def test_a_name_that_raises_stops_no_game_either():
    match, turn = played(name_square=lambda row, column: [][row])
    assert match.moves == 1
    assert turn.aloud.startswith(f"Your name_square raised an error. {RIGHT}")


def test_who_is_told_of_boards_only_is_helped_with_another_goal():
    def of_boards(before, after, gained, spawned):
        return announce_move(before, after, gained, spawned)

    def of_all(before, after, gained, spawned, won=False, over=False):
        return announce_move(before, after, gained, spawned, won=won, over=over)

    for announcer in (of_boards, of_all):
        _, turn = played(goal=4, announce_move=announcer)
        assert turn.aloud.count("You win!") == 1
        assert turn.faults == []


def test_a_win_and_the_end_are_read_from_the_boards_by_whoever_is_told_of_them_only():
    before, after = [[1024, 1024]], [[2048, 4]]
    assert has_won(after)
    said = announce_move(before, after, 2048, (0, 1))
    assert said == "Merged into 2048. 2048 points. New 4 at B1. You win! Game over."
    assert announce_move(after, after, 0, None) == "Nothing moved."
