"""Faults that only Easy Over Under has, in bets, dice, the disc, announcements, the one card of each spot,
and the shoe. The main wagers are over and under.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from casino.sample.faults.hand import Hand, busy, whole
from casino.sample.faults.planting import fault
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import draft
from casino.sample.tables.easy_over_under import situation
from casino.sample.tables.play import Play, Stakes

EASY = "easy_over_under"


def spots(
    day: Day, stakes: Stakes, dice: tuple[int, int] = (5, 4), cards: dict[str, str] | None = None
) -> Play:
    """Play a round with these bets, dice and cards. By default the dice total nine."""
    play: Play = day.table.play(stakes, dice, cards)
    return play


def three(day: Day, **options: Any) -> Play:
    """Play a round with bets at three spots."""
    return spots(
        day,
        {"1": {"over": 4_000}, "3": {"under": 6_000, "short-side": 2_000}, "5": {"spread": 3_000}},
        **options,
    )


# Bets.


@fault("side-without-main", EASY)
def side_without_main(day: Day) -> None:
    """Let a player bet the short side with a spread but without a main wager. The rules require the main
    wager.
    """
    play = spots(day, {"2": {"spread": 2_000, "short-side": 1_000}, "4": {"over": 5_000}})
    day.expect(play.one("bet", wager="short-side"), "side-without-main", spot="2", wager="short-side")
    day.table.keep(play)


@fault("side-without-main:alone", EASY)
def side_alone(day: Day) -> None:
    """Let a player bet only the short side. The rules require a main wager."""
    play = spots(day, {"2": {"short-side": 1_000}, "4": {"over": 5_000}})
    day.expect(play.one("bet", wager="short-side"), "side-without-main", spot="2", wager="short-side")
    day.table.keep(play)


@fault("side-above-main", EASY)
def side_above_main(day: Day) -> None:
    """Let a player bet more on the short side than on the main wager. The rules allow at most the same
    amount.
    """
    play = spots(day, {"3": {"under": 5_000, "short-side": 5_100}})
    day.expect(whole(play, "3", "short-side"), "side-above-main", spot="3", wager="short-side")
    day.table.keep(play)


def equal_side(day: Day, over: int) -> None:
    """Let a player bet the short side in two bets. Their total exceeds the main wager by `over`, which the
    rules forbid. If `over` is 0, the total equals the main wager, which is allowed.
    """
    play = spots(day, {"3": {"under": 5_000, "short-side": 5_000 + over}})
    bet = whole(play, "3", "short-side")
    bet["amount"] -= 2_000
    last = draft("bet", play.name, spot="3", wager="short-side", amount=2_000)
    play.put_after(bet, last)
    if over:
        day.expect(last, "side-above-main", spot="3", wager="short-side")
    day.table.keep(play)


fault("at-main:short-side", EASY)(partial(equal_side, over=0))
fault("side-above-main:two-heaps", EASY)(partial(equal_side, over=100))


@fault("both-sides", EASY)
def both_sides(day: Day) -> None:
    """Let a player bet on over and under at one spot, although only one of the two is allowed. Both bets are
    settled.
    """
    play = spots(day, {"2": {"over": 3_000, "under": 2_000}, "6": {"spread": 1_000}})
    day.expect(play.one("bet", spot="2", wager="under"), "both-sides", spot="2", wager="under")
    day.table.keep(play)


@fault("bet-not-offered", EASY)
def bet_not_offered(day: Day) -> None:
    """Let a player bet the short side after a seven, when the dealer does not offer it. Nothing is owed on
    the bet.
    """
    play = spots(day, {"1": {"over": 4_000}}, dice=(3, 4))
    fact = draft("bet", play.name, spot="1", wager="short-side", amount=2_000)
    play.put_after(play.one("announce", what="no-short-side"), fact)
    day.expect(fact, "bet-not-offered", spot="1", wager="short-side")
    day.table.keep(play)


@fault("out-of-order:early-bet", EASY)
def early_short_side(day: Day) -> None:
    """Let a player bet the short side before the roll. The rules allow it only after the roll. The bet still
    counts and is settled.
    """
    play = spots(day, {"2": {"over": 4_000, "short-side": 2_000}})
    bet = whole(play, "2", "short-side")
    play.move_before(bet, play.one("shake"))
    day.expect(bet, "out-of-order", spot="2", wager="short-side")
    day.expect(bet, "bet-not-offered", optional=True, spot="2", wager="short-side")
    day.table.keep(play)


def late_short_side(day: Day, after_card: bool) -> None:
    """Let a player bet the short side too late: after the wave that closes betting or, if `after_card` is
    true, after the first card of the round.
    """
    play = three(day)
    bet = whole(play, "3", "short-side")
    play.move_before(bet, play.one("deal"))
    if after_card:
        play.drop(bet)
        play.put_after(play.one("deal"), bet)
    day.expect(bet, "late-bet", spot="3", wager="short-side")
    day.table.keep(play)


fault("late-bet:short-side", EASY)(partial(late_short_side, after_card=False))
fault("late-bet:short-side-after-card", EASY)(partial(late_short_side, after_card=True))


# Stakes of which half is lost, because the card equals the dice.


@fault("wrong-settlement:whole-taken-on-a-tie", EASY)
def whole_taken_on_a_tie(day: Day) -> None:
    """Take the whole stake after a tie on which only half of the stake is lost."""
    hand = Hand(day, day.rng.choice(("over", "under", "short-side")), "half")
    fact = hand.moves[0]
    fact["amount"] = hand.stake
    hand.expect(fact, "wrong-settlement", owed=hand.owed, moved=-hand.stake, slip="overtaken")
    hand.keep()


@fault("wrong-settlement:half-a-cent", EASY, chip=1, limits={"*": (100, 50_000)})
def half_a_cent(day: Day) -> None:
    """Play a round in which half a cent is owed. At a table with the rounding `exact`, no settlement of this
    amount can be correct.
    """
    dice, rank = situation(day.rng, "over", "half")
    spot, stake = day.rng.choice("123456"), day.rng.randrange(1_001, 9_000, 2)
    play = spots(day, {spot: {"over": stake - 1}}, dice, {spot: rank})
    whole(play, spot, "over")["amount"] = stake
    fact = play.one("take")
    day.expect(
        fact,
        "wrong-settlement",
        spot=spot,
        wager="over",
        owed=Fraction(-stake, 2),
        moved=-fact["amount"],
        slip="undertaken",
    )
    day.table.keep(play)


# Dice, announcements, disc.


def shakes(day: Day, times: tuple[int, ...]) -> None:
    """Report shaking of the cup in several facts, one for each number in `times`. The rules require five
    shakes in total.
    """
    play = busy(day)
    shake = play.one("shake")
    play.put_after(shake, *[draft("shake", play.name, times=count) for count in times])
    play.drop(shake)
    if sum(times) < 5:
        day.expect(play.one("roll"), "too-few-shakes")
    day.table.keep(play)


fault("too-few-shakes:four", EASY)(partial(shakes, times=(4,)))
fault("too-few-shakes:none", EASY)(partial(shakes, times=()))
fault("too-few-shakes:two-bouts", EASY)(partial(shakes, times=(2, 2)))
fault("at-five-shakes:two-bouts", EASY)(partial(shakes, times=(3, 2)))


@fault("impossible-die", EASY)
def impossible_die(day: Day) -> None:
    """Report a seven on one die. The dice still add up to the announced sum."""
    play = three(day)
    roll = play.one("roll")
    roll["dice"] = [7, 2]
    day.expect(roll, "impossible-die")
    day.table.keep(play)


def word(day: Day, subject: str, **change: Any) -> None:
    """Announce something that differs from the dice or the card. `subject` names the announcement, and
    `change` has its wrong field.
    """
    play = three(day)
    fact = play.one("announce", what=subject)
    fact.update(change)
    day.expect(fact, "announced-wrong", spot=fact.get("spot"))
    day.table.keep(play)


fault("announced-wrong:dice", EASY)(partial(word, subject="dice", value=10))
fault("announced-wrong:ranks", EASY)(partial(word, subject="short-side", ranks=["9", "T", "J", "Q", "K"]))
fault("announced-wrong:pays", EASY)(partial(word, subject="short-side", pays="5 to 1"))
fault("announced-wrong:card", EASY)(partial(word, subject="card", value=14))


def unsaid(day: Day, subject: str, dice: tuple[int, int] = (5, 4)) -> None:
    """Leave out an announcement that the rules require, for example of the dice. `subject` names the
    announcement.
    """
    play = spots(day, {"1": {"over": 4_000}, "5": {"spread": 3_000}}, dice)
    fact = play.one("announce", what=subject)
    day.expect(play.after(fact), "not-announced", spot="1" if subject == "card" else None)
    play.drop(fact)
    day.table.keep(play)


for _what in ("dice", "short-side", "card"):
    fault(f"not-announced:{_what}", EASY)(partial(unsaid, subject=_what))
fault("not-announced:no-short-side", EASY)(partial(unsaid, subject="no-short-side", dice=(6, 1)))


def disc(day: Day, dice: tuple[int, int], code: str, **change: Any) -> None:
    """Place the disc on the wrong number, or with the wrong side up. The rules require the sum of the dice,
    and the side `ties-push` on doubles or else the side `ties-lose-half`.
    """
    play = spots(day, {"4": {"over": 4_000}}, dice)
    mark = play.one("mark")
    mark.update(change)
    day.expect(mark, code)
    day.table.keep(play)


fault("marker-wrong-value", EASY)(partial(disc, dice=(2, 3), code="marker-wrong-value", value=6))
fault("marker-wrong-side:doubles", EASY)(
    partial(disc, dice=(4, 4), code="marker-wrong-side", side="ties-lose-half")
)
fault("marker-wrong-side:no-doubles", EASY)(
    partial(disc, dice=(5, 3), code="marker-wrong-side", side="ties-push")
)


@fault("not-marked", EASY)
def not_marked(day: Day) -> None:
    """Leave the disc next to the chip rack. The rules require the dealer to place it on the sum of the
    dice.
    """
    play = three(day)
    mark = play.one("mark")
    day.expect(play.after(mark), "not-marked")
    play.drop(mark)
    day.table.keep(play)


# The one card of each spot.


@fault("settled-out-of-order", EASY)
def paid_before_collected(day: Day) -> None:
    """Pay a winning wager before the same spot's losing wager is collected. The rules require the reverse
    order.
    """
    play = spots(day, {"2": {"under": 4_000, "short-side": 2_000}, "5": {"over": 1_000}}, cards={"2": "K"})
    take = play.one("take", spot="2")
    play.move_before(take, play.one("clear", **{"from": "2"}))
    day.expect(take, "settled-out-of-order", spot="2", wager="under")
    day.table.keep(play)


def not_cleared(day: Day, spot: str) -> None:
    """Leave a spot's card on the layout. The rules require the dealer to collect it before the next card and
    before the end of the round.
    """
    play = three(day)
    clear = play.one("clear", **{"from": spot})
    day.expect(play.after(clear), "not-cleared", spot=spot)
    play.drop(clear)
    day.table.keep(play)


fault("not-cleared", EASY)(partial(not_cleared, spot="1"))
fault("not-cleared:last-spot", EASY)(partial(not_cleared, spot="5"))


@fault("out-of-order:early-clear", EASY)
def early_clear(day: Day) -> None:
    """Collect a spot's card before its money has moved. The rules require the reverse order."""
    hand = Hand(day, day.rng.choice(("over", "under", "spread")), day.rng.choice(("win", "lose")))
    hand.play.move_before(hand.end, hand.moves[0])
    day.expect(hand.end, "out-of-order", spot=hand.spot)
    hand.keep()


