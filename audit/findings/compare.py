"""Compare the stored results of a stream, or of a property's ledger, with a replay of the same facts.

Workers examine facts some time after they are recorded, so stored results may not include the latest facts.
The facts are therefore folded only up to the number or position that was examined. Each stored row is then
compared with the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.db import transaction

from audit import database
from audit.differences import (
    NO_STREAM,
    Difference,
    Differences,
    Orphans,
    StoredTable,
    Texts,
    compare_rows,
    count_if_same,
    keyed,
    stored_rows,
)
from audit.findings import duplicate_serials, fold_facts, save, unpaid_markers
from audit.findings.compare_findings import FindingComparison
from audit.findings.compare_rounds import RoundComparison
from audit.findings.finding_writer import Change
from audit.findings.fold_facts import Progress, StreamReading
from audit.findings.stored_rows import (
    EXAMINED,
    FINDINGS,
    ROUNDS,
    SLIPS,
    TALLIES,
    Row,
    examination_row,
    game_of,
    slip_rows,
    tally_rows,
)
from audit.findings.unpaid_markers import UNPAID
from audit.jobs import leases
from audit.jobs.outages import is_outage
from audit.ledger.store import OF_THE_LEDGER
from audit.replay.fold import Fold
from audit.replay.results import Tally
from audit.replay.rules_fingerprint import rules_of, rules_of_ledger

EXAMINATION = StoredTable(
    "examination", ("stream",), ("table", "day", *EXAMINED, "late", "closed"), bytes="state"
)
LEDGER = StoredTable("ledger_examination", (), ("cursor", "rules", "serials", "state"), bytes="state")
BY_RULES = frozenset({"rules", "serials", "state"})
"""Columns that differ whenever the rules differ. They are not compared in rows that earlier rules
produced.
"""
OF_STREAMS = (*TALLIES, SLIPS)
TABLES = (
    *(table.name for table in (*OF_STREAMS, ROUNDS, FINDINGS, EXAMINATION, LEDGER, UNPAID)),
    "serial_again",
)
"""All database tables that these functions compare."""
ORPHANS = (
    *(Orphans(table.name, "t.stream", NO_STREAM) for table in (*OF_STREAMS, ROUNDS, EXAMINATION)),
    Orphans(FINDINGS.name, "t.id", f"({NO_STREAM} OR t.reader NOT IN ('table', 'ledger'))"),
    Orphans(LEDGER.name),
    Orphans("serial_again"),
    Orphans(UNPAID.name, "t.slip"),
)


UNCHANGED = Change((), (), 0, 0)


class Compared(NamedTuple):
    """The result of comparing one stream or ledger.

    `current` is True if the stored results were produced by today's rules and include all facts. `readable`
    is False if the facts cannot be folded.
    """

    differences: Differences
    facts: int
    change: Change
    """The findings that replay yields but that are not stored, and the stored findings that replay does not
    yield.
    """
    current: bool
    readable: bool = True
    reading: StreamReading | None = None
    """The fold of a whole stream, or None if it does not contain all findings. A caller that stores the
    findings can use it and need not fold again.
    """
    explained: bool = False
    """True if Catwalk stored the results by other rules. Differences are then no faults."""


def compare_stream(property: str, stream: str, progress: Progress | None = None) -> Compared:
    """Compare all stored rows of a stream with replay. Return the result.

    An error in the fold is returned as a difference, so that the caller can continue with the next stream.
    """
    differences = Differences()
    try:
        with transaction.atomic():
            return _compare_stream(property, stream, differences, progress)
    except Exception as error:  # reading a changed fact may raise any error; the other streams come next
        if is_outage(error):
            raise
        differences.add([_unreadable(EXAMINATION.name, stream, error)])
        return Compared(differences, 0, UNCHANGED, current=False, readable=False)


def _unreadable(table: str, place: str, error: Exception) -> Difference:
    return Difference(table, place, "", f"{type(error).__name__}: {error}", None)


def _compare_stream(
    property: str, stream: str, differences: Differences, progress: Progress | None
) -> Compared:
    number, cursor, rules, seal = _examined(property, stream)
    waits = cursor < number and leases.is_waiting(leases.STREAM, property, stream)
    findings = FindingComparison(property, "table", stream)
    end = min(cursor, number)
    rounds = RoundComparison(property, stream)
    reading = fold_facts.fold_stream(
        *(property, stream, None, progress),
        until=end,
        write=findings.take_batch,
        write_rounds=rounds.take_batch,
    )
    fold = reading.fold
    findings.take(fold.findings.values())
    rounds.take(fold.rounds or [])
    change = findings.finish()
    today = rules_of(game_of(fold))
    outdated = cursor > 0 and rules != today
    explained = outdated and save.is_sealed(seal, property, stream, rules)
    place = [property, stream]
    if cursor == 0 and number > 0 and not waits:
        differences.add([Difference(EXAMINATION.name, stream, "", None, f"cursor {number}")])
    elif cursor > 0:
        if cursor < number and not waits:
            differences.add([Difference(EXAMINATION.name, stream, "cursor", str(cursor), str(number))])
        rows = differences.counted(
            EXAMINATION.name, stored_rows(EXAMINATION, "property = %s AND stream = %s", place)
        )
        replayed = keyed(EXAMINATION, [_examination(property, stream, reading, today)])
        differences.add(_by_rules(compare_rows(EXAMINATION, property, rows, replayed), explained))
    for table, of_table in _tallies(fold):
        condition = "property = %s AND stream = %s"
        # Usually all rows are the same, and no row has to be compared by itself.
        if (count := count_if_same(table, condition, place, of_table)) is not None:
            differences.rows[table.name] += count
            continue
        rows = differences.counted(table.name, stored_rows(table, condition, place))
        replayed = keyed(table, of_table)
        differences.add(_by_rules(compare_rows(table, stream, rows, replayed), explained))
    for part in (findings.differences, rounds.finish()):
        differences.merge(part.as_explained() if explained else part)
    differences.add(rounds.review())
    current = cursor == number and not outdated
    in_batches = findings.in_batches or rounds.in_batches
    complete = reading if fold.number == number and not in_batches else None
    return Compared(differences, reading.facts, change, current, reading=complete, explained=explained)


def compare_ledger(property: str) -> Compared:
    """Compare the stored findings and state of a property's ledger fold with replay. Return the result."""
    differences = Differences()
    try:
        with transaction.atomic():
            return _compare_ledger(property, differences)
    except Exception as error:  # as in compare_stream
        if is_outage(error):
            raise
        differences.add([_unreadable(LEDGER.name, property, error)])
        return Compared(differences, 0, UNCHANGED, current=False, readable=False)


