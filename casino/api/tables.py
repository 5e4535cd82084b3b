"""GET /api/v1/tables/PROPERTY/TABLE: which stream a sender would post into now."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.facts import NAME_LETTERS
from audit.ledger import open_stream
from casino.accounts.permissions import require
from casino.accounts.scopes import needs
from casino.api import shapes as s
from casino.api.openapi import Answer, described, place

STANDING = s.obj(
    stream=s.told(s.TEXT, "Where the next fact of this table goes: PROPERTY/TABLE/DAY."),
    table=s.TEXT,
    day=s.DAY,
    number=s.told(s.COUNT, "Of its last fact."),
    sealed=s.told(s.FLAG, "The day is closed and takes no more facts."),
    round=s.maybe(s.told(s.TEXT, "The round in play.")),
    game=s.maybe(s.TEXT),
    edition=s.maybe(s.TEXT),
    settings=s.maybe(
        s.told(
            {"type": "object"}, "As the table was opened with: pay tables, limits, what its equipment sees."
        )
    ),
)
EXAMPLE = {
    "stream": "aurora/EOU-01/2026-11-27",
    "table": "aurora/EOU-01",
    "day": "2026-11-27",
    "number": 412,
    "sealed": False,
    "round": "r-0038",
    "game": "easy_over_under",
    "edition": "2010-02-05",
    "settings": {"pay_tables": {"spread": "A"}, "currency": "USD", "chip": 100},
}


class OpenTable(APIView):
    permission_classes = [needs("read:tables")]

    @described(
        "Where a table stands",
        place("property", s.PROPERTY, "The property.", example="aurora"),
        place("table", s.TEXT | {"minLength": 1, "maxLength": NAME_LETTERS}, "The table.", example="EOU-01"),
        gives=Answer(STANDING, "The stream that one would post into now.", EXAMPLE),
    )
    def get(self, request: Any, property: str, table: str) -> Response:
        """Return the table's last gaming day: its stream, the number of its last fact, and the current
        round.
        """
        require(request.user, "see-table", property)
        found = open_stream.of_table(property, table)
        if found is None:
            raise Http404
        return Response(found)
