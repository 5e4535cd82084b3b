"""One row for each finished round, by which hands are searched: who dealt and played, what was bet and moved,
which cards and dice came, and how each wager ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from audit.facts.input_parsing import whole
from audit.replay.fold_state import State
from audit.replay.results import Play
from audit.replay.tally import shift_of
from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.cards import PIP
from games.kit.events import Event
from games.kit.line import Line
from games.kit.round import Key, Round

WON, LOST, PUSH, UNDECIDED, NO_BET, VOID = "won", "lost", "push", "undecided", "no bet", "void"
"""How a wager ended by the rules. `no bet`: money moved on it without a bet. A void round has only `void`."""
ROLL = "roll"
DECLARED = "declared"
DECLARED_LETTERS = 40
"""What a studio declares is any text. Its first letters are enough to find it."""


class EndedRound(NamedTuple):
    """A finished round. Amounts are in minor units, counted as in the tally. `number`: the number of its
    first fact. Lists are sorted and have each value once.
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
    """True if it was voided, or cancelled later."""
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
    """How each wager ended (`over won`), the sum of the dice (`roll 7`), what a studio declared (`declared
    andar`), or `void`.
    """
    cards: list[str]
    """The cards that were dealt or burned face up, as corrected readings give them. Impossible cards are left
    out.
    """


def ended_round(
    round: Round,
    event: Event,
    number: int,
    state: State,
    settled: Mapping[Key, tuple[Exact | None, int]],
    voided: bool,
) -> EndedRound:
    """Return the row of a round.

    Args:
        round: the round.
        event: the fact that ended it.
        number: the number of its first fact.
        state: the state of the fold, with the dealer and the supervisor.
        settled: what each wager was owed and what moved on it.
        voided: True if the round was voided, or cancelled later.
    """
    opened, sums, lines = round.table.opened, Play(), round.lines.values()
    for line in lines:
        sums.add(line)
    return EndedRound(
        number=number,
        round=round.name,
        game=opened.game,
        edition=opened.edition,
        shift=shift_of(opened, round.opened.at),
        dealer=state.dealer,
        supervisor=state.supervisor,
        opened_at=round.opened.at,
        ended_at=event.at,
        voided=voided,
        currency=opened.currency,
        bets=sums.bets,
        staked=sums.staked,
        paid=sums.paid,
        taken=sums.taken,
        returned=sums.returned,
        spots=sorted({line.spot for line in lines}),
        players=sorted(set(_players(round))),
        wagers=sorted({line.wager for line in lines}),
        outcomes=[VOID] if voided else sorted(set(_outcomes(round, settled))),
        cards=sorted(set(_cards(round))),
    )


def _players(round: Round) -> Iterator[str]:
    """Yield the players whom bets name. At a live-dealer table the account of a player is the spot."""
    for line in round.lines.values():
        if line.player is not None:
            yield line.player
        elif round.table.game.live_dealer and whole(line.spot) is None:
            yield line.spot
    for _, player in round.crowded:
        yield player


def _outcomes(round: Round, settled: Mapping[Key, tuple[Exact | None, int]]) -> Iterator[str]:
    for key, line in round.lines.items():
        if ended := _ended(line, settled[key][0]):
            yield f"{line.wager} {ended}"
    dice = [die for fact in round.trail if type(fact) is e.Roll for die in fact.dice]
    if dice:
        yield f"{ROLL} {sum(dice)}"
    for fact in round.trail:
        if type(fact) is e.Announce and fact.what == "outcome" and isinstance(fact.value, str):
            yield f"{DECLARED} {fact.value[:DECLARED_LETTERS]}"


def _ended(line: Line, owed: Exact | None) -> str:
    """Return how a wager ended by the rules; empty if the table reports too little to know."""
    if line.at_risk == 0:
        return NO_BET if line.total else ""
    if line.undecided:
        return UNDECIDED
    if owed is None:
        return ""
    return WON if owed > 0 else LOST if owed < 0 else PUSH


def _cards(round: Round) -> Iterator[str]:
    for fact in round.trail:
        if (type(fact) is e.Deal or type(fact) is e.Burn) and fact.card in PIP:
            yield fact.card
