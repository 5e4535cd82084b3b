"""One action at a time for each property: pages that look and then record do both while they hold the
property's turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def in_turn(property: str) -> Iterator[None]:
    """Open a transaction in which no other page acts on the same property's slips, counts, verdicts or
    registers.
    """
    with transaction.atomic():
        take_turn(property)
        yield


def take_turn(property: str) -> int:
    """Lock the property until the transaction ends. Return the position up to which its slip series were
    read.
    """
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO slips_read VALUES (%s, 0) ON CONFLICT DO NOTHING", [property])
        cursor.execute("SELECT position FROM slips_read WHERE property = %s FOR UPDATE", [property])
        return int(cursor.fetchone()[0])
