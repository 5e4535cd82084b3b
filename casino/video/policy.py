"""The content security policy of pages that play recordings. Media are allowed only from registered
recorders.
"""

from __future__ import annotations

from typing import Any, TypeVar

from django.http import HttpResponse

from casino.accounts.permissions import properties
from casino.reference.cameras import stream_origins

Response = TypeVar("Response", bound=HttpResponse)


def allow_recordings(response: Response, person: Any) -> Response:
    """Allow a page to play recordings of the properties at which the person may see recordings, and return
    the response. If the register `cameras` has no address, the policy of the page stays as strict as the
    policy of other pages.
    """
    places = properties(person, "see-video")
    if places and (origins := stream_origins(places)):
        response._csp_update = {"media-src": origins}  # type: ignore[attr-defined]
    return response
