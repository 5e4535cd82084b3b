"""A row that replay stored is changed. `reexamine --dry-run` and `verify` name this row. `reexamine` replaces
the row and records that it did. After that, no difference is reported.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from audit.differences import LISTED, Difference, Differences
from audit.findings import examine as findings
from audit.findings import save
from audit.keyed_digest import keyed_digest
from audit.proofs.registry import REPLAY, selected
from audit.proofs.run import run
from audit.review import round_columns
from tests.audit.floor import DAY, fact, line, opened, uid
from tests.audit.test_again import ISSUED, SENT
from tests.audit.test_findings import record
from tests.furnished import furnishing
from tests.nights.reading import nights

STREAMS = ("EOU-02", "EOU-100", "EOU-101", "EOU-115", "EOU-156")
LOST = f"{uid(1)}:late-bet:1:over"
CHANGES = {
    "tally": "taken = taken + 1000000",
    "cage_tally": "amount = amount + 1",
    "player_tally": "staked = staked * 2",
    "tray_tally": "amount = amount - 1",
    "slip_tally": "amount = amount + 1",
    "void_tally": "refunded = refunded + 1",
    "round_tally": "cards = array_append(cards, 'Ks'), rank = rank + 1",
    "finding": "says = 'Nothing happened.', code = 'late-bet'",
    "examination": "open_boxes = open_boxes + 1",
    "ledger_examination": "state = convert_to('{}', 'UTF8')",
    "queued": "at = at + interval '1 second'",
    "verdict": "verdict = 'dismissed'",
    "flag": "why = 'nothing'",
    "withdrawn": "rules = 'none'",
    "finding_tally": "gained = gained + 1",
    "followed": "position = position - 1",
    "serial_again": "slip = 'another'",
    "unpaid_marker": "issued = issued + 1",
}
"""SQL that changes one row, for each database table."""


@furnishing
def examined() -> str:
    """Fill every database table that replay writes, and return the id of a finding."""
    lines = [
        text.replace(b'"kind":"bet"', b'"kind":"bet","player":"p-1"')
        for night in nights("easy_over_under-faults", "easy_over_under-house")
        for text in night.lines
        if night.stream.split("/")[1] in STREAMS
    ]
    record(lines)
    findings.examine()
    ((finding, round_),) = rows("SELECT id, round FROM finding WHERE round IS NOT NULL ORDER BY id LIMIT 1")
    of_house: dict[str, Any] = {"table": "aurora/house"}
    verdict = {"finding": finding, "code": finding.split(":")[1], "says": "so", "owed": None, "moved": None}
    verdict |= {"verdict": "confirmed", "by": "v-101", "note_sha256": None, "video": []}
    verdict |= {"disposition": "dealer_error_uncorrected_player_loss"}
    verdict |= dict.fromkeys(("savings", "losses", "recovered"), 0)
    flagged = {"of_table": "aurora/EOU-100", "of_day": DAY, "round": round_, "why": "look", "by": "v-101"}
    record(
        [
            line(fact(900, "verdict-given", **of_house, **verdict)),
            line(fact(901, "flagged", **of_house, **flagged)),
            line(
                fact(902, "reexamined", **of_house, rules="r", gained=[], lost=[f"{uid(1)}:late-bet:1:over"])
            ),
            line(opened(910, "aurora/T1")),
            line(fact(911, "fill-sent", "aurora/T1", slip="F-1", **SENT)),
            line(fact(912, "credit-sent", "aurora/T1", slip="F-1", **SENT)),
            line(fact(913, "marker-issued", "aurora/T1", slip="M-1", **ISSUED)),
        ]
    )
    findings.examine()
    return str(finding)


def rows(query: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchall() if cursor.description else []


def content(table: str) -> set[Any]:
    return set(rows(f"SELECT (to_jsonb(t) - 'touched')::text FROM {table} t"))


def change_first_row(table: str, change: str) -> None:
    rows(f"UPDATE {table} SET {change} WHERE ctid = (SELECT ctid FROM {table} ORDER BY ctid LIMIT 1)")


def differing() -> list[Difference]:
    """Return the differences that a dry run lists. Assert that the dry run records nothing."""
    before = rows("SELECT position FROM head")
    listed = findings.reexamine(dry_run=True).differences.listed
    assert rows("SELECT position FROM head") == before
    return listed


def faults() -> set[tuple[str, str]]:
    return {(fault.table, fault.kind) for fault in run(selected([REPLAY])).faults}


def test_a_changed_row_of_each_table_is_named_replaced_and_recorded(examined: str) -> None:
    stored = {table: content(table) for table in CHANGES}
    assert differing() == []
    assert not faults()
    for number, (table, change) in enumerate(CHANGES.items(), 1):
        change_first_row(table, change)
        named = differing()
        assert {difference.table for difference in named if not difference.explained} >= {table}, table
        assert len({difference.table for difference in named}) >= min(number, 5)
    assert {table for table, _ in faults()} == {*CHANGES}
    repaired = findings.reexamine()
    assert set(repaired.differences.by_table(explained=False)) == {*CHANGES}
    replaced = facts("reexamined")[1:]
    assert set().union(*(fact.get("replaced", {}) for fact in replaced)) == {*CHANGES}
    assert {fact["of_table"] for fact in replaced if "of_table" in fact} >= {"aurora/EOU-02"}
    findings.examine()
    assert differing() == []
    assert not faults()
    unstable = ("ledger_examination", "followed", "withdrawn")  # facts about the repair were added
    for table in (name for name in CHANGES if name not in unstable):
        assert content(table) >= stored[table], table


def test_added_and_deleted_rows_are_named_and_replaced_as_superuser_too(examined: str, house: Any) -> None:
    owner = house.owner
    count = rows("SELECT count(*) FROM tally")
    owner.execute(
        "CREATE TEMP TABLE copy AS SELECT * FROM tally ORDER BY ctid LIMIT 1;"
        " UPDATE copy SET dealer = 'nobody'; INSERT INTO tally SELECT * FROM copy;"
        " UPDATE copy SET stream = 'aurora/NO-TABLE/2026-11-27'; INSERT INTO tally SELECT * FROM copy;"
        " DELETE FROM finding WHERE id = (SELECT min(id) FROM finding WHERE stream LIKE '%EOU-100%');"
        " DELETE FROM examination WHERE stream LIKE 'aurora/T1/%'"
    )
    named = {
        (difference.table, difference.kind, difference.place.split("/")[1].split()[0])
        for difference in differing()
    }
    assert {("tally", "added"), ("finding", "missing"), ("examination", "missing")} <= {
        (table, kind) for table, kind, _ in named
    }
    assert ("tally", "added", "NO-TABLE") in named
    assert {("tally", "added"), ("finding", "missing"), ("examination", "missing")} <= faults()
    findings.reexamine(workers=2)
    findings.examine()
    assert differing() == []
    assert rows("SELECT count(*) FROM tally") == count


def test_a_change_of_rules_alone_is_not_called_tampering(examined: str) -> None:
    for property, stream in save.behind(True):
        with connection.cursor() as cursor:
            seal = save.seal(property, stream, "yesterday")
            cursor.execute(
                "UPDATE examination SET rules = 'yesterday', seal = %s WHERE stream = %s", [seal, stream]
            )
    assert differing() == []
    change_first_row("finding", "says = 'Earlier rules said this.'")
    (difference,) = (difference for difference in differing() if difference.table == "finding")
    assert (difference.column, difference.explained) == ("says", True)
    assert not {fault for fault in faults() if fault[0] == "finding"}
    before = rows("SELECT count(*) FROM fact WHERE kind = 'reexamined'")
    findings.reexamine()
    assert differing() == []
    assert rows("SELECT count(*) FROM fact WHERE kind = 'reexamined'") == before


def test_unsealed_rules_do_not_explain_a_difference(examined: str) -> None:
    rows("UPDATE examination SET rules = 'invented', seal = NULL")
    change_first_row("tally", "taken = taken + 1")
    assert ("tally", False) in {(difference.table, difference.explained) for difference in differing()}
    assert ("tally", "changed") in faults()


def test_results_that_workers_have_not_written_yet_are_no_difference(examined: str) -> None:
    record([line(fact(920, "fill-sent", "aurora/T1", slip="F-2", **SENT))])
    assert differing() == []
    rows("UPDATE job SET state = 'done'")
    assert {(difference.table, difference.column) for difference in differing()} == {
        ("examination", "cursor"),
        ("ledger_examination", "cursor"),
    }


def test_a_deleted_state_is_no_difference_because_it_is_a_cache(examined: str) -> None:
    rows("UPDATE examination SET state = NULL")
    assert differing() == []


def test_a_day_examined_in_pieces_is_stored_as_the_day_read_at_once(house: Any) -> None:
    (night,) = (night for night in nights("easy_over_under-faults") if "EOU-115" in night.stream)
    for start in range(0, len(night.lines), 7):
        record(night.lines[start : start + 7])
        findings.examine()
    assert differing() == []


def test_the_command_names_each_difference_and_ends_with_1(
    examined: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("reexamine", dry_run=True)
    capsys.readouterr()
    change_first_row("tally", "taken = taken + 1000000")
    with pytest.raises(SystemExit) as ended:
        call_command("reexamine", dry_run=True)
    out = capsys.readouterr().out
    assert ended.value.code == 1
    assert "changed tally aurora/" in out
    assert " taken: stored '" in out
    assert "tally: 1 difference without a change of rules\n" in out


def facts(kind: str) -> list[dict[str, Any]]:
    query = f"SELECT convert_from(body, 'UTF8') FROM fact WHERE kind = '{kind}' ORDER BY position"
    return [json.loads(body) for (body,) in rows(query)]


def test_differences_are_counted_beyond_those_that_are_listed() -> None:
    row = Difference("tally", "aurora", "paid", "1", "2")
    differences, others = Differences(), Differences()
    differences.add([row] * 150)
    others.add([row] * (LISTED + 1) + [row._replace(explained=True)] * 3)
    differences.merge(others)
    assert len(differences.listed) == LISTED + 3
    assert differences.unlisted(explained=False) == {"tally": 151}
    assert differences.unlisted(explained=True) == {}


def test_a_queue_that_an_earlier_release_computed_is_replaced_and_is_no_tampering(examined: str) -> None:
    before = content("queued")
    rows("UPDATE queued SET less = 0, to_player = 0, to_house = 0")
    for (stream,) in rows("SELECT name FROM stream"):
        round_columns.refresh("aurora", stream, None)
    digest = keyed_digest("rules of the queue", "aurora", "before").hex()
    rows(f"UPDATE followed SET rules = 'before', seal = '\\x{digest}'")
    assert {(difference.table, difference.explained) for difference in differing()} == {("queued", True)}
    assert not faults()
    recorded = len(facts("reexamined"))
    assert findings.reexamine().differences.unexplained == 0
    assert (content("queued"), len(facts("reexamined"))) == (before, recorded)
    assert differing() == []


def test_unsealed_rules_of_the_queue_do_not_explain_a_difference(examined: str) -> None:
    rows("UPDATE queued SET less = less - 1 WHERE ctid = (SELECT ctid FROM queued LIMIT 1)")
    rows("UPDATE followed SET rules = 'before'")
    assert {(difference.table, difference.explained) for difference in differing()} == {
        ("queued", False),
        ("followed", False),
    }
