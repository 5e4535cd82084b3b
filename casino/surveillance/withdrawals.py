"""Take back verdicts that were just given. The verdict stays in the ledger. A new fact says that it no longer
counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audit.facts.vocabulary import WITHDRAWN
from audit.review import projections, verdicts
from audit.review.verdicts import Verdict, exact
from casino.accounts.permissions import require
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.web.property_turn import in_turn
from casino.web.recording import property_fact, record


def withdraw(by: Person, property: str, positions: Sequence[int]) -> list[Verdict]:
    """Withdraw the verdicts that were recorded at these positions of the ledger, and return them. If one of
    them cannot be withdrawn, nothing is recorded. Raise ActionRejected or PermissionDenied.

    Only the officer who gave a verdict withdraws it, and only while it is the latest on its finding. The
    finding then needs a verdict again.
    """
    require(by, "give-verdict", property)
    with in_turn(property):
        given = verdicts.at_positions(property, positions)
        if not given or len(given) != len(set(positions)):
            raise ActionRejected("There is no such verdict. Reload the page.")
        if any(each.verdict.by != by.id for each in given):
            raise ActionRejected("Only the officer who gave a verdict withdraws it. Give another verdict.")
        if any(not each.counts for each in given):
            raise ActionRejected("There is a later verdict on this finding. Look at the hand again.")
        record(by, property, [_fact(by, property, each.verdict) for each in given])
        projections.follow(property)
    return [each.verdict for each in given]


def _fact(by: Person, property: str, given: Verdict) -> dict[str, Any]:
    """Return the fact that withdraws a verdict. It names the finding with the same fields as the verdict."""
    fields = {name: getattr(given, name) for name in ("finding", "code", "says")}
    amounts = {"owed": exact(given.owed), "moved": exact(given.moved)}
    nothing: dict[str, Any] = {"savings": 0, "losses": 0, "recovered": 0, "note_sha256": None, "video": []}
    return property_fact("verdict-given", by, property, verdict=WITHDRAWN, **fields, **amounts, **nothing)
