"""The home pages of internal audit, the regulator and administrators: controls with exceptions, proofs, table
days that are not examined yet, entries of the viewing log, and jobs that need attention.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from audit.queries import heads, job_alarms, queue_counts
from audit.queries.span import Span
from audit.tree import checkpoints
from casino.accounts import tokens, view_log
from casino.accounts.view_log import Viewing
from casino.alerts import deliveries
from casino.boards import controls
from casino.boards.controls import ControlRow
from casino.day_close import queries as day_close
from casino.home import accounting, surveillance
from casino.home.cards import ROWS, Card, Cell, Figure, FigureLine, Home, Line, Table, Viewer, first, head
from casino.home.win import days_of
from casino.presentation.formatting import clock, cut_property, date_time, distance
from casino.reference import calendar
from casino.web import request_params

DAYS = 31
"""Number of gaming days in which the page counts the exceptions of controls, up to today."""
HOURS = 24
"""Number of hours in which the page counts entries of the viewing log."""
JOBS = {
    "examinations": "examinations",
    "others": "exports and other jobs",
    "deliveries": "events, webhooks and mail",
    "checks": "checks that found differences",
}
"""{field of JobAlarms: its label}."""


def home(viewer: Viewer) -> Home:
    """Return the home page of internal audit and of the regulator."""
    counts = queue_counts.waiting(viewer.property)
    viewings = recent_viewings(viewer)
    span = Span(viewer.today - timedelta(days=DAYS - 1), viewer.today + timedelta(days=1), viewer.property)
    rows = controls.control_rows(span)
    figures = [
        controls_figure(viewer, span, rows),
        proof(viewer),
        examined(viewer),
        surveillance.to_judge(viewer, counts),
        viewed(viewer, viewings),
    ]
    cards: list[Card] = [controls_table(viewer, span, rows), views(viewer, viewings)]
    cards += [accounting.days_of_month(viewer), surveillance.by_day(viewer)]
    return Home("Control", figures, cards)


def administration(viewer: Viewer) -> Home:
    """Return the home page of an administrator."""
    figures = [jobs(viewer), undelivered(viewer), ending_tokens(viewer), examined(viewer), proof(viewer)]
    return Home("Administration", figures, [])


def proof(viewer: Viewer) -> Figure:
    """Return the card with the number of facts after the last checkpoint. The signature of a checkpoint
    covers only facts up to its position.
    """
    last, top = checkpoints.latest(viewer.property), heads.head(viewer.property)
    title, ledger = "Facts after the last checkpoint", _ledger_address(viewer)
    address = viewer.admin_link("see-facts", "audit_fact", after_checkpoint="1") or ledger
    in_ledger = FigureLine("facts in the ledger", f"{top.position:,}", ledger)
    if last is None:
        return Figure(title, f"{top.position:,}", "no checkpoint was signed yet", address, [in_ledger])
    zone = calendar.zone(viewer.property, viewer.today)
    facts = [
        FigureLine("last checkpoint", date_time(last.made_at, zone), ledger),
        FigureLine("its position", f"{last.size:,}", ledger),
        in_ledger,
    ]
    return Figure(title, f"{top.position - last.size:,}", "", address, facts)


def _ledger_address(viewer: Viewer) -> str:
    """Return the URL of the list of properties with their ledgers and checkpoints."""
    may_open = viewer.may("enter-admin")
    return viewer.address("see-registers", "admin:casino_property_changelist") if may_open else ""


def _jobs_address(viewer: Viewer, attention: str) -> str:
    """Return the URL of the list of the jobs that need attention for this reason."""
    return viewer.admin_link("see-jobs", "audit_job", attention=attention)


def examined(viewer: Viewer) -> Figure:
    """Return the card with the number of table days that have facts which are not examined yet. Lines below
    it count failed examinations and stored results that differ from replay.
    """
    waiting, alarms = heads.waiting(viewer.property), job_alarms.of_properties([viewer.property])
    stuck = sum(alarm.examinations for alarm in alarms)
    differ = sum(alarm.checks for alarm in alarms)
    top = heads.head(viewer.property)
    age = distance(viewer.now - top.recorded_at) if top.recorded_at is not None else "none"
    latest = viewer.admin_link("see-facts", "audit_fact") or _ledger_address(viewer)
    facts = [
        FigureLine("latest fact", f"{age} ago" if top.recorded_at is not None else age, latest),
        FigureLine(
            "set aside",
            f"{stuck}",
            _jobs_address(viewer, "examinations"),
            "alarm" if stuck else "",
        ),
        FigureLine(
            "differ from replay",
            f"{differ}",
            _jobs_address(viewer, "checks"),
            "alarm" if differ else "",
        ),
    ]
    says = "findings are complete" if not waiting else "findings are not complete"
    kind = "alarm" if stuck or differ else "warn" if waiting else ""
    address = _jobs_address(viewer, "waiting")
    return Figure("Table days not examined yet", f"{waiting}", says, address, facts, kind)


def recent_viewings(viewer: Viewer) -> list[Viewing]:
    """Return the entries of the viewing log from the last HOURS hours, the latest first, up to one page and
    one more.
    """
    return view_log.viewings([viewer.property], since=viewer.now - timedelta(hours=HOURS))


def _views_address(viewer: Viewer, **query: str) -> str:
    """Return the URL of the viewing log of the last HOURS hours."""
    return viewer.link("see-views", "views", hours=f"{HOURS}", **query)


def viewed(viewer: Viewer, viewings: Sequence[Viewing]) -> Figure:
    """Return the card with the number of entries of the viewing log in the last 24 hours. If there are more
    than fit one page of the log, the card says only that there are more.
    """
    is_more = len(viewings) > view_log.PAGE
    number = f"{view_log.PAGE:,} or more" if is_more else f"{len(viewings):,}"
    people = len({viewing.person for viewing in viewings})
    of_hands = sum(bool(viewing.stream) for viewing in viewings)
    facts = [
        FigureLine("of hands", f"{of_hands:,}", _views_address(viewer, kind="hands")),
        FigureLine(
            "of reports and files",
            f"{len(viewings) - of_hands:,}",
            _views_address(viewer, kind="files"),
        ),
    ]
    says = f"by {people} {'people or devices' if people != 1 else 'person or device'}"
    return Figure(f"Views in the last {HOURS} hours", number, says, _views_address(viewer), facts)


def controls_figure(viewer: Viewer, span: Span, rows: Sequence[ControlRow]) -> Figure:
    """Return the card with the number of controls that have exceptions. Lines below it count the exceptions,
    the controls that were not judged on some table days, the controls without a check, and the gaming days
    that are not closed.
    """
    number = sum(row.exceptions > 0 for row in rows)
    facts = [
        FigureLine("exceptions", f"{sum(row.exceptions for row in rows):,}"),
        FigureLine("partly or not judged", f"{sum(row.not_judged > 0 for row in rows)}"),
        FigureLine("without a check", f"{controls.number_without_check()}"),
        FigureLine(
            "gaming days to close",
            f"{len(day_close.open_days(viewer.property, viewer.today))}",
            viewer.link("see-hold", "closing"),
        ),
    ]
    address = viewer.link("see-queue", "board", "controls", **days_of(span))
    says = f"of {len(rows)} controls, {DAYS} days"
    kind = "alarm" if number else ""
    return Figure("Controls with exceptions", f"{number}", says, address, facts, kind)


def controls_table(viewer: Viewer, span: Span, rows: Sequence[ControlRow]) -> Table:
    """Return the card with the list of controls, ordered by the number of exceptions, and then by the number
    of table days that were not judged. The largest numbers come first.
    """
    lines = (
        Line(
            [
                Cell(
                    row.control.id,
                    "",
                    viewer.link("see-queue", "board", "controls", **days_of(span), of=row.control.id),
                ),
                Cell(row.control.requirement, kind="whole"),
                _exceptions(row),
                Cell(f"{row.not_judged:,}", kind="muted", is_number=True),
            ]
        )
        for row in rows
    )
    return Table(
        "Controls",
        f"{DAYS} days, the most exceptions first",
        head("Control", "Requirement", ">Exceptions", ">Not judged"),
        first(lines),
        "No control is checked.",
        viewer.link("see-queue", "board", "controls", **days_of(span)),
        "All controls",
        len(rows),
        is_wide=True,
    )


def _exceptions(row: ControlRow) -> Cell:
    """Return the cell with the number of exceptions, or the words for a control that was never judged."""
    text = row.state if row.state == controls.NOT_JUDGED else f"{row.exceptions:,}"
    return Cell(text, kind="alarm" if row.exceptions else "muted", is_number=True)


def views(viewer: Viewer, viewings: Sequence[Viewing]) -> Table:
    """Return the card with the list of the latest entries of the viewing log."""
    zone = calendar.zone(viewer.property, viewer.today)
    lines = (
        Line(
            [
                Cell(viewing.person, "", _views_address(viewer, person=viewing.person)),
                Cell(
                    viewing.hand,
                    cut_property(viewing.stream.rpartition("/")[0]),
                    viewing.address or request_params.hand_url(viewing.stream, viewing.hand),
                ),
                Cell(clock(viewing.at, zone), is_number=True),
            ]
        )
        for viewing in viewings
    )
    return Table(
        "Latest views",
        f"{HOURS} hours",
        head("Who", "What", ">When"),
        first(lines),
        f"Nothing was viewed in the last {HOURS} hours.",
        _views_address(viewer),
        "Viewing log",
        len(viewings),
    )


def jobs(viewer: Viewer) -> Figure:
    """Return the card with the number of jobs that need attention."""
    alarms = job_alarms.of_properties([viewer.property])
    numbers = {field: sum(getattr(alarm, field) for alarm in alarms) for field in job_alarms.OF_FIELD}
    facts = [
        FigureLine(JOBS[field], f"{number}", _jobs_address(viewer, field))
        for field, number in numbers.items()
    ]
    number, address = sum(numbers.values()), _jobs_address(viewer, "all")
    return Figure("Jobs that need attention", f"{number}", "", address, facts, "alarm" if number else "")


def undelivered(viewer: Viewer) -> Figure:
    """Return the card with the number of alerts that were not delivered."""
    counts = deliveries.counts(viewer.property)
    facts = [
        FigureLine(
            state.replace("-", " "), f"{number:,}", viewer.link("see-deliveries", "deliveries", state=state)
        )
        for state, number in sorted(counts.items())
    ]
    number = counts.get("set-aside", 0)
    address = viewer.link("see-deliveries", "deliveries", state="set-aside")
    return Figure("Alerts not delivered", f"{number:,}", "", address, facts, "alarm" if number else "")


def ending_tokens(viewer: Viewer) -> Figure:
    """Return the card with the number of tokens of the property that end soon. Lines below it name those that
    end first.
    """
    zone = calendar.zone(viewer.property, viewer.today)
    ending = tokens.ending_soon(tokens.tokens_at([viewer.property]))
    facts = [
        FigureLine(f"{token.device or token.person_id} {token.prefix}…", date_time(token.expires_at, zone))
        for token in ending[:ROWS]
    ]
    address = viewer.link("issue-token", "tokens_all", ending="1")
    kind = "warn" if ending else ""
    return Figure("Tokens that end soon", f"{len(ending)}", "", address, facts, kind)
