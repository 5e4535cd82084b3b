"""Actions with markers, such as issuing and paying one. Each action is done by a given person."""

from __future__ import annotations

from uuid import uuid4

from casino.cage.services import markers
from casino.models import Person


def who(id: str) -> Person:
    return Person.objects.get(pk=id)


def marker(by: str = "w-1") -> str:
    return markers.issue_marker(who(by), "aurora", "EOU-01", "p-1", "2", 500, uid=str(uuid4()))


def pay(slip: str, by: str) -> None:
    markers.take_payment(who(by), "aurora", slip, 100, uid=str(uuid4()))


def write_off(slip: str, by: str, second: str) -> None:
    markers.write_off(who(by), who(second), "aurora", slip, 500, "the player is bankrupt", uid=str(uuid4()))


def lost() -> str:
    """Return the serial of a marker that is written off."""
    slip = marker()
    write_off(slip, "w-6", "w-7")
    return slip


def recover(slip: str, by: str) -> None:
    markers.take_recovery(who(by), "aurora", slip, 100, uid=str(uuid4()))
