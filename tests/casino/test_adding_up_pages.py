"""Tests of reports whose sums are not cached yet. The page shows the progress and then the report, and never
blocks the browser.
"""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client

from audit.queries.cache.time_budget import TimeBudgetExceeded
from casino.presentation.formatting import period_label
from casino.reports import catalog, progress
from tests.casino.conftest import Cast
from tests.casino.feeding import run
from tests.casino.test_reports import felt, record

DAYS = ("2026-08-31", "2026-09-30", "2026-10-30", "2026-11-27")
YEAR = "from=2026-01-01&to=2026-11-30"
"""The registers of the cast are recorded today, which may be a month of its own from December on."""
REPORTS = ("hold", "master-game-report", "stiff-sheet", "dealer-errors")
PAGES = (
    *(f"/reports/{name}/?{YEAR}" for name in REPORTS),
    *(f"/hold/{page}?{YEAR}" for page in ("", "where/", "review/")),
)


@pytest.fixture
def dana(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Return Dana's browser. Each of its requests adds up only one month, so that a report of a year takes
    several requests.
    """
    record(*(felt(1000, 100, day=day) for day in DAYS))
    monkeypatch.setattr(progress, "SLICE_SECONDS", 0.0)
    return cast.browser("Dana")


def far(page: str) -> tuple[int, int]:
    match = re.search(r'<progress max="(\d+)" value="(\d+)"', page)
    assert match is not None, page
    return int(match[2]), int(match[1])


@pytest.mark.parametrize("address", PAGES)
def test_a_page_shows_its_progress_and_then_the_report(dana: Client, address: str) -> None:
    first = dana.get(address)
    page = first.content.decode()
    assert (first.status_code, far(page)) == (202, (1, 4))
    assert "next is 2026-09" in page
    assert f'hx-get="{address.replace("&", "&amp;")}"' in page
    assert f'<section id="{progress.LOOKS}"' in page
    assert "<script" not in page.partition("<main")[2], "the page's own script alone"
    part = dana.get(address, headers={"HX-Request": "true", "HX-Target": progress.LOOKS})
    assert (part.status_code, far(part.content.decode())) == (202, (2, 4))
    assert part.content.decode().lstrip().startswith("<section"), "the part alone"
    for _ in range(40):
        looked = dana.get(address, headers={"HX-Request": "true", "HX-Target": progress.LOOKS})
        if looked.status_code != 202:
            break
    assert (looked.status_code, looked.headers.get("HX-Refresh"), looked.content) == (200, "true", b"")
    shown = dana.get(address)
    assert (shown.status_code, "<progress" in shown.content.decode()) == (200, False)


def test_a_report_summed_in_steps_equals_one_summed_at_once(dana: Client) -> None:
    slow = {name: [] for name in catalog.names()}
    for name in slow:
        while (answer := dana.get(f"/reports/{name}/?{YEAR}")).status_code == 202:
            slow[name].append(far(answer.content.decode()))
        assert answer.status_code == 200
        csv = b"".join(dana.get(f"/reports/{name}/csv/?{YEAR}").streaming_content).decode()
        assert (
            csv
            == run(
                "report",
                name,
                "--from",
                "2026-01-01",
                "--to",
                "2026-12-01",
                "--property",
                "aurora",
                "--format",
                "csv",
            ).out
        )
    assert [name for name, looks in slow.items() if looks]


def test_files_and_the_command_wait_for_all_sums_and_progress_needs_the_right(
    cast: Cast, dana: Client
) -> None:
    assert cast.browser("Eve").get(PAGES[0]).status_code == 403
    assert dana.get(f"/reports/statistics/csv/?{YEAR}").status_code == 200
    assert run("report", "voids", "--from", "2026-01-01", "--to", "2026-12-01").code == 0
    assert dana.get(f"/reports/statistics/?{YEAR}").status_code == 200, "the file has added it up"
    assert dana.post(PAGES[-1], {"row": "", "state": ""}).status_code == 400, (
        "what is sent is answered at once"
    )


def test_the_progress_names_days_as_other_pages_do() -> None:
    names = {
        "2026-09": "2026-09",
        "2026-11-08": "8 Nov 2026",
        "2026-11-01..2026-11-26": "1 Nov 2026 to 26 Nov 2026",
    }
    assert {period: period_label(period) for period in names} == names
    reached = TimeBudgetExceeded("2026-11-01..2026-11-26", 2, 4)
    page = render_to_string("reports/_adding.html", {"progress": reached, "looks": "x", "address": "/"})
    assert "2 of 4 parts, next is 1 Nov 2026 to 26 Nov 2026" in " ".join(page.split())