@fault("dealt-too-soon", EASY)
def dealt_too_soon(day: Day) -> None:
    """Deal the next spot's card before the present spot's money has moved. The rules require the reverse
    order.
    """
    play = spots(day, {"2": {"under": 4_000}, "6": {"over": 5_000}}, cards={"2": "K", "6": "Q"})
    deal = play.one("deal", to="6")
    play.move_before(deal, play.one("take", spot="2"))
    day.expect(deal, "dealt-too-soon", spot="6")
    day.expect(deal, "not-cleared", optional=True, spot="2")
    day.table.keep(play)


@fault("wrong-deal-order", EASY)
def passed_over(day: Day) -> None:
    """Skip the first spot, and deal its card after the last spot. The rules require the order from the
    dealer's left.
    """
    play = spots(day, {"1": {"spread": 4_000}, "2": {"over": 4_000}, "4": {"under": 2_000}})
    start, end = play.place(play.one("deal", to="1")), play.place(play.one("clear", **{"from": "1"})) + 1
    served = play.facts[start:end]
    del play.facts[start:end]
    play.put_before(play.one("round-closed"), *served)
    day.expect(served[0], "wrong-deal-order", spot="1")
    day.table.keep(play)


@fault("wrong-card-count:two", EASY)
def two_cards(day: Day) -> None:
    """Deal a second card to a spot, although each spot gets only one. The second card belongs to no hand."""
    play = spots(day, {"2": {"over": 4_000}, "4": {"under": 2_000}}, cards={"2": "K"})
    extra = draft("deal", play.name, to="2", card=day.table.shoe.draw())
    play.put_after(play.one("announce", what="card", spot="2"), extra)
    day.expect(extra, "wrong-card-count", spot="2")
    for code in ("dealt-too-soon", "not-cleared"):
        day.expect(extra, code, optional=True)
    day.expect(play.after(extra), "not-announced", optional=True)
    day.table.keep(play)


@fault("wrong-card-count:none", EASY)
def no_card(day: Day) -> None:
    """Deal no card to the last spot, although the rules require one. None of the spot's money moves."""
    play = spots(day, {"2": {"over": 4_000}, "6": {"under": 2_000}})
    start, end = play.place(play.one("deal", to="6")), play.place(play.one("clear", **{"from": "6"})) + 1
    del play.facts[start:end]
    day.expect(play.one("round-closed"), "wrong-card-count")
    day.expect(play.one("round-closed"), "void-required")
    day.table.keep(play)


# The shoe.


def shuffled_with(day: Day, cut: int, code: str) -> None:
    """Shuffle the shoe and put `cut` cards in front of the cut card. The rules allow at most half of the
    shoe.
    """
    day.table.shuffle(cut)
    if code:
        day.expect(day.drafts[-1], code)


fault("cut-too-deep", EASY)(partial(shuffled_with, cut=157, code="cut-too-deep"))
fault("at-half:cut", EASY)(partial(shuffled_with, cut=156, code=""))
