"""The HTTP server: students hand in with a token, and read what was found.

POST /hand-in      files of an assignment, as a form (`assignment`, `file` once or more often, and
                   first of all `token` unless the header `Authorization: Bearer …` has it)
                   → the answer
GET  /hand-ins     the student's own hand-ins, with their answers (POST, if the token is in a form)
GET  /             a page with a form for all this
GET  /health       says that the server works

An answer is a page if the client accepts HTML, else JSON. A refusal is a page if the client accepts
HTML and not JSON. A token opens the work of its own student only.

In a service of JupyterHub, all paths lie below `/services/NAME/`. The page then sends visitors to
the hub's login, and the header may have a token of the hub. The user's name is the student's id.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlsplit

import uvicorn
from prometheus_client import start_http_server
from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import parse_options_header
from starlette.applications import Starlette
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from autograder.gradebook.course_folder import CourseFolder
from autograder.notebook.submitted_files import NBGRADERS_FILES
from autograder.reports.feedback import told_page
from autograder.reports.html_templates import page
from autograder.serve.answers_to_students import NotTaken
from autograder.serve.handin_queue import HandinQueue
from autograder.serve.hub_login import HubLogin
from autograder.serve.records import HandedIn, Records, only_one
from autograder.serve.watch_folders import WatchedFolders
from autograder.system import Trouble

_MIB = 2**20
_BODY = 30.0  # seconds in which a whole form must come
_PATIENCE = 25.0  # seconds until an answer; then the client is told to ask again
_STRANGERS = 2**16  # bytes that are read of a client that has not shown a token
_MOST_FILES = 20
_MOST_CONNECTIONS = 500
_MOST_AT_ONCE = 4  # requests of one student that wait for an answer
_LONGEST_NAME = 120  # bytes
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def serve_course(
    address: tuple[str, int] | None,
    metrics: int | None,
    workers: int,
    confined: bool,
    say: Callable[[str], object],
) -> None:
    """Grade all that is handed in for the course in the current folder, until the process ends.

    `address` is the host and port for HTTP, or `None` for a service of JupyterHub, whose
    environment has them. `metrics` is the local port at which Prometheus can read numbers. `say` is
    called with a sentence when the server has started. Raise `Trouble` if another server works in
    the folder, or if a port is not free.
    """
    hub = None
    if address is None:
        hub = HubLogin()
        place = urlsplit(hub.address)
        address = place.hostname or "127.0.0.1", place.port or 80
    course = CourseFolder()
    lock = only_one(course.root)  # noqa: F841 — the system holds it until the process ends
    queue = HandinQueue(course, Records(course.root), workers, confined)
    folders = WatchedFolders(CourseFolder(), queue.see, queue.turns.has_room)
    shown = logging.StreamHandler()
    shown.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logging.getLogger("autograder.serve").addHandler(shown)
    host, port = address
    web = uvicorn.Config(
        web_app(queue, hub),
        host=host,
        port=port,
        log_level="warning",
        http=_Connection,
        limit_concurrency=_MOST_CONNECTIONS + 1,  # reached only if `_Connection` closes no old one
        server_header=False,
        lifespan="off",
    )
    try:
        socket = web.bind_socket()
        socket.listen(_MOST_CONNECTIONS)  # from now on, nobody is refused
        if metrics is not None:
            address = "127.0.0.1", metrics
            start_http_server(metrics, address[0], registry=queue.metrics.registry)
    except (OSError, SystemExit) as error:
        taken = f"port {address[1]} of {address[0]}"
        raise Trouble(f"{taken} cannot be used ({error}); choose another") from error

    async def work() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(queue.run())
            group.create_task(folders.watch())
            group.create_task(uvicorn.Server(web).serve([socket]))
            place = f"http://{host}:{socket.getsockname()[1]}"
            say(f"Hand-ins are taken at {place}, in {course.root}/submitted and by the exchange.")

    asyncio.run(work())


def web_app(queue: HandinQueue, hub: HubLogin | None = None) -> Starlette:
    """Return the application for HTTP; with a `hub`, its paths begin with the service's prefix."""
    door = _Door(queue, hub)
    routes: list[Route | Mount] = [
        Route("/", door.form, methods=["GET"]),
        Route("/hand-in", door.hand_in, methods=["POST"]),
        Route("/hand-ins", door.hand_ins, methods=["GET", "POST"]),
        Route("/health", door.health, methods=["GET"]),
    ]
    if hub is not None:
        routes.append(Route("/oauth_callback", hub.log_in, methods=["GET"]))
        routes = [Mount(hub.prefix.rstrip("/"), routes=routes)]
    cors = Middleware(
        CORSMiddleware,
        allow_origins=list(queue.settings.sites),
        allow_methods=["GET", "POST"],
        allow_headers=["Authorization"],
    )
    return Starlette(
        routes=routes,
        middleware=[cors] if queue.settings.sites else [],
        exception_handlers={NotTaken: _refused, HTTPException: _unknown, 500: _failed},  # type: ignore[dict-item]
    )


