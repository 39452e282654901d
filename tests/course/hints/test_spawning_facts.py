"""Facts about functions that spawn tiles: equal for right programs, different for mistakes."""

from random import Random

import pytest

from autograder.misconceptions import catalogue
from autograder.misconceptions.write_digests import define
from course import rules
from course.function_calls import NoAnswer
from course.hints.chance_facts import spawning, starting, taking_turns
from course.hints.observe import observe
from tests.lessons.right import right_styles

LESSON = "3-spawn"
OBSERVERS = {"spawn": spawning, "new_board": starting, "take_turn": taking_turns}
NAMES = {"spawn": "spawning", "new_board": "starting", "take_turn": "taking turns"}


def program(exercise, source):
    namespace = {name: getattr(rules, name) for name in rules.__all__}
    exec(source, namespace)  # noqa: S102 — our own programs
    return namespace[exercise]


@pytest.mark.parametrize(
    "right",
    [found for found in right_styles(LESSON) if found.exercise in OBSERVERS],
    ids=lambda found: found.title,
)
def test_every_right_program_shows_the_same_facts_as_the_reference(right):
    facts, reference = OBSERVERS[right.exercise], getattr(rules, right.exercise)
    assert facts(program(right.exercise, right.program), []) == facts(reference, [])


@pytest.mark.parametrize(
    ("mistake", "fact", "value"),
    [
        ("only-twos", "4s", "none"),
        ("half-and-half", "4s", "about half"),
        ("row-first", "alone in its row, in its column", ["about half", "few"]),
        ("column-first", "alone in its row, in its column", ["few", "about half"]),
        ("never-the-last-square", "corners", ["few", "few", "few", "none"]),
        ("a-favoured-corner", "corners", ["about half", "few", "few", "few"]),
        ("own-randomness", "the same rng", "different"),
        ("overwrites", "other tiles", "change"),
        ("gives-up", "one empty square of 1600", [["board"], [0, 1]]),
        ("full-crashes", "a full board", ["raises IndexError"]),
        ("spawn-changes-its-argument", "the board passed in", "changes"),
        ("start-collision", "tiles", [[1, 2], [1, 2]]),
        ("spawns-always", "an illegal move", ["board"]),
        ("two-a-turn", "new tiles", [2]),
    ],
)
def test_a_mistake_shows_in_its_fact(mistake, fact, value):
    entry = next(found for found in catalogue(LESSON) if found.id == mistake)
    facts = OBSERVERS[entry.exercise](define(entry, LESSON), [])
    assert dict(facts)[fact] == value


@pytest.mark.deep
def test_a_search_that_never_ends_on_a_full_board_is_a_fact_like_others():
    entry = next(found for found in catalogue(LESSON) if found.id == "full-hangs")
    facts = observe(define(entry, LESSON), "spawning", []).facts
    assert facts[-1] == ["a full board", ["does not come back"]]
    assert facts[:-1] == spawning(rules.spawn, [])[:-1]


@pytest.mark.deep
def test_a_function_that_never_comes_back_shows_nothing():
    def spawn(board, rng, p_four=0.1):
        while True:
            pass

    with pytest.raises(NoAnswer):
        observe(spawn, "spawning", [])


@pytest.mark.parametrize("answer", [None, 7, [], [2, 0], [[2], [2, 4]], "board", [[None]]])
@pytest.mark.parametrize("exercise", OBSERVERS)
def test_any_answer_can_be_observed(exercise, answer):
    assert observe(lambda *arguments: answer, NAMES[exercise], []).facts


@pytest.mark.deep
def test_the_facts_of_a_turn_with_a_chance_of_its_own_are_the_same_each_time():
    def facts(seed):
        own = Random(seed)

        def take_turn(board, direction, rng, p_four=0.1):
            slid = rules.slide(board, direction)
            return slid if slid == board else rules.spawn(slid, own, p_four)

        return taking_turns(take_turn, [])

    first = facts(0)
    assert all(facts(seed) == first for seed in range(1, 60))
