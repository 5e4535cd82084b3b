"""Shapes of the REST API's data: JSON Schema (2020-12, as in OpenAPI 3.1), composed of small parts.

A shape with a name (`named`) is defined once in the schema, and other shapes refer to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from msgspec import Meta, Struct, json

from audit import facts as f
from audit.facts.input_parsing import YEARS
from audit.facts.refusal_codes import REFUSALS
from audit.facts.registers import VALUES
from audit.reference.examples import example
from audit.reference.findings import meanings
from games import GAMES
from games.kit.codes import GRADE

Shape = dict[str, Any]

TEXT: Shape = {"type": "string"}
FLAG: Shape = {"type": "boolean"}
COUNT: Shape = {"type": "integer", "minimum": 0}
DAY: Shape = {
    "type": "string",
    "format": "date",
    "description": f"A gaming day, {YEARS.start}-01-01 to {YEARS.stop - 1}-12-31.",
}
INSTANT: Shape = {"type": "string", "format": "date-time", "description": "RFC 3339."}
AMOUNT: Shape = {
    "type": "string",
    "pattern": r"^-?[0-9]+(\.[0-9]+)?$",
    "description": "A decimal with all digits of its currency, as text, never rounded.",
}
UID: Shape = {"type": "string", "format": "uuid"}
HASH: Shape = {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "SHA-256 in hexadecimal."}
FILE: Shape = {"type": "string", "format": "binary"}
PROPERTY: Shape = {"type": "string", "minLength": 1, "maxLength": f.NAME_LETTERS, "pattern": "^[^/]+$"}
REF = "#/components/schemas/{name}"
NAMED: dict[str, Shape] = {}
"""All shapes with names, as in the section `components` of the schema."""


def named(name: str, shape: Shape) -> Shape:
    """Give a shape a name, and return a reference to it. Raise ValueError if another shape has that name."""
    if NAMED.setdefault(name, shape) != shape:
        raise ValueError(f"another shape is already called {name}")
    return ref(name)


def ref(name: str) -> Shape:
    """Return a reference to the shape with this name."""
    return {"$ref": REF.format(name=name)}


def of_struct(struct: type[Struct]) -> Shape:
    """Return the shape of a request body. `struct` is the type with which the body is decoded."""
    _, shapes = json.schema_components([struct], ref_template=REF)
    shape: Shape = _without_python_details(shapes[struct.__name__])
    return shape


def shaped(shape: Shape) -> Meta:
    """Return metadata that gives a field this shape in the schema. It is for fields whose Python type alone
    says too little.
    """
    return Meta(extra_json_schema=shape)


def object_(**fields: Shape) -> Shape:
    """Return the shape of an object with exactly these fields. Trailing underscores of names are removed, so
    the field `from` is passed as `from_`.
    """
    fields = {name.removesuffix("_"): shape for name, shape in fields.items()}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def optional(shape: Shape, *optional: str) -> Shape:
    """Return a copy of an object's shape in which these fields are optional."""
    return shape | {"required": [name for name in shape["required"] if name not in optional]}


def array(shape: Shape) -> Shape:
    """Return the shape of an array with items of this shape."""
    return {"type": "array", "items": shape}


def nullable(shape: Shape) -> Shape:
    """Return the shape of a value that has this shape or is null."""
    if "$ref" in shape or "type" not in shape:
        return {"anyOf": [shape, {"type": "null"}]}
    allowed = {"enum": [*shape["enum"], None]} if "enum" in shape else {}
    return shape | {"type": [shape["type"], "null"]} | allowed


def one_of(*words: str) -> Shape:
    """Return the shape of a string that is one of these words."""
    return {"type": "string", "enum": list(words)}


def integer(minimum: int, maximum: int) -> Shape:
    """Return the shape of an integer within these bounds, inclusive."""
    return {"type": "integer", "minimum": minimum, "maximum": maximum}


def described(shape: Shape, says: str) -> Shape:
    """Return the shape with a description."""
    return {"allOf": [shape], "description": says} if "$ref" in shape else shape | {"description": says}


class Body(NamedTuple):
    """An object in an answer: the names of its members, its shape, and an example."""

    names: tuple[str, ...]
    shape: Shape
    example: dict[str, Any]

    def of(self, row: Any, /, **others: Any) -> dict[str, Any]:
        """Return an object of this shape. The values come from `others`. Members that are not in `others` are
        read from attributes of `row`.
        """
        return {name: others[name] if name in others else getattr(row, name) for name in self.names}


