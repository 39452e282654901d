"""`autograder serve`: a real server, to which students hand in by HTTP, exchange and folder."""

import json
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import httpx
import pytest
from nbformat.v4 import new_code_cell, new_output

from autograder.gradebook.course_folder import CourseFolder
from autograder.notebook.submitted_files import NBGRADERS_FILES
from autograder.sample import Sampler
from autograder.serve.records import Records, digest_of_files
from tests.autograder.conftest import Autograder, autograder, sampler
from tests.autograder.grading_helpers import LESSON
from tests.autograder.serve.conftest import (
    TWICE,
    RunningServer,
    environment,
    handed_in,
    new_course,
    new_tokens,
    serving,
    start,
)
from tests.kernels import new_kernel
from tests.waiting import SECONDS, until

__all__ = ["autograder", "sampler"]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("serve")]

KILLS = 25
RIGHT, WRONG_WHERE_HIDDEN = "return n + n", "return 4 if n == 2 else 0"
OWN = {"id", "handed_in_at", "attempts_left"}


def test_the_mistake_is_named_at_once_and_the_gradebook_has_the_points(
    server: RunningServer, sampler: Sampler, tmp_path: Path
) -> None:
    wrong = next(one for one in sampler.students()["wrong"] if one.name == "cascade")
    wrong.hand_in(tmp_path / LESSON)
    [path] = tmp_path.glob("**/*.ipynb")
    answer = server.hand_in("ann", LESSON, path.read_bytes(), name=path.name).json()
    lost = [one for one in answer["checks"] if one["outcome"] == "failed"]
    assert {"merge-once", "no-chain"} <= {one["id"] for one in lost}
    assert all(one["misconception"] == "cascade" for one in lost), lost
    assert "score" not in answer
    assert answer["attempts_left"] == 99
    until(lambda: server.score("ann", LESSON), "the gradebook has points")


def test_what_hidden_lines_ask_makes_no_difference_to_an_answer(server: RunningServer) -> None:
    answers = []
    for student, body in (("bob", RIGHT), ("cleo", WRONG_WHERE_HIDDEN)):
        response = server.hand_in(student, TWICE, handed_in(body))
        answer = response.json()
        answers.append({name: said for name, said in answer.items() if name not in OWN})
    assert answers[0] == answers[1]
    assert [one["outcome"] for one in answers[0]["checks"]] == ["passed"]
    server.until_scored("bob", TWICE, 4)
    server.until_scored("cleo", TWICE, 0)


def test_a_page_is_the_answer_for_a_browser(server: RunningServer) -> None:
    shown = server.hand_in("dora", TWICE, handed_in("pass"), headers={"Accept": "text/html"})
    assert shown.headers["Content-Type"].startswith("text/html")
    assert "What does not hold yet" in shown.text
    assert "twice(7)" not in shown.text
    assert "0 of 1 hold" in server.hand_ins("dora", "text/html").text
    assert "Your token" in httpx.get(server.address).text


def test_a_token_sees_its_own_student_only(server: RunningServer) -> None:
    server.hand_in("eve", TWICE, handed_in(RIGHT))
    assert [one["assignment"] for one in server.hand_ins("eve").json()] == [TWICE]
    old = server.tokens["eve"]
    server.tokens |= new_tokens(server.course, "eve")
    for forged in ("-", "x" * 32, old, server.tokens["eve"][:-1], "eve", "' or 1=1 --"):
        header = {"Authorization": f"Bearer {forged}"}
        refused = httpx.get(f"{server.address}/hand-ins", headers=header)
        assert refused.status_code == 401, forged


