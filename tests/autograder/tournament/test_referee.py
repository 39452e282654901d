"""The referee, who plays one game between two agents, each in a real jail."""

from collections.abc import Iterator
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from types import SimpleNamespace

import pytest

from autograder.course_adapter import ARENA, playing
from autograder.jail import Meter, Session, WarmJail
from autograder.tournament.entry import Entry, read_entry
from autograder.tournament.referee import LIMITS, play_game
from tests.autograder.grading_helpers import THINKS
from tests.autograder.tournament.test_entry import notebook

FIRST = """
class Agent:
    def place(self, view):
        return view["legal"][0]

    push = place
"""
RAISES_ITS_VIEW = """
class Agent:
    def place(self, view):
        if view["round"] == 1:
            raise RuntimeError(", ".join(sorted(view)) + f"; {view['last']}; {view['numbers']}")
        return view["legal"][-1]

    push = place
"""
NOTES_MODES = """
class Player:
    def __init__(self, isFirst, array):
        self.modes = []

    def output(self, currentRound, board, mode):
        self.modes.append(mode)
        if currentRound == 1:
            raise RuntimeError(" ".join(self.modes))
        if mode == "position":
            return board.getNone(True)[0]
        return None if mode == "_direction" else 0
"""
COUNTS_TIME = f"""{THINKS}
think(0.2)
class Agent:
    def __init__(self):
        think(0.2)
    def place(self, view):
        raise RuntimeError(f"{{view['time_left'] < 4.7}} {{view['opponent_time_left'] > 4.7}}")
"""


@pytest.fixture(scope="module")
def jails() -> Iterator[tuple[WarmJail, WarmJail]]:
    with WarmJail(ARENA, LIMITS) as one, WarmJail(ARENA, LIMITS) as other:
        yield one, other


def entry(source: str) -> Entry:
    return Entry("one", (("one.py", source),))


def played(
    jails: tuple[WarmJail, WarmJail], first: str, second: str = FIRST, seconds: float = 5.0
) -> tuple[playing.Record, tuple[float, float]]:
    numbers = playing.public_numbers(1, 3)
    one, other = (entry(first), jails[0]), (entry(second), jails[1])
    return play_game(one, other, numbers, "seed", seconds)


PLACES = 'view["legal"][0]'
WRONG = {
    "another process": ("import os\nos.fork()", "error", "BlockingIOError"),
    "a thread": (
        "import threading\nthreading.Thread(target=print).start()",
        "error",
        "can't start new thread (one.py, line 2)",
    ),
    "no method": ("class Agent: pass", "error", "'place'"),
    "no class": ("x = 1", "error", "NameError: there is no class Agent"),
    "leaves": ("raise SystemExit", "error", "SystemExit"),
    "too much": (FIRST.replace("[0]", "[0], view"), "illegal answer", ""),
    "it": (FIRST.replace(PLACES, "self"), "illegal answer", "Agent"),
    "none": (FIRST.replace(PLACES, "None"), "illegal answer", "None"),
    "a tuple of it": (
        FIRST.replace(PLACES, "(0, self)"),
        "illegal answer",
        "place: a tuple of int, Agent",
    ),
    "memory": ("a = ' ' * 2**31", "error", "MemoryError"),
    "prints a lot": ("print('x' * 10**6)" + FIRST, "tiles", ""),
}


@pytest.mark.parametrize(("source", "reason", "detail"), WRONG.values(), ids=WRONG)
def test_what_an_agent_does_wrong_loses_at_once_and_says_why(
    jails: tuple[WarmJail, WarmJail], source: str, reason: str, detail: str
) -> None:
    record, _ = played(jails, source)
    assert record.reason == reason
    assert detail in record.detail
    if reason != "tiles":
        assert (record.winner, record.answers) == (-1, "")
        assert played(jails, FIRST, source)[0].winner == 1


CELLS = {
    "tried in its own cell": ([FIRST + "\nplay_duel(Agent)"], "tiles", ""),
    "another cell stops": (["1 / 0", FIRST], "tiles", ""),
    "measured": (["%%time\n" + FIRST], "tiles", ""),
    "needed": (
        ["WAYS = [][0]", "class Agent:\n    way = WAYS"],
        "error",
        'IndexError: list index out of range (the cell "WAYS = [][0]", line 1)',
    ),
    "named by what it defines": (
        ["x = 1", FIRST.replace("return", "return gone,")],
        "error",
        "(the cell of Agent, line ",
    ),
    "no Python": (["class Agent:\n  def place(:"], "error", "SyntaxError"),
}


