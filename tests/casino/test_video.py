"""Recordings of cameras: their addresses at the video recorder, the log of who watched them, holds that
prevent overwriting, and exports.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.utils import timezone

from audit.replay import video_address
from audit.replay.video_address import Piece
from audit.review import compare_log, hands, log_projection, log_queries
from audit.review.log_rows import ORDERED, RELEASED, SECURED, Hold
from casino.presentation.errors import ActionRejected
from casino.reference.cameras import MARGIN, times_of, video_of
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.video import queries, services
from tests.casino.conftest import ROLES, Cast
from tests.casino.nights import STREAM
from tests.casino.test_daily_log import CAMERA, HAND, text
from tests.casino.test_daily_log import watched as watched

ASKED = {"stream": STREAM, "hand": "r-0002", "camera": "cam-12"}
MAY = ("Dana", "Dora", "Igor", "Rhea")
PIECE = Piece(
    "cam 1/é", datetime(2026, 11, 28, 4, 4, 10, 250_000, UTC), datetime(2026, 11, 28, 4, 5, 0, 1, UTC)
)


def hold(cast: Cast, name: str = "Dana", **fields: Any) -> Any:
    sent = ASKED | {"uid": str(uuid4()), "reason": "a patron disputes the payout", "minutes": "2"}
    return cast.browser(name).post("/video/hold/", sent | fields)


def held() -> list[Hold]:
    return log_queries.holds("aurora", [ORDERED, SECURED, RELEASED])


def looked_at() -> list[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT person, hand FROM viewing WHERE hand LIKE 'Video%' ORDER BY id")
        return list(cursor.fetchall())


@pytest.mark.parametrize(
    ("template", "address"),
    [
        (
            "https://a.example/?c={camera}&f={start}",
            "https://a.example/?c=cam%201%2F%C3%A9&f=2026-11-28T04:04:13Z",
        ),
        ("https://a.example/{start_unix}/{end_unix}", "https://a.example/1795838653/1795838704"),
        ("https://a.example/{start_ms}", "https://a.example/1795838653000"),
        ("http://a.example:81/{start_local}/{seconds}", "http://a.example:81/2026-11-27T20:04:13/51"),
    ],
)
def test_a_recorder_address_covers_the_hand_in_recorder_time(template: str, address: str) -> None:
    video_address.check(template)
    assert video_address.fill(template, PIECE, 3, ZoneInfo("America/Los_Angeles")) == address


def test_an_invalid_recorder_address_is_refused() -> None:
    for template in (
        "https://{camera}.example/",
        "javascript:alert(1)",
        "ftp://a.example/",
        "//a.example/",
        "https://a.example/{begin}",
        "https://a.example/{",
        "https://a.example/;x",
        "https://a.example x",
        "https://a.example:99999/",
        "https://u:p@a.example/",
        "https://*.example/",
        "https://[::1/",
        "",
    ):
        with pytest.raises(ValueError, match=r"."):
            video_address.check(template)


def test_each_fact_and_finding_of_a_hand_leads_into_the_recorder_at_its_time(watched: Cast) -> None:
    dana = watched.browser("Dana")
    played = hands.played("aurora", STREAM, "r-0002")
    assert played is not None
    page = dana.get(HAND).content.decode()
    third = played.facts[2]
    links = page.count(
        f"/video/open/?stream={STREAM.replace('/', '%2F')}&amp;hand=r-0002&amp;camera=cam-12&amp;at="
    )
    assert links >= len(played.facts) + 1, "each fact, and the finding"
    answer = dana.get("/video/open/", ASKED | {"at": str(third.number)})
    begins = third.fact.at + timedelta(seconds=CAMERA["clock_ahead"])
    expected = f"https://vms.example/play?camera=cam-12&from={begins.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(expected)
    assert [person for person, text in looked_at() if "opened in the recorder" in text] == ["v-101"]


def test_a_verdict_names_the_video_in_recorder_time(watched: Cast) -> None:
    page = text(watched.browser("Dana").get(HAND))
    played = hands.played("aurora", STREAM, "r-0002")
    assert played is not None
    begins = times_of(played)[0] + timedelta(seconds=3)
    assert f"recorder {begins.astimezone(UTC):%H:%M:%S}" in page


def test_the_recording_of_a_fact_outside_a_hand_is_longer_than_its_instant(watched: Cast) -> None:
    played = hands.named("aurora", STREAM, "#1")
    assert played is not None
    at = played.facts[0].fact.at
    assert times_of(played) == (at - MARGIN, at + MARGIN)
    shown = {
        name: (at + sign * MARGIN + timedelta(seconds=3)).astimezone(UTC)
        for name, sign in (("from", -1), ("to", 1))
    }
    (clip,) = video_of(played)
    assert clip == {"camera": "cam-12"} | {
        name: at.isoformat(timespec="seconds") for name, at in shown.items()
    }
    page = text(watched.browser("Dana").get(f"/fact/{STREAM}/1/"))
    assert f"recorder {shown['from']:%H:%M:%S}" in page


def test_a_recording_is_played_only_from_the_origins_of_the_register(watched: Cast) -> None:
    dana = watched.browser("Dana")
    part = dana.get("/video/play/", ASKED, headers={"HX-Request": "true"})
    assert 'src="https://media.example/cam-12/' in part.content.decode()
    assert [text.endswith("played") for _, text in looked_at()] == [True]
    for path in (HAND, "/queue/"):
        policy = dana.get(path).headers["Content-Security-Policy"]
        assert "media-src https://media.example" in policy
        assert "script-src 'self'" in policy
        assert "vms.example" not in policy
    assert "media-src" not in dana.get("/log/").headers["Content-Security-Policy"]
    assert "media-src" not in watched.browser("Boris").get("/queue/").headers["Content-Security-Policy"]


def test_a_hold_is_ordered_for_a_hand_and_is_due_before_the_recorder_overwrites(watched: Cast) -> None:
    assert hold(watched).status_code == 302
    played = hands.played("aurora", STREAM, "r-0002")
    assert played is not None
    begins, ends = times_of(played)
    (held_video,) = held()
    assert (held_video.state, held_video.round, held_video.camera, held_video.by) == (
        ORDERED,
        "r-0002",
        "cam-12",
        "v-101",
    )
    assert held_video.begins <= begins - timedelta(minutes=2) < held_video.begins + timedelta(seconds=1)
    assert held_video.ends - timedelta(seconds=1) < ends + timedelta(minutes=2) <= held_video.ends
    (row,) = queries.to_secure("aurora", timezone.now())
    assert row.overwritten_at == held_video.ends + timedelta(days=14)
    dana = watched.browser("Dana")
    assert "To be secured" in text(dana.get("/video/"))
    assert "a patron disputes the payout" in text(dana.get(HAND))
    assert "Video ◐ to be secured" in text(dana.get(HAND)), "an ordered hold is not safe yet"
    assert "Recordings to secure cam-12" in text(dana.get("/log/"))
    assert compare_log.compare("aurora").listed == []


def test_holds_are_ordered_by_overwrite_time_and_lost_ones_are_marked(watched: Cast) -> None:
    cameras = [
        Entry("cameras", name, {"tables": ["EOU-07"]} | ({"overwrite_days": days} if days else {}))
        for name, days in (("cam-a", 30), ("cam-b", 7), ("cam-c", None))
    ]
    set_registers("aurora", cameras, by="m-101", second="m-102")
    for name in ("cam-a", "cam-c", "cam-b"):
        hold(watched, camera=name)
    holds_by_camera = {row.camera: row for row in held()}
    instant = holds_by_camera["cam-b"].ends + timedelta(days=6, hours=12)
    rows = queries.to_secure("aurora", instant)
    assert [(row.hold.camera, row.tone) for row in rows] == [
        ("cam-b", "alarm"),
        ("cam-a", "warn"),
        ("cam-c", "warn"),
    ]
    assert queries.to_secure("aurora", instant + timedelta(days=1))[0].title == "Overwritten"


def test_a_hold_is_secured_and_released_by_later_facts(watched: Cast) -> None:
    hold(watched)
    (held_video,) = held()
    dana = watched.browser("Dana")
    sent = {"property": "aurora", "hold": held_video.uid}
    digest = "0" * 64
    secured = sent | {"where": "locked on the recorder", "sha256": digest, "uid": str(uuid4())}
    assert dana.post("/video/secure/", secured).status_code == 302
    assert [(row.state, row.where, row.sha256) for row in held()] == [
        (SECURED, "locked on the recorder", digest)
    ]
    assert "locked on the recorder" in text(dana.get("/video/", {"state": SECURED}))
    assert "Video ✓ secured" in text(dana.get(HAND))
    second = dana.post("/video/secure/", secured | {"uid": str(uuid4())})
    assert (second.status_code, "already secured or released" in text(second)) == (400, True)
    released = sent | {"reason": "settled", "uid": str(uuid4())}
    assert dana.post("/video/release/", released).status_code == 302
    assert [row.state for row in held()] == [RELEASED]
    assert "settled" in text(dana.get("/video/", {"state": RELEASED}))
    assert compare_log.compare("aurora").listed == []
    with connection.cursor() as cursor:
        cursor.execute("UPDATE video_hold SET state = 'ordered'")
        cursor.execute("DELETE FROM clip_export")
    assert {difference.table for difference in compare_log.compare("aurora").listed} == {"video_hold"}
    log_projection.rebuild("aurora")
    assert compare_log.compare("aurora").listed == []


def test_an_export_is_recorded_with_its_hash(watched: Cast) -> None:
    sent = ASKED | {"uid": str(uuid4()), "where": "the state police, receipt 2214", "sha256": "A" * 64}
    assert watched.browser("Dana").post("/video/export/", sent).status_code == 302
    (exported,) = log_queries.exports_of_hand("aurora", STREAM, "r-0002")
    assert (exported.where, exported.sha256, exported.by) == (
        "the state police, receipt 2214",
        "a" * 64,
        "v-101",
    )
    assert "receipt 2214" in text(watched.browser("Igor").get(HAND))


def test_a_form_that_is_incomplete_says_why_and_nothing_is_recorded(watched: Cast) -> None:
    for wrong, message in (
        ({"reason": " "}, "why the recording is held"),
        ({"camera": "cam-99"}, "Choose at least one camera"),
        ({"until": "2020-01-01"}, "choose a day after today"),
        ({"until": "soon"}, "is not a day"),
        ({"minutes": "7"}, "Choose one of"),
        ({"uid": "x"}, "no longer valid"),
    ):
        answer = hold(watched, **{"minutes": "10"} | wrong)
        assert (answer.status_code, message in text(answer)) == (400, True), text(answer)
        assert ("<option selected>10</option>" in answer.content.decode()) is ("minutes" not in wrong)
    export = ASKED | {"uid": str(uuid4()), "where": "x"}
    dana = watched.browser("Dana")
    for wrong, message in (
        ({"where": ""}, "to whom"),
        ({"sha256": "x"}, "A SHA-256 has"),
        ({"camera": "cam-99"}, "cam"),
    ):
        assert message in text(dana.post("/video/export/", export | wrong))
    assert "No such recording" in text(
        dana.post("/video/release/", {"property": "aurora", "hold": "x", "reason": "x", "uid": str(uuid4())})
    )
    assert held() == []
    long = Piece("cam-12", PIECE.begins, PIECE.begins + timedelta(hours=25))
    with pytest.raises(ActionRejected, match="24 hours"):
        services.order_hold(watched.person("Dana"), "aurora", [long], "x", str(uuid4()))


def test_a_recording_needs_the_right_at_its_property(watched: Cast) -> None:
    gets = ("/video/", "/video/open/", "/video/play/")
    posts = ("/video/hold/", "/video/export/", "/video/secure/", "/video/release/")
    other = ASKED | {"stream": "borealis/EOU-07/2026-11-27", "property": "borealis"}
    for name in ROLES:
        browser = watched.browser(name)
        for path in gets:
            statuses = {browser.get(path, other).status_code}
            statuses |= {browser.get(path, ASKED).status_code} if name not in MAY else set()
            assert statuses == {403}, (name, path)
        for path in posts:
            sent = other if name in ("Dana", "Dora") else ASKED | {"property": "aurora"}
            assert browser.post(path, sent).status_code == 403, (name, path)
    for name in ("Boris", "Alma"):
        assert "/video/" not in watched.browser(name).get(HAND).content.decode()
    assert looked_at() == []
    assert held() == []


def test_an_odd_address_is_answered_without_an_error(watched: Cast) -> None:
    dana = watched.browser("Dana")
    for query in (
        {},
        {"stream": "x"},
        {"stream": STREAM, "hand": "r-9999", "camera": "cam-12"},
        {"stream": STREAM, "hand": "#99999999999999999999", "camera": "cam-12"},
        {"stream": STREAM, "hand": "r-0002", "camera": "cam-40"},
        {"stream": "aurora/EOU-07/never", "hand": "r-0002", "camera": "cam-12"},
        ASKED | {"at": "x"},
    ):
        for path in ("/video/open/", "/video/play/"):
            assert dana.get(path, query).status_code in (200, 302, 400, 403, 404), (path, query)
