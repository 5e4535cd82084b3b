"""The dealer's steps of High Side (HS Rules 3 to 12), each as a rule."""

from __future__ import annotations

from collections.abc import Iterator

from games.high_side.hands import CUPS, NUMBER, SWEPT, HighSideRound
from games.high_side.manual import OVERVIEW, RULES, game
from games.kit import events as e
from games.kit.events import Event
from games.kit.game import MONEY, Finds, Said, word
from games.kit.line import Line


@game.rule("too-few-shakes", on=e.Roll, needs="shake roll", cite=f"{RULES} 3")
def both_cups_shaken(round: HighSideRound, event: e.Roll) -> Finds:
    """Each of the two cups is shaken before its die is revealed."""
    first = len(round.shown)
    still = [str(cup) for cup in CUPS[first : first + max(len(event.dice), 1)] if cup not in round.shaken]
    return f"Cup {' and cup '.join(still)} was not shaken before its die was revealed." if still else None


@game.rule("out-of-order", on=e.Shake, needs="shake roll", cite=f"{RULES} 3 and 4")
def shaken_before_the_first_lid(round: HighSideRound, event: e.Shake) -> Finds:
    """Both cups are shaken and put down; then the first lid comes off, and no cup is shaken any more."""
    if len(round.shown) != 1 or event.times <= 0:
        return None
    opened, cups = round.shown[0][0], round.cups_of(event)
    if 2 in cups and 2 not in round.shaken:
        return Said("The first die was revealed before the second cup had been shaken.", at=opened, after=event)
    if cups & set(CUPS):
        return Said("A cup was shaken again after the first die had been revealed.", before=opened)
    return None


@game.rule("impossible-die", on=e.Roll, needs="roll", cite=OVERVIEW)
def one_die_a_cup(round: HighSideRound, event: e.Roll) -> Finds:
    """Each cup holds a single die of six sides."""
    left = len(CUPS) - len(round.shown)
    if left and (not 1 <= len(event.dice) <= left or not all(1 <= die <= 6 for die in event.dice)):
        return f"The lid came off {', '.join(map(str, event.dice)) or 'nothing'}; {left} single dice of six sides were under the cups."
    return None


@game.rule("out-of-order", on=e.Roll, needs="roll", cite=f"{RULES} 4 and 6")
def two_dice_a_hand(round: HighSideRound, event: e.Roll) -> Finds:
    """Two dice are revealed in a hand."""
    if round.second_die is not None:
        return Said("A third die was revealed in the same hand; the first two count.", before=round.second_die)
    return None


@game.rule("announced-wrong", on=word("dice"), needs="announce roll", cite=f"{RULES} 7")
def sum_of_the_dice(round: HighSideRound, event: e.Announce) -> Finds:
    """Announce the sum total of the two dice."""
    if round.total is not None and event.value is not None and event.value != round.total:
        return f"The dealer announced {event.value}; the dice show {round.total}."
    return None


def foretold(round: HighSideRound) -> e.Announce | None:
    """A word that gave the sum before the second die was revealed. Another value is a word about the first die."""
    if round.total is None or "dice word" in round.steps.came:
        return None
    return next((early for early in round.early_words if early.value in (None, round.total)), None)


@game.rule("out-of-order", on=e.RoundClosed, needs="announce roll", cite=f"{RULES} 6 and 7")
def said_when_shown(round: HighSideRound, event: Event) -> Finds:
    """The sum is announced when both dice are revealed."""
    early = foretold(round)
    return Said("The sum of the dice was announced before the second was revealed.", at=early, after=round.second_die) if early else None


@game.rule("not-announced", on=e.RoundClosed, needs="announce roll", cite=f"{RULES} 7")
def sum_is_said(round: HighSideRound, event: Event) -> Finds:
    """Announce the sum total of the two dice when they are revealed."""
    if round.second_die is None or "dice word" in round.steps.came or foretold(round):
        return None
    at = round.steps.proof("dice word", round.trail, round.name) or event
    return Said("The dealer never announced the sum of the dice.", at=at, spot="", wager="")


@game.rule("dealt-too-soon", on=word("dice"), needs="announce roll deal", cite=f"{RULES} 7 and 10")
def sum_before_the_card(round: HighSideRound, event: e.Announce) -> Finds:
    """The card is drawn after the sum of the dice has been announced."""
    if round.card is not None and round.second_die is not None and "dice word" not in round.steps.came:
        return Said("The card was drawn before the sum of the dice was announced.", at=round.card, spot="", wager="", after=event)
    return None


