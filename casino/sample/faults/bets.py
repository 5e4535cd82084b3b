"""Betting faults that games share: limits, spots, late bets, wagers that the game does not have, and a
dealer who does not wave.
"""

from __future__ import annotations

from functools import partial

from casino.sample.faults.hand import Hand, busy, plain_hand, some_bet
from casino.sample.faults.planting import felt, listed, shared
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import draft
from casino.sample.tables.play import placed
from casino.sample.tables.table import TABLES, Table

# Limits: below, at, above.


def limits(day: Day, wager: str, stake: int, code: str, heaps: int = 1) -> None:
    """Let a player bet a stake below or above the limits, or exactly at a limit, which is allowed.

    Args:
        code: the expected finding; empty if the stake is allowed.
        heaps: the number of bets into which the stake is split.
    """
    hand = Hand(day, wager, "lose", stake=stake)
    bet = hand.whole()
    for _ in range(heaps - 1):
        bet["amount"] -= 1_000
        hand.play.put_after(bet, hand.money("bet", 1_000))
    if code:
        hand.expect(hand.play.all("bet", spot=hand.spot, wager=wager)[-1], code)
    hand.keep()


def list_limits(table: type[Table]) -> None:
    """Register faults with stakes below, at and above the limits. Each wager is tried with limits of its own,
    while the other wagers have wide limits. One main wager is also tried with the limits that the table sets
    for all wagers, while the other wagers have wide limits of their own.
    """
    low, high = table.exact["limits"]["*"]
    unit, wide = table.unit(), (low // 10, high * 10)
    ends = (
        ("below-minimum", low - unit, "below-minimum"),
        ("at-minimum", low, ""),
        ("above-maximum", high + unit, "above-maximum"),
        ("at-maximum", high, ""),
    )
    main = table.plain[0]
    for name, stake, code in ends:
        for wager in table.wagers:
            if wager not in table.payments:
                act = partial(limits, wager=wager, stake=stake, code=code)
                listed(table, f"{name}:{wager}", act, limits={"*": wide, wager: (low, high)})
        for_all = {wager: wide for wager in table.wagers if wager != main} | {"*": (low, high)}
        listed(table, f"{name}:main", partial(limits, wager=main, stake=stake, code=code), limits=for_all)
        if stake >= high:
            listed(
                table,
                f"{name}:two-heaps",
                partial(limits, wager=main, stake=stake, code=code, heaps=2),
                limits=for_all,
            )


for _table in TABLES.values():
    list_limits(_table)


@shared("too-many-spots:seat", felt)
def one_seat_more(day: Day) -> None:
    """Let a player bet at a seat that the table does not have."""
    hand = Hand(day, day.table.plain[0], "lose", spot=str(day.table.seats + 1))
    day.expect(hand.play.one("bet", spot=hand.spot), "too-many-spots", spot=hand.spot)
    hand.keep()


# Bets that are too late, or on a wager that the game does not have.


def late_bet(day: Day, part: bool) -> None:
    """Let a player bet after betting has closed, which the rules forbid. If `part` is true, only a part of
    the bet is late. The bet still counts and is settled.
    """
    hand = plain_hand(day)
    bet = hand.whole()
    late = hand.money("bet", bet["amount"] // 4) if part else bet
    if part:
        bet["amount"] -= late["amount"]
    else:
        hand.play.drop(bet)
    day.table.put_late(hand.play, hand.wager, late)
    hand.expect(late, "late-bet")
    hand.keep()


shared("late-bet:new")(partial(late_bet, part=False))
shared("late-bet:raise")(partial(late_bet, part=True))


@shared("late-unbet")
def late_unbet(day: Day) -> None:
    """Let a player take back a stake after betting has closed, which the rules forbid. The stake still
    counts.
    """
    hand = plain_hand(day)
    fact = hand.money("unbet", day.rng.choice((hand.stake, hand.stake // 2)))
    day.table.put_late(hand.play, hand.wager, fact)
    hand.expect(fact, "late-unbet")
    hand.keep()


@shared("no-such-wager")
def no_such_wager(day: Day) -> None:
    """Let a player bet on a wager that the game does not have. Nothing is owed on it."""
    play = busy(day)
    spot = placed(play)[0][0]
    fact = draft("bet", play.name, spot=spot, wager="insurance", amount=1_000)
    play.put_after(some_bet(play), fact)
    day.expect(fact, "no-such-wager", spot=spot, wager="insurance")
    day.table.keep(play)


def waves(table: type[Table]) -> bool:
    """Return True if the table reports the wave with which the dealer closes the betting."""
    return "no-more-bets" in table.sees


@shared("bets-not-closed", waves)
def bets_not_closed(day: Day) -> None:
    """Leave out the dealer's wave that must close betting before the first card. Use a round in which no
    player loses the connection: without the wave, the bets of such a player would not count as placed.
    """
    play = busy(day)
    while not play.all("no-more-bets") or play.all("player-lost"):
        day.table.keep(play)
        play = busy(day)
    wave = play.one("no-more-bets")
    card = next(fact for fact in play.facts[play.place(wave) :] if fact["kind"] in ("deal", "burn"))
    play.drop(wave)
    day.expect(card, "bets-not-closed")
    day.table.keep(play)
