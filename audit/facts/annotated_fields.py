"""Find the texts of a fact that its type annotations mark: identifiers, and words of a closed list. Texts in
lists and objects, and keys, are found too.

The marks are defined in `games.kit.fields`, so a field that is added to a kind needs no entry in a second
list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from msgspec import Meta, Struct, inspect

NEEDED = "needed"
"""The mark of a field whose error message says in words which value is needed."""


class Marked(NamedTuple):
    """A text in a fact: its path, the text, and all marks of its type."""

    path: str
    text: str
    marks: Mapping[str, Any]


def marked(shape: type[Struct], mark: str, fact: Mapping[str, Any]) -> Iterator[Marked]:
    """Yield those texts of a fact that have this mark in their type annotation. If a value is not of the type
    of its field, it is skipped.

    Args:
        shape: the class of the fact.
        mark: the name of the mark.
        fact: the fact as decoded JSON.
    """
    for name, type_ in fields(shape, mark):
        if name in fact:
            yield from _texts(type_, mark, fact[name], name)


@cache
def fields(shape: type[Struct], mark: str) -> tuple[tuple[str, inspect.Type], ...]:
    """Return those fields of a fact's type that have this mark in their annotation, with their names in JSON.
    Fields are included if their items or keys have the mark.
    """
    type_info = inspect.type_info(shape)
    assert isinstance(type_info, inspect.StructType)
    return tuple((field.encode_name, field.type) for field in type_info.fields if _has(field.type, mark))


def _has(type_: inspect.Type, mark: str) -> bool:
    return bool(_marks(type_).get(mark)) or any(_has(inner, mark) for inner in inside(type_))


def _marks(type_: inspect.Type) -> Mapping[str, Any]:
    return type_.extra or {} if isinstance(type_, inspect.Metadata) else {}


def inside(type_: inspect.Type) -> tuple[inspect.Type, ...]:
    """Return the types inside a type, such as the items of a list or the alternatives of a union."""
    match type_:
        case inspect.Metadata():
            return (type_.type,)
        case inspect.UnionType():
            return type_.types
        case inspect.ListType():
            return (type_.item_type,)
        case inspect.TupleType():
            return type_.item_types
        case inspect.DictType():
            return type_.key_type, type_.value_type
        case inspect.StructType():
            return tuple(field.type for field in type_.fields)
    return ()


def _texts(type_: inspect.Type, mark: str, value: Any, path: str) -> Iterator[Marked]:
    if isinstance(value, str) and _marks(type_).get(mark):
        yield Marked(path, value, _marks(type_))
        return
    match type_, value:
        case inspect.Metadata() | inspect.UnionType(), _:
            for inner in inside(type_):
                yield from _texts(inner, mark, value, path)
        case inspect.ListType(), list():
            for place, item in enumerate(value):
                yield from _texts(type_.item_type, mark, item, f"{path}[{place}]")
        case inspect.TupleType(), list():
            for place, (inner, item) in enumerate(zip(type_.item_types, value, strict=False)):
                yield from _texts(inner, mark, item, f"{path}[{place}]")
        case inspect.DictType(), dict():
            for key, item in value.items():
                yield from _texts(type_.key_type, mark, key, f"{path}.{key[:60]}")
                yield from _texts(type_.value_type, mark, item, f"{path}.{key[:60]}")
        case inspect.StructType(), dict():
            for field in type_.fields:
                if field.encode_name in value:
                    yield from _texts(
                        field.type, mark, value[field.encode_name], f"{path}.{field.encode_name}"
                    )


def needed(need: str, **bounds: Any) -> Meta:
    """Return metadata for the type annotation of a field: the limits of its value, and words for errors.

    Args:
        need: words that describe a valid value. The error message for a wrong value contains them.
        bounds: the limits, such as `ge=1` for numbers from 1.
    """
    return Meta(extra={NEEDED: need}, **bounds)
