"""The rules of Teen Patti about bets, decisions and dealing."""

from __future__ import annotations

from collections.abc import Iterator

from games.kit import events as e
from games.kit import patti
from games.kit.events import Event
from games.kit.round import CLOSED
from games.kit.rules import RuleHit, RuleResult, announcement
from games.teen_patti.hands import TeenPattiRound
from games.teen_patti.manual import BETTING, DISCONNECTION, OUTCOMES, PLAYING, RULES, SIDES, game

game.rule("wrong-card-count", on=e.Deal, needs="deal", cite=PLAYING)(patti.no_fourth_card)
game.rule("announced-wrong", on=announcement("outcome"), needs="announce deal", cite=OUTCOMES)(patti.declared)
game.rule("announced-wrong", on=e.RoundClosed, needs="announce deal", cite=OUTCOMES, also_when_void=True)(
    patti.declared_early
)
game.rule("wrong-card-count", on=e.RoundClosed, needs="deal", cite=PLAYING)(patti.six_cards)
game.rule("side-without-main", on=e.RoundClosed, needs="bet", cite=SIDES, also_when_void=True)(
    patti.main_for_each_side
)


@game.rule("unknown-kind-of-play", on=e.Choose, needs="", cite=PLAYING)
def play_or_fold(round: TeenPattiRound, event: e.Choose) -> RuleResult:
    """A player may decide only to play or to fold."""
    return (
        None
        if event.choice in ("play", "fold")
        else f"Spot {event.spot} decided to {event.choice}; this game has play and fold."
    )


@game.rule("choice-too-late", on=e.Choose, needs="choose", cite=PLAYING)
def decide_in_time(round: TeenPattiRound, event: e.Choose) -> RuleResult:
    """A player must decide before the round is settled."""
    if round.windows["play"] != CLOSED or round.disregards(event) or round.records_default(event):
        return None
    closer = round.closed_by["play"]
    return RuleHit(
        f"Spot {event.spot} decided to {event.choice} after the first {e.kind_of(closer)} had ended the"
        " decisions.",
        before=closer,
    )


@game.rule("choice-too-late", on=e.Choose, needs="choose", cite=PLAYING)
def timeout_is_a_fold(round: TeenPattiRound, event: e.Choose) -> RuleResult:
    """If the decision time has expired, the hand is folded."""
    timed_out = event.choice == "play" and event.timeout and event.spot not in round.choices
    if not timed_out or round.windows["play"] == CLOSED or round.disregards(event):
        return None
    return f"Spot {event.spot} decided to play when the time to decide had run out: the hand is folded."


@game.rule(
    "choice-too-late",
    on=e.Choose,
    needs="choose player-lost",
    cite=DISCONNECTION,
    present="player-lost",
)
def decide_while_connected(round: TeenPattiRound, event: e.Choose) -> RuleResult:
    """A decision that is made while the connection is lost does not count. The default decision, a fold,
    counts instead.
    """
    if not round.disregards(event):
        return None
    return (
        f"{event.spot} had lost the connection before he decided; his decision to play does not count, and"
        " the hand folds by default."
    )


@game.rule(
    "choice-too-late",
    on=e.RoundClosed,
    needs="choose player-lost bet",
    cite=DISCONNECTION,
    present="player-lost",
)
def wager_while_connected(round: TeenPattiRound, event: Event) -> Iterator[RuleHit]:
    """A play wager is a decision. It does not count if it is bet while the connection is lost."""
    for spot, wager in round.unasked.items():
        if spot not in round.disregarded:
            says = f"{round.not_placed((spot, 'play'))}, and the hand folds by default."
            yield RuleHit(says, at=wager, spot=spot, wager="play")


