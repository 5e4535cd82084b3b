"""Log entries about a table's gaming day. A page of the day begins and shows them; they are corrected and
closed.
"""

from __future__ import annotations

import re
from datetime import date

from audit.review.log_rows import Entry as Logged
from tests.casino.conftest import Cast
from tests.casino.test_daily_log import entries, text, watched, write

__all__ = ["watched"]

TABLE, DAY = "EOU-07", "2026-11-27"
OF_DAY = {"table": TABLE, "of_day": DAY}
PAGES = (f"/floor/aurora/{TABLE}/", f"/hold/where/aurora/{TABLE}/{DAY}/")


def subject(entry: Logged) -> tuple[str, date | None]:
    return entry.of_table, entry.of_day


def fields(page: str) -> dict[str, str]:
    """Return {name: value} of the inputs of the form."""
    return dict(re.findall(r'<input [^>]*name="(\w+)" value="([^"]*)"', page))


def test_the_pages_of_a_tables_day_show_its_entries_and_begin_one_about_it(watched: Cast) -> None:
    dana = watched.browser("Dana")
    for page in PAGES:
        link = re.search(r'href="(/log/write/\?[^"]*)" data-log-write', dana.get(page).content.decode())
        assert link is not None, page
        form = fields(dana.get(link[1].replace("&amp;", "&")).content.decode())
        assert (form["table"], form["of_day"]) == (TABLE, DAY)
    assert write(watched, words="The lamp over the table is dark.", **OF_DAY).status_code == 302
    write(watched, words="About another day.", table=TABLE, of_day="2026-11-26")
    first, other = entries()
    assert subject(first) == (f"aurora/{TABLE}", date(2026, 11, 27))
    assert first.about == "EOU-07, gaming day 27 Nov 2026"
    assert subject(other) == (f"aurora/{TABLE}", date(2026, 11, 26))
    for page in PAGES:
        shown = text(dana.get(page))
        assert "The lamp over the table is dark." in shown
        assert "About another day." not in shown


def test_a_user_without_the_right_sees_no_log_on_the_page_of_a_tables_day(watched: Cast) -> None:
    write(watched, words="The lamp over the table is dark.", **OF_DAY)
    for name, page in (("Finn", PAGES[0]), ("Boris", PAGES[0]), ("Boris", PAGES[1])):
        shown = text(watched.browser(name).get(page))
        assert "EOU-07" in shown
        assert "lamp over" not in shown
        assert "Write an entry" not in shown


def test_a_correction_takes_over_the_tables_day_and_the_recording(watched: Cast) -> None:
    recording = {"camera": "cam-12", "video_from": "2026-11-27T05:10:00", "video_to": "2026-11-27T05:12:00"}
    write(watched, **OF_DAY, **recording)
    first = watched.browser("Dana").get("/log/write/", {"property": "aurora", "corrects": "1"})
    form = fields(first.content.decode())
    assert {name: form[name] for name in OF_DAY} == OF_DAY
    assert (form["video_from"], form["video_to"]) == (recording["video_from"], recording["video_to"])
    assert "<option selected>cam-12</option>" in first.content.decode()
    sent = {name: form[name] for name in ("table", "of_day", "video_from", "video_to")}
    write(watched, **sent, camera="cam-12", corrects="1", words="It was another lamp.")
    old, new = entries()
    assert (new.corrects, subject(new), new.video) == (1, subject(old), old.video)
    shown = text(watched.browser("Dana").get(PAGES[0]))
    assert "corrected by 2" in shown
    assert "<dt>Table</dt>" not in watched.browser("Dana").get("/log/aurora/2/").content.decode()


def test_an_entry_that_closes_another_one_is_about_the_same(watched: Cast) -> None:
    write(watched, pending="on", disposition="The technician was called.", **OF_DAY)
    page = watched.browser("Dana").get("/log/write/", {"property": "aurora", "closes": "1"}).content.decode()
    form = fields(page)
    assert {name: form[name] for name in OF_DAY} == OF_DAY
    assert '<option value="call" selected>' in page
    assert (form["disposition"], form["began"]) == ("", "")


def test_the_day_of_an_entry_needs_its_table_and_has_begun(watched: Cast) -> None:
    for sent, says in (
        ({"of_day": DAY}, "Name the table of this gaming day"),
        ({"table": TABLE, "of_day": "2999-01-01"}, "Gaming day must be today or earlier"),
        ({"table": TABLE, "of_day": "yesterday"}, "Gaming day must be today or earlier"),
    ):
        answer = write(watched, **sent)
        assert answer.status_code == 400
        assert says in text(answer)
    assert entries() == []
