"""Pages of the events of a property, for lists that a program follows with a cursor.

Events are numbered without gaps and added under a lock. So a program that continues with `since` misses no
event and reads none twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from casino.alerts import event_log
from casino.alerts.event_log import Event
from casino.api import cursors
from casino.api import shapes as s
from casino.api.paging import key_before, size_of

REACH = 50_000
"""Maximum number of events that one request reads, so that its cost does not grow with the stream."""
SINCE = s.described(
    s.TEXT,
    "The cursor after the last row, even on the last page. Send it later as `cursor` to get what has been"
    " published since then.",
)
LAST = (s.COUNT, 42, "The number of the property's last event.")


class EventPage(NamedTuple):
    """A page of events: the cursors of the next page and of what follows later, and the number of the last
    event of the property.
    """

    events: list[Event]
    next: str | None
    since: str
    last: int


def page(name: str, property: str, query: Mapping[str, str], types: Sequence[str] = ()) -> EventPage:
    """Return the requested page of events.

    Args:
        name: The name of the list, for its cursors.
        property: The property whose events are listed.
        query: The parameters of the request.
        types: Only events of these types; by default, all events.
    """
    listed = cursors.list_name(name, property, query)
    key = key_before(query, listed)
    after, size = 0 if key is None else int(key[0]), size_of(query)
    last = event_log.last_number(property)
    upto = min(last, after + REACH)
    events = event_log.after(property, after, size + 1, types, upto)
    is_cut, events = len(events) > size, events[:size]
    since = cursors.encode(listed, [events[-1].number if is_cut else max(upto, after)])
    return EventPage(events, since if is_cut or upto < last else None, since, last)
