"""Chance of a submission's own: the same each time it is graded."""

import random
from random import Random
from typing import Any

_SEED = 2048


def begin_chance() -> None:
    """Seeds what a program draws without a seed: from `random`, a new `Random()`, or `secrets`.

    So the same program always gets the same points, also one that tosses coins, as agents may.
    """
    chance, seed = Random(_SEED), Random.seed

    def begin(self: Random, start: Any = None, version: int = 2) -> None:
        seed(self, chance.getrandbits(128) if start is None else start, version)

    names: dict[str, Any] = vars(random)
    names["Random"].seed = begin
    names["seed"] = names["_inst"].seed  # was bound before
    names["_urandom"] = chance.randbytes
    random.seed(_SEED)
