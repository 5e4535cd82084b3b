"""Write Markdown: tables, lists, wrapped paragraphs, and types in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from typing import Any

from msgspec import inspect, json

from audit.facts.annotated_fields import inside
from games.kit.fields import IDENTIFIER, UNIT

WIDTH = 100


def paragraphs(text: str) -> str:
    """Return free text with its paragraphs wrapped to the line length."""
    return "\n\n".join(
        fill(" ".join(part.split()), WIDTH, break_long_words=False, break_on_hyphens=False)
        for part in text.split("\n\n")
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table. A vertical bar in a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", r"\|").replace("\n", " ") for cell in line) + " |"
        for line in lines
    )


def words(known: Mapping[str, str]) -> str:
    """Return a Markdown list of words, each with its meaning."""
    return "\n".join(f"- `{word}`: {means}" if means else f"- `{word}`" for word, means in known.items())


def quote(text: str) -> str:
    """Return a text as a block quotation, wrapped."""
    return "\n".join(
        f"> {line}"
        for line in fill(text, WIDTH - 2, break_long_words=False, break_on_hyphens=False).splitlines()
    )


def code(value: Mapping[str, Any]) -> str:
    """Return an object as a block of JSON, one member per line."""
    members = ",\n".join(f"  {_json(name)}: {_json(member)}" for name, member in value.items())
    return f"```json\n{{\n{members}\n}}\n```"


def _json(value: Any) -> str:
    return json.format(json.encode(value), indent=0).decode()


def marks(type_: inspect.Type) -> Mapping[str, Any]:
    """Return the marks (`games.kit.fields`) of a type. For an optional type, return the marks of its
    value.
    """
    if isinstance(type_, inspect.UnionType):
        return next((result for inner in type_.types if (result := marks(inner))), {})
    if isinstance(type_, inspect.Metadata):
        return type_.extra or marks(type_.type)
    return {}


def meaning(type_: inspect.Type) -> str:
    """Return the description of a type. For an optional type, return the description of its value."""
    if isinstance(type_, inspect.UnionType):
        return next((text for inner in type_.types if (text := meaning(inner))), "")
    if isinstance(type_, inspect.Metadata):
        return str((type_.extra_json_schema or {}).get("description", "")) or meaning(type_.type)
    return ""


def unit(type_: inspect.Type) -> str:
    """Return the unit of the numbers in a type, or an empty text if it has none."""
    if isinstance(type_, inspect.Metadata) and (name := (type_.extra or {}).get(UNIT)):
        return str(name)
    return next((name for inner in inside(type_) if (name := unit(inner))), "")


def type_in_words(type_: inspect.Type) -> str:
    """Return the words with which the reference describes a type: `text`, `whole number from 1`, `list of
    text`, `object {wager: amount}`.
    """
    match type_:
        case inspect.Metadata():
            return "identifier" if (type_.extra or {}).get(IDENTIFIER) else type_in_words(type_.type)
        case inspect.UnionType():
            return " or ".join(type_in_words(inner) for inner in type_.types)
        case inspect.StrType():
            return "text"
        case inspect.IntType():
            return _number(type_)
        case inspect.BoolType():
            return "true or false"
        case inspect.DateType():
            return "date"
        case inspect.DateTimeType():
            return "date and time"
        case inspect.NoneType():
            return "null"
        case inspect.ListType():
            return f"list of {type_in_words(type_.item_type)}"
        case inspect.TupleType():
            return f"[{', '.join(map(type_in_words, type_.item_types))}]"
        case inspect.DictType():
            return f"object {{{type_in_words(type_.key_type)}: {type_in_words(type_.value_type)}}}"
        case inspect.StructType():
            return f"object {{{', '.join(field.encode_name for field in type_.fields)}}}"
    return "any JSON"


def _number(type_: inspect.IntType) -> str:
    return f"whole number from {type_.ge}" if type_.ge in (0, 1) else "whole number"
