"""The chart of accounts can give a class, department, location or tracking category to an account. Each
accounting program gets them in the columns that it expects, with the game and the table of each line.
"""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from audit.replay.register_values import Place, check
from casino.journals.formats import files
from casino.journals.formats.fitting import Unwritable
from casino.reference.chart import Account
from casino.reference.recording import set_registers
from tests.casino.books import Entry, close, counted, map_accounts, sample_journal
from tests.casino.conftest import Cast
from tests.casino.test_admin import text
from tests.casino.test_journals_chart import CAGE
from tests.casino.test_journals_formats import CASH, WIN, bean_check, document
from tests.casino.test_reference_data import sign, value_of
from tests.casino.test_reports import record
from tests.furnished import furnishing

PAGE = "/journal/accounts/?property=aurora"
CATEGORIES = {
    "class": "Table games:{game}",
    "department": "100",
    "location": "Main floor",
    "tracking": ["Table: {table}", "Game: {game}"],
}
IN_CATEGORIES = WIN._replace(
    class_="Table games:High Side",
    department="100",
    location="Main floor",
    tracking=("Table: T1", "Game: High Side"),
)


@furnishing
def books() -> Cast:
    """Record a closed day of a table. Map the win of its game to an account that has a value for every
    category.
    """
    cast = Cast()
    map_accounts()
    value = {"number": "4010", "name": "Table win:Easy Over Under", "type": "income", **CATEGORIES}
    set_registers("aurora", [Entry("accounts", "win/easy_over_under", value)], by="m-101", second="a-101")
    record(counted(1000, 100), close())
    return cast


def win_rows(format: str, account: str, column: str) -> list[dict[str, str]]:
    (file,) = files([document((CASH, 100), (IN_CATEGORIES, -100))], format, "journal")
    rows = list(csv.DictReader(StringIO(file.content.decode())))
    others = [row for row in rows if row[column] != account]
    assert len(others) == 1, "the other line has no category"
    return [row for row in rows if row[column] == account]


@pytest.mark.parametrize(
    ("format", "account", "column", "expected"),
    [
        (
            "quickbooks-online",
            "Table win",
            "Account Name",
            {"Class": "Table games:High Side", "Location": "Main floor"},
        ),
        (
            "netsuite",
            "4010",
            "Account",
            {"Class": "Table games:High Side", "Department": "100", "Location": "Main floor"},
        ),
        (
            "sage-intacct",
            "4010",
            "ACCT_NO",
            {"CLASSID": "Table games:High Side", "DEPT_ID": "100", "LOCATION_ID": "Main floor"},
        ),
        ("sage-50", "4010", "Nominal A/C Ref", {"Department Code": "100"}),
        (
            "xero",
            "4010",
            "*AccountCode",
            {
                "TrackingName1": "Table",
                "TrackingOption1": "T1",
                "TrackingName2": "Game",
                "TrackingOption2": "High Side",
            },
        ),
    ],
)
def test_each_program_gets_its_categories(
    format: str, account: str, column: str, expected: dict[str, str]
) -> None:
    (row,) = win_rows(format, account, column)
    assert {name: row[name] for name in expected} == expected


def test_quickbooks_desktop_gets_a_class_and_no_column_without_one(tmp_path: Path) -> None:
    (file,) = files([document((CASH, 100), (IN_CATEGORIES, -100))], "iif", "journal")
    rows = [line.split("\t") for line in file.content.decode().splitlines()]
    assert [row[-1] for row in rows] == ["CLASS", "CLASS", "!ENDTRNS", "", "Table games:High Side", "ENDTRNS"]
    (plain,) = files([document((CASH, 100), (WIN, -100))], "iif", "journal")
    assert b"CLASS" not in plain.content
    path = tmp_path / "journal.beancount"
    (beans,) = files([document((CASH, 100), (IN_CATEGORIES, -100))], "beancount", "journal")
    path.write_bytes(beans.content)
    assert bean_check(path) == (0, "")
    assert b'class: "Table games:High Side"' in beans.content


def test_sage_50_gets_no_department_that_is_not_a_number() -> None:
    named = IN_CATEGORIES._replace(department="Games")
    with pytest.raises(Unwritable, match="department “Games”, and Sage 50 has numbers from 0 to 999"):
        files([document((CASH, 100), (named, -100))], "sage-50", "journal")


def test_a_document_has_the_categories_of_its_game_and_table(books: Cast) -> None:
    accounts = {
        posting.posted: posting.account for item in sample_journal().documents for posting in item.postings
    }
    assert accounts["win"] == Account(
        "4010",
        "Table win:Easy Over Under",
        "income",
        "Table games:Easy Over Under",
        "100",
        "Main floor",
        ("Table: T1", "Game: Easy Over Under"),
    )
    drop = accounts["drop"]
    assert drop is not None
    assert drop[3:] == ("", "", "", ())


@pytest.mark.parametrize(
    ("categories", "says"),
    [
        ({"class": "{pit}"}, "class: a name of letters, digits, spaces and"),
        ({"class": "=1"}, "class: "),
        ({"class": " "}, "class: "),
        ({"department": 7}, "department: "),
        ({"tracking": ["Table"]}, "tracking.*: a category and an option, with a colon and a space"),
        ({"tracking": ["A: 1", "B: 2", "C: 3"]}, "tracking: at most two tracking categories"),
    ],
)
def test_a_category_that_no_program_reads_is_refused_with_its_field(categories: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        check("accounts", CAGE | categories, Place("drop"))
    check("accounts", CAGE | CATEGORIES, Place("drop"))


def test_categories_are_entered_by_the_form_and_taken_out_again(cast: Cast) -> None:
    typed = CATEGORIES | {"tracking": "Table: {table}, Game: {game}"}
    assert sign(cast, "accounts", key="drop", **CAGE, **typed).status_code == 302
    assert value_of("accounts", "drop") == CAGE | CATEGORIES


def test_the_mapping_is_on_its_page_with_what_is_missing(books: Cast) -> None:
    page = text(books.browser("Alma").get(PAGE))
    for words in (
        "win › Easy Over Under 4010 Table win › Easy Over Under income Table games:{game} 100 Main floor",
        "Table: {table}, Game: {game}",
        "1010 Cash › Count room asset",
    ):
        assert words in page, words
    assert "No account for" not in page
    early = text(books.browser("Alma").get(f"{PAGE}&from=2019-01-01"))
    assert "No account for drop, win, chips," in early
    assert "An administrator enters the accounts" in early


def test_a_wrong_day_is_named(books: Cast) -> None:
    answer = books.browser("Alma").get(f"{PAGE}&from=soon")
    assert (answer.status_code, "“soon” is not a valid date" in text(answer)) == (400, True)
