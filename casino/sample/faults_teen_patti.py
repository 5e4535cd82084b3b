"""Faults of Teen Patti alone: decisions, the play wager, who qualifies, the ante bonus, one seat a player,
players who are lost.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from .day import Day
from .desk import Draft, draft
from .faults_patti import asked
from .hand import Hand
from .patti import beats
from .planting import fault
from .play import Play

TP = "teen_patti"
ONE, TWO = "p-90111", "p-90122"
BETTER = ["As", "Kd", "Jh", "Ks", "9h", "4d"]
"""Ace high against king high: a player who plays wins, and one who folds loses."""


def two_players(day: Day, **plays: bool) -> Play:
    """Play a round of two players with an ante each; by default the first plays and the second folds."""
    stakes = {ONE: {"ante": 1_000}, TWO: {"ante": 600}}
    decided = {ONE: plays.get("one", True), TWO: plays.get("two", False)}
    play: Play = day.table.play(
        stakes, BETTER, batch=False, said=False, decide=lambda play: decide_in_turn(play, decided)
    )
    return play


def decide_in_turn(play: Play, decided: dict[str, bool]) -> None:
    """Move the second player's decision behind all facts before the money."""
    for spot, stays in decided.items():
        play.add("choose", spot=spot, choice="play" if stays else "fold")
        if stays:
            play.add("bet", spot=spot, wager="play", amount=play.stakes[spot]["ante"])


# Decisions.


@fault("choice-missing", TP)
def no_decision(day: Day) -> None:
    """Leave out the decision: it counts as a fold, and is missing at the first money."""
    play = two_players(day)
    play.drop(play.one("choose", spot=TWO))
    day.expect(play.one("take", "pay"), "choice-missing", spot=TWO)
    day.table.keep(play)


@fault("choice-missing:played", TP)
def no_decision_but_a_wager(day: Day) -> None:
    """Leave out the decision although the play wager is made: it counts as played."""
    play = two_players(day)
    play.drop(play.one("choose", spot=ONE))
    day.expect(play.one("take", "pay"), "choice-missing", spot=ONE)
    day.table.keep(play)


@fault("choice-too-late", TP)
def decided_late(day: Day) -> None:
    """Decide after the first money; the decision counts."""
    play = two_players(day)
    choice = play.one("choose", spot=TWO)
    play.drop(choice)
    play.put_after(play.one("take", "pay"), choice)
    day.expect(choice, "choice-too-late", spot=TWO)
    day.table.keep(play)


@fault("choice-without-bet", TP)
def decided_without_ante(day: Day) -> None:
    """Decide for a player who is not in the round."""
    play = two_players(day)
    choice = draft("choose", play.name, spot="p-90199", choice="fold")
    play.put_after(play.one("choose"), choice)
    day.expect(choice, "choice-without-bet", spot="p-90199")
    day.table.keep(play)


def early(day: Day, kind: str, spot: str, **fields: Any) -> None:
    """Decide (or bet on play) before the sixth card; it counts."""
    play = two_players(day)
    fact = play.one(kind, spot=spot, **fields)
    play.move_before(fact, day.rng.choice(play.all("deal")[1:]))
    day.expect(fact, "out-of-order", spot=spot, **fields)
    day.table.keep(play)


fault("out-of-order:early-choice", TP)(partial(early, kind="choose", spot=TWO))
fault("out-of-order:early-play", TP)(partial(early, kind="bet", spot=ONE, wager="play"))


@fault("out-of-order:second-choice", TP)
def decided_again(day: Day) -> None:
    """Play after a fold: the first decision counts."""
    play = two_players(day)
    again = draft("choose", play.name, spot=TWO, choice="play")
    play.put_after(play.one("choose", spot=TWO), again)
    day.expect(again, "out-of-order", spot=TWO)
    day.table.keep(play)


@fault("unknown-kind-of-play:choice", TP)
def another_games_choice(day: Day) -> None:
    """Decide something that this game does not have."""
    play = two_players(day)
    odd = draft("choose", play.name, spot=ONE, choice=day.rng.choice(("surrender", "over", "keep")))
    play.put_before(play.one("choose"), odd)
    day.expect(odd, "unknown-kind-of-play", spot=ONE)
    day.table.keep(play)


# The play wager.


def unequal(day: Day, step: int) -> None:
    """Bet another amount on play than on the ante; each is settled on its own stake."""
    play = two_players(day)
    bet = play.one("bet", spot=ONE, wager="play")
    bet["amount"] += step
    play.one("pay", spot=ONE, wager="play")["amount"] += step
    day.expect(bet, "unequal-bet", spot=ONE, wager="play")
    day.table.keep(play)


fault("unequal-bet:less", TP)(partial(unequal, step=-10))
fault("unequal-bet:more", TP)(partial(unequal, step=10))


