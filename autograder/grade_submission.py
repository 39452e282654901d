"""Grading of one submission, step by step; each step hands plain data to the next.

collect  notebook/find_submitted_notebook.py
                               find and read the notebook to be graded      → `Handin`
repair   notebook/repair.py    restore the master's order and its tests     → `Submission`
judge    judge/judge.py        run the student's cells in the jail, tests   → checks, outputs
                               outside if possible
write    notebook/make_graded_notebook.py
                               make the repaired notebook with its outputs  → `Verdict`
record   gradebook/            write the gradebook, then `autograded/`

`grade` does the three steps in the middle, in any process; for a class, `grading_run.py` does the
first and the last.
"""

import os
import re
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
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
from autograder.notebook.make_graded_notebook import as_notebook, as_text
from autograder.notebook.master import Master
from autograder.notebook.safe_text import printable, with_titles

_FAILED = "the grader itself failed on this submission, nothing was scored"
_UNSEEN = "the judge did not see it pass"

_USUAL = Conditions()

_jails = WarmJails()
os.register_at_fork(after_in_child=_jails.forget)


def get_ready(lesson_id: str, conditions: Conditions = _USUAL) -> None:
    """Start the jail of a lesson in this process, before the first hand-in needs it."""
    with suppress(Exception):  # the same error comes again when the jail is needed
        jail_of(lesson_id, conditions)


def jail_of(lesson_id: str, conditions: Conditions) -> WarmJail:
    """Return the jail that this process keeps for a lesson, or raise `JailMissing`."""
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
    """Return verdicts that students may see: only visible lines of tests are run, in the jail."""
    found = []
    for handin, master in zip(handins, masters, strict=True):
        submission, verdict = _judged(handin, master, conditions, judge_released)
        found.append(replace(_completed(verdict, submission, master), outputs={}))
    return tuple(found)


def grade(
    handin: Handin, master: Master, conditions: Conditions = _USUAL, uses: Uses | None = None
) -> Verdict:
    """Return the verdict on one hand-in, whose code runs in a jail that this process keeps.

    `uses` are notes on the answer key, such as the places in the tests at which its objects occur.
    By default, those in the master are taken. If `uses.is_learning` is true, the judge adds to
    them. If the grader fails, the score is 0, and the verdict says why. Raise nothing but
    `JailMissing`.
    """
    begin = time.monotonic()
    try:
        if uses is None and master.uses:
            uses = Uses.from_json(master.uses)
        submission, verdict = _judged(handin, master, conditions, partial(judge, uses=uses))
        if submission.is_readable and not conditions.confined:
            verdict = replace(verdict, problems=(*verdict.problems, NOT_CONFINED))
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
    """Return a verdict without points that says why the grader failed on a hand-in."""
    reason = f"{_FAILED}: {cause[:300]}"
    # without the digest of the real hand-in, so the next run grades it again
    unread = Handin(handin.name, reason=reason)
    submission, verdict = _judged(unread, master, _USUAL, judge)
    return _written(verdict, submission, unread, master)


def has_failed(verdict: Verdict) -> bool:
    """Return true if the grader itself failed on a submission, or on one of its notebooks.

    >>> whys = f"a.ipynb: {_FAILED}: x", f"there is no a.ipynb, only b: {_FAILED}: .ipynb"
    >>> [has_failed(Verdict("", "", (), (), unreadable=(why,))) for why in whys]
    [True, False]
    """
    # a student's file name, which a reason may quote, comes after a comma
    return any(re.match(f"([^,]*: )?{_FAILED}: ", why) for why in verdict.unreadable)


def _judged(
    handin: Handin, master: Master, conditions: Conditions, do: Callable[..., Verdict]
) -> tuple[Submission, Verdict]:
    """Return the repaired submission and its verdict; `do` judges a readable submission."""
    submission = understand(_that_fits(handin, master, conditions.limits), master)
    if not submission.is_readable:
        why = submission.problems
        return submission, Verdict("", master.lesson, (), why, unreadable=why[:1])
    verdict = do(submission, jail_of(master.lesson, conditions))
    return submission, replace(verdict, problems=submission.problems)


def _that_fits(handin: Handin, master: Master, limits: Limits) -> Handin:
    """Return a hand-in without files for which the jail has no room; name them in its problems."""
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


def _written(verdict: Verdict, submission: Submission, handin: Handin, master: Master) -> Verdict:
    """Return the completed verdict, with the text of the graded notebook, which has all outputs."""
    verdict = _completed(verdict, submission, master)
    told = replace(submission, problems=verdict.problems)
    facts = verdict.checks, verdict.outputs, verdict.seconds
    text = as_text(as_notebook(told, master, handin.digest, *facts))
    return replace(verdict, name=printable(handin.name), notebook=text, outputs={})


def _completed(verdict: Verdict, submission: Submission, master: Master) -> Verdict:
    """Return a verdict with a result for each graded cell.

    Only a check that passed gets points. In all texts, ids that an editor made up become titles.
    """
    titles = master.titles
    problems = tuple(with_titles(problem, titles) for problem in verdict.problems)
    unreadable = problems[: len(verdict.unreadable)]
    seen = {check.id: check for check in verdict.checks}
    [reason] = unreadable or [_UNSEEN]
    checks = []
    for cell in master.graded:
        is_hiding = cell.source != cell.shown
        if cell.kind is CellKind.MANUAL:
            check = CheckResult(cell.id, 0.0, cell.points, Outcome.MANUAL)
        elif cell.id in seen:
            check = seen[cell.id]
            points = min(check.points, cell.points) if check.outcome is Outcome.PASSED else 0.0
            check = replace(check, points=points, max_points=cell.points)
            if is_hiding and cell.is_all_hidden:
                check = replace(check, released=Outcome.NOT_RUN)
        else:
            released = Outcome.NOT_RUN if is_hiding else None
            check = CheckResult(cell.id, 0.0, cell.points, Outcome.NOT_RUN, reason, told=reason)
            check = replace(check, tells=False, released=released)
        message, told = with_titles(check.message, titles), with_titles(check.told, titles)
        checks.append(replace(check, message=message, told=told) if titles else check)
    sources = {cell.id: cell.source for cell in submission.cells}
    untouched = (one.id for one in master.cells if one.is_answer and sources[one.id] == one.source)
    return replace(
        verdict,
        checks=tuple(checks),
        problems=problems,
        unreadable=unreadable,
        untouched=tuple(untouched),
        file=master.notebook,
        titles=titles,
    )
