"""Read who was at a finished hand."""

from __future__ import annotations

from typing import NamedTuple

from audit import database


class People(NamedTuple):
    """Who dealt and supervised a hand, the players whom its bets name, and the spots with bets."""

    dealer: str
    supervisor: str
    players: list[str]
    spots: list[str]


def people_of(property: str, stream: str, round: str) -> People | None:
    """Return who was at a hand, or None if no finished hand has this name."""
    query = """SELECT dealer, supervisor, players, spots FROM round_tally
        WHERE property = %s AND stream = %s AND round = %s ORDER BY number LIMIT 1"""
    row = database.first_row(query, [property, stream, round])
    if row is None:
        return None
    dealer, supervisor, players, spots = row
    return People(dealer, supervisor, sorted(players), sorted(spots, key=lambda spot: (len(spot), spot)))
