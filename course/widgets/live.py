"""Live widgets: what a view asks for is done in the kernel's main thread, and answered.

JupyterLab (since 4.4) sends the messages of widgets to a thread of their own, a subshell. There the
stop button does not reach, and a cell might run at the same time as a move. So whatever a message
asks for is handed over to the main thread, where the cells of the learner run.
"""

import asyncio
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from threading import current_thread, main_thread
from typing import Any
from uuid import uuid4

import anywidget
import traitlets

from course.endless_loops import IN_MOVE, IS_BROWSER, loops_end_in
from course.playing.calls import Stuck, message_of
from course.playing.note import note_of
from course.refusal import Refusal
from course.widgets.picture import board_html, show

DROPPED = {"kind": "dropped"}


class LiveWidget(anywidget.AnyWidget):
    """A widget with a saved picture, whose views may ask something of Python.

    Takes the traits that it starts with. A widget whose views ask anything has a `_reply`, which
    takes the content of a message.
    """

    saved_id = traitlets.Unicode("").tag(sync=True)

    def __init__(self, **state: Any) -> None:
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:  # no notebook: there is only one thread
            self._loop = None
        super().__init__(saved_id=uuid4().hex, **state)
        self.on_msg(self._receive)

    def _receive(self, _: Any, content: Any, buffers: Any) -> None:
        """Reply at once if this is the main thread; if not, as soon as that thread is free."""
        if self._loop is None or current_thread() is main_thread():
            with stop_button() if IS_BROWSER else nullcontext():
                self._reply(content)
        else:
            self._loop.call_soon_threadsafe(self._reply_interruptibly, content)

    def _reply_interruptibly(self, content: Any) -> None:
        with stop_button():
            self._reply(content)

    def _reply(self, content: Any) -> None:
        """Do what a message asks for; a widget that answers nothing leaves it at that."""


class LiveBoard(LiveWidget):
    """A board that is played on: keys, buttons and swipes come in as messages, turns go out.

    Moves are messages and not traits, because traits are throttled: of a burst of keys most would
    be lost. The trait `state` is what a new view, or a page loaded anew, starts from. `scheme` says
    which keys there are: `"eye"`, `"ear"`, or "" for what was chosen last in this browser.

    A kind of board has its `board`, and an `_answer` to the content of a message.
    """

    state: Any = traitlets.Dict().tag(sync=True)
    scheme = traitlets.Unicode("").tag(sync=True)
    is_new = traitlets.Bool(True).tag(sync=True)

    def __init__(self, state: dict[str, Any], keys: str | None = None) -> None:
        super().__init__(scheme=keys or "", state=sendable(state))

    def _ipython_display_(self) -> None:
        show(self, board_html(self.board), "Run this cell to play.")

    def _should_send_property(self, key: str, value: Any) -> bool:
        """Return false for the state: it is sent with the answer to a move, and not twice."""
        return key != "state" and bool(super()._should_send_property(key, value))

    def _reply(self, content: Any) -> None:
        """Answer one message of a view with one message, whatever happens."""
        try:
            self._post(content, self._answer(content))
        except KeyboardInterrupt:  # the stop button, a moment too late for the learner's code
            self._post(content, DROPPED)
        except BaseException as error:  # an unanswered board would wait for ever
            self._post(content, failure_message(error))

    def _answer(self, content: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def _post(self, content: Any, answer: dict[str, Any]) -> None:
        answer = sendable(answer)
        view = content.get("view") if isinstance(content, dict) else None
        self.send({**answer, "view": view})
        self.state = answer.get("state", self.state)


def check_arguments(
    call: str,
    known: Sequence[str],
    nameless: Sequence[Any],
    pieces: Mapping[str, Any],
    keys: str | None,
) -> None:
    """Raise `Refusal` for arguments that `play` or `play_duel`, which is the `call`, cannot use.

    `known` are the names of its pieces; the last one is that of a class or an object.
    """
    *functions, thing = known
    listed = f"It knows {', '.join(functions)} and {thing}."
    if nameless:
        given = getattr(nameless[0], "__name__", nameless[0])
        given = given if isinstance(given, str) and given.isidentifier() else functions[0]
        name = thing if isinstance(nameless[0], type) else given
        written = f"write {call}({name}={given})"
        raise Refusal(f"{call}() needs to know what is what: {written}. {listed}")
    for name, piece in pieces.items():
        if name not in functions:
            raise Refusal(f"{call}() does not know {name!r}. {listed}")
        if not callable(piece):
            raise Refusal(f"{name} must be a function, and this is {type(piece).__name__}")
    if keys not in (None, "eye", "ear"):
        raise Refusal(f"keys={keys!r} is not one of 'eye', 'ear'")


@contextmanager
def stop_button() -> Iterator[None]:
    """Let the stop button raise `KeyboardInterrupt` inside, as it does while a cell runs.

    In a browser, the button reaches nothing; there, a loop is stopped after a while.
    """
    if IS_BROWSER:
        with loops_end_in(IN_MOVE, KeyboardInterrupt):
            yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def failure_message(error: BaseException) -> dict[str, Any]:
    """Return the answer if there is no other: what happened, and that one can play on."""
    reason = f"{type(error).__name__}: {message_of(error)}".rstrip(": ")
    text = f"{reason}. Play on; if it happens again, run the cell of the board again."
    trouble = Stuck("The board could not do that.", text)
    return {"kind": "note", "note": note_of(trouble=trouble), "said": str(trouble)}


def sendable(value: Any) -> Any:
    """Return a value as a browser can receive it: lists for tuples, and text that can be encoded.

    >>> sendable({"said": "half a letter: \\ud83d", "square": (0, 1)})
    {'said': 'half a letter: ?', 'square': [0, 1]}
    """
    if isinstance(value, dict):
        return {name: sendable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [sendable(each) for each in value]
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    return value
