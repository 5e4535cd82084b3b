"""Every figure of a home page is a link, and the page to which it leads has the rows that it counts: as many
as the figure says, or with a total that equals it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import NamedTuple

import pytest

from tests.casino.busy_evening import busy_evening
from tests.casino.conftest import Cast
from tests.casino.pages import markup
from tests.furnished import furnishing

EXCEPTIONS = (
    r"of \d+",  # the number of all tables, after the number of open ones
    r"(?:in|of) the last \d+ (?:gaming )?days",  # which days are read
    r"late after \d+ minutes",  # the limit after which a slip is late
    r"\d+ days, judged or not",  # the days of the chart
    r"\d+ of$",  # how many rows of a list are shown, before the number of all rows, which is a link
)
"""The texts with digits that are not figures, and so are not links."""
HOMES = ("Dana", "Finn", "Chi", "Nia")
"""Surveillance, floor, cage and count room."""


@furnishing
def evening() -> Cast:
    """Record an evening on which every figure has something to count."""
    return busy_evening()


class Link(NamedTuple):
    """A figure of a home page: its text, the words before it, and the address of its link."""

    label: str
    text: str
    address: str


class Figures(HTMLParser):
    """Reads the figures of a home page: the cards, the number cells of lists, and the heads of lists. In the
    table behind a chart, the name of a row is the link of its number.

    Attributes:
        links: the figures that are links.
        unlinked: the texts with digits that are not links.
    """

    def __init__(self) -> None:
        super().__init__()
        self.links: list[Link] = []
        self.unlinked: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self._address, self._label, self._text, self._row = "", "", "", ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in ("input", "link", "meta", "br"):
            return
        known = {name: value or "" for name, value in attributes}
        kinds = known.get("class", "").split()
        begins = "figure" in kinds or (tag == "td" and "n" in kinds) or (tag == "small" and self._in("h3"))
        self._open.append((tag, begins))
        if begins:
            self._label = ""
        if tag == "tr":
            self._row = ""
        elif tag == "a" and self._in("details") and self._in("th"):
            self._row = known.get("href", "")
        if tag == "a" and self._is_figure():
            self._address, self._text = known.get("href", ""), ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._address:
            self.links.append(Link(self._label, " ".join(self._text.split()), self._address))
            self._address = ""
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        shown = " ".join(data.split())
        if self._address:
            self._text += data
        elif shown and self._row and self._is_figure():
            self.links.append(Link(self._label, shown, self._row))
        elif shown and self._is_figure() and not (self._in("h3") and not self._in("small")):
            self._label = shown
            if re.search(r"\d", re.sub("|".join(EXCEPTIONS), "", shown)):
                self.unlinked.append(shown)
        elif shown:
            self._label = shown

    def _in(self, tag: str) -> bool:
        return any(name == tag for name, _ in self._open)

    def _is_figure(self) -> bool:
        return any(begins for _, begins in self._open)


def figures(page: str) -> Figures:
    reader = Figures()
    reader.feed(page[page.index('<section class="home-of"') : page.index("</main>")])
    return reader


def table_rows(page: str) -> int:
    """Return the number of rows of the first table of a page, without headings of groups and totals."""
    body = page.partition("<tbody")[2].partition("</table>")[0].partition("<tfoot")[0]
    return len(re.findall(r"<tr(?! class=\"pit\")", body))


def of_queue(page: str) -> set[str]:
    counted = re.search(r'id="count">([0-9+]+)<', page)
    assert counted is not None
    totals = re.findall(r"data-money-total>([^<]*)<", page)
    return {counted[1], *(amount for total in totals for amount in re.findall(r"[\d,]+\.\d\d", total))}


def of_floor(page: str) -> set[str]:
    if 'id="limits"' in page:
        return {f"{table_rows(page)}", *re.findall(r"[\d,]+\.\d\d", page)}
    boxes = re.search(r"Boxes not counted</dt><dd>(\d+)", page)
    return {boxes[1]} if boxes is not None else {f"{table_rows(page)}"}


def of_cage(page: str) -> set[str]:
    gaps = re.search(r"Missing numbers:(.*?)All missing numbers", page, re.S)
    total = re.search(r"data-slip-totals>(.*?)</p>", page, re.S)
    if total is None:
        assert gaps is not None
        names = " ".join(re.sub("<[^>]*>", " ", gaps[1]).split()).rstrip(". ")
        return {f"{len(names.split(', '))}", *names.split(", ")}
    amounts = re.findall(r"[\d,]+\.\d\d", total[1])
    slips = len(re.findall('id="slip-', page))
    return {f"{slips}", *amounts}


def of_markers(page: str) -> set[str]:
    totals = re.findall(r"Total</th>(.*?)</tr>", page, re.S)
    return {
        f"{table_rows(page)}",
        *(amount for part in totals for amount in re.findall(r"[\d,]+\.\d\d", part)),
    }


def of_rows(page: str) -> set[str]:
    return {f"{table_rows(page)}"}


ROWS: dict[str, Callable[[str], set[str]]] = {
    "/queue/": of_queue,
    "/floor/": of_floor,
    "/cage/": of_cage,
    "/cage/markers/": of_markers,
    "/count/": of_rows,
    "/video/": of_rows,
    "/cases/": of_rows,
    "/deliveries/": of_rows,
}
"""For each page with the rows of a figure: the function that returns the numbers that the page shows."""


def agrees(link: Link, page: str) -> bool:
    """Return True if the page shows the figure: a number of rows, an amount, or an age of its first row."""
    path = link.address.partition("?")[0]
    if (
        path not in ROWS
        or re.search(r"\d (?:s|min|h|d)\b|gaming day", link.text)
        or not re.search(r"\d", link.text)
    ):
        return True
    numbers = re.findall(
        r"[A-Z]-[\w-]+ to \d+|[A-Z]-[\w-]+|[\d,]+(?:\.\d+)?", re.sub(r", first .*", "", link.text)
    )
    shown = ROWS[path](page)
    if fragment := link.address.partition("#")[2]:
        part = page.partition(f'id="{fragment}"')[2]
        end = "</tr>" if fragment.startswith("marker-") else "</table>"
        shown = set(re.findall(r"[\d,]+\.\d\d", part.partition(end)[0]))
    if numbers == ["0"] and "none" not in shown:
        return shown <= {"0"}
    return {number.strip(",") for number in numbers if number.strip(",")} <= shown


@pytest.mark.parametrize("name", HOMES)
def test_every_figure_of_a_home_page_is_a_link_to_its_rows(evening: Cast, name: str) -> None:
    browser = evening.browser(name)
    home = figures(markup(browser.get("/home/")))
    assert home.unlinked == []
    assert len(home.links) > 2
    wrong = []
    for link in home.links:
        address = link.address.partition("#")[0]
        answer = browser.get(address)
        assert answer.status_code == 200, link
        if not agrees(link, markup(answer)):
            wrong.append((link, ROWS[address.partition("?")[0]](markup(answer))))
    assert wrong == []
