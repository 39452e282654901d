"""Lines printed by a function that a check calls many times: only the first few are shown."""

from contextlib import suppress

from course.checks import CheckFailed, check
from course.rules import Game


def shown(capsys, ask) -> list[str]:
    with suppress(CheckFailed):
        ask()
    return capsys.readouterr().out.splitlines()


def test_of_many_calls_only_the_first_lines_are_shown_and_how_many_more_there_are(capsys):
    def second_chance(board):
        print("board:", board)
        print("done")

    rest = "… and 35 more lines were printed."
    first = ["board: [[2]]", "done"] * 2 + ["board: [[2]]"]
    assert shown(capsys, lambda: check.many(second_chance, [[[2]]] * 18, gives=1)) == [*first, rest]
    assert shown(capsys, lambda: check(second_chance, [[2]], gives=1)) == first[:2]


def test_a_game_that_prints_at_each_move_prints_a_few_lines(capsys):
    class Talking(Game):
        def move(self, direction):
            print("I move")
            return super().move(direction)

    lines = shown(capsys, lambda: check.turns(Talking, [(4, 4)], "answer", turns=20))
    assert lines[:5] == ["I move"] * 5
    assert len(lines) == 6
