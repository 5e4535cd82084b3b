"""Faults of money that both games share: each wager settled wrongly in each way, not at all, twice, too soon, corrected."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from .andar_bahar import another_rank
from .day import Day
from .desk import Draft, draft
from .easy_over_under import situation
from .planting import fault
from .play import Play
from .settling import ANDAR_WAGERS, EASY_WAGERS, PLACES, andar, easy

EASY, ANDAR = "easy_over_under", "andar_bahar"
WANT = {
    "overpaid": "win", "underpaid": "win", "took-a-winner": "win",
    "paid-a-loser": "lose", "overtaken": "lose", "undertaken": "lose", "push-moved": "push",
}  # fmt: skip


class Hand:
    """A round at which one wager of one spot comes to a wanted end, whatever else happens at the table."""

    def __init__(self, day: Day, wager: str, want: str, stake: int = 0) -> None:
        self.day, self.table, self.wager = day, day.table, wager
        self.play: Play = (self._easy if day.easy else self._andar)(want, stake)

    @property
    def moves(self) -> list[Draft]:
        """What moves on the wager, as drafted."""
        return self.play.all("take", "pay", spot=self.spot, wager=self.wager)

    @property
    def end(self) -> Draft:
        """The fact before which the spot's money has all moved."""
        return self.play.one("clear", **{"from": self.spot}) if self.day.easy else self.play.one("round-closed")

    def keep(self) -> None:
        """The round has been played as drafted."""
        self.table.keep(self.play)

    def money(self, kind: str, amount: int) -> Draft:
        """A take or a pay of the wager."""
        return draft(kind, self.play.name, spot=self.spot, wager=self.wager, amount=amount)

    def collect(self, amount: int) -> Draft:
        """A take among the takes of the spot, before its first pay."""
        made = self.money("take", amount)
        self.play.put_before(next(iter(self.play.all("pay", spot=self.spot)), self.end) if self.day.easy else self.end, made)
        return made

    def pay(self, amount: int) -> Draft:
        """A pay among the pays of the spot, after its takes."""
        made = self.money("pay", amount)
        self.play.put_before(self.end, made)
        return made

    def expect(self, fact: Draft, code: str, also: bool = False, **fields: Any) -> None:
        """Found with this spot and wager."""
        self.day.expect(fact, code, also, spot=self.spot, wager=self.wager, **fields)

    def _easy(self, want: str, stake: int) -> Play:
        rng, table = self.day.rng, self.table
        dice, rank = situation(rng, self.wager, want, table.pay_tables["spread"])
        stakes = {spot: laid for spot, laid in table._stakes(sum(dice)).items() if rng.random() < 0.5}
        self.spot = rng.choice("123456")
        self.stake = stake or rng.randrange(1_000, 12_001, 200)
        laid = {self.wager: self.stake}
        if self.wager == "short-side":
            laid = {rng.choice(("over", "under")): self.stake + rng.choice((0, 1_000))} | laid
        stakes[self.spot] = laid
        self.owed = easy(self.wager, self.stake, dice, rank + "s", table.pay_tables["spread"])
        play: Play = table.play(dict(sorted(stakes.items())), dice, {self.spot: rank})
        return play

    def _andar(self, want: str, stake: int) -> Play:
        rng, table = self.day.rng, self.table
        place = rng.randint(1, 45)
        won = self.wager in PLACES and want == "win"
        if won:
            low, high, _ = PLACES[self.wager]
            place = rng.randint(low, min(high, 46))
        while (andar(self.wager, 100, table.side(place), place, table.edition) > 0) != (want == "win"):
            place = rng.randint(1, 46)
        self.spot = f"p-{rng.randint(90100, 90160)}"
        self.stake = stake or rng.randrange(100, 2_001, 20)
        stakes = {spot: laid for spot, laid in table._stakes().items() if spot != self.spot}
        stakes[self.spot] = {self.wager: self.stake}
        self.owed = andar(self.wager, self.stake, table.side(place), place, table.edition)
        play: Play = table.play(stakes, place, another_rank(rng), batch=False)
        return play


