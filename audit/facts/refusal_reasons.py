"""Explain why a fact was rejected, in a sentence that names the fact, the field and the reason.

This is slower than validation and runs only for rejected facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from json import loads
from typing import Any

from msgspec import DecodeError, ValidationError, json

_UID = re.compile(rb'"uid"\s*:\s*"([^"\\]{1,64})"')
_HALF_PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])")
HALF_PAIR = re.compile("[\ud800-\udfff]")
MOST_DIGITS = 4300
"""Digits of the longest integer that can be read."""
_AT = re.compile(r" - at (?:`key` in )?`\$\.?(.*)`$")
_MISSING = re.compile(r"Object missing required field `(.+?)`")


class Refused(Exception):
    """A request to record facts was rejected, and nothing was written.

    `index`: the position of the rejected fact in the request, from 0, or None if a single fact was validated.
    `uid`: its uid as it was sent, if it could be read. `field`: the field that is wrong. `code`: a short name
    of the reason, for programs. `why`: a sentence.
    """

    def __init__(
        self,
        code: str,
        reason: str,
        *,
        field: str | None = None,
        uid: str | None = None,
        index: int | None = None,
    ) -> None:
        super().__init__(code, reason)
        self.code, self.why, self.field, self.uid, self.index = code, reason, field, uid, index

    def __str__(self) -> str:
        subject = "the fact" if self.index is None else f"fact {self.index + 1} of the post"
        uid = f" (uid {self.uid[:60]})" if self.uid else ""
        field = f"{self.field}: " if self.field else ""
        return f"{subject}{uid} is refused: {field}{self.why}"


class _Fraction(str):
    """A number with a fraction or an exponent, as it was written."""


_anything = json.Decoder(float_hook=_Fraction).decode


def uid_in(line: bytes) -> str | None:
    """Return the uid in a line for the message, even if the line is not valid JSON. Return None if the line
    has no uid.
    """
    match = _UID.search(line[:65536])
    return match[1].decode(errors="replace") if match else None


def unreadable(line: bytes, error: Exception, depth: int) -> Refused:
    """Return the rejection of a line that cannot be read. A line must be a JSON object of texts, integers,
    lists and objects, at most `depth` levels deep.
    """
    uid = uid_in(line)
    try:
        fact = _anything(line)
    except RecursionError:
        return Refused("too-deep", f"nested deeper than {depth} levels", uid=uid)
    except UnicodeDecodeError:
        return Refused("not-text", "the bytes are not UTF-8", uid=uid)
    except ValidationError:
        return Refused(
            "number-too-long",
            "a whole number has more digits than can be read",
            field=_field_of(line, _is_too_long),
            uid=uid,
        )
    except DecodeError as problem:
        # At the end of a truncated line, the decoder reports an incomplete surrogate pair.
        if "surrogate" in str(problem) or ("truncated" in str(problem) and _HALF_PAIR.search(line)):
            return Refused(
                "not-text",
                "half a surrogate pair is not text",
                field=_field_of(line, _has_half_pair),
                uid=uid,
            )
        return Refused("not-json", f"not JSON: {problem}", uid=uid)
    if not isinstance(fact, dict):
        return Refused("not-an-object", "the line must be one JSON object", uid=uid)
    for path, level, value in walk(fact):
        if isinstance(value, _Fraction):
            reason = f"{value[:40]} is not a whole number: write it without a fraction or an exponent"
            return Refused("fraction", reason, field=path, uid=uid)
        if level > depth:
            return Refused("too-deep", f"nested deeper than {depth} levels", field=path[:200], uid=uid)
    return Refused("not-json", str(error), uid=uid)


class _Whole(str):
    """An integer, as it was written."""


def _is_too_long(value: Any) -> bool:
    return isinstance(value, _Whole) and len(value) > MOST_DIGITS


def _has_half_pair(value: Any) -> bool:
    return isinstance(value, str) and bool(HALF_PAIR.search(value))


def _field_of(line: bytes, is_wrong: Callable[[Any], bool]) -> str | None:
    """Return the path of the first value or field name for which `is_wrong` is true. It is used if the error
    of the decoder does not name the field. Return None if there is no such value or name.
    """
    try:
        fact = loads(line, parse_int=_Whole, parse_float=_Fraction)
    except (ValueError, RecursionError):
        return None
    for path, _, value in walk(fact):
        if is_wrong(value):
            return printable(path) or None
        for key in value if isinstance(value, dict) else ():
            if is_wrong(key):
                return printable(f"{path}.{key}" if path else key)
    return None


def printable(path: str) -> str:
    """Return the name of a field in a form that can be printed and sent: invalid characters are escaped."""
    return path.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")[:200]


def refuse_nul(fact: dict[str, Any]) -> None:
    """Raise Refused if a text or a field name contains NUL, which Postgres cannot store in text."""
    for path, _, value in walk(fact):
        named = next((key for key in value if "\0" in key), None) if isinstance(value, dict) else None
        if named is not None:
            path = f"{path}.{named}" if path else named
        if named is not None or (isinstance(value, str) and "\0" in value):
            raise Refused(
                "not-text",
                "the text contains a NUL character",
                field=printable(path) or None,
                uid=_uid_of(fact),
            )


def mistyped(fact: dict[str, Any], error: ValidationError) -> Refused:
    """Return the rejection of a fact with a field that is missing, has another type, or is beyond its limits.

    Args:
        fact: the fact as decoded JSON.
        error: the error of the decoder that checks the types.
    """
    says, uid = str(error), _uid_of(fact)
    at = _AT.search(says)
    field = at[1] if at else ""
    if missing := _MISSING.match(says):
        field = f"{field}.{missing[1]}" if field else missing[1]
        return Refused("missing-field", f"{_kind_of(fact)} needs it", field=field, uid=uid)
    reason = says[: at.start()] if at else says
    if field == "kind" and isinstance(fact.get("kind"), str):
        return Refused("unknown-kind", f"there is no kind {fact['kind'][:60]!r}", field=field, uid=uid)
    code = "out-of-range" if re.match(r"Expected `int` [<>]", reason) else "mistyped"
    value = fact.get(field)
    shown = f", given {json.encode(value)[:40].decode(errors='replace')}" if field in fact else ""
    return Refused(code, f"{reason}{shown}", field=field or None, uid=uid)


def _kind_of(fact: dict[str, Any]) -> str:
    kind = fact.get("kind")
    return kind[:60] if isinstance(kind, str) and kind else "a fact"


def _uid_of(fact: dict[str, Any]) -> str | None:
    uid = fact.get("uid")
    return uid if isinstance(uid, str) else None


def walk(fact: Any) -> Iterator[tuple[str, int, Any]]:
    """Yield every value of a fact with its path and its depth, in the order of the line.

    Not recursive, because a hostile line may be nested deeply.
    """
    left = [("", 1, fact)]
    while left:
        path, level, value = left.pop()
        yield path, level if isinstance(value, dict | list) else 0, value
        if isinstance(value, dict):
            inside = [
                (f"{path}.{key[:60]}" if path else key[:60], level + 1, item) for key, item in value.items()
            ]
        elif isinstance(value, list):
            inside = [(f"{path}[{place}]", level + 1, item) for place, item in enumerate(value)]
        else:
            continue
        left.extend(reversed(inside))
