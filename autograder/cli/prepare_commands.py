"""Commands that need no class: prepare a course, try its assignments, play duel agents."""

import json
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from autograder.cli.options import (
    Json,
    Lesson,
    NoJail,
    Scheduler,
    Workers,
    app,
    name_of,
    one_or_more,
)
from autograder.console_output import (
    in_assignment,
    in_course,
    progress,
    refuse_unknown,
    say,
    share_done,
    stderr,
    stdout,
    stop,
    told,
)


@app.command()
def init() -> None:
    """Set up a course folder: write nbgrader_config.py, or show the lines that it needs.

    An existing file is never changed.
    """
    from autograder.autograde import set_up

    with told():
        say(set_up(Path.cwd()))


@app.command()
def verify(
    assignments: Annotated[list[str], typer.Argument(help="Folders in source/.")],
    as_json: Json = False,
    no_jail: NoJail = False,
) -> None:
    """Grade the answer key and the stub: show which test runs where, and which test is wrong.

    The stub is the notebook as students get it. A test that it passes is a warning. A test that
    runs outside of the jail is protected. The known mistakes in exercises.toml, if it is there, are
    graded, too. Exit status 0: the answer key gets full marks, and each mistake is named as itself;
    1: that is not so; 2: called wrongly.
    """
    from autograder.cli.print_verdicts import show_plans, show_tried
    from autograder.grade_assignment import verified
    from autograder.misconceptions import TriedMistake

    with in_course() as course:
        found, tried = {}, list[TriedMistake]()
        for assignment in map(name_of, assignments):
            refuse_unknown(course, assignment)
            found[assignment], mistakes = verified(course, assignment, not no_jail)
            tried += mistakes
            if as_json:
                plans = [plan.as_json() for plan in found[assignment]]
                told = {"assignment": assignment, "notebooks": plans}
                more = {"mistakes": [asdict(each) for each in mistakes]} if mistakes else {}
                print(json.dumps(told | more), flush=True)
        if not as_json:
            show_plans(stdout(), found)
            show_tried(stdout(), tried)
    is_fine = not any(plan.troubles for plans in found.values() for plan in plans)
    is_fine = is_fine and not any(each.trouble for each in tried)
    raise typer.Exit(0 if is_fine else 1)


@app.command()
def audit(
    lesson: Lesson,
    minutes: Annotated[float, typer.Option(min=0, help="When to stop.")] = 10.0,
    into: Annotated[Path | None, typer.Option(help="Also write a page, such as a.html.")] = None,
    workers: Workers = None,
    no_jail: NoJail = False,
) -> None:
    """Find wrong programs to which the tests give full marks: the answer key with small changes.

    For each, show an input on which it differs from the answer key, and an assert that catches it,
    tried at the place that is said. The same command goes on where one was stopped. Exit status 0:
    all changes were tried, and none is wrong on usual inputs; 1: some are, or the time was over; 2:
    called wrongly.
    """
    from autograder.audit.audit_assignment import audit_assignment
    from autograder.cli.print_verdicts import show_audit
    from autograder.reports.make_pages import make_audit
    from autograder.workers import cores, make_executor

    number = workers or cores()
    stopped = "Stopped; what was tried is kept, and the same command goes on from there."
    with in_assignment(lesson, stopped) as course:
        made = partial(make_executor, number, None)
        with share_done("Auditing") as advance:
            found = audit_assignment(
                course, lesson, not no_jail, made, 2 * number, minutes, advance
            )
        show_audit(stdout(), found)
        if into is not None:
            make_audit(found, into.resolve())
            say(f"The page is {into}")
    raise typer.Exit(1 if found.wrong or len(found.tried) < found.count else 0)


@app.command()
def sample(
    lesson: Lesson,
    students: Annotated[int, typer.Option(help="How many.", callback=one_or_more)],
    into: Annotated[Path, typer.Option(help="A folder to be made: a small course of its own.")],
    like: Annotated[
        Literal["class", "zoo"], typer.Option(help="In real proportions, or one of each kind.")
    ] = "zoo",
) -> None:
    """Write a class to try the grader with: a real one, or one with all that may be handed in."""
    from autograder.course_adapter import is_lesson
    from autograder.sample import write_class

    if not is_lesson(lesson):
        stop(f"Sample classes are of the lessons of 2048, and {lesson} is none of them.")
    with in_assignment(lesson) as course:
        try:
            names = write_class(course.root, lesson, students, into, like)
        except FileNotFoundError as error:
            stop(f"{error.filename} is missing; nbgrader generate_assignment {lesson} makes it")
    say(f"{len(names)} submissions of {lesson} are in {into / 'submitted'}")


@app.command()
def tournament(
    folders: Annotated[list[Path], typer.Argument(help="Files of agents, or folders of them.")],
    games: Annotated[
        int, typer.Option(help="Games of a pairing, in each order.", callback=one_or_more)
    ] = 10,
    rounds: Annotated[int, typer.Option(help="Rounds of a game.", callback=one_or_more)] = 500,
    seed: Annotated[int, typer.Option(help="What the public numbers depend on.")] = 1,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=60, help="An agent's seconds of the processor in a game.")
    ] = 5.0,
    workers: Workers = None,
    scheduler: Scheduler = None,
    into: Annotated[Path, typer.Option(help="Where the results are kept.")] = Path("tournament"),
    no_jail: NoJail = False,
) -> None:
    """Play duel agents against each other, each in its own jail; show standings and replays.

    An agent is a Python file with a class Agent (or a class Player of Sessdsa.2048), or a notebook
    that defines one. What was played before is kept, so a tournament that was stopped goes on. Exit
    status 0: all was played; 1: some pairing could not be played; 2: called wrongly, or nothing
    could be begun.
    """
    from autograder.jail import Conditions
    from autograder.tournament.entry import read_entries
    from autograder.tournament.page import (
        show_left_out,
        show_speed,
        show_standings,
        write_page,
    )
    from autograder.tournament.play_tournament import pairings_of, play_tournament
    from autograder.tournament.referee import Terms
    from autograder.workers import cores, make_executor

    with told("Stopped; what was played is kept, and the same command goes on from there."):
        entries, left_out = read_entries(folders)
        show_left_out(stderr(), left_out)
        if len(entries) < 2:
            stop(f"a tournament needs two agents or more, and {len(entries)} could be read")
        pairings = pairings_of(entries, Terms(games, rounds, seed, seconds), not no_jail)
        workers = min(workers or cores(), len(pairings))
        executors = partial(make_executor, workers, scheduler, Conditions(not no_jail))
        begin = time.monotonic()
        with progress(len(pairings), "Playing") as advance:
            prefetch = 4 * (64 if scheduler else workers)
            played = play_tournament(pairings, into / "games", executors, prefetch, advance)
        show_standings(stdout(), played)
        show_speed(stderr(), played, time.monotonic() - begin)
        say(f"Standings and replays are in {write_page(into, played, left_out)}")
    raise typer.Exit(1 if played.problems else 0)
