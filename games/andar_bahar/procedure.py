"""The order of play of Andar Bahar (Ezugi Andar Bahar Game Rules, Betting Instructions), each step as a
rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.andar_bahar.hands import AndarBaharRound
from games.andar_bahar.manual import BETTING, RULES, game
from games.kit import events as e
from games.kit.events import Event
from games.kit.round import BEFORE
from games.kit.rules import RuleHit, RuleResult, announcement
from games.kit.shoe_checks import cards


@game.rule("wrong-deal-order", on=e.Deal, needs="deal", cite=BETTING)
def in_turn(round: AndarBaharRound, event: e.Deal) -> RuleResult:
    """The first card must go to the side that is dealt first. After it the two sides must alternate."""
    first = round.table.edition.first if round.table.edition else "andar"
    if event.to == "joker":
        late = round.windows["andar"] == BEFORE and round.cards
        return RuleHit("The joker was dealt after the first cards.", before=round.last) if late else None
    turn = first if round.cards % 2 == 0 else ("bahar" if first == "andar" else "andar")
    if event.to != turn and round.match is None:
        return RuleHit(
            f"Card {round.cards + 1} after the joker was dealt to {event.to} instead of {turn}.",
            before=round.last,
        )
    return None


@game.rule("wrong-card-count", on=e.Deal, needs="deal", cite=RULES)
def one_joker(round: AndarBaharRound, event: e.Deal) -> RuleResult:
    """Only one joker may be dealt."""
    return (
        "A second joker was dealt; it belongs to no hand."
        if event.to == "joker" and round.windows["andar"] != BEFORE
        else None
    )


@game.rule("dealt-after-match", on=e.Deal, needs="deal", cite=RULES)
def stop_at_the_match(round: AndarBaharRound, event: e.Deal) -> RuleResult:
    """The round must end once the matching card is drawn."""
    if round.match is not None and event.to != "joker":
        return RuleHit(
            f"A card was dealt after {round.match.card} had matched the joker on {round.match.to}.",
            before=round.match,
        )
    return None


def first_money(round: AndarBaharRound, event: Event) -> Event:
    """Return the first fact of the round that takes or pays money. If no money moved, return the fact that
    ended the round.
    """
    return next((fact for fact in round.trail if isinstance(fact, e.Take | e.Pay | e.Settled)), event)


@game.rule("stopped-before-match", on=e.RoundClosed, needs="deal", cite=RULES)
def until_the_match(round: AndarBaharRound, event: Event) -> RuleResult:
    """Cards must be dealt until one has the joker's value."""
    if round.match is not None or round.unread or round.joker is None or round.joker_late:
        return None
    return RuleHit(
        f"The round ended after {cards(round.cards)} and none had matched the joker.",
        at=first_money(round, event),
        spot="",
        wager="",
    )


@game.rule("wrong-card-count", on=e.RoundClosed, needs="deal bet", cite=RULES)
def a_joker_for_the_bets(round: AndarBaharRound, event: Event) -> RuleResult:
    """A round must begin with the joker."""
    if round.windows["andar"] == BEFORE and any(line.stake for line in round.lines.values()):
        return RuleHit("There were bets, and no joker was dealt.", at=first_money(round, event))
    return None


@game.rule("announced-wrong", on=announcement("outcome"), needs="announce deal", cite=RULES)
def studio_outcome(round: AndarBaharRound, event: e.Announce) -> RuleResult:
    """The outcome that the studio declares must be the side on which the match fell."""
    if round.match and event.value != round.match.to:
        return f"The studio declared {event.value}; {round.match.card} matched on {round.match.to}."
    return None


@game.rule("announced-wrong", on=e.RoundClosed, needs="announce deal", cite=RULES, also_when_void=True)
def outcome_before_the_match(round: AndarBaharRound, event: Event) -> Iterator[RuleHit]:
    """An outcome that is declared before the match must agree with it."""
    for early in round.words:
        if round.match and early.value != round.match.to:
            yield RuleHit(
                f"The studio declared {early.value}; {round.match.card} matched on {round.match.to}.",
                at=early,
            )
