"""The home page of a table-games manager: win against expectation, hold, unexplained money, and errors of
dealers.
"""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from heapq import nsmallest

from audit.queries import queue_counts
from audit.queries.cache.aggregates import Exact, total
from audit.queries.cache.stamps import read_ahead
from audit.queries.span import Span
from casino.boards import errors
from casino.home import surveillance, win
from casino.home.cards import Card, Cell, Figure, FigureLine, Home, Line, Table, Viewer, head
from casino.home.win import days_of
from casino.presentation.formatting import cents, cut_property, day_label, grouped
from casino.reports import catalog
from casino.reports.columns import Absent
from casino.reports.definitions import where_the_hold_went
from casino.reports.definitions.where_the_hold_went import AttributionRow
from casino.reports.grouping import rounded
from casino.reports.hold_figure import FELT, LIVE

DAYS = 31
"""Number of gaming days in the charts and lists, up to the day that is shown."""
NAMED = 3
"""Number of tables that the card of unexplained money names, and of table days in the list below it, so that
the page fits on one screen.
"""


def home(viewer: Viewer, chosen: date | None) -> Home:
    """Return the home page of a table-games manager for a gaming day. If no day is chosen, show the last day
    before today on which there was play.
    """
    last = chosen or viewer.today - timedelta(days=1)
    span = Span(last - timedelta(days=DAYS - 1), last + timedelta(days=1), viewer.property)
    read_ahead(win.with_days_before(span))
    month = win.month_of(span)
    day = last if chosen else max(month.days, default=last)
    rows = unexplained_rows(span)
    figures = [win.day_figure(viewer, month, day), hold(viewer, day), unexplained(viewer, span, rows)]
    if viewer.may("see-queue"):
        figures += [dealers(viewer, span, month.currency)]
        figures.append(surveillance.to_judge(viewer, queue_counts.waiting(viewer.property)))
    cards: list[Card] = [win.by_day(viewer, month, win.days_before(month)), win.by_table(viewer, day)]
    cards.append(unexplained_days(viewer, span, rows))
    return Home("Table games", figures, cards, day)


def hold(viewer: Viewer, day: date) -> Figure:
    """Return the card with the hold of a gaming day, first that of the felt tables. Lines below it give hold,
    win, and drop or handle for each kind of table and currency.
    """
    span = Span(day, day + timedelta(days=1), viewer.property)
    sheet = catalog.report("hold").sheet(span, ("table",))
    keys = [column.key for column in sheet.columns]
    totals = [dict(zip(keys, row, strict=True)) for row in sheet.totals]
    totals.sort(key=lambda row: row["basis"] == LIVE)  # the felt tables first, as on the hold page
    facts = [
        FigureLine(
            f"{_percent(row['hold_percent'])} {_counted(row['basis'])}, {row['currency']}",
            f"{_text(row['win'])} of {_text(row['denominator'])}",
        )
        for row in totals
    ]
    address = viewer.link("see-hold", "hold", **{"from": day.isoformat(), "to": day.isoformat()})
    if not totals:
        return Figure(f"Hold on {day_label(day)}", "none", "no table was open", address)
    main = totals[0]
    title = f"Hold on {day_label(day)}, {_counted(main['basis'])}"
    value = _percent(main["hold_percent"])
    pending = sum(isinstance(row[keys.index("hold_percent")], Absent) for row in sheet.rows)
    says = f"hold of {pending} table{'s' if pending != 1 else ''} not known yet" if pending else ""
    return Figure(title, value, says, address, facts)


def _counted(basis: object) -> str:
    """Return what a hold was computed from. The win of a felt table is a counted win, which differs from the
    win of its wagers.
    """
    return f"counted {basis}" if basis == FELT else str(basis)


def _percent(hold: object) -> str:
    """Return a hold in percent, or why it is not known."""
    return str(hold) if isinstance(hold, Absent) else f"{_text(hold)} %"


def _text(value: object) -> str:
    return str(value) if isinstance(value, Absent) else grouped(value)


def unexplained_rows(span: Span) -> list[AttributionRow]:
    """Return the attribution of the win by table and gaming day, as in the report Where the hold went."""
    return where_the_hold_went.sums(span, ("table", "day"))


