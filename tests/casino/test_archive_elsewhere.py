"""A person who has only an archive of facts, `verify_proof.py` and the public key checks the archive on a
machine without Catwalk.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from audit.fact_archive import files
from audit.tree import checkpoints
from audit.tree.notes import VerifierKey
from casino.checkpoints import make
from casino.exports import verify_proof
from tests.casino.conftest import Cast
from tests.casino.test_checkpoints import check_proof
from tests.casino.test_fact_archive import (
    OCTOBER,
    archived,
    day_file,
    drop_last,
    flip,
    manifest,
    october,
    raise_amount,
    record,
    rename_stream,
    replace,
    rewrite,
    swap,
    table_day,
)

assert october  # a fixture
FIRST, SECOND = OCTOBER


@pytest.fixture
def folder(october: Cast, tmp_path: Path) -> Path:
    """Return a folder with an archive and the program, and nothing of Catwalk."""
    assert archived(tmp_path / "archive").code == 0
    (tmp_path / "verify_proof.py").write_bytes(Path(verify_proof.__file__).read_bytes())
    return tmp_path


def vkey() -> str:
    """Return the public key of aurora's checkpoints."""
    return checkpoints.keys_of("aurora")[0].verifier().text


def checked(folder: Path, name: str = "archive") -> subprocess.CompletedProcess[str]:
    return check_proof(folder, name, vkey())


def test_an_intact_archive_is_valid_on_a_machine_without_catwalk(folder: Path) -> None:
    part = files.all_parts(folder / "archive")[0].manifest
    result = checked(folder)
    assert (result.returncode, result.stderr) == (0, ""), result.stdout
    first, coverage, last = result.stdout.splitlines()
    assert first.startswith(f"aurora 2026-10 part 1: {part.facts} facts in 2 files. Checkpoint of ")
    assert f": {part.size} facts, root " in first
    outside = f"aurora: {part.size - part.facts} of the {part.size} facts of the checkpoint"
    assert (coverage, last) == (f"{outside} are not in this archive.", "Valid.")
    assert checked(folder, "archive/property=aurora/month=2026-10").returncode == 0
    command = [sys.executable, "-I", "-c", "import casino.exports"]
    assert subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 1


def test_facts_that_were_recorded_later_are_a_part_that_continues_the_first(folder: Path) -> None:
    late = {"kind": "flagged", "table": "aurora/house", "day": "2026-10-31", "of_table": "aurora/EOU-01"}
    late |= {"uid": "00000000-0000-7000-8000-00000000abcd", "at": "2026-11-02T12:00:00Z", "source": "desk"}
    record([late | {"of_day": "2026-10-31", "round": "r-0001", "why": "look", "by": "v-101"}])
    make.make("aurora")
    assert archived(folder / "archive").code == 0
    result = checked(folder)
    assert (result.returncode, "aurora 2026-10 part 2: 1 facts in 1 files." in result.stdout) == (0, True)
    manifest(folder / "archive", 1).unlink()
    assert "_manifest-2.json: it is in no manifest" in checked(folder).stdout


def test_without_key_archive_or_pyarrow_nothing_is_accepted(folder: Path) -> None:
    other = check_proof(folder, "archive", VerifierKey("catwalk.local/aurora", bytes(32)).text)
    assert (other.returncode, "NOT VALID" in other.stdout) == (1, True)
    (folder / "empty").mkdir()
    empty = checked(folder, "empty")
    assert (empty.returncode, "has no manifest of an archived month" in empty.stderr) == (2, True)
    program = "import runpy, sys; sys.modules['pyarrow'] = None; del sys.argv[0]; runpy.run_path("
    program += "sys.argv[0], {}, '__main__')"
    command = [sys.executable, "-I", "-c", program, "verify_proof.py", "archive", "--vkey", vkey()]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (result.returncode, "the package pyarrow" in result.stderr) == (2, True), result.stderr


