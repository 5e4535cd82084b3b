"""Where the hold went: win by count = theoretical win at perfect play + cost of players' choices + luck +
dealer errors + unexplained.

Theoretical: what was staked times the certificate's edge, and what the table's rounding brought. Choices:
what each recorded decision cost against the best one, before the deciding card. Luck: what the rules brought
beyond these two; on average nothing. Where a decision is not seen, or a hand cannot be judged, the three
stand as one figure (`undivided`). Errors: what moved beyond what was owed, each a finding, less what was
corrected later. Together that is what was dealt. Unexplained: what was counted beyond it; in the tray against
play, and in the box against the chips bought, where these are seen. A live-dealer table counts nothing else
than its wagers. A day whose count is pending is in `not_counted`: counted + not counted = dealt +
unexplained, always. By dealer or hour nothing is counted, and corrections name nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from audit.queries.cache import table_days as kept_days
from audit.queries.cache.aggregates import Aggregate, aggregate, exact_number, merge
from audit.queries.cache.play import divided
from audit.queries.hold_attribution import Divided
from audit.queries.tallies import Span, TableDay
from casino.reports import overnight_boxes
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.definitions.hold import NAMED
from casino.reports.definitions.statistics import ODDS
from casino.reports.expected_win import price
from casino.reports.grouping import (
    PLAY_ALONE,
    Pits,
    as_registered,
    blank,
    columns_of,
    money,
    name_of_sums,
    of_day,
    of_days,
    pits_for,
    rounded,
)
from casino.reports.hold_figure import LIVE, WAGERS, figure, wanting
from casino.reports.overnight_boxes import OvernightBoxes

TITLE = "Where the hold went"
BY = ("property", "table", "game", "pit", "day", "month", "shift", "dealer", "hour")
DEFAULT_BY = ("table",)
CHART = "unexplained"
FELT, STUDIO = "felt", "live dealer"
PENDING, NOT_APPLICABLE = Absent("pending"), Absent("n/a")
OLD = "some days were examined before play was divided: manage.py reexamine"
NUMBERS = (
    "decided",
    "theoretical",
    "choices",
    "owed",
    "undivided",
    "errors",
    "corrections",
    "counted",
    "unexplained",
    "not_counted",
    "known",
    "pending",
    "tray",
    "box",
    "split",
    "old",
)
"""What is added up. Luck is what was owed on the stakes that were decided, less theoretical win and choices.
`known` and `pending`: days with and without a count; `split`: days whose tray and box can be told apart.
"""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group, kind of table and currency; a total for each kind and currency."""
    columns = headings(by)
    held = OvernightBoxes(span)
    found = sums(span, by, held)
    alone = bool(PLAY_ALONE & set(by))
    whole = totals(span, by, found, held) if by else []
    return Sheet(
        TITLE,
        columns,
        [written(row, alone=alone) for row in found],
        tuple(written(row, alone=alone) for row in whole),
    )


def headings(by: tuple[str, ...]) -> tuple[Column, ...]:
    """The columns."""
    return (
        *columns_of(by),
        Column("basis", "basis"),
        Column("currency", "currency"),
        Column("staked", "staked and judged", "money"),
        Column("theoretical", "theoretical win", "money"),
        Column("choices", "players' choices", "money"),
        Column("luck", "luck", "money"),
        Column("undivided", "not divided", "money"),
        Column("errors", "dealer errors", "money"),
        Column("corrections", "corrected later", "money"),
        Column("dealt", "dealt win", "money"),
        Column("unexplained", "unexplained", "money"),
        Column("tray", "of it in the tray", "money"),
        Column("box", "of it in the box", "money"),
        Column("counted", "counted win", "money"),
        Column("not_counted", "dealt, not counted", "money"),
        Column("note", "note"),
        Column("theoretical_exact", "theoretical, exact minor units"),
        Column("choices_exact", "choices, exact minor units"),
        Column("luck_exact", "luck, exact minor units"),
    )


def sums(span: Span, by: tuple[str, ...], held: OvernightBoxes | None = None) -> list[Aggregate]:
    """By `by`, kind of table and currency: the NUMBERS, and days that are pending."""
    pits = pits_for(by)

    def adds(part: Span) -> Iterator[Aggregate]:
        yield from _from_play(part, by, pits)
        if not PLAY_ALONE & set(by):
            yield from _from_days(part, by, pits)

    held = OvernightBoxes(span) if held is None else held
    return merge(
        [
            *aggregate(name_of_sums("where-the-hold-went", by, pits), span, adds, held.units),
            *_stayed(held, by, pits),
        ]
    )


def totals(
    span: Span, by: tuple[str, ...], found: list[Aggregate], held: OvernightBoxes | None = None
) -> list[Aggregate]:
    """The sums of each kind and currency, the same however the rows go: of whole days.

    A box that stayed over the days of several rows is whole in their total, and a day of which a shift is
    pending is in none of it.
    """
    held = OvernightBoxes(span) if held is None else held
    if not PLAY_ALONE & set(by) and ("shift" in by or held):
        return [Aggregate((*blank(by), *row.key), row.numbers, row.words) for row in sums(span, (), held)]
    return merge(Aggregate((*blank(by), *row.key[len(by) :]), row.numbers, row.words) for row in found)


