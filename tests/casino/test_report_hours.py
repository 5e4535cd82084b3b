"""Reports by hour use the property's clock, even if a device writes its times in another time zone."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from audit.queries.span import Span
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports import catalog
from tests.casino.test_reports import at, live, record


def dealt(table: str, day: str, *instants: str) -> list[dict[str, Any]]:
    """Return the facts of a live-dealer table: one round with a stake of 1.00 at each of these times."""
    facts = live(0, 0, table)[:1]
    for round, instant in enumerate(instants):
        of = {"round": str(round), "at": instant}
        make = at(table=table, day=day)
        facts += [make("round-opened", **of), make("bets", **of, bets=[["p-1", "bahar", 100]])]
        facts += [make("settled", **of, paid=[], taken=[["p-1", "bahar", 100]]), make("round-closed", **of)]
    return [fact | {"day": day} for fact in facts]


def clock(zone: str, begins: date | None = None, ends: date | None = None) -> None:
    set_registers(
        "aurora",
        [Entry("day-begins", "*", {"time": "06:00", "zone": zone}, begins, ends)],
        by="m-101",
        second="m-102",
    )


def hours(*by: str) -> dict[str, list[str]]:
    """Return the stakes in the hold report by hour. An hour has a list, with an item for each of its rows."""
    sheet = catalog.report("hold").sheet(Span(property="aurora"), by or ("hour",))
    places = {column.key: place for place, column in enumerate(sheet.columns)}
    values: dict[str, list[str]] = {}
    for row in sheet.rows:
        values.setdefault(row[places["hour"]], []).append(row[places["denominator"]])
    return values


def test_two_devices_with_different_zones_are_in_one_hour(house: Any) -> None:
    record(
        dealt("aurora/L1", "2026-11-27", "2026-11-27T12:10:00-08:00"),
        dealt("aurora/L2", "2026-11-27", "2026-11-27T20:50:00+00:00"),
    )
    assert hours() == {"12": ["1.00"], "20": ["1.00"]}, "where no zone is known, each as it was written"
    clock("America/Los_Angeles")
    assert hours() == {"12": ["2.00"]}
    assert hours("hour", "table") == {"12": ["1.00", "1.00"]}
    clock("America/New_York")
    assert hours() == {"15": ["2.00"]}, "what was kept by another clock is not shown"


@pytest.mark.parametrize(
    "name", ["hold", "live-dealer", "statistics", "where-the-hold-went", "voids", "dealer-errors"]
)
def test_every_report_by_hour_uses_the_same_hours(house: Any, name: str) -> None:
    void = at(table="aurora/L2", day="2026-11-27")(
        "void", round="1", reason="card exposed", by="s-1", second="s-2"
    )
    night = dealt(
        "aurora/L2", "2026-11-27", "2026-11-27T20:50:00Z", "2026-11-28T07:59:59Z", "2026-11-28T08:00:00Z"
    )
    record([*night[:-1], void | {"at": "2026-11-28T08:00:00Z", "round": "2"}, night[-1]])
    clock("America/Los_Angeles")
    sheet = catalog.report(name).sheet(Span(property="aurora"), ("hour",))
    assert [row[0] for row in sheet.rows] == (["00"] if name == "voids" else ["00", "12", "23"])


def test_a_repeated_hour_is_two_hours_of_the_day(
    house: Any,
) -> None:
    record(
        dealt(
            "aurora/L1", "2026-10-31", "2026-11-01T08:30:00Z", "2026-11-01T09:30:00Z", "2026-11-01T10:30:00Z"
        )
    )
    clock("America/Los_Angeles")
    assert hours() == {"01 (first, -07:00)": ["1.00"], "01 (second, -08:00)": ["1.00"], "02": ["1.00"]}
    record(dealt("aurora/L1", "2026-11-01", "2026-11-02T09:30:00Z"))
    assert hours()["01"] == ["1.00"], "only on the day on which the clock was put back"
    clock("Asia/Kolkata")
    assert hours() == {"13": ["1.00"], "14": ["2.00"], "15": ["1.00"]}


def test_each_gaming_day_has_the_zone_registered_for_it(house: Any) -> None:
    record(*(dealt("aurora/L1", day, f"{day}T20:10:00Z") for day in ("2026-11-26", "2026-11-27")))
    clock("America/Los_Angeles", ends=date(2026, 11, 27))
    clock("America/Denver", begins=date(2026, 11, 27))
    assert hours() == {"12": ["1.00"], "13": ["1.00"]}
