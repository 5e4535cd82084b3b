"""Read the facts of a gaming day other than play (openings, dealers, counts, slips, chips bought, boxes)
directly from the ledger.

Pages use it to show facts that were recorded a moment ago. Facts are neither judged nor added up here:
findings and sums come from the table fold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date, datetime
from typing import NamedTuple, cast
from uuid import UUID

from audit import database
from audit import facts as f
from audit.replay.boxes import Boxes
from audit.replay.recounts import Recounts
from audit.replay.voids import voids
from games.kit import events as e
from games.kit.events import Event, kind_of

SHAPES: tuple[type[Event], ...] = (*f.AT_THE_CAGE, f.DayClosed, e.DealerSeated, e.TableClosed, e.TableOpened)
KINDS = frozenset(map(kind_of, SHAPES))
"""The kinds of facts to read. Migration 0009 has an index for exactly these kinds."""
_LIST = ", ".join(f"'{kind}'" for kind in sorted(KINDS))
_COLUMNS = "stream, number, position, recorded_at, chain, body"
_OF_STREAMS = f"""SELECT {_COLUMNS} FROM fact WHERE property = %s AND stream = ANY (%s) AND kind IN ({_LIST})
    AND kind = ANY (%s)
    ORDER BY stream, number"""
_SERIALS = frozenset({"credit-sent", "fill-sent", "marker-issued", "marker-paid", "slip-voided"})
_OF_SLIP = f"""SELECT {_COLUMNS} FROM fact WHERE property = %s AND serial_of(body) = md5(%s)
    AND kind IN ({", ".join(f"'{kind}'" for kind in sorted(_SERIALS))}) ORDER BY position"""
_MARKERS = f"""SELECT w.slip, x.uid::text FROM unnest(%s::text[]) w (slip), LATERAL (
        SELECT uid FROM fact WHERE property = %s AND serial_of(body) = md5(w.slip)
            AND kind IN ({", ".join(f"'{kind}'" for kind in sorted(_SERIALS))}) AND kind = 'marker-issued'
        ORDER BY position LIMIT 1) x"""
_WITH_PAPERS = f"""SELECT DISTINCT stream FROM fact WHERE property = %s AND stream = ANY (%s)
    AND kind IN ({_LIST}) AND kind IN ('count-verified', 'drop-counted')
    AND position('"papers"'::bytea IN body) > 0 ORDER BY stream"""
_OF_UID = f"SELECT {_COLUMNS} FROM fact WHERE property = %s AND uid = %s"


class RecordedFact(NamedTuple):
    """A fact with its place in the ledger."""

    stream: str
    number: int
    position: int
    recorded_at: datetime
    chain: bytes
    body: bytes
    event: Event

    @property
    def kind(self) -> str:
        return kind_of(type(self.event))


class Day(NamedTuple):
    """A table's stream on one gaming day."""

    stream: str
    number: int
    sealed: bool

    @property
    def table(self) -> str:
        """Return the code of the table, without the property."""
        return self.stream.split("/", 2)[1]


def streams(property: str, day: date) -> list[Day]:
    """Return the streams of a property's tables on a gaming day, by name."""
    query = (
        "SELECT name, number, sealed FROM stream WHERE property = %s AND right(name, 10) = %s ORDER BY name"
    )
    prefix = f"{property}/{f.HOUSE}/"
    return [
        Day(stream, number, sealed)
        for stream, number, sealed in database.prepared_rows(query, (property, day.isoformat()))
        if not stream.startswith(prefix)
    ]


def unexamined(property: str, day: date) -> list[str]:
    """Return those streams of a property's tables on a gaming day that have facts without an examination."""
    query = """SELECT s.name FROM stream s
        LEFT JOIN examination x ON x.property = s.property AND x.stream = s.name
        WHERE s.property = %s AND right(s.name, 10) = %s AND coalesce(x.cursor, 0) < s.number
        ORDER BY s.name"""
    prefix = f"{property}/{f.HOUSE}/"
    rows = database.prepared_rows(query, (property, day.isoformat()))
    return [stream for (stream,) in rows if not stream.startswith(prefix)]


def open_before(property: str, day: date, limit: int | None = None) -> dict[str, list[date]]:
    """Return {table: days} of the gaming days before this one that are not closed. Tables are named
    `property/table`, and days are in order.

    Args:
        limit: the largest number of days to return. If it is None, all are returned.
    """
    query = """SELECT name FROM stream WHERE property = %s AND NOT sealed AND right(name, 10) < %s
        AND NOT starts_with(name, %s) ORDER BY name COLLATE "C" LIMIT %s"""
    values = (property, day.isoformat(), f"{property}/{f.HOUSE}/", limit)
    days: dict[str, list[date]] = {}
    for (name,) in database.prepared_rows(query, values):
        table, _, on = name.rpartition("/")
        days.setdefault(table, []).append(date.fromisoformat(on))
    return days


