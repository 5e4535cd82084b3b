"""Caches for every report of the year are filled in advance, in small steps. Cached entries that the present
code cannot use are deleted.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

import pytest
from django.db import connection

from audit.queries.cache.aggregates import Aggregate, aggregate
from audit.queries.cache.lists import cached_list
from audit.queries.cache.time_budget import TimeBudgetExceeded, time_budget
from audit.queries.span import Span
from casino.reports import cache_warming, catalog
from tests.casino.books import counted, map_accounts
from tests.casino.test_reports import felt, record
from tests.casino.test_restated import adjust, close

MONTHS = [date(2026, 9, 1), date(2026, 10, 1), date(2026, 11, 1)]
DAYS = ("2026-09-30", "2026-10-30", "2026-11-27")


class Figures(NamedTuple):
    number: int


def kept_sums() -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT unit, name, stamp, xmin::text FROM summed WHERE property = 'aurora' ORDER BY 1, 2"
        )
        return cursor.fetchall()


def test_every_report_of_the_year_is_cached_and_unusable_entries_are_deleted(house: Any) -> None:
    map_accounts()
    record(counted(1000, 100), close(), counted(500, 50, table="aurora/T2"), adjust("drop", 25))
    assert cache_warming.warm() >= 2 * len(catalog.names())
    warm = kept_sums()
    for name in catalog.names():
        list(
            catalog.report(name)
            .sheet(Span(date(2026, 1, 1), date(2027, 1, 1), "aurora"), catalog.report(name).DEFAULT_BY)
            .totals
        )
        assert kept_sums() == warm, f"{name} was added up before anybody asked"
    assert cache_warming.clean() == 0
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE summed SET name = name || 'x' WHERE name LIKE 'hold table %' AND name NOT LIKE '%closed%'"
        )
        cursor.execute(
            "INSERT INTO summed SELECT DISTINCT ON (property, name) property, '2020-01-01', name, stamp, sums"
            " FROM summed WHERE name LIKE 'voids %' ORDER BY property, name, unit"
        )
    assert cache_warming.clean() >= 1
    assert not [name for unit, name, *_ in kept_sums() if name.endswith("x") or unit == "2020-01-01"]
    assert cache_warming.warm(seconds=-1.0) == 0


def test_an_interrupted_report_keeps_its_finished_months(
    house: Any,
) -> None:
    record(*(felt(1000, 100, day=day) for day in DAYS))
    begins: list[date | None] = []

    def read_rows(span: Span) -> Iterator[Aggregate[Figures]]:
        begins.append(span.begins)
        yield Aggregate((f"{span.begins}", "all"), Figures(1))

    def added_up() -> int:
        return sum(row.figures.number for row in aggregate("patience", every, read_rows, Figures))

    def counted_in_a_list() -> int:
        return len(
            cached_list("patience of a list", every, read_rows, Figures, lambda key: key[0], lambda row: None)
        )

    every = Span(property="aurora")
    for ask in (added_up, counted_in_a_list):
        begins.clear()
        with pytest.raises(TimeBudgetExceeded), time_budget(lambda: len(begins) == 2):
            ask()
        assert begins == MONTHS[:2]
        assert ask() == 3, "a person who looks at a page is not hurried"
        assert begins == MONTHS
