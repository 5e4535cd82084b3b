"""Check signatures on pages. Each signer enters a password and, if set up, a one-time password.

The logged-in user signs with the staff ID alone, because the login has already checked both.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.signals import user_login_failed
from django.http import HttpRequest

from audit.facts import accepted_form
from casino.accounts import openid, otp
from casino.accounts.otp import OtpRejected
from casino.accounts.permissions import can
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import field_label

LETTERS = 254
"""Maximum number of characters of a staff ID, in the login form and in the table of failed logins."""
CONFIRMED = "openid_confirmed"
"""Session key of the time at which the user confirmed an action at the OpenID Connect provider."""
SET_UP = "Log in with your own staff ID and set it up at /otp/."


def authenticate_signer(request: HttpRequest, person_id: str, password: str) -> Person | None:
    """Return the person if the password is right, otherwise None. Five wrong passwords lock the staff ID at
    this address.
    """
    if "\0" in person_id or len(person_id) > LETTERS:
        return None  # no staff ID looks like this, so a failed login cannot be counted for it
    person = authenticate(request, username=person_id, password=password)
    return person if isinstance(person, Person) else None


def collect_signatures(
    request: HttpRequest, property: str, fields: Mapping[str, str], *, optional: frozenset[str] = frozenset()
) -> dict[str, Person]:
    """Check the signatures of a form. Return {field: person who signed in this field}. Optional fields that
    were left empty are not included.

    Rights are checked before passwords, and each password at most once, so that a mistake in the form locks
    out no signer. One-time passwords (`x_code`) are checked last. If one of them is wrong, none is used up,
    so that the other signers can enter their codes again.

    Args:
        request: The request with the form; a field `x` has the staff ID and `x_password` the password.
        property: The property at which the signers need the rights.
        fields: For each field the right that its signer needs.
        optional: Fields that may be left empty.

    Raises:
        ActionRejected: For a missing or wrong signature, a signer without the right, or one who signs
            twice. The error names the field.
    """
    sent = {name: request.POST.get(name, "") for name in fields}
    if invalid := next((name for name, id in sent.items() if "\0" in id), None):
        raise ActionRejected("Invalid character in staff ID.", invalid)
    typed = {name: accepted_form(id) for name, id in sent.items()}
    for place, (name, id) in enumerate(typed.items()):
        if not id and name not in optional:
            raise ActionRejected(
                f"{field_label(name)}: a signature is missing. Type the staff ID and that person's own"
                " password.",
                name,
            )
        if id and id in list(typed.values())[:place]:
            first = next(other for other, by in typed.items() if by == id)
            raise ActionRejected(
                f"{field_label(name)}: {id} has already signed ({field_label(first).lower()}). Another"
                " person must sign here.",
                name,
            )
    signers = {name: _one(request, property, name, id, fields[name]) for name, id in typed.items() if id}
    _demand(property, signers)
    verify_signer_codes(
        request, {name: person.pk for name, person in signers.items() if person.pk != request.user.pk}
    )
    return signers


def confirm_password(request: HttpRequest) -> Person:
    """Check `password` and `code` of the form, and return the logged-in user. Raise ActionRejected if one is
    wrong.

    This protects actions that must not be possible on an unattended screen. A user without a password
    confirms each action with a new sign-in at the OpenID Connect provider.
    """
    if isinstance(request.user, Person) and not request.user.has_usable_password():
        require_confirmation(request)
        verify_signer_codes(request, {"": request.user.pk})
        del request.session[CONFIRMED]
        return request.user
    person = authenticate_signer(request, str(request.user.pk), request.POST.get("password", ""))
    if person is None or person.pk != request.user.pk:
        raise ActionRejected(
            "Your own password is wrong. Type the password that you log in with.", "password"
        )
    verify_signer_codes(request, {"": person.pk})
    return person


def require_confirmation(request: HttpRequest) -> None:
    """Raise ActionRejected if the user has not signed in at the OpenID Connect provider again within the last
    five minutes.
    """
    if (
        not openid.is_configured()
        or request.session.get(CONFIRMED, 0) < time.time() - openid.CONFIRMED_SECONDS
    ):
        raise ActionRejected(
            f"You have no password here. Confirm at {settings.OPENID_NAME} that it is you, then send the form"
            " within five minutes.",
            "password",
        )


def verify_signer_codes(request: HttpRequest, signers: Mapping[str, str]) -> None:
    """Check the one-time passwords of those signers who have set them up.

    Raise ActionRejected for a wrong code, which counts as a wrong password. The error names the field.

    Args:
        signers: {field: staff ID}. The code of a field `x` is in the field `x_code`. For the field named "",
            it is in `code`.
    """
    have = otp.enrolled(signers.values())
    codes = {
        id: request.POST.get(f"{name}_code" if name else "code", "")
        for name, id in signers.items()
        if id in have
    }
    try:
        otp.verify_codes(codes)
    except OtpRejected as wrong:
        if wrong.guessed:
            record_failed_code(request, wrong.person)
        name = next(name for name, id in signers.items() if id == wrong.person)
        raise ActionRejected(
            f"{field_label(name)}: {wrong}" if name else str(wrong), name or "code"
        ) from None


def record_failed_code(request: HttpRequest, person: str) -> None:
    """Count a wrong one-time password as a failed login. Five failed logins lock the staff ID at this
    address.
    """
    user_login_failed.send(sender=__name__, credentials={"username": person}, request=request)


def _demand(property: str, signers: Mapping[str, Person]) -> None:
    """Raise ActionRejected for the first signer who has not set up one-time passwords, if the property
    requires them.
    """
    if not otp.is_required(property):
        return
    have = otp.enrolled([person.pk for person in signers.values()])
    for name, person in signers.items():
        if person.pk not in have:
            raise ActionRejected(
                f"{field_label(name)}: {person.pk} has no one-time password yet, and {property} requires one."
                f" {SET_UP}",
                name,
            )


def _one(request: HttpRequest, property: str, name: str, id: str, act: str) -> Person:
    is_own = isinstance(request.user, Person) and id == request.user.pk
    person = (
        request.user if is_own else authenticate_signer(request, id, request.POST.get(f"{name}_password", ""))
    )
    if not isinstance(person, Person):
        raise ActionRejected(f"{field_label(name)}: wrong id or password.", name)
    if not can(person, act, property):
        raise ActionRejected(f"{field_label(name)}: {id} may not sign here ({act.replace('-', ' ')}).", name)
    return person
