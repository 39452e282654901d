"""The judge: test cells run here, outside of the jail, and decide what a submission is worth."""

from autograder.judge.judge import judge
from autograder.judge.uses import Uses

__all__ = ["Uses", "judge"]
