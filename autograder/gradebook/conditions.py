"""The conditions of running submissions, from nbgrader's configuration: `c.Jail.memory = 2048`."""

from dataclasses import replace
from typing import Any

from nbgrader.preprocessors import Execute
from traitlets import Float, Integer, List, Unicode, default
from traitlets.config import Configurable

from autograder.jail import Conditions, Limits

_MIB = 2**20
_IN_MIB = ("memory", "file_size", "folder_size", "output")
_USUAL = Limits()
_VERY_LONG = 3600  # seconds, in place of nbgrader's waiting for ever


class Jail(Configurable):
    """The limits of one submission, in MiB, counts and seconds, and what is loaded for all."""

    memory = Integer(_USUAL.memory // _MIB, min=64, help="MiB of memory.").tag(config=True)
    file_size = Integer(_USUAL.file_size // _MIB, min=1, help="MiB of one file.").tag(config=True)
    folder_size = Integer(
        _USUAL.folder_size // _MIB, min=1, help="MiB of all files, data that is given included."
    ).tag(config=True)
    output = Integer(_USUAL.output // _MIB, min=1, help="MiB that a cell shows.").tag(config=True)
    processes = Integer(_USUAL.processes, min=8, help="Processes and threads.").tag(config=True)
    cell = Float(min=0.5, help="Seconds of a cell or a test: nbgrader's own.").tag(config=True)
    call = Float(min=0.5, help="Seconds of a call that a test makes: those of a cell.").tag(
        config=True
    )
    submission = Float(min=1.0, help="Seconds of a notebook: those of ten cells.").tag(config=True)
    patience = Float(
        min=0.5, help="Seconds that all that never comes back is waited for: those of two calls."
    ).tag(config=True)
    preload = List(
        Unicode(),
        ["numpy", "pandas", "scipy", "matplotlib.pyplot"],
        help="Modules that are loaded once for all submissions of an assignment that names them.",
    ).tag(config=True)

    @default("cell")
    def _of_nbgrader(self) -> float:
        """Return `c.Execute.timeout`, which counts unless the jail has a time of its own."""
        seconds = Execute(parent=self.parent).timeout
        return float(_VERY_LONG if seconds is None or seconds < 0 else seconds or 1)

    @default("call")
    def _of_a_cell(self) -> float:
        return float(self.cell)

    @default("submission")
    def _of_ten_cells(self) -> float:
        return max(_USUAL.submission, 10 * self.cell)

    @default("patience")
    def _of_two_calls(self) -> float:
        return 2 * float(self.call)

    def limits(self) -> Limits:
        """Return the limits of one submission."""
        names = set(self.trait_names(config=True)) - {"preload"}
        said = {name: getattr(self, name) for name in names}
        exact = {k: v * _MIB if k in _IN_MIB else v for k, v in said.items()}
        return replace(_USUAL, last_chance=max(_USUAL.last_chance, self.call / 10), **exact)


def conditions_of(parent: Any, confined: bool, code: str = "") -> Conditions:
    """Return the conditions that an nbgrader program is configured to, for masters with this code.

    Modules that the code does not name are not preloaded.
    """
    jail = Jail(parent=parent)
    preload = tuple(name for name in jail.preload if name.partition(".")[0] in code)
    return Conditions(confined, jail.limits(), preload)
