"""Honest rounds of Andar Bahar at a live-dealer table, as the Ezugi rules order them."""

from __future__ import annotations

from random import Random
from typing import Any

from .desk import Draft, draft
from .play import Play, Stakes, Table, placed
from .settling import ANDAR_WAGERS, BAHAR_FIRST, RANKS, andar

SEES = (
    "alarm", "alarm-answered", "announce", "bet", "bets", "corrected", "deal", "dealer-seated", "no-more-bets", "paused", "pay",
    "player-back", "player-lost", "resumed", "return", "round-closed", "round-opened", "settled", "shuffled", "table-closed",
    "table-opened", "take", "unbet", "void",
)  # fmt: skip


class AndarTable(Table):
    """A studio table: one deck, shuffled before each round; any number of players, by account."""

    game = "andar_bahar"
    sees = SEES

    @property
    def first(self) -> str:
        """The side that gets the first card."""
        return "bahar" if self.edition == BAHAR_FIRST else "andar"

    def side(self, place: int) -> str:
        """The side that card `place` after the joker belongs to."""
        return self.first if place % 2 else ("andar" if self.first == "bahar" else "bahar")

    def shuffle(self) -> Draft:
        """The whole deck, before the joker."""
        self.shoe.shuffle()
        made = draft("shuffled", shoe=self.shoe_name, decks=self.decks)
        self.drafts.append(made)
        return made

    def play(
        self,
        stakes: Stakes | None = None,
        place: int = 0,
        joker: str = "",
        batch: bool | None = None,
        said: bool | None = None,
        shuffle: bool = True,
    ) -> Play:
        """One whole round, the match at `place` if given, bets and settlement in a `batch` or singly."""
        if shuffle:
            self.shuffle()
        batch = self.rng.random() < 0.4 if batch is None else batch
        play = self.begin()
        play.stakes = stakes if stakes is not None else self._stakes()
        play.add("round-opened")
        rank = play.add("deal", to="joker", card=self.shoe.draw(joker))["card"][0]
        self._bets(play, batch)
        gone = self.rng.choice(list(play.stakes)) if stakes is None and play.stakes and self.rng.random() < 0.06 else ""
        if gone and self.rng.random() < 0.5:
            self._lost_early(play, gone)
            gone = ""
        play.add("no-more-bets")
        if gone:
            play.add("player-lost", spot=gone)
        last = self._cards(play, rank, place or self._place(rank))
        if self.rng.random() < 0.3 if said is None else said:
            play.add("announce", what="outcome", value=last["to"])
        self.settle(play, last["to"], len(play.all("deal")) - 1, batch)
        play.add("round-closed")
        return play

    def keep(self, play: Play) -> Play:
        """The round has been played as drafted."""
        self.drafts.extend(play.facts)
        return play

    def settle(self, play: Play, side: str, place: int, batch: bool) -> None:
        """Every wager that lies is paid or taken, at once or one by one."""
        moves = [(spot, wager, self.settled(andar(wager, stake, side, place, self.edition), stake)) for spot, wager, stake in placed(play)]
        if batch:
            taken = [[spot, wager, -moved] for spot, wager, moved in moves if moved < 0]
            paid = [[spot, wager, moved] for spot, wager, moved in moves if moved > 0]
            if paid or taken:
                play.add("settled", paid=paid, taken=taken)
            return
        for spot, wager, moved in moves:
            if moved:
                play.add("pay" if moved > 0 else "take", spot=spot, wager=wager, amount=abs(moved))

    def _stakes(self) -> Stakes:
        if self.rng.random() < 0.04:
            return {}
        spots = sorted({f"p-{self.rng.randint(90100, 90160)}" for _ in range(self.rng.randint(1, 7))})
        return {spot: {wager: self.amount(wager) for wager in self.rng.sample(ANDAR_WAGERS, self.rng.randint(1, 4))} for spot in spots}

    def _bets(self, play: Play, batch: bool) -> None:
        laid = [(spot, wager, amount) for spot, wagers in play.stakes.items() for wager, amount in wagers.items()]
        if batch and laid:
            cut = self.rng.randint(1, len(laid))
            for part in (laid[:cut], laid[cut:]):
                if part:
                    play.add("bets", bets=[list(entry) for entry in part])
            return
        for spot, wager, amount in laid:
            play.add("bet", spot=spot, wager=wager, amount=amount)
            if self.rng.random() < 0.03 and amount + self.chip <= self.limit(wager)[1]:
                play.add("bet", spot=spot, wager=wager, amount=self.chip)
                play.add("unbet", spot=spot, wager=wager, amount=self.chip)

    def _lost_early(self, play: Play, spot: str) -> None:
        """Lost before the close: nothing was placed, unless the player is back in time and bets anew."""
        play.add("player-lost", spot=spot)
        if self.rng.random() < 0.5:
            play.add("player-back", spot=spot)
            play.add("bet", spot=spot, wager="1-5", amount=self.amount("1-5"))

    def _place(self, rank: str) -> int:
        """Where the match lies in this very deck."""
        return next(place for place, card in enumerate(reversed(self.shoe.cards), 1) if card[0] == rank)

    def _cards(self, play: Play, rank: str, place: int) -> Draft:
        for number in range(1, place):
            play.add("deal", to=self.side(number), card=self.shoe.draw(avoid=rank))
        return play.add("deal", to=self.side(place), card=self.shoe.draw(rank))


def andar_table(rng: Random, **settings: Any) -> AndarTable:
    """A table with settings drawn where none are given, such that every amount owed can be settled."""
    made: dict[str, Any] = {
        "edition": rng.choice(("ezugi", BAHAR_FIRST)),
        "pay_tables": dict.fromkeys(ANDAR_WAGERS, "ezugi"),
        "decks": 1,
        "limits": {"*": (100, 100_000)}
        | ({"41+": (100, 5_000), "andar": (200, 200_000), "bahar": (200, 200_000)} if rng.random() < 0.3 else {}),
        "chip": rng.choice((10, 50, 100)),
        "rounding": rng.choice(("exact", "house", "player")),
        "currency": "EUR",
        "shoe_name": f"shoe-{rng.randint(1, 40)}",
    }
    return AndarTable(rng=rng, **(made | settings))


def another_rank(rng: Random, *ranks: str) -> str:
    """A rank that is none of these."""
    return rng.choice([rank for rank in RANKS if rank not in ranks])
