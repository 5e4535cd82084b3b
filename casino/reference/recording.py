"""Record register entries as facts of the property's stream, and update the projection."""

from __future__ import annotations

from django.utils import timezone

from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.reference import projection
from casino.reference.entries import Entry
from casino.reference.entry_facts import Signed, facts_of
from casino.reference.gaming_day import entries_of


def set_registers(property: str, entries: list[Entry], *, by: str, second: str) -> int:
    """Record register entries and update their tables. Return the number of new facts.

    Raise Refused if the ledger rejects an entry.
    """
    facts = facts_of(property, entries, entries_of(property), Signed(by, second, timezone.now()))
    results = intake.post(facts, Sender(by, frozenset({property})))
    projection.sync_registers(property)
    return sum(result.fresh for result in results)
