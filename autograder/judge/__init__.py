"""The judge: test cells run here, outside of the jail, and decide what a submission is worth."""

import os

# One thread, as in the jail: each thread of numpy takes memory, which is limited in a fork.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from autograder.judge.answer_key_record import Uses
from autograder.judge.judge import judge, judge_released

__all__ = ["Uses", "judge", "judge_released"]
