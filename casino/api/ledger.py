"""GET /api/v1/ledger: the head of each property's ledger, now or as of a position. Exports, also archived
ones, and proofs name the head from which they were built.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework.views import APIView

from audit.queries import heads
from audit.queries.heads import Head
from casino.accounts.permissions import properties
from casino.accounts.scopes import needs
from casino.api import rows
from casino.api import shapes as s
from casino.api.etags import HEADERS, IF_NONE_MATCH, NOT_MODIFIED, conditional_response
from casino.api.lists import AS_OF, PROPERTY, requested_position, requested_property
from casino.api.openapi import Answer, described
from casino.api.rows import LOCAL
from casino.exports.datasets import timestamp
from casino.reference import calendar

ACT = "see-facts"
HEAD = s.body(
    property=(s.TEXT, "aurora"),
    position=(s.COUNT, 92000, "The position of the last fact."),
    chain=(s.HASH, "c0" * 32, "The hash of the chain at that position."),
    recorded_at=(s.nullable(s.INSTANT), "2026-11-28T09:12:00.100000Z"),
    recorded_at_local=(LOCAL, "2026-11-28T01:12:00.100000-08:00"),
    day=(s.DAY, "2026-11-27", "The property's current gaming day."),
)


class Ledger(APIView):
    permission_classes = [needs("read:facts")]

    @described(
        "Heads of the ledgers",
        PROPERTY,
        AS_OF,
        IF_NONE_MATCH,
        responses={
            200: Answer.of(s.body(ledgers=s.items(HEAD)), "The head of each ledger.", HEADERS),
            304: NOT_MODIFIED,
        },
    )
    def get(self, request: Any) -> HttpResponse:
        """Return the last position of a ledger and the hash of the chain there. Without `property`, return
        them for each property at which the bearer may see facts. With `as_of`, return the hash at that
        position. If two answers have the same hash at a position, the ledgers have the same facts up to it,
        byte for byte.
        """
        query = request.query_params.dict()
        if "property" in query or "as_of" in query:
            property = requested_property(request, ACT)
            positions = [requested_position(query, property)]
        else:
            positions = [heads.head(property) for property in properties(request.user, ACT)]
            if not positions:
                requested_property(request, ACT)
        return conditional_response(
            request, rows.encoded({"ledgers": [_stands(position) for position in positions]})
        )


def _stands(head: Head) -> dict[str, Any]:
    day = calendar.gaming_day(head.property)
    at = None if head.recorded_at is None else timestamp(head.recorded_at)
    local = None if at is None else rows.Clocks(head.property).local(at, day.isoformat())
    return HEAD.of(head, recorded_at=at, recorded_at_local=local, day=day.isoformat())
