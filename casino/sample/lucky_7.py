"""Honest rounds of Lucky 7 at a live-dealer table, as the Ezugi rules order them."""

from __future__ import annotations

from fractions import Fraction

SEES = (
    "alarm", "alarm-answered", "announce", "bet", "bets", "burn", "corrected", "cut-card-shown", "deal", "dealer-seated", "no-more-bets",
    "paused", "pay", "player-back", "player-lost", "resumed", "return", "round-closed", "round-opened", "settled", "shuffled",
    "table-closed", "table-opened", "take", "unbet", "void",
)  # fmt: skip
LOW, HIGH, EVEN, RED = "A23456", "89TJQK", "2468TQ", "hd"
SIDES = {
    "ezugi": {"red": Fraction(98, 100), "black": Fraction(98, 100), "odd": Fraction(8, 10), "even": Fraction(11, 10)},
    "ezugi-0.9": {"red": Fraction(9, 10), "black": Fraction(9, 10), "odd": Fraction(8, 10), "even": Fraction(1)},
}
LUCKY_WAGERS = ("7-up", "7", "7-down", *SIDES["ezugi"])


def lucky(wager: str, stake: int, card: str, edition: str) -> Fraction:
    """What a wager at Lucky 7 is owed when this card was dealt: a second opinion, written from the manual alone."""
    rank, suit = card[0], card[1]
    if wager in SIDES[edition]:
        won = {"red": suit in RED, "black": suit not in RED, "even": rank in EVEN, "odd": rank not in EVEN}[wager]
        return stake * SIDES[edition][wager] if won else Fraction(-stake)
    if wager == "7":
        return Fraction(11 * stake if rank == "7" else -stake)
    if rank == "7":
        return Fraction(-stake, 2)
    return Fraction(stake if rank in (HIGH if wager == "7-up" else LOW) else -stake)
