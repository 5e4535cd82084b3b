"""Store the results of replay. Only this module writes findings, tallies and examinations."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from msgspec import json

from audit import database
from audit.differences import StoredTable
from audit.facts import RegisterSet
from audit.findings import duplicate_serials, unpaid_markers
from audit.findings.finding_writer import Change, FindingWriter, batches
from audit.findings.round_writer import RoundWriter
from audit.findings.stored_rows import (
    BESIDES,
    EXAMINED,
    SLIPS,
    SUMS,
    TALLIES,
    Row,
    examination_row,
    slip_rows,
    tally_rows,
)
from audit.keyed_digest import is_valid, keyed_digest
from audit.replay.fold import Fold
from audit.replay.ledger_fold import LedgerFold, LedgerState
from audit.replay.results import Tally


class Kept(NamedTuple):
    """How far a stream or ledger was read, the fingerprint of the rules, and the state from which to
    continue.
    """

    cursor: int
    rules: str
    game: str
    state: bytes | None


UNREAD = Kept(0, "", "", None)
"""The state of a stream or ledger that has not been read yet."""


def behind(all_streams: bool) -> list[tuple[str, str]]:
    """Return (property, stream) of every stream with facts that have not been examined. With `all_streams`,
    return all streams.
    """
    rows = database.rows(
        """SELECT s.property, s.name FROM stream s LEFT JOIN examination x ON x.property = s.property
            AND x.stream = s.name
           WHERE %s OR s.number > coalesce(x.cursor, 0) ORDER BY 1, 2""",
        [all_streams],
    )
    return [(row[0], row[1]) for row in rows]


def ledgers_behind(all_properties: bool) -> list[str]:
    """Return the properties whose ledger has grown since it was last read. With `all_properties`, return all
    properties.
    """
    rows = database.rows(
        """SELECT h.property FROM head h LEFT JOIN ledger_examination x USING (property)
           WHERE %s OR h.position > coalesce(x.cursor, 0) ORDER BY 1""",
        [all_properties],
    )
    return [row[0] for row in rows]


def lock_stream(property: str, stream: str) -> Kept:
    """Lock a stream's examination for this transaction, and return how far the stream was read. Other
    processes that want to examine the stream wait.
    """
    table, _, day = stream.rpartition("/")
    database.execute(
        'INSERT INTO examination (property, stream, "table", day) VALUES (%s, %s, %s, %s) ON CONFLICT DO'
        " NOTHING",
        [property, stream, table, date.fromisoformat(day)],
    )
    row = database.rows(
        "SELECT cursor, rules, game, state FROM examination WHERE property = %s AND stream = %s FOR UPDATE",
        [property, stream],
    )[0]
    return Kept(row[0], row[1], row[2], None if row[3] is None else bytes(row[3]))


def lock_ledger(property: str) -> Kept:
    """Lock the examination of a property's ledger for this transaction, and return how far the ledger was
    read.
    """
    database.execute(
        "INSERT INTO ledger_examination (property) VALUES (%s) ON CONFLICT DO NOTHING", [property]
    )
    row = database.rows(
        "SELECT cursor, rules, state FROM ledger_examination WHERE property = %s FOR UPDATE", [property]
    )[0]
    return Kept(row[0], row[1], "", None if row[2] is None else bytes(row[2]))


def keep_stream(
    property: str,
    stream: str,
    fold: Fold,
    state: bytes | None,
    rules: str,
    *,
    before: bytes | None,
    findings: FindingWriter,
    rounds: RoundWriter | None,
) -> Change:
    """Store findings, rounds, tally, cursor and state of a stream. Return how the stored findings changed.
    Args:
        before: the state from which the fold was continued, or None if the stream was read from its start.
            With None, everything stored is replaced.
        findings: the writer to which the fold has already passed findings. The remaining findings are written
            here. If this writer does not update the officers' queue, the tables of duplicate serials and
            unpaid markers are not updated either, because they contain data of all streams.
        rounds: the writer of finished rounds, or None to store none.
    """
    replaces_all = before is None
    findings.write(fold.findings.values())
    change = findings.finish()
    known = Fold(stream, before) if before is not None else None
    if rounds is not None:
        rounds.write(fold.rounds or [])
    serials = _keep_sums(property, stream, fold, known)
    values = dict(zip(EXAMINED, examination_row(fold, rules, state), strict=True))
    place: dict[str, Any] = {"property": property, "stream": stream, "table": stream.rpartition("/")[0]}
    place |= {
        "opened": fold.state.opened is not None,
        "whole": replaces_all,
        "seal": seal(property, stream, rules),
    }
    database.execute(_EXAMINED, values | place)
    if findings.queued:
        duplicate_serials.note(property, serials)
        unpaid_markers.refresh(property, serials)
    return change


# The inner queries name the property too: Postgres then plans for its partition and not for every one.
LATE = """EXISTS (
    SELECT FROM stream s
    JOIN fact day_end ON day_end.property = %(property)s AND day_end.stream = s.name
        AND day_end.number = s.number
    JOIN fact begun ON begun.property = %(property)s AND begun.stream = %(stream)s
        AND begun.number = 1
    WHERE s.property = %(property)s AND s.name > %(stream)s COLLATE "C"
        AND s.name < (%(table)s || '/:') COLLATE "C"
        AND %(opened)s AND s.sealed AND day_end.position < begun.position)"""
"""SQL condition: the day began in the ledger after a later day of its table had been closed."""
CLOSED = """(SELECT f.position FROM stream s
    JOIN fact f ON f.property = %(property)s AND f.stream = s.name AND f.number = s.number
    WHERE s.property = %(property)s AND s.name = %(stream)s AND s.sealed AND s.number = %(cursor)s)"""
"""SQL for the position of the fact that closed the day. It is null if the day is not closed, or if that fact
has not been read yet.
"""

_EXAMINED = f"""UPDATE examination x
    SET {", ".join(f"{name} = %({name})s" for name in EXAMINED)}, seal = %(seal)s,
        late = CASE WHEN %(whole)s OR x.cursor = 0 THEN {LATE} ELSE late END, closed = {CLOSED}
    WHERE property = %(property)s AND stream = %(stream)s"""


def keep_ledger(property: str, fold: LedgerFold, rules: str, findings: FindingWriter) -> Change:
    """Store findings, cursor and state of a property's ledger fold. Return how the stored findings
    changed.
    """
    findings.write(fold.findings.values())
    change = findings.finish()
    database.execute(
        "UPDATE ledger_examination SET cursor = %s, rules = %s, serials = %s, state = %s, seal = %s"
        " WHERE property = %s",
        [fold.state.position, rules, fold.serials(), fold.keep(), seal(property, "", rules), property],
    )
    return change


def seal(property: str, stream: str, rules: str) -> bytes:
    """Return a keyed digest as evidence that this installation examined the stream by these rules. For a
    property's ledger, `stream` is empty.
    """
    return keyed_digest(_RULES, property, stream, rules)


def is_sealed(digest: bytes | None, property: str, stream: str, rules: str) -> bool:
    """Return True if this is the digest that `seal` returns for the same stream and rules."""
    return is_valid(digest, _RULES, property, stream, rules)


_RULES = "rules of an examination"


def register_entries(property: str) -> list[RegisterSet]:
    """Return the register entries by which the property's ledger was last judged."""
    rows = database.rows(
        "SELECT state FROM ledger_examination WHERE property = %s AND state IS NOT NULL", [property]
    )
    return LedgerState.read(bytes(rows[0][0])).entries if rows else []


