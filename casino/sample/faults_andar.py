"""Faults of Andar Bahar alone: the two sides, the match, batches, players who are lost."""

from __future__ import annotations

from functools import partial
from typing import Any

from .day import Day
from .desk import Draft, draft
from .faults_money import ANDAR, Hand
from .faults_round import whole
from .planting import fault
from .play import Play
from .settling import RANKS

SPOT = "p-90111"


def dealt(play: Play) -> list[Draft]:
    """The cards after the joker."""
    return play.all("deal")[1:]


def plain_round(day: Day, place: int, batch: bool = False, **options: Any) -> Play:
    """One player on Andar, one on a side bet; the match at `place`."""
    stakes = {SPOT: {"andar": 1_000}, "p-90122": {"11-15": 500, "bahar": 400}}
    play: Play = day.table.play(stakes, place, batch=batch, said=False, **options)
    return play


# The cards.


def wrong_side(day: Day, match: bool) -> None:
    """A card laid on the wrong side; a match wins for the side it lies on."""
    play = plain_round(day, 8)
    fact = dealt(play)[-1] if match else dealt(play)[day.rng.randint(0, 6)]
    fact["to"] = "andar" if fact["to"] == "bahar" else "bahar"
    if match:
        for moved in play.all("take", "pay"):
            play.drop(moved)
        closed = play.facts.pop()
        day.table.settle(play, fact["to"], 8, batch=False)
        play.facts.append(closed)
    day.expect(fact, "wrong-deal-order")
    day.table.keep(play)


fault("wrong-deal-order:wrong-side", ANDAR)(partial(wrong_side, match=False))
fault("wrong-deal-order:match", ANDAR)(partial(wrong_side, match=True))


@fault("wrong-deal-order:first-side", ANDAR)
def wrong_first_side(day: Day) -> None:
    """The first card goes to the side that comes second; the rest lies where it belongs."""
    play = plain_round(day, 6)
    fact = dealt(play)[0]
    fact["to"] = "andar" if fact["to"] == "bahar" else "bahar"
    day.expect(fact, "wrong-deal-order")
    day.table.keep(play)


@fault("dealt-after-match", ANDAR)
def after_the_match(day: Day) -> None:
    """The dealer goes on."""
    play = plain_round(day, 7)
    last = dealt(play)[-1]
    extra = draft("deal", play.name, to=day.table.side(8), card=day.table.shoe.draw(avoid=last["card"][0]))
    play.put_after(last, extra)
    day.expect(extra, "dealt-after-match")
    day.table.keep(play)


def stopped(day: Day, settled: bool) -> None:
    """The match is never dealt."""
    play = plain_round(day, 12)
    play.drop(dealt(play)[-1])
    if settled:
        moved = play.all("take", "pay")
        day.expect(moved[0], "stopped-before-match")
        for fact in moved:
            for code in ("settled-too-soon", "wrong-settlement"):
                day.expect(fact, code, also=True)
    else:
        for fact in play.all("take", "pay"):
            play.drop(fact)
        day.expect(play.one("round-closed"), "stopped-before-match")
    day.table.keep(play)


fault("stopped-before-match:unsettled", ANDAR)(partial(stopped, settled=False))
fault("stopped-before-match:settled", ANDAR)(partial(stopped, settled=True))


@fault("duplicate-card", ANDAR)
def duplicate(day: Day) -> None:
    """The same card twice in one deck."""
    play = plain_round(day, 9)
    cards = dealt(play)
    cards[5]["card"] = cards[2]["card"]
    day.expect(cards[5], "duplicate-card")
    day.table.keep(play)


@fault("duplicate-card:joker", ANDAR)
def joker_again(day: Day) -> None:
    """The joker itself comes again, and so ends the round."""
    play = plain_round(day, 9)
    dealt(play)[-1]["card"] = play.one("deal", to="joker")["card"]
    day.expect(dealt(play)[-1], "duplicate-card")
    day.table.keep(play)


