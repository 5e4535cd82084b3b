"""Every exported dataset is a list in a total order. An export can go on after any row, and the sums of a
dataset equal the tally.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from audit.queries.span import Span
from casino.exports import datasets
from casino.exports.datasets import Dataset, Selection
from tests.casino.conftest import Cast
from tests.casino.lists import AURORA, all_rows, recorded_lists, rows_as_dicts
from tests.furnished import furnishing


@furnishing
def all_lists() -> Cast:
    """Record a ledger in which every list has rows."""
    return recorded_lists()


def key(of: Dataset, row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in of.KEY)


@pytest.mark.parametrize("name", datasets.names())
def test_a_list_resumed_after_any_row_neither_skips_nor_repeats_one(all_lists: Cast, name: str) -> None:
    of = datasets.get(name)
    rows = all_rows(of)
    assert len(rows) > 1, f"{name} has something to walk over"
    assert len({key(of, row) for row in rows}) == len(rows), f"the order of {name} is total"
    for size in (1, 3, len(rows)):
        walked: list[dict[str, Any]] = []
        while page := all_rows(of, after=key(of, walked[-1]) if walked else None, limit=size):
            walked += page
        assert walked == rows, (name, size)
    assert rows_as_dicts(of, Selection(Span())) == rows, "one property is the whole house here"


@pytest.mark.parametrize("name", datasets.names())
def test_a_filter_returns_exactly_its_rows(all_lists: Cast, name: str) -> None:
    of = datasets.get(name)
    rows = all_rows(of)
    assert set(of.FILTERS) >= {"from", "to", "property"}
    assert all_rows(of, after=None) == rows_as_dicts(of, Selection(Span(property="aurora")))
    assert rows_as_dicts(of, Selection(Span(property="borealis"))) == []
    for column, filter in (
        ("kind", "kind"),
        ("code", "code"),
        ("grade", "grade"),
        ("table", "table"),
        ("slip", "slip"),
    ):
        if filter in of.FILTERS and column in rows[0]:
            for value in {row[column] for row in rows}:
                assert all_rows(of, **{filter: value}) == [row for row in rows if row[column] == value], value
    day = "day" if "day" in rows[0] else None
    late = rows_as_dicts(of, Selection(Span(date(2026, 11, 27), None, "aurora")))
    assert late == [row for row in rows if (row[day] if day else row["stream"][-10:]) >= "2026-11-27"]
    early = rows_as_dicts(of, Selection(Span(None, date(2026, 11, 27), "aurora")))
    assert Counter(map(repr, [*early, *late])) == Counter(map(repr, rows)), "every row is of one day"
    if "game" in of.FILTERS:
        games = [all_rows(of, game=game) for game in ("easy_over_under", "andar_bahar", "lucky_7")]
        assert games[2] == []
        assert {tables(row) for row in games[1]} <= {"aurora/L1", "aurora/L2"}
        assert not {tables(row) for row in games[0]} & {"aurora/L1", "aurora/L2"}


def tables(row: dict[str, Any]) -> str:
    return str(row.get("table") or row["stream"].rpartition("/")[0])


def cage(*kinds: str) -> dict[tuple[Any, ...], tuple[int, Decimal]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT stream, currency, shift, kind, number, amount FROM cage_tally WHERE kind = ANY(%s)",
            [list(kinds)],
        )
        return {tuple(row[:4]): (int(row[4]), row[5]) for row in cursor.fetchall()}


DIGITS = {"USD": 2, "JPY": 0, "BHD": 3}


def added(rows: list[dict[str, Any]], kind: str | None = None) -> dict[tuple[Any, ...], tuple[int, Decimal]]:
    sums: dict[tuple[Any, ...], tuple[int, Decimal]] = {}
    for row in rows:
        at = (row["stream"], row["currency"], row["shift"], kind or row["kind"])
        number, amount = sums.get(at, (0, Decimal(0)))
        sums[at] = number + 1, amount + Decimal(row["amount"]) * 10 ** DIGITS[row["currency"]]
    return sums


def test_fills_credits_and_counts_add_up_to_the_tally_in_their_shifts(all_lists: Cast) -> None:
    fills, credits = all_rows(datasets.get("fills")), all_rows(datasets.get("credits"))
    assert [(row["slip"], row["state"], row["amount"]) for row in fills if row["table"] == "aurora/T1"] == [
        ("F-1", "sent", "11.00"),
        ("F-2", "voided", "50.00"),
        ("F-2", "sent", "0.70"),
    ]
    assert (added(fills, "fill-sent"), added(credits, "credit-sent")) == (
        cage("fill-sent"),
        cage("credit-sent"),
    )
    voided = [slip for slip in (*fills, *credits) if slip["state"] == "voided"]
    assert sum(Decimal(slip["amount"]) for slip in voided) * 100 == sum(
        amount for _, amount in cage("fill-voided", "credit-voided").values()
    )
    counts = all_rows(datasets.get("counts"))
    assert added([row for row in counts if row["state"] == "stands"]) == cage(
        "opener-counted", "closer-counted", "drop-counted", "count-verified"
    )
    replaced = [row for row in counts if row["state"] != "stands"]
    assert [(row["kind"], row["amount"], row["pieces"], row["by"]) for row in replaced] == [
        ("opener-counted", "3.00", '{"100":3}', "d-1")
    ]
    drop = next(row for row in counts if row["kind"] == "drop-counted" and row["currency"] == "JPY")
    assert (drop["amount"], drop["by"], drop["box"]) == ("9000", "c-1 c-2", "b-1")
    assert next(row for row in fills if row["slip"] == "F-2")["at"] == "2026-11-27T23:00:00.250000Z"


def test_the_rounds_of_a_night_add_up_to_its_tally_from_any_start_of_the_list(all_lists: Cast) -> None:
    of = datasets.get("rounds")
    sums: Counter[tuple[str, str]] = Counter()
    for row in all_rows(of):
        for name in ("staked", "paid", "taken", "returned"):
            sums[row["stream"], name] += int(Decimal(row[name]) * 10 ** DIGITS[row["currency"]])
        sums[row["stream"], "rounds"] += 1
        sums[row["stream"], "bets"] += row["bets"]
    tally: Counter[tuple[str, str]] = Counter()
    for row in all_rows(datasets.get("tally")):
        for name in ("staked", "paid", "taken", "returned"):
            tally[row["stream"], name] += int(Decimal(row[name]) * 10 ** DIGITS[row["currency"]])
        tally[row["stream"], "bets"] += row["bets"]
        tally[row["stream"], "rounds"] += row["rounds"] if row["wager"] == "" else 0
    sums["aurora/T5/2026-11-27", "taken"] += 5  # a take outside a round is only in the tally
    assert +sums == +tally
    assert [(row["round"], row["taken"]) for row in all_rows(of, table="aurora/T5")] == [
        ("a", "5.00"),
        ("b", "7.00"),
        ("c", "9.00"),
    ]
    assert {row["dealer"] for row in all_rows(of, table="aurora/EOU-07")} <= {"d-101", "d-102"}


def test_amounts_of_any_length_keep_every_digit_of_their_currency(all_lists: Cast) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tally SET staked = -(10::numeric ^ 40) - 5 WHERE wager <> ''")
    shown = {row["currency"]: row["staked"] for row in all_rows(datasets.get("tally")) if row["wager"]}
    assert shown == {"USD": f"-1{'0' * 38}.05", "BHD": f"-1{'0' * 37}.005"}
    adjusted, judged = all_rows(datasets.get("adjusted"))[0], all_rows(datasets.get("verdicts"))[0]
    assert (adjusted["amount"], adjusted["day"], adjusted["of_day"], adjusted["currency"]) == (
        "2.50",
        "2026-11-27",
        "2026-11-26",
        "USD",
    )
    assert (judged["savings"], judged["losses"], judged["table"], judged["lacks_second"]) == (
        "0.05",
        "0.00",
        "aurora/EOU-07",
        "",
    )


def test_a_list_as_of_a_position_has_nothing_later(all_lists: Cast) -> None:
    for name in ("facts", "fills", "credits", "counts", "adjusted", "verdicts"):
        of = datasets.get(name)
        rows = all_rows(of)
        for until in (rows[0]["position"] - 1, rows[0]["position"], rows[-1]["position"]):
            known = all_rows(of, until=until)
            assert [row["position"] for row in known] == [
                row["position"] for row in rows if row["position"] <= until
            ]
    fills = datasets.get("fills")
    second = next(row["position"] for row in all_rows(fills) if row["state"] == "voided")
    assert [row["state"] for row in all_rows(fills, until=second)][-1] == "sent", "nobody had voided it yet"


def test_a_sheet_has_a_query_only_if_its_rows_are_those_of_the_query(all_lists: Cast) -> None:
    for name in datasets.names():
        of = datasets.get(name)
        sheet = datasets.sheet(name, Selection(AURORA))
        columns = getattr(of, "FILE_COLUMNS", of.COLUMNS)
        assert (sheet.query is None) == (hasattr(of, "rows") and not hasattr(of, "file_query")), name
        if sheet.query is not None:
            with connection.cursor() as cursor:
                cursor.execute(sheet.query.text, sheet.query.values)
                assert [column.name for column in cursor.description] == [column.key for column in columns]
                assert cursor.fetchall() == [tuple(row) for row in sheet.rows]