def cursor_of(property: str, stream: str) -> int:
    """Return the number of the last examined fact of a stream, or 0 if none was examined."""
    rows = database.rows(
        "SELECT cursor FROM examination WHERE property = %s AND stream = %s", [property, stream]
    )
    return rows[0][0] if rows else 0


def ledger_position(property: str) -> int:
    """Return the position of the property's last fact."""
    position: int = database.rows("SELECT position FROM head WHERE property = %s", [property])[0][0]
    return position


def _keep_sums(property: str, stream: str, fold: Fold, known: Fold | None) -> set[str]:
    """Write the tally rows and slips of a stream, and return the serials of the slips that were written or
    deleted.

    Args:
        fold: the fold of the stream after it has read the new facts.
        known: the fold before the new facts: only rows that have changed since are written. If it is None,
            all stored rows are replaced.
    """
    serials: set[str] = set()
    if known is None:
        place = [property, stream]
        for table in TALLIES:
            database.execute(f"DELETE FROM {table.name} WHERE property = %s AND stream = %s", place)
        query = f"DELETE FROM {SLIPS.name} WHERE property = %s AND stream = %s RETURNING slip"
        serials |= {serial for (serial,) in database.rows(query, place)}
    for table, rows in tally_rows(fold.tally, known.tally if known is not None else Tally()):
        _put(table, property, stream, rows)
    slips = slip_rows(fold.state.slips, known.state.slips if known is not None else {})
    _put(SLIPS, property, stream, slips)
    return serials | {row[1] for row in slips}


_TYPES = {
    **dict.fromkeys((*SUMS, *BESIDES, "number", "amount", "stake", "refunded"), "::numeric"),
    **dict.fromkeys(("opening", "place"), "::integer"),
    "stands": "::boolean",
}


def _put(table: StoredTable, property: str, stream: str, rows: list[Row]) -> None:
    """Insert or replace whole rows. One statement writes many of them, because a day has hundreds."""
    keys = ["property", "stream", *table.key]
    names = [*keys, *table.values]
    cells = ", ".join(f"({_cell(name, place)}) AS {name}" for place, name in enumerate(names))
    sets = ", ".join(f"{name} = excluded.{name}" for name in table.values)
    query = f"""INSERT INTO {table.name} ({", ".join(names)})
        SELECT {cells} FROM jsonb_array_elements(%s::jsonb) AS r
        ON CONFLICT ({", ".join(keys)}) DO UPDATE SET {sets}"""
    for batch in batches(rows):
        database.execute(query, [json.encode([(property, stream, *row) for row in batch]).decode()])


def _cell(name: str, place: int) -> str:
    """Return SQL that reads the value of a column from the JSON array of its row. Sums become exact numbers.
    The column `found` stays JSON.

    Args:
        name: the name of the column.
        place: the index of the value in the array.
    """
    if name == "found":
        return f"r -> {place}"
    return f"(r ->> {place}){_TYPES[name]}" if name in _TYPES else f"r ->> {place}"
