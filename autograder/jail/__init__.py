"""The jail: students' code runs in here and nowhere else."""

from autograder.jail.bubblewrap import JailMissing
from autograder.jail.session import (
    GENEROUS,
    Conditions,
    Crashed,
    Limits,
    Lost,
    Meter,
    Refused,
    Session,
    TimedOut,
)
from autograder.jail.temporary_folder import CHECKS, TemporaryFolder, write_files
from autograder.jail.warm_jail import WarmJail, WarmJails

__all__ = [
    "CHECKS",
    "GENEROUS",
    "Conditions",
    "Crashed",
    "JailMissing",
    "Limits",
    "Lost",
    "Meter",
    "Refused",
    "Session",
    "TemporaryFolder",
    "TimedOut",
    "WarmJail",
    "WarmJails",
    "write_files",
]