def wrong(day: Day, wager: str, slip: str) -> Hand:
    """A round in which the wager is settled wrongly in that way; found at its last take or pay."""
    hand = Hand(day, wager, WANT[slip])
    if slip == "push-moved":
        moved = day.rng.choice((-1, 1)) * hand.stake
    elif slip in ("took-a-winner", "paid-a-loser"):
        hand.play.drop(hand.moves[0])
        moved = -hand.stake if slip == "took-a-winner" else hand.stake
    else:
        fact, step = hand.moves[0], day.table.chip
        if day.rng.random() < 0.5:
            step = fact["amount"] // 2 // step * step or step
        fact["amount"] += step if slip in ("overpaid", "overtaken") else -step
        moved = fact["amount"] if fact["kind"] == "pay" else -fact["amount"]
    if not hand.moves:
        fact = hand.pay(moved) if moved > 0 else hand.collect(-moved)
    hand.expect(fact, "wrong-settlement", owed=hand.owed, moved=moved, slip=slip)
    hand.keep()
    return hand


def not_settled(day: Day, wager: str) -> None:
    """Nothing moves though something is owed."""
    hand = Hand(day, wager, day.rng.choice(("win", "lose")))
    hand.play.drop(hand.moves[0])
    hand.expect(hand.play.one("round-closed"), "not-settled", owed=hand.owed, moved=0)
    hand.keep()


for _game, _wagers in ((EASY, EASY_WAGERS), (ANDAR, ANDAR_WAGERS)):
    for _wager in _wagers:
        fault(f"not-settled:{_wager}", _game)(partial(not_settled, wager=_wager))
        for _slip in WANT:
            if _slip != "push-moved" or (_game == EASY and _wager != "spread"):
                fault(f"wrong-settlement:{_wager}:{_slip}", _game)(partial(wrong, wager=_wager, slip=_slip))  # type: ignore[arg-type]


def first_wager(day: Day) -> str:
    """A wager that any spot may make alone."""
    return day.rng.choice(("over", "under", "spread")) if day.easy else day.rng.choice(ANDAR_WAGERS)


@fault("wrong-settlement:whole-taken-on-a-tie", EASY)
def whole_taken_on_a_tie(day: Day) -> None:
    """The whole stake goes where half of it was lost."""
    hand = Hand(day, day.rng.choice(("over", "under", "short-side")), "half")
    fact = hand.moves[0]
    fact["amount"] = hand.stake
    hand.expect(fact, "wrong-settlement", owed=hand.owed, moved=-hand.stake, slip="overtaken")
    hand.keep()


@fault("wrong-settlement:half-a-cent", EASY, chip=1, limits={"*": (100, 50_000)})
def half_a_cent(day: Day) -> None:
    """Half a cent owed can never be settled rightly under the reading `exact`."""
    dice, rank = situation(day.rng, "over", "half")
    spot, stake = day.rng.choice("123456"), day.rng.randrange(1_001, 9_000, 2)
    play: Play = day.table.play({spot: {"over": stake - 1}}, dice, {spot: rank})
    play.one("bet")["amount"] = stake
    for bet in play.all("bet")[1:] + play.all("unbet"):
        play.drop(bet)
    fact = play.one("take")
    day.expect(fact, "wrong-settlement", spot=spot, wager="over", owed=Fraction(-stake, 2), moved=-fact["amount"], slip="undertaken")
    day.table.keep(play)


@fault("wrong-settlement:rounded-for-the-player", EASY, rounding="house")
@fault("wrong-settlement:rounded-for-the-player", ANDAR, rounding="house", chip=50)
def rounded_the_wrong_way(day: Day) -> None:
    """The house rounds in its own favour; here the dealer rounded in the player's."""
    wager = "over" if day.easy else day.table.first
    hand = Hand(day, wager, "half" if day.easy else "win", stake=1_100 if day.easy else 350)
    fact = hand.moves[0]
    fact["amount"] += -100 if day.easy else 50
    moved = -fact["amount"] if day.easy else fact["amount"]
    hand.expect(fact, "wrong-settlement", moved=moved, slip="undertaken" if day.easy else "overpaid")
    hand.keep()


def settled_twice(day: Day, want: str) -> None:
    """The same again, at once."""
    hand = Hand(day, first_wager(day), want)
    fact = hand.moves[0]
    again = hand.money(fact["kind"], fact["amount"])
    hand.play.put_after(fact, again)
    hand.expect(again, "settled-twice", owed=hand.owed, moved=2 * hand.owed)
    hand.keep()


