"""A report as of an earlier position has the same bytes as the report that was made when the ledger had that
position.
"""

from __future__ import annotations

import json
from threading import Thread
from typing import Any

import pytest
from django.db import connection

from audit.facts import check
from audit.findings import as_of
from audit.findings import examine as findings
from audit.findings.as_of import NoSuchPosition
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.models import Head
from audit.queries.span import Span
from casino.exports.formats.registry import FORMATS
from casino.reference import projection
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports import catalog
from casino.sample import sample_house
from tests.audit.floor import line
from tests.casino.test_reports import BY, PEOPLE, at, felt, record

HOUSE = "aurora"
READ_BY_NO_REPORT = {
    "alert",
    "alert_seen",
    "assigned",
    "bi_reader",
    "camera_outage",
    "case_file",
    "case_file_piece",
    "case_followed",
    "case_part",
    "case_state",
    "case_subject",
    "case_words",
    "casino_entry",
    "casino_property",
    "casino_standing",
    "casino_token",
    "checkpoint",
    "checkpoint_copy",
    "checkpoint_key",
    "clip_export",
    "condition",
    "confidential_fact",
    "confidential_viewing",
    "delivery",
    "event",
    "event_stream",
    "fact_json",
    "finding_tally",
    "followed",
    "free_words",
    "job",
    "job_revival",
    "log_followed",
    "open_hand",
    "queued",
    "report_order",
    "round_tally",
    "slip_series",
    "slip_under_way",
    "slips_read",
    "snoozed",
    "tile",
    "used_nonce",
    "video_hold",
    "viewing",
    "webhook_progress",
    "webhook_secret",
    "withdrawn",
    "work_unit",
}
"""Database tables with a property's rows that `audit.findings.as_of` does not replace. casino/projections
replaces the register entries in force. An evidence pack reads words and files of a case by their hash. It
reads confidential facts up to the position at which the pack was ordered.
"""


def report_bytes() -> dict[str, bytes]:
    """Return the bytes of every report at the present position of the ledger. The format is JSON, because it
    contains every field.
    """
    return {
        name: b"".join(
            FORMATS["json"](catalog.report(name).sheet(Span(property=HOUSE), catalog.report(name).DEFAULT_BY))
        )
        for name in catalog.names()
    }


def then(position: int | None) -> dict[str, bytes]:
    with as_of.as_of(HOUSE, position):
        projection.load_registers_as_of(HOUSE)
        return report_bytes()


def post(facts: list[dict[str, Any]]) -> int:
    intake.post_prepared([check(json.dumps(fact).encode()) for fact in facts], Sender("test"))
    return Head.objects.get(property=HOUSE).position


def test_every_report_is_rebuilt_as_of_each_of_its_positions(house) -> None:
    facts = [
        fact
        for fact in sample_house()
        if fact["table"].rpartition("/")[2] in ("EOU-01", "HS-01", "AB-01", "house")
    ]
    cut = len(facts) // 3
    were: dict[int, dict[str, bytes]] = {}
    for part in (facts[:cut], facts[cut:]):
        position = post(part)
        findings.examine()
        projection.sync_registers()
        were[position] = report_bytes()
    assert len({report["hold"] for report in were.values()}) == 2, (
        "the two parts of the day say different things"
    )
    for position, was in were.items():
        assert then(position) == was, position
    assert report_bytes() == were[position], "nothing of it is left"


def test_later_entries_serials_and_voids_do_not_change_an_earlier_position(house) -> None:
    make = at(table="aurora/T1")
    day = felt(1000, 100)
    sent = [make("fill-sent", slip=f"F-000{number}", chips={}, amount=300, **PEOPLE) for number in (1, 3, 2)]
    record([*day, *sent[:2]])
    set_registers(HOUSE, [Entry("tables", "T1", {"pit": "east"})], by="m-101", second="m-102")
    findings.examine()
    position, was = Head.objects.get(property=HOUSE).position, report_bytes()
    assert b'"missing"' in was["slips"]
    record([sent[2], make("slip-voided", slip="F-0001", reason="wrong table", **BY)])
    set_registers(HOUSE, [Entry("tables", "T1", {"pit": "west"})], by="m-101", second="m-102")
    findings.examine()
    assert b'"missing"' not in report_bytes()["slips"]
    assert then(position) == was
    with as_of.as_of(HOUSE, position):
        projection.load_registers_as_of(HOUSE)
        assert "east" in str(list(catalog.report("hold").sheet(Span(property=HOUSE), ("pit",)).rows))
    assert "west" in str(list(catalog.report("hold").sheet(Span(property=HOUSE), ("pit",)).rows))


