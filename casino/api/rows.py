"""The rows of lists as JSON. Each row has the columns of an exported file and, in addition, the property's
local time, the gaming day, and the exact amounts of findings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, tzinfo
from fractions import Fraction
from typing import Any

from msgspec import Raw, json

from audit.facts import decode
from audit.queries import findings as judged
from audit.reference.findings import GRADES, SLIPS
from casino.api import shapes as s
from casino.api.shapes import Shape
from casino.exports.datasets import Dataset, timestamp
from casino.reference import calendar
from games.kit.amounts import Exact, say

Item = dict[str, Any]
SHAPE_OF_TYPE: dict[str, Shape] = {
    "text": s.nullable(s.TEXT),
    "count": s.nullable({"type": "integer"}),
    "money": s.nullable(s.AMOUNT),
    "day": s.nullable({"type": "string"}),
    "instant": s.nullable(s.INSTANT),
}
"""For each type of column: the shape of its values. The shape of a day does not limit it to gaming days,
because a fact may name any day.
"""
LOCAL = s.described(
    s.nullable(s.TEXT),
    "The instant of the field without `_local`, by the property's clock on that day, with its offset.",
)


class Clocks:
    """The time zones of a property on the gaming days of an answer. Each zone is looked up only once."""

    def __init__(self, property: str) -> None:
        self.property, self.zones = property, dict[str, tzinfo]()

    def local(self, instant: str, day: str) -> str:
        """Return a timestamp in the property's local time on this gaming day."""
        if day not in self.zones:
            self.zones[day] = calendar.zone(self.property, date.fromisoformat(day))
        return datetime.fromisoformat(instant).astimezone(self.zones[day]).isoformat(timespec="microseconds")


def items(name: str, of: Dataset, rows: Sequence[Sequence[Any]], property: str) -> list[Item]:
    """Return the rows of a dataset as JSON objects."""
    keys, clocks = [column.key for column in of.COLUMNS], Clocks(property)
    instants = [column.key for column in of.COLUMNS if column.type == "instant"]
    item_list = [dict(zip(keys, row, strict=True)) for row in rows]
    for item in item_list:
        item.setdefault("day", item["stream"][-10:] if "stream" in item else None)
        item |= {f"{key}_local": clocks.local(item[key], item["day"]) for key in instants}
        item |= {key: None if item[key] is None else Raw(item[key].encode()) for key in OBJECTS.get(name, ())}
    if name in ADDITIONS:
        ADDITIONS[name](item_list, clocks)
    return item_list


def _facts(facts: list[Item], clocks: Clocks) -> None:
    """Add the sender's timestamp and the body as recorded to each item of the dataset `facts`."""
    for item in facts:
        body = item["body"].encode()
        item["at"] = timestamp(decode(body).at)
        item["at_local"] = clocks.local(item["at"], item["day"])
        item["body"] = Raw(body)


def _findings(findings: list[Item], clocks: Clocks) -> None:
    """Convert the exact minor units of findings to text, and add the amounts as decimals in the finding's
    currency.
    """
    places = [(item["stream"], item["number"]) for item in findings]
    for item, currency in zip(findings, judged.currencies(clocks.property, places), strict=True):
        item |= {"table": item["stream"].rpartition("/")[0], "currency": currency}
        item |= amounts(item, currency)


def amounts(finding: Mapping[str, Any], currency: str | None) -> dict[str, str | None]:
    """Return what a finding owed and what moved, as exact minor units and as decimals of the currency. There
    is no decimal without a currency.
    """
    amounts_of_finding: dict[str, str | None] = {}
    for name in ("owed", "moved"):
        exact = finding.get(name)
        amounts_of_finding[name] = None if exact is None else str(exact)
        amounts_of_finding[f"{name}_amount"] = amount(exact, currency) if currency else None
    return amounts_of_finding


def amount(exact: Exact | str | None, currency: str) -> str | None:
    """Return an amount as a decimal with all digits of its currency, and more digits if it has a fraction of
    a minor unit. Return None if the decimal would have infinitely many digits.
    """
    if exact is None:
        return None
    text = say(Fraction(exact), currency)
    return None if "/" in text else text.partition(" ")[0]


