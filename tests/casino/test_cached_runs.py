"""Sums over several days of a month are cached. They equal the sums from the tally, even if more facts of
these days are recorded later. Changed sums in the cache are detected.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from audit import database
from audit.queries.cache import aggregates, cached_rows
from audit.queries.cache import compare as caches
from audit.queries.cache.aggregates import Aggregate, aggregate, merge
from audit.queries.span import Span
from audit.queries.table_days import table_days
from casino.reports import cache_warming, catalog
from tests.casino.books import felt
from tests.casino.test_reports import record
from tests.furnished import furnishing

DAYS = [date(2026, 10, 30) + timedelta(days=place) for place in range(9)]
SPAN = Span(DAYS[0], DAYS[-1] + timedelta(days=1), "aurora")
RUN_NAME = "2026-11-01..2026-11-06"


@furnishing
def week() -> None:
    """Record nine gaming days around the end of a month."""
    record(*(felt(1000, 100 + 7 * place, day=str(day)) for place, day in enumerate(DAYS)))


class Figures(NamedTuple):
    drop: int
    tray: int


def read_rows(span: Span, by: str) -> Iterator[Aggregate[Figures]]:
    for day in table_days(span):
        yield Aggregate((str(getattr(day, by)), day.currency), Figures(day.drop, day.closer - day.opener))


def sums(span: Span, by: str) -> list[Aggregate[Figures]]:
    """Return the cached sums by table or by day, read in the same way as by pages."""

    def read_part(part: Span) -> Iterator[Aggregate[Figures]]:
        return read_rows(part, by)

    return aggregate(f"runs {by}", span, read_part, Figures)


def slowly(span: Span, by: str) -> list[Aggregate[Figures]]:
    return merge(read_rows(span, by))


def units(name: str) -> dict[str, str]:
    query = "SELECT unit, stamp FROM summed WHERE name LIKE %s"
    return dict(database.rows(query, [f"{name} %"]))


def test_a_run_has_the_sums_of_its_days_after_later_facts(week: None) -> None:
    rng = Random("runs")
    assert sums(SPAN, "table") == slowly(SPAN, "table")
    win = sum(100 + 7 * place for place in range(len(DAYS)))
    assert [row.figures.drop + row.figures.tray for row in sums(SPAN, "table")] == [win]
    stamps = units("runs table")
    assert {"2026-10-30", "2026-10-31", RUN_NAME, "2026-11-07"} <= stamps.keys(), stamps
    for place in range(4):
        day = rng.choice(DAYS)
        record(felt(500, 50, table=f"aurora/T{place + 2}", day=str(day)))
        for by in ("table", "day"):
            assert sums(SPAN, by) == slowly(SPAN, by), day
    assert units("runs table")[RUN_NAME] != stamps[RUN_NAME]
    within = Span(DAYS[3], DAYS[8], "aurora")
    assert sums(within, "table") == slowly(within, "table")
    month = Span(date(2026, 11, 1), date(2026, 12, 1), "aurora")
    assert sums(month, "table") == slowly(month, "table")


def test_a_run_of_a_report_is_compared_with_the_tallies(week: None) -> None:
    catalog.report("dealer-errors").sheet(SPAN, ("dealer",))
    assert RUN_NAME in units("dealer-errors")
    assert caches.compare("aurora").listed == []
    query = "SELECT name, stamp, sums FROM summed WHERE unit = %s AND name LIKE 'dealer-errors %%'"
    ((name, stamp, content),) = database.rows(query, [RUN_NAME])
    cached_rows.write("aurora", RUN_NAME, name, stamp, bytes(content).replace(b"0,", b"7,", 1))
    (difference,) = caches.compare("aurora").listed
    assert (difference.table, difference.column) == ("summed", "sums")
    assert RUN_NAME in difference.place


def test_runs_are_deleted_soon_after_their_last_day(week: None) -> None:
    catalog.report("dealer-errors").sheet(SPAN, ("dealer",))
    cache_warming.clean()
    assert RUN_NAME in units("dealer-errors")
    record(felt(1000, 100, day=str(DAYS[-1] + timedelta(days=8))))
    cache_warming.clean()
    assert RUN_NAME not in units("dealer-errors")
    assert "2026-11-06" in units("dealer-errors")


def test_few_days_and_the_last_day_are_read_one_by_one(week: None) -> None:
    def names(span: Span) -> Iterator[str]:
        for period in aggregates.with_runs(aggregates.periods_of(span)["aurora"]):
            yield period.name

    assert list(names(SPAN)) == ["2026-10-30", "2026-10-31", RUN_NAME, "2026-11-07"]
    assert list(names(Span(DAYS[4], DAYS[8], "aurora"))) == [str(day) for day in DAYS[4:8]]
    assert list(names(Span(None, None, "aurora"))) == ["2026-10", "2026-11"]
