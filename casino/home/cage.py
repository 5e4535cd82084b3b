"""The home pages of cage and count room: slips that wait for signatures, unpaid markers, cash that waits in
the count room, missing numbers, and boxes to count.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from audit.queries import cage_lists
from audit.queries.markers import Marker
from audit.queries.write_offs import sums
from casino.cage.services.markers import DAYS, first_day, unpaid_markers
from casino.cage.services.slips import NAMES, ROLES
from casino.cage.services.waiting_cash import older_cash_at_once, waiting_cash
from casino.cage.slips import pending
from casino.cage.slips.pending import PendingSlip
from casino.count_room import queries as count_room
from casino.count_room.queries import Box
from casino.home.cards import Cell, Figure, FigureLine, Home, Line, Table, Viewer, first, head
from casino.presentation.formatting import code_label, cut_property, day_label, distance, money

WAITS = {"pulled": "to count", "counted": "to recount", "differs": "counts differ"}
"""For each state of a box that requires an action: the action in words."""


def home(viewer: Viewer) -> Home:
    """Return the home page of the cage."""
    slips = pending.of_property(viewer.property)
    owed = unpaid(viewer)
    figures = [
        *slips_figures(viewer, slips),
        *markers_figures(viewer, owed),
        *cash_figures(viewer),
        missing(viewer),
    ]
    return Home("Cage", figures, [slips_table(viewer, slips), markers_table(viewer, owed)])


def count_home(viewer: Viewer) -> Home:
    """Return the home page of the count room. It shows no amounts, because the people who count a box again
    must not know the amount of its first count.
    """
    boxes = waiting_boxes(viewer)
    return Home("Count room", boxes_figures(viewer, boxes), [boxes_table(viewer, boxes)])


def slips_figures(viewer: Viewer, slips: Sequence[PendingSlip]) -> list[Figure]:
    """Return a card for each currency with the amount of the slips that wait for signatures. The lines below
    it give the number of slips, the number and the amount of each kind, the late slips, and the age of the
    oldest slip. If there is no such slip, return one card that says so.
    """
    title, says = "Slips waiting for signatures", "fills, credits and markers on the way"
    if not slips:
        return [Figure(title, "0", says, of_slips(viewer, state="pending"))]
    figures = []
    for currency in sorted({slip.currency for slip in slips}):
        own = [slip for slip in slips if slip.currency == currency]
        facts = [FigureLine("slips", f"{len(own)}")]
        facts += [_slips_of(viewer, kind, own, currency) for kind in sorted({slip.kind for slip in own})]
        facts += late_and_oldest(viewer, own, of_slips(viewer, state="late", currency=currency))
        amount = money(sum(slip.amount for slip in own), currency)
        address = of_slips(viewer, state="pending", currency=currency)
        kind = "alarm" if late_slips(viewer, own) else "warn"
        figures.append(Figure(f"{title}, {currency}", amount, "", address, facts, kind))
    return figures


def cash_figures(viewer: Viewer) -> list[Figure]:
    """Return a card for each currency with the counted cash that waits in the count room. The lines below it
    give the number of gaming days, the oldest of them, and the cash that has waited longer than recent days.
    If no cash waits, return one card that says so. If many older days are open, the cards have only the
    recent days and say so.
    """
    title = "Cash in the count room"
    known = older_cash_at_once(viewer.property, viewer.today)
    older, says = known or [], "" if known is not None else f"of the last {count_room.DAYS} days"
    recent = [row for row in waiting_cash(viewer.property, viewer.today) if row.left]
    address = viewer.link("see-cage", "cage_deposits")
    all_days = viewer.link("see-cage", "cage_deposits", older="1")
    if not older and not recent:
        return [Figure(title, "none", says or "the cage has received all counted cash", address)]
    figures = []
    for currency in sorted({row.currency for row in (*older, *recent)}):
        old, new = ([row for row in rows if row.currency == currency] for rows in (older, recent))
        facts = [
            FigureLine("gaming days", f"{len(old) + len(new):,}", all_days),
            FigureLine("oldest", f"gaming day {day_label(min(row.day for row in (*old, *new)))}", all_days),
        ]
        if old:
            overdue = money(sum(row.left for row in old), currency)
            facts.append(FigureLine(f"over {count_room.DAYS} days", overdue, address, "warn"))
        total = money(sum(row.left for row in (*old, *new)), currency)
        figures.append(Figure(f"{title}, {currency}", total, says, address, facts, "warn" if old else ""))
    return figures


def _slips_of(viewer: Viewer, kind: str, slips: Sequence[PendingSlip], currency: str) -> FigureLine:
    """Return the line with the number and the amount of the slips of one kind."""
    own = [slip.amount for slip in slips if slip.kind == kind]
    address = of_slips(viewer, state="pending", kind=NAMES[kind], currency=currency)
    return FigureLine(f"{NAMES[kind]}s", f"{len(own)}, {money(sum(own), currency)}", address)


def of_slips(viewer: Viewer, **filters: str) -> str:
    """Return the URL of the cage's list of slips with these filters."""
    return viewer.link("see-cage", "cage", **filters)


