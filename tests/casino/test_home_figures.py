"""Every figure of a home page is a link, and the page to which it leads has the rows that it counts: as many
as the figure says, or with a total that equals it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.casino.busy_evening import busy_evening
from tests.casino.conftest import Cast
from tests.casino.home_figures import FigureLink, figures
from tests.casino.pages import markup
from tests.furnished import furnishing

BOXES = "Boxes that wait for a count: "
"""The list with the numbers of boxes, which name them."""
HOMES = ("Dana", "Finn", "Chi", "Nia")
"""Surveillance, floor, cage and count room."""


@furnishing
def evening() -> Cast:
    """Record an evening on which every figure has something to count."""
    return busy_evening()


def table_rows(page: str) -> int:
    """Return the number of rows in the first table of a page, without headings of groups and totals."""
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


def of_deposits(page: str) -> set[str]:
    waiting = page.partition('id="way"')[0]
    return {f"{waiting.count('Receive<')}", *re.findall(r"[\d,]+\.\d\d", waiting)}


def of_rows(page: str) -> set[str]:
    return {f"{table_rows(page)}"}


ROWS: dict[str, Callable[[str], set[str]]] = {
    "/queue/": of_queue,
    "/floor/": of_floor,
    "/cage/": of_cage,
    "/cage/markers/": of_markers,
    "/cage/deposits/": of_deposits,
    "/count/": of_rows,
    "/video/": of_rows,
    "/cases/": of_rows,
    "/deliveries/": of_rows,
}
"""For each page with the rows of a figure: the function that returns the numbers that the page shows."""


def agrees(link: FigureLink, page: str) -> bool:
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
    home = figures(browser.get("/home/"))
    assert [figure for figure in home.without_link if not figure.startswith(BOXES)] == []
    assert len(home.links) > 2
    wrong = []
    for link in home.links:
        address = link.address.partition("#")[0]
        answer = browser.get(address)
        assert answer.status_code == 200, link
        if not agrees(link, markup(answer)):
            wrong.append((link, ROWS[address.partition("?")[0]](markup(answer))))
    assert wrong == []
