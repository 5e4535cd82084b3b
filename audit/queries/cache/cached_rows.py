"""The rows of the table `summed`, each with a keyed digest, and a cache in memory that replaces them for a
comparison.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import connection

from audit import database
from audit.jobs import alarms
from audit.keyed_digest import is_valid, keyed_digest

Entry = tuple[str, str, str]
"""The key of a cached row: property, name of the period, name of what is aggregated."""
Entries = dict[Entry, tuple[str, bytes]]
"""The stamp and the content of cached rows."""
_scratch: ContextVar[Entries | None] = ContextVar("scratch cache", default=None)


@contextmanager
def scratch_cache() -> Iterator[Entries]:
    """Use an empty cache in memory in this block, so that everything is built again from the tallies."""
    entries: Entries = {}
    token = _scratch.set(entries)
    try:
        yield entries
    finally:
        _scratch.reset(token)


def is_authentic(entry: Entry, stamp: str, content: bytes | memoryview, digest: bytes | memoryview) -> bool:
    """Return True if the keyed digest of a cached row is valid."""
    return is_valid(digest, _PURPOSE, *entry, stamp, bytes(content))


def read_cache(property: str, name: str, periods: list[str]) -> dict[str, tuple[str, bytes]]:
    """Return the stamp and the content that are cached for each period, by the period's name.

    A row without a valid digest was not written by this installation: it is reported, and read as if it were
    absent.
    """
    if (scratch := _scratch.get()) is not None:
        return {
            period: scratch[property, period, name]
            for period in periods
            if (property, period, name) in scratch
        }
    query = (
        "SELECT unit, stamp, sums, digest FROM summed WHERE property = %s AND name = %s AND unit = ANY(%s)"
    )
    cached: dict[str, tuple[str, bytes]] = {}
    for period, stamp, content, digest in database.rows(query, [property, name, periods]):
        if is_authentic((property, period, name), stamp, content, digest):
            cached[period] = stamp, bytes(content)
        elif digest:
            _report((property, period, name))
    return cached


def _report(entry: Entry) -> None:
    """Report a cached row without a valid digest: in the log, and as an alarm that people see.

    A transaction may show an earlier ledger and be rolled back, so it writes no alarm.
    """
    says = (
        f"Cached sums of {entry[0]}, {entry[1]}, {entry[2]} were changed outside Catwalk. They are not used."
    )
    _log.error(says)
    if not connection.in_atomic_block:
        alarms.raise_alarm(entry[0], alarms.CACHES, says)


def stored_entries(property: str, period: str, names: Collection[str]) -> Entries:
    """Return the authentic rows that are stored for one period."""
    query = """SELECT name, stamp, sums, digest FROM public.summed
        WHERE property = %s AND unit = %s AND name = ANY(%s)"""
    return {
        (property, period, name): (stamp, bytes(content))
        for name, stamp, content, digest in database.rows(query, [property, period, list(names)])
        if is_authentic((property, period, name), stamp, content, digest)
    }


def read_stamps(property: str, name: str, periods: list[str]) -> dict[str, str]:
    """Return the cached stamp of each period, by the period's name, without reading its content."""
    if _scratch.get() is not None:
        return {period: stamp for period, (stamp, _) in read_cache(property, name, periods).items()}
    query = "SELECT unit, stamp FROM summed WHERE property = %s AND name = %s AND unit = ANY(%s)"
    return dict(database.rows(query, [property, name, periods]))


def write(property: str, period: str, name: str, stamp: str, content: bytes) -> None:
    """Write the row of a period with its keyed digest, replacing the previous one."""
    if (scratch := _scratch.get()) is not None:
        scratch[property, period, name] = stamp, content
        return
    digest = keyed_digest(_PURPOSE, property, period, name, stamp, content)
    database.execute(
        """INSERT INTO summed (property, unit, name, stamp, sums, digest) VALUES (%s, %s, %s, %s, %s, %s)
            ON CONFLICT (property, unit, name) DO UPDATE
            SET stamp = excluded.stamp, sums = excluded.sums, digest = excluded.digest""",
        [property, period, name, stamp, content, digest],
    )


_log = logging.getLogger(__name__)
_PURPOSE = "cached sums"
