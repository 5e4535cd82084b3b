"""Pages write a date as `27 Nov 2026`, also in sentences. Files and the REST API write it as `2026-11-27`."""

from __future__ import annotations

import re

import pytest

from casino.presentation.formatting import dates_in_words, finding_sentence, streams_in_words
from tests.casino.books import close, counted, map_accounts
from tests.casino.conftest import Cast
from tests.casino.pages import text
from tests.casino.test_reports import felt, live, record
from tests.furnished import furnishing

ISO_DATE = re.compile(r"(?<![\w/-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![\w/-])")
NIGHT = "from=2026-11-26&to=2026-11-27"


@furnishing
def nights() -> Cast:
    """Record a closed day, a day without a count, a day without a closer, and the accounts of the books."""
    cast = Cast()
    uncounted, unclosed = felt(1000, 100, day="2026-11-26", table="aurora/T2")[:-1], felt(1000, 100)
    record(
        counted(1000, 100, day="2026-11-26"),
        close("2026-11-26"),
        uncounted,
        [unclosed[0], *unclosed[1:3], unclosed[4]],
        live(1000, 100),
        close(table="aurora/L1"),
    )
    map_accounts()
    return cast


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("d-1 is not a dealer on 2026-11-07.", "d-1 is not a dealer on 7 Nov 2026."),
        ("2026-11-27: no box pulled yet", "27 Nov 2026: no box pulled yet"),
        ("pending aurora/T1/2026-11-27: no closer", "pending aurora/T1/2026-11-27: no closer"),
        ("opened at 2026-11-27T06:00:00-08:00", "opened at 2026-11-27T06:00:00-08:00"),
        ("“2026-11-2” is not a date such as 2026-11-31", "“2026-11-2” is not a date such as 2026-11-31"),
    ],
)
def test_a_sentence_has_its_dates_as_pages_write_them(written: str, shown: str) -> None:
    assert (dates_in_words(written), finding_sentence(written)) == (shown, shown)


@pytest.mark.parametrize(
    ("property", "shown"),
    [
        (None, "pending T1, gaming day 27 Nov 2026 swing: no closer; 26 Nov 2026: no count"),
        ("aurora", "pending T1, gaming day 27 Nov 2026 swing: no closer; 26 Nov 2026: no count"),
        ("boreal", "pending aurora/T1, gaming day 27 Nov 2026 swing: no closer; 26 Nov 2026: no count"),
    ],
)
def test_a_note_names_tables_and_days_as_an_accountant_does(property: str | None, shown: str) -> None:
    note = "pending aurora/T1/2026-11-27 swing: no closer; 2026-11-26: no count"
    assert streams_in_words(note, property) == shown
    assert streams_in_words("document aurora/T1/2026-11-27/1") == "document aurora/T1/2026-11-27/1"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (f"/hold/?{NIGHT}", "27 Nov 2026: no closer"),
        (f"/reports/hold/?{NIGHT}", "pending T1, gaming day 27 Nov 2026: no closer"),
        (f"/reports/where-the-hold-went/?{NIGHT}", "not counted: T1, gaming day 27 Nov 2026: no closer"),
        (f"/reports/table-drop/?{NIGHT}", "26 Nov 2026"),
        (f"/journal/?{NIGHT}", "T1, gaming day 26 Nov 2026"),
        (f"/reports/journal/?{NIGHT}", "T1, gaming day 26 Nov 2026"),
        ("/closing/?day=2026-11-27", "27 Nov 2026"),
    ],
)
def test_a_page_writes_every_date_in_one_way(nights: Cast, address: str, shown: str) -> None:
    page = text(nights.browser("Alma").get(address))
    assert shown in page
    assert ISO_DATE.findall(page) == []


def test_messages_name_the_day_as_pages_do(nights: Cast) -> None:
    alma = nights.browser("Alma")
    ends_first = {"from": "2026-11-27", "to": "2026-11-26", "name": "hold", "format": "csv", "by": ""}
    page = text(alma.post("/exports/", {"property": "aurora", "what": "hold", **ends_first}))
    assert "Last day: 26 Nov 2026 comes before the first day 27 Nov 2026." in page
    page = text(alma.post("/closing/?day=2026-11-27", {"tables": ["T9"], "looked": "on"}))
    assert "T9 was not open on 27 Nov 2026." in page


def test_the_api_and_files_keep_the_form_that_programs_read(nights: Cast) -> None:
    alma = nights.browser("Alma")
    csv = b"".join(alma.get(f"/reports/hold/csv/?{NIGHT}").streaming_content).decode()
    assert "pending aurora/T1/2026-11-27: no closer" in csv
