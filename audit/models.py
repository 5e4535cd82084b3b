"""Django models of the ledger's tables. Migration 0001 creates these tables, and only the append function
writes to the ledger.
"""

from __future__ import annotations

from django.db import models


class Head(models.Model):
    """The head of a property's ledger, one row per property. Transactions lock this row to record facts,
    which determines the order of facts.
    """

    property = models.TextField(primary_key=True)
    position = models.BigIntegerField()
    chain = models.BinaryField()
    recorded_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "head"


class Stream(models.Model):
    """The stream of one table's gaming day, or of one day of the property. Its name includes the property and
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
    """One recorded fact. A uid is unique only within its property, but this model names it as the primary
    key, because Django requires a primary key of one column.
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
    """A job that is done once, even if it is requested several times. Only audit/jobs/leases.py writes this
    table.
    """

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

    def __str__(self) -> str:
        return f"{self.id}, {self.key}"


class JobRevival(models.Model):
    """A record that a person made a job due again: who, when, and the job's error. audit/jobs/leases.py adds
    these rows, and nothing changes them.
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
