"""Each figure on the home pages of table games, accounting, audit, regulators and administrators is a link,
and the linked page shows the same figure. Audit sees the controls with exceptions, and accounting the exports
that the schedules still owe.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.controls import controls
from audit.findings import examine as findings
from audit.queries.cache import control_findings
from audit.queries.control_findings import of_control
from audit.queries.span import Span
from audit.reference.findings import codes_of_controls
from casino.accounts import tokens as accounts
from casino.boards import controls as control_rows
from casino.boards.controls import EXCEPTIONS, NONE, NOT_JUDGED
from casino.exports import due_exports, schedules
from casino.exports.schedules import Schedule
from casino.home import accounting, control
from casino.home.cards import ROWS, Figure, Home, Viewer
from casino.models import Finding
from casino.models import Schedule as StoredSchedule
from casino.reports.definitions import coverage
from tests.audit.floor import fact, opened
from tests.casino.conftest import Cast
from tests.casino.home_figures import agrees, figures
from tests.casino.nights import DAY, officers, record, troubled_day
from tests.casino.pages import text
from tests.furnished import furnishing

COMPUTED = "range of chance"
"""The label of a line that the linked report does not show: its expected win, less and plus a multiple of its
standard deviation.
"""
DAILY = Schedule("hold of the day", "aurora", "hold", ("table",), "csv", "day", "closed")


@furnishing
def faulty_day() -> Cast:
    """Record a table's day with faults, a table without an opener, a schedule, a token and views."""
    cast = Cast()
    officers()
    record(troubled_day("EOU-07", times=3))
    record([opened(950, "aurora/EOU-08", str(DAY))])
    schedules.create(DAILY)
    accounts.issue_token(made_by="m-101", person="a-101", label="soon", days=1)
    for address in ("/hold/", f"/hold/where/aurora/EOU-07/{DAY}/"):
        cast.browser("Rhea").get(address)
    return cast


def viewer(cast: Cast, name: str) -> Viewer:
    return Viewer(cast.person(name), "aurora", DAY, timezone.now())


def figure(home: Home, title: str) -> Figure:
    return next(card for card in home.figures if card.title.startswith(title))


@pytest.mark.parametrize("name", ["Boris", "Alma", "Igor", "Rhea", "Mia"])
def test_each_figure_is_a_link_to_a_page_that_shows_it(faulty_day: Cast, name: str) -> None:
    browser = faulty_day.browser(name)
    page = figures(browser.get(f"/home/?day={DAY}"))
    assert page.without_link == []
    assert len(page.links) > 5
    wrong = []
    for link in page.links:
        answer = browser.get(link.address)
        if answer.status_code != 200 or not (link.label == COMPUTED or agrees(link.text, answer)):
            wrong.append(f"{answer.status_code} {link}")
    assert wrong == []


def test_a_figure_without_a_link_and_a_page_without_the_figure_are_noticed() -> None:
    card = '<section class="board-card figure"><h3>Hands, 31 days</h3><p class="v">{}</p></section>'
    assert figures(card.format("12")).without_link == ["Hands, 31 days: 12"]
    linked = figures(card.format('<a href="/queue/">1,250.00 <small>at 3 tables</small></a>'))
    assert [(link.text, link.address) for link in linked.links] == [("1,250.00 at 3 tables", "/queue/")]
    assert agrees("1,250.00 at 3 tables", "<main>1250.00 USD, tables: 3</main>")
    assert not agrees("1,250.00 at 3 tables", "<main>1250.00 USD, tables: 4</main>")
    assert agrees("2 of 27 Nov 2026", "<main><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></main>")


def test_the_exceptions_of_each_control_are_its_findings(faulty_day: Cast) -> None:
    span = Span(DAY, DAY + timedelta(days=1), "aurora")
    listed, not_judged = control_rows.rows(span)
    rows = {row.control.id: row for row in listed}
    of_report = [(row[0], row[2], row[3], row[4]) for row in coverage.sheet(span, ()).rows]
    assert [tuple(of) for of in not_judged] == of_report
    assert rows.keys() == codes_of_controls().keys()
    for id, row in rows.items():
        concerned = [
            cite
            for code, cite in Finding.objects.values_list("code", "cite")
            if f"Control {id}," in f"{cite}," or (code in row.codes and not cite.startswith("Control "))
        ]
        assert row.exceptions == len(concerned), id
        assert row.not_judged == sum(of.days for of in not_judged if of.code in row.codes), id
        assert not (row.state == NONE and row.not_judged), "what was not judged never counts as a pass"
    assert rows["OC-01"].state == EXCEPTIONS or rows["OC-01"].exceptions == 0
    assert {row.state for row in rows.values()} >= {EXCEPTIONS, NONE}
    earlier = Span(DAY - timedelta(days=9), DAY - timedelta(days=8), "aurora")
    assert {row.state for row in control_rows.rows(earlier)[0]} == {NOT_JUDGED}


