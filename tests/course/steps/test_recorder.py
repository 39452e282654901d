"""The recorder: each line that runs becomes a step, with words for what it did."""

import sys
from random import Random

from course import rules
from course.steps.record_call import record
from tests.course.playing import learners
from tests.course.steps import programs
from tests.course.steps.programs import words_of

BOARD = [[2, 2, 0, 4], [0, 4, 4, 0], [0, 0, 2, 2], [16, 0, 0, 0]]


def first_line(function) -> int:
    return function.__code__.co_firstlineno


def told(function, *arguments) -> list[str]:
    """Record a call; return each step in words, after its line number, counted from the `def`."""
    recording = record(function, arguments)
    start = first_line(function)
    return [
        f"{step['line'] - start if step['line'] else '-'} {step['words']}"
        for step in recording.steps
    ]


def test_every_line_says_what_it_changed() -> None:
    assert told(programs.points, [2, 2, 0])[-8:] == [
        "2 gained is now 0.",
        "3 index is now 0.",
        "4 index < len(tiles) - 1? Yes.",
        "5 tiles[index] == tiles[index + 1] != 0? Yes.",
        "6 gained is now 4.",
        "7 index is now 2.",
        "4 index < len(tiles) - 1? No.",
        "10 points gives back 4.",
    ]


def test_a_loop_says_each_round_and_its_end() -> None:
    def loops(line):
        for tile in line:  # noqa: B007
            pass

    assert told(loops, [2, 2]) == [
        "- loops([2, 2]) starts.",
        "1 tile is now 2.",
        "2 No variable changed.",
        "1 tile is 2 again.",
        "2 No variable changed.",
        "1 The loop is over.",
        "1 loops ends without return, so it gives back None.",
    ]


def test_a_helper_is_stepped_through_and_gives_back() -> None:
    recording = record(programs.merge, ([2, 0, 2],))
    names = [
        [recording.states[index]["name"] for index in step["stack"]] for step in recording.steps
    ]
    assert ["merge", "close_gaps"] in names
    gave = [step for step in recording.steps if step["kind"] == "return"]
    assert [step["gave"]["rows"] for step in gave] == [[[2, 2, 0]], [[4, 0, 0]], [[4, 0, 0]]]
    titles = [block["name"] for block in recording.blocks]
    assert titles == ["merge", "close_gaps"]


def test_a_line_marks_the_squares_that_changed_and_not_what_a_call_is_given() -> None:
    recording = record(programs.merge, ([2, 2],))
    [step] = [step for step in recording.steps if step["words"] == "squares[0] is now 4."]
    variables = recording.states[step["stack"][-1]]["variables"]
    squares = next(variable for variable in variables if variable["name"] == "squares")
    assert (squares["changed"], squares["marks"]) == ("Changed", [[0, 0]])
    first = recording.states[recording.steps[0]["stack"][0]]["variables"]
    assert [(variable["name"], "changed" in variable) for variable in first] == [("line", False)]


def test_the_course_s_own_is_one_step_with_its_name() -> None:
    words = told(programs.calls_the_course, [2, 2])
    assert words[:2] == ["- calls_the_course([2, 2]) starts.", "1 squares is now [4, 0]."]
    assert "1 slide([[2, 2]], 'left') gives back [[4, 0]]." in told(
        programs.take_turn, [[2, 2]], "left", Random(1)
    )
    spawned = [step["words"] for step in record(programs.spawn, ([[2, 0]], Random(1))).steps]
    assert "rng.choice([(0, 1)]) gives back (0, 1)." in spawned


def test_a_list_in_brackets_is_filled_round_by_round() -> None:
    assert told(programs.close_gaps, [2, 0])[1:4] == [
        "2 tile is now 2.",
        "2 tile is now 0.",
        "2 tiles is now [2].",
    ]


