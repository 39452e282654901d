"""The command line: one function for each command, whose docstring is the help text."""

import json
import time
from contextlib import closing, suppress
from functools import partial
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from autograder.console import (
    in_assignment,
    in_course,
    is_agreed,
    progress,
    refuse_unknown,
    say,
    say_wait,
    share_done,
    stderr,
    stdout,
    stop,
    told,
    warn_without_jail,
)

if TYPE_CHECKING:  # nbgrader takes seconds to load, and `--help` does not need it
    from autograder.grade_assignment import Grading
    from autograder.gradebook.course_folder import CourseFolder

_NO_CSV = (".xlsx", ".xls", ".xlsm", ".ods", ".numbers", ".tsv")

app = typer.Typer(
    help="Grade the notebooks of an nbgrader course. Run it in the folder that holds source/.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _one_or_more(number: int | None) -> int | None:
    """Return a number that was typed, unless nothing would be done with so few."""
    if number is not None and number < 1:
        raise typer.BadParameter(f"{number} would do nothing. Write 1 or more.")
    return number


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]
NoJail = Annotated[
    bool,
    typer.Option("--no-jail", help="Run students' code without a jail. Only code that you trust."),
]
OneStudent = Annotated[str | None, typer.Option("--student", help="Only this student.")]
Workers = Annotated[
    int | None,
    typer.Option(help="Processes.", show_default="one a processor", callback=_one_or_more),
]
Scheduler = Annotated[
    str | None, typer.Option(help="A Dask scheduler, such as tcp://10.0.0.1:8786.")
]


def _csv_file(path: Path | None) -> Path | None:
    """Return the path of a table; refuse the name of a file in a format that is not CSV."""
    if path is not None and path.suffix.lower() in _NO_CSV:
        raise typer.BadParameter(
            f"{path} would be CSV text under the name of another format. Write "
            f"{path.with_suffix('.csv')}; a spreadsheet opens that."
        )
    return path


Csv = Annotated[
    Path | None,
    typer.Option(help="Also write a table for a spreadsheet, as CSV.", callback=_csv_file),
]


def _name_of(typed: str) -> str:
    """Return the name of an assignment; a shell may have completed it as a path in `source/`."""
    return typed.removeprefix("source/").rstrip("/")


Lesson = Annotated[
    str,
    typer.Argument(help="A folder in source/, such as 1-merge-a-line.", callback=_name_of),
]


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
    runs outside of the jail is protected. Exit status 0: the answer key gets full marks; 1: it does
    not; 2: called wrongly.
    """
    from autograder.grade_assignment import plans_of
    from autograder.terminal import show_plans

    warn_without_jail(no_jail)
    with in_course() as course:
        found = {}
        for assignment in map(_name_of, assignments):
            refuse_unknown(course, assignment)
            found[assignment] = plans_of(course, assignment, not no_jail)
            if as_json:
                plans = [plan.as_json() for plan in found[assignment]]
                print(json.dumps({"assignment": assignment, "notebooks": plans}), flush=True)
        if not as_json:
            show_plans(stdout(), found)
    is_fine = not any(plan.troubles for plans in found.values() for plan in plans)
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

    For each, show an input on which it differs from the answer key, and an assert that catches it.
    The same command goes on where one was stopped. Exit status 0: all changes were tried, and none
    was found; 1: some were found, or the time was over; 2: called wrongly.
    """
    from autograder.audit.audit_assignment import audit_assignment
    from autograder.reports.make_pages import make_audit
    from autograder.terminal import show_audit
    from autograder.workers import cores, make_executor

    warn_without_jail(no_jail)
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
def check(
    notebooks: Annotated[list[Path], typer.Argument(help="Notebook files, of any lessons.")],
    lesson: Annotated[str | None, typer.Option(help="The lesson, where it is not plain.")] = None,
    as_json: Json = False,
    no_jail: NoJail = False,
) -> None:
    """Grade notebook files by the instructor's notebooks; leave the gradebook as it is.

    The instructor's notebooks are those in the source/ of this folder, else those of this project.
    Exit status 0: all were graded; 1: some could not be read; 2: called wrongly.
    """
    from autograder.grade_assignment import NotebookChecker
    from autograder.terminal import show_problems, show_verdicts

    warn_without_jail(no_jail)
    results = []
    with in_course() as course:
        checker = NotebookChecker(course, lesson, not no_jail)
        with progress(len(notebooks)) as advance:
            for path in notebooks:
                verdict = checker.verdict(path)
                results.append((verdict.name, verdict))
                if as_json:
                    print(json.dumps(verdict.as_json()), flush=True)
                advance()
        if not as_json:
            show_verdicts(stdout(), results, "notebook")
            show_problems(stdout(), results)
    raise typer.Exit(0 if all(verdict.is_readable for _, verdict in results) else 1)


