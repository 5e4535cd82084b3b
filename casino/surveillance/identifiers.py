"""Find hands by the ID of a dealer, supervisor or player, and slips and markers by their serial."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from audit.queries import cage_facts, round_search
from audit.queries.cage_facts import RecordedFact
from audit.queries.round_search import MOST
from casino.surveillance import search_filters

IDENTIFIER = re.compile(r"(?=.*[0-9])[\w.-]{3,60}").fullmatch
"""An ID or a serial is one word with a digit."""
LABELS = {
    "dealer": "Hands dealt by",
    "supervisor": "Hands supervised by",
    "player": "Hands of player",
}
"""The filters of the search for hands that an ID may name, each with the label of a result."""


class HandsOf(NamedTuple):
    """The hands of a person: a label such as `Hands dealt by d-110`, and the URL of the search for them."""

    property: str
    label: str
    rounds: str
    address: str


def hands_of(places: Iterable[str], typed: str) -> Iterator[HandsOf]:
    """Yield the searches for hands that have this ID as dealer, supervisor or player and find a hand."""
    if not IDENTIFIER(typed):
        return
    for property in places:
        for name, label in LABELS.items():
            for value in dict.fromkeys((typed, typed.lower())):
                search = search_filters.read(property, {name: value}).search
                if count := sum(total.rounds for total in round_search.totals(search)):
                    query = urlencode({"property": property, name: value})
                    number = f"{count:,} or more hands" if count >= MOST else f"{count:,} hands"
                    yield HandsOf(property, f"{label} {value}", number, f"{reverse('hands')}?{query}")


def slips_of(property: str, typed: str) -> list[RecordedFact]:
    """Return the facts that sent, issued, paid or voided the slip with this serial, one for each stream and
    kind.
    """
    if not IDENTIFIER(typed):
        return []
    for serial in dict.fromkeys((typed, typed.upper())):
        if facts := cage_facts.of_slip(property, serial):
            return list({(fact.stream, fact.kind): fact for fact in reversed(facts)}.values())[::-1]
    return []
