"""Build one row for each finished round. Hands are searched by these rows: dealer and players, amounts bet
and moved, cards and dice, and the result of each wager.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from audit.facts.input_parsing import whole
from audit.replay.fold_state import State
from audit.replay.results import Play
from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.cards import PIP
from games.kit.events import Event
from games.kit.round import Key, Round

WON, LOST, PUSH, UNDECIDED, NO_BET, VOID = "won", "lost", "push", "undecided", "no bet", "void"
"""The results that a wager can have under the rules. `no bet`: money moved on the wager without a bet. A void
round has only `void`.
"""
DRAWN = (e.Deal, e.Burn)
SHOWN: frozenset[type[Event]] = frozenset({*DRAWN, e.Roll, e.Announce})
"""Kinds of fact that show cards, dice or an outcome."""
ROLL = "roll"
DECLARED = "declared"
DECLARED_LETTERS = 40
"""Maximum length of a declaration in a row. A studio may declare any text, and its first characters are
enough to search for it.
"""


class Sums(NamedTuple):
    """The amounts that a round added to the sums of the tally, in minor units."""

    bets: int
    staked: int
    paid: int
    taken: int
    returned: int


class EndedRound(NamedTuple):
    """A finished round. Amounts are in minor units, counted as in the tally. A list contains each value once,
    in the order of its first occurrence.

    Attributes:
        number: the number of its first fact.
    """

    number: int
    round: str
    game: str
    edition: str
    shift: str
    dealer: str
    supervisor: str
    opened_at: datetime
    ended_at: datetime
    voided: bool
    """True if the round was voided, or cancelled later."""
    currency: str
    bets: int
    staked: int
    paid: int
    taken: int
    returned: int
    spots: list[str]
    players: list[str]
    wagers: list[str]
    outcomes: list[str]
    """The result of each wager (`over won`), the sum of the dice (`roll 7`), a studio's declaration
    (`declared andar`), or `void`.
    """
    cards: list[str]
    """The cards that were dealt or burned face up, with corrected readings applied. Impossible cards are left
    out.
    """


def added_to(rows: Iterable[tuple[Play, tuple[int, int, int, int, int]]]) -> Sums:
    """Return the amounts that a round added to the tally: the difference of the sums after and before it.

    Args:
        rows: the rows of the tally after the round, each with its sums before the round.
    """
    bets = staked = paid = taken = returned = 0
    for row, (bets_before, staked_before, paid_before, taken_before, returned_before) in rows:
        bets += row.bets - bets_before
        staked += row.staked - staked_before
        paid += row.paid - paid_before
        taken += row.taken - taken_before
        returned += row.returned - returned_before
    return Sums(bets, staked, paid, taken, returned)


def ended_round(
    round: Round,
    event: Event,
    number: int,
    state: State,
    shift: str,
    settled: Mapping[Key, tuple[Exact | None, int]],
    sums: Sums,
    voided: bool,
) -> EndedRound:
    """Return the row for a finished round.

    Args:
        round: the round.
        event: the fact that ended it.
        number: the number of its first fact.
        state: the state of the fold, with the dealer and the supervisor.
        shift: the shift in which it was opened.
        settled: for each wager, the amount owed and the amount moved.
        sums: the amounts that the round added to the tally.
        voided: True if the round was voided, or cancelled later.
    """
    opened = round.table.opened
    spots, players, wagers, ended = _lines(round, settled)
    cards, outcomes = _trail(round)
    return EndedRound(
        number,
        round.name,
        opened.game,
        opened.edition,
        shift,
        state.dealer,
        state.supervisor,
        round.opened.at,
        event.at,
        voided,
        opened.currency,
        *sums,
        [*spots],
        [*players],
        [*wagers],
        [VOID] if voided else [*ended, *outcomes],
        [*cards],
    )


# One pass over the lines and one over the facts, because this is done for every round that is examined.
# Dictionaries are used instead of sets, because they keep the order of their keys.
OrderedTexts = dict[str, None]


def _lines(
    round: Round, settled: Mapping[Key, tuple[Exact | None, int]]
) -> tuple[OrderedTexts, OrderedTexts, OrderedTexts, list[str]]:
    """Return the spots, the players named by bets, the wagers, and the result of each wager under the rules.
    At a live-dealer table the spot is the account of a player.
    """
    spots: OrderedTexts = {}
    wagers: OrderedTexts = {}
    players: OrderedTexts = {}
    ended: dict[tuple[str, str], None] = {}
    for key, line in round.lines.items():
        spot, wager = key
        spots[spot] = wagers[wager] = None
        if line.player is not None:
            players[line.player] = None
        if not line.stake and line.at_risk == 0:
            if line.total:
                ended[wager, NO_BET] = None
        elif line.undecided:
            ended[wager, UNDECIDED] = None
        elif (owed := settled[key][0]) is not None:
            ended[wager, WON if owed > 0 else LOST if owed < 0 else PUSH] = None
    for _, player in sorted(round.crowded):
        players[player] = None
    if round.table.game.live_dealer:
        players |= {spot: None for spot in spots if whole(spot) is None}
    return spots, players, wagers, [f"{wager} {end}" for wager, end in ended]


def _trail(round: Round) -> tuple[OrderedTexts, OrderedTexts]:
    """Return the cards of a round, and its other outcomes: the sum of the dice and the studio's
    declaration.
    """
    cards: OrderedTexts = {}
    outcomes: OrderedTexts = {}
    dice = list[int]()
    for fact in [fact for fact in round.trail if type(fact) in SHOWN]:
        if isinstance(fact, DRAWN):
            if fact.card in PIP:
                cards[fact.card] = None
        elif isinstance(fact, e.Roll):
            dice += fact.dice
        elif isinstance(fact, e.Announce) and fact.what == "outcome" and isinstance(fact.value, str):
            outcomes[f"{DECLARED} {fact.value[:DECLARED_LETTERS]}"] = None
    if dice:
        outcomes[f"{ROLL} {sum(dice)}"] = None
    return cards, outcomes