Member = tuple[Shape, Any] | tuple[Shape, Any, str]


def body(name: str = "", /, **members: Member) -> Body:
    """Return an object in an answer, with exactly these members. Trailing underscores are removed from their
    names.

    Args:
        name: The name of the object's shape in the schema, or empty.
        members: For each member: its shape, an example, and its description if it has one.
    """
    shapes = {
        key: described(member[0], member[2]) if len(member) == 3 else member[0]
        for key, member in members.items()
    }
    example = {key.removesuffix("_"): member[1] for key, member in members.items()}
    shape = object_(**shapes)
    return Body(tuple(example), named(name, shape) if name else shape, example)


def items(of: Body) -> Member:
    """Return a member of a body: an array of objects of this shape, with one object as the example."""
    return array(of.shape), [of.example]


def listed(says: str, words: Mapping[str, str]) -> Shape:
    """Return the shape of a text that must be one of these words. The meaning of each word is in
    `x-enum-descriptions` and, for people, in the description.
    """
    means = "\n".join(f"- `{word}`: {meaning}" for word, meaning in words.items())
    return {
        "type": "string",
        "enum": list(words),
        "description": f"{says}\n\n{means}",
        "x-enum-descriptions": dict(words),
    }


PROBLEM = named(
    "Problem",
    {
        "type": "object",
        "description": "An error, as described by RFC 9457.",
        "properties": {
            "type": described(TEXT, "urn:catwalk:CODE"),
            "title": TEXT,
            "status": integer(400, 599),
            "detail": described(TEXT, "What is wrong, in a sentence."),
            "code": described(
                TEXT,
                f"The error, for programs. The codes of a refused fact: {', '.join(REFUSALS)}.",
            ),
            "field": described(TEXT, "The parameter or field concerned."),
            "index": described(COUNT, "The index of the fact in the post, from 0."),
            "uid": described(TEXT, "The uid of that fact, as it was sent."),
            "why": TEXT,
        },
        "required": ["type", "title", "status", "detail", "code"],
    },
)


@cache
def finding_code() -> Shape:
    """Return the shape of a finding's code, which lists all codes with their meanings."""
    return named(
        "FindingCode", listed("The kind of finding.", {code: meanings()[code].means for code in GRADE})
    )


@cache
def fact() -> Shape:
    """Return the shape of any recorded fact. It has one alternative for each kind, built from the types with
    which facts are validated. Descriptions, units, allowed words and examples are the same as in the event
    reference.
    """
    values = {register: ref(struct.__name__) for register, struct in VALUES.items()}
    _, kinds = json.schema_components((*f.KINDS.values(), *VALUES.values()), ref_template=REF)
    for kind, struct in f.KINDS.items():
        kinds[struct.__name__]["examples"] = [example(kind)]
    opened = kinds[f.TableOpened.__name__]["properties"]
    opened["game"]["enum"], opened["sees"]["items"] = list(GAMES), {"type": "string", "enum": list(f.KINDS)}
    of_register = kinds[f.RegisterSet.__name__]["properties"]["value"]
    of_register |= {"anyOf": [*values.values(), {"type": "null"}, {}], "x-values": values}
    of_register["description"] += " `x-values` has the type of each register; an old entry may have another."
    for name, shape in kinds.items():
        named(name, _without_python_details(shape))
    any_kind = [ref(kind.__name__) for kind in f.KINDS.values()]
    mapping = {kind: REF.format(name=shape.__name__) for kind, shape in f.KINDS.items()}
    return named("Fact", {"oneOf": any_kind, "discriminator": {"propertyName": "kind", "mapping": mapping}})


def _without_python_details(shape: Any) -> Any:
    """Return a schema that does not depend on Python. Regular expressions are written as in JSON Schema,
    titles are removed, because they only repeat names, and units are added to the descriptions in words.
    """
    if isinstance(shape, dict):
        unit = (
            {"description": f"{shape.get('description', '')} Unit: {shape['x-unit']}.".strip()}
            if "x-unit" in shape
            else {}
        )
        return {
            name: _without_python_details(value)
            for name, value in (shape | unit).items()
            if not (name == "title" and isinstance(value, str))
        }
    if isinstance(shape, list):
        return [_without_python_details(part) for part in shape]
    return shape.replace(r"\A", "^").replace(r"\Z", "$") if isinstance(shape, str) else shape
