"""Money errors by dealer, table or game, read from the tally: the number in 1,000 wagers, compared with
chance.

The codes are those of the report of dealer errors. A row is judged only if it has enough wagers. It is marked
only if its number of errors is unlikely to be chance. Assume that every row has the error rate of all rows
together: then the probability that chance marks any row is below 5%. The rate of all rows includes the row
itself, which makes the test more cautious.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from audit.queries.cache.aggregates import Aggregate, aggregate, merge
from audit.queries.cache.aggregates import total as exact_total
from audit.queries.play import Exposed, counted_by_code, exposed, exposed_by_code
from audit.queries.span import Span
from casino.reports.definitions.dealer_errors import CODES, ErrorFigures
from casino.reports.error_chance import LEAST_TRIALS, exact_bounds, judge_errors
from casino.reports.grouping import Pits, as_registered, name_of_sums

ErrorSum = Aggregate[ErrorFigures]
"""The wagers of a group, or its errors of one code. The key consists of the group, the code and the currency.
In the sum of the wagers, the code is empty.
"""


class ErrorRow(NamedTuple):
    """One dealer, table or game.

    Attributes:
        parts: the sums that the row consists of: its wagers, and its errors of each code.
        chance: the probability of at least this number of errors by chance.
    """

    name: str
    wagers: int
    errors: int
    parts: list[ErrorSum]
    chance: Decimal
    is_judged: bool
    is_marked: bool

    @property
    def gained(self) -> Fraction:
        """Return what players received beyond the amount owed, in minor units."""
        return exact_total(part.figures.gained for part in self.parts)

    @property
    def lost(self) -> Fraction:
        """Return what players received too little, in minor units."""
        return exact_total(part.figures.lost for part in self.parts)

    @property
    def rate(self) -> Fraction:
        """Return the number of errors per 1,000 wagers."""
        return Fraction(1000 * self.errors, self.wagers) if self.wagers else Fraction(0)

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return the exact bounds of the rate. Without wagers, they are 0 and 1,000."""
        if not self.wagers:
            return Fraction(0), Fraction(1000)
        return exact_bounds(min(self.errors, self.wagers), self.wagers).rates


class Judged(NamedTuple):
    """All rows of a board. The row whose errors are least likely to be chance comes first.

    Attributes:
        looked_at: the number of rows with enough wagers to be judged.
    """

    rows: list[ErrorRow]
    wagers: int
    errors: int
    looked_at: int

    @property
    def rate(self) -> Fraction:
        """Return the number of errors per 1,000 wagers in all rows together."""
        return Fraction(1000 * self.errors, self.wagers) if self.wagers else Fraction(0)

    @property
    def marked(self) -> int:
        """Return the number of rows that are marked because chance does not explain their errors."""
        return sum(row.is_marked for row in self.rows)

    @property
    def too_few(self) -> int:
        """Return the number of rows with too few wagers to be judged."""
        return len(self.rows) - self.looked_at

    def rate_without(self, row: ErrorRow) -> Fraction:
        """Return the number of errors per 1,000 wagers in all other rows."""
        wagers = self.wagers - row.wagers
        return Fraction(1000 * (self.errors - row.errors), wagers) if wagers else Fraction(0)


def sums(span: Span, by: tuple[str, ...]) -> list[ErrorSum]:
    """Return the numbers of wagers and errors of these days. There is one sum for each code, currency and
    combination of the names in `by`. The sums are read from the cache if the days have not changed.
    """

    def read_rows(part: Span) -> Iterator[ErrorSum]:
        return _grouped(part, by)

    return aggregate(name_of_sums("error board", by, None), span, read_rows, ErrorFigures)


def counts_of_one(span: Span, filters: Mapping[str, str]) -> Iterator[ErrorCount]:
    """Yield the numbers of wagers and errors at one table, or of one dealer, for each gaming day and each
    hour of the property's clock. There may be several rows for the same hour of the same day.
    """
    no_pits: Pits | None = None
    rows = as_registered(lambda by: counted_by_code(span, by, CODES, filters), ("day", "hour"), no_pits)
    for (day, hour), row in rows:
        yield ErrorCount(day, hour, row.currency, row.bets, row.numbers)


