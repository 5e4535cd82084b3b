"""The form of an adjustment offers the facts that it can name, so that nobody types a uid."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from tests.casino.conftest import Cast
from tests.casino.nights import DAY
from tests.casino.pages import markup, text
from tests.casino.test_count_room import BY, TABLE, Room, adjustments, room
from tests.casino.test_money_corrections import post
from tests.casino.test_pages import night

__all__ = ["night", "room"]
SLIP = {"requested_by": "d-101", "sent_by": "c-101", "carried_by": "g-101", "received_by": "s-201"}
SELECT = re.compile(r'<select name="of".*?</select>', re.S)
GROUP = re.compile(r'<optgroup label="([^"]*)">(.*?)</optgroup>', re.S)
OPTION = re.compile(r'<option value="([^"]*)"( selected)?>(.*?)</option>', re.S)


def offered(answer: Any) -> dict[str, dict[str, str]]:
    """Return {group: {uid: words}} of the facts in the form. The group of no fact is empty text."""
    (select,) = SELECT.findall(markup(answer))
    groups = {"": select.partition("<optgroup")[0], **dict(GROUP.findall(select))}
    return {
        group: {uid: text(words) for uid, _, words in OPTION.findall(options)}
        for group, options in groups.items()
    }


def form(room: Room, **query: str) -> Any:
    typed = "".join(f"&{name}={value}" for name, value in query.items())
    return room.cast.browser("Alma").get(f"/closing/adjust/?day={room.day}&table={TABLE}{typed}")


def slip(room: Room, kind: str, serial: str) -> str:
    return room.tell(kind, slip=serial, chips={"500": 2}, amount=1_000, **SLIP)


def test_each_fact_that_the_form_of_a_closed_day_offers_can_be_adjusted(room: Room) -> None:
    fill, credit = slip(room, "fill-sent", "F-1"), slip(room, "credit-sent", "C-1")
    void = slip(room, "fill-sent", "F-2")
    room.tell("slip-voided", slip="F-2", reason="wrong table", **BY)
    room.pull("7")
    room.count()
    room.recount()
    counted = room.box()
    room.pull("8")
    room.close_table()
    room.tell("day-closed", by="a-101")
    groups = offered(form(room))
    assert list(groups) == ["", "Opener", "Fill", "Credit", "Drop", "Closer"]
    assert groups[""] == {"": "none, the day as a whole"}
    assert groups["Fill"].keys() == {fill, void}
    assert ("void" in groups["Fill"][fill], "void" in groups["Fill"][void]) == (False, True)
    assert "Fill F-1: 10.00, sent by c-101" in groups["Fill"][fill]
    assert "(USD)" in groups["Credit"][credit]
    assert counted.pulled is not None
    assert counted.pulled.uid not in groups["Drop"], "a late count names only a box without a count"
    words = sorted(groups["Drop"].values())
    assert [says.split(" ")[:3] for says in words] == [
        ["Box", "7", "counted:"],
        ["Box", "8", "of"],
        ["Count", "of", "box"],
    ]
    uids = [(group.lower(), uid) for group, facts in groups.items() for uid in facts if uid]
    for area, uid in uids:
        assert room.adjust(what=area, of=uid, reason=uid).status_code == 302, (area, uid)
    assert [adjustment["of"] for adjustment in adjustments()] == [uid for _, uid in uids]


def test_a_slip_of_a_closed_day_leads_to_the_form_that_names_it(room: Room) -> None:
    fill, page = slip(room, "fill-sent", "F-1"), "/cage/slip/aurora/{}/"
    alma = room.cast.browser("Alma")
    assert "/closing/adjust/" not in markup(alma.get(page.format(fill)))
    room.close_table()
    room.tell("day-closed", by="a-101")
    (address,) = re.findall(r'href="(/closing/adjust/[^"]*)"', markup(alma.get(page.format(fill))))
    adjustment = markup(alma.get(address.replace("&amp;", "&")))
    assert f'<option value="{fill}" selected>' in adjustment
    assert '<option value="fill" selected>' in adjustment
    assert "/closing/adjust/" not in markup(room.cast.browser("Chi").get(page.format(fill)))


def test_the_form_of_an_open_day_offers_only_the_two_counts_that_differ(room: Room) -> None:
    room.pull("7")
    room.count()
    room.recount(**{"notes-2000": "36"})
    room.close_table()
    groups, box = offered(form(room)), room.box()
    assert box.counted is not None
    assert box.verified is not None
    assert (groups.pop(""), list(groups)) == ({}, ["Drop"]), "an open day must name a count"
    assert groups["Drop"].keys() == {box.counted.uid, box.verified.uid}
    assert room.adjust(of=box.verified.uid).status_code == 302


def test_the_form_keeps_the_fact_of_its_address_if_it_is_of_the_day(room: Room) -> None:
    box = room.tell("chips-bought", spot="1", amount=500, tender="cash", by="d-101")
    room.close_table()
    closer = next(uid for uid in offered_closers(room))
    for uid in (box, closer, closer.upper()):
        options = OPTION.findall(SELECT.findall(markup(form(room, of=uid)))[0])
        assert [value for value, selected, _ in options if selected] == [uid.lower()]
    assert list(offered(form(room, of=box))) == ["", "Opener", "Closer", "Other"]
    other_day = room.cast.browser("Alma").get(f"/closing/adjust/?day={room.day - timedelta(days=1)}&of={box}")
    assert box not in markup(other_day)
    answer = room.adjust(of="no uid")
    assert (answer.status_code, "Fact: choose it from the list, or choose none." in text(answer)) == (
        400,
        True,
    )


def offered_closers(room: Room) -> dict[str, str]:
    room.tell("day-closed", by="a-101")
    return offered(form(room))["Closer"]


def test_a_wrong_settlement_is_chosen_by_its_hand(night: Cast) -> None:
    post("day-closed", by="a-101")
    page = night.browser("Alma").get(f"/closing/adjust/?day={DAY}&table=EOU-07")
    hands = offered(page)["Settlement of wagers"]
    (overpaid,) = [words for words in hands.values() if words.startswith("Hand r-0002: ")]
    assert "Spot 6, over" in overpaid
    led = markup(night.browser("Alma").get(f"/hold/where/aurora/EOU-07/{DAY}/"))
    assert hands.keys() >= set(re.findall(r"/closing/adjust/[^\"]*?of=([0-9a-f-]{36})", led)) != set()
