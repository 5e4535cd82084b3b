"""An evening at which every figure of the home pages has something to count: hands in each state, late and
silent feeds, boxes to count, slips on the way, unpaid markers, missing serials, and limits that will change.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import uuid4

from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.review import queue
from casino.cage.services import markers
from casino.cage.slips import pending
from casino.cage.slips.pending import PendingSlip, Signature
from casino.reference.calendar import gaming_day
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.surveillance import assignments
from casino.surveillance.services import Words, give_verdict
from tests.audit.floor import OPENING, fact, line
from tests.casino.conftest import Cast
from tests.casino.nights import officers, record, troubled_day
from tests.casino.test_cage import FILL
from tests.casino.test_floor import slip
from tests.casino.test_pages import opened
from tests.casino.test_queue_acts import chosen

PLACES = count(5_000)
CHIPS = {"10000": 3}
BY = {"by": "d-101", "second": "s-201"}
NOTES = {"notes": {"10000": 5}, "amount": 50_000}


def tell(kind: str, table: str, minutes: int = 0, days: int = 0, **fields: Any) -> str:
    """Record a fact of a table as a device sends it: some minutes ago, on today's gaming day or some days
    before it. Return its uid.
    """
    day = gaming_day("aurora") - timedelta(days=days)
    sent = fact(next(PLACES), kind=kind, table=f"aurora/{table}", day=f"{day}", **fields)
    sent |= {"uid": str(uuid4()), "at": (datetime.now(UTC) - timedelta(minutes=minutes)).isoformat()}
    intake.post([line(sent)], Sender("test"))
    return str(sent["uid"])


def open_tables() -> None:
    """Open three tables: one with a silent feed, one with a late feed, and one that was opened yesterday."""
    opening = {name: value for name, value in OPENING.items() if name != "kind"}
    for table, minutes, days in (("EOU-01", 50, 0), ("EOU-02", 50, 0), ("EOU-03", 50, 1)):
        tell("table-opened", table, minutes, days, **opening)
        tell("opener-counted", table, minutes, days, chips={}, amount=50_000, **BY)
        tell("dealer-seated", table, minutes, days, dealer="d-101", supervisor="s-201")
    tell("dealer-seated", "EOU-02", 15, dealer="d-102", supervisor="s-201")
    tell("dealer-seated", "EOU-03", 1, 1, dealer="d-103", supervisor="s-201")


def boxes() -> None:
    """Pull four boxes of EOU-03: two wait for a count, one for its recount, and the counts of one differ."""
    for box in ("1", "2", "3", "4"):
        tell("box-pulled", "EOU-03", 20, 1, box=box, shift="", by="g-101", second="s-201")
    for box in ("3", "4"):
        tell("drop-counted", "EOU-03", 10, 1, box=box, shift="", team=["n-101", "n-102"], **NOTES)
    differing = {"notes": {"10000": 4}, "amount": 40_000}
    tell("count-verified", "EOU-03", 5, 1, box="4", by="c-101", **differing)


def slips(cast: Cast) -> None:
    """Request two fills and a credit, of which one fill is late, and record fills between which a serial is
    missing.
    """
    for table, kind, minutes in (
        ("EOU-01", "fill-sent", 40),
        ("EOU-02", "fill-sent", 2),
        ("EOU-02", "credit-sent", 3),
    ):
        requested_at = datetime.now(UTC) - timedelta(minutes=minutes)
        signed = (Signature("requested_by", cast.logins[FILL["requested_by"]].id, requested_at),)
        pending.insert(
            PendingSlip(
                uuid4(),
                "aurora",
                table,
                kind,
                "USD",
                CHIPS,
                30_000,
                signed,
                requested_at,
                gaming_day("aurora"),
            )
        )
    for number in (1, 4):
        tell("fill-sent", "EOU-02", 14, **slip(f"F-EOU02-00000{number}", 20_000))


def unpaid(cast: Cast) -> None:
    """Issue two markers, and write one of them off."""
    serials = [
        markers.issue_marker(cast.person("Finn"), "aurora", table, "p-1", "2", 50_000, uid=str(uuid4()))
        for table in ("EOU-02", "EOU-03")
    ]
    two = cast.person("Alma"), cast.person("Alan")
    markers.write_off(*two, "aurora", serials[0], 20_000, "bankrupt", uid=str(uuid4()))


def hands(cast: Cast) -> None:
    """Record a day with faults, escalate a hand, snooze one, and leave one to a second reviewer."""
    officers()
    record(troubled_day("EOU-07", times=2))
    dana, rows = cast.person("Dana"), queue.page(queue.Wanted(("aurora",), sort="money")).rows
    give_verdict(dana, *opened(rows[-3]), Words("dismissed", "capture_error"))
    give_verdict(dana, *opened(rows[-1]), Words("escalated", "suspected_collusion"))
    findings.examine()
    assignments.snooze(dana, chosen(rows[-2]), datetime.now(UTC) + timedelta(hours=1))


def limits() -> None:
    """Enter other limits for a table today, and for another table from tomorrow on."""
    tomorrow = f"{gaming_day('aurora') + timedelta(days=1)}"
    game = {"game": "easy_over_under"}
    set_registers(
        "aurora",
        [
            Entry("tables", "EOU-01", game | {"limits": {"*": [2_500, 50_000]}}),
            Entry("tables", "EOU-02", game | {"limits": {"*": [1_000, 50_000]}}, None, tomorrow),
            Entry("tables", "EOU-02", game | {"limits": {"*": [5_000, 90_000]}}, tomorrow),
            Entry("tables", "EOU-03", game),
        ],
        by="m-101",
        second="m-102",
    )


def busy_evening() -> Cast:
    """Record the evening, and return its users."""
    cast = Cast()
    hands(cast)
    open_tables()
    boxes()
    unpaid(cast)
    slips(cast)
    limits()
    findings.examine()
    return cast
