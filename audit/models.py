"""Django models of the ledger's tables. Migration 0001 creates the tables; only the append function writes
the ledger.
"""

from __future__ import annotations

from django.db import models


class Head(models.Model):
    """The head of a property's ledger, one row for each property. Facts are recorded in the order in which
    its lock is taken.
    """

    property = models.TextField(primary_key=True)
    position = models.BigIntegerField()
    chain = models.BinaryField()
    recorded_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "head"


class Stream(models.Model):
    """One table's gaming day, or one day of the property's own stream. The name includes the property, so it
    is the primary key.
    """

    name = models.TextField(primary_key=True)
    property = models.TextField()
    number = models.BigIntegerField()
    sealed = models.BooleanField()

    class Meta:
        managed = False
        db_table = "stream"


class Fact(models.Model):
    """One recorded fact. A uid is unique within its property, but Django needs a primary key of one
    column.
    """

    uid = models.UUIDField(primary_key=True)
    property = models.TextField()
    position = models.BigIntegerField()
    stream = models.TextField()
    number = models.BigIntegerField()
    kind = models.TextField()
    round = models.TextField(null=True)
    body = models.BinaryField()
    leaf = models.BinaryField()
    chain = models.BinaryField()
    recorded_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "fact"

    def __str__(self) -> str:
        return f"{self.stream}#{self.number}"


class Job(models.Model):
    """Work to be done once, however often it is requested. Only audit/jobs/leases.py writes this table."""

    id = models.BigIntegerField(primary_key=True)
    kind = models.TextField()
    key = models.TextField()
    property = models.TextField()
    stream = models.TextField()
    state = models.TextField()
    asked = models.BigIntegerField()
    attempts = models.BigIntegerField()
    interruptions = models.BigIntegerField()
    due_at = models.DateTimeField()
    rung_at = models.DateTimeField()
    lease = models.TextField()
    lease_until = models.DateTimeField(null=True)
    renewed_at = models.DateTimeField(null=True)
    cursor = models.BigIntegerField()
    done = models.BigIntegerField()
    total = models.BigIntegerField()
    error = models.TextField()

    class Meta:
        managed = False
        db_table = "job"


class JobRevival(models.Model):
    """Who made a job due again, when, and the error that it had. Rows are only added, by
    audit/jobs/leases.py.
    """

    id = models.BigIntegerField(primary_key=True)
    at = models.DateTimeField()
    job = models.BigIntegerField()
    property = models.TextField()
    key = models.TextField()
    by = models.TextField()
    error = models.TextField()

    class Meta:
        managed = False
        db_table = "job_revival"
