"""The journal through the REST API: its documents, entries that are held because an account is missing, files
for accounting programs, and only what is new since the last request.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from audit.findings import examine as findings
from audit.findings import save
from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.accounts import services as accounts
from casino.accounts import view_log
from casino.journals.formats import FORMATS, files
from tests.audit.floor import line
from tests.casino.books import close, counted, map_accounts, sample_journal
from tests.casino.conftest import Api, Cast
from tests.casino.test_admin import text
from tests.casino.test_reports import felt, record
from tests.casino.test_restated import NEXT, adjust
from tests.furnished import furnishing

PATH = "/api/v1/journal"
DAYS = f"?property=aurora&from={NEXT}&to=2026-12-01"


@furnishing
def books() -> Cast:
    cast = Cast()
    record(counted(1000, 100, 980), close(), adjust("closer", 25), felt(500, 50, "aurora/T2"))
    map_accounts()
    return cast


def door(*scopes: str) -> Api:
    return Api(accounts.issue_token(made_by="m-101", scopes=scopes or ("export",), person="a-101"))


def test_documents_have_their_lines_and_held_days_a_reason(books: Cast) -> None:
    answer = door().get(PATH + DAYS)
    body = answer.json()
    assert [document["number"] for document in body["documents"]] == [
        f"aurora/T1/{NEXT}/{suffix}" for suffix in ("1", "1R", "2")
    ]
    first, back, second = body["documents"]
    assert first["lines"][0] == {
        "posted": "drop",
        "account": {"number": "1010", "name": "Cash:Count room", "type": "asset"},
        "debit": "10.00",
        "credit": None,
        "text": "Drop, count 1",
        "class": None,
        "department": None,
        "location": None,
        "tracking": [],
    }
    assert (first["reverses"], back["reverses"], len(second["adjustments"])) == (None, first["number"], 1)
    for document in body["documents"]:
        sides = [
            sum(int(line[side].replace(".", "")) for line in document["lines"] if line[side])
            for side in ("debit", "credit")
        ]
        assert sides[0] == sides[1] > 0
    assert body["held"] == [
        {"about": "open", "day": NEXT, "table": "T2", "says": "its day is not closed", "posted": []}
    ]
    assert answer["Catwalk-Position"] == str(body["position"])
    (log,) = view_log.viewings(["aurora"])
    assert (log.person, log.hand) == ("a-101", "Journal, as json by REST")
    assert (
        door().client.get(PATH + DAYS, headers=door().headers | {"If-None-Match": answer["ETag"]}).status_code
        == 304
    )


def test_requests_after_or_as_of_a_position_are_consistent(
    books: Cast,
) -> None:
    first = door().get(PATH + DAYS)
    position = first["Catwalk-Position"]
    assert door().get(f"{PATH}{DAYS}&after={position}").json()["documents"] == []
    record(close(table="aurora/T2"), adjust("drop", -5))
    since = door().get(f"{PATH}{DAYS}&after={position}").json()["documents"]
    assert [document["number"] for document in since] == [
        f"aurora/T2/{NEXT}/1",
        f"aurora/T1/{NEXT}/2R",
        f"aurora/T1/{NEXT}/3",
    ]
    assert door().get(f"{PATH}{DAYS}&as_of={position}").content == first.content


def test_a_close_not_examined_yet_comes_with_the_next_request(books: Cast) -> None:
    position = save.ledger_position("aurora")
    intake.post(
        [line(fact) for fact in close(table="aurora/T2")], Sender("test")
    )  # its examination still waits for a worker
    first = door().get(PATH + DAYS)
    assert (first["Catwalk-Position"], len(first.json()["documents"])) == (str(position), 3)
    assert f"at position {position}. Write this position down" in text(books.browser("Alma").get("/journal/"))
    findings.examine()
    since = door().get(f"{PATH}{DAYS}&after={first['Catwalk-Position']}")
    assert [document["number"] for document in since.json()["documents"]] == [f"aurora/T2/{NEXT}/1"]
    assert since["Catwalk-Position"] == str(position + 1)


def test_a_month_that_has_ended_since_is_returned(books: Cast) -> None:
    record(close(table="aurora/T2"))
    month = f"{PATH}?property=aurora&from=2026-11-01&to=2026-12-01&by=month"
    first = door().get(month)
    assert [held_back["about"] for held_back in first.json()["held"]] == ["month"]
    record(felt(500, 50, "aurora/T1", "2026-12-01"))
    since = door().get(f"{month}&after={first['Catwalk-Position']}").json()["documents"]
    assert [document["number"] for document in since] == [
        "aurora/T1/2026-11-27/1R",
        "aurora/T1/2026-11-27/2",
        "aurora/2026-11/easy_over_under/USD",
    ], "restated days of a month are held until the month is booked"


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_by_rest_equals_that_of_page_and_command(books: Cast, format: str) -> None:
    answer = door().get(f"{PATH}{DAYS}&format={format}")
    (file,) = files(sample_journal("day", NEXT, "2026-12-01").documents, format, "journal")
    assert (answer.content, answer["Content-Type"]) == (file.content, file.content_type)


def test_several_files_come_in_a_zip(books: Cast) -> None:
    record(*(adjust("drop", 1) for _ in range(40)))
    answer = door().get(f"{PATH}{DAYS}&format=xero")
    assert answer["Content-Type"] == "application/zip"
    with ZipFile(BytesIO(answer.content)) as archive:
        assert len(archive.namelist()) > 1


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("&by=year", 400, "by"),
        ("&format=pdf", 400, "format"),
        ("&after=-1", 400, "after"),
        ("&after=99999999", 400, "after"),
        ("&as_of=99999999", 400, "as-of"),
        ("&from=2026-12-02", 400, "day"),
        ("&books=closed", 400, "unknown-parameter"),
    ],
)
def test_invalid_parameters_are_a_problem(books: Cast, query: str, status: int, code: str) -> None:
    answer: Any = door().get(f"{PATH}?property=aurora&to=2026-12-01{query}")
    assert (answer.status_code, answer.json()["code"], answer["Content-Type"]) == (
        status,
        code,
        "application/problem+json",
    )


def test_without_the_scope_or_the_right_there_is_no_journal(books: Cast) -> None:
    assert door("read:reports").get(PATH + DAYS).status_code == 403
    assert Api(None).get(PATH + DAYS).status_code == 401
    stranger = Api(accounts.issue_token(made_by="m-101", scopes=("export",), person=books.logins["Eve"].id))
    assert stranger.get(PATH + DAYS).status_code == 403
