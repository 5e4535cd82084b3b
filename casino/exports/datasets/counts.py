"""Counts, one by one in the order of commit, of trays (openers and closers) and of boxes (the count and the
recount), with the people who counted.

If a tray was counted several times, the last count is valid. The `state` of the earlier ones is `counted
again`, and they are in no sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import json

from audit import facts as f
from audit.queries import cage_facts
from audit.queries import facts as recorded
from audit.queries.facts import OtherFacts, Recorded
from audit.queries.list_filters import Selection
from audit.replay.recounts import Recounts
from audit.replay.tally import shift_of
from casino.exports.datasets import columns, timestamp
from casino.reports.columns import Row
from games.kit.amounts import decimal
from games.kit.events import kind_of

TITLE = "Counts"
EXAMPLE = {
    "property": "aurora",
    "position": 90400,
    "table": "aurora/EOU-01",
    "day": "2026-11-27",
    "shift": "swing",
    "kind": "drop-counted",
    "state": "stands",
    "box": "b-17",
    "currency": "USD",
    "amount": "4310.00",
    "papers_amount": None,
    "pieces": '{"10000":43,"1000":1}',
    "papers": None,
    "by": "n-101 n-102",
    "second": None,
    "at": "2026-11-28T14:30:00.000000Z",
    "recorded_at": "2026-11-28T14:30:01.200000Z",
    "stream": "aurora/EOU-01/2026-11-27",
    "number": 950,
    "uid": "5b3d7c52-0000-4000-8000-000000000003",
}
COLUMNS = columns(
    EXAMPLE,
    count=("position", "number"),
    day=("day",),
    instant=("at", "recorded_at"),
    money=("amount", "papers_amount"),
)
KEY = ("property", "position")
FILTERS = ("from", "to", "property", "table", "game", "kind")
ACT = "see-hold"
MADE_OF = "ledger"
KINDS = ("opener-counted", "closer-counted", "drop-counted", "count-verified")
_TRAYS = (f.OpenerCounted, f.CloserCounted)


def rows(selection: Selection) -> Iterator[Row]:
    """Yield one row for each count.

    `pieces` and `papers` are JSON as recorded. `by` is the person who counted, or the whole team for a box.
    `papers_amount` is the total of the vouchers and markers in a box; it is included in `amount`.
    """
    kinds = KINDS if selection.kind is None else (selection.kind,)
    for entry, other_facts in recorded.of_kinds(
        selection._replace(kind=None),
        kinds,
        ("opener-counted", "closer-counted", "box-pulled", "drop-counted"),
    ):
        fact, shift = entry.fact, _shift(entry, other_facts)
        currency = _currency(entry, shift, other_facts)
        pieces, people = _pieces_and_people(fact)
        papers = getattr(fact, "papers", None)
        yield (
            entry.property,
            entry.position,
            fact.table,
            fact.day.isoformat(),
            shift,
            kind_of(fact),
            "counted again" if _counted_again(entry, other_facts) else "stands",
            getattr(fact, "box", None),
            currency,
            decimal(fact.amount, currency),
            None if papers is None else decimal(sum(papers.values()), currency),
            _json(pieces),
            _json(papers),
            *people,
            timestamp(fact.at),
            timestamp(entry.recorded_at),
            entry.stream,
            entry.number,
            entry.uid,
        )


def _pieces_and_people(fact: Any) -> tuple[Any, tuple[str, str | None]]:
    if isinstance(fact, _TRAYS):
        return fact.chips, (fact.by, fact.second)
    return fact.notes, (" ".join(fact.team) if isinstance(fact, f.DropCounted) else fact.by, None)


def _shift(recorded: Recorded, other_facts: OtherFacts) -> str:
    """Return the shift of a count by the rules of the tally. A recount belongs to the shift of the first
    count of the same box. If there is no first count, it belongs to the shift in which the box was last
    pulled.
    """
    fact = recorded.fact
    if isinstance(fact, f.DropCounted):
        return fact.shift
    if isinstance(fact, f.CountVerified):
        if fact.shift is not None:
            return fact.shift
        before = [
            other.shift
            for at, other in other_facts.others
            if at < recorded.number
            and isinstance(other, f.BoxPulled | f.DropCounted)
            and other.box == fact.box
        ]
        if before:
            return before[-1] if len(set(before)) == 1 else _of_count(recorded) or before[-1]
    return shift_of(other_facts.opened(recorded.number), fact.at)


def _currency(recorded: Recorded, shift: str, other_facts: OtherFacts) -> str:
    """Return the currency of a count, as the tally uses it. For a tray, it is the table's currency at the
    time of the count. For a box, it is the table's currency when the box was pulled. For a box that was not
    pulled, it is the table's currency when the box was first counted.
    """
    places = [recorded.number]
    if not isinstance(recorded.fact, _TRAYS):
        of_box = [
            (at, other)
            for at, other in other_facts.others
            if at <= recorded.number
            and isinstance(other, f.BoxPulled | f.DropCounted)
            and (other.box, other.shift) == (recorded.fact.box, shift)
        ]
        pulls = [at for at, other in of_box if isinstance(other, f.BoxPulled)]
        places = pulls[-1:] or [at for at, _ in of_box][:1] or places
    opened = other_facts.opened(places[0])
    return opened.currency if opened is not None else ""


def _of_count(recorded: Recorded) -> str | None:
    """Return the shift of the first count that this recount repeats. A box may be pulled in several shifts,
    so the box alone does not give the shift.
    """
    recounts = Recounts()
    for fact in cage_facts.facts(recorded.property, [recorded.stream], ("drop-counted", "count-verified")):
        if isinstance(fact.event, f.DropCounted | f.CountVerified) and fact.number <= recorded.number:
            other = recounts.other(fact.event)
            if fact.number == recorded.number and other is not None:
                return other.shift
    return None


def _counted_again(recorded: Recorded, other_facts: OtherFacts) -> bool:
    """Return True if the same tray was counted again: the next tray count in the stream has the same kind,
    currency and shift.
    """
    if not isinstance(recorded.fact, _TRAYS):
        return False
    later = next(
        (
            (at, other)
            for at, other in other_facts.others
            if at > recorded.number and isinstance(other, _TRAYS)
        ),
        None,
    )
    return later is not None and _tray(recorded.number, recorded.fact, other_facts) == _tray(
        *later, other_facts
    )


def _tray(number: int, fact: Any, other_facts: OtherFacts) -> tuple[str, str, str]:
    opened = other_facts.opened(number)
    return kind_of(fact), opened.currency if opened is not None else "", shift_of(opened, fact.at)


def _json(value: Any) -> str | None:
    return None if value is None else json.encode(value).decode()
