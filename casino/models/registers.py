"""One proxy model for each register, so that the admin can list it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from casino.models.entries import ProxyMeta, Standing


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

    class Meta(ProxyMeta):
        verbose_name = "role"


class DayBegins(Standing):
    """The time at which gaming days begin, valid from a given day on."""

    objects: ClassVar[RegisterManager] = RegisterManager("day-begins")

    class Meta(ProxyMeta):
        verbose_name = "gaming day"


class Shift(Standing):
    """A shift and the time at which it begins."""

    objects: ClassVar[RegisterManager] = RegisterManager("shifts")

    class Meta(ProxyMeta):
        pass


class ChipSet(Standing):
    """The denominations of chips and notes of a currency."""

    objects: ClassVar[RegisterManager] = RegisterManager("chip-sets")

    class Meta(ProxyMeta):
        pass


class Threshold(Standing):
    """An amount or number at which a control applies, such as a second signature."""

    objects: ClassVar[RegisterManager] = RegisterManager("thresholds")

    class Meta(ProxyMeta):
        pass


class Pit(Standing):
    """A pit of the floor."""

    objects: ClassVar[RegisterManager] = RegisterManager("pits")

    class Meta(ProxyMeta):
        pass


class Table(Standing):
    """A table: its pit, its game, and the settings with which it is opened."""

    objects: ClassVar[RegisterManager] = RegisterManager("tables")

    class Meta(ProxyMeta):
        pass


class Camera(Standing):
    """Which tables a camera shows."""

    objects: ClassVar[RegisterManager] = RegisterManager("cameras")

    class Meta(ProxyMeta):
        pass


class Approval(Standing):
    """A regulator's letter that approves a game."""

    objects: ClassVar[RegisterManager] = RegisterManager("approvals")

    class Meta(ProxyMeta):
        pass


class Device(Standing):
    """A device that may post facts.

    Its value is {"tables": ["EOU-01"] or ["*"], "people": True if its facts may name people, "house": True if
    it may post the kinds in "kinds" to the property's own stream}.
    """

    objects: ClassVar[RegisterManager] = RegisterManager("devices")

    class Meta(ProxyMeta):
        pass

    @property
    def is_authenticated(self) -> bool:
        return True

    @property
    def is_active(self) -> bool:
        """Return True, because a device that is no longer in the register has no row."""
        return True

    @property
    def public_keys(self) -> list[str]:
        """Return the Ed25519 keys with which the device may sign, in Base64."""
        return self._texts("keys")

    @property
    def tables(self) -> frozenset[str]:
        """Return the codes of the tables for which the device may post. "*" means every table."""
        return frozenset(self._texts("tables"))

    def _texts(self, name: str) -> list[str]:
        listed = self.get(name)
        return [text for text in listed if isinstance(text, str)] if isinstance(listed, list) else []

    def roles_in(self, property: str) -> frozenset[str]:
        return frozenset({"device"}) if property == self.property else frozenset()

    @property
    def roles(self) -> dict[str, frozenset[str]]:
        """Return {property: roles} of the device, in the same form as `Person.roles`."""
        return {self.property: frozenset({"device"})}
