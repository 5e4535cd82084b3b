"""The home page of surveillance: hands that need a verdict, their money, and late or silent feeds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

from audit.queries import queue_counts
from audit.queries.queue_counts import Count
from audit.review import log_queries, queue
from audit.review.projections import GRADES
from casino.alerts import deliveries
from casino.cases import queries as cases
from casino.daily_log import queries as log
from casino.floor.tables import Row, rows_of
from casino.home.cards import (
    ROWS,
    Card,
    Cell,
    Chart,
    Figure,
    FigureLine,
    Home,
    Line,
    Table,
    Viewer,
    first,
    head,
)
from casino.presentation.charts.series import Point, column_chart
from casino.presentation.formatting import clock, code_label, cut_property, day_label, distance, money
from casino.reference import calendar
from casino.surveillance import queue_rows
from games.kit.codes import GRADE

DAYS = 31
"""Number of gaming days in the chart."""
WORDS = 240
"""Maximum length of the text of a hand-over that is shown."""
MONEY_WAYS = ("to players", "to the casino")
CHIP_WAYS = ("chips missing", "chips surplus")
"""The names of the lines of money. For each pair, the queue has the first amount as `to_player` and the
second as `to_house`.
"""


def home(viewer: Viewer) -> Home:
    """Return the home page of a surveillance officer."""
    counts = queue_counts.waiting(viewer.property)
    rows = rows_of(viewer.property, viewer.today, with_slips=False)
    cards: list[Card] = [needs_first(viewer), silent_and_late(viewer, rows)]
    if viewer.may("see-log"):
        cards.append(hand_over(viewer))
    cards += [by_day(viewer), by_code(viewer, counts)]
    figures = [
        to_judge(viewer, counts),
        *amounts(viewer, counts),
        second(viewer, counts),
        feeds(viewer, rows),
    ]
    return Home("Surveillance", figures, cards)


def to_judge(viewer: Viewer, counts: Sequence[Count]) -> Figure:
    """Return the card with the number of hands that need a verdict. Lines below it give the number for each
    grade.
    """
    facts = [
        FigureLine(
            grade,
            f"{queue_counts.number(count for count in counts if count.grade == grade):,}",
            viewer.link("see-queue", "queue", grade=grade),
            grade=grade,
        )
        for grade in GRADES[: queue.NOTICE_RANK - 1]
    ]
    number = queue_counts.number(counts)
    address = viewer.link("see-queue", "queue")
    return Figure("Hands to judge, all tables and days", f"{number:,}", "", address, facts)


def amounts(viewer: Viewer, counts: Sequence[Count]) -> list[Figure]:
    """Return a card for each currency with the money of the hands that need a verdict. The currency with the
    most hands comes first. Amounts in different currencies are never added up. Missing and surplus chips have
    their own lines, because nobody knows who lost them.
    """
    hands = Counter[str]()
    sums = defaultdict[str, dict[str, Decimal]](lambda: dict.fromkeys(MONEY_WAYS + CHIP_WAYS, Decimal(0)))
    for count in counts:
        if count.currency:
            hands[count.currency] += count.hands
            to_player, to_house = CHIP_WAYS if count.is_of_chips else MONEY_WAYS
            sums[count.currency][to_player] += count.to_player
            sums[count.currency][to_house] += count.to_house
    return [
        Figure(
            f"Money in hands to judge, {currency}",
            money(sum(sums[currency].values(), Decimal(0)), currency),
            "",
            _of_money(viewer, currency, "any"),
            [
                FigureLine(way, money(amount, currency), _of_money(viewer, currency, way.replace(" ", "-")))
                for way, amount in sums[currency].items()
                if amount
            ],
        )
        for currency, _ in hands.most_common()
    ]


def _of_money(viewer: Viewer, currency: str, kind: str) -> str:
    """Return the URL of the queue with the hands that have an amount of this kind (a key of `queue.MONEY`),
    the largest amount first. The page has the total of these amounts.
    """
    return viewer.link("see-queue", "queue", currency=currency, money=kind, sort="money")


def second(viewer: Viewer, counts: Sequence[Count]) -> Figure:
    """Return the card with the number of hands that wait for a second reviewer. Lines below it give the
    number of escalated hands and the number of snoozed hands.
    """
    waits = [count for count in counts if count.state == "second"]
    escalated = queue_counts.number(count for count in counts if count.state == "escalated")
    snoozed = sum(count.snoozed for count in counts)
    wakes = min((count.wakes for count in counts if count.wakes is not None), default=None)
    zone = calendar.zone(viewer.property, viewer.today)
    address = viewer.link("see-queue", "queue", state="second")
    oldest = distance(viewer.now - min(count.oldest for count in waits)) if waits else "none"
    facts = [
        FigureLine("oldest", oldest, viewer.link("see-queue", "queue", state="second", sort="oldest")),
        FigureLine("escalated", f"{escalated:,}", viewer.link("see-queue", "queue", state="escalated")),
        FigureLine(
            "snoozed",
            f"{snoozed:,}" if wakes is None else f"{snoozed:,}, first {clock(wakes, zone)}",
            viewer.link("see-queue", "queue", state="snoozed"),
        ),
    ]
    if viewer.may("see-case"):
        number = cases.count_open(viewer.person, viewer.property)
        facts.append(FigureLine("open cases", f"{number:,}", viewer.link("see-case", "cases")))
    return Figure("Hands waiting for a second review", f"{queue_counts.number(waits):,}", "", address, facts)


def feeds(viewer: Viewer, rows: Sequence[Row]) -> Figure:
    """Return the card with the number of silent feeds. Lines below it give further numbers: open tables,
    recordings to secure, cameras that are down, and alerts that were not delivered.
    """
    open_rows = [row for row in rows if row.is_open]
    late, silent = (sum(row.lateness == name for row in open_rows) for name in ("late", "silent"))
    facts = [
        FigureLine("late feeds", f"{late}", on_floor(viewer, "late"), "warn" if late else ""),
        FigureLine("tables open", f"{len(open_rows)}", on_floor(viewer, "open")),
    ]
    if viewer.may("see-video"):
        holds = log_queries.to_secure(viewer.property)
        down = len(log_queries.outages(viewer.property))
        facts.append(FigureLine("recordings to secure", f"{holds:,}", viewer.link("see-video", "holds")))
        cameras = FigureLine(
            "cameras down", f"{down}", viewer.link("see-log", "log"), "alarm" if down else ""
        )
        facts.append(cameras)
    if viewer.may("see-deliveries"):
        failed = deliveries.counts(viewer.property).get("set-aside", 0)
        address = viewer.link("see-deliveries", "deliveries", state="set-aside")
        facts.append(FigureLine("alerts not delivered", f"{failed:,}", address, "alarm" if failed else ""))
    return Figure(
        "Silent feeds of open tables",
        f"{silent}",
        "",
        on_floor(viewer, "silent"),
        facts,
        "alarm" if silent else "",
    )


def on_floor(viewer: Viewer, show: str) -> str:
    """Return the URL of the floor's board with some of the tables. `show` is a filter of that page."""
    return viewer.link("see-floor", "floor", show=show)


