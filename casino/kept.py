"""Kept reports: asked for once, made as of one position of the ledger, kept with it and with their bytes, and made again from it.

An order says what is to be made; a worker makes it (audit/jobs.py), so a killed one costs time and nothing else. What a schedule orders for
a gaming day is ordered once, however often it asks. A kept report is never changed: where the books have moved on, another one stands
beside it and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, transaction

from audit import jobs
from audit.as_of import NoSuchPosition, Progress, Seen, as_of
from audit.jobs import Lease
from audit.queries import BOOKS, LAST, RESTATED, Span
from audit.written import YEARS
from casino import exports, projections, reports

KEEP, AGAIN = "keep-report", "make-report-again"
"""Kinds of jobs: make what was ordered; make a kept one again and see whether it is the same."""
PAGE = 100
FROM_BOOKS = frozenset({"hold", "hold-to-date", "master-game-report", "new-jersey", "table-drop"})
"""Reports of what tables won and dropped, which closing and adjusting are about."""
SOURCE = (
    "games/**/*.py", "audit/*.py", "audit/checks/*.py", "audit/facts/*.py", "audit/queries/*.py", "casino/reports/*.py",
    *(f"casino/{name}.py" for name in ("exports", "figures", "parquet", "projections", "registers", "spreadsheet", "theory")),
)  # fmt: skip
"""What a report's bytes come from."""


class What(NamedTuple):
    """What a report is of. `ends` is the gaming day after the last; `books`: as `Span` has them, empty where a report knows none."""

    property: str
    name: str
    begins: date
    ends: date
    by: tuple[str, ...]
    format: str
    books: str = ""


class Made(NamedTuple):
    """The bytes of a report, and what it saw."""

    content: bytes
    seen: Seen


class Order(NamedTuple):
    """What was asked for, by whom, and how far it has come: the job's state, and what is kept of it when that is `done`."""

    id: int
    what: What
    asked_by: str
    schedule: str
    period: str
    asked_at: datetime
    state: str
    done: int
    total: int
    error: str
    position: int | None
    chain: str
    sha256: str
    length: int
    finished_at: datetime | None
    restated: bool
    """A restated one stands beside it, which this one is not."""

    @property
    def kept(self) -> bool:
        return self.position is not None

    @property
    def last(self) -> date:
        """The last gaming day that is in it."""
        return self.what.ends - timedelta(days=1)


class Again(NamedTuple):
    """A kept report was made again: whether it had the same bytes, and a sentence."""

    by: str
    same: bool
    says: str
    at: datetime


def order(what: What, asked_by: str, schedule: str = "", period: str = "") -> int | None:
    """Ask for a report. Gives its number; None where this schedule has ordered this period before. Raises LookupError, ValueError."""
    exports.writer_of(what.format)
    one = reports.report(what.name)
    if strange := [name for name in what.by if name not in one.BY]:
        raise ValueError(f"{what.name} cannot go by {', '.join(strange)}")
    if says := not_in_books(what.name, what.books):
        raise ValueError(says)
    if not what.begins < what.ends or {what.begins.year, (what.ends - timedelta(days=1)).year} - {*YEARS}:
        raise ValueError(f"{what.begins} to {what.ends} are no gaming days of a house")
    with transaction.atomic():
        values = [*what[:4], list(what.by), what.format, what.books, asked_by, schedule, period]
        found = _all(_ORDER, values)
        if not found:
            return None
        id: int = found[0][0]
        jobs.ask_for(KEEP, what.property, str(id))
    return id


def ask_again(id: int, by: str) -> None:
    """Ask for a kept report to be made again by a worker."""
    kept = found(id)
    if kept is None or not kept.kept:
        raise LookupError(id)
    jobs.ask_for(AGAIN, kept.what.property, f"{id} {by}")


