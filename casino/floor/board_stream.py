"""The event stream of the floor: tables at which facts were recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpRequest
from django.views.decorators.http import require_safe

from audit.facts.input_parsing import whole
from audit.queries import heads, recent_streams
from casino.web import request_params
from casino.web.streams import Event, for_sessions, open_stream

REACH = 50_000
"""Maximum number of facts that are read for one event."""


class FloorFeed:
    """Sends one event for each table at which facts were recorded. The ID of the event is the position of the
    table's last fact.
    """

    act = "see-floor"

    def heads(self, properties: Iterable[str]) -> dict[str, str]:
        """Return the position of the ledger of each property."""
        return {property: str(heads.head(property).position) for property in properties}

    def parse(self, id: str, properties: Sequence[str]) -> str:
        """Check a position and return it. Raise ValueError if the ledger has not reached it."""
        position = whole(id, 18)
        if position is None or position > heads.head(properties[0]).position:
            raise ValueError(id)
        return id

    def between(self, properties: Sequence[str], after: str, upto: str) -> list[Event]:
        """Return an event for each table with facts between two positions. If there are more than REACH
        facts, return one event that says that any table may have changed.
        """
        (property,) = properties
        if int(upto) - int(after) > REACH:
            return [Event(upto, "reset", {"property": property})]
        changed = recent_streams.between(property, int(after), int(upto))
        return [Event(str(table.position), "table", table._asdict()) for table in changed]


FEED = FloorFeed()


@require_safe
@for_sessions
def stream(request: HttpRequest) -> Any:
    """Send the tables of a property at which facts are recorded, until the browser closes the stream."""
    property = request_params.chosen_property(request, FEED.act)
    return open_stream(request, FEED, [property], "Live floor")
