"""Closed months are archived in Parquet files. Replay over the archive gives the same bytes as replay over
the ledger. `verify` names every change of an archive.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pyarrow import dataset, parquet

from audit import database
from audit.fact_archive import files, proof
from audit.fact_archive.proof import Leaves, WrongProof
from audit.facts import check
from audit.facts.chain import leaf_of
from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.tree import store
from casino.checkpoints import make
from casino.exports import fact_archive
from casino.sample import FAULTS
from casino.sample.tables.day import Day
from casino.sample.tables.table import TABLES
from tests.audit.test_work_units import worker
from tests.casino.conftest import Cast
from tests.casino.feeding import Ran, run
from tests.conftest import House
from tests.furnished import furnishing

OCTOBER = (date(2026, 10, 30), date(2026, 10, 31))
FAULTY = ("wrong-settlement:over:overpaid", "late-bet:new", "not-settled:over")
PROPERTY = ("--property", "aurora")
BY = (*PROPERTY, "--by", "i-101")


def table_day(day: date, table: str) -> list[dict[str, Any]]:
    """Return the facts of a closed gaming day of a table, with three faults, cage and count room."""
    settings = TABLES["easy_over_under"].exact | {"currency": "USD"}
    recorded = Day("easy_over_under", f"{table}/{day}", table=table, day=day, house=True, **settings)
    recorded.open()
    for name in FAULTY:
        recorded.honest(2)
        FAULTS["easy_over_under"][name].act(recorded)
    recorded.close()
    return recorded.facts()


def record(facts: list[dict[str, Any]]) -> None:
    """Record these facts in posts of 50."""
    for at in range(0, len(facts), 50):
        lines = [check(json.dumps(fact).encode()) for fact in facts[at : at + 50]]
        intake.post_prepared(lines, Sender("gateway"))


@furnishing
def october() -> Cast:
    """Record two gaming days of two tables in October, whose facts are mixed, and one day in November."""
    cast = Cast()
    for day in OCTOBER:
        tables = [table_day(day, table) for table in ("EOU-01", "EOU-02")]
        for at in range(0, max(map(len, tables)), 40):
            for facts in tables:
                record(facts[at : at + 40])
    record(table_day(date(2026, 11, 1), "EOU-01")[:30])
    findings.examine()
    make.make("aurora")
    return cast


def archived(root: Path, *options: str) -> Ran:
    return run("archive_facts", root, *BY, *options)


def manifest(root: Path, part: int = 1) -> Path:
    return files.manifest_path(files.month_folder(root, "aurora", "2026-10"), part)


def day_file(root: Path, day: date, part: int = 1) -> Path:
    return files.month_folder(root, "aurora", "2026-10") / files.day_path(day, part)


def verified(root: Path) -> Ran:
    return run("verify", "--only", "fact", "--archive", root)


def test_replay_of_an_archive_gives_the_bytes_of_a_replay_of_a_ledger(october: Cast, tmp_path: Path) -> None:
    written = archived(tmp_path)
    count = database.rows("SELECT count(*) FROM fact WHERE stream LIKE '%%/2026-10-%%'")[0][0]
    assert (written.code, written.out) == (0, f"aurora 2026-10: {count:,} facts in 2 files\n"), written.err
    replayed, of_ledger = run("replay_archive", tmp_path), run("replay_archive", tmp_path, "--from-ledger")
    assert replayed.code == of_ledger.code == 0, replayed.err
    assert replayed.out == of_ledger.out
    lines = [json.loads(line) for line in replayed.out.splitlines()]
    assert [line.get("stream", line.get("ledger")) for line in lines] == [
        "aurora/EOU-01/2026-10-30",
        "aurora/EOU-02/2026-10-30",
        "aurora/EOU-01/2026-10-31",
        "aurora/EOU-02/2026-10-31",
        "aurora",
    ]
    stored = database.rows(
        "SELECT id FROM finding WHERE stream LIKE '%%/2026-10-%%' AND reader = 'table' ORDER BY 1"
    )
    ids = [finding[0] for line in lines[:4] for finding in line["findings"]]
    assert sorted(ids) == [id for (id,) in stored]
    assert len(ids) >= 12
    taken = "SELECT sum(taken)::bigint FROM tally WHERE stream LIKE '%%/2026-10-%%'"
    columns = [row for line in lines[:4] for row in line["tally"]["tally"]]
    assert [(sum(row[12] for row in columns),)] == database.rows(taken)
    ledger = "SELECT id FROM finding WHERE reader = 'ledger' ORDER BY 1"
    assert sorted(finding[0] for finding in lines[4]["findings"]) == [id for (id,) in database.rows(ledger)]


def test_workers_replay_an_archive_with_the_same_output(october: Cast, tmp_path: Path) -> None:
    archived(tmp_path)
    expected = run("replay_archive", tmp_path, *PROPERTY)
    with worker():
        by_workers = run("replay_archive", tmp_path, *PROPERTY, "--on-workers")
    assert (by_workers.code, by_workers.out) == (0, expected.out), by_workers.err
    query = "SELECT stream, state FROM job WHERE kind = 'replay-archived-day' ORDER BY 1"
    assert database.rows(query) == [("2026-10-30", "done"), ("2026-10-31", "done")]


def test_an_archive_that_is_not_there_is_named(october: Cast, tmp_path: Path) -> None:
    assert "has no archived month" in run("replay_archive", tmp_path).err
    assert "missing: has no archived month" in verified(tmp_path).out
    archived(tmp_path)
    unknown = run("replay_archive", tmp_path, "--property", "borealis")
    assert (unknown.code, unknown.err) == (2, "The archive has no month of borealis.")


def test_files_have_every_fact_as_it_was_recorded_and_other_programs_read_them(
    october: Cast, tmp_path: Path
) -> None:
    archived(tmp_path)
    query = "SELECT position, body FROM fact WHERE stream LIKE '%%/2026-10-%%' ORDER BY position"
    recorded = [(position, bytes(body)) for position, body in database.rows(query)]
    part = files.all_parts(tmp_path)[0]
    paths = [(day.first, part.file(day)) for day in part.manifest.days]
    assert [(fact.position, fact.body) for fact in files.by_position(paths)] == recorded
    read = dataset.dataset(tmp_path, format="parquet", partitioning="hive").to_table()
    assert sorted(read.column("position").to_pylist()) == [position for position, _ in recorded]
    assert set(read.column("month").to_pylist()) == {"2026-10"}


def test_nothing_is_written_twice_and_later_facts_become_a_part_of_their_own(
    october: Cast, tmp_path: Path
) -> None:
    archived(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    repeated = archived(tmp_path)
    assert (repeated.code, repeated.out) == (0, "aurora 2026-10: archived before, no new facts\n")
    late = {
        "uid": "00000000-0000-7000-8000-00000000abcd",
        "table": "aurora/house",
        "day": "2026-10-31",
        "kind": "flagged",
        "at": "2026-11-02T12:00:00Z",
        "source": "desk",
        "of_table": "aurora/EOU-01",
        "of_day": "2026-10-31",
        "round": "r-0001",
        "why": "look",
        "by": "v-101",
    }
    record([late])
    make.make("aurora")
    assert archived(tmp_path).out == "aurora 2026-10: 1 facts in 1 files recorded since, as part 2\n"
    assert {path: path.read_bytes() for path in before} == before
    assert verified(tmp_path).code == 0
    assert run("replay_archive", tmp_path).out == run("replay_archive", tmp_path, "--from-ledger").out


def test_an_archive_that_was_interrupted_is_continued(
    october: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = fact_archive._write_day

    def killed(path: Path, property: str, day: date, bounds: fact_archive.Bounds) -> None:
        if day == OCTOBER[1]:
            path.parent.mkdir()
            with fact_archive.new_file(path) as file:
                file.write(b"half a file")
                raise KeyboardInterrupt
        write(path, property, day, bounds)

    monkeypatch.setattr(fact_archive, "_write_day", killed)
    with pytest.raises(KeyboardInterrupt):
        archived(tmp_path)
    first = day_file(tmp_path, OCTOBER[0])
    before = first.stat()
    assert not day_file(tmp_path, OCTOBER[1]).exists()
    assert not manifest(tmp_path).exists()
    assert "was not archived to its end" in verified(tmp_path).out
    monkeypatch.setattr(fact_archive, "_write_day", write)
    assert archived(tmp_path).code == 0
    assert first.stat() == before
    assert verified(tmp_path).code == 0
    assert not list(tmp_path.rglob(".*"))


def test_a_month_that_is_open_or_has_no_checkpoint_is_not_archived(october: Cast, tmp_path: Path) -> None:
    running = archived(tmp_path, "--month", "2026-11")
    assert (running.code, running.err) == (
        1,
        "2026-11 of aurora is not closed: aurora/EOU-01/2026-11-01 must be closed first.",
    )
    record(table_day(date(2026, 10, 29), "EOU-03")[:-1])
    assert "aurora/EOU-03/2026-10-29 must be closed first" in archived(tmp_path, "--month", "2026-10").err
    assert archived(tmp_path).out == "aurora has no closed month\n"
    record(table_day(date(2026, 10, 29), "EOU-03")[-1:])
    assert "No checkpoint covers 2026-10 of aurora" in archived(tmp_path).err
    assert not list(tmp_path.rglob("*"))
    unknown = archived(tmp_path, "--month", "2025-01")
    assert unknown.code == 2
    assert unknown.err.startswith("aurora has no facts of '2025-01'. Available: 2026-10, 2026-11")


@pytest.mark.parametrize("staff_id", ["d-101", "nobody"])
def test_a_person_who_may_not_see_facts_gets_nothing(october: Cast, tmp_path: Path, staff_id: str) -> None:
    refused = run("archive_facts", tmp_path, *PROPERTY, "--by", staff_id)
    assert (refused.code, refused.err) == (1, f"{staff_id} may not see the facts of aurora.")
    assert not list(tmp_path.iterdir())


def test_who_archived_is_in_the_viewing_log(october: Cast, tmp_path: Path) -> None:
    archived(tmp_path)
    query = "SELECT person, hand, address FROM viewing ORDER BY id DESC LIMIT 1"
    assert database.rows(query) == [("i-101", "archive of facts", str(tmp_path))]


def flip(path: Path) -> None:
    """Change one byte in the middle of a file."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def replace(path: Path, before: str, after: str) -> None:
    """Replace a text in a file."""
    path.write_text(path.read_text().replace(before, after))


