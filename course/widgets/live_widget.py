"""Live widgets: their views send messages to Python, which answers each of them.

A view is the drawing of a widget on a page; a widget may have several. JupyterLab (since 4.4) sends
the messages of views to a thread of their own, a subshell. The stop button does not reach this
thread, and a cell might run at the same time as a move. So the main thread gets each message.
"""

import asyncio
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import current_thread, main_thread
from typing import Any, Self
from uuid import uuid4

import anywidget
import traitlets

from course.browser_deadline import IN_MOVE, IS_BROWSER, loops_end_in
from course.plain_errors import ipython_shell
from course.playing.board_notes import Report
from course.playing.learner_calls import Stuck, message_of
from course.refusal import Refusal
from course.widgets.static_html import board_html, show

DROPPED = {"kind": "dropped"}


class LiveWidget(anywidget.AnyWidget):
    """A widget whose views send messages to Python; `_answer` returns the answer to each.

    The keyword arguments are the first values of traits: attributes that Python and the views
    share. `saved_id` marks the picture that takes the widget's place in a saved notebook. If
    `_answer` raises an error, the view gets a note: the sentence `failure`, then the error, and
    then the sentence `remedy`, which says what to do.
    """

    failure = "That did not work."
    remedy = "Try it once more; if it happens again, run this cell again."
    saved_id = traitlets.Unicode("").tag(sync=True)
    is_new = traitlets.Bool(True).tag(sync=True)

    def __init__(self, **state: Any) -> None:
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:  # no notebook: there is only one thread
            self._loop = None
        super().__init__(saved_id=uuid4().hex, **state)
        self.on_msg(self._receive)

    def _receive(self, _: Any, content: Any, buffers: Any) -> None:
        if self._loop is None or current_thread() is main_thread():
            self._reply(content, stop_button() if IS_BROWSER else nullcontext())
        else:
            self._loop.call_soon_threadsafe(self._reply, content, stop_button())

    def _reply(self, content: Any, stoppable: AbstractContextManager[None]) -> None:
        """Answer a message of a view with exactly one message, even after an error."""
        with stoppable:
            try:
                self._post(content, self._answer(content))
            except KeyboardInterrupt:  # the stop button, pressed after the learner's code had ended
                self._post(content, DROPPED)
            except BaseException as error:  # an unanswered view would wait for ever
                reason = f"{type(error).__name__}: {message_of(error)}".rstrip(": ")
                trouble = Stuck(self.failure, f"{reason}. {self.remedy}")
                told = {"note": Report().note(trouble), "said": str(trouble)}
                self._post(content, {"kind": "note", **told})

    def _answer(self, content: Any) -> dict[str, Any]:
        return DROPPED

    def _post(self, content: Any, answer: dict[str, Any]) -> None:
        view = content.get("view") if isinstance(content, dict) else None
        self.send(sendable({**answer, "view": view}))


class LiveBoard(LiveWidget):
    """A board to play on: its views send each key, button or swipe, and Python sends an answer.

    Moves are messages and not traits, because JupyterLab delays the changes of traits, and would
    lose most of a burst of keys. A new view starts from the trait `state`. `keys` is the set of
    keys: `"eye"`, `"ear"`, or `None` for the set that was chosen last in this browser. `other` is a
    game to which the person may go back, or `None`. A subclass defines `board`, `_answer`, the word
    `kind` for its games, and `_moves(game)`, the number of moves that would be lost with a game.
    """

    state: Any = traitlets.Dict().tag(sync=True)
    scheme = traitlets.Unicode("").tag(sync=True)
    back = traitlets.Unicode("").tag(sync=True)
    kind = "game"
    failure = "The board could not do that."
    remedy = "Play on; if it happens again, run the cell of the board again."

    def __init__(self, game: Any, state: dict[str, Any], keys: str | None = None) -> None:
        super().__init__(scheme=keys or "", state=sendable(state))
        self.game, self.other = game, None

    def after_earlier_run(self) -> Self:
        """Return this board; offer the game of the cell's earlier run if moves would be lost."""
        before = _board_of_earlier_run(self)
        if before is not None and before.kind == self.kind:
            is_lost = before._moves(before.game) and before.board != self.board
            self._offer(before.game if is_lost else before.other)
        return self

    def _go_back(self) -> None:
        left, self.game = self.game, self.other
        self._offer(left)

    def _offer(self, game: Any) -> None:
        moves = self._moves(game) if game is not None else 0
        self.other = game if moves else None
        counted = "1 move" if moves == 1 else f"{moves} moves"
        self.back = f"Back to the {self.kind} before ({counted})" if moves else ""

    def _moves(self, game: Any) -> int:
        raise NotImplementedError

    def _ipython_display_(self) -> None:
        show(self, board_html(self.board), "Run this cell to play.")

    def _should_send_property(self, key: str, value: Any) -> bool:
        """Do not send the trait `state`, because each answer has sent the state already."""
        return key != "state" and bool(super()._should_send_property(key, value))

    def _post(self, content: Any, answer: dict[str, Any]) -> None:
        super()._post(content, answer)
        self.state = sendable(answer.get("state", self.state))


def check_arguments(
    call: str,
    known: Sequence[str],
    nameless: Sequence[Any],
    pieces: Mapping[str, Any],
    keys: str | None,
) -> None:
    """Raise `Refusal` if the function named `call`, `play` or `play_duel`, gets wrong arguments.

    `known` are its names for arguments: those for functions, then one for a class or an object.
    `nameless` are the arguments that were passed without a name, `pieces` those passed by name.
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
    """Let the stop button raise `KeyboardInterrupt` in the `with` block, as it does in a cell.

    If Python runs in a browser, no button reaches it: there the block is stopped after `IN_MOVE`
    seconds instead.
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


def sendable(value: Any) -> Any:
    """Return a value as a browser can receive it: lists for tuples, "?" for half a letter.

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


# A dictionary from the ids of cells that make boards to triples: the id of the message that asked
# for the cell's last run, the boards of the last run, and the boards of the run before.
_cells: dict[str, tuple[str, list[Any], list[Any]]] = {}


def _board_of_earlier_run(board: LiveBoard) -> Any:
    """Remember a new board, and return the board that it replaces, or `None`.

    A board replaces one that the same cell made in its run before. If a cell makes several boards,
    its first board replaces the first board of the run before, and so on.
    """
    kernel = getattr(ipython_shell(), "kernel", None)
    message = kernel.get_parent() if kernel is not None else {}
    cell, run = message.get("metadata", {}).get("cellId"), message.get("header", {}).get("msg_id")
    if not cell:
        return None
    last, made, before = _cells.get(cell, ("", [], []))
    if last != run:
        made, before = [], made
    _cells[cell] = run, [*made, board], before
    return next(iter(before[len(made) :]), None)
