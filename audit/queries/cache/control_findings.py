"""Cache the number of findings of each control and gaming day.

The counts are in the table `summed`, like other cached rows. There is one row for each control, code and
gaming day.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from datetime import date
from typing import NamedTuple

from audit.queries import control_findings
from audit.queries.cache.aggregates import Aggregate, aggregate
from audit.queries.control_findings import LISTED, ControlFinding
from audit.queries.span import Span

NAME = "control-findings"
"""The first word of the name under which the counts are cached."""


class Figures(NamedTuple):
    findings: int


class ControlCount(NamedTuple):
    """The number of findings of one code that cite a control, on one gaming day. `control` is empty for
    findings that cite a game's manual.
    """

    control: str
    code: str
    day: date
    findings: int


def by_control(span: Span, codes: Collection[str]) -> list[ControlCount]:
    """Return the numbers of findings by control, code and gaming day, in this order.

    Args:
        span: the property and its gaming days.
        codes: the codes that are counted.
    """
    counts = []
    for row in _aggregates(span):
        control, code, day = row.key
        if code in codes:
            counts.append(ControlCount(control, code, date.fromisoformat(day), row.figures.findings))
    return counts


def latest(span: Span, control: str, codes: Collection[str]) -> list[ControlFinding]:
    """Return the latest LISTED findings that cite a control, or that have one of its codes and cite a manual.

    Only the last days that together have LISTED findings are read.
    """
    number, begins = 0, span.begins
    own = [count for count in by_control(span, codes) if count.control in (control, "")]
    for count in sorted(own, key=lambda count: count.day, reverse=True):
        if number >= LISTED and count.day != begins:
            break
        number, begins = number + count.findings, count.day
    return control_findings.of_control(span._replace(begins=begins), control, sorted(codes))


def build(span: Span) -> None:
    """Cache the counts of a span. Periods whose cached rows are current are not built again."""
    deque(_aggregates(span), maxlen=0)


def _aggregates(span: Span) -> list[Aggregate[Figures]]:
    return aggregate(f"{NAME} day", span, _read_rows, Figures)


def _read_rows(span: Span) -> Iterator[Aggregate[Figures]]:
    for control, code, day, findings in control_findings.by_day(span):
        yield Aggregate((control, code, day.isoformat()), Figures(findings))
