"""A live-dealer Andar Bahar table as its vendor sends it: the messages, one a line, or a capture of whole rounds.

Nothing is guessed. What has no fact here (PLACE_YOUR_BETS; WonBets, whose stake no message tells) records nothing; what
cannot be understood is refused with its line, and the rest goes in. A round that breaks off is left open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from itertools import chain, zip_longest
from typing import IO, Any, NamedTuple

from msgspec import DecodeError, json

from casino.importing import Item, Misused, Note, Refusal, Told
from casino.importing.clock import instant
from casino.importing.document import Broken, Member, members
from casino.importing.reading import lines_of
from casino.importing.spelling import card_of, minor_units
from casino.importing.table_day import Draft, TableDays
from games import GAMES

STRICT = False
TAKES = frozenset({"property", "table", "zone", "edition", "currency"})
CURRENCY = "USD"
"""The vendor's amounts name no currency; --currency says which, or it is this one."""
SPOT = "p-viewer"
"""The one account whose stakes a capture knows."""
SIDES = {"andar": "andar", "bahar": "bahar"}
WAGERS = {"AndarBet": "andar", "BaharBet": "bahar"}
"""The vendor's names of wagers that we have seen; another is refused."""
SETTLEMENT = "settlement_round_"
GAME = "andar_bahar"
SETTINGS = {
    "game": GAME,
    "pay_tables": dict.fromkeys(GAMES[GAME].pay_tables, "ezugi"),
    "decks": 1, "spots": 0, "limits": {}, "chip": 1, "readings": {},
}  # fmt: skip

_parse = json.Decoder(float_hook=Decimal).decode


def read(file: IO[bytes], told: Told) -> Iterator[Item]:
    """The facts of the file, after its refusals and notes: what the table saw is known only at the end."""
    if told.table is None:
        raise Misused("live_andar_bahar needs --table PROPERTY/TABLE: the vendor's messages do not say whose table it is")
    told = told._replace(currency=told.currency or CURRENCY)
    drafts: list[Draft] = []
    translated = _messages(file, told) if _is_messages(file) else _capture(file, told)
    for item in translated:
        if isinstance(item, Draft):
            drafts.append(item)
        else:
            yield item
    yield from TableDays(told, SETTINGS, "live_andar_bahar").facts(drafts)


def _is_messages(file: IO[bytes]) -> bool:
    """Whether the file has one message a line; else it is one document, a capture."""
    capture = False
    for _, line in lines_of(file):
        if b"MessageType" in line and "MessageType" in (_object(line) or ()):
            capture = False
            break
        capture = capture or b'"rounds"' in line
    file.seek(0)
    return not capture


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = _parse(line)
    except (DecodeError, UnicodeDecodeError, RecursionError, ArithmeticError):
        return None
    return found if isinstance(found, dict) else None


# -- messages, one a line --------------------------------------------------------------------------------


def _messages(file: IO[bytes], told: Told) -> Iterator[Draft | Refusal | Note]:
    unpaid = 0
    table: Any = None
    for number, line in lines_of(file):
        message = _object(line)
        try:
            if message is None:
                raise ValueError("it is no whole JSON object: half a line?")
            table = _of_this_table(message, table)
            drafts = list(_drafts(number, message, told))
        except ValueError as error:
            yield Refusal(number, str(error))
            continue
        unpaid += message["MessageType"] == "WonBets"
        yield from drafts
    if unpaid:
        yield Note(f"{unpaid} WonBets: no message tells what was staked, so nothing is recorded of them")


def _of_this_table(message: dict[str, Any], table: Any) -> Any:
    """The vendor's name of the table, once a message has said it."""
    if message.get("gameType", "AndarBahar") != "AndarBahar":
        raise ValueError(f"gameType is {message['gameType']!r}, not 'AndarBahar'")
    said = message.get("TableId")
    if None not in (said, table) and said != table:
        raise ValueError(f"TableId is {said!r}; the file is of table {table!r}")
    return said if table is None else table


def _drafts(line: int, message: dict[str, Any], told: Told) -> Iterator[Draft]:
    """The facts of one message. Raises ValueError where it cannot be understood."""
    kind = _field(message, "MessageType")
    if kind not in ("SHUFFLE", "Card", "PLACE_YOUR_BETS", "NO_MORE_BETS", "WonBets", "GAME_RESULT"):
        raise ValueError(f"unknown MessageType {kind!r}")
    round, at = _round(message), instant(_field(message, "timeStamp"), told.zone)

    def draft(fact: str, **fields: Any) -> Draft:
        return Draft(line, at, fact, round, fields, message)

    if kind == "SHUFFLE":
        # the vendor names no shoe: the table has one
        yield draft("shuffled", shoe=(told.table or "").partition("/")[2], decks=1)
    elif kind == "NO_MORE_BETS":
        yield draft("no-more-bets")
    elif kind == "Card":
        to = _side(_field(message, "CardHand"), SIDES | {"joker": "joker"}, "CardHand")
        yield draft("deal", to=to, card=card_of(_field(message, "CardName")))
    elif kind == "GAME_RESULT":
        result = _field(message, "GameResults")
        if not isinstance(result, dict) or str(result.get("RoundId", round)) != round:
            raise ValueError("GameResults is not the result of this round")
        yield draft("announce", what="outcome", value=_side(_field(result, "WinningHand"), SIDES, "WinningHand"))
        yield draft("round-closed")


def _field(message: dict[str, Any], name: str) -> Any:
    if name not in message:
        raise ValueError(f"{name} is missing")
    return message[name]