class DayErrors(NamedTuple):
    """The number of errors on a gaming day."""

    errors: int


def errors_by_day(span: Span) -> list[Aggregate[DayErrors]]:
    """Return the number of errors at each table by gaming day and currency. The numbers are read from the
    cache if the days have not changed.
    """

    def read_rows(part: Span) -> Iterator[Aggregate[DayErrors]]:
        for row in exposed(part, ("table", "day"), CODES):
            if row.number:
                yield Aggregate((*row.by, row.currency), DayErrors(row.number))

    return aggregate(name_of_sums("error days", ("table", "day"), None), span, read_rows, DayErrors)


class ErrorCount(NamedTuple):
    """The number of wagers in one hour of a gaming day in one currency, and the number of errors of each
    code.
    """

    day: str
    hour: str
    currency: str
    wagers: int
    errors: dict[str, int]


def _grouped(span: Span, by: tuple[str, ...]) -> Iterator[ErrorSum]:
    def read(dimensions: tuple[str, ...]) -> Iterator[_CodedRow]:
        for code, row in exposed_by_code(span, dimensions, CODES):
            yield _CodedRow(row.by, code, row)

    no_pits: Pits | None = None
    for key, coded in as_registered(read, by, no_pits):
        row = coded.row
        figures = ErrorFigures(row.rounds, row.bets, row.number, row.gained, row.lost)
        yield Aggregate((*key, coded.code, row.currency), figures)


class _CodedRow(NamedTuple):
    by: tuple[str, ...]
    code: str
    row: Exposed


def total(rows: Iterable[ErrorSum]) -> ErrorFigures:
    """Return the sum of the figures of these rows."""
    merged = merge(Aggregate(("",), row.figures) for row in rows)
    return merged[0].figures if merged else ErrorFigures(0, 0, 0, 0, 0)


def judge(rows: Iterable[ErrorSum], place: int = 0) -> Judged:
    """Return one row for each dealer, table or game, compared with the rate of all rows together.

    A board may judge hundreds of dealers and show only twenty. Therefore only numbers of wagers and errors
    are added up for all rows. Amounts are added up later, only for the rows that are shown.

    A board of hundreds of dealers judges all of them but shows twenty. Therefore only numbers of wagers and
    errors are added up here. Amounts are added up for the rows that are shown.

    Args:
        place: the index of the name in the keys of the rows. The code follows the name.
    """
    named: dict[str, list[ErrorSum]] = {}
    wagers: dict[str, int] = {}
    errors: dict[str, int] = {}
    for row in rows:
        name = row.key[place]
        named.setdefault(name, []).append(row)
        wagers[name] = wagers.get(name, 0) + row.figures.wagers
        errors[name] = errors.get(name, 0) + row.figures.errors
    every_wager, every_error = sum(wagers.values()), sum(errors.values())
    rate = Fraction(every_error, every_wager) if every_wager else Fraction(0)
    looked_at = sum(number >= LEAST_TRIALS for number in wagers.values())
    judged = [
        _row(name, wagers[name], errors[name], parts, rate, looked_at)
        for name, parts in named.items()
        if wagers[name] or errors[name]
    ]
    order = sorted(judged, key=lambda row: (not row.is_judged, row.chance, -row.errors, row.name))
    return Judged(order, every_wager, every_error, looked_at)


def _row(
    name: str, wagers: int, errors: int, parts: list[ErrorSum], rate: Fraction, looked_at: int
) -> ErrorRow:
    verdict = judge_errors(errors, wagers, rate, looked_at)
    return ErrorRow(name, wagers, errors, parts, *verdict)


def with_value(rows: Iterable[ErrorSum], place: int, value: str) -> list[ErrorSum]:
    """Return the sums whose key has this value at index `place`, or all sums if the value is empty. The value
    at index `place` is removed from the keys of the returned sums.
    """
    return [
        Aggregate((*row.key[:place], *row.key[place + 1 :]), row.figures)
        for row in rows
        if not value or row.key[place] == value
    ]
