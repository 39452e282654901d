"""Results for hosts (platforms): valid, with equal scores, harmless, and without hidden tests."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from jsonschema import validate

from autograder.grade_submission import grade
from autograder.grading_data import NOT_CONFINED, CheckResult, Difference, Outcome, Verdict
from autograder.groups.group_names_file import Named, with_names
from autograder.jail import Conditions
from autograder.notebook.find_submitted_notebook import collect, handin_of
from autograder.notebook.master import Master
from autograder.reports.host_formats import HOSTS, github_files
from autograder.sample import Sampler
from tests.autograder.assignment_builder import Assignment, answer, by_hand, graded, notebook
from tests.autograder.conftest import Autograder
from tests.autograder.reports.people import MARKUP, NEARLY, SCRIPT, START

HOSTILE = f"]]> \x00 \x1b[31m \ufffe \u202e\n::set-output name=points::9/9\n</td>{SCRIPT}{MARKUP}"
HOSTILE += "\n\n##[set-env name=A]b\n</pre>\n\n[x](javascript:alert(1)) {{ x }} %0A::warning::y"
CODES = set(Outcome) - {Outcome.MANUAL}


def check(name: str, outcome: Outcome = Outcome.PASSED, **facts: Any) -> CheckResult:
    points = 2.0 if outcome is Outcome.PASSED else 0.0
    return CheckResult(name, facts.pop("points", points), 2.0, outcome, **facts)


def verdict_of(*checks: CheckResult, **facts: Any) -> Verdict:
    return replace(Verdict("ps1.ipynb", "ps1", checks, file="ps1.ipynb"), **facts)


# A check of each kind: released, with a hidden part, hidden as a whole, in part, by hand.
EACH = verdict_of(
    *(check(f"open-{outcome}", outcome, told=f"told of {outcome}") for outcome in sorted(CODES)),
    check("part", points=0.5),
    check("partly", Outcome.FAILED, message="SECRET(7)", released=Outcome.PASSED),
    check("both", Outcome.FAILED, message="SECRET(8)", told="f(1)", released=Outcome.FAILED),
    check("corner", Outcome.FAILED, message="SECRET(9)", released=Outcome.NOT_RUN),
    check("essay", Outcome.MANUAL),
    problems=("test cell partly was missing; the master copy was used",),
)
CUT_OFF = ("the file is cut off at its end",)
UNREADABLE = verdict_of(problems=CUT_OFF, unreadable=CUT_OFF)

# Schemas by the documentation of each host, which `host_formats.py` names.
TEXT = {"type": "string"}
NUMBER = {"type": "number", "minimum": 0}
SHARE = {**NUMBER, "maximum": 1}
FLAG = {"enum": [0, 1]}


def only(*optional: str, **properties: Any) -> dict[str, Any]:
    """Return the schema of an object that has all these fields but the optional ones, no others."""
    required = [name for name in properties if name not in optional]
    shape = {"type": "object", "required": required, "properties": properties}
    return {**shape, "additionalProperties": False}


def many(item: Any) -> dict[str, Any]:
    return {"type": "array", "items": item}


VISIBLE = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
POINTS = {"score": NUMBER, "max_score": NUMBER, "status": {"enum": ["passed", "failed"]}}
ROWS = {**many({"type": "array", "minItems": 5, "maxItems": 5}), "minItems": 1}
SCHEMAS = {
    "gradescope": only(
        score=NUMBER,
        output=TEXT,
        stdout_visibility={"const": "hidden"},
        tests=many(only(*POINTS, name=TEXT, visibility=VISIBLE, output=TEXT, **POINTS)),
        **{f"{kind}_format": {"const": "text"} for kind in ("output", "test_output", "test_name")},
    ),
    "prairielearn": only(
        "output",
        "format_errors",
        gradable={"type": "boolean"},
        score=SHARE,
        output=TEXT,
        format_errors=many(TEXT),
        tests=many(only(name=TEXT, points=NUMBER, max_points=NUMBER, message=TEXT, output=TEXT)),
    ),
    "moodle": only(
        fraction=SHARE,
        prologuehtml=TEXT,
        testresults={**ROWS, "prefixItems": [{"contains": {"const": "iscorrect"}}]},
        columnformats={"const": ["%s"] * 3},
    ),
}
COMMAND = re.compile(r"::(error|warning|notice) ((?:\w+=[^:,\r\n]*,?)+)::([^\r\n]*)")


def seen_by_students(host: str, verdict: Verdict) -> str:
    """Return all that a host shows to a student before an instructor has released the grades."""
    text = HOSTS[host]([verdict])
    if host == "gradescope":
        result = json.loads(text)
        shown = [test for test in result.pop("tests") if test["visibility"] == "visible"]
        assert any("after" in test["visibility"] for test in json.loads(text)["tests"])
        del result["score"]  # it is shown with the tests that are shown after the grades are
        return json.dumps([result, shown])
    if host == "moodle":
        result = json.loads(text)
        _, *rows = result["testresults"]
        return json.dumps([result["prologuehtml"], [row for row in rows if not row[-1]]])
    return text + "".join(github_files([verdict]).values()) if host == "github" else text


def score_in(host: str, text: str, verdict: Verdict) -> float:
    """Return the points that a host reads in the text of a result."""
    if host == "junit":
        return float(Xml.fromstring(text).find("testsuite/properties/property").get("value"))
    if host == "github":
        assert github_files([verdict])["GITHUB_OUTPUT"].startswith("points=")
        [points] = re.findall(r"^::notice title=Points::([\d.]+)/", text, re.M)
        return float(points)
    share = {"prairielearn": "score", "moodle": "fraction"}
    found = json.loads(text)
    return found[share[host]] * verdict.max_score if host in share else found["score"]


def check_junit(text: str) -> None:
    """Assert that a report has the elements that GitLab's page and Ant's schema ask for."""
    root = Xml.fromstring(text)
    assert root.tag == "testsuites"
    for suite in root:
        assert [one.tag for one in suite if one.tag != "testcase"] == ["properties", "system-out"]
        cases = suite.findall("testcase")
        for case in cases:
            assert set(case.attrib) == {"classname", "name"}
            assert [one.tag for one in case] in ([], ["failure"], ["error"], ["skipped"])
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(name, "")) == len(suite.findall(f"testcase/{tag}"))
        assert int(suite.get("tests", "")) == len(cases) == len({one.get("name") for one in cases})


@pytest.mark.parametrize("verdict", [EACH, UNREADABLE], ids=["each kind", "unreadable"])
@pytest.mark.parametrize("host", HOSTS)
def test_a_result_has_the_form_that_the_host_says(host: str, verdict: Verdict) -> None:
    text = HOSTS[host]([verdict])
    if host in SCHEMAS:
        validate(json.loads(text), SCHEMAS[host])
    elif host == "github":
        assert all(COMMAND.fullmatch(line) for line in text.split("\n"))
    else:
        check_junit(text)


def test_prairielearn_adds_up_the_points_of_all_lines() -> None:
    result = json.loads(HOSTS["prairielearn"]([EACH]))
    assert sum(one["points"] for one in result["tests"]) == EACH.score
    assert sum(one["max_points"] for one in result["tests"]) == EACH.max_score
    unread = json.loads(HOSTS["prairielearn"]([UNREADABLE]))
    assert (unread["gradable"], unread["format_errors"]) == (False, [*CUT_OFF])


def test_moodle_has_a_row_for_each_line_and_says_what_a_person_grades() -> None:
    result = json.loads(HOSTS["moodle"]([EACH]))
    head, *rows = result["testresults"]
    assert (head[0], head[-1]) == ("iscorrect", "ishidden")
    assert [row[1] for row in rows if row[-1]] == ["partly", "both", "corner"]
    assert [row[0] for row in rows if row[1] == "partly"] == [1, 0]
    assert "essay: A person gives these points. At most 2." in result["prologuehtml"]


def test_each_kind_of_outcome_is_junits_own() -> None:
    found = {
        case.get("name"): [one.tag for one in case]
        for case in Xml.fromstring(HOSTS["junit"]([EACH])).iter("testcase")
    }
    failed = {"open-failed", "part", "both"}
    assert {name for name, tags in found.items() if tags == ["failure"]} == failed
    assert {name for name, tags in found.items() if tags == ["skipped"]} == {"essay"}
    assert {name for name, tags in found.items() if not tags} == {"open-passed", "partly"}


@pytest.mark.parametrize("host", HOSTS)
def test_no_student_can_tell_from_a_line_what_only_hidden_lines_found(host: str) -> None:
    lost = seen_by_students(host, EACH)
    assert "SECRET" not in HOSTS[host]([EACH]) + "".join(github_files([EACH]).values())
    assert "corner" not in lost
    held = tuple(
        replace(one, outcome=Outcome.PASSED, message="") if one.id in ("partly", "corner") else one
        for one in EACH.checks
    )
    # the points stay, so that only the lines could tell the two apart
    assert seen_by_students(host, replace(EACH, checks=held)) == lost


@pytest.mark.parametrize("host", HOSTS)
def test_the_name_of_a_group_is_not_told_with_the_released_lines(host: str) -> None:
    where = Difference("both-1a2b3c", "f", "f(8)", "7", "8")
    told = {"told": "f(1)", "difference": where, "released": Outcome.FAILED}
    named = {"both-1a2b3c": Named("Only eights", "Try 8.")}
    one = with_names(verdict_of(check("both", Outcome.FAILED, message="m", **told)), named)
    assert one.checks[0].mistake == "Only eights"
    assert "eights" not in seen_by_students(host, one)


class Tags(HTMLParser):
    """A reader that notes which tags a browser would find."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.add(tag)