@pytest.mark.parametrize(("cells", "reason", "detail"), CELLS.values(), ids=CELLS)
def test_of_a_notebook_there_is_what_its_cells_have_defined(
    jails: tuple[WarmJail, WarmJail], tmp_path: Path, cells: list[str], reason: str, detail: str
) -> None:
    path = notebook(tmp_path / "a.ipynb", *cells)
    sides = (read_entry(path, "a"), jails[0]), (entry(FIRST), jails[1])
    record, _ = play_game(*sides, playing.public_numbers(1, 3), "seed", 5.0)
    assert record.reason == reason
    assert detail in record.detail


FORGES = """
import gc, socket
from autograder.wire import pack
class Agent:
    def place(self, view):
        deep = 0
        for _ in range(900):
            deep = [deep]
        for thing in gc.get_objects():
            if isinstance(thing, socket.socket) and thing.fileno() >= 0:
                thing.sendall(pack(FRAME))
        return view["legal"][0]
"""


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        ('{"error": {"name": 1}}', "error"),
        ('{"error": [[], "E", "m", {"line": 1}]}', "error"),
        ('{"error": [[], deep, deep, deep]}', "error"),
        ('{"odd": deep}', "illegal answer"),
        ('{"value": deep}', "crashed"),
        ('{"value": {"tuple": "x"}}', "crashed"),
        ('{"value": {"dict": [[{"tuple": [1]}, 2]]}}', "illegal answer"),
        ('{"value": "\\x1b[2J"}', "illegal answer"),
        ("{}", "illegal answer"),
    ],
)
def test_a_forged_frame_costs_the_game_and_nothing_else(
    jails: tuple[WarmJail, WarmJail], frame: str, reason: str
) -> None:
    record, _ = played(jails, FORGES.replace("FRAME", frame))
    assert (record.winner, record.reason) == (-1, reason)
    assert record.detail.isprintable()


def test_reading_and_making_an_agent_count(jails: tuple[WarmJail, WarmJail]) -> None:
    record, used = played(jails, COUNTS_TIME)
    assert record.detail.startswith("RuntimeError: True True")
    assert used[0] > 0.4 > used[1]
    assert played(jails, COUNTS_TIME, seconds=0.3)[0].reason == "out of time"


@pytest.mark.deep
def test_an_agent_spends_nothing_while_it_waits_for_a_processor(
    jails: tuple[WarmJail, WarmJail], monkeypatch: pytest.MonkeyPatch
) -> None:
    signal, waited, asleep = Session.signal, list[float](), list[Session]()

    def stay_asleep(session: Session, number: int) -> None:
        signal(session, SIGSTOP)
        if number == SIGCONT:
            asleep.append(session)

    def look(_meter: Meter, seconds: float) -> None:
        """Stand in for the meter of a process that waits for a processor: no time is used."""
        waited.append(seconds)
        if sum(waited) > 1 and asleep:
            signal(asleep.pop(), SIGCONT)

    monkeypatch.setattr(Session, "signal", stay_asleep)
    monkeypatch.setattr(Meter, "look", look)
    record, used = played(jails, FIRST, seconds=0.9)
    assert record.reason == "tiles"
    assert max(used) < 0.9 < sum(waited)


def test_an_agent_sees_what_is_promised(jails: tuple[WarmJail, WarmJail]) -> None:
    numbers = playing.public_numbers(1, 3)
    answers = lambda view: view["legal"][0], lambda view: view["legal"][-1]
    first, last = (SimpleNamespace(place=answer, push=answer) for answer in answers)
    match = playing.play_between(first, last, numbers)
    detail = played(jails, FIRST, RAISES_ITS_VIEW)[0].detail
    keys = ", ".join(sorted(playing.Duel(numbers).view()))
    last = {1: match.answers[4], -1: match.answers[3]}
    assert detail.startswith(f"RuntimeError: {keys}; {last}; {list(numbers[1:])} (one.py, line 5)")


def test_a_player_of_the_original_platform_is_told_what_it_can_not_do(
    jails: tuple[WarmJail, WarmJail],
) -> None:
    """The mode `_direction` tells a player that it cannot push: its only tile was taken before."""
    record, _ = played(jails, FIRST, NOTES_MODES)
    assert record.detail.startswith("RuntimeError: position _direction position")


def test_the_same_seed_gives_the_same_chance(jails: tuple[WarmJail, WarmJail]) -> None:
    chance = "import random\n" + FIRST.replace('view["legal"][0]', 'random.choice(view["legal"])')
    games = [played(jails, chance, chance)[0] for _ in range(2)]
    assert games[0] == games[1]
    sides = [(entry(chance), jail) for jail in jails]
    other, _ = play_game(*sides, playing.public_numbers(1, 3), "another", 5.0)
    assert other.answers != games[0].answers
