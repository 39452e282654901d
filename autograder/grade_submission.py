"""Grading of one submission, step by step; each step hands plain data to the next.

The master is the instructor's notebook. The jail is the process in which the student's code runs.

collect  notebook/find_submitted_notebook.py
                               find and read the notebook to be graded      → `Handin`
repair   notebook/repair.py    restore the master's order and its tests     → `Submission`
judge    judge/judge.py        run the student's cells in the jail, tests   → checks, outputs
                               outside if possible
write    notebook/graded_notebook.py   make the repaired notebook with its outputs  → `Verdict`
record   gradebook/            write the gradebook, then `autograded/`

The function `grade` does the three steps in the middle, in any process. For a class,
`grade_class.py` does the first and the last step. `autograder check` collects, calls `grade`, and
shows the verdict.
"""

import os
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from mmap import PAGESIZE

from autograder.grading_data import (
    NOT_CONFINED,
    CellKind,
    CheckResult,
    Outcome,
    Submission,
    Verdict,
)
from autograder.jail import Conditions, JailMissing, Limits, WarmJail, WarmJails
from autograder.judge import Uses, judge, judge_released
from autograder.notebook.find_submitted_notebook import Handin, understand
from autograder.notebook.graded_notebook import as_notebook, as_text
from autograder.notebook.master import Master, MasterCell
from autograder.notebook.safe_text import printable, with_titles

_UNSEEN = "the judge did not see it pass"

_USUAL = Conditions()

_jails = WarmJails()
os.register_at_fork(after_in_child=_jails.forget)


def get_ready(lesson_id: str, conditions: Conditions = _USUAL) -> None:
    """Start the jail of a lesson in this process, before the first hand-in needs it."""
    with suppress(Exception):  # the same error comes again when the jail is needed
        jail_of(lesson_id, conditions)


def jail_of(lesson_id: str, conditions: Conditions) -> WarmJail:
    """Return the jail of a lesson that this process keeps. Raise `JailMissing` if it has none."""
    return _jails.get(lesson_id, conditions)


def grade_all(
    handins: Sequence[Handin], masters: Sequence[Master], conditions: Conditions = _USUAL
) -> tuple[Verdict, ...]:
    """Return the verdicts on one student's hand-ins, one for each notebook of an assignment."""
    pairs = zip(handins, masters, strict=True)
    return tuple(grade(handin, master, conditions) for handin, master in pairs)


def tell_all(
    handins: Sequence[Handin], masters: Sequence[Master], conditions: Conditions = _USUAL
) -> tuple[Verdict, ...]:
    """Return the verdicts on one student's hand-ins by the released tests alone.

    They are for the student: the tests are not protected, and no hidden line is asked. Raise
    `JailMissing` if there is no jail.
    """
    found = []
    for handin, master in zip(handins, masters, strict=True):
        submission = understand(_that_fits(handin, master, conditions.limits), master)
        verdict = _unjudged(submission)
        if submission.is_readable:
            verdict = judge_released(submission, jail_of(master.lesson, conditions))
            verdict = replace(verdict, problems=submission.problems)
        found.append(
            replace(
                _titled(verdict, master),
                untouched=_untouched(submission, master),
                outputs={},
                file=master.notebook,
            )
        )
    return tuple(found)


def grade(
    handin: Handin, master: Master, conditions: Conditions = _USUAL, uses: Uses | None = None
) -> Verdict:
    """Return the verdict on one hand-in, whose code runs in a jail that this process keeps.

    `uses` are the places in the tests at which objects made by students' code may come. By default,
    the master's `uses` are taken. The argument is given in two cases only: if the hand-in is the
    answer key, whose grading finds these places and notes them in `uses`; and if the hand-in is the
    notebook as students get it. If the grader fails, the score is 0, and the verdict says why.
    Raise nothing but `JailMissing`.
    """
    begin = time.monotonic()
    try:
        submission = understand(_that_fits(handin, master, conditions.limits), master)
        verdict = _judged(submission, master, conditions, uses)
        timed = replace(verdict, seconds=time.monotonic() - begin)
        return _written(timed, submission, handin, master)
    except JailMissing:
        raise
    except Exception as error:
        with suppress(Exception):
            _jails.close()
        traceback.print_exc()
        return failed(handin, master, f"{type(error).__name__}: {error}")


