"""Runs `autograder`, and notes 100 times a second in which room of it each of its processes is.

`python -m autograder.bench.sampled FOLDER ARGUMENT…`. The workers are noted, too: a worker that is
forked begins with the callback registered here, one that is spawned by loading this file again.
"""

import json
import os
import runpy
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from types import FrameType

import autograder

WAITING, LOADING = "waiting", "loading"
_FOLDER = "AUTOGRADER_BENCH_FOLDER"  # in the environment, for the workers
_STEP = 0.01  # seconds between two looks
_SAVE = 20  # looks
_HOME = Path(autograder.__file__).parent
_LOADS = ("<frozen importlib", "<frozen zipimport")


def room_of(frame: FrameType | None) -> str:
    """Return the innermost room of the grader in which a thread is, or `LOADING`, or `WAITING`."""
    room = ""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_LOADS):
            return LOADING
        if not room and file.startswith(f"{_HOME}{os.sep}"):
            room = Path(file).relative_to(_HOME).parts[0].removesuffix(".py")
        frame = frame.f_back
    return WAITING if room in ("", "workers", "bench") else room


def note(folder: Path, role: str) -> None:
    """Note this process as long as it lives: room → seconds, and processor seconds."""
    main = threading.main_thread().ident
    assert main is not None
    rooms: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    now, used = time.monotonic(), 0.0  # what was used before counts, too
    count = 0
    while True:
        time.sleep(_STEP)
        room = rooms[room_of(sys._current_frames().get(main))]
        was, now = now, time.monotonic()
        before, used = used, time.process_time()
        room[0] += now - was
        room[1] += used - before
        count += 1
        if count % _SAVE == 0:
            scratch = folder / f"{os.getpid()}.part"
            scratch.write_text(json.dumps({"role": role, "rooms": rooms}), encoding="utf-8")
            scratch.replace(scratch.with_suffix(".json"))


def _begin(role: str) -> None:
    folder = Path(os.environ[_FOLDER])
    threading.Thread(target=note, args=(folder, role), daemon=True).start()


if __name__ == "__mp_main__":
    _begin("worker")

if __name__ == "__main__":
    os.environ[_FOLDER] = sys.argv.pop(1)
    _begin("first")
    os.register_at_fork(after_in_child=lambda: _begin("worker"))
    runpy.run_module("autograder", run_name="__main__")
