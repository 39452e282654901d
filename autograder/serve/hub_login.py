"""Login by a JupyterHub: the hub tells this server, one of its services, who a visitor is."""

import asyncio
import hmac
import os
import re
import secrets
from collections.abc import Awaitable
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from autograder.serve.answers_to_students import NotTaken
from autograder.system import Trouble

_PATIENCE = 10.0  # seconds for the hub to say who somebody is
_LOGIN = 600  # seconds for a person to log in
_MOST_SESSIONS = 10_000  # browsers that are logged in
_SESSION, _STATE = "autograder-session", "autograder-login"  # names of cookies
_NAME = re.compile(r"[\w@-][\w.@-]{0,99}")  # of a user: it becomes the name of a folder


class HubLogin:
    """The login of a JupyterHub, of which this server is a service.

    A browser comes back from the hub with a code. In exchange for the code, the hub gives this
    server a token. The server keeps the token, and gives the browser a cookie with the name of a
    session. It asks the hub about the token with each request, so nobody who has logged out, or has
    left the course, gets in. If the hub does not answer, nobody gets in. Raise `Trouble` if the
    environment is not that of a service.
    """

    def __init__(self) -> None:
        from jupyterhub.services.auth import HubOAuth

        try:
            self.prefix = os.environ["JUPYTERHUB_SERVICE_PREFIX"]
            self.address = os.environ["JUPYTERHUB_SERVICE_URL"]
            # taken out of the environment, so that no child process finds the token
            self._hub = HubOAuth(api_token=os.environ.pop("JUPYTERHUB_API_TOKEN"))
            os.environ.pop("JPY_API_TOKEN", None)  # the same token by an older name
        except KeyError as missing:
            said = f"{missing.args[0]} is not set: --hub is for a service of JupyterHub"
            raise Trouble(said) from None
        self._sessions: dict[str, str] = {}  # session → token of the hub; the oldest first

    async def student_of(self, token: str) -> str | None:
        """Return the student to whom the hub gave `token`; `None` if that gives no access."""
        if not (token.isascii() and token.isprintable()):
            return None
        user = await self._ask(self._hub.user_for_token(token, use_cache=False, sync=False))
        if not user or user.get("kind") != "user":  # such as another service
            return None
        if not self._hub.check_scopes(self._hub.access_scopes, user):
            return None
        name = str(user["name"])
        if not _NAME.fullmatch(name):
            raise NotTaken(403, f"A student cannot have the name {name!r}. Tell your instructor.")
        return name

    async def visitor(self, request: Request) -> str | None:
        """Return the student who is logged in; `None` if nobody is, or if a script sent this."""
        session = request.cookies.get(_SESSION, "")
        is_script = request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate"
        if is_script or session not in self._sessions:
            return None
        student = await self.student_of(self._sessions[session])
        if student is None:
            self._sessions.pop(session, None)
        return student

    async def sender(self, request: Request, token: str) -> str | None:
        """Return the student who sends a form; `None` if its `token` is not the session's.

        No other site knows this token, so only the page of this server can send the form.
        """
        if not hmac.compare_digest(self.form_token(request).encode(), token.encode()):
            return None
        return await self.visitor(request)

    def form_token(self, request: Request) -> str:
        """Return the token for forms in a browser's session; no page of another site knows it."""
        return sha256(request.cookies.get(_SESSION, "").encode()).hexdigest()

    def to_login(self, request: Request) -> Response:
        """Return a response that sends a browser to the hub's login."""
        state = secrets.token_urlsafe(16)
        verifier, challenge, method = self._hub.generate_pkce_code_challenge()
        asked = {"state": state, "code_challenge": challenge, "code_challenge_method": method}
        place = f"{self._hub.login_url}&{urlencode(asked)}"
        return self._sent_to(place, request, _STATE, f"{state}.{verifier}", _LOGIN)

    async def log_in(self, request: Request) -> Response:
        """Begin a session for a browser that comes back from the hub's login."""
        state, _, verifier = request.cookies.get(_STATE, "").partition(".")
        sent = request.query_params.get("state", "")
        if not state or not hmac.compare_digest(state.encode(), sent.encode()):
            raise NotTaken(403, "This login was not begun here, or long ago. Go back, try again.")
        code = request.query_params.get("code", "")
        token = await self._ask(self._hub.token_for_code(code, code_verifier=verifier, sync=False))
        if await self.student_of(token) is None:
            raise NotTaken(403, "You are not in this course. Tell your instructor.")
        while len(self._sessions) >= _MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        session = secrets.token_urlsafe(32)
        self._sessions[session] = token
        response = self._sent_to(self.prefix, request, _SESSION, session, None)
        response.delete_cookie(_STATE, self.prefix)
        return response

    async def _ask(self, question: Awaitable[Any]) -> Any:
        """Return the hub's answer. Raise `NotTaken` if there is none."""
        try:
            async with asyncio.timeout(_PATIENCE):
                return await question
        except Exception as error:  # of the network, of tornado, of a hub that is ending
            said = "JupyterHub does not say who you are, so you cannot come in. Try again soon."
            raise NotTaken(503, said, 60) from error

    def _sent_to(
        self, place: str, request: Request, cookie: str, value: str, seconds: int | None
    ) -> Response:
        response = RedirectResponse(place, 302, {"Cache-Control": "no-store"})
        is_safe = request.url.scheme == "https"
        response.set_cookie(
            cookie, value, seconds, path=self.prefix, secure=is_safe, httponly=True, samesite="lax"
        )
        return response
