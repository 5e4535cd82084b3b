"""GET /api/v1/tables/PROPERTY/TABLE: which stream a sender would post into now."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit import open_stream
from casino.api.scopes import needs
from casino.permissions import demand


class OpenTable(APIView):
    permission_classes = [needs("read:tables")]

    def get(self, request: Any, property: str, table: str) -> Response:
        """The table's last gaming day: its stream, the number of its last fact, and the round in play."""
        demand(request.user, "see-table", property)
        found = open_stream.of_table(property, table)
        if found is None:
            raise Http404
        return Response(found)
