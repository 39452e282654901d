"""The jail: students' code runs in here and nowhere else."""

from autograder.jail.bubblewrap import JailMissing
from autograder.jail.cpu_time import GENEROUS, Meter, clock_of
from autograder.jail.jail_packages import write_files
from autograder.jail.session import Conditions, Crashed, Limits, Lost, Refused, Session, TimedOut
from autograder.jail.temporary_folder import TemporaryFolder
from autograder.jail.warm_jail import WarmJail, WarmJails

__all__ = [
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
    "clock_of",
    "write_files",
]
