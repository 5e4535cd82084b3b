"""Read JSON as vendors send it: a document whose members are read one by one with their line numbers, or
messages of one line each.

If a document is incomplete, the members before the break can still be used. A number that cannot be used in
calculations, or an incomplete surrogate pair, is refused with the name of its field.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from json import JSONDecodeError, JSONDecoder
from json.decoder import WHITESPACE  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from msgspec import DecodeError, json

from audit.facts.refusal_reasons import HALF_PAIR, printable, unreadable, walk

DEPTH = 100
"""Maximum depth of nested lists and objects in a message."""


class UnusableNumber(str):
    """A number, as it was written, whose exponent is too large for calculations."""

    __slots__ = ()


def _number(written: str) -> Decimal | UnusableNumber:
    try:
        return Decimal(written)
    except ArithmeticError:
        return UnusableNumber(written)


def _no_constant(written: str) -> Any:
    raise ValueError(f"{written} is not a number")


_decoder = JSONDecoder(parse_float=_number, parse_constant=_no_constant)
_message = json.Decoder(float_hook=_number).decode


def read_object(line: bytes) -> dict[str, Any]:
    """Return the object on a line. Raise ValueError, which names the field, if the line is not an object or
    contains a value that cannot be recorded.
    """
    try:
        value = _message(line)
    except (DecodeError, UnicodeDecodeError, RecursionError) as error:
        refusal = unreadable(line, error, DEPTH)
        raise ValueError(
            f"{refusal.field}: {refusal.why}"
            if refusal.field
            else f"this is not a complete JSON object: is the line cut off? ({refusal.why[:200]})"
        ) from None
    if not isinstance(value, dict):
        raise ValueError("this is not a complete JSON object")
    refuse_strange(value)
    return value


def parse_object(line: bytes) -> dict[str, Any] | None:
    """Return the object on a line; None if the line is not an object."""
    try:
        return read_object(line)
    except ValueError:
        return None


def refuse_strange(value: Any) -> None:
    """Raise ValueError, which names the field, if a value contains a number or a text that cannot be
    recorded.
    """
    for path, _, item in walk(value):
        if isinstance(item, UnusableNumber):
            raise ValueError(
                f"{printable(path)}: {item[:40]} is not a number that can be used in calculations"
            )
        for text in item if isinstance(item, dict) else (item,) if isinstance(item, str) else ():
            if "\0" in text or HALF_PAIR.search(text):
                shown = text[:40].encode("ascii", "backslashreplace").decode()
                raise ValueError(
                    f"{printable(path)}: the text {shown} contains a NUL or half a surrogate pair"
                )


class Member(NamedTuple):
    """A member of the outermost object of a document. If the member is the list that `members` reads item by
    item, this is one item of that list.
    """

    line: int
    key: str
    value: Any


class Broken(ValueError):
    """Raised if the document is not JSON from this line on."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line, self.why = line, reason


def members(text: str, listed: str) -> Iterator[Member]:
    """Yield the members of the outermost object in order. The member named `listed` is a list, and each of
    its items is yielded separately. Raise Broken if the rest of the document is not JSON.
    """
    scan = _Scan(text)
    try:
        scan.expect("{")
        has_more = scan.peek() != "}"
        while has_more:
            key = scan.value()
            if not isinstance(key, str):
                raise JSONDecodeError("a name was expected", text, scan.at)
            scan.expect(":")
            if key == listed and scan.peek() == "[":
                yield from scan.items(key)
            else:
                line = scan.line()
                yield Member(line, key, scan.value())
            if has_more := scan.peek() == ",":
                scan.expect(",")
        scan.expect("}")
        if scan.peek():
            raise JSONDecodeError("there is more text after the end of the document", text, scan.at)
    except (JSONDecodeError, RecursionError, ValueError) as error:
        raise Broken(scan.line(), getattr(error, "msg", None) or str(error)) from None


class _Scan:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def peek(self) -> str:
        """Return the next character that is not whitespace, without consuming it."""
        self.at = WHITESPACE.match(self.text, self.at).end()
        return self.text[self.at : self.at + 1]

    def line(self) -> int:
        self.peek()
        return self.text.count("\n", 0, self.at) + 1

    def expect(self, letter: str) -> None:
        if self.peek() != letter:
            raise JSONDecodeError(f"{letter!r} was expected", self.text, self.at)
        self.at += 1

    def value(self) -> Any:
        self.peek()
        parsed, end = _decoder.raw_decode(self.text, self.at)
        refuse_strange(parsed)
        self.at = end
        return parsed

    def items(self, key: str) -> Iterator[Member]:
        self.expect("[")
        has_more = self.peek() != "]"
        while has_more:
            line = self.line()
            yield Member(line, key, self.value())
            if has_more := self.peek() == ",":
                self.expect(",")
        self.expect("]")
