"""If a file has an invalid line, none of it is imported. Importing a file twice records its facts once. If an
import was killed, the same command resumes it.
"""

from __future__ import annotations

import gzip
import json
import signal
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from audit.facts import check
from audit.ledger import store
from casino.importing.spool import BATCH, Spool
from tests.audit.floor import fact, opened
from tests.casino.feeding import counted, run, write_lines
from tests.nights.reading import HERE as NIGHTS

HONEST = "andar_bahar-honest.ndjson.gz"


def night(tmp_path: Path, name: str = HONEST) -> Path:
    path = tmp_path / name.removesuffix(".gz")
    path.write_bytes(gzip.decompress((NIGHTS / name).read_bytes()))
    return path


def heads() -> dict[str, int]:
    return {name: number for _, name, number, _ in store.streams()}


def test_a_night_without_faults_has_no_finding_and_is_recorded_once(house, tmp_path):
    path = night(tmp_path)
    lines = len(path.read_bytes().splitlines())
    first, second = run("import_facts", path), run("import_facts", path)
    assert (first.code, first.err, counted(first)) == (0, "", (lines, 0, 0))
    assert (second.code, counted(second)) == (0, (0, lines, 0))


def test_findings_are_summarized_in_one_line(house, tmp_path):
    ran = run("import_facts", night(tmp_path, "andar_bahar-faults.ndjson.gz"))
    assert ran.code == 1
    assert len(ran.err.splitlines()) == 1
    assert "in the imported facts" in ran.err


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("{", "not JSON"),
        ("[]", "a fact is one JSON object"),
        (fact(3, kind="jump"), "kind: there is no kind 'jump'"),
        (fact(3) | {"amount": 1.5}, "amount: 1.5"),
        (fact(3) | {"amount": 0}, "amount: "),
        (fact(3) | {"uid": "me"}, "uid: 'me' is not a UUID"),
        ('{"a": ' + "9" * 5000 + "}", "more digits than can be read"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_file_with_one_bad_line_is_not_recorded(house, tmp_path, bad, message):
    ran = run("import_facts", write_lines(tmp_path / "facts.ndjson", opened(1), fact(2), "", bad, fact(4)))
    assert (ran.code, counted(ran), heads()) == (1, (0, 0, 1), {})
    assert len(ran.err.splitlines()) == 1
    assert "facts.ndjson line 4: " in ran.err
    assert "Nothing was recorded" in ran.err
    if "JSON" not in message:
        assert message in ran.err


def test_a_line_that_never_ends_is_too_long_and_does_not_fill_the_memory(house, tmp_path):
    path = tmp_path / "endless"
    path.write_bytes(b"0" * (5 * 1024 * 1024) + b"\n" + json.dumps(opened(1)).encode())
    ran = run("import_facts", path)
    assert (ran.code, counted(ran)) == (1, (0, 0, 1))
    assert "line 1: " in ran.err


def test_a_byte_order_mark_line_ends_of_windows_and_blank_lines_are_no_facts(house, tmp_path):
    path = tmp_path / "facts.ndjson"
    path.write_bytes(
        b"\xef\xbb\xbf" + b"\r\n\r\n".join(json.dumps(fact).encode() for fact in (opened(1), fact(2)))
    )
    assert counted(run("import_facts", path)) == (2, 0, 0)


def test_many_files_are_checked_before_the_first_is_recorded(house, tmp_path):
    good, bad = write_lines(tmp_path / "good", opened(1)), write_lines(tmp_path / "bad", "{")
    ran = run("import_facts", good, bad)
    assert (ran.code, counted(ran), heads()) == (1, (0, 0, 1), {})
    cage = write_lines(tmp_path / "more", fact(2), fact(2))
    assert counted(run("import_facts", good, cage)) == (2, 1, 0)


def test_a_refusal_by_the_ledger_stops_the_file_and_names_the_line(house, tmp_path):
    facts: list[Any] = [opened(1), *(fact(place) for place in range(2, BATCH + 3))]
    facts[BATCH + 1]["uid"] = facts[1]["uid"]
    facts[BATCH + 1]["amount"] = 600
    path = tmp_path / "facts.ndjson"
    ran = run("import_facts", write_lines(path, *facts))
    assert (ran.code, counted(ran), heads()) == (1, (BATCH, 0, 1), {"aurora/EOU-01/2026-11-27": BATCH})
    assert f"line {BATCH + 2}: uid: already recorded with another body" in ran.err
    assert f"with {BATCH} facts recorded. Repeat the command to continue" in ran.err
    assert counted(run("import_facts", write_lines(path, *facts[:-1]))) == (1, BATCH, 0)


def test_a_stream_that_does_not_begin_with_its_opening_is_refused_by_line(house, tmp_path):
    ran = run(
        "import_facts", write_lines(tmp_path / "facts.ndjson", opened(1), fact(2, table="aurora/EOU-09"))
    )
    assert (ran.code, heads()) == (1, {})
    assert "line 2: kind: the first fact of aurora/EOU-09/2026-11-27 is table-opened, not take" in ran.err


def test_facts_of_two_properties_are_recorded_unless_one_is_selected(house, tmp_path):
    path = write_lines(
        tmp_path / "facts.ndjson",
        opened(1),
        opened(2, table="borealis/1"),
        fact(3),
        fact(4, table="borealis/1"),
    )
    ran = run("import_facts", path, "--property", "aurora")
    assert (ran.code, counted(ran)) == (1, (0, 0, 2))
    assert "line 2: table: borealis/1 is not aurora" in ran.err
    assert counted(run("import_facts", path)) == (4, 0, 0)


def test_standard_input_is_a_file_too(house, manage, tmp_path):
    ran = manage("import_facts", "-", stdin=night(tmp_path).read_text(), env=house.env)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[-1].startswith("recorded ")


@pytest.mark.parametrize("missing", ["nothing", "."])
def test_a_missing_file_is_reported_in_one_clear_line(house, tmp_path, missing):
    ran = run("import_facts", tmp_path / missing)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "cannot be read" in ran.err


@pytest.mark.parametrize("args", [("--zone", "UTC"), ("--edition", "ezugi"), ("--currency", "USD")])
def test_options_that_do_not_apply_to_facts_exit_2(house, tmp_path, args):
    ran = run("import_facts", *args, write_lines(tmp_path / "facts", opened(1)))
    assert ran.code == 2
    assert "does not support it" in ran.err


@pytest.mark.long
@pytest.mark.parametrize("end_signal", [signal.SIGKILL, signal.SIGINT])
def test_an_ended_import_is_resumed_by_the_same_command(house, manage, tmp_path, end_signal):
    places = count(2)
    path = write_lines(tmp_path / "long.ndjson", opened(1), *(fact(next(places)) for _ in range(6_000)))
    killed = manage.start("import_facts", str(path), env=house.env)
    app = house.app
    while not (app.execute("select position from head").fetchone() or (0,))[0] and killed.poll() is None:
        pass
    killed.send_signal(end_signal)
    killed.communicate()
    before = app.execute("select count(*) from fact").fetchone()[0]
    assert before % BATCH == 0
    ran = run("import_facts", path)
    recorded, recorded_before, refused = counted(ran)
    assert (recorded + recorded_before, recorded_before >= before, refused) == (6_001, True, 0)
    assert app.execute("select count(*), max(position), min(position) from fact").fetchone() == (
        6_001,
        6_001,
        1,
    )
    assert app.execute("select position from head").fetchone() == (6_001,)


def test_two_processes_import_two_tables_at_once_completely(house, manage, tmp_path):
    files = []
    for table in ("EOU-01", "EOU-02"):
        first = 1 if table == "EOU-01" else 10_001
        name = f"aurora/{table}"
        facts = [opened(first, table=name), *(fact(first + place, table=name) for place in range(1, 1200))]
        files.append(write_lines(tmp_path / f"{table}.ndjson", *facts))
    commands = [manage.start("import_facts", str(file), env=house.env) for file in files]
    for command in commands:
        out, err = command.communicate(timeout=300)
        assert out.splitlines()[-1].startswith("recorded 1200, already recorded 0, refused 0, "), err
    assert heads() == {"aurora/EOU-01/2026-11-27": 1200, "aurora/EOU-02/2026-11-27": 1200}


def test_spooled_facts_are_read_back_unchanged_in_batches():
    facts = [
        check(json.dumps(fact).encode())
        for fact in (opened(1), *(fact(place) for place in range(2, 2 * BATCH)))
    ]
    with Spool() as spool:
        for line, spooled_fact in enumerate(facts, 1):
            spool.add(0, line, spooled_fact)
        batches = list(spool.batches())
    assert [len(batch.facts) for batch in batches] == [BATCH, BATCH - 1]
    assert [fact for batch in batches for fact in batch.facts] == facts
    assert [place for batch in batches for place in batch.places] == [
        (0, line) for line in range(1, 2 * BATCH)
    ]
