"""The certificate of a game: the exact odds of every wager, computed with the settlement functions that also
audit it, and compared with what its manual prints.

The `odds` module of a game defines spaces. A space lists every outcome of a wager, the number of ways to it,
and the best decision if the player decides. The game's settlement functions say what an outcome is owed, so
no pay table and no rule is written twice.

    figure = PrintedFigure(("over",), EDGE, "3.21", "EOU Payouts & House Edge")
    certificate = Certificate(game, decks=(6, 8), printed=(figure,))

    @certificate.space("over", "under")
    def roll_and_card(seat: Seat, wager: str) -> Chances:
        return chances(
            (count, seat.net(bet(wager), roll(*dice), deal("1", card)))
            for dice in ROLLS
            for count, card, _ in draws(...)
        )
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from games.kit.amounts import Exact
from games.kit.chances import Chances, Figures, figures, mean
from games.kit.game import Game
from games.kit.odds import Odds
from games.kit.printed_odds import (
    AGREES,
    CONTRADICTS,
    DRAWN,
    NOT_PRINTED,
    AlternativePay,
    PrintedFigure,
    wins,
)
from games.kit.seat import Reprice, Seat

Counting = Callable[..., Chances]
Decks = int
Cost = Callable[..., Exact | None]
"""Function that returns the cost of the decision on a line, for its player. It takes (round, line) and
returns minor units, or None if the round does not show the cost.
"""


class Space(NamedTuple):
    """The function that counts the outcomes of some wagers, and the conditions on which these outcomes
    depend.
    """

    counted: Counting
    options: tuple[str, ...]
    """The options of the property that the wager depends on."""
    classes: Mapping[str, Mapping[str, Any]]
    """For each price class: what is known when the wager is bet. If the odds do not depend on this, there is
    one class with an empty name.
    """


class Decision(NamedTuple):
    """A wager whose outcome depends on a decision of the player."""

    needs: frozenset[str]
    """The kinds of fact that show the decision."""
    cost: Cost | None
    """Function that returns the cost of the decision, or None if the cost is counted on the wager on which
    the decision was made.
    """


class Case(NamedTuple):
    """One combination of conditions under which a wager is offered."""

    edition: str
    wager: str
    pay_table: str | None
    decks: Decks
    answers: Mapping[str, str]
    """The property's values of the options that the wager depends on."""
    known: Mapping[str, Any]
    """What is known when the bet is made, if the odds depend on it."""

    @property
    def conditions(self) -> dict[str, Any]:
        """Return the conditions of this case by their names in a certificate: the property's values of the
        options, and what is known when the bet is made.
        """
        return {**self.answers, **self.known}


class Pay(NamedTuple):
    """One line of a pay table: what a win pays for a stake of one, the odds as the settlement function
    returns them, and how often this win occurs.

    `often` is known only if the wager is settled independently of other wagers.
    """

    net: Fraction
    odds: tuple[Odds, ...]
    often: Fraction | None


class CertificateLine(NamedTuple):
    """One line of a certificate."""

    case: Case
    chances: Chances
    pays: tuple[Pay, ...]
    """The lines of the pay table, the highest pay first."""
    figures: Figures
    printed: PrintedFigure | None
    verdict: str
    fits: str | None
    fitting: Chances | None
    """The chances under the pay table or option value that reproduces the printed figure. None if no
    alternative reproduces it.
    """


