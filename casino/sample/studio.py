"""What sample tables of live dealers have in common: players by account, bets in heaps, players who are
lost.
"""

from __future__ import annotations

from .desk import draft
from .play import Play
from .table import Table


class StudioTable(Table):
    """A live-dealer table without seats or a cage."""

    studio = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.away: set[str] = set()
        """Players who have lost the connection in a round that was kept, and are not back."""

    def keep(self, play: Play) -> Play:
        """Report a player back before the first bet or decision that he makes in a later round."""
        gone: set[str] = set()
        for fact in list(play.facts):
            if fact["kind"] == "player-lost":
                gone.add(fact["spot"])
                self.away.discard(fact["spot"])
            elif fact["kind"] == "player-back":
                gone.discard(fact["spot"])
                self.away.discard(fact["spot"])
            elif fact["kind"] in ("bet", "bets", "choose"):
                spots = [spot for spot, _, _ in fact["bets"]] if fact["kind"] == "bets" else [fact["spot"]]
                for spot in dict.fromkeys(spots):
                    if spot in self.away:
                        play.put_before(fact, draft("player-back", play.name, spot=spot))
                        self.away.discard(spot)
        self.away |= gone
        return super().keep(play)

    def account(self) -> str:
        """Return a random player."""
        return f"p-{self.rng.randint(90100, 90160)}"

    def lay(self, play: Play, drawn: bool, chance: float = 0.06) -> str:
        """Place all bets of the round, and return the player who is still to be lost. If stakes are drawn, a
        player may be lost: in time, so that none of the player's bets counts except those after coming back,
        or later.
        """
        for spot, wager, amount in play.laid():
            self.bet(play, spot, wager, amount)
        gone = (
            self.rng.choice(list(play.stakes)) if drawn and play.stakes and self.rng.random() < chance else ""
        )
        if not gone or self.rng.random() < 0.5:
            return gone
        play.add("player-lost", spot=gone)
        if self.rng.random() < 0.5:
            play.add("player-back", spot=gone)
            play.add("bet", spot=gone, wager=self.plain[0], amount=self.amount(self.plain[0]))
        return ""
