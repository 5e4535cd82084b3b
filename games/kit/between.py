"""What stands between the rounds of a table: corrections, shuffles, the cut card."""

from __future__ import annotations

from games.kit import events as e
from games.kit.amounts import size
from games.kit.betting import Key
from games.kit.breach import Breach
from games.kit.events import Event, kind_of
from games.kit.game import Game
from games.kit.round import Round
from games.kit.settling import Settlement, Settling
from games.kit.shoe import Shoe

OF_ROUNDS = "Facts Envelope round"
"""The citation that a fact names the round that is open."""


class Between(Settling):
    """A table's shoe and its closed rounds."""

    __slots__ = ("book", "lost", "names", "round", "rules", "shoe")

    def __init__(self, game: Game, opened: e.TableOpened, shoe: Shoe | None, found: list[Breach]) -> None:
        super().__init__(game, opened, found)
        self.round: Round | None = None
        self.names: set[str] = set()
        self.book: dict[str, dict[Key, Settlement]] = {}
        self.lost: dict[str, str] = {}
        """Players who have lost the connection and are not back: spot to the round in which it was lost, empty between two rounds."""
        self.shoe = shoe or Shoe(decks=opened.decks, every_round=game.every_round, resting=opened.continues)
        self.rules = game.rules_for(self.sees)

    def misplaced(self, event: Event) -> None:
        """A fact that names no round that is open."""
        open_is = f"the open round is {self.round.name}" if self.round else "no round is open"
        names = f"names the round {event.round}" if event.round is not None else "names no round"
        self.find("out-of-order", event, f"{kind_of(event)} {names}, and {open_is}.", cite=OF_ROUNDS)

    def correct(self, event: e.Corrected) -> bool:
        """A later correction of a settlement; it never withdraws the finding that it corrects (rounds.md 1).

        Whether it took effect: it names a round that has been closed, and none is open.
        """
        if not event.second.strip() or event.second == event.by:
            self.find(
                "corrected-unsigned", event, f"The correction is signed by {event.by or 'nobody'} alone; a second person signs it too."
            )
        lines = self.book.get(event.round)
        if self.round is not None or lines is None:
            reason = f"the round {self.round.name} is open" if self.round else f"no round {event.round} has been closed here"
            says = f"A correction stands between rounds and names a closed one; {reason}."
            self.find("out-of-order", event, says, cite="Facts Kinds at the table, corrected")
            return False
        owed, before = lines.get((event.spot, event.wager), (0, 0))
        total = before + event.amount
        lines[event.spot, event.wager] = owed, total
        if owed is None:
            return True
        left, now = before - owed, total - owed
        if size(now) > size(left) or (left > 0 > now) or (left < 0 < now):
            says = (
                f"Round {event.round}, spot {event.spot}, {event.wager}: {self.signed(owed)} was owed, {self.signed(before)} had moved;"
                f" after the correction {self.signed(total)} has, which is further off or beyond it."
            )
            self.find("corrected-beyond-owed", event, says, owed=owed, moved=total)
        return True

    def shuffle(self, event: e.Shuffled) -> None:
        """A new shoe, or the deck of the next round."""
        if event.round is not None and (self.round is None or event.round != self.round.name):
            self.misplaced(event)
            return
        for judge, rule in self.rules.get(e.Shuffled, ()):
            said = judge(self, event)
            if said is not None:
                self.broken(rule, event, said)
        if event.decks != self.opened.decks:
            shuffled = f"{event.decks} deck{' was' if event.decks == 1 else 's were'} shuffled"
            self.find("wrong-decks", event, f"{shuffled}; the table opened with {self.opened.decks}.")
        self.shoe.shuffle()

    def show_cut_card(self, event: e.CutCardShown) -> None:
        """The cut card: this round is the last of the shoe."""
        if event.round is not None and (self.round is None or event.round != self.round.name):
            self.misplaced(event)
            return
        self.shoe.cut_shown = True

    def first_card(self, event: Event, after_cut: bool) -> None:
        """The first card of a round: was the shoe shuffled, and is it not past the cut?"""
        shoe = self.shoe
        if not shoe.shuffled and not shoe.missed_shuffle and not shoe.resting:
            shoe.missed_shuffle = True
            self.find("not-shuffled", event, f"A card was dealt, and the {'deck' if shoe.every_round else 'shoe'} had not been shuffled.")
        if after_cut and shoe.cut_shown and not shoe.resting:
            self.find("dealt-past-cut", event, "A new round was dealt after the cut card had come, without a shuffle.")
        if shoe.every_round:
            shoe.shuffled = False

    def too_many_cards(self, event: Event, card: str | None, copies: int) -> None:
        """More cards than the shoe holds, or more copies of one than it has decks."""
        shoe = self.shoe
        if shoe.resting and not shoe.every_round:
            return
        if shoe.dealt > 52 * shoe.decks and not shoe.overrun and not shoe.resting:
            shoe.overrun = True
            self.find("shoe-overrun", event, f"{shoe.dealt} cards have come out of {shoe.decks} decks since the shuffle.")
        if copies > shoe.decks and card is not None:
            says = f"{card} came out for the {ordinal(copies)} time from {shoe.decks} deck{'s' if shoe.decks != 1 else ''}."
            self.find("duplicate-card", event, says)


def ordinal(number: int) -> str:
    """`2nd`, `9th`: for sentences."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
