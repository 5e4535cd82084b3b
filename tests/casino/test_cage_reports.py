"""Reports of cage, count room and dealer errors: each slip, opener, marker and void is in the right row, and
errors are grouped by the dealer who made them.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.casino.test_reports import BY, PEOPLE, SHIFTS, at, felt, live, only, record, report

Made = dict[str, Any]


def rows(*args: str) -> list[Made]:
    return list(report(*args)["rows"])


def some(row: Made, *names: str) -> tuple[Any, ...]:
    return tuple(row[name] for name in names)


def test_the_report_of_slips_names_voided_duplicate_and_missing_ones(house):
    make = at(table="aurora/T1")
    facts = [
        make("fill-sent", slip="F-0001", chips={}, amount=300, **PEOPLE),
        make("fill-sent", slip="F-0004", chips={}, amount=500, **PEOPLE),
        make("fill-sent", slip="F-0006", chips={}, amount=100, **PEOPLE),
        make("fill-sent", slip="F-0006", chips={}, amount=100, **PEOPLE),
        make("credit-sent", slip="C-0001", chips={}, amount=70, **PEOPLE),
        make("slip-voided", slip="F-0004", reason="wrong table", **BY),
        make("slip-voided", slip="F-0007", reason="spoilt", **BY),
    ]
    credit = at(table="aurora/T2")("credit-sent", slip="C-0001", chips={}, amount=70, **PEOPLE)
    record([*felt(1000, 100)[:2], *facts], [felt(1000, 100, "aurora/T2")[0], credit])
    result = report("slips")
    assert [some(row, "slip", "state", "table", "times", "amount") for row in result["rows"]] == [
        ("C-0001", "twice", "aurora/T1", 1, "0.70"),
        ("C-0001", "twice", "aurora/T2", 1, "0.70"),
        ("F-0001", "sent", "aurora/T1", 1, "3.00"),
        ("F-0004", "voided", "aurora/T1", 1, "5.00"),
        ("F-0006", "twice", "aurora/T1", 2, "2.00"),
        ("F-0007", "voided", "aurora/T1", None, None),
        ("F-0002 to 0003", "missing", "", None, None),
        ("F-0005", "missing", "", None, None),
    ]
    assert [some(row, "kind", "currency", "times", "amount") for row in result["totals"]] == [
        ("credit", "USD", 2, "1.40"),
        ("fill", "USD", 3, "5.00"),
    ]
    record([at(table="aurora/T2")("fill-sent", slip="F-0005", chips={}, amount=100, **PEOPLE)])
    assert [row["slip"] for row in rows("slips") if row["state"] == "missing"] == ["F-0002 to 0003"], (
        "a number that came late is not missing"
    )
    record([at(table="aurora/T2")("fill-sent", slip="F-0007", chips={}, amount=100, **PEOPLE)])
    assert [some(row, "slip", "table", "times") for row in rows("slips") if row["slip"] == "F-0007"] == [
        ("F-0007", "aurora/T2", 1)
    ]


def test_a_recounted_opener_leaves_the_day_complete_with_one_closer(house):
    make = at(table="aurora/T1")
    facts = [
        make("opener-counted", chips={}, amount=13_000, **BY),
        make("opener-counted", chips={}, amount=9_000, **BY),
        make("chips-bought", spot="1", amount=1_000, tender="cash"),
        make("box-pulled", box="b-1", shift="day", **BY),
        make("closer-counted", chips={}, amount=8_500, **BY),
        make("closer-counted", chips={}, amount=8_000, **BY),
        make("drop-counted", box="b-1", shift="day", notes={"1000": 1}, amount=1_000, team=["c-1", "c-2"]),
    ]
    record([felt(0, 0, shifts=SHIFTS)[0], *facts])
    for name in ("stiff-sheet", "master-game-report"):
        assert some(only(name), "opener", "closer", "drop", "win") == ("90.00", "80.00", "10.00", "0.00")
    assert some(only("hold"), "win", "hold_percent", "note") == ("0.00", "0.0", "")
    assert some(only("where-the-hold-went"), "counted", "unexplained", "tray", "note") == (
        "0.00",
        "0.00",
        "0.00",
        "",
    )
    assert [some(row, "opener", "note") for row in rows("opener-closer")] == [
        ("90.00", "nothing was counted here before")
    ]


def test_an_opener_of_another_shift_is_no_recount_and_its_closer_is_missing(house):
    make = at(table="aurora/T1")
    swing = make("opener-counted", chips={}, amount=710, at="2026-11-27T15:00:00-08:00", **BY)
    record([*felt(1000, 100, shifts=SHIFTS)[:2], swing, *felt(1000, 100)[2:]])
    assert rows("opener-closer")[1]["note"] == "the count before was an opener, not a closer"
    assert only("hold")["note"] == "pending aurora/T1/2026-11-27: no closer"


def test_an_opener_is_compared_with_the_last_closer_of_any_age(house):
    def counted(day: str, *trays: tuple[str, int], **opening: Any) -> list[Made]:
        make = at(table="aurora/T1", day=day)
        return [
            felt(0, 0, day=day, **opening)[0],
            *(make(f"{kind}-counted", chips={}, amount=amount, **BY) for kind, amount in trays),
        ]

    record(
        counted("2026-11-20", ("opener", 1000), ("closer", 900)),
        counted("2026-11-24"),
        counted("2026-11-25", ("opener", 880), ("closer", 700), ("opener", 700)),
        counted("2026-11-26", ("closer", 500), ("opener", 500), currency="JPY"),
    )
    result = report("opener-closer")
    names = ("day", "opener", "last_closer", "closed_on", "difference", "note")
    assert [some(row, *names) for row in result["rows"]] == [
        ("2026-11-20", "10.00", None, "", None, "nothing was counted here before"),
        ("2026-11-25", "8.80", "9.00", "2026-11-20", "-0.20", "short"),
        ("2026-11-25", "7.00", "7.00", "2026-11-25", "0.00", ""),
        ("2026-11-26", "500", "500", "2026-11-26", "0", ""),
    ]
    assert [some(row, "currency", "difference") for row in result["totals"]] == [
        ("JPY", "0"),
        ("USD", "-0.20"),
    ]
    assert next(row["last_closer"] for row in rows("opener-closer", "--from", "2026-11-25")) == "9.00", (
        "the days before are looked up"
    )


def test_a_marker_is_open_until_it_is_paid_on_any_day(house):
    def marker(day: str, kind: str, slip: str, amount: int) -> list[Made]:
        return [at(table="aurora/T1", day=day)(kind, slip=slip, player="p-1", amount=amount, by="s-1")]

    first, second = "2026-11-26", "2026-11-27"
    record(
        felt(1000, 100, day=first),
        felt(1000, 100, day=second),
        marker(first, "marker-issued", "M-1", 5000),
        marker(first, "marker-issued", "M-2", 700),
        marker(second, "marker-paid", "M-1", 2000),
        marker(second, "marker-paid", "M-9", 100),
        marker(second, "marker-issued", "M-3", 900),
        [at(table="aurora/T1", day=second)("slip-voided", slip="M-3", reason="torn", **BY)],
    )
    names = ("slip", "issued_on", "issued", "paid", "open", "note")
    assert [some(row, *names) for row in rows("markers")] == [
        ("M-1", first, "50.00", "20.00", "30.00", ""),
        ("M-2", first, "7.00", "0.00", "7.00", ""),
        ("M-3", second, "0.00", "0.00", "0.00", "voided"),
        ("M-9", "", "0.00", "1.00", "-1.00", "paid, but never issued here"),
    ]
    assert [some(row, "slip", "open") for row in rows("markers", "--to", second)] == [
        ("M-1", "50.00"),
        ("M-2", "7.00"),
    ]


def test_a_drop_that_does_not_tie_is_shown_with_its_finding_and_one_that_does_is_not(house):
    make, ties = at(table="aurora/T1"), at(table="aurora/T2")
    record(
        [
            *felt(1000, 100, shifts=SHIFTS),
            make("count-verified", box="b-1", amount=990, by="c-3"),
            make("box-pulled", box="b-2", shift="swing", **BY),
        ],
        [*felt(500, 100, "aurora/T2"), ties("count-verified", box="b-1", amount=500, by="c-3")],
        felt(700, 10, "aurora/T3"),
    )
    result = report("drop-variance")
    names = ("table", "shift", "counted", "verified", "variance", "variance_percent", "findings", "note")
    assert [some(row, *names) for row in result["rows"]] == [
        ("aurora/T1", "day", "10.00", "9.90", "-0.10", "-1.0", 1, ""),
        ("aurora/T1", "swing", None, None, None, None, 0, "pending: 1 box not counted"),
        ("aurora/T3", "day", "7.00", None, None, None, 0, "0 of 1 counts verified"),
    ]
    assert [some(row, *names[2:]) for row in result["totals"]] == [
        (
            "10.00",
            "9.90",
            "-0.10",
            "-1.0",
            1,
            "total less rows: -7.00 of counted, because the boxes of some shifts were not all counted twice",
        )
    ]
    assert [row["boxes_counted"] for row in result["totals"]] == [2]


def hands(table: str, *settled: tuple[str, int, str, int], round: str = "") -> list[Made]:
    """Return the facts of several hands in which a bet on `over` wins even money: the dice show three and
    the card is a nine. `settled` has (dealer, stake, kind of the settlement, amount moved) for each hand.
    """
    make, facts = at(table=table), []
    for place, (dealer, stake, kind, amount) in enumerate(settled):
        name = f"{round}{place}"
        wager = {"round": name, "spot": "1", "wager": "over"}
        facts += [
            make("dealer-seated", dealer=dealer, supervisor="s-1"),
            make("round-opened", round=name),
            make("bet", **wager, amount=stake),
            make("roll", round=name, dice=[2, 1]),
            make("deal", round=name, to="1", card="9c"),
            make(kind, **wager, amount=amount),
            make("round-closed", round=name),
        ]
    return facts


SEES = {"sees": ["bet", "roll", "deal", "take", "pay", "round-opened", "round-closed", "dealer-seated"]}


def test_dealer_errors_are_rated_per_wager_and_name_who_lost(house):
    good, bad = (
        [("d-1", 1000, "pay", 1000)] * 4,
        [("d-2", 1000, "pay", 1500), ("d-2", 1000, "pay", 900), ("d-2", 1000, "take", 1000)],
    )
    record(
        [felt(0, 0, **SEES)[0], *hands("aurora/T1", *good, *bad)],
        [felt(0, 0, "aurora/T2", currency="EUR", **SEES)[0], *hands("aurora/T2", good[0])],
    )
    result = report("dealer-errors")
    names = (
        "dealer",
        "currency",
        "wagers",
        "errors",
        "per_1000",
        "to_players",
        "to_house",
        "net_to_players",
        "per_1000_money",
    )
    assert [some(row, *names) for row in result["rows"]] == [
        ("d-1", "EUR", 1, 0, "0.00", "0.00", "0.00", "0.00", "0.00"),
        ("d-1", "USD", 4, 0, "0.00", "0.00", "0.00", "0.00", "0.00"),
        ("d-2", "USD", 3, 3, "1000.00", "5.00", "21.00", "-16.00", "8666.67"),
    ]
    assert [some(row, "currency", "wagers", "errors", "per_1000") for row in result["totals"]] == [
        ("EUR", 1, 0, "0.00"),
        ("USD", 7, 3, "428.57"),
    ]


def test_half_a_cent_of_errors_is_exact_until_it_is_printed(house):
    make = at(table="aurora/T1")
    facts = []
    for place in range(3):
        wager = {"round": f"r-{place}", "spot": "1", "wager": "over"}
        facts += [
            make("round-opened", round=f"r-{place}"),
            make("bet", **wager, amount=1001),
            make("roll", round=f"r-{place}", dice=[6, 3]),
            make("deal", round=f"r-{place}", to="1", card="9c"),
            make("take", **wager, amount=500),
            make("round-closed", round=f"r-{place}"),
        ]
    record([felt(0, 0, chip=1, **SEES)[0], *facts])
    assert some(only("dealer-errors"), "errors", "to_players", "to_house") == (
        3,
        "0.02",
        "0.00",
    ), "three halves are one and a half cents"


def test_void_rounds_corrections_and_voided_slips_are_counted_each_by_itself(house):
    make = at(table="aurora/T1")
    wager = {"round": "v", "spot": "1", "wager": "over"}
    facts = [
        make("round-opened", round="v"),
        make("bet", **wager, amount=700),
        make("void", round="v", reason="card exposed", **BY),
        make("return", **wager, amount=700),
        make("round-closed", round="v"),
        make("corrected", round="0", spot="1", wager="over", amount=-40, reason="late", **BY),
        make("fill-sent", slip="F-1", chips={}, amount=300, **PEOPLE),
        make("slip-voided", slip="F-1", reason="wrong table", **BY),
    ]
    record(
        [felt(0, 0, **SEES)[0], *hands("aurora/T1", *[("d-1", 1000, "pay", 1000)] * 3), *facts],
        [felt(0, 0, "aurora/T2")[0]],
    )
    names = (
        "table",
        "rounds",
        "void_rounds",
        "void_per_1000",
        "returned",
        "corrections",
        "to_players",
        "slips_voided",
        "slips_amount",
    )
    assert [some(row, *names) for row in rows("voids")] == [
        ("aurora/T1", 4, 1, "250.0", "7.00", 1, "-0.40", 1, "3.00")
    ]
    by_dealer = only("voids", "--by", "dealer")
    assert some(by_dealer, "dealer", "void_rounds", "corrections", "slips_amount") == ("d-1", 1, None, None)


def test_each_void_shows_what_players_had_won_and_lost(house):
    make = at(table="aurora/T1")
    bets = [("1", "over", 700), ("2", "under", 300), ("3", "over", 100)]
    facts = [
        make("round-opened", round="v"),
        *(make("bet", round="v", spot=spot, wager=wager, amount=amount) for spot, wager, amount in bets),
        make("roll", round="v", dice=[1, 2]),
        make("deal", round="v", to="1", card="9c"),
        make("deal", round="v", to="2", card="9d"),
        make("void", round="v", reason="card exposed", **BY),
        *(make("return", round="v", spot=spot, wager=wager, amount=amount) for spot, wager, amount in bets),
        make("round-closed", round="v"),
    ]
    record([felt(0, 0, **SEES)[0], *hands("aurora/T1", ("d-1", 1000, "pay", 1000)), *facts])
    worth = ("void_rounds", "returned", "players_won", "players_lost")
    assert some(only("voids"), "rounds", *worth) == (2, 1, "11.00", "7.00", "3.00")
    of_rounds = report("voids", "--by", "round,dealer")
    assert [some(row, "round", "dealer", *worth) for row in of_rounds["rows"]] == [
        ("v", "d-1", 1, "11.00", "7.00", "3.00")
    ]
    by_player = report("voids", "--by", "day,round,spot")
    assert [
        some(row, "round", "spot", "void_rounds", *worth[1:], "corrections") for row in by_player["rows"]
    ] == [
        ("v", "1", None, "7.00", "7.00", "0.00", None),
        ("v", "2", None, "3.00", "0.00", "3.00", None),
        ("v", "3", None, "1.00", "0.00", "0.00", None),
    ]
    assert [some(row, *worth) for row in by_player["totals"]] == [(None, "11.00", "7.00", "3.00")]


@pytest.mark.parametrize("by", ["table", "wager"])
def test_live_dealer_revenue_is_never_mixed_with_a_felt_tables_win(house, by):
    make = at(table="aurora/L1")
    record(
        felt(1000, 500),
        [
            *live(2000, 50),
            make("corrected", round="1", spot="p-1", wager="bahar", amount=10, reason="late", **BY),
        ],
        live(800, 8, "aurora/L2", "EUR"),
    )
    result = report("live-dealer", "--by", by)
    ggr, corrected, ratio = ("0.40", "0.10", "2.0") if by == "table" else ("0.50", None, "2.5")
    names = ("currency", "handle", "ggr", "corrected", "ggr_percent")
    assert sorted(some(row, *names) for row in result["totals"]) == [
        ("EUR", "8.00", "0.08", "0.00" if by == "table" else None, "1.0"),
        ("USD", "20.00", ggr, corrected, ratio),
    ]
