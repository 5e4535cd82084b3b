"""Help: each user can read every guide, those of the user's own role are listed first, and raw HTML is shown
as text.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from casino.account_pages import guides
from tests.casino.conftest import Cast

OWN = {
    "Dana": "surveillance",
    "Finn": "floor",
    "Boris": "floor",
    "Ada": "floor",
    "Chi": "cage",
    "Nia": "count-room",
    "Gus": "count-room",
    "Alma": "accounting",
    "Igor": "audit-and-regulator",
    "Rhea": "audit-and-regulator",
    "Mia": "administrator",
    "Eve": None,
}


def test_each_role_sees_its_own_guide_first(cast: Cast) -> None:
    for name, slug in OWN.items():
        page = cast.browser(name).get("/help/").content.decode()
        listed = re.findall(r'href="/help/([\w-]+)/"', page)
        assert len(listed) == len(guides.GUIDES), name
        assert ("For your role" in page) == (slug is not None), name
        assert slug is None or listed[0] == slug, name


def test_every_user_reads_every_guide_and_its_pictures(cast: Cast) -> None:
    browser = cast.browser("Eve")
    addresses: set[str] = set()
    for guide in guides.GUIDES:
        page = browser.get(f"/help/{guide.slug}/")
        assert page.status_code == 200
        addresses |= set(re.findall(r'(?:src|href)="(/help/[^"#]+)', page.content.decode()))
    assert {f"/help/{guide.slug}/" for guide in guides.GUIDES} <= addresses
    pictures = {address for address in addresses if "/images/" in address}
    assert len(pictures) > 15
    for address in pictures:
        picture = browser.get(address)
        assert (picture.status_code, picture["Content-Type"]) == (200, "image/png"), address
        assert picture.content.startswith(b"\x89PNG")
    assert addresses - pictures <= {"/help/", *(f"/help/{guide.slug}/" for guide in guides.GUIDES)}


def test_a_picture_of_a_guide_leads_to_its_file(cast: Cast) -> None:
    page = cast.browser("Mia").get("/help/administrator/").content.decode()
    shown = re.findall(r'<a href="(/help/images/[^"]+)"><img src="([^"]+)"', page)
    assert len(shown) == page.count("<img") > 2
    assert all(link == picture for link, picture in shown)


def test_help_needs_a_login_and_knows_only_its_guides(cast: Cast) -> None:
    assert Client().get("/help/cage/").status_code == 302
    assert Client().get("/help/images/queue.png").status_code == 302
    for address in ("/help/nothing/", "/help/images/nothing.png", "/help/images/..%2Fapi.md"):
        assert cast.browser("Dana").get(address).status_code == 404, address


def test_raw_html_of_a_document_is_shown_as_text_and_external_links_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "# A & b\n\n<script>x</script>\n\nEOU-02 & d-110, half-open, `s-201`\n\n"
    text += "[a](javascript:x) [b](../README.md) [c](glossary.md#tally)\n"
    (tmp_path / "a.md").write_text(text)
    monkeypatch.setattr(guides, "DOCUMENTS", tmp_path)
    shown = guides.html(guides.Guide("a", "A", "a.md"))
    assert "<script" not in shown
    assert 'href="javascript' not in shown
    assert '<h1 id="a--b">' in shown
    assert " b " in shown
    unbroken = '<span class="w">EOU-02</span> &amp; <span class="w">d-110</span>, half-open, '
    unbroken += '<code><span class="w">s-201</span></code>'
    assert unbroken in shown, "a line does not break at the hyphen of an identifier"
    assert 'href="/help/glossary/#tally"' in shown
