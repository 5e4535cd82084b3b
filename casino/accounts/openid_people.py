"""Link accounts of the OpenID Connect provider with users, and decide which users may sign in.

Roles come from the register of people and never from the provider.
"""

from __future__ import annotations

from django.conf import settings
from django.db import transaction

from audit.facts import accepted_form
from casino.accounts.openid import Account, OpenIdRefused
from casino.models import Person

GONE = "This id has no role any more. Ask an administrator of your property."
LINK = "Ask an administrator to link it (manage.py let_in --openid)."
LONGEST_ID = 50
"""Maximum number of characters of a staff ID for which a user is created."""


def person_of(account: Account) -> Person:
    """Return the user to whom this account belongs. If none is linked with the account, link the user whose
    staff ID is in CATWALK_OPENID_CLAIM. Raise OpenIdRefused if no user may sign in with the account.
    """
    person = Person.objects.filter(openid=account.openid).first() or _link_by_claim(account)
    if person is None:
        subject = account.staff_id or account.openid.rpartition(" ")[2]
        raise OpenIdRefused(
            f"No user of Catwalk is linked with your account at {settings.OPENID_NAME}. {LINK}", subject
        )
    check(person)
    return person


def check(person: Person) -> None:
    """Raise OpenIdRefused if the user may not sign in."""
    if not person.is_active:
        raise OpenIdRefused(
            f"The user {person.pk} is deactivated in Catwalk. Ask an administrator of your property.",
            person.pk,
        )
    if not person.roles and Person.registers.find_departed([person.pk]):
        raise OpenIdRefused(GONE, person.pk)


@transaction.atomic
def link(id: str, account: str) -> None:
    """Link a user with an account of the provider. An empty account removes the user's link. Raise
    OpenIdRefused if another user is linked with the account.
    """
    other = Person.objects.filter(openid=account).exclude(pk=id).first() if account else None
    if other is not None:
        raise OpenIdRefused(f"{other.pk} is linked with this account. Remove that link first.", other.pk)
    person = Person.objects.select_for_update().get(pk=id)
    person.openid = account
    person.save(update_fields=["openid"])


@transaction.atomic
def _link_by_claim(account: Account) -> Person | None:
    """Link the account with the user whose staff ID is in its claim, and return the user. Return None if
    there is no such user. Raise OpenIdRefused if the user is linked with another account.
    """
    id = account.staff_id
    if not id or "\0" in id or accepted_form(id) != id:
        return None
    person: Person | None = Person.objects.select_for_update().filter(pk=id).first()
    if person is None:
        return _create(account)
    if person.openid:
        raise OpenIdRefused(
            f"The user {id} is linked with another account at {settings.OPENID_NAME}. {LINK}", id
        )
    person.openid = account.openid
    person.save(update_fields=["openid"])
    return person


def _create(account: Account) -> Person | None:
    """Create a user without password if CATWALK_OPENID_CREATE allows it. Otherwise return None. The user has
    no role, because everybody who has a role is already a user.
    """
    person = Person(id=account.staff_id, name=account.name[:200], openid=account.openid)
    if not settings.OPENID_CREATE or len(person.pk) > LONGEST_ID:
        return None
    person.set_unusable_password()
    person.save(force_insert=True)
    return person
