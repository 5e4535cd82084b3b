"""Catwalk's rules give the same settlements as an independent computation, to the fraction of a cent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from audit.replay.fold import replay
from games import GAMES
from games.kit import events as e
from games.kit.events import Event
from tests.counts import LONG
from tests.vectors.dealing import fact
from tests.vectors.filling import FILLING
from tests.vectors.reading import FILES, Case, cases

LARGE = (
    "andar_bahar_sample",
    "bet_on_teen_patti_boundary",
    "bet_on_teen_patti_sample",
    "casino_over_under_exhaustive",
    "easy_over_under_exhaustive",
    "high_side_exhaustive",
    "teen_patti_boundary",
    "teen_patti_sample",
)
STEP = 17
"""Without `make long`, the tests of the large files try the first case of each kind, and one case in every
STEP. STEP divides neither the number of dice results nor of cards, so that all combinations of both still
occur.
"""
SEES = ["bet", "roll", "deal", "take", "pay", "choose", "pull"]


def hand(case: Case) -> Iterator[Event]:
    """Yield the hand as dealt, with its stakes and without settlements, so that everything owed is reported
    as not settled.
    """
    game = GAMES[case.game]
    question, _, answer = case.reading.partition("=")
    tables = {
        wager: case.pay_table if case.pay_table in known else next(iter(known))
        for wager, known in game.pay_tables.items()
    }
    yield fact(
        e.TableOpened,
        game=case.game,
        edition=case.edition,
        pay_tables=tables,
        decks=game.decks or 1,
        spots=0,
        limits={},
        currency="USD",
        chip=1,
        readings={question: answer} if answer else {},
        sees=SEES,
    )
    yield fact(e.RoundOpened)
    yield from FILLING[case.game].deal(case)
    yield fact(e.RoundClosed)


def representative(candidates: Iterable[Case]) -> Iterator[Case]:
    """Yield the first case of each kind, and every `STEP`th case. A kind is a combination of bets, decisions
    and outcomes.
    """
    kinds = set()
    for place, case in enumerate(candidates):
        outcomes = tuple((wager, word) for wager, (_, word) in case.expected.items())
        kind = (
            case.edition,
            case.pay_table,
            case.reading,
            tuple(case.stakes),
            tuple(case.decisions.items()),
            outcomes,
        )
        if kind not in kinds or place % STEP == 0:
            kinds.add(kind)
            yield case


@pytest.mark.parametrize("name", [name for name in FILES if name != "illegal"])
def test_a_hand_is_owed_the_independently_computed_amount(name: str) -> None:
    count = 0
    for case in cases(name) if LONG or name not in LARGE else representative(cases(name)):
        owed = {
            finding.wager: finding.owed
            for finding in replay(hand(case)).findings
            if finding.code == "not-settled"
        }
        right = {wager: str(net) for wager, (net, _) in case.expected.items() if net}
        assert {wager: str(amount) for wager, amount in owed.items()} == right, case
        count += 1
    assert count


WRONG = {
    "no short side on 7": "bet-not-offered",
    "short side over the limit": "side-above-main",
    "short side without over/under": "side-without-main",
    "either over or under": "both-sides",
    "unknown bet": "no-such-wager",
    "side bet without main bet": "side-without-main",
    "bonus must equal ante": "unequal-bet",
    "bonus without ante": "side-without-main",
    "no decision": "choice-missing",
    "over must equal ante": "unequal-bet",
    "wager after surrender": "unequal-bet",
    "wager against the decision": "choice-without-bet",
    "bonus alone": "side-without-main",
    "dice or card": "both-sides",
    "equal wagers": "unequal-bet",
    "first decision missing": "choice-missing",
    "second decision missing": "choice-missing",
    "third cannot be withdrawn": "pull-not-allowed",
    "three wagers required": "unequal-bet",
    "play must equal ante": "unequal-bet",
    "play with a fold": "unequal-bet",
    "side bet without ante": "side-without-main",
}
"""Codes of findings, by the note of a case. The hand of the case is not allowed, and causes the finding."""


def test_forbidden_bets_are_found_in_every_case() -> None:
    illegal = list(cases("illegal"))
    assert {case.note for case in illegal} <= WRONG.keys()
    for case in illegal:
        assert WRONG[case.note] in [finding.code for finding in replay(hand(case)).findings], case
