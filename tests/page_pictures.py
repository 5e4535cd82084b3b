"""Take pictures of every page, to look at: `python -m tests.page_pictures FOLDER [--only TEXT] [--axe]`.

The script starts the demo in a data folder of its own, records what the sample does not have (`tests/walk`),
finds the pages (`tests/every_page.py`), and takes each at 390, 820, 1280 and 1920 pixels, light and dark, in
`FOLDER/NAME/WIDTH-THEME.png`. The picture `FOLDER/sheets/NAME.png` shows the eight of one page together. The
script prints pages that scroll sideways, messages of the browser's console, with `--axe` the barriers that
axe finds, and the routes that no link leads to. It exits with 1 if a page scrolls sideways, the console has a
message, or axe finds something.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import django
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests import every_page, screenshots
from tests.every_page import Place
from tests.manage import free_port
from tests.walk import rows

WIDTHS = (390, 820, 1280, 1920)
THEMES = ("light", "dark")
TALLEST = 4_000
"""The part of a page, in pixels from its top, that a picture shows."""
ON_SHEET = 2_000
SETTLE_MILLISECONDS = 400
AXE = Path(__file__).parent / "browser" / "axe.min.js"
AXE_WIDTHS = (390, 1280)


def main(arguments: list[str]) -> int:
    """Take the pictures. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.page_pictures")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="only pages whose name contains this text")
    parser.add_argument("--axe", action="store_true", help="also let axe look at each page")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    with tempfile.TemporaryDirectory(prefix="catwalk-pictures-") as temporary:
        data = Path(os.environ.get("CATWALK_DATA") or temporary)
        data.mkdir(parents=True, exist_ok=True)
        address = f"http://localhost:{free_port()}"
        os.environ.update(rows.SETTINGS)
        demo = screenshots.start_demo(data, address)
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=shutil.which("chromium"), args=list(screenshots.CHROMIUM_FLAGS)
                )
                faults = look(browser, address, data, options)
                browser.close()
        finally:
            demo.send_signal(signal.SIGTERM)
            demo.wait(60)
    return 1 if faults else 0


class Walk(NamedTuple):
    """The pages of a demo with rows: a browser context for each user, the pages to which links lead, and all
    pages.
    """

    contexts: dict[str, BrowserContext]
    linked: list[Place]
    places: list[Place]


def walk(browser: Browser, address: str, data: Path) -> Walk:
    """Record in a fresh demo what the sample does not have, and find its pages."""
    contexts = signed_in(browser, address, screenshots.logins(data))
    first_users = dict(contexts)
    contexts[""] = browser.new_context(base_url=address)
    of_rows = rows.make(browser, contexts, address, data)
    linked = every_page.walk(first_users, address)
    return Walk(contexts, linked, linked + every_page.by_hand() + of_rows)


def look(browser: Browser, address: str, data: Path, options: argparse.Namespace) -> list[str]:
    """Take the pictures of each page and print what is wrong with it. Return all that is wrong."""
    contexts, linked, places = walk(browser, address, data)
    faults = []
    for place in places:
        if options.only not in place.name:
            continue
        wrong = pictures(contexts[place.user], place, options.folder)
        if options.axe:
            wrong += barriers(browser, contexts[place.user], address, place)
        print(f"{place.name:60} {place.user or 'nobody':8} {place.path}", *wrong, sep="\n    ", flush=True)
        faults += wrong
    print("No link leads to:", ", ".join(every_page.unreached(linked)))
    print(f"{len(places)} pages, {len(faults)} faults")
    return faults


def signed_in(browser: Browser, address: str, users: list[list[str]]) -> dict[str, BrowserContext]:
    """Return a browser context for the first user of each role, by the user's name."""
    of_each_role = {
        role: (name, id, password) for id, name, role, password, *_ in reversed(users) if password
    }
    return {
        name: screenshots.sign_in(browser, address, id, password)
        for name, id, password in reversed(of_each_role.values())
    }


