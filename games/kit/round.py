"""One round with its bets, cards and money. Each game extends it with what its own manual requires."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from games.kit import citations as c
from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.betting import BEFORE as BEFORE
from games.kit.betting import CLOSED as CLOSED
from games.kit.betting import NOT_OFFERED as NOT_OFFERED
from games.kit.betting import OPEN as OPEN
from games.kit.betting import Key as Key
from games.kit.cards import PIP
from games.kit.events import Event
from games.kit.feed import unread_card
from games.kit.line import Line
from games.kit.money import Money
from games.kit.phrases import capital, clause
from games.kit.signatures import not_by_two


class Round(Money):
    """A round in progress. Its methods apply the effects of facts; the table records breaches."""

    __slots__ = ()

    counts_unread: ClassVar[bool] = False
    """True in a game that counts cards and dice even if they could not be read. Such a game knows at the end
    of the round which cards and dice are missing.
    """

    # -- what each game defines ---------------------------------------------------------------------

    def must_close(self, event: Event) -> bool:
        """Return True if betting must be closed before this card is dealt."""
        return True

    def dealt(self, event: e.Deal, pip: int | None) -> None:
        """Add a card to its hand.

        Args:
            pip: the value of the card, or None if it could not be read or is impossible.
        """

    def unplayed(self) -> bool:
        """Return True if nothing but bets and announcements was recorded: no card was dealt and no money
        moved.
        """
        return self.first_card is None and all(line.touch is None for line in self.lines.values())

    def undecided(self) -> bool:
        """Return True if the round ended in a way that leaves nothing owed, so that no settlement is
        judged.
        """
        return False

    def undecided_because(self) -> str:
        """Return the sentence that says what is missing if the round ended before all of its wagers were
        decided.
        """
        return "The deciding card never came."

    def outcome_unread(self) -> bool:
        """Return True if a card or die that could not be read may have decided the round. In that case it is
        not known if the round ended too soon.
        """
        return not self.counts_unread and any(
            (isinstance(fact, e.Deal) and fact.card not in PIP and self.table.game.has_place(fact.to))
            or (isinstance(fact, e.Roll) and not all(1 <= die <= 6 for die in fact.dice))
            for fact in self.trail
            if fact.round == self.name
        )

    def evidence(self, line: Line) -> str:
        """Return a sentence with the cards and dice that decide a wager. It begins with a space. It is empty
        if the reason already names them.
        """
        return ""

    def explains(self, line: Line) -> bool:
        """Return True if a mistake in the round explains a wrong amount on this spot and wager. The mistake
        is reported later, at the end of the round.
        """
        return False

    def price_class(self, wager: str) -> str:
        """Return the price class of a wager: a condition, known when the bet is made, on which its exact odds
        depend. It is empty if the odds depend only on the pay table.
        """
        return ""

    # -- cards -----------------------------------------------------------------------------------

    def deal(self, event: e.Deal) -> None:
        pip = self.draw(event, event.card)
        if event.card is None:
            self.table.find("card-not-read", event, unread_card(event))
        self.dealt(event, pip)

    def burn(self, event: e.Burn) -> None:
        self.draw(event, event.card)
        if event.raw_text is not None:
            self.table.find("card-not-read", event, unread_card(event))

    def draw(self, event: Event, card: str | None) -> int | None:
        """Count a card as drawn from the shoe. Return its value, or None if the card was not read or is
        impossible.
        """
        table, shoe = self.table, self.table.shoe
        if self.shuffles:
            table.shuffled_within(self, event)
        if self.first_card is None:
            self.first_card = event
            table.first_card(event, self.after_cut)
        if self.no_more is None and not self.unclosed and self.must_close(event):
            self.unclosed = True
            says = f"{capital(clause(event, table.say))} before betting was closed."
            table.find("bets-not-closed", event, says)
        pip = PIP.get(card) if card is not None else None
        copies = shoe.draw(card if pip is not None else None)
        decks = shoe.decks
        if copies > decks or shoe.dealt > 52 * decks:
            table.too_many_cards(event, card, copies)
        if pip is None and card is not None:
            table.find("impossible-card", event, f"{card} is not a card of a 52-card deck.")
        return pip

    def begun(self) -> bool:
        """Return True if a card or a roll of the round has been recorded."""
        return self.first_card is not None or any(type(fact) is e.Roll for fact in self.trail)

    def drawn(self) -> Iterator[e.Deal | e.Burn]:
        """Yield the facts that drew cards from the shoe in this round, in their order."""
        game = self.table.game
        for fact in self.trail:
            if fact is self.voided:
                return
            if fact.round == self.name and (
                (isinstance(fact, e.Deal) and game.has_place(fact.to))
                or (isinstance(fact, e.Burn) and e.Burn in game.plays)
            ):
                yield fact

    def on_the_table(self) -> list[str | None]:
        """Return the cards of the round that have not been cleared. A card that is not known is None."""
        places: list[tuple[str, str | None]] = []
        for fact in self.trail:
            if isinstance(fact, e.Clear):
                places = [(place, card) for place, card in places if place != fact.source_]
            elif isinstance(fact, e.Burn) or (
                isinstance(fact, e.Deal) and self.table.game.has_place(fact.to)
            ):
                places.append(
                    (fact.to if isinstance(fact, e.Deal) else "", fact.card if fact.card in PIP else None)
                )
        return [card for _, card in places]

    # -- the end of a round ------------------------------------------------------------------------

    def void(self, event: e.Void) -> None:
        """Void the round. From now on only stakes are returned. A live-dealer table must be paused first."""
        find, game = self.table.find, self.table.game
        if not event.reason.strip():
            find("void-without-reason", event, "The round was voided without a reason.")
        if signer := not_by_two(event.by, event.second):
            find(
                "void-not-signed",
                event,
                f"The void is signed by {signer} alone; a second person signs it too.",
            )
        if self.voided is not None:
            find(
                "out-of-order",
                event,
                "The round was voided a second time.",
                before=self.voided,
                cite=c.reference("void"),
            )
            return
        if game.live_dealer and self.paused is None and "paused" in self.table.sees:
            find(
                "out-of-order",
                event,
                "The round was voided while it was not paused.",
                cite=game.pauses,
            )
        for line in self.lines.values():
            line.taken_before_void, line.paid_before_void = line.taken, line.paid
        self.worth = self.worth_now()
        self.voided, self.stopped = event, True

    def worth_now(self) -> dict[Key, Exact | None]:
        """Return the amount owed on each wager at this moment, or None for a wager that is not decided.
        Payments that have no bet of their own, such as an ante bonus, are included.
        """
        lines = {key: line for key, line in self.lines.items() if line.at_risk}
        for payment, wager in self.table.game.payments.items():
            for spot, basis in [
                (line.spot, line) for line in lines.values() if line.wager == wager and line.stake
            ]:
                lines.setdefault((spot, payment), Line(spot, payment, True, basis))
        return {key: self.owed(line) if self.is_settled(line) else None for key, line in lines.items()}

    def is_settled(self, line: Line) -> bool:
        """Return True if the rules already say what is owed on this spot and wager."""
        return self.decided(line.spot, line.wager)

    def pause(self, event: e.Paused) -> None:
        """Stop play until it is resumed or the round is voided."""
        if self.paused is not None and self.voided is None and "resumed" in self.table.sees:
            says = "The round was paused again, and play had not been resumed."
            self.table.find("out-of-order", event, says, before=self.paused, cite=self.table.game.pauses)
        self.paused, self.stopped = event, True

    def resume(self, event: e.Resumed) -> None:
        """Continue play after a pause."""
        if self.paused is None and self.voided is None and "paused" in self.table.sees:
            says = "Play was resumed, and the round had not been paused."
            self.table.find("out-of-order", event, says, cite=self.table.game.pauses)
        self.paused, self.stopped = None, self.voided is not None

    def closing(self, event: Event) -> None:
        """Check that a pause has ended when the round is closed: play must have been resumed, or the round
        voided.
        """
        if self.paused is not None and self.voided is None and "resumed" in self.table.sees:
            says = (
                "The round was closed while it was paused: play had not been resumed, and the round had not"
                " been voided."
            )
            self.table.find("out-of-order", event, says, before=self.paused, cite=self.table.game.pauses)
