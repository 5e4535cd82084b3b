"""How long dealers have been at a table, and how long they have dealt without a break, from the facts
`dealer-seated` and `table-closed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import NamedTuple

from audit import database
from audit import facts as f

WALK = timedelta(minutes=10)
"""A dealer who leaves one table and sits down at another within this time has had no break."""


class Stint(NamedTuple):
    """The time of a dealer at one table. `ends` is None while the dealer is there."""

    dealer: str
    table: str
    begins: datetime
    ends: datetime | None


class Work(NamedTuple):
    """The dealer who is at a table now.

    Attributes:
        at_table: when the dealer came to this table.
        at_work: when the dealer began to work after the last break, perhaps at another table.
    """

    dealer: str
    at_table: datetime
    at_work: datetime


def works(property: str, streams: Sequence[str]) -> dict[str, Work]:
    """Return {table: work of its present dealer}.

    Args:
        property: the casino.
        streams: the last streams of its tables. The day before each of them is read too, because a dealer may
            deal across the change of the gaming day.
    """
    return current_work(stints(_seatings(property, streams)))


def stints(events: Iterable[f.DealerSeated | f.TableClosed]) -> list[Stint]:
    """Return the stints in these facts, which are sorted by table and then by time. A change of the
    supervisor alone does not end a stint.
    """
    result: list[Stint] = []
    for table, of_table in groupby(events, key=lambda event: event.table):
        current: Stint | None = None
        for event in of_table:
            dealer = event.dealer if isinstance(event, f.DealerSeated) else ""
            if current is not None and current.dealer != dealer:
                result.append(current._replace(ends=event.at))
                current = None
            if dealer and current is None:
                current = Stint(dealer, table, event.at, None)
        if current is not None:
            result.append(current)
    return result


def current_work(all_stints: Iterable[Stint]) -> dict[str, Work]:
    """Return {table: work of its present dealer}."""
    of_dealers: dict[str, list[Stint]] = {}
    for stint in sorted(all_stints, key=lambda stint: stint.begins):
        of_dealers.setdefault(stint.dealer, []).append(stint)
    work = {}
    for dealer, own in of_dealers.items():
        for stint in own:
            if stint.ends is None:
                work[stint.table] = Work(dealer, stint.begins, _last_break_before(stint, own))
    return work


def _last_break_before(stint: Stint, own: Sequence[Stint]) -> datetime:
    """Return the time since which a dealer has dealt without a break.

    Args:
        own: the dealer's stints, sorted by time.
    """
    begins = stint.begins
    for earlier in reversed(own):
        if earlier.ends is not None and earlier.begins < begins <= earlier.ends + WALK:
            begins = earlier.begins
    return begins


def _seatings(property: str, streams: Sequence[str]) -> list[f.DealerSeated | f.TableClosed]:
    names = {name for stream in streams for name in (stream, _day_before(stream))}
    query = """SELECT body FROM fact WHERE property = %s AND stream = ANY(%s)
        AND kind IN ('dealer-seated', 'table-closed') ORDER BY stream COLLATE "C", number"""
    events = [f.decode(bytes(body)) for (body,) in database.rows(query, [property, sorted(names)])]
    seatings = [event for event in events if isinstance(event, f.DealerSeated | f.TableClosed)]
    return sorted(seatings, key=lambda event: event.table)


def _day_before(stream: str) -> str:
    day = date.fromisoformat(stream[-10:])
    return f"{stream[:-10]}{day - timedelta(days=1)}"