@fault("unequal-bet:two-heaps", TP)
def unequal_in_two(day: Day) -> None:
    """Bet another amount on play in two bets; the finding is at the last one."""
    play = two_players(day)
    more = draft("bet", play.name, spot=ONE, wager="play", amount=200)
    play.put_after(play.one("bet", spot=ONE, wager="play"), more)
    play.one("pay", spot=ONE, wager="play")["amount"] += 200
    day.expect(more, "unequal-bet", spot=ONE, wager="play")
    day.table.keep(play)


def played_and_folded(day: Day, moved: int) -> None:
    """Bet on play after a fold. Nothing is owed on it, so no money may move there."""
    play = two_players(day)
    bet = draft("bet", play.name, spot=TWO, wager="play", amount=600)
    play.put_after(play.one("choose", spot=TWO), bet)
    day.expect(bet, "unequal-bet", spot=TWO, wager="play")
    if moved:
        move = draft("pay" if moved > 0 else "take", play.name, spot=TWO, wager="play", amount=abs(moved))
        play.put_before(play.one("round-closed"), move)
        day.expect(move, "wrong-settlement", spot=TWO, wager="play", owed=0, moved=moved, slip="push-moved")
    day.table.keep(play)


fault("unequal-bet:folded", TP)(partial(played_and_folded, moved=0))
fault("wrong-settlement:folded-play-paid", TP)(partial(played_and_folded, moved=600))
fault("wrong-settlement:folded-play-taken", TP)(partial(played_and_folded, moved=-600))


@fault("unequal-bet:no-wager", TP)
def played_without_wager(day: Day) -> None:
    """Play without a play wager."""
    play = two_players(day)
    play.drop(play.one("bet", spot=ONE, wager="play"))
    play.drop(play.one("pay", spot=ONE, wager="play"))
    day.expect(play.one("choose", spot=ONE), "unequal-bet", spot=ONE)
    day.table.keep(play)


@fault("late-bet:play", TP)
def play_wager_late(day: Day) -> None:
    """Decide in time, and bet the play wager after the first money: only the wager is late."""
    play = two_players(day)
    bet = play.one("bet", spot=ONE, wager="play")
    play.drop(bet)
    play.put_after(play.one("take", "pay"), bet)
    day.expect(bet, "late-bet", spot=ONE, wager="play")
    day.table.keep(play)


# Who qualifies, and what is paid.


def settled_wrongly(
    day: Day, cards: str, wager: str, owed: int, moved: int, slip: str, fold: bool = False
) -> None:
    """Settle one wager of a player with an ante of ten incorrectly."""
    play: Play = day.table.play(
        {ONE: {"ante": 1_000}},
        cards.split(),
        batch=False,
        said=False,
        decide=lambda play: decide_in_turn(play, {ONE: not fold}),
    )
    for fact in play.all("take", "pay", wager=wager):
        play.drop(fact)
    made = draft("pay" if moved > 0 else "take", play.name, spot=ONE, wager=wager, amount=abs(moved))
    play.put_before(play.one("round-closed"), made)
    day.expect(made, "wrong-settlement", spot=ONE, wager=wager, owed=owed, moved=moved, slip=slip)
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
    """Settle correctly at the limit of what qualifies."""
    day.table.keep(asked(day, {ONE: {"ante": 1_000, "pair-or-better": 500, "3+3": 500}}, cards.split()))


fault("at-queen-high:qualifies", TP)(partial(rightly, cards="As Kd 9h Qd 3h 2c"))
fault("at-jack-high:does-not-qualify", TP)(partial(rightly, cards=JACK_HIGH))
fault("at-ante-bonus:dealer-wins", TP)(partial(rightly, cards="2s 3d 4h 5h 6h 7h"))
fault("at-ante-bonus:unqualified", TP)(partial(rightly, cards="2s 3d 4h Jd 9h 4c"))
fault("at-ante-bonus:tie", TP)(partial(rightly, cards="2s 3d 4h 2h 3c 4d"))


@fault("settled-twice:ante-bonus", TP)
def bonus_twice(day: Day) -> None:
    """Pay the bonus again."""
    hand = Hand(day, "ante-bonus", "win")
    again = hand.money("pay", hand.moves[0]["amount"])
    hand.play.put_after(hand.moves[0], again)
    hand.expect(again, "settled-twice", owed=hand.owed, moved=2 * hand.owed)
    hand.keep()


@fault("no-such-bet:ante-bonus", TP)
def bonus_without_ante(day: Day) -> None:
    """Pay a bonus without an ante."""
    play = two_players(day)
    paid = draft("pay", play.name, spot="p-90199", wager="ante-bonus", amount=1_000)
    play.put_before(play.one("round-closed"), paid)
    day.expect(paid, "no-such-bet", spot="p-90199", wager="ante-bonus", moved=1_000)
    day.table.keep(play)


