"""A Dask cluster on this machine, started as a person would, for as long as it is measured."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from autograder.bench.programs import BIN
from autograder.bench.started import SCRATCH, none_outlives
from autograder.scratch import scratch_folder

_START = 60  # seconds in which all workers must be there
_HERE = ("--host", "127.0.0.1", "--no-dashboard")


@dataclass(frozen=True)
class Cluster:
    """A running cluster: its scheduler's address, its processes, and the seconds of its start."""

    address: str
    pids: tuple[int, ...]
    start: float

    def cpu(self) -> float:
        """Return the processor seconds used by now, all that its processes started included."""
        from psutil import Process

        found = [Process(pid) for pid in self.pids]
        every = [one for first in found for one in (first, *first.children(recursive=True))]
        return sum(sum(one.cpu_times()[:4]) for one in every)


@contextmanager
def local_cluster(workers: int) -> Iterator[Cluster]:
    """Start a scheduler and its workers on loopback only, and end them after the block."""
    from distributed import Client

    begin = time.monotonic()
    with scratch_folder(SCRATCH) as place, none_outlives():
        file = ("--scheduler-file", str(place / "scheduler.json"))
        count = ("--nworkers", str(workers), "--nthreads", "1", "--memory-limit", "0")
        commands = (
            ("scheduler", *file, *_HERE, "--port", "0"),
            ("worker", *file, *_HERE, *count, "--local-directory", str(place)),
        )
        started: list[subprocess.Popen[bytes]] = []
        try:
            for command in commands:
                program = [str(BIN / "dask"), *command]
                nowhere = subprocess.DEVNULL
                one = subprocess.Popen(program, cwd=place, stdout=nowhere, stderr=nowhere)
                started.append(one)
            with Client(scheduler_file=file[1], timeout=_START) as client:  # type: ignore[no-untyped-call]
                client.wait_for_workers(workers, timeout=_START)
                address = str(client.scheduler.address)
            pids = tuple(one.pid for one in started)
            yield Cluster(address, pids, time.monotonic() - begin)
        finally:
            for one in reversed(started):
                one.terminate()
                one.wait()
