"""The test that tells if two programs do the same, in many more cases than the checks have."""

import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from autograder.grading_data import CellKind
from course import rules
from course.answer_comparison import same
from course.cases import announced_moves, crowded_duels, random_boards
from course.cases.duels import played_duels
from course.checks.agent_checks import answers_problem
from course.function_calls import copied
from course.games.state_checks import shows
from course.heard import sounds_like
from course.lessons import built_before, cell_of, lesson
from course.mine.add_to_class import add_to
from course.rules.speech import LETTERS, say_merges
from tests.autograder.grading_helpers import the_master

P_FOUR: list[tuple[float, ...]] = [(), (0.1,), (0.5,), (1,)]
SIZES = [(4, 4), (1, 1), (1, 2), (2, 1), (1, 6), (6, 1), (2, 2), (3, 5), (5, 2)]
STEPS = (*rules.DIRECTIONS * 4, "north", "reset")
TILES = (0, 0, 0, 2, 2, 4, 1024, 2048)
LOST = [[512, 2, 4, 8], [2, 4, 8, 16], [4, 256, 16, 32], [8, 16, 32, 128]]
EQUIVALENTS = Path(__file__).with_name("equivalents.toml")


def is_equivalent(mutant: Any) -> bool:
    """Return true if a mutant does the same as its original in all cases that are tried.

    For a function, `cases_of` has the cases; without a case, the result is false. A class must show
    the same as its original after each step of `story_of`. Mutants that are listed in
    `equivalents.toml` count as equivalent without a trial.
    """
    lines = {line.strip() for line in mutant.program.splitlines()}
    for entry in tomllib.loads(EQUIVALENTS.read_text("utf-8"))["equivalent"]:
        if entry["exercise"] == mutant.exercise and entry["line"] in lines:
            return True
    mine, right = (_defined(mutant, text) for text in (mutant.program, mutant.original))
    if isinstance(right, type):
        return story_of(mine) == story_of(right)
    cases = cases_of(mutant.exercise)
    return bool(cases) and do_the_same(mutant.exercise, mine, right, cases)


def do_the_same(
    exercise: str,
    mine: Callable[..., Any],
    right: Callable[..., Any],
    cases: Sequence[tuple[Any, ...]],
) -> bool:
    """Return true if two functions for an exercise do the same in all cases."""
    if exercise in ("legal_squares", "legal_directions"):
        mine, right = _sorted(mine), _sorted(right)
    return all(_agree(mine, right, case) for case in cases)


def _sorted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that sorts what `function` returns, because the order does not matter."""
    return lambda *arguments: sorted(function(*arguments))


def _defined(mutant: Any, program: str) -> Callable[..., Any]:
    """Return the function or class of a mutant's exercise, as `program` defines it."""
    names: dict[str, Any] = {"__name__": "__main__", "add_to": add_to, "Random": Random}
    names |= {name: getattr(rules, name) for name in built_before(mutant.lesson)}
    names |= {name: getattr(rules, name) for name in lesson(mutant.lesson).builds}
    names |= {"LETTERS": LETTERS, "say_merges": say_merges}  # lesson 8 gives these to the learner
    for cell in the_master(mutant.lesson).cells:
        of_class = mutant.exercise[0].isupper() and cell.kind is CellKind.STUDENT
        if of_class or (cell.kind is CellKind.GIVEN and "import" not in cell.source):
            text = program if cell.id == cell_of(mutant.exercise) else cell.source
            exec(compile(text, "<mutant>", "exec"), names)  # noqa: S102 — our own programs
    if not mutant.exercise[0].isupper():
        exec(compile(program, "<mutant>", "exec"), names)  # noqa: S102 — our own programs
    defined: Callable[..., Any] = names[mutant.exercise.partition(".")[0]]
    return defined


