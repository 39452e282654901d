"""Judges functions that end beside functions that do not, with an interrupt at every moment.

`python -m tests.autograder.races --times 1000` judges so many submissions, and prints each test
that came to something else than it must. What never ends has a few milliseconds only, drawn anew
for each call; what ends has all its time. Before every second question comes one more interrupt, as
if that of the question before it were late.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from signal import SIGINT
from typing import Any
from unittest.mock import patch

from autograder.jail import Jail, Limits, Session
from autograder.jail.inside.usage import descendants
from autograder.judge import Uses, judge
from autograder.judge.process import Process
from autograder.submission import Cell, CheckResult, Kind, Outcome, Submission
from tests.autograder.submissions import LESSON

LIMITS = Limits(call=60.0, cell=60.0, submission=600.0, patience=600.0)
SHORTEST, LONGEST = 0.002, 0.05  # seconds
ODD = ("makes no sense", "understood", "ended", "Interrupt", "in another process", "was lost")
RIGHT = """
def right(x): return x + 1
def twice(g, x): return g(x) + g(x)
class Game:
    def __init__(self, score): self.score = score
    def step(self):
        self.score += 1
        return self
def turned(line):
    line.reverse()
    return line
def says(x):
    print("x" * 5000)
    return x
def counts(n): yield from range(n)
LINE = [1, 2, 3]
"""
TESTS = (
    "assert right(1) == 2",
    "assert twice(lambda x: 2 * x, 3) == 12",
    "assert twice(lambda x: right(x), 3) == 8",
    "games = [Game(n) for n in range(3)]\nassert [one.step().score for one in games] == [1, 2, 3]",
    "game = Game(1)\nassert game.step() is game",
    "line = [1, 2]\nassert turned(line) is line and line == [2, 1]",
    "assert says(3) == 3",
    "assert list(counts(3)) == [0, 1, 2]",
    "assert LINE == [1, 2, 3]",
    "check(right, 1, gives=2)",
)
# Each may stop at once, or only when it is told once more, or not at all.
ENDLESS = {
    "loop": "while True: pass",
    "prints": "while True: print('x')",
    "finaliser": "class D:\n"
    "        def __del__(self):\n"
    "            for _ in range(3000): pass\n"
    "    while True: D()",
    "weak": "import weakref\n"
    "    class W: pass\n"
    "    def heard(_):\n"
    "        for _ in range(2000): pass\n"
    "    while True: weakref.ref(W(), heard)",
    "cycles": "class C: pass\n    while True:\n        one = C()\n        one.self = one",
    "finally": "while True:\n        try: len([])\n        finally: len([1])",
    "recursion": "def deep(): deep()\n"
    "    while True:\n"
    "        try: deep()\n"
    "        except RecursionError: pass",
    "objects": "while True: [Game(n) for n in range(99)]",
    "random": "import random\n    while True: random.Random(1).shuffle([1] * 50)",
    "signals": "import signal\n"
    "    signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "    while True: pass",
    "threads": "import threading\n"
    "    while True:\n"
    "        one = threading.Thread(target=print)\n"
    "        one.start()\n"
    "        one.join()",
    "sleeps": "import time\n    time.sleep(1000)",
    "programs": "import subprocess\n    while True: subprocess.run(['true'])",
    "numpy": "import numpy as np\n    while True: np.linalg.svd(np.ones((60, 60)))",
    "calls back": "while True: g(1)",
    "asks in turn": "while True: h(1)",
    "catches all": "while True:\n        try: len([])\n        except BaseException: pass",
    "ignores": "import signal\n"
    "    signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    "    while True: pass",
    "in C": "sum(iter(int, 1))",
}
HARD = ("catches all", "ignores", "in C")
# These may come back just in time, or be interrupted while they answer.
LATE = {
    "sleeps a little": "import time\n    time.sleep({seconds})",
    "raises late": "import time\n    time.sleep({seconds})\n    raise ValueError",
    "large": "return list(range({count}))",
    "many objects": "return [Game(n) for n in range({count} // 50)]",
    "many calls back": "for _ in range({count} // 500): g(1)",
}


class Races:
    """Submissions by chance, and what becomes of them."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._kinds: dict[str, str] = {}  # of the tests that are not right
        self.seen: Counter[str] = Counter()

    def submission(self) -> Submission:
        """A program that may do anything, or one of plain functions."""
        self._kinds = {}
        return self._plain() if self._chance.random() < 0.4 else self._any()

    def _plain(self) -> Submission:
        """Always the same tests, which call each function several times."""
        kinds = self._chance.choices(["loop", "late", "soon"], k=3)
        bodies = {"loop": "while True: pass", "late": "for _ in range({count}): pass"}
        cells = [Cell("given", Kind.GIVEN, "from course import check")]
        functions = [
            f"def odd_{n}(x):\n    {bodies.get(kind, 'pass').format(count=self._count())}\n"
            "    return x + 1"
            for n, kind in enumerate(kinds)
        ]
        source = "\n".join(["def right(x): return x + 1", *functions])
        cells.append(Cell("student", Kind.STUDENT, source))
        for number, kind in enumerate(kinds):
            for name in (f"odd_{number}", "right"):
                asks = "".join(f"assert {name}({n}) == {n + 1}\n" for n in range(9))
                cells.append(Cell(f"{name}-{number}", Kind.TEST, asks, 1.0))
            self._kinds[f"odd_{number}-{number}"] = kind
        return Submission(LESSON, tuple(cells))

    def _any(self) -> Submission:
        """Some functions that do not end or end late, and after each a few tests that hold."""
        kinds = self._chance.sample([*set(ENDLESS) - set(HARD), *LATE], 3)
        kinds += [self._chance.choice(HARD)] * (self._chance.random() < 0.1)
        if self._chance.random() < 0.5:  # a program that cannot look around
            kinds = [one for one in kinds if "import" not in self._body(one)] + ["loop"]
        functions = [f"def odd_{n}(g, h):\n    {self._body(kind)}" for n, kind in enumerate(kinds)]
        cells = [Cell("given", Kind.GIVEN, "from course import check")]
        cells.append(Cell("student", Kind.STUDENT, "\n".join([RIGHT, *functions])))
        for number, kind in enumerate(kinds):
            ask = f"odd_{number}(lambda x: x, lambda x: right(x))"
            cells.append(Cell(f"{kind}-{number}", Kind.TEST, ask, 1.0))
            self._kinds[f"{kind}-{number}"] = kind
            for place, test in enumerate(self._chance.sample(TESTS, 3)):
                cells.append(Cell(f"right-{number}-{place}", Kind.TEST, test, 1.0))
        return Submission(LESSON, tuple(cells))

    def _body(self, kind: str) -> str:
        body = ENDLESS.get(kind, LATE.get(kind, ""))
        return body.format(seconds=self._seconds(), count=self._count())

    def _count(self) -> int:
        return self._chance.randrange(1000, 200_000)

    def _seconds(self) -> float:
        return self._chance.uniform(SHORTEST, LONGEST)

    def wrong(self, submission: Submission, jail: Jail) -> Iterator[CheckResult]:
        """The checks that came to something else than they must."""
        uses = self._chance.choice([None, Uses()])
        for check in judge(submission, jail, uses).checks:
            kind = self._kinds.get(check.id)
            self.seen[check.outcome.value] += 1
            must = {Outcome.PASSED} if kind is None else {Outcome.PASSED, Outcome.TIMEOUT}
            if kind in ENDLESS:
                must = {Outcome.TIMEOUT}
            if kind == "raises late":
                must = {Outcome.ERROR, Outcome.TIMEOUT}
            if check.outcome not in must or any(word in check.message for word in ODD):
                yield check

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """In here what is odd has little time, and interrupts come late."""
        ask, send = Process._ask, Session._send

        def little(process: Process, *given: Any, **more: Any) -> Any:
            session, question, most, label, *others = given
            most = self._seconds() if "odd" in label else most
            return ask(process, session, question, most, label, *others, **more)

        def interrupted(session: Session, frame: bytes) -> None:
            is_for_the_program = b'"do"' in frame
            if is_for_the_program and self._chance.random() < 0.5:
                session.signal(SIGINT)
            send(session, frame)

        with patch.object(Process, "_ask", little), patch.object(Session, "_send", interrupted):
            yield


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    races, lost = Races(options.seed), 0
    with Jail(LESSON, LIMITS) as jail, races.under_way():
        for time in range(options.times):
            submission = races.submission()
            sources = {cell.id: cell.source for cell in submission.cells}
            for check in races.wrong(submission, jail):
                lost += 1
                print(time, check.outcome.value, check.id, sources[check.id], check.message)
    left = list(descendants())
    print(f"{options.times} submissions, {dict(races.seen)}: {lost} wrong, {len(left)} left")
    raise SystemExit(bool(lost or left))


if __name__ == "__main__":
    main()