def late_slips(viewer: Viewer, slips: Sequence[PendingSlip]) -> list[PendingSlip]:
    """Return the slips that have waited too long for their signatures."""
    return [slip for slip in slips if pending.is_late(slip, viewer.now)]


def late_and_oldest(viewer: Viewer, slips: Sequence[PendingSlip], address: str) -> list[FigureLine]:
    """Return a line with the number of late slips, and a line with the age of the oldest slip.

    Args:
        address: the URL of the list of the late slips.
    """
    late, oldest = len(late_slips(viewer, slips)), min(slips, key=lambda slip: slip.begun, default=None)
    lines = [FigureLine("late", f"{late}", address, "alarm" if late else "")]
    if oldest is None:
        return [*lines, FigureLine("oldest", "none")]
    return [*lines, FigureLine("oldest", distance(viewer.now - oldest.begun), slip_address(viewer, oldest))]


def slip_address(viewer: Viewer, slip: PendingSlip) -> str:
    """Return the URL of the page of a pending slip."""
    return viewer.link("see-cage", "cage_slip", viewer.property, str(slip.uid))


def slips_table(viewer: Viewer, slips: Sequence[PendingSlip]) -> Table:
    """Return the card with the list of slips that wait for signatures, the oldest first."""
    lines = (
        Line(
            [
                Cell(slip.table, NAMES[slip.kind].capitalize(), slip_address(viewer, slip)),
                Cell(f"{money(slip.amount, slip.currency)} {slip.currency}", is_number=True),
                Cell(_lacks(slip)),
                age_cell(viewer, slip),
            ]
        )
        for slip in sorted(slips, key=lambda slip: slip.begun)
    )
    return Table(
        "Slips waiting for signatures",
        f"the oldest first, late after {pending.LATE.seconds // 60} minutes",
        head("Table", ">Amount", "Missing signatures", ">Since"),
        first(lines),
        "No slip is waiting for a signature.",
        of_slips(viewer, state="pending"),
        "Cage",
        len(slips),
        is_wide=True,
    )


def age_cell(viewer: Viewer, slip: PendingSlip) -> Cell:
    """Return the cell with the time since the slip was requested, marked if the slip is late."""
    age = distance(viewer.now - slip.begun)
    is_late = pending.is_late(slip, viewer.now)
    return Cell(f"{age}, late" if is_late else age, kind="alarm" if is_late else "", is_number=True)


def _lacks(slip: PendingSlip) -> str:
    signed = pending.signatures_by_role(slip)
    return ", ".join(code_label(role).lower() for role in ROLES[slip.kind] if role not in signed)


def unpaid(viewer: Viewer) -> list[tuple[Marker, int]]:
    """Return the unpaid and partly paid markers, each with the amount owed, the oldest first."""
    owed = unpaid_markers(viewer.property, viewer.today)
    return sorted(owed, key=lambda pair: (pair[0].issued_on or viewer.today, pair[0].slip))


def markers_figures(viewer: Viewer, owed: Sequence[tuple[Marker, int]]) -> list[Figure]:
    """Return a card with the unpaid markers for each currency. If there are no such markers, return one card
    that says so.
    """
    title, says = "Unpaid markers", f"issued or partly paid in the last {DAYS} days"
    written_off = {
        amounts.currency: amounts.written_off
        for amounts in sums(viewer.property, first_day(viewer.today))
        if amounts.written_off
    }
    if not owed and not written_off:
        return [Figure(title, "none", says, viewer.link("see-cage", "cage_markers"))]
    figures = []
    for currency in sorted({marker.currency for marker, _ in owed} | written_off.keys()):
        own = [(marker, left) for marker, left in owed if marker.currency == currency]
        oldest = next((marker.issued_on for marker, _ in own if marker.issued_on is not None), None)
        address = viewer.link("see-cage", "cage_markers", currency=currency)
        facts = [FigureLine("markers", f"{len(own):,}", address)]
        if oldest is not None:
            of_oldest = viewer.link("see-cage", "cage_markers", currency=currency, issued=oldest.isoformat())
            facts.append(FigureLine("oldest", f"gaming day {day_label(oldest)}", of_oldest))
        else:
            facts.append(FigureLine("oldest", "not known"))
        if currency in written_off:
            lost = money(written_off[currency], currency)
            facts.append(FigureLine(f"written off in the last {DAYS} days", lost, f"{address}#written-off"))
        total = money(sum(left for _, left in own), currency)
        figures.append(Figure(f"{title}, {currency}", total, "", address, facts))
    return figures


