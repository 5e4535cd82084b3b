"""Hands reconstructed from the facts of the ledger. Tests compare them with the results of the search, which
reads a database table of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.db import connection
from msgspec import json

from audit.review import hands, queue
from audit.review.projections import GRADES

ZONE = "America/Los_Angeles"


class Hand(NamedTuple):
    """A hand reconstructed from its facts. `queued` is its row in the queue of surveillance."""

    stream: str
    name: str
    facts: list[dict[str, Any]]
    opened: dict[str, Any]
    seated: dict[str, Any]
    queued: queue.Hand | None

    def fields(self, kind: str, name: str) -> list[Any]:
        return [fact[name] for fact in self.facts if fact["kind"] == kind and fact.get(name) is not None]

    def moves(self, kind: str, batch: str) -> list[tuple[str, str, int]]:
        """Return the bets or payments of a hand as (spot, wager, amount). They come from facts of the kind
        `kind` and from the lists in the field `batch`.
        """
        single = [
            (fact["spot"], fact["wager"], fact["amount"]) for fact in self.facts if fact["kind"] == kind
        ]
        return [*single, *(tuple(move) for fact in self.facts for move in fact.get(batch) or ())]

    @property
    def at(self) -> datetime:
        return datetime.fromisoformat(self.facts[0]["at"])

    @property
    def staked(self) -> int:
        bets = sum(amount for *_, amount in self.moves("bet", "bets"))
        return bets - sum(fact["amount"] for fact in self.facts if fact["kind"] == "unbet")

    @property
    def paid(self) -> int:
        return sum(amount for *_, amount in self.moves("pay", "paid"))

    @property
    def places(self) -> list[tuple[str, str, int]]:
        return [
            *self.moves("bet", "bets"),
            *self.moves("pay", "paid"),
            *self.moves("take", "taken"),
            *self.moves("return", ""),
        ]


def all_hands(property: str = "aurora") -> list[Hand]:
    """Return all finished hands of a property, reconstructed from its facts."""
    rows = {
        (row.stream, row.hand): row
        for rank in (0, queue.NOTICE_RANK)
        for row in queue.page(queue.Wanted((property,), rank=rank, state="all")).rows
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT stream, body FROM fact WHERE property = %s AND stream NOT LIKE %s ORDER BY 1, number",
            [property, f"{property}/house/%"],
        )
        facts = [(stream, json.decode(bytes(body))) for stream, body in cursor.fetchall()]
    return list(_hands(facts, rows))


def _hands(facts: list[tuple[str, dict[str, Any]]], rows: dict[Any, queue.Hand]) -> Iterator[Hand]:
    opening: dict[str, dict[str, Any]] = {}
    seated: dict[str, dict[str, Any]] = {}
    present: list[dict[str, Any]] = []
    for stream, fact in facts:
        kind = fact["kind"]
        if kind == "table-opened":
            opening[stream] = fact
        elif kind == "dealer-seated":
            seated[stream] = fact
        if kind == "round-opened":
            present = [fact]
        elif present:
            present.append(fact)
            if kind == "round-closed":
                name = fact["round"]
                yield Hand(stream, name, present, opening[stream], seated[stream], rows.get((stream, name)))
                present = []


def results(hand: Hand) -> set[str]:
    """Return the results of a hand: `void`, or how each wager ended, such as `over won`, and the total of a
    roll, such as `roll 7`.
    """
    if any(fact["kind"] == "void" for fact in hand.facts):
        return {"void"}
    played = hands.played(hand.stream.partition("/")[0], hand.stream, hand.name)
    assert played is not None
    ended = {
        f"{wager.wager} {'won' if wager.owed > 0 else 'lost' if wager.owed < 0 else 'push'}"
        for wager in played.wagers
        if wager.owed is not None and wager.stake
    }
    dice = [die for fact in hand.facts if fact["kind"] == "roll" for die in fact["dice"]]
    return ended | ({f"roll {sum(dice)}"} if dice else set())


def local_date(hand: Hand) -> date:
    return hand.at.astimezone(ZoneInfo(ZONE)).date()


def grade(hand: Hand) -> str:
    return GRADES[hand.queued.rank - 1] if hand.queued is not None else "none"


def money(hand: Hand) -> Any:
    return hand.queued.to_player + hand.queued.to_house if hand.queued is not None else 0


def of_pit(hand: Hand, pit: str) -> bool:
    table, day = hand.stream.split("/")[1:]
    return {"EOU-07": "pit-1", "L7-1": "pit-1", "AB-1": "pit-2" if day < "2026-11-28" else ""}.get(
        table
    ) == pit


FILTERS: dict[str, tuple[dict[str, str], Callable[[Hand], bool]]] = {
    "dealer": ({"dealer": "d-101"}, lambda hand: hand.seated["dealer"] == "d-101"),
    "supervisor": (
        {"supervisor": "s-201,s-202"},
        lambda hand: hand.seated["supervisor"] in ("s-201", "s-202"),
    ),
    "named player": ({"player": "p-1"}, lambda hand: "p-1" in hand.fields("bet", "player")),
    "player": ({"player": "PLAYER"}, lambda hand: False),
    "spot": ({"spot": "3"}, lambda hand: any(spot == "3" for spot, *_ in hand.places)),
    "wager": (
        {"wager": "over,andar"},
        lambda hand: any(wager in ("over", "andar") for _, wager, _ in hand.places),
    ),
    "outcome": ({"outcome": "over won"}, lambda hand: "over won" in results(hand)),
    "roll": ({"outcome": "roll 7,roll 9"}, lambda hand: bool({"roll 7", "roll 9"} & results(hand))),
    "card": ({"card": "7"}, lambda hand: any(card[0] == "7" for card in cards(hand))),
    "one card": ({"card": "Td"}, lambda hand: "Td" in cards(hand)),
    "code": (
        {"code": "late-bet"},
        lambda hand: hand.queued is not None and "late-bet" in hand.queued.codes,
    ),
    "grade": ({"grade": "money"}, lambda hand: grade(hand) == "money"),
    "no finding": ({"grade": "none"}, lambda hand: grade(hand) == "none"),
    "state": ({"state": "open"}, lambda hand: hand.queued is not None and hand.queued.state == "open"),
    "verdict": (
        {"verdict": "confirmed"},
        lambda hand: hand.queued is not None and hand.queued.state == "decided",
    ),
    "officer": (
        {"officer": "v-101"},
        lambda hand: hand.queued is not None and hand.queued.state == "decided",
    ),
    "shift": ({"shift": "SHIFT"}, lambda hand: False),
    "pit": ({"pit": "pit-2"}, lambda hand: of_pit(hand, "pit-2")),
    "table": ({"table": "EOU-07"}, lambda hand: hand.stream.split("/")[1] == "EOU-07"),
    "game": ({"game": "lucky_7"}, lambda hand: hand.opened["game"] == "lucky_7"),
    "staked_from": (
        {"staked_from": "100"},
        lambda hand: hand.opened["currency"] == "USD" and hand.staked >= 10_000,
    ),
    "paid_from": (
        {"paid_from": "50.00", "currency": "EUR"},
        lambda hand: hand.opened["currency"] == "EUR" and hand.paid >= 5_000,
    ),
    "difference_from": ({"difference_from": "10"}, lambda hand: money(hand) >= 1_000),
    "day_from": ({"day_from": "2026-11-28"}, lambda hand: hand.stream[-10:] >= "2026-11-28"),
    "day_last": ({"day_last": "2026-11-27"}, lambda hand: hand.stream[-10:] <= "2026-11-27"),
    "date_from": ({"date_from": "2026-11-28"}, lambda hand: local_date(hand) >= date(2026, 11, 28)),
    "date_last": (
        {"date_from": "2026-11-27", "date_last": "2026-11-27"},
        lambda hand: local_date(hand) == date(2026, 11, 27),
    ),
    "all": (
        {"game": "easy_over_under", "grade": "money", "wager": "over", "dealer": "d-101,d-102"},
        lambda hand: (
            hand.opened["game"] == "easy_over_under"
            and grade(hand) == "money"
            and any(wager == "over" for _, wager, _ in hand.places)
        ),
    ),
}
"""For each filter: parameters, and a function that returns True if a reconstructed hand fits them. The tests
of `player` and `shift` take the value from a hand.
"""


def cards(hand: Hand) -> list[str]:
    return [*hand.fields("deal", "card"), *hand.fields("burn", "card")]


def shift(hand: Hand) -> str:
    shift_begins = sorted(
        (datetime.fromisoformat(at), name) for name, at in (hand.opened.get("shifts") or {}).items()
    )
    return next(
        (name for at, name in reversed(shift_begins) if at <= hand.at),
        shift_begins[0][1] if shift_begins else "",
    )