def _agree(mine: Callable[..., Any], right: Callable[..., Any], case: tuple[Any, ...]) -> bool:
    """Return true if two functions do the same in one case.

    Either both raise `ValueError`, or both return the same value and leave equal arguments.
    """
    ours, theirs = copied(case), copied(case)
    try:
        wanted = right(*theirs)
    except ValueError:
        try:
            mine(*ours)
        except ValueError:
            return True
        return False
    try:
        got = mine(*ours)
    except Exception:
        return False
    is_spoken = type(wanted) is str and " " in wanted  # such texts must only sound alike
    agree = sounds_like(got, wanted) if is_spoken else same(got, wanted)
    return agree and same(_plain(ours), _plain(theirs))


def _plain(case: tuple[Any, ...]) -> list[Any]:
    return [value for value in case if not isinstance(value, Random)]


# -- arguments of functions -----------------------------------------------------------------------


@cache
def cases_of(exercise: str) -> list[tuple[Any, ...]]:
    """Return many tuples of arguments for an exercise, far more than its checks have.

    If the exercise needs chance, each tuple has a `Random` of its own.
    """
    rng = Random(2048)
    lines = [
        [rng.choice((0, 0, 2, 2, 4, 8, 1024)) for _ in range(rng.randint(1, 8))]
        for _ in range(4000)
    ]
    boards = [
        board
        for height in range(1, 6)
        for width in range(1, 6)
        for squares in ((0, 2, 4), (0, 2, 4, 8, 16, 32, 64), (2, 4), (2, 4, 8, 1024, 2048, 4096))
        for board in random_boards(rng, 25, height, width, squares)
    ]
    if exercise in ("close_gaps", "merge", "has_pair", "points"):
        return [(line,) for line in lines]
    if exercise in ("rotate", "empty_cells", "is_over"):
        return [(board,) for board in boards]
    if exercise in ("slide", "slide_by_offsets", "is_legal", "start_squares"):
        ways = (*rules.DIRECTIONS, "north")
        return [(board, way) for board in boards[::3] for way in ways]
    if exercise == "has_won":
        goals = [(board, goal) for board in boards[::5] for goal in (2, 8, 2048, 4096)]
        return [*((board,) for board in boards), *goals]
    if exercise == "has_won_special":
        scores = (-2048, 0, 2048, 24_999, 25_000, 25_001, 30_000)
        return [(board, score) for board in boards[::5] for score in scores]
    if exercise == "traverse":
        steps = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (2, 0)]
        starts = [(row, column) for row in range(4) for column in range(4)]
        return [(start, step, n) for start in starts for step in steps for n in range(1, 7)]
    if exercise == "spawn":
        return [(board, Random(seed), *P_FOUR[seed % 4]) for seed, board in enumerate(boards)]
    if exercise == "new_board":
        sizes = [(height, width) for height in range(1, 7) for width in range(2, 7)]
        return [(*size, Random(seed), *P_FOUR[seed % 4]) for size in sizes for seed in range(100)]
    if exercise == "take_turn":
        turns = [(board, way) for board in boards[::2] for way in (*rules.DIRECTIONS, "north")]
        return [(*turn, Random(seed), *P_FOUR[seed % 4]) for seed, turn in enumerate(turns)]
    if exercise == "second_chance":
        small = random_boards(rng, 200, 3, 4, (0, 2, 4, 8, 64, 128, 256, 512))
        on_boards = enumerate([*boards[::9], *small, *random_boards(rng, 200, 2, 4, (2, 128, 512))])
        return [(board, 100 * seed, Random(seed)) for seed, board in on_boards]
    return cases_of_duels(exercise) or cases_by_ear(exercise, boards)


