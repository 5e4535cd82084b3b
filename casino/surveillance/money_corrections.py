"""Read which amounts of a hand must still be corrected, and which corrections were made.

A verdict moves no money. While the gaming day is open, the table records a `corrected` fact. After its close,
accounting records an adjustment (`adjusted`). This module records nothing: it links to the form of the
adjustment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from django.utils.http import urlencode

from audit.queries import cage_facts
from audit.queries.adjustments import Adjustment, restating
from audit.queries.span import Span
from audit.review.hands import Played
from audit.review.verdicts import CurrentFinding
from casino.web.adjustment_url import SETTLEMENT, adjustment_url
from casino.web.request_params import encode_hand
from games.kit.events import Corrected


class Line(NamedTuple):
    """A finding with an amount.

    Attributes:
        to_player: what a player must still get, in minor units, after all corrections; negative if it must
            come back from the player. None if the finding does not say who lost. An example is a finding
            about missing chips.
        address: the URL of the form of the adjustment, filled in from the finding.
    """

    finding: CurrentFinding
    to_player: Fraction | None
    address: str


class Correction(NamedTuple):
    """The corrections of a hand: the amounts that must still be corrected, and the corrections that were made
    at the table and in the books.

    Attributes:
        is_closed: True if the gaming day is closed.
    """

    lines: list[Line]
    at_table: list[Corrected]
    in_books: list[Adjustment]
    is_closed: bool


def is_correctable(findings: Iterable[CurrentFinding]) -> bool:
    """Return True if a correction could settle the amount of a finding."""
    return any(finding.money for finding in findings)


def correction_query(played: Played, name: str) -> str:
    """Return the query parameters of the page that shows the corrections of a hand."""
    return urlencode({"stream": played.stream, "hand": encode_hand(name)})


def correction_of(played: Played, findings: Sequence[CurrentFinding]) -> Correction:
    """Return the corrections that a hand still needs, and those that were made."""
    days = cage_facts.streams(played.property, date.fromisoformat(played.stream[-10:]))
    at_table = [recorded.fact for recorded in played.corrections if isinstance(recorded.fact, Corrected)]
    uids = {recorded.fact.uid for recorded in played.facts} | {
        finding.id.partition(":")[0] for finding in findings
    }
    in_books = [
        adjustment
        for adjustment in restating(Span(property=played.property), [played.stream])
        if adjustment.of in uids
    ]
    with_money = [finding for finding in findings if finding.money]
    return Correction(
        [_line(played, finding, at_table, in_books) for finding in with_money],
        at_table,
        in_books,
        any(day.sealed for day in days if day.stream == played.stream),
    )


def _line(
    played: Played, finding: CurrentFinding, at_table: list[Corrected], in_books: list[Adjustment]
) -> Line:
    if not finding.wager:
        return Line(finding, None, adjustment_url(played.stream, finding.id, finding.code))
    wager, uid = (finding.spot or "", finding.wager), finding.id.partition(":")[0]
    settled = sum(
        correction.amount for correction in at_table if (correction.spot, correction.wager) == wager
    )
    booked = sum(
        adjustment.amount for adjustment in in_books if adjustment.of == uid and adjustment.what == SETTLEMENT
    )
    to_player = -finding.wager_money - settled + booked
    address = adjustment_url(played.stream, finding.id, finding.code, wager, to_player, played.currency())
    return Line(finding, to_player, address)
