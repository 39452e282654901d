"""The grading of lesson 9: an agent that is too slow is stopped, and a message says so."""

import pytest

from autograder.grading_data import Outcome
from autograder.jail import WarmJail
from autograder.judge import judge
from course.checks import agent_checks
from tests.autograder.submissions import master_submission

pytestmark = pytest.mark.deep

SLOW = """@add_to(Agent)
def push(self, view):
    import time
    end = time.process_time() + 0.01
    while time.process_time() < end:
        pass
    return view["legal"][0]
"""


def test_a_slow_agent_loses_its_duels_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_checks, "SECONDS", 4.0)
    with WarmJail("9-duel") as jail:
        checks = judge(master_submission("9-duel", **{"Agent-push": SLOW}), jail).checks
    lost = {check.id: check for check in checks if check.outcome is not Outcome.PASSED}
    assert lost.keys() == {"agent-beats-chance", "agent-holds-its-own"}
    for check in lost.values():
        assert check.outcome is Outcome.FAILED
        assert "your agent took longer than 4 s: push took about 0.0" in check.message
