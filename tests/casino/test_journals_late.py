"""A gaming day may be recorded after a later day of the same table was booked. Existing documents do not
change, and the trays are booked as last counted.
"""

from __future__ import annotations

from datetime import date, timedelta
from importlib import import_module
from random import Random

import pytest
from django.db import connection

from audit.queries import heads
from audit.queries.span import Span
from casino.journals.books import Document, since
from tests.casino.books import counted, map_accounts, sample_journal, sums
from tests.casino.test_reports import record
from tests.casino.test_restated import AFTER, NEXT, NIGHT, close, without_a_pull


@pytest.mark.parametrize("by", ["day", "shift"])
@pytest.mark.parametrize("span", [(), (AFTER, "2026-11-29"), (NEXT, "2026-11-29")])
def test_a_day_recorded_after_the_next_one_was_closed_takes_the_difference(
    house, by: str, span: tuple[str, ...]
) -> None:
    figures = ((NIGHT, 900, 40), (NEXT, 500, -30), (AFTER, 700, 70))
    first, late, last = (
        counted(drop, win, day=day, shifts={"day": f"{day}T06:00:00-08:00"}) for day, drop, win in figures
    )
    late[3]["amount"] += 35
    record(first, close(NIGHT), last, close(AFTER))
    map_accounts()
    before = sample_journal(by, *span)
    assert len(before.documents) == (2 if not span else 1)
    record(late)
    assert sample_journal(by, *span).documents == before.documents, "also while the late day is open"
    position = heads.head("aurora").position
    record(close(NEXT))
    after = sample_journal(by, *span)
    added = [document for document in after.documents if document not in before.documents]
    assert [document for document in after.documents if document in before.documents] == before.documents
    assert [str(document.booked) for document in added] == ([NEXT] if span != (AFTER, "2026-11-29") else [])
    assert since(Span(property="aurora"), position, by).documents == [
        document for document in sample_journal(by).documents if str(document.booked) == NEXT
    ]
    trays = [
        fact["amount"]
        for fact in (*first, *late, *last)
        if fact["kind"] in ("opener-counted", "closer-counted")
    ]
    assert sums(sample_journal(by))["chips"] == trays[-1] - trays[0], (
        "the trays have the amount that was counted last"
    )
    assert sums(sample_journal(by))["over-short"] == sum(
        closer - opener for closer, opener in ((trays[1], trays[2]), (trays[3], trays[4]))
    )


def test_a_late_day_whose_box_is_already_booked_is_booked_separately(house) -> None:
    late, last = without_a_pull(NEXT, 5000, 4600), counted(700, 70, day=AFTER)
    record(last, close(AFTER))
    map_accounts()
    before = sample_journal().documents
    record(late, close(NEXT))
    only_document, *after = sample_journal().documents
    assert after == before
    assert (only_document.table, str(only_document.booked)) == ("T1", NEXT)
    assert sums(sample_journal())["drop"] == 700
    assert {
        posting.posted: posting.amount for posting in only_document.postings if posting.posted == "win"
    } == {"win": 400}


def test_a_late_day_does_not_change_the_booked_box_of_another(house) -> None:
    record(without_a_pull(NIGHT, 5000, 4600), close(NIGHT), counted(700, 70, day=AFTER), close(AFTER))
    map_accounts()
    before = sample_journal().documents
    assert [document.text for document in before] == [f"T1, gaming day {NIGHT} and {AFTER}"]
    record(counted(300, 30, day=NEXT), close(NEXT))
    assert [document for document in sample_journal().documents if document in before] == before
    assert sums(sample_journal())["drop"] == 1000


def test_an_open_day_recorded_a_year_late_blocks_no_booking(house) -> None:
    record(counted(700, 70, day=NEXT), close(NEXT))
    map_accounts()
    before = sample_journal().documents
    record(counted(300, 30, day="2025-11-30"))
    assert sample_journal().documents == before
    assert len(before) == 1


