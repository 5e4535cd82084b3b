"""Server-sent events: one thread of each web process reads the changes for all of its streams.

A stream is a request that stays open (`casino/runtime/operations/stream_connection.py`). Each event has an
ID. After a lost connection, the browser sends the last ID as `Last-Event-ID`, and the stream continues after
that event. A stream ends if the user has lost the right, or if the session has ended.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, NamedTuple, Protocol

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.decorators import login_not_required
from django.contrib.sessions.models import Session
from django.core.exceptions import BadRequest
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from msgspec import json

from casino.accounts import view_log
from casino.accounts.permissions import can
from casino.models import Person
from casino.presentation import problem_document
from casino.runtime.operations.stream_connection import KEY, StreamConnection
from casino.web.form_view import current_user

READ_SECONDS = 0.5
"""Seconds between two queries for changes."""
CHECK_SECONDS = 2.0
"""Seconds after which the rights and sessions of all streams are checked again."""
KEEP_ALIVE_SECONDS = 15.0
"""Seconds after which a stream without events gets a comment, so that proxies keep it open."""
RETRY_MILLISECONDS = 2000
"""Milliseconds after which a browser connects again."""
MAX_STREAMS, MAX_OF_PERSON = 1000, 10
"""Maximum number of streams of a process, and of one person in a process."""
COMMENT = b":\n\n"
"""A comment, which browsers ignore."""
NO_SESSION = (
    "A stream needs the session of a signed-in browser. Programs with a token read /api/v1/events or"
    " /api/v1/findings/changes."
)
_log = logging.getLogger("casino.streams")


class Event(NamedTuple):
    """An event of a feed. A stream that continues after the event sends its `id`."""

    id: str
    name: str
    data: dict[str, Any]


class Feed(Protocol):
    """The source of the events of one kind of stream."""

    act: str
    """The right that a user needs at each property of a stream."""

    def heads(self, properties: Iterable[str]) -> dict[str, str]:
        """Return {property: ID after which only later changes follow}."""

    def parse(self, id: str, properties: Sequence[str]) -> str:
        """Check an ID that a client sent and return it. Raise ValueError if it is not one of this feed."""

    def between(self, properties: Sequence[str], after: str, upto: str) -> list[Event]:
        """Return the events of these properties between two IDs, in order. The last one has the ID `upto`."""


class Stream:
    """One open stream of a user."""

    def __init__(self, request: HttpRequest, feed: Feed, properties: Sequence[str], position: str) -> None:
        self.feed, self.properties, self.position = feed, tuple(properties), position
        self.person = str(request.user.pk)
        self.session = request.session.session_key or ""
        self.hash: str = request.session.get(HASH_SESSION_KEY, "")
        self.sent_at = time.monotonic()
        self.connection: StreamConnection | None = None

    def opened(self, connection: StreamConnection) -> None:
        """Receive the connection from the web server."""
        self.connection = connection
        OPEN_STREAMS.add(self)

    def send(self, content: bytes) -> None:
        """Send some bytes of the stream."""
        if self.connection is not None:
            self.sent_at = time.monotonic()
            self.connection.send(content)

    def close(self) -> None:
        """End the stream."""
        if self.connection is not None:
            self.connection.close()

    @property
    def is_open(self) -> bool:
        """Return False if the client has gone."""
        return self.connection is not None and self.connection.is_open


class OpenStreams:
    """All open streams of a process, and the thread that serves them until the last one ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._streams: set[Stream] = set()
        self._thread: threading.Thread | None = None
        self._checked_at = 0.0

    def add(self, stream: Stream) -> None:
        """Serve a new stream, and start the thread if it is not running."""
        with self._lock:
            self._streams.add(stream)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="streams", daemon=True)
                self._thread.start()

    def count(self, person: str) -> tuple[int, int]:
        """Return the number of streams of this process, and how many of them belong to this person."""
        with self._lock:
            by_person = Counter(stream.person for stream in self._streams)
        return by_person.total(), by_person[person]

    def _run(self) -> None:
        while True:
            began = time.monotonic()
            try:
                self._serve()
            except Error:  # the next turn reads the same changes
                _log.warning("streams wait for the database", exc_info=True)
                with contextlib.suppress(Error):
                    connection.close()
            except Exception:
                _log.exception("streams failed")
            with self._lock:
                self._streams = {stream for stream in self._streams if stream.is_open}
                if not self._streams:
                    self._thread = None
                    break
            time.sleep(max(0.05, READ_SECONDS - (time.monotonic() - began)))
        with contextlib.suppress(Error):
            connection.close()

    def _serve(self) -> None:
        """Check the rights of all streams if this is due, and then send them the changes."""
        with self._lock:
            streams = [stream for stream in self._streams if stream.is_open]
        clock = time.monotonic()
        if clock - self._checked_at > CHECK_SECONDS:
            self._checked_at = clock
            for stream in forbidden(streams):
                stream.close()
        send_changes([stream for stream in streams if stream.is_open])
        for stream in streams:
            if clock - stream.sent_at > KEEP_ALIVE_SECONDS:
                stream.send(COMMENT)


