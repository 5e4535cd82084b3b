"""The facts that a table reports, as the games read them.

Shapes, units and names are those of the contract of facts: amounts in minor units, cards as rank and
suit (`Td`), `spot` the betting position. A fact is recorded as it came; whether it may be is judged
by the games. `audit.facts` adds the kinds of cage, count room and house and decodes them all.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from msgspec import Meta, Struct

LIMIT = 10**15
"""No amount outside ±10^15 minor units can be recorded."""

Amount = Annotated[int, Meta(ge=1, le=LIMIT)]
Signed = Annotated[int, Meta(ge=-LIMIT, le=LIMIT)]
Whole = Annotated[int, Meta(ge=-LIMIT, le=LIMIT)]
Move = tuple[str, str, Amount]
"""Spot, wager, amount: one entry of a batch."""


class Event(Struct, frozen=True, kw_only=True, gc=False, tag_field="kind"):
    """The envelope that every fact has, whoever posts it."""

    uid: str
    table: str
    day: date
    at: Annotated[datetime, Meta(tz=True)]
    source: str
    n: Annotated[int, Meta(ge=1, le=LIMIT)] | None = None
    round: str | None = None
    v: Annotated[int, Meta(ge=1, le=LIMIT)] = 1
    contradicts: list[tuple[str, str, str]] | None = None
    """What the message that this fact was made of says twice and differently: what it speaks of, the one value, the other."""


class TableOpened(Event, frozen=True, kw_only=True, gc=False, tag="table-opened"):
    game: str
    edition: str
    pay_tables: dict[str, str]
    decks: Whole
    spots: Whole
    limits: dict[str, tuple[Whole, Whole]]
    currency: str
    chip: Amount
    readings: dict[str, str]
    sees: list[str]
    shifts: dict[str, Annotated[datetime, Meta(tz=True)]] | None = None
    continues: bool = False


class DealerSeated(Event, frozen=True, kw_only=True, gc=False, tag="dealer-seated"):
    dealer: str
    supervisor: str


class Shuffled(Event, frozen=True, kw_only=True, gc=False, tag="shuffled"):
    shoe: str
    decks: Whole
    cut: Whole | None = None


class CutCardShown(Event, frozen=True, kw_only=True, gc=False, tag="cut-card-shown"):
    pass


class RoundOpened(Event, frozen=True, kw_only=True, gc=False, tag="round-opened"):
    pass


class Bet(Event, frozen=True, kw_only=True, gc=False, tag="bet"):
    spot: str
    wager: str
    amount: Amount
    player: str | None = None


class Bets(Event, frozen=True, kw_only=True, gc=False, tag="bets"):
    bets: list[Move]


class Unbet(Event, frozen=True, kw_only=True, gc=False, tag="unbet"):
    spot: str
    wager: str
    amount: Amount


class NoMoreBets(Event, frozen=True, kw_only=True, gc=False, tag="no-more-bets"):
    pass


class Shake(Event, frozen=True, kw_only=True, gc=False, tag="shake"):
    times: Whole
    cup: Whole | None = None


class Roll(Event, frozen=True, kw_only=True, gc=False, tag="roll"):
    dice: list[Whole]


class Announce(Event, frozen=True, kw_only=True, gc=False, tag="announce"):
    what: str
    value: Whole | str | None = None
    ranks: list[str] | None = None
    pays: str | None = None
    spot: str | None = None
    wager: str | None = None
    declared_cards: dict[str, list[str]] | None = None
    """The cards that a feed's result lists, by the place to which they were dealt; a text that is no card is as it was sent."""


class Mark(Event, frozen=True, kw_only=True, gc=False, tag="mark"):
    value: Whole
    side: str


class Choose(Event, frozen=True, kw_only=True, gc=False, tag="choose"):
    spot: str
    choice: str
    timeout: bool = False


class Pull(Event, frozen=True, kw_only=True, gc=False, tag="pull"):
    spot: str
    wager: str


class Deal(Event, frozen=True, kw_only=True, gc=False, tag="deal"):
    to: str
    card: str | None
    raw_text: str | None = None
    """What a feed sent for the card, where it could not be understood: the card is null then."""


class Burn(Event, frozen=True, kw_only=True, gc=False, tag="burn"):
    card: str | None
    raw_text: str | None = None


class Take(Event, frozen=True, kw_only=True, gc=False, tag="take"):
    spot: str
    wager: str
    amount: Amount


class Pay(Event, frozen=True, kw_only=True, gc=False, tag="pay"):
    spot: str
    wager: str
    amount: Amount


class Settled(Event, frozen=True, kw_only=True, gc=False, tag="settled"):
    paid: list[Move]
    taken: list[Move]


class Clear(Event, frozen=True, kw_only=True, gc=False, rename={"source_": "from"}, tag="clear"):
    source_: str


class Void(Event, frozen=True, kw_only=True, gc=False, tag="void"):
    reason: str
    by: str
    second: str


class Return(Event, frozen=True, kw_only=True, gc=False, tag="return"):
    spot: str
    wager: str
    amount: Amount


class RoundClosed(Event, frozen=True, kw_only=True, gc=False, tag="round-closed"):
    pass


class Corrected(Event, frozen=True, kw_only=True, gc=False, tag="corrected"):
    round: str
    spot: str
    wager: str
    amount: Signed
    reason: str
    by: str
    second: str


class Paused(Event, frozen=True, kw_only=True, gc=False, tag="paused"):
    reason: str
    by: str


class Resumed(Event, frozen=True, kw_only=True, gc=False, tag="resumed"):
    reason: str
    by: str


class PlayerLost(Event, frozen=True, kw_only=True, gc=False, tag="player-lost"):
    spot: str


class PlayerBack(Event, frozen=True, kw_only=True, gc=False, tag="player-back"):
    spot: str


class Alarm(Event, frozen=True, kw_only=True, gc=False, tag="alarm"):
    device: str
    text: str


class AlarmAnswered(Event, frozen=True, kw_only=True, gc=False, tag="alarm-answered"):
    alarm: str
    by: str


class TableClosed(Event, frozen=True, kw_only=True, gc=False, tag="table-closed"):
    pass


AT_THE_TABLE: tuple[type[Event], ...] = (
    TableOpened, DealerSeated, Shuffled, CutCardShown, RoundOpened, Bet, Bets, Unbet, NoMoreBets, Shake, Roll,
    Announce, Mark, Choose, Pull, Deal, Burn, Take, Pay, Settled, Clear, Void, Return, RoundClosed, Corrected,
    Paused, Resumed, PlayerLost, PlayerBack, Alarm, AlarmAnswered, TableClosed,
)  # fmt: skip


def kind_of(event: Event | type[Event]) -> str:
    """The kind's name in the contract, `round-opened` for `RoundOpened`."""
    return str(event.__struct_config__.tag)
