"""Faults that only Lucky 7 has: the three burned cards, the one card, the half of a bet that is lost on a
seven, and bets that are settled as if another card had been dealt.
"""

from __future__ import annotations

from functools import partial

from casino.sample.faults.hand import Hand, busy, plain_hand
from casino.sample.faults.planting import fault
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.lucky_7 import LUCKY_WAGERS, SIDES, lucky
from casino.sample.tables.play import Play
from casino.sample.tables.table import end_of

LUCKY = "lucky_7"

# The cards.


def burned(day: Day, count: int) -> None:
    """Burn `count` cards before the card of the round is dealt. The rules require three."""
    play = busy(day)
    card = play.one("deal")
    for extra in play.all("burn")[count:]:
        play.drop(extra)
    for _ in range(count - 3):
        play.put_before(card, draft("burn", play.name, card=day.table.shoe.draw()))
    day.expect(card, "burn-count")
    day.table.keep(play)


for _count, _name in enumerate(("none", "one", "two")):
    fault(f"burn-count:{_name}", LUCKY)(partial(burned, count=_count))
fault("burn-count:four", LUCKY)(partial(burned, count=4))


def burned_after(day: Day, fourth: bool) -> None:
    """Burn a card after the card of the round: a fourth card, or the third one too late. The rules require
    three burned cards before it.
    """
    play = busy(day)
    card = play.one("deal")
    late = draft("burn", play.name, card=day.table.shoe.draw()) if fourth else play.all("burn")[-1]
    if not fourth:
        play.drop(late)
    play.put_after(card, late)
    day.expect(late if fourth else card, "burn-count")
    day.table.keep(play)


fault("burn-count:fourth-after-the-card", LUCKY)(partial(burned_after, fourth=True))
fault("burn-count:third-after-the-card", LUCKY)(partial(burned_after, fourth=False))


def second_card(day: Day, void: bool) -> None:
    """Deal a second card, although the rules allow only one. The first card counts. If `void` is true, the
    dealer voids the round at once.
    """
    play = busy(day)
    extra = draft("deal", play.name, to="table", card=day.table.shoe.draw())
    play.put_after(play.one("deal"), extra)
    day.expect(extra, "wrong-card-count")
    if void:
        day.table.void(play, extra)
    day.table.keep(play)


fault("wrong-card-count:second", LUCKY)(partial(second_card, void=False))
fault("wrong-card-count:second-and-void", LUCKY)(partial(second_card, void=True))


def no_card(day: Day, settled: bool) -> None:
    """Deal no card, although the rules require one. Nothing is owed. If `settled` is true, the dealer settles
    the bets anyway.
    """
    play = plain_hand(day, "lose").play
    for removed in play.all("deal", "cut-card-shown", "announce"):
        play.drop(removed)
    moved = play.all("take", "pay")
    if not settled:
        for fact in moved:
            play.drop(fact)
    day.expect(moved[0] if settled else play.one("round-closed"), "wrong-card-count")
    day.expect_undecided(play)
    day.table.keep(play)


fault("wrong-card-count:none", LUCKY)(partial(no_card, settled=False))
fault("wrong-card-count:none-and-settled", LUCKY)(partial(no_card, settled=True))


def among_the_burned(day: Day, code: str) -> None:
    """Place or settle a bet between two burned cards. Betting is closed by then, and the deciding card has
    not come.
    """
    hand = plain_hand(day)
    fact = hand.whole() if code == "late-bet" else hand.moves[0]
    hand.play.drop(fact)
    hand.play.put_after(hand.play.one("burn"), fact)
    hand.expect(fact, code)
    hand.keep()


fault("late-bet:among-the-burned", LUCKY)(partial(among_the_burned, code="late-bet"))
fault("settled-too-soon:among-the-burned", LUCKY)(partial(among_the_burned, code="settled-too-soon"))


def declared(day: Day, wager: bool, early: bool) -> None:
    """Declare a card that was not dealt or, if `wager` is true, a bet that did not win. If `early` is true,
    this is done before the card is dealt.
    """
    play = day.table.play(announced=False)
    dealt = play.one("deal")
    others = [name for name in LUCKY_WAGERS if lucky(name, 100, dealt["card"], day.table.edition) < 0]
    value = day.rng.choice(others) if wager else another(dealt["card"])
    announced = draft("announce", play.name, what="outcome", value=value)
    (play.put_before if early else play.put_after)(dealt, announced)
    day.expect(announced, "announced-wrong")
    day.table.keep(play)


def another(card: str) -> str:
    """Return a card of the same rank and another suit."""
    return card[0] + ("s" if card[1] != "s" else "h")


