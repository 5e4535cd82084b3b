"""Record which findings a change of rules gained and lost, as a fact: `reexamined` in the property's
stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from itertools import zip_longest
from uuid import uuid4

from django.utils import timezone

from audit.facts import canonical
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.replay.registers import Registers

IDS = 400
"""Ids in one fact, so that it stays well below the maximum length of a line."""


def withdraw(
    property: str, rules: str, gained: Sequence[str], lost: Sequence[str], registers: Registers
) -> None:
    """Record the findings that today's rules gained and lost, in the caller's transaction."""
    now = timezone.now()
    parts = zip_longest(_parts(gained), _parts(lost), fillvalue=())
    lines = [
        canonical(
            {
                "uid": str(uuid4()),
                "table": f"{property}/house",
                "day": gaming_day(registers, now).isoformat(),
                "kind": "reexamined",
                "at": now.isoformat(),
                "source": "examiner",
                "rules": rules,
                "gained": list(some),
                "lost": list(others),
            }
        )
        for some, others in parts
    ]
    if lines:
        intake.post(lines, Sender("examiner", frozenset((property,))))


def _parts(ids: Sequence[str]) -> list[Sequence[str]]:
    return [ids[start : start + IDS] for start in range(0, len(ids), IDS)]


def gaming_day(registers: Registers, now: datetime) -> date:
    """Return the gaming day of an instant by the property's register `day-begins`; without an entry, the date
    in UTC.
    """
    return registers.day_of(now) or now.date()
