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
INDEX = s.object_(
    bearer=s.described(s.TEXT, "The person or `PROPERTY/DEVICE` who owns the token."),
    scopes=s.described(s.array(s.TEXT), "The scopes of the token that its owner can use today."),
    expires=s.INSTANT,
    networks=s.described(s.array(s.TEXT), "The networks from which the token may be used; empty for all."),
    facts=s.TEXT,
    tables=s.TEXT,
    reports=s.TEXT,
    schema=s.TEXT,
    hold=s.TEXT,
    ledger=s.TEXT,
    certificates=s.TEXT,
    exports=s.TEXT,
    lists=s.described(s.object_(**dict.fromkeys(LISTS, s.TEXT)), "Name of a list to its address."),
    **{"see-table": s.array(s.TEXT), "post-facts": s.array(s.TEXT)},
)
EXAMPLE = {
    "bearer": "a-101",
    "scopes": ["read:reports", "export"],
    "expires": "2027-02-26T09:00:00Z",
    "networks": ["192.0.2.0/24"],
    "facts": "https://house.example/api/v1/facts",
    "tables": "https://house.example/api/v1/tables/{property}/{table}",
    "reports": "https://house.example/api/v1/reports",
    "schema": "https://house.example/api/v1/schema",
    **{name: f"https://house.example/api/v1/{name}" for name in ADDRESSES},
    "lists": {name: f"https://house.example/api/v1/{name}" for name in LISTS},
    "see-table": ["aurora"],
    "post-facts": [],
}


class Index(APIView):
    @described(
        "The token and its bearer",
        responses=Answer(
            INDEX, "Its owner, its scopes, and the properties at which it can be used.", EXAMPLE
        ),
    )
    def get(self, request: Any) -> Response:
        """Return the addresses, and the properties at which the bearer may use them."""
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
