"""Signatures on our pages: each by that person's own password, at this moment, and by a one-time password of
who has set them up.

Who is logged in has given both already: the login asks for them in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth import authenticate
from django.contrib.auth.signals import user_login_failed
from django.http import HttpRequest

from audit.facts import accepted_form
from casino.accounts import otp
from casino.accounts.otp import OtpRejected
from casino.accounts.permissions import can
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import field_label

LETTERS = 254
"""No house id is longer: the login form takes no other, and what counts wrong passwords has no room for it.
"""
SET_UP = "Log in with the own id and set it up at /otp/: it takes a minute."


def authenticate_signer(request: HttpRequest, person_id: str, password: str) -> Person | None:
    """The person whose password this is, or None. Wrong ones count: five lock the name out at this address."""
    if "\0" in person_id or len(person_id) > LETTERS:
        return None  # nobody is called so, and there is nothing to count it by
    found = authenticate(request, username=person_id, password=password)
    return found if isinstance(found, Person) else None


def collect_signatures(
    request: HttpRequest, property: str, fields: Mapping[str, str], *, optional: frozenset[str] = frozenset()
) -> dict[str, Person]:
    """Field of the form to the person who signed there; a field of `optional` that was left empty is not in
    it.

    `fields` names for each the act that its signer must have at the property. A field `x` holds the house id
    and `x_password` the
    password. Raises ActionRejected, naming the field, for a missing or wrong signature, one without the right,
    and one who signs twice. Rights come before passwords and every password is asked for at most once, so
    that a mistake costs nobody a lock-out. One-time passwords (`x_code`) come last and are taken all or none,
    so that nobody waits for his next one because of another's mistake.
    """
    sent = {name: request.POST.get(name, "") for name in fields}
    if odd := next((name for name, id in sent.items() if "\0" in id), None):
        raise ActionRejected("A house id has no such letter.", odd)
    typed = {name: accepted_form(id) for name, id in sent.items()}
    for place, (name, id) in enumerate(typed.items()):
        if not id and name not in optional:
            raise ActionRejected(
                f"{field_label(name)}: a signature is missing. Type the house id and that person's own"
                " password.",
                name,
            )
        if id and id in list(typed.values())[:place]:
            first = next(other for other, by in typed.items() if by == id)
            raise ActionRejected(
                f"{field_label(name)}: {id} has signed already ({field_label(first).lower()}). This takes"
                " another person.",
                name,
            )
    found = {name: _one(request, property, name, id, fields[name]) for name, id in typed.items() if id}
    _demand(property, found)
    verify_signer_codes(
        request, {name: person.pk for name, person in found.items() if person.pk != request.user.pk}
    )
    return found


def confirm_password(request: HttpRequest) -> Person:
    """Who is logged in, by `password` and `code` of the form: for what is too grave to be done on a screen
    that was left alone. Raises ActionRejected.
    """
    person = authenticate_signer(request, str(request.user.pk), request.POST.get("password", ""))
    if person is None or person.pk != request.user.pk:
        raise ActionRejected(
            "Your own password is not right. Type the one with which you log in.", "password"
        )
    verify_signer_codes(request, {"": person.pk})
    return person


def verify_signer_codes(request: HttpRequest, signers: Mapping[str, str]) -> None:
    """The one-time passwords of those signers who have set them up. Field to who signs there; a field `x`
    holds the code in `x_code`, and none in `code`. Raises ActionRejected, naming the field; a wrong one counts
    as a wrong password does.
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
    """A wrong one-time password: five lock the name out at this address, as five wrong passwords do."""
    user_login_failed.send(sender=__name__, credentials={"username": person}, request=request)


def _demand(property: str, signers: Mapping[str, Person]) -> None:
    """Raises ActionRejected for the first signer who has none where the property demands them."""
    if not otp.is_required(property):
        return
    have = otp.enrolled([person.pk for person in signers.values()])
    for name, person in signers.items():
        if person.pk not in have:
            raise ActionRejected(
                f"{field_label(name)}: {person.pk} has no one-time password yet, and {property} asks for one."
                f" {SET_UP}",
                name,
            )


def _one(request: HttpRequest, property: str, name: str, id: str, act: str) -> Person:
    is_own = isinstance(request.user, Person) and id == request.user.pk
    person = (
        request.user if is_own else authenticate_signer(request, id, request.POST.get(f"{name}_password", ""))
    )
    if not isinstance(person, Person):
        raise ActionRejected(f"{field_label(name)}: id and password do not fit.", name)
    if not can(person, act, property):
        raise ActionRejected(f"{field_label(name)}: {id} may not sign here ({act.replace('-', ' ')}).", name)
    return person
