"""The state of a round of Casino Over Under: the hand of each spot, what was dealt, announced and settled,
and which spot is next.
"""

from __future__ import annotations

from games.casino_over_under.cards import PARTS, WHOLE, Hand, parts_of, worth
from games.casino_over_under.declarations import BASE as BASE
from games.casino_over_under.declarations import BY_SPOT
from games.casino_over_under.declarations import CHOICES as CHOICES
from games.casino_over_under.misdeal import Misdeals
from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.protocols import RoundTable
from games.kit.round import OPEN


class OverUnderRound(Misdeals):
    """One round of Casino Over Under (Dealing Procedures 1 to 6)."""

    __slots__ = (
        "asked",
        "cleared_before",
        "closed_at",
        "early_words",
        "last_burned",
        "served",
    )

    counts_unread = True

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.windows = {"ante": OPEN, "bonus": OPEN, "over": BY_SPOT, "under": BY_SPOT}
        self.closed_at = 0
        """The number of facts in the round when betting on ante and bonus closed, or 0 while betting is
        open.
        """
        self.asked: dict[str | None, e.Announce] = {}
        """The first question about the bonus to each spot. The key None has a question to the whole table."""
        self.served: Hand | None = None
        """The hand farthest to the dealer's right that has a second card."""
        self.cleared_before: dict[str, Event] = {}
        """Spots that were cleared before they had a card, each with the fact that cleared it."""
        self.early_words: list[tuple[str, e.Announce]] = []
        """Outcomes announced before the third card, each with its spot."""
        self.last_burned: Hand | None = None

    # -- betting -------------------------------------------------------------------------------------

    def betting_closed(self, event: Event) -> None:
        if self.windows["ante"] == OPEN:
            self.close(event, "ante", "bonus")
            self.closed_at = len(self.trail)

    # -- cards ---------------------------------------------------------------------------------------

    def to_burn(self) -> Hand | None:
        """Return the hand to which a burned card belongs. Each hand burns two cards, from left to right
        (Dealing Procedures 5).
        """
        waiting = [
            hand
            for hand in self.hands.values()
            if not hand.whole and hand.cleared is None and self.burned(hand.spot)
        ]
        return min(waiting, key=lambda hand: int(hand.spot)) if waiting else None

    def hand_for(self, event: e.Deal | e.Burn) -> Hand | None:
        """Return the hand to which this card is added, or None if the card begins a new hand or belongs to no
        hand.
        """
        hand = self.hands.get(event.to) if isinstance(event, e.Deal) else self.to_burn()
        return hand if hand is not None and not hand.whole else None

    def dealt(self, event: e.Deal, pip: int | None) -> None:
        self.betting_closed(event)
        hand = self.hands.get(event.to)
        if hand is None and self.plays(event.to):
            hand = self.begin(event)
        if hand is None or hand.whole:
            if "bet" in self.table.sees:  # without reported bets it is not known which spots should get cards
                self.too_many = self.too_many or event
            if hand is not None:
                hand.extra += 1
            return
        self.lay(hand, event, pip)

    def begin(self, event: e.Deal) -> Hand:
        """Begin the hand of a spot with its first card. This opens betting on over and under at the spot.
        Bets that came too early there are reported.
        """
        spot = event.to
        is_asked = spot in self.asked or None in self.asked
        hand = self.hands[spot] = Hand(spot, len(self.seconds), not is_asked and self.due_the_question(spot))
        for named, word in self.early_words:
            if named == spot:
                hand.said.update(dict.fromkeys(parts_of(word.wager), word))
        if self.highest is None or int(spot) > int(self.highest.to):
            self.highest = event
        if self.too_early:
            self.open_side(event)
        if self.since_first_card:
            self.since_first_card = []
        return hand

    def due_the_question(self, spot: str) -> bool:
        """Return True if the player has an ante and no bonus, and must be asked about a bonus before the
        first card.
        """
        return self.stake(spot, "ante") > 0 and self.stake(spot, "bonus") == 0

    def open_side(self, event: e.Deal) -> None:
        """Report bets on over and under that were made before the spot's first card."""
        spot = event.to
        for line, early in [entry for entry in self.too_early if entry[0].spot == spot]:
            says = f"Spot {spot} bet on {line.wager} before its first card, {event.card}."
            self.table.find("out-of-order", early, says, spot=spot, wager=line.wager, after=event)
        self.too_early = [entry for entry in self.too_early if entry[0].spot != spot]

    def burn(self, event: e.Burn) -> None:
        pip, hand = self.draw(event, event.card), self.to_burn()
        if hand is not None:
            self.last_burned = hand
            self.lay(hand, event, pip)
        elif self.last_burned is not None:
            self.last_burned.burns += 1

    def lay(self, hand: Hand, event: e.Deal | e.Burn, pip: int | None) -> None:
        """Add a card to a hand."""
        hand.cards.append(event)
        hand.whole = len(hand.cards) == WHOLE
        hand.values.append(worth(pip))
        hand.burns += isinstance(event, e.Burn)
        for other in self.hands.values():
            if other is hand:
                continue
            if other.whole and other.next_card is None:
                other.next_card = event
            elif len(other.cards) == WHOLE - 1 and other.passed_by is None:
                other.passed_by = event
        if len(hand.cards) == 2:
            if not self.seconds:
                self.begin_seconds()
            if isinstance(event, e.Deal) and "choose" in self.table.sees and not self.has_declared(hand.spot):
                self.two_firsts = True
            self.seconds.append(event)
            if self.served is None or int(hand.spot) > int(self.served.spot):
                self.served = hand
        if hand.whole:
            self.short.discard(hand.spot)
            if self.early:
                self.deciding(event)

    # -- money ---------------------------------------------------------------------------------------

    def decided(self, spot: str, wager: str) -> bool:
        """Return True once the wager is decided.

        The choice decides ante, over and under of a player who surrendered. The third card decides all other
        wagers, unless the hands are void.
        """
        hand = self.hands.get(spot)
        if hand is None or self.misdealt:
            return False
        if wager != "bonus" and self.surrendered(spot):
            return True
        return hand.whole and (wager != "ante" or self.side(spot) is not None)

    def undecided(self) -> bool:
        """Return True if all hands are void because one of them has a wrong number of cards. In that case no
        settlement is judged.
        """
        return self.misdealt or bool(self.short_spots())

    def evidence(self, line: Line) -> str:
        hand = self.hands.get(line.spot)
        if hand is None or hand.total is None or (line.wager != "bonus" and self.surrendered(line.spot)):
            return ""
        return f" The cards {hand.shown} make {hand.total}."

    def taken_at_once(self, line: Line) -> bool:
        """Return True for the ante of a player who surrendered. The dealer takes it before the second
        card.
        """
        return line.wager == "ante" and self.surrendered(line.spot)

    def moved(self, event: Event, line: Line, signed: int) -> None:
        """Record the facts that settle a hand. For its base wagers and for its bonus, also record the first
        fact that moved money before the announcement.
        """
        hand = self.hands.get(line.spot)
        if hand is None or not hand.whole or self.misdealt or self.taken_at_once(line):
            return
        if line.wager == "bonus":
            hand.bonus_moved = event
            if "bonus" not in hand.said:
                hand.silent.setdefault("bonus", event)
        elif hand.base_moved is None and line.wager in PARTS:
            hand.base_moved = event
            if "base" not in hand.said:
                hand.silent.setdefault("base", event)

    # -- announcements, and the end of a hand ---------------------------------------------------------

    def announce(self, event: e.Announce) -> None:
        """Record a question about the bonus, or an announced outcome. An outcome that names no wager concerns
        the base wagers and the bonus.
        """
        if event.what == "no-bonus?":
            self.asked.setdefault(event.spot, event)
        if event.what != "outcome":
            return
        hand = self.spoken_of(event)
        spot = hand.spot if hand else event.spot
        if spot is not None and (hand is None or not hand.whole):
            self.early_words.append((spot, event))
        if hand is None:
            return
        for part in parts_of(event.wager):
            hand.said.setdefault(part, event)
        if event.wager == "bonus" and hand.whole and hand.bonus_word is None:
            hand.bonus_word = event

    def spoken_of(self, event: e.Announce) -> Hand | None:
        """Return the hand of the spot that an announcement names. If it names no spot, return the hand that
        was served last.
        """
        return self.served if event.spot is None else self.hands.get(event.spot)

    def clear(self, event: e.Clear) -> None:
        hand = self.hands.get(event.source_)
        if hand is None:
            self.cleared_before.setdefault(event.source_, event)
        elif hand.cleared is None:
            hand.cleared = event
            if self.lacks(hand.spot):
                self.short.add(hand.spot)
        super().clear(event)

    def void(self, event: e.Void) -> None:
        """Void the round. A shuffle is required after a wrong number of cards, but not after
        any other void.
        """
        if self.voided is None and (self.misdealt or self.interrupted_misdeal()):
            self.table.shoe.shuffled = self.table.shoe.missed_shuffle = False
            self.table.shoe.misdealt = True
        super().void(event)
