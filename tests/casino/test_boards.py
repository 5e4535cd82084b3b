"""The boards of surveillance. Each figure is computed again from the facts of a sample day. Other tests are
about who may see which board, and how many queries a page makes.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import UTC, date, timedelta
from decimal import Decimal
from fractions import Fraction
from html import unescape
from typing import Any
from urllib.parse import unquote

import pytest
from django.template.loader import render_to_string

from audit import database
from audit.facts import decode
from audit.findings import examine as findings
from audit.queries import finding_counts
from audit.queries.finding_counts import CodeCount
from audit.queries.open_hands import open_hands
from audit.queries.span import Span
from audit.review import projections
from casino.boards import errors
from casino.boards.board_views import BOARDS
from casino.cases.queries import HandRow
from casino.models import Person
from casino.reports.definitions.dealer_errors import CODES
from casino.surveillance import services as surveillance
from casino.surveillance.services import Words
from casino.web.day_presets import preset_links, presets
from games.kit import events as e
from tests.casino.conftest import Cast
from tests.casino.nights import DAY, officers, record, troubled_day
from tests.casino.pages import markup, text
from tests.casino.test_pages import a_hand, opened
from tests.counted_queries import counted_queries
from tests.furnished import furnishing

SPAN = Span(DAY, DAY + timedelta(days=1), "aurora")
DAYS = "from=2026-11-27&to=2026-11-27"
WATCHERS = {"Dana", "Boris", "Igor", "Rhea"}


@furnishing
def two_tables() -> Cast:
    """Record one day at two tables with errors."""
    cast = Cast()
    officers(10**9)
    record(troubled_day("EOU-07", times=1))
    record(troubled_day("EOU-08", times=1, faults=("wrong-settlement:over:overpaid", "late-bet:new")))
    return cast


def facts_of(stream: str) -> list[tuple[int, Any]]:
    query = "SELECT number, body FROM fact WHERE property = 'aurora' AND stream = %s ORDER BY number"
    return [(number, decode(bytes(body))) for number, body in database.rows(query, [stream])]


def by_brute_force() -> tuple[
    Counter[str], Counter[str], dict[str, list[Fraction]], Counter[tuple[str, str]]
]:
    """Count facts and findings one by one. Return four figures of each dealer: the number of wagers, the
    number of errors, the money that players and casino gained by errors, and the number of errors by code.
    """
    wagers, wrong, by_code = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    money: dict[str, list[Fraction]] = defaultdict(lambda: [Fraction(0), Fraction(0)])
    for table in ("EOU-07", "EOU-08"):
        stream, dealer, dealers = f"aurora/{table}/{DAY}", "", {}
        for _, fact in facts_of(stream):
            if isinstance(fact, e.DealerSeated):
                dealer = fact.dealer
            elif isinstance(fact, e.RoundOpened):
                dealers[fact.round] = dealer
            elif isinstance(fact, e.Bet):
                wagers[dealers[fact.round]] += 1
            elif isinstance(fact, e.Bets):
                wagers[dealers[fact.round]] += len(fact.bets)
        query = "SELECT round, code, owed, moved FROM finding WHERE property = 'aurora' AND stream = %s"
        for round, code, owed, moved in database.rows(query, [stream]):
            if code in CODES:
                name = dealers[round]
                wrong[name] += 1
                by_code[name, code] += 1
                difference = Fraction(moved or 0) - Fraction(owed or 0)
                money[name][difference < 0] += abs(difference)
    return wagers, wrong, money, by_code


def test_the_board_of_dealers_equals_the_facts(two_tables: Cast) -> None:
    wagers, wrong, money, by_code = by_brute_force()
    sums = errors.sums(SPAN, ("dealer",))
    judged = errors.judge(sums)
    assert {row.name: (row.wagers, row.errors) for row in judged.rows} == {
        name: (wagers[name], wrong[name]) for name in wagers
    }
    assert {row.name: [row.gained, row.lost] for row in judged.rows} == {name: money[name] for name in wagers}
    coded = {(row.key[0], row.key[1]): row.figures.errors for row in sums if row.key[1]}
    assert coded == dict(by_code)
    assert (judged.wagers, judged.errors) == (sum(wagers.values()), sum(wrong.values()))
    assert sum(wrong.values()) > 4
    for name in wagers:
        counts = list(errors.counts_of_one(SPAN, {"dealer": name}))
        assert sum(count.wagers for count in counts) == wagers[name], "one dealer by day and hour"
        assert sum((Counter(count.errors) for count in counts), Counter[str]()) == {
            code: number for (dealer, code), number in by_code.items() if dealer == name
        }
    page = text(two_tables.browser("Dana").get(f"/boards/dealers/?{DAYS}"))
    for name in wagers:
        assert f"{name}" in page
    assert "too few" in page
    assert "not judged" in page


def test_tables_and_games_have_the_same_total_in_every_grouping(two_tables: Cast) -> None:
    wagers, wrong, _, _ = by_brute_force()
    for by in (("table",), ("game",), ("game", "dealer"), ("table", "day"), ("game", "hour")):
        total = errors.total(errors.sums(SPAN, by))
        assert (total.wagers, total.errors) == (sum(wagers.values()), sum(wrong.values())), by
    assert sum(row.figures.errors for row in errors.errors_by_day(SPAN)) == sum(wrong.values())
    every = errors.sums(SPAN, ("game", "dealer"))
    assert errors.with_value(every, 0, "high_side") == []
    assert errors.total(errors.with_value(every, 0, "easy_over_under")) == errors.total(every)


def test_the_codes_board_has_every_finding_and_the_last_verdict_on_each(two_tables: Cast) -> None:
    judge_twice()
    brute: dict[str, list[Any]] = {}
    query = "SELECT id, code, round, number, stream, owed, moved FROM finding WHERE property = 'aurora'"
    last = dict(database.rows("SELECT finding, verdict FROM verdict ORDER BY position", []))
    for id, code, round, number, stream, owed, moved in database.rows(query, []):
        if not stream.endswith(f"/{DAY}"):
            continue
        row = brute.setdefault(code, [0, set(), Counter(), Fraction(0), Fraction(0)])
        row[0] += 1
        row[1].add((stream, projections.hand_of(round, number)))
        row[2][last.get(id, "open")] += 1
        if moved is not None:
            difference = Fraction(moved) - Fraction(owed or 0)
            row[3 if difference > 0 else 4] += abs(difference)
    counted = {
        row.code: [
            row.findings,
            row.hands,
            (row.confirmed, row.dismissed, row.escalated, row.open),
            row.gained,
            row.lost,
        ]
        for row in finding_counts.by_code("aurora", DAY, DAY + timedelta(days=1))
    }
    assert counted == {
        code: [
            number,
            len(hands),
            tuple(v[name] for name in ("confirmed", "dismissed", "escalated", "open")),
            up,
            down,
        ]
        for code, (number, hands, v, up, down) in brute.items()
    }
    assert sum(row[2][1] for row in counted.values()) == len(last) > 0
    assert finding_counts.by_code("aurora", DAY - timedelta(days=9), DAY) == []
    page = two_tables.browser("Dana").get(f"/boards/codes/?{DAYS}")
    assert f"{sum(row[0] for row in counted.values())} findings" in text(page)


def test_the_codes_board_and_a_case_call_chips_missing_not_gained_by_players(
    two_tables: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    amounts = (1, 1, 0, 0, 0, Fraction(10000), Fraction(0))
    counts = [
        CodeCount("count-differs", "integrity", "USD", *amounts),
        CodeCount("wrong-settlement", "money", "USD", *amounts),
    ]
    monkeypatch.setattr(finding_counts, "by_code", lambda *_: counts)
    page = text(two_tables.browser("Dana").get(f"/boards/codes/?{DAYS}"))
    assert page.count("100.00 missing") == 1
    row = HandRow("s", "#7", 1, None, ["count-differs"], Decimal(10000), Decimal(0), "USD", "open")
    shown = {"row": row, "address": "/", "label": "fact 7", "what": ""}
    assert "100.00 USD missing" in " ".join(
        render_to_string("cases/_hands.html", {"hands": [shown], "zone": UTC}).split()
    )


def test_the_codes_board_counts_notices_apart_because_they_need_no_verdict(
    two_tables: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = [
        CodeCount("late-bet", "integrity", "USD", 2, 2, 1, 0, 0, Fraction(0), Fraction(0)),
        CodeCount("tie-unregulated", "notice", "USD", 7, 3, 0, 0, 0, Fraction(0), Fraction(0)),
    ]
    monkeypatch.setattr(finding_counts, "by_code", lambda *_: counts)
    answer = two_tables.browser("Dana").get(f"/boards/codes/?{DAYS}")
    page = text(answer)
    assert "2 findings to judge, 1 without a verdict; 7 notices, which need no verdict;" in page
    assert "the most serious first, USD" in page
    assert "7 without a verdict" not in markup(answer)
    assert "none needed" in page
    chart = markup(answer).partition("Verdicts by code")[0]
    assert "Late bet" in chart
    assert "Tie unregulated" not in chart


def judge_twice() -> int:
    """Let Dana confirm the findings of a hand, and Dora dismiss them. Return the number of findings."""
    row = a_hand("late-bet")
    dana, dora = (Person.objects.get(pk=id) for id in ("v-101", "v-102"))
    surveillance.give_verdict(dana, *opened(row), Words("confirmed", "patron_action"))
    surveillance.give_verdict(dora, *opened(row), Words("dismissed", "capture_error"))
    findings.examine()
    return len(opened(row)[1])


def test_an_officer_whose_verdict_another_one_replaced_was_overturned(two_tables: Cast) -> None:
    number = judge_twice()
    rows = database.rows("SELECT by, count(*), min(at)::date FROM verdict GROUP BY by ORDER BY by", [])
    day = database.rows("SELECT right(stream, 10) FROM fact WHERE kind = 'verdict-given' LIMIT 1", [])[0][0]
    begins = date.fromisoformat(day)
    counts = {
        row.officer: row for row in finding_counts.by_officer("aurora", begins, begins + timedelta(days=1))
    }
    assert {name: count.verdicts for name, count in counts.items()} == {by: number for by, number, _ in rows}
    dana, dora = counts["v-101"], counts["v-102"]
    assert (dana.confirmed, dana.overturned, dana.first) == (number, number, number)
    assert (dora.dismissed, dora.overturned, dora.first) == (number, 0, 0)
    query = """SELECT extract(epoch FROM g.recorded_at - o.recorded_at) FROM verdict v
        JOIN fact g ON g.position = v.position AND g.property = v.property
        JOIN fact o ON o.uid = v.uid::uuid AND o.property = v.property WHERE v.by = 'v-101' ORDER BY 1"""
    seconds = [int(row[0]) for row in database.rows(query, [])]
    assert dana.median is not None
    assert int(dana.median.total_seconds()) == seconds[(len(seconds) - 1) // 2]
    assert dora.median is None
    assert finding_counts.by_officer("aurora", begins - timedelta(days=9), begins) == []
    page = markup(two_tables.browser("Igor").get(f"/boards/officers/?from={day}&to={day}"))
    assert "v-101" in page
    assert "100.0" in page, "all verdicts of Dana were overturned"


def in_play(upto: str) -> list[dict[str, Any]]:
    """Return the facts of a table's day up to a moment in the last hand: before its first fact of the kind
    `upto`.
    """
    facts = troubled_day("EOU-09", times=1, faults=())
    last = max(place for place, fact in enumerate(facts) if fact["kind"] == "round-opened")
    ends = next(place for place, fact in enumerate(facts) if place > last and fact["kind"] == upto)
    return facts[:ends]


def test_exposure_is_each_stake_times_the_most_that_its_wager_pays(two_tables: Cast) -> None:
    facts = in_play("no-more-bets")
    record(facts)
    (hand,) = open_hands("aurora", floor_now("EOU-09"))
    round = facts[-1]["round"]
    bets = [fact for fact in facts if fact["kind"] == "bet" and fact["round"] == round]
    assert bets
    assert hand.staked == sum(bet["amount"] for bet in bets)
    pays = {"over": 1, "under": 1}
    for wager in hand.wagers:
        if wager.wager in pays:
            assert wager.most is not None
            assert wager.most >= wager.stake * pays[wager.wager]
    assert hand.most == sum((wager.most or 0) for wager in hand.wagers) > 0
    page = text(two_tables.browser("Dana").get("/boards/exposure/"))
    assert "Highest possible loss on hands in play" in page
    assert "EOU-09" in page
    assert "sent no fact for 30 minutes: " in page, "the last fact of the table is older"


def floor_now(code: str) -> list[Any]:
    from audit.queries import floor

    return [table for table in floor.board("aurora", DAY) if table.table == f"aurora/{code}"]


@pytest.mark.parametrize("name", BOARDS)
def test_every_board_needs_its_role_at_its_property(two_tables: Cast, name: str) -> None:
    may = WATCHERS - {"Boris"} if name == "officers" else WATCHERS
    for user in ("Dana", "Boris", "Alma", "Igor", "Rhea", "Mia", "Finn", "Chi", "Eve"):
        answer = two_tables.browser(user).get(f"/boards/{name}/?{DAYS}")
        assert answer.status_code == (200 if user in may else 403), user
        if user not in may:
            assert b"EOU-07" not in answer.content
    browser = two_tables.browser("Dana")
    assert browser.get(f"/boards/{name}/?{DAYS}&property=borealis").status_code == 403
    assert two_tables.browser(None).get(f"/boards/{name}/")["Location"].startswith("/login/")
    assert browser.post(f"/boards/{name}/").status_code == 405


def test_another_propertys_tables_are_on_no_board(two_tables: Cast) -> None:
    facts = [
        fact | {"table": "borealis/EOU-77"} for fact in troubled_day("EOU-77", times=1) if "table" in fact
    ]
    record(facts)
    browser = two_tables.browser("Dana")
    for name in BOARDS:
        assert "EOU-77" not in unquote(markup(browser.get(f"/boards/{name}/?{DAYS}&all=1"))), name
    assert "EOU-77" not in markup(browser.get("/wall/"))


@pytest.mark.parametrize(
    "query", ["from=yesterday", "to=2026-13-01", "game=poker", "from=2020-01-01&to=2026-11-27"]
)
def test_a_wrong_parameter_is_named_with_a_client_error(two_tables: Cast, query: str) -> None:
    answer = two_tables.browser("Dana").get(f"/boards/dealers/?{query}")
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert two_tables.browser("Dana").get("/boards/dice/").status_code == 404
    assert (
        two_tables.browser("Dana")
        .get(f"/boards/dealers/?{DAYS}&of=nobody&game=&all=2&currency=x")
        .status_code
        == 200
    )


def test_every_figure_of_a_dealer_leads_to_hands(two_tables: Cast) -> None:
    page = markup(two_tables.browser("Dana").get(f"/boards/dealers/?{DAYS}"))
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    browser = two_tables.browser("Dana")
    for row in body.split("<tr")[1:]:
        links = re.findall(r'href="/hands/\?([^"]*)"', row)
        assert len(links) == 2, row
        for link in links:
            assert "day_from=2026-11-27&amp;day_last=2026-11-27" in link
            assert "dealer=d-10" in link
            assert "code=" in link
            assert browser.get(f"/hands/?{unescape(link)}").status_code == 200
    assert "style=" not in page
    causes = page.partition("By code")[2]
    assert "code=" in causes


def test_viewings_of_boards_about_people_are_recorded(two_tables: Cast) -> None:
    browser = two_tables.browser("Dana")
    for name in BOARDS:
        browser.get(f"/boards/{name}/?{DAYS}")
    query = "SELECT hand FROM viewing WHERE person = %s ORDER BY id"
    exports = [row[0] for row in database.rows(query, [two_tables.person("Dana").pk])]
    assert exports == ["Board of dealers, 27 Nov 2026", "Board of officers, 27 Nov 2026"]


def test_presets_are_ranges_up_to_today() -> None:
    ranges = {preset.name: (str(preset.begins), str(preset.last)) for preset in presets(date(2026, 3, 1))}
    assert ranges == {
        "Today": ("2026-03-01", "2026-03-01"),
        "Yesterday": ("2026-02-28", "2026-02-28"),
        "This week": ("2026-02-23", "2026-03-01"),
        "This month": ("2026-03-01", "2026-03-01"),
        "Last month": ("2026-02-01", "2026-02-28"),
        "30 days": ("2026-01-31", "2026-03-01"),
    }


def test_one_preset_is_marked_if_several_have_the_same_days() -> None:
    for today, first, name in (
        (date(2026, 11, 30), date(2026, 11, 1), "This month"),  # the last day of a month of 30 days
        (date(2026, 11, 30), date(2026, 11, 30), "Today"),  # a Monday
        (date(2026, 11, 27), date(2026, 10, 29), "30 days"),
    ):
        links = preset_links(today, first, today, lambda begins, last: f"?from={begins}&to={last}")
        assert [link.name for link in links if link.is_current] == [name]


def test_pages_have_a_bounded_number_of_queries(two_tables: Cast) -> None:
    """Test that more tables and more hands add almost no queries. The first visit to each page is not
    counted, because it fills the cache of sums.
    """
    browser, before = two_tables.browser("Dana"), {}
    pages = [*(f"/boards/{name}/?{DAYS}" for name in BOARDS), "/wall/", "/wall/news/"]
    for page in pages:
        browser.get(page)
        with counted_queries() as taken:
            assert browser.get(page).status_code == 200
        before[page] = len(taken)
    for code in ("EOU-10", "EOU-11", "EOU-12"):
        record(troubled_day(code, times=1, faults=("late-bet:new",)))
    for page in pages:
        browser.get(page)
        with counted_queries() as taken:
            assert browser.get(page).status_code == 200
        assert len(taken) <= before[page] + 2, page
        assert len(taken) <= 18, page
