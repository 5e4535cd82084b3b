"""Show a property's ledger as it was at an earlier position. Inside the `with` block of `as_of`, this
connection reads nothing that was recorded later.

Reports read tallies and facts by the names of their tables. For one transaction, and on this connection only,
temporary tables and views hide the stored tables of the same names. They contain the data as of the position.

The stored findings and sums of a stream are used if the stream has no later facts. All other streams are
folded again up to the position by today's rules, so that a report that is built twice at one position has the
same bytes. Nothing is stored, and other processes are not blocked: the transaction reads one snapshot and is
rolled back. The officers' queue is not included.

A replica cannot have temporary tables. Its stored tables are read, which is possible only for its head, and
only if all of its facts have been examined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import NamedTuple

from django.db import transaction

from audit import database
from audit.findings import duplicate_serials, fold_facts, save, unpaid_markers
from audit.findings.finding_writer import FindingWriter
from audit.findings.save import Kept
from audit.findings.stored_rows import game_of
from audit.replay.rules_fingerprint import rules_of, rules_of_ledger

TALLIES = ("examination", "tally", "cage_tally", "player_tally", "tray_tally", "void_tally", "slip_tally")
"""The database tables in which the results of the table fold are stored, by stream."""
OF_THE_LEDGER = ("fact", "head", "stream", "verdict", "flag", "log_entry")
"""Database tables whose rows after the position are hidden. Earlier rows are unchanged."""
MADE_ANEW = ("finding", "ledger_examination", "serial_again", "summed", "unpaid_marker")

Progress = Callable[[int, int], None]
"""Called with the number of facts processed since the last call, and the total number to fold."""


class Seen(NamedTuple):
    """The ledger's head at a position, and a hash of the rules that judged the ledger's streams."""

    position: int
    chain: bytes
    rules: str


class NoSuchPosition(LookupError):
    """The property's ledger has no such position. The text is a sentence for users."""


@contextmanager
def as_of(property: str, position: int | None = None, progress: Progress | None = None) -> Iterator[Seen]:
    """Let the `with` block read all data of this property as of a position, or as of now if `position` is
    None. Yield the head of the ledger at this position.

    Begins its own transaction. Raises NoSuchPosition if the ledger has no such position. Raises NeedsPrimary
    if a replica is read and the position is not its head, or if some of its facts are not examined yet.
    """
    if not database.reads_primary():
        yield _head_of_replica(property, position)
        return
    with transaction.atomic(durable=True):
        database.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        position, chain = _head(property, position)
        database.execute("SET LOCAL search_path = pg_temp, public")
        _cut_off(property, position, chain)
        _fold(property, progress)
        ledger = _fold_ledger(property, position)
        _lay_over(property, ledger)
        yield Seen(position, chain, _rules(property))
        transaction.set_rollback(True)


def _head(property: str, position: int | None) -> tuple[int, bytes]:
    last, chain = database.first_row("SELECT position, chain FROM head WHERE property = %s", [property]) or (
        0,
        b"",
    )
    if position is None or position == last:
        if last == 0:
            raise NoSuchPosition(f"{property} has no ledger")
        return last, bytes(chain)
    row = database.first_row(
        "SELECT chain FROM fact WHERE property = %s AND position = %s", [property, position]
    )
    if row is None:
        raise NoSuchPosition(
            f"the ledger of {property} has no position {position}: its last position is {last}"
        )
    return position, bytes(row[0])


def _head_of_replica(property: str, position: int | None) -> Seen:
    """Return the head of a ledger whose facts have all been examined by today's rules. Raise NeedsPrimary if
    something must be folded.
    """
    row = database.first_row(_EXAMINED, [property])
    if row is None or position not in (None, row[0]):
        raise database.NeedsPrimary(f"position {position} of {property} is not the head of the replica")
    last, chain, cursor, rules, waiting = row
    if waiting or cursor != last or rules != rules_of_ledger():
        raise database.NeedsPrimary(f"new facts of {property} must be examined first")
    return Seen(last, bytes(chain), _rules(property))


