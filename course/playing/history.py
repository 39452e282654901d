"""The history of a match: every state that it had, and the way back."""

from collections import deque
from dataclasses import replace
from typing import Any

from course.playing.state import State

UNDOS = 100


class History:
    """The states of a match, from the first on; the last `UNDOS` turns can be taken back.

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
        """The state of the match as it is now."""
        return self.states[-1]

    @property
    def can_undo(self) -> bool:
        """True if there is a turn to take back."""
        return bool(self._memories)

    def stand(self, state: State) -> None:
        """Replace the last state, because the match has changed without a turn."""
        self.states[-1] = state

    def add(self, state: State, memory: Any) -> None:
        """Add the state after a turn; `memory` brings the player back to before that turn."""
        self.states.append(state)
        self._memories.append(memory)

    def back(self) -> Any:
        """Take the last turn back; return the memory that it was added with."""
        gone = self.states.pop()
        self.stand(replace(self.now, is_fair=gone.is_fair, is_celebrated=gone.is_celebrated))
        return self._memories.pop()