@app.command()
def collect(
    archives: Annotated[
        list[Path], typer.Argument(help="Zip files from Canvas or Moodle, or folders.")
    ],
    lesson: Lesson,
    form: Annotated[
        Literal["canvas", "moodle", "plain"] | None,
        typer.Option(
            "--from", help="Who named the files; plain: a folder a student.", show_default="seen"
        ),
    ] = None,
    worksheet: Annotated[
        Path | None,
        typer.Option(help="Moodle's grading worksheet: who is in a group, who of one name is who."),
    ] = None,
) -> None:
    """Put what students handed in at Canvas or Moodle into submitted/STUDENT/LESSON.

    Students are looked up in the gradebook; nobody is matched by guess. What is replaced is kept in
    downloaded/LESSON/replaced. Exit status 0: all was taken in; 1: some file could not be read, or
    belongs to nobody for certain; 2: called wrongly, or nothing could be begun.
    """
    from autograder.gradebook.lms.find_sender import Form
    from autograder.gradebook.lms.put_into_submitted import collect_archives
    from autograder.terminal import show_collection

    stopped = "Stopped; what was taken in stays, and the same command goes on from there."
    with in_assignment(lesson, stopped) as course:
        named = Form(form) if form else None
        found = collect_archives(course, lesson, archives, named, worksheet)
        show_collection(stdout(), found, lesson)
    raise typer.Exit(0 if found.is_fine else 1)


@app.command()
def grade(
    lesson: Lesson,
    student: OneStudent = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    force: Annotated[bool, typer.Option("--force", help="Grade again what was graded.")] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Grade by tests that are not right, too.")
    ] = False,
    withdraw: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STUDENT",
            help="Grade nothing; take the student's submission out of the gradebook.",
        ),
    ] = None,
    as_json: Json = False,
    no_jail: NoJail = False,
) -> None:
    """Grade submitted/*/LESSON into the gradebook and autograded/.

    What was graded before is left as it is, unless something changed that its result rests on.
    A submission whose folder is gone stays in the gradebook, until --withdraw takes it out.
    Exit status 0: all was graded and recorded; 1: a hand-in could not be read, or a result not
    written; 2: called wrongly, or nothing could be begun.
    """
    from autograder.workers import EarlyExecutors, cores
    from autograder.workers.early_grading import begin

    if withdraw:
        _withdraw(lesson, withdraw)
        return
    warn_without_jail(no_jail)
    # the number of hand-ins in the usual folder is a guess; nbgrader will say it exactly
    handed_in = 1 if student else len(list(Path("submitted").glob(f"*/{escape(lesson)}")))
    workers = min(workers or cores(), handed_in or cores())
    # the workers begin to grade while this process loads nbgrader, which takes long
    executors = EarlyExecutors(workers, scheduler, partial(begin, lesson, not no_jail, force))
    from autograder.grade_assignment import RunOptions, grade_assignment

    stopped = "Stopped; what was recorded stays, and the same command goes on from there."
    with told(stopped), closing(executors), in_assignment(lesson) as course:
        folders = [one for one in course.handed_in(lesson) if student in (None, one.student)]
        if not folders:
            stop(_nothing_handed_in(course, lesson, student))
        # so many tasks that no worker is idle while a batch of results is written
        prefetch = 4 * 64 if scheduler else 16 * workers
        options = RunOptions(executors, prefetch, force, not no_jail, anyway, executors.do)
        with progress(len(folders)) as advance:
            grading = grade_assignment(course, lesson, folders, options, say_wait, advance)
    with told():
        _show(grading, lesson, as_json)
    raise typer.Exit(0 if grading.is_fine else 1)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address at which HTTP is served.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Its port.")] = 2048,
    metrics: Annotated[
        int | None,
        typer.Option(help="The port of this machine at which Prometheus reads numbers."),
    ] = None,
    workers: Workers = None,
    no_jail: NoJail = False,
) -> None:
    """Grade each hand-in as soon as it comes, and let its student read what was found.

    Hand-ins come by HTTP (with the tokens of autograder tokens), by nbgrader's exchange, or lie in
    submitted/. c.Serve in nbgrader_config.py says what is told, how often, and until when.
    """
    try:
        from autograder.serve.web import serve_course
    except ModuleNotFoundError as missing:
        stop(f"{missing.name} is missing: pip install 'course-2048[grader,serve]'")
    from autograder.workers import cores

    warn_without_jail(no_jail)
    with told("Stopped; what was taken in is kept, and the same command goes on from there."):
        serve_course((host, port), metrics, workers or cores(), not no_jail, say)


