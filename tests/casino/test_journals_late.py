"""Days of a table that come to the ledger when a later one is booked: no document is another, and the trays stand at the last count."""

from __future__ import annotations

from random import Random

import pytest

from audit.queries import Span, heads
from casino.journals import Document, since
from tests.casino.books import counted, map_accounts, sums, whole
from tests.casino.test_reports import record
from tests.casino.test_restated import AFTER, NEXT, NIGHT, close


@pytest.mark.parametrize("by", ["day", "shift"])
@pytest.mark.parametrize("span", [(), (AFTER, "2026-11-29"), (NEXT, "2026-11-29")])
def test_a_day_that_comes_after_the_next_was_closed_changes_none_of_its_documents_and_takes_the_difference_itself(
    house, by: str, span: tuple[str, ...]
) -> None:
    figures = ((NIGHT, 900, 40), (NEXT, 500, -30), (AFTER, 700, 70))
    first, late, last = (counted(drop, win, day=day, shifts={"day": f"{day}T06:00:00-08:00"}) for day, drop, win in figures)
    late[3]["amount"] += 35
    record(first, close(NIGHT), last, close(AFTER))
    map_accounts()
    before = whole(by, *span)
    assert len(before.documents) == (2 if not span else 1)
    record(late)
    assert whole(by, *span).documents == before.documents, "also while the late day is open"
    position = heads.head("aurora").position
    record(close(NEXT))
    now = whole(by, *span)
    added = [one for one in now.documents if one not in before.documents]
    assert [one for one in now.documents if one in before.documents] == before.documents
    assert [str(one.booked) for one in added] == ([NEXT] if span != (AFTER, "2026-11-29") else [])
    assert since(Span(property="aurora"), position, by).documents == [one for one in whole(by).documents if str(one.booked) == NEXT]
    trays = [fact["amount"] for fact in (*first, *late, *last) if fact["kind"] in ("opener-counted", "closer-counted")]
    assert sums(whole(by))["chips"] == trays[-1] - trays[0], "the trays stand at what was counted last"
    assert sums(whole(by))["over-short"] == sum(closer - opener for closer, opener in ((trays[1], trays[2]), (trays[3], trays[4])))


@pytest.mark.parametrize("seed", range(3))
def test_no_document_is_ever_another_in_whatever_order_days_are_imported_and_closed(house, seed: int) -> None:
    rng = Random(seed)
    days = [f"2026-11-{day}" for day in range(21, 26)]
    made = {day: counted(rng.randint(1, 9) * 100, rng.randint(-90, 90), day=day) for day in days}
    for facts in made.values():
        facts[3]["amount"] += rng.randint(0, 50)
    steps = [day for day in days for _ in range(2)]
    rng.shuffle(steps)
    map_accounts()
    booked: dict[str, Document] = {}
    for place, day in enumerate(steps):
        record(made[day] if day not in steps[:place] else close(day))
        now = {one.number: one for one in whole().documents}
        assert booked.items() <= now.items()
        begins, ends = sorted(rng.sample(range(21, 27), 2))
        part = whole("day", f"2026-11-{begins}", f"2026-11-{ends}").documents
        assert part == [one for one in now.values() if begins <= one.booked.day < ends], "and it is the same in whatever days are asked for"
        booked = now
    assert len(booked) == len(days)
    assert sums(whole())["drop"] == sum(facts[4]["amount"] for facts in made.values())
