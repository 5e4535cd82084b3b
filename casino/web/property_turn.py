"""Serialize actions of a property: pages that check something and then record it do both under a lock on the
property.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from audit import database


@contextmanager
def in_turn(property: str) -> Iterator[None]:
    """Open a transaction in which no other page can change the slips, counts, verdicts or registers of this
    property.
    """
    with transaction.atomic():
        take_turn(property)
        yield


def take_turn(property: str) -> int:
    """Lock the property until the transaction ends. Return the ledger position up to which its slip serials
    were read.
    """
    database.execute("INSERT INTO slips_read VALUES (%s, 0) ON CONFLICT DO NOTHING", [property])
    ((position,),) = database.rows(
        "SELECT position FROM slips_read WHERE property = %s FOR UPDATE", [property]
    )
    return int(position)
