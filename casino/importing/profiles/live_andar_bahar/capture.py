"""Read a capture of whole rounds in one document: the cards of each round, its result, and what the one known
account staked and won.

Everything in a round has the round's timestamp, so cards are identified by their index. Values that a capture
contains more than once are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import chain, zip_longest
from typing import IO, Any, NamedTuple

from msgspec import Struct
from msgspec import field as default

from casino.importing import ImportOptions, Note, Refusal
from casino.importing.clock import parse_timestamp
from casino.importing.delivery import JOKER, Draft
from casino.importing.document import Broken, Member, members
from casino.importing.profiles.live_andar_bahar.vocabulary import (
    CURRENCY,
    SIDES,
    SPOT,
    WAGERS,
    Contradictions,
    field,
    round_name,
    side,
    with_contradictions,
)
from casino.importing.spelling import Card, counts_as, minor_units, parse_integer, raw_text, read_card
from games.andar_bahar.manual import SIDE_BETS

SEES = frozenset({"table-opened", "round-opened", "bet", "deal", "announce", "pay", "round-closed"})
"""What this source reports. It reports the stakes of only one account. It does not report shuffles, the end
of betting, or the taking of lost bets.
"""
RULES, SETTLEMENT, FLOW = "vendor_rules", "settlement_round_", "message_flow_round_"


class Settlement(NamedTuple):
    """What the one known account staked and won in a round, by wager, in minor units. `won` does not include
    the stake.
    """

    line: int
    stakes: dict[str, int]
    won: dict[str, int]
    contradicts: Contradictions


class Contents(Struct):
    """Everything that a capture contains in addition to its rounds."""

    first: str | None = None
    """The side to which the first card after the joker is dealt."""
    settled: dict[str, Settlement] = default(default_factory=dict)
    flows: dict[str, Any] = default(default_factory=dict)
    """For each round: the messages of the round that are in the capture."""


def read(file: IO[bytes], options: ImportOptions) -> Iterator[Draft | Refusal | Note]:
    """Yield the facts of a capture as drafts (without uid and gaming day), and its refusals. Each has the
    number of the line at which its member begins.
    """
    rounds: list[Member] = []
    contents = Contents()
    try:
        for member in members(file.read().decode("utf-8-sig"), "rounds"):
            if member.key == "rounds":
                rounds.append(member)
            else:
                try:
                    add(contents, member, options.currency or CURRENCY)
                except ValueError as error:
                    yield Refusal(member.line, f"{member.key}: {error}")
    except UnicodeDecodeError:
        yield Refusal(1, "the file is not UTF-8")
    except Broken as broken:
        yield Refusal(broken.line, f"the capture ends too early here: {broken.why}")
    for member in rounds:
        try:
            yield from card_drafts(member, contents, options)
        except ValueError as error:
            yield Refusal(member.line, str(error))
    for name, settlement in contents.settled.items():
        yield Refusal(settlement.line, f"{SETTLEMENT}{name}: this capture has no recorded round of that name")


def add(contents: Contents, member: Member, currency: str) -> None:
    """Add a member that is not a round to `contents`. Raise ValueError if the member cannot be understood."""
    if member.key.startswith(RULES) and isinstance(member.value, dict):
        contents.first = str(member.value.get("first_side", "")).lower()
    elif member.key.startswith(SETTLEMENT):
        contents.settled[member.key.removeprefix(SETTLEMENT)] = settlement_of(member, currency)
    elif member.key.startswith(FLOW):
        contents.flows[member.key.removeprefix(FLOW)] = member.value


def settlement_of(member: Member, currency: str) -> Settlement:
    """Return the account's stake and its net winnings in a round. The vendor's winnings include the stake,
    which is subtracted here.
    """
    value = member.value
    stakes, back = (value.get("stake"), value.get("won_bets")) if isinstance(value, dict) else (None, None)
    if not isinstance(stakes, dict) or not isinstance(back, dict):
        raise ValueError("stake or won_bets is missing")
    staked, returned = Counter[str](), Counter[str]()
    for amounts, sums in ((stakes, staked), (back, returned)):
        for name, amount in amounts.items():
            if name not in WAGERS:
                raise ValueError(f"unknown wager {name[:60]!r}")
            sums[WAGERS[name]] += minor_units(amount, currency)
    if any(amount < 1 for amount in staked.values()) or any(
        0 < returned[wager] < staked[wager] for wager in staked
    ):
        raise ValueError("a stake must be greater than zero, and a win must be at least its stake")
    if strange := set(+returned) - set(staked):
        raise ValueError(f"a win on {', '.join(sorted(strange))} without a stake")
    won = {wager: returned[wager] - stake for wager, stake in staked.items()}
    return Settlement(member.line, dict(staked), won, list(differing_sums(value, back)))


def differing_sums(value: Mapping[str, Any], back: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield a contradiction if the total win differs from the sum of the amounts won. Yield another one if
    the expected final balance is not the balance after the stake plus the amounts won.

    Args:
        value: what the capture says about the account in this round.
        back: {wager: amount won} in `value`.
    """
    total, before, after = (
        _amount(value.get(name)) for name in ("win_amount", "balance_after_stake", "expected_balance")
    )
    paid = sum((_amount(amount) or Decimal(0) for amount in back.values()), Decimal(0))
    if total is not None and total != paid:
        yield "the amount won", f"win_amount {total}", f"won_bets {paid}"
    if None not in (before, after) and after != (before or 0) + paid:
        yield (
            "the balance",
            f"expected_balance {after}",
            f"balance_after_stake and won_bets {(before or 0) + paid}",
        )


