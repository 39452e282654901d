"""Grading of each hand-in as it comes, by HTTP, by nbgrader's exchange or by a folder."""

import asyncio
import logging
from collections.abc import Callable

import uvicorn
from prometheus_client import start_http_server

from autograder.gradebook.course_folder import CourseFolder
from autograder.serve.folders import WatchedFolders
from autograder.serve.records import Records, only_one
from autograder.serve.server import HandinQueue
from autograder.serve.web import web_app
from autograder.system.trouble import Trouble

_MOST_CONNECTIONS = 500


def serve_course(
    address: tuple[str, int],
    metrics: int | None,
    workers: int,
    confined: bool,
    say: Callable[[str], object],
) -> None:
    """Grade all that is handed in for the course in this folder, until the process ends.

    `address` is where HTTP is served; `metrics` is the port of this machine at which Prometheus can
    read numbers. Raise `Trouble` if another server works in the folder, or a port is not free.
    """
    course, recorder, watcher = CourseFolder(), CourseFolder(), CourseFolder()
    lock = only_one(course.root)  # noqa: F841 — the system holds it until the process ends
    records = Records(course.root)
    queue = HandinQueue(course, recorder, records, workers, confined)
    folders = WatchedFolders(watcher, queue.see)
    shown = logging.StreamHandler()
    shown.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logging.getLogger("autograder.serve").addHandler(shown)
    host, port = address
    web = uvicorn.Config(
        web_app(queue),
        host=host,
        port=port,
        log_level="warning",
        limit_concurrency=_MOST_CONNECTIONS,
        server_header=False,
        lifespan="off",
    )
    try:
        socket = web.bind_socket()
        socket.listen(_MOST_CONNECTIONS)  # from now on, nobody is refused
        if metrics is not None:
            start_http_server(metrics, "127.0.0.1", registry=queue.metrics.registry)
    except (OSError, SystemExit) as error:
        raise Trouble(f"port {port} of {host} cannot be used ({error}); choose another") from error

    async def work() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(queue.run())
            group.create_task(folders.watch())
            group.create_task(uvicorn.Server(web).serve([socket]))
            place = f"http://{host}:{socket.getsockname()[1]}"
            say(f"Hand-ins are taken at {place}, in {course.root}/submitted and by the exchange.")

    asyncio.run(work())
