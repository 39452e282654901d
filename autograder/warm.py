"""The jail that each thread of a grading process keeps warm between submissions of a lesson."""

import atexit
import threading

from autograder.jail import Jail, Limits


class WarmJails(threading.local):
    """One jail a thread; another lesson gets another one. All have the same limits."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits
        self._jail: Jail | None = None
        self._purpose: tuple[str, bool] | None = None

    def get(self, lesson_id: str, confined: bool) -> Jail:
        """The jail for a lesson, started if there is none yet."""
        if self._jail is None or self._purpose != (lesson_id, confined):
            self.close()
            self._jail = Jail(lesson_id, self._limits, confined).__enter__()
            atexit.register(self._jail.close)
            self._purpose = (lesson_id, confined)
        return self._jail

    def close(self) -> None:
        """Ends the jail; the next submission gets a new one."""
        jail, self._jail = self._jail, None
        if jail is not None:
            atexit.unregister(jail.close)
            jail.close()
