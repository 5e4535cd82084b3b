"""The types of the fields of facts, each with its meaning, its unit and the values that it may have.

The event reference (`docs/events.md`), the OpenAPI schema and the validation of facts are all generated from
these types. Keys of `Meta(extra=...)` say more than JSON Schema can: `IDENTIFIER` marks a text that names
something and has one accepted spelling. `KNOWN` has the words of a list with their meanings. `CLOSED` marks a
list that accepts no other word. `UNIT` is what a number counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated

from msgspec import Meta

from games.kit.currencies import CURRENCIES

LIMIT = 10**15
"""The largest amount, in minor units: amounts beyond ±10^15 cannot be recorded."""
IDENTIFIER = "identifier"
KNOWN = "known"
CLOSED = "closed"
UNIT = "unit"


def identifier(means: str, *examples: str) -> Meta:
    """Return the description of an identifier. Two facts about the same thing must spell it alike."""
    return Meta(description=means, examples=list(examples) or None, extra={IDENTIFIER: True})


def one_of(means: str, words: Mapping[str, str]) -> Meta:
    """Return the description of a closed list of words; any other word is refused. `words` has each word with
    its meaning.
    """
    return Meta(
        description=means, extra_json_schema={"enum": list(words)}, extra={KNOWN: words, CLOSED: True}
    )


def known(means: str, words: Mapping[str, str]) -> Meta:
    """Return the description of an open list of words. Any other word is recorded, and replay reports it if
    it breaks a rule.
    """
    return Meta(description=means, examples=list(words), extra={KNOWN: words})


def counts(unit: str, means: str, *examples: int) -> Meta:
    """Return the description of a field whose number counts things of this unit."""
    return Meta(
        description=means,
        examples=list(examples) or None,
        extra_json_schema={"x-unit": unit},
        extra={UNIT: unit},
    )


MINOR = "minor units"

Amount = Annotated[int, Meta(ge=1, le=LIMIT), counts(MINOR, "A sum of money: 12.50 USD is 1250.", 1250)]
Signed = Annotated[int, Meta(ge=-LIMIT, le=LIMIT), counts(MINOR, "A signed sum of money.", -1250)]
Whole = Annotated[int, Meta(ge=-LIMIT, le=LIMIT, description="A whole number.")]
Counted = Annotated[
    int, Meta(ge=0, le=LIMIT), counts(MINOR, "What was counted; 0 if nothing was there.", 125000)
]

Uid = Annotated[
    str,
    Meta(
        description=(
            "The fact's own id, a UUID that the sender chooses. A fact that is sent again is recorded once."
        )
    ),
]
FactUid = Annotated[str, identifier("The `uid` of another fact.")]
Day = Annotated[date, Meta(description="A gaming day, for example `2026-11-27`.")]
Instant = Annotated[
    datetime, Meta(tz=True, description="An instant as RFC 3339 writes it, with an offset from UTC.")
]
TABLE = "table"
"""Marks an identifier that has two parts, a property and a table."""
TableId = Annotated[
    str,
    identifier("A property and a table, separated by a slash.", "aurora/EOU-01"),
    Meta(extra={IDENTIFIER: TABLE}),
]
Source = Annotated[str, identifier("The device or desk that saw it happen.", "shoe-7")]
Device = Annotated[str, identifier("A shuffler, shoe or reader.", "shuffler-2")]
Camera = Annotated[str, identifier("A camera, by its id on the recorder.", "cam-11")]
RoundId = Annotated[
    str,
    identifier(
        "The round, on every fact from `round-opened` to `round-closed`, both included. It is unique in the"
        " stream.",
        "r-12",
    ),
]
Spot = Annotated[
    str,
    identifier(
        "The betting position: `1` to `9` at a felt table, counted from the dealer's left, or a player"
        " account.",
        "3",
        "p-90210",
    ),
]
Wager = Annotated[str, identifier("The wager, as the game calls it.", "over")]
Place = Annotated[
    str,
    identifier(
        "Where cards lie: a spot, or one of the game's own places such as `community` or `dealer`.",
        "3",
        "community",
    ),
]
Move = tuple[Spot, Wager, Amount]
"""Spot, wager and amount: one entry of a fact that contains several bets or payments."""
Player = Annotated[str, identifier("A player account.", "p-90210")]
Staff = Annotated[str, identifier("The staff ID of the person who did it.", "d-101")]
Second = Annotated[
    Staff, Meta(description="The staff ID of the second person who signs.", examples=["s-201"])
]
Shoe = Annotated[str, identifier("The shoe that the cards are dealt from.", "shoe-7")]
Slip = Annotated[
    str, identifier("The serial of a slip: its series, a hyphen and a number.", "F-EOU02-000417")
]
Box = Annotated[str, identifier("A drop box.", "000125")]
Shift = Annotated[str, identifier("A shift of the property, as the register `shifts` names it.", "day")]
Card = Annotated[
    str,
    Meta(
        description="A card as rank and suit, `A23456789TJQK` and `shdc`: `Td` is the ten of diamonds.",
        examples=["Td", "As"],
    ),
]
DealtCard = Annotated[
    Card | None,
    Meta(
        description=(
            "The card; null if it could not be read (`card-not-read`: what depends on it is not judged)."
        )
    ),
]
Words = Annotated[str, Meta(description="Free words. They may be as long as the fact allows.")]
Reason = Annotated[str, Meta(description="Why, in free words.", examples=["a card lay face up in the shoe"])]

PLACES = {
    "community": "High Side: the one card of the table",
    "joker": "Andar Bahar: the joker",
    "andar": "Andar Bahar: the Andar side",
    "bahar": "Andar Bahar: the Bahar side",
    "player": "Teen Patti: the one hand that all spots share",
    "dealer": "Teen Patti: the dealer's hand",
    "a": "Bet on Teen Patti: the hand of player A",
    "b": "Bet on Teen Patti: the hand of player B",
    "table": "Lucky 7: the card of the table",
}
DealtTo = Annotated[Place, known("Where the card is dealt: a spot, or one of the game's places.", PLACES)]
SIDES = {
    "ties-lose-half": "a tie loses half of the bet",
    "ties-push": "a tie is a push (the dice are doubles)",
}
Side = Annotated[str, known("The side of the disc that lies up.", SIDES)]
CHOICES = {
    "over": "Casino Over Under: the player plays over",
    "under": "Casino Over Under: the player plays under",
    "surrender": "Casino Over Under: the player gives up the ante",
    "play": "Teen Patti: the player plays on",
    "fold": "Teen Patti: the player folds",
    "keep": "High Side: the player keeps the wager that may be withdrawn now",
}
Choice = Annotated[str, known("What the player decides.", CHOICES)]
ANNOUNCED = {
    "dice": "the sum of the dice",
    "short-side": "the Short Side is offered, with its ranks and what it pays",
    "no-short-side": "the Short Side is not offered",
    "no-bonus?": "a player with an ante and no bonus is asked",
    "outcome": "how a wager ended, or the result that a studio declares",
    "card": "the card of a spot",
}
AnnouncedWhat = Annotated[str, known("What is announced.", ANNOUNCED)]
AnnouncedValue = Annotated[
    Whole | str,
    Meta(
        description=(
            "The number that is announced. An `outcome` of a live-dealer table is a text: `andar`, `bahar`,"
            " `a`, `b`, `tie`, `player`, `dealer`, or the card."
        )
    ),
]
Counter = Annotated[
    int,
    Meta(
        ge=1,
        le=LIMIT,
        description="The source's own counter in this stream: 1, 2, 3 … A jump is reported as `feed-gap`.",
    ),
]
Shape = Annotated[
    int,
    Meta(
        ge=1,
        le=LIMIT,
        description="The version of the kind's fields. So far every kind has only version 1.",
    ),
]
Currency = Annotated[
    str,
    Meta(
        description=(
            "The currency of every amount in the stream, as ISO 4217 codes it: the codes under Currencies."
        ),
        examples=["USD"],
        extra_json_schema={"enum": list(CURRENCIES)},
        extra={KNOWN: dict.fromkeys(CURRENCIES, ""), CLOSED: True},
    ),
]
LeastAndMost = tuple[
    Annotated[Whole, counts(MINOR, "The least.", 1000)], Annotated[Whole, counts(MINOR, "The most.", 50000)]
]
Limits = Annotated[
    dict[Wager, LeastAndMost],
    Meta(
        description=("The minimum and maximum bet of each wager; `*` is every wager that is not named."),
        examples=[{"*": [1000, 50000]}],
    ),
]
GameCode = Annotated[
    str, Meta(description="The game: one of those under Games.", examples=["easy_over_under"])
]
Edition = Annotated[
    str,
    Meta(
        description="The edition of the game's manual, one of those listed for the game.",
        examples=["2010-02-05"],
    ),
]
Decks = Annotated[Whole, counts("decks", "How many decks are in the shoe.", 6)]
Spots = Annotated[
    Whole,
    counts("betting positions", "How many betting positions there are; 0 means that there is no limit.", 6),
]
Chip = Annotated[Amount, Meta(description="The value of the smallest chip.", examples=[100])]
PayTables = Annotated[
    dict[str, str],
    Meta(
        description="The pay table of each wager that the game has several pay tables for.",
        examples=[{"spread": "B"}],
    ),
]
Readings = Annotated[
    dict[str, str],
    Meta(
        description=(
            "How the property answers the questions that the game's manual leaves open. A question that is"
            " left out has the default answer."
        ),
        examples=[{"rounding": "exact"}],
    ),
]
Pips = Annotated[Whole, counts("pips", "What a die shows.", 6)]
Sees = Annotated[
    list[str],
    Meta(
        description=(
            "The kinds of fact that the table's equipment reports. A rule that needs another kind is not"
            " judged at the table."
        ),
        examples=[["round-opened", "bet", "deal", "take", "pay", "round-closed"]],
    ),
]
Shifts = Annotated[
    dict[Shift, Annotated[Instant, Meta(description="When the shift begins.")]],
    Meta(description="The shifts of the day, each with the instant at which it begins."),
]
Continues = Annotated[
    bool,
    Meta(
        description=(
            "The previous shoe is continued without a shuffle. The rules of the shoe are not judged until the"
            " next `shuffled`."
        )
    ),
]
Ranks = Annotated[
    list[str],
    Meta(description="The ranks of the Short Side that are announced.", examples=[["T", "J", "Q", "K"]]),
]
RawText = Annotated[
    str,
    Meta(
        description="What a feed sent for the card if it was not a card: `card` is null then.",
        examples=["AHH"],
    ),
]
DeclaredCards = Annotated[
    dict[Place, list[str]],
    Meta(
        description=(
            "The cards that the result of a feed lists, by place; a text that is not a card is kept as it was"
            " sent."
        )
    ),
]
Contradicts = Annotated[
    list[tuple[str, str, str]],
    Meta(
        description=(
            "Values that contradict each other in one message of a feed: what they are about, one value,"
            " the other. It is reported as `feed-contradicts`."
        ),
        examples=[[["the card", "CardName 6d", "CardValue 5"]]],
    ),
]