def markers_table(viewer: Viewer, owed: Sequence[tuple[Marker, int]]) -> Table:
    """Return the card with the list of unpaid markers, the oldest first."""
    lines = (
        Line(
            [
                Cell(marker.slip, cut_property(marker.table), _marker_link(viewer, marker)),
                Cell(day_label(marker.issued_on) if marker.issued_on is not None else "not known"),
                Cell(f"{money(left, marker.currency)} {marker.currency}", is_number=True),
            ]
        )
        for marker, left in owed
    )
    return Table(
        "Unpaid markers",
        f"of the last {DAYS} days, the oldest first",
        head("Marker", "Issued on gaming day", ">Owed"),
        first(lines),
        f"All markers of the last {DAYS} gaming days are paid.",
        viewer.link("see-cage", "cage_markers"),
        "All markers",
        len(owed),
    )


def _marker_link(viewer: Viewer, marker: Marker) -> str:
    """Return the URL of the marker's row in the list of open markers, or empty text if the user may not open
    it.
    """
    address = viewer.link("see-cage", "cage_markers")
    return f"{address}#marker-{quote(marker.slip)}" if address else ""


def missing(viewer: Viewer) -> Figure:
    """Return the card with the number of gaps in the serials of slips."""
    jumps = list(cage_lists.missing_slips(viewer.property))
    address = of_slips(viewer, missing="all")
    facts = [FigureLine("", jump.says(), address) for jump in jumps[:2]]
    kind = "alarm" if jumps else ""
    return Figure("Gaps in slip numbers", f"{len(jumps)}", "", address, facts, kind)


def waiting_boxes(viewer: Viewer) -> list[Box]:
    """Return the boxes that wait for a count or a recount, the oldest first."""
    boxes = count_room.boxes(viewer.property, count_room.recent_days(viewer.today))
    sealed = [f"{box.table}/{box.day}" for box in boxes if box.sealed and box.state == "pulled"]
    late = count_room.late_counts(viewer.property, sealed)
    return [box for box in boxes if box.state in WAITS and box.uid not in late]


def boxes_figures(viewer: Viewer, boxes: Sequence[Box]) -> list[Figure]:
    """Return a card for each state of a box that requires an action, with the number of boxes."""
    titles = {
        "pulled": "Boxes to count",
        "counted": "Boxes to recount",
        "differs": "Counts that differ",
    }
    says = f"of the last {count_room.DAYS} gaming days"
    return [
        Figure(
            title,
            f"{number}",
            says,
            viewer.link("see-count", "count", state=state),
            kind="alarm" if state == "differs" and number else "",
        )
        for state, title in titles.items()
        for number in [sum(box.state == state for box in boxes)]
    ]


def boxes_table(viewer: Viewer, boxes: Sequence[Box]) -> Table:
    """Return the card with the list of boxes that wait for a count or a recount, the oldest first, without
    amounts.
    """
    lines = (
        Line(
            [
                Cell(
                    box.code, "", viewer.link("see-count", "count", day=box.day.isoformat(), state=box.state)
                ),
                Cell(day_label(box.day)),
                Cell(box.shift or "no shift"),
                Cell(box.box),
                Cell(WAITS[box.state], kind="alarm" if box.state == "differs" else "warn"),
            ]
        )
        for box in boxes
    )
    return Table(
        "Boxes that wait for a count",
        "the oldest gaming day first",
        head("Table", "Gaming day", "Shift", "Box", "State"),
        first(lines),
        "Every pulled box is counted twice, and the counts agree.",
        viewer.link("see-count", "count", state="waiting"),
        "Count room",
        len(boxes),
        is_wide=True,
    )
