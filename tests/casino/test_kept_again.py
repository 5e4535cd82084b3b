"""Archived exports are rebuilt byte for byte after the ledger has grown, for example by a late slip, a late
void or a later day.
"""

from __future__ import annotations

import json
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from audit.findings import examine as findings
from audit.findings.as_of import as_of
from audit.queries import heads
from casino.exports import datasets
from casino.exports.archive import build, orders
from casino.exports.archive.orders import ExportSpec
from casino.exports.formats import registry
from casino.reference import projection
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports import catalog
from casino.surveillance.services import keep_words
from tests.casino.books import BY, close, counted, map_accounts, marked
from tests.casino.conftest import Cast
from tests.casino.feeding import run
from tests.casino.lists import recorded_lists, verdict
from tests.casino.nights import record as record_night
from tests.casino.nights import troubled_day
from tests.casino.test_kept import content, rebuild_message, rebuilt_same, work
from tests.casino.test_reports import PEOPLE, at, felt, live, record
from tests.casino.test_restated import adjust
from tests.conftest import House
from tests.furnished import furnishing

NAMES = (*catalog.names(), *datasets.names())
BAG = {"deposit": "0001", "currency": "USD", "amount": 700}


def investigation(state: str, words: str = "0" * 64) -> dict[str, Any]:
    """Return a fact of the log: an investigation of one row of the statistical review has this state."""
    row = {
        "about": "statistical review: statistics, aurora/T1",
        "report": "statistics",
        "by_what": ["table"],
        "key": ["aurora/T1"],
    }
    fields = {
        "days": {"from": "2026-11-26", "to": "2026-11-27"},
        "figures": {"verdict": "within"},
        "head": {"position": 1, "chain": "00"},
    }
    return at(table="aurora/house", day="2026-11-27")(
        "log-written", by="a-101", state=state, words_sha256=words, **row, **fields
    )


@furnishing
def books() -> Cast:
    """Record a ledger in which every report and every list has rows."""
    cast = recorded_lists()
    map_accounts()
    record(
        counted(10_000, 1000, 9_900, table="aurora/T6", day="2026-11-25"),
        marked("aurora/T6", "2026-11-25", issued=500),
        close("2026-11-25", "aurora/T6"),
        adjust("closer", 300_000, "2026-11-25", "2026-11-27", "aurora/T6"),
        felt(2000, 300, "aurora/T7")[:-1],
        [
            at(table="aurora/T7")("fill-sent", slip="F-0002", chips={}, amount=300, **PEOPLE),
            investigation("opened"),
            at(table="aurora/house")("deposit-sent", **BAG, carrier="transport", by="c-1", second="g-1"),
        ],
    )
    return cast


def record_later_facts() -> None:
    """Record later facts: late ones of every kind, those of a later day, and new register entries."""
    later, make = at(table="aurora/T7"), at(table="aurora/T1")
    record(
        [
            later(kind, slip=slip, chips={}, amount=300, **PEOPLE)
            for kind, slip in (("fill-sent", "F-0001"), ("credit-sent", "C-0001"))
        ],
        [later("slip-voided", slip="F-0002", reason="torn", **BY)],
        [later("drop-counted", box="b-1", shift="day", notes={}, amount=1900, team=["c-1", "c-2"])],
        [make("count-verified", box="b-1", amount=10_000, by="c-8"), make("day-closed", by="a-1")],
        counted(7_000, 70, table="aurora/T6", day="2026-11-28"),
        marked("aurora/T6", "2026-11-28", paid=500),
        adjust("drop", 250, "2026-11-25", "2026-11-28", "aurora/T6"),
        [investigation("chance"), at(table="aurora/house")("deposit-confirmed", **BAG, by="a-1")],
        live(700, 70, "aurora/L3"),
    )
    record_night(troubled_day("EOU-08", times=1))
    record([at(table="aurora/house", day="2026-11-28")("verdict-given", **verdict(5))])
    entries = [Entry("tables", table, {"pit": "west"}) for table in ("T1", "EOU-07")]
    set_registers(
        "aurora", [*entries, Entry("thresholds", "adjustment", {"amount": 1})], by="m-101", second="m-102"
    )
    map_accounts("2026-11-01")
    findings.examine()
    projection.sync_registers()


