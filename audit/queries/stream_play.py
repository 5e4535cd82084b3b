"""Read the play of a few streams by wager and odds, for the estimated win of open tables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec import json

from audit import database


class Odds(NamedTuple):
    """The dimensions of the tally that determine the odds of a wager, in the order of
    `audit.queries.play.DIMENSIONS`.
    """

    game: str
    edition: str
    wager: str
    pay_table: str
    decks: str
    readings: str
    price_class: str


class WagerPlay(NamedTuple):
    """The sums of one wager of a stream in one currency, in minor units. In the row that counts whole rounds,
    `odds.wager` is empty.

    Attributes:
        handle: the stakes that were not returned.
        squared: the sum of the column `squared` of the tally.
        won: the amount that the casino took minus the amount that it paid, plus amounts that no fact reports
            as moved (`TableDay.unseen`).
    """

    stream: str
    currency: str
    odds: Odds
    handle: int
    squared: int
    won: int | Fraction


_SETTINGS = "SELECT stream, game, settings::text FROM examination WHERE property = %s AND stream = ANY (%s)"
_PLAY = """SELECT x.stream, t.* FROM examination x, LATERAL (
        SELECT currency, opening, wager, pay_table, price_class, parts::text, sum(unseen)::text,
            sum(staked - returned)::text, sum(squared)::text, sum(taken - paid)::text
        FROM tally WHERE property = x.property AND stream = x.stream
        GROUP BY currency, opening, wager, pay_table, price_class, parts OFFSET 0) t
    WHERE x.property = %s AND x.stream = ANY (%s)"""
"""SQL that adds up the play of each stream. The settings of the openings are read separately with
`_SETTINGS`, because with this query they would be parsed again for each row of play.
"""


def stream_play(property: str, streams: Sequence[str]) -> list[WagerPlay]:
    """Return the play of these streams, one row for each wager, odds and currency."""
    if not streams:
        return []
    values = [property, list(streams)]
    rows = list(database.prepared_rows(_PLAY, values))
    openings = {
        stream: (game, json.decode(settings))
        for stream, game, settings in database.prepared_rows(_SETTINGS, values)
    }
    settings: dict[tuple[str, int], tuple[str, str, str, str]] = {}
    odds: dict[tuple[Any, ...], Odds] = {}
    sums: dict[tuple[str, str, Odds], list[Any]] = {}
    for stream, currency, opening, wager, pay_table, price_class, parts, unseen, *numbers in rows:
        of_opening = settings.get((stream, opening))
        if of_opening is None:
            of_opening = _settings(*openings.get(stream, ("", [])), opening)
            settings[stream, opening] = of_opening
        place = (of_opening, wager, pay_table, price_class)
        if place not in odds:
            game, edition, decks, readings = of_opening
            odds[place] = Odds(game, edition, wager, pay_table, decks, readings, price_class)
        handle, squared, moved = map(int, numbers)
        won = moved if unseen == "0" else moved + Fraction(int(unseen), int(parts))
        of_wager = sums.setdefault((stream, currency, odds[place]), [0, 0, 0])
        of_wager[0] += handle
        of_wager[1] += squared
        of_wager[2] += won
    return [WagerPlay(*key, *amounts) for key, amounts in sums.items()]


def _settings(game: str, settings: list[list[Any]], opening: int) -> tuple[str, str, str, str]:
    """Return game, edition, decks and readings of an opening, in the same form as the dimensions in
    `audit.queries.play.DIMENSIONS`.
    """
    known = [*settings[opening - 1], *[None] * 6] if 0 < opening <= len(settings) else [None] * 6
    _, name, _, edition, decks, readings, *_ = known
    return (
        game if name is None else name,
        "" if edition is None else edition,
        "0" if decks is None else str(decks),
        "{}" if readings is None else json.encode(readings, order="sorted").decode(),
    )
