"""Catwalk assigns serials to its slips without gaps and without duplicates, even if several users send at
once and processes are killed.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from audit.ledger import intake, store
from audit.ledger.intake import Sender
from audit.proofs.registry import selected
from audit.proofs.run import run
from audit.queries import cage_facts
from casino.cage.slips import serials
from casino.cage.slips.serials import numbered, series_of, split_serial
from casino.presentation.errors import ActionRejected
from tests.audit.floor import fact, line, opened
from tests.conftest import House
from tests.manage import Manage

SERIES = "F-EOU01-2026"
SIGNED = {
    "requested_by": "s-201",
    "sent_by": "c-101",
    "carried_by": "g-101",
    "received_by": "d-101",
    "verified_by": "s-202",
}


def post(*facts: dict[str, Any]) -> None:
    intake.post([line(fact) for fact in facts], Sender("test"))


def fill(place: int, slip: str, **other: Any) -> dict[str, Any]:
    return fact(place, "fill-sent", slip=slip, chips={"500": 2}, amount=1000, **SIGNED, **other)


def filling(place: int) -> Callable[[str], str]:
    """Return a function that records a fill with a given serial and returns the serial."""

    def record(serial: str) -> str:
        post(fill(place, serial))
        return serial

    return record


def in_the_ledger() -> list[str]:
    events = (cage_facts.f.decode(body) for _, _, _, body in store.read_kinds("aurora", serials.KINDS))
    return [getattr(event, "slip", "") for event in events]


def test_a_series_names_the_slip_its_table_and_the_calendar_year_and_begins_at_one_with_each(
    house: House,
) -> None:
    assert series_of("fill-sent", "EOU-01", "2026-11-27") == SERIES
    assert series_of("credit-sent", "EOU-01", "2027-01-01") == "C-EOU01-2027"
    post(opened(1))
    names = [series_of("fill-sent", "EOU-01", f"{year}-12-31") for year in (2026, 2026, 2027)]
    assert [numbered("aurora", name, filling(place)) for place, name in enumerate(names, 2)] == [
        "F-EOU01-2026-000001",
        "F-EOU01-2026-000002",
        "F-EOU01-2027-000001",
    ]


def test_a_number_follows_the_highest_that_anybody_recorded_in_the_ledger(house: House) -> None:
    post(
        opened(1),
        fill(2, f"{SERIES}-000417"),
        fill(3, f"{SERIES}-9"),
        fact(4, "slip-voided", slip=f"{SERIES}-500", reason="r", by="c", second="s"),
    )
    assert numbered("aurora", SERIES, filling(5)) == f"{SERIES}-000501"
    post(fill(6, f"{SERIES}-000502"), fill(7, "F-elsewhere-900"), fill(8, "torn"))
    assert numbered("aurora", SERIES, filling(9)) == f"{SERIES}-000503"
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM slip_series; DELETE FROM slips_read")
    assert numbered("aurora", SERIES, filling(10)) == f"{SERIES}-000504", "both tables are a cache"
    assert [split_serial(slip) for slip in ("F-1-7", "torn", "F-1-", "F-" + "9" * 19)] == [
        ("F-1", 7),
        ("torn", None),
        ("F-1-", None),
        ("F-" + "9" * 19, None),
    ]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("UPDATE slip_series SET last = last + 7", ("slip_series", "changed")),
        ("UPDATE slip_series SET last = last - 2", ("slip_series", "changed")),
        ("DELETE FROM slip_series", ("slip_series", "missing")),
        ("UPDATE slips_read SET position = 99", ("slips_read", "changed")),
        ("INSERT INTO slip_series VALUES ('nowhere', 'F-1', 3)", ("slip_series", "changed")),
    ],
)
def test_a_changed_number_is_named_and_emptied_tables_are_right_again(
    house: House, change: str, fault: tuple[str, str]
) -> None:
    post(opened(1))
    for place in (2, 3):
        numbered("aurora", SERIES, filling(place))
    prove = selected(["slip_series"])
    assert run(prove).faults == []
    house.app.execute(change)
    assert [(fault.table, fault.kind) for fault in run(prove).faults] == [fault]
    house.app.execute("DELETE FROM slip_series; DELETE FROM slips_read")
    assert numbered("aurora", SERIES, filling(4)) == f"{SERIES}-000003"
    assert run(prove).faults == []


def test_a_serial_used_by_another_system_meanwhile_is_skipped(house: House) -> None:
    post(opened(1))
    came = []

    def record(serial: str) -> str:
        if not came:
            came.append(serial)
            with ThreadPoolExecutor(1) as other:  # a device posts with the same serial and commits first
                other.submit(post_apart, fill(2, serial)).result()
        return filling(3)(serial)

    assert numbered("aurora", SERIES, record) == f"{SERIES}-000002"
    assert in_the_ledger() == [f"{SERIES}-000001", f"{SERIES}-000002"]


def post_apart(*facts: dict[str, Any]) -> None:
    """Post facts on the database connection of this thread, and close the connection afterwards."""
    try:
        post(*facts)
    finally:
        connection.close()


def test_if_another_system_always_takes_the_serial_nothing_is_recorded(house: House) -> None:
    post(opened(1))

    def record(serial: str) -> str:
        with ThreadPoolExecutor(1) as other:
            other.submit(post_apart, fill(10 + split_serial(serial)[1], serial)).result()  # type: ignore[operator]
        return filling(3)(serial)

    with pytest.raises(ActionRejected, match="Another user is numbering"):
        numbered("aurora", SERIES, record)
    assert in_the_ledger() == [f"{SERIES}-{number:06d}" for number in range(1, serials.TRIES + 1)]


def test_cashiers_who_send_at_once_get_one_number_each_without_a_gap_in_the_order_of_commit(
    house: House,
) -> None:
    post(opened(1), opened(2, "aurora/EOU-02"))

    def send(place: int) -> str:
        try:
            return numbered(
                "aurora", series_of("fill-sent", f"EOU-0{1 + place % 2}", "2026-11-27"), filling(place)
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as desks:
        numbers = sorted(desks.map(send, range(3, 27)))
    assert numbers == [f"F-EOU0{table}-2026-{number:06d}" for table in (1, 2) for number in range(1, 13)]
    for table in (1, 2):
        recorded = [slip for slip in in_the_ledger() if slip.startswith(f"F-EOU0{table}")]
        assert recorded == sorted(recorded), "so replay finds no gap, not even for a moment"


def test_a_slip_that_is_not_recorded_takes_no_serial(house: House) -> None:
    post(opened(1))

    def fails(serial: str) -> str:
        filling(2)(serial)
        raise ActionRejected("no")

    with pytest.raises(ActionRejected, match="no"):
        numbered("aurora", SERIES, fails)
    assert in_the_ledger() == []
    assert numbered("aurora", SERIES, filling(3)) == f"{SERIES}-000001"


DYING = f"""
import os, signal
from tests.casino import test_slip_numbers as t
def record(serial):
    t.filling(2)(serial)
    print("inserted", serial, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
t.numbered("aurora", {SERIES!r}, record)
"""


def test_a_page_killed_between_insert_and_commit_takes_no_number(house: House, manage: Manage) -> None:
    post(opened(1))
    died = manage("shell", "-v0", "-c", DYING, env=house.env)
    assert died.returncode == -9, died.stderr
    assert died.stdout == f"inserted {SERIES}-000001\n"
    assert in_the_ledger() == []
    assert numbered("aurora", SERIES, filling(3)) == f"{SERIES}-000001", "and nobody waits for the dead"