def test_a_control_has_a_page_with_its_findings_and_what_was_not_judged(faulty_day: Cast) -> None:
    span = Span(DAY, DAY + timedelta(days=1), "aurora")
    rows, _ = control_rows.rows(span)
    days, igor = f"property=aurora&from={DAY}&to={DAY}", faulty_day.browser("Igor")
    all_controls = text(igor.get(f"/boards/controls/?{days}"))
    assert f"{sum(row.exceptions > 0 for row in rows)} of {len(rows)} with" in all_controls
    for row in (rows[0], max(rows, key=lambda row: row.not_judged)):
        page = text(igor.get(f"/boards/controls/?{days}&of={row.control.id}"))
        assert f"{row.exceptions} on gaming days" in page
        assert f"{row.not_judged} table days" in page or not row.not_judged
    unchecked = next(id for id in controls() if id not in codes_of_controls())
    assert "Catwalk has no check of this control." in text(igor.get(f"/boards/controls/?of={unchecked}"))
    assert igor.get("/boards/controls/?of=OC-99").status_code == 404
    assert faulty_day.browser("Eve").get("/boards/controls/").status_code == 403


def test_audit_sees_the_worst_controls_and_those_not_judged_apart(faulty_day: Cast) -> None:
    igor = viewer(faulty_day, "Igor")
    home = control.home(igor)
    rows, _ = control_rows.rows(Span(DAY - timedelta(days=30), igor.today, "aurora"))
    card = figure(home, "Controls with exceptions")
    assert card.says == f"of {len(rows)} controls, 31 days"
    numbers = {line.label: int(line.value) for line in card.facts}
    assert numbers["without a check"] == len(controls()) - len(rows)
    assert numbers["exceptions"] > 0


def test_a_control_on_the_home_page_has_its_whole_requirement_and_no_zero_if_not_judged(
    faulty_day: Cast,
) -> None:
    for name in ("Igor", "Rhea"):
        page = text(faulty_day.browser(name).get("/home/"))
        listed = [control.requirement for control in controls().values() if control.requirement in page]
        assert len(listed) == ROWS
        assert max(map(len, listed)) > 42, "longer than the card once showed"
    igor = viewer(faulty_day, "Igor")
    later = Span(igor.today + timedelta(days=1), igor.today + timedelta(days=2), "aurora")
    rows, _ = control_rows.rows(later)
    lines = control.controls_table(igor, later, rows).lines
    assert {line.linked_cells[2].text for line in lines} == {NOT_JUDGED}


def test_accounting_sees_what_each_schedule_owes(faulty_day: Cast) -> None:
    instant = timezone.now()
    after = viewer(faulty_day, "Alma")._replace(now=instant)
    late, following = due_exports.due("aurora", instant)
    assert (late.period, late.reason, late.is_late) == (str(DAY), due_exports.OPEN, True)
    assert (following.reason, following.is_late) == (due_exports.NEXT, False)
    assert late.due_at < instant < following.due_at
    card = figure(accounting.home(after), "Exports late")
    assert next((line.label, line.value) for line in card.facts) == ("day not closed", "1")
    page = faulty_day.browser("Alma").get("/exports/?schedule=hold+of+the+day")
    assert "day not closed" in text(page)
    closes = enumerate(("EOU-07", "EOU-08"), 901)
    record([fact(id, "day-closed", f"aurora/{code}", str(DAY), by="a-101") for id, code in closes])
    findings.examine()
    assert due_exports.due("aurora", instant)[0].reason == due_exports.NOT_RUN
    StoredSchedule.objects.update(enabled=False)
    assert [export.reason for export in due_exports.due("aurora", instant)] == [due_exports.PAUSED]
    assert schedules.order_due(DAILY, instant)
    assert due_exports.due("aurora", instant) == []
    assert due_exports.due("borealis", instant) == []


def test_the_latest_findings_of_a_control_are_read_from_the_last_days_that_have_enough(
    faulty_day: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    month = Span(DAY - timedelta(days=30), DAY + timedelta(days=1), "aurora")
    rows = [row for row in control_rows.rows(month)[0] if row.exceptions]
    assert rows
    for row in rows:
        findings_of_month = of_control(month, row.control.id, row.codes)
        assert control_findings.latest(month, row.control.id, row.codes) == findings_of_month
        last_day = [finding for finding in findings_of_month if finding.stream.endswith(f"{row.last}")]
        with monkeypatch.context() as patch:
            patch.setattr(control_findings, "LISTED", 1)
            assert control_findings.latest(month, row.control.id, row.codes) == last_day
