"""GET /api/v1/tables/PROPERTY/TABLE: the stream to which a sender would now post."""

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
from casino.api.openapi import Answer, described, path_parameter, query_parameter

COUNT = s.described(
    s.COUNT, "The highest counter `n` that the source has sent in the stream; null if it sends none."
)
SETTINGS = s.described(
    {"type": "object"}, "The settings of the opening: pay tables, limits, kinds that the equipment reports."
)
STANDING = s.body(
    stream=(s.TEXT, "aurora/EOU-01/2026-11-27", "The stream for the table's next fact: PROPERTY/TABLE/DAY."),
    table=(s.TEXT, "aurora/EOU-01"),
    day=(s.DAY, "2026-11-27"),
    number=(s.COUNT, 412, "The number of the last fact in the stream."),
    sealed=(s.FLAG, False, "True if the day is closed and takes no more facts."),
    n=(s.nullable(COUNT), 398),
    round=(s.nullable(s.described(s.TEXT, "The current round.")), "r-0038"),
    game=(s.nullable(s.TEXT), "easy_over_under"),
    edition=(s.nullable(s.TEXT), "2010-02-05"),
    settings=(s.nullable(SETTINGS), {"pay_tables": {"spread": "A"}, "currency": "USD", "chip": 100}),
)


class OpenTable(APIView):
    permission_classes = [needs("read:tables")]

    @described(
        "The current stream of a table",
        path_parameter("property", s.PROPERTY, "The property.", example="aurora"),
        path_parameter(
            "table", s.TEXT | {"minLength": 1, "maxLength": NAME_LETTERS}, "The table.", example="EOU-01"
        ),
        query_parameter(
            "source",
            s.TEXT | {"minLength": 1, "maxLength": NAME_LETTERS},
            "The source whose counter `n` is returned; default: the device of the token.",
            example="shoe-7",
        ),
        responses=Answer.of(STANDING, "The stream for new facts of this table."),
    )
    def get(self, request: Any, property: str, table: str) -> Response:
        """Return the stream to which new facts of the table belong, the number of its last fact, and the
        current round.

        `n` is the sender's highest number in this stream. A sender that has lost its own count continues with
        the next number.
        """
        require(request.user, "see-table", property)
        opened = open_stream.of_table(property, table)
        if opened is None:
            raise Http404
        source = request.query_params.get("source") or (request.user.key if request.auth.device else "")
        count = open_stream.highest_count(property, opened["stream"], source) if source else None
        return Response(opened | {"n": count})
