"""Take the pictures of the documents: `python -m tests.screenshots [NAME ...]`, part of `make docs`.

The script starts the demo with its sample month in a data folder of its own, signs in as the users of the
demo in headless Chromium, and writes `docs/images/NAME.png`, 1280 pixels wide.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, sync_playwright

from tests.manage import free_port

PROJECT = Path(__file__).resolve().parents[1]
IMAGES = PROJECT / "docs" / "images"
START_SECONDS = 900
"""Seconds to wait until the demo has recorded and examined its month, also on a slow machine."""
KEY_MILLISECONDS = 1_000
"""Milliseconds to wait after a key until htmx has shown what it opens."""
CHROMIUM_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run")
MONTH = "from=2026-10-28&to=2026-11-26"
SAMPLE_DAY = "2026-11-14"
ARRANGE = "/admin/casino/entry/set/pits/?property=aurora&key=pit-1"


class Picture(NamedTuple):
    """One picture: the user who is signed in, the page, and the actions before it is taken."""

    name: str
    user: str
    path: str
    keys: tuple[str, ...] = ()
    shows: str = "main"
    """The selector of an element that must be visible."""
    height: int = 800
    click: str = ""
    """The selector of a link that is followed first, or empty text."""
    steps: tuple[tuple[str, str], ...] = ()
    """After the keys: selectors of fields with the value to enter, or of buttons with an empty text."""


CASE = (
    ("[data-to-case]", ""),
    ("[name=title]", "Losing bets paid at EOU-02"),
    ("[name=concerns]", "dealers-play"),
    ("[name=about]", "Two losing bets were paid in one month."),
    ("main button.primary", ""),
)
"""The steps that open a case from the chosen hands."""
PICTURES = (
    Picture("queue", "Dana", "/queue/?code=wrong-settlement", ("j", "Enter"), "#hand .hand"),
    Picture("verdict", "Dana", "/queue/?code=wrong-settlement", ("j", "Enter", "c"), "#verdict-form.open"),
    Picture("home", "Dana", "/home/", shows="main h1"),
    Picture("replay", "Dana", "/queue/?code=wrong-settlement", ("j", "Enter", "p"), ".replay"),
    Picture("search", "Dana", "/hands/?code=wrong-settlement", ("j",), "#rows"),
    Picture("board-dealers", "Dana", f"/boards/dealers/?{MONTH}", shows="main table", height=900),
    Picture("wall", "Dana", "/wall/", shows=".tiles"),
    Picture("hold", "Boris", f"/hold/where/?by=table&{MONTH}", shows="main table", height=900),
    Picture("hold-table-day", "Boris", f"/hold/where/aurora/EOU-02/{SAMPLE_DAY}/", shows="main table"),
    Picture("hold-report", "Boris", f"/reports/hold/?by=table&{MONTH}", shows="main table"),
    Picture("review", "Dana", f"/hold/review/?{MONTH}", shows="main h1"),
    Picture("floor", "Finn", "/floor/", shows="main table"),
    Picture("floor-map", "Finn", "/floor/?view=map", shows=".pit-map", height=1000),
    Picture("floor-table", "Finn", "/floor/", click="main a[href$='/EOU-01/']", shows="main h1"),
    Picture("floor-tray", "Finn", "/floor/aurora/EOU-01/tray/closer/", shows="main form"),
    Picture("cage", "Chi", "/cage/", shows="main"),
    Picture("cage-fill", "Chi", "/cage/ask/aurora/EOU-01/fill/", shows="main"),
    Picture("cage-markers", "Chi", "/cage/markers/", shows="main"),
    Picture("cage-deposits", "Chi", "/cage/deposits/", shows="main"),
    Picture("count", "Nia", "/count/", shows="main"),
    Picture("count-drop", "Nia", "/count/", click="main a[href*='/count/drop/']", shows="main form"),
    Picture("closing", "Alma", "/closing/?day=2026-11-12", shows="main table"),
    Picture("restated", "Alma", f"/reports/restated/?{MONTH}", shows="main table"),
    Picture("journal", "Alma", "/journal/?from=2026-11-12&to=2026-11-12", shows="main"),
    Picture("exports", "Alma", "/exports/", shows="main"),
    Picture("views", "Rhea", "/views/", shows="main"),
    Picture("certificate", "Rhea", "/certificate/", shows="main table"),
    Picture("tokens", "Rhea", "/tokens/", shows="main"),
    Picture("admin", "Mia", "/admin/", shows="#content"),
    Picture("register-entry", "Mia", "/admin/casino/entry/set/", shows="#content"),
    Picture("floor-arrange", "Mia", ARRANGE, shows=".arrange-map", height=900),
    Picture("help", "Rhea", "/help/", shows="main h1"),
    Picture(
        "case",
        "Dana",
        "/queue/?code=wrong-settlement&table=EOU-02",
        ("j", "x", "j", "x"),
        ".casecols",
        steps=CASE,
    ),
)
"""The pictures in the order in which they are taken. The picture of the viewing log comes after those of
pages whose visit adds an entry to it. The picture of a case is last, because it records facts.
"""


def main(names: list[str]) -> int:
    """Take these pictures, or all of them. Return the exit code."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("No chromium: install it (apt-get install chromium) and run this again.", file=sys.stderr)
        return 1
    if unknown := set(names) - {picture.name for picture in PICTURES}:
        print(f"Unknown picture: {', '.join(sorted(unknown))}.", file=sys.stderr)
        return 2
    data = Path(os.environ.get("CATWALK_DATA") or PROJECT / ".data" / "docs")
    data.mkdir(parents=True, exist_ok=True)
    address = f"http://localhost:{free_port()}"
    demo = start_demo(data, address)
    try:
        passwords = {name: (id, password) for id, name, _, password, *_ in logins(data)}
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM_FLAGS))
            pictures = [picture for picture in PICTURES if not names or picture.name in names]
            take(browser, address, pictures, passwords)
            browser.close()
    finally:
        demo.send_signal(signal.SIGTERM)
        demo.wait(60)
    return 0