def spec_of(name: str, format: str = "json") -> ExportSpec:
    by = catalog.report(name).DEFAULT_BY if name in catalog.names() else ()
    return ExportSpec("aurora", name, date(2026, 11, 20), date(2026, 12, 20), by, format)


def export_bytes(name: str) -> list[bytes]:
    """Return the bytes of an export at the present position, once with its default grouping and once grouped
    by everything that it can be grouped by.
    """
    wholly = spec_of(name)._replace(by=catalog.report(name).BY if name in catalog.names() else ())
    return [b"".join(registry.parts(build.sheet_of(spec), "json")) for spec in (spec_of(name), wholly)]


def test_every_export_as_of_a_position_is_the_same_after_the_ledger_has_grown(
    books: Cast,
) -> None:
    before = {name: export_bytes(name) for name in NAMES}
    assert [name for name in NAMES if not json.loads(before[name][0])["rows"]] == [], "each says something"
    position = heads.head("aurora").position
    record_later_facts()
    assert [name for name in NAMES if export_bytes(name) == before[name]] == [], (
        "and each says something else now"
    )
    with as_of("aurora", position):
        projection.load_registers_as_of("aurora")
        assert [name for name in NAMES if export_bytes(name) != before[name]] == []


@pytest.mark.parametrize(
    ("name", "format"),
    [("slips", "json"), ("unopened-tables", "json"), ("findings", "ndjson"), ("facts", "ndjson")],
)
def test_archived_exports_rebuilt_and_as_of_their_position_are_equal(
    books: Cast, tmp_path: Path, name: str, format: str
) -> None:
    id = orders.order(spec_of(name, format), "a-101")
    work()
    assert id is not None
    order = orders.get_order(id)
    assert order is not None
    record_later_facts()
    bytes = content(id)
    assert rebuilt_same(id), rebuild_message(id)
    days = ("--from", order.what.begins, "--to", order.what.ends, "--property", "aurora", "--format", format)
    out = tmp_path / f"{name}.{format}"
    assert run("export", name, *days, "--as-of", order.position, "--out", out).code == 0
    assert (out.read_bytes(), out.with_name(f"{out.name}.manifest.json").read_text()) == (
        bytes,
        order.manifest,
    )
    if name in catalog.names():
        assert run("report", name, *days, "--as-of", order.position).out.encode() == bytes


def test_a_spreadsheet_with_days_as_text_is_rebuilt_as_it_was_written(house: House, books: Cast) -> None:
    id = orders.order(spec_of("tally", "xlsx"), "a-101")
    work()
    assert id is not None
    order = orders.get_order(id)
    assert order is not None
    assert (rebuilt_same(id), json.loads(order.manifest)["writing"]) == (True, 6)
    with build.build(order.what, order.position, writing=1).file as file:
        file.seek(0)
        before = file.read()
    manifest = {key: value for key, value in json.loads(order.manifest).items() if key != "writing"}
    for table in ("kept_report", "kept_piece"):
        house.owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER never_changed")
    house.owner.execute("UPDATE kept_piece SET content = %s", [before])
    house.owner.execute(
        "UPDATE kept_report SET sha256 = %s, manifest = %s",
        [sha256(before).hexdigest(), json.dumps(manifest)],
    )
    record_later_facts()
    assert (content(id) == before, rebuilt_same(id)) == (True, True), rebuild_message(id)


def test_a_rebuilt_investigation_names_erased_text(house: House, books: Cast) -> None:
    words = keep_words("aurora", books.person("Alma"), "a cold deck")
    record([investigation("chance", words)])
    id = orders.order(spec_of("investigations"), "a-101")
    work()
    assert id is not None
    assert rebuilt_same(id)
    house.owner.execute("DELETE FROM free_words")
    assert rebuild_message(id).endswith("Texts that are stored outside the ledger were erased since.")


def test_a_position_needs_one_property_and_must_be_in_its_ledger(books: Cast) -> None:
    for arguments, message in (
        (("--as-of", 3), "name the property with --property"),
        (("--property", "aurora", "--as-of", 10**6), "its last position is"),
    ):
        for command in (("report", "slips"), ("export", "facts")):
            ran = run(*command, *arguments)
            assert (ran.code, message in ran.err, ran.out) == (2, True, "")
