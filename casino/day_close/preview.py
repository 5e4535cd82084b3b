"""The figures of each table before its gaming day is closed: the win and the range expected from exact odds,
drop or handle, hold, variance of the counts, unexplained money, and open findings.

The win is judged if it is known and every stake of the day has exact odds. The win is outside its bounds if
it differs too much from the expected win (`casino.reports.expected_win.bounds_of`). Unexplained money is
outside if it is not zero. A table with a figure outside its bounds can be closed only with an explanation. A
win that cannot be judged needs no explanation. The page does not count it as a win within bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple

from audit.queries import cage_facts
from audit.queries.span import Span
from audit.review import queue
from audit.review.projections import GRADES
from casino.presentation.charts.scales import percent
from casino.presentation.formatting import MINUS, cents
from casino.reports.definitions import drop_variance, hold, statistics, where_the_hold_went
from casino.reports.definitions.statistics import ReviewFigures, judge_win
from casino.reports.expected_win import Win, bounds_of
from casino.reports.grouping import rounded
from casino.reports.hold_figure import LIVE, WAGERS

REACH = 4
"""The drawing of a win covers this many standard deviations to each side. A win beyond them is drawn at its
edge.
"""


class Drawing(NamedTuple):
    """The drawing of a win on an axis of standard deviations. `at`: the position of the win. `low` and
    `width`: the start and the width of the range in which the win is expected. All three are percentages.
    """

    at: str
    low: str
    width: str
    is_outside: bool


class Figures(NamedTuple):
    """The figures of a table's day in one currency. Amounts are in minor units; None if they are not known.

    `pending` says why the win is not known, `not_judged` why a known win has no range. `variance` is the
    recount less the count, or None if not everything is counted twice.
    """

    basis: str
    currency: str
    win: Fraction | None
    pending: str
    over: int | None
    judged: Win | None
    not_judged: str
    unexplained: Fraction | None
    variance: int | None

    @property
    def hold_percent(self) -> str:
        """Return the win as a percentage of the drop or handle, or empty text if it is not known."""
        return rounded(100 * self.win / self.over, 1) if self.win is not None and self.over else ""

    @property
    def range_low(self) -> Fraction:
        """Return the lower end of the range in which the win is expected. Use it only if `judged` is not
        None.
        """
        assert self.judged is not None
        return self.judged.expected - self.judged.reach

    @property
    def range_high(self) -> Fraction:
        """Return the upper end of the range in which the win is expected. Use it only if `judged` is not
        None.
        """
        assert self.judged is not None
        return self.judged.expected + self.judged.reach

    @property
    def drawing(self) -> Drawing | None:
        """Return the drawing of the win on an axis of standard deviations; None if the win is not judged."""
        if self.judged is None:
            return None
        at = max(Fraction(-REACH), min(Fraction(REACH), Fraction(self.judged.deviations)))
        sure = min(self.judged.sure, Fraction(REACH))
        return Drawing(
            percent((at + REACH) / (2 * REACH)),
            percent((REACH - sure) / (2 * REACH)),
            percent(sure / REACH),
            self.judged.is_outside,
        )

    @property
    def outside(self) -> list[str]:
        """Return a sentence for each figure that is not as expected."""
        return list(self._outside())

    def _outside(self) -> Iterator[str]:
        if self.judged is not None and self.judged.is_outside:
            low, high = (cents(bound, self.currency) for bound in (self.range_low, self.range_high))
            side = "above" if self.judged.amount > self.judged.expected else "below"
            deviations = self.judged.deviations.replace("-", MINUS)
            yield (
                f"The win is {side} the expected range, {low} to {high} {self.currency}: {deviations}"
                " standard deviations from the expected win."
            )
        if self.unexplained:
            missing = "missing" if self.unexplained < 0 else "more than play explains"
            amount = cents(abs(self.unexplained), self.currency)
            yield f"{amount} {self.currency} is {missing}."


class Preview(NamedTuple):
    """The figures of a table's day in each currency, and its hands that need a verdict.

    Attributes:
        behind: True if facts of the day are not examined yet, so that the figures will change.
    """

    figures: list[Figures]
    findings: int
    grade: str
    behind: bool

    @property
    def outside(self) -> list[str]:
        """Return a sentence for each figure that is not as expected."""
        return [sentence for figures in self.figures for sentence in figures.outside]

    @property
    def is_judged(self) -> bool:
        """Return True if the win of every currency is judged and all facts are examined."""
        return bool(self.figures) and not self.behind and all(figure.judged for figure in self.figures)

    @property
    def seal(self) -> str:
        """Return a short hash of everything that the preview shows. A form sends it back, so that a day is
        closed only on the figures that were shown.
        """
        return sha256(repr(self).encode()).hexdigest()[:16]


NOTHING = Preview([], 0, "", behind=False)


def previews(property: str, day: date) -> dict[str, Preview]:
    """Return the preview of each table of a gaming day. Tables are named `property/table`."""
    span = Span(day, day + timedelta(days=1), property)
    figures: dict[str, list[Figures]] = {}
    for table, of_currency in _figures(span):
        figures.setdefault(table, []).append(of_currency)
    behind = {stream.rpartition("/")[0] for stream in cage_facts.unexamined(property, day)}
    waiting = queue.waiting(property, day)
    return {
        table: Preview(
            figures.get(table, []),
            waiting[table].hands if table in waiting else 0,
            GRADES[waiting[table].rank - 1] if table in waiting else "",
            table in behind,
        )
        for table in {*figures, *behind, *waiting}
    }


def _figures(span: Span) -> Iterator[tuple[str, Figures]]:
    """Yield the figures of each table and currency of one gaming day."""
    by, sure = ("table",), bounds_of(span).sure
    reviewed = {row.key: row.figures for row in statistics.sums(span, by)}
    parts = {(row.key[0], row.key[-1]): row.figures for row in where_the_hold_went.sums(span, by)}
    differing = _differing(span)
    for row in hold.sums(span, by):
        table, basis, currency = row.key
        is_known = bool(row.figures.known) and not row.figures.pending
        win = Fraction(row.figures.win) if is_known else None
        played, part = reviewed.get((table, currency), ReviewFigures()), parts.get((table, currency))
        judged, not_judged = judge_win(win, played, sure)
        is_counted = is_known and basis not in (LIVE, WAGERS)
        yield (
            table,
            Figures(
                basis,
                currency,
                win,
                "" if is_known else "; ".join(_reason(note) for note in row.notes),
                row.figures.over if is_known and basis != WAGERS else None,
                judged,
                not_judged,
                Fraction(part.unexplained) if part is not None and is_counted else None,
                differing.get((table, currency), 0) if is_counted else None,
            ),
        )


def _reason(note: str) -> str:
    """Return the reason from a note of the report of hold. The note has the form `STREAM: REASON`."""
    return note.partition(": ")[2] or note


def _differing(span: Span) -> dict[tuple[str, str], int | None]:
    """Return {(table, currency): the recount minus the count} for tables whose counts do not agree. The value
    is None if not every box was counted twice.
    """
    differing: dict[tuple[str, str], int | None] = {}
    for row in drop_variance.differing_shifts(span):
        table, _, currency, _ = row.key
        figures = row.figures
        before = differing.get((table, currency), 0)
        is_known = before is not None and figures.counted == figures.verified
        differing[table, currency] = (
            (before or 0) + figures.verified_drop - figures.drop if is_known else None
        )
    return differing
