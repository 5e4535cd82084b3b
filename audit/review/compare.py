"""Compare the queue, sums of findings, verdicts, flags, assignments, snoozes and withdrawn findings with
facts and findings.

The queue and the sums depend on the other tables and on the stored findings, which are compared with replay
separately. The other tables depend only on the facts up to the position that was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from audit import database
from audit import facts as f
from audit.differences import (
    Difference,
    Differences,
    Orphans,
    StoredTable,
    Texts,
    compare_rows,
    keyed,
    stored_rows,
)
from audit.facts import decode_or_none
from audit.jobs import leases
from audit.ledger import store
from audit.replay.registers import Registers
from audit.replay.second_review import second_from
from audit.review import case_tables, finding_tally, projections, verdict_columns
from audit.review.finding_tally import SUMS
from audit.review.verdict_columns import JUDGED

VERDICT = StoredTable(
    "verdict",
    ("position",),
    (
        *("finding", "uid", "code", "says", "owed", "moved", "verdict", "disposition", "by", "second"),
        *("lacks_second", "note_sha256", "savings", "losses", "recovered", "at", "day"),
    ),
)
FLAG = StoredTable("flag", ("position",), ("finding", "stream", "round", "why", "by", "at"))
ASSIGNED = StoredTable("assigned", ("position",), ("stream", "hand", "owner", "by", "at"))
SNOOZED = StoredTable("snoozed", ("position",), ("stream", "hand", "until", "by", "at"))
WITHDRAWN = StoredTable("withdrawn", ("finding",), ("uid", "position", "at", "rules", "cause"))
QUEUED = StoredTable(
    "queued",
    ("stream", "hand"),
    (
        *("table", "day", "number", "at", "rank", "less", "to_player", "to_house", "currency", "codes"),
        *("findings", "notices", "decided", "state", "owner", "until"),
    ),
)
"""The queue. Its column `touched` is not compared, because it contains the number of the transaction that
wrote the row.
"""
FOLLOWED = "followed"
OF_FACTS = (VERDICT, FLAG, ASSIGNED, SNOOZED, WITHDRAWN)
"""The database tables that depend only on facts."""
TABLES = (*(table.name for table in OF_FACTS), QUEUED.name, SUMS.name, FOLLOWED, *case_tables.TABLES)
"""All database tables that `compare` compares."""
ORPHANS = tuple(map(Orphans, TABLES))


def compare(property: str, is_wanted: Callable[[str], bool] = lambda stream: True) -> Differences:
    """Compare the officers' tables of a property with its facts and findings. Return the differences.

    Args:
        is_wanted: returns True for the streams whose queue is compared. By default, the queue of all streams
            is compared.
    """
    differences = Differences()
    query = "SELECT position, rules, seal FROM public.followed WHERE property = %s"
    position, rules, seal = database.first_row(query, [property]) or (0, projections.RULES, None)
    position, rules = position or 0, rules or ""
    outdated = rules != projections.RULES
    explained = outdated and projections.is_sealed(seal, property, rules)
    if outdated and not explained:
        differences.add([Difference(FOLLOWED, property, "rules", rules, projections.RULES)])
    differences.add(_unread(property, position))
    computed = _made(property, position)
    for table in OF_FACTS:
        rows = differences.counted(table.name, stored_rows(table, "property = %s", [property]))
        differences.add(compare_rows(table, property, rows, computed[table.name]))
    rows = stored_rows(JUDGED, "property = %s", [property])  # counted above
    made_columns = _rows_of(JUDGED, verdict_columns.ROWS, {"property": property, "findings": None})
    for difference in compare_rows(JUDGED, property, rows, made_columns):
        differences.add([difference._replace(explained=explained)])
    for stream in filter(is_wanted, _streams(property)):
        of_stream = {"property": property, "stream": stream, "hands": None}
        for table, query in ((QUEUED, projections.QUEUE_ROWS), (SUMS, finding_tally.ROWS)):
            rows = differences.counted(
                table.name, stored_rows(table, "property = %s AND stream = %s", [property, stream])
            )
            for difference in compare_rows(table, property, rows, _rows_of(table, query, of_stream)):
                differences.add([difference._replace(explained=explained)])
    differences.merge(case_tables.compare(property))
    return differences


def _unread(property: str, position: int) -> Iterator[Difference]:
    """Yield a difference if the position up to which verdicts were read is wrong. It must be the position of
    a fact of the kinds `projections.FOLLOWED`. If there are later facts of these kinds, a job must be waiting
    to read them.
    """
    kinds = sorted(projections.FOLLOWED)
    places = [
        place for place, _, _, _ in store.read_kinds(property, kinds, position - 1 if position > 0 else 0)
    ]
    if position > 0 and places[:1] != [position]:
        expected = str(places[0]) if places else None
        yield Difference(FOLLOWED, property, "position", str(position), expected)
    elif places[position > 0 :] and not leases.is_waiting(leases.LEDGER, property, ""):
        yield Difference(FOLLOWED, property, "position", str(position), str(places[-1]))


def _made(property: str, until: int) -> dict[str, dict[Texts, Texts]]:
    """Return {table: rows} that the facts up to a position produce. The queue is not included."""
    known = projections.thresholds(property)
    computed: dict[StoredTable, list[Any]] = {table: [] for table in OF_FACTS}
    withdrawn: dict[str, Any] = {}
    for place, _, _, body in store.read_kinds(property, projections.FOLLOWED):
        if place > until:
            break
        event = decode_or_none(body)
        if isinstance(event, f.VerdictGiven):
            threshold = second_from(Registers(entry for at, entry in known if at < place), event.day)
            computed[VERDICT].append(projections.verdict_row(property, place, event, threshold)[1:])
        elif isinstance(event, f.Flagged):
            computed[FLAG].append(projections.flag_row(property, place, event)[1:])
        elif isinstance(event, f.HandAssigned):
            computed[ASSIGNED].append(projections.assigned_row(property, place, event)[1:])
        elif isinstance(event, f.HandSnoozed):
            computed[SNOOZED].append(projections.snoozed_row(property, place, event)[1:])
        elif isinstance(event, f.Reexamined):
            rows = projections.withdrawn_rows(property, place, event)
            withdrawn |= {row[1]: row[1:] for row in rows}
            for finding in event.gained:
                withdrawn.pop(finding, None)
    computed[WITHDRAWN] = list(withdrawn.values())
    return {table.name: keyed(table, rows) for table, rows in computed.items()}


def _streams(property: str) -> list[str]:
    """Return every stream that has a finding, a flag, a row in the queue or sums."""
    query = """SELECT stream FROM public.finding WHERE property = %(property)s
        UNION SELECT stream FROM public.flag WHERE property = %(property)s
        UNION SELECT stream FROM public.queued WHERE property = %(property)s
        UNION SELECT stream FROM public.finding_tally WHERE property = %(property)s ORDER BY 1"""
    return [stream for (stream,) in database.rows(query, {"property": property})]


def _rows_of(table: StoredTable, query: str, values: dict[str, Any]) -> dict[Texts, Texts]:
    """Return the rows of a query with every value as text, as the comparison of tables requires."""
    columns = ", ".join(f'"{name}"::text' for name in table.columns)
    width = len(table.key)
    rows = database.rows(f"SELECT {columns} FROM ({query}) made", values)
    return {row[:width]: row[width:] for row in rows}