def unreadable(day: Day, code: str, card: str | None) -> None:
    """A card that cannot be, or that was not read; the round's money is not judged."""
    play = plain_round(day, 9)
    fact = dealt(play)[3]
    fact["card"] = card
    day.expect(fact, code)
    day.table.keep(play)


fault("card-not-read", ANDAR)(partial(unreadable, code="card-not-read", card=None))
for _card in ("1s", "Xs", "Zs"):
    fault(f"impossible-card:{_card}", ANDAR)(partial(unreadable, code="impossible-card", card=_card))


@fault("unknown-kind-of-play:deal", ANDAR)
def nowhere(day: Day) -> None:
    """A card dealt to a place that the game lacks."""
    play = plain_round(day, 5)
    rank = play.one("deal")["card"][0]
    fact = draft("deal", play.name, to="dealer", card=day.table.shoe.draw(avoid=rank))
    play.put_before(play.one("no-more-bets"), fact)
    day.expect(fact, "unknown-kind-of-play")
    day.expect(fact, "bets-not-closed", also=True)
    day.table.keep(play)


@fault("not-shuffled", ANDAR)
def not_shuffled(day: Day) -> None:
    """The next round is dealt on from the same deck."""
    day.table.keep(day.table.play(place=3))
    rank = next(rank for rank in RANKS if sum(card[0] == rank for card in day.table.shoe.cards) == 4)
    play = plain_round(day, 4, shuffle=False, joker=rank)
    day.expect(play.one("deal"), "not-shuffled")
    day.table.keep(play)


@fault("not-shuffled:opening", ANDAR, opening=True)
def opened_unshuffled(day: Day) -> None:
    """The day's first round is dealt from a deck that nobody shuffled."""
    play = plain_round(day, 4, shuffle=False)
    day.expect(play.one("deal"), "not-shuffled")
    day.table.keep(play)


@fault("wrong-decks:shuffled", ANDAR)
def two_decks(day: Day) -> None:
    """Two decks are shuffled at a table of one."""
    day.table.keep(day.table.play())
    fact = next(each for each in reversed(day.drafts) if each["kind"] == "shuffled")
    fact["decks"] = 2
    day.expect(fact, "wrong-decks")


@fault("wrong-decks:table", ANDAR, opening=True, decks=8)
def eight_decks(day: Day) -> None:
    """The table names eight decks where the rules say one; an equal shuffle is not found again."""
    day.expect(day.drafts[0], "wrong-decks")


# Bets, words, batches.


@fault("out-of-order:early-bet", ANDAR)
def before_the_joker(day: Day) -> None:
    """A bet before the joker lies; it stands and is settled."""
    play = plain_round(day, 5)
    bet = whole(play, SPOT, "andar")
    play.move_before(bet, play.one("deal"))
    day.expect(bet, "out-of-order", spot=SPOT, wager="andar")
    day.table.keep(play)


@fault("late-bet:after-first-card", ANDAR)
def after_the_first_card(day: Day) -> None:
    """A bet when cards already lie."""
    play = plain_round(day, 8)
    bet = whole(play, SPOT, "andar")
    play.drop(bet)
    play.put_after(dealt(play)[0], bet)
    day.expect(bet, "late-bet", spot=SPOT, wager="andar")
    day.table.keep(play)


@fault("late-bet:batch", ANDAR)
def late_batch(day: Day) -> None:
    """A betting window posted when it had closed."""
    play = plain_round(day, 8)
    bet = whole(play, SPOT, "andar")
    play.drop(bet)
    late = draft("bets", play.name, bets=[[SPOT, "andar", bet["amount"]]])
    play.put_after(play.one("no-more-bets"), late)
    day.expect(late, "late-bet", spot=SPOT, wager="andar")
    day.table.keep(play)


@fault("announced-wrong:outcome", ANDAR)
def wrong_outcome(day: Day) -> None:
    """The studio declares the other side."""
    play = plain_round(day, 7)
    last = dealt(play)[-1]
    fact = draft("announce", play.name, what="outcome", value="andar" if last["to"] == "bahar" else "bahar")
    play.put_after(last, fact)
    day.expect(fact, "announced-wrong")
    day.table.keep(play)