@app.command()
def tokens(
    students: Annotated[list[str] | None, typer.Argument(help="Students' ids.")] = None,
    everybody: Annotated[
        bool, typer.Option("--all", help="All in the gradebook who have none.")
    ] = False,
    revoke: Annotated[
        bool, typer.Option("--revoke", help="Make the tokens of these students invalid.")
    ] = False,
) -> None:
    """Make tokens, with which students hand in by HTTP; print one student and token a line.

    A token is shown only now: the course keeps a digest of it. A new one replaces the old one.
    """
    from autograder.gradebook.database import is_there, opened
    from autograder.serve.records import Records

    with in_course() as course:
        records = Records(course.root)
        wanted = list(dict.fromkeys(students or ()))
        known: set[str] = set()
        if is_there(course):
            with opened(course) as gradebook:
                known = {str(one.id) for one in gradebook.students}
        if everybody:
            wanted += sorted(known - records.has_tokens() - set(wanted))
        if not wanted:
            stop("Name students, or write --all for all in the gradebook who have no token yet.")
        if revoke:
            had = records.revoke(wanted)
            say(f"{len(had)} tokens are not valid any more.")
            return
        for strange in sorted(set(wanted) - known) if known else ():
            say(f"{strange} is not in the gradebook yet; their first result enters them.")
        for student, token in records.new_tokens(wanted).items():
            print(f"{student} {token}")


