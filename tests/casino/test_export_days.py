"""Archived exports as Parquet by day: a ZIP with one file for each gaming day, all as of one position of the
ledger. They are ordered by REST, by page and by schedule.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import date, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import pytest
from django_celery_beat.models import CrontabSchedule
from pyarrow import Table, dataset, parquet

from casino.accounts import services as accounts
from casino.accounts import view_log
from casino.exports import verify_export
from casino.exports.archive import orders
from casino.exports.formats.registry import BY_DAY, MAX_DAYS
from tests.casino.conftest import ROLES, Cast
from tests.casino.guide import program_below
from tests.casino.served import served
from tests.casino.test_api_exports import ADDRESS, door, order
from tests.casino.test_export_formats import floor
from tests.casino.test_kept import content, rebuild_message, rebuilt_same
from tests.casino.test_reports import felt, record

__all__ = ["floor"]
SPAN = {"from": "2026-11-26", "to": "2026-11-29"}
DAYS = ("2026-11-26", "2026-11-27", "2026-11-28")


def archived(name: str, **fields: Any) -> dict[str, Any]:
    """Order an export as Parquet by day, and return it as the REST API describes it."""
    answer = order(door(), what=name, format=BY_DAY, **SPAN | fields)
    assert answer.status_code == 201, answer.content
    body: dict[str, Any] = answer.json()
    return body


def downloaded(body: dict[str, Any], folder: Path) -> Path:
    """Download an export and its manifest into a folder, and return the path of the file."""
    alma, path = door(), folder / body["file"]
    answer = alma.get(f"{ADDRESS}/{body['id']}/content")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    path.write_bytes(answer.getvalue())
    manifest = alma.get(f"{ADDRESS}/{body['id']}/manifest").content
    path.with_name(f"{path.name}.manifest.json").write_bytes(manifest)
    return path


def texts(table: Table) -> list[str]:
    """Return the rows of a table as texts, sorted."""
    return sorted(map(str, table.to_pylist()))


@pytest.mark.parametrize("name", ["tally", "facts", "hold"])
def test_the_days_together_have_the_rows_of_the_whole_file(floor: Cast, tmp_path: Path, name: str) -> None:
    record(felt(700, 70, "aurora/T4", day="2026-11-28"))
    body = archived(name)
    path = downloaded(body, tmp_path)
    assert (body["format"], path.name.endswith(f"_kept-{body['id']}.days.zip")) == (BY_DAY, True)
    assert verify_export.main([str(path)]) == 0
    with ZipFile(path) as archive:
        members = [f"gaming_day={day}/{name}.parquet" for day in DAYS]
        assert sorted(archive.namelist()) == sorted([*members, *(f"_manifests/{day}.json" for day in DAYS)])
        assert {info.compress_type for info in archive.infolist()} == {ZIP_STORED}
        archive.extractall(tmp_path / "month")
    days = dataset.dataset(tmp_path / "month", partitioning="hive").to_table()
    by_day = [parquet.read_table(tmp_path / "month" / member).num_rows for member in members]
    assert by_day[0] == 0
    assert min(by_day[1:]) > 0
    manifest = json.loads(path.with_name(f"{path.name}.manifest.json").read_text())
    if name == "hold":  # a report adds up its days, so it has other rows by day
        assert manifest["rows"] == sum(by_day) == days.num_rows
        return
    in_one_file = order(door(), what=name, format="parquet", **SPAN).json()
    table = parquet.read_table(BytesIO(content(in_one_file["id"])))
    assert texts(days.drop(["gaming_day"]).select(table.column_names)) == texts(table)
    other = json.loads(door().get(f"{ADDRESS}/{in_one_file['id']}/manifest").content)
    assert (manifest["rows"], manifest["totals"]) == (other["rows"], other["totals"])
    assert manifest["ledger"] == other["ledger"]


def test_a_rebuild_has_the_same_bytes(floor: Cast) -> None:
    body = archived("tally")
    assert rebuilt_same(body["id"]), rebuild_message(body["id"])
    repeated = archived("tally")
    assert repeated["id"] == body["id"], "no new facts"


@pytest.mark.parametrize("broken", ["gaming_day=2026-11-27/tally.parquet", "_manifests/2026-11-27.json"])
def test_a_changed_file_in_the_zip_is_found(
    floor: Cast, tmp_path: Path, broken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = downloaded(archived("tally"), tmp_path)
    changed = tmp_path / "changed.zip"
    with ZipFile(path) as archive, ZipFile(changed, "w") as target:
        for name in archive.namelist():
            data = archive.read(name)
            if name == broken:
                data = archive.read(broken.replace("27", "26"))
            target.writestr(name, data)
    shutil.copy(path.with_name(f"{path.name}.manifest.json"), tmp_path / "changed.zip.manifest.json")
    assert verify_export.main([str(changed)]) == 1
    printed = capsys.readouterr().out
    assert "tally.parquet has" in printed
    assert "SHA-256" in printed
    with ZipFile(changed, "a") as target:
        target.writestr("gaming_day=2026-11-30/tally.parquet", b"x")
    assert verify_export.main([str(changed)]) == 1
    assert "one file and one manifest for each day" in capsys.readouterr().out


def test_the_page_and_a_schedule_order_it(floor: Cast) -> None:
    alma = floor.browser("Alma")
    page = alma.get("/exports/").content.decode()
    assert "Parquet by day (ZIP)" in page
    sent = {"property": "aurora", "what": "hold", "format": BY_DAY, "by": "", "books": ""}
    answer = alma.post("/exports/", sent | {"from": "2026-11-26", "to": "2026-11-28"})
    assert answer.status_code == 302
    shown = alma.get(answer["Location"])
    assert shown.status_code == 200
    assert "days.zip" in shown.content.decode()
    file = alma.get(f"{answer['Location']}file/")
    assert (file.status_code, file["Content-Type"]) == (200, "application/zip")
    form = {"name": "month by day", "property": "aurora", "report": "hold", "by": "", "of": "month"}
    form |= {"books": "", "format": BY_DAY, "enabled": "on"}
    times = CrontabSchedule.objects.get(minute="5").pk
    added = alma.post("/admin/casino/schedule/add/", form | {"crontab": times})
    assert added.status_code == 302
    assert alma.get("/reports/hold/parquet-days/").status_code == 404, "only as an archived export"


def test_too_many_days_and_people_without_the_right_get_nothing(floor: Cast) -> None:
    ends = date(2026, 11, 26) + timedelta(days=MAX_DAYS + 1)
    refused = order(door(), what="tally", format=BY_DAY, **SPAN | {"to": ends.isoformat()})
    assert (refused.status_code, refused.json()["code"]) == (422, "cannot-be-exported")
    assert f"at most {MAX_DAYS} days" in refused.json()["detail"]
    assert order(door("Eve"), what="tally", format=BY_DAY, **SPAN).status_code == 403
    body = archived("tally")
    assert door("Eve").get(f"{ADDRESS}/{body['id']}/content").status_code in (403, 404)
    assert [stored.what.format for stored in orders.orders(["aurora"])] == [BY_DAY]


def test_the_program_of_the_guide_downloads_one_day_of_a_month(floor: Cast, tmp_path: Path) -> None:
    for number in range(1, 29):
        record(felt(700, 70, "aurora/T5", day=f"2026-11-{number:02}"))
    program = program_below("Parquet of one gaming day")
    token = accounts.issue_token(made_by="m-101", person=ROLES["Alma"])
    with served() as address:
        environ = os.environ | {"CATWALK": address, "TOKEN": token, "BOOKS": str(tmp_path)}
        ran = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    (path,) = tmp_path.glob("*.parquet")
    assert verify_export.main([str(path)]) == 0
    table = parquet.read_table(path)
    assert set(table["day"].to_pylist()) == {date(2026, 11, 27)}
    (archived_export,) = orders.orders(["aurora"])
    assert archived_export.what.format == BY_DAY
    assert path.read_bytes() in content(archived_export.id), "the ZIP has the same bytes"
    read = [viewing.hand for viewing in view_log.viewings(["aurora"])]
    assert read.count(f"Tally, archived export {archived_export.id}, by REST") >= 1
