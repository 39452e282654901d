"""Handing in: `hand_in()` sends the notebook in which it is called to the instructor's server."""

import json
import os
import secrets
import time
from contextlib import suppress
from getpass import getpass
from html import escape
from http.client import HTTPException
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from course.browser_deadline import IS_BROWSER
from course.lessons import lessons
from course.plain_errors import ipython_shell, plainly
from course.refusal import Refusal

ADDRESS = "HAND_IN_ADDRESS"  # the environment variable with the address of `autograder serve`
TOKEN = "HAND_IN_TOKEN"
HUBS_TOKEN = "JUPYTERHUB_API_TOKEN"
SAVING = 10.0  # seconds to wait until the notebook is saved, on a busy machine
ANSWERING = 60.0  # seconds to wait for the server
# Only the page can save a notebook. So this script presses the page's button for it, again and
# again while the cell runs. The script is saved with the notebook. When the notebook is opened
# again, the script does nothing, because its cell does not run.
SAVE = """
const press = (left) => {
  const cell = element.closest(".jp-CodeCell");
  const item = cell?.closest(".jp-NotebookPanel")?.querySelector('[data-jp-item-name="save"]');
  const focused = document.activeElement;
  if (cell?.querySelector(".jp-InputPrompt")?.textContent.includes("*")) {
    item?.querySelector("jp-button, button")?.click();
    focused?.focus();
  }
  if (left) setTimeout(press, 200, left - 1);
};
press(50);
"""
NO_SERVER = (
    f"There is no server to hand in to: Jupyter has to be started with {ADDRESS}=https://… in its "
    "environment. Your instructor knows the address."
)
NO_PERSON = "This works in a notebook that you have opened in JupyterLab or Jupyter Notebook."
ON_SITE = "Here a lesson is handed in by the button Hand in above it, if your instructor has one."
NOT_REACHED = (
    "The server cannot be reached, so nothing was handed in. Your work is in your notebook, as "
    "always. Run this cell again later."
)
CHECKED_LATER = "It is checked soon. Run this cell again in a minute to read the answer."

_given: list[str] = []  # the token that was typed, for as long as the kernel runs


class _StaysThere(HTTPRedirectHandler):
    """A handler that follows no redirect, because the other server would get the token, too."""

    def redirect_request(self, *_: Any) -> None:
        return None


@plainly
def hand_in() -> None:
    """Save this notebook, hand it in, and show the server's answer.

    The server's address is in the environment variable `HAND_IN_ADDRESS`; the token is in
    `HAND_IN_TOKEN` or, on JupyterHub, in `JUPYTERHUB_API_TOKEN`. If there is no token, the learner
    has to type it, but only the first time. Raise `Refusal` if nothing was handed in.
    """
    path = _this_notebook()
    assignment = next((one.id for one in lessons() if one.notebook == path.name), None)
    if assignment is None:
        raise Refusal(f"{path.name} is no lesson's file, so nothing was handed in. Open the lesson")
    address = os.environ.get(ADDRESS, "").rstrip("/")
    if not address.startswith(("https://", "http://")):
        raise Refusal(NO_SERVER)
    token = _token()

    display: Any = import_module("IPython.display").display
    mark = f"// {secrets.token_hex(16)}"  # a file that has it was saved after the cell began
    script = {"application/javascript": mark + SAVE, "text/plain": ""}
    shown = display(script, raw=True, display_id=True)
    content, age = _saved(path, mark.encode())
    saved = "just now" if age is None else f"{age:.0f} seconds ago"
    shown.update({"text/plain": f"Handing in what was saved {saved} …"}, raw=True)
    try:
        sent = _without_output(content, mark)
        page = _send(f"{address}/hand-in", token, assignment, path.name, sent)
    except Refusal:
        shown.update({"text/plain": "Not handed in."}, raw=True)
        raise
    said = f"Handed in: {path.name}, as it was saved {saved}. {'' if page else CHECKED_LATER}"
    html = f"<p>{escape(said)}</p>"
    if page:  # `sandbox`: none of the page's scripts runs
        html += (
            '<iframe sandbox title="What was found" style="width: 100%; height: 30em; border: 1px '
            f'solid #888; background: #fff" srcdoc="{escape(page)}"></iframe>'
        )
    shown.update({"text/plain": said, "text/html": html}, raw=True)