_EXAMINED = """SELECT h.position, h.chain, l.cursor, l.rules, EXISTS (
        SELECT FROM stream s LEFT JOIN examination x ON x.property = s.property AND x.stream = s.name
        WHERE s.property = h.property AND s.number <> coalesce(x.cursor, 0))
    FROM head h LEFT JOIN ledger_examination l ON l.property = h.property WHERE h.property = %s"""


def _cut_off(property: str, position: int, chain: bytes) -> None:
    """Hide all facts of the ledger after the position.

    The facts of a stream are numbered without gaps. The number of the first hidden fact therefore gives the
    stream's length at the position.
    """
    of = {"property": property, "position": position, "chain": chain}
    database.execute(
        """CREATE TEMP TABLE later ON COMMIT DROP AS SELECT stream, min(number) - 1 AS number FROM public.fact
           WHERE property = %(property)s AND position > %(position)s GROUP BY stream""",
        of,
    )
    for view in _CUT:
        database.execute(view, of)
    database.execute("""CREATE TEMP TABLE folded ON COMMIT DROP AS SELECT s.name AS stream, s.number
        FROM stream s
           LEFT JOIN public.examination x ON x.property = s.property AND x.stream = s.name
           WHERE s.number <> coalesce(x.cursor, 0)""")
    database.execute(
        "CREATE TEMP VIEW apart AS SELECT stream FROM later WHERE number = 0 UNION SELECT stream FROM folded"
    )
    for table in (*TALLIES, *MADE_ANEW):
        database.execute(f"CREATE TEMP TABLE {table} (LIKE public.{table} INCLUDING ALL) ON COMMIT DROP")


def _fold(property: str, progress: Progress | None) -> None:
    """Fold the streams that the database table `folded` lists: those that have facts after the position, and
    those that have not been examined to their end.
    """
    streams = database.rows("SELECT stream, number FROM folded ORDER BY stream")
    total = sum(number for _, number in streams)
    for stream, number in streams:
        save.lock_stream(property, stream)
        findings = FindingWriter(property, "table", stream, replaces_all=True, queued=False)
        fold = fold_facts.fold_stream(property, stream, None, None, write=findings.write).fold
        rules = rules_of(game_of(fold))
        save.keep_stream(property, stream, fold, None, rules, before=None, findings=findings, rounds=None)
        if progress is not None:
            progress(number, total)


def _fold_ledger(property: str, position: int) -> bool:
    """Run the ledger fold up to the position. Start from the stored state if it can be used and is not later
    than the position. Otherwise start from the first fact.

    Return True if the stored state was used.
    """
    row = database.first_row(
        "SELECT cursor, rules, state FROM public.ledger_examination WHERE property = %s", [property]
    )
    news = "SELECT 1 FROM fact WHERE position > %s AND kind = 'register-set' LIMIT 1"
    goes_on = (
        row is not None
        and row[0] <= position
        and row[1] == rules_of_ledger()
        and row[2]
        and database.first_row(news, [row[0]]) is None
    )
    stored = Kept(row[0], row[1], "", bytes(row[2])) if goes_on and row is not None else Kept(0, "", "", None)
    save.lock_ledger(property)
    read = fold_facts.fold_ledger(property, stored, from_start=False)
    findings = FindingWriter(property, "ledger", None, replaces_all=read.fresh, queued=False)
    save.keep_ledger(property, read.fold, rules_of_ledger(), findings)
    return not goes_on


