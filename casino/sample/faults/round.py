"""Faults that games share: voids, gaps and clocks of the feed, the order of a round, facts in the wrong
place, and equipment.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from casino.sample.faults.hand import busy, plain_hand, some_bet
from casino.sample.faults.planting import listed, shared
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import draft
from casino.sample.tables.play import placed
from casino.sample.tables.registers import register
from casino.sample.tables.table import TABLES

# Voids.


def void(day: Day, change: str) -> None:
    """Void a round. `change` names the dealer's mistake: the `reason` is missing, one person has `signed`
    twice, or the stake is `kept`, returned by `half`, or returned twice (`too-much`). If it is empty, there
    is no mistake.
    """
    hand = plain_hand(day, "lose")
    fact = day.table.void(hand.play, hand.play.before(hand.moves[0]))
    back = hand.play.one("return", spot=hand.spot, wager=hand.wager)
    closed = hand.play.one("round-closed")
    if change == "reason":
        fact["reason"] = ""
        day.expect(fact, "void-without-reason")
    elif change == "signed":
        fact["second"] = fact["by"]
        day.expect(fact, "void-not-signed")
    elif change == "kept":
        hand.play.drop(back)
        hand.expect(closed, "void-not-returned", owed=hand.stake, moved=0)
    elif change == "half":
        back["amount"] = hand.stake // 2
        hand.expect(closed, "void-not-returned", owed=hand.stake, moved=hand.stake // 2)
    elif change == "too-much":
        back["amount"] = hand.stake * 2
        hand.expect(closed, "void-not-returned", owed=hand.stake, moved=hand.stake * 2)
    hand.keep()


shared("void:honest")(partial(void, change=""))
shared("void-without-reason")(partial(void, change="reason"))
shared("void-not-signed")(partial(void, change="signed"))
shared("void-not-returned:kept")(partial(void, change="kept"))
shared("void-not-returned:half")(partial(void, change="half"))
shared("void-not-returned:too-much")(partial(void, change="too-much"))


def void_after_money(day: Day, want: str, honest: bool) -> None:
    """Void a round after a stake was taken or winnings were paid. If `honest` is true, the dealer reverses
    this move, as the rules require. Otherwise the dealer does not.
    """
    hand = plain_hand(day, want)
    moved = hand.moves[0]
    day.table.void(hand.play, moved)
    if not honest:
        back = hand.play.one("return", spot=hand.spot, wager=hand.wager) if want == "lose" else hand.moves[-1]
        hand.play.drop(back)
        total = 0 if want == "lose" else hand.stake + moved["amount"]
        hand.expect(hand.play.one("round-closed"), "void-not-returned", owed=hand.stake, moved=total)
    hand.keep()


shared("void-after-take:honest")(partial(void_after_money, want="lose", honest=True))
shared("void-after-pay:honest")(partial(void_after_money, want="win", honest=True))
shared("void-not-returned:taken-before")(partial(void_after_money, want="lose", honest=False))
shared("void-not-returned:winnings-kept")(partial(void_after_money, want="win", honest=False))


# Order of the round and of the feed.


@shared("feed-gap")
def feed_gap(day: Day) -> None:
    """Skip three numbers in the counter of one source, as if three of its facts had been lost."""
    play = busy(day)
    fact = day.rng.choice(play.facts[1:])
    fact["_gap"] = 3
    day.expect(fact, "feed-gap")
    day.table.keep(play)


@shared("clock-backwards")
def clock_backwards(day: Day) -> None:
    """Record a fact whose clock time is five seconds before the previous fact of the same source."""
    play = busy(day)
    fact = play.facts[-1]
    fact["_back"] = 5
    day.expect(fact, "clock-backwards")
    day.table.keep(play)


def left_open(day: Day, last: bool) -> None:
    """Leave out `round-closed`, which must end each round. The finding is at the opening of the next round
    or, if `last` is true, at the closing of the table.
    """
    play = busy(day)
    play.drop(play.one("round-closed"))
    day.table.keep(play)
    if last:

        def found() -> None:
            closed = next(fact for fact in day.drafts if fact["kind"] == "table-closed")
            day.expect(closed, "round-left-open", round=play.name)

        day.last = True
        day.closing.append(found)
        return
    after = day.table.play()
    day.table.keep(after)
    day.expect(after.facts[0], "round-left-open", round=play.name)


shared("round-left-open:next-round")(partial(left_open, last=False))
shared("round-left-open:table-closed")(partial(left_open, last=True))


def odd_one(day: Day, kind: str, **fields: Any) -> None:
    """Insert a fact whose kind this game does not have, or a card dealt to a position that this game does not
    have.
    """
    play = busy(day)
    fact = draft(kind, play.name, **fields)
    play.put_before(play.facts[-1], fact)
    day.expect(fact, "unknown-kind-of-play")
    day.table.keep(play)


ODD: dict[str, dict[str, Any]] = {
    "burn": {"card": None},
    "choose": {"spot": "1", "choice": "over"},
    "mark": {"value": 7, "side": "ties-push"},
    "pull": {"spot": "1", "wager": "over"},
    "roll": {"dice": [1, 2]},
    "shake": {"times": 5},
}
PLACES = ("dealer", "community", "joker", "andar", "player", "a", "table")
for _table in TABLES.values():
    for _kind, _fields in ODD.items():
        if _kind not in _table.acts:
            listed(_table, f"unknown-kind-of-play:{_kind}", partial(odd_one, kind=_kind, **_fields))
    _place = next(place for place in PLACES if place not in _table.places)
    listed(_table, "unknown-kind-of-play:deal", partial(odd_one, kind="deal", to=_place, card=None))


@shared("out-of-order:closed-round")
def closed_round(day: Day) -> None:
    """Record a bet that names a round which is already closed. The bet counts in no round."""
    earlier = busy(day)
    day.table.keep(earlier)
    play = busy(day)
    spot, wager, amount = placed(play)[0]
    fact = draft("bet", earlier.name, spot=spot, wager=wager, amount=amount)
    play.put_after(some_bet(play), fact)
    day.expect(fact, "out-of-order", spot=spot, wager=wager)
    day.table.keep(play)


def astray(day: Day, round: str | None) -> None:
    """Pay a wager in a round that never opened or, if `round` is None, without naming a round. There is no
    bet to pay.
    """
    play = busy(day)
    spot, wager, amount = placed(play)[0]
    fact = draft("pay", round, spot=spot, wager=wager, amount=amount)
    play.put_before(play.facts[-1], fact)
    day.expect(fact, "out-of-order", spot=spot, wager=wager)
    day.expect(fact, "no-such-bet", spot=spot, wager=wager, moved=amount)
    day.table.keep(play)


shared("out-of-order:unknown-round")(partial(astray, round="r-9999"))
shared("out-of-order:no-round")(partial(astray, round=None))


@shared("out-of-order:between-rounds")
def between_rounds(day: Day) -> None:
    """Take a lost stake a second time after the round has ended."""
    hand = plain_hand(day, "lose")
    hand.keep()
    fact = hand.money("take", hand.stake)
    day.drafts.append(fact)
    hand.expect(fact, "out-of-order")
    hand.expect(fact, "settled-twice", owed=-hand.stake, moved=-2 * hand.stake)


@shared("out-of-order:return-without-void")
def return_without_void(day: Day) -> None:
    """Give a lost stake back to its player although the round was not voided."""
    hand = plain_hand(day, "lose")
    fact = hand.money("return", hand.stake)
    hand.play.put_before(hand.play.facts[-1], fact)
    hand.expect(fact, "out-of-order")
    hand.expect(fact, "wrong-settlement", owed=-hand.stake, moved=0, slip="undertaken")
    hand.keep()


# Equipment.


def alarms(day: Day, count: int, answered: int) -> None:
    """Raise `count` alarms, and answer `answered` of them. If any is left unanswered, exactly one finding is
    expected, at the opening of the next round.
    """
    alarm_facts = [draft("alarm", device=day.table.shoe_name, text="card jam") for _ in range(count)]
    day.drafts += alarm_facts
    day.drafts += [draft("alarm-answered", alarm=alarm, by="s-107") for alarm in alarm_facts[:answered]]
    play = busy(day)
    day.table.keep(play)
    if answered < count:
        opened = next(
            fact for fact in day.drafts[day.drafts.index(alarm_facts[-1]) :] if fact["kind"] == "round-opened"
        )
        day.expect(opened, "alarm-unanswered")


shared("alarm-answered:honest")(partial(alarms, count=1, answered=1))
shared("alarm-unanswered")(partial(alarms, count=1, answered=0))
shared("alarm-unanswered:two")(partial(alarms, count=2, answered=0))
shared("alarm-unanswered:one-of-two")(partial(alarms, count=2, answered=1))


@shared("sees-less")
def sees_less(day: Day) -> None:
    """Open the table again with a `sees` that leaves out `alarm`, which the table reported before."""
    fact = day.table.opened(continues=True, sees=sorted(kind for kind in day.table.sees if kind != "alarm"))
    day.expect(fact, "sees-less")


def wrong_day(day: Day, seconds: int) -> None:
    """Open a round `seconds` after the end of the gaming day, which is a fault. If `seconds` is negative, the
    round opens before the end, which is correct.
    """
    day.before.append(register(day, "day-begins", "*", {"time": "06:00", "zone": "America/Los_Angeles"}))
    play = busy(day)
    play.facts[0]["_at"] = day.instant(6) + timedelta(days=1, seconds=seconds)
    if seconds >= 0:
        day.expect(play.facts[0], "wrong-day")
    day.table.keep(play)
    day.last = True


shared("wrong-day")(partial(wrong_day, seconds=0))
shared("wrong-day:just-before:honest")(partial(wrong_day, seconds=-20))
