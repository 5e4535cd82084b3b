"""Pages that receive changes by a stream: a new hand and an opened table appear. If the stream is refused,
the page polls.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from casino.web import streams
from tests.audit.floor import opened
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast
from tests.casino.nights import record, troubled_day
from tests.casino.streaming import serving
from tests.casino.waiting import until


@pytest.fixture
def address(night: Cast) -> Iterator[str]:
    with serving() as address:
        yield address


def requested(officer: Officer) -> list[str]:
    """Return the addresses of this site that the page has requested."""
    script = "performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)"
    addresses: list[str] = officer.page.evaluate(script)
    return addresses


def test_a_new_hand_appears_by_the_stream(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/queue/?table=aurora/EOU-08")
    until(lambda: streams.OPEN_STREAMS.count("v-101")[1] == 1)
    record(troubled_day(table="EOU-08", times=1))
    expect(officer.page.locator("#rows .hand-row").first).to_be_visible()
    assert "/queue/stream/" in officer.page.content()
    officer.page.goto(f"{officer.address}/reports/")
    until(lambda: streams.OPEN_STREAMS.count("v-101")[1] == 0)
    assert officer.complaints == []


def test_an_opened_table_appears_on_the_floor(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/floor/")
    until(lambda: streams.OPEN_STREAMS.count("v-101")[1] == 1)
    record([opened(1, "aurora/EOU-91")])
    expect(officer.page.locator("#board")).to_contain_text("EOU-91")
    assert officer.complaints == []


def test_a_refused_stream_leaves_polling(officer: Officer, monkeypatch: Any) -> None:
    monkeypatch.setattr(streams, "MAX_OF_PERSON", 0)
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/queue/?table=aurora/EOU-08")
    record(troubled_day(table="EOU-08", times=1))
    expect(officer.page.locator("#rows .hand-row").first).to_be_visible()
    until(lambda: requested(officer).count("/queue/news/") > 3)
