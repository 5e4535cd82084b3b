"""The page of the journal: entries that are booked, entries that are held because something is missing, links
to the pages where that is corrected, files to download, and who may see the page.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pytest

from audit.findings import save
from casino.accounts import view_log
from casino.journals.formats import FORMATS, files
from casino.reference.recording import set_registers
from tests.casino.books import Entry, close, counted, map_accounts, marked, sample_journal
from tests.casino.conftest import Cast
from tests.casino.test_admin import text
from tests.casino.test_reports import felt, live, record
from tests.casino.test_restated import NEXT, adjust
from tests.furnished import furnishing

PAGE = "/journal/"
DAY = f"?property=aurora&from={NEXT}&to={NEXT}"


@furnishing
def books() -> Cast:
    """Record four tables' days: a closed day that was restated, a closed day of a live-dealer table, an open
    day, and a closed day without counts.
    """
    cast = Cast()
    record(
        counted(1000, 100),
        marked(issued=300),
        live(1000, 100),
        felt(500, 50, "aurora/T2"),
        felt(500, 50, "aurora/T3")[:4],
        close(),
        close(table="aurora/L1"),
        close(table="aurora/T3"),
        adjust("drop", 25),
    )
    map_accounts()
    return cast


def page_text(cast: Cast, address: str, name: str = "Alma") -> str:
    answer = cast.browser(name).get(address)
    assert answer.status_code == 200
    return text(answer)


def test_the_page_of_a_day_has_its_journal_and_later_reversals(books: Cast) -> None:
    page = page_text(books, PAGE + DAY)
    for words in (
        f"aurora/T1/{NEXT}/1 entry reversed on 28 Nov 2026",
        f"aurora/L1/{NEXT}/1 entry booked on 27 Nov 2026",
        "1010 Cash › Count room Drop, count 1 10.00",
        "Documents 2",
        "Entries not booked 2",
        "Total debits (= credits) 14.00 USD",
    ):
        assert words in page, words
    assert f"aurora/T1/{NEXT}/2" not in page, "a second posting is shown on its own day"
    later = page_text(books, f"{PAGE}?property=aurora&from=2026-11-28&to=2026-11-28")
    assert f"aurora/T1/{NEXT}/1R reversal" in later
    assert f"aurora/T1/{NEXT}/2 restated" in later


def test_without_a_day_the_last_one_with_an_open_table_is_shown_and_named(
    books: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = datetime(2026, 11, 30, 20, tzinfo=UTC)
    monkeypatch.setattr("casino.reference.calendar.timezone", SimpleNamespace(now=lambda: later))
    shown = "Shown: 27 Nov 2026, the last gaming day before today on which a table was open."
    page = page_text(books, PAGE)
    assert f"aurora/T1/{NEXT}/1 entry" in page
    assert shown in page
    assert shown not in page_text(books, PAGE + DAY), "this day was asked for"


def test_held_days_have_a_reason_and_a_link_to_the_correction(books: Cast) -> None:
    page = page_text(books, PAGE + DAY)
    for words in ("T2 not closed Its day is not closed.", "T3 not counted 1 box not counted."):
        assert words in page, words
    body = books.browser("Alma").get(PAGE + DAY).content.decode()
    assert f'href="/closing/?property=aurora&amp;day={NEXT}"' in body
    assert "Close the day<" not in books.browser("Rhea").get(PAGE + DAY).content.decode(), (
        "a regulator closes nothing"
    )


def test_missing_accounts_are_named_with_the_next_step(cast: Cast) -> None:
    record(felt(1000, 100), close())
    page = page_text(cast, PAGE + DAY)
    for words in ("No account for chips, drop, win.", "An administrator enters it", "Documents 0"):
        assert words in page, words
    assert "as CSV" not in page


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("&by=year", "Entries cannot be grouped by “year”"),
        ("&after=then", "“then” is not a position of the ledger"),
        ("&after=9,999,999", "9999999 is beyond position"),
        ("&until=now", "“now” is not a position of the ledger"),
        ("&from=soon", "“soon” is not a valid date"),
    ],
)
def test_invalid_input_is_explained_and_the_form_keeps_it(books: Cast, query: str, says: str) -> None:
    answer = books.browser("Alma").get(f"{PAGE}?property=aurora&to={NEXT}{query}")
    assert (answer.status_code, says in text(answer)) == (400, True)
    assert books.browser("Alma").get(f"{PAGE}csv/?property=aurora&to={NEXT}{query}").status_code == 302


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_of_the_page_equals_that_of_the_command_and_is_logged(books: Cast, format: str) -> None:
    answer = books.browser("Alma").get(f"{PAGE}{format}/{DAY}")
    (file,) = files(
        sample_journal("day", NEXT, "2026-11-28").documents, format, f"journal_aurora_{NEXT}_{NEXT}"
    )
    assert (answer.status_code, answer.content) == (200, file.content)
    assert answer["Content-Disposition"] == f'attachment; filename="{file.name}"'
    (log,) = view_log.viewings(["aurora"])
    assert (log.person, log.hand) == ("a-101", f"Journal, as {format}")


def test_a_long_journal_for_xero_is_a_zip_of_whole_parts(cast: Cast) -> None:
    record(felt(1000, 100), close(), *(adjust("drop", 1) for _ in range(55)))
    map_accounts()
    answer = cast.browser("Alma").get(f"{PAGE}xero/?property=aurora&from={NEXT}&to=2026-11-28")
    assert answer["Content-Type"] == "application/zip"
    second = cast.browser("Alma").get(f"{PAGE}xero/?property=aurora&from={NEXT}&to=2026-11-28")
    assert second.content == answer.content, "the same files, the same bytes"
    with ZipFile(BytesIO(answer.content)) as archive:
        assert archive.namelist() == [
            f"journal_aurora_{NEXT}_2026-11-28_USD-{number}.csv" for number in (1, 2)
        ]
        assert all(archive.read(name).count(b"\n") <= 300 for name in archive.namelist())


def test_after_a_load_only_newer_documents_are_shown_and_downloaded(books: Cast) -> None:
    position = save.ledger_position("aurora")
    record(felt(700, 70, "aurora/T4"), close(table="aurora/T4"))
    page = page_text(books, f"{PAGE}{DAY}&after={position}")
    assert "Documents 1" in page
    assert f"aurora/T4/{NEXT}/1" in page
    answer = books.browser("Alma").get(f"{PAGE}csv/{DAY}&after={position}").content.decode()
    assert {row.split(",")[0] for row in answer.splitlines()[1:]} == {f"aurora/T4/{NEXT}/1"}


def test_a_file_downloaded_later_has_the_documents_of_its_page(
    books: Cast,
) -> None:
    def numbers(address: str) -> set[str]:
        answer = books.browser("Alma").get(address)
        return {row.split(",")[0] for row in answer.content.decode().splitlines()[1:]}

    body = books.browser("Alma").get(PAGE + DAY).content.decode()
    link = next(part for part in body.split('"') if part.startswith(f"{PAGE}csv/")).replace("&amp;", "&")
    position = save.ledger_position("aurora")
    record(felt(700, 70, "aurora/T4"), close(table="aurora/T4"))
    assert numbers(link) == {f"aurora/T1/{NEXT}/1", f"aurora/L1/{NEXT}/1"}
    assert numbers(f"{PAGE}csv/{DAY}&after={position}") == {f"aurora/T4/{NEXT}/1"}


def test_a_name_too_long_for_a_format_is_reported_on_the_page(books: Cast) -> None:
    entry = Entry("accounts", "drop", {"number": "1011", "name": "Касса", "type": "asset"}, "2020-01-01")
    set_registers("aurora", [entry], by="m-101", second="a-101")
    record(felt(700, 70, "aurora/T4"), close(table="aurora/T4"))
    answer = books.browser("Alma").get(f"{PAGE}iif/{DAY}")
    assert (answer.status_code, "cannot contain the character" in text(answer)) == (409, True)
    assert not view_log.viewings(["aurora"]), "nothing was downloaded"


def test_users_without_the_right_get_neither_page_nor_file(books: Cast) -> None:
    def codes(name: str | None) -> list[Any]:
        return [books.browser(name).get(f"{PAGE}{part}{DAY}").status_code for part in ("", "csv/", "xero/")]

    assert {name: codes(name) for name in ("Eve", "Mia", "Chi", "Rhea")} == {
        "Eve": [403] * 3,
        "Mia": [403] * 3,
        "Chi": [403] * 3,
        "Rhea": [200] * 3,
    }
    assert codes(None) == [302] * 3
    assert books.browser("Alma").get(f"{PAGE}?property=borealis").status_code == 403
    assert books.browser("Alma").get(f"{PAGE}pdf/{DAY}").status_code == 404
    assert books.browser("Alma").post(PAGE).status_code == 405
