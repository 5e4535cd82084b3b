"""An officer's screen for the benchmark of latency: the queue is open, nobody touches it, and the time at
which each row appears is recorded.

If Chromium is installed, a row counts as shown when a frame with the row has been drawn. Otherwise a reader
requests news as often as the page does. The measured time then lacks the time that a browser needs to draw a
row (about two frames), and the output says so.
"""

from __future__ import annotations

import re
import shutil
import time
import urllib.request
from http.cookiejar import CookieJar
from threading import Event, Thread
from typing import Any
from urllib.parse import urlencode

OFTEN = 0.5
"""Seconds between two requests with which the page asks for changes (templates/surveillance/_list.html)."""
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
)
WATCH = """() => {
    window.seen = {};
    const look = () => requestAnimationFrame(() => setTimeout(() => {
        for (const row of document.querySelectorAll("#rows .hand-row"))
            window.seen[row.dataset.key] ??= Date.now();
    }));
    new MutationObserver(look).observe(document.querySelector("#rows"), {childList: true});
    look();
}"""
"""A script that stores the time at which each row was on the screen. An animation frame's callback starts a
task, which runs after the browser has drawn the frame. That task reads the time.
"""


class Chromium:
    """The queue in a real browser."""

    says = "the queue in Chromium, which asks twice a second"

    def __init__(self, address: str, id: str, password: str) -> None:
        from playwright.sync_api import sync_playwright

        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=list(FLAGS)
        )
        self.page = self.browser.new_page()
        answer = self.page.goto(f"{address}/login/")
        assert answer is not None
        assert answer.ok, self.page.inner_text("body")
        self.page.fill("[name=username]", id)
        self.page.fill("[name=password]", password)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url("**/queue/")
        self.page.evaluate(WATCH)

    def times_seen(self) -> dict[str, float]:
        """Return the time of day at which each row (`stream|hand`) was on the screen."""
        seen_at: dict[str, float] = self.page.evaluate("() => window.seen")
        return {key: at / 1000 for key, at in seen_at.items()}

    def close(self) -> None:
        self.browser.close()
        self.playwright.stop()


class Reader:
    """Requests news as the page does, without drawing anything."""

    says = (
        "no Chromium here: a reader that asks for news as the queue does, every 0.5 s, without drawing them"
    )

    def __init__(self, address: str, id: str, password: str) -> None:
        self.address, self.rows, self.over = address, dict[str, float](), Event()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        token = self._value("csrfmiddlewaretoken", self._get("/login/"))
        form = urlencode(
            {"username": id, "password": password, "csrfmiddlewaretoken": token, "next": "/queue/"}
        ).encode()
        self.since = self._value("since", self._get("/login/", form))
        self.thread = Thread(target=self._ask, daemon=True)
        self.thread.start()

    def _get(self, path: str, form: bytes | None = None) -> str:
        request = urllib.request.Request(f"{self.address}{path}", form, {"Referer": f"{self.address}/login/"})
        with self.opener.open(request, timeout=30) as answer:
            page: str = answer.read().decode()
        return page

    @staticmethod
    def _value(name: str, page: str) -> str:
        match = re.search(rf'name="{name}" value="([^"]+)"', page)
        assert match is not None, f"the page has no {name}"
        return match[1]

    def _ask(self) -> None:
        while not self.over.wait(OFTEN):
            news = self._get(f"/queue/news/?since={self.since}")
            instant = time.time()
            self.since = self._value("since", news)
            for key in re.findall(r'data-key="([^"]+)"', news):
                self.rows.setdefault(key, instant)

    def times_seen(self) -> dict[str, float]:
        """Return the time of day at which each row (`stream|hand`) was received."""
        return dict(self.rows)

    def close(self) -> None:
        self.over.set()
        self.thread.join()


def screen(address: str, id: str, password: str) -> Any:
    """Sign in as an officer and return the officer's queue: in Chromium if it is installed, otherwise in a
    `Reader`.
    """
    return (Chromium if shutil.which("chromium") else Reader)(address, id, password)
