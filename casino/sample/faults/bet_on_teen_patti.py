"""Faults that only Bet on Teen Patti has: main bets paid at wrong odds, and one player who bets on both
hands.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from casino.sample.faults.hand import Hand
from casino.sample.faults.patti import asked
from casino.sample.faults.planting import fault
from casino.sample.tables.day import Day
from casino.sample.tables.patti import MAIN_PAYS, beats

BET = "bet_on_teen_patti"


def paid_otherwise(day: Day, pays: Fraction) -> None:
    """Pay the better hand at wrong odds: even money, or the odds of another edition. The odds of the table's
    own edition are owed.
    """
    hand = Hand(day, day.rng.choice(day.table.mains), "win")
    fact = hand.moves[0]
    fact["amount"] = int(hand.stake * pays)
    slip = "overpaid" if fact["amount"] > hand.owed else "underpaid"
    hand.expect(fact, "wrong-settlement", owed=hand.owed, moved=fact["amount"], slip=slip)
    hand.keep()


fault("wrong-settlement:even-money", BET)(partial(paid_otherwise, pays=Fraction(1)))
fault("wrong-settlement:other-edition", BET, edition="ezugi")(
    partial(paid_otherwise, pays=MAIN_PAYS["ezugi-0.95"])
)
fault("wrong-settlement:this-edition", BET, edition="ezugi-0.95")(
    partial(paid_otherwise, pays=MAIN_PAYS["ezugi"])
)


@fault("both-hands:honest", BET)
def both_hands(day: Day) -> None:
    """Let one player bet on both Player A and Player B, which the rules allow."""
    day.table.keep(asked(day, {"p-90111": {"player-a": 1_000, "player-b": 2_000}}))


def by_another_reading(day: Day, answer: str) -> None:
    """Settle A-2-3 against K-Q-J by the wrong ranking of A-2-3. The manual leaves this ranking open. The
    dealer uses the ranking `answer`, but the table has chosen another one.
    """
    table = day.table
    play = asked(day, {"p-90111": {"player-a": 1_000}}, ["As", "2d", "3h", "Kc", "Qd", "Jh"])
    a, b = table.hands(play)
    fact = play.one("take", "pay", spot="p-90111")
    pays = int(1_000 * MAIN_PAYS[table.edition])
    owed = pays if beats(a, b, table.answers[0]) > 0 else -1_000
    moved = pays if beats(a, b, answer) > 0 else -1_000
    fact["kind"], fact["amount"] = "pay" if moved > 0 else "take", abs(moved)
    slip = "paid-a-loser" if moved > 0 else "took-a-winner"
    day.expect(fact, "wrong-settlement", spot="p-90111", wager="player-a", owed=owed, moved=moved, slip=slip)
    table.keep(play)


for _mine, _other in (
    ("lowest", "second"),
    ("second", "lowest"),
    ("highest", "lowest"),
    ("lowest", "highest"),
):
    fault(f"wrong-settlement:a23:{_mine}-as-{_other}", BET, readings={"a23": _mine, "steel-wheel": "flush"})(
        partial(by_another_reading, answer=_other)
    )
