"""Attribution of hold: each cent of a counted win is theoretical win, is due to players' decisions, to luck
or to dealers' errors, or is unexplained.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection

from audit.queries.span import RESTATED, Span
from casino.reports.definitions import where_the_hold_went as where
from games.casino_over_under.odds import costs_on
from tests.casino.nights import record as recorded
from tests.casino.nights import troubled_day
from tests.casino.test_cage_reports import rows, some
from tests.casino.test_reports import BY, at, felt, live, only, record, report

WHERE = "where-the-hold-went"
EDGE = Fraction(13158, 626665)
"""House edge of the ante at Casino Over Under with perfect play and six decks."""
COU = {
    "kind": "table-opened",
    "game": "casino_over_under",
    "edition": "2016",
    "pay_tables": {"bonus": "figure-1"},
    "decks": 6,
    "spots": 6,
    "limits": {},
    "currency": "USD",
    "chip": 100,
    "readings": {},
    "sees": ["round-opened", "bet", "choose", "deal", "take", "pay", "round-closed"],
}
Facts = list[dict[str, Any]]


def hand(make: Any, name: str, choice: str, moved: str, amount: int) -> Facts:
    """Return the facts of a hand with an ante of 100.00 and a first card of 6. The right choice is over, and
    the total of 26 makes over win. `choice` is what the player chooses.
    """
    bet = {"round": name, "spot": "1", "amount": 10_000}
    return [
        make("round-opened", round=name),
        make("bet", wager="ante", **bet),
        make("deal", round=name, to="1", card="6s"),
        make("choose", round=name, spot="1", choice=choice),
        make("bet", wager=choice, **bet),
        make("deal", round=name, to="1", card="Th"),
        make("deal", round=name, to="1", card="Td"),
        make(moved, round=name, spot="1", wager="ante", amount=amount),
        make(moved, round=name, spot="1", wager=choice, amount=amount),
        make("round-closed", round=name),
    ]


def three_hands(*, closer: int | None, drop: int | None = 50_000, sees: list[str] | None = None) -> Facts:
    """Return the facts of a table's day. Chips for 500.00 are bought and three hands are played: one without
    a fault, one in which the player chooses wrong, and one in which each wager is paid 5.00 too much.
    """
    make = at(table="aurora/C1")
    facts = [
        make(**(COU | ({"sees": sees} if sees else {}))),
        make("opener-counted", chips={}, amount=100_000, **BY),
    ]
    facts += [
        make("dealer-seated", dealer="d-1", supervisor="s-1"),
        make("chips-bought", spot="1", amount=50_000, tender="cash"),
    ]
    facts += (
        hand(make, "r1", "over", "pay", 10_000)
        + hand(make, "r2", "under", "take", 10_000)
        + hand(make, "r3", "over", "pay", 10_500)
    )
    facts.append(make("box-pulled", box="b-1", shift="day", **BY))
    if closer is not None:
        facts.append(make("closer-counted", chips={}, amount=closer, **BY))
    if drop is not None:
        facts.append(
            make(
                "drop-counted",
                box="b-1",
                shift="day",
                notes={"100": drop // 100},
                amount=drop,
                team=["c-1", "c-2"],
            )
        )
    return facts


PLAYED = -20_000 + 20_000 - 21_000
"""Win of the casino in the three hands, in minor units."""
SHOULD_BE = 100_000 - 50_000 + PLAYED
"""Amount of the tray at the end if nothing is missing, in minor units."""
PARTS = ("theoretical", "choices", "luck", "undivided", "errors", "corrections")


def assert_adds_up(row: dict[str, Any]) -> None:
    """Assert that the amounts of the attribution add up to the dealt win. Also assert that dealt plus
    unexplained win equals the counted win plus the part that is not counted yet.
    """
    amount = {
        name: Decimal(value or 0)
        for name, value in row.items()
        if name in (*PARTS, "dealt", "unexplained", "counted", "not_counted")
    }
    assert sum(amount[name] for name in PARTS) == amount["dealt"]
    assert amount["dealt"] + amount["unexplained"] == amount["counted"] + amount["not_counted"]


def test_a_stolen_rack_is_unexplained_and_every_other_cent_attributed(house):
    record(three_hands(closer=SHOULD_BE - 7_500))
    row = only(WHERE)
    cost = 10_000 * costs_on("6s", 6)["under"]
    assert some(row, "theoretical_exact", "choices_exact") == (str(30_000 * EDGE), str(cost))
    assert Fraction(row["luck_exact"]) == -20_000 - 30_000 * EDGE - cost
    assert some(
        row, "staked", "dealt", "errors", "counted", "unexplained", "tray", "box", "not_counted", "note"
    ) == (
        "600.00",
        "-210.00",
        "-10.00",
        "-285.00",
        "-75.00",
        "-75.00",
        "0.00",
        "0.00",
        "",
    )
    assert_adds_up(row)
    assert some(only("hold"), "win") == ("-285.00",)
    errors = only("dealer-errors")
    assert some(errors, "net_to_players") == ("10.00",)


def test_a_pending_count_leaves_the_rest_unchanged(house):
    record(three_hands(closer=SHOULD_BE, drop=None), night_of("aurora/C2", "aurora/C1"))
    first, other = rows(WHERE)
    assert some(first, "counted", "unexplained", "tray", "dealt", "not_counted") == (
        None,
        None,
        None,
        "-210.00",
        "-210.00",
    )
    assert first["note"] == "not counted: aurora/C1/2026-11-27: 1 box not counted"
    assert some(other, "counted", "unexplained") == ("-210.00", "0.00")
    for row in (first, other, *report(WHERE)["totals"]):
        assert_adds_up(row)
    (total,) = report(WHERE)["totals"]
    assert some(total, "counted", "not_counted", "dealt") == ("-210.00", "-210.00", "-420.00")


def night_of(table: str, instead_of: str) -> Facts:
    return [fact | {"table": table} for fact in three_hands(closer=SHOULD_BE) if fact["table"] == instead_of]


def test_without_observed_choices_the_first_three_parts_are_one_figure(house):
    record(three_hands(closer=SHOULD_BE, sees=["round-opened", "bet", "deal", "take", "pay", "round-closed"]))
    row = only(WHERE)
    assert some(row, "theoretical", "choices", "luck", "undivided", "errors", "unexplained") == (
        "0.00",
        "0.00",
        "0.00",
        "-200.00",
        "-10.00",
        "0.00",
    )
    assert "are one figure" in row["note"]
    assert_adds_up(row)


def test_a_live_dealer_table_has_only_wagers_and_its_own_rows(house):
    record(live(100_000, 5_000), felt(1000, 100, "aurora/T2"), three_hands(closer=SHOULD_BE))
    rows_by_table = {row["table"]: row for row in rows(WHERE)}
    assert some(rows_by_table["aurora/L1"], "basis", "dealt", "counted", "unexplained") == (
        "live dealer",
        "50.00",
        "50.00",
        None,
    )
    assert [row["basis"] for row in rows(WHERE, "--by", "property")] == ["felt", "live dealer"]
    for row in rows_by_table.values():
        assert_adds_up(row)


def test_by_dealer_only_the_dealt_parts_are_shown(house):
    record(three_hands(closer=SHOULD_BE - 7_500))
    row = only(WHERE, "--by", "dealer")
    assert some(row, "dealer", "dealt", "errors", "counted", "unexplained", "corrections") == (
        "d-1",
        "-210.00",
        "-10.00",
        None,
        None,
        None,
    )
    assert row["luck_exact"] == only(WHERE)["luck_exact"]


def test_a_correction_is_shown_with_the_error_that_it_corrects(house):
    make = at(table="aurora/C1")
    mended = {"round": "r3", "spot": "1", "reason": "overpaid", **BY}
    record(
        [
            *three_hands(closer=None, drop=None),
            *(make("corrected", wager=wager, amount=-500, **mended) for wager in ("ante", "over")),
        ]
    )
    row = only(WHERE)
    assert some(row, "errors", "corrections", "dealt", "not_counted") == (
        "-10.00",
        "10.00",
        "-200.00",
        "-200.00",
    )
    assert_adds_up(row)


def test_days_examined_by_an_earlier_release_are_marked_as_not_attributed(house):
    record(three_hands(closer=SHOULD_BE))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tally SET parts = 0, decided = 0, owed = 0, choices = 0, undivided = 0")
        cursor.execute("DELETE FROM summed")
    row = only(WHERE)
    assert some(row, "undivided", "luck", "dealt") == ("-210.00", "0.00", "-210.00")
    assert "manage.py reexamine" in row["note"]


FAULTS = {
    "casino_over_under": (
        "wrong-settlement:ante:overpaid",
        "not-settled:over",
        "settled-twice:paid",
        "no-such-bet:taken",
    ),
    "high_side": (
        "wrong-settlement:seven-forgotten:card-2",
        "not-settled:dice-1",
        "settled-twice:taken",
        "no-such-bet:withdrawn-paid",
    ),
    "easy_over_under": (
        "wrong-settlement:whole-taken-on-a-tie",
        "not-settled:short-side",
        "settled-twice:paid",
        "no-such-bet:paid",
    ),
    "teen_patti": ("wrong-settlement:ante:overpaid", "settled-twice:paid"),
}


@pytest.mark.parametrize("game", FAULTS)
def test_a_day_with_faults_agrees_with_hold_and_dealer_errors(house, game):
    recorded(troubled_day("X-1", times=1, game=game, faults=FAULTS[game]))
    row = only(WHERE)
    assert_adds_up(row)
    assert row["dealt"] == only("hold")["win"]
    assert Decimal(row["errors"]) == -Decimal(only("dealer-errors")["net_to_players"]) != 0
    assert [only(WHERE, "--by", by)["luck_exact"] for by in ("shift", "dealer", "game", "month")] == [
        row["luck_exact"]
    ] * 4


def test_a_box_that_stays_two_days_is_pending_by_day_and_complete_in_the_total(house):
    def at_c1(facts: Facts, day: str) -> Facts:
        return [fact | {"day": day} for fact in facts]

    first = [fact for fact in three_hands(closer=SHOULD_BE, drop=None) if fact["kind"] != "box-pulled"]
    second = three_hands(closer=SHOULD_BE, drop=100_000)
    record(at_c1(first, "2026-11-26"), second)
    by_day = rows(WHERE, "--by", "table,day")
    assert [row["counted"] for row in by_day] == [None, None]
    (total,) = report(WHERE, "--by", "table,day")["totals"]
    assert some(total, "counted", "unexplained", "tray", "box", "not_counted") == (
        "-420.00",
        "0.00",
        "0.00",
        "0.00",
        "0.00",
    )
    assert total["counted"] == only("hold")["win"]
    for row in (*by_day, total):
        assert_adds_up(row)


def test_the_restated_books_attribute_adjustments_as_corrected_later(house):
    make = at(table="aurora/C1")
    adjusted = {"of_table": "aurora/C1", "of_day": "2026-11-27", "reason": "overpaid", **BY}
    record(
        [*three_hands(closer=SHOULD_BE), make("day-closed", by="a-1")],
        [at(table="aurora/house", day="2026-11-28")("adjusted", what="settlement", amount=1_000, **adjusted)],
    )
    span = Span(books=RESTATED)
    names = [column.key for column in where.headings(("table",))]
    (row,) = (dict(zip(names, values, strict=True)) for values in where.sheet(span, ("table",)).rows)
    assert some(row, "errors", "corrections", "dealt", "unexplained", "tray", "counted") == (
        "-10.00",
        "10.00",
        "-200.00",
        "0.00",
        "0.00",
        "-200.00",
    )
    assert_adds_up(row)
