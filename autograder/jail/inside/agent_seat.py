"""An agent's seat at the board: makes the agent, and asks for its answer in each phase."""

import os
import random
from importlib import import_module
from typing import Any

from autograder.jail.inside.cells_for_agent import needed_cells
from autograder.wire import Encoder, WireError

Message = dict[str, Any]

# An agent has one thread: libraries that start more would fail.
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


class AgentSeat:
    """The place of one agent in one game."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._agent: Any = None
        self._game: Message = {}

    def sit(self, question: Message) -> Message:
        """Run the agent's program and make the agent; say if it has a method `skip`.

        From a notebook, only the cells that the agent needs are run. If a cell stops with an error,
        the names that it has defined before are kept. The `random` module is seeded with the seed
        in the question.
        """
        os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
        random.seed(question["seed"])
        self._game = {key: question[key] for key in ("player", "numbers")}
        rules = import_module("course.rules")  # as the lesson offers them
        own = self._shell.user_ns
        own.update({name: getattr(rules, name) for name in question["offered"]})
        stopped: Exception | None = None
        sources = question["sources"]
        if question["is_notebook"]:
            needed = needed_cells([source for _, source in sources])
            sources = [(sources[number][0], source) for number, source in needed]
        for name, source in sources:
            try:
                text = self._shell.transform_cell(source) if question["is_notebook"] else source
                exec(compile(text, name, "exec"), own)  # noqa: S102 — what a jail is for
            except Exception as error:
                if not question["is_notebook"]:
                    raise
                stopped = stopped or error
        try:
            if "Agent" in own:
                self._agent = own["Agent"]()
            elif "Player" in own:
                original = import_module("course.playing").OriginalAgent
                numbers = self._game["numbers"]
                self._agent = original(own["Player"], self._game["player"], numbers)
            else:
                raise NameError("there is no class Agent")
        except Exception:
            if stopped is None:
                raise
            raise stopped from None
        return {"skips": hasattr(self._agent, "skip")}

    def play(self, question: Message) -> Message:
        """Return the agent's answer in one phase, or describe an answer that cannot be sent.

        The agent gets a view of the game, which `course.playing` describes.
        """
        numbers, round_ = self._game["numbers"], question["round"]
        first, second = question["last"]
        own, other = question["time"]
        view = {
            "board": question["board"],
            "player": self._game["player"],
            "phase": question["phase"],
            "legal": [_answer(one) for one in question["legal"]],
            "round": round_,
            "rounds": len(numbers),
            "numbers": numbers[round_:],
            "last": {1: _answer(first), -1: _answer(second)},
            "time_left": own,
            "opponent_time_left": other,
        }
        if not view["legal"]:
            self._agent.skip(view)
            return {"value": None}
        ask = self._agent.place if view["phase"] == "place" else self._agent.push
        answer = ask(view)
        try:
            return {"value": Encoder().encode(answer)}
        except WireError:  # say its type, and the types in a tuple
            parts = answer if type(answer) is tuple else ()
            inside = ", ".join(type(part).__name__[:40] for part in parts[:4])
            return {"odd": type(answer).__name__[:80] + (f" of {inside}" if inside else "")}


def _answer(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
