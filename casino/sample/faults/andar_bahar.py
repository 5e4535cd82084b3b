"""Faults that only Andar Bahar has: cards on the wrong side or after the match, bets at the wrong time, and a
wrongly declared winner. The match is the first card with the joker's rank.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from casino.sample.faults.hand import whole
from casino.sample.faults.planting import fault
from casino.sample.faults.shoe import new_deck_order, same_order
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.play import Play
from casino.sample.tables.settling import RANKS

ANDAR = "andar_bahar"
SPOT = "p-90111"


def dealt(play: Play) -> list[Draft]:
    """Return the facts of the cards dealt after the joker."""
    return play.all("deal")[1:]


def plain_round(day: Day, place: int, batch: bool = False, **options: Any) -> Play:
    """Play a round in which one player bets on Andar, and another player bets on Bahar and on a side bet. The
    match is card number `place` after the joker. If `batch` is true, several bets are posted in one fact.
    """
    stakes = {SPOT: {"andar": 1_000}, "p-90122": {"11-15": 500, "bahar": 400}}
    play: Play = day.table.play(stakes, place, batch=batch, announced=False, **options)
    return play


# The cards.


def wrong_side(day: Day, match: bool) -> None:
    """Deal one card to the wrong side, although the two sides must alternate. If `match` is true, this card
    is the match; otherwise it is an earlier card. Bets are settled for the side that received the match.
    """
    play = plain_round(day, 8)
    fact = dealt(play)[-1] if match else dealt(play)[day.rng.randint(0, 6)]
    fact["to"] = "andar" if fact["to"] == "bahar" else "bahar"
    if match:
        for moved in play.all("take", "pay"):
            play.drop(moved)
        closed = play.facts.pop()
        day.table.settle(play, fact["to"], 8)
        play.facts.append(closed)
    day.expect(fact, "wrong-deal-order")
    day.table.keep(play)


fault("wrong-deal-order:wrong-side", ANDAR)(partial(wrong_side, match=False))
fault("wrong-deal-order:match", ANDAR)(partial(wrong_side, match=True))


@fault("wrong-deal-order:first-side", ANDAR)
def wrong_first_side(day: Day) -> None:
    """Deal the first card to the side that must be second. All later cards go to the correct sides."""
    play = plain_round(day, 6)
    fact = dealt(play)[0]
    fact["to"] = "andar" if fact["to"] == "bahar" else "bahar"
    day.expect(fact, "wrong-deal-order")
    day.table.keep(play)


@fault("dealt-after-match", ANDAR)
def after_the_match(day: Day) -> None:
    """Deal one more card after the match. The rules require that the match ends the round."""
    play = plain_round(day, 7)
    last = dealt(play)[-1]
    extra = draft("deal", play.name, to=day.table.side(8), card=day.table.shoe.draw(avoid=last["card"][0]))
    play.put_after(last, extra)
    day.expect(extra, "dealt-after-match")
    day.table.keep(play)


def stopped(day: Day, settled: bool) -> None:
    """End the round before the match is dealt, although the rules require a match. If `settled` is true, the
    dealer settles the bets anyway.
    """
    play = plain_round(day, 12)
    play.drop(dealt(play)[-1])
    if settled:
        moved = play.all("take", "pay")
        day.expect(moved[0], "stopped-before-match")
        for fact in moved:
            for code in ("settled-too-soon", "wrong-settlement"):
                day.expect(fact, code, optional=True)
    else:
        for fact in play.all("take", "pay"):
            play.drop(fact)
        day.expect(play.one("round-closed"), "stopped-before-match")
    day.expect_undecided(play)
    day.table.keep(play)


fault("stopped-before-match:unsettled", ANDAR)(partial(stopped, settled=False))
fault("stopped-before-match:settled", ANDAR)(partial(stopped, settled=True))


@fault("duplicate-card", ANDAR)
def duplicate(day: Day) -> None:
    """Deal the same card twice, although the deck has it only once."""
    play = plain_round(day, 9)
    cards = dealt(play)
    cards[5]["card"] = cards[2]["card"]
    day.expect(cards[5], "duplicate-card")
    day.table.keep(play)


@fault("duplicate-card:joker", ANDAR)
def joker_again(day: Day) -> None:
    """Deal the joker's own card a second time, although the deck has it only once. Because it has the joker's
    rank, it ends the round.
    """
    play = plain_round(day, 9)
    dealt(play)[-1]["card"] = play.one("deal", to="joker")["card"]
    day.expect(dealt(play)[-1], "duplicate-card")
    day.table.keep(play)


@fault("not-shuffled", ANDAR)
def not_shuffled(day: Day) -> None:
    """Deal the next round without a shuffle, although the rules require one before each round."""
    day.table.keep(day.table.play(place=3))
    rank = next(rank for rank in RANKS if sum(card[0] == rank for card in day.table.shoe.cards) == 4)
    day.table.unshuffled = True
    play = plain_round(day, 4, joker=rank)
    day.table.unshuffled = False
    day.expect(play.one("deal"), "not-shuffled")
    day.table.keep(play)


fault("not-shuffled:order", ANDAR)(partial(same_order, place=9))
fault("not-shuffled:new-deck", ANDAR)(partial(new_deck_order, place=9))


# Bets, announcements, batches.


@fault("out-of-order:early-bet", ANDAR)
def before_the_joker(day: Day) -> None:
    """Let a player bet before the joker is dealt. The rules require the joker first. The bet still counts and
    is settled.
    """
    play = plain_round(day, 5)
    bet = whole(play, SPOT, "andar")
    play.move_before(bet, play.one("deal"))
    day.expect(bet, "out-of-order", spot=SPOT, wager="andar")
    day.table.keep(play)


@fault("late-bet:after-first-card", ANDAR)
def after_the_first_card(day: Day) -> None:
    """Let a player bet after the first card that follows the joker. Betting is closed by then."""
    play = plain_round(day, 8)
    bet = whole(play, SPOT, "andar")
    play.drop(bet)
    play.put_after(dealt(play)[0], bet)
    day.expect(bet, "late-bet", spot=SPOT, wager="andar")
    day.table.keep(play)


@fault("announced-wrong:outcome", ANDAR)
def wrong_outcome(day: Day) -> None:
    """Declare the losing side as the winner."""
    play = plain_round(day, 7)
    last = dealt(play)[-1]
    fact = draft("announce", play.name, what="outcome", value="andar" if last["to"] == "bahar" else "bahar")
    play.put_after(last, fact)
    day.expect(fact, "announced-wrong")
    day.table.keep(play)
