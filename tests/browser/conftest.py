"""Fixtures for tests in a browser: Catwalk on a free port, and Debian's Chromium. If Chromium is not
installed, these tests are skipped with a message.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.casino.conftest import Cast
from tests.casino.nights import PASSWORD, officers, record, troubled_day
from tests.furnished import furnishing

AXE = (Path(__file__).parent / "axe.min.js").read_text()
CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

expect.set_options(
    timeout=60_000
)  # a busy machine may be slow, so expectations wait this long before they fail


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium: `make test` installs it as root, or `apt-get install chromium`")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = (
        "1"  # Playwright's event loop runs in this thread, and Django would refuse queries
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@furnishing
def night() -> Cast:
    """Create an installation with users, two officers and a day with many findings."""
    cast = Cast()
    officers()
    record(troubled_day())
    return cast


@pytest.fixture
def address(night: Cast) -> Iterator[str]:
    from casino.wsgi import application

    server = ThreadedWSGIServer(("127.0.0.1", 0), Quiet)
    server.daemon_threads = True
    server.set_app(application)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join(5)


LEFT = ("htmx:afterRequest, ", "htmx:sendAbort, ", "htmx:sendError, ")
"""Beginnings of messages that htmx logs when a request, such as a poll, ends because the user leaves its
page. If the server answers with an error, the message begins with `htmx:responseError` instead.
"""


class Officer:
    """A user in a browser. Errors and warnings of the browser's console are collected in `complaints`."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address, self.complaints = browser, address, list[str]()
        self.context = browser.new_context(
            viewport={"width": 1280, "height": 800}, timezone_id="UTC", locale="en-GB"
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text)
                if message.type in ("error", "warning") and not message.text.startswith(LEFT)
                else None
            ),
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def log_in(self, id: str, password: str = PASSWORD) -> None:
        self.page.goto(f"{self.address}/login/")
        self.page.fill("[name=username]", id)
        self.page.fill("[name=password]", password)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(lambda url: "/login/" not in url)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def found_here(self, scheme: Any) -> list[str]:
        """Return the accessibility barriers that axe finds on the page as it is shown now. axe examines a
        copy of the page that has no scripts and does not reload itself.
        """
        content = re.sub(r"<script\b.*?</script>|<meta http-equiv[^>]*>", "", self.page.content(), flags=re.S)
        context = self.browser.new_context(
            bypass_csp=True, color_scheme=scheme, viewport={"width": 1280, "height": 800}
        )
        page = context.new_page()
        page.goto(f"{self.address}/help/")  # a page of the server, so that the style sheet is loaded
        page.set_content(content)
        page.evaluate(AXE)
        barriers = [
            f"{violation['id']}: {node['html']}"
            for violation in page.evaluate("axe.run()")["violations"]
            for node in violation["nodes"]
        ]
        context.close()
        return barriers

    def barriers(
        self, pages: Sequence[tuple[str, Sequence[str]]], *schemes: Any, within: str = ""
    ) -> list[str]:
        """Open each page, press the keys given for it, and return the accessibility barriers that axe finds.

        The pages have no content security policy here, because it would block axe. `within` limits the check
        to one part of the pages. In the dark scheme only contrast is checked. Hand pages are checked without
        the list of the queue, which is checked on the queue page.
        """
        size: Any = {"width": 1280, "height": 800}
        context = self.browser.new_context(
            bypass_csp=True,
            storage_state=self.context.storage_state(),
            viewport=size,
            reduced_motion="reduce",
        )
        barriers = []
        page = context.new_page()
        for path, keys in pages:
            page.emulate_media(color_scheme=schemes[0])
            page.goto(f"{self.address}{path}")
            for key in keys:
                page.keyboard.press(key)
            page.evaluate(AXE)
            scope = {
                "include": [[within or "html"]],
                "exclude": [["#rows"]] if path.startswith("/hand/") else [],
            }
            for scheme in schemes:
                page.emulate_media(color_scheme=scheme)
                options = {"resultTypes": ["violations"]} | (
                    {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
                )
                violations = page.evaluate("([where, asked]) => axe.run(where, asked)", [scope, options])[
                    "violations"
                ]
                barriers += [
                    f"{path}: {scheme}: {violation['id']}: {node['html']}"
                    for violation in violations
                    for node in violation["nodes"]
                ]
        context.close()
        return barriers


@pytest.fixture
def officer(chromium: Browser, address: str) -> Iterator[Officer]:
    officer = Officer(chromium, address)
    yield officer
    officer.context.close()
