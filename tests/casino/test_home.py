"""The home page of each role. Its figures equal those of the pages to which they link. Each user sees only
what the role may see.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.utils import timezone
from django.utils.html import escape

from audit.findings import examine as findings
from audit.queries import queue_counts
from audit.queries.span import CLOSED, Span
from audit.review import queue
from casino.exports import schedules
from casino.exports.schedules import Schedule
from casino.home import accounting, cage, control, floor, surveillance, table_games, win
from casino.home.cards import ROWS, Card, Figure, Home, Table, Viewer
from casino.home.views import HOMES
from casino.presentation.formatting import cents, code_label, day_label
from casino.reports import catalog
from casino.surveillance.services import Words, give_verdict
from tests.audit.floor import fact, opened
from tests.casino.casework import cora, suspicion
from tests.casino.casework import opened as opened_case
from tests.casino.conftest import Cast
from tests.casino.nights import DAY, FOUND, officers, record, troubled_day
from tests.casino.pages import markup, text, unrendered
from tests.casino.test_pages import opened as opened_page
from tests.casino.test_reports import felt, live
from tests.counted_queries import counted_queries

OF_ROLE = {
    "Dana": "Hands to judge",
    "Boris": "Win of wagers on 27 Nov 2026",
    "Finn": "Tables open",
    "Chi": "Slips waiting for signatures",
    "Nia": "Boxes to count",
    "Alma": "Gaming days to close",
    "Igor": "Facts after the last checkpoint",
    "Rhea": "Facts after the last checkpoint",
    "Mia": "Jobs that need attention",
}
"""For each user with a home page, in the order of the roles in HOMES: the title of a card on that page."""


def viewer(cast: Cast, name: str) -> Viewer:
    return Viewer(cast.person(name), "aurora", DAY, timezone.now())


def figure(home: Home, title: str) -> Figure:
    return next(card for card in home.figures if card.title.startswith(title))


def table(home: Home, title: str) -> Table:
    return next(card for card in home.cards if isinstance(card, Table) and card.title.startswith(title))


def test_everybody_begins_at_home_and_surveillance_in_the_queue(faulty_day: Cast) -> None:
    first = {name: faulty_day.browser(name).get("/") for name in (*OF_ROLE, "Gus", "Ada")}
    addresses = {name: answer.headers.get("Location", "") for name, answer in first.items()}
    assert addresses == dict.fromkeys(OF_ROLE, "/home/") | {
        "Dana": "/queue/",
        "Gus": "/count/pull/",
        "Ada": "",
    }
    assert first["Ada"].status_code == 403


def test_every_role_has_its_home_page_and_sees_no_other(faulty_day: Cast) -> None:
    for name, title in OF_ROLE.items():
        page = text(faulty_day.browser(name).get(f"/home/?day={DAY}"))
        assert title in page, name
        others = {other for other in OF_ROLE.values() if other != title}
        shared = {
            "Gaming days to close",
            "Hands to judge",
            "Slips waiting for signatures",
            "Facts after the last checkpoint",
        }
        assert not [other for other in others - shared if other in page], name
    for name in ("Eve", "Ada", "Gus"):
        answer = faulty_day.browser(name).get("/home/")
        assert (answer.status_code, "board-card" in markup(answer)) == (403, False)


def test_another_property_gives_nothing(faulty_day: Cast) -> None:
    for name in OF_ROLE:
        answer = faulty_day.browser(name).get("/home/?property=borealis")
        assert (answer.status_code, "board-card" in markup(answer)) == (403, False), name
    assert faulty_day.browser("Dana").get("/home/?day=2026-13-40&property=aurora").status_code == 200


def test_every_link_of_a_home_page_can_be_opened(faulty_day: Cast) -> None:
    for name in OF_ROLE:
        browser = faulty_day.browser(name)
        page = markup(browser.get(f"/home/?day={DAY}"))
        main = page[page.index("<main") :]
        links = {
            link.replace("&amp;", "&")
            for link in re.findall(r'href="(/[^"]+)"', main)
            if "/static/" not in link
        }
        assert links or name == "Mia", name
        with unrendered():
            for link in sorted(links):
                assert browser.get(link).status_code in (200, 202, 302), (name, link)


def test_the_number_of_hands_to_judge_equals_the_queue(faulty_day: Cast) -> None:
    home = surveillance.home(viewer(faulty_day, "Dana"))
    waiting = queue.counted(queue.Wanted(("aurora",)))
    assert waiting > 2
    assert figure(home, "Hands to judge").value == f"{waiting:,}"
    assert sum(int(fact.value) for fact in figure(home, "Hands to judge").facts) == waiting
    first = queue.page(queue.Wanted(("aurora",))).rows
    assert len(table(home, "First hands in the queue").lines) == min(ROWS, len(first))
    labels = [code_label(row.codes[0]) for row in first[:ROWS]]
    assert [line.cells[2].text for line in table(home, "First hands in the queue").lines] == labels
    rows = table(home, "Hands to judge by code")
    by_code = Counter(code for row in first for code in set(row.codes))
    shown = {line.cells[0].text: int(line.cells[1].text) for line in rows.lines}
    assert shown == {code_label(code): by_code[code] for code in by_code if code_label(code) in shown}
    for line in rows.lines:
        answer = faulty_day.browser("Dana").get(line.cells[0].address)
        count = re.search(r'id="count">([0-9]+)<', answer.content.decode())
        assert count is not None
        assert count[1] == line.cells[1].text, "the queue counts the same hands"
    assert rows.total == len(by_code) > len(shown) == ROWS
    chart = next(card for card in home.cards if card.title.startswith("Hands with findings"))
    assert sum(point.value for point in chart.plot.points) == waiting  # type: ignore[union-attr]


def test_money_of_the_queue_is_added_up_by_currency(faulty_day: Cast) -> None:
    counts = queue_counts.waiting("aurora")
    rows = queue.page(queue.Wanted(("aurora",), state="all")).rows
    (card,) = surveillance.amounts(viewer(faulty_day, "Dana"), counts)
    expected = sum(row.to_player + row.to_house for row in rows)
    assert card.value.replace(",", "") == f"{expected / 100:.2f}"
    assert card.title.endswith("USD")


def test_missing_chips_are_not_money_to_players(faulty_day: Cast) -> None:
    old = timezone.now()
    counts = [
        queue_counts.Count(
            "open", grade, [code], "USD", 1, 0, None, Decimal(to_player), Decimal(to_house), old
        )
        for grade, code, to_player, to_house in (
            ("integrity", "inventory-does-not-balance", 250000, 0),
            ("money", "wrong-settlement", 5400, 860),
        )
    ]
    (card,) = surveillance.amounts(viewer(faulty_day, "Dana"), counts)
    assert card.value == "2,562.60"
    assert [(line.label, line.value) for line in card.facts] == [
        ("to players", "54.00"),
        ("to the casino", "8.60"),
        ("chips missing", "2,500.00"),
    ]


def test_a_verdict_takes_a_hand_from_the_home_page(faulty_day: Cast) -> None:
    before = int(figure(surveillance.home(viewer(faulty_day, "Dana")), "Hands to judge").value)
    row = queue.page(queue.Wanted(("aurora",))).rows[-1]
    give_verdict(faulty_day.person("Dana"), *opened_page(row), Words("dismissed", "capture_error"))
    findings.examine()
    after = int(figure(surveillance.home(viewer(faulty_day, "Dana")), "Hands to judge").value)
    assert after == before - 1


def test_the_win_equals_the_statistical_review(faulty_day: Cast) -> None:
    home = table_games.home(viewer(faulty_day, "Boris"), DAY)
    span = Span(DAY, DAY + timedelta(days=1), "aurora")
    sheet = catalog.report("statistics").sheet(span, ("day",))
    row = dict(zip([column.key for column in sheet.columns], next(iter(sheet.rows)), strict=True))
    card = figure(home, "Win of wagers")
    assert card.value.replace(",", "").replace("−", "-") == row["win"]
    assert card.facts[0].value.replace("−", "-").replace(",", "") == row["expected"]
    assert abs(Fraction(card.facts[2].value) - Fraction(str(row["z"]))) <= Fraction(1, 100)
    tables = table(home, "Tables on")
    assert [line.cells[0].text for line in tables.lines] == ["EOU-07"]
    assert tables.lines[0].cells[2].text == f"{card.value} USD"


def test_the_win_of_wagers_links_to_rows_that_add_up_to_it(faulty_day: Cast) -> None:
    boris = viewer(faulty_day, "Boris")
    month = win.month_of(Span(DAY - timedelta(days=1), DAY + timedelta(days=1), "aurora"))
    shown = win.day_figure(boris, month, DAY)
    linked = [(shown.address, shown.value)]
    for chart in (win.by_day(boris, month), win.to_date(boris, month)):
        linked += [(place.point.href, place.point.written) for place in chart.plot.places[-1:]]
    for address, value in linked:
        page = faulty_day.browser("Boris").get(address)
        assert page.request["PATH_INFO"] == "/reports/statistics/"
        assert value in text(page).partition("Total")[2], address


def test_the_oldest_open_day_and_its_blockers_equal_the_close_page(faulty_day: Cast) -> None:
    shown = viewer(faulty_day, "Alma")._replace(today=DAY + timedelta(days=2))
    home = accounting.home(shown)
    card = figure(home, "Gaming days to close")
    assert (card.value, card.says) == ("1", "oldest 27 Nov 2026")
    page = text(faulty_day.browser("Alma").get(f"/closing/?day={DAY}"))
    blockers = table(home, "Blocks the close of 27 Nov 2026")
    assert blockers.lines
    for line in blockers.lines:
        assert str(escape(line.cells[2].text)) in markup(
            faulty_day.browser("Alma").get(f"/closing/?day={DAY}")
        )
    assert "EOU-07" in page


def test_the_home_of_accounting_does_not_list_open_days_of_all_tables(faulty_day: Cast) -> None:
    """Test that the page reads no list that grows with the days that were never closed. Only the close page
    needs the earlier open days of each table.
    """
    with counted_queries() as statements:
        accounting.home(viewer(faulty_day, "Alma")._replace(today=DAY + timedelta(days=2)))
    assert not [statement for statement in statements if "NOT sealed" in statement]
    with counted_queries() as statements:
        faulty_day.browser("Alma").get(f"/closing/?day={DAY}")
    assert [statement for statement in statements if "NOT sealed" in statement]


def test_accounting_sees_missing_money_of_closed_days_and_exports_that_wait_for_a_close(cast: Cast) -> None:
    day_before = DAY - timedelta(days=1)
    record(felt(1000, -250, day=f"{day_before}"))
    record([fact(901, "day-closed", "aurora/T1", f"{day_before}", by="a-101")])
    record(felt(1000, 100, "aurora/T2", day=f"{DAY}"))
    schedules.create(Schedule("Hold of the day", "aurora", "hold", ("table",), "csv", "day", CLOSED))
    alma = viewer(cast, "Alma")._replace(today=DAY + timedelta(days=1))
    home = accounting.home(alma)
    line = figure(home, "Variances of the oldest open day").facts[-1]
    assert (line.label, line.value) == ("unexplained, Nov, USD", "−1.50")
    assert all(fact.address for card in home.figures for fact in card.facts), "a figure leads to its rows"
    page = text(cast.browser("Alma").get(line.address))
    assert "−1.50" in page
    waiting = table(home, "Exports due").lines[0].cells
    assert [cell.text for cell in waiting] == ["Hold of the day", "27 Nov 2026", "day not closed"]
    assert waiting[2].address.endswith(f"day={DAY}"), "the next step is the close of this day"


DROP = {"of_day": str(DAY), "currency": "USD", "amount": 100, "by": "c-101", "second": "n-101"}


def close_day(cast: Cast) -> Viewer:
    """Close the day of the table while the property's own stream of the day stays open."""
    close = fact(901, "day-closed", "aurora/EOU-07", str(DAY), by="a-101")
    record([close, fact(902, "drop-received", "aurora/house", str(DAY), **DROP)])
    return viewer(cast, "Alma")


