"""Pages of archived exports. Accounting archives a report. Users who may see money can read it. A button
rebuilds it. Each download is recorded in the viewing log.
"""

from __future__ import annotations

from datetime import date

import pytest

from casino.accounts import view_log
from casino.exports.archive import build
from casino.exports.archive import orders as kept
from casino.exports.manifest import Subject, headed
from casino.reports.columns import Sheet
from tests.casino.conftest import Cast
from tests.casino.test_kept import content, late, work
from tests.casino.test_reports import at, felt, record

DAYS = {"property": "aurora", "from": "2026-11-27", "to": "2026-11-27", "by": "table"}


def test_accounting_archives_downloads_and_rebuilds_a_report(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "SMALL_EXPORT_FACTS", 0)  # even the smallest export needs a worker
    record(felt(1000, 100))
    alma, igor = cast.browser("Alma"), cast.browser("Igor")
    shown = alma.get("/reports/hold/", DAYS).content.decode()
    assert 'action="/reports/hold/keep/"' in shown
    assert 'action="/reports/hold/keep/"' not in igor.get("/reports/hold/", DAYS).content.decode()
    answer = alma.post("/reports/hold/keep/", DAYS | {"format": "csv"})
    page = answer["Location"]
    waiting = alma.get(page).content.decode()
    assert "Waiting for a worker." in waiting
    assert f'hx-get="{page}state/" hx-trigger="every 1s"' in waiting
    assert alma.get(f"{page}file/").status_code == 404
    work()
    done_page = igor.get(page).content.decode()
    assert "every 1s" not in done_page
    (order,) = kept.orders(["aurora"])
    for text in (order.sha256, order.chain, f"{order.position}, the last fact in the export", "a-101"):
        assert text in done_page, text
    record([late()])
    taken = igor.get(f"{page}file/")
    assert taken.getvalue() == content(order.id)
    assert (
        taken["Content-Disposition"]
        == f'attachment; filename="hold_aurora_2026-11-27_2026-11-27_kept-{order.id}.csv"'
    )
    assert igor.post(f"{page}again/")["Location"] == page
    assert "Rebuilding" in igor.get(page).content.decode()
    work(kept.REBUILD_JOB)
    assert "the same" in igor.get(page).content.decode()
    assert [(result.by, result.same) for result in kept.rebuild_results(order.id)] == [("i-101", True)]


def test_downloads_are_in_the_viewing_log(cast: Cast) -> None:
    record(felt(1000, 100))
    dana, rhea = cast.browser("Dana"), cast.browser("Rhea")
    assert dana.get("/reports/hold/csv/", DAYS).status_code == 200
    assert [(viewing.person, viewing.hand) for viewing in view_log.viewings(["aurora"])] == [
        ("v-101", "Hold, as csv")
    ]
    log = rhea.get("/views/").content.decode()
    assert (
        '<a href="/reports/hold/?property=aurora&amp;from=2026-11-27&amp;to=2026-11-27&amp;by=table">Hold, as'
        " csv</a>" in log
    )


def test_a_superseded_report_links_to_the_newer_one(cast: Cast) -> None:
    record([*felt(1000, 100), late("day-closed", by="a-1")])
    alma = cast.browser("Alma")
    pages = [
        alma.post("/reports/hold/keep/", DAYS | {"format": "csv", "books": books})["Location"]
        for books in ("closed", "restated")
    ]
    work()
    closed = alma.get(pages[0]).content.decode()
    assert "Superseded." in closed
    assert f'<a href="{pages[1]}">' in closed
    assert "Superseded." not in alma.get(pages[1]).content.decode()
    assert alma.get("/exports/").content.decode().count('<span class="tag">superseded</span>') == 1


def test_users_without_the_right_neither_archive_nor_see_reports(cast: Cast) -> None:
    record(felt(1000, 100))
    for name in ("Igor", "Rhea", "Boris", "Eve", "Finn"):
        assert cast.browser(name).post("/reports/hold/keep/", DAYS | {"format": "csv"}).status_code == 403, (
            name
        )
    page = cast.browser("Alma").post("/reports/hold/keep/", DAYS | {"format": "csv"})["Location"]
    work()
    for name in ("Eve", "Mia", "Chi"):
        for address in ("/exports/", page, f"{page}state/", f"{page}file/"):
            assert cast.browser(name).get(address).status_code == 403, (name, address)
        assert cast.browser(name).post(f"{page}again/").status_code == 403
    record(felt(1000, 100, "borealis/T1"))
    other = kept.order(kept.ExportSpec("borealis", "hold", *kept.orders(["aurora"])[0].what[2:]), "x-1")
    unknown = 999  # the answer must not reveal that another property has one
    for id in (other, unknown):
        for address in (
            f"/exports/{id}/",
            f"/exports/{id}/state/",
            f"/exports/{id}/file/",
            f"/exports/{id}/manifest/",
        ):
            assert cast.browser("Alma").get(address).status_code == 404, address
            assert cast.browser("Eve").get(address).status_code == 403, address
        assert cast.browser("Alma").post(f"/exports/{id}/again/").status_code == 404