class _Connection(H11Protocol):
    """A connection. If there are too many, the oldest one that waits for its client is closed."""

    _oldest_first: ClassVar[dict["_Connection", None]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self._oldest_first) >= _MOST_CONNECTIONS:
            for one in self._oldest_first:
                if one.cycle is None or one.cycle.response_complete or one.cycle.more_body:
                    del self._oldest_first[one]
                    one.transport.abort()
                    break
        self._oldest_first[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._oldest_first.pop(self, None)
        super().connection_lost(exc)


class _Door:
    def __init__(self, queue: HandinQueue, hub: HubLogin | None) -> None:
        self._queue, self._hub = queue, hub
        self._sending: set[str] = set()  # students whose form is being read
        self._waiting: Counter[str] = Counter()  # student → requests that wait for an answer

    async def form(self, request: Request) -> Response:
        student = token = ""
        if self._hub is not None:
            student = await self._hub.visitor(request) or ""
            if not student:
                return self._hub.to_login(request)
            token = self._hub.form_token(request)
        lessons = sorted(await asyncio.to_thread(self._queue.lessons))
        return _form_page(lessons=lessons, student=student, token=token)

    async def hand_in(self, request: Request) -> Response:
        student, form = await self._sent(request)
        assignment = form.get("assignment")
        if not isinstance(assignment, str):
            raise NotTaken(400, "Say which assignment it is, in the field assignment.")
        files: dict[str, bytes] = {}
        for one in form.getlist("file"):
            if not isinstance(one, UploadFile) or not one.filename:
                continue
            name = _name(one.filename)
            if name in files:
                raise NotTaken(400, f"There are two files with the name {name!r}.")
            files[name] = await one.read()
        if not files:
            raise NotTaken(400, "There is no file. Choose your notebook.")
        if self._waiting[student] >= _MOST_AT_ONCE:
            raise NotTaken(429, "You are waiting for answers already.", 1)
        self._waiting[student] += 1
        try:
            taken = await self._queue.hand_in(student, assignment, files)
            found = await self._queue.answer(taken.id, _PATIENCE)
        finally:
            self._waiting[student] -= 1
        left = await asyncio.to_thread(self._queue.left, student, assignment)
        if found.told is None:
            said = {"id": found.id, "is_kept": True, "attempts_left": left}
            return JSONResponse(said, status_code=202, headers={**_HEADERS, "Retry-After": "5"})
        told = {**found.told, "attempts_left": left}
        if _wants_html(request):
            return HTMLResponse(told_page(told, student), headers=_HEADERS)
        return JSONResponse(told, headers=_HEADERS)

    async def hand_ins(self, request: Request) -> Response:
        student, _ = await self._sent(request)
        found = await asyncio.to_thread(self._queue.records.of, student)
        found.reverse()
        if _wants_html(request):
            shown = [(one, _counted(one)) for one in found]
            lessons = sorted(await asyncio.to_thread(self._queue.lessons))
            return _form_page(lessons=lessons, hand_ins=shown, student=student)
        said = [
            {"id": one.id, "assignment": one.assignment, "handed_in_at": one.at.isoformat()}
            | {"door": one.door, "answer": one.told}
            for one in found
        ]
        return JSONResponse(said, headers=_HEADERS)

    async def health(self, request: Request) -> Response:
        return JSONResponse({"is_ready": True}, headers=_HEADERS)

    async def _sent(self, request: Request) -> tuple[str, FormData]:
        """Return a request's student and form; raise `NotTaken` if the request is refused."""
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        student = ""
        if kind.lower() == "bearer":
            student = await self._student(token, self._hub and self._hub.student_of)
        if request.method == "POST":
            return await self._form(request, student)
        return student or await self._student(""), FormData()

    async def _student(self, token: Any, ask: Any = None) -> str:
        """Return the student of a token; raise `NotTaken` if it is not valid.

        If this server did not give the token, the function `ask` asks the hub about it.
        """
        token = token.strip() if isinstance(token, str) else ""
        student = await asyncio.to_thread(self._queue.records.student_of, token)
        if student is None and token and ask is not None:
            student = await ask(token)
        if student is None:
            self._queue.metrics.refused.labels("token").inc()
            said = "This token is not valid. Ask your instructor for yours."
            if self._hub is not None:
                said = "You are not logged in any more, or not in this course. Open the page again."
            raise NotTaken(401, said)
        return student

    async def _form(self, request: Request, student: str) -> tuple[str, FormData]:
        """Read the form in a request; return the student who sends it, and the form.

        The size and the time are limited. If `student` is empty, the form must have a token in its
        first `_STRANGERS` bytes. One form of each student is read at a time. So nobody delays
        others by sending much or slowly.
        """
        most = self._queue.settings.largest * _MIB
        too_large = NotTaken(413, f"It is larger than {self._queue.settings.largest} MiB.")
        if int(request.headers.get("Content-Length", "0") or 0) > most + _MIB:
            raise too_large
        ask = self._hub and partial(self._hub.sender, request)
        sender = ""

        async def bounded() -> AsyncGenerator[bytes, None]:
            nonlocal sender, student
            total = 0
            async for chunk in request.stream():
                total += len(chunk)
                if total > most + _MIB:
                    raise too_large
                yield chunk
                token = dict(parser.items).get("token")
                if not student and (isinstance(token, str) or total > _STRANGERS):
                    student = await self._student(token, ask)
                if student and not sender:
                    if student in self._sending:
                        raise NotTaken(429, "You are sending something already. Wait for it.", 1)
                    sender = student
                    self._sending.add(sender)

        kind, options = parse_options_header(request.headers.get("Content-Type"))
        # Python has codecs, such as punycode, that take minutes for a megabyte
        is_utf8 = options.get(b"charset", b"utf-8").lower() == b"utf-8"
        if kind != b"multipart/form-data" or not is_utf8:
            raise NotTaken(415, "Send a form: curl -F assignment=NAME -F file=@NOTEBOOK.ipynb")
        try:
            async with asyncio.timeout(_BODY):
                parser = MultiPartParser(
                    request.headers, bounded(), max_files=_MOST_FILES, max_fields=4
                )
                form = await parser.parse()
                return student or await self._student(form.get("token"), ask), form
        except TimeoutError:
            raise NotTaken(408, "It did not come in time. Try again.") from None
        except ClientDisconnect:
            raise NotTaken(400, "The connection ended before the whole form had come.") from None
        except (MultiPartException, MultipartParseError, KeyError, ValueError) as error:
            raise NotTaken(400, f"The form cannot be read: {error}") from None
        finally:
            self._sending.discard(sender)


def _name(name: str) -> str:
    """Return `name` unchanged; raise `NotTaken` if no file of a hand-in may have this name."""
    is_usual = name == name.strip() and name.isprintable() and len(name.encode()) <= _LONGEST_NAME
    if not is_usual or name.startswith(".") or {"/", "\\"} & set(name) or name in NBGRADERS_FILES:
        raise NotTaken(400, f"A file cannot have the name {name[:_LONGEST_NAME]!r}. Rename it.")
    return name


def _counted(one: HandedIn) -> str:
    """Return a few words on the answer to a hand-in, such as how many checks passed.

    >>> from datetime import datetime
    >>> _counted(HandedIn(1, "http", "ann", "twice", "", datetime(2026, 3, 1), told=None))
    'kept'
    """
    checks = [] if one.told is None else one.told["checks"]
    outcomes = [check["outcome"] for check in checks]
    told = [outcome for outcome in outcomes if outcome not in ("manual", "not_told")]
    return f"{told.count('passed')} of {len(told)} hold" if told else "kept"


def _wants_html(request: Request) -> bool:
    return "text/html" in request.headers.get("Accept", "")


def _form_page(**shown: Any) -> Response:
    usual: dict[str, Any] = {"lessons": [], "hand_ins": None, "said": "", "student": ""}
    return HTMLResponse(page("hand_in.html", **{**usual, **shown}), headers=_HEADERS)


async def _refused(request: Request, error: NotTaken) -> Response:
    response: Response = JSONResponse({"error": str(error)}, headers=_HEADERS)
    if _wants_html(request) and "application/json" not in request.headers["Accept"]:
        response = _form_page(said=str(error))
    response.status_code = error.status
    if error.wait is not None:
        response.headers["Retry-After"] = str(max(1, round(error.wait)))
    return response


async def _unknown(request: Request, error: HTTPException) -> Response:
    return JSONResponse({"error": error.detail}, status_code=error.status_code, headers=_HEADERS)


async def _failed(request: Request, error: Exception) -> Response:
    return PlainTextResponse("The server failed. Try again.", status_code=500, headers=_HEADERS)
