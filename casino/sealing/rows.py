"""Base class of models whose rows are sealed, and its query set. Each change through Django adds an entry to
the journal in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import models, transaction

from casino.sealing import journal
from casino.sealing.tables import SEALED


class SealedRows(models.QuerySet[Any]):
    """A query set that seals the rows that it changes."""

    def update(self, **values: Any) -> int:
        """Update the rows, and return their number. If a sealed column is updated, seal the rows again."""
        columns = {self.model._meta.get_field(name).column for name in values}
        table = self.model._meta.db_table
        if columns.isdisjoint(SEALED[table].columns):
            return super().update(**values)
        with transaction.atomic(using=self.db):
            keys = list(self.order_by("pk").select_for_update().values_list("pk", flat=True))
            changed = super().update(**values)
            journal.record(table, keys)
        return changed

    def delete(self) -> tuple[int, dict[str, int]]:
        """Delete the rows, and record their deletion in the journal. Return Django's numbers of
        deleted rows.
        """
        with transaction.atomic(using=self.db):
            keys = list(self.order_by("pk").values_list("pk", flat=True))
            deleted = super().delete()
            journal.record(self.model._meta.db_table, keys)
        return deleted

    def bulk_create(self, objs: Iterable[Any], *args: Any, **options: Any) -> list[Any]:
        """Insert the rows, seal those of them that are new, and return all of them."""
        rows = list(objs)
        with transaction.atomic(using=self.db):
            named = [row.pk for row in rows if row.pk is not None]
            before = set(self.model._base_manager.filter(pk__in=named).values_list("pk", flat=True))
            created: list[Any] = super().bulk_create(rows, *args, **options)
            journal.record(self.model._meta.db_table, (row.pk for row in created if row.pk not in before))
        return created


class Sealed(models.Model):
    """A model whose rows are sealed. Its table is listed in `casino/sealing/tables.py`."""

    class Meta:
        abstract = True

    @classmethod
    def from_db(cls, db: Any, field_names: Any, values: Any, **options: Any) -> Any:
        """Create an instance that remembers the sealed values of its row."""
        row: Any = super().from_db(db, field_names, values, **options)
        row._loaded = row._sealed_values()
        return row

    def save(self, *args: Any, **options: Any) -> None:
        """Save the row. If a sealed value has changed, seal the row. Otherwise, do not write the sealed
        columns.
        """
        fields = options.get("update_fields")
        sealed = self._sealed_fields()
        values = self._sealed_values()
        if fields is not None and not {sealed[name] for name in sealed if name in fields}:
            super().save(*args, **options)
            return
        is_known = values is not None and not self._state.adding and not args and fields is None
        if is_known and getattr(self, "_loaded", None) == values:
            others = [field.name for field in self._meta.concrete_fields if field.name not in sealed]
            super().save(**options | {"update_fields": others})
            return
        with transaction.atomic():
            super().save(*args, **options)
            journal.record(self._meta.db_table, [self.pk])
        self._loaded = self._sealed_values()

    def delete(self, *args: Any, **options: Any) -> tuple[int, dict[str, int]]:
        """Delete the row, and record its deletion in the journal. Return Django's numbers of deleted rows."""
        key = self.pk
        with transaction.atomic():
            deleted = super().delete(*args, **options)
            journal.record(self._meta.db_table, [key])
        return deleted

    @classmethod
    def _sealed_fields(cls) -> dict[str, str]:
        """Return {field: attribute name} of the sealed columns."""
        columns = SEALED[cls._meta.db_table].columns
        return {field.name: field.attname for field in cls._meta.concrete_fields if field.column in columns}

    def _sealed_values(self) -> tuple[Any, ...] | None:
        """Return the sealed values of this instance, or None if one of them was not loaded."""
        names = self._sealed_fields().values()
        if not all(name in self.__dict__ for name in names):
            return None
        return tuple(_frozen(self.__dict__[name]) for name in names)


def _frozen(value: Any) -> Any:
    """Return a copy of a value. Later changes of the instance's own value do not change the copy."""
    if isinstance(value, memoryview):
        return bytes(value)
    return tuple(value) if isinstance(value, list) else value
