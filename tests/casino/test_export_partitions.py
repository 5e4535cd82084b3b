"""A Parquet export of several gaming days makes one file for each day."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyarrow import parquet

from casino.exports import verify_export
from tests.casino.conftest import Cast
from tests.casino.feeding import run
from tests.casino.test_export_formats import floor

__all__ = ["floor"]
DAYS = ("--from", "2026-11-26", "--to", "2026-11-29")
WRITTEN = ("2026-11-26", "2026-11-27", "2026-11-28")


def partitioned(name: str, out: Path, *options: str) -> int:
    return run("export", name, "--format", "parquet", "--partition", "day", "--out", out, *options).code


@pytest.mark.parametrize("name", ["tally", "facts", "hold"])
def test_files_by_day_together_have_all_rows(floor: Cast, tmp_path: Path, name: str) -> None:
    folder, whole_file = tmp_path / "month", tmp_path / "whole.parquet"
    assert partitioned(name, folder, *DAYS) == 0
    assert run("export", name, "--format", "parquet", "--out", whole_file, *DAYS).code == 0
    files = {day: folder / f"gaming_day={day}" / f"{name}.parquet" for day in WRITTEN}
    assert sorted(folder.rglob("*.parquet")) == sorted(files.values())
    rows = {day: parquet.read_table(path).num_rows for day, path in files.items()}
    assert (rows["2026-11-26"], rows["2026-11-28"]) == (0, 0)
    assert rows["2026-11-27"] == parquet.read_table(whole_file).num_rows > 0
    positions = set()
    for day, path in files.items():
        manifest = folder / "_manifests" / f"{day}.json"
        assert verify_export.main([str(path), str(manifest)]) == 0
        positions.add(json.dumps(json.loads(manifest.read_text())["ledger"]))
    assert len(positions) == 1, "all of one moment"
    files["2026-11-27"].write_bytes(files["2026-11-26"].read_bytes())
    assert verify_export.main([str(files["2026-11-27"]), str(folder / "_manifests" / "2026-11-27.json")]) == 1


def test_a_folder_that_has_files_is_not_overwritten(floor: Cast, tmp_path: Path) -> None:
    (tmp_path / "month").mkdir()
    (tmp_path / "month" / "mine.txt").write_text("mine")
    assert partitioned("tally", tmp_path / "month", *DAYS) == 1
    assert [path.name for path in tmp_path.rglob("*")] == ["month", "mine.txt"]


@pytest.mark.parametrize(
    "options",
    [
        ("--format", "csv", "--out", "month", *DAYS),
        ("--format", "parquet", *DAYS),
        ("--format", "parquet", "--out", "month", "--from", "2026-11-26"),
        ("--format", "parquet", "--out", "month", "--to", "2026-11-29"),
    ],
)
def test_partitioning_an_unsuitable_export_exits_2(floor: Cast, options: tuple[str, ...]) -> None:
    ran = run("export", "tally", "--partition", "day", *options)
    assert (ran.code, ran.out) == (2, "")
    assert "--partition needs --format parquet, --out, --from and --to" in ran.err
