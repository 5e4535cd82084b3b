"""Write-offs of markers, and the recoveries of markers that were written off."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import NamedTuple

from audit import facts as f
from audit.queries.money import OF_MONEY, money_facts

WRITTEN_OFF, RECOVERED = "marker-written-off", "marker-recovered"
BY_MARKER = f"""SELECT w.slip, w.currency, sum(w.amount) AS amount
    FROM fact f, LATERAL (SELECT * FROM json_to_record(convert_from(f.body, 'UTF8')::json)
        AS w (slip text, currency text, amount numeric) OFFSET 0) w
    WHERE f.property = %s AND {OF_MONEY} AND kind = 'marker-written-off' GROUP BY 1, 2"""
"""SQL for the amount that was written off of each marker of a property: `slip`, `currency` and `amount`."""


class WriteOff(NamedTuple):
    """One fact that writes a marker off, or that recovers a written-off marker.

    Attributes:
        kind: WRITTEN_OFF or RECOVERED.
        day: the gaming day of the fact.
        amount: in minor units.
    """

    property: str
    slip: str
    currency: str
    day: date
    kind: str
    amount: int


class WriteOffSum(NamedTuple):
    """The amounts in one currency that were written off and that were recovered, in minor units."""

    currency: str
    written_off: int
    recovered: int


def write_offs(
    property: str,
    begins: date | None = None,
    ends: date | None = None,
    until: int | None = None,
    slips: Collection[str] | None = None,
) -> list[WriteOff]:
    """Return the write-offs and recoveries on the gaming days from `begins` to `ends`, exclusive, in the
    order of commit.

    Args:
        until: the last ledger position that is read, or None for all facts.
        slips: the serials of the markers, or None for all markers.
    """
    of_markers = []
    for fact in money_facts(property, begins, ends, until, (WRITTEN_OFF, RECOVERED)):
        event = fact.event
        assert isinstance(event, f.MarkerWrittenOff | f.MarkerRecovered)
        if slips is None or event.slip in slips:
            of_markers.append(
                WriteOff(property, event.slip, event.currency, fact.day, fact.kind, event.amount)
            )
    return of_markers


def sums(property: str, begins: date | None = None, ends: date | None = None) -> list[WriteOffSum]:
    """Return what was written off and recovered on these gaming days, by currency."""
    by_currency: dict[str, list[int]] = {}
    for fact in write_offs(property, begins, ends):
        by_currency.setdefault(fact.currency, [0, 0])[fact.kind == RECOVERED] += fact.amount
    return [WriteOffSum(currency, *amounts) for currency, amounts in sorted(by_currency.items())]