OPEN_STREAMS = OpenStreams()


def send_changes(streams: Sequence[Stream]) -> None:
    """Send to each stream the events since its position. Streams with the same position share one query."""
    by_feed: dict[Feed, list[Stream]] = defaultdict(list)
    for stream in streams:
        by_feed[stream.feed].append(stream)
    for feed, of_feed in by_feed.items():
        heads = feed.heads({property for stream in of_feed for property in stream.properties})
        groups: dict[tuple[tuple[str, ...], str], list[Stream]] = defaultdict(list)
        for stream in of_feed:
            groups[stream.properties, stream.position].append(stream)
        for (properties, position), group in groups.items():
            upto = heads.get(properties[0], position)
            events = feed.between(properties, position, upto) if upto != position else []
            content = b"".join(map(encoded, events))
            for stream in group:
                stream.position = upto
                if content:
                    stream.send(content)


def encoded(event: Event) -> bytes:
    """Return the bytes of an event."""
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (
        event.id.encode(),
        event.name.encode(),
        json.encode(event.data),
    )


def forbidden(streams: Sequence[Stream]) -> list[Stream]:
    """Return the streams whose session has ended, or whose user no longer has the right at a property."""
    of_sessions = {stream.session for stream in streams}
    alive = set(
        Session.objects.filter(session_key__in=of_sessions, expire_date__gt=timezone.now()).values_list(
            "session_key", flat=True
        )
    )
    people = {
        person.pk: person
        for person in Person.objects.filter(pk__in={stream.person for stream in streams}, is_active=True)
    }
    return [stream for stream in streams if not _is_allowed(stream, alive, people.get(stream.person))]


def _is_allowed(stream: Stream, alive: set[str], person: Person | None) -> bool:
    return (
        person is not None
        and stream.session in alive
        and constant_time_compare(stream.hash, person.get_session_auth_hash())
        and all(can(person, stream.feed.act, property) for property in stream.properties)
    )


def is_available(request: HttpRequest) -> bool:
    """Return True if the web server can keep the answer to a request open."""
    return KEY in getattr(request, "environ", {})


def for_sessions(view: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Decorate the view of a stream: answer 401 without the session of a signed-in user. A redirect to the
    login page would look like a stream without events to a program.
    """

    @wraps(view)
    def answer(request: HttpRequest) -> Any:
        if request.user.is_authenticated:
            return view(request)
        return problem_document.document(401, "not-authenticated", NO_SESSION)

    return login_not_required(answer)


def open_stream(request: HttpRequest, feed: Feed, properties: Sequence[str], name: str) -> Any:
    """Return the answer that begins a stream. The caller has checked the right of the user.

    Args:
        feed: the source of the events.
        properties: the properties of the stream.
        name: the name of the stream in the viewing log, which gets one row for each property.
    """
    person = current_user(request)
    if not is_available(request) or request.method != "GET":
        return HttpResponse(status=204)  # tells the browser not to try again; the page polls
    total, own = OPEN_STREAMS.count(person.pk)
    if total >= MAX_STREAMS or own >= MAX_OF_PERSON:
        return HttpResponse(
            "Too many open streams. Close other windows.", status=429, content_type="text/plain"
        )
    sent = request.headers.get("Last-Event-ID") or request.GET.get("last", "")
    try:
        position = feed.parse(sent, properties) if sent else feed.heads(properties)[properties[0]]
    except ValueError:
        raise BadRequest("Last-Event-ID is not an ID of this stream.") from None
    for property in properties:
        view_log.record_report(person, property, name, request.get_full_path())
    request.environ[KEY] = Stream(request, feed, properties, position)  # type: ignore[attr-defined]
    begin = b"retry: %d\n%s" % (RETRY_MILLISECONDS, encoded(Event(position, "open", {})))
    return StreamingHttpResponse(
        [begin], content_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
    )