def edit(root: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the content of the manifest."""
    content = json.loads(manifest(root).read_bytes())
    change(content)
    manifest(root).write_text(json.dumps(content))


def drop_middle(columns: dict[str, list[Any]]) -> None:
    for values in columns.values():
        del values[7]


def other_number(columns: dict[str, list[Any]]) -> None:
    columns["number"][7] += 1


def no_fact(columns: dict[str, list[Any]]) -> None:
    columns["body"][7] = "[]"


def two_positions(columns: dict[str, list[Any]]) -> None:
    columns["position"][7:9] = reversed(columns["position"][7:9])


def later_checkpoint(root: Path) -> None:
    """Put a checkpoint of the same ledger that has more facts into the manifest."""
    record(table_day(date(2026, 11, 2), "EOU-07")[:30])
    make.make("aurora")
    latest = checkpoints.latest("aurora")
    assert latest is not None
    edit(root, lambda content: content.update(size=latest.size, checkpoint=checkpoints.cosigned_note(latest)))


def other_root(root: Path) -> None:
    """Change the root in the checkpoint."""
    text = json.loads(manifest(root).read_bytes())["checkpoint"]
    lines = text.split("\n")
    lines[2] = lines[2][::-1].lstrip("=") + "=" * lines[2].count("=")
    edit(root, lambda content: content.update(checkpoint="\n".join(lines)))


def fewer_hashes(content: dict[str, Any]) -> None:
    content["days"][0]["hashes"] = ""


def later_first(content: dict[str, Any]) -> None:
    content["days"][0]["first"] += 1


TAMPERINGS: dict[str, tuple[Callable[[Path], object], str]] = {
    "byte": (lambda root: flip(day_file(root, FIRST)), "day=2026-10-30/facts-1.parquet: it has SHA-256"),
    "gone": (lambda root: day_file(root, SECOND).unlink(), "day=2026-10-31/facts-1.parquet: [Errno 2]"),
    "swapped": (
        lambda root: swap(day_file(root, FIRST), day_file(root, SECOND)),
        "day=2026-10-30/facts-1.parquet: it has the content of 2026-10-31",
    ),
    "value": (
        lambda root: rewrite(root, day_file(root, FIRST), raise_amount),
        "day=2026-10-30/facts-1.parquet: its facts do not lead to the root of the checkpoint",
    ),
    "row": (
        lambda root: rewrite(root, day_file(root, FIRST), drop_middle),
        "it has number 9 of aurora/EOU-01/2026-10-30, after number 7",
    ),
    "last row": (
        lambda root: rewrite(root, day_file(root, SECOND), drop_last),
        "2026-10-31 end with ",
    ),
    "column": (
        lambda root: rewrite(root, day_file(root, FIRST), rename_stream),
        "stream is aurora/EOU-09/2026-10-30, but the fact says aurora/EOU-01/2026-10-30",
    ),
    "number": (
        lambda root: rewrite(root, day_file(root, FIRST), other_number),
        "it has number 9 of aurora/EOU-01/2026-10-30, after number 7",
    ),
    "body": (
        lambda root: rewrite(root, day_file(root, FIRST), no_fact),
        "the bytes in body are not a fact",
    ),
    "order": (
        lambda root: rewrite(root, day_file(root, FIRST), two_positions),
        "is not after the one before it",
    ),
    "added": (lambda root: day_file(root, FIRST).with_name("more.parquet").touch(), ": it is in no manifest"),
    "manifest": (
        lambda root: manifest(root).write_bytes(manifest(root).read_bytes()[:-20]),
        "_manifest-1.json: it is not JSON",
    ),
    "first": (lambda root: edit(root, later_first), "are not those in its manifest"),
    "facts": (lambda root: edit(root, lambda content: content.update(facts=3)), "facts, but it says 3"),
    "property": (
        lambda root: replace(manifest(root), '"property": "aurora"', '"property": "borealis"'),
        ": the fact is of aurora/EOU-01 on 2026-10-30",
    ),
    "path": (
        lambda root: replace(manifest(root), '"path": "day=2026-10-30/', '"path": "../day=2026-10-30/'),
        "'../day=2026-10-30/facts-1.parquet' is not a file of 2026-10-30",
    ),
    "hashes": (lambda root: edit(root, fewer_hashes), "too few hashes"),
    "size": (lambda root: replace(manifest(root), '"size": ', '"size": 1'), "but its checkpoint has"),
    "later checkpoint": (later_checkpoint, "do not lead to the root of the checkpoint"),
    "root": (other_root, "is not valid: the checkpoint was changed or forged"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_every_change_of_an_archive_is_named(folder: Path, name: str) -> None:
    change, says = TAMPERINGS[name]
    change(folder / "archive")
    result = checked(folder)
    assert (result.returncode, result.stderr) == (1, ""), result.stderr
    assert "\nValid." not in result.stdout
    (line, *_) = [line for line in result.stdout.splitlines() if says in line] or [result.stdout]
    assert says in line
    assert line.startswith("NOT VALID: archive/property=aurora/month=2026-10")
