"""Deliver archived exports of schedules to places outside the database: folders, SFTP servers, buckets and
mail addresses. A schedule delivers to all configured places of its property, or only to those that it names.

A job delivers one export to one place. A file has its final name only when it is complete, and its manifest
follows. If the server does not answer, the job waits and tries again. A file that is written twice has the
same name and the same bytes; a mail that may be sent twice says so (`mail.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.conf import settings

from audit import database
from audit.jobs import leases
from audit.jobs.leases import Lease
from casino.checkpoints.destination_urls import MAIL, Destination, parse_delivery
from casino.checkpoints.stores import open_store
from casino.exports import mail, schedules, services
from casino.exports.archive import blobs
from casino.exports.archive.orders import ExportOrder, get_order
from casino.exports.manifest import SUFFIX

JOB = "deliver-export"
"""Kind of job: copy an archived export to a place. The stream of the job names the export and the place."""


class Delivery(NamedTuple):
    """The delivery of an export to a place: the state of its job, and the error of the last attempt."""

    place: str
    state: str
    error: str


class PlaceNotConfigured(Exception):
    """A schedule names a place that is not configured."""


def destinations(property: str) -> list[Destination]:
    """Return the places to which the scheduled exports of a property can be delivered."""
    configured = map(parse_delivery, settings.EXPORT_COPIES)
    return [destination for destination in configured if destination.property in ("", property)]


def names(properties: Iterable[str]) -> list[str]:
    """Return the names of all places of these properties, in the order of the configuration."""
    all_names = (destination.name() for property in properties for destination in destinations(property))
    return list(dict.fromkeys(all_names))


def label(name: str) -> str:
    """Return the name of a place as forms and lists show it, without the files of its keys."""
    return name.partition("?")[0] if name.startswith("sftp:") else name


def ask(order: ExportOrder) -> None:
    """Request the jobs that deliver an export, if a schedule has ordered it. Call it in the transaction that
    archives the export.
    """
    if order.schedule:
        schedule = schedules.named(order.schedule)
        chosen = schedule.deliver_to if schedule is not None else None
        for name in names([order.what.property]) if chosen is None else chosen:
            leases.ask_for(JOB, order.what.property, f"{order.id} {name}")


def job(lease: Lease) -> Callable[[], int]:
    """Do a job: deliver an archived export and its manifest to a place.

    Raise PlaceNotConfigured if the place is not configured for this property.
    """
    number, _, place = lease.stream.partition(" ")
    order = get_order(int(number))
    if order is not None and order.is_archived:
        by_name = {destination.name(): destination for destination in destinations(lease.property)}
        destination = by_name.get(place)
        if destination is None:
            raise PlaceNotConfigured(f"CATWALK_EXPORT_COPIES does not name {place} for {lease.property}.")
        if destination.parts().scheme == MAIL:
            mail.send(destination, order, is_repeat=_has_failed(lease))
        else:
            _copy(destination, order)
    return lambda: int(number)


def _has_failed(lease: Lease) -> bool:
    """Return True if an earlier attempt of this job failed, or if its worker was killed. A job keeps its
    error until it is done, even if a person makes it due again.
    """
    return database.first_row("SELECT 1 FROM job WHERE id = %s AND error <> ''", [lease.id]) is not None


def _copy(destination: Destination, order: ExportOrder) -> None:
    """Write an export and its manifest to a store of files."""
    name = services.file_name(order)
    with open_store(destination, order.what.property) as files:
        files.write(name, blobs.read(order.id))
        files.write(f"{name}{SUFFIX}", [order.manifest.encode()])


def deliveries(order: ExportOrder) -> list[Delivery]:
    """Return the deliveries of an export, sorted by place."""
    query = """SELECT substr(stream, %s), state, error FROM job
        WHERE kind = %s AND property = %s AND starts_with(stream, %s) ORDER BY stream"""
    begins = f"{order.id} "
    rows = database.rows(query, [len(begins) + 1, JOB, order.what.property, begins])
    return list(map(Delivery._make, rows))