def test_recursion_is_a_stack_of_calls_that_is_shown_in_part_and_counted() -> None:
    recording = record(programs.merge_by_itself, ([2, 2, 4, 8],))
    assert recording.answer == [4, 4, 8, 0]
    assert max(len(step["stack"]) for step in recording.steps) == 3
    assert [block["name"] for block in recording.blocks] == ["merge_by_itself"]
    programs.remembers.__defaults__ = ({0: 0, 1: 1},)  # answers from earlier tests are forgotten
    recording = record(programs.remembers, (30,))
    deepest = max(recording.steps, key=lambda step: step["hidden"])
    assert (len(deepest["stack"]), deepest["hidden"]) == (5, 25)


def test_a_generator_hands_out_and_sleeps() -> None:
    words = words_of(record(programs.asks_for_more, (2,)))
    first = first_line(programs.hands_out)
    assert [each for each in words if "hands out" in each or "hand out" in each] == [
        f"Line {first + 3}: hands_out hands out 1.",
        f"Line {first + 3}: hands_out hands out 0.",
        f"Line {first + 1}: hands_out has nothing more to hand out.",
    ]
    assert record(programs.hands_out, (3,)).answer == [2, 1, 0]


def test_a_function_in_a_function_changes_the_outer_one_s_variable() -> None:
    recording = record(programs.counts, ())
    assert recording.answer == 6
    assert any(words.endswith(": total is now 2.") for words in words_of(recording))


def test_an_object_shows_what_is_stored_in_it_and_stays_as_it_was() -> None:
    game = programs.Game(BOARD, Random(3))
    twin = programs.Game(BOARD, Random(3))
    recording = record(game.move, ("left",))
    assert (recording.answer, recording.call) == (True, "Game.move('left')")
    assert (game.board, game.score, game.moves) == (BOARD, 0, 0)
    twin.move("left")
    last = recording.states[recording.steps[-1]["stack"][0]]["variables"][0]["value"]
    shown = {each["name"]: each["value"] for each in last["fields"]}
    assert (last["name"], shown["board"]["rows"]) == ("Game", twin.board)
    assert shown["score"]["text"] == str(twin.score)
    assert "self.moves is now 1." in [step["words"] for step in recording.steps]
    assert "Game.is_over() is called." in [step["words"] for step in recording.steps]


def test_a_class_method_is_watched() -> None:
    recording = record(programs.Game.empty, (2,))
    assert recording.answer.board == [[0, 0], [0, 0]]
    assert "Game.__init__ is done: the new object is ready." in words_of(recording)[-2]


def test_an_error_ends_at_its_line() -> None:
    recording = record(programs.runs_off_the_end, ([2, 4],))
    last = recording.steps[-1]
    assert (recording.end, last["kind"]) == ("raised", "error")
    assert last["code"] == "if line[index] == line[index + 1]:"
    assert last["words"] == "This line fails. IndexError: list index out of range."
    assert isinstance(recording.error, IndexError)


def test_an_error_in_a_helper_stays_where_it_was() -> None:
    recording = record(learners.divides, ([2],))
    last = recording.steps[-1]
    assert [recording.states[index]["name"] for index in last["stack"]] == ["divides", "helper"]


def test_a_caught_error_is_told_and_the_steps_go_on() -> None:
    recording = record(programs.catches, ([2],))
    assert (recording.end, recording.answer) == ("returned", [])
    kinds = [step["kind"] for step in recording.steps]
    assert (kinds.count("error"), kinds[-1]) == (1, "return")


def test_a_stub_is_told_that_its_code_is_missing() -> None:
    assert record(programs.stub, ([2],)).steps[-1]["words"] == (
        "The line raise NotImplementedError() is still there. Your code takes its place."
    )


def test_what_is_printed_is_known_at_each_step() -> None:
    recording = record(programs.prints, ([2],))
    assert recording.printed == "The line is [2]\nIt has 1 squares\n"
    known = [recording.printed[: step["printed"]].count("\n") for step in recording.steps]
    assert known == [0, 1, 2, 2]
    assert recording.steps[1]["words"] == "It prints: The line is [2]"


