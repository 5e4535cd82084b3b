"""Faults that only Casino Over Under has, in what players bet and choose, and in what the dealer asks."""

from __future__ import annotations

from functools import partial

from casino.sample.faults.hand import Hand
from casino.sample.faults.planting import fault
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.play import Play, Stakes

OVER_UNDER = "casino_over_under"
BOTH: Stakes = {"2": {"ante": 4_000, "bonus": 4_000}, "5": {"ante": 2_000}}
CHOSEN = {"2": "over", "5": "under"}
HIGH, LOW = "A65", "234"
"""The ranks of two hands. HIGH has a total of 22, on which over and under both lose. LOW has a total of 9, on
which under wins.
"""


def spots(
    day: Day,
    stakes: Stakes | None = None,
    choices: dict[str, str] | None = None,
    cards: dict[str, str] | None = None,
) -> Play:
    """Play a round with these bets, choices and cards. By default spot 2 bets an ante and a bonus and chooses
    over, and spot 5 bets an ante and chooses under.
    """
    play: Play = day.table.play(
        stakes or BOTH, choices or (CHOSEN if stakes is None else None), cards, heaps=False
    )
    return play


def cards_of(play: Play, spot: str) -> list[Draft]:
    """Return the facts that deal cards to the spot."""
    return play.all("deal", to=spot)


def cleared(play: Play, spot: str) -> Draft:
    """Return the fact that cleared the spot's cards."""
    return play.one("clear", **{"from": spot})


# What players may bet.


@fault("side-without-main", OVER_UNDER)
def bonus_alone(day: Day) -> None:
    """Let a player bet a bonus without an ante, although the rules require an ante. The bonus still gets its
    cards and is settled.
    """
    play = spots(day, {"3": {"bonus": 6_000}, "6": {"ante": 7_000, "bonus": 7_000}})
    day.expect(play.one("bet", spot="3"), "side-without-main", spot="3", wager="bonus")
    day.table.keep(play)


@fault("out-of-order:bonus-first", OVER_UNDER)
def bonus_before_ante(day: Day) -> None:
    """Let a player bet the bonus before the ante. The rules require the reverse order."""
    play = spots(day)
    bonus = play.one("bet", spot="2", wager="bonus")
    play.move_before(bonus, play.one("bet", spot="2", wager="ante"))
    day.expect(bonus, "out-of-order", spot="2", wager="bonus")
    day.table.keep(play)


def unequal(day: Day, wager: str, over: int) -> None:
    """Let a player bet more or less on this wager than on the ante, although both must be equal. `over` is
    the difference. The wager is settled on the amount that was bet.
    """
    hand = Hand(day, wager, "lose", stake=5_000)
    bet = hand.whole()
    bet["amount"] += over
    hand.moves[0]["amount"] += over
    hand.expect(bet, "unequal-bet")
    hand.keep()


for _wager in ("over", "under", "bonus"):
    fault(f"unequal-bet:{_wager}:above", OVER_UNDER)(partial(unequal, wager=_wager, over=100))
    fault(f"unequal-bet:{_wager}:below", OVER_UNDER)(partial(unequal, wager=_wager, over=-100))


@fault("unequal-bet:not-made", OVER_UNDER)
def no_chips(day: Day) -> None:
    """Let a player choose under without a bet on under, although the rules require this bet. The ante is
    settled by the choice.
    """
    play = spots(day)
    for fact in play.all("bet", "take", "pay", spot="5", wager="under"):
        play.drop(fact)
    day.expect(play.one("choose", spot="5"), "unequal-bet", spot="5")
    day.table.keep(play)


def bet_after_surrender(day: Day, moved: int) -> None:
    """Let a player bet on over after a surrender. The rules forbid this bet, and nothing is owed on it. If
    `moved` is above 0, the dealer wrongly pays this amount; if it is below 0, the dealer wrongly takes it.
    """
    play = spots(day, choices={"2": "surrender", "5": "under"}, cards={"2": HIGH})
    late = draft("bet", play.name, spot="2", wager="over", amount=4_000)
    play.put_after(play.one("take", spot="2", wager="ante"), late)
    day.expect(late, "unequal-bet", spot="2", wager="over")
    if moved:
        move = draft("pay" if moved > 0 else "take", play.name, spot="2", wager="over", amount=abs(moved))
        play.put_before(play.one("announce", spot="2", wager="bonus"), move)
        day.expect(move, "wrong-settlement", spot="2", wager="over", owed=0, moved=moved, slip="push-moved")
    day.table.keep(play)