def _from_play(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[Aggregate]:
    grouped = of_days(by)
    asked = tuple(dict.fromkeys((*grouped, *ODDS)))
    for values, row in as_registered(partial(divided, span), asked, pits):
        of = dict(zip(asked, values, strict=True))
        key = (*(of[name] for name in grouped), STUDIO if row.live_dealer else FELT, row.currency)
        yield _sum(key, **_parts(row, of))


def _parts(row: Divided, of: dict[str, str]) -> dict[str, int | Fraction]:
    """What a row of play adds: the theoretical part of it by the certificate of its opening, and the rest is
    luck.
    """
    if not row.decided:
        theoretical = row.rounding
    else:
        priced = price(*(of[name] for name in ODDS))
        assert priced is not None, "the fold divides no wager without a certificate"
        theoretical = row.decided * priced.edge + row.rounding
    return {
        "decided": row.decided,
        "theoretical": theoretical,
        "choices": row.choices,
        "owed": row.owed,
        "undivided": row.undivided,
        "errors": row.errors,
        "old": int(row.old),
    }


def _from_days(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[Aggregate]:
    """The days that stand alone; boxes that stayed over several are added by `_stayed`."""
    for day in kept_days.table_days(span, by_shift="shift" in by):
        if not overnight_boxes.box_not_pulled(day):
            yield _of_day(day, figure(day).pending, by, pits)


def _stayed(held: OvernightBoxes, by: tuple[str, ...], pits: Pits | None) -> Iterator[Aggregate]:
    if not PLAY_ALONE & set(by):
        yield from overnight_boxes.rows(held, by, pits, lambda day, why: _of_day(day, why, by, pits), wanting)


def _of_day(day: TableDay, pending: str, by: tuple[str, ...], pits: Pits | None) -> Aggregate:
    """What was counted of a day, or of one of its shifts, and what is unexplained of it."""
    key = (*of_day(day, by, pits), STUDIO if day.live_dealer else FELT, day.currency)
    each, later = figure(day), day.settled - day.corrected
    played = day.taken - day.paid + day.unseen - day.corrected
    dealt = played + day.settled
    if each.basis == LIVE:
        return _sum(key, corrections=later, counted=dealt, known=1)
    if each.basis == WAGERS or pending:
        name = (
            f"{day.stream}{f' {day.shift}' if day.shift else ''}:"
            f" {pending or 'no fact of cage or count room'}"
        )
        return _sum(key, name, corrections=later, not_counted=dealt, pending=1)
    return _sum(
        key, corrections=later, counted=each.win, unexplained=each.win - dealt, known=1, **_where(day, played)
    )


def _where(day: TableDay, played: Fraction | int) -> dict[str, int | Fraction]:
    """The unexplained in the tray and in the box; nothing where the chips bought are not seen, and the two
    cannot be told apart.
    """
    if day.drop and not day.bought:
        return {}
    expected = day.opener + day.fills - day.credits - day.bought + played
    return {"tray": day.closer - expected, "box": day.drop - day.bought, "split": 1}


def _sum(key: tuple[str, ...], *words: str, **numbers: int | Fraction) -> Aggregate:
    found = (numbers.get(name, 0) for name in NUMBERS)
    return Aggregate(key, tuple(map(exact_number, found)), words)


def written(row: Aggregate, *, alone: bool) -> Row:
    """A row as the sheet has it; `alone`: it goes by what only play knows, and nothing is counted."""
    basis, currency = row.key[-2:]
    of = dict(zip(NUMBERS, map(Fraction, row.numbers), strict=True))
    of["luck"] = of["owed"] - of["theoretical"] - of["choices"]
    dealt = of["owed"] + of["undivided"] + of["errors"] + of["corrections"]
    shown = {
        name: Fraction(rounded(of[name], 0))
        for name in ("theoretical", "choices", "undivided", "errors", "corrections")
    }
    luck = Fraction(rounded(dealt, 0)) - sum(shown.values())  # what is shown adds up to the minor unit
    counted = not alone and of["known"] > 0
    nothing = NOT_APPLICABLE if alone or not of["pending"] else PENDING
    is_felt = counted and basis == FELT
    whole = is_felt and of["split"] == of["known"]
    return (
        *row.key,
        money(of["decided"], currency),
        money(shown["theoretical"], currency),
        money(shown["choices"], currency),
        money(luck, currency),
        money(shown["undivided"], currency),
        money(shown["errors"], currency),
        NOT_APPLICABLE if alone else money(shown["corrections"], currency),
        money(dealt, currency),
        money(of["unexplained"], currency) if is_felt else nothing,
        money(of["tray"], currency) if whole else NOT_APPLICABLE,
        money(of["box"], currency) if whole else NOT_APPLICABLE,
        money(of["counted"], currency) if counted else nothing,
        NOT_APPLICABLE if alone else money(of["not_counted"], currency),
        "; ".join(_notes(row, of)),
        *(str(of[name]) for name in ("theoretical", "choices", "luck")),
    )


def _notes(row: Aggregate, of: dict[str, Fraction]) -> Iterator[str]:
    if of["pending"]:
        more = f" and {int(of['pending']) - NAMED} more" if of["pending"] > NAMED else ""
        yield f"not counted: {'; '.join(row.words[:NAMED])}{more}"
    if of["undivided"]:
        yield (
            "where decisions are not seen, or a hand cannot be judged, theoretical win, choices and luck"
            " stand as one figure"
        )
    if of["old"]:
        yield OLD
