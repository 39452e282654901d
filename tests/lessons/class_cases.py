"""Stories: texts on all that objects of a lesson's classes show, step by step, in long games."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from course.cases import random_boards
from course.checks.agent_checks import answers_problem
from course.games.state_checks import shows
from course.rules.board import DIRECTIONS

SIZES = [(4, 4), (1, 1), (1, 2), (2, 1), (1, 6), (6, 1), (2, 2), (3, 5), (5, 2)]
STEPS = (*DIRECTIONS * 4, "north", "reset")
TILES = (0, 0, 0, 2, 2, 4, 1024, 2048)
LOST = [[512, 2, 4, 8], [2, 4, 8, 16], [4, 256, 16, 32], [8, 16, 32, 128]]


def story_of(make: Callable[..., Any]) -> list[str]:
    """Return all that objects of a class `Score`, `Game` or `SpecialGame` show, after every step.

    For an `Agent`, return only its first answer that is not legal, if any, in each phase: many
    agents are right, and only games tell how good an agent is.
    """
    if make.__name__ == "Agent":
        return [str(answers_problem(make, phase, 99, 60)) for phase in ("place", "push")]
    tell = _of_a_score if make.__name__ == "Score" else _of_games
    more = _of_second_chances(make) if make.__name__ == "SpecialGame" else ()
    return [*tell(make), *more]


def _of_a_score(make: Callable[..., Any]) -> Iterator[str]:
    rng = Random(1)
    for _ in range(50):
        score = make()
        for _ in range(20):
            gained = rng.choice((0, 2, 4, 8, 100, 512, 999, 1000))
            answer = _answer(lambda: score.add(gained))  # noqa: B023 — asked at once
            yield f"{answer} {_facts(score, 'total', 'is_high')} {_answer(lambda: str(score))}"  # noqa: B023
    score.total = 1000
    yield _facts(score, "is_high")


def _of_games(make: Callable[..., Any]) -> Iterator[str]:
    rng = Random(1)
    for seed in range(120):
        height, width = SIZES[seed % len(SIZES)]
        p_four = [(), (0.1,), (0.5,), (0,), (1,)][seed % 5]
        game = _answer(lambda: make(height, width, Random(seed), *p_four))  # noqa: B023
        if seed % 3 == 2:
            game.board = random_boards(rng, 1, height, width, TILES)[0]
        yield _of_a_game(game)
        for _ in range(25):
            step = rng.choice(STEPS)
            if step == "reset":
                answer = _answer(lambda: game.reset())  # noqa: B023
            else:
                answer = _answer(lambda: game.move(step))  # noqa: B023
            yield f"{step} {answer} {_of_a_game(game)}"
    yield str(any(make().board != make().board for _ in range(3)))


def _of_second_chances(make: Callable[..., Any]) -> Iterator[str]:
    """Yield what special games show when they are lost, go on, are reset, or are won by points."""
    rng = Random(1)
    for seed in range(60):
        game = make(4, 4, Random(seed))
        for _ in range(25):
            step = rng.choice(("lost", "stuck", "points", "continue_", "reset", *DIRECTIONS))
            answer = None
            if step in ("lost", "stuck"):
                largest = 512 if step == "lost" else 256
                game.board = [[min(tile, largest) for tile in row] for row in LOST]
            elif step == "points":
                game.score = rng.choice((0, 3000, 24_999, 25_000, 30_000))
            elif step in DIRECTIONS:
                answer = _answer(lambda: game.move(step))  # noqa: B023
            else:
                answer = _answer(lambda: getattr(game, step)())  # noqa: B023
            yield f"{step} {answer} {_of_a_game(game)} {_facts(game, 'can_continue')}"


def _of_a_game(game: Any) -> str:
    text = _answer(lambda: str(game))
    is_shown = _answer(lambda: shows(text, game.board, game.score))
    return f"{_facts(game, 'board', 'score', 'moves', 'is_over', 'has_won')} {is_shown}"


def _facts(thing: Any, *names: str) -> str:
    return str([_answer(lambda: getattr(thing, name)) for name in names])  # noqa: B023


def _answer(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except Exception as error:
        return type(error).__name__
