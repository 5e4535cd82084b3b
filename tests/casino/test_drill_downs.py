"""A link from a figure leads to the same property, days and filters, and the report that it opens has that
figure as its total.
"""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest

from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.casino import pages
from tests.casino.conftest import Cast
from tests.casino.test_report_limits import DAYS, tables

__all__ = ["tables"]

NAMES = ("table", "game", "pit", "day", "month", "shift", "dealer", "hour", "wager")
FIGURES = ("/hold/", "/reports/", "/hands/", "/boards/")
"""Pages that show figures or the hands behind them."""
WITHOUT_FILTERS = {
    "/reports/": "the list of all reports",
    "/reports/investigations/": "all investigations of the property",
}
"""Pages to which a link may lead without the filters, and why."""
PARTS = {
    "Not counted": "not_counted",
    "Theoretical win": "theoretical",
    "Players' choices": "choices",
    "Luck": "luck",
    "Not divided": "undivided",
    "Dealer errors": "errors",
    "Corrected later": "corrections",
    "Unexplained": "unexplained",
}
WHERE = "/hold/where/"


def links(page: str) -> list[str]:
    """Return the addresses of all links in the content of a page, without the links to other days and those
    that remove a filter.
    """
    main = page.partition("<main")[2].partition("</main>")[0]
    for ends, begins in (("</nav>", 'aria-label="Gaming days"'), ("</p>", 'class="limits"')):
        before, separator, after = main.partition(begins)
        main = before + (after.partition(ends)[2] if separator else "")
    return [unescape(address) for address in re.findall(r'<a [^>]*href="([^"]*)"', main)]


def read(address: str, page: str = "") -> tuple[str, dict[str, str]]:
    """Return the path and the parameters of an address. A page of one table's day has them in its path."""
    of_page = urlsplit(page)
    parts = urlsplit(address)
    path, values = parts.path or of_page.path, dict(parse_qsl(parts.query))
    if not parts.path and not parts.query:
        values = dict(parse_qsl(of_page.query))
    if match := re.fullmatch(r"/hold/where/([^/]+)/([^/]+)/([\d-]+)/", path):
        property, table, day = match.groups()
        values |= {"property": property, "table": f"{property}/{table}", "from": day, "to": day, "day": day}
    return path, values


def days(values: dict[str, str]) -> tuple[str, str]:
    begins, last = values.get("from") or values["day_from"], values.get("to") or values["day_last"]
    return max(begins, values.get("day", "")), min(last, values.get("day", "9999"))


def assert_kept(page: str, address: str) -> None:
    """Assert that a link on a page has the property, the days and the filters of the page."""
    (_, filters), (path, linked) = read(page), read(address, page)
    assert linked.get("property") == filters["property"], (page, address)
    if path in WITHOUT_FILTERS:
        return
    (begins, last), (first, final) = days(filters), days(linked)
    assert begins <= first <= final <= last, (page, address)
    for name in NAMES:
        is_in_days = name in ("day", "month") and first.startswith(filters.get(name, "-")) and first == final
        assert is_in_days or name not in filters or linked.get(name) == filters[name], (page, address, name)


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"table": "aurora/C1"},
        {"shift": "day"},
        {"game": "easy_over_under"},
        {"dealer": "d-1"},
        {"pit": "p-9"},
        {"table": "aurora/EOU-07", "shift": "day"},
        {"table": "aurora/C1", "day": "2026-11-27"},
        {"month": "2026-11", "table": "aurora/C1"},
        {"hour": "12"},
    ],
)
def test_every_link_to_figures_keeps_property_days_and_filters(tables: Cast, filters: dict[str, str]) -> None:
    set_registers("aurora", [Entry("pits", "p-9", {"title": "Pit 9"})], by="m-101", second="m-102")
    query = "&".join(f"{name}={value}" for name, value in filters.items())
    starts = [
        f"{WHERE}?{DAYS}&{query}",
        *(f"{WHERE}?{DAYS}&by={by}&{query}" for by in ("shift", "dealer", "game") if by not in filters),
        f"/reports/where-the-hold-went/?{DAYS}&by=table&by=day&{query}",
        f"/reports/hold/?{DAYS}&by=game&{query}",
        f"/reports/statistics/?{DAYS}&by=wager&{query}",
        f"/reports/dealer-errors/?{DAYS}&by=dealer&by=hour&{query}",
    ]
    if not filters:
        starts += [
            f"/hold/?{DAYS}&by=shift",
            f"/hold/review/?{DAYS}&by=table",
            f"/hold/review/?{DAYS}&by=wager",
        ]
    if filters.get("table"):
        starts.append(f"/hold/where/{filters['table']}/2026-11-27/")
    dana, followed = tables.browser("Dana"), set[str]()
    for start in starts:
        answer = dana.get(start)
        assert answer.status_code == 200, (start, pages.text(answer)[:300])
        for address in links(answer.content.decode()):
            path = urlsplit(address).path
            is_back = path == WHERE and start.count("/") == 6 and "by=" not in address
            if (
                (path and not path.startswith(FIGURES))
                or path in ("/reports/",)
                or address.startswith("#")
                or is_back
            ):
                continue
            assert_kept(start, address)
            if path and path not in followed:
                followed.add(path)
                assert dana.get(address).status_code == 200, (start, address)
    assert followed


@pytest.mark.parametrize(
    "filters",
    [
        "",
        "table=aurora/C1",
        "table=aurora/EOU-07",
        "shift=day",
        "game=easy_over_under",
        "dealer=d-1",
        "table=aurora/T1&shift=swing",
    ],
)
@pytest.mark.parametrize("by", ["", "dealer", "shift"])
def test_the_linked_report_has_the_amount_of_each_part_as_its_total(
    tables: Cast, filters: str, by: str
) -> None:
    boris = tables.browser("Boris")
    page = boris.get(f"{WHERE}?{DAYS}&{filters}{f'&by={by}' if by else ''}").content.decode()
    sections = page.split('class="plain parts"')[1:]
    if by == "dealer" and "shift" in filters:
        assert sections == [], "no dealer played in this shift"
        return
    names = set()
    for place, section in enumerate(sections):
        rows = re.findall(
            r'<th scope="row">\s*<a href="([^"]*)">([^<]*)</a>\s*</th>\s*<td class="n">([^<]*)</td>',
            section.partition("</table>")[0],
        )
        for address, name, amount in rows:
            part = PARTS[unescape(name)]
            file = unescape(address).replace("/?", "/json/?", 1)
            totals = json.loads(b"".join(boris.get(file).streaming_content))["totals"]
            assert len(totals) == len(sections), file
            shown = amount.replace(",", "").replace("−", "-")
            assert (totals[place][part] or shown) == shown, (file, name)
            assert totals[place][part] is not None or shown in ("n/a", "pending"), (file, name)
            names.add(part)
    assert names >= {"theoretical", "choices", "luck", "errors"}
    is_counted = by != "dealer" and "dealer" not in filters
    assert ("unexplained" in names) is is_counted, "tray and box are counted for no single dealer"