def swap(first: Path, second: Path) -> None:
    """Swap the contents of two files."""
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)


def rewrite(root: Path, path: Path, change: Callable[[dict[str, list[Any]]], None]) -> None:
    """Change the facts in a file, and its manifest accordingly, as somebody would who hides the change."""
    table = parquet.read_table(path)
    columns = table.to_pydict()
    change(columns)
    parquet.write_table(table.from_pydict(columns, schema=table.schema), path)
    text = json.loads(manifest(root).read_bytes())
    (entry,) = (entry for entry in text["days"] if path.as_posix().endswith(entry["path"]))
    entry |= {"sha256": files.digest_of(path), "bytes": path.stat().st_size}
    entry["facts"] = len(columns["position"])
    text["facts"] = sum(entry["facts"] for entry in text["days"])
    manifest(root).write_text(json.dumps(text))


def raise_amount(columns: dict[str, list[Any]]) -> None:
    place = next(at for at, kind in enumerate(columns["kind"]) if kind == "bet")
    columns["body"][place] = columns["body"][place].replace('"amount":', '"amount":1')


def drop_last(columns: dict[str, list[Any]]) -> None:
    for values in columns.values():
        values.pop()


def rename_stream(columns: dict[str, list[Any]]) -> None:
    columns["stream"][5] = "aurora/EOU-09/2026-10-30"


