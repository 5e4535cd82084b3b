"""The amounts of a table on one gaming day, and how adjustments change them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from audit.queries.adjustments import Adjustment


class TableDay(NamedTuple):
    """Sums of one stream in one currency. If shifts are requested, the sums are of one shift; otherwise
    `shift` is empty.

    `openers`, `closers`, `pulled`, `counted` and `verified` are numbers of facts. `fills` and `credits` do
    not include voided slips. `corrected` is positive if the player gains. `cage`: True if the cage or the
    count room recorded a fact.

    `boxes`: the number of boxes of the whole stream that were pulled or counted, or -1 if there is no drop to
    count (at a live-dealer table, or at a table without any count). `stays`: True if the last box stayed on
    its table (`audit.replay.boxes`). `first_box`: the shift of the stream's first box.

    In the restated books, the amounts include adjustments. `settled` is the amount of adjustments of
    settlements and is positive if the win increases. `adjusted` is the number of adjustments.

    `unseen`: the exact amount that the casino gained in addition to `taken` - `paid`. It includes a stake
    that was kept in a void round, and an amount owed for which no fact reports that chips moved.
    """

    property: str
    stream: str
    table: str
    day: date
    game: str
    live_dealer: bool
    open_boxes: int
    boxes: int
    stays: bool
    first_box: str
    currency: str
    shift: str
    rounds: int = 0
    staked: int = 0
    paid: int = 0
    taken: int = 0
    returned: int = 0
    corrected: int = 0
    openers: int = 0
    opener: int = 0
    closers: int = 0
    closer: int = 0
    fills: int = 0
    credits: int = 0
    pulled: int = 0
    counted: int = 0
    drop: int = 0
    verified: int = 0
    verified_drop: int = 0
    bought: int = 0
    corrections: int = 0
    slips_voided: int = 0
    voided_amount: int = 0
    cage: bool = False
    settled: int = 0
    adjusted: int = 0
    unseen: int | Fraction = 0


def dealt(day: TableDay) -> int | Fraction:
    """Return what the casino won in chips according to the recorded movements, less later corrections."""
    return day.taken - day.paid + day.unseen - day.corrected


def tray_before_closers(day: TableDay) -> int | Fraction:
    """Return the amount that a day's tray should contain before any closer is subtracted: openers, plus
    fills, less credits, less chips bought, plus the casino's win in chips.

    If the last opener has no closer yet, the tray should contain this amount less all earlier closers.
    """
    return day.opener + day.fills - day.credits - day.bought + dealt(day)


def restate(days: Iterable[TableDay], changes: Iterable[Adjustment], *, by_shift: bool) -> list[TableDay]:
    """Return the days with their adjustments applied. An adjustment that names no shift gets its own row.

    Open days are not changed.
    """
    by_key = {(day.stream, day.currency, day.shift): day for day in days}
    for change in changes:
        if change.closed:
            key = (change.stream, change.currency, change.shift if by_shift else "")
            by_key[key] = _adjusted(by_key.get(key) or _blank(change, key[2]), change)
    return sorted(by_key.values(), key=lambda day: (day.table, day.day, day.currency, day.shift))


def _blank(change: Adjustment, shift: str) -> TableDay:
    """Return an empty row for the day or shift that an adjustment changes."""
    return TableDay(
        property=change.property,
        stream=change.stream,
        table=change.table,
        day=change.of_day,
        game=change.game,
        live_dealer=change.live_dealer,
        open_boxes=0,
        boxes=-1,
        stays=False,
        first_box="",
        currency=change.currency,
        shift=shift,
    )


def _adjusted(day: TableDay, change: Adjustment) -> TableDay:
    """Return a row with one adjustment applied.

    A positive `amount` increases the win: it lowers an opener or a fill, and raises a closer, a credit or a
    drop. An adjustment can replace a missing count and so make the day complete. An adjustment that replaces
    the count of a drop names the fact `box-pulled`. An adjustment that replaces an opener or closer names no
    fact. If opener and closer are both missing, each needs an adjustment.
    """
    day, amount = day._replace(adjusted=day.adjusted + 1), change.amount
    if day.live_dealer or (not day.cage and day.rounds):
        return day._replace(settled=day.settled + amount)
    if change.what == "drop":
        late = change.of_kind == "box-pulled"
        return day._replace(
            drop=day.drop + amount, counted=day.counted + late, open_boxes=max(day.open_boxes - late, 0)
        )
    if change.what == "opener":
        late = not change.of and (day.openers < day.closers or _without_trays(day))
        return day._replace(opener=day.opener - amount, openers=day.openers + late)
    if change.what == "closer":
        late = not change.of and (day.closers < day.openers or _without_trays(day))
        return day._replace(closer=day.closer + amount, closers=day.closers + late)
    if change.what == "fill":
        return day._replace(fills=day.fills - amount)
    if change.what == "credit":
        return day._replace(credits=day.credits + amount)
    return day._replace(settled=day.settled + amount)


def _without_trays(day: TableDay) -> bool:
    """Return True if the cage recorded facts on the day but no tray was counted."""
    return day.cage and day.openers == day.closers == 0
