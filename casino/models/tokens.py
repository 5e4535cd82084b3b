"""Tokens of the REST API, as the SHA-256 of their secrets, and nonces of signed requests."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from casino.models.people import Person
from casino.sealing.rows import Sealed, SealedRows


class Token(Sealed):
    """A token of a person or a device for the REST API.

    Only the SHA-256 of its secret is stored. The prefix of the secret identifies the token in lists.
    """

    label = models.TextField(default="", blank=True)
    uid = models.UUIDField(null=True, unique=True)
    sha256 = models.BinaryField(unique=True)
    prefix = models.TextField()
    person = models.ForeignKey(Person, null=True, on_delete=models.PROTECT, related_name="tokens")
    property = models.TextField(default="")
    device = models.TextField(default="")
    scopes = ArrayField(models.TextField())
    made_by = models.TextField()
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.TextField(default="", blank=True)
    networks = ArrayField(models.TextField(), default=list)
    """Networks (CIDR) from which the token may be used; empty for all addresses."""
    warn_days = models.SmallIntegerField(default=14)
    """How many days before its end the token's warning is shown; 0 for no warning."""
    changed_at = models.DateTimeField(null=True)
    changed_by = models.TextField(default="", blank=True)
    """Who last changed the token's networks or its warning, and when."""
    refused_at = models.DateTimeField(null=True)
    refused_from = models.TextField(default="", blank=True)
    """The last use from an address that the token does not allow: the time, and the address."""

    objects = SealedRows.as_manager()

    class Meta:
        default_permissions = ()
        constraints = [
            models.CheckConstraint(
                condition=models.Q(person__isnull=False, device="")
                | (models.Q(person__isnull=True) & ~models.Q(device="")),
                name="token_of_one",
            )
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… of {self.device or self.person_id}"

    def state(self) -> str:
        """Return the state of the token: `valid`, `expired` or `revoked`."""
        return "revoked" if self.revoked_at else "expired" if self.expires_at <= timezone.now() else "valid"

    def days_left(self) -> int | None:
        """Return how many whole days are left until a valid token ends. Return None if that is not soon, or
        if the token is not valid.
        """
        left = self.expires_at - timezone.now()
        ends_soon = self.state() == "valid" and left <= timedelta(days=self.warn_days)
        return left.days if ends_soon else None


class UsedNonce(models.Model):
    """A nonce that a device has used in a signed request. It is stored until the signature is too old to be
    accepted.
    """

    property = models.TextField()
    device = models.TextField()
    nonce = models.TextField()
    ends_at = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "used_nonce"
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["property", "device", "nonce"], name="nonce_used_once")
        ]

    def __str__(self) -> str:
        return f"{self.nonce} of {self.property}/{self.device}"
