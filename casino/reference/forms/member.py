"""Form fields for the members of register values. They are derived from the types that validate the values
(`audit/facts/registers.py`).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django import forms
from msgspec import inspect

from audit.facts.registers import VALUES, Clock
from casino.presentation.formatting import code_label
from casino.reference.forms.entry import Amount, Amounts, Names, Several
from casino.reference.forms.entry import Clock as ClockField
from games.kit.fields import CLOSED, KNOWN, MINOR, UNIT


@cache
def members(register: str) -> dict[str, inspect.Type]:
    """Return {name: type} of the members of a register's values."""
    shape = inspect.type_info(VALUES[register])
    assert isinstance(shape, inspect.StructType)
    return {field.encode_name: field.type for field in shape.fields}


def member(register: str, name: str, *, currency: str = "", **options: Any) -> forms.Field:
    """Return the form field of a member of a register's values.

    Args:
        register: The register.
        name: The member, as in the value.
        currency: The currency of an amount.
        options: Arguments of the field, such as its label or a narrower limit.
    """
    return _field(members(register)[name], {}, currency, options)


def _field(type_: inspect.Type, marks: dict[str, Any], currency: str, options: dict[str, Any]) -> forms.Field:
    match type_:
        case inspect.Metadata():
            if type_ == _CLOCK:
                return ClockField(**options)
            return _field(type_.type, marks | (type_.extra or {}), currency, options)
        case inspect.UnionType():
            return _field(type_.types[0], marks, currency, options)
        case inspect.ListType():
            item = type_.item_type.extra or {} if isinstance(type_.item_type, inspect.Metadata) else {}
            if item.get(UNIT) == MINOR:
                return Amounts(currency, **options)
            return (
                Several(**{"choices": _choices(item[KNOWN])} | options)
                if item.get(CLOSED)
                else Names(**options)
            )
        case inspect.BoolType():
            return forms.BooleanField(**{"required": False} | options)
        case inspect.LiteralType():
            return forms.ChoiceField(**{"choices": _choices(type_.values)} | options)
        case inspect.IntType():
            if marks.get(UNIT) == MINOR:
                return Amount(currency, **options)
            return forms.IntegerField(**{"min_value": type_.ge} | options)
    assert isinstance(type_, inspect.StrType), type_
    return forms.CharField(**{"max_length": type_.max_length} | options)


def _choices(words: Any) -> list[tuple[str, str]]:
    return [(word, code_label(word)) for word in words]


_CLOCK = inspect.type_info(Clock)
