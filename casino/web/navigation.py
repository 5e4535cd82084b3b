"""The pages of the navigation, grouped by department. Only pages that the user may open are listed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from django.urls import NoReverseMatch, get_urlconf, reverse

from casino.accounts.permissions import properties


class Page(NamedTuple):
    """A page of the navigation."""

    act: str
    """The right that a user needs to open the page. It is empty for the home page: a user who may open any
    other page may also open the home page.
    """
    name: str
    """The name of the page's URL."""
    label: str
    key: str = ""
    """The page is opened by the key `g` followed by this key."""
    icon: str = ""
    """The name of the page's icon in icons.svg. By default, it is the name of the page's URL."""
    also: tuple[str, ...] = ()
    """Prefixes of other URLs that belong to the page."""


class Link(NamedTuple):
    """A page as the navigation shows it to one user."""

    address: str
    label: str
    key: str
    icon: str
    current: bool


class Group(NamedTuple):
    """The pages of a department. The home page is in a group of its own, which has no title."""

    title: str
    links: tuple[Link, ...]


HOME = Page("", "home_of_role", "Home", "m", "home")
GROUPS: tuple[tuple[str, tuple[Page, ...]], ...] = (
    (
        "Surveillance",
        (
            Page("see-queue", "queue", "Queue", "q", also=("/hand/", "/fact/")),
            Page("see-hand", "hands", "Hands", "s"),
            Page("see-case", "cases", "Cases", "e"),
            Page("see-queue", "boards", "Boards", "b"),
            Page("see-alerts", "alerts", "Alerts", "n"),
            Page("see-log", "log", "Daily log", "d"),
            Page("see-video", "holds", "Recordings", "", "recordings", also=("/video/",)),
        ),
    ),
    (
        "Table games",
        (
            Page("see-hold", "hold", "Hold", "h"),
            Page("see-certificate", "certificate", "Odds", "o"),
        ),
    ),
    (
        "Floor",
        (
            Page("see-floor", "floor", "Floor", "f"),
            Page("see-floor", "wall", "Live wall", "w"),
            Page("see-cage", "cage", "Cage", "c"),
            Page("see-count", "count", "Count", "k"),
        ),
    ),
    (
        "Accounting",
        (
            Page("close-day", "closing", "Close", "l"),
            Page("close-day", "journal", "Journal", "j"),
            Page("see-hold", "reports", "Reports", "r"),
            Page("see-hold", "exports", "Exports", "x"),
        ),
    ),
    (
        "Control",
        (
            Page("see-views", "views", "Viewing log", "v"),
            Page("enter-admin", "admin:index", "Admin", "a", "admin"),
        ),
    ),
)
"""Every page of the navigation except the home page, in the order in which it is shown."""


def groups_for(person: Any, path: str) -> list[Group]:
    """Return the pages that the user may open, by department.

    Args:
        person: the user.
        path: the path of the open page, whose link is marked as current.
    """
    groups = []
    addresses = _addresses(get_urlconf())
    current = _current(addresses, path)
    for title, pages in GROUPS:
        links = tuple(
            _link(addresses, page, current)
            for page in pages
            if page.name in addresses and properties(person, page.act)
        )
        if links:
            groups.append(Group(title, links))
    if groups and HOME.name in addresses:
        groups.insert(0, Group("", (_link(addresses, HOME, current),)))
    return groups


def _link(addresses: dict[str, str], page: Page, current: str) -> Link:
    icon = page.icon or page.name
    return Link(addresses[page.name], page.label, page.key, icon, page.name == current)


def _pages() -> Iterator[Page]:
    yield HOME
    for _, pages in GROUPS:
        yield from pages


@cache
def _addresses(urlconf: str | None) -> dict[str, str]:
    """Return {name: URL} of the pages that have a URL in this URL configuration. Pages without a URL are left
    out, because a command may run without the URLs of the admin.
    """
    addresses = {}
    for page in _pages():
        try:
            addresses[page.name] = reverse(page.name, urlconf)
        except NoReverseMatch:
            continue
    return addresses


def _current(addresses: dict[str, str], path: str) -> str:
    """Return the name of the page to which a path belongs. This is the page with the longest URL that is a
    prefix of the path. Return an empty text if there is no such page.
    """
    starts = [
        (start, page.name)
        for page in _pages()
        for start in (addresses.get(page.name, ""), *page.also)
        if start and path.startswith(start)
    ]
    return max(starts, key=lambda start: len(start[0]), default=("", ""))[1]
