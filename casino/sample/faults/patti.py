"""Faults that Teen Patti and Bet on Teen Patti share: the six cards, the declared outcome, side bets without
a main bet, and the two questions that the manual leaves open.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from casino.sample.faults.hand import Hand, busy
from casino.sample.faults.planting import listed
from casino.sample.tables.bet_on_teen_patti import BetTable
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.patti import rank, three_plus_three
from casino.sample.tables.patti_table import Cards, PattiTable
from casino.sample.tables.play import Play
from casino.sample.tables.teen_patti import TeenPattiTable

BOTH: tuple[type[PattiTable], ...] = (TeenPattiTable, BetTable)


def at_both(name: str, act: Callable[..., None], **settings: Any) -> None:
    """Register a fault at both Teen Patti and Bet on Teen Patti."""
    for table in BOTH:
        listed(table, name, act, **settings)


def one_bet(day: Day, cards: Cards | None = None) -> Play:
    """Play a round of one player with a main bet and, at Teen Patti, a play wager."""
    main = day.table.mains[0]
    return asked(day, {"p-90111": {main: day.table.amount(main)}}, cards)


def asked(day: Day, stakes: dict[str, dict[str, int]], cards: Cards | None = None) -> Play:
    """Play a round with these bets, in which nobody folds."""
    playing = {spot: True for spot, bets in stakes.items() if "ante" in bets}

    def decide(play: Play) -> None:
        if playing:
            day.table.decisions(play, playing)

    play: Play = day.table.play(stakes, cards, batch=False, announced=False, decide=decide)
    return play


# The cards.


def card_too_many(day: Day, first: bool, void: bool) -> None:
    """Deal a fourth card to the first or the second hand, although each hand has three. The fourth card
    belongs to no hand. If `void` is true, the dealer voids the round at once.
    """
    play = one_bet(day)
    place = day.table.places[0 if first else 1]
    third = play.all("deal", to=place)[2]
    extra = draft("deal", play.name, to=place, card=day.table.shoe.draw())
    play.put_after(third, extra)
    day.expect(extra, "wrong-card-count", spot=place)
    if void:
        day.table.void(play, extra)
    day.table.keep(play)


at_both("wrong-card-count:first-hand", partial(card_too_many, first=True, void=False))
at_both("wrong-card-count:second-hand", partial(card_too_many, first=False, void=False))
at_both("wrong-card-count:void", partial(card_too_many, first=False, void=True))


def card_missing(day: Day, settled: bool) -> None:
    """Deal only two cards to one hand, although each hand has three. If `settled` is true, the dealer settles
    the bets anyway, and the finding is at the first take or pay. Otherwise it is at the end of the round.
    """
    play = one_bet(
        day, day.table.searched(lambda first, second: rank(first, "lowest") != rank(second, "lowest"))
    )
    play.drop(day.rng.choice(play.all("deal")))
    moved = play.all("take", "pay")
    for fact in [] if settled else moved:
        play.drop(fact)
    if settled:
        day.expect(moved[0], "wrong-card-count")
    else:
        day.expect(play.one("round-closed"), "wrong-card-count")
    day.expect_undecided(play)
    day.table.keep(play)


at_both("wrong-card-count:few", partial(card_missing, settled=True))
at_both("wrong-card-count:few-unsettled", partial(card_missing, settled=False))


def duplicate(day: Day, one_hand: bool) -> None:
    """Deal the same card twice, although the deck has it only once: to one hand, or to both. The hands are
    judged as dealt.
    """
    card = day.rng.choice(("9c", "Kd", "As"))
    others = day.table.searched(lambda first, second: card not in first + second)
    cards = [card, card, *others[:4]] if one_hand else [card, *others[:2], card, *others[2:4]]
    play = one_bet(day, cards)
    day.expect(play.all("deal", card=card)[1], "duplicate-card")
    day.table.keep(play)


at_both("duplicate-card:one-hand", partial(duplicate, one_hand=True))
at_both("duplicate-card:both-hands", partial(duplicate, one_hand=False))


# The declared outcome.


def declared_wrong(day: Day, early: bool) -> None:
    """Declare an outcome that contradicts the cards. If `early` is true, do this before the last card."""
    table = day.table
    play = one_bet(day, table.searched(lambda first, second: rank(second, "lowest")[0] > 0))
    right = table.outcome(*table.hands(play))
    words = [str(word) for word in (*table.places, "tie") if word != right]
    announced = draft("announce", play.name, what="outcome", value=day.rng.choice(words))
    (play.put_before if early else play.put_after)(table.sixth(play), announced)
    day.expect(announced, "announced-wrong")
    table.keep(play)


at_both("announced-wrong:outcome", partial(declared_wrong, early=False))
at_both("announced-wrong:early", partial(declared_wrong, early=True))


# Side bets.


def side_alone(day: Day, side: str, void: bool = False) -> None:
    """Let a player make a side bet without a main bet, although the rules require one. The side bet still
    counts and is settled. If `void` is true, the round is voided instead.
    """
    play = (
        busy(day)
        if void
        else asked(day, {"p-90111": {side: day.table.amount(side)}, "p-90122": {day.table.mains[0]: 1_000}})
    )
    if void:
        bet = draft("bet", play.name, spot="p-90199", wager=side, amount=1_000)
        play.put_before(play.one("no-more-bets"), bet)
        day.table.void(play, play.one("no-more-bets"))
    else:
        bet = play.one("bet", spot="p-90111", wager=side)
    day.expect(bet, "side-without-main", spot=bet["spot"], wager=side)
    day.table.keep(play)


for _table in BOTH:
    for _side in _table.sides:
        listed(_table, f"side-without-main:{_side}", partial(side_alone, side=_side))
    listed(_table, "side-without-main:void", partial(side_alone, side="3+3", void=True))


@partial(at_both, "side-before-main:honest")
def side_first(day: Day) -> None:
    """Let a player make the side bet before the main bet. This is allowed: when betting closes, both are
    placed.
    """
    play = one_bet(day)
    main = play.one("bet")
    side = draft("bet", play.name, spot=main["spot"], wager="3+3", amount=day.table.amount("3+3"))
    play.put_before(main, side)
    for fact in play.all("take", "pay"):
        play.drop(fact)
    closed = play.facts.pop()
    day.table.settle(play)
    play.facts.append(closed)
    day.table.keep(play)


# The two questions that the manual leaves open, and pairs settled by the pay table of another kind of hand.


def by_another_answer(day: Day, sort: str) -> None:
    """Pay a 3+3 bet on a suited A-2-3-4-5 by a ranking (`sort`) that this table has not chosen. The manual
    leaves this ranking open.
    """
    table = day.table
    suit = day.rng.choice("shdc")
    wheel = [value + suit for value in "A2345"]
    off = next(card for card in table.shoe.cards if card[1] != suit and card[0] in "789TJQK")
    cards = day.rng.sample([*wheel, off], 6)
    play = asked(day, {"p-90111": {table.mains[0]: 1_000, "3+3": 1_000}}, cards)
    fact = play.all("take", "pay", spot="p-90111", wager="3+3")[0]
    owed = three_plus_three(cards, table.answers[1]) * 1_000
    moved = three_plus_three(cards, sort) * 1_000
    slip = "overpaid" if moved > owed > 0 else "underpaid" if moved > 0 else "took-a-winner"
    if owed < 0:
        slip = "paid-a-loser"
    if moved == owed:
        table.keep(play)
        return
    fact["kind"], fact["amount"] = "pay" if moved > 0 else "take", abs(moved)
    day.expect(fact, "wrong-settlement", spot="p-90111", wager="3+3", owed=owed, moved=moved, slip=slip)
    table.keep(play)


for _answer, _as in (
    ("straight-flush", "flush"),
    ("straight-flush", "nothing"),
    ("flush", "straight-flush"),
    ("nothing", "flush"),
):
    at_both(
        f"wrong-settlement:wheel:{_answer}-as-{_as}",
        partial(by_another_answer, sort=_as),
        readings={"a23": "lowest", "steel-wheel": _answer},
    )


def by_rank(day: Day, side: str, kind: int, paid: int) -> None:
    """Pay a pair bet at `paid` to one, which are the odds of another kind of hand. `kind` is the number of
    the hand's real kind.
    """
    hand = Hand(day, side, "win")
    while rank(own_hand(day, hand.play, side), "lowest")[0] != kind:
        hand.keep()
        hand = Hand(day, side, "win")
    fact = hand.moves[0]
    fact["amount"] = hand.stake * paid
    hand.expect(
        fact,
        "wrong-settlement",
        owed=hand.owed,
        moved=fact["amount"],
        slip="overpaid" if fact["amount"] > hand.owed else "underpaid",
    )
    hand.keep()


def own_hand(day: Day, play: Play, side: str) -> Cards:
    """Return the hand on which a pair bet is placed."""
    first, second = day.table.hands(play)
    cards: Cards = second if side == "pair-b" else first
    return cards


for _table in BOTH:
    for _side in _table.sides[:-1]:
        listed(
            _table, f"wrong-settlement:{_side}:pair-as-flush", partial(by_rank, side=_side, kind=1, paid=3)
        )
        listed(
            _table,
            f"wrong-settlement:{_side}:flush-as-straight",
            partial(by_rank, side=_side, kind=2, paid=6),
        )
        listed(
            _table,
            f"wrong-settlement:{_side}:straight-as-flush",
            partial(by_rank, side=_side, kind=3, paid=3),
        )


def six_by_rank(day: Day, kind: str, paid: int) -> None:
    """Pay the 3+3 at `paid` to one, which are the odds of another kind of hand. `kind` is the real kind of
    the best five cards.
    """
    table = day.table
    cards = table.searched(lambda first, second: of_best(first + second) == kind)
    play = asked(day, {"p-90111": {table.mains[0]: 1_000, "3+3": 1_000}}, cards)
    fact: Draft = play.all("pay", spot="p-90111", wager="3+3")[0]
    owed = fact["amount"]
    fact["amount"] = paid * 1_000
    slip = "overpaid" if paid * 1_000 > owed else "underpaid"
    day.expect(
        fact, "wrong-settlement", spot="p-90111", wager="3+3", owed=owed, moved=paid * 1_000, slip=slip
    )
    table.keep(play)


def of_best(cards: Cards) -> str:
    """Return the rank of the best five of six cards. The cards must not include a suited A-2-3-4-5."""
    pays = three_plus_three(cards, "nothing")
    return {5: "three", 10: "run", 20: "suited", 25: "full house", 50: "four"}.get(pays, "")


at_both("wrong-settlement:3+3:three-as-straight", partial(six_by_rank, kind="three", paid=10))
at_both("wrong-settlement:3+3:straight-as-flush", partial(six_by_rank, kind="run", paid=20))
at_both("wrong-settlement:3+3:flush-as-straight", partial(six_by_rank, kind="suited", paid=10))
at_both("wrong-settlement:3+3:full-house-as-flush", partial(six_by_rank, kind="full house", paid=20))
