"""The journal of sealed rows. Whenever Catwalk writes a sealed row, it adds one entry, which is never
changed.

An entry contains a keyed digest of the row, and the entry's number in the history of the row. The key of the
digest is not in the database. A row that is changed or inserted with SQL has no matching entry. If an old
version of a row is restored with SQL, it matches an old entry, but not the latest entry of the row. Deleted
entries are noticed if `casino/proofs/anchors.py` anchored them in the ledger before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connections

from casino.sealing import keys
from casino.sealing.tables import SEALED, SealedTable

ADOPTED = "adopted"
"""The reason of an entry that accepts a row as it is, for example at the upgrade that introduced seals."""
ERASED = "erased"
"""The reason of an entry for a row that was deleted at the request of a person."""
PAGE = 1000


class Entry(NamedTuple):
    """One entry of the journal.

    Attributes:
        digest: the digest of the row, or None if the row was deleted.
    """

    id: int
    table: str
    key: str
    number: int
    digest: bytes | None
    reason: str
    key_id: str
    code: bytes


def record(
    table: str,
    rows: Iterable[Any],
    reason: str = "",
    *,
    using: str = "default",
    sealed: Mapping[str, SealedTable] = SEALED,
) -> int:
    """Add an entry to the journal for each of these rows, with its present content, in the caller's
    transaction. Return how many entries were added. Call this function after each change of a sealed column,
    and after a deletion.

    Args:
        table: The table.
        rows: The keys of its rows.
        reason: `adopted`, `erased` or empty.
        using: The database connection.
        sealed: The sealed tables. A migration passes the tables as they were in its release.
    """
    names = list(dict.fromkeys(str(row) for row in rows))
    return sum(
        _record(table, names[begins : begins + PAGE], reason, using, sealed[table])
        for begins in range(0, len(names), PAGE)
    )


def record_all(
    reason: str, *, using: str = "default", sealed: Mapping[str, SealedTable] = SEALED
) -> dict[str, int]:
    """Add an entry to the journal for each row of each sealed table. Return {table: number of entries}."""
    return {
        table: record(
            table, [key for key, _ in contents(table, using, sealed)], reason, using=using, sealed=sealed
        )
        for table in sealed
    }


def contents(
    table: str, using: str = "default", sealed: Mapping[str, SealedTable] = SEALED
) -> Iterator[tuple[str, str]]:
    """Yield the key and the content of each row of a sealed table."""
    sealed_table = sealed[table]
    columns = f"{sealed_table.key}, {sealed_table.content}"
    query = f'SELECT {columns} FROM "{table}" t WHERE {sealed_table.condition} ORDER BY 1'
    with connections[using].cursor() as cursor:
        cursor.execute(query)
        while page := cursor.fetchmany(PAGE):
            yield from page


def digest_of(secret: str, table: str, key: str, content: str) -> bytes:
    """Return the digest of a row's content under a secret key."""
    return keys.code(secret, "row", table, key, content)


def code_of(secret: str, entry: Entry) -> bytes:
    """Return the message authentication code that an entry must have under a secret key."""
    digest = None if entry.digest is None else entry.digest.hex()
    return keys.code(secret, "entry", entry.table, entry.key, entry.number, digest, entry.reason)


def insert(table: str, statement: str, values: Sequence[Any]) -> bool:
    """Insert a row in the caller's transaction, and add its entry to the journal. The statement must give the
    new row the alias `t`.

    Return False if the statement inserts nothing. Both changes are one query; a separate call of `record`
    would be a second one.
    """
    sealed_table = SEALED[table]
    returned = (
        f"{statement} RETURNING {sealed_table.key}, {sealed_table.content}, false,"
        f" {_LAST.format(sealed_table.key)}"
    )
    with connections["default"].cursor() as cursor:
        cursor.execute(returned, [*values, table])
        return bool(_write(cursor, table, cursor.fetchall(), ""))


def _record(table: str, names: list[str], reason: str, using: str, sealed: SealedTable) -> int:
    query = f"""SELECT k.key, {sealed.content}, t IS NULL, {_LAST.format("k.key")}
        FROM unnest(%s::text[]) k (key)
        LEFT JOIN "{table}" t ON {sealed.match} AND {sealed.condition}"""
    with connections[using].cursor() as cursor:
        cursor.execute(query, [table, names])
        return _write(cursor, table, cursor.fetchall(), reason)


def _write(cursor: Any, table: str, rows: Iterable[tuple[Any, ...]], reason: str) -> int:
    """Add an entry to the journal for each row of a sealed table. Return how many entries were added.

    Args:
        rows: for each row, its key, its content, True if it was deleted, and the number of its last entry in
            the journal.
    """
    secret = keys.secrets()[0]
    entries = []
    for key, content, is_gone, last in rows:
        if is_gone and last is None:
            continue
        digest = None if is_gone else digest_of(secret, table, key, content)
        entry = Entry(0, table, key, (last or 0) + 1, digest, reason, keys.key_id(secret), b"")
        entries.append((*entry[1:7], code_of(secret, entry)))
    if entries:
        cursor.execute(_INSERT, [list(column) for column in zip(*entries, strict=True)])
    return len(entries)


_LAST = """(SELECT number FROM seal s WHERE s."table" = %s AND s.key = {0} ORDER BY number DESC LIMIT 1)"""
_INSERT = """INSERT INTO seal ("table", key, number, digest, reason, key_id, code)
    SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::bytea[], %s::text[], %s::text[],
    %s::bytea[])"""
