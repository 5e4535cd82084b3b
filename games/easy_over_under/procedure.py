"""The dealer's steps of Easy Over Under (EOU Game Rules 2 to 5, Dealer Instructions 1 to 16), each as a rule."""

from __future__ import annotations

from collections.abc import Iterator

from games.easy_over_under.hands import WORDS, EasyRound, Hand
from games.easy_over_under.manual import DEALER, RULES, SHAKES, SHORT_SIDE, SHORT_SIDE_PAYS, game
from games.kit import events as e
from games.kit.cards import RANKS
from games.kit.events import Event
from games.kit.game import MONEY, Finds, Said, word
from games.kit.line import Line
from games.kit.odds import same_odds, to_one
from games.kit.table import Table

STEPS = (e.Mark, word("dice"), word("short-side"), word("no-short-side"))
"""The moments between the roll and the first card."""


def step_of(event: e.Roll | e.Announce | e.Mark) -> str:
    """The step that this fact is."""
    return WORDS[event.what] if isinstance(event, e.Announce) else "mark" if isinstance(event, e.Mark) else "roll"


@game.rule("cut-too-deep", on=e.Shuffled, needs="shuffled", cite=f"{DEALER} 1")
def half_at_most(table: Table, event: e.Shuffled) -> Finds:
    """Cut the decks so that no more than half of the cards can be dealt."""
    if event.cut is not None and event.cut > 26 * event.decks:
        return f"{event.cut} cards lie before the cut card; half of {event.decks} decks is {26 * event.decks}."
    return None


@game.rule("too-few-shakes", on=e.Roll, needs="shake roll", cite=f"{DEALER} 3")
def five_shakes(round: EasyRound, event: e.Roll) -> Finds:
    """Shake the cup five times at least before the roll is shown."""
    if round.shakes < SHAKES and "roll" not in round.steps.came:
        return f"The cup was shaken {round.shakes} times before the roll; {SHAKES} is the least."
    return None


@game.rule("impossible-die", on=e.Roll, needs="roll", cite="EOU Overview")
def two_dice(round: EasyRound, event: e.Roll) -> Finds:
    """The game uses two six sided dice."""
    if len(event.dice) != 2 or not all(1 <= die <= 6 for die in event.dice):
        return f"The dice show {', '.join(map(str, event.dice)) or 'nothing'}; two dice of six sides cannot."
    return None


@game.rule("out-of-order", on=e.Roll, needs="roll", cite=f"{DEALER} 4")
def one_roll(round: EasyRound, event: e.Roll) -> Finds:
    """The dice are rolled once in a hand."""
    first = round.steps.came.get("roll")
    return Said("The dice were rolled again in the same hand; the first roll counts.", before=first) if first else None


@game.rule("announced-wrong", on=word("dice"), needs="announce roll", cite=f"{DEALER} 5")
def dice_word(round: EasyRound, event: e.Announce) -> Finds:
    """Announce the value of the dice."""
    if round.total is not None and event.value is not None and event.value != round.total:
        return f"The dealer announced {event.value}; the dice show {round.total}."
    return None


@game.rule("announced-wrong", on=(word("short-side"), word("no-short-side")), needs="announce roll", cite=f"{DEALER} 8 and 9")
def short_side_word(round: EasyRound, event: e.Announce) -> Finds:
    """Announce the cards that win the Short Side and what it pays; on a seven, that there is none this hand."""
    total = round.total
    if total is None:
        return None
    if (total == 7) != (event.what == "no-short-side"):
        return f"The dealer announced {event.what}, and the roll is {total}."
    if total == 7:
        return None
    right = {RANKS[pip - 1] for pip in SHORT_SIDE[total]}
    if event.ranks is not None and set(event.ranks) != right:
        return (
            f"The dealer announced {' '.join(event.ranks)} for the Short Side; on {total} it is {' '.join(sorted(right, key=RANKS.index))}."
        )
    if event.pays is not None and not same_odds(event.pays, *to_one(SHORT_SIDE_PAYS[total])):
        return f"The dealer announced that the Short Side pays {event.pays}; on {total} it pays {SHORT_SIDE_PAYS[total]}."
    return None


