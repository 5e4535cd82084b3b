"""Actions with counted cash, such as sending a deposit. Each action is done by a given person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any
from uuid import uuid4

from casino.cage.services import deposits
from casino.reference.calendar import gaming_day
from tests.casino.marker_actions import who

BAGS = count(1)


def receive(by: str, second: str) -> None:
    """Record that the cage received cash of today's drop."""
    day = gaming_day("aurora")
    deposits.receive_drop(who(by), who(second), "aurora", day, "USD", 100, uid=str(uuid4()))


def send(by: str = "w-6", second: str = "w-7") -> str:
    """Send a deposit and return the number of its bag."""
    bag = f"bag-{next(BAGS)}"
    deposits.send_deposit(who(by), who(second), "aurora", bag, "USD", 100, "transport", uid=str(uuid4()))
    return bag


def confirm(by: str) -> None:
    """Confirm a new deposit."""
    deposits.confirm_deposit(who(by), "aurora", send(), 100, "", uid=str(uuid4()))


def actions_with_cash() -> Iterator[tuple[str, Callable[[str], Any]]]:
    """Yield the name of every action with cash, and a function that does it with valid input. The function
    gets the staff ID of the person who acts.
    """
    yield "receive-drop", lambda person: receive(person, "w-7")
    yield "hand-over-drop", lambda person: receive("w-7", person)
    yield "send-deposit", lambda person: send(person, "w-7")
    yield "sign-deposit", lambda person: send("w-7", person)
    yield "confirm-deposit", confirm
