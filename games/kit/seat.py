"""A simulated table with one seat, on which hands are played to compute a certificate. What is owed comes
from the game's own settlement functions.

No rule is applied and no breach is recorded, because only correct hands are played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import cache
from typing import Any

from games.kit import events as e
from games.kit.breach import Breach
from games.kit.game import Game
from games.kit.line import Line
from games.kit.odds import Odds
from games.kit.round import Round
from games.kit.table import EFFECTS, Table

SPOT = "1"
NOTHING = Fraction(0)
Reprice = Callable[[Round, Line, Fraction], Fraction]
"""Function that settles a line in another way. It takes the round, the line, and the net result by the game's
own settlement. It returns the net result that is used instead. Both net results are for a stake of one.
"""

_SEEN: dict[str, Any] = {
    "uid": "",
    "table": "certificate/seat",
    "day": date(2000, 1, 1),
    "at": datetime(2000, 1, 1, tzinfo=UTC),
    "source": "certificate",
}
_OPENED = e.RoundOpened(**_SEEN, round="1")


@cache
def bet(wager: str) -> e.Bet:
    """Return a bet of one unit on a wager."""
    return e.Bet(**_SEEN, round="1", spot=SPOT, wager=wager, amount=1)


@cache
def roll(*dice: int) -> e.Roll:
    return e.Roll(**_SEEN, round="1", dice=list(dice))


@cache
def deal(to: str, card: str) -> e.Deal:
    return e.Deal(**_SEEN, round="1", to=to, card=card)


@cache
def choose(choice: str) -> e.Choose:
    return e.Choose(**_SEEN, round="1", spot=SPOT, choice=choice)


@cache
def pull(wager: str) -> e.Pull:
    return e.Pull(**_SEEN, round="1", spot=SPOT, wager=wager)


class Seat:
    """A simulated table, opened with one edition, one pay table, one number of decks, and one value of each
    option.

    Attributes:
        decks: the number of decks from which cards are drawn.
        reprice: a way of paying that the game does not use.
    """

    def __init__(
        self,
        game: Game,
        *,
        edition: str,
        pay_tables: Mapping[str, str],
        decks: int,
        readings: Mapping[str, str],
        reprice: Reprice | None = None,
    ) -> None:
        self.game, self.decks, self.reprice = game, decks, reprice
        self.said: dict[Odds, Fraction] = {}
        """{odds: net amount per unit of stake} of all odds that settlement functions have returned at this
        table. Together these odds are the pay table.
        """
        self._found: list[Breach] = []
        opened = e.TableOpened(
            **_SEEN,
            game=game.code,
            edition=edition,
            pay_tables=dict(pay_tables),
            decks=decks,
            spots=0,
            limits={},
            currency="USD",
            chip=1,
            readings=dict(readings),
            sees=[],
        )
        self.table = Table(game, opened, None, self._found, _NoListener())

    def hand(self, *facts: e.Event) -> Round:
        """Return a round in which exactly these facts have happened."""
        round = self.game.round(self.table, _OPENED, 1)
        for fact in facts:
            getattr(round, EFFECTS[type(fact)])(fact)
        return round

    def net(self, *facts: e.Event) -> Fraction:
        """Return the net result of the player over all wagers of a round with these facts, in units."""
        round = self.hand(*facts)
        self._found.clear()
        return self.total(round, self.lines(round))

    def lines(self, round: Round) -> list[Line]:
        """Return all bets that are settled in the round, including payments that have no bet of their own,
        such as an ante bonus.
        """
        for payment, wager in self.game.payments.items():
            if (SPOT, wager) in round.lines and (SPOT, payment) not in round.lines:
                round.line(SPOT, payment)
        return [line for line in round.lines.values() if line.at_risk]

    def total(self, round: Round, lines: Iterable[Line]) -> Fraction:
        """Return the net result of these bets in the present state of the round, in units."""
        net: Fraction | None = None
        for line in lines:
            brings = self.line(round, line)
            net = brings if net is None else net + brings
        return NOTHING if net is None else net

    def line(self, round: Round, line: Line) -> Fraction:
        """Return the net result of one bet by the game's own settlement function, in units.

        Raises:
            ValueError: the settlement function cannot say what is owed on the bet.
        """
        odds = self.game.settlements[line.wager](round, line)
        if odds is None:
            raise ValueError(
                f"{self.game.code}: this hand leaves {line.wager} unsettled, so it cannot be counted as an"
                " outcome"
            )
        to_one = self.said.get(odds)
        if to_one is None:
            to_one = self.said[odds] = Fraction(odds.up, odds.down)
        if self.reprice is not None:
            to_one = self.reprice(round, line, to_one)
        return to_one if line.at_risk == 1 else line.at_risk * to_one


class _NoListener:
    """A listener that ignores every call. A simulated table has nothing to report."""

    def begin_round(self, round: Round, event: e.Event) -> None:
        pass

    def end_round(self, round: Round, event: e.Event) -> None:
        pass

    def recall(self, round: str) -> None:
        pass

    def moved_outside(self, event: e.Event, spot: str, wager: str, signed: int, player: str | None) -> None:
        pass
