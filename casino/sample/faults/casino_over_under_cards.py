"""Faults that only Casino Over Under has, in how cards are dealt, burned, cleared and announced, and in the
order in which money moves.
"""

from __future__ import annotations

from functools import partial

from casino.sample.faults.casino_over_under import OVER_UNDER, cards_of, cleared, spots
from casino.sample.faults.hand import Hand
from casino.sample.faults.planting import fault
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import draft

# The cards.


@fault("wrong-deal-order:first-cards", OVER_UNDER)
def first_card_last(day: Day) -> None:
    """Deal the left spot its first card after the right spot. The rules require the order from left to
    right.
    """
    play = spots(day)
    first, other = play.all("deal")[:2]
    play.drop(first)
    play.put_after(other, first)
    day.expect(first, "wrong-deal-order", spot="2")
    day.table.keep(play)


@fault("wrong-deal-order:hands", OVER_UNDER)
def hand_last(day: Day) -> None:
    """Complete the left spot's hand after the other spot's hand. The rules require the order from left to
    right.
    """
    play = spots(day)
    card = cards_of(play, "2")[1]
    start, end = play.place(card), play.place(cleared(play, "2")) + 1
    served = play.facts[start:end]
    del play.facts[start:end]
    play.put_before(play.one("round-closed"), *served)
    day.expect(card, "wrong-deal-order", spot="2")
    day.table.keep(play)


def wrong_count(day: Day, void: bool, shuffled: bool) -> None:
    """Deal a fourth card to a hand. The rules then require the dealer to void the round and to shuffle all
    cards. `void` and `shuffled` say which of the two the dealer does.
    """
    play = spots(day)
    extra = draft("deal", play.name, to="2", card=day.table.shoe.draw())
    play.put_after(cards_of(play, "2")[2], extra)
    day.expect(extra, "wrong-card-count", spot="2")
    if not void:
        day.expect_undecided(play)
        day.table.keep(play)
        day.table.shuffle()
        return
    day.table.void(play, extra)["reason"] = "four cards to spot 2"
    day.table.keep(play)
    if shuffled:
        day.table.shuffle()
        return
    after = spots(day)
    day.expect(after.one("deal"), "not-shuffled")
    day.table.keep(after)
    day.table.shuffle()


fault("wrong-card-count:four", OVER_UNDER)(partial(wrong_count, void=True, shuffled=True))
fault("void-required:four", OVER_UNDER)(partial(wrong_count, void=False, shuffled=True))
fault("not-shuffled:misdeal", OVER_UNDER)(partial(wrong_count, void=True, shuffled=False))


@fault("wrong-card-count:empty-spot", OVER_UNDER)
def card_to_nobody(day: Day) -> None:
    """Deal a card to a spot without a wager, which the rules forbid. The dealer then voids the round and
    shuffles, as required.
    """
    play = spots(day)
    extra = draft("deal", play.name, to="7", card=day.table.shoe.draw())
    play.put_after(play.all("deal")[1], extra)
    day.expect(extra, "wrong-card-count", spot="7")
    day.table.void(play, extra)
    day.table.keep(play)
    day.table.shuffle()


def too_few(day: Day, money: bool, clear: bool) -> None:
    """Deal only two cards to a hand, although the rules require three. If `money` is true, the dealer settles
    the hand anyway. If `clear` is true, the dealer clears its cards.
    """
    play = spots(day)
    play.drop(cards_of(play, "5")[2])
    for fact in play.all("announce", spot="5", what="outcome"):
        play.drop(fact)
    moves = play.all("take", "pay", spot="5")
    if not money:
        for fact in moves:
            play.drop(fact)
    if not clear:
        play.drop(cleared(play, "5"))
    closed = play.one("round-closed")
    day.expect(cleared(play, "5") if clear else moves[0] if money else closed, "wrong-card-count")
    day.expect_undecided(play)
    day.table.keep(play)


fault("wrong-card-count:two:cleared", OVER_UNDER)(partial(too_few, money=True, clear=True))
fault("wrong-card-count:two:settled", OVER_UNDER)(partial(too_few, money=True, clear=False))
fault("wrong-card-count:two:left", OVER_UNDER)(partial(too_few, money=False, clear=False))


def burned(day: Day, count: int) -> None:
    """Burn `count` cards for a spot that surrendered without a bonus. The rules require two."""
    play = spots(day, choices={"2": "over", "5": "surrender"})
    burns = play.all("burn")
    for extra in burns[count:]:
        play.drop(extra)
    for _ in range(count - 2):
        play.put_after(burns[-1], draft("burn", play.name, card=day.table.shoe.draw()))
    day.expect(cleared(play, "5"), "burn-count", spot="5")
    day.table.keep(play)


for _count, _name in ((0, "none"), (1, "one"), (3, "three")):
    fault(f"burn-count:{_name}", OVER_UNDER)(partial(burned, count=_count))


@fault("burn-count:nobody", OVER_UNDER)
def burned_for_nobody(day: Day) -> None:
    """Burn a card between two hands although no spot surrendered. The rules allow this only after a
    surrender.
    """
    play = spots(day)
    stray = draft("burn", play.name, card=day.table.shoe.draw())
    play.put_after(cleared(play, "2"), stray)
    day.expect(stray, "burn-count")
    day.table.keep(play)


def not_cleared(day: Day, last: bool, given_up: bool = False) -> None:
    """Leave the cards of a spot on the layout. The rules require the dealer to clear them before the next
    hand and before the end of the round. If `last` is true, this is the last spot. If `given_up` is true, the
    last spot surrendered.
    """
    play = spots(day, choices={"2": "over", "5": "surrender" if given_up else "under"})
    spot = "5" if last else "2"
    play.drop(cleared(play, spot))
    after = play.one("round-closed") if last else play.one("burn") if given_up else cards_of(play, "5")[1]
    day.expect(after, "not-cleared", spot=spot)
    day.table.keep(play)


