"""Exports through the REST API are ordered, built at once or by a worker, downloaded as a whole or in part,
and verified without Catwalk. Only users with the right get them.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

import pytest
from django.db import connection

from casino.accounts import services as accounts
from casino.accounts import view_log
from casino.exports import datasets, verify_export
from casino.exports.archive import build
from casino.exports.archive import orders as kept
from casino.presentation import problem_document
from tests.casino.conftest import ROLES, Api, Cast
from tests.casino.test_kept import DAY, content, late, rebuilt_same, work
from tests.casino.test_reports import felt, record
from tests.furnished import furnishing

DAYS = {"property": "aurora", "from": "2026-11-27", "to": "2026-11-28"}
ADDRESS = "/api/v1/exports"


@furnishing
def floor() -> Cast:
    cast = Cast()
    record(felt(1000, 100), felt(500, -25, "aurora/T2"))
    return cast


def door(name: str = "Alma", **options: list[str]) -> Api:
    return Api(accounts.issue_token(made_by="m-101", person=ROLES[name], **options))


def alan() -> Api:
    return Api(accounts.issue_token(made_by="m-101", person="a-102"))


def order(sender: Api, **fields: Any) -> Any:
    return sender.client.post(
        ADDRESS, json.dumps(DAYS | fields), content_type="application/json", headers=sender.headers
    )


def test_a_small_export_is_built_at_once_and_a_large_one_by_a_worker(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    alma = door()
    small = order(alma, what="tally")
    assert (small.status_code, small.json()["state"]) == (201, "done")
    assert small["Location"].endswith(f"{ADDRESS}/{small.json()['id']}")
    monkeypatch.setattr(build, "SMALL_EXPORT_FACTS", 0)
    large = order(alan(), what="tally")
    body = large.json()
    assert (large.status_code, body["state"], body["rows"], body["sha256"]) == (202, "due", None, None)
    assert alma.get(f"{ADDRESS}/{body['id']}/content").json()["code"] == "not-finished"
    assert alma.get(f"{ADDRESS}/{body['id']}/manifest").json()["code"] == "not-finished"
    work()
    finished = alma.get(f"{ADDRESS}/{body['id']}").json()
    assert (finished["state"], finished["rows"], finished["sha256"]) == (
        "done",
        small.json()["rows"],
        small.json()["sha256"],
    )
    assert content(finished["id"]) == content(small.json()["id"])


def test_a_repeated_order_returns_the_same_export_until_the_ledger_grows(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    alma = door()
    first, second = order(alma, what="tally"), order(alma, what="tally")
    assert (second.status_code, second["Location"], second.json()) == (201, first["Location"], first.json())
    others = [
        order(alan(), what="tally"),
        order(alma, what="tally", format="json"),
        order(alma, what="tally", table="T2"),
    ]
    assert len({answer.json()["id"] for answer in (first, *others)}) == 4, (
        "another person, format or filter is another order"
    )
    monkeypatch.setattr(build, "SMALL_EXPORT_FACTS", 0)
    record(felt(700, 70, "aurora/T3"))
    later = order(alma, what="tally")
    assert (later.status_code, later.json()["id"] > first.json()["id"]) == (202, True)
    assert order(alma, what="tally").json()["id"] == later.json()["id"], "also while a worker is at it"
    record(felt(700, 70, "aurora/T4"))
    assert order(alma, what="tally").json()["id"] != later.json()["id"], (
        "which may have begun before this came"
    )


def test_two_simultaneous_orders_return_the_same_export(floor: Cast) -> None:
    def ask() -> int | None:
        try:
            return kept.order(DAY, "a-101")
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as desk:
        ids = [future.result() for future in [desk.submit(ask) for _ in range(4)]]
    assert len({*ids}) == 1


@pytest.mark.parametrize("format", ["csv", "csv-excel", "ndjson", "json", "xlsx", "parquet"])
def test_a_download_is_verified_with_the_downloaded_manifest_and_program(
    floor: Cast, tmp_path: Any, format: str
) -> None:
    alma = door()
    body = order(alma, what="tally", format=format).json()
    file = tmp_path / body["file"]
    taken = alma.get(f"{ADDRESS}/{body['id']}/content")
    assert taken["Content-Disposition"] == f'attachment; filename="{body["file"]}"', (
        "it lies under the name by which its manifest finds it"
    )
    file.write_bytes(taken.getvalue())
    manifest = alma.get(f"{ADDRESS}/{body['id']}/manifest").json()
    assert list(verify_export.differences(file, manifest)) == []
    assert manifest["ledger"] == [
        {"property": "aurora", "position": body["position"], "chain": body["chain"], "waiting": 0}
    ]
    assert (manifest["rows"], manifest["sha256"], manifest["bytes"]) == (
        body["rows"],
        body["sha256"],
        body["bytes"],
    )
    program = alma.get(f"{ADDRESS}/verify_export.py").content
    assert b"def differences(" in program
    assert floor.browser("Alma").get("/exports/verify_export.py").content == program


def test_facts_of_one_table_are_exported_as_they_were_recorded(floor: Cast) -> None:
    body = order(door(), what="facts", format="ndjson", table="T2").json()
    assert body["table"] == "aurora/T2"
    assert [json.loads(line)["table"] for line in content(body["id"]).splitlines()] == ["aurora/T2"] * body[
        "rows"
    ]


def test_an_interrupted_download_is_resumed_and_an_unchanged_one_not_repeated(floor: Cast) -> None:
    alma = door()
    body = order(alma, what="tally").json()
    whole_file, address = content(body["id"]), f"{ADDRESS}/{body['id']}/content"

    def ask(**headers: str) -> Any:
        return alma.client.get(
            address, headers=alma.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        )

    answer = ask()
    assert (answer.status_code, answer.getvalue(), answer["Content-Length"]) == (
        200,
        whole_file,
        str(len(whole_file)),
    )
    assert answer["ETag"] == f'"{sha256(whole_file).hexdigest()}"'
    for byte_range, part in (
        ("bytes=0-9", whole_file[:10]),
        ("bytes=10-", whole_file[10:]),
        ("bytes=-7", whole_file[-7:]),
        ("bytes=5-999999999", whole_file[5:]),
    ):
        answer = ask(Range=byte_range, If_Range=f'"{body["sha256"]}"')
        assert (answer.status_code, answer.getvalue()) == (206, part), byte_range
        assert answer["Content-Range"].endswith(f"/{len(whole_file)}")
    for byte_range in ("bytes=0-1,3-4", "bytes=9-3", "lines=1-2", "bytes=-", "bytes=²-3"):
        assert (ask(Range=byte_range).status_code, ask(Range=byte_range).getvalue()) == (200, whole_file), (
            byte_range
        )
    assert ask(Range="bytes=0-9", If_Range='"another"').getvalue() == whole_file
    for byte_range in (f"bytes={len(whole_file)}-", "bytes=-0"):
        answer = ask(Range=byte_range)
        assert (answer.status_code, answer["Content-Range"], answer["Content-Type"]) == (
            416,
            f"bytes */{len(whole_file)}",
            problem_document.TYPE,
        )
    for tag in (f'"{body["sha256"]}"', f'W/"{body["sha256"]}"', "*", f'"x", "{body["sha256"]}"'):
        assert (ask(If_None_Match=tag).status_code, ask(If_None_Match=tag).content) == (304, b""), tag
    assert ask(If_None_Match='"x"').status_code == 200


def test_a_range_across_two_stored_chunks_is_complete(floor: Cast) -> None:
    from casino.exports.archive import blobs

    id = order(door(), what="hold").json()["id"]
    long = bytes(range(256)) * 10_000
    with schema_owner() as owner:
        owner.execute("ALTER TABLE kept_piece DISABLE TRIGGER never_changed")
        owner.execute("DELETE FROM kept_piece")
        for place in range(3):
            owner.execute(
                "INSERT INTO kept_piece (kept, place, content) VALUES (%s, %s, %s)",
                [id, place, long[place * blobs.CHUNK_BYTES : (place + 1) * blobs.CHUNK_BYTES]],
            )
    assert content(id) == long
    border = blobs.CHUNK_BYTES
    for begins, ends in (
        (border - 3, border + 3),
        (border, border + 1),
        (5, 2 * border + 9),
        (2 * border, len(long)),
        (7, 7),
    ):
        assert b"".join(blobs.read(id, begins, ends)) == long[begins:ends]


def schema_owner() -> Any:
    """Return a database cursor with the rights of the schema's owner. Tests change recorded data with it."""
    from django.db import connections

    return connections["owner"].cursor()


