"""A table may play in two currencies on one day, and a currency may have more or fewer than two decimals.
Amounts of two currencies are never added.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from audit.queries.floor import last_closer
from casino.exports import datasets
from tests.casino.lists import all_rows
from tests.casino.test_cage_reports import rows, some
from tests.casino.test_reports import BY, PEOPLE, at, felt, only, record
from tests.casino.test_restated import adjust, close
from tests.casino.test_where_the_hold_went import COU, hand

TEAM = ["c-1", "c-2"]


def of_two_currencies(evening: str = "EUR") -> list[dict[str, Any]]:
    """Return the facts of a table that plays in dollars by day and in euros in the evening. In the evening a
    fill is voided, a hand is corrected, and both boxes are counted.
    """
    make = at(table="aurora/T2")
    slip = {"slip": "F-1", "chips": {}, "amount": 7_000, **PEOPLE}

    def counted(box: str, amount: int) -> list[dict[str, Any]]:
        count = make(
            "drop-counted", box=box, shift="day", notes={"100": amount // 100}, amount=amount, team=TEAM
        )
        return [count, make("count-verified", box=box, amount=amount, by="c-9")]

    return [
        make(**COU),
        make("opener-counted", chips={}, amount=100_000, **BY),
        *hand(make, "r1", "over", "pay", 10_000),
        make("fill-sent", **slip),
        make("box-pulled", box="b-1", shift="day", **BY),
        make("closer-counted", chips={}, amount=87_000, **BY),
        make(**COU | {"currency": evening}),
        make("opener-counted", chips={}, amount=200_000, **BY),
        *hand(make, "r2", "under", "take", 10_000),
        make("slip-voided", slip="F-1", reason="never left the cage", **BY),
        make("corrected", round="r1", spot="1", wager="ante", amount=500, reason="counted again", **BY),
        make("box-pulled", box="b-2", shift="day", **BY),
        make("closer-counted", chips={}, amount=220_000, **BY),
        *counted("b-1", 50_000),
        *counted("b-2", 30_000),
    ]


def test_boxes_voids_and_corrections_keep_their_first_currency(house):
    record(of_two_currencies())
    assert [some(row, "currency", "win", "denominator", "hold_percent") for row in rows("hold")] == [
        ("EUR", "500.00", "300.00", "166.7"),
        ("USD", "370.00", "500.00", "74.0"),
    ]
    assert [
        some(row, "currency", "drop", "verified", "difference") for row in rows("table-drop", "--by", "table")
    ] == [
        ("EUR", "300.00", "300.00", "0.00"),
        ("USD", "500.00", "500.00", "0.00"),
    ]
    assert [some(row, "currency", "to_players", "slips_amount") for row in rows("voids")] == [
        ("USD", "5.00", "70.00")
    ]
    assert [
        some(row, "currency", "dealt", "corrections", "unexplained") for row in rows("where-the-hold-went")
    ] == [
        ("EUR", "200.00", "0.00", "300.00"),
        ("USD", "-205.00", "-5.00", "575.00"),
    ]


def test_the_tray_of_each_currency_balances_by_itself(house):
    record(of_two_currencies())
    assert "inventory-does-not-balance" not in [row["code"] for row in all_rows(datasets.get("findings"))]


def test_a_serial_in_two_currencies_is_two_slips_each_with_its_void(house):
    make = at(table="aurora/T2")

    def table_facts(amount: int) -> list[dict[str, Any]]:
        marker = {"slip": "M-1", "amount": amount, "player": "p-1", "by": "c-1"}
        return [
            make("opener-counted", chips={}, amount=100_000, **BY),
            make("fill-sent", slip="F-1", chips={}, amount=amount, **PEOPLE),
            make("marker-issued", **marker),
            make("marker-paid", **marker),
            make("box-pulled", box=f"b-{amount}", shift="day", **BY),
            make("closer-counted", chips={}, amount=100_000 + amount, **BY),
            make("drop-counted", box=f"b-{amount}", shift="day", notes={}, amount=0, team=TEAM),
        ]

    record([make(**COU), *table_facts(7_000), make(**COU | {"currency": "EUR"}), *table_facts(300)])
    for void, state in (
        ([], "twice"),
        ([make("slip-voided", slip="F-1", reason="torn", **BY)], "twice and voided"),
    ):
        record(void)
        assert [some(row, "slip", "currency", "state", "amount") for row in rows("slips")] == [
            ("F-1", "EUR", state, "3.00"),
            ("F-1", "USD", state, "70.00"),
        ]
    assert [some(row, "slip", "currency", "issued", "paid") for row in rows("markers")] == [
        ("M-1", "EUR", "3.00", "3.00"),
        ("M-1", "USD", "70.00", "70.00"),
    ]
    assert [some(row, "currency", "win") for row in rows("hold")] == [
        ("EUR", "3.00"),
        ("USD", "70.00"),
    ], "their fills are taken back"


def test_an_opener_is_compared_with_the_last_closer_in_its_currency(house):
    def counted(day: str, **trays: tuple[int, int]) -> list[dict[str, Any]]:
        make = at(table="aurora/T2", day=day)
        return [
            fact
            for currency, (opener, closer) in trays.items()
            for fact in (
                make(**COU | {"currency": currency}),
                make("opener-counted", chips={}, amount=opener, **BY),
                make("closer-counted", chips={}, amount=closer, **BY),
            )
        ]

    record(
        counted("2026-11-25", USD=(10_000, 9_000), EUR=(500, 400)),
        counted("2026-11-26", EUR=(400, 300), USD=(8_000, 8_000)),
    )
    short = [("EUR", "4.00", "4.00", "0.00"), ("USD", "80.00", "90.00", "-10.00")]
    names = ("currency", "opener", "last_closer", "difference")
    assert [some(row, *names) for row in rows("opener-closer")] == [
        ("USD", "100.00", None, None),
        ("EUR", "5.00", None, None),
        *short,
    ]
    assert [some(row, *names) for row in rows("opener-closer", "--from", "2026-11-26")] == short


def test_the_table_page_finds_the_last_closer_in_each_currency(house):
    for place, (currency, amount) in enumerate(
        (("USD", 900), ("EUR", 800), ("USD", 700), ("EUR", 600), ("JPY", 500))
    ):
        make = at(table="aurora/T2", day=f"2026-11-{25 + place // 2}")
        record([make(**COU | {"currency": currency}), make("closer-counted", chips={}, amount=amount, **BY)])
    par_levels = {
        currency: last_closer("aurora", "T2", date(2026, 11, 27), currency)
        for currency in (None, "USD", "EUR", "GBP")
    }
    assert {currency: level and level.counted.amount for currency, level in par_levels.items()} == {
        None: 500,
        "USD": 700,
        "EUR": 600,
        "GBP": None,
    }


def test_a_count_is_exported_in_the_currency_of_its_box(house):
    record(of_two_currencies())
    boxes = [
        (row["box"], row["kind"], row["currency"]) for row in all_rows(datasets.get("counts")) if row["box"]
    ]
    assert boxes == [
        ("b-1", "drop-counted", "USD"),
        ("b-1", "count-verified", "USD"),
        ("b-2", "drop-counted", "EUR"),
        ("b-2", "count-verified", "EUR"),
    ]


@pytest.mark.parametrize(
    ("currency", "printed"),
    [
        ("JPY", "12345"),
        ("PYG", "12345"),
        ("RWF", "12345"),
        ("USD", "123.45"),
        ("KWD", "12.345"),
        ("LYD", "12.345"),
        ("CLF", "1.2345"),
    ],
)
def test_an_amount_has_the_digits_of_its_currency(house, currency, printed):
    record(felt(100_000, 12_345, currency=currency))
    assert some(only("hold"), "currency", "win", "hold_percent") == (currency, printed, "12.3")


@pytest.mark.parametrize(
    ("named", "currency"),
    [("F-1", "USD"), ("b-1", "USD"), ("b-2", "EUR"), (None, "EUR"), ("something else", "EUR")],
    ids=str,
)
def test_an_adjustment_has_the_currency_of_its_fact_or_the_last_one_of_its_day(house, named, currency):
    day = of_two_currencies()
    facts = {
        str(fact.get("slip") or fact.get("box")): fact["uid"]
        for fact in day
        if fact["kind"] in ("fill-sent", "drop-counted")
    }
    of = {} if named is None else {"of": facts.get(named, named)}
    record([*day, *close(table="aurora/T2")], adjust("credit", 1_000, table="aurora/T2", **of))
    won = {"EUR": "500.00", "USD": "370.00"}
    win_of_eur = {"EUR": "510.00", "USD": "380.00"}
    wins = {row["currency"]: row["win"] for row in rows("hold", "--books", "restated")}
    assert wins == won | {currency: win_of_eur[currency]}
    assert [row["currency"] for row in all_rows(datasets.get("adjusted"))] == [currency]