@pytest.mark.parametrize("host", HOSTS)
def test_hostile_text_is_harmless(host: str) -> None:
    lost = check(HOSTILE, Outcome.FAILED, told=HOSTILE, mistake=HOSTILE, hint=HOSTILE)
    hidden = replace(lost, released=Outcome.FAILED)
    verdict = verdict_of(lost, hidden, name=HOSTILE, problems=(HOSTILE,), titles={HOSTILE: HOSTILE})
    text = HOSTS[host]([verdict])
    files = github_files([verdict])
    for one in (text, *files.values()):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e\ufffe\ud800-\udfff]", one)
    if host == "junit":
        check_junit(text)
    elif host == "github":
        assert all(COMMAND.fullmatch(line) for line in text.split("\n"))
        assert files["GITHUB_OUTPUT"] == "points=0/4\n"
        summary = files["GITHUB_STEP_SUMMARY"]
        outside = re.sub(r"(?ms)^<pre>.*?</pre>$", "", summary)
        assert re.search(r"(?<!\\)[<\[]", outside) is None
        assert Tags(summary.replace("\\<", "")).found == {"pre"}
    else:
        validate(json.loads(text), SCHEMAS[host])
        formats = set(re.findall(r'"\w*format\w*": ("\w+"|\[.*?\])', text))
        assert formats in ({'"text"'}, {'["%s", "%s", "%s"]'}, set())
        # Moodle's prologue is HTML; CodeRunner, Gradescope and PrairieLearn escape all the rest
        assert Tags(json.loads(text).get("prologuehtml", "")).found <= {"p"}