def _round(message: dict[str, Any]) -> str:
    """The vendor's number of the round is its name."""
    name = _field(message, "roundId")
    written = str(name)
    if isinstance(name, bool) or not isinstance(name, int | str) or not written.isprintable() or not 0 < len(written) <= 100:
        raise ValueError(f"roundId {written[:60]!r} names no round")
    return written


def _side(said: Any, known: dict[str, str], field: str) -> str:
    side = known.get(said.lower()) if isinstance(said, str) else None
    if side is None:
        raise ValueError(f"unknown {field} {said!r}")
    return side


# -- a capture: whole rounds in one document -------------------------------------------------------------


class Settlement(NamedTuple):
    """What the one known account staked and won in a round, by wager in minor units; `won` without the stake."""

    line: int
    stakes: dict[str, int]
    won: dict[str, int]


def _capture(file: IO[bytes], told: Told) -> Iterator[Draft | Refusal | Note]:
    rounds: list[Member] = []
    settled: dict[str, Settlement] = {}
    first: str | None = None
    try:
        for member in members(file.read().decode("utf-8-sig"), "rounds"):
            if member.key == "rounds":
                rounds.append(member)
            elif member.key.startswith("vendor_rules") and isinstance(member.value, dict):
                first = str(member.value.get("first_side", "")).lower()
            elif member.key.startswith(SETTLEMENT):
                try:
                    settled[member.key.removeprefix(SETTLEMENT)] = _settlement(member, told.currency or CURRENCY)
                except ValueError as error:
                    yield Refusal(member.line, f"{member.key}: {error}")
    except UnicodeDecodeError:
        yield Refusal(1, "the file is no UTF-8")
    except Broken as broken:
        yield Refusal(broken.line, f"the capture breaks off here: {broken.why}")
    for member in rounds:
        try:
            yield from _round_dealt(member, first, settled, told)
        except ValueError as error:
            yield Refusal(member.line, str(error))
    for name, settlement in settled.items():
        yield Refusal(settlement.line, f"{SETTLEMENT}{name}: no such round was recorded from this capture")


def _settlement(member: Member, currency: str) -> Settlement:
    """Stake and winnings as told; winnings come with the stake in them."""
    value = member.value
    stakes, back = (value.get("stake"), value.get("won_bets")) if isinstance(value, dict) else (None, None)
    if not isinstance(stakes, dict) or not isinstance(back, dict):
        raise ValueError("stake or won_bets is missing")
    staked, returned = Counter[str](), Counter[str]()
    for told, sums in ((stakes, staked), (back, returned)):
        for name, amount in told.items():
            if name not in WAGERS:
                raise ValueError(f"unknown wager {name!r}")
            sums[WAGERS[name]] += minor_units(amount, currency)
    if any(amount < 1 for amount in staked.values()) or any(0 < returned[wager] < staked[wager] for wager in staked):
        raise ValueError("a stake below nothing, or a win smaller than its stake")
    if strange := set(+returned) - set(staked):
        raise ValueError(f"a win on {', '.join(sorted(strange))} without a stake")
    return Settlement(member.line, dict(staked), {wager: returned[wager] - stake for wager, stake in staked.items()})


def _round_dealt(member: Member, first: str | None, settled: dict[str, Settlement], told: Told) -> Iterator[Draft | Refusal]:
    """One round: joker, stake, the cards as they were dealt in turn, the result, what was paid."""
    value = member.value
    if not isinstance(value, dict):
        raise ValueError("a round is an object")
    name, at = _round(value), instant(_field(value, "timeStamp"), told.zone)
    joker, cards = card_of(_field(value, "joker")), _in_turn(value, first)
    made = _Round(member.line, at, name)
    yield made.draft("deal", to="joker", card=joker)
    money = settled.pop(name, None)
    for wager, stake in (money.stakes if money else {}).items():
        yield made.draft("bet", spot=SPOT, wager=wager, amount=stake)
    for side, card in cards:
        yield made.draft("deal", to=side, card=card)
    winner, refused = value.get("winner"), None
    if winner is not None:
        try:
            yield made.draft("announce", what="outcome", value=_side(winner, SIDES, "winner"))
        except ValueError as error:
            refused = Refusal(member.line, f"round {name}: {error}; the round is left open")
    for wager, won in (money.won if money else {}).items():
        if won > 0:
            yield made.draft("pay", spot=SPOT, wager=wager, amount=won)
    if refused is not None:
        yield refused
    elif winner is not None:
        yield made.draft("round-closed")


def _in_turn(value: dict[str, Any], first: str | None) -> list[tuple[str, str | None]]:
    """(side, card) in the order dealt: by turns, from the side that the vendor's rules deal first."""
    if first not in SIDES:
        raise ValueError("the capture does not say which side is dealt first (vendor_rules, first_side)")
    second = "bahar" if first == "andar" else "andar"
    lists = [_field(value, side) for side in (first, second)]
    if not all(isinstance(cards, list) for cards in lists) or not 0 <= len(lists[0]) - len(lists[1]) <= 1:
        raise ValueError(f"the cards of {first} and {second} do not come by turns from {first}: their order is not known")
    nothing = object()
    turns = chain.from_iterable(zip_longest(*lists, fillvalue=nothing))
    return [((first, second)[place % 2], card_of(card)) for place, card in enumerate(turns) if card is not nothing]


class _Round:
    """A round of a capture: all of it has the round's one clock, so cards are told apart by their place."""

    def __init__(self, line: int, at: datetime, name: str) -> None:
        self.line, self.at, self.name, self.cards = line, at, name, 0

    def draft(self, kind: str, **fields: Any) -> Draft:
        """The next fact of it."""
        self.cards += kind == "deal"
        return Draft(self.line, self.at, kind, self.name, fields, [self.cards if kind == "deal" else None, fields])