def unexplained(viewer: Viewer, span: Span, rows: list[AttributionRow]) -> Figure:
    """Return the card with the unexplained money in the currency in which it is largest. Lines below it name
    the tables with the largest amounts in this currency.
    """
    amounts: dict[tuple[str, str], list[Exact]] = {}
    for key, row_figures, _ in rows:
        amounts.setdefault((key[0], key[-1]), []).append(row_figures.unexplained)
    by_table = {key: total(of_table) for key, of_table in amounts.items()}
    sums: dict[str, Fraction] = {}
    for (_, currency), amount in by_table.items():
        sums[currency] = sums.get(currency, Fraction(0)) + amount
    address = viewer.link("see-hold", "where", **days_of(span))
    title = f"Unexplained money, {DAYS} days"
    if not sums:
        return Figure(title, "none", "no table was counted", address)
    currency = max(sums, key=lambda code: (abs(sums[code]), code))
    known = [(table, amount) for (table, of), amount in by_table.items() if of == currency and amount]
    known.sort(key=lambda pair: (-abs(pair[1]), pair[0]))
    facts = [
        FigureLine(
            cut_property(table),
            cents(amount, currency),
            viewer.link("see-hold", "where", **days_of(span), table=table, by="day"),
        )
        for table, amount in known[:NAMED]
    ]
    says = f"at {len(known)} table{'s' if len(known) != 1 else ''}" if known else "at no table"
    others = len(sums) - 1
    suffix = f", {others} other currenc{'ies' if others > 1 else 'y'}" if others else ""
    kind = "warn" if known else ""
    return Figure(
        f"{title}, {currency}", cents(sums[currency], currency), says + suffix, address, facts, kind
    )


def unexplained_days(viewer: Viewer, span: Span, rows: list[AttributionRow]) -> Table:
    """Return the card with the list of table days that have unexplained money, the largest amount first."""
    unexplained_rows = [row for row in rows if row.figures.unexplained]
    sizes = ((_order(row.figures.unexplained), place) for place, row in enumerate(unexplained_rows))
    # Equal amounts stay in the order of their keys.
    largest = [unexplained_rows[place] for _, place in nsmallest(NAMED, sizes)]
    lines = (
        Line(
            [
                Cell(cut_property(str(row.key[0])), "", _day_address(viewer, row)),
                Cell(day_label(str(row.key[1]))),
                Cell(_place(row)),
                Cell(
                    f"{cents(Fraction(row.figures.unexplained), str(row.key[-1]))} {row.key[-1]}",
                    is_number=True,
                    kind="warn",
                ),
            ]
        )
        for row in largest
    )
    return Table(
        "Unexplained by table and gaming day",
        f"{DAYS} days, the largest first",
        head("Table", "Gaming day", "Where", ">Counted win less dealt win"),
        list(lines),
        "No counted table has unexplained money.",
        viewer.link("see-hold", "where", **days_of(span)),
        "Where the hold went",
        len(unexplained_rows),
        is_wide=True,
    )


def _order(amount: Exact) -> int | Fraction:
    """Return a number that is smaller for a larger amount, without its sign. It is an integer if the amount
    is an integer, because integers are compared much faster than fractions.
    """
    if isinstance(amount, int):
        return -abs(amount)
    return -abs(Fraction(amount))


def _day_address(viewer: Viewer, row: AttributionRow) -> str:
    code = cut_property(str(row.key[0]))
    return viewer.link("see-hold", "where_day", viewer.property, code, str(row.key[1]))


def _place(row: AttributionRow) -> str:
    """Return where the unexplained money is: `tray`, `box`, or `tray and box`. If this is not known, return
    another text that says so.
    """
    if not row.figures.split:
        return "tray or box"
    places = [name for name in ("tray", "box") if getattr(row.figures, name)]
    return " and ".join(places) or "not divided"


def dealers(viewer: Viewer, span: Span, currency: str) -> Figure:
    """Return the card with the number of dealers who make more errors than chance explains. It shows no
    names. The board shows the names, and every view of the board is recorded.
    """
    rows = errors.sums(span, ("game", "dealer"))
    judged = errors.judge(errors.with_value(rows, 3, currency) if currency else [], place=1)
    address = viewer.link("see-queue", "board", "dealers", **days_of(span), currency=currency)
    facts = [
        FigureLine("errors in 1,000 wagers", rounded(judged.rate, 1)),
        FigureLine("too few wagers to judge", f"{judged.too_few:,}"),
    ]
    says = f"of {judged.looked_at:,} judged, {DAYS} days"
    kind = "alarm" if judged.marked else ""
    return Figure("Dealers with more errors than chance", f"{judged.marked:,}", says, address, facts, kind)
