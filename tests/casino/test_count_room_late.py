"""Counts after the close of a day, and the roles that may carry boxes, count and adjust."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection

from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.accounts.permissions import RIGHTS
from casino.count_room import services as count_room
from casino.day_close import adjustments as day_adjustments
from casino.day_close import services as day_close
from casino.day_close.adjustments import Change
from casino.day_close.services import Closing
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from tests.audit.floor import fact, line
from tests.casino.conftest import Cast
from tests.casino.test_count_room import TABLE, Room, adjustments, plain_markup, room
from tests.casino.test_duties import by_hand, people_of_roles, refused, who

__all__ = ["people_of_roles", "room"]


def test_a_count_that_comes_after_the_api_closed_the_day_is_an_adjustment(room: Room) -> None:
    room.pull()
    room.close_table()
    room.tell("day-closed", by="a-101")
    assert room.books("closed") == [("pending", "pending")]
    page = plain_markup(room.cast.browser("Alma").get(f"/closing/?day={room.day}"))
    assert "Late count of 000123" in page
    form = room.cast.browser("Alma").get(
        f"/closing/adjust/?day={room.day}&table={TABLE}&what=drop&direction=raises&of={room.box().uid}"
    )
    assert str(room.box().uid) in plain_markup(form)
    room.adjust(of=room.box().uid, amount="10440.00", direction="raises", reason="Counted on the next day.")
    assert (room.books("closed"), room.books("restated")) == (
        [("pending", "pending")],
        [("10440.00", "10440.00")],
    )


def test_the_count_room_leads_a_late_count_of_a_closed_day_to_its_pull(room: Room) -> None:
    room.pull()
    room.close_table()
    room.tell("day-closed", by="a-101")
    page = room.cast.browser("Alma").get(f"/count/?day={room.day}").content.decode()
    assert f"what=drop&amp;direction=raises&amp;of={room.box().uid}" in page


def test_a_variance_of_a_closed_day_is_settled_only_by_its_count(room: Room) -> None:
    room.pull()
    room.count()
    room.recount(**{"notes-2000": "36"})
    room.close_table()
    room.tell("day-closed", by="a-101")
    page = room.cast.browser("Alma").get(f"/count/?day={room.day}").content.decode()
    assert f"what=drop&amp;of={room.box().counted.uid}" in page  # type: ignore[union-attr]
    assert "direction=" not in page


def test_a_box_is_carried_by_two_people_one_of_them_from_security(room: Room) -> None:
    for name, second, says in (
        ("Finn", "Fay", "from security"),
        ("Finn", "Finn", "someone else"),
        ("Finn", "Nia", "may not sign here"),
    ):
        answer = room.pull(user=name, second=second)
        assert (answer.status_code, says in plain_markup(answer)) == (400, True), says
    assert room.pull(user="Gus", second="Finn").status_code == 302
    late_pull = room.pull()
    assert "has not been counted yet" in plain_markup(late_pull)
    assert len(room.facts("box-pulled")) == 1


def test_counters_did_not_carry_the_box_and_do_not_recount_it(
    room: Room,
) -> None:
    room.pull()
    for team, says in (
        (("Nia",), "a signature is missing"),
        (("Nia", "Chi"), "may not sign here"),
        (("Nia", "Nia"), "has already signed"),
        (("Ned", "Nell"), "member of the count team"),
    ):
        answer = room.count(team=team)
        assert (answer.status_code, says in plain_markup(answer)) == (400, True), says
    empty = room.count(**{"notes-10000": "", "notes-2000": ""})
    assert "If the box is empty, confirm it" in plain_markup(empty)
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

    def count_once(_: int) -> bool:
        try:
            count_room.count_drop(team, "aurora", pull, {"100": 3}, {}, uid=str(uuid4()))
        except ActionRejected:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(count_once, range(4))) == [False, False, False, True]
    assert len(room.facts("drop-counted")) == 1


def test_an_adjustment_needs_two_signatures_and_a_closed_day(room: Room) -> None:
    alma, alan = (room.cast.person(name) for name in ("Alma", "Alan"))
    change = Change(f"aurora/{TABLE}", room.day, "closer", 500, "found in the tray")

    def adjusted(**other: Any) -> None:
        day_adjustments.adjust(
            alma, other.pop("second", alan), "aurora", change._replace(**other), uid=str(uuid4())
        )

    with pytest.raises(ActionRejected, match="still open"):
        adjusted()
    room.close_table()
    day_close.close_day(alma, "aurora", room.day, Closing([TABLE]))
    for other, says in (
        ({"second": alma}, "someone else"),
        ({"what": "luck"}, "Choose what is adjusted"),
        ({"amount": 0}, "must not be zero"),
        ({"reason": " "}, "Give the reason"),
        ({"day": date(2020, 1, 1)}, "was not open"),
        ({"of": "nothing"}, "choose it from the list"),
        ({"of": str(uuid4())}, "does not belong"),
    ):
        with pytest.raises(ActionRejected, match=says):
            adjusted(**other)
    with pytest.raises(PermissionDenied):
        adjusted(second=room.cast.person("Boris"))
    adjusted()
    assert [(adjustment["what"], adjustment["amount"]) for adjustment in adjustments()] == [("closer", 500)]


def test_a_day_without_a_pull_is_closed_and_says_that_its_box_is_counted_later(room: Room) -> None:
    room.close_table()
    page = plain_markup(room.cast.browser("Alma").get(f"/closing/?day={room.day}"))
    assert "is counted with the box of a later day" in page
    assert room.close().status_code == 302


def differences_from_rights(acts: dict[str, Any]) -> list[tuple[str, str]]:
    """Try each action as each role. Return each pair of action and role whose result differs from the
    rights.
    """
    return [
        (act, role)
        for act, does in acts.items()
        for role in (*RIGHTS, "floor")
        if refused(lambda does=does, role=role: does(f"x-{role}")) == (role in by_hand()[act])  # type: ignore[misc]
    ]


def test_every_action_needs_its_role_and_different_signers(people_of_roles: Cast) -> None:
    day, numbers = gaming_day("aurora"), iter(range(1, 1000))
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
        count_room.count_drop(
            [who(person) for person in team], "aurora", uid, {"100": 1}, {}, uid=str(uuid4())
        )
        return uid

    def verify(by: str) -> None:
        count_room.verify_count(who(by), "aurora", count("w-3", "w-4"), {"100": 1}, {}, uid=str(uuid4()))

    def adjust(by: str, second: str) -> None:
        day_adjustments.adjust(
            who(by), who(second), "aurora", Change("aurora/EOU-02", day, "closer", 1, "why"), uid=str(uuid4())
        )

    acts: dict[str, Any] = {
        "pull-box": lambda person: pull(person, "w-2"),
        "count-drop": lambda person: count("w-3", person),
        "verify-count": verify,
        "close-day": lambda person: day_close.close_day(who(person), "aurora", day, Closing(["EOU-02"])),
        "adjust": lambda person: adjust(person, "w-2"),
        "sign-adjustment": lambda person: adjust("w-1", person),
    }
    assert differences_from_rights(acts) == []
    refused_acts = {
        "pull": lambda: pull("w-1", "w-1"),
        "team": lambda: count("w-3", "w-3"),
        "pull and team": lambda: count("w-1", "w-3"),
        "second of pull and team": lambda: count("w-3", "w-2"),
        "team and recount": lambda: verify("w-4"),
        "pull and recount": lambda: verify("w-1"),
        "adjustment": lambda: adjust("w-1", "w-1"),
    }
    assert [name for name, does in refused_acts.items() if not refused(does)] == [], (
        "these were one person, and it was done"
    )
    verify("w-5")
    adjust("w-1", "w-2")