fault("unequal-bet:after-surrender", OVER_UNDER)(partial(bet_after_surrender, moved=0))
fault("wrong-settlement:after-surrender-paid", OVER_UNDER)(partial(bet_after_surrender, moved=4_000))
fault("wrong-settlement:after-surrender-taken", OVER_UNDER)(partial(bet_after_surrender, moved=-4_000))


@fault("both-sides", OVER_UNDER)
def both_sides(day: Day) -> None:
    """Let a player bet on over and under at one spot, although only one of the two is allowed. Both bets lose
    with the cards in HIGH.
    """
    play = spots(day, cards={"2": HIGH})
    second = draft("bet", play.name, spot="2", wager="under", amount=4_000)
    play.put_after(play.one("bet", spot="2", wager="over"), second)
    play.put_after(
        play.one("take", spot="2", wager="over"),
        draft("take", play.name, spot="2", wager="under", amount=4_000),
    )
    day.expect(second, "both-sides", spot="2", wager="under")
    day.table.keep(play)


def games_of_a_player(day: Day, count: int) -> None:
    """Let one player bet at `count` spots, with another player's spot between them. The rules allow four
    spots.
    """
    play = spots(day, {spot: {"ante": 1_000, "bonus": 1_000} for spot in "1234567"[: count + 1]})
    for bet in play.all("bet"):
        bet["player"] = "p-90201" if bet["spot"] == "2" else "p-90202"
    if count > 4:
        day.expect(play.one("bet", spot="6"), "too-many-spots", spot="6", wager="ante")
    day.table.keep(play)


fault("too-many-spots:player", OVER_UNDER)(partial(games_of_a_player, count=5))
fault("at-four-games:player", OVER_UNDER)(partial(games_of_a_player, count=4))


@fault("out-of-order:early-bet", OVER_UNDER)
def early_bet(day: Day) -> None:
    """Let a player bet on under before the spot has its first card. The rules require this card first. The
    bet still counts.
    """
    play = spots(day)
    bet = play.one("bet", spot="5", wager="under")
    play.move_before(bet, play.one("deal"))
    day.expect(bet, "out-of-order", spot="5", wager="under")
    day.table.keep(play)


@fault("late-bet:bonus", OVER_UNDER)
def late_bonus(day: Day) -> None:
    """Let a player bet the bonus after the first card. The rules require the bonus first. The bet still
    counts.
    """
    hand = Hand(day, "bonus", day.rng.choice(("win", "lose")))
    bet = hand.whole()
    hand.play.drop(bet)
    hand.play.put_after(cards_of(hand.play, hand.spot)[0], bet)
    hand.play.put_before(
        hand.play.one("deal"), draft("announce", hand.play.name, what="no-bonus?", spot=hand.spot)
    )
    hand.expect(bet, "late-bet")
    hand.keep()


# Questions to players, and their choices.


@fault("not-announced:no-bonus?", OVER_UNDER)
def not_asked(day: Day) -> None:
    """Leave out the dealer's question about a bonus, or ask it too late. The rules require the dealer to ask
    each player without a bonus before the first card.
    """
    play = spots(day)
    question = play.one("announce", what="no-bonus?")
    play.drop(question)
    if day.rng.random() < 0.5:
        play.put_after(cards_of(play, "5")[0], question)
    day.expect(cards_of(play, "5")[0], "not-announced", spot="5")
    day.table.keep(play)


@fault("out-of-order:early-choice", OVER_UNDER)
def early_choice(day: Day) -> None:
    """Let a player choose before any card is dealt. The rules require each player's first card first. The
    choice still counts.
    """
    play = spots(day)
    choice = play.one("choose", spot="5")
    play.move_before(choice, play.one("deal"))
    day.expect(choice, "out-of-order", spot="5")
    day.table.keep(play)


