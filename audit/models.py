"""The ledger's tables as Django sees them. Migration 0001 makes them; only the append function writes
them.
"""

from __future__ import annotations

from django.db import models


class Head(models.Model):
    """The head of a property's ledger. One row a property; its lock is the order of commit."""

    property = models.TextField(primary_key=True)
    position = models.BigIntegerField()
    chain = models.BinaryField()
    recorded_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "head"


class Stream(models.Model):
    """One table's gaming day, or one day of the property's stream. The name holds the property, so it is the
    key.
    """

    name = models.TextField(primary_key=True)
    property = models.TextField()
    number = models.BigIntegerField()
    sealed = models.BooleanField()

    class Meta:
        managed = False
        db_table = "stream"


class Fact(models.Model):
    """One recorded fact. A uid is unique within its property; Django wants one column for a key."""

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
    """Work to be done once, however often it is asked for. Only audit/jobs/leases.py writes it."""

    id = models.BigIntegerField(primary_key=True)
    kind = models.TextField()
    key = models.TextField()
    property = models.TextField()
    stream = models.TextField()
    state = models.TextField()
    asked = models.BigIntegerField()
    attempts = models.BigIntegerField()
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
