"""Commands that show results, to instructors and to students."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.options import Csv, Lesson, OneStudent, app, name_of
from autograder.console_output import in_course, say, say_wait, stdout, stop


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
    from autograder.cli.print_class_tables import show_filled, show_results
    from autograder.gradebook.lms.export_grades import fill_worksheet
    from autograder.gradebook.read_grades import as_csv, read_results
    from autograder.system.atomic_write import put_table

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
    before: Annotated[
        list[Path] | None,
        typer.Option(
            help="The course folder of an earlier year, to see which mistakes come back; the "
            "oldest first.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
) -> None:
    """Write one page for the class: scores, hard checks, mistakes, and whom to look at.

    Without an assignment, it is about all of them: a row a student, with points, late and missing.
    """
    from autograder.reports.make_pages import make_overview, make_report
    from autograder.serve.records import FILE as RECORDS
    from autograder.serve.records import Records

    lesson = None if lesson is None else name_of(lesson)
    with in_course(lesson=lesson) as course:
        if before and lesson is None:
            stop("--before compares one assignment with itself: name the assignment, too.")
        if lesson is not None:
            is_served = (course.root / RECORDS).exists()
            served = Records(course.root).told_bits(lesson) if is_served else None
            say(f"The page is {make_report(course, lesson, csv, served, before or ())}")
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
    from autograder.cli.print_class_tables import show_commented, show_mistakes
    from autograder.gradebook.read_grades import read_class
    from autograder.reports.class_report import mistakes_of
    from autograder.reports.make_pages import comment_on

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
def name(
    lesson: Lesson,
    group: Annotated[str, typer.Argument(help="Of wrong programs; the report shows them.")],
    title: Annotated[str, typer.Argument(help="The mistake in a few words, in quotes.")],
    hint: Annotated[str, typer.Option(help="What students read below the title.")] = "",
) -> None:
    """Name a group of programs that do the same wrong thing; all in it read title and hint.

    The name is kept in names.toml in the course's folder, for those graded before and to come.
    """
    from autograder.reports.make_pages import name_group

    with in_course(lesson=lesson) as course:
        say(name_group(course, lesson, group, title, hint))
