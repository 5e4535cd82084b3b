"""Orders of exports, and the exports that were archived for them.

An order says what to export: a report or a dataset (`casino/exports/datasets/`). `build.py` builds it as of
one position of the ledger. A worker builds it in a job; a small export is built at once. Its number and
address are the same in both cases. A schedule orders each gaming day once, even if it runs again. An archived
export never changes. After an adjustment, a newer export is archived in addition, and the page of the earlier
export links to the newer one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from msgspec import json

from audit import database
from audit.facts.input_parsing import YEARS
from audit.jobs import leases
from audit.models import Head
from audit.queries.span import BOOKS, CLOSED, LAST, RESTATED
from casino.cases import packs
from casino.exports import datasets
from casino.exports.archive.fingerprint import code_of
from casino.exports.formats import registry
from casino.reports import catalog
from casino.sealing import journal

BUILD_JOB, REBUILD_JOB = "keep-report", "make-report-again"
"""Kinds of jobs: build an ordered export; rebuild an archived export and compare it."""
PAGE = 100
FROM_BOOKS = frozenset({"hold", "hold-to-date", "master-game-report", "new-jersey", "table-drop"})
"""Reports of win and drop. Their figures depend on the books: as played, closed, or restated after
adjustments.
"""


class ExportSpec(NamedTuple):
    """What an export contains.

    Attributes:
        ends: the first day after the export.
        books: `closed` for closed days only, `restated` for closed days with their later adjustments, or
            empty for all facts.
        filters: pairs of a name and a value, sorted by name. Reports can only be filtered by `shift`, and not
            every report can.
    """

    property: str
    name: str
    begins: date
    ends: date
    by: tuple[str, ...]
    format: str
    books: str = ""
    filters: tuple[tuple[str, str], ...] = ()


class ExportOrder(NamedTuple):
    """An order of an export, the state of its job and, if that state is `done`, the archived export."""

    id: int
    what: ExportSpec
    asked_by: str
    schedule: str
    period: str
    asked_at: datetime
    state: str
    done: int
    """While facts are replayed: the number of replayed facts, out of `total`. While rows are written: the
    number of written rows. `total` is then 0, because the number of rows is not known in advance.
    """
    total: int
    error: str
    position: int | None
    chain: str
    sha256: str
    length: int
    manifest: str
    finished_at: datetime | None
    restated: bool
    """True if there is also a restated export of the same report and days, and this export itself is not
    restated.
    """

    @property
    def is_archived(self) -> bool:
        """Return True if the export was built and archived."""
        return self.position is not None

    @property
    def books(self) -> str:
        """Return the books from which the export is made: `closed` also for a report that always contains
        only closed days.
        """
        return self.what.books or (CLOSED if self.what.name in catalog.OF_CLOSED_DAYS else "")

    @property
    def last(self) -> date:
        """Return the last gaming day in the export."""
        return self.what.ends - timedelta(days=1)


class RebuildResult(NamedTuple):
    """The result of rebuilding an archived export: whether the bytes are the same, and a sentence
    about it.
    """

    by: str
    same: bool
    says: str
    at: datetime


def order(spec: ExportSpec, asked_by: str, schedule: str = "", period: str = "") -> int | None:
    """Order an export and return its number, or None if this schedule has already ordered this period.

    If the same person repeats an order without new facts in the ledger, return the number of the first order,
    because the export would have the same bytes.

    Raises:
        LookupError: There is no such report, dataset or format.
        ValueError: The order is not possible; the message says why.
    """
    validate(spec)
    with transaction.atomic():
        if not schedule and (before := _same_order(spec, asked_by)) is not None:
            return before
        values = [
            *spec[:4],
            list(spec.by),
            spec.format,
            spec.books,
            _filters(spec),
            asked_by,
            schedule,
            period,
        ]
        inserted = database.rows(_INSERT_ORDER, values)
        if not inserted:
            return None
        id: int = inserted[0][0]
        journal.record("report_order", [id])
        leases.ask_for(BUILD_JOB, spec.property, str(id))
    return id


def _same_order(spec: ExportSpec, asked_by: str) -> int | None:
    """Return the number of an equal order of the same person at the same position of the ledger, or None if
    there is no such order. Take a lock until the end of the transaction, so that equal orders at the same
    time wait for each other.
    """
    values = [*spec[:4], list(spec.by), spec.format, spec.books, _filters(spec), asked_by]
    database.rows("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [repr(values)])
    rows = database.rows(_SAME_ORDER, [*values, code_of(spec.name)])
    return rows[0][0] if rows else None


def validate(spec: ExportSpec) -> None:
    """Check that this export is possible. Raise LookupError if a name in it is unknown, or ValueError with a
    sentence.
    """
    if spec.name in packs.ACTS:
        packs.of_filters(spec.property, spec.filters)
        return
    if spec.format != registry.BY_DAY:
        registry.writer_of(spec.format)
    elif (spec.ends - spec.begins).days > registry.MAX_DAYS:
        raise ValueError(
            f"{spec.format} exports have a file for each day, and at most {registry.MAX_DAYS} days"
        )
    strange = [name for name, _ in spec.filters]
    if spec.name in datasets.names():
        if spec.by or spec.books:
            raise ValueError(f"{spec.name} is a dataset of all facts: leave out grouping and books")
        known = datasets.get(spec.name).FILTERS
        strange = [name for name in strange if name not in known]
    else:
        by = catalog.report(spec.name).BY
        if unknown := [name for name in spec.by if name not in by]:
            known_by = f"Choose {', '.join(by)}" if by else "It has no groupings"
            raise ValueError(f"{spec.name} cannot be grouped by {', '.join(unknown)}. {known_by}")
        if says := books_error(spec.name, spec.books):
            raise ValueError(says)
        strange = [name for name in strange if name != "shift" or not catalog.knows_shifts(spec.name)]
    if strange:
        raise ValueError(f"{spec.name} cannot be filtered by {', '.join(strange)}")
    if not spec.begins < spec.ends or {spec.begins.year, (spec.ends - timedelta(days=1)).year} - {*YEARS}:
        raise ValueError(f"{spec.begins} to {spec.ends} is not a range of gaming days")
    if not has_ledger(spec.property):
        raise ValueError(f"{spec.property} has no facts yet")


def has_ledger(property: str) -> bool:
    """Return True if any fact was ever recorded at this property."""
    return Head.objects.filter(property=property).exists()


def request_rebuild(id: int, by: str) -> None:
    """Order a worker to rebuild an archived export and compare it."""
    archived = get_order(id)
    if archived is None or not archived.is_archived:
        raise LookupError(id)
    leases.ask_for(REBUILD_JOB, archived.what.property, f"{id} {by}")


def retry(id: int, by: str) -> bool:
    """Make the job of a failed export due again, and record who did it. Return False if the export has not
    failed.
    """
    order = get_order(id)
    if order is None or order.state != "set-aside":
        return False
    jobs = database.rows("SELECT id FROM job WHERE key = %s", [f"{BUILD_JOB} {order.what.property} {id}"])
    return leases.revive([job for (job,) in jobs], by) > 0


def get_order(id: int) -> ExportOrder | None:
    """Return the order with this number, or None if there is no such order."""
    return next(iter(_orders("o.id = %s", [id])), None) if id <= LAST else None


def orders(
    properties: Sequence[str],
    before: int | None = None,
    without: Iterable[tuple[str, str]] = (),
    limit: int = PAGE + 1,
    schedule: str = "",
) -> list[ExportOrder]:
    """Return a page of orders, the latest first. By default, the list has one order more than a page if there
    are further orders.

    Args:
        properties: Properties whose orders are listed.
        before: Only orders with a lower number.
        without: Pairs of a property and a report or dataset that this user may not see there.
        limit: The maximum number of orders.
        schedule: Only orders of the schedule with this name.
    """
    hidden = list(without)
    condition = (
        "o.property = ANY(%s) AND o.id < %s AND (o.property, o.name) NOT IN (SELECT * FROM unnest(%s::text[],"
        " %s::text[])) AND (%s = '' OR o.schedule = %s)"
    )
    last = before if before is not None else 2**62
    return _orders(
        condition,
        [
            list(properties),
            last,
            [hidden_property for hidden_property, _ in hidden],
            [name for _, name in hidden],
            schedule,
            schedule,
        ],
        limit,
    )


def other_versions(of: ExportOrder) -> list[ExportOrder]:
    """Return all other archived exports of the same report or dataset that have the same days, grouping and
    filters. Their formats and books may differ. The latest export comes first.
    """
    spec = of.what
    condition = """o.property = %s AND o.name = %s AND o.begins = %s AND o.ends = %s AND o.by = %s
        AND o.filters = %s AND o.id <> %s AND k.id IS NOT NULL"""
    return _orders(condition, [*spec[:4], list(spec.by), _filters(spec), of.id])


def superseded_by(of: ExportOrder, others: Sequence[ExportOrder]) -> ExportOrder | None:
    """Return the latest of the exports `others` that supersedes this one, or None.

    A restated export supersedes one that is not restated. An export with other bytes supersedes one with the
    same books and format. In both cases, it must not be from an earlier position of the ledger.
    """
    for other in others:
        restates = other.what.books == RESTATED and of.what.books != RESTATED
        is_newer_version = (
            other.what.books == of.what.books
            and other.what.format == of.what.format
            and other.sha256 != of.sha256
        )
        if (other.position or 0) >= (of.position or 0) and (restates or is_newer_version):
            return other
    return None


def closed_later(of: ExportOrder) -> list[tuple[str, date]]:
    """Return (table, gaming day) of the tables of an archived export's days that were closed after it was
    built. They are missing in an export from closed or restated books.
    """
    if not of.books or of.position is None:
        return []
    query = """SELECT "table", day FROM examination
        WHERE property = %s AND day >= %s AND day < %s AND closed > %s ORDER BY day, "table" LIMIT %s"""
    spec = of.what
    return database.rows(query, [spec.property, spec.begins, spec.ends, of.position, PAGE])


def rebuild_results(id: int) -> list[RebuildResult]:
    """Return the results of all rebuilds of an archived export, the latest first."""
    query = "SELECT by, same, says, at FROM report_again WHERE kept = %s ORDER BY id DESC LIMIT 20"
    return database.records(RebuildResult, query, [id])


def is_being_rebuilt(id: int) -> bool:
    """Return True if a worker is rebuilding this export, or if the job to rebuild it is waiting."""
    return bool(
        database.rows(
            f"SELECT FROM job WHERE kind = '{REBUILD_JOB}' AND state IN ('due', 'taken') AND stream LIKE %s"
            " LIMIT 1",
            [f"{id} %"],
        )
    )


def books_of(name: str) -> tuple[str, ...]:
    """Return the books from which a report can be made: `closed` and `restated`. Return an empty tuple if the
    report is always made from all facts.
    """
    return BOOKS if name in FROM_BOOKS else ()


def books_error(name: str, books: str) -> str:
    """Return a sentence that says why a report cannot be made from these books (`closed` or `restated`).
    Return empty text if it can.
    """
    if books in ("", *books_of(name)):
        return ""
    if name in FROM_BOOKS:
        return (
            f"There are no “{books[:40]}” books: {name} can be made from all facts, or from"
            f" {' or '.join(BOOKS)} books."
        )
    return (
        f"{name} is made from all facts, not from {books[:40]} books. Reports with books:"
        f" {', '.join(sorted(FROM_BOOKS))}."
    )


def _filters(spec: ExportSpec) -> str:
    return json.encode(dict(spec.filters), order="sorted").decode()


def _orders(condition: str, values: Sequence[Any], limit: int = PAGE + 1) -> list[ExportOrder]:
    orders = []
    for row in database.rows(_SELECT_ORDERS.format(condition), [*values, limit]):
        id, property, name, begins, ends, by, format, books, filters, *columns = row
        pairs = tuple(sorted(json.decode(filters, type=dict[str, str]).items()))
        orders.append(
            ExportOrder(
                id, ExportSpec(property, name, begins, ends, tuple(by), format, books, pairs), *columns
            )
        )
    return orders


_INSERT_ORDER = """INSERT INTO report_order
        (property, name, begins, ends, by, format, books, filters, asked_by, schedule, period)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (property, schedule, period) WHERE schedule <> '' DO NOTHING
    RETURNING id"""
_SAME_ORDER = f"""SELECT o.id FROM report_order o JOIN head h ON h.property = o.property
        LEFT JOIN kept_report k ON k.id = o.id
        LEFT JOIN job j ON j.key = '{BUILD_JOB} ' || o.property || ' ' || o.id
    WHERE (o.property, o.name, o.begins, o.ends, o.by, o.format, o.books, o.filters, o.asked_by, o.schedule)
            = (%s, %s, %s, %s, %s::text[], %s, %s, %s::jsonb, %s, '')
        AND CASE WHEN k.id IS NULL THEN j.state IN ('due', 'taken') AND o.asked_at > h.recorded_at
            ELSE k.position = h.position AND k.code = %s END
    ORDER BY o.id DESC LIMIT 1"""
_SELECT_ORDERS = f"""SELECT o.id, o.property, o.name, o.begins, o.ends, o.by, o.format, o.books,
        o.filters::text, o.asked_by, o.schedule, o.period, o.asked_at,
        CASE WHEN k.id IS NOT NULL THEN 'done' ELSE coalesce(j.state, 'due') END,
        coalesce(j.done, 0), coalesce(j.total, 0), coalesce(j.error, ''),
        k.position, coalesce(encode(k.chain, 'hex'), ''), coalesce(k.sha256, ''), coalesce(k.length, 0),
        coalesce(k.manifest, ''), k.finished_at, k.id IS NOT NULL AND o.books <> '{RESTATED}' AND EXISTS (
            SELECT FROM report_order r JOIN kept_report s ON s.id = r.id
            WHERE (r.property, r.name, r.begins, r.ends, r.by, r.filters, r.books)
                = (o.property, o.name, o.begins, o.ends, o.by, o.filters, '{RESTATED}')
                AND s.position >= k.position)
    FROM report_order o LEFT JOIN kept_report k ON k.id = o.id
        LEFT JOIN job j ON j.key = '{BUILD_JOB} ' || o.property || ' ' || o.id
    WHERE {{}} ORDER BY o.id DESC LIMIT %s"""