def last_day(property: str, before: date) -> date | None:
    """Return the last gaming day before `before` on which a table has facts, or None."""
    query = """SELECT max(right(name, 10)) FROM stream
        WHERE property = %s AND right(name, 10) < %s AND NOT starts_with(name, %s)"""
    values = (property, before.isoformat(), f"{property}/{f.HOUSE}/")
    ((last,),) = database.prepared_rows(query, values)
    return date.fromisoformat(last) if last is not None else None


def facts(property: str, streams: Collection[str], kinds: Collection[str] = KINDS) -> Iterator[RecordedFact]:
    """Yield the facts of these kinds in these streams, by stream and in the order of recording.

    Raises ValueError if one of the kinds is a kind of fact about play.
    """
    if strange := set(kinds) - KINDS:
        raise ValueError(f"there is no index of the facts of these kinds: {', '.join(sorted(strange))}")
    for row in database.prepared_rows(_OF_STREAMS, (property, sorted(streams), sorted(kinds))):
        yield _recorded(row)


def streams_with_papers(property: str, streams: Collection[str]) -> list[str]:
    """Return those of these streams in which a drop box was counted with papers (vouchers, markers)."""
    rows = database.prepared_rows(_WITH_PAPERS, (property, sorted(streams)))
    return [stream for (stream,) in rows]


def fact(property: str, uid: UUID) -> RecordedFact | None:
    """Return one fact of any kind, by its uid."""
    return next(map(_recorded, database.prepared_rows(_OF_UID, (property, uid))), None)


def of_slip(property: str, slip: str) -> list[RecordedFact]:
    """Return all facts that were recorded under a serial, in the order of commit: the facts that sent,
    issued, paid or voided a slip.
    """
    return [_recorded(row) for row in database.prepared_rows(_OF_SLIP, (property, slip))]


def issued_markers(property: str, slips: Collection[str]) -> dict[str, str]:
    """Return {serial: uid of the first fact that issued the marker}. A serial that was never issued is left
    out.
    """
    return dict(database.prepared_rows(_MARKERS, (sorted(set(slips)), property)))


def is_void(slip: RecordedFact, facts: Collection[RecordedFact]) -> bool:
    """Return True if a slip is void.

    Args:
        facts: the facts of its stream, or those recorded under its serial.
    """
    return any(voiding(slip, facts))


def voiding(slip: RecordedFact, facts: Collection[RecordedFact]) -> Iterator[f.SlipVoided]:
    """Yield the facts that voided a slip, in the order of recording. Only facts of the slip's own stream are
    searched.
    """
    serial = getattr(slip.event, "slip", "")
    for fact in facts:
        named = (
            isinstance(fact.event, f.SlipVoided) and fact.event.slip == serial and fact.stream == slip.stream
        )
        if named and voids(fact.number, fact.event.at, slip.number, slip.event.at):
            yield cast(f.SlipVoided, fact.event)


def _recorded(row: tuple[str, int, int, datetime, bytes, bytes]) -> RecordedFact:
    stream, number, position, recorded_at, chain, body = row
    return RecordedFact(
        stream, number, position, recorded_at, bytes(chain), bytes(body), f.decode(bytes(body))
    )


def currencies(facts: Iterable[RecordedFact]) -> dict[str, str]:
    """Return {uid: currency} for the facts of a stream. This is the currency in which replay counts the fact.
    A box and its counts have the currency in which the table was open when the box was pulled.

    Args:
        facts: all facts of the stream other than play, in the order of the stream.
    """
    of_facts: dict[str, str] = {}
    boxes, recounts, currency = Boxes(), Recounts(), ""
    for fact in facts:
        event = fact.event
        if isinstance(event, e.TableOpened):
            currency = event.currency
        elif isinstance(event, f.BoxPulled):
            boxes.pull(event.box, event.shift, currency)
        shift: str | None = None
        if isinstance(event, f.DropCounted):
            boxes.count(event.box, event.shift, currency)
            shift = event.shift
            recounts.other(event)
        elif isinstance(event, f.CountVerified):
            of = recounts.other(event)
            known = (event.shift, of.shift if of is not None else None, boxes.shifts.get(event.box))
            shift = next((known_shift for known_shift in known if known_shift is not None), None)
        of_facts[event.uid] = (
            currency if shift is None else boxes.currencies.get((getattr(event, "box", ""), shift), currency)
        )
    return of_facts