def _compare_ledger(property: str, differences: Differences) -> Compared:
    row = database.first_row(
        "SELECT cursor, rules, seal FROM public.ledger_examination WHERE property = %s", [property]
    )
    head = save.ledger_position(property)
    cursor, rules, seal = row or (0, "", None)
    cursor, rules = cursor or 0, rules or ""
    read = fold_facts.fold_ledger(property, save.UNREAD, from_start=True, until=min(cursor, head))
    outdated = cursor > 0 and rules != rules_of_ledger()
    explained = outdated and save.is_sealed(seal, property, "", rules)
    news = database.first_row(_NEWS, [property, cursor])
    if news is not None and not leases.is_waiting(leases.LEDGER, property, ""):
        differences.add([Difference(LEDGER.name, property, "cursor", str(cursor), str(head))])
    if cursor > 0:
        rows = differences.counted(LEDGER.name, stored_rows(LEDGER, "property = %s", [property]))
        fold = read.fold
        replayed = keyed(LEDGER, [(fold.state.position, rules_of_ledger(), fold.serials(), fold.keep())])
        differences.add(_by_rules(compare_rows(LEDGER, property, rows, replayed), explained))
    findings = FindingComparison(property, "ledger", None)
    findings.take(read.fold.findings.values())
    change = findings.finish()
    differences.merge(findings.differences.as_explained() if explained else findings.differences)
    differences.add(_serials(property))
    rows = differences.counted(UNPAID.name, stored_rows(UNPAID, "property = %s", [property]))
    differences.add(compare_rows(UNPAID, property, rows, _unpaid(property)))
    current = not outdated and news is None
    return Compared(differences, read.facts, change, current, explained=explained)


_NEWS = f"SELECT 1 FROM public.fact WHERE property = %s AND position > %s AND {OF_THE_LEDGER} LIMIT 1"


def _examined(property: str, stream: str) -> tuple[int, int, str, bytes | None]:
    """Return the stored data of a stream: its number of facts, the number up to which they were examined, the
    fingerprint of the rules, and the keyed digest.
    """
    query = """SELECT s.number, coalesce(x.cursor, 0), coalesce(x.rules, ''), x.seal
        FROM public.stream s
        LEFT JOIN public.examination x ON x.property = s.property AND x.stream = s.name
        WHERE s.property = %s AND s.name = %s"""
    return database.first_row(query, [property, stream]) or (0, 0, "", None)


def _examination(property: str, stream: str, reading: StreamReading, rules: str) -> tuple[Any, ...]:
    fold = reading.fold
    table, _, day = stream.rpartition("/")
    of = {
        "property": property,
        "stream": stream,
        "table": table,
        "opened": fold.state.opened is not None,
        "cursor": fold.number,
    }
    late, closed = database.rows(f"SELECT {save.LATE}, {save.CLOSED}", of)[0]
    return (stream, table, day, *examination_row(fold, rules, reading.state), late, closed)


def _tallies(fold: Fold) -> Iterator[tuple[StoredTable, list[Row]]]:
    """Yield each database table that stores a tally, with the rows that a fold produces for it."""
    yield from tally_rows(fold.tally, Tally())
    yield SLIPS, slip_rows(fold.state.slips, {})


def _by_rules(differences: Iterable[Difference], explained: bool) -> Iterator[Difference]:
    """Yield the differences. A saved state that is missing, or its serials, are not yielded: they are a
    cache, and the next examination works without them.

    Args:
        explained: True if earlier rules produced the rows. The differences are then marked as explained, and
            those in columns that always change with the rules are not yielded.
    """
    for difference in differences:
        if difference.column in ("serials", "state") and difference.stored is None:
            continue
        if not explained:
            yield difference
        elif difference.column not in BY_RULES:
            yield difference._replace(explained=True)


def _unpaid(property: str) -> dict[Texts, Texts]:
    """Return the rows of `unpaid_marker` that follow from the stored slips."""
    columns = ", ".join(f'"{name}"::text' for name in UNPAID.columns)
    query = f"SELECT {columns} FROM ({unpaid_markers.ROWS}) made"
    width = len(UNPAID.key)
    return {row[:width]: row[width:] for row in database.rows(query, {"property": property, "slips": None})}


def _serials(property: str) -> Iterator[Difference]:
    """Yield a difference for each serial that was recorded more than once but is missing in `serial_again`.

    Additional serials in the table are not differences, because readers check the slips themselves.
    """
    for kind, slip in duplicate_serials.missing(property):
        yield Difference("serial_again", f"{property} kind {kind} slip {slip}", "", None, "recorded twice")
