"""Sort the cards, dice and bets of a hand by their places on the table, for all layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from audit.facts.input_parsing import whole
from audit.review.hand_wagers import Wager, nothing_at
from audit.review.hands import Played
from audit.review.verdicts import CurrentFinding
from casino.presentation.formatting import code_label, place
from games.kit import events as e
from games.kit.events import Event

Kind = TypeVar("Kind", bound=Event)
BURNED = "burn-count"
LISTED_SPOTS = 12
"""The empty spots of a table are listed if the table has at most this many spots."""
MARKED = {
    "duplicate-card": "came twice",
    "impossible-card": "no such card",
    "card-not-read": "not read",
    "wrong-deal-order": "out of order",
    "wrong-card-count": "wrong count",
    "dealt-too-soon": "too soon",
    "dealt-after-match": "after the match",
    "dealt-past-cut": "past the cut",
    "shoe-overrun": "not in the shoe",
    "not-shuffled": "not shuffled",
    BURNED: "burned wrongly",
}
"""For each code of a finding about a card: a short label for the card. Other findings are shown above the
layout.
"""


class Card(NamedTuple):
    """A card on the layout.

    Attributes:
        kind: `odd` for a card with a finding, or otherwise a style that the game chooses.
        says: the text below the card.
    """

    face: str | None
    says: str = ""
    kind: str = ""


class Place(NamedTuple):
    """A place on the table with its cards, or a spot with a player's bets. `spot` is empty if the place has
    no bets.
    """

    name: str
    spot: str
    cards: list[Card]
    wagers: list[Wager]


class Laid:
    """The facts of a hand, sorted by the places on the table to which they belong."""

    def __init__(self, played: Played, findings: Sequence[CurrentFinding], limit: int) -> None:
        self.facts = [numbered.fact for numbered in played.facts]
        self.wagers = [*played.wagers[:limit], *_wagers_without_bets(played, findings)]
        self._spots = played.opened.spots if played.opened is not None else 0
        self._found: dict[int, list[str]] = {}
        self._miscounted: set[str] = set()
        self._named: dict[tuple[str, str], list[str]] = {}
        numbers = {numbered.number: numbered.fact for numbered in played.facts}
        for finding in findings:
            fact = numbers.get(finding.number)
            if finding.spot and finding.wager:
                self._named.setdefault((finding.spot, finding.wager), []).append(finding.code)
            if finding.code == BURNED and not isinstance(fact, e.Burn):
                self._miscounted.add(finding.spot or "")
            elif fact is not None:
                self._found.setdefault(id(fact), []).append(finding.code)

    @property
    def anything(self) -> bool:
        """Return True if a card was dealt or burned, dice were rolled, or a finding names a wager."""
        return bool(self.wagers) or any(isinstance(fact, e.Deal | e.Burn | e.Roll) for fact in self.facts)

    @property
    def empty_spots(self) -> list[str]:
        """Return the table's spots on which nothing lies, if the table has few enough to list them."""
        used = {wager.spot for wager in self.wagers} | {
            fact.to for fact in self.facts if isinstance(fact, e.Deal)
        }
        every = range(1, self._spots + 1) if self._spots <= LISTED_SPOTS else ()
        return [str(spot) for spot in every if str(spot) not in used]

    @property
    def dice(self) -> list[int]:
        """Return the values of all dice in the order of the facts."""
        return [value for fact in self.facts if isinstance(fact, e.Roll) for value in fact.dice[:12]]

    def last(self, kind: type[Kind]) -> Kind | None:
        """Return the last fact of a kind, or None if the hand has no such fact."""
        return next((fact for fact in reversed(self.facts) if isinstance(fact, kind)), None)

    def card(self, event: e.Deal | e.Burn, says: str = "", kind: str = "") -> Card:
        """Return a card as it is drawn. Its text and style come from the game, and a card with a finding also
        gets a label for it.
        """
        marks = [MARKED[code] for code in MARKED if code in self._found.get(id(event), ())]
        if not marks or kind == "odd":
            return Card(event.card, says, kind)
        return Card(event.card, ", ".join(part for part in (says, marks[0]) if part), "odd")

    def miscounted(self, place: str) -> bool:
        """Return True if the finding about a dealt card is that too many or too few cards were burned before
        it. The label then belongs to the burned cards, and not to the card at this place.
        """
        return place in self._miscounted

    def found_at(self, wager: Wager) -> str:
        """Return the labels of all findings about this wager at its spot, even if they make no difference in
        money.
        """
        return ", ".join(
            dict.fromkeys(code_label(code) for code in self._named.get((wager.spot, wager.wager), ()))
        )

    def dealt(self, *to: str) -> list[e.Deal]:
        """Return the cards dealt to these places, in the order of play."""
        return [fact for fact in self.facts if isinstance(fact, e.Deal) and fact.to in to]

    def cards(self, *to: str) -> list[Card]:
        """Return the cards dealt to these places as they are drawn."""
        return [self.card(event) for event in self.dealt(*to)]

    def places(self) -> list[Place]:
        """Return all places in the order in which they got their first card, then the spots that have bets
        but no card.
        """
        by_name: dict[str, Place] = {}
        for fact in self.facts:
            if isinstance(fact, e.Deal):
                by_name.setdefault(fact.to, Place(place(fact.to), "", [], [])).cards.append(self.card(fact))
        return self._with_bets(by_name)

    def spots(self, cards: Callable[[str], Iterable[Card]] = lambda spot: ()) -> list[Place]:
        """Return all spots that have bets. The function `cards` returns the cards to draw at a spot."""
        names = dict.fromkeys(wager.spot for wager in self.wagers)
        return self._with_bets(
            {name: Place(place(name), "", list(cards(name)), []) for name in sorted(names, key=_by_number)}
        )

    def _with_bets(self, places: dict[str, Place]) -> list[Place]:
        for wager in self.wagers:
            spot_place = places.setdefault(wager.spot, Place(place(wager.spot), "", [], []))
            spot_place.wagers.append(wager)
            places[wager.spot] = spot_place._replace(spot=wager.spot)
        return list(places.values())


def _wagers_without_bets(played: Played, findings: Sequence[CurrentFinding]) -> list[Wager]:
    """Return an empty wager for each spot and wager that a finding names without any bet. An example is a
    finding on the return of a bet that was never placed. The layout shows the finding at the empty wager.
    """
    known = {(wager.spot, wager.wager) for wager in played.wagers}
    named = dict.fromkeys(
        (finding.spot, finding.wager) for finding in findings if finding.spot and finding.wager
    )
    return [nothing_at(spot, wager) for spot, wager in named if (spot, wager) not in known]


def _by_number(spot: str) -> tuple[int, str]:
    """Return a sort key for spots. Numbered spots come first, from the dealer's left, then players' accounts
    by name.
    """
    number = whole(spot, 8)
    return (10**9, spot) if number is None else (number, "")