def pictures(context: BrowserContext, place: Place, folder: Path) -> list[str]:
    """Take a page at all widths in both themes, and their sheet. Return what is wrong with the page."""
    (folder / place.name).mkdir(parents=True, exist_ok=True)
    (folder / "sheets").mkdir(exist_ok=True)
    taken = dict[tuple[int, str], Image.Image]()

    def take(page: Page, width: int) -> None:
        for theme in THEMES:
            path = folder / place.name / f"{width}-{theme}.png"
            _take(page, theme, path)
            taken[width, theme] = Image.open(path)

    wrong = faults(context, place, take)
    _sheet(taken).save(folder / "sheets" / f"{place.name}.png")
    return wrong


def faults(
    context: BrowserContext, place: Place, look_at: Callable[[Page, int], None] | None = None
) -> list[str]:
    """Open a page at all widths and press its keys. Return at which widths it scrolls sideways and what the
    console says.

    Args:
        look_at: called with the page and its width when the page has been loaded.
    """
    page = context.new_page()
    wrong = list[str]()
    page.on("console", lambda message: wrong.extend(_complaint(message)))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 1_000})
        page.goto(place.path)
        page.wait_for_timeout(SETTLE_MILLISECONDS)
        for key in place.keys:
            page.keyboard.press(key)
            page.wait_for_timeout(SETTLE_MILLISECONDS)
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if over > 0:
            wrong.append(f"{width}: scrolls sideways by {over} px")
        if look_at:
            look_at(page, width)
    page.close()
    return sorted(set(wrong))


def barriers(browser: Browser, context: BrowserContext, address: str, place: Place) -> list[str]:
    """Return what axe finds on a page at `AXE_WIDTHS` after its keys, and its contrast in the dark theme.

    The page has no content security policy here, because it would block axe.
    """
    bare = browser.new_context(
        bypass_csp=True, storage_state=context.storage_state(), reduced_motion="reduce"
    )
    page = bare.new_page()
    wrong = []
    for width in AXE_WIDTHS:
        page.set_viewport_size({"width": width, "height": 1_000})
        page.goto(address + place.path)
        for key in place.keys:
            page.keyboard.press(key)
            page.wait_for_timeout(SETTLE_MILLISECONDS)
        page.evaluate(AXE.read_text())
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            rules: dict[str, Any] = {"runOnly": ["color-contrast"]} if theme == "dark" else {}
            options = {"resultTypes": ["violations"], **rules}
            wrong += [
                f"axe {width} {theme}: {violation['id']}: {node['html'][:200]}"
                for violation in page.evaluate("options => axe.run(document, options)", options)["violations"]
                for node in violation["nodes"]
            ]
    bare.close()
    return wrong


def _complaint(message: ConsoleMessage) -> list[str]:
    """Return a message of the console that is a fault. An answer with an error is one by intention."""
    if message.type not in ("error", "warning") or "the server responded with a status of 4" in message.text:
        return []
    return [message.text]


def _take(page: Page, theme: Any, path: Path) -> None:
    page.emulate_media(color_scheme=theme)
    height = min(page.evaluate("document.documentElement.scrollHeight"), TALLEST)
    width = page.viewport_size["width"] if page.viewport_size else 0
    page.screenshot(
        path=path,
        full_page=True,
        caret="initial",  # hiding it would add a style sheet, about which the console complains
        clip={"x": 0, "y": 0, "width": width, "height": max(height, 1_000)},
    )


def _sheet(taken: dict[tuple[int, str], Image.Image]) -> Image.Image:
    """Join the eight pictures of a page into one: the light ones above, the dark ones below."""
    small = {
        key: image.crop((0, 0, image.width, min(image.height, ON_SHEET))).reduce(2)
        for key, image in taken.items()
    }
    gap = 8
    heights = [max(small[width, theme].height for width in WIDTHS) + gap for theme in THEMES]
    sheet = Image.new("RGB", (sum(width // 2 + gap for width in WIDTHS), sum(heights)), "magenta")
    top = 0
    for theme, height in zip(THEMES, heights, strict=True):
        left = 0
        for width in WIDTHS:
            sheet.paste(small[width, theme], (left, top))
            left += width // 2 + gap
        top += height
    return sheet


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
