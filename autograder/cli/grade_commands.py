"""Commands that take in submissions and grade them."""

import json
import os
from contextlib import closing, suppress
from functools import partial
from glob import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from autograder.cli.options import (
    Json,
    Lesson,
    NoJail,
    OneStudent,
    Scheduler,
    Workers,
    app,
    one_or_more,
)
from autograder.console_output import (
    in_assignment,
    in_course,
    is_agreed,
    progress,
    say,
    say_wait,
    stderr,
    stdout,
    stop,
    told,
)

if TYPE_CHECKING:  # nbgrader takes seconds to load, and `--help` does not need it
    from autograder.grade_assignment import Grading
    from autograder.gradebook.course_folder import CourseFolder
    from autograder.grading_data import Verdict


@app.command()
def check(
    notebooks: Annotated[
        list[Path],
        typer.Argument(
            help="Notebook files, of any lessons; with --lesson, also a student's folder."
        ),
    ],
    lesson: Annotated[str | None, typer.Option(help="The lesson, where it is not plain.")] = None,
    as_json: Json = False,
    host: Annotated[
        Literal["gradescope", "prairielearn", "moodle", "github", "junit"] | None,
        typer.Option("--as", help="Print one submission's result in the format of this host."),
    ] = None,
    no_jail: NoJail = False,
) -> None:
    """Grade notebook files by the instructor's notebooks; leave the gradebook as it is.

    The instructor's notebooks are those in the source/ of this folder, else those of this project.
    Exit status 0: all were graded; 1: some could not be read; 2: called wrongly. With --as, it is 0
    whenever there is a result, whatever its score, and also if a notebook could not be read.
    """
    from autograder.cli.print_verdicts import show_problems, show_verdicts
    from autograder.grade_assignment import NotebookChecker

    if host and as_json:
        raise typer.BadParameter("--as and --json both say what is printed. Leave out one of them.")
    found: list[Verdict] = []
    with in_course() as course:
        checker = NotebookChecker(course, lesson, not no_jail)
        with progress(len(notebooks)) as advance:
            for path in notebooks:
                for verdict in checker.verdicts(path):
                    found.append(verdict)
                    if as_json:
                        print(json.dumps(verdict.as_json()), flush=True)
                advance()
        if host:
            _tell_host(host, found)
        elif not as_json:
            results = [(verdict.name, verdict) for verdict in found]
            show_verdicts(stdout(), results, "notebook")
            show_problems(stdout(), results)
    raise typer.Exit(0 if host or all(verdict.is_readable for verdict in found) else 1)


def _tell_host(host: str, found: list["Verdict"]) -> None:
    """Print the results in the format of a host, which is a service such as Gradescope.

    For GitHub, also append texts to files, whose paths are in environment variables. If two
    submissions are of the same notebook, exit with a sentence, because a host would add up their
    points. A report in JUnit's form keeps them apart, so it may have both.
    """
    from autograder.reports.host_formats import HOSTS, github_files

    seen: dict[tuple[str, str], str] = {}
    for one in found:
        other = seen.setdefault((one.lesson, one.file), one.name)
        if other != one.name and one.lesson and host != "junit":
            both = f"{other} and {one.name} are both {one.file} of {one.lesson}"
            stop(f"{both}. Give one of them, or --lesson {one.lesson} and the folder they are in.")
    print(HOSTS[host](found), flush=True)
    for name, text in github_files(found).items() if host == "github" else ():
        if path := os.environ.get(name):
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(text)


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
    from autograder.cli.print_class_tables import show_collection
    from autograder.gradebook.lms.find_sender import Form
    from autograder.gradebook.lms.put_into_submitted import collect_archives

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
    from autograder.workers.speculative_grading import begin

    if withdraw:
        _withdraw(lesson, withdraw)
        return
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
        # enough tasks to keep all workers busy while a batch of results is written
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
    hub: Annotated[
        bool, typer.Option("--hub", help="As a service of JupyterHub, with the hub's login.")
    ] = False,
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
        from autograder.serve.http_api import serve_course
    except ModuleNotFoundError as missing:
        stop(f"{missing.name} is missing: pip install 'course-2048[serve]'")
    if hub and find_spec("jupyterhub") is None:
        stop("jupyterhub is missing: pip install 'course-2048[hub]'")
    from autograder.workers import cores

    with told("Stopped; what was taken in is kept, and the same command goes on from there."):
        place = None if hub else (host, port)
        serve_course(place, metrics, workers or cores(), not no_jail, say)


@app.command()
def tokens(
    students: Annotated[list[str] | None, typer.Argument(help="Students' ids.")] = None,
    everybody: Annotated[
        bool,
        typer.Option("--all", help="All in the gradebook who have none; to revoke, all with one."),
    ] = False,
    revoke: Annotated[
        bool, typer.Option("--revoke", help="Make the tokens of these students invalid.")
    ] = False,
) -> None:
    """Make tokens, with which students hand in by HTTP; print one student and token a line.

    A token is shown only now: the course keeps a digest of it. A new one replaces the old one.
    """
    from autograder.gradebook.open_gradebook import is_there, opened
    from autograder.serve.records import Records

    with in_course() as course:
        records = Records(course.root)
        wanted = list(dict.fromkeys(students or ()))
        known: set[str] = set()
        if is_there(course):
            with opened(course) as gradebook:
                known = {str(one.id) for one in gradebook.students}
        if everybody:
            having = records.has_tokens()
            wanted += sorted((having if revoke else known - having) - set(wanted))
        if not wanted:
            whom = "who have a token" if revoke else "in the gradebook who have no token yet"
            stop(f"There is nobody. Name students, or write --all for all {whom}.")
        if revoke:
            had = records.revoke(wanted)
            say(f"Tokens that are not valid any more: {len(had)}.")
            if lacking := [student for student in wanted if student not in had]:
                say(f"There was no token of {', '.join(lacking)}.")
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
            help="Which copy, as --list numbers them; 1 is the newest.", callback=one_or_more
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
        gradebook_file(address)  # if the gradebook is not in a file, stop now, before any waiting
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


def _show(grading: "Grading", lesson: str, as_json: bool) -> None:
    from autograder.cli.print_class_tables import show_grading, show_remarks

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
    from autograder.system import Trouble

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
    from autograder.gradebook.open_gradebook import GradebookError
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