@pytest.mark.parametrize("host", HOSTS)
def test_each_host_is_told_that_there_was_no_jail(host: str) -> None:
    text = HOSTS[host]([replace(EACH, problems=(NOT_CONFINED,))])
    assert text.count("without a jail") >= 1
    assert host != "github" or "::warning file=ps1.ipynb,title=No jail::" in text
    assert host != "junit" or Xml.fromstring(text).find("testsuite").get("skipped") == "2"


@pytest.mark.parametrize("of_a_kind", [2, pytest.param(6, marks=pytest.mark.deep)])
def test_all_hosts_give_the_points_of_the_judge(
    of_a_kind: int, sampler: Sampler, master: Master, tmp_path: Path
) -> None:
    kinds, points = sampler.students(), set()
    for kind in ("right", "wrong", "slip", "damaged"):
        for student in kinds[kind][:of_a_kind]:
            student.hand_in(tmp_path / student.name)
            verdict = grade(collect(tmp_path / student.name, master), master, Conditions())
            points.add(verdict.score)
            for host, text_of in HOSTS.items():
                found = score_in(host, text_of([verdict]), verdict)
                assert found == pytest.approx(verdict.score), (student.name, host)
    assert len(points) > 3


def test_what_only_a_hidden_line_catches_is_in_the_total_alone(
    sampler: Sampler, master: Master
) -> None:
    nearly = sampler.solutions["merge"].replace(START, START + NEARLY)
    right, wrong = (
        grade(handin_of("x.ipynb", json.dumps(notebook).encode()), master, Conditions())
        for notebook in (sampler.notebook(), sampler.notebook(merge=nearly))
    )
    assert wrong.score < right.score
    for host in HOSTS:
        told = [seen_by_students(host, replace(one, seconds=0.0)) for one in (right, wrong)]
        number = re.compile(r"[\d.]+")
        assert number.sub("", told[0]) == number.sub("", told[1]), host


