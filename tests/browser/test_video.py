"""An officer writes the log from any page, plays the recording of a hand with its facts, and hands a shift
over. The recording is a file that the test itself serves.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from audit.review import hands, log_queries
from casino.reference.cameras import times_of
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.browser.conftest import Officer
from tests.casino.nights import STREAM

FILE = (Path(__file__).parent / "video" / "minute.mp4").read_bytes()


class Recorder(BaseHTTPRequestHandler):
    """Serves the same minute of video for every camera and time, with the ranges that a player asks for."""

    def do_GET(self) -> None:
        begins, _, ends = self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")
        first, last = int(begins), min(int(ends or len(FILE) - 1), len(FILE) - 1)
        part = FILE[first : last + 1]
        self.send_response(206 if "Range" in self.headers else 200)
        self.send_header("Content-Type", "video/mp4")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(part)))
        if "Range" in self.headers:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(FILE)}")
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def recorder() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join(5)


def state(page: Page, name: str) -> float:
    """Return a property of the video that is shown."""
    return float(page.evaluate(f"document.querySelector('#video-player video').{name}"))


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until a condition holds. `wait_for_function` of Playwright would need `eval`, which the content
    security policy of the pages forbids.
    """
    for _ in range(1200):
        if holds():
            return
        page.wait_for_timeout(50)
    assert holds()


def test_a_recording_plays_next_to_the_hand_in_step_with_its_facts(officer: Officer, recorder: str) -> None:
    stream = f"{recorder}/{{camera}}/{{start_unix}}.mp4"
    link = f"{recorder}/play?from={{start}}"
    set_registers(
        "aurora",
        [
            Entry(
                "cameras",
                "cam-12",
                {"tables": ["EOU-07"], "stream": stream, "link": link, "overwrite_days": 14},
            )
        ],
        by="m-101",
        second="m-102",
    )
    played = hands.played("aurora", STREAM, "r-0002")
    assert played is not None
    begins = times_of(played)[0].replace(microsecond=0)
    officer.log_in("v-101")
    page = officer.page
    page.goto(f"{officer.address}/queue/?state=all")
    page.locator(f'#rows [href="/hand/{STREAM}/r-0002/"]').click()
    page.get_by_role("button", name="Play cam-12 here").click()
    video = page.locator("#video-player video")
    expect(video).to_be_visible()
    until(page, lambda: state(page, "readyState") >= 1)
    last = played.facts[-1]
    wanted = (last.fact.at - begins).total_seconds()
    page.locator("tr[data-at] a[data-fact-at]").last.click()
    until(page, lambda: abs(state(page, "currentTime") - min(wanted, 60)) < 0.5)
    expect(page.locator("tr[data-at].now")).to_have_count(1)
    at_recording = page.evaluate(
        """() => new Promise((done) => {
            document.addEventListener("catwalk:video", (event) => done(event.detail), { once: true });
            const at = document.querySelector("#video-player video").dataset.begins;
            document.dispatchEvent(new CustomEvent("catwalk:step", { detail: { at } }));
        })"""
    )
    assert at_recording["at"].startswith(f"{begins.astimezone(UTC):%Y-%m-%dT%H:%M:%S}")
    assert officer.complaints == []


def test_an_entry_is_written_with_l_over_the_open_hand_and_is_linked_to_it(officer: Officer) -> None:
    officer.log_in("v-101")
    page = officer.page
    page.goto(f"{officer.address}/hand/{STREAM}/r-0002/")
    officer.press("l")
    dialog = page.locator("#log-dialog")
    expect(dialog).to_contain_text("About EOU-07, hand r-0002")
    expect(dialog.locator("[name=type]")).to_be_focused()
    dialog.locator("[name=type]").select_option("call")
    dialog.locator("[name=words]").fill("x")
    dialog.locator("[name=words]").fill("   ")
    dialog.get_by_role("button", name="Write the entry").click()
    expect(dialog.locator("[role=alert]")).to_contain_text("what happened")
    expect(dialog.locator("[name=words]")).to_be_focused()
    dialog.locator("[name=words]").fill("The pit asked for this hand.")
    dialog.get_by_role("button", name="Write the entry").click()
    expect(dialog).to_contain_text("Entry 1 is recorded")
    officer.press("Escape")
    expect(dialog).not_to_be_visible()
    (entry,) = log_queries.entries("aurora", log_queries.Wanted())
    assert (entry.type, entry.round, entry.by) == ("call", "r-0002", "v-101")
    officer.press("g", "d")
    page.wait_for_url("**/log/")
    expect(page.locator("main")).to_contain_text("The pit asked for this hand.")
    assert [complaint for complaint in officer.complaints if "404" not in complaint] == []


def test_the_focus_is_at_the_result_after_a_recording_is_held(officer: Officer) -> None:
    set_registers("aurora", [Entry("cameras", "cam-12", {"tables": ["EOU-07"]})], by="m-101", second="m-102")
    officer.log_in("v-101")
    page = officer.page
    page.goto(f"{officer.address}/hand/{STREAM}/r-0002/")
    page.locator("summary", has_text="Hold the recording").focus()
    officer.press("Enter")
    form, reason = page.locator("#recordings form").first, page.locator("#recordings [name=reason]")
    form.locator("[name=minutes]").select_option("10")
    reason.fill("   ")
    officer.press("Enter")
    expect(form.locator("[role=alert]")).to_be_visible()
    expect(reason).to_be_focused()
    expect(form.locator("[name=minutes]")).to_have_value("10")
    reason.fill("a patron disputes the payout")
    officer.press("Enter")
    result = page.locator("#recordings .done")
    expect(result).to_have_text("Recorded: the recording must be held.")
    expect(result).to_be_focused()
    expect(result).to_be_in_viewport()
    officer.press("Tab")
    expect(page.locator("#recordings :focus")).to_have_count(1)
    officer.press("j", "k", "f")
    expect(page.locator("#flag[open]")).to_have_count(1)
    assert officer.complaints == []


@pytest.mark.long
def test_pages_of_log_and_recordings_have_no_barrier(officer: Officer) -> None:
    set_registers(
        "aurora",
        [Entry("cameras", "cam-12", {"tables": ["EOU-07"], "overwrite_days": 14})],
        by="m-101",
        second="m-102",
    )
    officer.log_in("v-101")
    pages = [(path, ()) for path in ("/log/", "/log/write/", "/log/hand-over/", "/log/cameras/", "/video/")]
    assert officer.barriers([*pages, (f"/hand/{STREAM}/r-0002/", ())], "light", "dark") == []
