"""Findings of replay are stored once, however often a stream is replayed, and are the same in a new
installation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from django.db import connection

from audit.findings import examine as findings
from audit.findings import finding_writer, read, save
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.replay import rules_fingerprint
from tests.audit.floor import fact, line, opened
from tests.counts import LONG
from tests.nights.reading import nights
from tests.simulation.replaying import differences

SENDER = Sender("pit-1")
TABLES = ("finding", "tally", "cage_tally", "player_tally", "tray_tally", "void_tally", "slip_tally")


def record(lines: Iterable[bytes], pieces: int = 500) -> None:
    listed = list(lines)
    for start in range(0, len(listed), pieces):
        intake.post(listed[start : start + pieces], SENDER)


def stored_findings() -> dict[str, list[Any]]:
    """Return the rows of all tables that an examination writes. Their order does not depend on the order in
    which they were written.
    """
    with connection.cursor() as cursor:
        rows = {}
        for table in TABLES:
            cursor.execute(f"SELECT to_jsonb(t)::text FROM {table} t ORDER BY 1")
            rows[table] = cursor.fetchall()
        cursor.execute(
            "SELECT property, stream, cursor, rules, game, settings::text, open_boxes FROM examination ORDER"
            " BY 1, 2"
        )
        return rows | {"examination": cursor.fetchall()}


def drop_everything() -> None:
    with connection.cursor() as cursor:
        for table in (*TABLES, "examination", "ledger_examination"):
            cursor.execute(f"DELETE FROM {table}")


def register(place: int, register_: str, key: str, value: Any, **fields: Any) -> bytes:
    entry = {
        "register": register_,
        "key": key,
        "value": value,
        "from": None,
        "by": "m-1",
        "second": "m-2",
        **fields,
    }
    return line(fact(place, "register-set", table="aurora/house", **entry))


def test_every_night_through_the_ledger_has_exactly_the_planted_findings(house: Any) -> None:
    listed = list(nights())[:: 1 if LONG else 4]
    dealers = sorted({dealer for night in listed for dealer in night.needs.get("dealers", ())})
    record([register(place, "people", dealer, {"role": "dealer"}) for place, dealer in enumerate(dealers)])
    record(line for night in listed for line in night.lines)
    findings.examine()
    all_findings = [finding for finding, _ in read.findings()]
    for night in listed:
        of_night = [
            finding
            for finding in all_findings
            if finding.stream == night.stream and (night.needs or finding.code != "dealer-unknown")
        ]
        assert not differences(of_night, list(night.expect), list(night.also)), night.name


def test_a_second_examination_changes_nothing_and_a_reexamination_finds_the_same(house: Any) -> None:
    record(line for night in nights("easy_over_under-house", "andar_bahar-faults") for line in night.lines)
    first = findings.examine()
    before = stored_findings()
    second, complete = findings.examine(), findings.reexamine()
    assert first.new == len(before["finding"]) > 0
    assert (second.streams, second.facts, second.new) == (0, 0, 0)
    assert (complete.gained, complete.lost) == ((), ())
    assert stored_findings() == before


def test_a_day_examined_fact_by_fact_has_the_findings_of_the_whole_day(house: Any) -> None:
    for night in nights("easy_over_under-house", "andar_bahar-honest"):
        for start in range(0, len(night.lines), 37):
            intake.post(night.lines[start : start + 37], SENDER)
            findings.examine()
    as_it_came = stored_findings()
    drop_everything()
    findings.examine()
    assert stored_findings() == as_it_came


@pytest.mark.parametrize("batch", [1, 7])
def test_findings_written_in_batches_during_the_fold_are_those_written_at_its_end(
    house: Any, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    record(line for night in nights("easy_over_under-house", "andar_bahar-faults") for line in night.lines)
    at_once = findings.examine()
    before = stored_findings()
    drop_everything()
    monkeypatch.setattr(finding_writer, "BATCH", batch)
    in_batches = findings.examine()
    assert stored_findings() == before
    assert in_batches[:-1] == at_once[:-1]
    assert in_batches.new > 5 * batch


def test_a_late_recount_and_a_late_void_give_the_same_results_as_early_ones(house: Any) -> None:
    two = {"by": "d-1", "second": "s-1"}
    trays = (("opener", 1_300_000), ("opener", 900_000), ("closer", 80), ("closer", 70))
    lines = [
        line(opened(1)),
        *(
            line(fact(place, f"{kind}-counted", chips={}, amount=n, **two))
            for place, (kind, n) in enumerate(trays, 2)
        ),
    ]
    lines.append(line(fact(6, "slip-voided", slip="F-3", reason="spoilt", **two)))
    for text in lines:
        record([text])
        findings.examine()
    as_it_came = stored_findings()
    assert {json.loads(row)["place"]: json.loads(row)["amount"] for (row,) in as_it_came["tray_tally"]} == {
        1: 900_000,
        2: 70,
    }
    assert [(json.loads(row)["slip"], json.loads(row)["stands"]) for (row,) in as_it_came["slip_tally"]] == [
        ("F-3", False)
    ]
    drop_everything()
    findings.examine()
    assert stored_findings() == as_it_came


def test_two_processes_rebuild_the_findings_of_one(house: Any) -> None:
    record(line for night in nights("easy_over_under-faults") for line in night.lines)
    findings.examine()
    before = stored_findings()
    drop_everything()
    findings.examine(workers=2)
    assert stored_findings() == before


def test_a_deleted_state_costs_only_time(house: Any) -> None:
    (night,) = nights("easy_over_under-honest")
    record(night.lines[:700])
    findings.examine()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE examination SET state = NULL")
    record(night.lines[700:])
    findings.examine()
    before = stored_findings()
    drop_everything()
    findings.examine()
    assert stored_findings() == before


def test_a_finding_that_a_changed_rule_loses_is_withdrawn_by_a_fact(
    house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(
        line
        for night in nights("easy_over_under-faults")
        for line in night.lines
        if "EOU-100" in night.stream
    )
    findings.examine()
    with connection.cursor() as cursor:  # as if earlier rules had reported one more and one less finding
        cursor.execute("UPDATE finding SET id = 'yesterday:' || id")
    dry = findings.reexamine(dry_run=True)
    assert len(dry.gained) == len(dry.lost) == 1
    assert len(list(read.findings())) == 1
    result = findings.reexamine()
    assert (result.gained, result.lost) == (dry.gained, dry.lost)
    with connection.cursor() as cursor:
        cursor.execute("SELECT convert_from(body, 'UTF8') FROM fact WHERE kind = 'reexamined'")
        (fact,) = [json.loads(row[0]) for row in cursor.fetchall()]
    assert (fact["gained"], fact["lost"]) == (list(result.gained), list(result.lost))
    assert fact["cause"] == "check", "no other rules are stored for this stream"
    assert fact["rules"] == rules_fingerprint.rules_of("easy_over_under")
    assert findings.reexamine().gained == ()


def test_changed_rules_judge_a_stream_again_when_something_new_comes(house: Any) -> None:
    (night,) = nights("easy_over_under-honest")
    record(night.lines[:700])
    findings.examine()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE examination SET rules = 'yesterday'")
        cursor.execute("UPDATE finding SET says = 'yesterday'")
    record(night.lines[700:])
    assert findings.examine().facts == len(night.lines)


def test_a_late_register_entry_applies_to_earlier_facts(house: Any) -> None:
    seated = fact(2, "dealer-seated", dealer="d-1", supervisor="s-1")
    record([line(opened(1)), line(seated)])
    findings.examine()
    assert [finding.code for finding, _ in read.findings()] == []
    record([register(3, "people", "d-2", {"role": "dealer"})])
    findings.examine()
    assert [finding.code for finding, _ in read.findings()] == ["dealer-unknown"]
    record([register(4, "people", "d-1", {"role": "dealer"})])
    result = findings.examine()
    assert [finding.code for finding, _ in read.findings()] == []
    assert len(result.lost) == 1


def test_a_register_with_a_number_of_any_size_stops_no_examination(house: Any) -> None:
    """Examine a ledger with a serial of forty digits in a register entry. The facts after it are read as
    usual.
    """
    huge = {"serial": int("9" * 40), "least": -int("9" * 40)}
    record([line(opened(1)), register(2, "devices", "shoe-7", huge)])
    findings.examine()
    record(
        [
            line(fact(3, "dealer-seated", dealer="d-1", supervisor="s-1")),
            register(4, "people", "d-2", {"role": "dealer"}),
        ]
    )
    findings.examine()
    assert [entry.value for entry in save.register_entries("aurora")] == [huge, {"role": "dealer"}]
    assert [finding.code for finding, _ in read.findings()] == ["dealer-unknown"]


def test_a_correction_of_a_round_before_the_saved_state_is_judged(house: Any) -> None:
    (night,) = [
        night for night in nights("easy_over_under-faults") if night.fault == ("corrected-beyond-owed",)
    ]
    corrected = next(place for place, sent in enumerate(night.facts) if sent["kind"] == "corrected")
    record(night.lines[:corrected])
    findings.examine()
    record(night.lines[corrected:])
    findings.examine()
    assert not differences([finding for finding, _ in read.findings()], list(night.expect), list(night.also))


def test_a_table_that_reports_fewer_kinds_than_before_is_noticed(house: Any) -> None:
    today = opened(2, day="2026-11-28") | {"sees": ["bet", "deal"]}
    record([line(opened(1)), line(today)])
    findings.examine()
    assert [(finding.code, finding.grade, finding.stream) for finding, _ in read.findings()] == [
        ("sees-less", "notice", "aurora/EOU-01/2026-11-28")
    ]


def test_a_round_outside_its_gaming_day_is_noticed_even_at_a_clock_change(house: Any) -> None:
    begins = {"time": "06:00", "zone": "America/Los_Angeles"}
    day = "2026-10-31"  # this gaming day has 25 hours: the clock is put back at 02:00 on 1 November
    last = "2026-11-01T05:59:59-08:00"
    lines = [
        line(opened(1, day=day)),
        line(fact(2, "round-opened", day=day, round="r-1") | {"at": last}),
        line(fact(3, "round-closed", day=day, round="r-1") | {"at": last}),
        line(fact(4, "round-opened", day=day, round="r-2") | {"at": "2026-11-01T06:00:00-08:00"}),
        register(5, "day-begins", "property", begins),
    ]
    record(lines)
    findings.examine()
    assert [(finding.code, finding.round) for finding, _ in read.findings(code="wrong-day")] == [
        ("wrong-day", "r-2")
    ]


def test_the_next_stream_is_examined_although_another_holds_its_own(house: Any) -> None:
    """Run two examiners at once: each stream is replayed once, and the tally counts every fact once."""
    record(line for night in nights("andar_bahar-faults") for line in night.lines)
    from concurrent.futures import ThreadPoolExecutor

    from django.db import connections

    def examine_once(_: int) -> int:
        try:
            return findings.examine().streams
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(examine_once, range(3)))
    before = stored_findings()
    drop_everything()
    findings.examine()
    assert stored_findings() == before
