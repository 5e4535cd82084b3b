"""What can be exported besides reports: facts, findings and the tally, as sheets of the same shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from audit import queries
from audit.queries import Span
from casino.reports import Column, Sheet, Type
from games.kit.amounts import decimal

_MONEY = ("staked", "paid", "taken", "returned")
_TYPES: dict[str, Type] = {
    **dict.fromkeys(("rounds", "bets", "number", "position", "opening", "voided"), "count"),
    **dict.fromkeys(_MONEY, "money"), "day": "day",
}  # fmt: skip


def facts(span: Span) -> Sheet:
    """Every recorded fact, its body as it was recorded, in the order of commit."""

    def rows() -> Iterator[tuple[Any, ...]]:
        for row in queries.fact_rows(span):
            yield (*row[:5], str(row[5]), row[6], row[7].isoformat(), bytes(row[8]).decode())

    return Sheet("Facts", _columns(queries.FACT), rows())


def findings(span: Span) -> Sheet:
    """Every finding that stands, amounts exact in minor units, as the contract of findings has them."""
    return Sheet("Findings", _columns(queries.FINDING), queries.finding_rows(span))


def tally(span: Span) -> Sheet:
    """The tally's rows, amounts as decimals of their currency."""
    money = [queries.TALLY.index(name) for name in _MONEY]
    currency = queries.TALLY.index("currency")

    def rows() -> Iterator[tuple[Any, ...]]:
        for row in queries.tally_rows(span):
            yield tuple(decimal(int(cell), row[currency]) if place in money else cell for place, cell in enumerate(row))

    return Sheet("Tally", _columns(queries.TALLY), rows())


SOURCES: dict[str, Callable[[Span], Sheet]] = {"facts": facts, "findings": findings, "tally": tally}


def _columns(names: tuple[str, ...]) -> tuple[Column, ...]:
    return tuple(Column(name, name.replace("_", " "), _TYPES.get(name, "text")) for name in names)
