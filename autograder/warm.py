"""The jail that each thread of a grading process keeps warm between submissions of a lesson."""

import atexit
import threading

from autograder.jail import Conditions, Jail


class WarmJails(threading.local):
    """One jail for each thread; it is replaced when the lesson or the conditions change."""

    def __init__(self) -> None:
        self._jail: Jail | None = None
        self._purpose: tuple[str, Conditions] | None = None

    def get(self, lesson_id: str, conditions: Conditions) -> Jail:
        """Return the jail for a lesson, and start it if there is none yet."""
        if self._jail is None or self._purpose != (lesson_id, conditions):
            self.close()
            jail = Jail(lesson_id, conditions.limits, conditions.confined, conditions.preload)
            self._jail = jail.__enter__()
            atexit.register(self._jail.close)
            self._purpose = (lesson_id, conditions)
        return self._jail

    def forget(self) -> None:
        """Forget the jail in a process that was just forked, because it belongs to the parent."""
        self._jail = None

    def close(self) -> None:
        """End the jail; the next submission gets a new one."""
        jail, self._jail = self._jail, None
        if jail is not None:
            atexit.unregister(jail.close)
            jail.close()