def test_two_names_of_one_list_are_told() -> None:
    recording = record(programs.changes_its_argument, ([2],))
    variables = recording.states[recording.steps[-1]["stack"][0]]["variables"]
    assert [variable.get("same") for variable in variables] == [None, "line"]
    assert "line[0] is now 8, same_line[0] is now 8." in [s["words"] for s in recording.steps]


class Thrown:
    """An object with a `__del__`, set below the class, that is not the learner's code."""


exec("def __del__(self): pass", {"__name__": "elsewhere"}, finalizer := {})  # noqa: S102
Thrown.__del__ = finalizer["__del__"]


def test_the_end_does_not_fall_into_a_clean_up_which_would_swallow_it(monkeypatch) -> None:
    kept = []
    monkeypatch.setattr(sys, "unraisablehook", kept.append)

    def endless():
        while True:
            try:
                while True:
                    Thrown(), Thrown(), Thrown(), Thrown(), Thrown(), Thrown()
            except:  # noqa: E722
                pass

    assert (record(endless, ()).end, kept) == ("too long", [])


def test_what_is_not_the_learner_s_own_is_not_stepped_through() -> None:
    recording = record(rules.merge, ([2, 2],))
    assert (recording.answer, recording.blocks) == ([4, 0], [])
    assert words_of(recording) == ["It gives back [4, 0]."]
    assert record(len, ([2, 2],)).answer == 2


def test_a_function_of_a_cell_is_stepped_through_also_when_another_file_calls_it() -> None:
    recording = record(programs.sorts, ([2, 8],))
    assert recording.answer == [8, 2]
    line = first_line(programs.sorts) + 1
    assert f"Line {line}: the lambda gives back -8." in words_of(recording)


def test_a_statement_over_several_lines_is_one_step_and_marked_as_a_whole() -> None:
    def several():
        squares = [
            len("ab"),
            len("abcd"),
        ]
        return squares  # noqa: RET504

    assert told(several) == [
        "- several() starts.",
        "1 squares is now [2, 4].",
        "5 several gives back [2, 4].",
    ]
    recording = record(several, ())
    first, last = recording.states[recording.steps[1]["stack"][0]]["lines"]
    assert last - first == 3


def test_an_error_in_a_statement_over_several_lines_names_its_own_line() -> None:
    def several(line):
        return [
            line[0],
            line[1],
        ]

    assert told(several, [2])[-1] == "3 This line fails. IndexError: list index out of range."


class Bag:
    def __init__(self):
        self.tiles = 0

    def add(self, tile):
        self.tiles += tile


def test_a_method_changes_its_object_and_the_line_that_called_it_is_done() -> None:
    def fills():
        bag = Bag()
        bag.add(2)
        return bag.tiles

    words = [step["words"] for step in record(fills, ()).steps]
    assert words == [
        "fills() starts.",
        "Bag.__init__() is called.",
        "self.tiles is now 0.",
        "Bag.__init__ is done: the new object is ready.",
        "bag is now a Bag.",
        "Bag.add(2) is called.",
        "self.tiles is now 2, bag.tiles is now 2.",
        "Bag.add ends without return, so it gives back None.",
        "This line is done.",
        "fills gives back 2.",
    ]


def test_a_loop_goes_on_leaves_and_asks() -> None:
    def looks(line):
        for tile in line:
            if tile == 0:
                continue
            if tile > 2:
                break

    assert [each.split(" ", 1)[1] for each in told(looks, [0, 4])][1:] == [
        "tile is now 0.",
        "tile == 0? Yes.",
        "On to the next round of the loop.",
        "tile is now 4.",
        "tile == 0? No.",
        "tile > 2? Yes.",
        "Out of the loop.",
        "looks ends without return, so it gives back None.",
    ]