# --- the command

HIDDEN_TEST = "### BEGIN HIDDEN TESTS\nassert half(9) == 4.5\n### END HIDDEN TESTS"
PS1 = Assignment(
    "ps1",
    {
        "one": notebook(
            answer("half", "return x / 2", "def half(x):"),
            graded("half-open", "assert half(4) == 2"),
            graded("half-corner", HIDDEN_TEST, 2),
        ),
        "two": notebook(
            answer("twice", "return 2 * x", "def twice(x):"),
            graded("twice-test", "assert twice(4) == 8"),
            by_hand("essay", "Because.", 3),
        ),
    },
    answers={"ada": {"half": "def half(x):\n    return 2"}, "ben": {}},
)


@pytest.fixture
def ps1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Go into the course of ps1; return a function from a student to the submitted folder."""
    PS1.put(tmp_path)
    monkeypatch.chdir(tmp_path)
    return lambda name: tmp_path / "submitted" / name / "ps1"


def test_a_folder_is_graded_as_all_notebooks_of_the_assignment(
    ps1: Callable[[str], Path], autograder: Autograder
) -> None:
    (ps1("ada") / "two.ipynb").unlink()
    done = autograder("check", ps1("ada"), "--lesson", "ps1", "--as", "gradescope")
    result = json.loads(done.stdout)
    assert done.exit_code == 0  # points were lost, a notebook is missing: the host tells of it
    assert result["score"] == 1
    names = [one["name"] for one in result["tests"] if one["visibility"] == "visible"]
    assert names == ["one/half-open", "two/twice-test", "two/essay"]
    assert "one/half-corner, all its tests" in done.stdout
    assert "two.ipynb" in result["output"]
    listed = autograder("check", ps1("ada"), "--lesson", "ps1", "--json")
    assert [json.loads(line)["score"] for line in listed.stdout.splitlines()] == [1.0, 0.0]
    assert listed.exit_code == 1


def test_github_gets_its_two_files(
    ps1: Callable[[str], Path], autograder: Autograder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
        Path(name).write_text("before\n")
        monkeypatch.setenv(name, name)
    done = autograder("check", ps1("ada") / "one.ipynb", "--as", "github")
    assert done.stdout == "::notice title=Points::1/3 points\n"
    assert Path("GITHUB_OUTPUT").read_text() == "before\npoints=1/3\n"
    assert "| half\\-open" not in Path("GITHUB_STEP_SUMMARY").read_text()
    assert "| half-open | passed |" in Path("GITHUB_STEP_SUMMARY").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--as", "github", "--json"], "--as and --json both say what is printed"),
        (["--as", "canvas"], "is not one of"),
        (["again.ipynb", "--as", "moodle"], "are both one.ipynb of ps1"),
    ],
    ids=["two formats", "no such host", "twice the same notebook"],
)
def test_a_wrong_call_with_a_host_says_why(
    arguments: list[str], said: str, ps1: Callable[[str], Path], autograder: Autograder
) -> None:
    first = ps1("ben") / "one.ipynb"
    Path("again.ipynb").write_bytes(first.read_bytes())
    done = autograder("check", first, *arguments)
    assert done.exit_code == 2
    assert said in " ".join(re.sub("[│╭╰─╮╯]", " ", done.output).split())
    assert done.stdout == ""
