"""The database table of duplicate serials is the same for any order in which slips arrive. A list of slips
looks for other slips with the same serial only if the serial is in this database table.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import count, permutations
from random import Random
from threading import Event
from typing import Any

import pytest
from django.db import connection, connections, transaction

from audit.findings import examine as findings
from audit.findings.as_of import as_of
from audit.findings.duplicate_serials import MARKER, SLIP, note
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries.span import Span
from casino.reports import catalog
from tests.audit.floor import fact, line, opened

DAYS = ("2026-11-26", "2026-11-27")
ISSUED = {"player": "p-1", "amount": 500, "by": "s-201"}
PAID = {"player": "p-1", "amount": 500, "by": "c-101"}
SENT = dict(zip(("requested_by", "sent_by", "carried_by", "received_by"), "abcd", strict=True)) | {
    "chips": {},
    "amount": 500,
}
_places = count(1)
SHAPES: dict[str, dict[str, Any]] = {
    "fill-sent": SENT,
    "credit-sent": SENT,
    "marker-issued": ISSUED,
    "marker-paid": PAID,
}


def repeated_serials() -> set[tuple[str, str]]:
    """Return the kind and serial of each row in the database table of duplicate serials."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT kind, slip FROM serial_again WHERE property = 'aurora'")
        return set(cursor.fetchall())


def record_slips(*slips: tuple[str, str, str], table: str = "aurora/T1") -> list[str]:
    """Record slips without examining them, and return the names of their streams. Each slip is given as
    (kind, serial, day). Each slip is recorded at another table, whose name begins with `table`.
    """
    streams = []
    for place, (kind, slip, day) in enumerate(slips):
        of = {"table": f"{table}{place}", "day": day}
        sent = opened(next(_places), **of), fact(next(_places), kind, slip=slip, **of, **SHAPES[kind])
        intake.post([line(fact_sent) for fact_sent in sent], Sender("test"))
        streams.append(f"{of['table']}/{day}")
    return streams


@pytest.mark.parametrize(
    ("first", "second", "noted"),
    [
        (("fill-sent", DAYS[0]), ("fill-sent", DAYS[0]), {SLIP}),
        (("fill-sent", DAYS[1]), ("credit-sent", DAYS[0]), {SLIP}),
        (("marker-issued", DAYS[0]), ("marker-issued", DAYS[1]), {MARKER}),
        (("marker-paid", DAYS[0]), ("marker-issued", DAYS[1]), {MARKER}),
        (("marker-issued", DAYS[0]), ("marker-paid", DAYS[1]), set()),
        (("marker-issued", DAYS[0]), ("marker-issued", DAYS[0]), set()),
        (("fill-sent", DAYS[0]), ("marker-issued", DAYS[1]), set()),
    ],
)
def test_a_duplicate_serial_is_noted_in_any_order_of_examination(
    house: Any, first: Any, second: Any, noted: set[str]
) -> None:
    for order in permutations((0, 1)):
        slip = f"X-{order}"
        streams = record_slips(
            *((kind, slip, day) for kind, day in (first, second)), table=f"aurora/T{order[0]}"
        )
        for at in order:
            findings.examine_stream("aurora", streams[at])
        assert {kind for kind, serial in repeated_serials() if serial == slip} == noted


def test_two_examiners_at_once_note_a_duplicate_serial(
    house: Any,
) -> None:
    first, second = record_slips(("fill-sent", "F-1", DAYS[0]), ("fill-sent", "F-1", DAYS[0]))
    stored, ends = Event(), Event()

    def keep_and_wait() -> None:
        try:
            with transaction.atomic():
                findings.examine_stream("aurora", first)
                stored.set()
                assert ends.wait(300)
        finally:
            connections.close_all()

    def examine_the_other() -> None:
        try:
            findings.examine_stream("aurora", second)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        first_thread = threads.submit(keep_and_wait)
        assert stored.wait(300)
        second_thread = threads.submit(examine_the_other)
        _until_somebody_waits()
        ends.set()
        first_thread.result(20)
        second_thread.result(20)
    assert repeated_serials() == {(SLIP, "F-1")}


def _until_somebody_waits() -> None:
    with connection.cursor() as cursor:
        for _ in range(2000):
            cursor.execute(
                "SELECT count(*), pg_sleep(0.01) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            )
            if cursor.fetchone()[0]:
                return
    raise AssertionError("the second examination did not wait for the first")


def test_a_report_as_of_a_position_sees_an_unexamined_duplicate_and_stores_nothing(
    house: Any,
) -> None:
    record_slips(("fill-sent", "F-1", DAYS[0]))
    findings.examine()
    record_slips(("fill-sent", "F-1", DAYS[0]), table="aurora/U")
    with as_of("aurora"):
        assert {row[2] for row in catalog.report("slips").sheet(Span(property="aurora"), ()).rows} == {
            "twice"
        }
    assert repeated_serials() == set()


def test_an_upgraded_database_has_the_same_duplicates_as_a_new_one(house: Any) -> None:
    dice, kinds = Random(7), tuple(SHAPES)
    with connection.cursor() as cursor:
        for _ in range(60):
            table, day = f"aurora/T{dice.randrange(4)}", dice.choice(DAYS)
            values = [f"{table}/{day}", dice.choice(kinds), f"S-{dice.randrange(25)}"]
            cursor.execute(
                """INSERT INTO slip_tally
                (property, stream, kind, slip, currency, shift, number, amount, "stands")
                   VALUES ('aurora', %s, %s, %s, 'USD', 'day', 1, 100, true) ON CONFLICT DO NOTHING""",
                values,
            )
            note("aurora", [values[2]])
        noted = repeated_serials()
        cursor.execute("DELETE FROM serial_again")
        migration = import_module("audit.migrations.0019_serials_again")
        for statement in migration.TABLES.split(";\n"):
            if statement.lstrip().startswith("INSERT"):
                cursor.execute(statement)
    assert repeated_serials() == noted
    assert {kind for kind, _ in noted} == {SLIP, MARKER}
