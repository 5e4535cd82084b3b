"""No page has a link to a page that its reader may not open."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.casino.conftest import Cast
from tests.casino.pages import source, status_for
from tests.casino.test_drill_downs import links
from tests.casino.test_pages import ANSWERS, night

__all__ = ["night"]
FILES = re.compile(r"/(csv|xlsx|pdf|json|ndjson|parquet)/|^/api/|^/static/|\.(py|json|pdf)($|\?)|^/admin/")
"""Addresses that are no pages of this kind: files, and the admin, which has rights of its own."""


@pytest.mark.parametrize("name", ["Chi", "Finn", "Nia", "Alma", "Boris"])
def test_a_page_links_only_to_what_its_reader_may_open(night: Cast, name: str) -> None:
    browser, person = night.browser(name), night.person(name)
    forbidden, opened = [], set()
    for path in sorted({path for path, names in ANSWERS.values() if name in names}):
        answer = browser.get(path)
        if not answer.headers.get("Content-Type", "").startswith("text/html"):
            continue
        for address in {unescape(link).partition("#")[0] for link in links(source(answer))}:
            if not address.startswith("/") or FILES.search(address) or address in opened:
                continue
            opened.add(address)
            if status_for(person, address) == 403:
                forbidden.append(f"{path}: {address}")
    assert forbidden == []
    assert len(opened) > 2
