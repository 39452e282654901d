"""The judge: test cells run here, outside of the jail, and decide what a submission is worth."""

from autograder.judge.blind import is_blind
from autograder.judge.judge import judge
from autograder.judge.known import all_known, begin_with
from autograder.judge.uses import Uses

__all__ = ["Uses", "all_known", "begin_with", "is_blind", "judge"]
