"""What never comes back is given up; on a busy machine, what is slow is not."""

import os
import signal
from time import process_time, sleep

import pytest

from course.answers import NoAnswer
from course.deadline import deadline


def loop() -> None:
    while True:
        pass


def think(seconds: float) -> None:
    end = process_time() + seconds
    while process_time() < end:
        pass


def test_what_never_ends_is_given_up() -> None:
    with pytest.raises(NoAnswer), deadline(0.05):
        loop()


def test_what_has_worked_is_not_given_up_when_its_time_by_the_wall_is_over() -> None:
    with deadline(3):
        for _ in range(3):
            think(0.35)
            os.kill(os.getpid(), signal.SIGALRM)


def test_what_only_waits_is_given_up_then() -> None:
    with pytest.raises(NoAnswer), deadline(60):
        os.kill(os.getpid(), signal.SIGALRM)


def test_what_waits_is_given_up_by_itself() -> None:
    with pytest.raises(NoAnswer), deadline(0.01):
        sleep(60)
