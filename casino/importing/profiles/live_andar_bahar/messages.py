"""Read the vendor's messages, one on each line. A message is identified by its round, its type and its
timestamp in milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import IO, Any

from casino.importing import ImportOptions, Note, Refusal
from casino.importing.clock import parse_timestamp
from casino.importing.delivery import JOKER, Draft
from casino.importing.document import read_object
from casino.importing.line_reader import lines_of
from casino.importing.profiles.live_andar_bahar.vocabulary import (
    SIDES,
    SPOT,
    WAGERS,
    Contradictions,
    field,
    round_name,
    side,
    winner_of,
    with_contradictions,
)
from casino.importing.spelling import counts_as, parse_integer, raw_text, read_card

SEES = frozenset(
    {"table-opened", "shuffled", "round-opened", "deal", "no-more-bets", "announce", "round-closed"}
)
"""What this source reports. It does not report stakes and settlements."""
TYPES = ("SHUFFLE", "Card", "PLACE_YOUR_BETS", "NO_MORE_BETS", "WonBets", "GAME_RESULT")
LISTS = {"JokerCard": JOKER, "BaharCards": "bahar", "AndarCards": "andar"}
"""For each list of cards in a result: the place to which its cards were dealt."""


def read(file: IO[bytes], options: ImportOptions) -> Iterator[Draft | Refusal | Note]:
    """Yield the facts of the messages as drafts (without uid and gaming day), and the refusals and notes.
    Each has the number of its line.
    """
    reader, unpaid = Messages(options), 0
    for number, line in lines_of(file):
        try:
            message = read_object(line)
            drafts = list(reader.drafts(number, message))
        except ValueError as error:
            yield Refusal(number, str(error))
            continue
        unpaid += message["MessageType"] == "WonBets"
        yield from drafts
    if unpaid:
        yield Note(
            f"{unpaid} WonBets messages are not recorded: no message gives the stakes, so neither stakes nor"
            " payments can be recorded"
        )


class Messages:
    """Converts the messages of one table to drafts of facts. It remembers the cards that it has read."""

    def __init__(self, options: ImportOptions) -> None:
        self.options = options
        self.table: str | None = None
        self.cards: dict[str, dict[str, list[str | None]]] = {}
        """{round: {place to which cards were dealt: these cards}}. A card that cannot be read is None."""

    def drafts(self, line: int, message: dict[str, Any]) -> Iterator[Draft]:
        """Yield the drafts of one message's facts. Raise ValueError if the message cannot be understood."""
        self._check_table(message)
        kind = field(message, "MessageType")
        if kind not in TYPES:
            raise ValueError(f"unknown MessageType {str(kind)[:60]!r}")
        round = round_name(message)
        at = parse_timestamp(field(message, "timeStamp"), self.options.zone, self.options.notes)
        if kind == "SHUFFLE":
            # The vendor names no shoe, so the table's code is used.
            yield Draft(
                line,
                at,
                "shuffled",
                round,
                {"shoe": (self.options.table or "").partition("/")[2], "decks": 1},
            )
        elif kind == "NO_MORE_BETS":
            yield Draft(line, at, "no-more-bets", round, {})
        elif kind == "Card":
            yield self._card(line, at, round, message)
        elif kind == "WonBets":
            yield from self._won(line, at, round, message)
        elif kind == "GAME_RESULT":
            yield Draft(line, at, "announce", round, result(round, message))
            yield Draft(line, at, "round-closed", round, {})

    def _check_table(self, message: dict[str, Any]) -> None:
        """Raise ValueError if a message is from another game or another table than the messages before it."""
        if message.get("gameType", "AndarBahar") != "AndarBahar":
            raise ValueError(f"gameType is {str(message['gameType'])[:60]!r}, not 'AndarBahar'")
        sent = message.get("TableId")
        table = None if sent is None else str(sent)[:100]
        if None not in (table, self.table) and table != self.table:
            raise ValueError(f"TableId is {table!r}; the file is of table {self.table!r}")
        self.table = self.table or table

    def _card(self, line: int, at: datetime, round: str, message: dict[str, Any]) -> Draft:
        to = side(field(message, "CardHand"), SIDES | {JOKER: JOKER}, "CardHand")
        card, value = read_card(field(message, "CardName")), message.get("CardValue")
        contradictions: Contradictions = []
        if value is not None and card.card is not None and not counts_as(card.card, value):
            number = parse_integer(value)
            contradictions.append(
                (
                    "the card",
                    f"CardName {card.card}",
                    f"CardValue {raw_text(value) if number is None else number}",
                )
            )
        self.cards.setdefault(round, {}).setdefault(to, []).append(card.card)
        return Draft(
            line, at, "deal", round, with_contradictions({"to": to} | card.fields, contradictions), to
        )

    def _won(self, line: int, at: datetime, round: str, message: dict[str, Any]) -> Iterator[Draft]:
        """Yield an announced outcome for each side that the message pays, if another side wins by the cards
        in this file.
        """
        won = message.get("WinningBets")
        if won is not None and not isinstance(won, dict):
            raise ValueError("WinningBets is not an object of wagers and amounts")
        cards = self.cards.get(round, {})
        winner = winner_of(next(iter(cards.get(JOKER, ())), None), cards)
        for name in dict.fromkeys(WAGERS[name] for name in won or {} if name in WAGERS):
            if winner not in (None, name):
                yield Draft(
                    line,
                    at,
                    "announce",
                    round,
                    {"what": "outcome", "value": name, "spot": SPOT, "declared_cards": {}},
                    SPOT,
                )


def result(round: str, message: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the announced outcome of a round. Winner and cards are those in the vendor's
    result message. If its winner does not win with its cards, add a contradiction.
    """
    sent = field(message, "GameResults")
    if not isinstance(sent, dict) or str(sent.get("RoundId", round)) != round:
        raise ValueError("GameResults is not the result of this round")
    winner = side(field(sent, "WinningHand"), SIDES, "WinningHand")
    listed = {
        place: cards for name, place in LISTS.items() if (cards := _listed(sent.get(name), name)) is not None
    }
    by_cards = winner_of(next(iter(listed.get(JOKER, ())), None), listed)
    contradictions: Contradictions = []
    if by_cards not in (None, winner):
        contradictions.append(
            ("the outcome", f"WinningHand {winner}", f"{by_cards} by the cards that the result lists")
        )
    return with_contradictions({"what": "outcome", "value": winner, "declared_cards": listed}, contradictions)


def _listed(sent: Any, name: str) -> list[str] | None:
    """Return the cards of a list in the spelling of facts, or None if there is no list. A card that cannot be
    read is returned as it was sent. Raise ValueError if the value is not a list of cards.
    """
    cards = [sent] if isinstance(sent, str) else sent
    if cards is not None and (
        not isinstance(cards, list) or not all(isinstance(card, str | int | None) for card in cards)
    ):
        raise ValueError(f"{name} is not a list of cards")
    return None if cards is None else [read_card(card).shown for card in cards]
