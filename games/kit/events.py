"""The kinds of fact that a table reports, as the games read them.

Amounts are in minor units. A card is rank and suit (`Td`). `spot` is the betting position. A fact is recorded
as it was sent; the rules of the games judge if it was allowed. `audit.facts` adds the kinds of cage, count
room and property, and decodes all kinds.

The event reference prints the docstrings of the classes and the descriptions in `Meta`.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from games.kit import fields as t
from games.kit.fields import LIMIT as LIMIT


class Event(Struct, frozen=True, kw_only=True, gc=False, tag_field="kind"):
    """The fields that every fact has, of any kind and from any sender."""

    uid: t.Uid
    table: Annotated[
        t.TableId,
        Meta(description="The property and the table whose stream the fact belongs to, or `property/house`."),
    ]
    day: Annotated[
        t.Day, Meta(description="The gaming day that the fact belongs to. Table and day name the stream.")
    ]
    at: Annotated[
        t.Instant,
        Meta(
            description=(
                "The sender's clock when it happened. It is stored as sent and does not order the facts."
            )
        ),
    ]
    source: t.Source
    n: t.Counter | None = None
    round: t.RoundId | None = None
    v: t.Shape = 1
    contradicts: t.Contradicts | None = None


class TableOpened(Event, frozen=True, kw_only=True, gc=False, tag="table-opened"):
    """A table is opened, or gets new settings.

    This is the first fact of a stream. It may be sent again between two rounds and then replaces all
    settings. A stream is always replayed under the game, edition, pay tables and answers (`readings`) of its
    own `table-opened`.
    """

    game: t.GameCode
    edition: t.Edition
    pay_tables: t.PayTables
    decks: t.Decks
    spots: t.Spots
    limits: t.Limits
    currency: t.Currency
    chip: t.Chip
    readings: t.Readings
    sees: t.Sees
    shifts: t.Shifts | None = None
    continues: t.Continues = False


class DealerSeated(Event, frozen=True, kw_only=True, gc=False, tag="dealer-seated"):
    """A dealer begins to work at the table, with a supervisor. Both work there until the next
    `dealer-seated`.
    """

    dealer: Annotated[t.Staff, Meta(description="The staff ID of the dealer.")]
    supervisor: Annotated[t.Staff, Meta(description="The staff ID of the supervisor.", examples=["s-201"])]


class Shuffled(Event, frozen=True, kw_only=True, gc=False, tag="shuffled"):
    """The cards are shuffled. From here on they are counted from zero.

    The shuffle must come before the first card of a round, or after its last card.
    """

    shoe: t.Shoe
    decks: Annotated[t.Whole, t.counts("decks", "How many decks were shuffled.", 6)]
    cut: Annotated[t.Whole, t.counts("cards", "How many cards lie in front of the cut card.", 105)] | None = (
        None
    )


class CutCardShown(Event, frozen=True, kw_only=True, gc=False, tag="cut-card-shown"):
    """The cut card comes out of the shoe. The present round is finished, then the cards are shuffled."""


class RoundOpened(Event, frozen=True, kw_only=True, gc=False, tag="round-opened"):
    """A round begins. `round` is required."""


class Bet(Event, frozen=True, kw_only=True, gc=False, tag="bet"):
    """A bet is made. Two bets on one spot and wager add up."""

    spot: t.Spot
    wager: t.Wager
    amount: t.Amount
    player: t.Player | None = None


class Bets(Event, frozen=True, kw_only=True, gc=False, tag="bets"):
    """All bets of a betting window in one fact, which means the same as single `bet` facts. Live-dealer
    tables may send it.
    """

    bets: Annotated[list[t.Move], Meta(description="Each as `[spot, wager, amount]`.")]


class Unbet(Event, frozen=True, kw_only=True, gc=False, tag="unbet"):
    """A player takes a bet back, or a part of it. After betting is closed this is reported as
    `late-unbet`.
    """

    spot: t.Spot
    wager: t.Wager
    amount: t.Amount


class NoMoreBets(Event, frozen=True, kw_only=True, gc=False, tag="no-more-bets"):
    """The dealer closes betting by word or gesture, or the countdown of a live-dealer table ends."""


class Shake(Event, frozen=True, kw_only=True, gc=False, tag="shake"):
    """The dice are shaken."""

    times: Annotated[t.Whole, t.counts("shakes", "How often the dice were shaken. Several facts add up.", 7)]
    cup: Annotated[t.Whole, Meta(description="Which of two cups: 1 or 2.", examples=[1])] | None = None


class Roll(Event, frozen=True, kw_only=True, gc=False, tag="roll"):
    """Dice are revealed. High Side reveals one die at a time, in two facts of one die each."""

    dice: Annotated[
        list[t.Pips],
        Meta(description="What each die shows, 1 to 6. Another number is reported as `impossible-die`."),
    ]


class Announce(Event, frozen=True, kw_only=True, gc=False, tag="announce"):
    """The dealer announces something, or a studio declares it. It is compared with the dice and cards, and a
    difference is reported as `announced-wrong`.
    """

    what: t.AnnouncedWhat
    value: t.AnnouncedValue | None = None
    ranks: t.Ranks | None = None
    pays: Annotated[str, Meta(description="The odds that are announced.", examples=["7 to 5"])] | None = None
    spot: t.Spot | None = None
    wager: t.Wager | None = None
    declared_cards: t.DeclaredCards | None = None


class Mark(Event, frozen=True, kw_only=True, gc=False, tag="mark"):
    """The dealer places the disc on the sum of the dice, in Easy Over Under."""

    value: Annotated[t.Whole, t.counts("pips", "The sum that is marked, 2 to 12.", 12)]
    side: t.Side


class Choose(Event, frozen=True, kw_only=True, gc=False, tag="choose"):
    """A player makes a decision."""

    spot: t.Spot
    choice: t.Choice
    timeout: Annotated[
        bool, Meta(description="The player did not decide in time: at Teen Patti the hand is folded.")
    ] = False


class Pull(Event, frozen=True, kw_only=True, gc=False, tag="pull"):
    """A player withdraws a wager and gets it back, in High Side."""

    spot: t.Spot
    wager: t.Wager


class Deal(Event, frozen=True, kw_only=True, gc=False, tag="deal"):
    """A card is dealt."""

    to: t.DealtTo
    card: t.DealtCard
    raw_text: t.RawText | None = None


class Burn(Event, frozen=True, kw_only=True, gc=False, tag="burn"):
    """A card is burned. It counts as a card of the shoe.

    In Casino Over Under, the second and third card of a surrendered hand without a bonus are burned too.
    """

    card: Annotated[
        t.Card | None, Meta(description="The card; null if it was burned face down, which is not an error.")
    ]
    raw_text: t.RawText | None = None


class Take(Event, frozen=True, kw_only=True, gc=False, tag="take"):
    """The dealer takes the chips of a lost bet. If half of the stake is lost, `take` has that half."""

    spot: t.Spot
    wager: t.Wager
    amount: t.Amount


class Pay(Event, frozen=True, kw_only=True, gc=False, tag="pay"):
    """The dealer pays winnings; the amount does not include the stake. A push moves no money and needs no
    fact.
    """

    spot: t.Spot
    wager: t.Wager
    amount: t.Amount


class Settled(Event, frozen=True, kw_only=True, gc=False, tag="settled"):
    """A whole settlement in one fact, which means the same as single `take`, then `pay` facts."""

    paid: Annotated[list[t.Move], Meta(description="Each as `[spot, wager, amount]`.")]
    taken: Annotated[list[t.Move], Meta(description="Each as `[spot, wager, amount]`.")]


class Clear(Event, frozen=True, kw_only=True, gc=False, rename={"source_": "from"}, tag="clear"):
    """Cards are put into the discard rack. The wagers of a spot are judged when its cards are cleared."""

    source_: Annotated[t.Place, Meta(description="Where the cards lay: a spot, or one of the game's places.")]


class Void(Event, frozen=True, kw_only=True, gc=False, tag="void"):
    """A round is declared void. Every stake is returned to its player, and winnings that were paid are taken
    back.
    """

    reason: t.Reason
    by: t.Staff
    second: t.Second


class Return(Event, frozen=True, kw_only=True, gc=False, tag="return"):
    """A stake is returned because the round is void. At a live-dealer table this fact may also show a push,
    with exactly the stake.
    """

    spot: t.Spot
    wager: t.Wager
    amount: t.Amount


class RoundClosed(Event, frozen=True, kw_only=True, gc=False, tag="round-closed"):
    """A round ends. `round` is required. Anything that is missing then is reported."""


class Corrected(Event, frozen=True, kw_only=True, gc=False, tag="corrected"):
    """A settlement is corrected after its round, between two rounds."""

    round: Annotated[t.RoundId, Meta(description="The round that is corrected.")]
    spot: t.Spot
    wager: t.Wager
    amount: Annotated[
        t.Signed,
        Meta(description="Above 0 is paid to the player, below 0 is taken from the player. It is never 0."),
    ]
    reason: t.Reason
    by: t.Staff
    second: t.Second


class ReadCorrected(Event, frozen=True, kw_only=True, gc=False, tag="read-corrected"):
    """A card or a roll that was read wrongly is corrected during a pause. The corrected value counts from the
    start of the round.

    Exactly one of `card` and `dice` is given. The correction is always reported as a notice, with both
    values.
    """

    of: Annotated[
        t.FactUid, Meta(description="The `uid` of the `deal`, `burn` or `roll` that was read wrongly.")
    ]
    reason: t.Reason
    by: t.Staff
    second: t.Second
    card: Annotated[t.Card, Meta(description="The card as it is.")] | None = None
    dice: Annotated[list[t.Pips], Meta(description="What each die of that roll shows.")] | None = None


class RoundCancelled(Event, frozen=True, kw_only=True, gc=False, tag="round-cancelled"):
    """A round is cancelled after it was closed, between two rounds.

    From then on nothing is owed on its wagers, and `corrected` facts bring the amount moved on each of them
    back to 0. Money that is not back when the day is closed is reported as `void-not-returned`. Reports count
    the round as void.
    """

    round: Annotated[t.RoundId, Meta(description="The round that is cancelled.")]
    reason: t.Reason
    by: t.Staff
    second: t.Second


class Paused(Event, frozen=True, kw_only=True, gc=False, tag="paused"):
    """Play stops because of an error."""

    reason: t.Reason
    by: t.Staff


class Resumed(Event, frozen=True, kw_only=True, gc=False, tag="resumed"):
    """Play continues after a pause."""

    reason: t.Reason
    by: t.Staff


class PlayerLost(Event, frozen=True, kw_only=True, gc=False, tag="player-lost"):
    """A player of a live-dealer table loses the connection.

    If this happens before `no-more-bets`, the player's bets of the round do not count as placed, and the
    studio may take them back with `unbet`; after it they count. A choice during the disconnection does not
    count, and the default choice applies. The player remains disconnected, also in later rounds, until
    `player-back`. A bet or choice in a later round is reported once as `out-of-order` and counts. Between two
    rounds the fact names no round.
    """

    spot: t.Spot


class PlayerBack(Event, frozen=True, kw_only=True, gc=False, tag="player-back"):
    """A player of a live-dealer table is connected again. Bets and choices count from here on. Between two
    rounds the fact names no round.
    """

    spot: t.Spot


class Alarm(Event, frozen=True, kw_only=True, gc=False, tag="alarm"):
    """A device reports a fault. If the alarm is not answered before the next `round-opened`, this is reported
    as `alarm-unanswered`.
    """

    device: t.Device
    text: Annotated[t.Words, Meta(description="What the device says.")]


class AlarmAnswered(Event, frozen=True, kw_only=True, gc=False, tag="alarm-answered"):
    """A person answers an alarm."""

    alarm: Annotated[t.FactUid, Meta(description="The `uid` of the alarm.")]
    by: t.Staff


class TableClosed(Event, frozen=True, kw_only=True, gc=False, tag="table-closed"):
    """A table is closed for the day."""


AT_THE_TABLE: tuple[type[Event], ...] = (
    TableOpened,
    DealerSeated,
    Shuffled,
    CutCardShown,
    RoundOpened,
    Bet,
    Bets,
    Unbet,
    NoMoreBets,
    Shake,
    Roll,
    Announce,
    Mark,
    Choose,
    Pull,
    Deal,
    Burn,
    Take,
    Pay,
    Settled,
    Clear,
    Void,
    Return,
    RoundClosed,
    Corrected,
    ReadCorrected,
    RoundCancelled,
    Paused,
    Resumed,
    PlayerLost,
    PlayerBack,
    Alarm,
    AlarmAnswered,
    TableClosed,
)


def kind_of(event: Event | type[Event]) -> str:
    """Return the name of a kind of fact, as it is written in the data: `round-opened` for `RoundOpened`."""
    return str(event.__struct_config__.tag)
