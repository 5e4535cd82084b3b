"""Pages on which a user chooses, orders and downloads an export, with its control totals and manifest. An
error is shown next to its field.
"""

from __future__ import annotations

import json
import re
import tracemalloc
from tempfile import TemporaryFile

import pytest

from audit.queries.list_filters import Query
from casino.accounts import view_log
from casino.exports.archive import blobs, build
from casino.exports.archive import orders as kept
from casino.exports.formats import registry
from casino.reports.columns import Column, Sheet
from tests.casino.conftest import Cast
from tests.casino.pages import markup
from tests.casino.test_kept import DAY, content, keep, late
from tests.casino.test_reports import felt, live, record
from tests.conftest import House
from tests.furnished import furnishing

DAYS = {"property": "aurora", "from": "2026-11-27", "to": "2026-11-27", "format": "csv"}


@furnishing
def floor() -> Cast:
    cast = Cast()
    record(felt(1000, 100), live(2000, 50), live(9000, 900, "aurora/L2", currency="JPY"))
    return cast


def test_a_file_name_fits_a_header_for_any_table_or_shift(floor: Cast) -> None:
    alma = floor.browser("Alma")
    for table in ("EOU\n01", 'EOU"01', "夜", "é\u2028", "😀"):
        page = alma.post("/exports/", DAYS | {"what": "tally", "format": "csv", "table": table})["Location"]
        for part in ("file", "manifest"):
            answer = alma.get(f"{page}{part}/")
            assert answer.status_code == 200, table
            assert re.fullmatch(r'attachment; filename="[A-Za-z0-9._-]+"', answer["Content-Disposition"]), (
                table
            )


def test_accounting_chooses_a_dataset_and_days_and_downloads_file_and_manifest(floor: Cast) -> None:
    alma = floor.browser("Alma")
    form = alma.get("/exports/").content.decode()
    for offered in (
        '<option value="tally">Tally</option>',
        '<option value="hold" selected>Hold</option>',
        'value="csv-excel">CSV for Excel',
    ):
        assert offered in form, offered
    assert 'value="findings"' not in form, "accounting sees no findings"
    page = alma.post("/exports/", DAYS | {"what": "tally", "format": "csv-excel"})["Location"]
    shown = markup(alma.get(page))
    order = kept.orders(["aurora"])[0]
    name = f"tally_aurora_2026-11-27_2026-11-27_kept-{order.id}.excel.csv"
    for text in (
        "JPY, 2 rows",
        "USD, 3 rows",
        '<td class="n">20.00</td>',
        order.chain,
        order.sha256,
        f"python verify_export.py {name}",
    ):
        assert text in shown, text
    file, manifest = alma.get(f"{page}file/"), alma.get(f"{page}manifest/")
    assert (file.getvalue(), file["Content-Disposition"]) == (
        content(order.id),
        f'attachment; filename="{name}"',
    )
    assert manifest["Content-Disposition"] == f'attachment; filename="{name}.manifest.json"'
    assert json.loads(manifest.content)["sha256"] == order.sha256
    assert view_log.viewings(["aurora"])[0].hand == f"Tally, archived export {order.id}"
    assert alma.get(f"{page}file/", headers={"Range": "bytes=3-"}).getvalue() == content(order.id)[3:]
    listed = floor.browser("Igor").get("/exports/").content.decode()
    assert f'href="{page}"' in listed
    assert "exporting" not in listed, "who reads along orders nothing"


def test_an_export_has_the_typed_grouping_or_table(floor: Cast) -> None:
    alma = floor.browser("Alma")
    alma.post("/exports/", DAYS | {"what": "hold", "by": " day , table"})
    assert kept.orders(["aurora"])[0].what.by == ("day", "table")
    alma.post("/exports/", DAYS | {"what": "facts", "table": "T1", "game": "easy_over_under"})
    order = kept.orders(["aurora"])[0]
    assert order.what.filters == (("game", "easy_over_under"), ("table", "aurora/T1"))
    assert "aurora/T1" in alma.get(f"/exports/{order.id}/").content.decode()
    assert content(order.id).count(b"\n") - 1 == json.loads(order.manifest)["rows"] > 0


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"what": "luck"}, "What: “luck” cannot be exported."),
        (
            {"what": "tally", "from": "yesterday"},
            "First day: “yesterday” is not a valid date (use 2026-11-27).",
        ),
        (
            {"what": "tally", "to": "2026-11-26"},
            "Last day: 26 Nov 2026 comes before the first day 27 Nov 2026.",
        ),
        ({"what": "tally", "format": "clay"}, "Format: choose one of CSV, CSV for Excel"),
        ({"what": "tally", "by": "table"}, "Tally is a dataset of all facts"),
        ({"what": "hold", "by": "colour"}, "Hold cannot be grouped by colour. Choose property, table, "),
        (
            {"what": "slips", "books": "closed"},
            "Slips is made from all facts, not from closed books",
        ),
        ({"what": "hold", "table": "T1"}, "Hold cannot be filtered by table."),
    ],
)
def test_an_invalid_order_is_explained_and_the_form_keeps_its_values(
    floor: Cast, typed: dict[str, str], says: str
) -> None:
    answer = floor.browser("Alma").post("/exports/", DAYS | typed)
    shown = answer.content.decode()
    assert (answer.status_code, says in shown, "Nothing was exported." in shown) == (400, True, True), shown[
        :3000
    ]
    assert f'value="{typed.get("to", "2026-11-27")}"' in shown
    assert kept.orders(["aurora"]) == []


