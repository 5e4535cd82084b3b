"""Convert a JSON document with a property's reference data into register entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, tzinfo
from typing import Any, NamedTuple

from django.utils import timezone
from msgspec import DecodeError, json

from audit import facts as f
from audit.facts.clock import day_clock
from audit.replay.register_values import Place, check

OWN = ("property", "dealers", "supervisors", "approvals", "day-begins")
"""Members of the document that have a special meaning. Every other member is the name of a register."""
_ROLES = {"dealers": "dealer", "supervisors": "supervisor"}


class InvalidDocument(Exception):
    """The document is invalid. The text names the field and the reason."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}" if field else reason)


class Entry(NamedTuple):
    """One register entry. It is in force from the day `begins` until the day before `ends`. If `begins` or
    `ends` is None, the entry has no first or no last day.
    """

    register: str
    key: str
    value: Any
    begins: str | None = None
    ends: str | None = None


def parse_document(document: bytes) -> dict[str, Any]:
    """Parse a document, which must be a JSON object. Raise InvalidDocument if it is not."""
    try:
        content = json.decode(document.removeprefix(b"\xef\xbb\xbf"))
    except (DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidDocument("", f"not JSON: {error}") from None
    if not isinstance(content, dict):
        raise InvalidDocument("", "the document must be a JSON object")
    return content


def entries(document: dict[str, Any], known: Iterable[f.RegisterSet]) -> list[Entry]:
    """Return all entries of the document. Raise InvalidDocument, which names the field.

    Args:
        known: the entries recorded so far.
    """
    known = list(known)
    result = [*_people(document), *_approvals(document.get("approvals", []), known)]
    if (begins := document.get("day-begins")) is not None:
        result.append(_day_begins(begins, known))
    for name, value in document.items():
        if name not in OWN:
            result += _others(name, value, _zone(document.get("day-begins"), known))
    return result


def _people(document: dict[str, Any]) -> Iterator[Entry]:
    people: dict[str, tuple[list[str], str | None, str | None]] = {}
    for field, role in _ROLES.items():
        for place, person in enumerate(_list(document.get(field, []), field)):
            at = f"{field}[{place}]"
            person_id = person.get("id") if isinstance(person, dict) else person
            name = _text(person_id, f"{at}.id" if isinstance(person, dict) else at)
            begins, ends = _days(person, at) if isinstance(person, dict) else (None, None)
            roles = people.setdefault(name, ([], begins, ends))[0]
            if role not in roles:
                roles.append(role)
    for name, (roles, begins, ends) in people.items():
        yield Entry("people", name, {"role": roles[0]} if len(roles) == 1 else {"roles": roles}, begins, ends)


def _approvals(approvals: Any, known: list[f.RegisterSet]) -> Iterator[Entry]:
    """Yield the entries of approvals. The key of an entry is the letter of the approval. If a letter approves
    several games or editions, the key also contains the game and the edition.
    """
    of_letter = {entry.key: entry.value for entry in known if entry.register == "approvals"}
    for place, value in enumerate(_list(approvals, "approvals")):
        at = f"approvals[{place}]"
        if not isinstance(value, dict):
            raise InvalidDocument(
                at, "an approval must be an object {game, edition, pay_tables, letter, from, to}"
            )
        letter, _ = _text(value.get("letter"), f"{at}.letter"), _text(value.get("game"), f"{at}.game")
        begins, ends = _days(value, at)
        _check_value("approvals", value, at)
        other = of_letter.setdefault(letter, value)
        is_same_game = isinstance(other, dict) and all(
            other.get(name) == value.get(name) for name in ("game", "edition")
        )
        key = letter if is_same_game else f"{letter}/{value['game']}/{value.get('edition') or '*'}"
        yield Entry("approvals", key, value, begins, ends)


def _day_begins(value: Any, known: list[f.RegisterSet]) -> Entry:
    """Return the `day-begins` entry of the property. Its key is that of the first entry in the property's
    register `day-begins`.
    """
    if not isinstance(value, dict):
        raise InvalidDocument("day-begins", "it must be an object {time, zone}")
    begins, ends = _days(value, "day-begins")
    _check_value("day-begins", value, "day-begins", Place("", _day(begins), _day(ends), today=today()))
    key = next((entry.key for entry in known if entry.register == "day-begins"), "*")
    return Entry(
        "day-begins",
        key,
        {name: member for name, member in value.items() if name not in ("from", "to")},
        begins,
        ends,
    )


def _zone(value: Any, known: list[f.RegisterSet]) -> tzinfo | None:
    """Return the property's time zone in this document. If the document has none, return the time zone in the
    last recorded entry, or None if no entry has one.
    """
    values = [value, *(entry.value for entry in reversed(known) if entry.register == "day-begins")]
    return next((read[1] for read in map(day_clock, values) if read is not None), None)


def _others(name: str, values: Any, zone: tzinfo | None) -> Iterator[Entry]:
    """Yield the entries of any other register. The document gives them as {key: value}, or as a list of {key,
    value, from, to}.
    """
    if isinstance(values, dict):
        for key, value in values.items():
            _check_value(name, value, f"{name}.{key}", Place(key, zone=zone, today=today()))
            yield Entry(name, key, value)
        return
    for place, item in enumerate(_list(values, name)):
        at = f"{name}[{place}]"
        if not isinstance(item, dict) or "value" not in item:
            raise InvalidDocument(at, "an entry must be an object {key, value, from, to}")
        key, days = _text(item.get("key"), f"{at}.key"), _days(item, at)
        _check_value(
            name, item["value"], f"{at}.value", Place(key, _day(days[0]), _day(days[1]), zone, today())
        )
        yield Entry(name, key, item["value"], *days)


def today() -> date:
    """Return today's date in UTC."""
    return timezone.now().date()


def _check_value(register: str, value: Any, at: str, place: Place | None = None) -> None:
    """Raise InvalidDocument, which names the field, if the value is invalid for its register."""
    try:
        check(register, value, place)
    except ValueError as error:
        field, _, reason = str(error).partition(": ")
        raise InvalidDocument(at if field == "it" else f"{at}.{field}", reason) from None


def _list(value: Any, field: str) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidDocument(field, "a list is needed")
    return value


def _text(value: Any, field: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidDocument(
            field, f"a text is needed, given {json.encode(value)[:40].decode(errors='replace')}"
        )
    return value


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _days(value: dict[str, Any], at: str) -> tuple[str | None, str | None]:
    """Return the first day of an entry, and the day after its last day, as the document gives them."""
    for name in ("from", "to"):
        if (day := value.get(name)) is not None:
            try:
                date.fromisoformat(_text(day, f"{at}.{name}"))
            except ValueError:
                raise InvalidDocument(f"{at}.{name}", f"{day!r} is not a date such as 2026-11-27") from None
    begins, ends = value.get("from"), value.get("to")
    if begins is not None and ends is not None and begins >= ends:
        raise InvalidDocument(f"{at}.to", f"{ends} is not after {begins}")
    return begins, ends
