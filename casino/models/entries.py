"""Register entries as recorded, and the entries in force: a projection of `register-set` facts
(`casino/reference/projection.py`).
"""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db import models

ALWAYS, FOREVER = date.min, date.max
"""The day on which an entry without a first day begins, and the day on which an entry without a last day
ends.
"""


class ProxyMeta:
    """The `Meta` of every proxy model: no table and no permissions of its own."""

    proxy = True
    default_permissions = ()


class Property(models.Model):
    """A property with a ledger. `position`: the ledger position up to which the property's register entries
    have been copied to the tables.
    """

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
    """The value of one key of a register. It applies from the gaming day `begins` until the day before
    `ends`. It is computed from all entries of the key that were recorded so far.
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

    def get(self, name: str) -> Any:
        """Return a member of the entry, or None if the entry does not have it."""
        return self.value.get(name) if isinstance(self.value, dict) else None
