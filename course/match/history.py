"""The history of a match: every state that it had, and the way back."""

from collections import deque
from dataclasses import replace
from typing import Any

from course.match.state import State

UNDOS = 100


class History:
    """The states of a match, the first first; the last `UNDOS` turns can be taken back.

    >>> history = History(State([[2, 2]]))
    >>> history.add(State([[4, 2]], score=4), memory="as it was")
    >>> history.back(), history.now.board
    ('as it was', [[2, 2]])
    """

    def __init__(self, start: State) -> None:
        self.states = [start]
        self._memories: deque[Any] = deque(maxlen=UNDOS)

    @property
    def now(self) -> State:
        """How the match stands."""
        return self.states[-1]

    @property
    def can_undo(self) -> bool:
        """Whether there is a turn to take back."""
        return bool(self._memories)

    def stand(self, state: State) -> None:
        """The match stands otherwise than was known; no turn was played."""
        self.states[-1] = state

    def add(self, state: State, memory: Any) -> None:
        """A turn was played; `memory` is what brings its player back to before it."""
        self.states.append(state)
        self._memories.append(memory)

    def back(self) -> Any:
        """The last turn is taken back; returns the memory that it was added with."""
        gone = self.states.pop()
        self.stand(replace(self.now, is_fair=gone.is_fair, is_celebrated=gone.is_celebrated))
        return self._memories.pop()