def _this_notebook() -> Path:
    """Return the path of this notebook; raise `Refusal` if it has none, or if no person runs it."""
    if IS_BROWSER:
        raise Refusal(ON_SITE)
    kernel = getattr(ipython_shell(), "kernel", None)
    path = Path(os.environ.get("JPY_SESSION_NAME", ""))
    asked = {} if kernel is None else kernel.get_parent().get("content", {})
    # A program that runs all cells of a notebook allows no input.
    if not asked.get("allow_stdin") or path.suffix != ".ipynb":
        raise Refusal(NO_PERSON)
    if not path.is_file():
        renamed = f"There is no {path.name} any more. After a new name: Kernel → Restart Kernel"
        raise Refusal(renamed)
    return path


def _token() -> str:
    """Return the token from the environment, or else the one that the learner types.

    Raise `Refusal` if nothing was typed, or if a character cannot be part of a token.
    """
    found = os.environ.get(TOKEN) or os.environ.get(HUBS_TOKEN)
    if not found and not _given:
        typed = getpass("Your token, which you have from your instructor: ").strip()
        if not typed:
            raise Refusal("Nothing was handed in, because it needs your token.")
        _given.append(typed)
    token = found or _given[0]
    if not (token.isascii() and token.isprintable()):
        _given.clear()
        raise Refusal("This is no token. Run the cell again, and copy your token whole.")
    return token


def _saved(path: Path, mark: bytes) -> tuple[bytes, float | None]:
    """Wait until a notebook is saved with `mark` in it; return the content of its file, and `None`.

    If that does not happen in time, return the content as it is, and the file's age in seconds.
    """
    deadline = time.monotonic() + SAVING
    while time.monotonic() < deadline:
        content = path.read_bytes()
        if mark in content:
            with suppress(ValueError):  # the file may not be written to its end yet
                json.loads(content)
                return content, None
        time.sleep(0.05)
    return path.read_bytes(), time.time() - path.stat().st_mtime


def _without_output(content: bytes, mark: str) -> bytes:
    """Return a notebook without the output that contains `mark`, which is that of `hand_in()`.

    So an unchanged notebook is sent as the same bytes again, and the server counts it once.
    """
    if mark.encode() not in content:  # not saved in time: it is handed in as it is
        return content
    notebook = json.loads(content)
    for cell in notebook["cells"]:
        if mark in json.dumps(cell.get("outputs", [])):
            cell |= {"outputs": [], "execution_count": None}
            cell["metadata"].pop("execution", None)  # the times at which the cell ran
    return json.dumps(notebook).encode()


def _send(place: str, token: str, assignment: str, name: str, content: bytes) -> str:
    """Send a notebook to the address `place`; return the server's page, "" if there is none yet.

    Raise `Refusal` if the server cannot be reached, or does not take the notebook.
    """
    line = f"--{secrets.token_hex(16)}"
    part = f"{line}\r\nContent-Disposition: form-data; name="
    head = f'{part}"assignment"\r\n\r\n{assignment}\r\n{part}"file"; filename="{name}"\r\n\r\n'
    body = head.encode() + content + f"\r\n{line}--\r\n".encode()
    headers = {
        "Accept": "text/html, application/json",  # the answer is a page, a refusal is JSON
        "Authorization": f"Bearer {token}",
        "Content-Type": f"multipart/form-data; boundary={line[2:]}",
    }
    try:
        answer = build_opener(_StaysThere).open(Request(place, body, headers), timeout=ANSWERING)
        with answer:
            return "" if answer.status == 202 else answer.read().decode()
    except HTTPError as error:
        reason = f"The server has answered {error.code}. Tell your instructor."
        with error, suppress(ValueError, KeyError, TypeError, OSError):  # another program's answer
            reason = str(json.loads(error.read())["error"])
        if error.code == 401:
            _given.clear()
        raise Refusal(f"Nothing was handed in. {reason}") from None
    except (OSError, HTTPException):
        raise Refusal(NOT_REACHED) from None
