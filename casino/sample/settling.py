"""What a hand at the sample tables wins or loses: a second opinion, written from the manuals alone.

Nothing here comes from `games`, and nothing there from here: the sample nights put the two against each
other. Amounts are minor units, signed from the player's side.
"""

from __future__ import annotations

from fractions import Fraction

RANKS = "A23456789TJQK"
SUITS = "shdc"

SHORT_SIDE_PAYS = {2: (11, 1), 12: (11, 1), 3: (5, 1), 11: (5, 1), 4: (3, 1), 10: (3, 1), 5: (2, 1), 9: (2, 1), 6: (7, 5), 8: (7, 5)}
SPREAD_PAYS = {"A": {6: 1, 7: 2, 8: 3, 9: 5, 10: 10, 11: 30}, "B": {6: 1, 7: 2, 8: 3, 9: 5, 10: 10, 11: 25}}
EASY_WAGERS = ("over", "under", "spread", "short-side")

BAHAR_FIRST = "ezugi-bahar-first"
# The manual multiplies the stake that comes back as well, so one stake is less than its "X".
PLACES = {
    "1-5": (1, 5, Fraction(5, 2)),
    "6-10": (6, 10, Fraction(7, 2)),
    "11-15": (11, 15, Fraction(9, 2)),
    "16-25": (16, 25, Fraction(7, 2)),
    "26-30": (26, 30, Fraction(14)),
    "31-35": (31, 35, Fraction(24)),
    "36-40": (36, 40, Fraction(49)),
    "41+": (41, 51, Fraction(119)),
}
ANDAR_WAGERS = ("andar", "bahar", *PLACES)


def pip(card: str) -> int:
    """Ace is 1, Jack 11, Queen 12, King 13."""
    return RANKS.index(card[0]) + 1


def short_side(roll: int) -> list[str]:
    """The ranks of the short side of the number grid; none on a seven."""
    if roll == 7:
        return []
    return list(RANKS[: roll - 1] if roll < 7 else RANKS[roll:])


def easy(wager: str, stake: int, dice: tuple[int, ...], card: str, pay_table: str) -> Fraction:
    """What a wager at Easy Over Under is owed once the spot's card lies."""
    roll, value = sum(dice), pip(card)
    if wager == "spread":
        pays = SPREAD_PAYS[pay_table].get(abs(value - roll))
        return Fraction(-stake if pays is None else stake * pays)
    if value == roll:
        return Fraction(0) if dice[0] == dice[1] else Fraction(-stake, 2)
    if wager == "short-side":
        odds = SHORT_SIDE_PAYS[roll]
        return Fraction(stake * odds[0], odds[1]) if card[0] in short_side(roll) else Fraction(-stake)
    return Fraction(stake if (value > roll) == (wager == "over") else -stake)


def andar(wager: str, stake: int, side: str, place: int, edition: str) -> Fraction:
    """What a wager at Andar Bahar is owed when the match lies on `side` as card `place` after the joker."""
    if wager in PLACES:
        low, high, odds = PLACES[wager]
        return stake * odds if low <= place <= high else Fraction(-stake)
    if wager != side:
        return Fraction(-stake)
    first = "bahar" if edition == BAHAR_FIRST else "andar"
    return Fraction(stake * 9, 10) if wager == first else Fraction(stake)


def rounded(owed: Fraction, chip: int, reading: str, stake: int) -> Fraction:
    """What is settled of what is owed where only whole chips move; never more than the stake is lost."""
    if reading == "exact":
        return owed
    steps = owed / chip
    whole = steps.numerator // steps.denominator if reading == "house" else -(-steps.numerator // steps.denominator)
    return max(Fraction(whole * chip), Fraction(-stake))
