"""The database table of markers that are not settled equals the sums of all slips, in every order in which
they are recorded, examined, voided and reexamined. An upgrade fills it.
"""

from __future__ import annotations

from datetime import date
from importlib import import_module
from random import Random
from typing import Any

from django.db import connections

from audit import database
from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries.markers import Marker, Markers, balances, owed, unpaid
from audit.queries.span import Span
from tests.audit.floor import fact, line, opened

TABLES, DAYS, SERIALS = ("aurora/T1", "aurora/T2"), ("2026-11-25", "2026-11-26", "2026-11-27"), 12
LAST, FIRST_DAY = date(2026, 11, 28), date(2026, 11, 25)


def random_slip(rng: Random, place: int) -> dict[str, Any]:
    """Return a fact that issues, pays, voids or writes off one of a few markers at a random table and day."""
    place_fields: dict[str, Any] = {"table": rng.choice(TABLES), "day": rng.choice(DAYS)}
    slip, amount = f"M-{rng.randrange(SERIALS)}", 100 * rng.randrange(1, 6)
    kind = rng.choice(
        (*["marker-issued"] * 5, "marker-paid", "marker-paid", "slip-voided", "marker-written-off")
    )
    if kind == "marker-written-off":
        signed = {"reason": "bankrupt", "by": "a-1", "second": "a-2"}
        own = {"table": "aurora/house", "day": rng.choice(DAYS), "currency": rng.choice(("USD", "EUR"))}
        return fact(place, kind, **own, slip=slip, player="p-1", amount=amount, **signed)
    if kind == "slip-voided":
        return fact(place, kind, **place_fields, slip=slip, reason="torn", by="c-1", second="s-9")
    return fact(place, kind, **place_fields, slip=slip, player="p-1", amount=amount, by="s-1")


def same_as_slips() -> list[Marker]:
    """Compute the unpaid markers from all slips. Assert that the database table has the same markers, and
    return them.
    """
    every = list(Markers(Span(None, None, "aurora")))
    assert {
        balance.key: balance.owed for balance in balances(Span(None, None, "aurora")) if balance.owed
    } == {marker[:3]: owed(marker) for marker in every if owed(marker)}
    slowly = [marker for marker in every if owed(marker) > 0]
    assert unpaid("aurora", FIRST_DAY) == slowly
    assert unpaid("aurora", LAST) == []
    return slowly


def stored() -> list[tuple[Any, ...]]:
    """Return the rows of the database table."""
    return database.rows("SELECT * FROM unpaid_marker ORDER BY slip, currency")


def test_unpaid_markers_follow_slips_in_any_order(house: Any) -> None:
    rng, place = Random("markers"), 1
    lines = []
    for table in TABLES:
        for day in DAYS:
            lines.append(line(opened(place, table, day) | {"currency": rng.choice(("USD", "EUR"))}))
            place += 1
    intake.post(lines, Sender("test"))
    markers = set()
    for _ in range(8):
        slips = [random_slip(rng, place + number) for number in range(8)]
        place += len(slips)
        intake.post([line(slip) for slip in slips], Sender("test"))
        findings.examine()
        markers |= set(same_as_slips())
    assert len(markers) > SERIALS
    assert any(marker.written_off for marker in markers)
    assert findings.reexamine(dry_run=True).differences.listed == []
    # A reexamination replaces rows of earlier rules and changed rows, and then updates the table.
    stream = f"{TABLES[0]}/{DAYS[1]}"
    before = same_as_slips()
    database.execute("UPDATE slip_tally SET slip = slip || 'x' WHERE stream = %s", [stream])
    database.execute("DELETE FROM unpaid_marker WHERE slip = %s", [before[0].slip])
    assert findings.reexamine().differences.unexplained
    assert same_as_slips() == before
    assert findings.reexamine(dry_run=True).differences.listed == []
    # An upgrade adds the markers of which more was paid than issued, and the serials of the ledger fold.
    serials = database.rows("SELECT serials FROM ledger_examination")
    assert '"M"' in serials[0][0]
    overpaid, every = [row for row in stored() if row[7] > row[5]], stored()
    migration: Any = import_module("audit.migrations.0047_unsettled_markers")
    with connections["owner"].cursor() as cursor:
        cursor.execute(migration.BACK)
        assert overpaid
        assert stored() == [row for row in every if row not in overpaid]
        cursor.execute(migration.ADDED)
    assert stored() == every
    assert database.rows("SELECT serials FROM ledger_examination") == serials
