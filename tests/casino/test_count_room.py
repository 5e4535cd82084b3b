"""The count room's day and the close: boxes pulled by two, counted by a team, recounted blind; a day is
closed when nothing is wanting.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from msgspec import json

from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries import cage_facts
from audit.queries.span import Span
from audit.review import projections
from casino.accounts.permissions import RIGHTS
from casino.count_room import queries
from casino.count_room import services as count_room
from casino.count_room.queries import Box
from casino.day_close import adjustments as day_adjustments
from casino.day_close import services as day_close
from casino.day_close.adjustments import Change
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from casino.reports import catalog
from tests.audit.floor import OPENING, fact, line
from tests.casino.conftest import Cast
from tests.casino.pages import markup
from tests.casino.test_duties import by_hand, house_of_roles, refused, who

TABLE = "EOU-01"
BY = {"by": "d-101", "second": "s-201"}


__all__ = ["house_of_roles"]


class Room:
    """The forms of the count room, filled in by whoever is logged in."""

    def __init__(self, cast: Cast) -> None:
        self.cast, self.day, self.places = cast, gaming_day("aurora"), iter(range(1, 1000))
        self.tell("table-opened", **{name: value for name, value in OPENING.items() if name != "kind"})
        self.tell("opener-counted", chips={}, amount=50000, **BY)

    def tell(self, kind: str, table: str = TABLE, **fields: Any) -> str:
        """A fact from another desk of the house; its uid."""
        made = fact(next(self.places), kind=kind, table=f"aurora/{table}", day=str(self.day), **fields) | {
            "uid": str(uuid4())
        }
        intake.post([line(made)], Sender("test"))
        return str(made["uid"])

    def shut(self, closer: int = 50000) -> None:
        self.tell("closer-counted", chips={}, amount=closer, **BY)
        self.tell("table-closed")

    def signs(self, **people: str) -> dict[str, str]:
        typed = {}
        for field, name in people.items():
            login = self.cast.logins[name]
            typed |= {field: login.id, f"{field}_password": login.password}
        return typed

    def send(self, who: str, page: str, **typed: str) -> Any:
        return self.cast.browser(who).post(page, {"uid": str(uuid4())} | typed)

    def pull(self, box: str = "000123", who: str = "Finn", **people: str) -> Any:
        typed = {"table": f"{TABLE}|{self.day}", "box": box, "shift": ""}
        return self.send(who, "/count/pull/", **typed, **self.signs(**people or {"second": "Gus"}))

    def box(self, place: int = -1) -> Box:
        return queries.boxes("aurora", [self.day])[place]

    def count(self, who: str = "Nia", team: tuple[str, ...] = ("Nia", "Ned"), **typed: str) -> Any:
        people = {f"member_{place}": name for place, name in enumerate(team, 1)}
        return self.send(
            who,
            f"/count/drop/{self.box().uid}/",
            **({"notes-10000": "97", "notes-2000": "37"} | typed),
            **self.signs(**people),
        )

    def recount(self, who: str = "Chi", **typed: str) -> Any:
        return self.send(
            who, f"/count/verify/{self.box().uid}/", **({"notes-10000": "97", "notes-2000": "37"} | typed)
        )

    def facts(self, *kinds: str) -> list[dict[str, Any]]:
        return [
            json.decode(kept.body)
            for kept in cage_facts.facts("aurora", [f"aurora/{TABLE}/{self.day}"], kinds)
        ]

    def close(self, who: str = "Alma", *tables: str) -> Any:
        return self.cast.browser(who).post(
            f"/closing/?day={self.day}", {"uid": str(uuid4()), "tables": tables or (TABLE,)}
        )

    def adjust(self, **typed: str) -> Any:
        said = {
            "table": TABLE,
            "what": "drop",
            "amount": "20.00",
            "direction": "lowers",
            "reason": "The recount was right.",
        }
        return self.send(
            "Alma", f"/closing/adjust/?day={self.day}", **(said | self.signs(second="Alan") | typed)
        )

    def books(self, books: str) -> list[tuple[str, str]]:
        findings.examine()
        sheet = catalog.report("hold").sheet(Span(property="aurora", books=books), ("table",))
        return [(row[4], row[5]) for row in sheet.rows]


@pytest.fixture
def room(cast: Cast) -> Room:
    return Room(cast)


def said(answer: Any) -> str:
    """Return the HTML of a page, without white space beside tags and with its apostrophes decoded."""
    return markup(answer).replace("&#x27;", "'")


def test_a_box_is_pulled_by_two_counted_by_a_team_and_recounted_by_another(room: Room) -> None:
    assert room.pull().status_code == 302
    (pulled,) = room.facts("box-pulled")
    assert (pulled["box"], pulled["by"], pulled["second"], pulled["source"]) == (
        "000123",
        "s-201",
        "g-101",
        "pages",
    )
    assert room.count(vouchers="25.00").status_code == 302
    (counted,) = room.facts("drop-counted")
    assert (counted["notes"], counted["papers"], counted["amount"]) == (
        {"10000": 97, "2000": 37},
        {"voucher": 2500},
        1046500,
    )
    assert (counted["team"], counted["shift"], counted["box"]) == (["n-101", "n-102"], "", "000123")
    assert room.recount(vouchers="25.00").status_code == 302
    (verified,) = room.facts("count-verified")
    assert (verified["by"], verified["amount"], room.box().state) == ("c-101", 1046500, "verified")
    findings.examine()
    assert "counted twice" in said(room.cast.browser("Nia").get("/count/"))


def test_who_recounts_sees_no_count_before_his_own(room: Room) -> None:
    room.pull()
    counted = room.count()
    told = said(counted.client.get(counted["Location"]))
    assert "was counted by n-101, n-102. It waits for its recount." in told
    assert "10440" not in told.replace(",", ""), "whoever stands behind the team learns nothing"
    assert room.recount("Alma").status_code == 403, "accounting reads the first count in its reports"
    for name in ("Chi", "Alma", "Nia"):
        page = said(room.cast.browser(name).get("/count/"))
        assert "to recount" in page
        assert "10,440" not in page
        assert "10440" not in page
    assert "10,440" not in said(room.cast.browser("Alma").get(f"/floor/aurora/{TABLE}/"))
    before = said(room.cast.browser("Chi").get(f"/count/verify/{room.box().uid}/"))
    paper = f"/print/aurora/{room.box().counted.uid}.pdf"  # type: ignore[union-attr]
    assert room.cast.browser("Chi").get(paper).status_code == 403
    wrong = said(room.recount(**{"notes-10000": "many"}))
    for page in (before, wrong):
        assert "10,440" not in page
        assert ">97<" not in page
    assert 'value="many"' in wrong, "what was typed stays"
    room.recount(**{"notes-2000": "36"})
    assert room.cast.browser("Chi").get(paper).status_code == 200
    page = said(room.cast.browser("Chi").get("/count/"))
    assert ("the count says 10,440.00, the recount 10,420.00" in page) or (
        "10,440.00" in page and "10,420.00" in page
    )


def test_two_counts_that_differ_stay_both_are_found_and_keep_the_day_open_until_they_are_settled(
    room: Room,
) -> None:
    room.pull()
    room.count()
    room.recount(**{"notes-2000": "36"})
    room.shut()
    assert (room.box().counted.amount, room.box().verified.amount) == (1044000, 1042000)  # type: ignore[union-attr]
    refused = room.close()
    assert refused.status_code == 400
    assert "the other count was 10440.00 USD, this one is 10420.00 USD" in said(refused)
    assert room.facts("day-closed") == []
    assert room.adjust(of=str(room.box().counted.uid)).status_code == 302  # type: ignore[union-attr]
    assert room.close().status_code == 302
    assert [fact["by"] for fact in room.facts("day-closed")] == ["a-101"]
    assert (room.books("closed"), room.books("restated")) == (
        [("10440.00", "10440.00")],
        [("10420.00", "10420.00")],
    )
    assert [(one["amount"], one["by"], one["second"]) for one in adjustments()] == [(-2000, "a-101", "a-102")]
    page = said(room.cast.browser("Rhea").get(f"/closing/?day={room.day}"))
    assert "10,440.00" in page
    assert "10,420.00" in page
    assert page.count("1 adjustment") == 1


def adjustments() -> list[dict[str, Any]]:
    return [
        json.decode(bytes(row[0]))
        for row in _rows("SELECT body FROM fact WHERE kind = 'adjusted' ORDER BY position")
    ]


def _rows(query: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchall()


def test_a_verdict_of_surveillance_settles_a_variance_too(room: Room) -> None:
    room.pull()
    room.count()
    room.recount(**{"notes-2000": "36"})
    room.shut()
    (one,) = day_close.tables("aurora", room.day)
    (uid,) = one.variances
    verdict = {
        "finding": f"{uid}:count-differs::",
        "code": "count-differs",
        "says": "",
        "owed": None,
        "moved": None,
        "verdict": "escalated",
    }
    money = {
        "savings": 0,
        "losses": 0,
        "recovered": 0,
        "video": [],
        "note_sha256": None,
        "second": None,
        "by": "v-101",
        "disposition": "suspected_collusion",
    }
    room.tell("verdict-given", "house", **(verdict | money))
    projections.follow("aurora")
    assert day_close.tables("aurora", room.day)[0].variances, "an escalated one is still open"
    room.tell(
        "verdict-given", "house", **(verdict | money | {"verdict": "dismissed", "disposition": "no_error"})
    )
    projections.follow("aurora")
    assert day_close.tables("aurora", room.day)[0].ready


def test_a_day_is_not_closed_while_anything_is_wanting_and_the_page_says_what(room: Room) -> None:
    room.pull()
    sentences = (
        "The table is still open",
        "The closer has not been counted.",
        "Box 000123 has not been counted.",
        "Box 000123 has not been recounted.",
    )
    for step, wanting in (
        (None, sentences[:3]),
        (room.shut, sentences[2:3]),
        (room.count, sentences[3:]),
        (room.recount, ()),
    ):
        if step is not None:
            step()  # type: ignore[operator]
        page = said(room.cast.browser("Alma").get(f"/closing/?day={room.day}"))
        assert tuple(each for each in sentences if each in page) == wanting
        if wanting:
            answer = room.close()
            assert (answer.status_code, f"{TABLE} cannot be closed yet. {wanting[0]}" in said(answer)) == (
                400,
                True,
            )
    assert room.close().status_code == 302
    assert "These tables were closed" in said(
        room.cast.browser("Alma").post(
            f"/closing/?day={room.day}", {"uid": str(uuid4()), "tables": [TABLE]}, follow=True
        )
    )
    with pytest.raises(ActionRejected, match="closed and takes no more"):
        count_room.pull_box(
            *map(room.cast.person, ("Finn", "Gus")), "aurora", TABLE, room.day, "", "9", uid=str(uuid4())
        )
    assert len(room.facts("day-closed")) == 1


def test_a_tray_that_was_counted_again_wants_one_closer(room: Room) -> None:
    room.tell("opener-counted", chips={}, amount=40000, **BY)
    room.shut()
    (one,) = day_close.tables("aurora", room.day)
    assert one.ready


def test_a_count_that_comes_after_the_door_closed_the_day_is_an_adjustment(room: Room) -> None:
    room.pull()
    room.shut()
    room.tell("day-closed", by="a-101")
    assert room.books("closed") == [("pending", "pending")]
    page = said(room.cast.browser("Alma").get(f"/closing/?day={room.day}"))
    assert "Late count of 000123" in page
    form = room.cast.browser("Alma").get(
        f"/closing/adjust/?day={room.day}&table={TABLE}&what=drop&direction=raises&of={room.box().uid}"
    )
    assert str(room.box().uid) in said(form)
    room.adjust(of=room.box().uid, amount="10440.00", direction="raises", reason="Counted on the next day.")
    assert (room.books("closed"), room.books("restated")) == (
        [("pending", "pending")],
        [("10440.00", "10440.00")],
    )


def test_the_count_room_leads_a_late_count_of_a_closed_day_to_its_pull(room: Room) -> None:
    room.pull()
    room.shut()
    room.tell("day-closed", by="a-101")
    page = room.cast.browser("Alma").get(f"/count/?day={room.day}").content.decode()
    assert f"what=drop&amp;direction=raises&amp;of={room.box().uid}" in page


def test_a_variance_of_a_closed_day_is_settled_by_its_count_and_in_no_direction_of_ours(room: Room) -> None:
    room.pull()
    room.count()
    room.recount(**{"notes-2000": "36"})
    room.shut()
    room.tell("day-closed", by="a-101")
    page = room.cast.browser("Alma").get(f"/count/?day={room.day}").content.decode()
    assert f"what=drop&amp;of={room.box().counted.uid}" in page  # type: ignore[union-attr]
    assert "direction=" not in page


def test_a_box_is_carried_by_two_and_one_of_them_is_of_security(room: Room) -> None:
    for name, second, says in (
        ("Finn", "Fay", "from security"),
        ("Finn", "Finn", "another person"),
        ("Finn", "Nia", "may not sign here"),
    ):
        answer = room.pull(who=name, second=second)
        assert (answer.status_code, says in said(answer)) == (400, True), says
    assert room.pull(who="Gus", second="Finn").status_code == 302
    again = room.pull()
    assert "waits to be counted" in said(again)
    assert len(room.facts("box-pulled")) == 1


def test_a_team_is_two_of_the_count_room_who_carried_nothing_and_the_recount_is_nobody_of_them(
    room: Room,
) -> None:
    room.pull()
    for team, says in (
        (("Nia",), "a signature is missing"),
        (("Nia", "Chi"), "may not sign here"),
        (("Nia", "Nia"), "has signed already"),
        (("Ned", "Nell"), "member of the team"),
    ):
        answer = room.count(team=team)
        assert (answer.status_code, says in said(answer)) == (400, True), says
    nothing = room.count(**{"notes-10000": "", "notes-2000": ""})
    assert "If the box is empty, confirm it" in said(nothing)
    assert room.count(**{"notes-10000": "", "notes-2000": "", "empty": "yes"}).status_code == 302
    assert room.facts("drop-counted")[0]["amount"] == 0
    box = room.box()
    with pytest.raises(PermissionDenied):
        count_room.verify_count(room.cast.person("Nell"), "aurora", UUID(box.uid), {}, {}, uid=str(uuid4()))
    assert room.count().status_code == 400, "a box is counted once by a team"
    assert room.recount(**{"notes-10000": "", "notes-2000": "", "empty": "yes"}).status_code == 302
    assert room.recount().status_code == 400


def test_two_teams_at_once_count_a_box_once(room: Room) -> None:
    room.pull()
    pull, team = UUID(room.box().uid), [room.cast.person(name) for name in ("Nia", "Ned")]

    def one(_: int) -> bool:
        try:
            count_room.count_drop(team, "aurora", pull, {"100": 3}, {}, uid=str(uuid4()))
        except ActionRejected:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(one, range(4))) == [False, False, False, True]
    assert len(room.facts("drop-counted")) == 1


def test_an_adjustment_is_signed_by_two_and_of_a_closed_day(room: Room) -> None:
    alma, alan = (room.cast.person(name) for name in ("Alma", "Alan"))
    change = Change(f"aurora/{TABLE}", room.day, "closer", 500, "found in the tray")

    def adjusted(**other: Any) -> None:
        day_adjustments.adjust(
            alma, other.pop("second", alan), "aurora", change._replace(**other), uid=str(uuid4())
        )

    with pytest.raises(ActionRejected, match="still open"):
        adjusted()
    room.shut()
    day_close.close_day(alma, "aurora", room.day, [TABLE])
    for other, says in (
        ({"second": alma}, "another person"),
        ({"what": "luck"}, "is one of"),
        ({"amount": 0}, "adjusts nothing"),
        ({"reason": " "}, "why"),
        ({"day": date(2020, 1, 1)}, "was not open"),
        ({"of": "nothing"}, "its uid"),
        ({"of": str(uuid4())}, "does not stand"),
    ):
        with pytest.raises(ActionRejected, match=says):
            adjusted(**other)
    with pytest.raises(PermissionDenied):
        adjusted(second=room.cast.person("Boris"))
    adjusted()
    assert [(one["what"], one["amount"]) for one in adjustments()] == [("closer", 500)]


def test_a_day_without_a_pull_is_closed_and_says_that_its_box_is_counted_later(room: Room) -> None:
    room.shut()
    page = said(room.cast.browser("Alma").get(f"/closing/?day={room.day}"))
    assert "it is counted with a later day" in page
    assert room.close().status_code == 302


def test_every_act_is_done_by_its_role_alone_and_no_two_signers_are_one(house_of_roles: Cast) -> None:
    day, numbers, wrong = gaming_day("aurora"), iter(range(1, 1000)), []
    intake.post(
        [line(fact(1, kind="table-closed", table="aurora/EOU-02", day=str(day)) | {"uid": str(uuid4())})],
        Sender("test"),
    )

    def pull(by: str = "w-1", second: str = "w-2") -> UUID:
        uid = str(uuid4())
        count_room.pull_box(who(by), who(second), "aurora", "EOU-01", day, "", str(next(numbers)), uid=uid)
        return UUID(uid)

    def count(*team: str, box: UUID | None = None) -> UUID:
        uid = box or pull()
        count_room.count_drop([who(one) for one in team], "aurora", uid, {"100": 1}, {}, uid=str(uuid4()))
        return uid

    def verify(by: str) -> None:
        count_room.verify_count(who(by), "aurora", count("w-3", "w-4"), {"100": 1}, {}, uid=str(uuid4()))

    def adjust(by: str, second: str) -> None:
        day_adjustments.adjust(
            who(by), who(second), "aurora", Change("aurora/EOU-02", day, "closer", 1, "why"), uid=str(uuid4())
        )

    acts: dict[str, Any] = {
        "pull-box": lambda one: pull(one, "w-2"),
        "count-drop": lambda one: count("w-3", one),
        "verify-count": verify,
        "close-day": lambda one: day_close.close_day(who(one), "aurora", day, ["EOU-02"]),
        "adjust": lambda one: adjust(one, "w-2"),
        "sign-adjustment": lambda one: adjust("w-1", one),
    }
    for act, does in acts.items():
        for role in (*RIGHTS, "floor"):
            if refused(lambda does=does, role=role: does(f"x-{role}")) == (role in by_hand()[act]):  # type: ignore[misc]
                wrong.append((act, role))
    assert wrong == []
    same = {
        "pull": lambda: pull("w-1", "w-1"),
        "team": lambda: count("w-3", "w-3"),
        "pull and team": lambda: count("w-1", "w-3"),
        "second of pull and team": lambda: count("w-3", "w-2"),
        "team and recount": lambda: verify("w-4"),
        "pull and recount": lambda: verify("w-1"),
        "adjustment": lambda: adjust("w-1", "w-1"),
    }
    assert [name for name, does in same.items() if not refused(does)] == [], (
        "these were one person, and it was done"
    )
    verify("w-5")
    adjust("w-1", "w-2")
