"""One proxy model for each register, so that the admin can list it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from casino.models.entries import Standing


class RegisterManager(models.Manager["Any"]):
    """The entries of one register."""

    def __init__(self, register: str) -> None:
        super().__init__()
        self.register = register

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().filter(register=self.register)


class Member(Standing):
    """A role assignment: who holds which role at a property."""

    objects: ClassVar[RegisterManager] = RegisterManager("people")

    class Meta:
        proxy = True
        default_permissions = ()
        verbose_name = "role"


class DayBegins(Standing):
    """From which day on a gaming day begins at which hour."""

    objects: ClassVar[RegisterManager] = RegisterManager("day-begins")

    class Meta:
        proxy = True
        default_permissions = ()
        verbose_name = "gaming day"


class Shift(Standing):
    """When a shift begins."""

    objects: ClassVar[RegisterManager] = RegisterManager("shifts")

    class Meta:
        proxy = True
        default_permissions = ()


class ChipSet(Standing):
    """The chips and notes of a currency."""

    objects: ClassVar[RegisterManager] = RegisterManager("chip-sets")

    class Meta:
        proxy = True
        default_permissions = ()


class Threshold(Standing):
    """An amount or number from which something is asked for."""

    objects: ClassVar[RegisterManager] = RegisterManager("thresholds")

    class Meta:
        proxy = True
        default_permissions = ()


class Pit(Standing):
    """A pit of the floor."""

    objects: ClassVar[RegisterManager] = RegisterManager("pits")

    class Meta:
        proxy = True
        default_permissions = ()


class Table(Standing):
    """A table: pit, game and what it is opened with."""

    objects: ClassVar[RegisterManager] = RegisterManager("tables")

    class Meta:
        proxy = True
        default_permissions = ()


class Camera(Standing):
    """Which tables a camera shows."""

    objects: ClassVar[RegisterManager] = RegisterManager("cameras")

    class Meta:
        proxy = True
        default_permissions = ()


class Approval(Standing):
    """A letter that approves a game."""

    objects: ClassVar[RegisterManager] = RegisterManager("approvals")

    class Meta:
        proxy = True
        default_permissions = ()


class Device(Standing):
    """A device that may post facts: {"tables": ["EOU-01"] or ["*"], "people": may it name people, "house":
    may it post facts of the property's own stream}.
    """

    objects: ClassVar[RegisterManager] = RegisterManager("devices")

    class Meta:
        proxy = True
        default_permissions = ()

    @property
    def is_authenticated(self) -> bool:
        return True

    @property
    def is_active(self) -> bool:
        """Return True: a device that is no longer in the register has no row."""
        return True

    @property
    def tables(self) -> frozenset[str]:
        """Return the codes of its tables; "*" means every table."""
        named = self.get("tables")
        return (
            frozenset(name for name in named if isinstance(name, str))
            if isinstance(named, list)
            else frozenset()
        )

    def roles_in(self, property: str) -> frozenset[str]:
        return frozenset({"device"}) if property == self.property else frozenset()

    @property
    def roles(self) -> dict[str, frozenset[str]]:
        """Return {property: roles}, as for a person."""
        return {self.property: frozenset({"device"})}