class Certificate:
    """The odds of a game: its spaces, the figures that its manual prints, and other ways of paying that the
    manual could have meant.
    """

    def __init__(
        self,
        game: Game,
        *,
        decks: tuple[Decks, ...],
        any_decks: bool = True,
        printed: Sequence[PrintedFigure] = (),
        alternatives: Sequence[AlternativePay] = (),
        counted_in: Mapping[str, str | None] | None = None,
        units: Mapping[str, str] | None = None,
    ) -> None:
        """Create the certificate of a game and register it for `certificate_of`.

        Args:
            game: the game whose settlement functions say what an outcome is owed.
            decks: the numbers of decks that the manual names, the usual one first.
            any_decks: True if the game can be dealt from other numbers of decks too.
            printed: the figures that the manual prints.
            alternatives: pay tables and option values that the game does not use.
            counted_in: for each wager, the name under which its cost is certified, or None if the cost
                is part of another wager's cost.
            units: the unit of edge, return and variance, for wagers that are not settled independently.
        """
        self.game, self.decks, self.any_decks = game, decks, any_decks
        self.printed, self.alternatives, self.counted_in = (
            tuple(printed),
            tuple(alternatives),
            dict(counted_in or {}),
        )
        self.units = dict(units or {})
        self.spaces: dict[str, Space] = {}
        self.decisions: dict[str, Decision] = {}
        self._counted: dict[Any, tuple[Chances, tuple[Pay, ...]]] = {}
        _CERTIFICATES[game] = self

    def space(
        self,
        *wagers: str,
        options: tuple[str, ...] = (),
        classes: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Callable[[Counting], Counting]:
        """Return a decorator that registers a function as the space of these wagers. A space lists all
        outcomes of its wagers. The function takes (seat, wager) and, as keywords, what is known when the bet
        is made. It returns chances.
        """

        def register(count: Counting) -> Counting:
            self.spaces.update(dict.fromkeys(wagers, Space(count, options, classes or {"": {}})))
            return count

        return register

    def decides(self, *wagers: str, dependent: Sequence[str] = (), needs: str) -> Callable[[Cost], Cost]:
        """Return a decorator that registers wagers on which players decide after they have seen cards or
        dice.

        The decorated function returns the cost of the decision. The cost is the average result of the best
        decision minus the average result of the decision that was made, times the stake. Both averages are
        computed from all outcomes of the wager.

        Args:
            wagers: the wagers that the decision is made on.
            dependent: further wagers whose outcome depends on it.
            needs: the kinds of fact that show the decision, separated by spaces.
        """
        kinds = frozenset(needs.split())

        def register(cost: Cost) -> Cost:
            self.decisions.update(
                dict.fromkeys(dependent, Decision(kinds, None)) | dict.fromkeys(wagers, Decision(kinds, cost))
            )
            return cost

        return register

    def unit_of(self, wager: str) -> str:
        """Return the name of the unit in which the figures of a wager are given."""
        return self.units.get(wager, "the stake on the wager")

    # -- the certificate ----------------------------------------------------------------------------------

    def cases(self, decks: Decks | None = None) -> Iterator[Case]:
        """Yield every combination of edition, wager, pay table, options and number of decks. If `decks` is
        given and the game can be dealt from any number of decks, yield only the combinations with `decks`
        decks.
        """
        numbers = self.decks if decks is None or not self.any_decks else (decks,)
        for edition, (wager, space) in product(self.game.editions, self.spaces.items()):
            answers = [
                dict(zip(space.options, combination, strict=True))
                for combination in product(*(self.game.options[q] for q in space.options))
            ]
            tables = tuple(self.game.pay_tables.get(wager, {})) or (None,)
            for table, number, combination, known in product(
                tables, numbers, answers, space.classes.values()
            ):
                yield Case(edition, wager, table, number, combination, known)

    def chances(self, case: Case, reprice: Reprice | None = None) -> Chances:
        """Return the probability of each net result of a wager, computed from all outcomes. The result is
        cached if the game's own settlement is used.
        """
        return self._count(case, reprice)[0]

    def _count(self, case: Case, reprice: Reprice | None = None) -> tuple[Chances, tuple[Pay, ...]]:
        key = (*case[:4], *case.conditions.items())
        if reprice is None and key in self._counted:
            return self._counted[key]
        seat = self.seat(case, reprice)
        of = self.spaces[case.wager].counted(seat, case.wager, **case.known)
        counted = (of, pays(of, seat))
        if reprice is None:
            self._counted[key] = counted
        return counted

    def seat(self, case: Case, reprice: Reprice | None = None) -> Seat:
        """Return a simulated table with one seat, opened under the conditions of this case."""
        tables = {wager: next(iter(tables)) for wager, tables in self.game.pay_tables.items()}
        if case.pay_table is not None:
            tables[case.wager] = case.pay_table
        return Seat(
            self.game,
            edition=case.edition,
            pay_tables=tables,
            decks=case.decks,
            readings=case.answers,
            reprice=reprice,
        )

    def certify(self, decks: Decks | None = None) -> list[CertificateLine]:
        """Return the lines of the certificate. If `decks` is given and the game can be dealt from any number
        of decks, return only the lines with `decks` decks.
        """
        return [self._line(case) for case in self.cases(decks)]

    def _line(self, case: Case) -> CertificateLine:
        of, paid = self._count(case)
        line = CertificateLine(case, of, paid, figures(of), None, NOT_PRINTED, None, None)
        printed = next(
            (
                figure
                for figure in self.printed
                if figure.concerns(case.wager, case.pay_table, case.conditions)
            ),
            None,
        )
        if printed is None or case.edition != next(iter(self.game.editions)):
            return line
        others = self._tables(case) if printed.what == DRAWN else None
        agrees = (
            printed.is_what(of) if others is None else any(wins(of) == wins(other) for _, other in others)
        )
        if agrees:
            return line._replace(printed=printed, verdict=AGREES)
        fits, fitting = next(
            ((name, other) for name, other in others or self._meant(case) if printed.is_what(other)),
            (None, None),
        )
        return line._replace(printed=printed, verdict=CONTRADICTS, fits=fits, fitting=fitting)

    # -- other ways of paying that could have been meant ------------------------------------------------

    def _meant(self, case: Case) -> Iterator[tuple[str, Chances]]:
        """Yield the chances of a wager under other pay tables, option values and editions that the manual
        could have meant. Each comes with its source.
        """
        for alternative in self.alternatives:
            if case.wager in alternative.wagers:
                yield str(alternative), self.under(alternative, case)
        yield from self._tables(case)
        for question, current in case.answers.items():
            for answer in self.game.options[question]:
                if answer != current:
                    yield (
                        f"reading {question}: {answer}",
                        self.chances(case._replace(answers={**case.answers, question: answer})),
                    )
        for edition in self.game.editions:
            if edition != case.edition:
                yield f"edition {edition}", self.chances(case._replace(edition=edition))

    def under(self, other: AlternativePay, case: Case) -> Chances:
        """Return the chances of a wager under a pay table or option value that the game does not use."""
        return self.chances(case._replace(answers={**case.answers, **other.answers}), other.reprice)

    def _tables(self, case: Case) -> list[tuple[str, Chances]]:
        """Return the chances of a wager under each of its other approved pay tables, by name."""
        names = [name for name in self.game.pay_tables.get(case.wager, {}) if name != case.pay_table]
        approved = [name for name in names if name not in self.game.never_approved.get(case.wager, ())]
        return [(f"pay table {name}", self.chances(case._replace(pay_table=name))) for name in approved]

    # -- the expected loss of a stake ----------------------------------------------------------------------

    def edge(
        self,
        edition: str,
        wager: str,
        *,
        pay_tables: Mapping[str, str],
        decks: Decks,
        readings: Mapping[str, str],
        price_class: str = "",
    ) -> Fraction:
        """Return the exact share of a stake that the casino keeps on average. The expected win is the stake
        times this share.

        Return 0 for a wager whose cost is counted on another wager.

        Raises:
            KeyError: no space is registered for the wager.
        """
        case = self.case_of(
            edition, wager, pay_tables=pay_tables, decks=decks, readings=readings, price_class=price_class
        )
        return Fraction(0) if case is None else -mean(self.chances(case))

    def case_of(
        self,
        edition: str,
        wager: str,
        *,
        pay_tables: Mapping[str, str],
        decks: Decks,
        readings: Mapping[str, str],
        price_class: str = "",
    ) -> Case | None:
        """Return the conditions under which a table offers this wager, or None if the wager's cost is counted
        on another wager.

        The arguments are the settings of the table's opening. If a value is missing or unknown, the first
        value of the game is used.

        Raises:
            KeyError: no space is registered for the wager.
        """
        of = self.counted_in.get(wager, wager)
        if of is None:
            return None
        space = self.spaces[of]
        tables = self.game.pay_tables.get(of, {})
        table = pay_tables.get(of, "")
        return Case(
            edition if edition in self.game.editions else next(iter(self.game.editions)),
            of,
            table if table in tables else next(iter(tables), None),
            decks if self.any_decks and decks > 0 else self.decks[0],
            {question: self.game.answer(question, readings) for question in space.options},
            space.classes.get(price_class, space.classes.get("", {})),
        )


_CERTIFICATES: dict[Game, Certificate] = {}
"""The certificate of each game. The game's `odds` module creates it when it is imported."""


def certificate_of(game: Game) -> Certificate | None:
    """Return the certificate of a game, or None if the game has no `odds` module."""
    return _CERTIFICATES.get(game)


def pays(of: Chances, seat: Seat) -> tuple[Pay, ...]:
    """Return the lines of a wager's pay table, from the odds that its settlement functions returned."""
    won: dict[Fraction, list[Odds]] = {}
    for odds, net in seat.said.items():
        if net > 0:
            won.setdefault(net, []).append(odds)
    is_certain = set(of) <= set(seat.said.values())
    return tuple(
        Pay(net, tuple(won[net]), of.get(net) if is_certain else None) for net in sorted(won, reverse=True)
    )
