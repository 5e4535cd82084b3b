"""Read the hands in play now, and the largest amount that each of them can cost the casino under the rules of
its game.

Only stakes that have not been settled are counted. Each stake can win at most its largest net result in the
game's certificate. The figure is an upper limit: wagers that exclude each other are added up, and the cards
already dealt are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from msgspec import json

from audit import database
from audit.facts import decode
from audit.queries.floor import Now
from games import GAMES
from games.kit import events as e
from games.kit.certificate import certificate_of
from games.kit.events import Event
from games.kit.line import Line
from games.kit.round import Round
from games.kit.seat import Seat
from games.kit.table import EFFECTS

LONGEST = 3000
"""Maximum number of facts of a hand that are read."""
STAKES = (e.Bet, e.Bets, e.Unbet, e.Pull, e.Take, e.Pay, e.Settled, e.Return, e.Void)
"""Kinds of fact that change the stakes on the betting positions."""


class OpenWager(NamedTuple):
    """A stake in play, in minor units.

    Attributes:
        most: the largest amount that the player can win under the game's rules, or None if the wager has no
            certificate.
    """

    spot: str
    wager: str
    stake: int
    most: Fraction | None


class OpenHand(NamedTuple):
    """A hand in play with its unsettled stakes."""

    now: Now
    wagers: list[OpenWager]

    @property
    def staked(self) -> int:
        """Return the sum of the stakes in play."""
        return sum(wager.stake for wager in self.wagers)

    @property
    def most(self) -> Fraction:
        """Return the maximum amount that players can win on this hand: the sum of the maximums of its wagers.
        Wagers without a certificate are not in this sum.
        """
        return sum((wager.most for wager in self.wagers if wager.most is not None), Fraction(0))

    @property
    def unknown(self) -> int:
        """Return the number of wagers without a certificate."""
        return sum(wager.most is None for wager in self.wagers)


_FACTS = f"""SELECT s.stream, f.body FROM unnest(%s::text[]) AS s (stream)
    CROSS JOIN LATERAL (SELECT number FROM fact WHERE property = %s AND stream = s.stream
        AND kind IN ('table-opened', 'dealer-seated', 'round-opened', 'corrected') AND kind = 'round-opened'
        ORDER BY number DESC LIMIT 1) o
    CROSS JOIN LATERAL (SELECT number, body FROM fact WHERE property = %s AND stream = s.stream
        AND number >= o.number ORDER BY number LIMIT {LONGEST}) f
    ORDER BY s.stream, f.number"""


def open_hands(property: str, tables: Sequence[Now]) -> list[OpenHand]:
    """Return the hands in play at these tables, sorted by the amount that they can cost, the largest first.
    All hands are read with one query.
    """
    in_play = {table.stream: table for table in tables if table.is_open and table.round}
    facts: dict[str, list[Event]] = {stream: [] for stream in in_play}
    for stream, body in database.rows(_FACTS, [list(in_play), property, property]) if in_play else ():
        fact = decode(bytes(body))
        if fact.round == in_play[stream].round:
            facts[stream].append(fact)
    hands = [OpenHand(table, list(_open_wagers(table, facts[stream]))) for stream, table in in_play.items()]
    return sorted(hands, key=lambda hand: (-hand.most, hand.now.stream))


def _open_wagers(table: Now, facts: Sequence[Event]) -> Iterator[OpenWager]:
    game = GAMES.get(table.opened.game)
    if game is None:
        return
    opened = table.opened
    seat = Seat(
        game,
        edition=opened.edition,
        pay_tables=opened.pay_tables,
        decks=opened.decks,
        readings=opened.readings,
    )
    round = seat.hand(*(fact for fact in facts if isinstance(fact, STAKES) and type(fact) in EFFECTS))
    if round.voided is not None:
        return
    for line in round.lines.values():
        if line.stake and line.touch is None:
            yield OpenWager(line.spot, line.wager, line.stake, _most(round, line, opened))


def _most(round: Round, line: Line, opened: e.TableOpened) -> Fraction | None:
    times = largest_win(
        round.table.game.code,
        opened.edition,
        line.wager,
        json.encode(opened.pay_tables, order="sorted").decode(),
        opened.decks,
        json.encode(opened.readings, order="sorted").decode(),
    )
    return None if times is None else times * line.stake


@cache
def largest_win(
    game: str, edition: str, wager: str, pay_tables: str, decks: int, readings: str
) -> Fraction | None:
    """Return the largest net amount that a wager can win per unit of its stake, or None if the wager has no
    certificate. Return 0 for a wager whose win the certificate counts as a win of another wager.

    `pay_tables` and `readings`: the settings of the table's opening, as JSON.
    """
    certificate = certificate_of(GAMES[game])
    if certificate is None:
        return None
    try:
        case = certificate.case_of(
            edition,
            wager,
            pay_tables=json.decode(pay_tables),
            decks=decks,
            readings=json.decode(readings),
        )
    except KeyError:
        return None
    return Fraction(0) if case is None else max(Fraction(0), *certificate.chances(case))
