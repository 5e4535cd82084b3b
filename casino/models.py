"""People and their tokens, and the registers as they stand: reference data that is a projection of
`register-set` facts.

Roles, pits, tables, cameras, approvals and devices are never changed here: casino/reference/projection.py
reads them from the ledger. What is not in the ledger, because it must be erasable or secret, is a person's
name and password, and a token's hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, ClassVar, Protocol

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django_celery_beat.models import CrontabSchedule, PeriodicTask

ALWAYS, FOREVER = date.min, date.max
"""The bounds of an entry that has none."""


def roles_of(value: Any) -> frozenset[str]:
    """The roles that an entry of the register of people gives."""
    if not isinstance(value, dict):
        return frozenset()
    roles = value.get("roles", value.get("role"))
    return frozenset(
        role for role in (roles if isinstance(roles, list) else [roles]) if isinstance(role, str)
    )


class Registers(Protocol):
    """The registers that say what a person may do; `casino/reference/registers.py` at work."""

    def values_at_all_properties(self, register: str, key: str) -> dict[str, Any]:
        """Return the value of this key at each property, on its own gaming day."""

    def find_departed(self, ids: Iterable[str]) -> set[str]:
        """Return those of these people who have left."""

    def threshold(self, property: str, key: str, day: date | None = None) -> Any:
        """Return the threshold of this key on this gaming day."""


class Person(AbstractBaseUser):
    """Somebody of the house, by the id that facts name. The name can be erased; nobody stands above the
    rules, so there is no superuser.
    """

    id = models.TextField(primary_key=True)
    name = models.TextField(blank=True, default="")
    is_active = models.BooleanField(default=True)
    logins_ended = models.IntegerField(default=0)

    objects = BaseUserManager()
    USERNAME_FIELD = "id"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    is_superuser = False
    registers: ClassVar[Registers]
    """Given when Django has loaded the app."""
    rights: ClassVar[Mapping[str, frozenset[str]]]
    """Role to what it may do (`casino/accounts/permissions.py`); given with the registers."""

    class Meta:
        default_permissions = ()
        verbose_name_plural = "people"

    def __str__(self) -> str:
        return self.name or self.id

    def roles_in(self, property: str) -> frozenset[str]:
        """The roles held at a property on its gaming day; kept for the life of this object, which is one
        request.
        """
        return self.roles.get(property, frozenset())

    @property
    def roles(self) -> dict[str, frozenset[str]]:
        """{property: roles} on each property's own gaming day."""
        if not hasattr(self, "_roles"):
            self._roles = {
                property: roles_of(value)
                for property, value in self.registers.values_at_all_properties("people", self.id).items()
            }
        return self._roles

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """What a login is compared with at every request: of the password, and of how often all logins of
        this person were ended.
        """
        of_password: str = super()._get_session_auth_hash(secret)  # type: ignore[misc]
        return f"{of_password}.{self.logins_ended}" if self.logins_ended else of_password

    @property
    def is_staff(self) -> bool:
        """Return True if the person may enter the admin of a property."""
        return self.is_active and any(
            "enter-admin" in self.rights.get(role, ()) for roles in self.roles.values() for role in roles
        )

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Nothing by Django's own permissions: casino/accounts/permissions.py is the one table."""
        return False

    def has_perms(self, perms: Iterable[str], obj: Any = None) -> bool:
        return False

    def has_module_perms(self, app_label: str) -> bool:
        return False


class Property(models.Model):
    """A property that has a ledger, and how far its registers have been read."""

    code = models.TextField(primary_key=True)
    name = models.TextField(default="")
    position = models.BigIntegerField(default=0)

    class Meta:
        default_permissions = ()
        verbose_name_plural = "properties"

    def __str__(self) -> str:
        return self.name or self.code


class Entry(models.Model):
    """One `register-set` fact as it was recorded."""

    property = models.TextField()
    position = models.BigIntegerField()
    uid = models.UUIDField()
    register = models.TextField()
    key = models.TextField()
    value = models.JSONField(null=True)
    begins = models.DateField()
    ends = models.DateField()
    by = models.TextField()
    second = models.TextField()

    class Meta:
        default_permissions = ()
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint(fields=["property", "position"], name="entry_of_one_fact")]
        indexes = [models.Index(fields=["property", "register", "key", "position"], name="entry_of_key")]

    def __str__(self) -> str:
        return f"{self.register} {self.key}"


class Standing(models.Model):
    """What a register holds for a key from one gaming day until the day before another, after all that was
    ever entered.
    """

    property = models.TextField()
    register = models.TextField()
    key = models.TextField()
    value = models.JSONField()
    begins = models.DateField()
    ends = models.DateField()
    uid = models.UUIDField()
    by = models.TextField()
    second = models.TextField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["property", "register", "key", "begins"], name="standing_once")
        ]
        indexes = [models.Index(fields=["register", "key"], name="standing_of_key")]

    def __str__(self) -> str:
        return f"{self.property}/{self.key}"

    def said(self, name: str) -> Any:
        """A member of the entry; None where the entry does not say it."""
        return self.value.get(name) if isinstance(self.value, dict) else None


