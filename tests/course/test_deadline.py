"""What never comes back is given up; on a busy machine, what is slow is not."""

from time import sleep

import pytest

from course.answers import NoAnswer
from course.deadline import deadline


def loop() -> None:
    while True:
        pass


def test_only_time_of_the_processor_counts() -> None:
    with deadline(0.2):
        sleep(0.3)
    with pytest.raises(NoAnswer), deadline(0.05):
        loop()


def test_what_waits_is_given_up_later() -> None:
    with pytest.raises(NoAnswer), deadline(0.01):
        sleep(60)