def needs_first(viewer: Viewer) -> Table:
    """Return the card with the list of the first hands of the queue."""
    page = queue.page(queue.Wanted((viewer.property,)))
    rows = queue_rows.rows_of(page.rows[:ROWS], "grade")
    lines = [
        Line(
            [
                Cell(cut_property(row.hand.table), row.name, row.address),
                _amount(row),
                Cell(row.label, row.says, kind="sentence"),
                Cell(clock(row.hand.at, row.zone), f"gaming day {day_label(row.hand.day)}"),
                Cell(row.owner or "none", kind="" if row.owner else "muted"),
                Cell(distance(viewer.now - row.hand.at), is_number=True),
            ],
            row.grade,
        )
        for row in rows
    ]
    return Table(
        "First hands in the queue",
        "by grade and money",
        head("Where", ">Money", "What", "When", "Owner", ">Age"),
        lines,
        "No hand needs a verdict.",
        viewer.link("see-queue", "queue"),
        "Queue",
        is_wide=True,
    )


def _amount(row: queue_rows.Row) -> Cell:
    """Return the cell with the money of a queued hand: the amount that wrongly went to the player, and the
    amount that wrongly went to the casino. If the finding is about chips, return the amounts that are missing
    and surplus.
    """
    hand, currency = row.hand, row.hand.currency
    ways = [
        (money(amount, currency), way)
        for amount, way in ((hand.to_player, "to the player"), (hand.to_house, "to the casino"))
        if amount
    ]
    if row.is_of_chips:
        ways = [(text, "missing" if way == "to the player" else "surplus") for text, way in ways]
    if not ways:
        return Cell("no amount", is_number=True, kind="muted")
    text, way = ways[0]
    return Cell(
        f"{text} {currency}", f"{way}, {ways[1][0]} {ways[1][1]}" if ways[1:] else way, is_number=True
    )


