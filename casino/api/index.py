"""GET /api/v1/: the bearer and the permissions of the token, and the addresses of the API."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response
from rest_framework.views import APIView

from casino.accounts.permissions import properties
from casino.accounts.scopes import of_token
from casino.api import shapes as s
from casino.api.lists import LISTS
from casino.api.openapi import Answer, described

ADDRESSES = ("hold", "ledger", "certificates", "exports")
ADDRESS = "https://house.example/api/v1"
INDEX = s.body(
    bearer=(s.TEXT, "a-101", "The person or `PROPERTY/DEVICE` who owns the token."),
    scopes=(
        s.array(s.TEXT),
        ["read:reports", "export"],
        "The scopes of the token that its owner can use today.",
    ),
    expires=(s.INSTANT, "2027-02-26T09:00:00Z"),
    networks=(
        s.array(s.TEXT),
        ["192.0.2.0/24"],
        "The networks from which the token may be used; empty for all.",
    ),
    facts=(s.TEXT, f"{ADDRESS}/facts"),
    tables=(s.TEXT, f"{ADDRESS}/tables/{{property}}/{{table}}"),
    reports=(s.TEXT, f"{ADDRESS}/reports"),
    schema=(s.TEXT, f"{ADDRESS}/schema"),
    **{name: (s.TEXT, f"{ADDRESS}/{name}") for name in ADDRESSES},
    lists=(
        s.object_(**dict.fromkeys(LISTS, s.TEXT)),
        {name: f"{ADDRESS}/{name}" for name in LISTS},
        "The address of each list, by its name.",
    ),
    **{"see-table": (s.array(s.TEXT), ["aurora"]), "post-facts": (s.array(s.TEXT), [])},
)


class Index(APIView):
    @described(
        "The token and its bearer",
        responses=Answer.of(INDEX, "The owner and the scopes of the token, and where it can be used."),
    )
    def get(self, request: Any) -> Response:
        """Return the owner of the token, the addresses of the API, and the properties at which the owner may
        use them.
        """
        bearer = request.user
        return Response(
            {
                "bearer": bearer.key if request.auth.device else bearer.pk,
                "scopes": of_token(request.auth),
                "expires": request.auth.expires_at,
                "networks": request.auth.networks,
                "facts": request.build_absolute_uri("facts"),
                "tables": request.build_absolute_uri("tables/") + "{property}/{table}",
                "reports": request.build_absolute_uri("reports"),
                "schema": request.build_absolute_uri("schema"),
                **{name: request.build_absolute_uri(name) for name in ADDRESSES},
                "lists": {name: request.build_absolute_uri(name) for name in LISTS},
                "see-table": properties(bearer, "see-table"),
                "post-facts": properties(bearer, "post-facts"),
            }
        )
