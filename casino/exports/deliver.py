"""Deliver archived exports of schedules to places outside the database: folders, SFTP servers and buckets.

A job copies one export to one place. The file has its final name only when it is complete, and its manifest
follows. If the server does not answer, the job waits and tries again. A file that is written twice has the
same name and the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings

from audit import database
from audit.jobs import leases
from audit.jobs.leases import Lease
from casino.checkpoints.destination_urls import Destination, parse_store
from casino.checkpoints.stores import open_store
from casino.exports import services
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


def destinations(property: str) -> list[Destination]:
    """Return the places to which the scheduled exports of a property are delivered."""
    every = map(parse_store, settings.EXPORT_COPIES)
    return [destination for destination in every if destination.property in ("", property)]


def ask(order: ExportOrder) -> None:
    """Request the jobs that deliver an export, if a schedule has ordered it. Call it in the transaction that
    archives the export.
    """
    if order.schedule:
        for destination in destinations(order.what.property):
            leases.ask_for(JOB, order.what.property, f"{order.id} {destination.name()}")


def job(lease: Lease) -> Callable[[], int]:
    """Do a job: copy an archived export and its manifest to a place."""
    number, _, place = lease.stream.partition(" ")
    order = get_order(int(number))
    for destination in destinations(lease.property):
        if order is not None and order.is_archived and destination.name() == place:
            name = services.file_name(order)
            with open_store(destination, lease.property) as files:
                files.write(name, blobs.read(order.id))
                files.write(f"{name}{SUFFIX}", [order.manifest.encode()])
    return lambda: int(number)


def deliveries(order: ExportOrder) -> list[Delivery]:
    """Return the deliveries of an export, sorted by place."""
    query = """SELECT substr(stream, %s), state, error FROM job
        WHERE kind = %s AND property = %s AND starts_with(stream, %s) ORDER BY stream"""
    begins = f"{order.id} "
    rows = database.rows(query, [len(begins) + 1, JOB, order.what.property, begins])
    return list(map(Delivery._make, rows))
