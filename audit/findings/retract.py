"""Record the changes of a reexamination as the fact `reexamined` in the property's stream. The fact lists the
findings that were gained and lost, and counts the stored values that differed from replay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from itertools import zip_longest
from typing import Any
from uuid import uuid4

from django.utils import timezone

from audit.facts import canonical
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.replay.registers import Registers

IDS = 400
"""Maximum number of ids in one fact. It keeps the fact well below the maximum length of a line."""


def record_reexamined(
    property: str,
    rules: str,
    gained: Sequence[str],
    lost: Sequence[str],
    registers: Registers,
    cause: str,
    replaced: Mapping[str, int] | None = None,
    stream: str | None = None,
) -> None:
    """Record the changes of a reexamination as one or more `reexamined` facts, in the caller's transaction.

    Args:
        property: the property.
        rules: the fingerprint of today's rules.
        gained: ids of findings that are new.
        lost: ids of findings that are no longer made.
        registers: the property's registers, which determine the gaming day.
        cause: why findings were lost, a key of `LOST_BY`.
        replaced: {table: number of values that differed without a change of rules}.
        stream: the stream of these values, or None if they belong to the whole property.
    """
    instant = timezone.now()
    parts = list(zip_longest(_parts(gained), _parts(lost), fillvalue=()))
    lines = []
    for place, (gained_ids, lost_ids) in enumerate(parts or [((), ())]):
        fact: dict[str, Any] = {
            "uid": str(uuid4()),
            "table": f"{property}/house",
            "day": gaming_day(registers, instant).isoformat(),
            "kind": "reexamined",
            "at": instant.isoformat(),
            "source": "examiner",
            "rules": rules,
            "gained": list(gained_ids),
            "lost": list(lost_ids),
        }
        if lost_ids:
            fact["cause"] = cause
        if replaced and place == 0:
            fact["replaced"] = dict(replaced)
            if stream is not None:
                fact["of_table"], _, fact["of_day"] = stream.rpartition("/")
        lines.append(canonical(fact))
    intake.post(lines, Sender("examiner", frozenset((property,))))


def _parts(ids: Sequence[str]) -> list[Sequence[str]]:
    return [ids[start : start + IDS] for start in range(0, len(ids), IDS)]


def gaming_day(registers: Registers, instant: datetime) -> date:
    """Return the gaming day of an instant by the property's register `day-begins`. Without an entry, return
    the date in UTC.
    """
    return registers.day_of(instant) or instant.date()
