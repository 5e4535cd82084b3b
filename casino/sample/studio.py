"""What sample tables of live dealers have in common: players by account, bets in heaps, players who are lost."""

from __future__ import annotations

from .play import Play
from .table import Table


class StudioTable(Table):
    """A live-dealer table without seats or a cage."""

    studio = True

    def account(self) -> str:
        """Some player."""
        return f"p-{self.rng.randint(90100, 90160)}"

    def lay(self, play: Play, drawn: bool, chance: float = 0.06) -> str:
        """Every bet of the round. Where its stakes were drawn, a player may be lost: in time, so that nothing of his was placed, unless
        he is back and bets anew, or else later; who is yet to be lost."""
        for spot, wager, amount in play.laid():
            self.bet(play, spot, wager, amount)
        gone = self.rng.choice(list(play.stakes)) if drawn and play.stakes and self.rng.random() < chance else ""
        if not gone or self.rng.random() < 0.5:
            return gone
        play.add("player-lost", spot=gone)
        if self.rng.random() < 0.5:
            play.add("player-back", spot=gone)
            play.add("bet", spot=gone, wager=self.plain[0], amount=self.amount(self.plain[0]))
        return ""
