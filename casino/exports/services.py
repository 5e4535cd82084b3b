"""Archived exports as pages and the REST API share them: who may read one, what it is called, and its file
name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404

from casino.accounts.permissions import demand, may, properties
from casino.exports import datasets
from casino.exports.archive import orders
from casino.exports.archive.orders import Order
from casino.exports.formats import registry
from casino.presentation.formatting import of_a_file
from casino.reports import catalog

ACT = "see-hold"
"""What one may do who sees reports: they all tell of the same money."""
KEEP = "keep-report"


def act_of(name: str) -> str:
    """What one must be allowed to read it."""
    return datasets.source(name).ACT if name in datasets.names() else ACT


def hidden(person: Any, places: list[str]) -> Iterator[tuple[str, str]]:
    """What is not for this person's eyes, property by property."""
    for property in places:
        for name in datasets.names():
            if not may(person, datasets.source(name).ACT, property):
                yield property, name


def order_for(person: Any, id: int) -> Order:
    """The kept export of this number, for who may read it. Raises PermissionDenied.

    Raises Http404 where there is none, and where it is of a property of which this person sees no report:
    that it is there, and so how many are exported elsewhere, is not told either.
    """
    places = properties(person, ACT)
    if not places:
        raise PermissionDenied(ACT)
    order = orders.found(id)
    if order is None or order.what.property not in places:
        raise Http404(id)
    demand(person, act_of(order.what.name), order.what.property)
    return order


def title(order: Order) -> str:
    """What a kept export is called."""
    return title_of(order.what.name)


def title_of(name: str) -> str:
    """What a report or a source is called."""
    if name in datasets.names():
        return datasets.source(name).TITLE
    return catalog.report(name).TITLE if name in catalog.names() else name


def file_name(order: Order) -> str:
    """As it is taken away: a table, a shift or a property may be called anything, a file in a header may not."""
    what = order.what
    made = registry.DOWNLOADS.get(what.format)
    only = "".join(f"_{value.replace('/', '-')}" for _, value in what.filters)
    books = f"_{what.books}" if what.books else ""
    name = f"{what.name}_{what.property}_{what.begins}_{order.last}{only}{books}_kept-{order.id}.{made.suffix if made else 'txt'}"
    return of_a_file(name)
