"""Read and write the table `summed`, whose rows each have a keyed digest. For comparisons, an in-memory cache
can be used instead.
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
"""The key of a cached row: the property, the name of the period, and the name of the aggregate."""
Entries = dict[Entry, tuple[str, bytes]]
"""{key of a cached row: (its fingerprint, its content)}."""
_scratch: ContextVar[Entries | None] = ContextVar("scratch cache", default=None)
_remembered: ContextVar[Entries | None] = ContextVar("rows written while a replica is read", default=None)


@contextmanager
def remembered_writes() -> Iterator[None]:
    """Let this block read the cached rows that it has written itself.

    The block reads one snapshot of a replica. Cached rows are written to the primary, so that the snapshot
    does not contain them. They are also kept in memory until the block ends.
    """
    token = _remembered.set({})
    try:
        yield
    finally:
        _remembered.reset(token)


@contextmanager
def scratch_cache() -> Iterator[Entries]:
    """Let the `with` block use an empty cache in memory, so that it builds all aggregates again from the
    tallies. Yield this cache.
    """
    entries: Entries = {}
    token = _scratch.set(entries)
    try:
        yield entries
    finally:
        _scratch.reset(token)


def is_authentic(
    entry: Entry, stamp: str | None, content: bytes | memoryview | None, digest: bytes | memoryview
) -> bool:
    """Return True if the keyed digest of a cached row is valid. It is not valid for a row with NULL, which
    only a superuser can write.
    """
    if stamp is None or content is None or None in entry:
        return False
    return is_valid(digest, _PURPOSE, *entry, stamp, bytes(content))


def read_cache(property: str, name: str, periods: list[str]) -> dict[str, tuple[str, bytes]]:
    """Return {period: (fingerprint, content)} of the cached rows.

    A row without a valid digest was not written by this installation. It is reported and otherwise ignored.
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
    remembered = _remembered.get() or {}
    return cached | {
        period: remembered[property, period, name]
        for period in periods
        if (property, period, name) in remembered
    }


def _report(entry: Entry) -> None:
    """Log an error about a cached row whose digest is missing or wrong. Outside a transaction, also raise an
    alarm.

    Inside a transaction an alarm could be lost: a report as of an earlier position is read in a transaction
    that is rolled back.
    """
    says = (
        f"Cached sums of {entry[0]}, {entry[1]}, {entry[2]} were changed outside Catwalk. They are not used."
    )
    _log.error(says)
    if not connection.in_atomic_block:
        alarms.raise_alarm(entry[0], alarms.CACHES, says)


def stored_entries(property: str, period: str, names: Collection[str]) -> Entries:
    """Return the stored rows of one period that have valid digests."""
    query = """SELECT name, stamp, sums, digest FROM public.summed
        WHERE property = %s AND unit = %s AND name = ANY(%s)"""
    return {
        (property, period, name): (stamp, bytes(content))
        for name, stamp, content, digest in database.rows(query, [property, period, list(names)])
        if is_authentic((property, period, name), stamp, content, digest)
    }


def read_stamps(property: str, name: str, periods: list[str]) -> dict[str, str]:
    """Return {period: cached fingerprint} without reading the content of the rows."""
    if _scratch.get() is not None:
        return {period: stamp for period, (stamp, _) in read_cache(property, name, periods).items()}
    query = "SELECT unit, stamp FROM summed WHERE property = %s AND name = %s AND unit = ANY(%s)"
    return dict(database.rows(query, [property, name, periods]))


def write(property: str, period: str, name: str, stamp: str, content: bytes) -> None:
    """Write the row of a period with its keyed digest. The previous row is replaced."""
    if (scratch := _scratch.get()) is not None:
        scratch[property, period, name] = stamp, content
        return
    if (remembered := _remembered.get()) is not None:
        remembered[property, period, name] = stamp, content
    digest = keyed_digest(_PURPOSE, property, period, name, stamp, content)
    database.execute(
        """INSERT INTO summed (property, unit, name, stamp, sums, digest) VALUES (%s, %s, %s, %s, %s, %s)
            ON CONFLICT (property, unit, name) DO UPDATE
            SET stamp = excluded.stamp, sums = excluded.sums, digest = excluded.digest""",
        [property, period, name, stamp, content, digest],
    )


_log = logging.getLogger(__name__)
_PURPOSE = "cached sums"
