"""What is kept: ordered once, made as of one position of the ledger, and standing with it, its manifest and
its bytes for ever.

A report, or anything else that leaves the house (`casino/exports/datasets/`). An order says what is to be
made; `making.py` makes it, a worker's job or at once where it is small, and it is the same order, row and
address either way. What a schedule orders for a gaming day is ordered once, however often it asks. What is
kept is never changed: where the books have moved on, another one stands beside it and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection, transaction
from msgspec import json

from audit.facts.input_parsing import YEARS
from audit.jobs import leases
from audit.models import Head
from audit.queries.tallies import BOOKS, LAST, RESTATED
from casino.exports import datasets
from casino.exports.formats import registry
from casino.reports import catalog

KEEP, AGAIN = "keep-report", "make-report-again"
"""Kinds of jobs: make what was ordered; make a kept one again and see whether it is the same."""
PAGE = 100
FROM_BOOKS = frozenset({"hold", "hold-to-date", "master-game-report", "new-jersey", "table-drop"})
"""Reports of what tables won and dropped, which closing and adjusting are about."""
OF_CLOSED_DAYS = frozenset({"journal", "restated"})
"""Reports that read closed days alone, whatever books are asked for: a schedule of them waits for the close.
"""


class What(NamedTuple):
    """What an export is of. `ends` is the gaming day after the last; `books`: as `Span` has them, empty where
    a report knows none.

    `filters`: pairs of a name and a value, in the order of the names; a report knows `shift` alone, and not
    every report does.
    """

    property: str
    name: str
    begins: date
    ends: date
    by: tuple[str, ...]
    format: str
    books: str = ""
    filters: tuple[tuple[str, str], ...] = ()


class Order(NamedTuple):
    """What was asked for, by whom, and how far it has come: the job's state, and what is kept of it when that
    is `done`.
    """

    id: int
    what: What
    asked_by: str
    schedule: str
    period: str
    asked_at: datetime
    state: str
    done: int
    """Facts folded of `total`, then rows written of nobody knows how many: `total` is 0."""
    total: int
    error: str
    position: int | None
    chain: str
    sha256: str
    length: int
    manifest: str
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
    """A kept export was made again: whether it had the same bytes, and a sentence."""

    by: str
    same: bool
    says: str
    at: datetime


def order(what: What, asked_by: str, schedule: str = "", period: str = "") -> int | None:
    """Ask for an export. Gives its number; None where this schedule has ordered this period before. Raises
    LookupError, ValueError.

    What the same person has asked for before, while the ledger stood where it stands, is the same order: it
    would have the same bytes.
    """
    check(what)
    with transaction.atomic():
        if not schedule and (before := _before(what, asked_by)) is not None:
            return before
        values = [
            *what[:4],
            list(what.by),
            what.format,
            what.books,
            _filters(what),
            asked_by,
            schedule,
            period,
        ]
        found = _all(_ORDER, values)
        if not found:
            return None
        id: int = found[0][0]
        leases.ask_for(KEEP, what.property, str(id))
    return id


def _before(what: What, asked_by: str) -> int | None:
    """The same order at the same position of the ledger. Who asks for it at the same moment waits until this
    transaction has ended.
    """
    from casino.exports.archive.build import source

    asked = [*what[:4], list(what.by), what.format, what.books, _filters(what), asked_by]
    _all("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [repr(asked)])
    found = _all(_BEFORE, [*asked, source()])
    return found[0][0] if found else None


def check(what: What) -> None:
    """Whether there is such a thing to be kept. Raises LookupError, ValueError with a sentence."""
    registry.writer_of(what.format)
    strange = [name for name, _ in what.filters]
    if what.name in datasets.names():
        if what.by or what.books:
            raise ValueError(
                f"{what.name} has rows of its own and comes from all that is recorded: no grouping, no books"
            )
        known = datasets.source(what.name).FILTERS
        strange = [name for name in strange if name not in known]
    else:
        by = catalog.report(what.name).BY
        if unknown := [name for name in what.by if name not in by]:
            raise ValueError(f"{what.name} cannot go by {', '.join(unknown)}")
        if says := not_in_books(what.name, what.books):
            raise ValueError(says)
        strange = [name for name in strange if name != "shift" or not catalog.knows_shifts(what.name)]
    if strange:
        raise ValueError(f"{what.name} is not filtered by {', '.join(strange)}")
    if not what.begins < what.ends or {what.begins.year, (what.ends - timedelta(days=1)).year} - {*YEARS}:
        raise ValueError(f"{what.begins} to {what.ends} are no gaming days of a house")
    if not has_ledger(what.property):
        raise ValueError(f"{what.property} has no ledger in this house yet")


def has_ledger(property: str) -> bool:
    """Whether anything was ever recorded there."""
    return Head.objects.filter(property=property).exists()


def ask_again(id: int, by: str) -> None:
    """Ask for a kept export to be made again by a worker."""
    kept = found(id)
    if kept is None or not kept.kept:
        raise LookupError(id)
    leases.ask_for(AGAIN, kept.what.property, f"{id} {by}")


def found(id: int) -> Order | None:
    """One order; None where there is none of this number."""
    return next(iter(_orders("o.id = %s", [id])), None) if id <= LAST else None


def orders(
    properties: Sequence[str], before: int | None = None, without: Iterable[tuple[str, str]] = ()
) -> list[Order]:
    """The latest first, from the one before the number `before`; one more than a page where there are more.

    `without`: pairs of a property and what is not for the asker's eyes there.
    """
    hidden = list(without)
    seen = (
        "o.property = ANY(%s) AND o.id < %s AND (o.property, o.name) NOT IN (SELECT * FROM unnest(%s::text[],"
        " %s::text[]))"
    )
    last = before if before is not None else 2**62
    return _orders(seen, [list(properties), last, [one for one, _ in hidden], [name for _, name in hidden]])


def beside(of: Order) -> list[Order]:
    """Every other kept one of the same thing, days, grouping and filters, whatever its format and books; the
    latest first.
    """
    what = of.what
    same = """o.property = %s AND o.name = %s AND o.begins = %s AND o.ends = %s AND o.by = %s AND o.filters = %s AND o.id <> %s
        AND k.id IS NOT NULL"""
    return _orders(same, [*what[:4], list(what.by), _filters(what), of.id])


def superseded_by(of: Order, others: Sequence[Order]) -> Order | None:
    """The latest that stands beside it and says otherwise: one that is restated where it is not, or of a
    later position.
    """
    for other in others:
        restates = other.what.books == RESTATED and of.what.books != RESTATED
        same = (
            other.what.books == of.what.books
            and other.what.format == of.what.format
            and other.sha256 != of.sha256
        )
        if (other.position or 0) >= (of.position or 0) and (restates or same):
            return other
    return None


def agains(id: int) -> list[Again]:
    """When a kept export was made again, the latest first."""
    query = "SELECT by, same, says, at FROM report_again WHERE kept = %s ORDER BY id DESC LIMIT 20"
    return [Again._make(row) for row in _all(query, [id])]


def being_made_again(id: int) -> bool:
    """Whether a worker is at it, or will be."""
    return bool(
        _all(
            f"SELECT FROM job WHERE kind = '{AGAIN}' AND state IN ('due', 'taken') AND stream LIKE %s"
            " LIMIT 1",
            [f"{id} %"],
        )
    )


def books_of(name: str) -> tuple[str, ...]:
    """The books that a report can come from, besides all that is recorded."""
    return BOOKS if name in FROM_BOOKS else ()


def not_in_books(name: str, books: str) -> str:
    """Why this report cannot come from these books, in a sentence; empty where it can."""
    if books in ("", *books_of(name)):
        return ""
    if name in FROM_BOOKS:
        return (
            f"There are no “{books[:40]}” books: {name} comes from all that is recorded, or from"
            f" {' or '.join(BOOKS)} books."
        )
    return (
        f"{name} comes from all that is recorded and knows no {books[:40]} books; these know them:"
        f" {', '.join(sorted(FROM_BOOKS))}."
    )


def _filters(what: What) -> str:
    return json.encode(dict(what.filters), order="sorted").decode()


def _orders(condition: str, values: Sequence[Any]) -> list[Order]:
    found = []
    for row in _all(_FOUND.format(condition), values):
        id, property, name, begins, ends, by, format, books, filters, *rest = row
        pairs = tuple(sorted(json.decode(filters, type=dict[str, str]).items()))
        found.append(Order(id, What(property, name, begins, ends, tuple(by), format, books, pairs), *rest))
    return found


_ORDER = """INSERT INTO report_order (property, name, begins, ends, by, format, books, filters, asked_by, schedule, period)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (property, schedule, period) WHERE schedule <> '' DO NOTHING
    RETURNING id"""
_BEFORE = f"""SELECT o.id FROM report_order o JOIN head h ON h.property = o.property
        LEFT JOIN kept_report k ON k.id = o.id LEFT JOIN job j ON j.key = '{KEEP} ' || o.property || ' ' || o.id
    WHERE (o.property, o.name, o.begins, o.ends, o.by, o.format, o.books, o.filters, o.asked_by, o.schedule)
            = (%s, %s, %s, %s, %s::text[], %s, %s, %s::jsonb, %s, '')
        AND CASE WHEN k.id IS NULL THEN j.state IN ('due', 'taken') AND o.asked_at > h.recorded_at
            ELSE k.position = h.position AND k.code = %s END
    ORDER BY o.id DESC LIMIT 1"""
_FOUND = f"""SELECT o.id, o.property, o.name, o.begins, o.ends, o.by, o.format, o.books, o.filters::text,
        o.asked_by, o.schedule, o.period, o.asked_at,
        CASE WHEN k.id IS NOT NULL THEN 'done' ELSE coalesce(j.state, 'due') END, coalesce(j.done, 0), coalesce(j.total, 0),
        coalesce(j.error, ''), k.position, coalesce(encode(k.chain, 'hex'), ''), coalesce(k.sha256, ''), coalesce(k.length, 0),
        coalesce(k.manifest, ''), k.finished_at, k.id IS NOT NULL AND o.books <> '{RESTATED}' AND EXISTS (
            SELECT FROM report_order r JOIN kept_report s ON s.id = r.id
            WHERE (r.property, r.name, r.begins, r.ends, r.by, r.filters, r.books)
                = (o.property, o.name, o.begins, o.ends, o.by, o.filters, '{RESTATED}') AND s.position >= k.position)
    FROM report_order o LEFT JOIN kept_report k ON k.id = o.id
        LEFT JOIN job j ON j.key = '{KEEP} ' || o.property || ' ' || o.id
    WHERE {{}} ORDER BY o.id DESC LIMIT {PAGE + 1}"""


def _all(query: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
