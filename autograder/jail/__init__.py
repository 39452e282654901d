"""The jail: students' code runs in here and nowhere else."""

from autograder.jail.bubblewrap import JailMissing
from autograder.jail.folder import OwnFolder, write_files
from autograder.jail.jail import WarmJail, WarmJails
from autograder.jail.limits import Conditions, Limits
from autograder.jail.meter import GENEROUS, Meter, clock_of
from autograder.jail.session import Crashed, Lost, Refused, Session, TimedOut

__all__ = [
    "GENEROUS",
    "Conditions",
    "Crashed",
    "JailMissing",
    "Limits",
    "Lost",
    "Meter",
    "OwnFolder",
    "Refused",
    "Session",
    "TimedOut",
    "WarmJail",
    "WarmJails",
    "clock_of",
    "write_files",
]
