"""The figures of a closed day do not change. Later corrections have columns of their own. A drop belongs to
the day on which it was dropped.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from audit.findings import save
from audit.queries.span import Span
from casino.reports import catalog
from tests.casino.test_cage_reports import some
from tests.casino.test_reports import BY, OPENING, SHIFTS, at, felt, live, record

NIGHT, NEXT, AFTER = "2026-11-26", "2026-11-27", "2026-11-28"
Made = dict[str, Any]


TOGETHER = "because boxes stayed on their table overnight or the shifts of a day are known only together"


def close(day: str = NEXT, table: str = "aurora/T1") -> list[Made]:
    return [at(table=table, day=day)("day-closed", by="a-1")]


def adjust(
    kind: str, amount: int, of_day: str = NEXT, made_on: str = AFTER, table: str = "aurora/T1", **other: Any
) -> list[Made]:
    fields = {
        "of_table": table,
        "of_day": of_day,
        "what": kind,
        "amount": amount,
        "reason": "recount",
        "by": "a-1",
        "second": "a-2",
    }
    return [at(table="aurora/house", day=made_on)("adjusted", **fields, **other)]


def read(name: str, by: tuple[str, ...] = ("table",), **span: Any) -> tuple[list[Made], list[Made]]:
    """Return the rows of a report and its rows of totals, each as {column: value}."""
    sheet = catalog.report(name).sheet(Span(property="aurora", **span), by)
    keys = [column.key for column in sheet.columns]
    return [dict(zip(keys, row, strict=True)) for row in sheet.rows], [
        dict(zip(keys, row, strict=True)) for row in sheet.totals
    ]


def hold(by: tuple[str, ...] = ("table",), **span: Any) -> list[tuple[Any, ...]]:
    return [some(row, *by, "win", "denominator", "note") for row in read("hold", by, **span)[0]]


def without_a_pull(day: str, opener: int, closer: int, table: str = "aurora/T1") -> list[Made]:
    facts = felt(0, 0, table, day)
    make = at(table=table, day=day)
    return [
        facts[0],
        make("opener-counted", chips={}, amount=opener, **BY),
        make("closer-counted", chips={}, amount=closer, **BY),
    ]


def test_the_closed_books_have_only_closed_days(house):
    record(felt(1000, 100), felt(500, 50, "aurora/T2"), close())
    assert hold(books="closed") == hold(books="restated") == [("aurora/T1", "1.00", "10.00", "")]
    assert [row[0] for row in hold()] == ["aurora/T1", "aurora/T2"]


@pytest.mark.parametrize(
    ("kind", "win", "drop"),
    [
        ("drop", "1.25", "10.25"),
        *((kind, "1.25", "10.00") for kind in ("opener", "closer", "fill", "credit", "settlement")),
    ],
)
def test_an_adjustment_raises_the_restated_win_and_leaves_the_closed_one(house, kind, win, drop):
    record(felt(1000, 100), close(), adjust(kind, 25))
    assert hold(books="closed") == [("aurora/T1", "1.00", "10.00", "")]
    assert hold(books="restated") == [("aurora/T1", win, drop, "")]
    master = read("master-game-report", books="restated")[0][0]
    assert master["win"] == win


SIDE_BY_SIDE = (
    "table",
    "basis",
    "closed_win",
    "closed_percent",
    "adjustments",
    "adjusted",
    "restated_win",
    "restated_percent",
    "note",
)
"""Columns of the report of restated days that the tests compare."""


def assert_equals_hold():
    """Assert that the report `restated` has the same restated figures as the hold report of restated books,
    in several groupings.
    """
    for by in (("table",), ("game", "day"), ("shift",), ("month",)):
        expected = [
            some(row, *by, "win", "denominator", "hold_percent")
            for row in read("hold", by, books="restated")[0]
        ]
        beside = [
            some(row, *by, "restated_win", "restated_denominator", "restated_percent")
            for row in read("restated", by)[0]
        ]
        assert [row for row in beside if row[-1] != "none"] == expected


def test_closed_and_restated_figures_are_shown_side_by_side(house):
    record(
        felt(1000, 100),
        felt(500, 50, "aurora/T2"),
        live(1000, 100),
        close(),
        close(table="aurora/T2"),
        close(table="aurora/L1"),
        adjust("drop", 25),
        adjust("closer", -5),
        adjust("settlement", -30, table="aurora/L1"),
        felt(700, 70, "aurora/T3"),
        adjust("drop", 7, table="aurora/T3"),
    )
    rows, totals = read("restated")
    assert [some(row, *SIDE_BY_SIDE) for row in rows] == [
        ("aurora/L1", "GGR / handle", "1.00", "10.0", 1, "-0.30", "0.70", "7.0", ""),
        ("aurora/T1", "win / drop", "1.00", "10.0", 2, "0.20", "1.20", "11.7", ""),
        ("aurora/T2", "win / drop", "0.50", "10.0", 0, "none", "0.50", "10.0", ""),
        (
            "aurora/T3",
            "win / drop",
            "none",
            "none",
            0,
            "none",
            "none",
            "none",
            "not included: 1 adjustment of days that are not closed yet",
        ),
    ]
    assert [some(row, "basis", "closed_win", "adjustments", "restated_win") for row in totals] == [
        ("GGR / handle", "1.00", 1, "0.70"),
        ("win / drop", "1.50", 2, "1.70"),
    ]
    assert [some(row, "day", "restated_win") for row in read("restated", ("day",))[0]] == [
        (NEXT, "0.70"),
        (NEXT, "1.70"),
    ]
    assert_equals_hold()


def test_an_adjustment_of_an_open_day_counts_when_the_day_is_closed(house):
    record(felt(1000, 100), adjust("drop", 25))
    assert hold(books="restated") == []
    record(close())
    assert hold(books="restated") == [("aurora/T1", "1.25", "10.25", "")]


def test_a_live_table_and_one_without_counts_are_restated_by_their_wagers(house):
    record(live(1000, 100), close(table="aurora/L1"), adjust("settlement", -30, table="aurora/L1"))
    assert hold(books="restated") == [("aurora/L1", "0.70", "10.00", "")]


def test_a_count_after_the_close_completes_the_restated_day(house):
    facts = felt(1000, 100)
    pull = facts[2]["uid"]
    record(facts[:4], close(), adjust("drop", 1000, of=pull))
    ((_, win, drop, note),) = hold(books="closed")
    assert (win, drop, note) == ("pending", "pending", "pending aurora/T1/2026-11-27: 1 box not counted")
    assert hold(books="restated") == [("aurora/T1", "1.00", "10.00", "")]
    assert some(read("restated")[0][0], "closed_win", "restated_win") == ("pending", "1.00")
    drops = [some(row, "boxes_counted", "drop", "note") for row in read("table-drop", books="restated")[0]]
    assert drops == [(1, "10.00", "0 of 1 counts verified")]


def test_a_missing_closer_is_replaced_by_an_adjustment(house):
    facts = felt(1000, 100)
    record([*facts[:3], facts[4]], close(), adjust("closer", facts[3]["amount"]))
    assert hold(books="closed")[0][1] == "pending"
    assert hold(books="restated") == [("aurora/T1", "1.00", "10.00", "")]


def test_adjustments_without_a_shift_have_their_own_row(house):
    facts = felt(1000, 100, shifts=SHIFTS)
    record(facts, close(), adjust("drop", 25, of=facts[4]["uid"]), adjust("closer", 7))
    assert hold(("shift",), books="restated") == [
        ("", "0.07", "0.00", "drop is 0"),
        ("day", "1.25", "10.25", ""),
    ]


def test_the_books_as_of_a_position_never_change(house):
    record(felt(1000, 100), felt(700, 70, day=NIGHT), close(NIGHT), close())
    position = save.ledger_position("aurora")
    closed = hold(("day",), books="closed", until=position)
    restated = hold(("day",), books="restated", until=position)
    assert closed == restated == [(NIGHT, "0.70", "7.00", ""), (NEXT, "1.00", "10.00", "")]
    record(felt(300, 30, "aurora/T2"), close(table="aurora/T2"), adjust("drop", 25))
    for _ in range(2):  # the two positions have different entries in the cache
        assert hold(("day",), books="restated") == [(NIGHT, "0.70", "7.00", ""), (NEXT, "1.55", "13.25", "")]
        assert hold(("day",), books="restated", until=position) == restated
        assert hold(("day",), books="closed", until=position) == closed
    assert hold(("day",), books="closed", until=position - 1) == closed[:1]


def test_each_report_of_the_cage_reads_the_closed_books(house):
    record(felt(1000, 100, day=NIGHT), felt(1000, 100), close())
    assert [row["day"] for row in read("opener-closer", (), books="closed")[0]] == [NEXT]
    assert read("opener-closer", (), books="closed")[0][0]["note"] == "nothing was counted here before", (
        "the night before is not closed"
    )
    assert {row["day"] for row in read("stiff-sheet", (), books="closed")[0]} == {NEXT}
    assert [row["day"] for row in read("table-drop", ("day",), books="closed")[0]] == [NEXT]


def test_a_box_that_stays_overnight_is_pending_by_day_and_complete_in_the_sum(house):
    # the second day's box has 10.00, the drop of both days; the tray lost 2.00 the first day and 7.00 the
    # second
    record(without_a_pull(NIGHT, 5000, 4800), felt(1000, 300))
    assert hold(("day",)) == [
        (NIGHT, "pending", "pending", f"pending aurora/T1/{NIGHT}: counted with the box of {NEXT}"),
        (NEXT, "pending", "pending", f"pending aurora/T1/{NEXT}: its box was on the table since {NIGHT}"),
    ]
    assert hold() == [("aurora/T1", "1.00", "10.00", "")]
    assert some(read("hold", ("day",))[1][0], "win", "denominator", "note") == (
        "1.00",
        "10.00",
        f"total less rows: 1.00 of win, 10.00 of drop, {TOGETHER}",
    )
    assert hold(begins=date(2026, 11, 27)) == [
        (
            "aurora/T1",
            "pending",
            "pending",
            f"pending aurora/T1/{NEXT}: its box was on the table since {NIGHT}",
        )
    ]
    assert hold(ends=date(2026, 11, 27))[0][1] == "pending"
    to_date = read("hold-to-date")[0][0]
    assert some(to_date, "day_win", "month_win", "year_win") == ("pending", "1.00", "1.00")
    master, totals = read("master-game-report", ("table", "day"))
    assert [row["win"] for row in master] == ["pending", "pending"]
    amounts = "1.00 of win, 10.00 of drop, 58.00 of openers, 49.00 of closers"
    note = f"total less rows: {amounts}, {TOGETHER}"
    assert [some(row, "table", "win", "note") for row in totals] == [
        ("aurora/T1", "1.00", note),
        ("total", "1.00", note),
    ]
    drops = [some(row, "day", "drop", "note") for row in read("table-drop", ("table", "day"))[0]]
    assert drops[0] == (NIGHT, "pending", f"{NIGHT}: counted with the box of {NEXT}")
    assert drops[1][2].endswith(f"{NEXT}: the box was on the table since {NIGHT}")
    assert "box" not in read("table-drop")[0][0]["note"]
    assert {row["win"] for row in read("stiff-sheet", ())[0]} == {"pending"}


def test_a_box_that_stayed_a_hundred_days_is_pending_in_any_range(house):
    first_day = "2026-08-19"
    record(without_a_pull(first_day, 100_000, 99_800), felt(1000, 100))
    waits = (
        NEXT,
        "pending",
        "pending",
        f"pending aurora/T1/{NEXT}: its box was on the table since {first_day}",
    )
    assert hold(("day",))[1] == waits
    assert hold(("day",), begins=date(2026, 11, 27), ends=date(2026, 11, 28)) == [waits]
    assert hold(("day",), begins=date(2026, 11, 1)) == [waits]


def test_a_box_that_is_still_on_its_table_leaves_its_day_pending(house):
    record(without_a_pull(NIGHT, 5000, 4800), without_a_pull(NEXT, 4800, 4700))
    assert {row[1] for row in hold(("day",))} == {"pending"}
    assert read("table-drop", ("day",))[0][0]["note"] == f"{NIGHT}: no box pulled yet"


def test_days_that_share_a_box_are_complete_once_the_last_is_closed(house):
    record(without_a_pull(NIGHT, 5000, 4800), felt(1000, 300), close(NIGHT))
    position = save.ledger_position("aurora")
    record(close())
    assert hold(books="closed", until=position)[0][3] == f"pending aurora/T1/{NIGHT}: no count"
    assert hold(books="closed") == [("aurora/T1", "1.00", "10.00", "")]


THREE = {"day": "06", "swing": "14", "grave": "22"}


def by_shifts(
    day: str, opener: int, wins: dict[str, tuple[int, int]], pulls: tuple[str, ...] = tuple(THREE)
) -> list[Made]:
    """Return the facts of a table whose tray is counted in each shift. `wins` gives drop and win of each
    shift, in minor units. The box is pulled and counted in the shifts of `pulls`. In other shifts it stays at
    the table.
    """
    clock = {name: f"{day}T{hour}:00:00+00:00" for name, hour in THREE.items()}
    make = at(table="aurora/T1", day=day)
    facts, tray, holds = [make(**(OPENING | {"shifts": clock}))], opener, 0
    for shift, (bought, won) in wins.items():
        of = {"at": clock[shift]}
        facts += [
            make("opener-counted", chips={}, amount=tray, **BY, **of),
            make("chips-bought", spot="1", amount=bought, tender="cash", **of),
        ]
        tray, holds = tray - bought + won, holds + bought
        facts.append(make("closer-counted", chips={}, amount=tray, **BY, **of))
        if shift in pulls:
            count = {"notes": {}, "amount": holds, "team": ["c-1", "c-2"]}
            facts += [
                make("box-pulled", box="b-1", shift=shift, **BY, **of),
                make("drop-counted", box="b-1", shift=shift, **count, **of),
            ]
            holds = 0
    return facts


def test_a_box_left_in_the_last_shift_leaves_only_its_shifts_pending(house):
    first = {"day": (1000, 100), "swing": (2000, 200), "grave": (4000, 400)}
    second = {"day": (500, 50), "swing": (600, 60), "grave": (700, 70)}
    with_box = by_shifts(NEXT, 93_700, second)
    with_box[5]["amount"] += 4000  # its first box has the last drop of the day before, too
    record(by_shifts(NIGHT, 100_000, first, ("day", "swing")), with_box)
    assert hold(("day",)) == [
        (NIGHT, "pending", "pending", f"pending aurora/T1/{NIGHT}: counted with the box of {NEXT}"),
        (NEXT, "pending", "pending", f"pending aurora/T1/{NEXT}: its box was on the table since {NIGHT}"),
    ]
    assert hold() == [("aurora/T1", "8.80", "88.00", "")]
    assert {row[:2]: row[2] for row in hold(("day", "shift"))} == {
        (NIGHT, "day"): "1.00",
        (NIGHT, "swing"): "2.00",
        (NIGHT, "grave"): "pending",
        (NEXT, "day"): "pending",
        (NEXT, "swing"): "0.60",
        (NEXT, "grave"): "0.70",
    }
    drops = {
        (row["day"], row["shift"]): some(row, "drop", "note")
        for row in read("table-drop", ("day", "shift"))[0]
    }
    assert drops[NIGHT, "grave"] == ("pending", f"{NIGHT}: counted with the box of {NEXT}")
    assert drops[NEXT, "day"][1].endswith(f"{NEXT}: the box was on the table since {NIGHT}")
    assert not any("box" in drops[place][1] for place in drops.keys() - {(NIGHT, "grave"), (NEXT, "day")})
    (total,) = read("master-game-report", ("day",))[1]
    amounts = "8.80 of win, 88.00 of drop, 5760.60 of openers, 5681.40 of closers"
    assert some(total, "win", "note") == ("8.80", f"total less rows: {amounts}, {TOGETHER}")


def test_a_box_that_stays_two_nights_joins_three_days(house):
    played = {"day": (1000, 100), "swing": (1000, 100), "grave": (1000, 100)}
    days = [
        by_shifts(day, 100_000, played, pulls)
        for day, pulls in ((NIGHT, ("day", "swing")), (NEXT, ("day", "swing")), (AFTER, tuple(THREE)))
    ]
    record(*days[:2])
    assert [row[3] for row in hold(("day",))] == [
        f"pending aurora/T1/{day}: its last box is not counted" for day in (NIGHT, NEXT)
    ]
    for day in days[1:]:
        day[5]["amount"] += 1000
    record(days[2])
    assert [row[3] for row in hold(("day",))] == [
        f"pending aurora/T1/{NIGHT}: counted with the box of {AFTER}",
        f"pending aurora/T1/{NEXT}: counted with the box of {AFTER}",
        f"pending aurora/T1/{AFTER}: its box was on the table since {NIGHT}",
    ]
    pending = [row[:2] for row in hold(("day", "shift")) if row[2] == "pending"]
    assert pending == [(NIGHT, "grave"), (NEXT, "day"), (NEXT, "grave"), (AFTER, "day")]


def test_days_that_share_a_box_are_in_the_closed_books_once_both_are_closed(house):
    played = {"day": (1000, 100), "swing": (1000, 100), "grave": (1000, 100)}
    second = by_shifts(NEXT, 97_300, played)
    second[5]["amount"] += 1000
    record(by_shifts(NIGHT, 100_000, played, ("day", "swing")), second, close(NIGHT))
    assert hold(books="closed")[0][3] == f"pending aurora/T1/{NIGHT}: its last box is not counted"
    record(close(), adjust("closer", 7, NIGHT))
    assert hold(books="closed")[0][1:] == ("6.00", "60.00", "")
    assert hold(books="restated")[0][1:] == ("6.07", "60.00", "")
    assert read("restated")[0][0]["restated_win"] == "6.07"


def test_a_box_of_a_later_shift_may_stay_and_a_daily_box_has_the_drop_of_the_day(house):
    played = {"day": (1000, 100), "swing": (1000, 100)}
    each_shift = by_shifts(NIGHT, 100_000, played, ("day",))
    in_the_morning = by_shifts(NEXT, 100_000, played, ("day",))
    in_the_morning.insert(2, in_the_morning.pop(4))  # the box is pulled before any chips are bought
    record(each_shift)
    assert hold(("day",))[0][3] == f"pending aurora/T1/{NIGHT}: its last box is not counted"
    record(in_the_morning)
    assert hold(("day",))[1][3] == f"pending aurora/T1/{NEXT}: its box was on the table since {NIGHT}"
    assert hold()[0][3] == "", "the second day's box has what was dropped until it was pulled"
