"""Faults that both games share: bets and limits, voids, the feed, the order of a round, the equipment."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from .day import Day
from .desk import Draft, draft
from .faults_money import ANDAR, EASY, Hand, first_wager
from .house import register
from .planting import fault
from .play import Play, placed


def whole(play: Play, spot: str, wager: str) -> Draft:
    """The one bet of spot and wager, its heaps put together."""
    bets = play.all("bet", spot=spot, wager=wager)
    amount = sum(bet["amount"] for bet in bets) - sum(back["amount"] for back in play.all("unbet", spot=spot, wager=wager))
    for extra in bets[1:] + play.all("unbet", spot=spot, wager=wager):
        play.drop(extra)
    bets[0]["amount"] = amount
    return bets[0]


def some_bet(play: Play) -> Draft:
    """The first bet of the round, single or in a batch."""
    return play.one("bet", "bets")


def busy(day: Day) -> Play:
    """A round with at least one bet."""
    while True:
        play: Play = day.table.play()
        if placed(play):
            return play
        day.table.keep(play)


# Limits: below, at, above.


def limits(day: Day, wager: str, stake: int, code: str, parts: int = 1, main: dict[str, int] | None = None) -> None:
    """A stake that the limits forbid, or just allow."""
    if day.easy:
        play = day.table.play({"2": (main or {}) | {wager: stake}}, (5, 4))
        spot = "2"
    else:
        spot = "p-90111"
        play = day.table.play({spot: {wager: stake}}, batch=False)
    bet = whole(play, spot, wager)
    for _ in range(parts - 1):
        bet["amount"] -= 1_000
        more = draft("bet", play.name, spot=spot, wager=wager, amount=1_000)
        play.put_after(bet, more)
    last = play.all("bet", spot=spot, wager=wager)[-1]
    if code:
        day.expect(last, code, spot=spot, wager=wager)
    day.table.keep(play)


OWN = {"*": (1_000, 50_000), "short-side": (500, 20_000), "spread": (2_000, 9_000)}
LIMITS: tuple[tuple[str, str, int, str, dict[str, Any]], ...] = (
    ("below-minimum:main", "over", 900, "below-minimum", {}),
    ("below-minimum:spread", "spread", 900, "below-minimum", {}),
    ("below-minimum:short-side", "short-side", 900, "below-minimum", {"main": {"over": 2_000}}),
    ("at-minimum", "under", 1_000, "", {}),
    ("at-minimum:short-side", "short-side", 1_000, "", {"main": {"under": 1_000}}),
    ("above-maximum:main", "under", 50_100, "above-maximum", {}),
    ("above-maximum:spread", "spread", 50_100, "above-maximum", {}),
    ("above-maximum:two-heaps", "over", 50_100, "above-maximum", {"parts": 2}),
    ("at-maximum", "over", 50_000, "", {}),
    ("at-maximum:two-heaps", "over", 50_000, "", {"parts": 2}),
)
for _name, _wager, _stake, _code, _more in LIMITS:
    fault(_name, EASY)(partial(limits, wager=_wager, stake=_stake, code=_code, **_more))
for _name, _wager, _stake, _code in (
    ("below-minimum:own-limit", "spread", 1_900, "below-minimum"),
    ("at-minimum:own-limit", "spread", 2_000, ""),
    ("above-maximum:own-limit", "short-side", 20_100, "above-maximum"),
    ("at-maximum:own-limit", "short-side", 20_000, ""),
):
    _main = {"over": 30_000} if _wager == "short-side" else None
    fault(_name, EASY, limits=OWN)(partial(limits, wager=_wager, stake=_stake, code=_code, main=_main))
for _name, _wager, _stake, _code in (
    ("below-minimum:main", "andar", 90, "below-minimum"),
    ("below-minimum:side", "41+", 90, "below-minimum"),
    ("at-minimum", "bahar", 100, ""),
    ("above-maximum:main", "bahar", 100_010, "above-maximum"),
    ("above-maximum:side", "11-15", 100_010, "above-maximum"),
    ("at-maximum", "andar", 100_000, ""),
):
    fault(_name, ANDAR)(partial(limits, wager=_wager, stake=_stake, code=_code))
fault("above-maximum:two-heaps", ANDAR)(partial(limits, wager="andar", stake=100_010, code="above-maximum", parts=2))


# Bets too late, too soon, or of no such wager.


def closing(hand: Hand) -> Draft:
    """The fact that closes the betting on the hand's wager."""
    return hand.play.one("roll") if hand.day.easy and hand.wager != "short-side" else hand.play.one("no-more-bets")


