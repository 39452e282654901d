"""The referee of games between two agents, which runs outside of the agents' processes.

The time of an agent is the processor time of its process (`jail/session.py`). So an agent loses no
time if the machine is busy, and gains none if it changes its own clock. While the referee asks one
agent, the process of the other agent is stopped, and no agent can start another process. So an
agent cannot think while its opponent does.
"""

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from signal import SIGCONT, SIGSTOP
from typing import Any

from autograder.course_adapter import ARENA, playing
from autograder.jail import Conditions, Crashed, Limits, TimedOut, WarmJail, WarmJails
from autograder.notebook.safe_text import printable
from autograder.tournament.entry import Entry
from autograder.wire import Decoder, WireError

_FORM = 1  # version of the saved games; games of another version are played again
LIMITS = Limits(processes=1, output=2**16)
_OFFERED = ["DIRECTIONS", "leader", "place", "push"]
_OFFERED += ["legal_directions", "legal_squares", "own_square"]

Side = tuple[Entry, WarmJail]


class Loses(Exception):  # noqa: N818 — what becomes of the agent
    """The error raised if an agent loses the game at once, with a reason and a detail."""


class JailedAgent:
    """One agent in its jail, with the seconds that it has `used` in the game.

    If `skips` is true, the agent has a method `skip`, and is asked even if no answer is legal.
    """

    def __init__(self, jail: WarmJail, seconds: float) -> None:
        self._session = jail.session()
        self._most = seconds
        self.used = 0.0
        self.skips = False

    def sit(self, entry: Entry, player: int, numbers: Sequence[int], seed: str) -> None:
        """Seat the agent for a game: run its program and create the agent.

        The time that this takes counts as the agent's. Raise `Loses` if it fails or takes too long.
        """
        said = self._ask(
            do="sit",
            player=player,
            numbers=list(numbers),
            seed=seed,
            sources=[list(source) for source in entry.sources],
            is_notebook=entry.is_notebook,
            offered=_OFFERED,
        )
        self.skips = said.get("skips") is True

    def play(self, match: "playing.Duel", opponent: "JailedAgent") -> Any:
        """Return the agent's answer in one phase as plain data; raise `Loses` if it gives none."""
        said = self._ask(
            do="play",
            phase=match.phase,
            round=match.round,
            board=match.board,
            legal=list(match.legal),
            last=[match.last[1], match.last[-1]],
            time=[max(0.0, one._most - one.used) for one in (self, opponent)],
        )
        if "odd" in said:
            odd = said["odd"]
            kind = printable(odd) if type(odd) is str and odd else "thing"
            kind = f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
            raise Loses(playing.Reason.ILLEGAL, f"{match.phase}: {kind} is no answer")
        try:
            return Decoder().decode(said.get("value"))
        except WireError as error:
            raise Loses(playing.Reason.CRASH, f"its answer makes no sense: {error}") from None

    def close(self) -> None:
        """End the agent's session, because the game is over."""
        self._session.close()

    def _ask(self, **question: Any) -> dict[str, Any]:
        try:
            self._session.signal(SIGCONT)
            said = self._session.ask(question, self._most - self.used)
        except TimedOut:
            raise Loses(playing.Reason.TIME, f"more than {self._most:g} s") from None
        except Crashed as lost:
            raise Loses(playing.Reason.CRASH, str(lost)) from None
        finally:
            self._session.signal(SIGSTOP)
            self.used = self._session.spent
        if self.used > self._most:
            raise Loses(playing.Reason.TIME, f"more than {self._most:g} s")
        if "error" in said:
            raise Loses(playing.Reason.ERROR, _error(said["error"]))
        return said


def play_game(
    first: Side,
    second: Side,
    numbers: Sequence[int],
    seed: str,
    seconds: float = playing.duel_engine.SECONDS,
) -> tuple["playing.Record", tuple[float, float]]:
    """Play one game of two agents, each in its own jail, and with `seconds` for the whole game.

    Return the record of the game, and the seconds that the two agents used.
    """
    match = playing.Duel(numbers)
    sides = {1: first, -1: second}
    players = {player: JailedAgent(jail, seconds) for player, (_, jail) in sides.items()}
    asked = 1
    try:
        for asked, (entry, _) in sides.items():
            players[asked].sit(entry, asked, numbers, f"{seed} {asked}")
        while not match.is_over:
            asked = match.player
            is_told = match.legal or players[asked].skips
            match.answer(players[asked].play(match, players[-asked]) if is_told else None)
    except Loses as loses:
        match.lose(asked, *loses.args)
    finally:
        for player in players.values():
            player.close()
    return match.record(), (players[1].used, players[-1].used)


def _error(said: Any) -> str:
    """Return an agent's error as one line: its name, its message, and the line of the program."""
    parts = said if type(said) is list and len(said) >= 4 else [None] * 4
    _, name, message, place = parts[:4]
    if type(name) is not str or type(message) is not str:
        return "an error that makes no sense"
    where = place if type(place) is list and [type(part) for part in place] == [str, int] else None
    return printable(f"{name}: {message}" + (f" ({where[0]}, line {where[1]})" if where else ""))


@dataclass(frozen=True)
class Terms:
    """The terms that all pairings of a tournament have in common.

    In a pairing, each agent plays `games` games as the first player, with `seconds` for each.
    """

    games: int = 10
    rounds: int = playing.duel_engine.ROUNDS
    seed: int = 1
    seconds: float = playing.duel_engine.SECONDS


@dataclass(frozen=True)
class Pairing:
    """Two agents, and the terms of their games; `confined` is true if the agents run in jails."""

    one: Entry
    other: Entry
    terms: Terms
    confined: bool = True

    @property
    def file(self) -> str:
        """The name of the file with the games: a hash of all that the games depend on."""
        entries = [(entry.name, entry.digest) for entry in (self.one, self.other)]
        text = json.dumps([_FORM, entries, asdict(self.terms)])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32] + ".json"


@dataclass(frozen=True)
class Played:
    """One game of a tournament: the names of its first and second player, and its result.

    Two games of a pairing have the same `number`, with each agent as the first player once.
    `winner`, `reason`, `detail` and `answers` are as in `playing.Record`. `seconds` are the times
    that the two players used; `wall` is the time from the beginning of the game to its end.
    """

    first: str
    second: str
    number: int
    winner: int
    reason: str
    detail: str
    answers: str
    seconds: tuple[float, float]
    wall: float


# One jail for the agent `one` of a pairing, one for the agent `other`.
_jails = WarmJails(), WarmJails()


def play_pairing(pairing: Pairing) -> list[Played]:
    """Play all games of a pairing and return them. Raise `JailMissing` if there is no jail.

    This process keeps the two jails for all pairings. The random numbers that both agents know
    depend on the seed and the number of the game, and not on who is the first player.
    """
    conditions = Conditions(pairing.confined, LIMITS)
    one = pairing.one, _jails[0].get(ARENA, conditions)
    other = pairing.other, _jails[1].get(ARENA, conditions)
    terms, played = pairing.terms, []
    for number in range(terms.games):
        numbers = playing.public_numbers(f"{terms.seed} {number}", terms.rounds)
        for first, second in ((one, other), (other, one)):
            begin = time.monotonic()
            seed = f"{terms.seed} {number} {first[0].name} {second[0].name}"
            record, used = play_game(first, second, numbers, seed, terms.seconds)
            wall = time.monotonic() - begin
            result = record.winner, record.reason, record.detail, record.answers
            played.append(Played(first[0].name, second[0].name, number, *result, used, wall))
    return played
