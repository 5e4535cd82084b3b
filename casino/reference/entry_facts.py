"""Convert register entries into facts of the property's own stream. No new facts are created for entries that
are already in force.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from msgspec import convert, to_builtins

from audit.facts import RegisterSet, canonical
from audit.replay.registers import Registers
from casino.reference.derived_uid import uid_of
from casino.reference.entries import Entry

_NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""The time in the uid of every entry. It is constant, so that the uid depends only on the content."""
Known = list[tuple[RegisterSet, bytes]]


class Signed(NamedTuple):
    """Who sets the entries, who signs second, and when."""

    by: str
    second: str
    at: datetime


def facts_of(property: str, entries: list[Entry], known: Known, signed: Signed) -> list[bytes]:
    """Return the `register-set` facts of these entries.

    If an entry repeats the last recorded entry of its key, return the recorded fact again. The ledger then
    does not record it a second time.
    """
    day = _today(property, entries, known, signed)
    facts: list[bytes] = []
    for at in dict.fromkeys((entry.register, entry.key) for entry in entries):
        new = [entry for entry in entries if (entry.register, entry.key) == at]
        before = [(entry, body) for entry, body in known if (entry.register, entry.key) == at]
        last = before[-len(new) :]
        if [_content(entry) for entry, _ in last] == [
            entry._replace(value=to_builtins(entry.value)) for entry in new
        ]:
            facts += [body for _, body in last]
            continue
        # an entry that was replaced and is set again is a new fact, so its uid includes the number of entries
        # before it
        for count, entry in enumerate(new, len(before)):
            fact = fact_of(property, entry, signed, day) | {"uid": uid_of(_NO_TIME, property, *entry, count)}
            facts.append(canonical(fact))
    return facts


def _content(entry: RegisterSet) -> Entry:
    begins, ends = (None if day is None else day.isoformat() for day in (entry.from_, entry.to))
    return Entry(entry.register, entry.key, entry.value, begins, ends)


def fact_of(property: str, entry: Entry, signed: Signed, day: date) -> dict[str, Any]:
    """Return the `register-set` fact of an entry, without its uid."""
    return {
        "uid": "",
        "table": f"{property}/house",
        "day": day.isoformat(),
        "kind": "register-set",
        "at": signed.at.isoformat(timespec="milliseconds"),
        "source": "office",
        "register": entry.register,
        "key": entry.key,
        "value": entry.value,
        "from": entry.begins,
        "to": entry.ends,
        "by": signed.by,
        "second": signed.second,
    }


def _today(property: str, entries: list[Entry], known: Known, signed: Signed) -> date:
    """Return the gaming day on which the entries are signed. The register `day-begins` determines it,
    including its new entries. If it has no entry, return the date in UTC.
    """
    day = signed.at.astimezone(UTC).date()
    new = [
        convert(fact_of(property, entry, signed, day), RegisterSet)
        for entry in entries
        if entry.register == "day-begins"
    ]
    return Registers([*(entry for entry, _ in known), *new]).day_of(signed.at) or day
