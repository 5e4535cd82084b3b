"""Lists that are cached by months and days. Any slice of a cached list equals the same slice of the list
without a cache, also after the facts of a day have changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import product
from typing import NamedTuple

import pytest
from django.db import connection

from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries.cache.aggregates import Aggregate, aggregate, merge
from audit.queries.cache.lists import CachedList, cached_list
from audit.queries.cage_lists import shifts_begun, trays
from audit.queries.examination import ReadsLedger, covered
from audit.queries.span import Span
from casino.reports.columns import Rows
from tests.audit.floor import OPENING, line
from tests.casino.test_reports import BY, at, felt, record

DAYS = tuple(map(date.fromisoformat, ("2026-10-30", "2026-11-01", "2026-11-26", "2026-11-27")))


class Figures(NamedTuple):
    amount: int
    number: int


def read_rows(span: Span) -> Iterator[Aggregate[Figures]]:
    for tray in trays(span):
        yield Aggregate((tray.table, str(tray.day), f"{tray.place:03}", tray.kind), Figures(tray.amount, 1))


def trays_of(span: Span) -> CachedList[Figures]:
    return cached_list(
        "trays",
        span,
        read_rows,
        Figures,
        lambda key: key[0],
        lambda row: row.key[3:] if row.figures.amount != 101 else None,
    )


def test_a_slice_of_a_list_equals_that_of_the_whole_even_after_a_change(house: object) -> None:
    record(*(felt(1000, 100, f"aurora/T{table}", str(day)) for table, day in product((1, 2, 3), DAYS)))
    every = Span(property="aurora")
    for changed in (False, True, True):
        if changed:
            record([at(table="aurora/T2", day="2026-11-26")("opener-counted", chips={}, amount=101, **BY)])
        for span in (
            every,
            every,
            every._replace(begins=DAYS[1]),
            Span(DAYS[2], DAYS[3], "aurora"),
            Span(DAYS[1], DAYS[1]),
        ):
            listed, expected = trays_of(span), merge(read_rows(span))
            assert list(listed) == listed.plain_rows() == expected
            assert len(listed) == len(expected)
            for begins, ends in product(range(len(expected) + 2), repeat=2):
                assert listed[begins:ends] == expected[begins:ends]
            assert listed[-3:] == expected[-3:]
            assert listed[::-2] == expected[::-2]
            counted = merge(
                Aggregate(row.key[3:], row.figures) for row in expected if row.figures.amount != 101
            )
            assert listed.totals == counted


def test_rows_are_streamed_and_uncached_rows_follow() -> None:
    written: list[int] = []

    def write(numbers: Sequence[int]) -> Iterator[tuple[int]]:
        written.extend(numbers)
        return ((number,) for number in numbers)

    rows, behind = Rows.together(range(2500), write, [("a",), ("b",)]), [("a",), ("b",)]
    all_rows = [*((number,) for number in range(2500)), *behind]
    assert (len(rows), written) == (2502, [])
    assert rows[100:200] == all_rows[100:200]
    assert written == list(range(100, 200))
    assert (rows[2499:], rows[2501], rows[-1], rows[0], rows[::-1]) == (
        all_rows[2499:],
        ("b",),
        ("b",),
        (0,),
        all_rows[::-1],
    )
    assert list(rows) == all_rows


@pytest.mark.parametrize("name", ["sums", "list"])
def test_a_month_is_not_cached_if_facts_arrive_meanwhile(house: object, name: str) -> None:
    record(felt(1000, 100, "aurora/T1", "2026-11-27"))
    late = [at(table="aurora/T1", day="2026-11-27")("opener-counted", chips={}, amount=101, **BY)]

    def while_read(span: Span) -> Iterator[Aggregate[Figures]]:
        if late:
            with covered():  # as if another process examined facts meanwhile
                record([late.pop()])
        yield from read_rows(span)

    def ask() -> list[Aggregate[Figures]]:
        span = Span(property="aurora")
        return (
            aggregate("sums", span, while_read, Figures)
            if name == "sums"
            else list(cached_list("list", span, while_read, Figures, *PARTS))
        )

    results = [ask(), kept_of(name), ask(), kept_of(name), ask()]
    assert (results[1], results[3]) == (0, 1), "kept when nothing came in between"
    assert results[0] == results[2] == results[4] == merge(read_rows(Span(property="aurora")))


PARTS = (lambda key: key[0], lambda row: row.key[3:])


def kept_of(name: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM summed WHERE name LIKE %s", [f"{name} %"])
        return int(cursor.fetchone()[0])


@pytest.mark.parametrize("name", ["sums", "list"])
@pytest.mark.parametrize("table", ["fact", "public.fact", "head", "stream", "verdict"])
def test_cached_lists_read_only_examined_tables(house: object, name: str, table: str) -> None:
    record(felt(1000, 100))

    def counts(span: Span) -> Iterator[Aggregate[Figures]]:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM {table} WHERE property = %s", [span.property])
            yield Aggregate(("all",), Figures(cursor.fetchone()[0], 1))

    def ask() -> list[Aggregate[Figures]]:
        span = Span(property="aurora")
        return (
            aggregate("sums", span, counts, Figures)
            if name == "sums"
            else list(cached_list("list", span, counts, Figures, *PARTS))
        )

    with pytest.raises(ReadsLedger, match=table.removeprefix("public.")):
        ask()
    assert kept_of(name) == 0


def test_the_shifts_of_a_table_are_those_of_openings_that_were_examined(house: object) -> None:
    opened = felt(
        1000, 100, shifts={"day": "2026-11-27T06:00:00+00:00", "swing": "2026-11-27T14:00:00+00:00"}
    )
    record(opened)
    stream = "aurora/T1/2026-11-27"
    assert shifts_begun(Span(property="aurora")) == {(stream, "day"): 1, (stream, "swing"): 2}
    later = OPENING | {"shifts": {"dawn": "2026-11-27T04:00:00+00:00"}}
    intake.post([line(at(table="aurora/T1")(**later))], Sender("test"))
    assert shifts_begun(Span(property="aurora")) == {(stream, "day"): 1, (stream, "swing"): 2}
    findings.examine()
    assert shifts_begun(Span(property="aurora")) == {
        (stream, "dawn"): 1,
        (stream, "day"): 2,
        (stream, "swing"): 3,
    }
