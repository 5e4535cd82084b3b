"""Record slips with consecutive serial numbers."""

from __future__ import annotations

from casino.cage.slips import serials
from casino.models import Person
from casino.web.recording import Fact, record


def record_numbered(by: Person, property: str, kind: str, table: str, fact: Fact, *others: Fact) -> str:
    """Record a slip's fact with the next serial number of its series, together with other facts. Return the
    serial.

    Each kind of slip has a series for each table and year of the gaming day.
    """
    serial_numbers: list[str] = []

    def post(serial: str) -> None:
        serial_numbers[:] = [serial]
        record(by, property, [fact | {"slip": serial}, *others])

    serials.numbered(property, serials.series_of(kind, table, fact["day"]), post)
    return serial_numbers[0]