def make(what: What, position: int | None = None, progress: Progress | None = None) -> Made:
    """Make a report as of a position of its property's ledger; None: as of now. Raises NoSuchPosition."""
    report, write = reports.report(what.name), exports.writer_of(what.format)
    with as_of(what.property, position, progress) as seen:
        projections.stand_again(what.property)
        span = Span(what.begins, what.ends, what.property, what.books)
        content = b"".join(write(report.sheet(span, what.by)))
    return Made(content, seen)


def again(id: int, progress: Progress | None = None) -> tuple[Made | None, bool, str]:
    """A kept report made anew from the ledger: what came, whether it is the same to the byte, and a sentence. Raises LookupError."""
    kept = found(id)
    if kept is None or not kept.kept:
        raise LookupError(id)
    rules, code, content = _all("SELECT rules, code, content FROM kept_report WHERE id = %s", [id])[0]
    if sha256(content).hexdigest() != kept.sha256:
        return None, False, "The bytes that are kept no longer have their own SHA-256: the row was changed from outside."
    try:
        made = make(kept.what, kept.position, progress)
    except NoSuchPosition as error:
        return None, False, f"It cannot be made again: {error}."
    if made.seen.chain.hex() != kept.chain:
        return made, False, f"At position {kept.position} the ledger has another chain than the report saw: it was changed from outside."
    if made.content == bytes(content):
        return made, True, f"Made again as of position {kept.position:,}: the same {len(made.content):,} bytes."
    if code != source():
        why = "The code that makes it has changed since."
    elif rules != made.seen.rules:
        why = "The rules by which its streams were judged have changed since."
    else:
        why = "Neither rules nor code have changed: tallies were changed from outside; manage.py reexamine makes them anew."
    return made, False, f"Made again as of position {kept.position:,}, it has other bytes. {why}"


def content(id: int) -> bytes:
    """The bytes as they were kept. Raises LookupError."""
    rows = _all("SELECT content FROM kept_report WHERE id = %s", [id])
    if not rows:
        raise LookupError(id)
    return bytes(rows[0][0])


def found(id: int) -> Order | None:
    """One order; None where there is none of this number."""
    return next(iter(_orders("o.id = %s", [id])), None) if id <= LAST else None


def orders(properties: Sequence[str], before: int | None = None) -> list[Order]:
    """The latest first, from the one before the number `before`; one more than a page where there are more."""
    return _orders("o.property = ANY(%s) AND o.id < %s", [list(properties), before if before is not None else 2**62])


def beside(of: Order) -> list[Order]:
    """Every other kept one of the same report, days and grouping, whatever its format and books; the latest first."""
    what = of.what
    same = "o.property = %s AND o.name = %s AND o.begins = %s AND o.ends = %s AND o.by = %s AND o.id <> %s AND k.id IS NOT NULL"
    return _orders(same, [*what[:4], list(what.by), of.id])


def superseded_by(of: Order, others: Sequence[Order]) -> Order | None:
    """The latest that stands beside it and says otherwise: one that is restated where it is not, or of a later position."""
    for other in others:
        restates = other.what.books == RESTATED and of.what.books != RESTATED
        same = other.what.books == of.what.books and other.what.format == of.what.format and other.sha256 != of.sha256
        if (other.position or 0) >= (of.position or 0) and (restates or same):
            return other
    return None


def agains(id: int) -> list[Again]:
    """When a kept report was made again, the latest first."""
    query = "SELECT by, same, says, at FROM report_again WHERE kept = %s ORDER BY id DESC LIMIT 20"
    return [Again._make(row) for row in _all(query, [id])]


def being_made_again(id: int) -> bool:
    """Whether a worker is at it, or will be."""
    return bool(_all(f"SELECT FROM job WHERE kind = '{AGAIN}' AND state IN ('due', 'taken') AND stream LIKE %s LIMIT 1", [f"{id} %"]))


def books_of(name: str) -> tuple[str, ...]:
    """The books that a report can come from, besides all that is recorded."""
    return BOOKS if name in FROM_BOOKS else ()


