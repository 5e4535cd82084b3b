"""Letting people in: passwords, names, tokens and one-time passwords, which are in no fact. Roles are: as entries of a register.

`make_cast` makes the people of a demo and of the tests. Tokens are in `tokens.py`, one-time passwords in `one_time.py`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import F
from django.utils import timezone

from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.accounts import otp
from casino.accounts.tokens import TOKEN_DAYS as TOKEN_DAYS
from casino.accounts.tokens import end_all
from casino.accounts.tokens import issue_token as issue_token
from casino.accounts.tokens import note_use as note_use
from casino.accounts.tokens import revoke as revoke
from casino.models import Person
from casino.reference import projection
from casino.reference.entries import Entry
from casino.reference.entry_facts import Signed, facts_of
from casino.reference.gaming_day import entries_of


class Login(NamedTuple):
    """How somebody gets in: by password on the pages, by token at the REST door."""

    id: str
    name: str
    role: str
    password: str
    token: str | None = None


CAST = (
    ("v-101", "Dana", "surveillance"),
    ("v-102", "Dora", "surveillance"),
    ("t-101", "Boris", "table-games"),
    ("a-101", "Alma", "accounting"),
    ("a-102", "Alan", "accounting"),
    ("i-101", "Igor", "internal-audit"),
    ("r-101", "Rhea", "regulator"),
    ("m-101", "Mia", "administrator"),
    ("m-102", "Max", "administrator"),
    ("d-101", "Ada", "dealer"),
    ("d-102", "Abe", "dealer"),
    ("s-201", "Finn", "supervisor"),
    ("s-202", "Fay", "supervisor"),
    ("c-101", "Chi", "cage"),
    ("c-102", "Cleo", "cage"),
    ("g-101", "Gus", "security"),
    ("g-102", "Gia", "security"),
    ("n-101", "Nia", "count"),
    ("n-102", "Ned", "count"),
    ("n-103", "Nell", "count"),
    ("e-101", "Eve", ""),
)
ADMINISTRATORS = ("m-101", "m-102")
SAYS = {"supervisor": {"tables": 6}}
"""What the register says of people of a role besides it: a supervisor has so many tables at the same time."""
GATEWAY = "gateway-1"
"""The device that merges the sensors of every table."""


def make_cast(property: str) -> list[Login]:
    """The cast at this property, with new passwords and a new token for its gateway. Done twice, the people are the same."""
    entries = [Entry("people", id, {"role": role} | SAYS.get(role, {})) for id, _, role in CAST if role]
    entries.append(Entry("devices", GATEWAY, {"tables": ["*"], "people": True, "house": False}))
    administrators = [entry for entry in entries if entry.key in ADMINISTRATORS]
    set_registers(property, administrators, by="o-101", second="o-102")  # nobody enters or signs what he may do himself
    by, second = ADMINISTRATORS
    set_registers(property, [entry for entry in entries if entry not in administrators], by=by, second=second)
    logins = [Login(id, name, role, let_in(id, name)) for id, name, role in CAST]
    return [*logins, Login(GATEWAY, "", "device", "", issue_token(made_by="m-101", property=property, device=GATEWAY))]


def set_registers(property: str, entries: list[Entry], *, by: str, second: str) -> int:
    """Entries of registers as facts of the house stream, then into the projection. Gives how many were news. Raises Refused."""
    facts = facts_of(property, entries, entries_of(property), Signed(by, second, timezone.now()))
    told = intake.post(facts, Sender(by, frozenset({property})))
    projection.follow(property)
    return sum(each.fresh for each in told)


def let_in(id: str, name: str, password: str | None = None) -> str:
    """A person by id gets a name and a password, made up where none is given; what they may do the registers say. Gives the password."""
    password = password or secrets.token_urlsafe(12)
    person = Person.objects.filter(pk=id).first() or Person(id=id)
    person.name, person.is_active = name, True
    person.set_password(password)
    person.save()
    return password


def forget(id: str) -> None:
    """The name is erased and the door shut; the id stays in the facts."""
    shut(id)
    person = Person.objects.get(pk=id)
    person.name = ""
    person.set_unusable_password()
    person.save()
    otp.forget(id)


def shut(id: str) -> None:
    """The person is let in no more until `let_in` does it again: no password is right, every login and every token has ended."""
    Person.objects.filter(pk=id).update(is_active=False)
    show_out([id])


def end_logins(person: Person) -> None:
    """Every login of this person ends; the one that asks for it goes on once it has `update_session_auth_hash`."""
    Person.objects.filter(pk=person.pk).update(logins_ended=F("logins_ended") + 1)
    person.refresh_from_db(fields=["logins_ended"])


def show_out(ids: Iterable[str]) -> None:
    """These people are logged in nowhere any more, from their next request on, and their tokens are valid no longer."""
    gone = list(ids)
    Person.objects.filter(pk__in=gone).update(logins_ended=F("logins_ended") + 1)
    end_all(gone)