@game.rule("announced-wrong", on=word("card"), needs="announce deal", cite=f"{DEALER} 12")
def card_word(round: EasyRound, event: e.Announce) -> Finds:
    """Announce the card's value."""
    hand = round.spoken_of(event)
    if hand and hand.pip is not None and event.value is not None and event.value not in (hand.pip, *hand.extra):
        return Said(f"The dealer announced {event.value} for spot {hand.card.to}; {hand.card.card} is {hand.pip}.", spot=hand.card.to)
    return None


@game.rule("marker-wrong-value", on=e.Mark, needs="mark roll", cite=f"{DEALER} 6")
def disc_on_the_roll(round: EasyRound, event: e.Mark) -> Finds:
    """Place the disc in the square of the value rolled."""
    wrong = round.total is not None and event.value != round.total
    return f"The disc was put on {event.value}; the roll is {round.total}." if wrong else None


@game.rule("marker-wrong-side", on=e.Mark, needs="mark roll", cite=f"{DEALER} 6")
def disc_side(round: EasyRound, event: e.Mark) -> Finds:
    """ "Ties Push" up on doubles, else "Ties Lose 1/2"."""
    right = "ties-push" if round.doubles else "ties-lose-half"
    if round.total is not None and event.side != right:
        return f"The disc lay with {event.side} up; the dice are {'' if round.doubles else 'no '}doubles, so it is {right}."
    return None


@game.rule("not-announced", on=e.RoundClosed, needs="announce roll", cite=f"{DEALER} 5, 8 and 9")
def words_for_the_table(round: EasyRound, event: Event) -> Iterator[Said]:
    """Announce the roll, then the Short Side or that there is none."""
    for step, words in (("dice word", "the value of the dice"), ("short side", "the Short Side")):
        if step not in round.steps.came and "roll" in round.steps.came:
            yield Said(
                f"The dealer never announced {words}.", at=round.steps.proof(step, round.trail, round.name) or event, spot="", wager=""
            )


@game.rule("not-marked", on=e.RoundClosed, needs="mark roll", cite=f"{DEALER} 6")
def disc_placed(round: EasyRound, event: Event) -> Finds:
    """Mark the roll with the disc."""
    if "mark" in round.steps.came or "roll" not in round.steps.came:
        return None
    at = round.steps.proof("mark", round.trail, round.name) or event
    return Said("The roll was never marked with the disc.", at=at)


@game.rule("out-of-order", on=(e.Roll, *STEPS), needs="roll announce mark", cite=f"{DEALER} 4 to 9")
def steps_in_order(round: EasyRound, event: e.Roll | e.Announce | e.Mark) -> Finds:
    """Roll, announce, mark, Short Side: in this order."""
    step = step_of(event)
    soon = round.steps.too_soon(step)
    return [Said(f"The {later} came before the {step}.", at=fact, after=event) for later, fact in soon.items() if later != "cards"] or None


@game.rule("dealt-too-soon", on=(e.Roll, *STEPS), needs="roll announce mark deal", cite=f"{DEALER} 4 to 11")
def table_before_cards(round: EasyRound, event: e.Roll | e.Announce | e.Mark) -> Finds:
    """The first card is dealt after the roll, the disc and the words."""
    step = step_of(event)
    first = round.steps.too_soon(step).get("cards")
    return Said(f"A card was dealt before the {step}.", at=first, after=event) if first else None


@game.rule("wrong-deal-order", on=e.Deal, needs="deal bet", cite=f"{DEALER} 11")
def from_the_left(round: EasyRound, event: e.Deal) -> Finds:
    """Deal from the player farthest to the dealer's left."""
    passed = round.highest
    if passed is not None and round.belongs(event.to) and int(event.to) < int(passed.to):
        return Said(f"Spot {event.to} was passed over: spot {passed.to} had its card before.", before=passed)
    return None


@game.rule("wrong-card-count", on=e.Deal, needs="deal bet", cite=f"{RULES} 5")
def no_second_card(round: EasyRound, event: e.Deal) -> Finds:
    """A single card is dealt to each player."""
    if round.belongs(event.to):
        return None
    return f"Spot {event.to} was dealt {'a second card' if event.to in round.hands else 'a card without a bet'}; it belongs to no hand."