FIRST, SECOND = OCTOBER
TAMPERINGS: dict[str, tuple[Callable[[Path], None], str]] = {
    "byte": (lambda root: flip(day_file(root, FIRST)), "archive aurora 2026-10-30 part 1 changed: "),
    "gone": (lambda root: day_file(root, SECOND).unlink(), "archive aurora 2026-10-31 part 1 missing: "),
    "swapped": (
        lambda root: swap(day_file(root, FIRST), day_file(root, SECOND)),
        "archive aurora 2026-10-30 part 1 swapped: ",
    ),
    "amount": (
        lambda root: rewrite(root, day_file(root, FIRST), raise_amount),
        "archive aurora 2026-10-30 part 1 rewritten: its facts are not those of the signed checkpoint",
    ),
    "body": (lambda root: rewrite(root, day_file(root, FIRST), raise_amount), " body: is another fact"),
    "dropped": (lambda root: rewrite(root, day_file(root, SECOND), drop_last), " missing: is in the ledger"),
    "column": (
        lambda root: rewrite(root, day_file(root, FIRST), rename_stream),
        " column: stream is aurora/EOU-09/2026-10-30, but the fact says",
    ),
    "added": (
        lambda root: day_file(root, FIRST).with_name("more.parquet").touch(),
        " unknown: is in no manifest",
    ),
    "manifest": (lambda root: flip(manifest(root)), " manifest: "),
    "property": (
        lambda root: replace(manifest(root), '"property": "aurora"', '"property": "borealis"'),
        " is the manifest of part 1 of 2026-10 of borealis.",
    ),
    "forged": (lambda root: replace(manifest(root), '"size": ', '"size": 1'), " forged: "),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_verify_names_every_change_of_an_archive(october: Cast, tmp_path: Path, name: str) -> None:
    archived(tmp_path)
    change, says = TAMPERINGS[name]
    change(tmp_path)
    changed = verified(tmp_path)
    assert changed.code == 1
    assert says in changed.out, changed.out


def test_verify_spans_archive_and_ledger(october: Cast, tmp_path: Path, house: House) -> None:
    archived(tmp_path)
    unchanged = verified(tmp_path)
    assert unchanged.code == 0, unchanged.out
    assert f"archive {tmp_path}: " in unchanged.out
    assert "files of 1 months, 0 faults" in unchanged.out
    house.owner.execute("ALTER TABLE fact DISABLE TRIGGER never_changed")
    position = files.all_parts(tmp_path)[0].manifest.days[0].first
    house.owner.execute("UPDATE fact SET leaf = sha256(body) WHERE position = %s", [position])
    changed = verified(tmp_path)
    assert (
        f"archive aurora 2026-10-30 part 1 position {position} body: is another fact in the ledger"
        in changed.out
    )


def test_the_proof_of_many_facts_is_valid_for_them_alone(october: Cast) -> None:
    rows = database.rows("SELECT position, body FROM fact ORDER BY position")
    size = len(rows)
    root = store.tree_of("aurora").root(size)
    for chosen in (rows[:1], rows[5:300], rows[::2], [*rows[3:90], *rows[257:258], *rows[-4:]], rows):
        leaves = Leaves()
        for position, body in chosen:
            leaves.add(position, leaf_of(bytes(body)))
        computed, hashes = proof.make_proof(leaves, store.tree_of("aurora"), size)
        assert computed == proof.root_by_proof(leaves, hashes, size) == root
        leaves.hashes[0] ^= 1
        assert proof.root_by_proof(leaves, hashes, size) != root
        with pytest.raises(WrongProof, match="too many hashes"):
            proof.root_by_proof(leaves, hashes + bytes(32), size)
        if hashes:
            with pytest.raises(WrongProof, match="too few hashes"):
                proof.root_by_proof(leaves, hashes[:-32], size)
    with pytest.raises(WrongProof, match="is not after the one before it"):
        leaves.add(size, bytes(32))