def _amount(sent: Any) -> Decimal | None:
    """Return an amount as a number; None if it is not a number."""
    if isinstance(sent, bool) or not isinstance(sent, int | Decimal) or not Decimal(sent).is_finite():
        return None
    return Decimal(sent) if abs(Decimal(sent).adjusted()) < 18 else None


def card_drafts(member: Member, contents: Contents, options: ImportOptions) -> Iterator[Draft | Refusal]:
    """Yield one round: the joker, the stakes, the cards in the order in which they were dealt, the result,
    and the payments.
    """
    value = member.value
    if not isinstance(value, dict):
        raise ValueError("a round must be a JSON object")
    name, at = round_name(value), parse_timestamp(field(value, "timeStamp"), options.zone, options.notes)
    joker, cards = read_card(field(value, "joker")), dealing_order(value, contents.first)
    winner, money = value.get("winner"), contents.settled.pop(name, None)
    flow = Flow(contents.flows.get(name))
    round_contradictions = [
        *differing_counts(value, len(cards)),
        *(money.contradicts if money else ()),
        *flow.winner(winner),
    ]

    def draft(kind: str, place: str = "", ordinal: int = 0, **fields: Any) -> Draft:
        return Draft(member.line, at, kind, name, fields, place, ordinal, has_clock=False)

    # A contradiction that concerns the whole round is recorded with its result, or with its joker if it has
    # no result.
    of_joker = [*flow.card(JOKER, joker), *(round_contradictions if winner is None else ())]
    yield draft("deal", JOKER, **with_contradictions({"to": JOKER} | joker.fields, of_joker))
    for wager, stake in (money.stakes if money else {}).items():
        yield draft("bet", wager, spot=SPOT, wager=wager, amount=stake)
    numbers = Counter[str]()
    for to, card in cards:
        yield draft(
            "deal",
            to,
            numbers[to],
            **with_contradictions({"to": to} | card.fields, list(flow.card(to, card))),
        )
        numbers[to] += 1
    refused = None
    if winner is not None:
        try:
            fields = {"what": "outcome", "value": side(winner, SIDES, "winner"), "declared_cards": {}}
            yield draft("announce", **with_contradictions(fields, round_contradictions))
        except ValueError as error:
            refused = Refusal(member.line, f"round {name}: {error}; the round is left open")
    for wager, won in (money.won if money else {}).items():
        if won > 0:
            yield draft("pay", wager, spot=SPOT, wager=wager, amount=won)
    if refused is not None:
        yield refused
    elif winner is not None:
        yield draft("round-closed")


