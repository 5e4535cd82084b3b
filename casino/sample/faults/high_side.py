"""Faults that only High Side has: three equal wagers, cups and dice, the seven, the one card, and ties.
Faults in what players decide are in `high_side_choices.py`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from casino.sample.faults.hand import Hand, busy, whole
from casino.sample.faults.planting import fault
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import draft
from casino.sample.tables.high_side import MAINS, SIDES, shown
from casino.sample.tables.play import Play, Stakes

HIGH = "high_side"
KEEP = ("keep", "keep")


def both(amount: int = 4_000, bonus: int = 0) -> Stakes:
    """Return stakes on the dice for spot 2 and on the card for spot 5."""
    return {
        "2": dict.fromkeys(SIDES["dice"], amount),
        "5": dict.fromkeys(SIDES["card"], amount) | ({"bonus": bonus} if bonus else {}),
    }


def spots(
    day: Day, stakes: Stakes, dice: tuple[int, int] = (5, 4), card: str = "K", **decisions: tuple[str, str]
) -> Play:
    """Play a round with these spots, by default with a nine on the dice and a king as the card. `s2=("keep",
    "pull")` are the decisions of spot 2; without decisions, all wagers stay.
    """
    decided = dict.fromkeys(stakes, KEEP) | {
        name.removeprefix("s"): decision for name, decision in decisions.items()
    }
    play: Play = day.table.play(stakes, dice, card, decided)
    return play


# What may be bet.


def unequal(day: Day, wager: str, step: int) -> None:
    """Let a player bet more or less on the second or third wager of a side than on the first. The rules
    require three equal wagers.
    """
    stakes = both()
    spot = "2" if wager in SIDES["dice"] else "5"
    play = spots(day, stakes)
    whole(play, spot, wager)["amount"] += step
    for move in play.all("take", "pay", spot=spot, wager=wager):
        move["amount"] += step
    day.expect(play.all("bet", spot=spot, wager=wager)[-1], "unequal-bet", spot=spot, wager=wager)
    day.table.keep(play)


for _wager in MAINS:
    if _wager[-1] != "1":
        fault(f"unequal-bet:{_wager}:more", HIGH)(partial(unequal, wager=_wager, step=100))
        fault(f"unequal-bet:{_wager}:less", HIGH)(partial(unequal, wager=_wager, step=-100))


def fewer(day: Day, count: int) -> None:
    """Let a player bet fewer than the three required wagers. The finding is at the last of them."""
    play = spots(day, {"3": dict.fromkeys(SIDES["card"][:count], 3_000)})
    day.expect(play.all("bet")[-1], "unequal-bet", spot="3", wager=SIDES["card"][count - 1])
    day.table.keep(play)


fault("unequal-bet:two-wagers", HIGH)(partial(fewer, count=2))
fault("unequal-bet:one-wager", HIGH)(partial(fewer, count=1))


@fault("at-equal:two-heaps", HIGH)
def equal_in_heaps(day: Day) -> None:
    """Let a player bet the third wager in two bets. Together they equal the first wager, as required."""
    play = spots(day, both())
    bet = whole(play, "2", "dice-3")
    bet["amount"] -= 1_000
    play.put_after(bet, draft("bet", play.name, spot="2", wager="dice-3", amount=1_000))
    day.table.keep(play)


@fault("both-sides", HIGH)
def both_sides(day: Day) -> None:
    """Let a player bet on both dice and card at one spot. The rules allow only one. Each bet is settled."""
    play = spots(day, {"4": dict.fromkeys(SIDES["dice"] + SIDES["card"], 6_000)}, card=day.rng.choice("2K"))
    decisions = play.all("choose", spot="4")
    for extra in decisions[1::2]:
        play.drop(extra)
    day.expect(play.one("bet", wager="card-1"), "both-sides", spot="4", wager="card-1")
    day.table.keep(play)


@fault("side-without-main", HIGH)
def bonus_alone(day: Day) -> None:
    """Let a player bet a Bonus without the three wagers that the rules require with it."""
    play = spots(day, both() | {"6": {"bonus": 2_000}})
    day.expect(play.one("bet", spot="6"), "side-without-main", spot="6", wager="bonus")
    day.table.keep(play)


# Cups and dice.


def cups(day: Day, shakes: tuple[dict[str, int], ...], roll: int | None) -> None:
    """Shake the cups only as `shakes` says. The rules require a shake of each cup. `roll`: the index of the
    die whose cup was not shaken, or None if both cups were shaken.
    """
    play = busy(day)
    for shake in play.all("shake"):
        play.drop(shake)
    play.put_before(play.one("roll"), *[draft("shake", play.name, **fields) for fields in shakes])
    if roll is not None:
        day.expect(play.all("roll")[roll], "too-few-shakes")
    day.table.keep(play)


fault("too-few-shakes:cup-1", HIGH)(partial(cups, shakes=({"times": 4, "cup": 2},), roll=0))
fault("too-few-shakes:cup-2", HIGH)(partial(cups, shakes=({"times": 4, "cup": 1},), roll=1))
fault("too-few-shakes:no-times", HIGH)(
    partial(cups, shakes=({"times": 4, "cup": 1}, {"times": 0, "cup": 2}), roll=1)
)
fault("at-one-shake:each-cup", HIGH)(
    partial(cups, shakes=({"times": 1, "cup": 2}, {"times": 1, "cup": 1}), roll=None)
)


def late_shake(day: Day, is_second: bool) -> None:
    """Shake the second cup, or shake it again, after the first die is uncovered, which the rules forbid."""
    play = busy(day)
    first = play.one("roll")
    late = draft("shake", play.name, times=3, cup=2)
    if not is_second:
        for shake in play.all("shake"):
            play.drop(shake)
        play.put_before(first, draft("shake", play.name, times=3, cup=1))
    play.put_before(play.all("roll")[1], late)
    day.expect(late if is_second else first, "out-of-order")
    day.table.keep(play)


fault("out-of-order:late-shake", HIGH)(partial(late_shake, is_second=False))
fault("out-of-order:shaken-again", HIGH)(partial(late_shake, is_second=True))


@fault("impossible-die", HIGH)
def impossible_die(day: Day) -> None:
    """Report a seven on one die. The announced sum is the sum of the dice without this error."""
    play = spots(day, both())
    roll = day.rng.choice(play.all("roll"))
    roll["dice"] = [7]
    day.expect(roll, "impossible-die")
    day.table.keep(play)


@fault("out-of-order:third-roll", HIGH)
def third_roll(day: Day) -> None:
    """Report the roll of a third die, although the rules allow only two. The first two count."""
    play = spots(day, both())
    fact = draft("roll", play.name, dice=[day.rng.randint(1, 6)])
    play.put_before(play.one("deal"), fact)
    day.expect(fact, "out-of-order")
    day.table.keep(play)


def word(day: Day, change: str) -> None:
    """Announce a wrong sum of the dice, or do not announce the sum. `change` is `wrong` or `missing`."""
    play = spots(day, both(), dice=day.rng.choice(((5, 4), (2, 2), (6, 1))))
    fact = play.one("announce")
    if change == "wrong":
        fact["value"] += day.rng.choice((-1, 1))
        day.expect(fact, "announced-wrong")
    elif change == "missing":
        day.expect(play.after(fact), "not-announced")
        play.drop(fact)
    day.table.keep(play)


fault("announced-wrong:dice", HIGH)(partial(word, change="wrong"))
fault("not-announced:dice", HIGH)(partial(word, change="missing"))


@fault("out-of-order:word-before-the-die", HIGH)
def word_before_the_die(day: Day) -> None:
    """Announce the sum before the second die is uncovered. The rules require the reverse order."""
    play = spots(day, both())
    fact = play.one("announce")
    play.move_before(fact, play.all("roll")[1])
    day.expect(fact, "out-of-order")
    day.table.keep(play)


@fault("dealt-too-soon:before-the-word", HIGH)
def card_before_the_word(day: Day) -> None:
    """Draw the card before the sum is announced. The rules require the reverse order."""
    play = spots(day, both())
    fact, card = play.one("announce"), play.one("deal")
    play.drop(fact)
    play.put_after(card, fact)
    day.expect(card, "dealt-too-soon")
    day.table.keep(play)


@fault("out-of-order:sweep-before-the-word", HIGH)
def sweep_before_the_word(day: Day) -> None:
    """Collect a wager after a seven, before the sum is announced. The rules require the reverse order."""
    play = spots(day, both(), dice=(3, 4))
    fact, first = play.one("announce"), play.one("take")
    play.drop(fact)
    play.put_after(first, fact)
    day.expect(first, "out-of-order", spot=first["spot"], wager=first["wager"])
    day.table.keep(play)


# The seven.


def not_swept(day: Day, count: int) -> None:
    """Collect `count` lost wagers after a seven too late: only after the card is drawn."""
    play = spots(day, both(), day.rng.choice(((3, 4), (6, 1), (5, 2))))
    late = day.rng.sample(
        play.facts[play.place(play.one("announce")) + 1 : play.place(play.one("deal"))], count
    )
    for fact in late:
        play.drop(fact)
        play.put_after(play.one("deal"), fact)
        day.expect(play.one("deal"), "seven-not-swept", spot=fact["spot"], wager=fact["wager"])
    day.table.keep(play)


fault("seven-not-swept", HIGH)(partial(not_swept, count=1))
fault("seven-not-swept:three", HIGH)(partial(not_swept, count=3))


def seven_forgotten(day: Day, number: int) -> None:
    """Settle a wager wrongly after the dice show a seven. If `number` is 2 or 3, pay this wager by the card,
    although a seven loses it. If `number` is 1, take the first wager, although it won.
    """
    play = spots(day, both(), (3, 4))
    wager = f"card-{number}"
    move = play.one("take", "pay", spot="5", wager=wager)
    owed = -4_000 if number > 1 else 4_000
    move["kind"] = "pay" if number > 1 else "take"
    day.expect(
        move,
        "wrong-settlement",
        spot="5",
        wager=wager,
        owed=owed,
        moved=-owed,
        slip="paid-a-loser" if number > 1 else "took-a-winner",
    )
    day.table.keep(play)


for _number in (1, 2, 3):
    fault(f"wrong-settlement:seven-forgotten:card-{_number}", HIGH)(partial(seven_forgotten, number=_number))


@fault("settled-too-soon:sweep", HIGH)
def swept_before_the_die(day: Day) -> None:
    """Collect a second or third wager too early: before the second die shows the seven that loses it."""
    play = spots(day, both(), (3, 4))
    fact = play.one("take")
    play.move_before(fact, play.all("roll")[1])
    day.expect(fact, "settled-too-soon", spot=fact["spot"], wager=fact["wager"])
    day.table.keep(play)


# The card, the order of settlement, the tie, the pay table.


@fault("wrong-card-count:two", HIGH)
def two_cards(day: Day) -> None:
    """Draw a second card, although the rules allow only one. The second card belongs to no hand."""
    play = spots(day, both())
    extra = draft("deal", play.name, to="community", card=day.table.shoe.draw())
    play.put_after(play.one("deal"), extra)
    day.expect(extra, "wrong-card-count", spot="community")
    day.table.keep(play)


def no_card(day: Day, money: bool) -> None:
    """Draw no card, although the rules require one. If `money` is true, the dealer settles the wagers."""
    play = spots(day, both())
    place = play.place(play.one("deal"))
    first = play.facts[place + 1]
    del play.facts[place : place + (1 if money else len(play.facts[place:-1]))]
    fact = first if money else play.one("round-closed")
    fields = {"spot": first["spot"], "wager": first["wager"]} if money else {}
    day.expect(fact, "wrong-card-count", **fields)
    day.expect_undecided(play)
    day.table.keep(play)


fault("wrong-card-count:none", HIGH)(partial(no_card, money=False))
fault("wrong-card-count:none-and-settled", HIGH)(partial(no_card, money=True))


@fault("dealt-too-soon:between-the-dice", HIGH)
def card_between_the_dice(day: Day) -> None:
    """Draw the card before the second die is uncovered. The rules require the reverse order. The decisions on
    the second wager then come after the card.
    """
    play = spots(day, both())
    card = play.one("deal")
    play.move_before(card, play.all("roll")[1])
    day.expect(card, "dealt-too-soon")
    day.table.keep(play)


@fault("settled-out-of-order", HIGH)
def bonus_first(day: Day) -> None:
    """Settle a main wager after a Bonus of any spot. The rules require all main wagers first."""
    play = spots(day, both(bonus=2_000), card=day.rng.choice("AK"))
    late = day.rng.choice([move for move in play.all("take", "pay") if move["wager"] in MAINS])
    play.move_before(late, play.one("round-closed"))
    day.expect(late, "settled-out-of-order", spot=late["spot"], wager=late["wager"])
    day.table.keep(play)


def tied(day: Day, dice: tuple[int, int], **settings: Any) -> None:
    """Play a round in which dice and card are equal. Expect a notice for every main wager in play, with the
    amount owed under the table's option.
    """
    play = spots(day, both(), dice, "A23456789TJQK"[sum(dice) - 1], s2=("pull", "keep"))
    card, push = play.one("deal"), day.table.readings["tie"] == "push"
    wagers = [("2", "dice-2"), ("2", "dice-3"), ("5", "card-1"), ("5", "card-2"), ("5", "card-3")]
    for spot, wager in wagers if shown(play) != 7 else [("5", "card-1")]:
        day.expect(card, "tie-unregulated", spot=spot, wager=wager, owed=0 if push else -4_000)
    day.table.keep(play)
    day.table.notices = [notice for notice in day.table.notices if notice[0] is not card]


for _reading in ("lose", "push"):
    for _name, _dice in (("", (5, 3)), (":doubles", (4, 4)), (":seven", (3, 4))):
        fault(f"tie-unregulated:{_reading}{_name}", HIGH, readings={"tie": _reading})(
            partial(tied, dice=_dice)
        )


def tie_read_otherwise(day: Day, wager: str) -> None:
    """Take a wager on a tie that pushes at this table, or leave a wager on a tie that loses at this table."""
    play = spots(day, both(), (5, 3), "8")
    spot = "2" if wager in SIDES["dice"] else "5"
    if day.table.readings["tie"] == "push":
        fact = draft("take", play.name, spot=spot, wager=wager, amount=4_000)
        day.table.put_money(play, fact)
        day.expect(fact, "wrong-settlement", spot=spot, wager=wager, owed=0, moved=-4_000, slip="push-moved")
    else:
        play.drop(play.one("take", spot=spot, wager=wager))
        day.expect(play.one("round-closed"), "not-settled", spot=spot, wager=wager, owed=-4_000, moved=0)
    day.table.keep(play)


fault("wrong-settlement:tie-collected", HIGH, readings={"tie": "push"})(
    partial(tie_read_otherwise, wager="dice-1")
)
fault("not-settled:tie-pushed", HIGH, readings={"tie": "lose"})(partial(tie_read_otherwise, wager="card-3"))


def other_table(day: Day, pays: int) -> None:
    """Pay the Bonus by a pay table that this table does not use."""
    play = spots(day, both(bonus=2_000), (1, 1), "K")
    fact = play.one("pay", wager="bonus")
    owed, fact["amount"] = fact["amount"], pays * 2_000
    slip = "overpaid" if fact["amount"] > owed else "underpaid"
    day.expect(fact, "wrong-settlement", spot="5", wager="bonus", owed=owed, moved=fact["amount"], slip=slip)
    day.table.keep(play)


for _mine, _other, _pays in (("1", "2", 30), ("2", "3", 20), ("3", "4", 25), ("4", "1", 15)):
    fault(f"wrong-settlement:paid-by-table-{_other}", HIGH, pay_tables={"bonus": _mine})(
        partial(other_table, pays=_pays)
    )


@fault("wrong-settlement:bonus-of-five", HIGH)
def bonus_of_five(day: Day) -> None:
    """Pay the Bonus for a margin of five, as if the margin were six. A margin of five loses."""
    play = spots(day, both(bonus=2_000), (5, 3), "K")
    fact = play.one("take", wager="bonus")
    fact["kind"] = "pay"
    day.expect(
        fact, "wrong-settlement", spot="5", wager="bonus", owed=-2_000, moved=2_000, slip="paid-a-loser"
    )
    day.table.keep(play)


@fault("pay-table-not-approved:felt", HIGH, opening=True, pay_tables={"bonus": "felt"})
def felt_table(day: Day) -> None:
    """Open the table with the pay table that is printed on the layout. No regulator has approved this pay
    table. Wagers are settled by it.
    """
    day.expect(day.drafts[0], "pay-table-not-approved", wager="bonus")
    hand = Hand(day, "bonus", "win")
    hand.keep()
