"""GET /api/v1/: who the token is of, what it may, and what there is."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response
from rest_framework.views import APIView

from casino.permissions import properties


class Index(APIView):
    def get(self, request: Any) -> Response:
        """The addresses, and where the bearer may use them."""
        who = request.user
        return Response(
            {
                "bearer": who.key if request.auth.device else who.pk,
                "scopes": request.auth.scopes,
                "expires": request.auth.expires_at,
                "facts": request.build_absolute_uri("facts"),
                "tables": request.build_absolute_uri("tables/") + "{property}/{table}",
                "reports": request.build_absolute_uri("reports"),
                "see-table": properties(who, "see-table"),
                "post-facts": properties(who, "post-facts"),
            }
        )