def dealing_order(value: Mapping[str, Any], first: str | None) -> list[tuple[str, Card]]:
    """Return the side and the card of each deal in the order in which they were dealt. The sides alternate,
    beginning with the side to which the vendor's rules deal first.
    """
    if first not in SIDES:
        raise ValueError("the capture does not say which side is dealt first (vendor_rules, first_side)")
    second = "bahar" if first == "andar" else "andar"
    lists = [field(value, name) for name in (first, second)]
    if not all(isinstance(cards, list) for cards in lists) or not 0 <= len(lists[0]) - len(lists[1]) <= 1:
        raise ValueError(
            f"the cards of {first} and {second} must alternate and begin with {first}; these do not"
            " alternate, so their order is not known"
        )
    filler = object()
    turns = chain.from_iterable(zip_longest(*lists, fillvalue=filler))
    return [
        ((first, second)[place % 2], read_card(card))
        for place, card in enumerate(turns)
        if card is not filler
    ]


def differing_counts(value: Mapping[str, Any], cards: int) -> Iterator[tuple[str, str, str]]:
    """Yield a contradiction if the declared number of cards is not the number of cards in the lists. Yield
    another one if the declared side bet (a range of numbers of cards) does not contain this number.
    """
    declared = value.get("cards_after_joker")
    if declared is not None and parse_integer(declared) != cards:
        yield "the number of cards", f"cards_after_joker {raw_text(declared)}", f"{cards} in the lists"
    band = value.get("side_bet_band")
    if band is not None:
        right = next((name for name, (first, last, _) in SIDE_BETS.items() if first <= cards <= last), "none")
        if raw_text(band).replace(" ", "") != right:
            yield "the band", f"side_bet_band {raw_text(band)}", f"{right} by {cards} cards in the lists"


class Flow:
    """The messages of one round that a capture quotes: its result and its cards. If a message is missing, the
    card messages after it are ignored.
    """

    def __init__(self, quoted: Any) -> None:
        self.cards: dict[str, list[tuple[Card, Any]]] = {}
        self.said: str | None = None
        is_complete = True
        for message in quoted if isinstance(quoted, list) else ():
            kind = message.get("type") if isinstance(message, dict) else None
            is_complete = is_complete and kind is not None
            if kind == "Card" and is_complete and isinstance(hand := message.get("hand"), str):
                self.cards.setdefault(hand.lower(), []).append(
                    (read_card(message.get("card")), message.get("value"))
                )
            elif kind == "GAME_RESULT" and isinstance(message.get("winner"), str):
                self.said = message["winner"]

    def card(self, place: str, listed: Card) -> Iterator[tuple[str, str, str]]:
        """Compare a card in the list of a side with the next quoted message about a card of this side. Yield
        a contradiction for each value that differs.
        """
        if not (waiting := self.cards.get(place)):
            return
        quoted, value = waiting.pop(0)
        if quoted.shown != listed.shown:
            yield "the card", f"{listed.shown} in the list", f"{quoted.shown} in its message"
        if value is not None and listed.card is not None and not counts_as(listed.card, value):
            yield "the card", f"{listed.card} in the list", f"value {raw_text(value)} in its message"

    def winner(self, listed: Any) -> Iterator[tuple[str, str, str]]:
        """Yield a contradiction if the quoted message names another winner than the round does."""
        if self.said is not None and isinstance(listed, str) and self.said.lower() != listed.lower():
            yield "the outcome", f"winner {raw_text(listed)}", f"{raw_text(self.said)} in its message"
