"""One-time passwords: six digits from an authenticator, or a backup code. Each can be used once. Users who
have set them up enter one with every password.

The secret of an authenticator is encrypted, because the codes are computed from it. Only a digest of a backup
code is stored. Both use a key that is not in the database (`casino/sealing/keys.py`). Each wrong code doubles
the wait before the next attempt (django-otp), regardless of the address.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Exists
from django.utils import timezone
from django_otp.oath import hotp

from casino.models import Authenticator, BackupCode, BackupCodes, Person
from casino.sealing import keys

BACKUPS = 10
BEGUN = timedelta(minutes=15)
"""How long a new secret may be shown, and how long its first code may confirm it."""
THRESHOLD = "one-time-passwords"
"""The key in the register `thresholds` with which a property requires one-time passwords from everybody who
records or signs.
"""
LOST_KEY = (
    "One-time codes cannot be checked, because the secret key of this installation was replaced. Ask an"
    " administrator to reset your one-time password."
)
SIX = re.compile(r"[0-9]{6}", re.ASCII)


class OtpRejected(Exception):
    """A code was rejected. The text says why and what to do.

    Attributes:
        person: the user who entered the code.
        guessed: True if the code counts as a wrong password.
    """

    def __init__(self, person: str, says: str, *, guessed: bool = False) -> None:
        super().__init__(says)
        self.person, self.guessed = person, guessed


def is_required(property: str) -> bool:
    """Return True if users who act or sign at this property today must have one-time passwords."""
    return Person.registers.threshold(property, THRESHOLD).said.get("demand") is True


def properties_requiring_otp(person: Person) -> list[str]:
    """Return the properties that require one-time passwords from this person. The list is empty if the person
    has set them up.
    """
    thresholds = Person.registers.values_at_all_properties(
        "thresholds", THRESHOLD
    )  # one query for all properties, because every form calls this
    places = sorted(
        property
        for property in person.roles
        if isinstance(demand := thresholds.get(property), dict) and demand.get("demand") is True
    )
    return places if places and not enrolled([person.pk]) else []


def enrolled(people: Iterable[str]) -> set[str]:
    """Return the given staff IDs whose owners have set up one-time passwords."""
    return set(
        Authenticator.objects.filter(user__in=list(people), confirmed=True).values_list("user_id", flat=True)
    )


def is_enrolled(person: Any) -> Exists:
    """Return a condition for a query over people. It is true for each person who has set up one-time
    passwords. `person` refers to the ID in the query, for example `OuterRef("pk")`.
    """
    return Exists(Authenticator.objects.filter(user=person, confirmed=True))


def is_anyone_enrolled() -> bool:
    """Return True if anyone in this installation has set up one-time passwords."""
    return bool(Authenticator.objects.filter(confirmed=True).exists())


def enrolled_since(person: Person) -> datetime | None:
    """Return the time at which this person set up one-time passwords, or None if they are not set up."""
    device = Authenticator.objects.filter(user=person, confirmed=True).first()
    return None if device is None else device.created_at


def pending_device(person: Person) -> Authenticator | None:
    """Return the authenticator that waits for its first code, or None."""
    device: Authenticator | None = _begun(person).first()
    return device if device is not None and _is_readable(device) else None


@transaction.atomic
def begin_enrollment(person: Person) -> Authenticator:
    """Create a new secret. It has no effect until its first code confirms that an authenticator holds it."""
    Person.objects.select_for_update().get(pk=person.pk)
    Authenticator.objects.filter(user=person, confirmed=False).delete()
    return Authenticator.with_new_secret(user=person, name="authenticator", confirmed=False)


def confirm_enrollment(person: Person, typed: str) -> list[str]:
    """Check the first code of a new authenticator. If it is right, activate the authenticator in place of the
    previous one, and end all other sessions. Return the new backup codes. The caller must show them only
    once. Raise OtpRejected if the code is wrong.
    """
    with transaction.atomic():
        row = Person.objects.select_for_update().get(pk=person.pk)
        device = _begun(person).select_for_update().first()
        if device is None or not _is_readable(device):
            raise OtpRejected(person.pk, "No authenticator is waiting for its first code. Start again.")
        wait = _wait(device)
        if not wait and SIX.fullmatch(code := _plain(typed)) and device.verify_token(code):
            Authenticator.objects.filter(user=person, confirmed=True).delete()
            device.confirmed, device.created_at = True, timezone.now()
            device.save()
            row.logins_ended += 1
            row.save(update_fields=["logins_ended"])
            person.logins_ended = row.logins_ended
            return _new_backups(person)
    says = (
        "The authenticator shows another code now. Type its six digits, and check the authenticator's clock."
    )
    raise OtpRejected(person.pk, wait or says)


def verify_codes(typed: Mapping[str, str]) -> None:
    """Check the codes of several people, given as {staff ID: code}. All of these people must have set up
    one-time passwords.

    Either all codes are accepted, and none of them can be used again, or no code counts as used. Raise
    OtpRejected for the first wrong code.
    """
    try:
        with transaction.atomic():
            for person in sorted(typed):  # always in the same order, so that two transactions cannot deadlock
                _take(person, typed[person])
    except OtpRejected as wrong:
        if wrong.guessed:
            with transaction.atomic():
                device = (
                    Authenticator.objects.select_for_update()
                    .filter(user=wrong.person, confirmed=True)
                    .first()
                )
                if device is not None:
                    device.throttle_increment()
        raise


def backup_codes_left(person: Person) -> int:
    """Return how many backup codes have not been used."""
    return int(BackupCode.objects.filter(device__user=person).count())


@transaction.atomic
def new_backup_codes(person: Person) -> list[str]:
    """Create and return new backup codes, to be shown once. The previous ones become invalid."""
    Person.objects.select_for_update().get(pk=person.pk)
    return _new_backups(person)


def remove_otp(person: str) -> bool:
    """Remove the one-time passwords of a person. Return False if there were none."""
    _remove_backups(person)
    return bool(Authenticator.objects.filter(user=person).delete()[0])


def _is_readable(device: Authenticator) -> bool:
    """Return True if this installation has the key that encrypted the secret."""
    try:
        return bool(device.bin_key)
    except keys.Undecryptable:
        return False


def _begun(person: Person) -> Any:
    return Authenticator.objects.filter(user=person, confirmed=False, created_at__gt=timezone.now() - BEGUN)


def _take(person: str, typed: str) -> None:
    code = _plain(typed)
    if not code:
        raise OtpRejected(
            person,
            "Type a one-time code too: the six digits of the authenticator, or a backup code.",
        )
    device = Authenticator.objects.select_for_update().filter(user=person, confirmed=True).first()
    if device is None:
        return  # The one-time passwords were removed in the meantime.
    if wait := _wait(device):
        raise OtpRejected(person, wait)
    if not _is_readable(device):
        raise OtpRejected(person, LOST_KEY)
    if SIX.fullmatch(code):
        if code == _last(device):
            raise OtpRejected(
                person,
                "This one-time code was already used. Wait up to half a minute for the next one.",
            )
        if device.verify_token(code):
            return
    elif BackupCode.objects.filter(device__user=person, token__in=_digests(person, code)).delete()[0]:
        device.throttle_reset()
        return
    raise OtpRejected(
        person,
        "The one-time code is wrong. Type the six digits that the authenticator shows now.",
        guessed=True,
    )


def _wait(device: Authenticator) -> str:
    """Return a sentence that says how long to wait after wrong codes, or an empty text if no wait
    is needed.
    """
    allowed, details = device.verify_is_allowed()
    if allowed:
        return ""
    left: timedelta = details["locked_until"] - timezone.now()
    seconds = max(1, -(-left // timedelta(seconds=1)))
    lasting = (
        f"{seconds} second{'s' if seconds != 1 else ''}" if seconds < 120 else f"{-(-seconds // 60)} minutes"
    )
    return f"A wrong code was typed before. Wait {lasting}, then type the code that is shown then."


def _last(device: Authenticator) -> str:
    """Return the latest code of this authenticator that was accepted, or an empty text if none was accepted
    yet.
    """
    return "" if device.last_t < 0 else f"{hotp(device.bin_key, device.last_t, device.digits):06d}"


def _new_backups(person: Person) -> list[str]:
    _remove_backups(person.pk)
    device = BackupCodes.objects.create(user=person, name="backup codes")
    codes = [
        f"{secrets.randbelow(10**16):016d}" for _ in range(BACKUPS)
    ]  # only digits, because tablets show a numeric keypad for codes
    BackupCode.objects.bulk_create(
        BackupCode(device=device, token=_digests(person.pk, code)[0]) for code in codes
    )
    return [" ".join(code[at : at + 4] for at in range(0, 16, 4)) for code in codes]


def _remove_backups(person: str) -> None:
    BackupCode.objects.filter(device__user=person).delete()
    BackupCodes.objects.filter(user=person).delete()


def _digests(person: str, code: str) -> list[str]:
    """Return the digests of a backup code under each secret key, starting with the present key. A digest has
    sixteen hex digits, the length of the column.
    """
    plain = sha256(f"{person}:{code}".encode(errors="replace")).hexdigest()[:16]
    return [keys.backup_code_digest(secret, plain) for secret in keys.secrets()]


def _plain(typed: str) -> str:
    return re.sub(r"[\s-]", "", typed).lower()[:40]