def test_users_without_the_right_get_nothing_at_any_address(floor: Cast) -> None:
    body = order(door(), what="facts").json()
    pages = (ADDRESS, *(f"{ADDRESS}/{body['id']}{part}" for part in ("", "/content", "/manifest")))
    before = len(view_log.viewings(["aurora"]))
    for name in ("Eve", "Mia", "Chi", "Nia"):
        assert [door(name).get(page).status_code for page in pages] == [403] * 4, name
        assert order(door(name), what="facts").status_code == 403, name
    for name in ("Boris",):  # may order reports of hold, but not facts
        assert [door(name).get(page).status_code for page in pages] == [200, 403, 403, 403]
        assert door(name).get(ADDRESS).json() == []
    for name in ("Igor", "Rhea"):
        assert [door(name).get(page).status_code for page in pages[:2]] == [200, 200], name
        assert order(door(name), what="facts").status_code == 403, "who reads along orders nothing"
    assert order(door(), what="findings").status_code == 403, "accounting sees no findings"
    finding_export = order(door("Dana"), what="findings").json()
    assert [export["id"] for export in door("Dana").get(ADDRESS).json()] == [finding_export["id"], body["id"]]
    assert [export["id"] for export in door().get(ADDRESS).json()] == [body["id"]]
    assert door().get(f"{ADDRESS}/{finding_export['id']}/content").status_code == 403
    other = door("Alma", scopes=["read:reports", "read:facts"])
    assert [other.get(page).status_code for page in (*pages, f"{ADDRESS}/verify_export.py")] == [403] * 5
    assert order(other, what="hold").status_code == 403
    assert order(door(), what="hold", property="borealis").status_code == 403
    assert Api(None).get(pages[2]).status_code == 401
    assert len(view_log.viewings(["aurora"])) == before
    assert door("Rhea").get(pages[2]).status_code == 200
    assert view_log.viewings(["aurora"])[0].hand == f"Facts, archived export {body['id']}, by REST"


