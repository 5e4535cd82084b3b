"""The certificate: the exact odds of every wager, by the rules that settle and audit it, compared with
what its manual prints.

A game's `odds` module names its spaces: every outcome, how many ways there are to it, and the best decision
where the player decides. The game's own settlements say what an outcome is owed, so no pay table and no
rule is written twice.

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
"""Returns what the decision on a line cost its player: (round, line) to minor units; None if the hand does
not show it.
"""


class Space(NamedTuple):
    """How to count the outcomes of a wager."""

    counted: Counting
    options: tuple[str, ...]
    """The options of the property that the wager depends on."""
    classes: Mapping[str, Mapping[str, Any]]
    """What is known when the wager is bet, by price class."""


class Decision(NamedTuple):
    """A wager whose outcome depends on a decision of its player."""

    needs: frozenset[str]
    """The kinds of fact that show the decision."""
    cost: Cost | None
    """None if the cost is counted on the wager that the decision was made on."""


class Case(NamedTuple):
    """One way in which a wager is offered."""

    edition: str
    wager: str
    pay_table: str | None
    decks: Decks
    answers: Mapping[str, str]
    """The property's answers to the options that the wager depends on."""
    known: Mapping[str, Any]
    """What is known when the bet is made, if its odds depend on it."""

    @property
    def conditions(self) -> dict[str, Any]:
        """Return the answers and what is known at the bet, as a certificate names them."""
        return {**self.answers, **self.known}


class Pay(NamedTuple):
    """One line of a pay table as it is settled: what a win brings to one, the odds that pay it, and how
    often.

    `often` is known only if the wager is settled alone.
    """

    net: Fraction
    odds: tuple[Odds, ...]
    often: Fraction | None


class CertificateLine(NamedTuple):
    """One line of a certificate."""

    case: Case
    chances: Chances
    pays: tuple[Pay, ...]
    """In descending order of what they pay."""
    figures: Figures
    printed: PrintedFigure | None
    verdict: str
    fits: str | None
    fitting: Chances | None
    """The chances under the pay table or answer that gives the printed figure."""


