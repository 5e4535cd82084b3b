"""A snapshot of the ledgers, for exports that are written at once and not ordered for the archive. All data
read in it is from the same moment, and the manifest names the heads of the ledgers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from audit import database
from audit.findings.as_of import as_of
from casino.exports.formats.registry import HEADED
from casino.exports.manifest import Ledger
from casino.reference import projection


@contextmanager
def snapshot(property: str | None, *, folded: bool, position: int | None = None) -> Iterator[list[Ledger]]:
    """Yield the heads of one property's ledger, or of the ledgers of all properties.

    Args:
        property: None for all properties.
        folded: True if results of replay are read. For one property, new facts are then examined first. For
            several properties they are not; each head says how many facts are not examined yet.
        position: Read one property as of this position. If only facts are read and no results of replay,
            the caller must limit its queries to this position.
    """
    named = [property] if property is not None else _named()
    if folded and len(named) == 1:
        with as_of(named[0], position) as ledger_head:
            projection.load_registers_as_of(named[0])
            yield [Ledger(named[0], ledger_head.position, ledger_head.chain.hex())]
        return
    with _one_snapshot():
        if position is not None:
            heads = database.rows(_THEN, [named[0], position])
            if not heads and not database.reads_primary():
                raise database.NeedsPrimary(f"the replica has no position {position} of {named[0]}")
            yield [Ledger(*head) for head in heads]
            return
        heads = database.rows(_HEADS, [named])
        yield [Ledger(*head) if folded else Ledger(*head[:3]) for head in heads]


@contextmanager
def _one_snapshot() -> Iterator[None]:
    """Make all queries inside the `with` block read the same state of the database. On a replica, this is
    already the case, and nothing is done.
    """
    if not database.reads_primary():
        yield
        return
    with transaction.atomic(durable=True):
        database.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


@contextmanager
def heads_for(
    format: str, property: str | None, *, folded: bool = True, position: int | None = None
) -> Iterator[list[Ledger]]:
    """Yield the heads of the ledgers, for a file that is written without a manifest.

    The heads are needed if a position is given, or if files of this format state the position. If neither
    applies, take no snapshot and yield an empty list.
    """
    if position is None and format not in HEADED:
        yield []
        return
    with snapshot(property, folded=folded, position=position) as ledgers:
        yield ledgers


def _named() -> list[str]:
    return [property for (property,) in database.rows("SELECT property FROM head ORDER BY property")]


_THEN = "SELECT property, position, encode(chain, 'hex') FROM fact WHERE property = %s AND position = %s"
_HEADS = """SELECT property, position, encode(chain, 'hex'), (
        SELECT coalesce(sum(s.number - coalesce(x.cursor, 0)), 0)::bigint FROM stream s
        LEFT JOIN examination x ON x.property = s.property AND x.stream = s.name
        WHERE s.property = head.property)
    FROM head WHERE property = ANY(%s) ORDER BY property"""
