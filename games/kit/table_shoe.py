"""The shoe of a table: shuffles, the cut card, and the checks at the first card of a round."""

from __future__ import annotations

from games.kit import events as e
from games.kit.breach import Breach
from games.kit.closed_rounds import ClosedRounds, StreamListener
from games.kit.common_rules import MISDEAL
from games.kit.events import Event
from games.kit.game import Game
from games.kit.phrases import clause
from games.kit.round import Round
from games.kit.shoe import Shoe
from games.kit.shoe_checks import check_cut, check_cut_declared, check_order, check_past_cut


class TableShoe(ClosedRounds):
    """A table with its shoe. It judges shuffles, the cut card and the number of cards."""

    __slots__ = ("lost", "rules", "shoe")

    def __init__(
        self,
        game: Game,
        opened: e.TableOpened,
        shoe: Shoe | None,
        breaches: list[Breach],
        listener: StreamListener,
    ) -> None:
        super().__init__(game, opened, breaches, listener)
        self.lost: dict[str, str] = {}
        """For each spot whose player is disconnected: the name of the round in which the connection was lost,
        or an empty text if it was lost between two rounds.
        """
        self.shoe = shoe or Shoe(decks=opened.decks, every_round=game.every_round, resting=opened.continues)
        self.rules = game.rules_for(self.sees)

    def shuffle(self, event: e.Shuffled) -> None:
        """Judge a shuffle, and put all cards back into the shoe."""
        if event.round is not None and (self.round is None or event.round != self.round.name):
            self.misplaced(event)
            return
        for judge, rule in self.rules.get(e.Shuffled, ()):
            result = judge(self, event)
            if result is not None:
                self.record_hits(rule, event, result)
        if event.decks != self.opened.decks:
            shuffled = f"{event.decks} deck{' was' if event.decks == 1 else 's were'} shuffled"
            self.find("wrong-decks", event, f"{shuffled}; the table opened with {self.opened.decks}.")
        check_cut_declared(self, event)
        round = self.round
        if round is None or round.voided is not None or not round.begun():
            self.put_in(event)
            return
        round.shuffles.append(event)
        self.put_in(event)
        self.shoe.leave_out(round.on_the_table())

    def put_in(self, event: e.Shuffled) -> None:
        """Put all cards back into the shoe, in a new order."""
        round, shoe = self.round, self.shoe
        if round is not None and len(shoe.order) + len(shoe.cards) >= shoe.look:
            check_order(self, shoe, round)
        shoe.shuffle(event.at, event.cut, by_hand=event.n is None)

    def shuffled_within(self, round: Round, event: Event) -> None:
        """Report shuffles that were made during a round: after its first card or roll and before this
        fact.
        """
        for shuffle in round.shuffles:
            says = (
                f"The cards were shuffled in the middle of the round {round.name}: {clause(event, self.say)}"
                " after it."
            )
            self.find("out-of-order", shuffle, says, after=event, cite=self.game.shuffling, round=round.name)
        round.shuffles.clear()
        if self.shoe.every_round:
            self.shoe.shuffled = False  # the next round needs a shuffle of its own

    def shuffles_done(self, round: Round) -> None:
        """Judge the shuffles of a round that is over. A shuffle after the last card or roll is correct. The
        cards on the table count as shuffled too.
        """
        rolls = [fact for fact in round.trail if type(fact) is e.Roll]
        late = rolls and any(
            fact is rolls[-1] for fact in round.trail[place_in(round.trail, round.shuffles[0]) :]
        )
        if late:
            self.shuffled_within(round, rolls[-1])
        elif round.voided is None:
            self.put_in(round.shuffles[-1])

    def show_cut_card(self, event: e.CutCardShown) -> None:
        """Record that the cut card was shown. The current round is the last one before a shuffle."""
        if event.round is not None and (self.round is None or event.round != self.round.name):
            self.misplaced(event)
            return
        if not self.shoe.cut_shown:
            check_cut(self, self.shoe, event)
        self.shoe.cut_shown = True

    def first_card(self, event: Event, after_cut: bool) -> None:
        """Check at the first card of a round that the shoe was shuffled and that its cut card has not been
        shown.
        """
        shoe = self.shoe
        if not shoe.shuffled and not shoe.missed_shuffle and not shoe.resting:
            shoe.missed_shuffle = True
            says = f"A card was dealt, and the {'deck' if shoe.every_round else 'shoe'} had not been shuffled"
            if shoe.misdealt:
                says += " since the round that was void because of a wrong number of cards"
            self.find(
                "not-shuffled",
                event,
                f"{says}.",
                cite=self.game.cites.get(MISDEAL) if shoe.misdealt else None,
            )
        if after_cut and shoe.cut_shown and not shoe.resting:
            self.find(
                "dealt-past-cut",
                event,
                "A new round was dealt after the cut card had come, without a shuffle.",
            )
        if not shoe.cut_shown:
            check_past_cut(self, shoe, event)
        if shoe.every_round:
            shoe.shuffled = False

    def too_many_cards(self, event: Event, card: str | None, copies: int) -> None:
        """Report more cards than the shoe contains, or more copies of one card than there are decks."""
        shoe = self.shoe
        if shoe.resting and not shoe.every_round:
            return
        if shoe.dealt > 52 * shoe.decks and not shoe.overrun and not shoe.resting:
            shoe.overrun = True
            decks = "1 deck has" if shoe.decks == 1 else f"{shoe.decks} decks have"
            says = (
                f"{shoe.dealt} card{' has' if shoe.dealt == 1 else 's have'} come out since the shuffle;"
                f" {decks} {52 * shoe.decks}."
            )
            self.find("shoe-overrun", event, says)
        if copies > shoe.decks and card is not None:
            says = (
                f"{card} came out for the {ordinal(copies)} time from {shoe.decks}"
                f" deck{'s' if shoe.decks != 1 else ''}."
            )
            self.find("duplicate-card", event, says)


def place_in(history: list[Event], event: Event) -> int:
    """Return the index of a fact among the facts of the round."""
    return next(place for place, fact in enumerate(history) if fact is event)


def ordinal(number: int) -> str:
    """Return a number as an ordinal, for a sentence: `2nd`, `9th`."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
