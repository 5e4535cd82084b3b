"""Markers, and chips sold for cash. A marker has a serial and a list of its chips, is open until it is paid,
and can be voided only before its first payment.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries.span import Span
from casino.cage.services import markers, voids
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import day_label
from casino.reference.calendar import gaming_day
from casino.reports import catalog
from tests.audit.floor import OPENING, fact, line
from tests.casino.feeding import codes
from tests.casino.pages import text
from tests.casino.test_cage import Desk, desk, floor, recorded, says

__all__ = ["desk", "floor"]


def test_a_marker_is_numbered_buys_chips_and_is_open_until_paid(
    desk: Desk,
) -> None:
    finn, chi = desk.cast.browser("Finn"), desk.browser
    sent = {"uid": str(uuid4()), "player": "p-90210", "spot": "3", "amount": "1,500.00"}
    assert finn.post("/cage/marker/aurora/EOU-01/", sent).status_code == 302
    assert "Already recorded" in says(finn.post("/cage/marker/aurora/EOU-01/", sent))
    (issued,), (bought,) = recorded("marker-issued"), recorded("chips-bought")
    assert (issued["player"], issued["amount"], issued["by"]) == ("p-90210", 150_000, "s-201")
    assert (bought["tender"], bought["spot"], bought["amount"]) == ("marker", "3", 150_000)
    serial = issued["slip"]
    assert serial.endswith("-000001")

    def pay(amount: str, **other: str) -> Any:
        return chi.post(
            "/cage/payment/aurora/", {"uid": str(uuid4()), "slip": serial, "amount": amount} | other
        )

    assert 'value="1,500.00"' in chi.get(f"/cage/payment/aurora/?slip={serial}").content.decode()
    assert pay("500").status_code == 302
    assert "1,000.00 is still owed" in says(pay("1,000.01"))
    shown = text(chi.get(f"/cage/payment/aurora/?slip={serial}"))
    assert "Issued 1,500.00 USD Paid 500.00 USD Still owed 1,000.00 USD" in shown
    slip = text(chi.get(f"/cage/slip/aurora/{issued['uid']}/"))
    assert "Total 1,500.00 USD Paid 500.00 USD Still owed 1,000.00 USD" in slip
    assert "Amount: an amount such as" in says(pay("nothing"))
    assert "No marker M-9" in chi.get("/cage/payment/aurora/?slip=M-9").content.decode()
    assert pay("1000.00").status_code == 302
    assert "0.00 is still owed" in says(pay("1"))
    last = recorded("marker-paid")[-1]["uid"]
    assert "Already recorded" in says(pay("1000.00", uid=last)), (
        "a second click is told that the first has paid"
    )
    assert [paid["amount"] for paid in recorded("marker-paid")] == [50_000, 100_000]
    assert "paid in full" in chi.get(f"/cage/payment/aurora/?slip={serial}").content.decode()


def test_the_list_of_open_markers_has_the_days_since_each_was_issued(desk: Desk) -> None:
    today, pages = gaming_day("aurora"), {f"M-{number}": str(uuid4()) for number in (50, 51)}
    for number, days in enumerate((0, 12), 50):
        of = {"table": f"aurora/EOU-{number}", "day": (today - timedelta(days)).isoformat()}
        issued = fact(number, "marker-issued", slip=f"M-{number}", player="p-1", amount=500, by="s-201", **of)
        opening = fact(number + 10, **of, **OPENING)
        uids = (str(uuid4()), pages[f"M-{number}"])
        events = [event | {"uid": uid} for event, uid in zip((opening, issued), uids, strict=True)]
        intake.post([line(event) for event in events], Sender("test"))
    findings.examine()
    page = desk.browser.get("/cage/markers/").content.decode()
    days_cell = r'>\s*(M-5\d)</a>\s*<small>EOU-5\d</small>\s*</th>.*?<td class="n wide-only">(\d*)</td>'
    rows = dict(re.findall(days_cell, page, re.DOTALL))
    assert rows == {"M-50": "0", "M-51": "12"}
    for serial, uid in pages.items():
        assert f'href="/cage/slip/aurora/{uid}/">{serial}</a>' in page
    assert list(rows) == ["M-51", "M-50"], "the oldest is first"
    home = desk.browser.get("/home/").content.decode()
    for serial in rows:
        assert (f'#marker-{serial}"' in home, f'id="marker-{serial}"' in page) == (True, True)


def test_a_marker_of_a_closed_table_is_paid_at_another(desk: Desk) -> None:
    before = "2025-01-01"
    opening = fact(31, table="aurora/EOU-05", day=before, **OPENING)
    issued = fact(
        32,
        "marker-issued",
        table="aurora/EOU-05",
        day=before,
        slip="M-EOU05-2025-000001",
        player="p-1",
        amount=500,
        by="s-201",
    )
    intake.post(
        [
            line(opening),
            line(issued),
            line(fact(33, "day-closed", table="aurora/EOU-05", day=before, by="a-101")),
        ],
        Sender("test"),
    )
    sent = {"uid": str(uuid4()), "slip": "M-EOU05-2025-000001", "amount": "5"}
    refused = desk.browser.post("/cage/payment/aurora/", sent)
    assert "EOU-05 is not open" in says(refused)
    assert 'name="table"' in refused.content.decode()
    assert desk.browser.post("/cage/payment/aurora/", sent | {"table": "EOU-01"}).status_code == 302
    (paid,) = recorded("marker-paid")
    assert (paid["table"], paid["player"]) == ("aurora/EOU-01", "p-1")


def test_a_marker_is_paid_in_its_currency_even_if_the_table_has_changed(desk: Desk) -> None:
    serial = markers.issue_marker(
        desk.cast.person("Finn"), "aurora", "EOU-01", "p-1", "2", 50_000, uid=str(uuid4())
    )
    day = gaming_day("aurora").isoformat()
    yen = OPENING | {"currency": "JPY", "chip": 1}
    intake.post(
        [
            line(fact(41, table=f"aurora/{table}", day=day, **yen) | {"uid": str(uuid4())})
            for table in ("EOU-01", "EOU-07")
        ],
        Sender("test"),
    )
    sent = {"uid": str(uuid4()), "slip": serial, "amount": "500"}
    page = desk.browser.get(f"/cage/payment/aurora/?slip={serial}").content.decode()
    assert ("500.00 USD" in page, 'name="table"' in page, "not open today in USD" in page) == (
        True,
        True,
        True,
    )
    for table in ("EOU-01", "EOU-07"):
        refused = desk.browser.post("/cage/payment/aurora/", sent | {"table": table})
        assert (refused.status_code, f"is owed in USD, and {table} plays in JPY" in says(refused)) == (
            400,
            True,
        )
    assert desk.browser.post("/cage/payment/aurora/", sent | {"table": "EOU-02"}).status_code == 302
    assert [(paid["table"], paid["amount"]) for paid in recorded("marker-paid")] == [
        ("aurora/EOU-02", 50_000)
    ]


def test_markers_with_one_serial_in_two_currencies_are_not_added(
    desk: Desk,
) -> None:
    serial = markers.issue_marker(
        desk.cast.person("Finn"), "aurora", "EOU-01", "p-1", "2", 50_000, uid=str(uuid4())
    )
    of = {"table": "aurora/EOU-07", "day": gaming_day("aurora").isoformat()}
    second = fact(42, "marker-issued", slip=serial, player="p-1", amount=700, by="s-201", **of)
    intake.post(
        [line(fact(41, **of, **OPENING | {"currency": "JPY", "chip": 1})), line(second)], Sender("test")
    )
    for owed, too_much, amount, table in (
        ("500.00 USD", "507", "500", "EOU-01"),
        ("700 JPY", "701", "700", "EOU-07"),
    ):
        assert owed in desk.browser.get(f"/cage/payment/aurora/?slip={serial}").content.decode()
        sent = {"uid": str(uuid4()), "slip": serial, "table": table}
        assert "Enter at most that amount" in says(
            desk.browser.post("/cage/payment/aurora/", sent | {"amount": too_much})
        )
        assert desk.browser.post("/cage/payment/aurora/", sent | {"amount": amount}).status_code == 302
    assert [(paid["table"], paid["amount"]) for paid in recorded("marker-paid")] == [
        ("aurora/EOU-01", 50_000),
        ("aurora/EOU-07", 700),
    ]


def test_a_partly_paid_marker_cannot_be_voided(desk: Desk) -> None:
    finn, cleo = desk.cast.person("Finn"), desk.cast.person("Cleo")
    serials = [
        markers.issue_marker(finn, "aurora", "EOU-01", "p-1", "2", 500, uid=str(uuid4())) for _ in range(2)
    ]
    markers.take_payment(cleo, "aurora", serials[0], 100, uid=str(uuid4()))
    with pytest.raises(ActionRejected, match="cannot be voided"):
        voids.void_slip(cleo, desk.cast.person("Gia"), "aurora", serials[0], "torn", uid=str(uuid4()))
    voids.void_slip(cleo, desk.cast.person("Gia"), "aurora", serials[1], "torn", uid=str(uuid4()))
    with pytest.raises(ActionRejected, match=r"0\.00 is still owed"):
        markers.take_payment(cleo, "aurora", serials[1], 100, uid=str(uuid4()))
    assert (
        "void; nothing is owed"
        in desk.browser.get(f"/cage/payment/aurora/?slip={serials[1]}").content.decode()
    )


def test_chips_are_bought_only_with_tenders_that_go_into_the_box(desk: Desk) -> None:
    finn = desk.cast.browser("Finn")

    def buy(**typed: str) -> Any:
        return finn.post(
            "/cage/chips/aurora/EOU-02/",
            {"uid": str(uuid4()), "spot": "2", "amount": "300", "tender": "cash"} | typed,
        )

    assert buy().status_code == 302
    assert buy(tender="voucher").status_code == 302
    assert "cash or a voucher" in says(buy(tender="marker"))
    assert "an amount such as" in says(buy(amount="0"))
    assert "Spot: at least one" in says(buy(spot=" "))
    assert [(bought["tender"], bought["amount"], bought["by"]) for bought in recorded("chips-bought")] == [
        ("cash", 30_000, "s-201"),
        ("voucher", 30_000, "s-201"),
    ]


def test_a_voided_marker_returns_its_chips_and_is_in_no_box(
    desk: Desk,
) -> None:
    """Test an error of an earlier release: the void ignored the chips of the marker, so that a correct tray
    was reported as 500.00 over and the box as short by the same amount.
    """
    finn, cleo = desk.cast.person("Finn"), desk.cast.person("Cleo")
    day = gaming_day("aurora").isoformat()

    def tell(kind: str, **fields: Any) -> None:
        intake.post(
            [line(fact(1, kind, table="aurora/EOU-01", day=day, **fields) | {"uid": str(uuid4())})],
            Sender("test"),
        )

    tray = {"chips": {}, "by": "d-101", "second": "s-201"}
    tell("opener-counted", amount=100_000, **tray)
    serials = [
        markers.issue_marker(finn, "aurora", "EOU-01", "p-1", "2", amount, uid=str(uuid4()))
        for amount in (50_000, 20_000)
    ]
    voids.void_slip(cleo, desk.cast.person("Gia"), "aurora", serials[0], "torn", uid=str(uuid4()))
    tell("closer-counted", amount=80_000, **tray)
    tell("box-pulled", box="1", shift="", by="g-101", second="s-201")
    tell(
        "drop-counted",
        box="1",
        shift="",
        notes={},
        papers={"marker": 20_000},
        amount=20_000,
        team=["n-1", "n-2"],
    )
    findings.examine()
    assert "inventory-does-not-balance" not in codes()
    row, *_ = catalog.report("table-drop").sheet(Span(property="aurora"), ("table",)).rows
    assert row[0] == "aurora/EOU-01"
    assert "200.00" in row
    assert "700.00" not in row, "the chips of the void marker are bought no more"


def test_the_form_of_a_marker_says_what_the_player_owes_already(desk: Desk) -> None:
    address = "/cage/marker/aurora/EOU-01/"
    for player, amount in (("p-7", "500"), ("p-8", "300"), ("p-7", "250")):
        sent = {"uid": str(uuid4()), "player": player, "spot": "3", "amount": amount}
        assert desk.cast.browser("Finn").post(address, sent).status_code == 302
    findings.examine()
    finn = desk.cast.browser("Finn")
    assert "Enter the player" in text(finn.get(address))
    first, _, second = [issued["slip"] for issued in recorded("marker-issued")]
    owed = text(finn.get(f"{address}?player=p-7"))
    day = day_label(gaming_day("aurora"))
    assert f"p-7 owes already {first}, {day} 500.00 {second}, {day} 250.00 Owed, USD 750.00" in owed
    assert "p-9 owes nothing on markers of the last 30 gaming days." in text(
        finn.get(f"{address}?player=p-9")
    )
    assert desk.cast.browser("Nia").get(f"{address}?player=p-7").status_code == 403
