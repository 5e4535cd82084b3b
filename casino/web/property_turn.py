"""Serialize the actions of a property. Pages that check something before they record it do both under one
lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from audit import database


@contextmanager
def in_turn(property: str) -> Iterator[None]:
    """Open a transaction for the `with` block and lock the property. Meanwhile, no other page can change the
    slips, counts, verdicts or registers of this property.
    """
    with transaction.atomic():
        take_turn(property)
        yield


def take_turn(property: str) -> int:
    """Lock the property until the transaction ends. Return the position of its ledger up to which serials of
    slips have been read.
    """
    database.execute("INSERT INTO slips_read VALUES (%s, 0) ON CONFLICT DO NOTHING", [property])
    ((position,),) = database.rows(
        "SELECT position FROM slips_read WHERE property = %s FOR UPDATE", [property]
    )
    return int(position)
