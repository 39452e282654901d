"""The limits of submissions: memory, files, processes, and seconds."""

from dataclasses import dataclass, field

MIB = 2**20


@dataclass(frozen=True)
class Limits:
    """The limits of one submission: bytes, counts, and seconds of the processor.

    `patience` are the seconds for all calls and cells together that never come back. After that, a
    call or cell that did not come back before gets only the seconds of a `last_chance`.
    """

    memory: int = 1024 * MIB
    processes: int = 64
    file_size: int = 16 * MIB
    folder_size: int = 64 * MIB
    open_files: int = 256
    output: int = 1 * MIB
    cell: float = 10.0
    call: float = 5.0
    submission: float = 60.0
    patience: float = 10.0
    last_chance: float = 0.5


@dataclass(frozen=True)
class Conditions:
    """The conditions under which submissions of a course run.

    If not `confined`, they run without any jail. `preload` are the packages that the warm process
    loads for all of them.
    """

    confined: bool = True
    limits: Limits = field(default_factory=Limits)
    preload: tuple[str, ...] = ()