def batch_wrong(day: Day, fault_name: str) -> None:
    """One entry of a settlement posted as a batch is wrong, missing, or there twice."""
    play = plain_round(day, 12, batch=True)
    fact = play.one("settled")
    paid = next(entry for entry in fact["paid"] if entry[1] == "11-15")
    owed = paid[2]
    said: dict[str, Any] = {"spot": paid[0], "wager": "11-15", "owed": owed}
    if fault_name == "wrong-settlement":
        paid[2] = owed + 100
        day.expect(fact, fault_name, **said, moved=owed + 100, slip="overpaid")
    elif fault_name == "not-settled":
        fact["paid"] = [entry for entry in fact["paid"] if entry is not paid]
        day.expect(play.one("round-closed"), fault_name, **said, moved=0)
    elif fault_name == "settled-twice":
        again = draft("settled", play.name, paid=[list(paid)], taken=[])
        play.put_after(fact, again)
        day.expect(again, fault_name, **said, moved=2 * owed)
    else:
        fact["paid"].append(["p-90133", "41+", 700])
        day.expect(fact, "no-such-bet", spot="p-90133", wager="41+", moved=700)
        day.expect(fact, "wrong-settlement", also=True, spot="p-90133", wager="41+")
    day.table.keep(play)


for _name in ("wrong-settlement", "not-settled", "settled-twice", "no-such-bet"):
    fault(f"{_name}:batch", ANDAR)(partial(batch_wrong, fault_name=_name))


# Players who are lost.


def lost(day: Day, early: bool, settled: bool) -> None:
    """Lost before the close, nothing counts as placed; lost later, everything stands."""
    hand = Hand(day, "andar", "win")
    gone = draft("player-lost", hand.play.name, spot=hand.spot)
    close = hand.play.one("no-more-bets")
    (hand.play.put_before if early else hand.play.put_after)(close, gone)
    moved = hand.moves[0]
    if early and settled:
        hand.expect(moved, "no-such-bet", moved=moved["amount"])
        hand.expect(moved, "wrong-settlement", also=True)
    elif not settled:
        hand.play.drop(moved)
        if not early:
            hand.expect(hand.play.one("round-closed"), "not-settled", owed=hand.owed, moved=0)
    hand.keep()


fault("player-lost:early:honest", ANDAR)(partial(lost, early=True, settled=False))
fault("player-lost:late:honest", ANDAR)(partial(lost, early=False, settled=True))
fault("no-such-bet:player-lost", ANDAR)(partial(lost, early=True, settled=True))
fault("not-settled:player-lost-late", ANDAR)(partial(lost, early=False, settled=False))


@fault("player-back:bets-anew:honest", ANDAR)
def back_in_time(day: Day) -> None:
    """Lost and back before the close: only what is bet after that counts."""
    hand = Hand(day, "bahar", "lose")
    close = hand.play.one("no-more-bets")
    anew = draft("bet", hand.play.name, spot=hand.spot, wager="andar", amount=1_000)
    hand.play.put_before(close, *[draft(kind, hand.play.name, spot=hand.spot) for kind in ("player-lost", "player-back")], anew)
    for moved in hand.moves:
        hand.play.drop(moved)
    win = 900 if day.table.first == "andar" else 1_000
    hand.play.put_before(hand.end, draft("pay", hand.play.name, spot=hand.spot, wager="andar", amount=win))
    hand.keep()


@fault("paused:resumed:honest", ANDAR)
def paused_and_resumed(day: Day) -> None:
    """An error that the manager resolves at once."""
    play = plain_round(day, 8)
    pair = [draft(kind, play.name, reason="card not seen", by="s-101") for kind in ("paused", "resumed")]
    play.put_after(dealt(play)[2], *pair)
    day.table.keep(play)
