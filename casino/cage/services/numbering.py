"""Record slips under the serials of their series."""

from __future__ import annotations

from casino.cage.slips import serials
from casino.models import Person
from casino.web.recording import Fact, record


def record_numbered(by: Person, property: str, kind: str, table: str, fact: Fact, *others: Fact) -> str:
    """Record a slip's fact under the next serial of its series, and other facts with it. Return the serial.

    The series is that of `kind` at `table` in the year of the fact's gaming day.
    """
    given: list[str] = []

    def post(serial: str) -> None:
        given[:] = [serial]
        record(by, property, [fact | {"slip": serial}, *others])

    serials.numbered(property, serials.series_of(kind, table, fact["day"]), post)
    return given[0]