def test_users_without_the_right_neither_order_nor_see_exports(floor: Cast) -> None:
    for name in ("Igor", "Rhea", "Boris", "Eve", "Finn", "Mia"):
        assert floor.browser(name).post("/exports/", DAYS | {"what": "hold"}).status_code == 403, name
    assert floor.browser("Alma").post("/exports/", DAYS | {"what": "findings"}).status_code == 403
    assert (
        floor.browser("Alma").post("/exports/", DAYS | {"what": "hold", "property": "borealis"}).status_code
        == 403
    )
    assert kept.orders(["aurora"]) == []
    page = floor.browser("Dana").post("/exports/", DAYS | {"what": "findings"})["Location"]
    for name, status in (("Dana", 200), ("Igor", 200), ("Alma", 403), ("Boris", 200), ("Chi", 403)):
        parts = [
            floor.browser(name).get(f"{page}{part}").status_code
            for part in ("", "state/", "file/", "manifest/")
        ]
        assert set(parts) == {status if name != "Boris" else 403}, name
    assert "Findings" in floor.browser("Dana").get("/exports/").content.decode().partition("<tbody>")[2]
    assert "<tbody>" not in floor.browser("Alma").get("/exports/").content.decode()


def test_the_former_addresses_of_archived_reports_redirect(floor: Cast) -> None:
    order, alma = keep(DAY), floor.browser("Alma")
    for former, address in (
        ("", ""),
        (f"{order.id}/", f"{order.id}/"),
        (f"{order.id}/file/", f"{order.id}/file/"),
    ):
        assert alma.get(f"/reports/kept/{former}")["Location"] == f"/exports/{address}"
        assert alma.get(f"/exports/{address}").status_code == 200


def test_the_page_shows_the_number_of_rows_written_so_far(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "SMALL_EXPORT_FACTS", 0)
    alma = floor.browser("Alma")
    page = alma.post("/exports/", DAYS | {"what": "tally"})["Location"]
    assert "Waiting for a worker." in alma.get(page).content.decode()
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE job SET state = 'taken', done = 41000, total = 0 WHERE kind = %s", [kept.BUILD_JOB]
        )
    shown = markup(alma.get(f"{page}state/"))
    assert "A worker is creating the file." in shown
    assert "41,000 rows written" in shown
    assert alma.get(f"{page}file/").status_code == alma.get(f"{page}manifest/").status_code == 404


def test_c45_a_superseded_export_still_gives_its_own_rows_and_totals(floor: Cast) -> None:
    record([late("day-closed", by="a-1")])
    closed = keep(DAY._replace(books="closed"))
    before, manifest = content(closed.id), closed.manifest
    record(
        [
            {
                **late(
                    "adjusted",
                    of_table="aurora/T1",
                    of_day="2026-11-27",
                    what="drop",
                    amount=500,
                    reason="note",
                    by="a-1",
                    second="a-2",
                ),
                "table": "aurora/house",
                "day": "2026-11-28",
            }
        ]
    )
    keep(DAY._replace(books="restated"))
    shown = floor.browser("Alma").get(f"/exports/{closed.id}/").content.decode()
    assert "Superseded." in shown
    assert (content(closed.id), kept.orders(["aurora"])[1].manifest) == (before, manifest)
    assert [kept.orders(["aurora"])[place].restated for place in (0, 1)] == [False, True]
    assert [json.loads(order.manifest)["restated"] for order in kept.orders(["aurora"])] == [True, False]


@pytest.mark.parametrize("format", ["csv", "ndjson"])
def test_c49_a_long_export_is_archived_in_constant_memory_without_losing_a_row(
    floor: Cast, house: House, format: str
) -> None:
    rows = 8_000
    query = Query(
        "SELECT n::bigint AS n, repeat('x', 1500) AS name FROM generate_series(1, %s) AS s (n)", [rows]
    )
    columns = (Column("n", "n", "count"), Column("name", "name"))
    id = keep(DAY).id
    house.owner.execute("ALTER TABLE kept_piece DISABLE TRIGGER never_changed; DELETE FROM kept_piece")
    tracemalloc.start()
    with TemporaryFile() as file:
        written = registry.write(Sheet("x", columns, query.rows(), query=query), format, file)
        blobs.write(id, file)
    digest = blobs.digest(id)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (written.rows, written.totals[0].sums, digest) == (
        rows,
        {"n": str(rows * (rows + 1) // 2)},
        written.sha256,
    )
    assert written.length > 12_000_000 > 8_000_000 > peak, (
        f"{written.length:,} bytes were written with {peak:,} of memory"
    )
