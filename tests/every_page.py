"""Which pages the demo has: each kind of page once, with the user who reaches it.

`walk` starts at the home page of each user and follows the links of each page that it has not seen yet. Two
addresses are of one kind if they have the same route, the same report, board or guide, and the same grouping
or view. `unreached` says which routes of the product no link led to.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urljoin, urlsplit

from django.urls import Resolver404, URLResolver, get_resolver, resolve
from playwright.sync_api import BrowserContext

NAMING = ("name", "slug", "slip_name", "tray_count")
"""The parts of an address that choose the page. The other parts choose the data that it shows."""
SHAPING = ("by", "view")
"""The parameters of a query that change which columns or parts a page has."""
OWN_TO_EACH = ("home_of_role",)
"""The names of routes that show each role a different page."""
NOT_FOLLOWED = ("home", "logout", "admin:logout", "queue_stream", "floor_stream", "open_video")
"""The names of routes that are not followed: they redirect to the home page or to a recorder, end the
session, or send events without an end.
"""
BY_HAND = {
    "login": ("", "/login/"),
    "closing-no-right": ("Dana", "/closing/"),
    "hand-unknown": ("Dana", "/hand/aurora/EOU-01/2026-11-14/none/"),
    "hands-bad-day": ("Dana", "/hands/?from=tomorrow"),
    "report-empty": ("Boris", "/reports/hold/?from=1999-01-01&to=1999-01-31"),
}
"""Pages to which no link leads, by name, with the user: sign-in, pages that answer with an error, empty
pages.
"""
TRIES = 3
"""The largest number of addresses of a kind that are read for links. One of them may be an empty list."""
Kind = tuple[str, ...]


class Place(NamedTuple):
    """A page: its kind, the name of its picture, the user who reached it, its address, and the keys to press
    when it has been loaded.
    """

    kind: Kind
    name: str
    user: str
    path: str
    keys: tuple[str, ...] = ()


def kind_of(path: str, user: str) -> Kind | None:
    """Return the kind of this address, or None if it is not a page of the product."""
    parts = urlsplit(path)
    try:
        match = resolve(parts.path)
    except Resolver404:
        return None
    if match.view_name in NOT_FOLLOWED or parts.path.startswith(("/api/", "/static/")):
        return None
    if "format" in match.kwargs:  # a file
        return None
    query = parse_qs(parts.query)
    named = [str(match.kwargs[key]) for key in NAMING if key in match.kwargs]
    shaped = [f"{key}={value}" for key in SHAPING for value in query.get(key, [])]
    own = [user] if match.view_name in OWN_TO_EACH else []
    return (match.view_name or match.route, match.route, *named, *shaped, *own)


def walk(contexts: dict[str, BrowserContext], address: str) -> list[Place]:
    """Return a place of each kind that these users reach by links from their home pages.

    Args:
        contexts: for each user, a browser context in which that user is signed in.
        address: the address of the demo.
    """
    places = dict[Kind, Place]()
    for user, context in contexts.items():
        read = set[str]()
        tried = Counter[Kind]()
        waiting = deque(["/home/", "/help/"])
        while waiting:
            path = waiting.popleft()
            kind = kind_of(path, user)
            if kind is None or tried[kind] == TRIES or path in read:
                continue
            tried[kind] += 1
            read.add(path)
            answer = context.request.get(address + path)
            if not answer.ok or not answer.headers.get("content-type", "").startswith("text/html"):
                continue
            body = answer.body()
            if b"<html" not in body:
                continue
            places.setdefault(kind, Place(kind, _name(kind), user, path))
            waiting.extend(links(body, answer.url, address))
    return list(places.values())


def links(body: bytes, url: str, address: str) -> Iterator[str]:
    """Yield the path and query of each link of a page that leads to the demo itself."""
    parser = _Links()
    parser.feed(body.decode())
    for link in parser.addresses:
        target = urljoin(url, link).partition("#")[0]
        if target.startswith(address + "/"):
            yield target.removeprefix(address)


class _Links(HTMLParser):
    """Collects the addresses of a page's links."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses = list[str]()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.addresses += [value for name, value in attributes if tag == "a" and name == "href" and value]


def by_hand() -> list[Place]:
    """Return the places to which no link leads."""
    return [
        Place(("by hand", "", path), f"by-hand-{name}", user, path) for name, (user, path) in BY_HAND.items()
    ]


def unreached(places: list[Place]) -> list[str]:
    """Return the names of the product's routes that are in none of these places, without those of the API."""
    reached = {place.kind[1] for place in places}
    return sorted(name for name, route in _routes(get_resolver(), "") if route not in reached)


def _routes(resolver: Any, before: str) -> Iterator[tuple[str, str]]:
    for entry in resolver.url_patterns:
        route = before + str(entry.pattern)
        if isinstance(entry, URLResolver):
            if not route.startswith("api/"):
                yield from _routes(entry, route)
        elif entry.name:
            yield entry.name, route


def _name(kind: Kind) -> str:
    return re.sub(r"[^a-z0-9]+", "-", "-".join((kind[0], *kind[2:])).lower()).strip("-")
