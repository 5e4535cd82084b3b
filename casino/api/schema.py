"""GET /api/v1/schema: the whole API as OpenAPI 3.1; /api/v1/docs/: a page that shows this document, and loads
nothing from other servers.

Every person with a role and every device may read both, with a token or with a browser session. Other
addresses of the API do not accept a session.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import defaults
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator
from msgspec import json
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.views import APIView

from casino.accounts.permissions import ACTS, can
from casino.api.bearer import BearerToken
from casino.api.openapi import JSON, Answer, described
from casino.presentation import problem_document


class HasRole(BasePermission):
    """Permission for people who have a role at any property, and for devices."""

    message = "You have no role at any property."

    def has_permission(self, request: Any, view: Any) -> bool:
        return has_any_permission(request.user)


def has_any_permission(bearer: Any) -> bool:
    """Return True if this person or device has any permission at any property."""
    return (
        bearer is not None
        and bearer.is_authenticated
        and any(can(bearer, act, property) for property in bearer.roles for act in ACTS)
    )


class Schema(APIView):
    authentication_classes = [BearerToken, SessionAuthentication]
    permission_classes = [HasRole]

    @described(
        "This schema",
        responses=Answer(
            {"type": "object"},
            "An OpenAPI 3.1 document.",
            {"openapi": "3.1.0", "info": {"title": "Catwalk", "version": "1"}, "paths": {}},
        ),
        problems=(403,),
    )
    def get(self, request: Any) -> HttpResponse:
        """Return all addresses of the API, their parameters and answers, with examples, for programs that
        generate clients.
        """
        return HttpResponse(_schema(), content_type=JSON)


@cache
def _schema() -> bytes:
    # The schema is the same for everybody until the code changes, and it takes half a second to build.
    return json.encode(SchemaGenerator().get_schema(public=True))


@csrf_exempt  # This is not an API view, so it refuses other methods itself.
@csp_update(
    {"style-src": [UNSAFE_INLINE], "img-src": ["data:"]}
)  # Swagger needs these styles and images; only this page allows them.
def docs(request: HttpRequest) -> HttpResponse:
    """Show the schema as a page that loads only local files. Requests that are tried there go only to this
    server.
    """
    if request.method not in ("GET", "HEAD"):
        answer = problem_document.document(
            405, "method-not-allowed", f"{str(request.method)[:20]} cannot be used on a page."
        )
        answer["Allow"] = "GET, HEAD"
        return answer
    if not has_any_permission(request.user):
        return defaults.permission_denied(request, PermissionDenied("the addresses of the REST API"))
    return render(request, "api/docs.html")
