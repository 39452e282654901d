"""`predict(...)`: a question about the result of a call, which the learner answers by a click."""

from collections.abc import Sequence
from html import escape
from random import Random
from typing import Any
from zlib import crc32

import traitlets

from course import rules
from course.answer_comparison import same
from course.plain_errors import plainly
from course.playing.motion import why
from course.refusal import Refusal
from course.widgets.live_widget import LiveWidget
from course.widgets.static_html import board_html, call_motion, drawn, read, show


class PredictWidget(LiveWidget):
    """A question with answers to choose from; its view sends no messages to Python."""

    _esm = read("predict.js")
    _css = read("ask.css")
    question: Any = traitlets.Dict().tag(sync=True)

    def __repr__(self) -> str:
        return f"<what is {self.question['call']}?>"

    def _ipython_display_(self) -> None:
        shown = self.question["shown"]
        text = f"<code>{escape(shown['text'])}</code>"
        picture = board_html(shown["board"]) if shown["board"] else text
        show(self, picture, f"What is {self.question['call']}? Run this cell to answer.")


@plainly
def predict(name: str, *arguments: Any, options: Sequence[Any]) -> PredictWidget:
    """Ask a question: what does this function of the course give for these arguments?

    `name` is the name of the function, `options` are answers to choose from. The course's function
    gives the right answer, which is added to the options if it is missing. The options are
    shuffled, always into the same order, unless all of them are `True` or `False`. Raise `Refusal`
    if the course has no function of that name.
    """
    function = getattr(rules, name, None)
    if not callable(function):
        raise Refusal(f"predict() does not know {name!r}: it knows the functions of the course")
    right = function(*arguments)
    has_right = any(same(option, right) for option in options)
    answers = list(options) + ([] if has_right else [right])
    if not all(isinstance(answer, bool) for answer in answers):
        Random(crc32(repr((name, arguments)).encode())).shuffle(answers)
    call = f"{name}({', '.join(map(repr, arguments))})"
    return PredictWidget(
        question={
            "call": call,
            "shown": _part(arguments[0] if arguments else ""),
            "options": [_part(answer) for answer in answers],
            "right": next(i for i, answer in enumerate(answers) if same(answer, right)),
            "after": _part(right)["board"],
            "motion": call_motion(arguments, right),
            "why": why(name, arguments, right),
        }
    )


def _part(value: Any) -> dict[str, Any]:
    return {"text": repr(value), "board": drawn(value)}