@fault("out-of-order:asked-last", OVER_UNDER)
def asked_last(day: Day) -> None:
    """Let the right player choose before the left player. The rules require the reverse order."""
    play = spots(day)
    for fact in play.all("choose", "bet", spot="2"):
        if fact.get("wager") not in ("ante", "bonus"):
            play.move_before(fact, cards_of(play, "2")[1])
    day.expect(play.one("choose", spot="5"), "out-of-order", spot="5")
    day.table.keep(play)


@fault("out-of-order:chosen-again", OVER_UNDER)
def chosen_again(day: Day) -> None:
    """Let a player choose under after a surrender, although a surrender is final. The ante is lost."""
    play = spots(day, choices={"2": "over", "5": "surrender"})
    second = draft("choose", play.name, spot="5", choice="under")
    play.put_after(play.one("take", spot="5", wager="ante"), second)
    day.expect(second, "out-of-order", spot="5")
    day.table.keep(play)


def second_before_choice(day: Day, given_up: bool) -> None:
    """Deal the left spot's second card before the right spot has chosen, although the rules require all
    choices first. If `given_up` is true, the left spot has surrendered, so this card is burned.
    """
    stakes: Stakes = {"2": {"ante": 4_000}, "5": {"ante": 2_000}}
    play = spots(day, stakes, {"2": "surrender" if given_up else "over", "5": "under"})
    card = play.one("burn") if given_up else cards_of(play, "2")[1]
    declared = [play.one("choose", spot="5"), play.one("bet", spot="5", wager="under")]
    play.move_before(card, min(declared, key=play.place))
    day.expect(card, "dealt-too-soon", spot=None if given_up else "2")
    day.table.keep(play)


fault("dealt-too-soon:undeclared", OVER_UNDER)(partial(second_before_choice, given_up=False))
fault("dealt-too-soon:burned", OVER_UNDER)(partial(second_before_choice, given_up=True))


@fault("choice-missing", OVER_UNDER)
def choice_missing(day: Day) -> None:
    """Leave out the choice of a player who bet on under. The rules require a choice from each player with an
    ante.
    """
    play = spots(day)
    play.drop(play.one("choose", spot="5"))
    day.expect(cards_of(play, "5")[1], "choice-missing", spot="5")
    day.table.keep(play)


@fault("choice-too-late", OVER_UNDER)
def choice_too_late(day: Day) -> None:
    """Let a player choose only after the spot's second card. The rules require the choice before it."""
    play = spots(day)
    choice = play.one("choose", spot=day.rng.choice(("2", "5")))
    play.drop(choice)
    play.put_after(cards_of(play, choice["spot"])[day.rng.choice((1, 2))], choice)
    day.expect(choice, "choice-too-late", spot=choice["spot"])
    for card in play.all("deal"):
        day.expect(card, "dealt-too-soon", optional=True)
    day.table.keep(play)


@fault("choice-too-late:changed", OVER_UNDER)
def choice_changed_late(day: Day) -> None:
    """Let a player change the choice after the second card, which the rules forbid. The first choice
    counts.
    """
    play = spots(day)
    choice = draft("choose", play.name, spot="2", choice="surrender")
    play.put_after(cards_of(play, "2")[1], choice)
    day.expect(choice, "choice-too-late", spot="2")
    day.table.keep(play)


@fault("choice-without-bet", OVER_UNDER)
def choice_without_bet(day: Day) -> None:
    """Let a player choose at a spot without an ante. The rules require an ante."""
    play = spots(day)
    choice = draft("choose", play.name, spot="3", choice=day.rng.choice(("over", "under", "surrender")))
    play.put_after(play.all("choose")[-1], choice)
    day.expect(choice, "choice-without-bet", spot="3")
    day.table.keep(play)


@fault("choice:changed-in-time:honest", OVER_UNDER)
def changed_in_time(day: Day) -> None:
    """Let a player change the choice before the second card, which the rules allow. The last choice
    counts.
    """
    play = spots(day)
    first = draft("choose", play.name, spot="5", choice="over")
    play.put_before(min(play.all("choose", "bet", spot="5")[1:], key=play.place), first)
    day.table.keep(play)