@game.rule("out-of-order", on=e.Choose, needs="choose", cite=PLAYING)
def decide_once(round: TeenPattiRound, event: e.Choose) -> RuleResult:
    """Only a player's first decision counts."""
    first = round.choices.get(event.spot)
    if first is None or round.windows["play"] == CLOSED:
        return None
    return RuleHit(
        f"Spot {event.spot} had decided to {first.choice} and decided again; the first decision counts.",
        before=first,
    )


@game.rule("choice-without-bet", on=e.RoundClosed, needs="choose bet", cite=BETTING, also_when_void=True)
def ante_for_each_choice(round: TeenPattiRound, event: Event) -> Iterator[RuleHit]:
    """A player who decides must have an ante in the round. A fold is also allowed if the ante does not count
    because of a lost connection.
    """
    for spot, choice in round.choices.items():
        folded = choice.choice == "fold" and (spot, "ante") in round.unplaced
        if not round.stake(spot, "ante") and not folded:
            yield RuleHit(f"Spot {spot} decided to {choice.choice} without an ante.", at=choice)


@game.rule("choice-missing", on=e.RoundClosed, needs="choose bet deal", cite=PLAYING)
def choice_for_each_ante(round: TeenPattiRound, event: Event) -> Iterator[RuleHit]:
    """Each player with an ante must play or fold. If the time runs out, the hand is folded."""
    if round.sixth is None:
        return
    absent = round.absent if "play" in round.closed_by else round.away
    for spot in round.spots:
        decided = spot in round.choices or spot in round.disregarded or spot in round.unasked
        if round.stake(spot, "ante") and not decided and spot not in absent:
            at = round.closed_by.get("play", event)
            yield RuleHit(
                f"Spot {spot} had an ante and neither played nor folded.", at=at, spot=spot, wager=""
            )


@game.rule("unequal-bet", on=e.RoundClosed, needs="bet choose", cite=PLAYING, also_when_void=True)
def play_like_the_ante(round: TeenPattiRound, event: Event) -> Iterator[RuleHit]:
    """A play wager must equal the ante. A player who folds may not make a play wager."""
    for spot in round.spots:
        play, ante = round.lines.get((spot, "play")), round.stake(spot, "ante")
        if play is None or not play.stake:
            continue
        choice = round.choices.get(spot)
        if (choice is not None and not round.plays(spot)) or spot in round.folded:
            yield RuleHit(
                f"Spot {spot} folded and has {round.table.say(play.stake)} on play.",
                at=play.last,
                spot=spot,
                wager="play",
            )
        elif play.stake > ante or (play.stake < ante and round.voided is None):
            say = round.table.say
            has = f"its ante is {say(ante)}" if ante else "it has no ante"
            says = f"Spot {spot} bet {say(play.stake)} on play; {has}."
            yield RuleHit(says, at=play.last, spot=spot, wager="play")


@game.rule("unequal-bet", on=e.RoundClosed, needs="bet choose", cite=PLAYING)
def play_needs_a_wager(round: TeenPattiRound, event: Event) -> Iterator[RuleHit]:
    """A player who decides to play must place a play wager."""
    for spot, choice in round.choices.items():
        if round.plays(spot) and round.stake(spot, "ante") and not round.stake(spot, "play"):
            yield RuleHit(f"Spot {spot} decided to play and laid no play wager.", at=choice)


@game.rule("too-many-spots", on=e.RoundClosed, needs="bet", cite=RULES, also_when_void=True)
def one_seat_each(round: TeenPattiRound, event: Event) -> Iterator[RuleHit]:
    """Each player may take only one seat."""
    seats: dict[str, set[str]] = {}
    lines = [line for line in round.lines.values() if line.stake and line.player is not None]
    for line in sorted(lines, key=lambda line: line.since):
        own_seats = seats.setdefault(line.player or "", set())
        if own_seats and line.spot not in own_seats:
            yield RuleHit(
                f"Player {line.player} bet on spot {line.spot} and had a seat already.",
                at=line.first,
                spot=line.spot,
            )
        own_seats.add(line.spot)
