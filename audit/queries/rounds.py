"""Finished rounds as computed by the table fold, in the order of play. A list can begin after any round
without computing the earlier part of the day.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from itertools import chain
from typing import NamedTuple

from audit import database
from audit.facts import decode
from audit.ledger import store
from audit.queries.list_filters import Selection, streams
from audit.replay.ended_rounds import EndedRound
from audit.replay.fold import Fold
from games.kit.events import Event, TableOpened

PAGE = 2000
"""Number of facts that are read at a time."""


class FinishedRound(NamedTuple):
    """A finished round with the amounts wagered and moved, as the tally counts them.

    Attributes:
        number: the number of its first fact.
    """

    property: str
    stream: str
    number: int
    table: str
    day: date
    round: str
    game: str
    edition: str
    shift: str
    dealer: str
    opened_at: datetime
    ended_at: datetime
    voided: bool
    currency: str
    bets: int
    staked: int
    paid: int
    taken: int
    returned: int


def _finished_round(property: str, stream: str, ended: EndedRound) -> FinishedRound:
    """Return the row of the list for a finished round of a stream."""
    table, _, day = stream.rpartition("/")
    values = ended._asdict() | {
        "property": property,
        "stream": stream,
        "table": table,
        "day": date.fromisoformat(day),
    }
    return FinishedRound(*(values[name] for name in FinishedRound._fields))


def rounds(selection: Selection) -> Iterator[FinishedRound]:
    """Yield every finished round, by property, stream and order of play.

    The sums of a round can be computed from its own facts, because facts about the whole shoe do not change
    them.
    """
    after = selection.after
    from_streams, values = streams(selection)
    begins, keys = (
        ("", []) if after is None else (" AND (s.property, s.name) >= (%s, %s)", [after[0], after[1]])
    )
    query = (
        f"SELECT s.property, s.name {from_streams}{begins} AND s.name NOT LIKE s.property || '/house/%%'"
        " ORDER BY 1, 2"
    )
    left = selection.limit
    for property, stream in list(database.rows(query, [*values, *keys])):
        behind = after[2] if after is not None and (property, stream) == tuple(after[:2]) else 0
        for sums in _of_stream(property, stream, behind, selection.until):
            yield sums
            if left is not None:
                left -= 1
                if left == 0:
                    return


def _of_stream(property: str, stream: str, behind: int, until: int | None) -> Iterator[FinishedRound]:
    """Yield the finished rounds of a stream that begin after the fact with the number `behind`. That fact
    must be the first fact of a round.
    """
    fold = Fold(stream, learned=store.learned(property, stream, until))
    rounds: list[EndedRound] = []
    fold.rounds = rounds
    settings = _settings(property, stream, behind) if behind else []
    for number, event in chain(settings, _read(property, stream, behind if settings else 1, until)):
        fold.take(number, event)
        if rounds:
            yield from (_finished_round(property, stream, ended) for ended in rounds if ended.number > behind)
            rounds.clear()
            fold.findings.clear()


def _settings(property: str, stream: str, behind: int) -> list[tuple[int, Event]]:
    """Return the last opening and the last dealer before the fact with this number. A table fold needs only
    these two facts to continue from there.

    Return an empty list if the stream must be read from its start. This is the case if the table does not
    report the opening of rounds: any fact of a round then begins it, and only a full read shows which rounds
    are finished.
    """
    openings: list[tuple[int, Event]] = []
    last = """SELECT number, body FROM fact WHERE property = %s AND stream = %s AND number < %s
        AND kind IN ('table-opened', 'dealer-seated', 'round-opened', 'corrected') AND kind = %s
            ORDER BY number"""
    for kind in ("table-opened", "dealer-seated"):
        news = [
            (number, decode(bytes(body)))
            for number, body in database.rows(last, [property, stream, behind, kind])
        ]
        if any(isinstance(event, TableOpened) and "round-opened" not in event.sees for _, event in news):
            return []
        openings += news[-1:]
    return openings


def _read(property: str, stream: str, number: int, until: int | None) -> Iterator[tuple[int, Event]]:
    query = f"""SELECT number, body FROM fact WHERE property = %s AND stream = %s AND number >= %s
        AND (%s::bigint IS NULL OR position <= %s) ORDER BY number LIMIT {PAGE}"""
    while page := list(database.rows(query, [property, stream, number, until, until])):
        yield from ((place, decode(bytes(body))) for place, body in page)
        if len(page) < PAGE:
            return
        number = page[-1][0] + 1
