"""Record the facts of suspicions of money laundering.

Only compliance may learn that there is a suspicion. People who read the ledger would notice its facts, or a
gap if these were left out. So these facts have a table and a chain of their own. They have the same shapes as
other facts and are validated in the same way. They cannot be changed unnoticed either: the journal of sealed
rows has an entry for each of them, and the daily anchor in the ledger covers the journal.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit import database
from audit.facts import Refused, canonical, check
from audit.facts.chain import FIRST, link
from audit.review.case_fold import CASE_KINDS
from casino.presentation.errors import ActionRejected
from casino.sealing import journal
from casino.web.recording import ALREADY_RECORDED, Fact

PREFIX = "S-"
"""The beginning of the number of a suspicion. Suspicions have a series of numbers of their own."""


def is_confidential(case: str) -> bool:
    """Return True if a case with this number is a suspicion."""
    return case.startswith(PREFIX)


def record(property: str, facts: Sequence[Fact]) -> None:
    """Record facts of suspicions in the caller's transaction. The transaction must hold the property's lock.
    Raise ActionRejected if a fact is not valid, or if it was recorded before.
    """
    query = "SELECT position, chain FROM confidential_fact WHERE property = %s ORDER BY 1 DESC LIMIT 1"
    position, chain = database.first_row(query, [property]) or (0, FIRST)
    for fact in facts:
        try:
            prepared = check(canonical(fact))
        except Refused as refused:
            raise ActionRejected(f"This cannot be recorded: {refused.why}.", refused.field or "") from None
        assert prepared.kind in CASE_KINDS
        assert prepared.property == property
        if was_recorded(property, fact["uid"]):
            raise ActionRejected(ALREADY_RECORDED)
        position += 1
        chain = link(bytes(chain), position, position, prepared.leaf)
        values = [property, position, fact["case"], prepared.kind, prepared.uid]
        values += [prepared.body, prepared.leaf, chain]
        journal.insert("confidential_fact", _INSERT, values)


def was_recorded(property: str, uid: str) -> bool:
    """Return True if a confidential fact has this uid."""
    query = "SELECT 1 FROM confidential_fact WHERE property = %s AND uid = %s"
    return database.first_row(query, [property, uid]) is not None


_INSERT = """INSERT INTO confidential_fact AS t (property, position, "case", kind, uid, body, leaf,
    chain) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"""
