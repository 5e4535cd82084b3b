"""An export is verified against its manifest without Catwalk, and a changed file is detected."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from audit.queries.list_filters import Query
from casino.exports import verify_export
from casino.exports.formats import registry
from casino.exports.manifest import SUFFIX
from casino.reports.columns import Column, Sheet
from tests.casino.conftest import Cast
from tests.casino.feeding import run
from tests.casino.test_export_formats import CHECKED, floor, read
from tests.casino.test_reports import felt, record
from tests.conftest import House

__all__ = ["floor"]


def exported(folder: Path, name: str, format: str, *options: str) -> Path:
    out = folder / f"{name}.{format}"
    ran = run("export", name, "--property", "aurora", "--format", format, "--out", out, *options)
    assert ran.code == 0, ran.err
    return out


def checked(*args: Any) -> subprocess.CompletedProcess[str]:
    """Run the verification program as an auditor would. It is copied into a folder in which Catwalk's modules
    cannot be imported.
    """
    program = Path(args[0]).parent / "verify_export.py"
    program.write_bytes(Path(verify_export.__file__).read_bytes())
    return subprocess.run(
        [sys.executable, "-I", program.name, *map(str, args)],
        cwd=program.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_file_is_written_next_to_its_manifest_and_verified_without_catwalk(
    floor: Cast, tmp_path: Path
) -> None:
    for name, format in (
        ("tally", "csv"),
        ("facts", "ndjson"),
        ("facts", "parquet"),
        ("hold", "xlsx"),
        ("hold", "json"),
    ):
        out = exported(tmp_path, name, format)
        ran = checked(out)
        assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
        assert ran.stdout.startswith(
            f"{out.name}: as its manifest says: {'Hold' if name == 'hold' else name.capitalize()}, "
        )
        assert "; made from aurora at position " in ran.stdout
    assert checked(tmp_path / "none.csv").returncode == 2
    assert checked(tmp_path / "tally.csv", tmp_path / "tally.csv").returncode == 2


def test_a_manifest_names_the_contents_of_the_file_and_the_ledger_head(floor: Cast, tmp_path: Path) -> None:
    out = exported(tmp_path, "hold", "csv", "--from", "2026-11-27", "--to", "2026-11-28", "--by", "table")
    manifest = json.loads(out.with_name(f"{out.name}{SUFFIX}").read_text())
    shape = manifest.pop("schema")
    assert shape.startswith("hold/")
    assert manifest.pop("ledger")[0].keys() == {"property", "position", "chain", "waiting"}
    assert manifest.pop("bytes") == out.stat().st_size
    assert [column["key"] for column in manifest.pop("columns")][:4] == [
        "table",
        "basis",
        "currency",
        "rounds",
    ]
    assert (manifest.pop("sha256"), manifest.pop("title")) != ("", "")
    assert manifest == {
        "manifest": 1,
        "what": "hold",
        "format": "csv",
        "writing": 3,
        "restated": False,
        "rows": 5,
        "gaming_days": {"first": "2026-11-27", "last": "2026-11-27"},
        "filter": {
            "property": "aurora",
            "from": "2026-11-27",
            "to": "2026-11-28",
            "by": ["table"],
            "books": "",
        },
        "totals": [
            {"currency": "JPY", "rows": 2, "sums": {"rounds": "1", "win": "908", "denominator": "9800"}},
            {"currency": "USD", "rows": 3, "sums": {"rounds": "1", "win": "1.25", "denominator": "35.00"}},
        ],
    }
    assert (
        json.loads(
            exported(tmp_path, "hold", "csv", "--by", "game").with_name(f"hold.csv{SUFFIX}").read_text()
        )["schema"]
        != shape
    )


def test_control_totals_never_add_standard_deviations_or_rates(floor: Cast, tmp_path: Path) -> None:
    for name, figures in (("statistics", {"deviation", "z"}), ("dealer-errors", {"per_1000_money"})):
        out = exported(tmp_path, name, "csv", "--from", "2026-11-27", "--to", "2026-11-28")
        manifest = json.loads(out.with_name(f"{out.name}{SUFFIX}").read_text())
        assert {*manifest["totals"][0]["sums"]} & {"win", "wagers"}
        assert not any(figures & {*total["sums"]} for total in manifest["totals"])


@pytest.mark.parametrize("format", CHECKED)
@pytest.mark.parametrize("name", ["tally", "hold"])
def test_the_totals_of_the_manifest_are_the_sums_of_the_rows(
    floor: Cast, tmp_path: Path, name: str, format: str
) -> None:
    out = exported(tmp_path, name, format)
    manifest = json.loads(out.with_name(f"{out.name}{SUFFIX}").read_text())
    assert {total["currency"] for total in manifest["totals"]} == {"USD", "JPY"}
    assert list(verify_export.differences(out, manifest)) == []
    manifest["totals"][0]["sums"][next(iter(manifest["totals"][0]["sums"]))] = "77"
    assert [says for says in verify_export.differences(out, manifest) if "adds up to" in says] != []


def spoilt(path: Path, format: str) -> None:
    """Change one figure in a file without making the file unreadable."""
    if format == "xlsx":
        with ZipFile(path) as book:
            parts = {name: book.read(name) for name in book.namelist()}
        parts["xl/worksheets/sheet1.xml"] = parts["xl/worksheets/sheet1.xml"].replace(
            b"<v>10</v>", b"<v>11</v>", 1
        )
        with ZipFile(path, "w") as book:
            for name, part in parts.items():
                book.writestr(name, part)
    else:
        content = path.read_bytes()
        assert b"10.00" in content
        path.write_bytes(content.replace(b"10.00", b"11.00", 1))


@pytest.mark.parametrize("format", CHECKED)
def test_a_changed_figure_is_found_even_without_the_hash(floor: Cast, tmp_path: Path, format: str) -> None:
    out = exported(tmp_path, "hold", format)
    manifest = json.loads(out.with_name(f"{out.name}{SUFFIX}").read_text())
    spoilt(out, format)
    says = list(verify_export.differences(out, manifest))
    assert [sentence for sentence in says if sentence.startswith("its SHA-256 is ")] != []
    assert [sentence for sentence in says if "in USD adds up to" in sentence] != [], says


@pytest.mark.parametrize("format", ["csv", "ndjson", "json", "xlsx", "parquet"])
def test_a_truncated_or_wrong_file_is_reported_as_unreadable_or_short(
    floor: Cast, tmp_path: Path, format: str
) -> None:
    out = exported(tmp_path, "tally", format)
    whole_file = out.read_bytes()
    for content in (whole_file[: len(whole_file) // 2], b"", b"PAR1" * 3, whole_file + b"x"):
        out.write_bytes(content)
        ran = checked(out)
        assert (ran.returncode, ran.stderr) == (1, ""), content[:20]
        assert f"{out.name}: it has {len(content)} bytes, the manifest says {len(whole_file)}" in ran.stdout


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("bytes", None),
        ("sha256", 5),
        ("format", None),
        ("rows", "3"),
        ("columns", None),
        ("columns", ["table"]),
        ("ledger", [{}]),
        ("totals", {}),
        ("totals", [{"currency": "USD", "rows": 3, "sums": {"win": "much"}}]),
    ],
)
def test_an_invalid_manifest_is_reported_and_proves_nothing(
    floor: Cast, tmp_path: Path, key: str, value: Any
) -> None:
    out = exported(tmp_path, "hold", "csv")
    manifest_path = out.with_name(f"{out.name}{SUFFIX}")
    manifest = json.loads(manifest_path.read_text())
    for spoilt_manifest in (
        manifest | {key: value},
        {name: value for name, value in manifest.items() if name != key},
        [manifest],
    ):
        assert verify_export.no_manifest(spoilt_manifest), spoilt_manifest
    manifest_path.write_text(json.dumps(manifest | {key: value}))
    ran = checked(out)
    assert ran.returncode == 2, ran.stdout
    assert ran.stderr.startswith(f"{manifest_path} cannot be read as a manifest: {key} ")


def test_for_a_text_table_the_check_says_that_it_read_no_rows(floor: Cast, tmp_path: Path) -> None:
    ran = checked(exported(tmp_path, "hold", "table"))
    assert ran.returncode == 0
    assert "of the format table only the bytes are checked" in ran.stdout


def test_control_totals_beyond_every_integer_of_the_database_are_exact(house: House) -> None:
    columns = (Column("currency", "currency"), Column("win", "win", "money"))
    amount = f"{'9' * 40}.99"
    query = Query("SELECT 'USD'::text AS currency, %s::text AS win FROM generate_series(1, 3)", [amount])
    for sheet in (Sheet("x", columns, [("USD", amount)] * 3), Sheet("x", columns, query.rows(), query=query)):
        written = registry.write(sheet, "csv", BytesIO())
        assert [tuple(total) for total in written.totals] == [("USD", 3, {"win": f"2{'9' * 40}.97"})]


def test_unknown_export_options_exit_2(floor: Cast, tmp_path: Path) -> None:
    for args in (
        ("tally", "--by", "table"),
        ("tally", "--books", "closed"),
        ("tally", "--shift", "swing"),
        ("hold", "--wager", "main"),
        ("journal", "--table", "aurora/T1"),
        ("adjusted", "--game", "lucky_7"),
        ("slips", "--books", "closed"),
        ("luck",),
    ):
        assert run("export", *args, "--out", tmp_path / "x").code == 2, args
    assert list(tmp_path.iterdir()) == []
    file_of_table = exported(tmp_path, "tally", "csv", "--table", "aurora/L2")
    assert {row["stream"] for row in read("csv", file_of_table.read_bytes())} == {"aurora/L2/2026-11-27"}


def test_an_exported_report_of_one_table_names_it_in_its_manifest(floor: Cast, tmp_path: Path) -> None:
    for format in ("csv", "parquet", "xlsx"):
        out = exported(tmp_path, "hold", format, "--table", "aurora/T2")
        manifest = json.loads(out.with_name(f"{out.name}{SUFFIX}").read_text())
        assert (manifest["filter"]["table"], manifest["filter"]["by"]) == ("aurora/T2", ["table"])
        assert [total["sums"]["win"] for total in manifest["totals"]] == ["-0.25"]
        assert checked(out).returncode == 0, format
    printed = run("report", "hold", "--table", "aurora/T2", "--property", "aurora", "--format", "csv").out
    assert [line.split(",")[0] for line in printed.splitlines()[1:]] == ["aurora/T2"]


def test_a_file_of_several_properties_names_each_head_and_the_waiting_streams(
    floor: Cast, tmp_path: Path
) -> None:
    record(felt(700, 7, "borealis/T9"))
    assert run("export", "tally", "--out", tmp_path / "all.csv").code == 0
    manifest = json.loads((tmp_path / f"all.csv{SUFFIX}").read_text())
    assert [(head["property"], head["waiting"]) for head in manifest["ledger"]] == [
        ("aurora", 0),
        ("borealis", 0),
    ]
    assert manifest["filter"]["property"] is None