def test_an_assignment_that_is_added_while_the_server_runs_is_taken(server: RunningServer) -> None:
    content = handed_in(RIGHT).replace(TWICE.encode(), b"double")
    assert server.hand_in("ann", TWICE, content).json()["unreadable"] == ""
    (server.course / "source" / "double").mkdir()
    (server.course / "source" / "double" / "double.ipynb").write_bytes(content)
    assert server.hand_in("ann", "double", content).json()["checks"][0]["id"] == "test-double"
    assert "<option>double<" in httpx.get(server.address).text
    misfiled = server.hand_in("ann", TWICE, content + b"\n").json()
    assert "this is the notebook of double" in misfiled["unreadable"]


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        ({"assignment": "../twice", "name": "a.ipynb"}, 404, "There is no assignment"),
        ({"name": "../../gradebook.db"}, 400, "cannot have the name"),
        ({"name": "timestamp.txt"}, 400, "cannot have the name"),
        ({"name": "\N{GRINNING FACE}" * 60 + ".ipynb"}, 400, "cannot have the name"),
        ({"name": ".hidden.ipynb"}, 400, "cannot have the name"),
        ({"content": b"x" * 10 * 2**20}, 413, "larger than 8 MiB"),
    ],
)
def test_what_cannot_be_taken_in_is_said(
    server: RunningServer, more: dict[str, object], status: int, said: str
) -> None:
    facts = {"assignment": TWICE, "content": handed_in(RIGHT), **more}
    response = server.hand_in("hal", **facts)  # type: ignore[arg-type]
    assert (response.status_code, said in response.json()["error"]) == (status, True)
    assert not list(server.course.glob("submitted/hal/*"))


def test_no_notebook_stops_the_server(server: RunningServer) -> None:
    for content in (b"", b"not JSON", b"{}", b'{"cells": 7}', b"\xff\xfe", b"[" * 100_000):
        answer = server.hand_in("fay", TWICE, content).json()
        assert answer["unreadable"], content[:10]
    assert server.hand_in("fay", TWICE, handed_in(RIGHT)).json()["unreadable"] == ""
    server.until_scored("fay", TWICE, 4)


@pytest.mark.deep
def test_nobody_who_sends_slowly_holds_up_a_student(server: RunningServer) -> None:
    head = b"POST /hand-in HTTP/1.1\r\nHost: a\r\nContent-Length: 999\r\n"
    head += b"Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n"
    with ExitStack() as slow:
        for _ in range(40):
            slow.enter_context(server.connect(head))
        begin = time.monotonic()
        assert server.hand_in("dora", TWICE, handed_in(RIGHT)).json()["checks"]
        assert time.monotonic() - begin < 29  # after 30 seconds, the server gives the slow ones up


@pytest.mark.deep
def test_the_last_of_several_quick_hand_ins_counts(server: RunningServer) -> None:
    for number in range(12):
        server.hand_in("fay", LESSON, b"%d" % number, name="merge-a-line.ipynb")
    server.hand_in("fay", TWICE, handed_in("return 3"))
    server.hand_in("fay", TWICE, handed_in("return n * 2"))
    server.until_scored("fay", TWICE, 4)
    until(lambda: not Records(server.course).unrecorded(), "all is recorded")
    assert {one.door for one in Records(server.course).of("fay")} == {"http"}


def test_the_same_files_again_are_no_second_attempt(server: RunningServer) -> None:
    first = server.hand_in("bob", TWICE, handed_in("return 5")).json()
    again = server.hand_in("bob", TWICE, handed_in("return 5")).json()
    assert first == again


def test_what_is_put_into_submitted_is_graded_and_has_a_page(server: RunningServer) -> None:
    folder = server.course / "submitted" / "gil" / TWICE
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{TWICE}.ipynb").write_bytes(handed_in(RIGHT))
    page = server.course / "feedback" / "gil" / TWICE / f"{TWICE}.html"
    until(page.exists, "the page is written")
    assert "What holds" in page.read_text("utf-8")
    server.until_scored("gil", TWICE, 4)


