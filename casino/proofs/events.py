"""Prove the stream of events: its numbers have no gaps, it has exactly the events that the facts produce, and
each announced finding has its event.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import json

from audit import database
from audit.proofs.registry import Fault, RowCount
from audit.queries import announce
from casino.alerts import sources

EVENT, STREAM = "event", "event_stream"
FROM_FACTS = [*sources.NO_LONGER_MADE, sources.VERDICT, sources.FLAG, sources.CLOSED]


def prove(count: RowCount) -> Iterator[Fault]:
    """Compare the events of all properties with facts and findings, and yield a fault for each difference."""
    query = "SELECT property, number, position, began FROM event_stream ORDER BY property"
    streams = [(property, *(value or 0 for value in of)) for property, *of in database.rows(query)]
    heads = {property: position or 0 for property, position in database.rows(_HEADS)}
    for property, number, position, began in streams:
        count.add(STREAM)
        if not 0 <= began <= position <= heads.get(property, 0):
            says = f"positions {began} to {position} are stored, the ledger ends at {heads.get(property, 0)}"
            yield Fault(STREAM, property, "changed", says)
        yield from _numbers(property, number, count)
        yield from _facts(property, began, min(position, heads.get(property, 0)))
        yield from _findings(property, began)
    for property in sorted(heads.keys() - {stream[0] for stream in streams}):
        yield from _findings(property, 0)
    unknown = database.rows(
        "SELECT DISTINCT property FROM event WHERE NOT property = ANY(%s)",
        [[stream[0] for stream in streams]],
    )
    for (property,) in unknown:
        yield Fault(EVENT, property, "unknown", "there are events, but no stream of events")


def _numbers(property: str, last: int, count: RowCount) -> Iterator[Fault]:
    query = (
        "SELECT count(*), coalesce(min(number), 1), coalesce(max(number), 0) FROM event WHERE property = %s"
    )
    total, first, highest = database.rows(query, [property])[0]
    count.add(EVENT, total)
    if (total, first, highest) != (last, 1, last):
        says = f"{total} events are numbered {first} to {highest}; the stream ends at {last}"
        yield Fault(EVENT, property, "missing", says)


def _facts(property: str, began: int, position: int) -> Iterator[Fault]:
    """Produce the events again from the facts, compare them in order with the stored events, and yield a
    fault at the first difference. Flags that are older than the first stored event of a flag are left out,
    because earlier versions of Catwalk made no events of flags.
    """
    flags = database.first_row(_FIRST_FLAG, [property, sources.FLAG])
    first_flag = position + 1 if flags is None else flags[0]
    facts = announce.facts_since(property, began, position, is_whole=False)
    drafts = [
        draft
        for draft in sources.of_facts(property, facts)
        if draft.type != sources.FLAG or draft.data["position"] >= first_flag
    ]
    query = """SELECT number, type, subject, data::text FROM event
        WHERE property = %s AND type = ANY(%s) ORDER BY number"""
    stored = database.rows(query, [property, FROM_FACTS])
    for draft, row in zip(drafts, stored, strict=False):
        expected = (draft.type, draft.subject, json.decode(json.encode(draft.data)))
        if expected != (row[1], row[2], json.decode(row[3])):
            says = f"{row[1]} {row[2]} is stored, the facts give {draft.type} {draft.subject}"
            yield Fault(EVENT, f"{property} event {row[0]}", "changed", says)
            return
    if len(drafts) != len(stored):
        says = f"{len(stored)} events about facts are stored, the facts give {len(drafts)}"
        yield Fault(EVENT, property, "missing", says)


def _findings(property: str, began: int) -> Iterator[Fault]:
    """Yield a fault for each finding whose column `announced` does not contain the number of the last event
    about it. In a property without a stream of events, no finding may be announced.
    """
    for id, announced, number in database.rows(_ANNOUNCED, {"property": property, "began": began}):
        says = f"announced is stored as {announced}, the number of the finding's last event is {number}"
        yield Fault("finding", f"{property} {id}", "changed", says)


_FIRST_FLAG = """SELECT (data ->> 'position')::bigint FROM event
    WHERE property = %s AND type = %s ORDER BY number LIMIT 1"""
_HEADS = "SELECT property, position FROM public.head"
_ANNOUNCED = """SELECT f.id, f.announced, e.gained FROM finding f
    LEFT JOIN LATERAL (SELECT max(number) FILTER (WHERE type = 'finding.gained') AS gained,
            max(number) FILTER (WHERE type IN ('finding.withdrawn', 'finding.lost')) AS ended
        FROM event e WHERE e.property = f.property AND e.subject = f.id
            AND e.type IN ('finding.gained', 'finding.withdrawn', 'finding.lost')) e ON true
    WHERE f.property = %(property)s AND CASE
        WHEN f.announced > 0 THEN f.announced IS DISTINCT FROM e.gained
        WHEN f.announced IS NULL THEN e.gained > coalesce(e.ended, 0)
        ELSE e.gained IS NOT NULL OR %(began)s = 0 END
    ORDER BY 1 LIMIT 100"""
"""Selects the findings whose column `announced` differs from the number of their last event. The column is
null until the finding is announced, and 0 if the finding is older than the stream of events.
"""
