"""Read the current findings for commands and exports."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from audit import database
from audit.ledger.currency import currency_at
from audit.replay.results import Finding
from games.kit.amounts import decimal

HEADINGS = (
    "grade",
    "code",
    "stream",
    "fact",
    "round",
    "spot",
    "wager",
    "owed",
    "moved",
    "rule",
    "what happened",
)

_FIELDS = Finding.__struct_fields__
_COLUMNS = ", ".join("f.uid::text" if name == "uid" else f"f.{name}" for name in _FIELDS)
_QUERY = f"""SELECT {_COLUMNS}, coalesce({currency_at("f.property", "f.stream", "f.number")}, '')
    FROM finding f WHERE (%s::text IS NULL OR f.stream = %s) AND (%s::text IS NULL OR f.code = %s)
    ORDER BY f.property, f.stream, f.number, f.code, f.spot NULLS FIRST, f.wager NULLS FIRST"""


def findings(*, stream: str | None = None, code: str | None = None) -> Iterator[tuple[Finding, str]]:
    """Yield every finding with its currency, in stream and number order."""
    for row in database.rows(_QUERY, [stream, stream, code, code]):
        *fields, currency = row
        values = dict(zip(_FIELDS, fields, strict=True))
        values["owed"], values["moved"] = _amount(values["owed"]), _amount(values["moved"])
        yield Finding(**values), currency


def known_stream(name: str) -> bool:
    """Return True if a fact was ever recorded in this stream."""
    query = "SELECT true FROM stream WHERE name = %s AND property = split_part(name, '/', 1)"
    return database.first_row(query, [name.replace("\0", "")]) is not None


def _amount(text: str | None) -> int | str | None:
    """Return an amount in the form of the data contract: an integer, a fraction as text, or null."""
    return text if text is None or "/" in text else int(text)


def as_row(finding: Finding, currency: str) -> tuple[str, ...]:
    """Return a finding as a row for display. Amounts have the decimals of their currency. A fraction of a
    minor unit is not rounded.
    """
    owed, moved = (_shown(amount, currency) for amount in (finding.owed, finding.moved))
    return (
        finding.grade,
        finding.code,
        finding.stream,
        str(finding.number),
        finding.round or "",
        finding.spot or "",
        finding.wager or "",
        owed,
        moved,
        finding.cite,
        finding.says,
    )


def _shown(amount: int | str | None, currency: str) -> str:
    if amount is None:
        return ""
    exact = Fraction(amount)
    return decimal(exact.numerator, currency) if exact.denominator == 1 else f"{exact} minor"
