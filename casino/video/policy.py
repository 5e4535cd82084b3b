"""The content security policy of pages that play recordings: media only from the registered recorders."""

from __future__ import annotations

from typing import Any, TypeVar

from django.http import HttpResponse

from casino.accounts.permissions import properties
from casino.reference.cameras import stream_origins

Response = TypeVar("Response", bound=HttpResponse)


def allow_recordings(response: Response, person: Any) -> Response:
    """Let a page play recordings of the properties where the person may see them. Without an address in the
    register `cameras`, the policy of the page stays as strict as that of every other page.
    """
    places = properties(person, "see-video")
    if places and (origins := stream_origins(places)):
        response._csp_update = {"media-src": origins}  # type: ignore[attr-defined]
    return response