def _lay_over(property: str, ledger: bool) -> None:
    """Create a view for each tally table. It has the rows that were folded here, and the stored rows of all
    other streams.

    If no rows of a table were folded, its view reads only the stored table. The rows of a stored table are
    already in order, so that a long export does not sort them.
    """
    for table in TALLIES:
        database.execute(f"ALTER TABLE pg_temp.{table} RENAME TO then_{table}")
        database.execute(f"ANALYZE then_{table}")
        view = f"CREATE TEMP VIEW {table} AS SELECT * FROM public.{table} WHERE property = %s"
        if database.first_row(_FOLDED.format(table), [property]):
            view += f" AND stream NOT IN (SELECT stream FROM apart) UNION ALL SELECT * FROM then_{table}"
        database.execute(view, [property])
    database.execute("ALTER TABLE pg_temp.finding RENAME TO then_finding")
    condition = "reader = 'table' AND stream NOT IN (SELECT stream FROM apart)"
    condition = (
        condition
        if ledger
        else f"({condition} OR reader = 'ledger') AND id NOT IN (SELECT id FROM then_finding)"
    )
    database.execute(
        f"CREATE TEMP VIEW finding AS SELECT * FROM public.finding WHERE property = %s AND {condition}"
        " UNION ALL SELECT * FROM then_finding",
        [property],
    )
    database.execute(
        "INSERT INTO serial_again SELECT * FROM public.serial_again WHERE property = %s", [property]
    )
    duplicate_serials.note(
        property,
        [slip for (slip,) in database.rows("SELECT DISTINCT slip FROM then_slip_tally")],
        others_wait=False,
    )
    database.execute(
        "INSERT INTO unpaid_marker SELECT * FROM public.unpaid_marker WHERE property = %s", [property]
    )
    changed_slips = database.rows(_CHANGED_SLIPS, [property])
    unpaid_markers.refresh(property, [slip for (slip,) in changed_slips], others_wait=False)
    # Cached aggregates contain the fingerprints of their streams, so an outdated aggregate is never used.
    database.execute("INSERT INTO summed SELECT * FROM public.summed WHERE property = %s", [property])


_FOLDED = """SELECT 1 WHERE EXISTS (SELECT FROM then_{0})
    OR EXISTS (SELECT FROM apart JOIN public.{0} kept USING (stream) WHERE kept.property = %s)"""
_CHANGED_SLIPS = """SELECT slip FROM then_slip_tally
    UNION SELECT slip FROM apart JOIN public.slip_tally s USING (stream) WHERE s.property = %s"""
"""SQL for the serials whose slips differ from the stored ones."""


def _rules(property: str) -> str:
    rows = database.rows(
        "SELECT DISTINCT game, rules FROM examination WHERE property = %s"
        " UNION SELECT 'ledger', rules FROM ledger_examination WHERE property = %s ORDER BY 1, 2",
        [property, property],
    )
    return sha256(repr(rows).encode()).hexdigest()


_CUT = (
    (
        "CREATE TEMP VIEW fact AS SELECT * FROM public.fact WHERE property = %(property)s AND position <="
        " %(position)s"
    ),
    (
        "CREATE TEMP VIEW verdict AS SELECT * FROM public.verdict WHERE property = %(property)s AND position"
        " <= %(position)s"
    ),
    (
        "CREATE TEMP VIEW flag AS SELECT * FROM public.flag WHERE property = %(property)s AND position <="
        " %(position)s"
    ),
    (
        "CREATE TEMP VIEW log_entry AS SELECT * FROM public.log_entry WHERE property = %(property)s AND"
        " position <= %(position)s"
    ),
    """CREATE TEMP VIEW head AS SELECT property, %(position)s::bigint AS position, %(chain)s::bytea AS chain,
        recorded_at
       FROM public.head WHERE property = %(property)s""",
    """CREATE TEMP VIEW stream AS SELECT s.property, s.name, coalesce(l.number, s.number) AS number, s.sealed
        AND l.stream IS NULL AS sealed
       FROM public.stream s LEFT JOIN later l ON l.stream = s.name WHERE s.property = %(property)s
           AND l.number IS DISTINCT FROM 0""",
)
