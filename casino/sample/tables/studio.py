"""What sample tables of live dealers have in common: spots that are player accounts, and players whose
connection is lost.
"""

from __future__ import annotations

from casino.sample.tables.drafts import draft
from casino.sample.tables.play import Play
from casino.sample.tables.table import EVERY_TABLE, Table

STUDIO: tuple[str, ...] = (
    *EVERY_TABLE,
    "bets",
    "no-more-bets",
    "paused",
    "player-back",
    "player-lost",
    "resumed",
    "settled",
)
"""The kinds of fact that the equipment of a studio reports."""


class StudioTable(Table):
    """A live-dealer table without seats or a cage."""

    studio = True
    sees = STUDIO

    def __post_init__(self) -> None:
        super().__post_init__()
        self.away: set[str] = set()
        """Players whose connection was lost in a recorded round and who are not back yet."""

    def keep(self, play: Play) -> Play:
        """Record the round. If a player whose connection was lost in an earlier round bets or decides, insert
        `player-back` before the bet or decision.
        """
        disconnected: set[str] = set()
        for fact in list(play.facts):
            if fact["kind"] == "player-lost":
                disconnected.add(fact["spot"])
                self.away.discard(fact["spot"])
            elif fact["kind"] == "player-back":
                disconnected.discard(fact["spot"])
                self.away.discard(fact["spot"])
            elif fact["kind"] in ("bet", "bets", "choose"):
                spots = [spot for spot, _, _ in fact["bets"]] if fact["kind"] == "bets" else [fact["spot"]]
                for spot in dict.fromkeys(spots):
                    if spot in self.away:
                        play.put_before(fact, draft("player-back", play.name, spot=spot))
                        self.away.discard(spot)
        self.away |= disconnected
        return super().keep(play)

    def account(self) -> str:
        """Return a player account, chosen at random."""
        return f"p-{self.rng.randint(90100, 90160)}"

    def lay(self, play: Play, drawn: bool, chance: float = 0.06) -> str:
        """Place all bets of the round. If `drawn` is true, one player may lose the connection. A loss before
        betting closes is added here. The player's earlier bets then do not count, but the player may come
        back and bet again. For a loss after betting closes, return the player, so that the caller can add it.
        Otherwise return an empty text.
        """
        for spot, wager, amount in play.laid():
            self.bet(play, spot, wager, amount)
        disconnected = (
            self.rng.choice(list(play.stakes)) if drawn and play.stakes and self.rng.random() < chance else ""
        )
        if not disconnected or self.rng.random() < 0.5:
            return disconnected
        play.add("player-lost", spot=disconnected)
        if self.rng.random() < 0.5:
            play.add("player-back", spot=disconnected)
            play.add("bet", spot=disconnected, wager=self.plain[0], amount=self.amount(self.plain[0]))
        return ""