def start_demo(data: Path, address: str) -> subprocess.Popen[bytes]:
    """Start the demo at this address, and wait for its first page.

    Raises:
        RuntimeError: The demo ended, or no page came within `START_SECONDS`.
    """
    command = [sys.executable, str(PROJECT / "manage.py"), "demo", "--port", address.rpartition(":")[2]]
    with (data / "demo.log").open("wb") as log:
        demo = subprocess.Popen(
            command,
            env=os.environ | {"CATWALK_DATA": str(data)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    deadline = time.monotonic() + START_SECONDS
    while not (data / "demo_logins.json").exists() or not answers(address):
        if demo.poll() is not None or time.monotonic() > deadline:
            demo.terminate()
            raise RuntimeError(f"The demo did not start: see {data / 'demo.log'}.")
        time.sleep(0.5)
    return demo


def answers(address: str) -> bool:
    """Return True if the demo's login page answers."""
    try:
        with urllib.request.urlopen(f"{address}/login/", timeout=5):
            return True
    except OSError:
        return False


def logins(data: Path) -> list[list[str]]:
    """Return the staff ID, name, role, password and token of each user of the demo."""
    users: list[list[str]] = json.loads((data / "demo_logins.json").read_text())
    return users


def take(
    browser: Browser, address: str, pictures: list[Picture], passwords: dict[str, tuple[str, str]]
) -> None:
    """Take each picture as the user it names, of the demo at this address. A user signs in once."""
    sessions: dict[str, BrowserContext] = {}
    IMAGES.mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        if picture.user not in sessions:
            sessions[picture.user] = sign_in(browser, address, *passwords[picture.user])
        page = sessions[picture.user].new_page()
        page.set_default_timeout(20_000)
        page.set_viewport_size({"width": 1280, "height": picture.height})
        page.goto(picture.path)
        if picture.click:
            page.locator(picture.click).first.click()
        for key in picture.keys:
            page.keyboard.press(key)
            page.wait_for_timeout(KEY_MILLISECONDS)
        for selector, value in picture.steps:
            enter(page.locator(selector).first, value)
        page.locator(picture.shows).first.wait_for()
        size = write(picture.name, page.screenshot(animations="disabled"))
        print(f"docs/images/{picture.name}.png  {size // 1024} KB", flush=True)
        page.close()


def enter(field: Locator, value: str) -> None:
    """Enter a value into a text field, or choose it in a list. If the value is empty, click the field."""
    if not value:
        field.click()
    elif field.evaluate("field => field.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)


def sign_in(browser: Browser, address: str, id: str, password: str) -> BrowserContext:
    """Return a browser context in which this user is signed in."""
    context = browser.new_context(
        base_url=address, timezone_id="UTC", locale="en-US", reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto("/login/")
    page.fill("[name=username]", id)
    page.fill("[name=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/login/" not in url)
    page.close()
    return context


def write(name: str, png: bytes) -> int:
    """Write a picture with a palette of 128 colors, which makes it a third of the size, and return the number
    of bytes.
    """
    path = IMAGES / f"{name}.png"
    Image.open(io.BytesIO(png)).convert("RGB").quantize(128).save(path, optimize=True)
    return path.stat().st_size


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