def not_in_books(name: str, books: str) -> str:
    """Why this report cannot come from these books, in a sentence; empty where it can."""
    if books in ("", *books_of(name)):
        return ""
    if name in FROM_BOOKS:
        return f"There are no “{books[:40]}” books: {name} comes from all that is recorded, or from {' or '.join(BOOKS)} books."
    return f"{name} comes from all that is recorded and knows no {books[:40]} books; these know them: {', '.join(sorted(FROM_BOOKS))}."


@cache
def source() -> str:
    """The hash of all of that."""
    digest = sha256()
    for pattern in SOURCE:
        for file in sorted(Path(settings.BASE_DIR).glob(pattern)):
            digest.update(f"{file.relative_to(settings.BASE_DIR)}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _keep(lease: Lease) -> Callable[[], int]:
    """A job's work: make what was ordered. What is given back keeps it, in the transaction that ends the job."""
    ordered = found(int(lease.stream))
    assert ordered is not None
    if ordered.kept:
        return lambda: ordered.position or 0
    made = make(ordered.what, progress=_telling(lease))

    def keep() -> int:
        digest = sha256(made.content).hexdigest()
        _do(_KEEP, [ordered.id, made.seen.position, made.seen.chain, made.seen.rules, source(), digest, made.content])
        return made.seen.position

    return keep


def _again(lease: Lease) -> Callable[[], int]:
    """A job's work: make a kept report again, and write down what came of it."""
    id, _, by = lease.stream.partition(" ")
    _, same, says = again(int(id), _telling(lease))

    def note() -> int:
        _do("INSERT INTO report_again (kept, by, same, says) VALUES (%s, %s, %s, %s)", [int(id), by, same, says])
        return int(id)

    return note


def _telling(lease: Lease) -> Progress:
    def progress(more: int, total: int) -> None:
        lease.progress[0] += more
        lease.progress[1] = total

    return progress


WORK: dict[str, Callable[[Lease], Callable[[], int]]] = {KEEP: _keep, AGAIN: _again}
"""Kind of job to what does it, before the transaction in which it is kept."""


def _orders(condition: str, values: Sequence[Any]) -> list[Order]:
    found = []
    for row in _all(_FOUND.format(condition), values):
        id, property, name, begins, ends, by, format, books, *rest = row
        found.append(Order(id, What(property, name, begins, ends, tuple(by), format, books), *rest))
    return found


_ORDER = """INSERT INTO report_order (property, name, begins, ends, by, format, books, asked_by, schedule, period)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (property, schedule, period) WHERE schedule <> '' DO NOTHING RETURNING id"""
_KEEP = """INSERT INTO kept_report (id, position, chain, rules, code, sha256, content) VALUES (%s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT DO NOTHING"""
_FOUND = f"""SELECT o.id, o.property, o.name, o.begins, o.ends, o.by, o.format, o.books, o.asked_by, o.schedule, o.period, o.asked_at,
        CASE WHEN k.id IS NOT NULL THEN 'done' ELSE coalesce(j.state, 'due') END, coalesce(j.done, 0), coalesce(j.total, 0),
        coalesce(j.error, ''), k.position, coalesce(encode(k.chain, 'hex'), ''), coalesce(k.sha256, ''), coalesce(length(k.content), 0),
        k.finished_at, k.id IS NOT NULL AND o.books <> '{RESTATED}' AND EXISTS (
            SELECT FROM report_order r JOIN kept_report s ON s.id = r.id
            WHERE (r.property, r.name, r.begins, r.ends, r.by, r.books) = (o.property, o.name, o.begins, o.ends, o.by, '{RESTATED}')
                AND s.position >= k.position)
    FROM report_order o LEFT JOIN kept_report k ON k.id = o.id
        LEFT JOIN job j ON j.key = '{KEEP} ' || o.property || ' ' || o.id
    WHERE {{}} ORDER BY o.id DESC LIMIT {PAGE + 1}"""


def _do(query: str, values: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(query, values)


def _all(query: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
