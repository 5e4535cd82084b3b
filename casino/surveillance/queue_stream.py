"""The event stream of the live queue: hands that have changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpRequest
from django.views.decorators.http import require_safe

from audit.review import queue_changes
from casino.web import request_params
from casino.web.streams import Event, for_sessions, open_stream


class QueueFeed:
    """Sends events with the hands that have changed. The ID of an event is a moment (`queue_changes`)."""

    act = "see-queue"

    def heads(self, properties: Iterable[str]) -> dict[str, str]:
        """Return the present moment for each property."""
        return dict.fromkeys(properties, queue_changes.now())

    def parse(self, id: str, properties: Sequence[str]) -> str:
        """Check a moment and return it. Raise ValueError if it is not one of this database."""
        return queue_changes.parse(id)

    def between(self, properties: Sequence[str], after: str, upto: str) -> list[Event]:
        """Return an event with the changed hands, if there are any. `more` says that some are left out."""
        hands, has_more = queue_changes.between(properties, after, upto)
        if not hands:
            return []
        return [Event(upto, "hands", {"hands": [hand._asdict() for hand in hands], "more": has_more})]


FEED = QueueFeed()


@require_safe
@for_sessions
def stream(request: HttpRequest) -> Any:
    """Send the changes of the queue at all properties whose queue the user may see, until the browser closes
    the stream.
    """
    places = request_params.permitted_properties(request, FEED.act)
    return open_stream(request, FEED, places, "Live queue")
