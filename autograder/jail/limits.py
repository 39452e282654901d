"""The limits of submissions: memory, files, processes, and seconds."""

from dataclasses import dataclass, field

MIB = 2**20


@dataclass(frozen=True)
class Limits:
    """Bytes, counts and seconds of the processor for one submission.

    `patience` is how long all calls and cells that never come back are waited for together; after
    that one that has not come back before gets a `last_chance`.
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

    `preload` are the packages that the warm process has loaded for all of them; without being
    confined they run without any jail.
    """

    confined: bool = True
    limits: Limits = field(default_factory=Limits)
    preload: tuple[str, ...] = ()
