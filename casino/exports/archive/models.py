"""Orders of exports and archived exports, as the admin lists them. Only `casino.exports.archive.orders`
writes them, and they never change.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class KeptReport(models.Model):
    """An ordered export of a report or a dataset."""

    id = models.BigIntegerField(primary_key=True)
    property = models.TextField()
    name = models.TextField()
    begins = models.DateField()
    ends = models.DateField()
    by = ArrayField(models.TextField())
    format = models.TextField()
    books = models.TextField()
    filters = models.JSONField()
    asked_by = models.TextField()
    schedule = models.TextField()
    period = models.TextField()
    asked_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "report_order"
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.name}, number {self.id}"


class Made(models.Model):
    """The archived export of the order with the same number: the head of the ledger from which it was built,
    and the hash and the length of its bytes.
    """

    order = models.OneToOneField(
        KeptReport, models.DO_NOTHING, primary_key=True, db_column="id", related_name="made"
    )
    position = models.BigIntegerField()
    chain = models.BinaryField()
    rules = models.TextField()
    code = models.TextField()
    sha256 = models.TextField()
    length = models.BigIntegerField()
    finished_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "kept_report"
        default_permissions = ()
