"""Faults that live-dealer tables share: batches (several bets or payments in one fact), players whose
connection is lost, and a round that is paused.
"""

from __future__ import annotations

from functools import partial

from casino.sample.faults.hand import Hand, busy, plain_hand
from casino.sample.faults.planting import shared, studio
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import draft
from casino.sample.tables.play import batched


@shared("late-bet:batch", studio)
def late_batch(day: Day) -> None:
    """Post a batch of bets after betting has closed, which the rules forbid."""
    hand = plain_hand(day)
    bet = hand.whole()
    hand.play.drop(bet)
    late = draft("bets", hand.play.name, bets=[[hand.spot, hand.wager, bet["amount"]]])
    hand.play.put_after(day.table.closing(hand.play, hand.spot, hand.wager), late)
    hand.expect(late, "late-bet")
    hand.keep()


def batch_wrong(day: Day, fault_name: str) -> None:
    """Post a settlement as a batch in which one entry is wrong, missing, posted twice, or for a spot without
    a bet. `fault_name` is the code of the expected finding.
    """
    hand = plain_hand(day, "win")
    batched(hand.play)
    fact = hand.play.one("settled")
    paid = next(entry for entry in fact["paid"] if entry[:2] == [hand.spot, hand.wager])
    if fault_name == "wrong-settlement":
        paid[2] += day.table.chip
        hand.expect(fact, fault_name, owed=hand.owed, moved=paid[2], slip="overpaid")
    elif fault_name == "not-settled":
        fact["paid"] = [entry for entry in fact["paid"] if entry is not paid]
        if not fact["paid"] + fact["taken"]:
            hand.play.drop(fact)
        hand.expect(hand.play.one("round-closed"), fault_name, owed=hand.owed, moved=0)
    elif fault_name == "settled-twice":
        second = draft("settled", hand.play.name, paid=[list(paid)], taken=[])
        hand.play.put_after(fact, second)
        hand.expect(second, fault_name, owed=hand.owed, moved=2 * hand.owed)
    else:
        hand.spot = "p-90199"
        fact["paid"].append([hand.spot, hand.wager, 700])
        hand.expect(fact, "no-such-bet", moved=700)
        hand.expect(fact, "wrong-settlement", optional=True)
    hand.keep()


for _name in ("wrong-settlement", "not-settled", "settled-twice", "no-such-bet"):
    shared(f"{_name}:batch", studio)(partial(batch_wrong, fault_name=_name))


def lost(day: Day, early: bool, settled: bool) -> None:
    """Let a player lose the connection. If `early` is true, this is before betting closes, and the player's
    bets do not count as placed. Otherwise it is after, and they all count. `settled`: True if the dealer
    settles them.
    """
    hand = Hand(day, day.table.plain[0], "win")
    lost_player = draft("player-lost", hand.play.name, spot=hand.spot)
    close = hand.play.one("no-more-bets")
    (hand.play.put_before if early else hand.play.put_after)(close, lost_player)
    moved = hand.moves[0]
    if early and settled:
        hand.expect(moved, "no-such-bet", moved=moved["amount"])
        hand.expect(moved, "wrong-settlement", optional=True)
    elif not settled:
        hand.play.drop(moved)
        if not early:
            hand.expect(hand.play.one("round-closed"), "not-settled", owed=hand.owed, moved=0)
    hand.keep()


shared("player-lost:early:honest", studio)(partial(lost, early=True, settled=False))
shared("player-lost:late:honest", studio)(partial(lost, early=False, settled=True))
shared("no-such-bet:player-lost", studio)(partial(lost, early=True, settled=True))
shared("not-settled:player-lost-late", studio)(partial(lost, early=False, settled=False))


@shared("player-back:bets-anew:honest", studio)
def back_in_time(day: Day) -> None:
    """Let a player lose the connection and come back before betting closes. Only the bets that are placed
    after the return count.
    """
    hand = Hand(day, day.table.plain[0], "lose")
    close = hand.play.one("no-more-bets")
    lost_and_back = [draft(kind, hand.play.name, spot=hand.spot) for kind in ("player-lost", "player-back")]
    new_stake = hand.stake + day.table.unit()
    hand.play.put_before(close, *lost_and_back, hand.money("bet", new_stake))
    hand.moves[0]["amount"] = new_stake
    hand.keep()


@shared("paused:resumed:honest", studio)
def paused_and_resumed(day: Day) -> None:
    """Pause a round for an error that the manager resolves at once."""
    play = busy(day)
    pair = [draft(kind, play.name, reason="card not seen", by="s-101") for kind in ("paused", "resumed")]
    play.put_after(play.one("no-more-bets"), *pair)
    day.table.keep(play)
