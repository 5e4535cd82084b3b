"""Functions for archived exports that pages and the REST API share: who may read one, its title, and its file
name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404

from casino.accounts.permissions import can, properties, require
from casino.exports import datasets
from casino.exports.archive import orders
from casino.exports.archive.orders import ExportOrder
from casino.exports.formats import registry
from casino.presentation.formatting import safe_file_name
from casino.reports import catalog

ACT = "see-hold"
"""The permission to see reports. All reports need the same one, because they all show the same money."""
KEEP = "keep-report"


def act_of(name: str) -> str:
    """Return the permission that a person needs to read this report or dataset."""
    return datasets.get(name).ACT if name in datasets.names() else ACT


def hidden(person: Any, places: list[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of a property and a dataset that this person may not read at that property."""
    for property in places:
        for name in datasets.names():
            if not can(person, datasets.get(name).ACT, property):
                yield property, name


def order_for(person: Any, id: int) -> ExportOrder:
    """Return the archived export with this number, if the person may read it.

    Raise PermissionDenied if the person may not read it. Raise Http404 if it does not exist. Raise Http404
    also if it belongs to a property at which this person may see no reports, so that the person does not
    learn that it exists.
    """
    places = properties(person, ACT)
    if not places:
        raise PermissionDenied(ACT)
    order = orders.get_order(id)
    if order is None or order.what.property not in places:
        raise Http404(id)
    require(person, act_of(order.what.name), order.what.property)
    return order


def title(order: ExportOrder) -> str:
    """Return the title of an archived export."""
    return title_of(order.what.name)


def title_of(name: str) -> str:
    """Return the title of a report or a dataset."""
    if name in datasets.names():
        return datasets.get(name).TITLE
    return catalog.report(name).TITLE if name in catalog.names() else name


def file_name(order: ExportOrder) -> str:
    """Return the file name of a download. It is safe in a header for any names of tables, shifts and
    properties.
    """
    what = order.what
    file_format = registry.DOWNLOADS.get(what.format)
    only = "".join(f"_{value.replace('/', '-')}" for _, value in what.filters)
    books = f"_{what.books}" if what.books else ""
    suffix = file_format.suffix if file_format else "txt"
    days = f"{what.begins}_{order.last}"
    return safe_file_name(f"{what.name}_{what.property}_{days}{only}{books}_kept-{order.id}.{suffix}")
