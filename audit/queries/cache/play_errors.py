"""Cache the findings in play of whole months, so that reports of errors do not read the tally.

The findings of a month are in the table `summed`, like the cached rows of `audit.queries.cache.play`. There
is one row for each code at each table, day, shift, hour, dealer and wager. These are few rows, because most
rows of the tally have no finding.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterator
from typing import NamedTuple

from audit import database
from audit.queries.cache import play
from audit.queries.cache.aggregates import Aggregate, Exact, aggregate, exact_number, total
from audit.queries.play import DIMENSIONS, Exposed
from audit.queries.play import exposed as exposed_now
from audit.queries.span import CLOSED, DAYS, Span, day_values

NAME = "play-errors"
"""The first word of the name under which findings are cached."""
GROUPED_BY = ("table", "game", "day", "shift", "written_hour", "dealer", "wager")
"""The dimensions by which cached rows are grouped. Rows are also grouped by currency and code."""
Group = tuple[tuple[str, ...], str]
"""The values of the requested dimensions, and a currency."""


class CodeFigures(NamedTuple):
    """The number of findings of a code, the net amount that players got beyond what was owed, and the amount
    that players lost, in minor units.
    """

    number: int
    net: Exact
    lost: Exact


def exposed(span: Span, by: tuple[str, ...], codes: Collection[str]) -> Iterator[Exposed]:
    """Yield the rows of `audit.queries.play.exposed`, from the cache if the span is a whole month and its
    play is cached in this grouping.
    """
    played = play.cached_rows(span, by)
    if played is None or not {*GROUPED_BY, *play.OF_MONTH}.issuperset(by):
        yield from exposed_now(span, by, tuple(codes))
        return
    counts: dict[Group, list[int]] = defaultdict(lambda: [0, 0])
    for row in played:
        of_group = counts[row.by, row.currency]
        if bool(row.wager) == ("wager" in by):
            of_group[0] += row.figures.rounds
        of_group[1] += row.figures.bets
    errors = _errors(span, by, codes)
    for group, (rounds, bets) in counts.items():
        of_codes = errors.get(group, [])
        net, lost = total(figures.net for figures in of_codes), total(figures.lost for figures in of_codes)
        number = sum(figures.number for figures in of_codes)
        yield Exposed(*group, rounds, bets, number, exact_number(net + lost), exact_number(lost))


def build(span: Span) -> None:
    """Cache the findings of a span. Periods whose cached rows are current are not built again."""
    deque(_aggregates(span), maxlen=0)


def _errors(span: Span, by: tuple[str, ...], codes: Collection[str]) -> dict[Group, list[CodeFigures]]:
    """Return {group: figures of its findings of these codes}."""
    assert span.property is not None
    of_month = (span.property, f"{span.begins:%Y-%m}")
    names = (*GROUPED_BY, *play.OF_MONTH)
    places = [names.index(name) for name in by]
    errors: dict[Group, list[CodeFigures]] = defaultdict(list)
    for row in _aggregates(span):
        *own, currency, code = row.key
        if code in codes:
            values = (*own, *of_month)
            errors[tuple([values[place] for place in places]), currency].append(row.figures)
    return errors


def _aggregates(span: Span) -> list[Aggregate[CodeFigures]]:
    cached_span = span._replace(books=CLOSED if span.books else "")
    return aggregate(f"{NAME} code", cached_span, _read_rows, CodeFigures)


def _read_rows(span: Span) -> Iterator[Aggregate[CodeFigures]]:
    """Read the findings in the tally of a span, and yield one row for each code of each tally row."""
    query = f"""SELECT {", ".join(DIMENSIONS[name] for name in GROUPED_BY)}, t.currency, e.key,
            (e.value->>0)::int, e.value->>1, e.value->>2
        FROM ({DAYS}) x, LATERAL (SELECT * FROM tally t WHERE t.property = x.property AND t.stream = x.stream
            AND t.found <> '{{}}' OFFSET 0) t, jsonb_each(t.found) e"""
    for *key, number, net, lost in database.rows(query, day_values(span)):
        yield Aggregate(tuple(key), CodeFigures(number, _exact(net), _exact(lost)))


def _exact(text: str) -> Exact:
    return text if "/" in text else int(text)