def test_the_calendar_shows_a_day_with_all_tables_closed_as_closed(faulty_day: Cast) -> None:
    alma = close_day(faulty_day)
    only_house = DAY + timedelta(days=1)
    record([fact(903, "drop-received", "aurora/house", str(only_house), **DROP)])
    states = {day.day: day.state for day in accounting.days_of_month(alma).days}
    assert (states[DAY], states[only_house]) == ("closed", "no-facts")
    record([opened(904, "aurora/EOU-08", str(DAY))])
    assert {day.day: day.state for day in accounting.days_of_month(alma).days}[DAY] == "partly"


def test_after_the_last_close_the_home_page_is_about_today(faulty_day: Cast) -> None:
    alma = close_day(faulty_day)._replace(today=DAY + timedelta(days=1))
    blockers = table(accounting.home(alma), "Blocks the close of today")
    assert (blockers.none, blockers.lines) == ("No table was opened today.", [])
    record([opened(904, "aurora/EOU-08", str(alma.today))])
    home = accounting.home(alma)
    card = figure(home, "Gaming days to close")
    assert (card.value, card.says) == ("0", "no open table in the 35 gaming days before today")
    assert [(line.label, line.value) for line in card.facts] == [
        ("tables of today closed", "0 of 1"),
        ("tables of today blocked", "1"),
    ]
    assert figure(home, "Variances of today").says == "28 Nov 2026"
    blockers = table(home, "Blocks the close of today, 28 Nov 2026")
    assert [line.cells[0].text for line in blockers.lines] == ["EOU-08"]


