"""Counted cash goes from the count room to the cage, and from there to the bank. Pages, journal, control
totals and a report show it.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from audit.findings import examine as findings
from audit.findings import read
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries import findings as judged
from audit.queries.list_filters import Selection
from audit.queries.span import Span
from audit.review import hands, queue
from casino.accounts.services import issue_token
from casino.alerts import publish
from casino.journals.books import PERIODS, journal
from casino.journals.cache.lines import Lines, lines_of
from casino.journals.control import CashTotal, control_totals
from casino.reference.calendar import gaming_day
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports import catalog
from tests.audit.floor import fact, line
from tests.casino.books import map_accounts
from tests.casino.conftest import Api
from tests.casino.feeding import codes
from tests.casino.pages import markup, text
from tests.casino.test_cage import Desk, desk, floor, says
from tests.casino.test_write_offs import recorded

__all__ = ["desk", "floor"]
DROP, DEPOSIT, CONFIRMATION = "/cage/drop/aurora/", "/cage/deposit/aurora/", "/cage/confirmation/aurora/"
BOARD = "/cage/deposits/"


def count_box(amount: int = 10_000) -> None:
    """Record a box of EOU-01 that was counted twice today."""
    on = {"table": "aurora/EOU-01", "day": str(gaming_day("aurora"))}
    pulled = {"box": "b-1", "shift": "day"}
    facts = [
        fact(61, "box-pulled", **on, **pulled, by="g-101", second="s-201"),
        fact(
            62,
            "drop-counted",
            **on,
            **pulled,
            notes={"1000": amount // 1000},
            amount=amount,
            team=["n-101", "n-102", "n-103"],
        ),
        fact(63, "count-verified", **on, box="b-1", amount=amount, by="c-102"),
    ]
    intake.post([line(count) for count in facts], Sender("test"))
    findings.examine()


def receive(desk: Desk, amount: str = "100", **typed: str) -> Any:
    sent = {"uid": str(uuid4()), "of_day": str(gaming_day("aurora")), "currency": "USD", "amount": amount}
    return desk.browser.post(DROP, sent | desk.signatures(second="Nia") | typed)


def send(desk: Desk, bag: str = "004711", amount: str = "80", **typed: str) -> Any:
    sent = {"uid": str(uuid4()), "deposit": bag, "currency": "USD", "amount": amount, "carrier": "transport"}
    return desk.browser.post(DEPOSIT, sent | desk.signatures(second="Gus") | typed)


def confirm(desk: Desk, amount: str = "80", bag: str = "004711") -> Any:
    sent = {"uid": str(uuid4()), "deposit": bag, "amount": amount, "reference": "BK-1"}
    return desk.cast.browser("Alma").post(CONFIRMATION, sent)


def test_cash_goes_from_the_count_room_to_the_bank(desk: Desk) -> None:
    count_box()
    page = desk.browser.get(BOARD).content.decode()
    assert ("Not received, USD" in page, "Nothing is on the way" in page) == (True, True)
    assert amounts(page) == ["0", "100.00", "0.00", "100.00", "0", "100.00"]
    assert receive(desk).status_code == 302
    assert "has received all counted cash" in desk.browser.get(BOARD).content.decode()
    assert send(desk).status_code == 302
    page = desk.browser.get(BOARD).content.decode()
    assert ("004711" in page, "Sent, USD" in page, "not confirmed" in page) == (True, True, True)
    assert amounts(page)[-1] == "80.00"
    assert confirm(desk).status_code == 302
    page = desk.browser.get(BOARD).content.decode()
    assert ("Nothing is on the way" in page, "BK-1" in page) == (True, True)
    (received,), (sent,), (confirmed,) = map(recorded, ("drop-received", "deposit-sent", "deposit-confirmed"))
    assert (received["amount"], received["by"], received["second"]) == (10_000, "c-101", "n-101")
    assert (sent["amount"], sent["carrier"], sent["by"], sent["second"]) == (
        8_000,
        "transport",
        "c-101",
        "g-101",
    )
    assert (confirmed["amount"], confirmed["reference"], confirmed["by"]) == (8_000, "BK-1", "a-101")
    findings.examine()
    wrong = {"drop-received-differs", "deposit-differs", "deposit-unknown", "deposit-twice", "signed-once"}
    assert not wrong & set(codes())


def amounts(page: str) -> list[str]:
    """Return the right-aligned cells of a page that have a text."""
    cells = re.findall(r'<td class="n[^"]*">\s*(.*?)\s*</td>', page)
    return [cell for cell in cells if cell]


def test_the_form_of_a_deposit_says_how_much_of_the_drop_was_not_sent(desk: Desk) -> None:
    assert "has received no cash from the count room" in text(desk.browser.get(DEPOSIT))
    receive(desk)
    send(desk)
    page = text(desk.browser.get(DEPOSIT))
    assert "Received from the count room 100.00 Sent to the bank 80.00 Received, not sent, USD 20.00" in page
    assert "More was sent" not in page
    send(desk, "004712", "30")
    page = text(desk.browser.get(DEPOSIT))
    assert "Received, not sent, USD −10.00 More was sent than the cage received." in page


def test_amounts_in_two_currencies_each_have_their_currency(desk: Desk) -> None:
    day, signed = str(gaming_day("aurora")), {"carrier": "transport", "by": "c-101", "second": "g-101"}
    sent = [
        fact(71, "deposit-sent", "aurora/house", day, deposit="1", currency="JPY", amount=8_000, **signed),
        fact(72, "deposit-sent", "aurora/house", day, deposit="2", currency="USD", amount=8_000, **signed),
    ]
    intake.post([line(deposit) for deposit in sent], Sender("test"))
    page = desk.browser.get(BOARD).content.decode()
    assert ("Sent, USD" in page, "Sent, JPY" in page) == (False, False)
    assert amounts(page) == ["0", "8,000 JPY", "0", "80.00 USD", "8,000 JPY", "80.00 USD"]


def test_a_difference_at_the_bank_is_shown_and_found(desk: Desk) -> None:
    send(desk)
    answer = confirm(desk, "79.50")
    assert answer.status_code == 302
    page = desk.browser.get(BOARD).content.decode()
    assert "-0.50" in page or "−0.50" in page
    findings.examine()
    assert "deposit-differs" in codes()


def test_findings_of_deposits_name_the_currency_of_their_amounts(desk: Desk) -> None:
    bag = {"deposit": "004711", "currency": "JPY"}
    signed = {"carrier": "transport", "by": "c-101", "second": "g-101"}
    day = str(gaming_day("aurora"))
    sent = fact(71, "deposit-sent", "aurora/house", day, **bag, amount=8_000, **signed)
    confirmed = fact(72, "deposit-confirmed", "aurora/house", day, **bag, amount=7_950, by="a-101")
    intake.post([line(sent), line(confirmed)], Sender("test"))
    findings.examine()
    publish.publish("aurora")
    dana = Api(issue_token(made_by="m-101", person=desk.cast.logins["Dana"].id))
    (listed,) = dana.get("/api/v1/findings?code=deposit-differs").json()["items"]
    changes = dana.get("/api/v1/findings/changes").json()["items"]
    (change,) = [row for row in changes if row["code"] == "deposit-differs"]
    expected = {"currency": "JPY", "owed": "8000", "owed_amount": "8000", "moved_amount": "7950"}
    for row in (listed, change):
        assert {name: row[name] for name in expected} == expected
    (exported,) = judged.exported_findings(Selection(code="deposit-differs")).at_once()
    row = dict(zip(judged.EXPORTED_FINDING, exported, strict=True))
    assert (row["currency"], row["owed"], row["moved"]) == ("JPY", "8000", "7950")
    (finding,) = read.findings(code="deposit-differs")
    assert read.as_row(*finding)[7:9] == ("8000", "7950")
    (queued,) = [row for row in queue.page(queue.Wanted(("aurora",))).rows if "deposit-differs" in row.codes]
    assert (queued.currency, queued.to_house) == ("JPY", 50)
    played = hands.named("aurora", f"aurora/house/{day}", queued.hand)
    assert played is not None
    assert played.currency() == "JPY"


def test_a_deposit_that_waits_too_long_is_marked_and_found(desk: Desk) -> None:
    days = [str(gaming_day("aurora") - timedelta(days=ago)) for ago in (6, 3, -1)]
    bag = {"currency": "USD", "amount": 8_000, "carrier": "transport", "by": "c-101", "second": "g-101"}
    sent = [
        fact(71 + place, "deposit-sent", "aurora/house", day, deposit=f"00{place}", **bag)
        for place, day in enumerate(days)
    ]
    intake.post([line(deposit) for deposit in sent], Sender("test"))
    findings.examine()
    page = desk.browser.get(BOARD).content.decode()
    assert ("within 5 gaming days" in page, page.count(">late<")) == (True, 1)
    assert codes().count("deposit-unconfirmed") == 1
    entry = Entry("thresholds", "deposit-confirmed", {"days": 2})
    set_registers("aurora", [entry], by="m-101", second="m-102")
    findings.examine()
    page = desk.browser.get(BOARD).content.decode()
    assert ("within 2 gaming days" in page, page.count(">late<")) == (True, 2)
    form = desk.cast.browser("Mia").get("/admin/casino/entry/set/deposit-confirmed/")
    assert "Without an entry: 5." in form.content.decode()


def test_a_count_that_differs_from_the_cash_received_is_found(desk: Desk) -> None:
    count_box()
    receive(desk, "90")
    findings.examine()
    assert "drop-received-differs" in codes()
    assert "10.00" in amounts(desk.browser.get(BOARD).content.decode())


@pytest.mark.parametrize(
    ("act", "typed", "words"),
    [
        (receive, {"amount": "x"}, "Amount"),
        (receive, {"amount": "0"}, "Amount"),
        (receive, {"of_day": "2999-01-01"}, "Gaming day"),
        (receive, {"of_day": "nonsense"}, "Gaming day"),
        (receive, {"currency": "EUR"}, "Currency: choose USD"),
        (receive, {"second": "c-102"}, "c-102"),
        (send, {"bag": ""}, "Bag number"),
        (send, {"carrier": ""}, "Carrier"),
        (send, {"carrier": "x" * 61}, "Carrier"),
        (send, {"amount": "-1"}, "Amount"),
        (send, {"second": "d-101"}, "d-101"),
        (send, {"second": "c-101", "second_password": ""}, "Someone else"),
    ],
)
def test_wrong_forms_are_refused_and_nothing_is_recorded(
    desk: Desk, act: Any, typed: dict[str, str], words: str
) -> None:
    answer = act(desk, **typed)
    assert (answer.status_code, words in answer.content.decode()) == (400, True)
    assert recorded("drop-received", "deposit-sent") == []


def test_a_bag_is_sent_once_and_confirmed_once(desk: Desk) -> None:
    assert send(desk).status_code == 302
    assert "was sent before" in says(send(desk))
    assert "No deposit 9 is on the way" in confirm(desk, bag="9").content.decode()
    assert confirm(desk).status_code == 302
    assert "is on the way" in confirm(desk).content.decode()
    assert len(recorded("deposit-sent", "deposit-confirmed")) == 2


@pytest.mark.parametrize("name", ["Dana", "Finn", "Igor", "Rhea", "Mia", "Nia", "Gus", "Eve", None])
def test_people_without_the_right_record_nothing(desk: Desk, name: str | None) -> None:
    stranger = Desk.__new__(Desk)
    stranger.cast, stranger.browser = desk.cast, desk.cast.browser(name)
    for answer in (receive(stranger), send(stranger), stranger.browser.get(f"{CONFIRMATION}?deposit=004711")):
        assert answer.status_code in {302, 403}
        assert "c-101" not in answer.content.decode()
    assert recorded("drop-received", "deposit-sent") == []


def test_the_journal_and_its_control_total_follow_the_cash(desk: Desk) -> None:
    map_accounts()
    receive(desk)
    send(desk)
    send(desk, "004712", "15")
    confirm(desk, "79.50")
    findings.examine()
    today = gaming_day("aurora")
    span = Span(today, today + timedelta(days=1), "aurora")
    documents = journal(span).documents
    posted = [[(item.posted, item.amount) for item in document.postings] for document in documents]
    assert posted == [
        [("cage-cash", 10_000), ("drop", -10_000)],
        [("in-transit", 8_000), ("cage-cash", -8_000)],
        [("in-transit", 1_500), ("cage-cash", -1_500)],
        [("bank", 7_950), ("over-short", 50), ("in-transit", -8_000)],
    ]
    assert [document.text for document in documents][1] == "Deposit 004711 sent with transport"
    (total,) = control_totals(documents)
    assert total.cash == CashTotal(0, 10_000, 9_500, 7_950, -50)
    assert dict(total.cash_amounts)["on the way to the bank"] == 1_500
    assert "sent to the bank 95.00, confirmed by the bank 79.50, difference of the bank -0.50" in total.text
    for by in PERIODS[:2]:
        assert list(Lines(span, by)) == list(lines_of(documents))
    day = f"from={today}&to={today}"
    page = desk.cast.browser("Alma").get(f"/journal/?{day}").content.decode()
    assert "On the way to the bank" in page


def test_the_report_of_deposits_adds_up_to_the_journal(desk: Desk) -> None:
    send(desk)
    send(desk, "004712", "15")
    confirm(desk, "79.50")
    sheet = catalog.report("deposits").sheet(Span(property="aurora"), ())
    keys = [column.key for column in sheet.columns]
    rows = [dict(zip(keys, map(str, row), strict=True)) for row in (*sheet.rows, *sheet.totals)]
    names = ("deposit", "sent", "confirmed", "on_the_way", "difference", "note")
    assert [[row[name] for name in names] for row in rows] == [
        ["004711", "80.00", "79.50", "0.00", "-0.50", "the bank counted another amount"],
        ["004712", "15.00", "", "15.00", "0.00", "on the way"],
        ["", "95.00", "79.50", "15.00", "-0.50", ""],
    ]
    today = gaming_day("aurora")
    before = catalog.report("deposits").sheet(Span(None, today, "aurora"), ())
    assert list(before.rows) == []


def test_the_page_of_the_report_shows_differences_first_and_names_the_bars_by_bag(desk: Desk) -> None:
    send(desk)
    send(desk, "004712", "15")
    confirm(desk, "79.50")
    page = markup(desk.cast.browser("Alma").get("/reports/deposits/"))
    head = [
        text(cell) for cell in re.findall(r"<th scope=\"col\".*?</th>", page.partition("<tbody")[0], re.S)
    ]
    assert head[:6] == ["Property", "Deposit", "Sent", "Confirmed", "On the way", "Difference"]
    charts = text(page.partition('id="charts"')[2])
    assert "004711" in charts
    assert "004712" in charts


@pytest.mark.parametrize(
    ("user", "address", "typed"),
    [
        ("Alma", CONFIRMATION, "?deposit=999"),
        ("Chi", "/cage/payment/aurora/", "?slip=M-EOU01-000999"),
        ("Alma", "/cage/write-off/aurora/", "?slip=M-EOU01-000999"),
    ],
)
def test_a_form_that_asks_for_a_number_shows_an_error_only_after_it_was_typed(
    desk: Desk, user: str, address: str, typed: str
) -> None:
    browser = desk.cast.browser(user)
    pages = [browser.get(f"{address}{query}").content.decode() for query in ("", typed)]
    assert [('class="refused"' in page, "aria-invalid" in page) for page in pages] == [
        (False, False),
        (True, True),
    ]