OWED = (
    "The amount owed in minor units, such as 490 for 4.90 USD, positive in the player's favor. A fraction of"
    " a minor unit is written as 25/2. `owed_amount` is the same as a decimal."
)
MOVED = (
    "The amount moved in minor units, positive in the player's favor. `moved_amount` is the same as a"
    " decimal."
)
OF_VERDICT = {
    "owed": s.described(s.nullable(s.TEXT), "The amount owed in minor units, as the officer saw it."),
    "moved": s.described(s.nullable(s.TEXT), "The amount moved in minor units, as the officer saw it."),
}
OBJECTS = {"fills": ("chips",), "credits": ("chips",), "counts": ("pieces", "papers"), "tally": ("found",)}
"""For each dataset: the columns that contain JSON. They are text in a file, but an object in an answer."""
ADDITIONS: dict[str, Callable[[list[Item], Clocks], None]] = {"facts": _facts, "findings": _findings}
"""For some datasets: the function that adds members to their rows."""
CURRENCY_SAYS = (
    "The currency of the amounts: that in which the table was open, or that of the fact, such as a deposit."
)
NO_DECIMAL = "Null if a fraction of a minor unit has no finite decimal."
OF_TABLE = s.body(
    table=(s.TEXT, "aurora/EOU-01", "Property and table."),
    currency=(s.nullable(s.TEXT), "USD", CURRENCY_SAYS),
    owed_amount=(s.nullable(s.AMOUNT), "25.00", f"What `owed` is as a decimal of `currency`. {NO_DECIMAL}"),
    moved_amount=(s.nullable(s.AMOUNT), "50.00", f"What `moved` is as a decimal of `currency`. {NO_DECIMAL}"),
)
"""The members that the list of findings adds to each finding."""
BODY = s.described(
    {"type": "object"},
    "The fact as recorded, byte for byte. Its shape is `Fact`, in the version that the fact names.",
)
MORE_SHAPES: dict[str, dict[str, Shape]] = {
    "facts": {"at": s.described(s.INSTANT, "The sender's timestamp."), "at_local": LOCAL, "body": BODY},
    "findings": {
        "id": s.described(
            s.TEXT,
            "The fact's uid, the code, the spot and the wager, separated by colons. Verdicts name this id.",
        ),
        "stream": s.described(s.TEXT, "Property, table and gaming day of the fact concerned."),
        "number": s.described(s.COUNT, "The number of that fact in its stream."),
        "uid": s.described(s.TEXT, "The uid of that fact."),
        "round": s.described(s.nullable(s.TEXT), "The round, if the finding is about one."),
        "code": s.finding_code(),
        "grade": s.listed("The severity of the finding.", GRADES),
        "spot": s.described(s.nullable(s.TEXT), "The spot, if the finding is about one."),
        "wager": s.described(s.nullable(s.TEXT), "The wager, if the finding is about one."),
        "owed": s.described(s.nullable(s.TEXT), OWED),
        "moved": s.described(s.nullable(s.TEXT), MOVED),
        "says": s.described(s.TEXT, "What happened, in a sentence."),
        "cite": s.described(
            s.TEXT, "The rule of the manual, the control, or the section of the event reference."
        ),
        "slip": s.described(
            s.nullable({"type": "string", "enum": list(SLIPS)}), "The likely mistake in a wrong settlement."
        ),
        **OF_TABLE.shape["properties"],
    },
    "verdicts": OF_VERDICT,
}


def shape(name: str, of: Dataset) -> Shape:
    """Return the shape of an item in the list of a dataset."""
    columns = {column.key: SHAPE_OF_TYPE[column.type] for column in of.COLUMNS}
    columns |= {key: s.nullable({"type": "object"}) for key in OBJECTS.get(name, ())}
    locals = {f"{column.key}_local": LOCAL for column in of.COLUMNS if column.type == "instant"}
    parts = columns | {"day": s.described(s.TEXT, "The gaming day.")} | locals | MORE_SHAPES.get(name, {})
    title = "".join(word[:1].upper() + word[1:] for word in of.TITLE.split())
    return s.named(f"{title.removesuffix('s')}Row", s.object_(**parts))


def example(name: str, of: Dataset) -> Item:
    """Return an example of an item in the list of a dataset."""
    item = dict(of.EXAMPLE)
    item.setdefault("day", item.get("stream", "")[-10:])
    instants = [column.key for column in of.COLUMNS if column.type == "instant"]
    item |= {key: None if item[key] is None else json.decode(item[key]) for key in OBJECTS.get(name, ())}
    if name == "facts":
        item |= {
            "body": A_FACT,
            "at": "2026-11-27T20:00:00.000000Z",
            "at_local": "2026-11-27T12:00:00.000000-08:00",
        }
    if name == "findings":
        item |= OF_TABLE.example | {"owed": "2500", "moved": "5000"}
    return item | {f"{key}_local": item[key].replace("Z", "+00:00") for key in instants}


A_FACT = {
    "uid": "5b3d7c52-0000-4000-8000-000000000001",
    "table": "aurora/EOU-01",
    "day": "2026-11-27",
    "kind": "round-opened",
    "source": "pit-1",
    "at": "2026-11-27T12:00:00-08:00",
    "round": "r-0038",
}


def encoded(value: Any) -> bytes:
    """Return a value as JSON. JSON that was recorded in a fact is included unchanged."""
    return json.encode(value)