def late_bet(day: Day, part: bool) -> None:
    """A bet moved, or a raise added, after the close; it stands and is settled."""
    hand = Hand(day, first_wager(day), day.rng.choice(("win", "lose")))
    bet = whole(hand.play, hand.spot, hand.wager)
    if part:
        late = bet | {"amount": bet["amount"] // 4 // 10 * 10}
        bet["amount"] -= late["amount"]
    else:
        hand.play.drop(bet)
        late = bet
    hand.play.put_after(closing(hand), late)
    if day.easy:
        hand.play.move_before(late, hand.play.one("deal"))
    hand.expect(late, "late-bet")
    hand.keep()


fault("late-bet:new")(partial(late_bet, part=False))
fault("late-bet:raise", EASY, limits={"*": (200, 50_000)})(partial(late_bet, part=True))
fault("late-bet:raise", ANDAR, limits={"*": (10, 100_000)})(partial(late_bet, part=True))


@fault("late-unbet")
def late_unbet(day: Day) -> None:
    """A stake taken back after the close; it stays as it was."""
    hand = Hand(day, first_wager(day), day.rng.choice(("win", "lose")))
    fact = draft("unbet", hand.play.name, spot=hand.spot, wager=hand.wager, amount=day.rng.choice((hand.stake, hand.stake // 2)))
    hand.play.put_after(closing(hand), fact)
    if day.easy:
        hand.play.move_before(fact, hand.play.one("deal"))
    hand.expect(fact, "late-unbet")
    hand.keep()


@fault("no-such-wager")
def no_such_wager(day: Day) -> None:
    """A bet that the game does not have; nothing is owed on it."""
    play = busy(day)
    spot = placed(play)[0][0]
    fact = draft("bet", play.name, spot=spot, wager="insurance", amount=1_000)
    play.put_after(some_bet(play), fact)
    day.expect(fact, "no-such-wager", spot=spot, wager="insurance")
    day.table.keep(play)


@fault("bets-not-closed")
def bets_not_closed(day: Day) -> None:
    """The dealer does not wave."""
    hand = Hand(day, "short-side" if day.easy else "andar", "lose")
    hand.play.drop(hand.play.one("no-more-bets"))
    fact = hand.play.one("deal") if day.easy else hand.play.all("deal")[1]
    day.expect(fact, "bets-not-closed")
    hand.keep()


# Voids.


def void(day: Day, change: str) -> None:
    """A dead round with something wrong about it."""
    hand = Hand(day, first_wager(day), "lose")
    cut = hand.play.one("announce", what="card", spot=hand.spot) if day.easy else hand.play.one("no-more-bets")
    fact = day.table.void(hand.play, cut)
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


fault("void:honest")(partial(void, change=""))
fault("void-without-reason")(partial(void, change="reason"))
fault("void-not-signed")(partial(void, change="signed"))
fault("void-not-returned:kept")(partial(void, change="kept"))
fault("void-not-returned:half")(partial(void, change="half"))
fault("void-not-returned:too-much")(partial(void, change="too-much"))


def void_after_money(day: Day, want: str, honest: bool) -> None:
    """Money has moved before the round is dead: a stake taken comes back, winnings paid are taken back."""
    hand = Hand(day, first_wager(day), want)
    moved = hand.moves[0]
    day.table.void(hand.play, moved)
    if not honest:
        back = hand.play.one("return", spot=hand.spot, wager=hand.wager) if want == "lose" else hand.moves[-1]
        hand.play.drop(back)
        total = 0 if want == "lose" else hand.stake + moved["amount"]
        hand.expect(hand.play.one("round-closed"), "void-not-returned", owed=hand.stake, moved=total)
    hand.keep()


fault("void-after-take:honest")(partial(void_after_money, want="lose", honest=True))
fault("void-after-pay:honest")(partial(void_after_money, want="win", honest=True))
fault("void-not-returned:taken-before")(partial(void_after_money, want="lose", honest=False))
fault("void-not-returned:winnings-kept")(partial(void_after_money, want="win", honest=False))


# Order of the round and of the feed.


@fault("feed-gap")
def feed_gap(day: Day) -> None:
    """Three facts of one source never arrived."""
    play = busy(day)
    fact = day.rng.choice(play.facts[1:])
    fact["_gap"] = 3
    day.expect(fact, "feed-gap")
    day.table.keep(play)


@fault("clock-backwards")
def clock_backwards(day: Day) -> None:
    """A source's clock runs backwards."""
    play = busy(day)
    fact = play.facts[-1]
    fact["_back"] = 5
    day.expect(fact, "clock-backwards")
    day.table.keep(play)


def left_open(day: Day, last: bool) -> None:
    """`round-closed` left out; found when the next round opens, or the table closes."""
    play = busy(day)
    play.drop(play.one("round-closed"))
    day.table.keep(play)
    if last:

        def found() -> None:
            closed = next(each for each in day.drafts if each["kind"] == "table-closed")
            day.expect(closed, "round-left-open", round=play.name)

        day.last = True
        day.closing.append(found)
        return
    after = day.table.play()
    day.table.keep(after)
    day.expect(after.facts[0], "round-left-open", round=play.name)


fault("round-left-open:next-round")(partial(left_open, last=False))
fault("round-left-open:table-closed")(partial(left_open, last=True))


def odd_one(day: Day, kind: str, **fields: Any) -> None:
    """A fact that has no place in this game."""
    play = busy(day)
    fact = draft(kind, play.name, **fields)
    play.put_before(play.facts[-1], fact)
    day.expect(fact, "unknown-kind-of-play")
    day.table.keep(play)


fault("unknown-kind-of-play:burn")(partial(odd_one, kind="burn", card=None))
fault("unknown-kind-of-play:choose")(partial(odd_one, kind="choose", spot="1", choice="over"))
fault("unknown-kind-of-play:pull")(partial(odd_one, kind="pull", spot="1", wager="over"))
fault("unknown-kind-of-play:roll", ANDAR)(partial(odd_one, kind="roll", dice=[1, 2]))
fault("unknown-kind-of-play:shake", ANDAR)(partial(odd_one, kind="shake", times=5))
fault("unknown-kind-of-play:mark", ANDAR)(partial(odd_one, kind="mark", value=7, side="ties-push"))


@fault("out-of-order:closed-round")
def closed_round(day: Day) -> None:
    """A bet names a round that has been closed; it has no other effect."""
    earlier = busy(day)
    day.table.keep(earlier)
    play = busy(day)
    spot, wager, amount = placed(play)[0]
    fact = draft("bet", earlier.name, spot=spot, wager=wager, amount=amount)
    play.put_after(some_bet(play), fact)
    day.expect(fact, "out-of-order", spot=spot, wager=wager)
    day.table.keep(play)


def astray(day: Day, round: str | None) -> None:
    """A pay names a round that never was, or none; it has no other effect."""
    play = busy(day)
    spot, wager, amount = placed(play)[0]
    fact = draft("pay", round, spot=spot, wager=wager, amount=amount)
    play.put_before(play.facts[-1], fact)
    day.expect(fact, "out-of-order", spot=spot, wager=wager)
    day.table.keep(play)


fault("out-of-order:unknown-round")(partial(astray, round="r-9999"))
fault("out-of-order:no-round")(partial(astray, round=None))


@fault("out-of-order:between-rounds")
def between_rounds(day: Day) -> None:
    """Money moves when its round is over."""
    play = busy(day)
    day.table.keep(play)
    spot, wager, amount = placed(play)[0]
    fact = draft("take", play.name, spot=spot, wager=wager, amount=amount)
    day.drafts.append(fact)
    day.expect(fact, "out-of-order", spot=spot, wager=wager)


@fault("out-of-order:return-without-void")
def return_without_void(day: Day) -> None:
    """A stake handed back though the round lives."""
    play = busy(day)
    spot, wager, amount = placed(play)[0]
    fact = draft("return", play.name, spot=spot, wager=wager, amount=amount)
    play.put_before(play.facts[-1], fact)
    day.expect(fact, "out-of-order", spot=spot, wager=wager)
    day.table.keep(play)


# Equipment.


def alarms(day: Day, count: int, answered: int) -> None:
    """One finding where the next round opens, however many alarms are open, and none for an alarm once found."""
    made = [draft("alarm", device=day.table.shoe_name, text="card jam") for _ in range(count)]
    day.drafts += made
    day.drafts += [draft("alarm-answered", alarm=each, by="s-107") for each in made[:answered]]
    play = busy(day)
    day.table.keep(play)
    if answered < count:
        opened = next(each for each in day.drafts[day.drafts.index(made[-1]) :] if each["kind"] == "round-opened")
        day.expect(opened, "alarm-unanswered")


fault("alarm-answered:honest")(partial(alarms, count=1, answered=1))
fault("alarm-unanswered")(partial(alarms, count=1, answered=0))
fault("alarm-unanswered:two")(partial(alarms, count=2, answered=0))
fault("alarm-unanswered:one-of-two")(partial(alarms, count=2, answered=1))


@fault("sees-less")
def sees_less(day: Day) -> None:
    """The table goes on with equipment that reports fewer kinds than before."""
    gone = "cut-card-shown" if day.easy else "announce"
    fact = day.table.opened(continues=True, sees=sorted(kind for kind in day.table.sees if kind != gone))
    day.expect(fact, "sees-less")


def wrong_day(day: Day, seconds: int) -> None:
    """A round that opens after the day has ended; one that opens just before is in it."""
    day.before.append(register(day, "day-begins", "*", {"time": "06:00", "zone": "America/Los_Angeles"}))
    play = busy(day)
    play.facts[0]["_at"] = day.instant(6) + timedelta(days=1, seconds=seconds)
    if seconds >= 0:
        day.expect(play.facts[0], "wrong-day")
    day.table.keep(play)
    day.last = True


fault("wrong-day")(partial(wrong_day, seconds=0))
fault("wrong-day:just-before:honest")(partial(wrong_day, seconds=-20))