def test_a_day_recorded_after_its_month_keeps_its_own_document(
    house,
) -> None:
    record(counted(700, 70, day="2026-04-15"), counted(300, 30, day="2025-12-27"), close("2025-12-27"))
    map_accounts()
    before = sample_journal("month").documents
    assert [document.number for document in before] == ["aurora/T1/2025-12-27/1"]
    position = heads.head("aurora").position
    record(counted(200, 20, day="2026-01-05"))
    assert sample_journal("month").documents == before
    assert sample_journal("month", until=position).documents == before
    assert sample_journal("month", until=1).documents == []


@pytest.mark.parametrize(
    ("seed", "stay", "days_apart"),
    [
        pytest.param(*case, days_apart, marks=() if place % 2 == days_apart % 2 else pytest.mark.long)
        for place, case in enumerate(
            [(0, False), (1, False), (2, False), (1, True), (5, True), (8, True), (13, True)]
        )
        for days_apart in (1, 100)
    ],
)
def test_no_document_ever_changes_in_any_order_of_importing_and_closing_days(
    house, seed: int, stay: bool, days_apart: int
) -> None:
    rng = Random(seed)
    days = [str(date(2026, 11, 21) - timedelta(days=days_apart * (5 - place))) for place in range(5)]
    facts_by_day = {day: counted(rng.randint(1, 9) * 100, rng.randint(-90, 90), day=day) for day in days}
    for day in days[:-1]:
        if stay and rng.random() < 0.6:
            facts_by_day[day] = [
                fact
                for fact in facts_by_day[day]
                if fact["kind"] not in ("box-pulled", "drop-counted", "count-verified")
            ]
    trays = {day: [fact for fact in facts_by_day[day] if fact["kind"] == "closer-counted"] for day in days}
    for (closer,) in trays.values():
        closer["amount"] += rng.randint(0, 50)
    steps = [day for day in days for _ in range(2)]
    rng.shuffle(steps)
    map_accounts()
    booked: dict[str, Document] = {}
    for place, day in enumerate(steps):
        record(facts_by_day[day] if day not in steps[:place] else close(day))
        documents = {document.number: document for document in sample_journal().documents}
        assert booked.items() <= documents.items()
        begins, ends = sorted(rng.sample([*days, "2026-11-27"], 2))
        part = sample_journal("day", begins, ends).documents
        assert part == [
            document for document in documents.values() if begins <= str(document.booked) < ends
        ], "and it is the same for any days that are asked for"
        booked = documents
    assert len(booked) == len(days) or stay
    assert sums(sample_journal())["drop"] == sum(
        fact["amount"] for facts in facts_by_day.values() for fact in facts if fact["kind"] == "drop-counted"
    )
    imported = {day: steps.index(day) for day in days}
    closed = {day: len(steps) - 1 - steps[::-1].index(day) for day in days}
    in_order = [
        day for day in days if not any(later > day and closed[later] < imported[day] for later in days)
    ]
    (first,) = (fact["amount"] for fact in facts_by_day[in_order[0]] if fact["kind"] == "opener-counted")
    (last,) = (fact["amount"] for fact in facts_by_day[days[-1]] if fact["kind"] == "closer-counted")
    assert sums(sample_journal())["chips"] == last - first, "the trays have the amount that was counted last"
    assert came_late() == {day for day in days if day not in in_order} == came_late_by_the_migration()


def came_late() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT day::text FROM examination WHERE late")
        return {day for (day,) in cursor.fetchall()}


def came_late_by_the_migration() -> set[str]:
    """Run the query of the migration that marks late streams, on examinations without marks. Return the
    streams that it marks.
    """
    with connection.cursor() as cursor:
        cursor.execute("UPDATE examination SET late = false")
        cursor.execute(f"WITH{import_module('audit.migrations.0022_late').COLUMN.partition('WITH')[2]}")
    return came_late()