@pytest.mark.parametrize(
    ("fields", "status", "field"),
    [
        ({"what": "luck"}, 422, "what"),
        ({"what": "tally", "format": "clay"}, 422, "format"),
        ({"what": 7}, 400, None),
        ({}, 400, None),
        ({"what": "tally", "from": "yesterday"}, 400, "from"),
        ({"what": "tally", "to": "0001-01-01"}, 400, "to"),
        ({"what": "tally", "to": "2026-11-27"}, 422, None),
        ({"what": "tally", "by": ["table"]}, 422, None),
        ({"what": "tally", "books": "closed"}, 422, None),
        ({"what": "hold", "by": ["colour"]}, 422, None),
        ({"what": "hold", "books": "open"}, 422, None),
        ({"what": "hold", "table": "T1"}, 422, None),
        ({"what": "adjusted", "game": "lucky_7"}, 422, None),
        ({"what": "tally", "colour": "red"}, 400, None),
        ({"what": "tally", "table": "T\x00"}, 400, "table"),
        ({"what": "hold", "by": ["x" * 3000]}, 400, "by"),
        ({"what": "tally", "game": "x" * 201}, 400, "game"),
        ({"what": "\ud800"}, 400, None),
        ({"what": "tally", "game": "chess"}, 422, "game"),
        ({"what": "tally", "by": None}, 400, None),
    ],
)
def test_an_invalid_order_is_refused_and_not_stored(
    floor: Cast, fields: Any, status: int, field: str | None
) -> None:
    answer = order(door(), **fields)
    body = json.loads(answer.content)
    assert (answer.status_code, answer["Content-Type"], body.get("field")) == (
        status,
        problem_document.TYPE,
        field,
    )
    assert kept.orders(["aurora"]) == []


def test_a_body_that_is_not_an_order_is_refused_with_a_problem_document(floor: Cast) -> None:
    alma = door()
    of_json, of_a_form = "application/json", "application/x-www-form-urlencoded"
    wrong = [
        (b"[]", of_json, 400),
        (b"{", of_json, 400),
        (b"\xff", of_json, 400),
        (b"[" * 100_000, of_json, 400),
        (b"a=b", of_a_form, 415),
    ]
    for body, form, status in wrong:
        answer = alma.client.post(ADDRESS, body, content_type=form, headers=alma.headers)
        assert (answer.status_code, answer["Content-Type"]) == (status, problem_document.TYPE), body[:9]


def test_c07_an_export_of_two_notified_workers_is_one_file(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "SMALL_EXPORT_FACTS", 0)
    id = order(door(), what="tally").json()["id"]
    work()
    first = content(id)
    found_order = kept.get_order(id)
    assert found_order is not None
    build.build_if_small(found_order)
    work()
    assert (content(id), len(kept.orders(["aurora"]))) == (first, 1)


@pytest.mark.parametrize(
    "name",
    [name for name in datasets.names() if datasets.get(name).ACT not in ("see-findings", "see-log")],
)
def test_c45_every_list_is_rebuilt_to_the_byte_after_the_ledger_has_grown(floor: Cast, name: str) -> None:
    body = order(door(), what=name).json()
    record([late()])
    assert rebuilt_same(body["id"])
