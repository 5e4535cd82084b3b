"""Invented gaming days, written from the manuals and returned as facts: days without faults, days with a
planted fault, a sample property, and the month before its present day.

This package imports neither `games` nor `audit`, because it checks the rules in `games` independently. The
code for days, planting, the cage, the property and shared faults names no game.

To add a game, write `tables/GAME.py`, with one subclass of `Table` (or `StudioTable`) whose `game` is the
code; there is no list to edit. Every shared fault can then be planted at the game: wrong settlements of each
wager, limits, late bets, voids, corrections, the shoe, the feed, the order of a round. The subclass provides
the following, which the docstrings of `Table` explain:

- the table: `game`, `letters` (`L7`), `seats` of a layout, `only_decks`, `every_round`, `sees`, `acts`,
  `places`;
- the bets: `wagers` with the results that `hand` can produce for each, `payments`, `plain`, `step`, `exact`,
  `uneven`;
- `settings(rng)`, the settings of a correct table; `opinion(case)`, the amount owed on each wager of a test
  case, from the manual alone;
- `play(...)`, a correct round with everything that may vary in it; call `begin()` first, which shuffles if
  that is due, `deal` and `burn` for cards, which also show the cut card, `bet` or a studio's `lay` for
  stakes, and `settled` (rounding) and `move` for money;
- `hand(wager, want, stake, spot)`, a round in which that wager at one spot has the result `want`, with the
  other wagers that it needs;
- if the methods of `Table` do not fit: `closing`, `put_late`, `deciding`, `end`, `put_money`, `unread`,
  `noticed`.

Faults against rules of only one game are in `faults/GAME.py`, listed by `@fault(name, GAME)`. A shared fault
that is impossible at a game, or that the game's own file plants in another way, is named in `lacks`. For
example, a game in which players bet on red or black, and one card decides all bets:

    class RedTable(StudioTable):
        game, letters, every_round, only_decks = "red", "RED", True, 1
        sees, places = ("bet", "deal", "no-more-bets", "pay", "round-closed", "round-opened", "shuffled",
        "take", ...), ("table",)
        wagers = {"red": ("win", "lose"), "black": ("win", "lose")}
        plain = ("red", "black")
        exact = {"chip": 10, "rounding": "exact", "limits": {"*": (100, 100_000)}}

        def play(self, stakes: Stakes | None = None, card: str = "", batch: bool | None = None) -> Play:
            play = self.begin(stakes if stakes is not None else self._stakes())
            play.add("round-opened")
            gone = self.lay(play, drawn=stakes is None)
            play.add("no-more-bets")
            if gone:
                play.add("player-lost", spot=gone)
            shown = self.deal(play, "table", card)["card"]
            for spot, wager, amount in placed(play):
                self.move(play, spot, wager, self.settled(red(wager, amount, shown), amount))
            play.add("round-closed")
            if self.rng.random() < 0.4 if batch is None else batch:
                batched(play)
            return play

        def hand(self, wager: str, want: str, stake: int = 0, spot: str = "") -> Dealt:
            spot, stake = spot or self.account(), stake or self.amount(wager)
            card = next(card for card in self.shoe.cards if end_of(red(wager, 100, card), 100) == want)
            play = self.play(self._stakes(without=spot) | {spot: {wager: stake}}, card, batch=False)
            return Dealt(play, spot, stake, red(wager, stake, card))
"""

from importlib import import_module
from pkgutil import iter_modules

from casino.sample import faults, tables
from casino.sample.faults.planting import FAULTS, Plant, plant
from casino.sample.month.days import sample_month
from casino.sample.month.sample_property import sample_house, sample_registers
from casino.sample.tables.day import honest_day, played
from casino.sample.tables.table import TABLES

__all__ = [
    "FAULTS",
    "TABLES",
    "Plant",
    "honest_day",
    "plant",
    "played",
    "sample_house",
    "sample_month",
    "sample_registers",
]

# Games are imported first, because the files of faults list their faults at the games in TABLES.
for _package in (tables, faults):
    for _module in iter_modules(_package.__path__):
        import_module(f"{_package.__name__}.{_module.name}")
