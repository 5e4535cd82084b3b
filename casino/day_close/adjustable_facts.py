"""The facts of a table's gaming day that an adjustment can name, for the form to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from audit.queries import cage_facts
from audit.queries.cage_facts import RecordedFact
from audit.queries.hold_attribution import wrong
from casino.day_close.queries import WHAT, TableDay
from casino.presentation.fact_descriptions import sentence
from casino.presentation.formatting import clock, finding_sentence
from casino.reports.definitions import dealer_errors

WHAT_OF_KIND = {
    "box-pulled": "drop",
    "drop-counted": "drop",
    "count-verified": "drop",
    "opener-counted": "opener",
    "closer-counted": "closer",
    "fill-sent": "fill",
    "credit-sent": "credit",
}
"""For each kind of fact that an adjustment can name: what is adjusted, a key of WHAT."""
HANDS = 200
"""Maximum number of facts of hands. Any other is named by a link from its finding."""


class AdjustableFact(NamedTuple):
    """A fact that the form offers: its uid, and what it says."""

    uid: str
    words: str


def adjustable_facts(
    property: str, table_day: TableDay, named: str, zone: tzinfo
) -> dict[str, list[AdjustableFact]]:
    """Return {label: facts} of what an adjustment of this day can name. On an open day, these are the counts
    whose variance is open. On a closed day, they are boxes without a count, counts, trays, fills, credits,
    and facts of play whose settlement was wrong.

    Args:
        property: the casino.
        table_day: the table and its gaming day.
        named: the uid of the fact in the URL or the form. If it is another fact of this day, it is added.
        zone: the time zone of the property.
    """
    stream = f"{table_day.table}/{table_day.day}"
    recorded = list(cage_facts.facts(property, [stream]))
    currencies = cage_facts.currencies(recorded)
    groups: dict[str, list[AdjustableFact]] = {}
    for fact in recorded:
        area = WHAT_OF_KIND.get(fact.kind, "")
        if area in table_day.adjusts and _is_offered(fact, table_day):
            currency = currencies.get(fact.event.uid, "")
            void = ", void" if cage_facts.is_void(fact, recorded) else ""
            words = f"{sentence(fact.event, currency)} ({currency}){void}, {clock(fact.event.at, zone)}"
            groups.setdefault(WHAT[area], []).append(AdjustableFact(fact.event.uid, words))
    if table_day.closed and (hands := list(_of_hands(property, stream))):
        groups[WHAT["settlement"]] = hands
    other = _other(property, stream, named, {fact.uid for facts in groups.values() for fact in facts})
    if other is not None:
        words = f"{sentence(other.event, table_day.currency)}, {clock(other.event.at, zone)}"
        groups["Other"] = [AdjustableFact(other.event.uid, words)]
    return groups


def _is_offered(fact: RecordedFact, table_day: TableDay) -> bool:
    """Return True if an adjustment of this day can name this fact of the cage or the count room."""
    if not table_day.closed:
        return fact.event.uid in table_day.disputed_counts
    return fact.kind != "box-pulled" or any(uid == fact.event.uid for _, _, uid in table_day.uncounted)


def _of_hands(property: str, stream: str) -> Iterator[AdjustableFact]:
    """Yield the facts of play with findings about wrong settlements, with the first sentence of each."""
    of_facts: dict[str, tuple[str, list[str]]] = {}
    for finding in wrong(property, stream, dealer_errors.CODES):
        hand = f"Hand {finding.round}: " if finding.round else ""
        _, says = of_facts.setdefault(finding.id.partition(":")[0], (hand, []))
        says.append(finding_sentence(finding.says).partition(". ")[0])
    for uid, (hand, says) in islice(of_facts.items(), HANDS):
        yield AdjustableFact(uid, hand + "; ".join(says))


def _other(property: str, stream: str, named: str, offered: set[str]) -> RecordedFact | None:
    """Return the named fact if it is of this stream and is not offered yet."""
    try:
        uid = UUID(named)
    except ValueError:
        return None
    fact = cage_facts.fact(property, uid) if str(uid) not in offered else None
    return fact if fact is not None and fact.stream == stream else None
