"""Two people of accounting write off a marker on a page. Neither of them issued it. After that the marker no
longer counts as unpaid, the journal has documents about it, and a later payment is a recovery.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from msgspec import json

from audit.findings import examine as findings
from audit.ledger import store
from audit.queries.markers import largest_unpaid, unpaid_sums
from audit.queries.span import Span
from audit.queries.write_offs import WriteOffSum, sums
from casino.cage.services import markers
from casino.journals.books import PERIODS, journal, since
from casino.journals.cache.lines import Lines, lines_of
from casino.reference.calendar import gaming_day
from casino.reports import catalog
from tests.casino.books import map_accounts
from tests.casino.conftest import Api
from tests.casino.feeding import codes
from tests.casino.test_cage import Desk, desk, floor, says

__all__ = ["desk", "floor"]
PAGE = "/cage/write-off/aurora/"
PAYMENT = "/cage/payment/aurora/"


@pytest.fixture
def alma(desk: Desk) -> Desk:
    """Return the forms of the cage, sent by Alma of accounting."""
    return Desk(desk.cast, "Alma")


def issued(desk: Desk, amount: int = 50_000) -> str:
    serial = markers.issue_marker(
        desk.cast.person("Finn"), "aurora", "EOU-01", "p-1", "2", amount, uid=str(uuid4())
    )
    findings.examine()
    return serial


def form(
    desk: Desk, serial: str, amount: str = "500.00", second: str = "Alan", **typed: str
) -> dict[str, str]:
    sent = {"uid": str(uuid4()), "slip": serial, "amount": amount, "reason": "bankrupt"}
    return sent | desk.signatures(second=second) | typed


def recorded(*kinds: str) -> list[dict[str, Any]]:
    return [json.decode(body) for _, _, _, body in store.read_kinds("aurora", frozenset(kinds), 0)]


def rows(report: str) -> list[dict[str, Any]]:
    findings.examine()
    sheet = catalog.report(report).sheet(Span(property="aurora"), ())
    keys = [column.key for column in sheet.columns]
    return [dict(zip(keys, map(str, row), strict=True)) for row in (*sheet.rows, *sheet.totals)]


def test_two_accountants_write_off_the_rest_of_a_marker(alma: Desk) -> None:
    serial = issued(alma)
    chi = alma.cast.browser("Chi")
    chi.post(PAYMENT, {"uid": str(uuid4()), "slip": serial, "amount": "200"})
    assert 'value="300.00"' in alma.browser.get(f"{PAGE}?slip={serial}").content.decode()
    sent = form(alma, serial, "300.00")
    assert alma.browser.post(PAGE, sent).status_code == 302
    assert "Already recorded" in says(alma.browser.post(PAGE, sent))
    (fact,) = recorded("marker-written-off")
    named = ("slip", "player", "currency", "amount", "reason", "by", "second")
    assert [fact[name] for name in named] == [serial, "p-1", "USD", 30_000, "bankrupt", "a-101", "a-102"]
    assert fact["table"] == "aurora/house"
    assert "Nothing is owed" in alma.browser.get(f"{PAGE}?slip={serial}").content.decode()
    findings.examine()
    page = chi.get("/cage/markers/").content.decode()
    assert ("No open markers" in page, "Written off" in page) == (True, True)
    (marker,) = recorded("marker-issued")
    assert f'href="/cage/slip/aurora/{marker["uid"]}/">{serial}</a>' in page
    assert not {"signed-once", "signer-not-entitled", "write-off-exceeds-marker"} & set(codes())


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"amount": "500.01"}, "Only 500.00 is owed"),
        ({"amount": "0"}, "Amount"),
        ({"reason": " "}, "Reason"),
        ({"slip": "M-9"}, "No marker M-9"),
        ({"second": "a-101", "second_password": ""}, "Someone else must give the second signature"),
        ({"second_password": "wrong"}, "id or password"),
    ],
)
def test_a_wrong_write_off_is_refused_and_nothing_is_recorded(
    alma: Desk, typed: dict[str, str], words: str
) -> None:
    answer = alma.browser.post(PAGE, form(alma, issued(alma)) | typed)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert recorded("marker-written-off") == []


def test_a_cashier_does_not_give_the_second_signature(alma: Desk) -> None:
    answer = alma.browser.post(PAGE, form(alma, issued(alma), second="Cleo"))
    assert (answer.status_code, "c-102" in answer.content.decode()) == (400, True)
    assert recorded("marker-written-off") == []


@pytest.mark.parametrize("name", ["Chi", "Finn", "Dana", "Igor", "Rhea", "Mia", "Eve", None])
def test_nobody_else_writes_off_or_sees_the_form(alma: Desk, name: str | None) -> None:
    serial = issued(alma)
    browser = alma.cast.browser(name)
    for answer in (browser.get(f"{PAGE}?slip={serial}"), browser.post(PAGE, form(alma, serial))):
        assert answer.status_code in {302, 403}
        assert "p-1" not in answer.content.decode()
    assert recorded("marker-written-off") == []


def test_a_payment_of_a_written_off_marker_is_a_recovery(alma: Desk) -> None:
    serial, chi = issued(alma), alma.cast.browser("Chi")
    alma.browser.post(PAGE, form(alma, serial))
    page = chi.get(f"{PAYMENT}?slip={serial}").content.decode()
    assert ("Record recovery" in page, 'value="500.00"' in page) == (True, True)

    def pay(amount: str) -> Any:
        return chi.post(PAYMENT, {"uid": str(uuid4()), "slip": serial, "amount": amount})

    assert pay("100").status_code == 302
    assert "Only 400.00 of" in says(pay("400.01"))
    assert pay("400").status_code == 302
    assert [fact["amount"] for fact in recorded("marker-recovered")] == [10_000, 40_000]
    assert recorded("marker-paid") == []
    assert "is recovered" in chi.get(f"{PAYMENT}?slip={serial}").content.decode()
    findings.examine()
    assert not {"marker-overpaid", "marker-unknown"} & set(codes())
    assert sums("aurora") == [WriteOffSum("USD", 50_000, 50_000)]


def test_a_written_off_marker_is_not_voided(alma: Desk) -> None:
    serial = issued(alma)
    alma.browser.post(PAGE, form(alma, serial))
    (marker,) = recorded("marker-issued")
    chi = alma.cast.browser("Chi")
    address = f"/cage/slip/aurora/{marker['uid']}/"
    assert "Void" not in chi.get(address).content.decode().partition('class="withbeside"')[2]
    refused = chi.post(address, {"uid": str(uuid4()), "reason": "torn"} | alma.signatures(second="Gus"))
    assert (refused.status_code, "was written off and cannot be voided" in refused.content.decode()) == (
        400,
        True,
    )


def test_reports_and_sums_no_longer_count_what_was_written_off(alma: Desk) -> None:
    lost, partial = issued(alma), issued(alma, 80_000)
    alma.browser.post(PAGE, form(alma, lost))
    alma.browser.post(PAGE, form(alma, partial, "300"))
    ageing = {row["slip"]: row for row in rows("marker-ageing")}
    names = ("open", "to_7_days", "written_off", "recovered", "note")
    assert [ageing[lost][name] for name in names] == ["0.00", "", "500.00", "0.00", "written off"]
    assert [ageing[partial][name] for name in names] == [
        "500.00",
        "500.00",
        "300.00",
        "0.00",
        "partly written off",
    ]
    assert [ageing["total"][name] for name in names[:3]] == ["500.00", "500.00", "800.00"]
    by_serial = {row["slip"]: row for row in rows("markers")}
    assert [by_serial["total"][name] for name in ("issued", "paid", "written_off", "open")] == [
        "1300.00",
        "0.00",
        "800.00",
        "500.00",
    ]
    today = gaming_day("aurora")
    assert [(row.currency, row.markers, row.owed) for row in unpaid_sums("aurora", today)] == [
        ("USD", 1, 50_000)
    ]
    assert [(row.slip, row.written_off) for row in largest_unpaid("aurora", today, 5)] == [(partial, 30_000)]
    exposure = alma.cast.browser("Dana").get("/boards/exposure/").content.decode()
    assert ("800.00" in exposure, lost in exposure) == (True, False)
    home = alma.browser.get("/home/").content.decode()
    assert "written off in the last 30 days" in home


def test_the_journal_books_bad_debt_and_its_recovery(alma: Desk) -> None:
    map_accounts()
    serial, chi = issued(alma), alma.cast.browser("Chi")
    alma.browser.post(PAGE, form(alma, serial))
    chi.post(PAYMENT, {"uid": str(uuid4()), "slip": serial, "amount": "100"})
    findings.examine()
    today = gaming_day("aurora")
    span = Span(today, today + timedelta(days=1), "aurora")
    first, second = journal(span).documents
    assert [(line.posted, line.amount) for line in first.postings] == [
        ("bad-debt", 50_000),
        ("markers", -50_000),
    ]
    assert [(line.posted, line.amount) for line in second.postings] == [
        ("markers-paid", 10_000),
        ("recoveries", -10_000),
    ]
    assert (first.kind, first.booked, first.currency) == ("money", today, "USD")
    assert first.number.startswith(f"aurora/house/{today}/")
    for by in PERIODS[:2]:
        assert journal(span, by).documents == [first, second]
        assert list(Lines(span, by)) == list(lines_of([first, second]))
    assert since(span, first.position).documents == [second]


def test_a_registered_device_posts_write_offs(alma: Desk) -> None:
    serial = issued(alma)
    fact = {
        "uid": str(uuid4()),
        "table": "aurora/house",
        "day": str(gaming_day("aurora")),
        "kind": "marker-written-off",
        "at": "2026-11-27T12:00:00-08:00",
        "source": "gateway-1",
        "slip": serial,
        "player": "p-1",
        "currency": "USD",
        "amount": 50_000,
        "reason": "bankrupt",
        "by": "a-101",
        "second": "a-102",
    }
    refused = Api(alma.cast.logins["gateway"].token).post(fact)
    assert (refused.status_code, "may not post marker-written-off" in refused.content.decode()) == (403, True)
    assert recorded("marker-written-off") == []
