"""Properties that an answer must have: if one is missing, a sentence says what is wrong."""

import pytest

from course import cases

BOARD = [[2, 0], [0, 4]]
SQUARES = "the answer should be a list of squares (row, column)"
WALK = ((0, 0), (0, 1), 2)

# By property: arguments of a call, a right answer to it, and wrong ones with what is said of them.
PROPERTIES = {
    "keeps_length": (
        ([2, 2],),
        [4, 0],
        ([4], "the answer should be a list of 2 squares"),
        ({4}, "the answer should be a list"),
    ),
    "in_reading_order": (
        (BOARD,),
        [(0, 1), (1, 0)],
        ([(1, 0), (0, 1)], "(1, 0) stands before (0, 1): this is not in reading order"),
        ({(1, 0)}, SQUARES),
    ),
    "one_for_each_empty_square": (
        (BOARD,),
        [(1, 0), (0, 1)],
        ([], "the list should be as long as the number of empty squares: 2"),
        ([(0, 0), (1, 1)], "the empty squares are [(0, 1), (1, 0)]"),
    ),
    "one_start_a_line": (
        (BOARD, "up"),
        [(1, 0), (1, 1)],
        ([(0, 0)], "there should be 2 start squares, all at one wall of the board"),
        ([(0, 0), (1, 0)], "there should be 2 start squares, all at one wall of the board"),
    ),
    "begins_at_the_start": (WALK, [(0, 0)], ([(0, 1)], "the walk should begin with (0, 0)")),
    "goes_by_the_step": (
        WALK,
        [(0, 0), (0, 1)],
        ([(0, 0), (0, 2)], "from (0, 0) one step leads to (0, 1)"),
    ),
    "has_count_squares": (
        WALK,
        [(0, 0), (5, 5)],
        ([(0, 0)], "the walk should be a list of 2 squares"),
    ),
    "one_new_tile": (
        ([[8, 0]],),
        [[8, 4]],
        (
            [[8, 8]],
            "one empty square should hold a 2 or a 4 now, and no other square should change",
        ),
    ),
    "is_full": (
        (),
        [[2, 4]],
        ([[2, 0]], "the board had one empty square, and it should hold the new tile"),
    ),
    "has_its_shape": (
        (2, 1),
        [[2], [0]],
        ([[2, 0]], "this is not a board of 2 rows and 1 columns"),
    ),
    "has_two_tiles": ((), [[2, 2]], ([[2, 0]], "there should be two tiles")),
    "slid_some_way": (
        ([[2, 2, 4]], "left"),
        [[0, 4, 4]],
        ([[8, 0, 0]], "this board is not what one slide makes"),
    ),
    "slides_first": (
        ([[0, 8]], "left"),
        [[8, 2]],
        (
            [[4, 2]],
            "the board should slide first, and only then get a new tile\n"
            "  expected  [[8, 0]] and one new 2 or 4",
        ),
    ),
    "one_tile_more": (
        ([[0, 8, 0]], "left"),
        [[8, 2, 0]],
        ([[8, 2, 2]], "after the slide there is 1 tile, and after the turn there should be 2"),
    ),
    "six_are_gone": (
        ([[512, *[2] * 6]],),
        ([[512, *[0] * 6]], 0),
        (
            ([[512, 0]], 0),
            "six squares that held a tile should be 0 now, in an answer (board, score)",
        ),
    ),
    "changes_nothing_else": (
        ([[512, 2]],),
        ([[512, 0]], 0),
        (([[512, 4]], 0), "each square should be as it was, or 0, in an answer (board, score)"),
    ),
}


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_right_answer_is_silent_and_a_wrong_one_is_told_in_a_sentence(name):
    arguments, right, *wrong = PROPERTIES[name]
    obeys = getattr(cases, name)
    assert obeys(right, *arguments) is None
    assert [obeys(answer, *arguments) for answer, _ in wrong] == [said for _, said in wrong]
