"""LibreOffice with German and with French settings, DuckDB and pandas read exports with the right types.
DuckDB reads an archive of facts.
"""

from __future__ import annotations

import json
import subprocess
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from audit import database
from casino.exports.formats import registry
from casino.exports.formats.locales import localized
from casino.exports.formats.registry import BY_DAY
from casino.reports.columns import Absent, Column, Sheet
from tests.casino.conftest import Cast
from tests.casino.feeding import run
from tests.casino.test_api_exports import door, order
from tests.casino.test_export_formats import floor
from tests.casino.test_fact_archive import october
from tests.casino.test_kept import content
from tests.tools import install

__all__ = ["floor", "october"]
pytestmark = pytest.mark.long
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
CULTURES = {"de": "1031", "fr": "1036"}
"""For each locale: the number of the language in LibreOffice's import filter of CSV."""
TYPES = """
import json, sys, duckdb, pandas
path, separator, decimal = sys.argv[1:]
options = f"delim='{separator}', decimal_separator='{decimal}', quote='\\"', header=true"
described = f"DESCRIBE SELECT * FROM read_csv('{path}', {options})"
types = duckdb.sql(f"SELECT column_name, column_type FROM ({described})")
frame = pandas.read_csv(path, sep=separator, decimal=decimal)
print(json.dumps({
    "duckdb": dict(types.fetchall()),
    "pandas": {name: str(kind) for name, kind in frame.dtypes.items()},
    "win": [str(value) for value in frame["win"].tolist()],
    "versions": [duckdb.__version__, pandas.__version__],
}))
"""


def exported(folder: Path, locale: str) -> Path:
    out = folder / f"hold-{locale}.csv"
    ran = run("export", "hold", "--property", "aurora", "--locale", locale, "--out", out)
    assert ran.code == 0, ran.err
    return out


