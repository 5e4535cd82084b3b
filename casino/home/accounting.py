"""The home page of accounting: days to close and what blocks them, the month's win, markers, and exports."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from fractions import Fraction

from audit.queries import adjustments, closed_books
from audit.queries.closed_books import State
from audit.queries.span import Span
from casino.day_close import queries as day_close
from casino.day_close.queries import TableDay
from casino.exports import schedules
from casino.exports.archive import orders
from casino.exports.archive.orders import ExportOrder
from casino.exports.services import hidden, title
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

BACK = 35
"""The page looks for open days only among this number of gaming days before today."""
NAMED = 3
"""Number of exports that the card of due exports names."""
STATES = {"done": "archived", "set-aside": "set aside"}
"""The names of the states of an order. In any other state, the export is being built."""


def home(viewer: Viewer) -> Home:
    """Return the home page of accounting."""
    month = win.month(Span(viewer.today.replace(day=1), viewer.today + timedelta(days=1), viewer.property))
    days = open_days(viewer)
    tables = day_close.tables(viewer.property, min(days, default=viewer.today), with_open_before=False)
    owed = cage.unpaid(viewer)
    figures = [
        to_close(viewer, days, tables),
        month_win(viewer, month),
        variances(viewer, days, tables, month),
        *cage.markers_figures(viewer, owed),
        exports_due(viewer),
    ]
    cards: list[Card] = [days_of_month(viewer), win.to_date(viewer, month), blockers(viewer, days, tables)]
    cards.append(exports(viewer))
    return Home("Accounting", figures, cards)


def open_days(viewer: Viewer) -> dict[date, int]:
    """Return {gaming day: number of tables that are not closed} for the recent gaming days before today. Days
    on which all tables are closed are left out.
    """
    span = Span(viewer.today - timedelta(days=BACK), viewer.today, viewer.property)
    days: dict[date, int] = {}
    for table_days in closed_books.open_days(span).values():
        for day in table_days:
            days[day] = days.get(day, 0) + 1
    return dict(sorted(days.items()))


def to_close(viewer: Viewer, days: dict[date, int], tables: list[TableDay]) -> Figure:
    """Return the card with the number of gaming days before today to close. Lines below it say how many
    tables of the oldest of these days are ready, and how many are blocked. If there is no such day, they say
    how many tables of today are closed and blocked.
    """
    title = "Gaming days to close"
    blocked = sum(bool(table.blockers) for table in tables)
    if not days:
        says = f"no open table in the {BACK} gaming days before today"
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
    it give the wins at other kinds of tables and in other currencies, and the expected win.
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
    expected = sum((day_figures.expected for day_figures in month.days.values()), start=Fraction(0))
    review = viewer.link("see-hold", "report", "statistics", **win.days_of(month.span), by="day")
    amount = f"{cents(expected, month.currency)} {month.currency}"
    facts.append(FigureLine("expected win of all wagers", amount, review))
    main = known[0]
    return Figure(f"{title}, {main['currency']}", grouped(main["win"]), main["basis"], address, facts)


def variances(viewer: Viewer, days: dict[date, int], tables: list[TableDay], month: Month) -> Figure:
    """Return the card with the number of open variances of the oldest gaming day to close. If no day before
    today is open, these are the variances of today. The last lines give the month's unexplained money, also
    of closed days.
    """
    number = sum(len(table.variances) for table in tables)
    title = "Variances of the oldest open day" if days else "Variances of today"
    day = min(days, default=viewer.today)
    address = viewer.link("see-hold", "closing", day=day.isoformat())
    slips = sum(blocker.about == "slip" for table in tables for blocker in table.blockers)
    counts = sum(blocker.about == "count" for table in tables for blocker in table.blockers)
    facts = [
        FigureLine("slips waiting for signatures", f"{slips}", address),
        FigureLine("counts missing", f"{counts}", address),
        *unexplained(viewer, month),
    ]
    return Figure(title, f"{number}", day_label(day), address, facts, "warn" if number else "")


def unexplained(viewer: Viewer, month: Month) -> list[FigureLine]:
    """Return a line with the unexplained money of the month for each currency. Without unexplained money,
    return one line that says so.
    """
    amounts: dict[str, Fraction] = {}
    for row in table_games.unexplained_rows(month.span):
        if row.figures.unexplained:
            currency = str(row.key[-1])
            amounts[currency] = amounts.get(currency, Fraction(0)) + Fraction(row.figures.unexplained)
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
        Line([Cell(cut_property(table.table), "", address), Cell(blocker.about), Cell(blocker.says)])
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


def exports_due(viewer: Viewer) -> Figure:
    """Return the card with the number of exports that schedules still owe. The lines below it name the
    earliest ones. An export that waits for the close of its day leads to the page that closes it.
    """
    due = schedules.due_exports(viewer.property, viewer.now)
    number = sum(of.property == viewer.property for of in schedules.all_schedules())
    address = (
        viewer.address("schedule-report", "admin:casino_schedule_changelist")
        if viewer.may("enter-admin")
        else viewer.link("see-hold", "exports")
    )
    facts = [
        FigureLine(
            f"{export.schedule.report}, {dates_in_words(export.period.name)}",
            "waits for the close" if export.waits_for_close else "due",
            viewer.link("see-hold", "closing", day=export.period.begins.isoformat())
            if export.waits_for_close
            else address,
            "" if export.waits_for_close else "warn",
        )
        for export in due[:NAMED]
    ]
    says = f"from {number} schedule{'s' if number != 1 else ''}" if number else "no export is scheduled"
    is_late = any(not export.waits_for_close for export in due)
    return Figure("Exports due", f"{len(due)}", says, address, facts, "warn" if is_late else "")


def exports(viewer: Viewer) -> Table:
    """Return the card with the list of the latest exports and their states."""
    zone = calendar.zone(viewer.property, viewer.today)
    latest = orders.orders([viewer.property], None, hidden(viewer.person, [viewer.property]))
    lines = (
        Line(
            [
                Cell(title(order), order.what.format, viewer.link("see-hold", "export", str(order.id))),
                Cell(day_label(order.last), _since(order)),
                Cell(
                    STATES.get(order.state, "being built"),
                    kind="alarm" if order.state == "set-aside" else "muted",
                ),
                Cell(clock(order.asked_at, zone), is_number=True),
            ]
        )
        for order in latest
    )
    return Table(
        "Exports",
        "the latest",
        head("Export", "Up to gaming day", "State", ">Ordered"),
        first(lines),
        "Nothing was exported yet.",
        viewer.link("see-hold", "exports"),
        "All exports",
    )


def _since(order: ExportOrder) -> str:
    """Return `from` and the first gaming day of the export if it covers several days. Return empty text if it
    covers one day.
    """
    return f"from {day_label(order.what.begins)}" if order.what.begins != order.last else ""
