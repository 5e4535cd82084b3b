"""Register entries that each break one rule: a value of the wrong type, a word that is not on the field's
closed list, or a rule of `entry_ways.toml`. That file says what happens to each case in each way of entering
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import inspect

from audit.facts.annotated_fields import fields
from audit.facts.registers import VALUES
from audit.facts.vocabulary import DEVICE_KINDS
from games.kit.fields import CLOSED
from tests.audit.checks.test_entries_read import GOOD

DEVICE = {"tables": ["*"], "people": True, "house": True, "kinds": list(DEVICE_KINDS)}
"""The register entry of a device that may do everything that a device can be registered for."""

FACTS: dict[str, dict[str, Any]] = {
    "adjusted": {
        "kind": "adjusted",
        "of_table": "aurora/EOU-01",
        "of_day": "2026-11-27",
        "what": "drop",
        "amount": 5,
        "reason": "late",
        "by": "a-101",
        "second": "a-102",
    },
    "verdict-given": {
        "kind": "verdict-given",
        "finding": "x",
        "code": "late-bet",
        "says": "x",
        "owed": None,
        "moved": None,
        "verdict": "confirmed",
        "by": "v-101",
        "note_sha256": None,
        "savings": 0,
        "losses": 0,
        "recovered": 0,
        "video": [],
    },
}
"""An example of each kind of fact in the property's stream, except register entries."""


class Case(NamedTuple):
    """A register entry that breaks a rule. `before` are the entries that the register already has. `typed`
    are the fields of the form in which a user enters it.
    """

    register: str
    key: str
    value: Any
    begins: str | None = None
    ends: str | None = None
    by: str = "m-101"
    second: str = "m-102"
    before: tuple[tuple[str, str, Any], ...] = ()
    typed: dict[str, Any] | None = None
    """The fields of the form, or None if the form cannot be filled in with this case."""
    registered: dict[str, Any] = DEVICE
    """The register entry of the device that posts."""
    fact: dict[str, Any] | None = None
    """The fact that the device posts instead of the entry, if any."""


def wrong(type_: inspect.Type) -> Any:
    """Return a value that does not have the given type."""
    match type_:
        case inspect.Metadata():
            return wrong(type_.type)
        case inspect.UnionType():
            return wrong(type_.types[0])
        case inspect.StrType() | inspect.DateType():
            return 7
        case inspect.BoolType():
            return "perhaps"
    return "x"


def type_cases() -> Iterator[tuple[str, Case]]:
    """Yield two kinds of cases for every field of every register: a value of a wrong type, and, if the field
    has a closed list, a word that is not on it.
    """
    for register, shape in VALUES.items():
        key, good = GOOD[register]
        yield register, Case(register, key, 7)
        type_info = inspect.type_info(shape)
        assert isinstance(type_info, inspect.StructType)
        for field in type_info.fields:
            name = field.encode_name
            yield f"{register}.{name}", Case(register, key, good | {name: wrong(field.type)})
        for name, type_ in fields(shape, CLOSED):
            listed = isinstance(type_, inspect.UnionType | inspect.Metadata) and "List" in repr(type_)
            yield f"{register}.{name} word", Case(register, key, good | {name: ["x"] if listed else "x"})


def rule_cases(table: dict[str, dict[str, Any]]) -> Iterator[tuple[str, Case]]:
    """Yield a case for each rule in `entry_ways.toml` that has the field `register`."""
    for rule, row in table.items():
        if "register" not in row:
            continue
        fields = {name: row[name] for name in Case._fields if name in row}
        fields["before"] = tuple((register, key, value) for register, key, value in row.get("before", ()))
        fields["registered"] = DEVICE | row.get("registered", {})
        fields["fact"] = FACTS[row["fact"]] | row.get("fields", {}) if "fact" in row else None
        yield rule, Case(**fields)