def cases_by_ear(exercise: str, boards: list[Any]) -> list[tuple[Any, ...]]:
    """Return tuples of arguments for a function that reads a board aloud; for others, none."""
    boards = [*boards[::9], [[2] * 28, [0] * 28]]
    squares = [(row, column) for row in range(-2, 30) for column in range(-2, 30)]
    on_boards = [(b, row, c) for b in boards for row in range(len(b)) for c in range(len(b[0]))]
    letters = ("", "A", "B", "Y", "Z", "AB", "?", "3", "-")
    numbers = ("", "0", "1", "2", "9", "10", "100", "-1", "x", "1x", " ")
    ways = (*rules.DIRECTIONS, "north", "")
    moves = [m for n in range(4) for m in announced_moves(n, 300, 2 + n, 4)]
    known: dict[str, list[tuple[Any, ...]]] = {
        "name_square": squares,
        "find_square": [(letter + number,) for letter in letters for number in numbers],
        "announce_square": on_boards,
        "move_cursor": [(b, (row, c), way) for b, row, c in on_boards[::2] for way in ways],
        "announce_line": [(b, row, None) for b, row, _ in on_boards]
        + [(b, None, c) for b, _, c in on_boards],
        "announce_status": [(score, n) for score in range(30) for n in range(30)],
        "announce_move": [
            *moves,
            ([[1024, 1024, 0]], [[2048, 0, 2]], 2048, (0, 2)),
            ([[2048, 0, 2]], [[2, 2048, 2]], 0, (0, 0)),
            ([[2048, 2048, 0]], [[4096, 0, 2]], 4096, (0, 2)),
            ([[2, 2, 0]], [[4, 0, 0]], 4, None),
            ([[2, 4]], [[2, 4]], 0, None),
        ],
    }
    return known.get(exercise, [])


def cases_of_duels(exercise: str) -> list[tuple[Any, ...]]:
    """Return many tuples of arguments for a function of the duel; for any other, an empty list.

    These are far more than the checks of the lesson have.
    """
    rng = Random(4096)
    tiles = (0, 0, 0, 2, -2, 4, -4, 8)
    sides = [[own, not own] for own in (True, False)]
    lines = [[rng.choice(tiles) for _ in range(rng.randint(1, 8))] for _ in range(6000)]
    homes = [[side for side in rng.choice(sides) for _ in range(4)][: len(line)] for line in lines]
    boards = played_duels(rng, 200) + crowded_duels(rng, 100) + small_duels(rng)
    both = [(board, player) for board in boards for player in (1, -1)]
    numbered = [(*each, number) for each in both for number in (0, 1, 5, rng.randrange(720_720))]
    known: dict[str, Callable[[], list[tuple[Any, ...]]]] = {
        "own_square": lambda: numbered,
        "legal_squares": lambda: numbered,
        "place": lambda: [
            (board, player, (row, column), number)
            for board, player, number in numbered[::3]
            for row in range(len(board))
            for column in range(len(board[0]))
        ],
        "push_line": lambda: list(zip(lines, homes, strict=True)),
        "push": lambda: [(*each, way) for each in both for way in rules.DIRECTIONS],
        "legal_directions": lambda: both,
        "leader": lambda: [(board,) for board in boards],
    }
    return known[exercise]() if exercise in known else []


def small_duels(rng: Random) -> list[Any]:
    """Return boards of other sizes, with few or many empty squares, and few different tiles."""
    sizes = [(height, width) for height in (1, 2, 3) for width in (2, 4, 6)]
    several = [(0, 2, -2), (0, 0, 0, 2, -2, 4, -4), (2, -2, 4, -4, 8), (0, 8, -8)]
    return [
        board
        for size in sizes
        for tiles in several
        for board in random_boards(rng, 20, *size, tiles)
    ]


# -- stories: all that objects of a class show, step by step, in long games ------------------------


def story_of(make: Callable[..., Any]) -> list[str]:
    """Return all that objects of a class `Score`, `Game` or `SpecialGame` show after each step.

    For a class `Agent`, return two texts, for placing and for pushing: its first answer that is
    not legal, or "None". No other answers are compared, because many different agents are right,
    and only whole games tell how good an agent is.
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
    """Yield all that special games show when they are lost, continued, reset, or won by points."""
    rng = Random(1)
    for seed in range(60):
        game = make(4, 4, Random(seed))
        for _ in range(25):
            step = rng.choice(("lost", "stuck", "points", "continue_", "reset", *rules.DIRECTIONS))
            answer = None
            if step in ("lost", "stuck"):
                largest = 512 if step == "lost" else 256
                game.board = [[min(tile, largest) for tile in row] for row in LOST]
            elif step == "points":
                game.score = rng.choice((0, 3000, 24_999, 25_000, 30_000))
            elif step in rules.DIRECTIONS:
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
