"""Record what a sealed row holds, whenever Catwalk writes it: one entry a change, which is never changed.

An entry has a digest of the row under a key that is not in the database, and its number among the entries of
that row. So a row that was changed or inserted with SQL has no entry that fits, and an old row with its old
entry does not have the latest number. Entries that are deleted are missed once `casino/proofs/anchors.py` has
fixed them in the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connections

from casino.sealing import keys
from casino.sealing.tables import SEALED, SealedTable

ADOPTED = "adopted"
"""The reason of an entry that accepts a row as it was found, such as at the upgrade that began the seals."""
ERASED = "erased"
"""The reason of an entry for a row that was deleted because a person asked for it."""
PAGE = 1000


class Entry(NamedTuple):
    """One entry of the journal. `digest` is None if the row was deleted."""

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
    """Record what these rows of a table hold now, in the caller's transaction, and return how many entries
    were made. Call it after each change of a sealed column, and after a deletion.

    Args:
        table: The table.
        rows: The keys of its rows.
        reason: `adopted`, `erased` or empty.
        using: The database connection.
        sealed: The tables; a migration has those of its time.
    """
    names = list(dict.fromkeys(str(row) for row in rows))
    return sum(
        _record(table, names[begins : begins + PAGE], reason, using, sealed[table])
        for begins in range(0, len(names), PAGE)
    )


def record_all(
    reason: str, *, using: str = "default", sealed: Mapping[str, SealedTable] = SEALED
) -> dict[str, int]:
    """Record every row of every sealed table as it is now. Return the number of entries by table."""
    return {
        table: record(
            table, [key for key, _ in contents(table, using, sealed)], reason, using=using, sealed=sealed
        )
        for table in sealed
    }


def contents(
    table: str, using: str = "default", sealed: Mapping[str, SealedTable] = SEALED
) -> Iterator[tuple[str, str]]:
    """Yield key and content of every row of a sealed table."""
    one = sealed[table]
    query = f'SELECT {one.key}, {one.content} FROM "{table}" t WHERE {one.condition} ORDER BY 1'
    with connections[using].cursor() as cursor:
        cursor.execute(query)
        while page := cursor.fetchmany(PAGE):
            yield from page


def digest_of(secret: str, table: str, key: str, content: str) -> bytes:
    """Return the digest of a row's content under a secret key."""
    return keys.code(secret, "row", table, key, content)


def code_of(secret: str, entry: Entry) -> bytes:
    """Return the code that an entry must have under a secret key."""
    digest = None if entry.digest is None else entry.digest.hex()
    return keys.code(secret, "entry", entry.table, entry.key, entry.number, digest, entry.reason)


def insert(table: str, statement: str, values: Sequence[Any]) -> bool:
    """Insert a row with a statement that calls it `t`, and record it, in the caller's transaction. Return
    False if the statement inserts nothing. It takes one query less than `record`.
    """
    one = SEALED[table]
    returned = f"{statement} RETURNING {one.key}, {one.content}, false, {_LAST.format(one.key)}"
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
    """Insert an entry for each row: its key, its content, whether it is gone, and the number of its last
    entry.
    """
    secret = keys.secrets()[0]
    made = []
    for key, content, is_gone, last in rows:
        if is_gone and last is None:
            continue
        digest = None if is_gone else digest_of(secret, table, key, content)
        entry = Entry(0, table, key, (last or 0) + 1, digest, reason, keys.key_id(secret), b"")
        made.append((*entry[1:7], code_of(secret, entry)))
    if made:
        cursor.execute(_INSERT, [list(column) for column in zip(*made, strict=True)])
    return len(made)


_LAST = """(SELECT number FROM seal s WHERE s."table" = %s AND s.key = {0} ORDER BY number DESC LIMIT 1)"""
_INSERT = """INSERT INTO seal ("table", key, number, digest, reason, key_id, code)
    SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::bytea[], %s::text[], %s::text[],
    %s::bytea[])"""
