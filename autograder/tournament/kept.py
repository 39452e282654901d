"""Results of pairings on the disk: a tournament that was stopped goes on from there."""

import json
from pathlib import Path

from autograder.disk import put_file
from autograder.tournament.pairing import Pairing, Played


class Kept:
    """A folder with one file for each pairing that was played to its end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for scratch in folder.glob(".unfinished-*"):
            scratch.unlink(missing_ok=True)

    def games(self, pairing: Pairing) -> list[Played] | None:
        """Return the games of a pairing, if all were played; a damaged file counts as none."""
        try:
            data = json.loads(self._file(pairing).read_text("utf-8"))
            games = [Played.from_json(game) for game in data["games"]]
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return games if len(games) == 2 * pairing.terms.games else None

    def keep(self, pairing: Pairing, games: list[Played]) -> None:
        """Write the games of a pairing. Raise `OSError` if that cannot be done."""
        names = [pairing.one.name, pairing.other.name]
        data = {"pairing": names, "games": [game.as_json() for game in games]}
        put_file(self._file(pairing), json.dumps(data, ensure_ascii=False) + "\n")

    def _file(self, pairing: Pairing) -> Path:
        return self._folder / f"{pairing.key}.json"
