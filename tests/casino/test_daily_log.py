"""The daily log of surveillance: numbered entries that nobody can change, the hands or cameras that they are
about, corrections, the hand-over of a shift, and cameras that are down.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from audit.findings import examine as findings
from audit.ledger import intake, store
from audit.ledger.intake import Sender
from audit.review import compare_log, log_projection, log_queries
from audit.review.log_rows import Entry as Logged
from casino.daily_log import services
from casino.daily_log.services import Words
from casino.daily_log.subjects import Subject
from casino.presentation.errors import ActionRejected
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.web.free_words import erase_words
from tests.audit.floor import fact, line
from tests.casino.conftest import ROLES, Cast
from tests.casino.nights import STREAM, record, troubled_day
from tests.furnished import furnishing

CAMERA = {
    "tables": ["EOU-07"],
    "link": "https://vms.example/play?camera={camera}&from={start}&to={end}",
    "stream": "https://media.example/{camera}/{start_unix}-{end_unix}.mp4",
    "clock_ahead": 3,
    "overwrite_days": 14,
}
HAND = f"/hand/{STREAM}/r-0002/"
SENT = {"property": "aurora", "type": "call", "words": "The pit asked for the last hand."}


@furnishing
def watched() -> Cast:
    """Record a day with faults in its hands 2 and 4. Register cameras of two tables and two types of log
    entry.
    """
    cast = Cast()
    record(troubled_day(times=1, faults=("wrong-settlement:over:overpaid", "late-bet:new")))
    entries = [
        Entry("cameras", "cam-12", CAMERA),
        Entry("cameras", "cam-40", {"tables": ["EOU-08"]}),
        Entry("log-types", "patrol", {"title": "Patrol of the floor"}),
        Entry("log-types", "visitor", {"used": False}),
    ]
    set_registers("aurora", entries, by="m-101", second="m-102")
    findings.examine()
    return cast


def text(answer: Any) -> str:
    words = re.sub(
        r"<[^>]*>", " ", re.sub(r"<(script|style).*?</\1>", " ", answer.content.decode(), flags=re.S)
    )
    return unescape(" ".join(words.split()))


def write(cast: Cast, name: str = "Dana", **fields: Any) -> Any:
    return cast.browser(name).post("/log/write/", SENT | {"uid": str(uuid4())} | fields)


def entries() -> list[Logged]:
    """Return all entries of aurora, in the order of their numbers."""
    return log_queries.entries("aurora", log_queries.Wanted())[::-1]


def differences() -> list[Any]:
    return compare_log.compare("aurora").listed


def test_entries_are_numbered_without_gaps_and_show_what_was_written(watched: Cast) -> None:
    assert write(watched).headers["Location"] == "/log/aurora/1/"
    assert write(watched, "Dora", type="patrol", place="the cage", disposition="nothing").status_code == 302
    assert [(entry.number, entry.type, entry.by) for entry in entries()] == [
        (1, "call", "v-101"),
        (2, "patrol", "v-102"),
    ]
    page = text(watched.browser("Igor").get("/log/"))
    assert "Patrol of the floor" in page
    assert "The pit asked for the last hand." in page
    assert "About the cage" in text(watched.browser("Igor").get("/log/aurora/2/"))
    assert "About" not in text(watched.browser("Igor").get("/log/aurora/1/")), "it would repeat the type"
    listed = watched.browser("Igor").get("/log/").content.decode()
    cells = [re.sub(r"<[^>]*>|\s+", " ", row).split() for row in listed.split("<tr id=")[1:]]
    assert [cell.count("Call") for cell in cells] == [0, 1]
    assert differences() == []


def test_an_entry_about_a_hand_is_linked_both_ways_and_names_the_recording(watched: Cast) -> None:
    dana = watched.browser("Dana")
    form = dana.get("/log/write/", {"property": "aurora", "stream": STREAM, "hand": "r-0002"})
    assert "EOU-07, hand r-0002, gaming day 27 Nov 2026" in text(form)
    assert write(watched, stream=STREAM, hand="r-0002", with_video="on").status_code == 302
    page = dana.get("/log/aurora/1/").content.decode()
    assert f'href="{HAND}"' in page
    video = entries()[0].video
    assert '"cam-12"' in video
    assert "The pit asked for the last hand." in text(dana.get(HAND))
    assert "/log/aurora/1/" in dana.get(HAND).content.decode()


def test_an_entry_about_a_slip_or_a_count_is_on_the_page_of_that_fact(watched: Cast) -> None:
    dana = watched.browser("Dana")
    assert write(watched, stream=STREAM, hand="#1").status_code == 302
    assert entries()[0].of
    assert f'href="/fact/{STREAM}/1/"' in dana.get("/log/").content.decode()
    assert "/log/aurora/1/" in dana.get(f"/fact/{STREAM}/1/").content.decode()


def test_a_correction_and_a_close_are_entries_of_their_own(watched: Cast) -> None:
    write(watched, pending="on")
    assert "1 Call" in text(watched.browser("Dana").get("/log/"))
    write(watched, words="It was the hand before.", corrects="1", pending="on")
    write(watched, words="The pit has the answer.", closes="2")
    first, second, third = entries()
    assert (first.corrected_by, first.waits) == (2, False)
    assert (second.corrects, second.closed_by, second.waits) == (1, 3, False)
    assert third.closes == 2
    second_answer = write(watched, corrects="1")
    assert (second_answer.status_code, "Correct that entry instead" in text(second_answer)) == (400, True)
    assert "is not open" in text(write(watched, closes="2"))
    assert "has no entry 77" in text(write(watched, closes="77"))
    assert len(entries()) == 3
    assert differences() == []


def test_the_words_of_an_entry_can_be_erased_and_its_fact_stays(watched: Cast) -> None:
    write(watched)
    assert erase_words("aurora", entries()[0].words_sha256)
    page = text(watched.browser("Dana").get("/log/aurora/1/"))
    assert "The text was erased" in page
    assert entries()[0].words_sha256 in page
    assert differences() == []


WRONG: list[tuple[dict[str, str], str]] = [
    ({"type": ""}, "Choose a type"),
    ({"type": "visitor"}, "Choose a type"),
    ({"type": "hand-over"}, "on its own page"),
    ({"words": "  "}, "what happened"),
    ({"words": "x" * 4_001}, "what happened"),
    ({"place": "x" * 201}, "at most 200"),
    ({"began": "yesterday"}, "is not a time"),
    ({"began": "2026-11-27T20:00+01:00"}, "is not a time"),
    ({"table": "a/b"}, "Name a table"),
    ({"camera": "cam-99"}, "No camera cam-99"),
    ({"corrects": "x"}, "is not the number"),
    ({"uid": "x"}, "no longer valid"),
    ({"video_from": "2026-11-27T20:00"}, "Choose the camera"),
    ({"camera": "cam-40", "video_from": "2026-11-27T20:00"}, "must be after its beginning"),
]
"""Forms with invalid or missing fields, each with a part of its error message."""


def test_a_form_that_is_incomplete_says_why_and_nothing_is_recorded(watched: Cast) -> None:
    for wrong, message in WRONG:
        answer = write(watched, **wrong)
        assert (answer.status_code, message in text(answer)) == (400, True), text(answer)
        partial = watched.browser("Dana").post(
            "/log/write/", SENT | {"uid": str(uuid4())} | wrong, headers={"HX-Request": "true"}
        )
        assert (partial.status_code, message in text(partial)) == (200, True)
    assert entries() == []


def test_a_form_that_is_sent_twice_is_recorded_once(watched: Cast) -> None:
    uid = str(uuid4())
    assert write(watched, uid=uid).status_code == 302
    assert "Already recorded" in text(write(watched, uid=uid))
    assert len(entries()) == 1


def test_a_hand_over_lists_what_is_open_and_the_next_officer_accepts_it(watched: Cast) -> None:
    write(watched, pending="on")
    services.report_camera(
        watched.person("Dana"), "aurora", "cam-40", is_up=False, reason="no picture", uid=str(uuid4())
    )
    dana, dora = watched.browser("Dana"), watched.browser("Dora")
    sent = {"property": "aurora", "uid": str(uuid4()), "words": "Watch table seven."}
    assert dana.post("/log/hand-over/", sent).status_code == 302
    hand_over = entries()[-1]
    assert hand_over.still_open is not None
    assert '"cam-40"' in hand_over.still_open
    assert entries()[0].uid in hand_over.still_open
    assert '"money": 1' in hand_over.still_open
    page = text(dora.get("/log/"))
    assert "Watch table seven." in page
    assert "Read and take over" in page
    assert "Read and take over" not in text(dana.get("/log/"))
    accepted = {"property": "aurora", "uid": str(uuid4()), "number": str(hand_over.number)}
    dana.post("/log/accept/", accepted)
    assert entries()[-1].accepted_by == ""
    dora.post("/log/accept/", accepted | {"uid": str(uuid4())})
    assert (entries()[-1].accepted_by, entries()[-1].waits) == ("v-102", False)
    with pytest.raises(ActionRejected, match="already accepted this hand-over"):
        services.accept(watched.person("Dora"), "aurora", hand_over.number, str(uuid4()))
    with pytest.raises(ActionRejected, match="not a hand-over"):
        services.accept(watched.person("Dora"), "aurora", 1, str(uuid4()))
    assert "accepted by v-102" in text(dora.get(f"/log/aurora/{hand_over.number}/"))
    assert differences() == []


def test_a_camera_is_down_until_it_is_up_and_both_are_in_the_log(watched: Cast) -> None:
    dana = watched.browser("Dana")
    sent = {"property": "aurora", "camera": "cam-12", "state": "down", "reason": "no picture"}
    assert dana.post("/log/cameras/", sent | {"uid": str(uuid4())}).status_code == 302
    assert "cam-12 no picture since" in text(dana.get("/log/"))
    second = dana.post("/log/cameras/", sent | {"uid": str(uuid4())})
    assert (second.status_code, "is already recorded as down" in text(second)) == (400, True)
    up = {"state": "up", "reason": "a new cable", "uid": str(uuid4())}
    assert dana.post("/log/cameras/", sent | up).status_code == 302
    assert log_queries.outages("aurora") == []
    assert [outage.repair for outage in log_queries.outages_of("aurora", "cam-12")] == ["a new cable"]
    assert [(entry.type, entry.camera) for entry in entries()] == [("malfunction", "cam-12")] * 2
    unknown = dana.post("/log/cameras/", sent | {"camera": "cam-99", "uid": str(uuid4())})
    assert "Choose a camera" in text(unknown)
    silent = dana.post("/log/cameras/", sent | {"reason": " ", "uid": str(uuid4())})
    assert "what is wrong with the camera" in text(silent)


def test_a_user_without_the_right_sees_nothing_of_the_log(watched: Cast) -> None:
    write(watched)
    posts = {
        "/log/write/": SENT | {"uid": str(uuid4())},
        "/log/hand-over/": {"property": "aurora", "words": "x", "uid": str(uuid4())},
        "/log/accept/": {"property": "aurora", "number": "1", "uid": str(uuid4())},
        "/log/cameras/": {
            "property": "aurora",
            "camera": "cam-12",
            "state": "down",
            "reason": "x",
            "uid": "x",
        },
    }
    for name in ROLES:
        browser = watched.browser(name)
        status = browser.get("/log/aurora/1/").status_code
        assert status == (200 if name in ("Dana", "Dora", "Igor", "Rhea") else 403), name
        for path, sent in posts.items() if name not in ("Dana", "Dora") else ():
            assert browser.post(path, sent).status_code == 403, (name, path)
    assert len(entries()) == 1


def test_two_properties_have_separate_logs(watched: Cast) -> None:
    set_registers(
        "borealis", [Entry("people", "v-201", {"role": "surveillance"})], by="m-201", second="m-202"
    )
    dana = watched.browser("Dana")
    assert dana.get("/log/", {"property": "borealis"}).status_code == 403
    assert dana.get("/log/borealis/1/").status_code == 403
    assert write(watched, property="borealis").status_code == 403
    other = {"property": "aurora", "stream": "borealis/EOU-07/2026-11-27", "hand": "r-0002"}
    assert dana.get("/log/write/", other).status_code == 404
    write(watched)
    sent = fact(1, "log-written", about="x", words_sha256="0" * 64, by="v-201", table="borealis/house")
    intake.post([line(sent)], Sender("test"))
    findings.examine()
    assert [entry.number for entry in log_queries.entries("borealis", log_queries.Wanted())] == [1]
    assert len(entries()) == 1


def test_an_odd_address_is_answered_without_an_error(watched: Cast) -> None:
    for path in (
        "/log/aurora/0/",
        "/log/aurora/99999999999999999999/",
        "/log/nowhere/1/",
        "/log/?day=x&before=x&type=%00",
    ):
        assert watched.browser("Dana").get(path).status_code in (200, 400, 403, 404)


def test_facts_of_a_feed_are_shown_and_unknown_references_change_nothing(watched: Cast) -> None:
    """Test odd facts that did not come from a page: they refer to entries that do not exist, report a camera
    as up that was not down, or report it as down twice.
    """
    house = {"table": "aurora/house", "by": "v-101", "day": "2026-11-29"}
    words = {"about": "the vault", "words_sha256": "0" * 64}
    first = fact(1, "log-written", **house, **words, pending=True)
    sent = [
        first,
        fact(2, "log-written", **house, **words, closes=first["uid"].upper()),
        fact(3, "log-written", **house, **words, closes=first["uid"], corrects="nothing"),
        fact(4, "camera-up", **house, camera="cam-1", reason="x"),
        fact(5, "camera-down", **house, camera="cam-1", reason="x"),
        fact(6, "camera-down", **house, camera="cam-1", reason="y"),
        fact(7, "hand-over-accepted", **house, entry=first["uid"]),
        fact(8, "hold-released", **house, hold="nothing", reason="x"),
    ]
    intake.post([line(fact) for fact in sent], Sender("test"))
    findings.examine()
    assert [(entry.type, entry.waits, entry.closed_by, entry.accepted_by) for entry in entries()] == [
        ("other", False, 2, ""),
        ("other", False, None, ""),
        ("other", False, None, ""),
    ]
    assert [outage.reason for outage in log_queries.outages("aurora")] == ["x"]
    assert "The text was erased" in text(watched.browser("Dana").get("/log/aurora/1/"))
    assert differences() == []


CHANGES = [
    ("UPDATE log_entry SET about = 'x'", "log_entry"),
    ("UPDATE log_entry SET waits = false", "log_entry"),
    ("DELETE FROM log_entry", "log_entry"),
    ("UPDATE camera_outage SET reason = 'x'", "camera_outage"),
    ("UPDATE log_followed SET position = 1", "log_followed"),
    ("UPDATE log_followed SET entries = 7", "log_followed"),
]
"""Changes of stored rows, each with the database table for which the change is reported."""


def test_a_changed_row_is_found_and_computed_again(watched: Cast) -> None:
    write(watched, pending="on")
    services.report_camera(
        watched.person("Dana"), "aurora", "cam-12", is_up=False, reason="no picture", uid=str(uuid4())
    )
    before = entries()
    for change, table in CHANGES:
        with connection.cursor() as cursor:
            cursor.execute(change)
        assert {difference.table for difference in differences()} >= {table}, change
        log_projection.rebuild("aurora")
        assert entries() == before
        assert differences() == []


def test_the_log_is_read_without_reading_the_ledger(
    watched: Cast, django_assert_max_num_queries: Any
) -> None:
    for place in range(60):
        subject = Subject("aurora", "aurora/EOU-07", label="EOU-07")
        services.write_entry(
            watched.person("Dana"),
            subject,
            Words("call", f"Call {place}.", pending=place % 2 == 0),
            str(uuid4()),
        )
    dana = watched.browser("Dana")
    with django_assert_max_num_queries(45):
        page = text(dana.get("/log/"))
    assert "Earlier entries" in page
    assert "Call 59." in page
    assert "Call 5." in text(dana.get("/log/", {"before": "11"}))
    kinds = [kind for *_, kind in _kinds()]
    assert kinds.count("log-written") == 60


def _kinds() -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT position, kind FROM fact WHERE property = 'aurora' AND kind = 'log-written'")
        return list(cursor.fetchall())


def test_the_kinds_of_the_log_are_read_by_the_index_of_the_ledger_fold() -> None:
    assert log_projection.FOLLOWED <= store.LEDGER_KINDS


def test_a_correction_shows_the_old_entry_and_takes_over_what_it_was_about(watched: Cast) -> None:
    write(watched, stream=STREAM, hand="r-0002", began="2026-11-27T05:10")
    write(watched, table="EOU-08", place="the rail", disposition="none", began="2026-11-27T05:12:30")
    dana = watched.browser("Dana")
    first = dana.get("/log/write/", {"property": "aurora", "corrects": "1"})
    assert "The pit asked for the last hand." in text(first)
    assert "About EOU-07, hand r-0002" in text(first)
    page = first.content.decode()
    assert '<option value="call" selected>' in page
    assert 'name="began" value="2026-11-27T05:10:00"' in page
    assert re.search(r"<textarea name=\"words\"[^>]*autofocus[^>]*></textarea>", page)
    second = dana.get("/log/write/", {"property": "aurora", "corrects": "2"}).content.decode()
    for field in ('table" value="EOU-08"', 'place" value="the rail"', 'disposition" value="none"'):
        assert f'name="{field}' in second
    assert 'name="began" value="2026-11-27T05:12:30"' in second
    refused = write(watched, corrects="1", words="")
    assert "The pit asked for the last hand." in text(refused)
    assert "autofocus" not in refused.content.decode()


def test_the_form_from_a_replay_has_the_time_of_its_step(watched: Cast) -> None:
    about = {"property": "aurora", "stream": STREAM, "hand": "r-0002"}
    dana = watched.browser("Dana")
    assert 'name="began" value="20' in dana.get("/log/write/", about | {"step": "2"}).content.decode()
    for step in ("0", "9999", "x"):
        assert 'name="began" value=""' in dana.get("/log/write/", about | {"step": step}).content.decode()
    replay = dana.get(HAND.replace("/hand/", "/replay/", 1), {"step": "2"}).content.decode()
    assert re.search(r'href="/log/write/\?[^"]*hand=r-0002&amp;step=2"', replay)