def failed(handin: Handin, master: Master, cause: str) -> Verdict:
    """Return a verdict with no points, and the cause, for a hand-in on which the grader failed."""
    reason = f"the grader itself failed on this submission, nothing was scored: {cause[:300]}"
    # this digest is not the digest of the real hand-in, so the next run grades it again
    unread = Handin(handin.name, reason=reason)
    submission = understand(unread, master)
    return _written(_unjudged(submission), submission, unread, master)


def _that_fits(handin: Handin, master: Master, limits: Limits) -> Handin:
    """Return a hand-in without those of the student's files for which the jail has no room.

    The master's files come first. A problem names each file that is left out. Each file may take a
    page of memory more than it has bytes.
    """
    room = limits.folder_size - sum(len(data) + PAGESIZE for data in master.files.values())
    kept, problems = {}, []
    for name, data in handin.files.items():
        more = len(data) + PAGESIZE - len(master.files.get(name, b""))
        if len(data) <= limits.file_size and more <= room:
            kept[name] = data
            room -= more
        else:
            problems.append(f"{name} was left out: the jail has no room for a file of this size")
    return replace(handin, files=kept, problems=(*handin.problems, *problems))


def _judged(
    submission: Submission, master: Master, conditions: Conditions, uses: Uses | None
) -> Verdict:
    if not submission.is_readable:
        return _unjudged(submission)
    if uses is None and master.uses:
        uses = Uses.from_json(master.uses)
    verdict = judge(submission, jail_of(master.lesson, conditions), uses)
    warnings = () if conditions.confined else (NOT_CONFINED,)
    return replace(verdict, problems=(*submission.problems, *warnings))


def _unjudged(submission: Submission) -> Verdict:
    return Verdict("", submission.lesson, (), submission.problems, is_readable=False)


def _written(verdict: Verdict, submission: Submission, handin: Handin, master: Master) -> Verdict:
    """Return the verdict with a result for every graded cell, and with the text of the notebook."""
    verdict = _titled(verdict, master)
    told = replace(submission, problems=verdict.problems)
    facts = verdict.checks, verdict.outputs, verdict.seconds
    notebook = as_notebook(told, master, handin.digest, *facts)
    return replace(
        verdict,
        name=printable(handin.name),
        notebook=as_text(notebook),
        untouched=_untouched(submission, master),
        outputs={},
        file=master.notebook,
    )


def _untouched(submission: Submission, master: Master) -> tuple[str, ...]:
    """Return the ids of the answer cells that are as they were given out."""
    sources = {cell.id: cell.source for cell in submission.cells}
    answers = [cell for cell in master.cells if cell.is_answer]
    return tuple(cell.id for cell in answers if sources[cell.id] == cell.source)


def _titled(verdict: Verdict, master: Master) -> Verdict:
    """Return a verdict with a result for each graded cell of the master, and cells by their titles.

    Only a check that passed gets points.
    """
    titles = master.titles
    problems = tuple(with_titles(problem, titles) for problem in verdict.problems)
    seen = {check.id: check for check in verdict.checks}
    reason = _UNSEEN if verdict.is_readable else problems[0]
    checks = []
    for cell in master.graded:
        check = _check(seen.get(cell.id), cell, reason)
        message, told = with_titles(check.message, titles), with_titles(check.told, titles)
        checks.append(replace(check, message=message, told=told) if titles else check)
    return replace(verdict, checks=tuple(checks), problems=problems, titles=titles)


def _check(seen: CheckResult | None, cell: MasterCell, reason: str) -> CheckResult:
    if cell.kind is CellKind.MANUAL:
        return CheckResult(cell.id, 0.0, cell.points, Outcome.MANUAL)
    is_hiding = cell.source != cell.shown
    if seen is None:
        released = Outcome.NOT_RUN if is_hiding else None
        return CheckResult(
            cell.id,
            0.0,
            cell.points,
            Outcome.NOT_RUN,
            reason,
            tells=False,
            told=reason,
            released=released,
        )
    if is_hiding and cell.is_all_hidden:
        seen = replace(seen, released=Outcome.NOT_RUN)
    points = min(seen.points, cell.points) if seen.outcome is Outcome.PASSED else 0.0
    return replace(seen, points=points, max_points=cell.points)
