"""Money faults that games share: each wager settled wrongly in each way, not settled, settled twice or too
soon, and wrong corrections.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from casino.sample.faults.hand import Hand, plain_hand
from casino.sample.faults.planting import listed, shared
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.table import TABLES

WANT = {
    "overpaid": "win",
    "underpaid": "win",
    "took-a-winner": "win",
    "paid-a-loser": "lose",
    "overtaken": "lose",
    "undertaken": "lose",
    "push-moved": "push",
}


def wrong(day: Day, wager: str, slip: str) -> Hand:
    """Settle the wager wrongly in the way that `slip` names, such as `overpaid`. The finding is at the take
    or pay of the wager. Return the hand.
    """
    hand = Hand(day, wager, WANT[slip])
    if slip == "push-moved":
        moved = (1 if wager in day.table.payments else day.rng.choice((-1, 1))) * hand.stake
    elif slip in ("took-a-winner", "paid-a-loser"):
        hand.play.drop(hand.moves[0])
        moved = -hand.stake if slip == "took-a-winner" else hand.stake
    else:
        fact, step = hand.moves[0], day.table.chip
        if day.rng.random() < 0.5:
            step = fact["amount"] // 2 // step * step or step
        fact["amount"] += step if slip in ("overpaid", "overtaken") else -step
        moved = fact["amount"] if fact["kind"] == "pay" else -fact["amount"]
    if not hand.moves:
        fact = hand.put(moved)
    hand.expect(fact, "wrong-settlement", owed=hand.owed, moved=moved, slip=slip)
    hand.keep()
    return hand


def not_settled(day: Day, wager: str) -> None:
    """Leave a wager unsettled although something is owed on it."""
    ends = [end for end in day.table.wagers[wager] if end in ("win", "lose")]
    hand = Hand(day, wager, day.rng.choice(ends))
    hand.play.drop(hand.moves[0])
    hand.expect(hand.play.one("round-closed"), "not-settled", owed=hand.owed, moved=0)
    hand.keep()


for _table in TABLES.values():
    for _wager, _ends in _table.wagers.items():
        listed(_table, f"not-settled:{_wager}", partial(not_settled, wager=_wager))
        for _slip, _want in WANT.items():
            if _want in _ends:
                listed(_table, f"wrong-settlement:{_wager}:{_slip}", partial(wrong, wager=_wager, slip=_slip))  # type: ignore[arg-type]


def rounded_the_wrong_way(day: Day) -> None:
    """Round an owed amount in the player's favor, although this table must round in the casino's favor."""
    wager, want, stake, _ = day.table.uneven
    hand = Hand(day, wager, want, stake=stake)
    fact = hand.moves[0]
    fact["amount"] += day.table.chip if hand.owed > 0 else -day.table.chip
    moved = fact["amount"] if hand.owed > 0 else -fact["amount"]
    hand.expect(fact, "wrong-settlement", moved=moved, slip="overpaid" if hand.owed > 0 else "undertaken")
    hand.keep()


for _table in TABLES.values():
    if _table.uneven:
        _settings = {"rounding": "house"} | _table.uneven[3]
        listed(_table, "wrong-settlement:rounded-for-the-player", rounded_the_wrong_way, **_settings)


def settled_twice(day: Day, want: str) -> None:
    """Pay a winning wager twice, or take a losing wager twice."""
    hand = plain_hand(day, want)
    fact = hand.moves[0]
    second = hand.money(fact["kind"], fact["amount"])
    hand.play.put_after(fact, second)
    hand.expect(second, "settled-twice", owed=hand.owed, moved=2 * hand.owed)
    hand.keep()


shared("settled-twice:paid")(partial(settled_twice, want="win"))
shared("settled-twice:taken")(partial(settled_twice, want="lose"))


def without_bet(day: Day, want: str, kind: str) -> None:
    """Pay or take a wager that the spot did not bet, or let its player take back a stake that was never
    placed.
    """
    hand = Hand(day, day.table.plain[0], want)
    bet = hand.play.one("bet", spot=hand.spot)
    bets = {bet["wager"] for bet in hand.play.all("bet", spot=hand.spot)}
    hand.wager = next(
        wager for wager in reversed(day.table.wagers) if wager not in bets and wager not in day.table.payments
    )
    if kind == "unbet":
        fact = hand.money(kind, 1_000)
        hand.play.put_after(bet, fact)
        hand.expect(fact, "no-such-bet")
    else:
        fact = hand.put(1_000 if kind == "pay" else -1_000)
        hand.expect(fact, "no-such-bet", moved=1_000 if kind == "pay" else -1_000)
        hand.expect(fact, "wrong-settlement", optional=True)
    hand.keep()


shared("no-such-bet:paid")(partial(without_bet, want="win", kind="pay"))
shared("no-such-bet:taken")(partial(without_bet, want="lose", kind="take"))
shared("no-such-bet:unbet")(partial(without_bet, want="win", kind="unbet"))


@shared("settled-too-soon")
def settled_too_soon(day: Day) -> None:
    """Settle a wager before the card that decides it."""
    hand = plain_hand(day)
    fact = hand.moves[0]
    hand.play.move_before(fact, day.table.deciding(hand.play, hand.spot, hand.wager))
    hand.expect(fact, "settled-too-soon")
    day.expect(fact, "not-announced", optional=True, spot=hand.spot)
    hand.keep()


def correction(hand: Hand, amount: int, **fields: str) -> Draft:
    """Record a correction of the hand's wager after its round, and return the correction."""
    by, second = hand.day.rng.sample(("s-104", "s-105", "s-106"), 2)
    fact = draft(
        "corrected",
        hand.play.name,
        spot=hand.spot,
        wager=hand.wager,
        amount=amount,
        reason="video review",
        by=by,
        second=second,
    )
    fact |= fields
    hand.day.drafts.append(fact)
    return fact


def corrected(day: Day, part: Fraction, code: str = "", signed: bool = True) -> None:
    """Correct an underpaid wager by `part` of the missing amount. If `signed` is false, one person signs the
    correction twice. `code`: the expected finding about the correction; empty if it is correct.
    """
    hand = wrong(day, day.rng.choice(day.table.plain), "underpaid")
    missing = int(hand.owed) - hand.moves[0]["amount"]
    amount = int(missing * part)
    fact = correction(hand, amount) if signed else correction(hand, amount, by="s-104", second="s-104")
    if code:
        total = {"moved": hand.moves[0]["amount"] + amount} if code == "corrected-beyond-owed" else {}
        hand.expect(fact, code, owed=hand.owed if total else None, **total)


shared("corrected:in-full")(partial(corrected, part=Fraction(1)))
shared("corrected:in-part")(partial(corrected, part=Fraction(1, 2)))
shared("corrected-unsigned")(partial(corrected, part=Fraction(1), code="corrected-unsigned", signed=False))
shared("corrected-beyond-owed:other-side")(partial(corrected, part=Fraction(2), code="corrected-beyond-owed"))
shared("corrected-beyond-owed:further")(partial(corrected, part=Fraction(-1), code="corrected-beyond-owed"))


@shared("corrected-beyond-owed:nothing-wrong")
def corrected_without_need(day: Day) -> None:
    """Correct a wager although it was settled correctly."""
    hand = plain_hand(day, "win")
    hand.keep()
    amount = day.rng.choice((-500, 500))
    fact = correction(hand, amount)
    hand.expect(fact, "corrected-beyond-owed", owed=hand.owed, moved=hand.owed + amount)