fault("not-cleared", OVER_UNDER)(partial(not_cleared, last=False))
fault("not-cleared:last", OVER_UNDER)(partial(not_cleared, last=True))
fault("not-cleared:burn", OVER_UNDER)(partial(not_cleared, last=False, given_up=True))
fault("not-cleared:burned", OVER_UNDER)(partial(not_cleared, last=True, given_up=True))


# Announcements and money.


def silent(day: Day, wager: str, want: str) -> None:
    """Leave out the announcement of an outcome, or make it only after money has moved. The rules require the
    announcement first.
    """
    hand = Hand(day, wager, want)
    word = hand.play.one("announce", what="outcome", spot=hand.spot, wager=wager)
    hand.play.drop(word)
    first = (
        hand.play.all("take", "pay", spot=hand.spot, wager="bonus")
        if wager == "bonus"
        else hand.play.all("take", "pay", spot=hand.spot)
    )
    if day.rng.random() < 0.5:
        hand.play.put_after(first[0], word)
    day.expect(first[0], "not-announced", spot=hand.spot, wager=wager)
    hand.keep()


fault("not-announced:over", OVER_UNDER)(partial(silent, wager="over", want="win"))
fault("not-announced:under", OVER_UNDER)(partial(silent, wager="under", want="win"))
fault("not-announced:bonus:won", OVER_UNDER)(partial(silent, wager="bonus", want="win"))
fault("not-announced:bonus:lost", OVER_UNDER)(partial(silent, wager="bonus", want="lose"))


def said_wrong(day: Day, wager: str, want: str, detail: str) -> None:
    """Announce a wrong total (`detail` is `total`) or wrong odds (`pays`) for a wager. If the wager lost, any
    odds are wrong.
    """
    hand = Hand(day, wager, want)
    word = hand.play.one("announce", what="outcome", spot=hand.spot, wager=wager)
    if detail == "total":
        word["value"] += day.rng.choice((-10, -1, 1, 10))
    else:
        word["pays"] = "60 to 1" if want == "win" else "1 to 1"
    hand.expect(word, "announced-wrong")
    hand.keep()


for _wager in ("over", "under", "bonus"):
    fault(f"announced-wrong:{_wager}:total", OVER_UNDER)(
        partial(said_wrong, wager=_wager, want="win", detail="total")
    )
    fault(f"announced-wrong:{_wager}:pays", OVER_UNDER)(
        partial(said_wrong, wager=_wager, want="win", detail="pays")
    )
fault("announced-wrong:bonus:lost-total", OVER_UNDER)(
    partial(said_wrong, wager="bonus", want="lose", detail="total")
)
fault("announced-wrong:bonus:lost-pays", OVER_UNDER)(
    partial(said_wrong, wager="bonus", want="lose", detail="pays")
)


@fault("settled-out-of-order:bonus-first", OVER_UNDER)
def bonus_settled_first(day: Day) -> None:
    """Settle the ante or the bet on over after the bonus. The rules require the bonus last."""
    play = spots(day)
    wager = day.rng.choice(("ante", "over"))
    late = play.one("take", "pay", spot="2", wager=wager)
    play.move_before(late, cleared(play, "2"))
    day.expect(late, "settled-out-of-order", spot="2", wager=wager)
    day.table.keep(play)


def ante_late(day: Day, bonus: bool) -> None:
    """Take the ante of a surrendered hand too late. The rules require it before the hand's second card. If
    `bonus` is true, the dealer takes it after the bonus is settled; otherwise after the second card.
    """
    play = spots(day, choices={"2": "surrender", "5": "under"})
    late = play.one("take", spot="2", wager="ante")
    play.move_before(late, cleared(play, "2") if bonus else cards_of(play, "2")[2])
    day.expect(late, "settled-out-of-order", spot="2", wager="ante")
    day.table.keep(play)


fault("settled-out-of-order:ante", OVER_UNDER)(partial(ante_late, bonus=False))
fault("settled-out-of-order:ante-last", OVER_UNDER)(partial(ante_late, bonus=True))


@fault("out-of-order:cleared-first", OVER_UNDER)
def cleared_before_money(day: Day) -> None:
    """Clear the cards of a spot before its money has moved. The rules require the reverse order."""
    play = spots(day)
    early = cleared(play, "2")
    play.move_before(early, play.one("take", "pay", spot="2"))
    day.expect(early, "out-of-order", spot="2")
    day.table.keep(play)


@fault("out-of-order:cleared-before-a-card", OVER_UNDER)
def cleared_before_the_third(day: Day) -> None:
    """Clear the cards of a spot before its third card is dealt, although each hand must have three cards."""
    play = spots(day)
    early = cleared(play, "2")
    play.move_before(early, cards_of(play, "2")[2])
    day.expect(early, "out-of-order", spot="2")
    day.table.keep(play)


@fault("dealt-too-soon:unresolved", OVER_UNDER)
def next_hand_first(day: Day) -> None:
    """Deal a card of the next hand too early: before the present hand's money has moved, or before its cards
    are cleared. The rules require both first.
    """
    play = spots(day)
    early_card = cards_of(play, "5")[1]
    play.move_before(
        early_card, day.rng.choice([play.one("take", "pay", spot="2", wager="ante"), cleared(play, "2")])
    )
    day.expect(early_card, "dealt-too-soon", spot="5")
    day.table.keep(play)
