"""Tests with a random ledger: facts with odd values in any order. Every report and every journal works with
it, and so does each of their pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from audit.facts import Refused
from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries.span import BOOKS, Span
from casino.journals.books import PERIODS, journal
from casino.reference import projection
from casino.reports import catalog
from casino.web.request_params import hand_url
from tests.casino.books import BY, close, counted, map_accounts, marked
from tests.casino.conftest import Cast
from tests.casino.nights import officers
from tests.casino.test_reports import PEOPLE, at, live
from tests.casino.test_restated import adjust, without_a_pull
from tests.counts import LONG
from tests.nights.reading import nights

SEEDS = range(40) if LONG else range(1)
ODD = (
    "",
    " ",
    "\t",
    "\n",
    "é",
    "\u202e",
    "0",
    "-1",
    "'",
    '"',
    "\\",
    "%s",
    "%",
    "{}",
    "null",
    "a/b",
    "/",
    "..",
    "~",
    "*",
    "x" * 200,
    "😀" * 50,
    "\x7f",
    "2026-11-27",
    "F-000000000000000000000001",
    "F-99999999999999999999999999",
    "-",
    "1-",
    "F-٣",
    "aurora/T1",
    "table-opened",
)
KNOWN = (
    "USD",
    "EUR",
    "JPY",
    "KWD",
    "ZZZ",
    "day",
    "swing",
    "F-1",
    "M-1",
    "b-1",
    "player",
    "dealer",
    "1",
    "2",
    "p-1",
    "bahar",
    "over",
)
NUMBERS = (0, 1, -1, 7, 52, 10**15, -(10**15), 10**15 - 1, 2**31, 2**53)
DAYS = ("0002-01-01", "9998-12-31", "2026-11-26", "2026-11-27", "2026-11-28", "2024-02-29")
INSTANTS = (
    "2026-11-27T12:00:00-08:00",
    "0002-01-02T00:00:00Z",
    "9998-12-30T23:59:59.999999+14:00",
    "2026-11-01T01:30:00-07:00",
    "2026-11-27T12:00:00+14:00",
    "2026-11-27T00:00:00-14:00",
)
Fact = dict[str, Any]
Place = tuple[str | int, ...]


def days() -> Iterator[list[Fact]]:
    """Yield lists of facts: days of several tables with every kind of fact of the cage, the counts and the
    close of a day.
    """
    for table, day in (("aurora/T1", "2026-11-26"), ("aurora/T1", "2026-11-27"), ("aurora/T2", "2026-11-27")):
        make = at(table=table, day=day)
        yield [
            *counted(1000, 100, table=table, day=day),
            make("fill-sent", slip="F-1", chips={}, amount=300, **PEOPLE),
            make("credit-sent", slip="C-1", chips={}, amount=70, **PEOPLE),
            make("slip-voided", slip="F-1", reason="torn", **BY),
            *marked(table, day, issued=500, paid=200),
            make("chips-bought", spot="1", amount=500, tender="cash"),
            *close(day, table),
        ]
    yield [*without_a_pull("2026-11-25", 1000, 900), *close("2026-11-25")]
    yield live(700, 70, "aurora/L3")
    yield [
        *adjust("closer", 300, "2026-11-26", "2026-11-28"),
        *adjust("settlement", -5, "2026-11-27", "2026-11-29"),
    ]


def places(value: Any, way: Place = ()) -> Iterator[Place]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inside:
        yield (*way, name)
        yield from places(part, (*way, name))


def changed(dice: Random, fact: Fact) -> Fact:
    """Return a copy of the fact in which a random field has another value of the same type."""
    fact = deepcopy(fact)
    *way, last = dice.choice([place for place in places(fact) if place[0] not in ("uid", "kind")])
    inside: Any = fact
    for name in way:
        inside = inside[name]
    value = inside[last]
    if last == "day":
        inside[last] = dice.choice(DAYS)
    elif last == "at":
        inside[last] = dice.choice(INSTANTS)
    elif isinstance(value, bool):
        inside[last] = not value
    elif isinstance(value, int):
        inside[last] = dice.choice(NUMBERS)
    elif isinstance(value, str):
        inside[last] = dice.choice(ODD + KNOWN + KNOWN)
    elif isinstance(value, list):
        inside[last] = dice.choice([[], value * 2, value[:1]])
    else:
        inside[last] = (
            {dice.choice(ODD + KNOWN): next(iter(value.values()), 1)}
            if isinstance(value, dict)
            else dice.choice([None, 1, "x"])
        )
    return fact


def odd_ledger(dice: Random) -> None:
    """Record the facts of `days()` and of a sample day, one by one. Some facts are changed at random before
    they are recorded. Facts that are refused are skipped.
    """
    night = [json.loads(line) for line in dice.choice(list(nights())).lines]
    recorded = 0
    for day in (*days(), night):
        facts = [changed(dice, fact) if dice.random() < 0.15 else fact for fact in day]
        if dice.random() < 0.3:
            dice.shuffle(facts)
        for fact in facts:
            try:
                intake.post([json.dumps(fact).encode()], Sender("test"))
                recorded += 1
            except Refused:
                continue
    assert recorded
    findings.examine()
    projection.sync_registers()


def rows_and_totals(sheet: catalog.Sheet) -> tuple[list[Any], list[Any]]:
    rows, totals = [list(row) for row in sheet.rows], [list(row) for row in sheet.totals]
    assert {len(row) for row in (*rows, *totals)} <= {len(sheet.columns)}
    return rows, totals


@pytest.mark.parametrize("seed", SEEDS)
def test_every_report_and_journal_of_any_ledger_is_computed_and_cached_rows_are_equal(
    house: object, seed: int
) -> None:
    dice = Random(f"books {seed}")
    odd_ledger(dice)
    map_accounts()
    requests = []
    for name in catalog.names():
        report, span = catalog.report(name), Span(property="aurora", books=dice.choice(("", *BOOKS)))
        requests += [
            (name, span, by)
            for by in (report.DEFAULT_BY, *((by,) for by in dice.sample(report.BY, min(1, len(report.BY)))))
        ]
    first, second = (
        [rows_and_totals(catalog.report(name).sheet(span, by)) for name, span, by in requests]
        for _ in range(2)
    )
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM summed")
    assert (
        first
        == second
        == [rows_and_totals(catalog.report(name).sheet(span, by)) for name, span, by in requests]
    )
    for by in PERIODS:
        for document in journal(Span(property="aurora"), by).documents:
            assert sum(posting.amount for posting in document.postings) == 0


PAGES = (
    "/queue/",
    "/queue/?state=all",
    "/hold/",
    "/hold/review/",
    "/hold/where/",
    "/floor/",
    "/cage/",
    "/cage/markers/",
    "/cage/deposits/",
    "/count/",
    "/count/?day=2026-11-27",
    "/closing/?day=2026-11-27",
    "/journal/?from=2026-11-01&to=2026-11-30",
    "/exports/",
    "/views/",
)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_page_of_any_ledger_answers(cast: Cast, seed: int) -> None:
    officers(1_000)
    dice = Random(f"pages {seed}")
    odd_ledger(dice)
    igor: Client = cast.browser("Igor")
    with connection.cursor() as cursor:
        cursor.execute("SELECT stream, coalesce(round, '#' || number) FROM finding ORDER BY id")
        hands = cursor.fetchall()
        cursor.execute("SELECT name FROM stream WHERE name NOT LIKE '%%/house/%%' ORDER BY name")
        streams = [name for (name,) in cursor.fetchall()]
        cursor.execute("SELECT stream, '#' || number FROM fact ORDER BY uid")
        facts = cursor.fetchall()
    every = [hand_url(*hand) for of in (hands, facts) for hand in dice.sample(of, min(8, len(of)))]
    every += [f"/hold/where/{name}/" for name in dice.sample(streams, min(3, len(streams)))]
    every += [f"/floor/{name.rpartition('/')[0]}/" for name in dice.sample(streams, min(3, len(streams)))]
    answered = {page: igor.get(page).status_code for page in (*PAGES, *every)}
    unknown_pages = {
        page for page in answered if page.startswith("/hold/where/aurora/")
    }  # nothing was played or counted on such a day
    assert {
        page: status
        for page, status in answered.items()
        if status not in (200, 202, *((404,) if page in unknown_pages else ()))
    } == {}
