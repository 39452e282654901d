"""What takes too long is interrupted as in a notebook: it stops, and its process goes on."""

from typing import Any

import pytest

from autograder.jail import Jail, Session, TimedOut
from autograder.wire import pack

Message = dict[str, Any]
NAMES = {"do": "names", "names": [], "given": []}
GAVE = {"error": None, "after": [[], {"dict": []}], "value": None}
LOOP = "while True: pass"


@pytest.fixture
def session(jail: Jail) -> Session:
    return jail.session()


def run(session: Session, source: str) -> None:
    session.ask({"do": "run", "source": source, "name": "cell"}, 20)


def handle(session: Session, name: str) -> int:
    answer = session.ask({**NAMES, "names": [name]}, 20)
    number: int = answer["found"][name]["handle"][0]
    return number


def stops(session: Session, question: Message) -> bool:
    """Whether the process goes on after what was asked was interrupted."""
    with pytest.raises(TimedOut) as raised:
        session.ask(question, 0.05, lambda _: GAVE, goes_on=True)
    return raised.value.is_stopped


def test_no_question_pays_for_the_start_of_a_process(session: Session):
    session._interrupt()
    assert session.ask(NAMES, 20) == {"found": {}}


@pytest.mark.parametrize(
    "source",
    [
        f"class D:\n    def __del__(self):\n        {LOOP}\ndef f(*_):\n    D()\n    {LOOP}",
        "import time\ndef f(g):\n    try: time.sleep(60)\n    except KeyboardInterrupt: g()",
        "def f(g):\n    while True:\n        g()",
    ],
    ids=["where Python drops what is raised", "into a call back", "beside many calls back"],
)
def test_a_call_stops(session: Session, source: str):
    run(session, source)
    given = [[{"handle": {"ours": [1, "g", ""]}}], {"dict": []}]
    assert stops(session, {"do": "call", "on": handle(session, "f"), "with": given})
    assert session.spent < 10  # it is stopped in time, however soon the next call back comes


def test_many_calls_stop_together(session: Session):
    run(session, f"def f():\n    {LOOP}")
    many = {
        "do": "many",
        "on": handle(session, "f"),
        "steps": [],
        "calls": [[]] * 9,
        "chance at": None,
    }
    assert stops(session, {**many, "only values": True, "are plain": True})


def test_what_a_program_makes_of_signals_holds_for_one_question(session: Session):
    run(session, "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)")
    assert stops(session, {"do": "run", "source": LOOP, "name": "cell"})


def test_an_answer_that_came_in_time_may_be_looked_at_later(session: Session):
    session._send(pack(NAMES))
    assert session._channel.comes(600)
    assert session._body(session.spent - 1, goes_on=True) == b'{"found":{}}'


def test_who_gets_no_processor_for_long_answers_in_time(
    session: Session, monkeypatch: pytest.MonkeyPatch
):
    waited: list[float] = []

    def look(seconds: float) -> None:
        """All that a process can see which waits for a processor: that nothing is spent."""
        waited.append(seconds)
        if sum(waited) > 1:
            session.resume()

    monkeypatch.setattr(session._meter, "look", look)
    session.pause()
    assert session.ask(NAMES, 0.2) == {"found": {}}
    assert session.spent < 0.2 < sum(waited)
