"""The home pages of internal audit, the regulator and administrators: proofs, table days that are not
examined yet, entries of the viewing log, and jobs that need attention.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from audit.queries import heads, job_alarms, queue_counts
from audit.queries.queue_counts import Count
from audit.tree import checkpoints
from casino.accounts import tokens, view_log
from casino.accounts.view_log import Viewing
from casino.alerts import deliveries
from casino.home import accounting, surveillance
from casino.home.cards import ROWS, Card, Cell, Figure, FigureLine, Home, Line, Table, Viewer, first, head
from casino.presentation.formatting import clock, cut_property, date_time, distance
from casino.reference import calendar

DAY = timedelta(days=1)


def home(viewer: Viewer) -> Home:
    """Return the home page of internal audit and of the regulator."""
    counts = queue_counts.waiting(viewer.property)
    viewings = recent_viewings(viewer)
    figures = [
        proof(viewer),
        examined(viewer),
        surveillance.to_judge(viewer, counts),
        viewed(viewer, viewings),
        days(viewer),
    ]
    cards: list[Card] = [integrity(viewer, counts), views(viewer, viewings)]
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
    title = "Facts after the last checkpoint"
    if last is None:
        says = "no checkpoint was signed yet"
        return Figure(
            title, f"{top.position:,}", says, facts=[FigureLine("facts in the ledger", f"{top.position:,}")]
        )
    zone = calendar.zone(viewer.property, viewer.today)
    facts = [
        FigureLine("last checkpoint", date_time(last.made_at, zone)),
        FigureLine("position of the checkpoint", f"{last.size:,}"),
        FigureLine("facts in the ledger", f"{top.position:,}"),
    ]
    return Figure(title, f"{top.position - last.size:,}", "", facts=facts)


def examined(viewer: Viewer) -> Figure:
    """Return the card with the number of table days that have facts which are not examined yet. Lines below
    it count failed examinations and stored results that differ from replay.
    """
    waiting, alarms = heads.waiting(viewer.property), job_alarms.of_properties([viewer.property])
    stuck = sum(alarm.examinations for alarm in alarms)
    differ = sum(alarm.checks for alarm in alarms)
    top = heads.head(viewer.property)
    age = distance(viewer.now - top.recorded_at) if top.recorded_at is not None else "none"
    facts = [
        FigureLine("latest fact recorded", f"{age} ago" if top.recorded_at is not None else age),
        FigureLine("examinations set aside", f"{stuck}", kind="alarm" if stuck else ""),
        FigureLine("stored results that differ from replay", f"{differ}", kind="alarm" if differ else ""),
    ]
    says = "findings are complete" if not waiting else "findings are not complete"
    kind = "alarm" if stuck or differ else "warn" if waiting else ""
    return Figure("Table days not examined yet", f"{waiting}", says, "", facts, kind)


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


def days(viewer: Viewer) -> Figure:
    """Return the card with the number of gaming days that are not closed."""
    open_days = accounting.open_days(viewer)
    says = f"of the {accounting.BACK} gaming days before today"
    return Figure("Gaming days to close", f"{len(open_days)}", says, viewer.link("see-hold", "closing"))


def integrity(viewer: Viewer, counts: Sequence[Count]) -> Table:
    """Return the card with a list of finding codes of the grade integrity. For each code, it has the number
    of hands that need a verdict.
    """
    of_grade = [count for count in counts if count.grade == "integrity"]
    table = surveillance.by_code(viewer, of_grade)
    return table._replace(
        title="Findings of the grade integrity",
        says="without a verdict",
        none="No integrity finding needs a verdict.",
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
    address = viewer.link("enter-admin", "admin:index")
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
