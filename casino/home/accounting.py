"""The home page of accounting: days to close and what blocks them, the month's win, markers, and exports."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction

from audit.queries import adjustments, closed_books
from audit.queries.cache.aggregates import Exact, total
from audit.queries.cache.stamps import read_ahead
from audit.queries.closed_books import State
from audit.queries.span import Span
from casino.day_close import queries as day_close
from casino.day_close.queries import TableDay
from casino.exports import due_exports
from casino.exports.due_exports import DueExport
from casino.home import cage, table_games, win
from casino.home.cards import (
    Card,
    Cell,
    Day,
    Days,
    Figure,
    FigureLine,
    Home,
    Line,
    Table,
    Viewer,
    first,
    head,
)
from casino.home.win import Month
from casino.presentation.formatting import cents, clock, cut_property, dates_in_words, day_label, grouped
from casino.reference import calendar
from casino.reports import catalog
from casino.reports.columns import Absent


def home(viewer: Viewer) -> Home:
    """Return the home page of accounting."""
    begins = viewer.today.replace(day=1)
    last_month = Span((begins - timedelta(days=1)).replace(day=1), begins, viewer.property)
    span = Span(begins, viewer.today + timedelta(days=1), viewer.property)
    read_ahead(span._replace(begins=last_month.begins))
    month = win.month_of(span)
    earlier = win.month_of(last_month, month.currency)
    days = day_close.open_days(viewer.property, viewer.today)
    tables = day_close.tables(viewer.property, min(days, default=viewer.today), with_open_before=False)
    owed, due = cage.unpaid(viewer), due_exports.due(viewer.property, viewer.now)
    figures = [
        to_close(viewer, days, tables),
        month_win(viewer, month),
        variances(viewer, days, tables, month),
        *cage.markers_figures(viewer, owed),
        exports_figure(viewer, due),
    ]
    cards: list[Card] = [
        days_of_month(viewer),
        win.to_date(viewer, month, earlier),
        blockers(viewer, days, tables),
    ]
    cards.append(exports(viewer, due))
    return Home("Accounting", figures, cards)


def to_close(viewer: Viewer, days: dict[date, int], tables: list[TableDay]) -> Figure:
    """Return the card with the number of gaming days before today to close. Lines below it say how many
    tables of the oldest of these days are ready, and how many are blocked. If there is no such day, they say
    how many tables of today are closed and blocked.
    """
    title = "Gaming days to close"
    blocked = sum(bool(table.blockers) for table in tables)
    if not days:
        says = f"no open table in the {day_close.LOOK_BACK_DAYS} gaming days before today"
        closed = f"{sum(table.closed for table in tables)} of {len(tables)}"
        address = viewer.link("see-hold", "closing", day=viewer.today.isoformat())
        facts = [FigureLine("tables of today closed", closed, address)] if tables else []
        facts += [FigureLine("tables of today blocked", f"{blocked}", address)] if tables else []
        return Figure(title, "0", says, viewer.link("see-hold", "closing"), facts)
    oldest = min(days)
    address = viewer.link("see-hold", "closing", day=oldest.isoformat())
    facts = [
        FigureLine("tables that can be closed", f"{sum(table.ready for table in tables)}", address),
        FigureLine("tables blocked", f"{blocked}", address, "warn" if blocked else ""),
    ]
    return Figure(
        title, f"{len(days)}", f"oldest {day_label(oldest)}", address, facts, "warn" if len(days) > 1 else ""
    )


def month_win(viewer: Viewer, month: Month) -> Figure:
    """Return the card with the counted win of the month so far. It shows the largest win first. Lines below
    it give the wins at other kinds of tables and in other currencies. The last lines give the win of all
    wagers and their expected win, because a counted win must not be compared with the expected win of wagers
    that are not in it.
    """
    sheet = catalog.report("hold").sheet(month.span, ("day",))
    keys = [column.key for column in sheet.columns]
    totals = [dict(zip(keys, row, strict=True)) for row in sheet.totals]
    known = sorted(
        (row for row in totals if not isinstance(row["win"], Absent)),
        key=lambda row: -abs(Fraction(str(row["win"]))),
    )
    address = viewer.link("see-hold", "hold", **win.days_of(month.span))
    title = f"Counted win, {viewer.today:%B}"
    if not known:
        return Figure(title, "none", "no day has been counted", address)
    facts = [
        FigureLine(f"{row['basis']}, {row['currency']}", grouped(row["win"]), address) for row in known[1:]
    ]
    for label, amounts in (
        ("win of all wagers", [day.amount for day in month.days.values()]),
        ("expected win of all wagers", [day.expected for day in month.days.values()]),
    ):
        text = f"{cents(sum(amounts, start=Fraction(0)), month.currency)} {month.currency}"
        facts.append(FigureLine(label, text, win.rows_address(viewer, month)))
    main = known[0]
    return Figure(f"{title}, {main['currency']}", grouped(main["win"]), main["basis"], address, facts)


def variances(viewer: Viewer, days: dict[date, int], tables: list[TableDay], month: Month) -> Figure:
    """Return the card with the number of open variances of the oldest gaming day to close. If no day before
    today is open, these are the variances of today. The last lines give the month's unexplained money, also
    of closed days.
    """
    items = day_close.open_items(tables)
    title = "Variances of the oldest open day" if days else "Variances of today"
    day = min(days, default=viewer.today)
    address = viewer.link("see-hold", "closing", day=day.isoformat())
    facts = [
        FigureLine("slips waiting for signatures", f"{items.slips}", address),
        FigureLine("counts missing", f"{items.counts}", address),
        *unexplained(viewer, month),
    ]
    kind = "warn" if items.variances else ""
    return Figure(title, f"{items.variances}", day_label(day), address, facts, kind)


def unexplained(viewer: Viewer, month: Month) -> list[FigureLine]:
    """Return a line with the unexplained money of the month for each currency. Without unexplained money,
    return one line that says so.
    """
    of_currency: dict[str, list[Exact]] = {}
    for row in table_games.unexplained_rows(month.span):
        if row.figures.unexplained:
            of_currency.setdefault(row.key[-1], []).append(row.figures.unexplained)
    amounts = {currency: total(numbers) for currency, numbers in of_currency.items()}
    label = f"unexplained, {viewer.today:%b}"
    address = viewer.link("see-hold", "where", **win.days_of(month.span), by="day")
    if not amounts:
        return [FigureLine(label, "none", address)]
    return [
        FigureLine(f"{label}, {currency}", cents(amount, currency), address, "warn")
        for currency, amount in sorted(amounts.items())
    ]


def days_of_month(viewer: Viewer) -> Days:
    """Return the card with the gaming days of the current month and their states."""
    begins = viewer.today.replace(day=1)
    last = begins + timedelta(days=monthrange(begins.year, begins.month)[1])
    states = {state.day: state for state in closed_books.states(viewer.property, begins, last)}
    changed = {day for _, day, _ in adjustments.restated_days(Span(begins, last, viewer.property))}
    days = [
        Day(
            begins + timedelta(days=place),
            _state(states.get(begins + timedelta(days=place)), begins + timedelta(days=place) in changed),
            viewer.link("see-hold", "closing", day=(begins + timedelta(days=place)).isoformat()),
        )
        for place in range((last - begins).days)
    ]
    address = viewer.link("see-hold", "closing")
    return Days(f"Gaming days of {begins:%B %Y}", days, range(begins.weekday()), address)


def _state(state: State | None, is_adjusted: bool) -> str:
    if state is None or not (state.tables_open or state.tables_closed):
        return "no-facts"
    if state.tables_open:
        return "partly" if state.tables_closed else "open"
    return "adjusted" if is_adjusted else "closed"


def blockers(viewer: Viewer, days: dict[date, int], tables: list[TableDay]) -> Table:
    """Return the card with the list of what blocks the close of the oldest open gaming day. If no day before
    today is open, the list is about today.
    """
    day = min(days, default=viewer.today)
    rows = [(table, blocker) for table in tables for blocker in table.blockers if not table.closed]
    address = viewer.link("see-hold", "closing", day=day.isoformat())
    lines = (
        Line(
            [
                Cell(cut_property(table.table), "", address),
                Cell(blocker.about),
                Cell(blocker.says, "", address),
            ]
        )
        for table, blocker in rows
    )
    title = f"Blocks the close of {'' if days else 'today, '}{day_label(day)}"
    empty_text = "Nothing blocks the close." if tables else "No table was opened today."
    if tables and all(table.closed for table in tables):
        empty_text = "Every table of today is closed."
    return Table(
        title,
        "",
        head("Table", "About", "What"),
        first(lines),
        empty_text,
        address,
        "Close",
        len(rows),
        is_wide=True,
    )


def exports_figure(viewer: Viewer, due: Sequence[DueExport]) -> Figure:
    """Return the card with the number of exports that are late. Lines below it give the reasons."""
    late = [export for export in due if export.is_late]
    reasons = Counter(export.says for export in late)
    address = viewer.link("see-hold", "exports")
    facts = [FigureLine(says, f"{number}", address) for says, number in sorted(reasons.items())]
    following = next((export for export in due if not export.is_late), None)
    if following is not None:
        zone = calendar.zone(viewer.property, viewer.today)
        facts.append(FigureLine("next export", clock(following.due_at, zone), address))
    says = "" if due else "no export is scheduled"
    return Figure("Exports late", f"{len(late)}", says, address, facts, "warn" if late else "")


def exports(viewer: Viewer, due: Sequence[DueExport]) -> Table:
    """Return the card with the list of what the schedules still owe, late exports first."""
    zone = calendar.zone(viewer.property, viewer.today)
    lines = (
        Line(
            [
                Cell(
                    export.schedule.schedule,
                    "",
                    viewer.link("see-hold", "exports", schedule=export.schedule.schedule),
                ),
                Cell(dates_in_words(export.period)),
                Cell(
                    export.says if export.is_late else clock(export.due_at, zone),
                    "",
                    _cause(viewer, export),
                    "warn" if export.is_late else "muted",
                ),
            ]
        )
        for export in due
    )
    return Table(
        "Exports due",
        "of the schedules, late ones first",
        head("Schedule", "Period", "Reason, or due"),
        first(lines),
        "No export is scheduled.",
        viewer.link("see-hold", "exports"),
        "Exports",
        len(due),
    )


def _cause(viewer: Viewer, export: DueExport) -> str:
    """Return the URL of the page with the reason why an export is late: the failed export, the close of its
    first day, or the schedule.
    """
    if export.order is not None:
        return viewer.link("see-hold", "export", str(export.order))
    if export.reason == due_exports.OPEN:
        return viewer.link("see-hold", "closing", day=export.day)
    may_open = viewer.may("enter-admin")
    return (
        viewer.address("schedule-report", "admin:casino_schedule_change", str(export.id)) if may_open else ""
    )
