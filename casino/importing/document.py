"""A JSON document read member by member, with the line of each: what stands before a break can still be used."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from json import JSONDecodeError, JSONDecoder
from json.decoder import WHITESPACE  # type: ignore[attr-defined]
from typing import Any, NamedTuple

_decoder = JSONDecoder(parse_float=Decimal)


class Member(NamedTuple):
    """A member of the outermost object; of a list that was asked for, one of its items."""

    line: int
    key: str
    value: Any


class Broken(ValueError):
    """The document is not JSON from this line on."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line, self.why = line, why


def members(text: str, listed: str) -> Iterator[Member]:
    """The members of the document's object in its order; the list `listed` item by item. Raises Broken where it breaks."""
    scan = _Scan(text)
    try:
        scan.expect("{")
        more = scan.peek() != "}"
        while more:
            key = scan.value()
            if not isinstance(key, str):
                raise JSONDecodeError("a name was expected", text, scan.at)
            scan.expect(":")
            if key == listed and scan.peek() == "[":
                yield from scan.items(key)
            else:
                line = scan.line()
                yield Member(line, key, scan.value())
            if more := scan.peek() == ",":
                scan.expect(",")
        scan.expect("}")
        if scan.peek():
            raise JSONDecodeError("something follows the end", text, scan.at)
    except (JSONDecodeError, RecursionError, ValueError) as error:
        raise Broken(scan.line(), getattr(error, "msg", None) or str(error)) from None


class _Scan:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def peek(self) -> str:
        """The next letter that is no space."""
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
        found, self.at = _decoder.raw_decode(self.text, self.at)
        return found

    def items(self, key: str) -> Iterator[Member]:
        self.expect("[")
        more = self.peek() != "]"
        while more:
            line = self.line()
            yield Member(line, key, self.value())
            if more := self.peek() == ",":
                self.expect(",")
        self.expect("]")
