"""Results in the formats of the hosts that run a grader, each made by a pure function.

A host is a program to which students hand in their work. Each function returns the text that the
host reads, made from the verdicts on one submission, one verdict for each notebook. The docstring
of the function names the document that the format was taken from.

A test may have released lines, which students have in their notebooks, and hidden lines. Of such a
test, students read the result of the released lines. The result of the hidden lines is only in the
total, and in lines that the host itself hides. No message of a hidden test is in any of these
texts. Control characters in texts of students are escaped.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from xml.etree import ElementTree as Xml

from autograder.grading_data import NOT_CONFINED, CheckResult, Outcome, Verdict, together
from autograder.notebook.safe_text import gathered, printable, without_markup

_LONGEST = 4000  # characters of a text
_NO_XML = re.compile("[\ufffe\uffff]")  # the only signs that `printable` keeps and XML forbids
_HIDDEN_NAME = "Tests that are not shown"
_BY_HAND = "A person gives these points."
_FINE = (Outcome.PASSED, Outcome.MANUAL)


@dataclass(frozen=True)
class ToldLine:
    """One line of a result: about a whole check, or about the released part of a check.

    The released part are the lines of a test that students have in their notebooks. `text` is what
    a student may read about a check that failed. If `is_hidden` is true, the line is for
    instructors; the host shows it to students later, or never. If `has_points` is false, the line
    says only if the released part passed; another line has the points of the whole check.
    """

    name: str
    outcome: Outcome
    points: float
    max_points: float
    text: str
    is_hidden: bool = False
    has_points: bool = True

    @property
    def is_fine(self) -> bool:
        """True if a person gives the points, or if the line says passed and loses none."""
        lost = self.has_points and self.points < self.max_points
        return self.outcome is Outcome.MANUAL or (self.outcome is Outcome.PASSED and not lost)

    @property
    def said(self) -> str:
        """The outcome in words, or the points of a check that passed with only some of them."""
        if self.outcome is Outcome.MANUAL:
            return _BY_HAND
        word = self.outcome.value.replace("_", " ")
        is_part = self.outcome is Outcome.PASSED and not self.is_fine
        return f"{_points(self.points, self.max_points)} points" if is_part else word


def _points(score: float, most: float) -> str:
    return f"{score:.10g}/{most:.10g}"


def told_lines(verdict: Verdict) -> list[ToldLine]:
    """Return lines about the checks of a verdict: one for each check, two if a part is hidden.

    Of two lines, the first is about the released part of the check. The second is about the whole
    check: students do not see it, and it has the points.

    >>> check = CheckResult("a", 0, 2, Outcome.FAILED, "f(7)", released=Outcome.PASSED)
    >>> lines = told_lines(Verdict("a.ipynb", "ps1", (check,)))
    >>> [(line.outcome.value, line.max_points, line.is_hidden, line.text) for line in lines]
    [('passed', 0.0, False, ''), ('failed', 2, True, '')]
    """
    found, seen = [], Counter[str]()
    for check in verdict.checks:
        folder, _, cell = check.id.rpartition("/")
        name = _in_one_line("/".join(filter(None, (folder, verdict.titles.get(cell, cell)))))
        seen[name] += 1
        if seen[name] > 1:  # GitLab, for one, ignores a second test of the same name
            name = f"{name} ({seen[name]})"
        points = (check.points, check.max_points, _words(check))
        if check.released is None:
            found.append(ToldLine(name, check.outcome, *points))
            continue
        if check.released is not Outcome.NOT_RUN:
            words = "" if check.released is Outcome.PASSED else _words(check, is_released=True)
            found.append(ToldLine(name, check.released, 0.0, 0.0, words, has_points=False))
        found.append(ToldLine(name, check.outcome, *points, is_hidden=True))
    return found


def _words(check: CheckResult, is_released: bool = False) -> str:
    """Return what a student may read about a check that failed: message, mistake and hint.

    If `is_released` is true, the words are about the released lines alone. A mistake that was named
    for a group of programs is then left out, with its hint: hidden lines, too, decide which group a
    program is in, so the name would reveal something about them.

    >>> zero = CheckResult("a", 0, 2, Outcome.FAILED, told="f(0)", mistake="No 0", hint="Try 0.")
    >>> _words(zero).splitlines()
    ['No 0', 'f(0)', 'Hint: Try 0.']
    """
    if check.outcome in _FINE:
        return ""
    is_of_group = check.difference is not None and check.misconception == check.difference.group
    named = (check.mistake, f"Hint: {check.hint}" if check.hint else "")
    title, hint = ("", "") if is_released and is_of_group else named
    parts = ("" if title in check.told else title, check.told, "" if hint in check.told else hint)
    return _plain("\n".join(filter(None, parts)))


def _plain(text: str) -> str:
    """Return a text with escaped control characters, except ends of lines; cut off a long text."""
    whole = "\n".join(map(_in_one_line, text.splitlines()))
    return whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]} …"


def _in_one_line(text: str) -> str:
    return _NO_XML.sub("\ufffd", printable(text))


def _problems(verdict: Verdict) -> list[str]:
    """Return the sentences about how the submission was read and graded."""
    return [_in_one_line(problem) for problem in gathered(verdict.problems)]


def as_gradescope(verdicts: Sequence[Verdict]) -> str:
    """Return the text of `results/results.json` for Gradescope.

    Source: "Autograder Specifications", gradescope-autograders.readthedocs.io/en/latest/specs.
    Hidden tests have the visibility `after_published`: students see them when the grades are
    published. By that document, Gradescope also hides the total score until then. With the
    visibility `hidden`, students would never see the tests, but could see the total at once.
    """
    whole = together(verdicts)
    tests = []
    for line in told_lines(whole):
        test: dict[str, Any] = {"name": line.name, "visibility": "visible"}
        if line.is_hidden:
            test |= {"name": f"{line.name}, all its tests", "visibility": "after_published"}
        if line.outcome is Outcome.MANUAL:
            test["output"] = f"{_BY_HAND} At most {line.max_points:.10g}."
        elif line.has_points:
            test |= {"score": line.points, "max_score": line.max_points, "output": line.text}
        else:
            test |= {"status": "passed" if line.is_fine else "failed", "output": line.text}
        tests.append(test)
    result = {
        "score": whole.score,
        "output": "\n".join(_problems(whole)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "tests": tests,
    }
    return json.dumps(result, indent=1)


def as_prairielearn(verdicts: Sequence[Verdict]) -> str:
    """Return the text of `/grade/results/results.json` for PrairieLearn.

    Source: "Grading results" in docs/externalGrading.md of the repository
    PrairieLearn/PrairieLearn. The element `pl-external-grader-results` adds up the points of all
    tests, and hides none. So all hidden tests are one line, which says no more than the total.
    """
    whole = together(verdicts)
    lines = told_lines(whole)
    told = [
        (line.name, line.points, line.max_points, line.said, line.text)
        for line in lines
        if not line.is_hidden
    ]
    if hidden := [line for line in lines if line.is_hidden]:
        sums = sum(one.points for one in hidden), sum(one.max_points for one in hidden)
        told.append((_HIDDEN_NAME, *sums, "", ""))
    keys = "name", "points", "max_points", "message", "output"
    tests = [dict(zip(keys, values, strict=True)) for values in told]
    score, problems = whole.score / (whole.max_score or 1), _problems(whole)
    is_read = any(verdict.is_readable for verdict in verdicts)  # else PrairieLearn counts no points
    result: dict[str, Any] = {"gradable": is_read, "score": score}
    result |= {"output": "\n".join(problems)} if is_read else {"format_errors": problems}
    return json.dumps({**result, "tests": tests}, indent=1)


def as_moodle(verdicts: Sequence[Verdict]) -> str:
    """Return the JSON that a template grader prints for CodeRunner, a question type of Moodle.

    Source: "Combinator-template grading" in docs/index.md of trampgeek/moodle-qtype_coderunner.
    Cells with the format `%s` are plain text: CodeRunner escapes them. Students do not see rows
    with `ishidden`.
    """
    whole = together(verdicts)
    told = _problems(whole)
    rows: list[list[Any]] = [["iscorrect", "Test", "Points", "What was found", "ishidden"]]
    for line in told_lines(whole):
        if line.outcome is Outcome.MANUAL:
            told.append(f"{line.name}: {_BY_HAND} At most {line.max_points:.10g}.")
            continue
        text = "\n".join(filter(None, ("" if line.is_fine else line.said, line.text)))
        points = _points(line.points, line.max_points) if line.has_points else ""
        rows.append([int(line.is_fine), line.name, points, text, int(line.is_hidden)])
    prologue = "".join(f"<p>{escape(one)}</p>" for one in told)
    result = {
        "fraction": whole.score / (whole.max_score or 1),
        "prologuehtml": prologue,
        "testresults": rows,
        "columnformats": ["%s"] * 3,
    }
    return json.dumps(result)


def as_github(verdicts: Sequence[Verdict]) -> str:
    """Return workflow commands, one on each line, which GitHub Actions shows as annotations.

    Source: "Workflow commands for GitHub Actions", docs.github.com/en/actions/reference; the
    escapes are those in src/Runner.Common/ActionCommand.cs of the repository actions/runner.
    """
    lines = []
    for verdict in verdicts:
        for problem in _problems(verdict):
            kind = "warning" if verdict.is_readable else "error"
            title = "No jail" if problem == NOT_CONFINED else "How it was read"
            lines.append(_command(kind, problem, file=verdict.name, title=title))
        for line in told_lines(verdict):
            if not line.is_hidden and not line.is_fine:
                title = f"{line.name}: {line.said}"
                text = line.text or "The message is not shown."
                lines.append(_command("error", text, file=verdict.name, title=title))
    whole = together(verdicts)
    points = _points(whole.score, whole.max_score)
    lines.append(_command("notice", f"{points} points", title="Points"))
    return "\n".join(lines)


def _command(kind: str, text: str, **properties: str) -> str:
    r"""Return a workflow command: one command in one line, whatever is in the text.

    >>> _command("error", "100 %\n::set-output name=a::b", title="a, b: c")
    '::error title=a%2C b%3A c::100 %25%0A::set-output name=a::b'
    """

    def escaped(value: str) -> str:
        return _plain(value).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    pairs = (
        f"{name}={escaped(value).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in properties.items()
    )
    return f"::{kind} {','.join(pairs)}::{escaped(text)}"


def github_files(verdicts: Sequence[Verdict]) -> Mapping[str, str]:
    """Return two texts for GitHub Actions, by the environment variables that hold a file's path.

    Each text is to be appended to the file at this path. The first is the summary of the step, in
    Markdown. The second sets the output `points`, which GitHub Classroom's own graders set, too:
    see `setOutput` in the repository education/autograding.
    """
    parts = []
    for verdict in verdicts:
        name = without_markup(_in_one_line(verdict.name))
        parts += [f"### {name}: {_points(verdict.score, verdict.max_score)} points", ""]
        parts += [f"- {without_markup(problem)}" for problem in _problems(verdict)]
        if shown := [line for line in told_lines(verdict) if not line.is_hidden]:
            parts += ["", "| check | outcome |", "|---|---|"]
            parts += [f"| {without_markup(line.name)} | {line.said} |" for line in shown]
        for line in shown:
            if line.text:  # HTML as far as </pre>, so that nothing in it is read as Markdown
                parts += ["", f"<pre>{escape(line.name)}\n{escape(line.text)}</pre>"]
        parts.append("")
    whole = together(verdicts)
    points = f"points={_points(whole.score, whole.max_score)}\n"
    return {"GITHUB_STEP_SUMMARY": "\n".join(parts) + "\n", "GITHUB_OUTPUT": points}


def as_junit(verdicts: Sequence[Verdict]) -> str:
    """Return a report in JUnit's XML: a suite for each notebook, a case for each check.

    Source: "Unit test reports" of GitLab's documentation (docs.gitlab.com/ci/testing), which lists
    the elements that it reads, and JUnit.xsd of the repository windyroad/JUnit-Schema. The points
    are properties of the suite. If the student's code ran without a jail, a skipped case says so.
    """
    root = Xml.Element("testsuites")
    for verdict in verdicts:
        notebook, problems = _in_one_line(verdict.name), "\n".join(_problems(verdict))
        suite = Xml.SubElement(root, "testsuite", name=notebook)
        properties = Xml.SubElement(suite, "properties")
        for name, value in (("score", verdict.score), ("max_score", verdict.max_score)):
            Xml.SubElement(properties, "property", name=name, value=f"{value:.10g}")
        cases = []  # tuples: a name, the XML element for the outcome or "", a short and a long text
        if not verdict.is_readable:
            cases.append(("the notebook", "error", "it cannot be graded", problems))
        if NOT_CONFINED in verdict.problems:
            cases.append(("the jail", "skipped", NOT_CONFINED, ""))
        for line in told_lines(verdict):
            kind = "failure" if line.outcome in (Outcome.FAILED, Outcome.PASSED) else "error"
            kind = "skipped" if line.outcome is Outcome.MANUAL else "" if line.is_fine else kind
            if not line.is_hidden:
                cases.append((line.name, kind, line.said, line.text))
        for name, kind, said, text in cases:
            case = Xml.SubElement(suite, "testcase", classname=notebook, name=name)
            if kind:
                Xml.SubElement(case, kind, message=said, type=kind).text = text or said
        Xml.SubElement(suite, "system-out").text = problems
        suite.set("tests", str(len(cases)))
        for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(name, str(len(suite.findall(f"testcase/{kind}"))))
        suite.set("time", f"{verdict.seconds:.3f}")
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True)


HOSTS: Mapping[str, Callable[[Sequence[Verdict]], str]] = {
    "gradescope": as_gradescope,
    "prairielearn": as_prairielearn,
    "moodle": as_moodle,
    "github": as_github,
    "junit": as_junit,
}