def test_an_invalid_order_is_refused_and_nothing_is_archived(cast: Cast) -> None:
    record(felt(1000, 100))
    alma = cast.browser("Alma")
    for wrong, says in (
        ({"books": "closed"}, "Books: statistics is made from all facts, not from closed books"),
        ({"from": "0001-01-01"}, "First day: “0001-01-01” is not a valid date"),
        ({"by": "colour"}, "By: “colour” is not a grouping of this report"),
        ({"format": "clay"}, "A report can be archived as one of csv"),
    ):
        answer = alma.post("/reports/statistics/keep/", DAYS | {"format": "csv"} | wrong)
        assert (answer.status_code, answer.content.decode().count("Nothing was archived.")) == (400, 1)
        assert says in answer.content.decode()
    assert kept.orders(["aurora"]) == []
    for name, offered in (("statistics", False), ("hold", True)):
        assert ('<select name="books">' in alma.get(f"/reports/{name}/", DAYS).content.decode()) == offered
    assert alma.get("/reports/statistics/", DAYS | {"books": "closed"}).status_code == 400
    for days in (
        (date(1, 1, 1), date(2026, 11, 28)),
        (date(2026, 11, 28), date(2026, 11, 28)),
        (date(2026, 11, 27), date.max),
    ):
        with pytest.raises(ValueError, match="is not a range of gaming days"):
            kept.order(kept.ExportSpec("aurora", "base-level", *days, (), "csv"), "a-101")


@pytest.mark.parametrize("typed", ["²", "٣", "9" * 30, "-1"])
def test_lists_are_paged_by_numbers_in_ascii_digits(cast: Cast, typed: str) -> None:
    for name, page in (("Alma", "/exports/"), ("Rhea", "/views/")):
        assert cast.browser(name).get(page, {"before": typed}).status_code == 200, page
    assert cast.browser("Alma").get(f"/exports/{'9' * 30}/").status_code == 404


@pytest.mark.parametrize("day", ["0001-01-01", "1900-01-01", "2199-12-31", "9999-12-31", "²"])
def test_no_page_breaks_on_a_day_at_either_end_of_the_calendar(cast: Cast, day: str) -> None:
    record(felt(1000, 100))
    alma = cast.browser("Alma")
    pages = [f"/{page}/?day={day}" for page in ("closing", "count", "cage", "floor", "closing/adjust")]
    pages += [
        f"/{page}/?{end}={day}"
        for page in ("hold", "hold/review", "hold/where", "reports/base-level")
        for end in ("from", "to")
    ]
    for page in (*pages, f"/admin/?last={day}", f"/hold/where/aurora/T1/{day}/"):
        assert alma.get(page).status_code in (200, 302, 400, 404), page
    assert cast.browser("Dana").get(f"/queue/?day={day}").status_code == 200


def test_an_export_of_closed_books_says_which_tables_were_closed_after_it(cast: Cast) -> None:
    record([*felt(1000, 100), late("day-closed", by="a-1"), *felt(700, 50, "aurora/T2")])
    alma = cast.browser("Alma")
    page, page_of_all = (
        alma.post("/reports/hold/keep/", DAYS | {"format": "csv", "books": books})["Location"]
        for books in ("closed", "")
    )
    work()
    assert "Incomplete." not in alma.get(page).content.decode()
    record([at(table="aurora/T2")("day-closed", by="a-1")])
    text = " ".join(alma.get(page).content.decode().split())
    assert ("Incomplete." in text, "aurora/T2 of 27 Nov" in text) == (True, True)
    assert "Incomplete." not in alma.get(page_of_all).content.decode(), "it has all facts, closed or not"
    later = alma.post("/reports/hold/keep/", DAYS | {"format": "csv", "books": "closed"})["Location"]
    work()
    text = alma.get(page).content.decode()
    assert ("Superseded." in text, "Incomplete." in text) == (True, False)
    assert "Incomplete." not in alma.get(later).content.decode()


def test_an_export_of_the_journal_says_that_it_is_of_closed_books(cast: Cast) -> None:
    record([*felt(1000, 100), late("day-closed", by="a-1")])
    alma = cast.browser("Alma")
    page = alma.post("/reports/journal/keep/", DAYS | {"format": "pdf", "by": "day"})["Location"]
    work()
    text = alma.get(page).content.decode()
    assert ("closed: days of tables" in text, "everything recorded" in text) == (True, False)
    assert "<td>closed</td>" in alma.get("/exports/").content.decode()
    spec = kept.orders(["aurora"])[0].what
    subject = Subject(spec.name, spec.format, spec.begins, spec.ends, spec.property)
    heading = headed(Sheet("Journal", (), ()), subject, ()).heading
    assert heading is not None
    assert dict(heading.lines())["Books"] == "closed books"
