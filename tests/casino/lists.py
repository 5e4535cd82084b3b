"""A database in which every list has rows: findings with verdicts, slips, counts, a table in yen, a
live-dealer table and adjustments.
"""

from __future__ import annotations

from typing import Any

from audit.queries.span import Span
from casino.exports import datasets
from casino.exports.datasets import Dataset, Selection
from tests.audit.floor import OPENING
from tests.casino.conftest import Cast
from tests.casino.nights import officers, troubled_day
from tests.casino.nights import record as record_night
from tests.casino.test_reports import BY, PEOPLE, SHIFTS, at, felt, live, record
from tests.casino.test_restated import adjust, close

AURORA = Span(property="aurora")
LOGGED = {
    "about": "T1",
    "words_sha256": "0" * 64,
    "by": "v-101",
    "type": "call",
    "of_table": "aurora/T1",
    "of_day": "2026-11-27",
    "video": [{"camera": "cam-1", "from": "20:00", "to": "20:01"}],
}
"""The fields of an entry of the daily log."""


def slips(table: str = "aurora/T1") -> list[dict[str, Any]]:
    """Return the facts of a table's day with two shifts. Some slips are voided, one serial is used twice, and
    one tray and one box are counted twice.
    """
    swing = at(table=table, at="2026-11-27T15:00:00.250-08:00")
    day, make = felt(10_000, 1000, table, shifts=SHIFTS), at(table=table)
    return [
        *day[:1],
        make("opener-counted", chips={"100": 3}, amount=300, **BY),
        *day[1:2],
        make("fill-sent", slip="F-1", chips={"500": 2, "100": 1}, amount=1100, **PEOPLE),
        swing("fill-sent", slip="F-2", chips={}, amount=5000, **PEOPLE),
        make("slip-voided", slip="F-2", reason="wrong table", **BY),
        swing("fill-sent", slip="F-2", chips={}, amount=70, **PEOPLE),
        swing("credit-sent", slip="C-1", chips={}, amount=7, **PEOPLE),
        make("credit-sent", slip="C-2", chips={}, amount=9, **PEOPLE),
        make("slip-voided", slip="C-1", reason="torn", **BY),
        make("slip-voided", slip="F-1/none", reason="spoilt", **BY),
        *day[2:],
        swing("count-verified", box="b-1", amount=9_900, by="c-9"),
    ]


def without_openings() -> list[dict[str, Any]]:
    """Return the facts of a table that does not report when rounds open. The first fact of each round opens
    it. A late fact about the first round, recorded after the second, must not open the first round again.
    """
    make = at(table="aurora/T5")
    hands = []
    for round, amount in (("a", 500), ("b", 700), ("c", 900)):
        bet = {"round": round, "spot": "1", "wager": "over", "amount": amount}
        hands += [make("bet", **bet), make("take", **bet), make("round-closed", round=round)]
    late = make("take", round="a", spot="1", wager="over", amount=5)
    return [make(**OPENING), *hands[:6], late, *hands[6:]]


def recorded_lists() -> Cast:
    """Record a ledger that has rows for every list: findings, slips, counts, tables in yen and dinars, a
    live-dealer table, and a closed day that was adjusted.
    """
    cast = Cast()
    officers()
    record(
        felt(1000, 100, "aurora/T3", day="2026-11-26"),
        close("2026-11-26", "aurora/T3"),
        slips(),
        felt(9000, 901, "aurora/T2", currency="JPY"),
    )
    record(
        without_openings(),
        live(2000, 50),
        live(800, 8, "aurora/L2", "BHD"),
        *(adjust("drop", 250, "2026-11-26", "2026-11-27", "aurora/T3") for _ in range(2)),
    )
    record_night(troubled_day())
    record(
        [at(table="aurora/house", day="2026-11-27")("verdict-given", **verdict(place)) for place in range(4)],
        [at(table="aurora/house", day=f"2026-11-{day}")("log-written", **LOGGED) for day in (26, 27, 27)],
    )
    return cast


def verdict(place: int) -> dict[str, Any]:
    """Return the fields of a verdict on a finding of the ledger. `place` chooses the finding: it is the index
    among the findings with an amount owed.
    """
    finding = [row for row in all_rows(datasets.get("findings")) if row["owed"] is not None][place]
    fields = {name: finding[name] for name in ("code", "says", "owed", "moved")}
    return {
        "finding": finding["id"],
        **fields,
        "verdict": "confirmed",
        "by": "v-101",
        "note_sha256": None,
        "savings": 5,
        "losses": 0,
        "recovered": 0,
        "video": [],
    }


def rows_as_dicts(of: Dataset, selection: Selection) -> list[dict[str, Any]]:
    return [
        dict(zip((column.key for column in of.COLUMNS), row, strict=True))
        for row in datasets.rows(of, selection)
    ]


def all_rows(of: Dataset, **filters: Any) -> list[dict[str, Any]]:
    return rows_as_dicts(of, Selection(AURORA, **filters))
