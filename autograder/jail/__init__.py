"""The jail: students' code runs in here and nowhere else."""

from autograder.jail.bubblewrap import JailMissing
from autograder.jail.jail import Jail
from autograder.jail.limits import Conditions, Limits
from autograder.jail.meter import LOOK, Meter
from autograder.jail.session import Crashed, Lost, Refused, Session, TimedOut

__all__ = [
    "LOOK",
    "Conditions",
    "Crashed",
    "Jail",
    "JailMissing",
    "Limits",
    "Lost",
    "Meter",
    "Refused",
    "Session",
    "TimedOut",
]
