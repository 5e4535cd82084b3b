"""Compare the hold with chance: for each row, the win that the exact odds of its wagers predict, and the
range that chance allows.

The page *Hold* and the charts of the report *Hold* read the same figures here. All rows of a report are
looked at together: a win is outside only if chance alone puts any of them outside with a probability of at
most 100 % less the confidence (`Bounds.sure_among`). The wagers of a row are taken as independent, as in the
column `z` of the statistical review.

Felt tables and live-dealer tables are never compared with each other's play. A row is not judged, and says
why, if its win leaves out days whose play is known, if odds of its wagers are not known, or if nothing was
played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from audit.queries.cache.aggregates import Aggregate, Periods, aggregate
from audit.queries.span import Span
from casino.presentation.formatting import cents, minus
from casino.reports.columns import Row, RowChance, RowChances
from casino.reports.definitions import statistics
from casino.reports.definitions.statistics import (
    LIVE_DEALER,
    ReviewFigures,
    ReviewRow,
    judge_win,
    why_not_judged,
)
from casino.reports.expected_win import Bounds, Win, bounds_of
from casino.reports.grouping import PLAY_ALONE, name_of_sums, of_days, pits_for, rounded
from casino.reports.hold_figure import FELT, LIVE, WAGERS, HoldFigures

PENDING_DAYS, NOT_COUNTED, NOT_PLAYED = "pending days", "tables without a count", "no play"
NO_PLAY = ReviewFigures()


class HoldChance:
    """The wins of the hold in one grouping, compared with chance."""

    def __init__(
        self,
        span: Span,
        by: tuple[str, ...],
        rows: Sequence[Aggregate[HoldFigures]],
        periods: Periods | None = None,
        report: str = "hold",
        basis: str = "",
    ) -> None:
        """Compare the rows of a report with chance. Nothing is read yet.

        Args:
            span: the days, the property and the books of the report.
            by: the grouping of the report.
            rows: all rows of the report in this grouping, also those that it does not show.
            periods: the periods of the span, if they have been read already.
            report: the name of the report, under which the sums of play are cached.
            basis: the basis of all rows if the report has no column of it.
        """
        self._span, self._by, self._periods = span, by, periods
        self._report, self._basis = report, basis
        self._rows = {row.key: row for row in rows}

    @cached_property
    def bounds(self) -> Bounds:
        """Return the bounds of the property."""
        return bounds_of(self._span)

    @cached_property
    def judged(self) -> int:
        """Return the number of rows that are compared with chance."""
        return sum(not self._reason(row) for row in self._rows.values())

    @cached_property
    def sure(self) -> Fraction:
        """Return the number of standard deviations from the expected win to each end of its range."""
        return self.bounds.sure_among(self.judged)

    @cached_property
    def words(self) -> str:
        """Return what the drawing of a chart means, or empty text if there is nothing to draw."""
        if not self.judged:
            return ""
        of_wagers = "; win and expected win of the wagers alone" if PLAY_ALONE & {*self._by} else ""
        return (
            f"dashed: expected by the exact odds; band: what chance allows among all {self.judged:,} judged"
            f" ({self.bounds.confidence} %){of_wagers}"
        )

    def win_of(self, key: tuple[str, ...]) -> tuple[Win | None, str]:
        """Return the win of the row with this key, with its expected win and the range of chance. If it is
        not judged, or if there is no such row, return None and the reason.
        """
        row = self._rows.get(key)
        if row is None:
            return None, NOT_PLAYED
        if reason := self._reason(row):
            return None, reason
        return judge_win(Fraction(row.figures.win), self._play_of(row), self.sure)

    def judge(self, row: Row) -> RowChance:
        """Return how a row of the report compares with chance. Its hold and the range are in percent."""
        named = len(self._by)
        of_basis = (self._basis, row[named]) if self._basis else row[named : named + 2]
        key = tuple(map(str, (*row[:named], *of_basis)))
        win, reason = self.win_of(key)
        if win is None:
            return RowChance(reason=reason)
        over, currency, reach = self._rows[key].figures.over, key[-1], win.reach
        in_money = f"expected win {cents(win.expected, currency)} {currency}"
        chance = RowChance(None, None, win.is_outside, "", (in_money,), win.expected, reach)
        if over <= 0:
            return chance
        expected, low, high = (
            100 * amount / over for amount in (win.expected, win.expected - reach, win.expected + reach)
        )
        ends = " to ".join(minus(rounded(end, 1)) for end in (low, high))
        of_hold = f"expected {minus(rounded(expected, 1))} %, by chance {ends} %"
        return chance._replace(expected=expected, bounds=(low, high), tip=(of_hold, in_money))

    def of_rows(self) -> RowChances:
        """Return what the charts of the report need."""
        return RowChances(self.judge, self.words, self.judged, self.bounds.confidence)

    @cached_property
    def _played(self) -> dict[tuple[str, ...], ReviewFigures]:
        return {row.key: row.figures for row in sums(self._span, self._by, self._periods, self._report)}

    @cached_property
    def _without_count(self) -> set[tuple[str, ...]]:
        """Return the groups in which felt tables without any count were played."""
        return {_group(row) for row in self._rows.values() if row.key[-2] == WAGERS and row.figures.rounds}

    @cached_property
    def _counted(self) -> set[tuple[str, ...]]:
        """Return the groups in which felt tables have a drop."""
        return {_group(row) for row in self._rows.values() if row.key[-2] == FELT}

    def _play_of(self, row: Aggregate[HoldFigures]) -> ReviewFigures:
        *named, basis, currency = row.key
        return self._played.get((*named, LIVE_DEALER if basis == LIVE else "", currency), NO_PLAY)

    def _reason(self, row: Aggregate[HoldFigures]) -> str:
        """Return why a row is not judged, or empty text. The play of a felt table is known for each table and
        day, but a row has one sum of all of them. So it is not judged if its win leaves some of them out.
        """
        if row.figures.pending or not row.figures.known:
            return PENDING_DAYS
        group = _group(row)
        if row.key[-2] in (FELT, WAGERS) and group in self._without_count and group in self._counted:
            return NOT_COUNTED
        return why_not_judged(self._play_of(row))


def _group(row: Aggregate[Any]) -> tuple[str, ...]:
    """Return the key of a row without its basis."""
    return (*row.key[:-2], row.key[-1])


def sums(
    span: Span, by: tuple[str, ...], periods: Periods | None = None, report: str = "hold"
) -> list[ReviewRow]:
    """Return the figures of play by grouping, kind of table and currency. The game is that of the whole day,
    as in the hold.

    Args:
        span: the days, the property and the books.
        by: the grouping.
        periods: the periods of the span, if they have been read already.
        report: the name of the report under which the sums are cached.
    """
    pits = pits_for(by)

    def read_rows(part: Span) -> Iterator[ReviewRow]:
        return statistics.read_by_kind(part, of_days(by), pits)

    return aggregate(f"{name_of_sums(report, by, pits)} chance", span, read_rows, ReviewFigures, periods)
