"""The lines that are posted for one table's day. Each line has an amount (positive for debit, negative for
credit) and the purpose for which it is posted. The lines are balanced to the minor unit.

If a table has a tray, the drop is debited, the win is credited, and the difference is posted to the chips in
the tray. A difference between a closer and the next opener is posted as over and short. So the chips account
of all tables equals the last counts. A live-dealer table has no tray; its win comes from its players'
accounts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from audit.queries.table_day import TableDay
from casino.reports.grouping import rounded
from casino.reports.hold_figure import figure


class Line(NamedTuple):
    """An amount in minor units. `what` names the line (see WORDS). `posted` is the purpose
    (`casino.reference.chart.POSTED`) that the chart of accounts maps to an account.
    """

    what: str
    posted: str
    amount: int


WORDS = {
    "drop": "Drop, count 1",
    "count-difference": "Count 2 against count 1",
    "win": "Table win",
    "chips": "Chips at the table",
    "opener-difference": "Closer and next opener differ",
    "fills": "Fills from the cage",
    "credits": "Credits to the cage",
    "markers-issued": "Markers issued",
    "markers-paid": "Markers paid",
    "vouchers": "Vouchers in the drop",
    "adjustments": "Adjusted settlements",
    "wagers": "Wagers settled",
    "marker-written-off": "Marker written off",
    "marker-recovered": "Written-off marker paid",
    "drop-received": "Drop received by the cage",
    "deposit-sent": "Deposit sent to the bank",
    "deposit-confirmed": "Deposit confirmed by the bank",
    "deposit-difference": "Bank and deposit differ",
}
"""For each kind of line: its description. The lines of an entry have this order."""


class OtherAmounts(NamedTuple):
    """Amounts of one day or one shift that are not in its tally.

    `opened`: openers minus the amounts counted before them at the same table. `settled`: for boxes with two
    counts, the difference of these counts, if an adjustment has settled it. `issued` and `paid`: markers.
    `vouchers`: the papers in the drop other than markers.
    """

    opened: int = 0
    settled: int = 0
    issued: int = 0
    paid: int = 0
    vouchers: int = 0


ORDER = {category: place for place, category in enumerate(WORDS)}


def lines(day: TableDay, closed: TableDay | None, amounts: OtherAmounts) -> list[Line]:
    """Return the lines of a day or of one of its shifts.

    Args:
        day: the row as restated.
        closed: the row as it was closed, or None if there was no row.
        amounts: amounts that are not in the tally.
    """
    exact = figure(day).win
    win = exact if isinstance(exact, int) else int(rounded(exact, 0))
    felt = _felt(day, closed, amounts, win) if not day.live_dealer else (("win", "win", -win),)
    wagers = win - day.settled if day.live_dealer else 0
    parts = (
        *felt,
        ("markers-issued", "markers", amounts.issued),
        ("markers-issued", "markers-issued", -amounts.issued),
        ("markers-paid", "markers-paid", amounts.paid),
        ("markers-paid", "markers", -amounts.paid),
        ("vouchers", "vouchers", amounts.vouchers),
        ("vouchers", "drop", -amounts.vouchers),
        ("adjustments", "adjustments", day.settled),
        ("wagers", "wagers", wagers),
    )
    return [Line(kind, posted, amount) for kind, posted, amount in parts if amount]


Part = tuple[str, str, int]
"""The fields of a line whose amount may be 0. Most lines of a day are 0, so no `Line` is built for them."""


def _felt(day: TableDay, closed: TableDay | None, amounts: OtherAmounts, win: int) -> tuple[Part, ...]:
    opened, recount = _opened(day, closed, amounts), _recount(closed, amounts)
    return (
        ("drop", "drop", day.drop),
        ("count-difference", "drop", recount),
        ("count-difference", "over-short", -recount),
        ("win", "win", -win),
        ("chips", "chips", day.closer - day.opener + opened),
        ("opener-difference", "over-short", -opened),
        ("fills", "fills", -day.fills),
        ("credits", "credits", day.credits),
    )


def _opened(day: TableDay, closed: TableDay | None, amounts: OtherAmounts) -> int:
    """Return by how much the openers of a day exceed the closers before them. If the opener or the closer
    before it was adjusted, the adjusted amount is used.
    """
    if closed is None:
        return 0
    opener = day.opener - closed.opener if closed.openers else 0
    closer = day.closer - closed.closer if closed.closers else 0
    return amounts.opened + opener - closer


def _recount(closed: TableDay | None, amounts: OtherAmounts) -> int:
    """Return the sum of the second counts minus the sum of the first counts. Return 0 unless every box was
    counted twice. Boxes whose difference an adjustment has settled are left out, because the drop already
    includes their difference.
    """
    if closed is None or closed.counted == 0 or closed.verified != closed.counted:
        return 0
    return closed.verified_drop - closed.drop - amounts.settled


def merged(lines: Iterable[Line]) -> list[Line]:
    """Add up the lines of the same kind and purpose, and return one line for each, in the order of WORDS.
    Lines with the amount zero are left out.
    """
    sums: dict[tuple[str, str], int] = {}
    for line in lines:
        key = (line.what, line.posted)
        sums[key] = sums.get(key, 0) + line.amount
    totals = [Line(*key, amount) for key, amount in sums.items() if amount]
    return sorted(totals, key=lambda line: ORDER[line.what])
