"""Build the rows of the queue for a page. Each row has a sort key and a key that names its hand, for the
script of the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from django.core.exceptions import BadRequest
from django.utils import timezone

from audit.queries.tray_equation import CHIP_CODES
from audit.review.projections import FLAGGED, GRADES
from audit.review.queue import Hand, Key, worst_sentences
from casino.accounts.names import names_of
from casino.presentation.formatting import code_label, cut_property, finding_sentence
from casino.surveillance.assignments import Chosen
from casino.web import request_params

LARGEST = Decimal(10) ** 24
LAST = datetime(9999, 12, 31, tzinfo=UTC)


class Row(NamedTuple):
    """A hand in the queue."""

    hand: Hand
    address: str
    grade: str
    says: str
    """The sentence of the worst finding, or empty text if that finding is not in the list of findings any
    more.
    """
    zone: tzinfo
    place: str
    """A sort key. The browser uses it to insert a new row at the right place in the queue."""
    owner: str = ""
    """The name of the owner."""
    fits: bool = True
    at_property: str = ""
    """The property of the hand, if the list has hands of several properties."""

    @property
    def name(self) -> str:
        """Return the name of the hand, or of a fact that does not belong to a hand."""
        return f"fact {self.hand.number}" if self.hand.hand[:1] == "#" else f"hand {self.hand.hand}"

    @property
    def title(self) -> str:
        """Return the text that names the hand on the page: its table and its name."""
        return f"{cut_property(self.hand.table)} {self.name}"

    @property
    def key(self) -> str:
        """Return the text that names the hand in forms."""
        return f"{self.hand.stream}|{request_params.encode_hand(self.hand.hand)}"

    @property
    def is_of_another_date(self) -> bool:
        """Return True if the calendar date differs from the gaming day, for example after midnight."""
        return self.hand.at.astimezone(self.zone).date() != self.hand.day

    @property
    def label(self) -> str:
        """Return the label of the worst finding's code."""
        return code_label(self.hand.codes[0]) if self.hand.codes else ""

    @property
    def more(self) -> int:
        """Return the number of findings in addition to the finding that the row shows."""
        return max(0, self.hand.findings - 1)

    @property
    def is_of_chips(self) -> bool:
        """Return True if the amount is about missing or surplus chips, not about a player's win or loss."""
        return not self.hand.codes or self.hand.codes[0] in CHIP_CODES

    @property
    def is_snoozed(self) -> bool:
        """Return True if the hand waits until a later time."""
        return self.hand.until is not None and self.hand.until > timezone.now()


def rows_of(hands: Sequence[Hand], sort: str, *, names_property: bool = False) -> list[Row]:
    """Return a row for each hand, with its URL, its local time and its owner's name.

    Args:
        names_property: True if the list may have hands of several properties, so that each row must name its
            property.
    """
    zones = request_params.zones({hand.property for hand in hands})
    names = names_of(hand.owner for hand in hands)
    sentences = worst_sentences(hands)
    return [
        Row(
            hand,
            request_params.hand_url(hand.stream, hand.hand),
            GRADES[hand.rank - 1],
            says if hand.codes[:1] == [FLAGGED] else finding_sentence(says),
            zones[hand.property],
            place_of(hand, sort),
            names.get(hand.owner, hand.owner),
            at_property=hand.property if names_property else "",
        )
        for hand, says in zip(hands, sentences, strict=True)
    ]


def place_of(hand: Hand, sort: str) -> str:
    """Return a sort key for a hand, as text. The texts of hands have the same order as the hands in the
    queue, if it is sorted by `sort`.
    """
    money = f"{LARGEST + hand.less * 10**6:025.0f}"
    parts = {
        "grade": (str(hand.rank), money),
        "money": (money,),
        "time": (f"{int((LAST - hand.at).total_seconds() * 1000):015d}",),
        "oldest": (hand.at.astimezone(UTC).isoformat(timespec="microseconds"),),
        "table": (hand.table, hand.at.astimezone(UTC).isoformat(timespec="microseconds")),
    }
    return "|".join((*parts[sort], hand.stream, hand.hand))


def cursor_of(hand: Hand, sort: str) -> str:
    """Return a cursor as text. It says after which hand the next page of the queue begins."""
    parts = {
        "grade": (str(hand.rank), str(hand.less)),
        "money": (str(hand.less),),
        "time": (hand.at.isoformat(),),
        "oldest": (hand.at.isoformat(),),
        "table": (hand.table, hand.at.isoformat()),
    }
    return "|".join((*parts[sort], hand.stream, hand.hand))


def read_cursor(text: str, sort: str) -> Key:
    """Return the sort key from a cursor that `cursor_of` returned. Raise BadRequest for any other text."""
    readers = {
        "grade": (_rank, _amount),
        "money": (_amount,),
        "time": (datetime.fromisoformat,),
        "oldest": (datetime.fromisoformat,),
        "table": (str, datetime.fromisoformat),
    }[sort]
    try:
        *parts, stream, hand = text.split("|", len(readers) + 1)
        key = [read(part) for read, part in zip(readers, parts, strict=True)]
        if any(isinstance(part, datetime) and part.tzinfo is None for part in key):
            raise ValueError(text)
    except (ValueError, InvalidOperation):
        raise BadRequest(
            "The address does not name a row from which to continue. Reload the queue."
        ) from None
    return (*key, stream, hand)


def read_chosen(texts: Sequence[str], owners: Sequence[str] = ()) -> list[Chosen]:
    """Return the hands that a form names, each with the owner that the page showed. Raise BadRequest if a
    hand is invalid.
    """
    chosen: dict[str, Chosen] = {}
    for place, text in enumerate(texts):
        named = _NAMED.fullmatch(text)
        if named is None:
            raise BadRequest("The form does not name a hand. Reload the queue.")
        owner = owners[place] if place < len(owners) else ""
        chosen.setdefault(text, Chosen(named[1], request_params.decode_hand(named[2]), owner))
    return list(chosen.values())


_NAMED = re.compile(r"([^/]+/[^/]+/[0-9]{4}-[0-9]{2}-[0-9]{2})\|(.*)", re.DOTALL)


def _rank(text: str) -> int:
    rank = int(text)
    if not 0 < rank < 10:
        raise ValueError(text)
    return rank


def _amount(text: str) -> Decimal:
    amount = Decimal(text)
    if not amount.is_finite() or abs(amount) >= 10**30:
        raise ValueError(text)
    return amount