@pytest.mark.parametrize("role", [role for role in HOMES if role != "compliance"])
def test_an_empty_property_has_a_home_page(role: str, house: Any) -> None:
    cast = Cast()
    act, build = HOMES[role]
    name = dict(zip([role for role in HOMES if role != "compliance"], OF_ROLE, strict=True))[role]
    home = build(viewer(cast, name), DAY)
    assert home.figures
    assert viewer(cast, name).may(act)
    answer = cast.browser(name).get("/home/")
    assert (answer.status_code, home.title in markup(answer)) == (200, True)


def test_compliance_sees_suspicions_on_its_home_and_an_officer_does_not(desk: Cast) -> None:
    number, other = suspicion(), opened_case(desk, due=DAY)
    page = markup(cora().get("/home/"))
    assert f"/cases/aurora/{number}/" in page
    assert "Structured buy-ins" in page
    assert f"/cases/aurora/{other}/" in page
    of_officer = markup(desk.browser("Dana").get("/home/"))
    assert number not in of_officer
    count = figure(surveillance.home(viewer(desk, "Dana")), "Hands waiting for a second review").facts[-1]
    assert (count.label, count.value) == ("open cases", "1")


def cards_of(home: Home) -> list[Card]:
    return [*home.figures, *home.cards]


def test_figures_of_cage_count_room_floor_and_control_lead_to_their_pages(faulty_day: Cast) -> None:
    homes = {
        "Chi": cage.home,
        "Nia": cage.count_home,
        "Finn": floor.home,
        "Rhea": control.home,
        "Mia": control.administration,
    }
    for name, build in homes.items():
        home = build(viewer(faulty_day, name))
        assert all(not card.address or card.address.startswith("/") for card in cards_of(home)), name
    assert figure(floor.home(viewer(faulty_day, "Finn")), "Tables open").says == "of 1"
    assert figure(control.home(viewer(faulty_day, "Rhea")), "Table days not examined yet").value == "0"


