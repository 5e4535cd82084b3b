"""The home pages of internal audit, the regulator and administrators: controls with exceptions, proofs, table
days that are not examined yet, entries of the viewing log, and jobs that need attention.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from audit.queries import heads, job_alarms, queue_counts
from audit.queries.queue_counts import Count
from audit.queries.span import Span
from audit.replay.checks import CODES
from audit.tree import checkpoints
from casino.accounts import tokens, view_log
from casino.accounts.view_log import Viewing
from casino.alerts import deliveries
from casino.home import accounting, surveillance
from casino.home.cards import ROWS, Card, Cell, Figure, FigureLine, Home, Line, Table, Viewer, first, head
from casino.home.win import days_of
from casino.presentation.formatting import clock, cut_property, date_time, distance
from casino.reference import calendar
from casino.reports.definitions import coverage

DAY = timedelta(days=1)
DAYS = 31
"""Number of gaming days in which the card of controls looks for checks that were not applied."""
CODE_PLACE = 2
"""Index of the column with the code in the report `coverage`."""


def home(viewer: Viewer) -> Home:
    """Return the home page of internal audit and of the regulator."""
    counts = queue_counts.waiting(viewer.property)
    viewings = recent_viewings(viewer)
    figures = [
        controls(viewer, counts),
        proof(viewer),
        examined(viewer),
        surveillance.to_judge(viewer, counts),
        viewed(viewer, viewings),
    ]
    cards: list[Card] = [exceptions(viewer, counts), views(viewer, viewings)]
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
    title, address = "Facts after the last checkpoint", _facts_address(viewer)
    if last is None:
        says = "no checkpoint was signed yet"
        facts = [FigureLine("facts in the ledger", f"{top.position:,}")]
        return Figure(title, f"{top.position:,}", says, address, facts)
    zone = calendar.zone(viewer.property, viewer.today)
    facts = [
        FigureLine("last checkpoint", date_time(last.made_at, zone)),
        FigureLine("position of the checkpoint", f"{last.size:,}"),
        FigureLine("facts in the ledger", f"{top.position:,}"),
    ]
    return Figure(title, f"{top.position - last.size:,}", "", address, facts)


def _facts_address(viewer: Viewer) -> str:
    """Return the URL of the list of facts. Only users who may see facts and enter the admin can open it."""
    return viewer.link("see-facts", "admin:audit_fact_changelist") if viewer.may("enter-admin") else ""


def _jobs_address(viewer: Viewer, **query: str) -> str:
    """Return the URL of the list of jobs. Only users who may see jobs and enter the admin can open it."""
    if not viewer.may("enter-admin"):
        return ""
    return viewer.link("see-jobs", "admin:audit_job_changelist", **query)


def examined(viewer: Viewer) -> Figure:
    """Return the card with the number of table days that have facts which are not examined yet. Lines below
    it count failed examinations and stored results that differ from replay.
    """
    waiting, alarms = heads.waiting(viewer.property), job_alarms.of_properties([viewer.property])
    stuck = sum(alarm.examinations for alarm in alarms)
    differ = sum(alarm.checks for alarm in alarms)
    top = heads.head(viewer.property)
    age = distance(viewer.now - top.recorded_at) if top.recorded_at is not None else "none"
    set_aside = _jobs_address(viewer, state="set-aside")
    facts = [
        FigureLine(
            "latest fact recorded",
            f"{age} ago" if top.recorded_at is not None else age,
            _facts_address(viewer),
        ),
        FigureLine("examinations set aside", f"{stuck}", set_aside, "alarm" if stuck else ""),
        FigureLine(
            "stored results that differ from replay", f"{differ}", set_aside, "alarm" if differ else ""
        ),
    ]
    says = "findings are complete" if not waiting else "findings are not complete"
    kind = "alarm" if stuck or differ else "warn" if waiting else ""
    return Figure("Table days not examined yet", f"{waiting}", says, _jobs_address(viewer), facts, kind)


def recent_viewings(viewer: Viewer) -> list[Viewing]:
    """Return the entries of the viewing log from the last 24 hours, the latest first, up to one page."""
    begins = viewer.now - DAY
    return [viewing for viewing in view_log.viewings([viewer.property]) if viewing.at >= begins]


def viewed(viewer: Viewer, viewings: Sequence[Viewing]) -> Figure:
    """Return the card with the number of entries of the viewing log in the last 24 hours. If there are more
    than fit one page of the log, the card says only that there are more.
    """
    is_more = len(viewings) > view_log.PAGE
    number = f"{view_log.PAGE:,} or more" if is_more else f"{len(viewings):,}"
    people = len({viewing.person for viewing in viewings})
    facts = [
        FigureLine(
            "views of hands", f"{sum(bool(viewing.hand and viewing.stream) for viewing in viewings):,}"
        ),
        FigureLine("views of reports and files", f"{sum(not viewing.stream for viewing in viewings):,}"),
    ]
    says = f"by {people} {'people or devices' if people != 1 else 'person or device'}"
    return Figure("Views in the last 24 hours", number, says, viewer.link("see-views", "views"), facts)


def controls(viewer: Viewer, counts: Sequence[Count]) -> Figure:
    """Return the card with the number of internal-control checks that have exceptions without a verdict. A
    check is counted for each of its codes. Checks that were not applied at some table are counted apart.
    """
    with_exceptions = {code for count in counts for code in count.codes} & CODES
    exceptions = queue_counts.number(count for count in counts if CODES.intersection(count.codes))
    span = Span(viewer.today - timedelta(days=DAYS - 1), viewer.today + timedelta(days=1), viewer.property)
    not_judged = {str(row[CODE_PLACE]) for row in coverage.sheet(span, ()).rows} & CODES
    facts = [
        FigureLine("hands with exceptions", f"{exceptions:,}", viewer.link("see-queue", "queue")),
        FigureLine(
            f"not applied at some table, {DAYS} days",
            f"{len(not_judged)}",
            viewer.link("see-hold", "report", "coverage", **days_of(span)),
        ),
        FigureLine(
            "gaming days to close",
            f"{len(accounting.open_days(viewer))}",
            viewer.link("see-hold", "closing"),
        ),
    ]
    address, says = viewer.link("see-queue", "board", "codes"), f"of {len(CODES)} controls"
    kind = "alarm" if with_exceptions else ""
    return Figure("Controls with exceptions", f"{len(with_exceptions)}", says, address, facts, kind)


def exceptions(viewer: Viewer, counts: Sequence[Count]) -> Table:
    """Return the card with the list of internal controls that have exceptions. For each control, it has the
    number of hands that need a verdict, and their money.
    """
    return surveillance.by_code(viewer, counts, CODES)._replace(
        title="Controls with exceptions",
        says="without a verdict",
        none=f"None of {len(CODES)} controls has an exception that needs a verdict.",
        is_wide=True,
    )


def views(viewer: Viewer, viewings: Sequence[Viewing]) -> Table:
    """Return the card with the list of the latest entries of the viewing log."""
    zone = calendar.zone(viewer.property, viewer.today)
    lines = (
        Line(
            [
                Cell(viewing.person, "", viewer.link("see-views", "views", person=viewing.person)),
                Cell(viewing.hand, cut_property(viewing.stream.rpartition("/")[0])),
                Cell(clock(viewing.at, zone), is_number=True),
            ]
        )
        for viewing in viewings
    )
    return Table(
        "Latest views",
        "24 hours",
        head("Who", "What", ">When"),
        first(lines),
        "Nothing was viewed in the last 24 hours.",
        viewer.link("see-views", "views"),
        "Viewing log",
        len(viewings),
    )


def jobs(viewer: Viewer) -> Figure:
    """Return the card with the number of jobs that need attention."""
    alarms = job_alarms.of_properties([viewer.property])
    facts = [
        FigureLine("examinations", f"{sum(alarm.examinations for alarm in alarms)}"),
        FigureLine("exports and other jobs", f"{sum(alarm.others for alarm in alarms)}"),
        FigureLine("events, webhooks and mail", f"{sum(alarm.deliveries for alarm in alarms)}"),
        FigureLine("checks that found differences", f"{sum(alarm.checks for alarm in alarms)}"),
    ]
    number = sum(alarm.examinations + alarm.others + alarm.deliveries + alarm.checks for alarm in alarms)
    address = _jobs_address(viewer, state="set-aside")
    return Figure("Jobs that need attention", f"{number}", "", address, facts, "alarm" if number else "")


def undelivered(viewer: Viewer) -> Figure:
    """Return the card with the number of alerts that were not delivered."""
    counts = deliveries.counts(viewer.property)
    facts = [FigureLine(state.replace("-", " "), f"{number:,}") for state, number in sorted(counts.items())]
    number = counts.get("set-aside", 0)
    address = viewer.link("see-deliveries", "deliveries")
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
    address = viewer.link("issue-token", "tokens_all")
    kind = "warn" if ending else ""
    return Figure("Tokens that end soon", f"{len(ending)}", "", address, facts, kind)
