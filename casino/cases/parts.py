"""Items of a case: parse what people type, and check that the item exists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from uuid import UUID

from audit import database
from audit import facts as f
from audit.facts.case_words import PARTS
from audit.facts.input_parsing import whole
from audit.queries import cage_facts
from audit.review.case_fold import Part
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.web.request_params import clean_text, decode_hand

COUNTS = (f.OpenerCounted, f.CloserCounted, f.DropCounted, f.CountVerified)
MOST = 500
"""Maximum number of items that are added at once."""


def hand_part(stream: str, hand: str) -> Part:
    """Return a hand, or a fact outside all hands, as an item of a case."""
    return Part("hand", stream, hand)


def parse_hand(property: str, text: str) -> Part:
    """Return the hand that a text such as `EOU-03 2026-11-14 r-0028` or `EOU-03/2026-11-14/r-0028` names.
    Raise ActionRejected for any other text.
    """
    pieces = text.replace("/", " ").split(maxsplit=2) if " " not in text.strip() else text.split(maxsplit=2)
    if len(pieces) == 3:
        table, day, hand = pieces
        try:
            return hand_part(f"{property}/{clean_text(table)}/{date.fromisoformat(day)}", clean_text(hand))
        except ValueError:
            pass
    raise ActionRejected(
        f"“{text[:60]}” is not a hand. Type its table, gaming day and name, such as EOU-03 2026-11-14"
        " r-0028.",
        "of",
    )


def parse_part(property: str, kind: str, text: str) -> Part:
    """Return the item that a person typed. Raise ActionRejected if the text cannot be understood."""
    if kind not in PARTS:
        raise ActionRejected("Choose what to add.", "what")
    of = clean_text(text)
    if not of:
        raise ActionRejected("Type what to add.", "of")
    return parse_hand(property, of) if kind == "hand" else Part(kind, "", of)


def require_parts(property: str, parts: Sequence[Part]) -> list[Part]:
    """Return the items without repetitions. Raise ActionRejected if there are too many, or for the first item
    that does not exist.
    """
    wanted = list(dict.fromkeys(parts))
    if not 1 <= len(wanted) <= MOST:
        raise ActionRejected(f"Choose 1 to {MOST} hands, slips, counts or people.", "parts")
    for part in wanted:
        if not (part.what in _EXISTS and _EXISTS[part.what](property, part)):
            place = f"{part.stream.partition('/')[2]} " if part.stream else ""
            raise ActionRejected(f"There is no {part.what} {place}{part.of}"[:200] + " here.", "of")
    return wanted


def _hand(property: str, part: Part) -> bool:
    if not part.stream.startswith(f"{property}/"):
        return False
    number = whole(part.of[1:]) if part.of[:1] == "#" else None
    column, value = ("number", number) if number is not None else ("round", part.of)
    query = f"SELECT 1 FROM fact WHERE property = %s AND stream = %s AND {column} = %s LIMIT 1"
    return database.first_row(query, [property, part.stream, value]) is not None


def _slip(property: str, part: Part) -> bool:
    query = """SELECT 1 FROM fact WHERE property = %s AND serial_of(body) = md5(%s)
        AND kind IN ('credit-sent', 'fill-sent', 'marker-issued', 'marker-paid', 'slip-voided') LIMIT 1"""
    return database.first_row(query, [property, part.of]) is not None


def _count(property: str, part: Part) -> bool:
    try:
        fact = cage_facts.fact(property, UUID(part.of))
    except ValueError:
        return False
    return fact is not None and isinstance(fact.event, COUNTS)


def _person(property: str, part: Part) -> bool:
    return Person.objects.filter(pk=part.of).exists() or _is_on_register(property, part.of)


def _is_on_register(property: str, id: str) -> bool:
    query = "SELECT 1 FROM casino_standing WHERE property = %s AND register = 'people' AND key = %s LIMIT 1"
    return database.first_row(query, [property, id]) is not None


def _player(_: str, part: Part) -> bool:
    """Accept any account number of a player. A case may be about a player who has not placed a wager."""
    return bool(part.of)


def _case(property: str, part: Part) -> bool:
    query = 'SELECT 1 FROM case_state WHERE property = %s AND NOT confidential AND "case" = %s'
    return database.first_row(query, [property, part.of]) is not None


_EXISTS: dict[str, Callable[[str, Part], bool]] = {
    "hand": _hand,
    "slip": _slip,
    "count": _count,
    "person": _person,
    "player": _player,
    "case": _case,
}


def parse_chosen(property: str, chosen: Iterable[str]) -> list[Part]:
    """Return the hands that were chosen in a list. Each is sent as `STREAM|HAND`, with the name of the hand
    as forms encode it. Raise ActionRejected for a hand of another property.
    """
    parts = []
    for text in chosen:
        stream, _, hand = text.partition("|")
        if not stream.startswith(f"{property}/") or not hand:
            raise ActionRejected("A case can only have hands of its own property.", "hand")
        parts.append(hand_part(stream, decode_hand(hand)))
    return parts