class Of(models.Manager["Any"]):
    """The entries of one register."""

    def __init__(self, register: str) -> None:
        super().__init__()
        self.register = register

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().filter(register=self.register)


class Member(Standing):
    """Who holds which role at a property."""

    objects: ClassVar[Of] = Of("people")

    class Meta:
        proxy = True
        default_permissions = ()
        verbose_name = "role"


class DayBegins(Standing):
    """From which day on a gaming day begins at which hour."""

    objects: ClassVar[Of] = Of("day-begins")

    class Meta:
        proxy = True
        default_permissions = ()
        verbose_name = "gaming day"


class Shift(Standing):
    objects: ClassVar[Of] = Of("shifts")

    class Meta:
        proxy = True
        default_permissions = ()


class ChipSet(Standing):
    objects: ClassVar[Of] = Of("chip-sets")

    class Meta:
        proxy = True
        default_permissions = ()


class Threshold(Standing):
    objects: ClassVar[Of] = Of("thresholds")

    class Meta:
        proxy = True
        default_permissions = ()


class Pit(Standing):
    objects: ClassVar[Of] = Of("pits")

    class Meta:
        proxy = True
        default_permissions = ()


class Table(Standing):
    objects: ClassVar[Of] = Of("tables")

    class Meta:
        proxy = True
        default_permissions = ()


class Camera(Standing):
    objects: ClassVar[Of] = Of("cameras")

    class Meta:
        proxy = True
        default_permissions = ()


class Approval(Standing):
    objects: ClassVar[Of] = Of("approvals")

    class Meta:
        proxy = True
        default_permissions = ()


class Device(Standing):
    """What may post for which tables: {"tables": ["EOU-01"] or ["*"], "people": may it name people, "house":
    may it post house facts}.
    """

    objects: ClassVar[Of] = Of("devices")

    class Meta:
        proxy = True
        default_permissions = ()

    @property
    def is_authenticated(self) -> bool:
        return True

    @property
    def is_active(self) -> bool:
        """A device that its register no longer holds is none."""
        return True

    @property
    def tables(self) -> frozenset[str]:
        """Codes of the tables; "*" is every one."""
        named = self.said("tables")
        return (
            frozenset(name for name in named if isinstance(name, str))
            if isinstance(named, list)
            else frozenset()
        )

    def roles_in(self, property: str) -> frozenset[str]:
        return frozenset({"device"}) if property == self.property else frozenset()

    @property
    def roles(self) -> dict[str, frozenset[str]]:
        """As a person's."""
        return {self.property: frozenset({"device"})}


class Token(models.Model):
    """A right to use the REST door, of a person or of a device. Only its SHA-256 is kept; the prefix tells
    tokens apart.
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
        """valid, expired or revoked, now."""
        return "revoked" if self.revoked_at else "expired" if self.expires_at <= timezone.now() else "valid"


class Finding(models.Model):
    """A finding as the admin lists it; audit/findings writes it. An id is unique within its property."""

    id = models.TextField(primary_key=True)
    property = models.TextField()
    stream = models.TextField()
    number = models.BigIntegerField()
    uid = models.UUIDField()
    reader = models.TextField()
    round = models.TextField(null=True)
    code = models.TextField()
    grade = models.TextField()
    spot = models.TextField(null=True)
    wager = models.TextField(null=True)
    owed = models.TextField(null=True)
    moved = models.TextField(null=True)
    says = models.TextField()
    cite = models.TextField()
    slip = models.TextField(null=True)

    class Meta:
        managed = False
        db_table = "finding"
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.code} {self.stream} {self.number}"


class Tally(models.Model):
    """A row of the tally as the admin lists it. Its key has ten columns; Django is told one of them and never
    looks a row up.
    """

    stream = models.TextField(primary_key=True)
    property = models.TextField()
    currency = models.TextField()
    shift = models.TextField()
    hour = models.TextField()
    dealer = models.TextField()
    wager = models.TextField()
    pay_table = models.TextField()
    price_class = models.TextField()
    opening = models.IntegerField()
    rounds = models.DecimalField(max_digits=30, decimal_places=0)
    bets = models.DecimalField(max_digits=30, decimal_places=0)
    staked = models.DecimalField(max_digits=30, decimal_places=0)
    paid = models.DecimalField(max_digits=30, decimal_places=0)
    taken = models.DecimalField(max_digits=30, decimal_places=0)
    returned = models.DecimalField(max_digits=30, decimal_places=0)
    found = models.JSONField()

    class Meta:
        managed = False
        db_table = "tally"
        default_permissions = ()
        verbose_name_plural = "tally"

    def __str__(self) -> str:
        return self.stream


class Schedule(PeriodicTask):
    """A report that is ordered whenever a shift, a gaming day or a month has ended
    (casino/exports/schedules.py).
    """

    class Meta:
        proxy = True
        default_permissions = ()
        verbose_name = "report schedule"


class Asking(CrontabSchedule):
    """The times, in UTC, at which a schedule is asked whether something has ended."""

    class Meta:
        proxy = True
        default_permissions = ()
        verbose_name = "time of asking"
        verbose_name_plural = "times of asking"
