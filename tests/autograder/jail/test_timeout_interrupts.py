"""Code that takes too long: it is interrupted as in a notebook, and its process lives on."""

from signal import SIGCONT, SIGINT, SIGSTOP
from typing import Any

import pytest

from autograder.jail import Session, TimedOut, WarmJail
from autograder.wire import pack
from tests.autograder.grading_helpers import outputs

Message = dict[str, Any]
NAMES = {"do": "names", "names": [], "given": []}
LOOP = "while True: pass"


@pytest.fixture
def session(jail: WarmJail) -> Session:
    return jail.session()


def handle(session: Session, name: str) -> int:
    answer = session.ask({**NAMES, "names": [name]}, 20)
    number: int = answer["found"][name]["handle"][0]
    return number


def stops(session: Session, question: Message) -> bool:
    """Send a request that takes too long; return true if it stops and its process lives on."""
    with pytest.raises(TimedOut) as raised:
        session.ask(question, 0.05, goes_on=True)
    return raised.value.is_stopped


def test_no_question_pays_for_the_start_of_a_process(session: Session):
    session.signal(SIGINT)
    assert session.ask(NAMES, 20) == {"found": {}}


def test_a_call_stops_where_python_drops_what_is_raised(session: Session):
    outputs(
        session, f"class D:\n    def __del__(self):\n        {LOOP}\ndef f():\n    D()\n    {LOOP}"
    )
    given = [[], {"dict": []}]
    assert stops(session, {"do": "call", "on": handle(session, "f"), "with": given})


def test_many_calls_stop_together(session: Session):
    outputs(session, f"def f():\n    {LOOP}")
    many = {"do": "many", "on": handle(session, "f"), "steps": [], "calls": [[]] * 9}
    assert stops(session, {**many, "chance at": None, "back": "values"})


def test_what_a_program_makes_of_signals_holds_for_one_question(session: Session):
    outputs(session, "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)")
    assert stops(session, {"do": "run", "source": LOOP, "name": "cell"})


def test_an_answer_that_came_in_time_may_be_looked_at_later(session: Session):
    session._channel.send(pack(NAMES))
    assert session._channel.comes(600)
    assert session._next(session.spent - 1) == b'{"found":{}}'


@pytest.mark.deep
def test_who_gets_no_processor_for_long_answers_in_time(
    session: Session, monkeypatch: pytest.MonkeyPatch
):
    waited: list[float] = []

    def look(seconds: float) -> None:
        """Stand in for the meter of a process that gets no processor: time passes, none is used."""
        waited.append(seconds)
        if sum(waited) > 1:
            session.signal(SIGCONT)

    monkeypatch.setattr(session._meter, "look", look)
    session.signal(SIGSTOP)
    assert session.ask(NAMES, 0.2) == {"found": {}}
    assert session.spent < 0.2 < sum(waited)