fault("settled-twice:paid")(partial(settled_twice, want="win"))
fault("settled-twice:taken")(partial(settled_twice, want="lose"))


@fault("no-such-bet:paid")
def paid_without_bet(day: Day) -> None:
    """Winnings on a wager that the spot did not make."""
    hand = Hand(day, "over" if day.easy else "andar", "win")
    hand.wager = "spread" if day.easy else "41+"
    fact = hand.pay(1_000)
    hand.expect(fact, "no-such-bet", moved=1_000)
    hand.expect(fact, "wrong-settlement", also=True)
    hand.keep()


@fault("no-such-bet:taken")
def taken_without_bet(day: Day) -> None:
    """Chips collected from a wager that the spot did not make."""
    hand = Hand(day, "under" if day.easy else "bahar", "lose")
    hand.wager = "spread" if day.easy else "1-5"
    fact = hand.collect(1_000)
    hand.expect(fact, "no-such-bet", moved=-1_000)
    hand.expect(fact, "wrong-settlement", also=True)
    hand.keep()


@fault("no-such-bet:unbet")
def taken_back_without_bet(day: Day) -> None:
    """A stake taken back that never lay there."""
    hand = Hand(day, "under" if day.easy else "bahar", "win")
    bet = hand.play.all("bet", spot=hand.spot)[-1]
    hand.wager = "spread" if day.easy else "1-5"
    fact = draft("unbet", hand.play.name, spot=hand.spot, wager=hand.wager, amount=1_000)
    hand.play.put_after(bet, fact)
    hand.expect(fact, "no-such-bet")
    hand.keep()


@fault("settled-too-soon")
def settled_too_soon(day: Day) -> None:
    """Money moves before the card that decides."""
    hand = Hand(day, first_wager(day), day.rng.choice(("win", "lose")))
    deciding = hand.play.one("deal", to=hand.spot) if day.easy else hand.play.all("deal")[-1]
    fact = hand.moves[0]
    hand.play.move_before(fact, deciding)
    hand.expect(fact, "settled-too-soon")
    day.expect(fact, "not-announced", also=True, spot=hand.spot)
    hand.keep()


def correction(hand: Hand, amount: int, **fields: str) -> Draft:
    """A correction of the hand's wager after its round."""
    by, second = hand.day.rng.sample(("s-104", "s-105", "s-106"), 2)
    made = draft("corrected", hand.play.name, spot=hand.spot, wager=hand.wager, amount=amount, reason="video review", by=by, second=second)
    made |= fields
    hand.day.drafts.append(made)
    return made


def corrected(day: Day, part: Fraction, code: str = "", signed: bool = True) -> None:
    """An underpaid wager, made good by that part of what was missing."""
    hand = wrong(day, first_wager(day), "underpaid")
    missing = int(hand.owed) - hand.moves[0]["amount"]
    amount = int(missing * part)
    fact = correction(hand, amount) if signed else correction(hand, amount, by="s-104", second="s-104")
    if code:
        total = {"moved": hand.moves[0]["amount"] + amount} if code == "corrected-beyond-owed" else {}
        hand.expect(fact, code, owed=hand.owed if total else None, **total)


fault("corrected:in-full")(partial(corrected, part=Fraction(1)))
fault("corrected:in-part")(partial(corrected, part=Fraction(1, 2)))
fault("corrected-unsigned")(partial(corrected, part=Fraction(1), code="corrected-unsigned", signed=False))
fault("corrected-beyond-owed:other-side")(partial(corrected, part=Fraction(2), code="corrected-beyond-owed"))
fault("corrected-beyond-owed:further")(partial(corrected, part=Fraction(-1), code="corrected-beyond-owed"))


@fault("corrected-beyond-owed:nothing-wrong")
def corrected_without_need(day: Day) -> None:
    """A rightly settled wager is corrected all the same."""
    hand = Hand(day, first_wager(day), "win")
    hand.keep()
    amount = day.rng.choice((-500, 500))
    fact = correction(hand, amount)
    hand.expect(fact, "corrected-beyond-owed", owed=hand.owed, moved=hand.owed + amount)
