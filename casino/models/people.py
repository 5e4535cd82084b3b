"""Users. Their names and passwords are stored here and not in the ledger, because they must be erasable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, ClassVar, Protocol

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models

from casino.sealing.rows import Sealed, SealedRows


def roles_of(value: Any) -> frozenset[str]:
    """Return the roles in the value of an entry in the register of people."""
    if not isinstance(value, dict):
        return frozenset()
    roles = value.get("roles", value.get("role"))
    return frozenset(
        role for role in (roles if isinstance(roles, list) else [roles]) if isinstance(role, str)
    )


class Registers(Protocol):
    """Interface of the registers that determine a person's rights. `casino/reference/registers.py` implements
    it.
    """

    def values_at_all_properties(self, register: str, key: str) -> dict[str, Any]:
        """Return {property: value of this key} on the current gaming day of each property."""

    def find_departed(self, ids: Iterable[str]) -> set[str]:
        """Return the people with these IDs who have left."""

    def threshold(self, property: str, key: str, day: date | None = None) -> Any:
        """Return the threshold of this key on a gaming day, by default the current one."""


class Person(Sealed, AbstractBaseUser):
    """A user. Facts contain only the user's staff ID, so the name can be erased. There are no superusers."""

    id = models.TextField(primary_key=True)
    name = models.TextField(blank=True, default="")
    is_active = models.BooleanField(default=True)
    logins_ended = models.IntegerField(default=0)
    openid = models.TextField(blank=True, default="")
    """The account at the OpenID Connect provider with which the user signs in: issuer, space, subject. Empty
    if none is linked.
    """

    objects = BaseUserManager.from_queryset(SealedRows)()
    USERNAME_FIELD = "id"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    is_superuser = False
    registers: ClassVar[Registers]
    """The registers from which a person's roles and rights are read. They are set when Django has loaded the
    app (`casino/apps.py`).
    """
    rights: ClassVar[Mapping[str, frozenset[str]]]
    """For each role: its rights (`casino/accounts/permissions.py`). Set together with `registers`."""

    class Meta:
        default_permissions = ()
        verbose_name_plural = "people"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["openid"], condition=~models.Q(openid=""), name="casino_person_openid"
            )
        ]

    def __str__(self) -> str:
        return self.name or self.id

    def roles_in(self, property: str) -> frozenset[str]:
        """Return this person's roles at a property on its current gaming day.

        They are cached in this object, which exists only for one request.
        """
        return self.roles.get(property, frozenset())

    @property
    def roles(self) -> dict[str, frozenset[str]]:
        """Return {property: roles} on the current gaming day of each property."""
        if not hasattr(self, "_roles"):
            self._roles = {
                property: roles_of(value)
                for property, value in self.registers.values_at_all_properties("people", self.id).items()
            }
        return self._roles

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Return the hash that every session of this person must contain. Each request compares it with the
        session's hash.

        It changes with the password, and when all sessions of this person are ended.
        """
        of_password: str = super()._get_session_auth_hash(secret)  # type: ignore[misc]
        return f"{of_password}.{self.logins_ended}" if self.logins_ended else of_password

    @property
    def is_staff(self) -> bool:
        """Return True if the person may use the admin of any property."""
        return self.is_active and any(
            "enter-admin" in self.rights.get(role, ()) for roles in self.roles.values() for role in roles
        )

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Return False: `casino/accounts/permissions.py` decides, not Django's permissions."""
        return False

    def has_perms(self, perms: Iterable[str], obj: Any = None) -> bool:
        return False

    def has_module_perms(self, app_label: str) -> bool:
        return False