class Certificate:
    """The spaces of a game, the figures that its manual prints, and alternative ways of paying."""

    def __init__(
        self,
        game: Game,
        *,
        decks: tuple[Decks, ...],
        any_decks: bool = True,
        printed: Sequence[PrintedFigure] = (),
        otherwise: Sequence[AlternativePay] = (),
        counted_in: Mapping[str, str | None] | None = None,
        units: Mapping[str, str] | None = None,
    ) -> None:
        """Create the certificate of a game and register it for `certificate_of`.

        Args:
            game: the game whose settlements say what an outcome is owed.
            decks: the numbers of decks that the manual names, the usual one first.
            any_decks: True if the game can be dealt from other numbers of decks too.
            printed: the figures that the manual prints.
            otherwise: pay tables and readings that are not the game's.
            counted_in: a wager of the table to the name under which its cost is certified; None if its cost
                is part of another wager's.
            units: what edge, return and variance are per, for wagers that are not settled alone.
        """
        self.game, self.decks, self.any_decks = game, decks, any_decks
        self.printed, self.otherwise, self.counted_in = (
            tuple(printed),
            tuple(otherwise),
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
        """Name the wagers whose outcomes a function counts: (seat, wager, **what is known) to their
        chances.
        """

        def register(count: Counting) -> Counting:
            self.spaces.update(dict.fromkeys(wagers, Space(count, options, classes or {"": {}})))
            return count

        return register

    def decides(self, *wagers: str, besides: Sequence[str] = (), needs: str) -> Callable[[Cost], Cost]:
        """Name the wagers on which players decide after they have seen cards or dice.

        The decorated function returns what the decision cost: the mean of the best decision less that of the
        one that was made, both from the spaces, times the stake.

        Args:
            wagers: the wagers that the decision is made on.
            besides: further wagers whose outcome depends on it.
            needs: the kinds of fact that show the decision, separated by spaces.
        """
        kinds = frozenset(needs.split())

        def register(cost: Cost) -> Cost:
            self.decisions.update(
                dict.fromkeys(besides, Decision(kinds, None)) | dict.fromkeys(wagers, Decision(kinds, cost))
            )
            return cost

        return register

    def unit_of(self, wager: str) -> str:
        """Return what the figures of a wager are per, in words."""
        return self.units.get(wager, "the stake on the wager")

    # -- what comes out ----------------------------------------------------------------------------------

    def cases(self, decks: Decks | None = None) -> Iterator[Case]:
        """Yield every combination of edition, wager, pay table, options and number of decks; only of `decks`
        if the game allows that number.
        """
        numbers = self.decks if decks is None or not self.any_decks else (decks,)
        for edition, (wager, space) in product(self.game.editions, self.spaces.items()):
            answers = [
                dict(zip(space.options, given, strict=True))
                for given in product(*(self.game.options[q] for q in space.options))
            ]
            tables = tuple(self.game.pay_tables.get(wager, {})) or (None,)
            for table, number, given, known in product(tables, numbers, answers, space.classes.values()):
                yield Case(edition, wager, table, number, given, known)

    def chances(self, case: Case, reprice: Reprice | None = None) -> Chances:
        """Return what the wager brings, counted over its whole space. Results for the game's own settlements
        are cached.
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
        """Return a table with one seat that is opened for this case."""
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
        """Return every line of the certificate."""
        return [self._line(case) for case in self.cases(decks)]

    def _line(self, case: Case) -> CertificateLine:
        of, paid = self._count(case)
        line = CertificateLine(case, of, paid, figures(of), None, NOT_PRINTED, None, None)
        printed = next(
            (one for one in self.printed if one.concerns(case.wager, case.pay_table, case.conditions)), None
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

    # -- what else could have been meant -----------------------------------------------------------------

    def _meant(self, case: Case) -> Iterator[tuple[str, Chances]]:
        """Yield what else could have been meant: other ways of paying with their source, other pay tables,
        answers and editions.
        """
        for other in self.otherwise:
            if case.wager in other.wagers:
                yield str(other), self.under(other, case)
        yield from self._tables(case)
        for question, given in case.answers.items():
            for answer in self.game.options[question]:
                if answer != given:
                    yield (
                        f"reading {question}: {answer}",
                        self.chances(case._replace(answers={**case.answers, question: answer})),
                    )
        for edition in self.game.editions:
            if edition != case.edition:
                yield f"edition {edition}", self.chances(case._replace(edition=edition))

    def under(self, other: AlternativePay, case: Case) -> Chances:
        """Return what the wager would bring under a pay table or reading that is not the game's."""
        return self.chances(case._replace(answers={**case.answers, **other.answers}), other.reprice)

    def _tables(self, case: Case) -> list[tuple[str, Chances]]:
        """Return what the wager would bring under its other approved pay tables, by name."""
        names = [name for name in self.game.pay_tables.get(case.wager, {}) if name != case.pay_table]
        approved = [name for name in names if name not in self.game.never_approved.get(case.wager, ())]
        return [(f"pay table {name}", self.chances(case._replace(pay_table=name))) for name in approved]

    # -- what a stake costs --------------------------------------------------------------------------------

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
        """Return the exact part of a stake that the casino keeps on average; the theoretical win is the stake
        times this.

        Returns 0 for a wager whose cost is part of another wager's.

        Raises:
            KeyError: the wager has no space.
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
        """Return the case in which a table offers this wager; None for a wager whose cost is part of
        another's.

        The arguments are those of the table's opening. A missing or unknown value becomes the game's first.

        Raises:
            KeyError: the wager has no space.
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
"""Game to the certificate that its `odds` module made last."""


def certificate_of(game: Game) -> Certificate | None:
    """Return the exact odds of a game's wagers; None if the game has no `odds` module."""
    return _CERTIFICATES.get(game)


def pays(of: Chances, seat: Seat) -> tuple[Pay, ...]:
    """Return all odds by which a win is paid, as the settlements returned them."""
    won: dict[Fraction, list[Odds]] = {}
    for odds, net in seat.said.items():
        if net > 0:
            won.setdefault(net, []).append(odds)
    alone = set(of) <= set(seat.said.values())
    return tuple(
        Pay(net, tuple(won[net]), of.get(net) if alone else None) for net in sorted(won, reverse=True)
    )
