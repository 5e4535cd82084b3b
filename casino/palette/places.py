"""Find the pages, tables, reports, people, hands and slips that match a typed text. Only those that the user
may open are found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse

from casino.accounts.permissions import properties
from casino.accounts.scopes import usable_scopes
from casino.cage.slips.document import TITLES
from casino.models import Member, Person
from casino.palette.inner_pages import INNER_PAGES
from casino.presentation.formatting import day_label
from casino.reference.registers import values_on
from casino.reports import catalog
from casino.surveillance import identifiers, quick_search, quick_search_text
from casino.web import request_params
from casino.web.navigation import groups_for

MOST = 8
"""Maximum number of results of each kind."""


class Place(NamedTuple):
    """A result of the search."""

    label: str
    detail: str
    address: str


def find(person: Any, typed: str) -> list[tuple[str, list[Place]]]:
    """Return the results for a typed text, grouped by kind. The best results of each kind come first. If the
    text is empty, return the pages. A text without a digit, such as `master game`, is a title rather than a
    table and a hand, so its hand comes last.
    """
    text = " ".join(typed.lower().split())
    hands: tuple[str, Iterable[Place]] = ("Hands", _hands(person, typed) if text else ())
    is_title = re.search(r"\d", text) is None
    kinds: tuple[tuple[str, Iterable[Place]], ...] = (
        *(() if is_title else (hands,)),
        ("Slips", _slips(person, typed) if text else ()),
        ("Hands of a person", _hands_of(person, typed) if text else ()),
        ("Pages", chain(_pages(person), _inner_pages(person) if text else ())),
        ("Tables", _tables(person) if text else ()),
        ("Reports", _reports(person) if text else ()),
        ("People", _people(person, text) if text else ()),
        *((hands,) if is_title else ()),
    )
    results = []
    for kind, places in kinds:
        chosen = list(places) if kind == "Hands" else _matching(places, text)
        if chosen:
            results.append((kind, chosen[: None if kind == "Pages" else MOST]))
    return results


def kinds(person: Any) -> list[str]:
    """Return the kinds of result that the person can find, such as pages or hands. The search offers only
    these.
    """
    rights = {"table": ("see-floor", "see-queue"), "report": ("see-hold",), "person": ("see-people",)}
    rights["hand"] = ("see-hand",)
    return ["page", *(kind for kind, acts in rights.items() if any(properties(person, act) for act in acts))]


def _matching(places: Iterable[Place], text: str) -> list[Place]:
    """Return the places whose label or detail contains every typed word. Places whose label begins with the
    text come first.
    """
    words = text.split()
    chosen = [
        place for place in places if all(word in f"{place.label} {place.detail}".lower() for word in words)
    ]
    return sorted(chosen, key=lambda place: not place.label.lower().startswith(text))


def _pages(person: Any) -> Iterator[Place]:
    for group in groups_for(person, ""):
        for link in group.links:
            key = f"G {link.key.upper()}" if link.key else ""
            yield Place(link.label, ", ".join(filter(None, (group.title, key))), link.address)
    yield Place("Help", "Keys and words", reverse("help"))


def _inner_pages(person: Any) -> Iterator[Place]:
    """Yield the pages below those of the navigation that the user may open."""
    for page in INNER_PAGES:
        if properties(person, page.act):
            address = reverse(page.route, args=page.arguments)
            yield Place(page.label, page.detail, f"{address}?{page.query}" if page.query else address)
    if usable_scopes(person):
        yield Place("Your tokens", "REST API", reverse("tokens"))


def _tables(person: Any) -> Iterator[Place]:
    on_floor, in_queue = (properties(person, act) for act in ("see-floor", "see-queue"))
    for property in sorted({*on_floor, *in_queue}):
        for name in values_on(property, "tables"):
            if property in on_floor:
                yield Place(name, f"{property}, floor", reverse("floor_table", args=[property, name]))
            if property in in_queue:
                filters = urlencode({"property": property, "table": f"{property}/{name}", "state": "all"})
                yield Place(name, f"{property}, flagged hands", f"{reverse('queue')}?{filters}")


def _reports(person: Any) -> Iterator[Place]:
    if properties(person, "see-hold"):
        for name in catalog.names():
            if name not in catalog.ELSEWHERE:
                yield Place(catalog.report(name).TITLE, "report", reverse("report", args=[name]))


def _people(person: Any, text: str) -> Iterator[Place]:
    """Yield the matching people in the registers that the user may see. The database compares names and IDs
    with the text.
    """
    at = properties(person, "see-people")
    if not at:
        return
    named = Member.objects.filter(property__in=at).values("key")
    rows = Person.objects.filter(Q(name__icontains=text) | Q(id__icontains=text), id__in=named)
    for row in rows.order_by("id")[:MOST]:
        yield Place(str(row), row.id, reverse("admin:casino_person_change", args=[row.id]))


def _hands(person: Any, typed: str) -> Iterator[Place]:
    """Yield a result if the text names a hand by its table and its time or name, or names a day."""
    text, at = typed[:200].strip(), properties(person, "see-hand")
    if not at:
        return
    if quick_search_text.read(text) is not None:
        address = f"{reverse('jump')}?{urlencode({'to': text})}"
        yield Place(f"Open the hand {text}", "table and time, or table and hand", address)
    elif (of := quick_search_text.read_day(text)) is not None:
        for property, address, table in quick_search.day_searches(at, of):
            detail = f"{property}, {table}" if table else property
            yield Place(f"Hands of {day_label(of.day)}", f"{detail}, gaming day", address)


def _hands_of(person: Any, typed: str) -> Iterator[Place]:
    """Yield the searches for hands that have the text as the ID of a dealer, a supervisor or a player. They
    show no name, so everyone who may see hands may find them.
    """
    for searched in identifiers.hands_of(properties(person, "see-hand"), typed[:200].strip()):
        yield Place(searched.label, f"{searched.property}, {searched.rounds}", searched.address)


def _slips(person: Any, typed: str) -> Iterator[Place]:
    """Yield the facts of the slip or marker with this serial. They lead to the page of the fact, or to the
    paper if the user may see slips but not hands.
    """
    by_fact, on_paper = (properties(person, act) for act in ("see-hand", "see-cage"))
    for property in sorted({*by_fact, *on_paper}):
        for slip in identifiers.slips_of(property, typed[:200].strip()):
            table, day = slip.stream.split("/")[1:]
            if property in by_fact:
                address = request_params.hand_url(slip.stream, f"#{slip.number}")
            else:
                address = reverse("slip_print", args=[property, slip.event.uid])
            label = f"{TITLES[slip.kind]} {getattr(slip.event, 'slip', '')}"
            yield Place(label, f"{property}, {table}, {day_label(day)}", address)