def test_submit_and_fetch_feedback_go_through_the_exchange(
    server: RunningServer, tmp_path: Path
) -> None:
    def nbgrader(where: Path, *words: str) -> None:
        said = subprocess.run(
            [sys.executable, "-m", "nbgrader", *words],
            cwd=where,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert said.returncode == 0, said.stderr

    nbgrader(server.course, "generate_assignment", TWICE)
    nbgrader(server.course, "release_assignment", TWICE)
    exchange = server.course / "exchange"
    (tmp_path / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.Exchange.root = {str(exchange)!r}\n"
        "c.CourseDirectory.course_id = '2048'\n"
    )
    # files that others have left there harm nobody
    inbound = exchange / "2048" / "inbound"
    (inbound / f"+{TWICE}+2026-01-01 00:00:00 UTC").touch()
    (inbound / f"gil+{TWICE}+2026-01-01 00:00:00 UTC").mkdir()
    for name in (f"daemon+{TWICE}+2026-01-01 00:00:00 UTC", f"gil+{TWICE}+2999-01-01 00:00:00 UTC"):
        (inbound / name).mkdir()
        (inbound / name / f"{TWICE}.ipynb").write_bytes(handed_in("return 1"))
        for last in NBGRADERS_FILES:
            (inbound / name / last).write_text("2026-01-01 00:00:00 UTC")
    theirs = server.course / "submitted" / "gil" / TWICE / f"{TWICE}.ipynb"
    theirs.parent.mkdir(parents=True, exist_ok=True)
    theirs.write_bytes(handed_in(RIGHT))
    nbgrader(tmp_path, "fetch_assignment", TWICE)
    (tmp_path / TWICE / f"{TWICE}.ipynb").write_bytes(handed_in("return n"))
    nbgrader(tmp_path, "submit", TWICE)
    until(lambda: list(exchange.glob("2048/feedback/*.html")), "feedback is released")
    nbgrader(tmp_path, "fetch_feedback", TWICE)
    [page] = (tmp_path / TWICE / "feedback").glob(f"*/{TWICE}.html")
    said = page.read_text("utf-8")
    assert "twice(2) == 4" in said
    assert theirs.read_bytes() == handed_in(RIGHT)
    assert not (server.course / "submitted" / "daemon").exists()  # a user of this machine
    assert "twice(7)" not in said
    assert "points" not in said.partition("<body>")[2].partition("</header>")[0].replace(
        "Your points come later", ""
    )


def test_a_second_server_says_that_there_is_one(server: RunningServer) -> None:
    second, said = start(server.course)
    assert "Another autograder serve" in said
    assert second.wait() == 2


def test_without_a_hub_there_is_no_login_of_a_hub(server: RunningServer) -> None:
    alone, said = start(server.course, "--hub")
    assert said == "JUPYTERHUB_SERVICE_PREFIX is not set: --hub is for a service of JupyterHub\n"
    assert alone.wait(SECONDS) == 2


@pytest.mark.parametrize("option", ["--port", "--metrics"])
def test_a_port_that_is_taken_is_named(tmp_path: Path, option: str) -> None:
    course = new_course(tmp_path / "course")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        process, _ = start(course, option, port)
        assert process.wait(SECONDS) == 2
    assert f"port {port} of 127.0.0.1 cannot be used" in (course / "log").read_text("utf-8")


def test_points_attempts_and_the_end_are_as_the_instructor_says(
    tmp_path: Path, autograder: Autograder, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = new_course(
        tmp_path / "course",
        'c.Serve.tells = "points"',
        'c.Serve.counts = "best"',
        "c.Serve.attempts = 2",
        f'c.Serve.until = {{"{LESSON}": "2020-01-01 12:00 UTC"}}',
    )
    with serving(course, ("ann", "bob")) as server:
        answer = server.hand_in("ann", TWICE, handed_in(WRONG_WHERE_HIDDEN)).json()
        assert (answer["score"], answer["max_score"], answer["attempts_left"]) == (0, 4, 1)
        assert server.hand_in("ann", TWICE, handed_in(RIGHT)).json()["score"] == 4
        refused = server.hand_in("ann", TWICE, handed_in("return 1"))
        assert (refused.status_code, "2 times" in refused.text) == (429, True)
        late = server.hand_in("ann", LESSON, handed_in(RIGHT))
        assert (late.status_code, "was over at 2020-01-01 12:00" in late.text) == (403, True)
        assert server.hand_in("bob", TWICE, handed_in(RIGHT)).json()["score"] == 4
        assert server.hand_in("bob", TWICE, handed_in("return 0")).json()["score"] == 0
        server.until_scored("bob", TWICE, 4)
        assert Records(course).told_bits(TWICE) == {"ann": (2, 2), "bob": (2, 2)}
        monkeypatch.chdir(course)
        assert autograder("report", TWICE).exit_code == 0
        report = (course / "reports" / f"{TWICE}.html").read_text("utf-8")
        assert "Results of hidden tests told" in report


@pytest.mark.deep
def test_what_was_acknowledged_is_recorded_though_the_server_is_killed(tmp_path: Path) -> None:
    course, random = new_course(tmp_path / "course"), Random(1)
    students = tuple(f"s{number}" for number in range(6))
    acknowledged: dict[str, int] = {}
    last = 0

    def send(server: RunningServer, student: str, number: int) -> None:
        try:
            if server.hand_in(student, TWICE, handed_in(f"return n + n  # {number}")).is_success:
                acknowledged[student] = number
        except httpx.HTTPError:
            return

    for _ in range(KILLS):
        with serving(course, students) as server:
            threads = []
            for student in students:
                last += 1
                threads.append(Thread(target=send, args=(server, student, last)))
                threads[-1].start()
            seen = random.randrange(len(students))
            until(lambda: len(Records(course).unrecorded()) >= seen, "some are taken in")  # noqa: B023
            server.process.kill()
            for thread in threads:
                thread.join()
    with serving(course, students) as server:
        until(lambda: not Records(course).unrecorded(), "all is recorded")
        for student, number in acknowledged.items():
            server.until_scored(student, TWICE, 4)
            notebook = course / "submitted" / student / TWICE / f"{TWICE}.ipynb"
            text = "".join(json.loads(notebook.read_bytes())["cells"][0]["source"])
            assert int(text.partition("# ")[2]) >= number


def test_a_cell_hands_in_its_notebook_and_never_shows_the_token(
    server: RunningServer, tmp_path: Path
) -> None:
    path = tmp_path / "merge-a-line.ipynb"
    path.write_text("not saved yet")
    more = {"JPY_SESSION_NAME": str(path), "HAND_IN_ADDRESS": server.address}
    manager, client = new_kernel(env=environment() | more)
    typed = iter(["not-mine", server.tokens["cleo"]])
    shown: list[str] = []
    saved: list[list[Any]] = []  # the cells, as they are to be handed in

    def look(message: Any) -> None:
        content = message["content"]
        data = content.get("data", {})
        shown.extend(data.values() or content.get("traceback", ()))
        if "application/javascript" in data:  # what the page does
            notebook = json.loads(handed_in(f"return {min(len(saved), 1)}"))
            cell = new_code_cell("hand_in()", id="hand-in", execution_count=len(saved))
            saved.append([*notebook["cells"], {**cell, "execution_count": None, "outputs": []}])
            cell.outputs.append(new_output("display_data", data=data))
            notebook["cells"].append(cell)
            path.write_text(json.dumps(notebook))

    def hand_in(more: str = "") -> str:
        shown.clear()
        client.execute_interactive(
            f"{more}\nfrom course import hand_in\nhand_in()",
            timeout=SECONDS,
            output_hook=look,
            stdin_hook=lambda _: client.input(next(typed)),
        )
        return " ".join(shown)

    try:
        assert "Nothing was handed in. This token is not valid." in hand_in()
        answer = hand_in()
        assert "Handed in: merge-a-line.ipynb, as it was saved just now." in answer
        while "Run this cell again in a minute to read the answer" in answer:  # a busy machine
            answer = hand_in()
        assert "<iframe sandbox" in answer
        assert "<iframe sandbox" in hand_in()  # an unchanged notebook is not handed in twice
        assert server.tokens["cleo"] not in answer
        closed = "import os; os.environ['HAND_IN_ADDRESS'] = 'http://127.0.0.1:1'"
        assert "Your work is in your notebook" in hand_in(closed)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    [one] = Records(server.course).of("cleo", LESSON)
    assert json.loads(Records(server.course).files(one.id)[path.name])["cells"] == saved[1]


def test_a_digest_tells_files_apart_by_name_and_content() -> None:
    digests = [digest_of_files(files) for files in ({}, {"a": b""}, {"b": b""}, {"a": b"b"})]
    assert len(set(digests)) == 4


@pytest.fixture
def records(tmp_path: Path) -> Records:
    return Records(tmp_path)


def test_all_tokens_can_be_revoked_and_who_had_none_is_named(
    course: CourseFolder, autograder: Autograder
) -> None:
    records = Records(course.root)
    records.new_tokens(["ann", "bob"])
    said = autograder("tokens", "--revoke", "--all").stderr
    assert (records.has_tokens(), "not valid any more: 2." in said) == (set(), True)
    assert "There is nobody." in autograder("tokens", "--revoke", "--all").stderr
    records.new_tokens(["ann", "bob"])
    said = autograder("tokens", "--revoke", "ann", "cloe").stderr
    assert (records.has_tokens(), "no token of cloe." in said) == ({"bob"}, True)


def test_files_come_back_from_the_records_as_they_were(records: Records) -> None:
    files = {"a.ipynb": b"{}\n\n", "ä\n.csv": bytes(range(256)), "empty": b""}
    one = records.add("http", "ann", TWICE, digest_of_files(files), files)
    assert records.files(one.id) == files
    assert Records(records.path.parent).unrecorded() == [one]
