"""Every settlement computed by another hand comes out of our rules, to the fraction of a cent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest

from audit.fold import replay
from games import GAMES
from games.kit import events as e
from games.kit.events import Event
from tests.vectors.reading import FILES, Case, cases

AT = datetime(2026, 11, 27, 20, tzinfo=UTC)


def fact(shape: type[Event], **fields: Any) -> Event:
    """A fact of the one round that a vector is."""
    return shape(uid="u", table="aurora/T", day=date(2026, 11, 27), at=AT, source="s", round="r", **fields)


def hand(case: Case) -> Iterator[Event]:
    """The hand as it was dealt, with its stakes and no settlement: whatever is owed is then found as not settled."""
    game = GAMES[case.game]
    yield fact(
        e.TableOpened, game=case.game, edition=case.edition, pay_tables=dict.fromkeys(game.pay_tables, case.pay_table), decks=1, spots=0,
        limits={}, currency="USD", chip=1, readings={}, sees=["bet", "roll", "deal", "take", "pay"],
    )  # fmt: skip
    yield fact(e.RoundOpened)
    later = [wager for wager in case.stakes if wager == "short-side"]
    if case.game == "andar_bahar":
        yield fact(e.Deal, to="joker", card=case.cards[0])
    for wager in case.stakes.keys() - set(later):
        yield fact(e.Bet, spot="1", wager=wager, amount=case.stakes[wager])
    if case.dice:
        yield fact(e.Roll, dice=list(case.dice))
    for wager in later:
        yield fact(e.Bet, spot="1", wager=wager, amount=case.stakes[wager])
    if case.game == "andar_bahar":
        sides = ("andar", "bahar") if case.edition == "ezugi" else ("bahar", "andar")
        for place, card in enumerate(case.cards[1:]):
            yield fact(e.Deal, to=sides[place % 2], card=card)
    else:
        yield fact(e.Deal, to="1", card=case.cards[0])
    yield fact(e.RoundClosed)


@pytest.mark.parametrize("name", [name for name in FILES if name != "illegal"])
def test_a_hand_is_owed_what_another_hand_computed(name: str) -> None:
    count = 0
    for case in cases(name):
        owed = {found.wager: found.owed for found in replay(hand(case)).findings if found.code == "not-settled"}
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
}


def test_what_must_not_be_bet_is_found_in_every_case() -> None:
    illegal = list(cases("illegal"))
    assert {case.note for case in illegal} <= WRONG.keys()
    for case in illegal:
        assert WRONG[case.note] in [found.code for found in replay(hand(case)).findings], case
