"""The live wall shows the state of each table, the time since its last fact, and figures. The tests compute
the same figures from the facts of the table's day.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import json

from audit import database
from audit.facts import decode
from audit.queries.cache.aggregates import merge
from audit.queries.span import Span
from audit.queries.stream_play import stream_play
from audit.review import queue
from casino.floor import tile_words
from casino.floor.tables import LATE, SILENT, rows_of
from casino.floor.tiles import ORDER, Tile, state_of, tiles, win_of
from casino.reports.definitions import statistics
from casino.reports.expected_win import bounds_of
from games.kit import events as e
from tests.casino.conftest import Cast
from tests.casino.nights import DAY, DEALERS, SUPERVISORS, officers, record, troubled_day
from tests.casino.pages import markup, text
from tests.furnished import furnishing


@furnishing
def floor() -> Cast:
    """Record an open table with a counted tray, and a closed table."""
    from casino.sample import FAULTS
    from casino.sample.tables.day import Day
    from casino.sample.tables.table import TABLES

    cast = Cast()
    officers()
    settings = TABLES["easy_over_under"].exact | {"currency": "USD"}
    day = Day(
        "easy_over_under",
        "wall",
        table="EOU-01",
        house=True,
        day=DAY,
        dealers=DEALERS,
        supervisors=SUPERVISORS,
        **settings,
    )
    day.open()
    day.honest(8)
    FAULTS["easy_over_under"]["wrong-settlement:over:overpaid"].act(day)
    day.honest(2)
    record(day.facts())
    closed = troubled_day("EOU-02", times=1, faults=("late-bet:new",))
    record([*closed, _closing(closed)])
    return cast


def _closing(facts: list[dict[str, Any]]) -> dict[str, Any]:
    last = facts[-1]
    envelope = {name: last[name] for name in ("table", "day", "at", "source")}
    return envelope | {"kind": "table-closed", "uid": "00000000-0000-4000-8000-00000000c105"}


def facts_of(code: str) -> list[Any]:
    query = "SELECT body FROM fact WHERE property = 'aurora' AND stream = %s ORDER BY number"
    return [decode(bytes(body)) for (body,) in database.rows(query, [f"aurora/{code}/{DAY}"])]


def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr("casino.floor.tables.timezone", SimpleNamespace(now=lambda: moment))


def wall(code: str) -> Tile:
    (tile,) = (
        tile
        for tile in tiles("aurora", DAY, rows_of("aurora", DAY), with_money=True)
        if tile.row.code == code
    )
    return tile


def test_a_table_becomes_late_and_then_silent_and_is_never_shown_as_healthy(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = facts_of("EOU-01")[-1].at
    for age, state in (
        (timedelta(seconds=4), "live"),
        (LATE - timedelta(seconds=1), "live"),
        (LATE, "late"),
        (SILENT - timedelta(seconds=1), "late"),
        (SILENT, "silent"),
        (timedelta(days=2), "silent"),
    ):
        at(monkeypatch, last + age)
        tile = wall("EOU-01")
        assert (state_of(tile.row), tile.is_old, tile.is_alarm) == (state, state != "live", state == "silent")
        assert tile.row.age == age
    assert wall("EOU-02").state == "closed"
    states = [tile.state for tile in tiles("aurora", DAY, rows_of("aurora", DAY), with_money=False)]
    assert states == sorted(states, key=ORDER.index), "silent first, closed last"


@pytest.mark.parametrize(
    ("age", "says"), [(timedelta(), ""), (LATE, "◐ late by 10 min"), (SILENT, "✕ silent for ")]
)
def test_the_page_of_a_table_says_that_its_equipment_is_late(
    floor: Cast, monkeypatch: pytest.MonkeyPatch, age: timedelta, says: str
) -> None:
    at(monkeypatch, facts_of("EOU-01")[-1].at + age)
    page = text(floor.browser("Dana").get("/floor/aurora/EOU-01/"))
    assert [mark in page for mark in ("◐ late by", "✕ silent for")] == [says[:1] == "◐", says[:1] == "✕"]
    assert says in page


def test_the_pace_is_that_of_the_latest_hands(floor: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = facts_of("EOU-01")
    at(monkeypatch, facts[-1].at)
    opened = [fact.at for fact in facts if isinstance(fact, e.RoundOpened)]
    pace = wall("EOU-01").pace
    assert pace is not None
    assert (pace.rounds, pace.time) == (len(opened) - 1, opened[-1] - opened[0])
    exact = Fraction(3600 * (len(opened) - 1), int((opened[-1] - opened[0]).total_seconds()))
    assert pace.per_hour is not None
    assert abs(pace.per_hour - exact) <= Fraction(1, 2)
    query = (
        "SELECT code, number FROM finding WHERE stream = %s AND grade <> 'notice' ORDER BY number DESC, id"
    )
    assert pace.finding is not None
    assert (pace.finding.code, pace.finding.number) == database.rows(query, [f"aurora/EOU-01/{DAY}"])[0]


def test_win_and_tray_equal_the_sums_of_the_facts(floor: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = facts_of("EOU-01")
    at(monkeypatch, facts[-1].at)
    taken = sum(fact.amount for fact in facts if isinstance(fact, e.Take))
    paid = sum(fact.amount for fact in facts if isinstance(fact, e.Pay))
    money = wall("EOU-01").money
    assert money is not None
    assert money.win is not None
    assert money.win.amount == taken - paid
    assert money.win.low < money.win.high
    assert money.win.is_outside == (not money.win.low <= taken - paid <= money.win.high)
    amounts = {
        kind: sum(json.decode(bytes(body))["amount"] for (body,) in of_kind(kind))
        for kind in ("opener-counted", "fill-sent", "credit-sent", "chips-bought", "closer-counted")
    }
    assert amounts["opener-counted"]
    expected = (
        amounts["opener-counted"]
        + amounts["fill-sent"]
        - amounts["credit-sent"]
        - amounts["chips-bought"]
        + taken
        - paid
        - amounts["closer-counted"]
    )
    assert money.tray == expected
    assert money.box == (amounts["chips-bought"] or None)


def of_kind(kind: str) -> list[Any]:
    query = "SELECT body FROM fact WHERE property = 'aurora' AND stream = %s AND kind = %s"
    return list(database.rows(query, [f"aurora/EOU-01/{DAY}", kind]))


def test_a_silent_feed_is_an_alarm_in_title_and_page(floor: Cast) -> None:
    page = markup(floor.browser("Dana").get("/wall/"))
    assert "<title>(1 silent) Live wall · Catwalk</title>" in page
    assert '<p class="wall-alarm">' in page
    assert "1 silent feed:" in text(page)
    assert "not known" in text(page), "no win of long ago is shown as the present one"
    assert "EOU-02" in page.partition('class="wall-closed"')[2]
    assert "style=" not in page
    news = markup(floor.browser("Dana").get("/wall/news/"))
    assert news.count('<li class="tile silent">') == 1
    assert "<html" not in news


def test_the_wall_counts_the_hands_of_the_queue_and_says_which_are_elsewhere(floor: Cast) -> None:
    count = queue.counted(queue.Wanted(("aurora",)))
    assert count >= 2
    for address, note in (("/wall/", ""), ("/wall/?pit=pit-9", f"{count} of them not at this pit")):
        page = text(floor.browser("Dana").get(address))
        assert f"To judge {count} {note}".strip() in page
        assert ("of them not at" in page) == bool(note)


def test_the_wall_hides_money_and_findings_without_the_right(floor: Cast) -> None:
    for name, money, findings in (("Dana", True, True), ("Alma", True, False), ("Finn", False, False)):
        page = text(floor.browser(name).get("/wall/"))
        assert ("Win, estimated" in page, "Tray" in page) == (money, money), name
        assert ("Wrong settlement" in page) == findings, name
    for name in ("Mia", "Nia", "Eve"):
        for page in ("/wall/", "/wall/news/"):
            answer = floor.browser(name).get(page)
            assert answer.status_code == 403
            assert b'class="tile' not in answer.content
    assert floor.browser("Dana").get("/wall/?property=borealis").status_code == 403
    assert "EOU-01" not in text(floor.browser("Dana").get("/wall/?pit=pit-9"))


def test_the_win_of_a_table_equals_that_of_the_statistical_review(floor: Cast) -> None:
    span = Span(None, None, "aurora")
    sure = bounds_of(span).sure
    every = {row.key: row.figures for row in merge(statistics.read(span, ("table", "day")))}
    for (table, day, currency), figures in every.items():
        rows = [row for row in stream_play("aurora", [f"{table}/{day}"]) if row.currency == currency]
        review = statistics.win_of(figures, sure)
        win = win_of([row for row in rows if row.odds.wager], sure)
        assert win == (review.amount, review.expected - review.reach, review.expected + review.reach)
        assert {(row.stream, row.currency) for row in rows} == {(f"{table}/{day}", currency)}
    assert every
    assert stream_play("aurora", []) == []


@pytest.mark.parametrize(("is_old", "shown"), [(True, "was 2,100.00"), (False, "2,100.00")])
def test_the_box_of_an_old_feed_is_shown_as_past(is_old: bool, shown: str) -> None:
    table: Any = SimpleNamespace(boxes=0, opened=SimpleNamespace(currency="USD"))
    tile: Any = SimpleNamespace(is_old=is_old, row=SimpleNamespace(now=table))
    money: Any = SimpleNamespace(box_difference=None, box=210_000)
    assert tile_words._box(tile, money).text == shown
