"""Functions for archived exports that pages and the REST API share: who may read one, its title, and its file
name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse

from casino.accounts import view_log
from casino.accounts.permissions import can, properties, require
from casino.cases import packs
from casino.cases.queries import record_viewing
from casino.exports import datasets
from casino.exports.archive import orders
from casino.exports.archive.orders import ExportOrder
from casino.exports.formats import registry
from casino.models import Person
from casino.presentation.formatting import safe_file_name
from casino.reports import catalog

ACT = "see-hold"
"""The permission to see reports. All reports need the same one, because they all show the same money."""
KEEP = "keep-report"


def act_of(name: str) -> str:
    """Return the permission that a person needs to read this report or dataset."""
    if name in packs.ACTS:
        return packs.ACTS[name]
    return datasets.get(name).ACT if name in datasets.names() else ACT


def hidden(person: Any, places: list[str], *, packed: bool = False) -> Iterator[tuple[str, str]]:
    """Yield what this person may not read, as pairs of a property and a name. The name is a dataset or a kind
    of evidence pack. If `packed` is False, all kinds of evidence packs are included.
    """
    for property in places:
        for name, act in packs.ACTS.items():
            if not (packed and can(person, act, property)):
                yield property, name
        for name in datasets.names():
            if not can(person, datasets.get(name).ACT, property):
                yield property, name


def order_for(person: Any, id: int, *, packed: bool = False) -> ExportOrder:
    """Return the archived export with this number, if the person may read it. Evidence packs can be read only
    if `packed` is True. The pages set it; the REST API offers no evidence packs.

    Raise PermissionDenied if the person may not read the export. Raise Http404 if the export does not exist.
    Raise Http404 also if it belongs to a property at which the person may see no reports, so that the person
    does not learn that it exists.
    """
    places = properties(person, ACT)
    if not places:
        raise PermissionDenied(ACT)
    order = orders.get_order(id)
    if order is None or order.what.property not in places:
        raise Http404(id)
    name, property = order.what.name, order.what.property
    is_pack = name in packs.ACTS
    if is_pack and not (packed and (name == packs.EVIDENCE or can(person, act_of(name), property))):
        raise Http404(id)
    require(person, act_of(name), property)
    if is_pack:
        packs.require_readable(person, property, order.what.filters)
    return order


def content_type_of(format: str) -> str:
    """Return the content type of a file format."""
    if format == packs.FORMAT:
        return packs.CONTENT_TYPE
    file_format = registry.download_of(format)
    return file_format.content_type if file_format else "text/plain; charset=utf-8"


def record_download(person: Person, order: ExportOrder) -> None:
    """Record that a person downloads an archived export. If the export is the evidence of a suspicion, this
    is recorded where only compliance can read it.
    """
    property = order.what.property
    if order.what.name == packs.SUSPICION_EVIDENCE:
        record_viewing(person, property, dict(order.what.filters)["case"])
        return
    named = f"{title(order)}, archived export {order.id}"
    view_log.record_report(person, property, named, reverse("export", args=[order.id]))


def title(order: ExportOrder) -> str:
    """Return the title of an archived export."""
    return title_of(order.what.name)


def title_of(name: str) -> str:
    """Return the title of a report or a dataset."""
    if name in packs.ACTS:
        return packs.TITLE
    if name in datasets.names():
        return datasets.get(name).TITLE
    return catalog.report(name).TITLE if name in catalog.names() else name


def file_name(order: ExportOrder) -> str:
    """Return the file name of a download. It is safe in a header for any names of tables, shifts and
    properties.
    """
    spec = order.what
    if spec.name in packs.ACTS:
        about = "_".join(value for name, value in spec.filters if name != "upto")
        return safe_file_name(f"evidence_{spec.property}_{about}_kept-{order.id}.{packs.SUFFIX}")
    file_format = registry.download_of(spec.format)
    filter_text = "".join(f"_{value.replace('/', '-')}" for _, value in spec.filters)
    books = f"_{spec.books}" if spec.books else ""
    suffix = file_format.suffix if file_format else "txt"
    days = f"{spec.begins}_{order.last}"
    return safe_file_name(f"{spec.name}_{spec.property}_{days}{filter_text}{books}_kept-{order.id}.{suffix}")
