"""Faults that only Teen Patti has, in settlements that depend on a fold or on whether the dealer qualifies,
and in the ante bonus.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from casino.sample.faults.hand import Hand
from casino.sample.faults.patti import asked
from casino.sample.faults.planting import fault
from casino.sample.faults.teen_patti import BETTER, ONE, TP, decide_in_turn, two_players
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import draft
from casino.sample.tables.patti import beats
from casino.sample.tables.play import Play


def settled_wrongly(
    day: Day, cards: str, wager: str, owed: int, moved: int, slip: str, fold: bool = False
) -> None:
    """Settle one wager wrongly for a player with an ante of 10.00: `moved` moves instead of the `owed`
    amount.
    """
    play: Play = day.table.play(
        {ONE: {"ante": 1_000}},
        cards.split(),
        batch=False,
        announced=False,
        decide=lambda play: decide_in_turn(play, {ONE: not fold}),
    )
    for fact in play.all("take", "pay", wager=wager):
        play.drop(fact)
    payment = draft("pay" if moved > 0 else "take", play.name, spot=ONE, wager=wager, amount=abs(moved))
    play.put_before(play.one("round-closed"), payment)
    day.expect(payment, "wrong-settlement", spot=ONE, wager=wager, owed=owed, moved=moved, slip=slip)
    day.table.keep(play)


JACK_HIGH, BONUS = "As Kd 9h Jd Th 8c", "2s 3d 4h Ks 9h 4d"
WRONG: dict[str, dict[str, Any]] = {
    "play:unqualified": {
        "cards": JACK_HIGH,
        "wager": "play",
        "owed": 0,
        "moved": 1_000,
        "slip": "push-moved",
    },
    "ante:unqualified-push": {
        "cards": "Jd Th 8c Js Td 8h",
        "wager": "ante",
        "owed": 1_000,
        "moved": -1_000,
        "slip": "took-a-winner",
    },
    "ante:unqualified-worse": {
        "cards": "Th 8d 3c Jd 9h 4d",
        "wager": "ante",
        "owed": 1_000,
        "moved": -1_000,
        "slip": "took-a-winner",
    },
    "ante:queen-high": {
        "cards": "Jh Td 8c Qd 3h 2c",
        "wager": "ante",
        "owed": -1_000,
        "moved": 1_000,
        "slip": "paid-a-loser",
    },
    "ante:folded": {
        "cards": " ".join(BETTER),
        "wager": "ante",
        "owed": -1_000,
        "moved": 1_000,
        "slip": "paid-a-loser",
        "fold": True,
    },
    "ante:half-forfeit": {
        "cards": " ".join(BETTER),
        "wager": "ante",
        "owed": -1_000,
        "moved": -500,
        "slip": "undertaken",
        "fold": True,
    },
    "ante-bonus:folded": {
        "cards": BONUS,
        "wager": "ante-bonus",
        "owed": 0,
        "moved": 1_000,
        "slip": "push-moved",
        "fold": True,
    },
    "ante-bonus:flush": {
        "cards": "As Ks Js Kh 9h 4d",
        "wager": "ante-bonus",
        "owed": 0,
        "moved": 1_000,
        "slip": "push-moved",
    },
    "ante-bonus:as-pair-or-better": {
        "cards": BONUS,
        "wager": "ante-bonus",
        "owed": 1_000,
        "moved": 6_000,
        "slip": "overpaid",
    },
}
for _name, _wrong in WRONG.items():
    fault(f"wrong-settlement:{_name}", TP)(partial(settled_wrongly, **_wrong))


def rightly(day: Day, cards: str) -> None:
    """Settle every wager correctly. With these cards, the dealer just qualifies or just fails to qualify, or
    an ante bonus is due.
    """
    day.table.keep(asked(day, {ONE: {"ante": 1_000, "pair-or-better": 500, "3+3": 500}}, cards.split()))


fault("at-queen-high:qualifies", TP)(partial(rightly, cards="As Kd 9h Qd 3h 2c"))
fault("at-jack-high:does-not-qualify", TP)(partial(rightly, cards=JACK_HIGH))
fault("at-ante-bonus:dealer-wins", TP)(partial(rightly, cards="2s 3d 4h 5h 6h 7h"))
fault("at-ante-bonus:unqualified", TP)(partial(rightly, cards="2s 3d 4h Jd 9h 4c"))
fault("at-ante-bonus:tie", TP)(partial(rightly, cards="2s 3d 4h 2h 3c 4d"))


@fault("settled-twice:ante-bonus", TP)
def bonus_twice(day: Day) -> None:
    """Pay the ante bonus a second time."""
    hand = Hand(day, "ante-bonus", "win")
    second = hand.money("pay", hand.moves[0]["amount"])
    hand.play.put_after(hand.moves[0], second)
    hand.expect(second, "settled-twice", owed=hand.owed, moved=2 * hand.owed)
    hand.keep()


@fault("no-such-bet:ante-bonus", TP)
def bonus_without_ante(day: Day) -> None:
    """Pay an ante bonus to a player without an ante. Nothing is owed to this player."""
    play = two_players(day)
    paid = draft("pay", play.name, spot="p-90199", wager="ante-bonus", amount=1_000)
    play.put_before(play.one("round-closed"), paid)
    day.expect(paid, "no-such-bet", spot="p-90199", wager="ante-bonus", moved=1_000)
    day.table.keep(play)


@fault("no-such-wager:ante-bonus", TP)
def bet_on_the_bonus(day: Day) -> None:
    """Let a player bet on the ante bonus, which is a payment and not a wager."""
    play = two_players(day)
    bet = draft("bet", play.name, spot=ONE, wager="ante-bonus", amount=500)
    play.put_before(play.one("no-more-bets"), bet)
    day.expect(bet, "no-such-wager", spot=ONE, wager="ante-bonus")
    day.table.keep(play)


@fault("void-not-returned:bonus-kept", TP)
def bonus_kept(day: Day) -> None:
    """Void the round after the ante bonus was paid, and leave the bonus with the player. A void requires the
    dealer to take it back.
    """
    hand = Hand(day, "ante-bonus", "win")
    paid = hand.moves[0]
    day.table.void(hand.play, paid)
    hand.play.drop(hand.play.one("take", spot=hand.spot, wager="ante-bonus"))
    hand.expect(hand.play.one("round-closed"), "void-not-returned", owed=0, moved=paid["amount"])
    hand.keep()


@fault("announced:unqualified:honest", TP)
def declared_unqualified(day: Day) -> None:
    """Declare any outcome if the dealer does not qualify. This is allowed, because the manual does not say
    what to declare.
    """
    play = asked(day, {ONE: {"ante": 1_000}}, JACK_HIGH.split())
    play.put_after(
        day.table.sixth(play),
        draft("announce", play.name, what="outcome", value=day.rng.choice(("player", "dealer", "tie"))),
    )
    day.table.keep(play)


def by_another_reading(day: Day, answer: str) -> None:
    """Settle A-2-3 against K-Q-J by the wrong ranking of A-2-3. The manual leaves this ranking open. The
    dealer uses the ranking `answer`, but the table has chosen another one.
    """
    table = day.table
    play = asked(day, {ONE: {"ante": 1_000}}, ["As", "2d", "3h", "Kc", "Qd", "Jh"])
    player, dealer = table.hands(play)
    fact = play.one("take", "pay", wager="ante")
    owed, moved = 1_000 * beats(player, dealer, table.answers[0]), 1_000 * beats(player, dealer, answer)
    fact["kind"] = "pay" if moved > 0 else "take"
    slip = "paid-a-loser" if moved > 0 else "took-a-winner"
    day.expect(fact, "wrong-settlement", spot=ONE, wager="ante", owed=owed, moved=moved, slip=slip)
    table.keep(play)


for _mine, _other in (
    ("lowest", "second"),
    ("second", "lowest"),
    ("highest", "lowest"),
    ("lowest", "highest"),
):
    fault(f"wrong-settlement:a23:{_mine}-as-{_other}", TP, readings={"a23": _mine, "steel-wheel": "flush"})(
        partial(by_another_reading, answer=_other)
    )