@app.command()
def undo(
    number: Annotated[
        int,
        typer.Argument(
            help="Which copy, as --list numbers them; 1 is the newest.", callback=_one_or_more
        ),
    ] = 1,
    list_all: Annotated[bool, typer.Option("--list", help="Only list the copies.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Bring back the gradebook as it was before the last run that changed it.

    Say what had been done since, and ask first. What is replaced is kept, so undo undoes an undo,
    too. Exit status 0: it was brought back; 1: you said no; 2: it could not be brought back.
    """
    from autograder.gradebook.gradebook_backups import (
        bring_back,
        done_since,
        gradebook_file,
        ways_back,
    )
    from autograder.gradebook.locks import one_at_a_time

    with in_course() as course:
        address = course.db_url
        gradebook_file(address)  # it is a file, or else the reason is said before any waiting
        with one_at_a_time(course.root, address, say_wait):
            copies = ways_back(address)
            if list_all:
                for place, copy in enumerate(copies, start=1):
                    print(f"{place:2}  {copy}")
                return
            if number > len(copies):
                stop(f"there is no copy {number}; autograder undo --list shows what there is")
            copy = copies[number - 1]
            say(f"The copy is {copy}. What was done after it, and goes:")
            for sentence in done_since(address, copy):
                say(f"  {sentence}")
            if not yes and not is_agreed("Bring the copy back?"):
                say("Nothing was changed; with --yes it is not asked.")
                raise typer.Exit(1)
            bring_back(address, copy)
    say(
        "The gradebook is as it was then. What it replaced is kept: autograder undo brings it "
        "back. submitted/, autograded/ and feedback/ were not touched; the next autograder grade "
        "enters again what it finds in submitted/."
    )


@app.command()
def results(
    lesson: Lesson,
    csv: Csv = None,
    worksheet: Annotated[
        Path | None,
        typer.Option(help="Moodle's grading worksheet; a copy with the grades comes beside it."),
    ] = None,
) -> None:
    """Show what the gradebook says: scores, points to be given by a person, late or no hand-ins.

    Exit status 0: it was shown; 1: some grade has no place in the worksheet, or some row of it
    nobody in the gradebook; 2: called wrongly, or nothing could be shown.
    """
    from autograder.gradebook.lms.export_grades import fill_worksheet
    from autograder.gradebook.read_grades import as_csv, read_results
    from autograder.system.disk import put_table
    from autograder.terminal import show_filled, show_results

    with in_course(lesson=lesson) as course:
        found = read_results(course, lesson)
        show_results(stdout(), found, lesson)
        if csv is not None:
            put_table(csv, as_csv(found))
        if worksheet is not None:
            made, filled = fill_worksheet(course, lesson, found, worksheet)
            show_filled(stdout(), filled, made)
            raise typer.Exit(1 if filled.left_out else 0)


@app.command()
def feedback(
    lesson: Lesson,
    student: OneStudent = None,
) -> None:
    """Write one page for each student: what holds, what does not yet, and what a person said.

    The pages lie where nbgrader release_feedback finds them. They show nothing of a hidden test.
    """
    from autograder.reports.make_pages import make_feedback

    with in_course(lesson=lesson) as course:
        number, waiting = make_feedback(course, lesson, student)
        where = course.feedback("*", lesson)
        count = f"{number} pages are" if number > 1 else "1 page is"
        say(f"{count} in {where}; nbgrader release_feedback gives out what is there.")
        if waiting:
            say(f"Points wait for a person: {', '.join(waiting)}. Then make the pages again.")


@app.command()
def report(
    lesson: Annotated[
        str | None,
        typer.Argument(help="A folder in source/.", show_default="all of them on one page"),
    ] = None,
    csv: Csv = None,
) -> None:
    """Write one page for the class: scores, hard checks, mistakes, and whom to look at.

    Without an assignment, it is about all of them: a row a student, with points, late and missing.
    """
    from autograder.reports.make_pages import make_overview, make_report
    from autograder.serve.records import FILE as RECORDS
    from autograder.serve.records import Records

    lesson = None if lesson is None else _name_of(lesson)
    with in_course(lesson=lesson) as course:
        if lesson is not None:
            is_served = (course.root / RECORDS).exists()
            served = Records(course.root).told_bits(lesson) if is_served else None
            say(f"The page is {make_report(course, lesson, csv, served)}")
        else:
            say(f"The page is {make_overview(course, csv)}")


@app.command()
def comment(
    lesson: Lesson,
    text: Annotated[str | None, typer.Argument(help="The comment, in quotes.")] = None,
    mistake: Annotated[
        str | None, typer.Option(help="Its title in the report, or the beginning of that.")
    ] = None,
) -> None:
    """Write one comment to all students who made the same mistake; without words, list them all.

    It is nbgrader's own comment: formgrader and feedback show it. Where a person has written one,
    that stays, and the new one comes below it, never twice. autograder undo takes it back.
    """
    from autograder.gradebook.read_grades import read_class
    from autograder.reports.class_report import mistakes_of
    from autograder.reports.make_pages import comment_on
    from autograder.terminal import show_commented, show_mistakes

    with in_course(lesson=lesson) as course:
        if text is None or mistake is None:
            show_mistakes(stdout(), mistakes_of(read_class(course, lesson)), lesson)
            if text is not None or mistake is not None:
                stop("Nothing was written: give both, --mistake and the comment.")
            return
        done = comment_on(course, lesson, mistake, text, say_wait)
        show_commented(stdout(), done, lesson)
    raise typer.Exit(1 if done["nowhere"] else 0)


@app.command()
def sample(
    lesson: Lesson,
    students: Annotated[int, typer.Option(help="How many.", callback=_one_or_more)],
    into: Annotated[Path, typer.Option(help="A folder to be made: a small course of its own.")],
    like: Annotated[
        Literal["class", "zoo"], typer.Option(help="In real proportions, or one of each kind.")
    ] = "zoo",
) -> None:
    """Write a class to try the grader with: a real one, or one with all that may be handed in."""
    from autograder.sample import write_class

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
        int, typer.Option(help="Games of a pairing, in each order.", callback=_one_or_more)
    ] = 10,
    rounds: Annotated[int, typer.Option(help="Rounds of a game.", callback=_one_or_more)] = 500,
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
    from autograder.tournament.referee import Terms
    from autograder.tournament.running import Kept, pairings_of, play_tournament
    from autograder.workers import cores, make_executor

    warn_without_jail(no_jail)
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
            kept = Kept(into / "games")
            played = play_tournament(pairings, kept, executors, prefetch, advance)
        show_standings(stdout(), played)
        show_speed(stderr(), played, time.monotonic() - begin)
        say(f"Standings and replays are in {write_page(into, played, left_out)}")
    raise typer.Exit(1 if played.problems else 0)


def _show(grading: "Grading", lesson: str, as_json: bool) -> None:
    from autograder.terminal import show_grading, show_remarks

    if as_json:
        known = {result.student: result.as_json() for result in grading.results}
        for line in grading.graded:
            assert line.verdict is not None
            told = {"student": line.student, **line.verdict.as_json()}
            print(json.dumps({**told, "why_again": line.why, "gradebook": known.get(line.student)}))
    else:
        show_grading(stdout(), grading)
    show_remarks(stderr(), grading, lesson)
    if grading.trouble:
        say(f"{grading.trouble} What is not in the list was not recorded.", "red")


def _withdraw(lesson: str, students: list[str]) -> None:
    from autograder.grade_assignment import withdraw_submissions
    from autograder.gradebook.gradebook_backups import gradebook_file
    from autograder.system.trouble import Trouble

    with in_assignment(lesson) as course:
        students = list(dict.fromkeys(students))
        withdraw_submissions(
            course,
            lesson,
            students,
            say_wait,
            lambda text: say(f"This goes out of the gradebook: {text}."),
        )
        where = ", ".join(str(course.graded(student, lesson)) for student in students)
        back = "autograder undo brings it back."
        try:
            gradebook_file(course.db_url)
        except Trouble:
            back = "No copy was kept: the gradebook's own database has to have backups."
    say(
        f"It is taken out. {back} Graded notebooks stay: {where}. Delete them when nobody "
        "needs them, for nbgrader generate_feedback reports an error for each."
    )


def _nothing_handed_in(course: "CourseFolder", lesson: str, student: str | None) -> str:
    from autograder.grade_assignment import withdraw_command
    from autograder.gradebook.database import GradebookError
    from autograder.gradebook.read_grades import read_results

    said = f"nothing was handed in for {lesson}" + (f" by {student}" if student else "")
    gone: list[str] = []
    with suppress(GradebookError):
        gone += [one.student for one in read_results(course, lesson) if one.is_withdrawn]
    gone = [one for one in gone if student in (None, one)]
    if not gone:
        usual = course.submitted(student or "STUDENT", lesson).path
        return f"{said}: there is no {usual}. nbgrader collect and autograder collect put it there"
    names = f"{len(gone)} students" if len(gone) > 1 else gone[0]
    command = withdraw_command(lesson, gone)
    return (
        f"{said}; but the gradebook has what {names} handed in: if it is to go, {command} takes it "
        "out"
    )
