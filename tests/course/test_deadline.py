"""The deadline: it stops code that never ends, but not code that is slow on a busy machine."""

import os
import signal
from time import sleep

import pytest

from course.deadline import deadline
from course.function_calls import NoAnswer


def loop() -> None:
    while True:
        pass


def test_what_never_ends_is_given_up() -> None:
    with pytest.raises(NoAnswer), deadline(0.05):
        loop()


def test_what_waits_for_a_processor_is_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("course.deadline._awake", iter([0.0, 200.0, 400.0]).__next__)
    with deadline(60):
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGALRM)


def test_what_only_sleeps_is_given_up_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("course.deadline._awake", iter([0.0, 50.0]).__next__)
    with pytest.raises(NoAnswer), deadline(60):
        os.kill(os.getpid(), signal.SIGALRM)


def test_what_waits_is_given_up_by_itself() -> None:
    with pytest.raises(NoAnswer), deadline(0.01):
        sleep(60)


def test_a_deadline_goes_on_after_one_inside_it() -> None:
    def loop_after_another_deadline() -> None:
        with deadline(60):
            pass
        loop()

    with pytest.raises(NoAnswer), deadline(0.05):
        loop_after_another_deadline()