@game.rule("out-of-order", on=word("dice"), needs="announce roll take bet", cite=f"{RULES} 7 and 8")
def sum_before_the_sweep(round: HighSideRound, event: e.Announce) -> Finds:
    """On a seven the sum is announced, and then the second and third wagers are collected."""
    if round.swept is not None and "dice word" not in round.steps.came:
        return Said("Wagers were collected for the seven before it was announced.", at=round.swept, after=event)
    return None


@game.rule("dealt-too-soon", on=e.Roll, needs="roll deal", cite=f"{RULES} 6 and 10")
def dice_before_the_card(round: HighSideRound, event: e.Roll) -> Finds:
    """The card is drawn after both dice are revealed."""
    if round.card is not None and round.second_die is None:
        return Said("The card was drawn before both dice were revealed.", at=round.card, spot="", wager="", after=event)
    return None


@game.rule("dealt-too-soon", on=e.RoundClosed, needs="roll deal", cite=f"{RULES} 6 and 10")
def no_card_without_dice(round: HighSideRound, event: Event) -> Finds:
    """No card is drawn in a hand whose dice are not revealed."""
    if round.card is not None and round.second_die is None:
        return Said(
            f"The card was drawn, and {len(round.shown) or 'none'} of the two dice was ever revealed.", at=round.card, spot="", wager=""
        )
    return None


@game.rule("seven-not-swept", on=MONEY, needs="bet roll deal take pull", cite=f"{RULES} 8")
def seven_takes_at_once(round: HighSideRound, event: Event, line: Line, signed: int) -> Finds:
    """On a seven the second and third wagers are collected at once, before the card."""
    if round.card is not None and round.seven and line.wager in SWEPT and signed < 0 and not round.drawn_early:
        says = f"Spot {line.spot}: {line.wager} lost to the seven and was collected only after the card had been drawn."
        return Said(says, at=round.card, spot=line.spot, wager=line.wager, after=event)
    return None


@game.rule("wrong-card-count", on=e.Deal, needs="deal", cite=f"{RULES} 10")
def one_card(round: HighSideRound, event: e.Deal) -> Finds:
    """A single card is drawn."""
    return f"A second card was drawn; {round.card.card or 'the first'} is the card of this hand." if round.card is not None else None


@game.rule("wrong-card-count", on=e.RoundClosed, needs="deal bet", cite=f"{RULES} 10")
def a_card_for_the_bets(round: HighSideRound, event: Event) -> Finds:
    """A card is drawn in every hand."""
    if round.card is not None or not any(line.stake for line in round.lines.values()):
        return None
    return Said("There were wagers, and no card was drawn.", at=next((fact for fact in round.trail if needed_the_card(round, fact)), event))


def needed_the_card(round: HighSideRound, fact: Event) -> bool:
    """Whether this fact moved money that only the card decides: all but what a seven takes."""
    if isinstance(fact, e.Settled):
        moved = [entry[1] for entry in (*fact.taken, *fact.paid)]
    else:
        moved = [fact.wager] if isinstance(fact, e.Take | e.Pay) else []
    return any(not (round.seven and wager in SWEPT) for wager in moved)


@game.rule("settled-out-of-order", on=MONEY, needs="bet deal roll take pay", cite=f"{RULES} 11 and 12")
def mains_before_the_bonus(round: HighSideRound, event: Event, line: Line, signed: int) -> Finds:
    """The wagers on dice and card are settled, then the Bonus wagers."""
    before = round.bonus_settled
    if before is None or before is event or line.wager not in NUMBER or (round.seven and line.wager in SWEPT):
        return None
    return Said(f"Spot {line.spot}: {line.wager} was settled after a Bonus had been.", spot=line.spot, wager=line.wager, before=before)


@game.rule("tie-unregulated", on=e.RoundClosed, needs="bet roll deal pull", cite=f"{RULES} 11")
def tie_has_no_rule(round: HighSideRound, event: Event) -> Iterator[Said]:
    """No rule says what a wager on dice or card is owed on a tie; the table's reading does."""
    if round.total is None or round.total != round.pip:
        return
    for line in round.lines.values():
        if line.stake and line.wager in NUMBER and not (round.seven and line.wager in SWEPT):
            reading, owed = round.table.answers["tie"], round.owed(line)
            says = f"Dice and card are both {round.total}: spot {line.spot}, {line.wager}, is settled by the reading `tie`, {reading}."
            yield Said(says, at=round.card, spot=line.spot, wager=line.wager, owed=owed)
