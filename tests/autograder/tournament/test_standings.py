"""The pairings and the standings of a tournament."""

from autograder.tournament.entry import Entry
from autograder.tournament.play_tournament import Standing, Tournament, pairings_of
from autograder.tournament.referee import Played, Terms


def test_everybody_plays_everybody_else_once():
    entries = [Entry(f"agent {number}", ()) for number in range(40)]
    pairings = pairings_of(entries, Terms(), confined=True)
    pairs = {frozenset((pairing.one.name, pairing.other.name)) for pairing in pairings}
    assert len(pairings) == len(pairs) == 780


def standings(names: str, games: list[tuple[str, str, int, str]]) -> list[Standing]:
    played = [
        Played(first, second, 0, winner, reason, "why", "", (1.0, 2.0), 0.0)
        for first, second, winner, reason in games
    ]
    return Tournament(list(names), Terms(), played).standings


def test_points_are_wins_and_half_of_the_draws_and_equal_ones_go_by_wins_then_by_name():
    games = [("a", "b", 1, "x"), ("b", "a", 0, "x"), ("a", "c", -1, "error"), ("c", "b", 1, "time")]
    rows = standings("abcd", games)
    table = [(row.name, row.points, row.wins, row.draws, row.losses) for row in rows]
    assert table == [
        ("c", 2, 2, 0, 0),
        ("a", 1.5, 1, 1, 1),
        ("b", 0.5, 0, 1, 2),
        ("d", 0, 0, 0, 0),
    ]
    assert (rows[1].reasons, rows[2].reasons) == ("error 1", "x 1, time 1")
    assert rows[2].details == {"x: why": 1, "time: why": 1}
    assert rows[2].against == {"a": 0.5, "c": 0}
    assert (rows[0].longest, rows[2].longest, rows[3].longest) == (2, 2, 0)
    even = [("a", "b", 1, ""), ("b", "a", 1, ""), ("c", "d", 0, ""), ("d", "c", 0, "")]
    assert [row.name for row in standings("dcba", even)] == ["a", "b", "c", "d"]
