"""Read what must be announced about a property: new findings, and facts that end findings, give verdicts,
flag hands or close days.

A finding is announced once. The number of the event that announced it is stored in the row of the finding, so
there is no second list that could differ. Rows are locked while they are announced. A finding that is being
written or deleted at that moment is announced later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from audit import database
from audit.facts import decode, decode_or_none
from audit.ledger import store
from audit.ledger.currency import currency_at
from games.kit.events import Event

KINDS = frozenset({"verdict-given", "flagged", "day-closed", "reexamined"})
"""The kinds of facts that are announced."""


class NewFinding(NamedTuple):
    """A finding that has not been announced. `owed` and `moved`: exact minor units, as text."""

    id: str
    stream: str
    number: int
    uid: str
    round: str | None
    code: str
    grade: str
    spot: str | None
    wager: str | None
    owed: str | None
    moved: str | None
    says: str
    cite: str
    slip: str | None
    currency: str | None


def lock_new_findings(property: str, limit: int) -> list[NewFinding]:
    """Return findings that have not been announced, by stream and number, and lock them until the
    transaction ends.
    """
    return database.records(NewFinding, _NEW, [property, limit])


def mark_announced(property: str, numbers: Iterable[tuple[str, int]]) -> None:
    """Record in the rows of findings that they were announced.

    Args:
        property: the property.
        numbers: for each finding, its id and the number of the event that announced it.
    """
    pairs = list(numbers)
    if pairs:
        ids, events = zip(*pairs, strict=True)
        database.execute(_MARK, [list(ids), list(events), property])


def facts_since(
    property: str, after: int, upto: int, *, is_whole: bool = True
) -> Iterator[tuple[int, str, Event]]:
    """Yield (position, stream, fact) for facts of the announced kinds, in the order of commit.

    Args:
        property: the property.
        after: the position before the first one to read.
        upto: the last position to read.
        is_whole: True to raise an error for a row without a valid fact, False to skip such a row.
    """
    for position, stream, _, body in store.read_kinds(property, KINDS, after):
        if position > upto:
            return
        if (event := decode(body) if is_whole else decode_or_none(body)) is not None:
            yield position, stream, event


def places_of(property: str, uids: Collection[str]) -> dict[str, tuple[str, int, str | None]]:
    """Return {uid: (stream, number, round)} of these facts."""
    query = "SELECT uid::text, stream, number, round FROM fact WHERE property = %s AND uid = ANY(%s::uuid[])"
    rows = database.rows(query, [property, list(uids)]) if uids else []
    return {uid: (stream, number, round) for uid, stream, number, round in rows}


def properties_with_news() -> list[str]:
    """Return the properties with findings that have not been announced."""
    query = """SELECT property FROM head h WHERE EXISTS (
        SELECT FROM finding f WHERE f.property = h.property AND f.announced IS NULL)"""
    return [row[0] for row in database.rows(query)]


def alert_facts(property: str) -> list[tuple[int, Event]]:
    """Return every fact that sets an alert rule or a webhook, with its position, in the order of commit. A
    separate index contains these facts.
    """
    rows: Sequence[tuple[Any, ...]] = database.rows(_ALERT_FACTS, [property])
    return [(position, decode(bytes(body))) for position, body in rows]


_NEW = f"""SELECT f.id, f.stream, f.number, f.uid::text AS uid, f.round, f.code, f.grade, f.spot, f.wager,
        f.owed, f.moved, f.says, f.cite, f.slip,
        {currency_at("f.property", "f.stream", "f.number")} AS currency
    FROM finding f
    WHERE f.property = %s AND f.announced IS NULL
    ORDER BY f.stream, f.number, f.id LIMIT %s FOR UPDATE OF f SKIP LOCKED"""
_MARK = """UPDATE finding f SET announced = e.number
    FROM unnest(%s::text[], %s::bigint[]) AS e (id, number) WHERE f.property = %s AND f.id = e.id"""
_ALERT_FACTS = """SELECT position, body FROM fact
    WHERE property = %s AND kind IN ('alert-rule-set', 'webhook-set') ORDER BY position"""
