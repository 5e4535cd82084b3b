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

    A verdict can be withdrawn only by the officer who gave it, and only while its finding has no later
    verdict. After that, the finding needs a verdict again.
    """
    require(by, "give-verdict", property)
    with in_turn(property):
        rows = verdicts.at_positions(property, positions)
        if not rows or len(rows) != len(set(positions)):
            raise ActionRejected("There is no such verdict. Reload the page.")
        if any(row.verdict.by != by.id for row in rows):
            raise ActionRejected(
                "Only the officer who gave a verdict can withdraw it. Give another verdict instead."
            )
        if any(not row.counts for row in rows):
            raise ActionRejected("There is a later verdict on this finding. Look at the hand again.")
        record(by, property, [_fact(by, property, row.verdict) for row in rows])
        projections.follow(property)
    return [row.verdict for row in rows]


def _fact(by: Person, property: str, verdict: Verdict) -> dict[str, Any]:
    """Return the fact that withdraws a verdict. It names the finding with the same fields as the verdict."""
    fields = {name: getattr(verdict, name) for name in ("finding", "code", "says")}
    amounts = {"owed": exact(verdict.owed), "moved": exact(verdict.moved)}
    zeros: dict[str, Any] = {"savings": 0, "losses": 0, "recovered": 0, "note_sha256": None, "video": []}
    return property_fact("verdict-given", by, property, verdict=WITHDRAWN, **fields, **amounts, **zeros)