@fault("no-such-wager:ante-bonus", TP)
def bet_on_the_bonus(day: Day) -> None:
    """Bet on the bonus, which cannot be bet on."""
    play = two_players(day)
    bet = draft("bet", play.name, spot=ONE, wager="ante-bonus", amount=500)
    play.put_before(play.one("no-more-bets"), bet)
    day.expect(bet, "no-such-wager", spot=ONE, wager="ante-bonus")
    day.table.keep(play)


@fault("void-not-returned:bonus-kept", TP)
def bonus_kept(day: Day) -> None:
    """Cancel the round after the bonus was paid, without taking it back."""
    hand = Hand(day, "ante-bonus", "win")
    paid = hand.moves[0]
    day.table.void(hand.play, paid)
    hand.play.drop(hand.play.one("take", spot=hand.spot, wager="ante-bonus"))
    hand.expect(hand.play.one("round-closed"), "void-not-returned", owed=0, moved=paid["amount"])
    hand.keep()


@fault("announced:unqualified:honest", TP)
def declared_unqualified(day: Day) -> None:
    """Declare any outcome if the dealer does not qualify, because the manual does not say what to declare."""
    play = asked(day, {ONE: {"ante": 1_000}}, JACK_HIGH.split())
    play.put_after(
        day.table.sixth(play),
        draft("announce", play.name, what="outcome", value=day.rng.choice(("player", "dealer", "tie"))),
    )
    day.table.keep(play)


def by_another_reading(day: Day, answer: str) -> None:
    """Settle ace, two, three against king, queen, jack by another property's option."""
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


# Seats, and players who are lost.


def seats(day: Day, spots: int) -> None:
    """Seat one player, known by account, on several seats; each beyond the first is found at its first
    bet.
    """
    play = asked(day, {f"p-9013{number}": {"ante": 1_000, "3+3": 500} for number in range(spots)})
    for fact in play.all("bet"):
        fact["player"] = "a-77001"
    for number in range(1, spots):
        first = play.one("bet", spot=f"p-9013{number}")
        day.expect(first, "too-many-spots", spot=first["spot"])
    day.table.keep(play)


fault("one-seat:honest", TP)(partial(seats, spots=1))
fault("too-many-spots:two-seats", TP)(partial(seats, spots=2))
fault("too-many-spots:three-seats", TP)(partial(seats, spots=3))


def lost(day: Day, early: bool, moved: int, code: str = "", back: bool = False) -> None:
    """Lose a player before or after the close, without a decision."""
    play = two_players(day, one=False)
    play.drop(play.one("choose", spot=ONE))
    taken: Draft = play.one("take", spot=ONE, wager="ante")
    gone = draft("player-lost", play.name, spot=ONE)
    (play.put_before if early else play.put_after)(play.one("no-more-bets"), gone)
    if back:
        play.put_before(play.one("take", "pay"), draft("player-back", play.name, spot=ONE))
    if moved == 0:
        play.drop(taken)
    else:
        taken["kind"] = "pay" if moved > 0 else "take"
    if code == "choice-missing":
        day.expect(play.one("take", "pay"), code, spot=ONE)
    elif code == "wrong-settlement":
        day.expect(taken, code, spot=ONE, wager="ante", owed=-1_000, moved=moved, slip="paid-a-loser")
    elif code == "not-settled":
        day.expect(play.one("round-closed"), code, spot=ONE, wager="ante", owed=-1_000, moved=0)
    elif code:
        day.expect(taken, code, spot=ONE, wager="ante", moved=moved)
    day.table.keep(play)


fault("player-lost:early:honest", TP)(partial(lost, early=True, moved=0))
fault("player-lost:late:honest", TP)(partial(lost, early=False, moved=-1_000))
fault("player-lost:early:taken", TP)(partial(lost, early=True, moved=-1_000, code="no-such-bet"))
fault("player-lost:late:kept", TP)(partial(lost, early=False, moved=0, code="not-settled"))
fault("player-lost:late:paid", TP)(partial(lost, early=False, moved=1_000, code="wrong-settlement"))
fault("player-lost:back:silent", TP)(
    partial(lost, early=False, moved=-1_000, code="choice-missing", back=True)
)


@fault("player-lost:after-play:honest", TP)
def lost_after_playing(day: Day) -> None:
    """Lose a player after the play wager: the wager counts."""
    play = two_players(day)
    play.put_after(play.one("bet", spot=ONE, wager="play"), draft("player-lost", play.name, spot=ONE))
    day.table.keep(play)


@fault("player-lost:side-lives-on:honest", TP)
def side_of_a_lost_player(day: Day) -> None:
    """Lose a player with a side bet after the close: the ante is folded, the side bet is settled."""
    cards = ["2s", "2d", "3h", "Ks", "9h", "4d"]
    stakes = {ONE: {"ante": 1_000, "pair-or-better": 500}}
    play: Play = day.table.play(stakes, cards, batch=False, said=False, decide=lambda play: None)
    play.put_after(play.one("no-more-bets"), draft("player-lost", play.name, spot=ONE))
    day.table.keep(play)
