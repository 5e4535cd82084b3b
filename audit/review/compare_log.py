"""Compare the tables of the daily log with the facts, up to the position that was read."""

from __future__ import annotations

from collections.abc import Iterator

from audit import database
from audit.differences import Difference, Differences, Orphans, StoredTable, compare_rows, keyed, stored_rows
from audit.facts import decode_or_none
from audit.jobs import leases
from audit.ledger import store
from audit.replay.rules_fingerprint import rules_of_ledger
from audit.review import log_projection
from audit.review.log_rows import TABLES, LogRows, Nothing

STORED = {row: StoredTable(name, row._fields[:1], row._fields[1:]) for row, name in TABLES.items()}
LOG_TABLES = (*TABLES.values(), log_projection.POSITIONS)
"""All database tables that `compare` compares."""
ORPHANS = tuple(map(Orphans, LOG_TABLES))


def compare(property: str) -> Differences:
    """Compare the tables of the daily log of a property with its facts. Return the differences."""
    differences = Differences()
    query = f"SELECT position, entries FROM public.{log_projection.POSITIONS} WHERE property = %s"
    read = database.first_row(query, [property])
    position, entries = (number or 0 for number in read or (0, 0))
    rows, places = LogRows(Nothing()), []
    later = 0
    for place, _, _, body in store.read_kinds(property, log_projection.FOLLOWED):
        if place > position:
            later = place
            continue
        places.append(place)
        if (event := decode_or_none(body)) is not None:
            rows.take(place, event)
    differences.add(_positions(property, (position, entries), (places[-1:] or [0])[0], rows.entries, later))
    for row, table in STORED.items():
        computed = keyed(table, [values for (of, _), values in rows.changed.items() if of is row])
        stored = differences.counted(table.name, stored_rows(table, "property = %s", [property]))
        differences.add(compare_rows(table, property, stored, computed))
    return differences


def _positions(
    property: str, stored: tuple[int, int], last: int, entries: int, later: int
) -> Iterator[Difference]:
    """Yield a difference if the position up to which facts of the log were read is wrong, or if the number of
    entries is wrong. Also yield a difference if there are later facts of the log and no job waits to read
    them.
    """
    name = log_projection.POSITIONS
    if stored[0] != last:
        yield Difference(name, property, "position", str(stored[0]), str(last))
    elif later and not _waits(property):
        yield Difference(name, property, "position", str(stored[0]), str(later))
    if stored[1] != entries:
        yield Difference(name, property, "entries", str(stored[1]), str(entries))


def _waits(property: str) -> bool:
    """Return True if a job will read the new facts. Also return True if the ledger was last examined under
    earlier rules, because the next examination then reads the new facts.
    """
    query = "SELECT rules FROM public.ledger_examination WHERE property = %s"
    examined = database.first_row(query, [property])
    return leases.is_waiting(leases.LEDGER, property, "") or (
        examined is not None and examined[0] != rules_of_ledger()
    )
