"""Record the work of the count room. Boxes are pulled, counted by a team, and recounted by a person who has
not seen the first count. A box belongs to the day and shift in which it was pulled.

If two counts differ, both stay unchanged, and replay makes a finding of the difference. The internal-control
checks (`audit/replay/checks`) determine which counts and recounts are missing. When the day is closed, they
make a finding of each missing one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.utils import timezone

from audit.facts import accepted_form
from audit.replay.checks.counts import worth
from casino.accounts.permissions import can, require
from casino.count_room.queries import Box, box_of, boxes, games, shifts
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import day_label
from casino.reference.registers import threshold
from casino.web.property_turn import in_turn
from casino.web.recording import record, require_tray, table_fact

TEAM = 2
"""Minimum number of people in a count team. It applies if the register `thresholds` has no entry `count-team`
(value `{"people": n}`).
"""
LETTERS = 40
"""Maximum length of a box number, in characters."""
PAPERS = ("voucher", "marker")


def _require_shift(property: str, table: str, day: date, shift: str) -> None:
    """Raise ActionRejected if the table has no such shift on this day, or if the shift has not begun."""
    known, name = shifts(property, [(table, day)]).get((table, day)), day_label(day)
    if known is not None and shift not in (known or [""]):
        has = (
            f"has the shifts {', '.join(known)} on {name}. Choose one of them"
            if known
            else f"has no shifts on {name}. Leave the shift empty"
        )
        raise ActionRejected(f"Shift: {table} {has}.", "shift")
    if known and known[shift] > timezone.now():
        raise ActionRejected(
            f"Shift: {shift} of {name} has not begun at {table}. Choose the shift in which the box was"
            " pulled.",
            "shift",
        )


def pull_box(
    by: Person, second: Person, property: str, table: str, day: date, shift: str, box: str, *, uid: str
) -> None:
    """Record that two people, one of them from security, carried a box from its table to the count room.

    Args:
        by: the first person.
        second: the second person, who has signed.
        property: the casino.
        table: the table.
        day: the gaming day to which the contents belong.
        shift: the shift to which they belong, or empty if the day has no shifts.
        box: the number of the box.
        uid: the uid for the fact.

    Raises:
        ActionRejected: a field or a signature is wrong.
        PermissionDenied: one of them may not pull boxes.
    """
    for person in (by, second):
        require(person, "pull-box", property)
    if by.id == second.id:
        raise ActionRejected(
            "A box must be carried by two people: someone else must give the second signature.", "second"
        )
    if not any(can(person, "carry-slip", property) for person in (by, second)):
        raise ActionRejected("One of the two people who carry a box must be from security.", "second")
    name = _clean_box_number(box)
    with in_turn(property):
        for other in boxes(property, [day]):
            if other.box == name and other.counted is None and other.pulled is not None:
                raise ActionRejected(
                    f"Box {name} was pulled from {other.code} and has not been counted yet. Check the"
                    " number.",
                    "box",
                )
        require_tray(table, games(property, [(table, day)]).get((table, day), ""))
        _require_shift(property, table, day, shift)
        fact = table_fact(
            "box-pulled", property, table, day, box=name, shift=shift, by=by.id, second=second.id
        )
        record(by, property, [fact | {"uid": uid}])


def count_drop(
    team: Sequence[Person],
    property: str,
    pull: UUID,
    notes: dict[str, int],
    papers: dict[str, int],
    *,
    uid: str,
) -> int:
    """Record a team's count of a box. Return its amount in minor units.

    Args:
        team: those who counted, each of whom has signed.
        property: the casino.
        pull: the uid of the box's pull, or of its count if it has no pull.
        notes: the number of notes of each denomination, which is in minor units.
        papers: the amount of each kind of paper, in minor units.
        uid: the uid for the fact.

    Raises:
        ActionRejected: the box has been counted, or the team is too small or not independent.
        PermissionDenied: one of them may not count.
    """
    for member in team:
        require(member, "count-drop", property)
    if len({member.id for member in team}) < len(team):
        raise ActionRejected("Each member of a count team must be a different person.", f"member_{len(team)}")
    if len(team) < (minimum := team_size(property)):
        raise ActionRejected(
            f"A count team has at least {minimum} people. Each must sign.", f"member_{len(team) + 1}"
        )
    with in_turn(property):
        box = box_of(property, pull)
        if box.counted is not None:
            raise ActionRejected(f"Box {box.box} has been counted. Someone else must recount it.")
        _require_independent(box, team, "count")
        fields = {"shift": box.shift, "team": [member.id for member in team]}
        return _count("drop-counted", team[0], property, box, notes, papers, uid, fields)


def verify_count(
    by: Person, property: str, pull: UUID, notes: dict[str, int], papers: dict[str, int], *, uid: str
) -> int:
    """Record a recount by a person who neither carried nor counted the box. Return its amount in minor units.

    Args:
        by: who recounted.
        property: the casino.
        pull: the uid of the box's pull, or of its count if it has no pull.
        notes: the number of notes of each denomination, which is in minor units.
        papers: the amount of each kind of paper, in minor units.
        uid: the uid for the fact.

    Raises:
        ActionRejected: the box has not been counted, has been recounted, or the person is not independent.
        PermissionDenied: the person may not recount.
    """
    require(by, "verify-count", property)
    with in_turn(property):
        box = box_of(property, pull)
        if box.counted is None:
            raise ActionRejected(
                f"Box {box.box} has not been counted yet. Recount it after the team's count."
            )
        if box.verified is not None:
            raise ActionRejected(f"Box {box.box} has been recounted. The list of boxes shows both counts.")
        _require_independent(box, [by], "recount")
        return _count(
            "count-verified", by, property, box, notes, papers, uid, {"by": by.id, "shift": box.shift}
        )


def team_size(property: str) -> int:
    """Return the minimum number of people in a count team at this property."""
    people = threshold(property, "count-team").whole("people")
    return people if people is not None and people > 0 else TEAM


def _clean_box_number(box: str) -> str:
    """Return the normalized number of a box, including leading zeros. Raise ActionRejected if it is
    invalid.
    """
    name = accepted_form(box)
    if not name or len(name) > LETTERS or not name.isprintable():
        raise ActionRejected(
            f"Box: enter the number printed on the box, at most {LETTERS} characters.", "box"
        )
    return name


def _require_independent(box: Box, people: Sequence[Person], action: str) -> None:
    for person in people:
        if person.id in box.people:
            raise ActionRejected(
                f"{person.id} carried or counted box {box.box}. Someone else must {action} it."
            )


def _count(
    kind: str,
    by: Person,
    property: str,
    box: Box,
    notes: dict[str, int],
    papers: dict[str, int],
    uid: str,
    fields: dict[str, Any],
) -> int:
    amount = worth(notes, papers)
    fact = table_fact(kind, property, box.code, box.day, box=box.box, notes=notes, amount=amount, **fields)
    record(by, property, [fact | {"uid": uid} | ({"papers": papers} if papers else {})])
    return amount