def silent_and_late(viewer: Viewer, rows: Sequence[Row]) -> Table:
    """Return the card with the list of open tables whose feeds are silent or late. The table whose last fact
    is oldest comes first.
    """
    wanted = sorted((row for row in rows if row.lateness), key=lambda row: -row.age)
    zone = calendar.zone(viewer.property, viewer.today)
    lines = (
        Line(
            [
                Cell(row.code, "", viewer.link("see-floor", "floor_table", viewer.property, row.code)),
                Cell(row.lateness, kind="alarm" if row.lateness == "silent" else "warn"),
                Cell(clock(row.last.at, zone) if row.last is not None else ""),
                Cell(distance(row.age), is_number=True),
            ]
        )
        for row in wanted
    )
    return Table(
        "Silent and late feeds",
        "only open tables",
        head("Table", "State", "Last fact", ">Age"),
        first(lines),
        "Every feed of an open table has reported in the last 10 minutes.",
        viewer.link("see-floor", "wall"),
        "Live wall",
        len(wanted),
    )


def hand_over(viewer: Viewer) -> Table:
    """Return the card with the list of hand-overs that nobody has accepted, and of other open entries of the
    log.
    """
    open_now = log.still_open(viewer.property, viewer.now)
    rows = [*open_now.hand_overs, *open_now.entries]
    zone = calendar.zone(viewer.property, viewer.today)
    lines = (
        Line(
            [
                Cell(
                    f"{row.entry.number}",
                    row.title,
                    viewer.link("see-log", "log_entry", viewer.property, str(row.entry.number)),
                ),
                Cell((row.words or "The text was erased.")[:WORDS], kind="sentence"),
                Cell(clock(row.entry.at, zone), is_number=True),
            ]
        )
        for row in rows
    )
    return Table(
        "Open entries of the daily log",
        _to_accept(len(open_now.hand_overs)),
        head("Entry", "What", ">When"),
        first(lines),
        "No hand-over is waiting, and no entry is open.",
        viewer.link("see-log", "log"),
        "Daily log",
        len(rows),
    )


def _to_accept(number: int) -> str:
    return f"{number} hand-over{'s' if number > 1 else ''} to accept" if number else ""


def by_day(viewer: Viewer) -> Chart:
    """Return the card with a chart of the hands with findings on each gaming day of the last month."""
    begins = viewer.today - timedelta(days=DAYS - 1)
    counts = queue_counts.by_day(viewer.property, begins, viewer.today + timedelta(days=1))
    points = [_point(viewer, begins + timedelta(days=place), counts) for place in range(DAYS)]
    plot = column_chart(points, "Hands with findings by gaming day", unit="hands", note="gaming day")
    return Chart("Hands with findings by gaming day", f"{DAYS} days, judged or not", plot)


def _point(viewer: Viewer, day: date, counts: dict[date, dict[str, int]]) -> Point:
    grades = counts.get(day, {})
    number = sum(grades.values())
    address = viewer.link("see-queue", "queue", day=day.isoformat(), state="all")
    tip = tuple(f"{grade} {hands}" for grade, hands in grades.items())
    return Point(f"{day.day} {day:%b}", number, f"{number}", address, tip=tip)


def by_code(viewer: Viewer, counts: Sequence[Count]) -> Table:
    """Return the card with a list of finding codes. For each code, it has the number of hands that need a
    verdict and have a finding with this code. The filter of the queue counts in the same way. The code with
    the most hands comes first.
    """
    by_code = defaultdict[str, list[Count]](list)
    for count in counts:
        for code in set(count.codes):
            by_code[code].append(count)
    groups = sorted(by_code.items(), key=lambda pair: (-queue_counts.number(pair[1]), pair[0]))
    lines = (
        Line(
            [
                Cell(code_label(code), "", viewer.link("see-queue", "queue", code=code)),
                Cell(f"{queue_counts.number(group):,}", is_number=True),
                Cell(_sums(group), "", _money_of_code(viewer, code), is_number=True),
            ],
            GRADE.get(code, GRADES[0]),
        )
        for code, group in groups
    )
    return Table(
        "Hands to judge by code",
        "a hand counts for each of its codes",
        head("Code", ">Hands", ">Money of these hands"),
        first(lines),
        "No hand needs a verdict.",
        viewer.link("see-queue", "board", "codes"),
        "All codes",
        len(groups),
    )


def _money_of_code(viewer: Viewer, code: str) -> str:
    return viewer.link("see-queue", "queue", code=code, money="any", sort="money")


def _sums(counts: Sequence[Count]) -> str:
    sums: dict[str, Decimal] = {}
    for count in counts:
        sums[count.currency] = sums.get(count.currency, Decimal(0)) + count.to_player + count.to_house
    texts = [f"{money(amount, currency)} {currency}" for currency, amount in sorted(sums.items()) if amount]
    return ", ".join(texts) or "no amount"
