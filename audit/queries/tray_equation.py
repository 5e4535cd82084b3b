"""Compute the equation of a tray that does not balance: opener, slips, chips bought, play and closer, each
with its facts.

Slips and chips bought are counted by the table fold. It reads only the facts of the cage and the count room
for this. The missing amount is taken from the finding. Play is what remains of the equation.
"""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from audit import facts as f
from audit.queries import cage_facts
from audit.queries.cage_facts import RecordedFact
from audit.replay.checks import Seen
from audit.replay.fold import Fold
from audit.replay.tally import shift_of
from audit.review.projections import CHIP_CODES as CHIP_CODES
from games.kit.events import Event

CODE = "inventory-does-not-balance"
SHOWN = 12
"""Maximum number of facts that a term names."""


class Term(NamedTuple):
    """One term of the equation.

    Attributes:
        facts: the numbers of the first SHOWN facts of the term.
        more: how many further facts the term has.
        is_play: True if its facts are the hands between opener and closer.
        is_sum: True if it is the sum of the terms before it.
    """

    name: str
    amount: Fraction
    facts: list[int]
    more: int = 0
    is_play: bool = False
    is_sum: bool = False


class Equation(NamedTuple):
    """The terms of one closer in minor units of a currency. `missing` is above 0 if chips are missing."""

    currency: str
    shift: str
    opened_at: datetime
    closed_at: datetime
    terms: list[Term]
    missing: Fraction


class Parts(NamedTuple):
    """The count of a tray: the fact that recorded it, the counted amount, and the total amounts of fills,
    credits and bought chips before the count.
    """

    counted: RecordedFact
    amount: int
    fills: int
    credits: int
    bought: int


def equation(property: str, stream: str, number: int, missing: Fraction) -> Equation | None:
    """Return the equation of the closer with this number, or None if it follows no opener in its currency.

    Args:
        missing: the amount of the finding, above 0 if chips are missing.
    """
    fold, openers, moved = Fold(stream), dict[str, Parts](), list[RecordedFact]()
    for fact in cage_facts.facts(property, [stream]):
        fold.take(fact.number, fact.event)
        state = fold.seen()
        if isinstance(fact.event, f.OpenerCounted):
            openers[state.currency] = _parts(fact, fact.event.amount, state)
            moved = []
        elif fact.number < number:
            moved.append(fact)
        elif not isinstance(fact.event, f.CloserCounted):
            return None
        else:
            opener = openers.get(state.currency)
            closer = _parts(fact, fact.event.amount, state)
            shift = shift_of(fold.state.opened, fact.event.at)
            return _equation(state.currency, shift, opener, closer, moved, missing) if opener else None
    return None


def _parts(counted: RecordedFact, amount: int, state: Seen) -> Parts:
    """Return the amounts of slips and purchases up to the count of this tray, in the currency of
    the table.
    """
    fills, credits = (
        sum(
            slip.standing
            for slip in state.slips.values()
            if slip.kind == kind and slip.currency == state.currency
        )
        for kind in ("fill-sent", "credit-sent")
    )
    return Parts(counted, amount, fills, credits, state.bought(state.currency))


def _equation(
    currency: str, shift: str, opener: Parts, closer: Parts, moved: list[RecordedFact], missing: Fraction
) -> Equation:
    """Return the terms between an opener and a closer."""
    fills, credits, bought = (
        closer.fills - opener.fills,
        opener.credits - closer.credits,
        opener.bought - closer.bought,
    )
    right = closer.amount + missing
    terms = [
        Term("Opener", Fraction(opener.amount), [opener.counted.number]),
        _term("Fills", fills, moved, f.FillSent),
        _term("Credits", credits, moved, f.CreditSent),
        _term("Chips bought", bought, moved, f.ChipsBought),
        Term("Play", right - opener.amount - fills - credits - bought, [], is_play=True),
        Term("The tray should hold", right, [], is_sum=True),
        Term("Closer", Fraction(closer.amount), [closer.counted.number]),
    ]
    opened_at, closed_at = opener.counted.event.at, closer.counted.event.at
    return Equation(currency, shift, opened_at, closed_at, terms, missing)


def _term(name: str, amount: int, moved: list[RecordedFact], shape: type[Event]) -> Term:
    """Return a term of the equation with the facts of its kind. If a slip was voided, the fact that voided it
    is included.
    """
    own = [fact for fact in moved if isinstance(fact.event, shape)]
    slips = {getattr(fact.event, "slip", None) for fact in own} - {None}
    numbers = [
        fact.number
        for fact in moved
        if fact in own or (isinstance(fact.event, f.SlipVoided) and fact.event.slip in slips)
    ]
    return Term(name, Fraction(amount), numbers[:SHOWN], max(0, len(numbers) - SHOWN))