for _what in ("card", "bet"):
    for _early, _when in ((False, ""), (True, ":early")):
        fault(f"announced-wrong:{_what}{_when}", LUCKY)(partial(declared, wager=_what == "bet", early=_early))


@fault("announced:the-bet-that-won:honest", LUCKY)
def declared_bet(day: Day) -> None:
    """Declare the color that won. The rules allow this instead of the card."""
    play = day.table.play(announced=False)
    dealt = play.one("deal")
    play.put_after(
        dealt,
        draft("announce", play.name, what="outcome", value="red" if dealt["card"][1] in "hd" else "black"),
    )
    day.table.keep(play)


# The money.


def moved_instead(hand: Hand, moved: int, slip: str) -> Draft:
    """Settle the bet by `moved` instead of the owed amount, and expect the finding. Return the fact that
    moves the money.
    """
    for fact in hand.moves:
        hand.play.drop(fact)
    fact = hand.put(moved)
    hand.expect(fact, "wrong-settlement", owed=hand.owed, moved=moved, slip=slip)
    hand.keep()
    return fact


def half_missed(day: Day, wager: str, is_whole: bool) -> None:
    """Take the whole bet on a seven (`is_whole`), or pay the bet. The rules require half of the bet to be
    taken.
    """
    hand = Hand(day, wager, "half")
    moved_instead(hand, -hand.stake if is_whole else hand.stake, "overtaken" if is_whole else "paid-a-loser")


def half_forgotten(day: Day, wager: str) -> None:
    """Take nothing on a seven, as for a push. The rules require half of the bet to be taken."""
    hand = Hand(day, wager, "half")
    hand.play.drop(hand.moves[0])
    hand.expect(hand.play.one("round-closed"), "not-settled", owed=hand.owed, moved=0)
    hand.keep()


def half_of_a_loser(day: Day, wager: str) -> None:
    """Take only half of a bet that is lost whole, because no seven was dealt or it is a side bet."""
    hand = Hand(day, wager, "lose")
    moved_instead(hand, -hand.stake // 2, "undertaken")


for _wager in ("7-up", "7-down"):
    fault(f"wrong-settlement:{_wager}:half-missed", LUCKY)(partial(half_missed, wager=_wager, is_whole=True))
    fault(f"wrong-settlement:{_wager}:seven-paid", LUCKY)(partial(half_missed, wager=_wager, is_whole=False))
    fault(f"not-settled:{_wager}:half", LUCKY)(partial(half_forgotten, wager=_wager))
for _wager in LUCKY_WAGERS:
    fault(f"wrong-settlement:{_wager}:half-of-a-loser", LUCKY)(partial(half_of_a_loser, wager=_wager))


def other_edition(day: Day, wager: str, edition: str) -> None:
    """Pay a side bet at the odds of the edition that this table does not use."""
    hand = Hand(day, wager, "win")
    other = next(pays[wager] for name, pays in SIDES.items() if name != edition)
    moved = int(hand.stake * other)
    moved_instead(hand, moved, "overpaid" if moved > hand.owed else "underpaid")


for _edition in SIDES:
    for _wager in ("red", "black", "even"):
        act = partial(other_edition, wager=_wager, edition=_edition)
        fault(f"wrong-settlement:{_wager}:not-{_edition}", LUCKY, edition=_edition)(act)


def misread(day: Day, wager: str, rank: str, taken_for: str) -> None:
    """Settle a bet as if the card had the rank `taken_for`."""
    table, spot, stake = day.table, "p-90199", 1_000
    card = rank + day.rng.choice("shdc")
    play: Play = table.play({spot: {wager: stake}}, card, batch=False)
    owed, wrong = (lucky(wager, stake, rank, table.edition) for rank in (card, taken_for + card[1]))
    for fact in play.all("take", "pay"):
        play.drop(fact)
    fact = draft("pay" if wrong > 0 else "take", play.name, spot=spot, wager=wager, amount=int(abs(wrong)))
    play.put_before(play.one("round-closed"), fact)
    slip = "paid-a-loser" if owed < 0 else "took-a-winner"
    day.expect(fact, "wrong-settlement", spot=spot, wager=wager, owed=owed, moved=int(wrong), slip=slip)
    table.keep(play)


for _rank, _as, _name in (
    ("A", "Q", "ace-as-14"),
    ("T", "A", "ten-as-one"),
    ("K", "T", "king-as-ten"),
    ("Q", "J", "queen-as-eleven"),
):
    for _wager in ("7-up", "7-down", "odd", "even"):
        if {end_of(lucky(_wager, 100, rank + "s", "ezugi"), 100) for rank in (_rank, _as)} == {"win", "lose"}:
            fault(f"wrong-settlement:{_wager}:{_name}", LUCKY)(
                partial(misread, wager=_wager, rank=_rank, taken_for=_as)
            )
