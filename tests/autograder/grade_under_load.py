"""Grades each lesson's programs twice, on a quiet and on a busy machine: scores must be equal.

It also plays a small tournament twice. `python -m tests.autograder.grade_under_load` does so for
every lesson, `python -m tests.autograder.grade_under_load 3-spawn --busy 16` for one lesson, beside
16 processes that never stop computing. The programs are right ones in several styles, slow ones, a
wrong one, and some that never end.
"""

import argparse
import ast
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from autograder.course_adapter import ROOT, cell_of, lesson_order
from autograder.grade_submission import grade
from autograder.jail import Conditions, Limits
from autograder.misconceptions import catalogue
from autograder.notebook.find_submitted_notebook import collect
from autograder.notebook.master import read_assignment
from autograder.sample import Sampler
from autograder.tournament.entry import read_entries
from autograder.tournament.play_tournament import Tournament, pairings_of
from autograder.tournament.referee import Terms, play_pairing
from tests.lessons.right import StyledSampler
from tests.samples.agents import write_agents

USUAL = Conditions()
# Short limits, for programs that never end: a longer wait would not change their results.
SHORT = Conditions(
    limits=Limits(call=0.2, cell=1.0, submission=9.0, patience=0.2, last_chance=0.05)
)
# In the jail, which limits processor time, `process_time` goes in steps of up to 4 ms.
SLOW = "import time\n_end = time.thread_time() + 0.0005\nwhile time.thread_time() < _end: pass"
NEVER_BACK = {"loops": "while True: pass", "sleeps for ever": "import time\ntime.sleep(3600)"}
LATE = {"slow": SLOW, "sleeps a little": "import time\ntime.sleep(0.002)"}
SOURCE = "as in the source"
AGENTS = ("greedy", "plays_by_chance", "looks_ahead", "loops", "sleeps", "raises_in_round_3")
TERMS = Terms(games=1, rounds=12, seed=1, seconds=2.0)

Scores = dict[str, float]


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Keep `count` processes computing without a pause inside a `with` block."""
    # SIGTERM ends this program as Ctrl+C does, so that none of the processes is left.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    endless = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(endless) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()


def programs(lesson: str) -> dict[str, tuple[dict[str, str], Conditions]]:
    """Return, by name, a student's answers by cell, and the conditions under which they run."""
    sampler, known = StyledSampler(ROOT, lesson), catalogue(lesson)
    solutions = sampler.solutions
    found = {SOURCE: (solutions, USUAL)}
    for number in range(2):
        found[f"in own words {number}"] = sampler.in_own_words(Random(number)), USUAL
    cells = list(solutions)
    first, last = cells[0], cells[-1]
    for name, line in LATE.items():
        found[name] = solutions | {first: with_line(line, solutions[first])}, USUAL
    for mistake in known[:1]:
        found[mistake.id] = solutions | {cell_of(mistake.exercise): mistake.specimen}, USUAL
    for name, line in NEVER_BACK.items():
        found[name] = solutions | {last: with_line(line, solutions[last])}, SHORT
    return found


def with_line(line: str, program: str) -> str:
    """Return a program with `line` put at the beginning of every function."""
    tree = ast.parse(program)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body[:0] = ast.parse(line).body
    return ast.unparse(tree)


def scores(lesson: str) -> Scores:
    """Grade the programs of a lesson; return the points, by program and check."""
    sampler, found = Sampler(ROOT, lesson), Scores()
    [master] = read_assignment(lesson, ROOT / "source")
    with TemporaryDirectory() as folder:
        for number, (name, (answers, conditions)) in enumerate(programs(lesson).items()):
            path = Path(folder) / str(number)
            sampler.student_of(name, "", sampler.notebook(**answers)).hand_in(path)
            verdict = grade(collect(path, master), master, conditions)
            found |= {f"{name}: {check.id}": check.points for check in verdict.checks}
    return found


def games() -> Scores:
    """Play a small tournament; return, as numbers, each agent's place and each game's winner."""
    with TemporaryDirectory() as folder:
        write_agents(Path(folder))
        entries = [one for one in read_entries([Path(folder)])[0] if one.name in AGENTS]
    pairings = pairings_of(entries, TERMS, confined=True)
    played = [game for pairing in pairings for game in play_pairing(pairing)]
    tournament = Tournament([one.name for one in entries], TERMS, played)
    places = {row.name: float(place) for place, row in enumerate(tournament.standings, 1)}
    return places | {
        f"{game.first} {game.second} {game.reason} {game.answers}": float(game.winner)
        for game in played
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("lessons", nargs="*", default=[*lesson_order(), "tournament"])
    parser.add_argument("--busy", type=int, default=16)
    options = parser.parse_args()
    lost = 0
    print(
        f"| lesson | quiet | beside {options.busy} | other |\n| --- | --- | --- | --- |", flush=True
    )
    for what in options.lessons:
        find = games if what == "tournament" else partial(scores, what)
        quiet = find()
        if short := [one for one in quiet if one.startswith(SOURCE) and not quiet[one]]:
            raise SystemExit(f"Without points on a quiet machine: {', '.join(short)}")
        with busy(options.busy):
            loaded = find()
        others = sorted(one for one in quiet | loaded if quiet.get(one) != loaded.get(one))
        lost += len(others)
        points = f"{sum(quiet.values()):g} | {sum(loaded.values()):g}"
        print(f"| {what} | {points} | {len(others)} |", flush=True)
        for one in others:
            print(f"  {one}: {quiet.get(one)}, busy {loaded.get(one)}", flush=True)
    raise SystemExit(bool(lost))


if __name__ == "__main__":
    main()
