"""What was ordered and what is kept of it, as the admin lists them; `casino.exports.archive.orders` writes
both and nobody changes either.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class KeptReport(models.Model):
    """A report, or another export, that was ordered."""

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
    """What was made of the order of the same number: the head of the ledger that it saw, and what it is."""

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