def test_a_home_page_has_a_bounded_number_of_queries(
    faulty_day: Cast, django_assert_max_num_queries: Any
) -> None:
    for name in OF_ROLE:
        browser = faulty_day.browser(name)
        browser.get(f"/home/?day={DAY}")
        with django_assert_max_num_queries(90):
            browser.get(f"/home/?day={DAY}")


def test_the_list_of_tables_fits_one_screen_and_says_how_many_there_are(cast: Cast) -> None:
    officers()
    for place in range(win.TABLES + 1):
        record(troubled_day(f"EOU-{place:02}", times=1, faults=FOUND[:1]))
    tables = table(table_games.home(viewer(cast, "Boris"), DAY), "Tables on")
    assert (len(tables.lines), tables.total, tables.left_out) == (win.TABLES, win.TABLES + 1, 1)
    page = text(cast.browser("Boris").get(f"/home/?day={DAY}"))
    assert f"{win.TABLES} of {win.TABLES + 1} shown" in page


def test_the_hold_of_both_kinds_of_tables_is_shown_and_that_of_felt_tables_first(cast: Cast) -> None:
    record([*felt(10_000, 700), *live(2_000, 50)])
    card = figure(table_games.home(viewer(cast, "Boris"), DAY), "Hold on")
    assert (card.title, card.value) == (f"Hold on {day_label(DAY)}, counted win / drop", "7.0 %")
    assert [(line.label, line.value) for line in card.facts] == [
        ("7.0 % counted win / drop, USD", "7.00 of 100.00"),
        ("2.5 % GGR / handle, USD", "0.50 of 20.00"),
    ]


def test_accounting_sees_expected_win_only_with_the_win_of_the_same_wagers(cast: Cast) -> None:
    record([*felt(10_000, 700), *live(2_000, 50)])
    card = figure(accounting.home(viewer(cast, "Alma")), "Counted win")
    days = win.month_of(Span(DAY.replace(day=1), DAY + timedelta(days=1), "aurora"), "USD").days.values()
    amount, expected = (
        sum(values, start=Fraction(0)) for values in zip(*(day[:2] for day in days), strict=True)
    )
    assert [(line.label, line.value) for line in card.facts] == [
        ("GGR / handle, USD", "0.50"),
        ("win of all wagers", f"{cents(amount, 'USD')} USD"),
        ("expected win of all wagers", f"{cents(expected, 'USD')} USD"),
    ]
    assert (card.value, card.says) == ("7.00", "win / drop")