def test_unexamined_facts_are_included(house) -> None:
    record(felt(1000, 100))
    late = at(table="aurora/T1")("fill-sent", slip="F-0001", chips={}, amount=300, **PEOPLE)
    progress: list[tuple[int, int]] = []
    intake.post([line(late)], Sender("test"))
    behind = report_bytes()
    with as_of.as_of(HOUSE, progress=lambda count, total: progress.append((count, total))) as snapshot:
        current = report_bytes()
    assert progress == [(6, 6)]
    assert (snapshot.position, current["hold"] != behind["hold"]) == (6, True)
    findings.examine()
    assert report_bytes() == current


def with_chips(facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the facts. Each count gets chips that add up to its amount, so that it causes no finding."""
    return [fact | {"chips": {"50": fact["amount"] // 50}} if "chips" in fact else fact for fact in facts]


def test_if_nothing_was_replayed_the_real_tables_are_read(house) -> None:
    record(with_chips(felt(1000, 100)))
    late = at(table="aurora/T1")("fill-sent", slip="F-0001", chips={"50": 6}, amount=300, **PEOPLE)
    record([late], with_chips(felt(500, 50, "aurora/T2")))
    counted = {"examination", "cage_tally", "tray_tally"}
    after_closer = {
        "slip_tally",
        "tally",
    }  # the late fill, and the finding that it came after the closer
    for position, folded in ((None, set()), (6, counted), (5, counted | after_closer)):
        with as_of.as_of(HOUSE, position), connection.cursor() as cursor:
            cursor.execute(
                "SELECT viewname FROM pg_views WHERE schemaname LIKE 'pg_temp%%' AND definition LIKE"
                " '%%then_%%'"
            )
            assert {name for (name,) in cursor.fetchall()} & {*as_of.TALLIES} == folded, position


def test_a_report_as_of_a_position_blocks_nobody_and_writes_to_no_table(house) -> None:
    record(felt(1000, 100))
    late = at(table="aurora/T1")("fill-sent", slip="F-0001", chips={}, amount=300, **PEOPLE)
    with as_of.as_of(HOUSE, 4):
        other = Thread(target=_record_apart, args=([late],))
        other.start()
        other.join(300)
        assert not other.is_alive()
        assert next(iter(catalog.report("hold").sheet(Span(property=HOUSE), ()).rows))[-1].startswith(
            "pending"
        ), "the drop came fifth"
    assert Head.objects.get(property=HOUSE).position == 6
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_class WHERE relpersistence = 't'")
        assert cursor.fetchone() == (0,)


def _record_apart(facts: list[dict[str, Any]]) -> None:
    try:
        record(facts)
    finally:
        connection.close()


def test_a_position_that_the_ledger_does_not_have_is_refused(house) -> None:
    with pytest.raises(NoSuchPosition, match="has no ledger"), as_of.as_of(HOUSE):
        pass
    record(felt(1000, 100))
    with pytest.raises(NoSuchPosition, match="no position 6: its last position is 5"), as_of.as_of(HOUSE, 6):
        pass


def test_every_table_is_replaced_or_listed_as_read_by_no_report(house) -> None:
    with connection.cursor() as cursor:
        cursor.execute("""SELECT c.relname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            WHERE a.attname = 'property' AND c.relnamespace = 'public'::regnamespace
            AND c.relkind IN ('r', 'p', 'v')
                AND NOT c.relispartition""")
        tables = {name for (name,) in cursor.fetchall()}
    known = {*as_of.TALLIES, *as_of.MADE_ANEW, *as_of.OF_THE_LEDGER}
    assert known <= tables
    assert tables - known <= READ_BY_NO_REPORT, "a report that reads it would see what came later"