@game.rule("wrong-card-count", on=e.RoundClosed, needs="deal bet", cite=f"{RULES} 5")
def everyone_a_card(round: EasyRound, event: Event) -> Iterator[Said]:
    """A card is dealt to each player with a wager."""
    for spot in round.spots:
        if round.belongs(spot):
            at = next((fact for fact in round.trail if touches(fact, spot)), event)
            yield Said(f"Spot {spot} had a wager and was dealt no card.", at=at, spot=spot)


def touches(fact: Event, spot: str) -> bool:
    """Whether this fact takes from or pays to the spot."""
    if isinstance(fact, e.Settled):
        return any(entry[0] == spot for entry in (*fact.taken, *fact.paid))
    return isinstance(fact, e.Take | e.Pay) and fact.spot == spot


@game.rule("not-announced", on=(MONEY, e.Clear), needs="announce deal", cite=f"{DEALER} 12")
def card_said_first(round: EasyRound, event: Event, line: Line | None = None, signed: int = 0) -> Finds:
    """Announce the card before its wagers are settled."""
    spot = line.spot if line else event.source_ if isinstance(event, e.Clear) else ""
    hand = round.hands.get(spot)
    return silence(hand, spot) if hand else None


@game.rule("not-announced", on=e.RoundClosed, needs="announce deal", cite=f"{DEALER} 12")
def every_card_said(round: EasyRound, event: Event) -> Iterator[Said]:
    """Announce each card."""
    for spot, hand in round.hands.items():
        if said := silence(hand, spot):
            yield said


def silence(hand: Hand, spot: str) -> Said | None:
    """A card whose value was not announced, once."""
    if hand.announced or hand.silent:
        return None
    hand.silent = True
    return Said(f"The card of spot {spot} was not announced.", spot=spot, wager="")


@game.rule("settled-out-of-order", on=MONEY, needs="bet deal roll take pay", cite=f"{DEALER} 12 and 13")
def losers_first(round: EasyRound, event: Event, line: Line, signed: int) -> Finds:
    """Collect the losing wagers of a spot, then pay its winners."""
    hand = round.hands.get(line.spot)
    if signed < 0 and hand and hand.winner_paid and line.owed is not None and line.owed < 0:
        return Said(
            f"Spot {line.spot}: {line.wager} was collected after a winner had been paid.",
            spot=line.spot,
            wager=line.wager,
            before=hand.winner_paid,
        )
    return None


@game.rule("dealt-too-soon", on=(MONEY, e.Clear), needs="deal bet clear", cite=f"{DEALER} 14")
def settled_before_the_next(round: EasyRound, event: Event, line: Line | None = None, signed: int = 0) -> Finds:
    """Settle a spot and collect its card before dealing to the next."""
    spot = line.spot if line else event.source_ if isinstance(event, e.Clear) else ""
    hand = round.hands.get(spot)
    if hand and hand.next_card and not (hand.cleared and isinstance(event, e.Clear)):
        what = "its card was collected" if isinstance(event, e.Clear) else "its wagers were settled"
        return Said(f"The next card was dealt before spot {spot} was done: {what} later.", at=hand.next_card, after=event)
    return None


@game.rule("out-of-order", on=MONEY, needs="deal bet clear", cite=f"{DEALER} 14")
def money_before_clear(round: EasyRound, event: Event, line: Line, signed: int) -> Finds:
    """Collect the card only when the spot's losers are collected and its winners paid."""
    hand = round.hands.get(line.spot)
    if hand and hand.cleared:
        return Said(f"The card of spot {line.spot} was collected before {line.wager} was settled.", at=hand.cleared, after=event)
    return None


@game.rule("out-of-order", on=e.Deal, needs="deal bet clear", cite=f"{DEALER} 14")
def nothing_to_clear(round: EasyRound, event: e.Deal) -> Finds:
    """A card is collected after it was dealt."""
    early = round.cleared_before.pop(event.to, None)
    return Said(f"Spot {event.to} was cleared before it had a card.", at=early, after=event) if early else None


@game.rule("not-cleared", on=e.RoundClosed, needs="clear deal", cite=f"{DEALER} 14")
def every_card_collected(round: EasyRound, event: Event) -> Iterator[Said]:
    """Collect each player's card before dealing to the next."""
    for spot, hand in round.hands.items():
        if hand.cleared is None:
            yield Said(f"The card of spot {spot} was not collected.", at=hand.next_card or event, spot=spot, wager="")
