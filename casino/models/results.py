"""Unmanaged models of the findings and tally rows of `audit`, for the lists of the admin."""

from __future__ import annotations

from django.db import models


class Finding(models.Model):
    """A finding, for the list in the admin. The package `audit/findings` writes its row. An id is unique
    within its property.
    """

    id = models.TextField(primary_key=True)
    property = models.TextField()
    stream = models.TextField()
    number = models.BigIntegerField()
    uid = models.UUIDField()
    reader = models.TextField()
    round = models.TextField(null=True)
    code = models.TextField()
    grade = models.TextField()
    spot = models.TextField(null=True)
    wager = models.TextField(null=True)
    owed = models.TextField(null=True)
    moved = models.TextField(null=True)
    says = models.TextField()
    cite = models.TextField()
    slip = models.TextField(null=True)

    class Meta:
        managed = False
        db_table = "finding"
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.code} {self.stream} {self.number}"


class Tally(models.Model):
    """A row of the tally, for the list in the admin. The key of the database table has ten columns. This
    model declares only one of them as its key, because the admin never looks up a row by its key.
    """

    stream = models.TextField(primary_key=True)
    property = models.TextField()
    currency = models.TextField()
    shift = models.TextField()
    hour = models.TextField()
    dealer = models.TextField()
    wager = models.TextField()
    pay_table = models.TextField()
    price_class = models.TextField()
    opening = models.IntegerField()
    rounds = models.DecimalField(max_digits=30, decimal_places=0)
    bets = models.DecimalField(max_digits=30, decimal_places=0)
    staked = models.DecimalField(max_digits=30, decimal_places=0)
    paid = models.DecimalField(max_digits=30, decimal_places=0)
    taken = models.DecimalField(max_digits=30, decimal_places=0)
    returned = models.DecimalField(max_digits=30, decimal_places=0)
    found = models.JSONField()

    class Meta:
        managed = False
        db_table = "tally"
        default_permissions = ()
        verbose_name_plural = "tally"

    def __str__(self) -> str:
        return self.stream