@pytest.mark.parametrize("locale", CULTURES)
def test_libreoffice_reads_every_amount_as_a_number(floor: Cast, tmp_path: Path, locale: str) -> None:
    office, file = install.program("soffice", "libreoffice-calc-nogui"), exported(tmp_path, locale)
    # Separator, quotation mark, UTF-8, first line, column types, language, no quoted text as number, detect
    # special numbers as a person's import does.
    reading = f"CSV:59,34,76,1,,{CULTURES[locale]},false,true"
    command = [
        office,
        f"-env:UserInstallation=file://{tmp_path}/profile",
        "--headless",
        f"--infilter={reading}",
        *("--convert-to", "fods", "--outdir", str(tmp_path), str(file)),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stderr
    keys, *rows = list(cells(file.with_suffix(".fods")))
    manifest = json.loads(file.with_name(f"{file.name}.manifest.json").read_text())
    figures = {
        column["key"] for column in manifest["columns"] if column["type"] in ("money", "count", "percent")
    }
    names = [name for _, name in keys]
    read = [(name, kind, value) for row in rows for name, (kind, value) in zip(names, row, strict=False)]
    numbers = [(name, kind, value) for name, kind, value in read if name in figures and value]
    assert {kind for _, kind, _ in numbers} == {"float"}
    assert [value for name, _, value in numbers if name == "win"] == ["0.5", "8", "1", "-0.25", "900"]


def cells(file: Path) -> Any:
    """Yield the rows of a flat OpenDocument spreadsheet as pairs of a type and a value."""
    for row in ElementTree.parse(file).iter(f"{TABLE}table-row"):
        cells_of_row = []
        for cell in row.iter(f"{TABLE}table-cell"):
            kind = cell.get(f"{OFFICE}value-type", "")
            value = cell.get(f"{OFFICE}value") or "".join(cell.itertext()).strip()
            cells_of_row += [(kind, value)] * int(cell.get(f"{TABLE}number-columns-repeated", "1"))
        if any(value for _, value in cells_of_row):
            yield cells_of_row


@pytest.mark.parametrize(
    ("locale", "separator", "decimal"), [("en", ",", "."), ("de", ";", ","), ("fr", ";", ",")]
)
def test_duckdb_and_pandas_read_numbers_although_rows_are_pending(
    tmp_path: Path, locale: str, separator: str, decimal: str
) -> None:
    file = tmp_path / "hold.csv"
    columns = (
        Column("table", "table"),
        Column("rounds", "rounds", "count"),
        Column("win", "win", "money"),
        Column("hold_percent", "hold", "percent"),
    )
    rows = [("T1", 3, Absent("pending"), Absent("n/a")), ("T2", 4, "-1.25", "12.5")]
    sheet = Sheet("Hold", columns, rows, has_absent=True)
    file.write_bytes(b"".join(registry.parts(sheet, localized("csv", locale))))
    command = [install.python(), "-c", TYPES, file, separator, decimal]
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    read = json.loads(ran.stdout)
    print(read["versions"])
    for key in ("win", "hold_percent"):
        assert read["duckdb"][key] == "DOUBLE", (key, read["duckdb"][key])
        assert read["pandas"][key] == "float64", (key, read["pandas"][key])
    assert (read["duckdb"]["rounds"], read["pandas"]["rounds"]) == ("BIGINT", "int64")
    assert read["win"] == ["nan", "-1.25"]


MONTH = """
import json, sys, duckdb, pandas
folder = sys.argv[1]
source = f"read_parquet('{folder}/*/*.parquet', hive_partitioning=true)"
days = duckdb.sql(f"SELECT gaming_day::text, count(*), sum(win)::text FROM {source} GROUP BY 1 ORDER BY 1")
types = duckdb.sql(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {source})")
frame = pandas.read_parquet(folder)
print(json.dumps({
    "duckdb": days.fetchall(),
    "types": dict(types.fetchall()),
    "pandas": [len(frame), sorted(set(map(str, frame["gaming_day"]))), str(frame["win"].sum())],
}))
"""


@pytest.mark.parametrize("is_archived", [False, True])
def test_duckdb_and_pandas_read_a_month_that_is_partitioned_by_day(
    floor: Cast, tmp_path: Path, is_archived: bool
) -> None:
    folder = tmp_path / "november"
    if is_archived:
        month = {"from": "2026-11-01", "to": "2026-12-01"}
        body = order(door(), what="hold", format=BY_DAY, **month).json()
        with ZipFile(BytesIO(content(body["id"]))) as archive:
            archive.extractall(folder)
    else:
        days = ("--from", "2026-11-01", "--to", "2026-12-01", "--partition", "day", "--property", "aurora")
        assert run("export", "hold", "--format", "parquet", *days, "--out", folder).code == 0
    assert len(list(folder.glob("gaming_day=*/hold.parquet"))) == 30
    ran = subprocess.run(
        [str(install.python()), "-c", MONTH, str(folder)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    read = json.loads(ran.stdout)
    ((day, rows, win),) = read["duckdb"]
    assert (day, rows) == ("2026-11-27", 5)
    assert (read["types"]["gaming_day"], read["types"]["win"]) == ("DATE", "DECIMAL(38,4)")
    assert read["pandas"] == [rows, ["2026-11-27"], win]


def test_duckdb_runs_the_queries_of_the_guide_over_an_archive(october: Cast, tmp_path: Path) -> None:
    assert run("archive_facts", tmp_path, "--property", "aurora", "--by", "a-101").code == 0
    guide = Path("docs/scale.md").read_text().partition("```sql")[2].partition("```")[0]
    queries = guide.replace("/mnt/archive", str(tmp_path)).split(";")[:2]
    read = [in_duckdb(query) for query in queries]
    hands, staked = (
        """SELECT right(stream, 10), count(*) FROM fact
            WHERE kind = 'round-opened' AND stream LIKE '%%/2026-10-%%' GROUP BY 1 ORDER BY 1""",
        """SELECT left(stream, -11), sum((convert_from(body, 'UTF8')::json ->> 'amount')::bigint)::bigint
            FROM fact WHERE kind = 'bet' AND stream LIKE '%%/2026-10-%%' GROUP BY 1 ORDER BY 1""",
    )
    for rows, query in zip(read, (hands, staked), strict=True):
        assert [tuple(row) for row in rows] == database.rows(query)
        assert len(rows) == 2


def in_duckdb(query: str) -> list[list[Any]]:
    """Return the rows of a query in DuckDB, with sums and days as in JSON."""
    script = "import json, sys, duckdb; print(json.dumps(duckdb.sql(sys.argv[1]).fetchall(), default=str))"
    command = [str(install.python()), "-c", script, query]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    rows: list[list[Any]] = json.loads(ran.stdout)
    return rows
