"""Faults that only Teen Patti has: one seat for each player, and players whose connection is lost."""

from __future__ import annotations

from functools import partial

from casino.sample.faults.patti import asked
from casino.sample.faults.planting import fault
from casino.sample.faults.teen_patti import ONE, TP, two_players
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.play import Play


def seats(day: Day, spots: int) -> None:
    """Let one player, identified by account, take `spots` seats. The rules allow one. For each further seat,
    the finding is at its first bet.
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
    """Let a player lose the connection and make no decision.

    Args:
        early: True if the connection is lost before betting closes.
        moved: the amount that the dealer moves on the ante; positive if it is paid.
        code: the expected finding; empty if everything is correct.
        back: True if the player comes back before the settlement.
    """
    play = two_players(day, one=False)
    play.drop(play.one("choose", spot=ONE))
    take: Draft = play.one("take", spot=ONE, wager="ante")
    lost_player = draft("player-lost", play.name, spot=ONE)
    (play.put_before if early else play.put_after)(play.one("no-more-bets"), lost_player)
    if back:
        play.put_before(play.one("take", "pay"), draft("player-back", play.name, spot=ONE))
    if moved == 0:
        play.drop(take)
    else:
        take["kind"] = "pay" if moved > 0 else "take"
    if code == "choice-missing":
        day.expect(play.one("take", "pay"), code, spot=ONE)
    elif code == "wrong-settlement":
        day.expect(take, code, spot=ONE, wager="ante", owed=-1_000, moved=moved, slip="paid-a-loser")
    elif code == "not-settled":
        day.expect(play.one("round-closed"), code, spot=ONE, wager="ante", owed=-1_000, moved=0)
    elif code:
        day.expect(take, code, spot=ONE, wager="ante", moved=moved)
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
    """Let a player lose the connection after betting the play wager. The wager still counts."""
    play = two_players(day)
    play.put_after(play.one("bet", spot=ONE, wager="play"), draft("player-lost", play.name, spot=ONE))
    day.table.keep(play)


@fault("player-lost:side-lives-on:honest", TP)
def side_of_a_lost_player(day: Day) -> None:
    """Let a player with a side bet lose the connection after betting has closed. The ante counts as folded,
    and the side bet is settled.
    """
    cards = ["2s", "2d", "3h", "Ks", "9h", "4d"]
    stakes = {ONE: {"ante": 1_000, "pair-or-better": 500}}
    play: Play = day.table.play(stakes, cards, batch=False, announced=False, decide=lambda play: None)
    play.put_after(play.one("no-more-bets"), draft("player-lost", play.name, spot=ONE))
    day.table.keep(play)
