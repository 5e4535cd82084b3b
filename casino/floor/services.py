"""What the floor does: tables opened and closed, dealers and supervisors in and out, limits set, trays
counted. Each act is a fact.

An act asks for the right, checks what a page can know, and records. What only replay can judge is recorded
and found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import wraps
from math import ceil
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from django.utils import timezone
from msgspec import to_builtins

from audit.queries import floor as queries
from audit.queries.floor import Now
from audit.replay.tally import shift_of
from casino.accounts.permissions import require
from casino.models import Person, roles_of
from casino.presentation.amount_input import total_value
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import money
from casino.reference import calendar
from casino.reference.calendar import gaming_day
from casino.reference.registers import threshold, threshold_amounts, values_on
from casino.web.property_turn import in_turn
from casino.web.recording import Fact, record, require_tray, table_fact

SETTINGS = (
    "game",
    "edition",
    "pay_tables",
    "decks",
    "spots",
    "limits",
    "currency",
    "chip",
    "readings",
    "sees",
)
"""What a table is opened with."""
OPENER, CLOSER = "opener-counted", "closer-counted"
Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


def _one_by_one(
    act: Callable[Concatenate[Person, str, Asked], Answer],
) -> Callable[Concatenate[Person, str, Asked], Answer]:
    """Two tablets that act at once act one after the other: what one of them checks, the other does not
    change meanwhile.
    """

    @wraps(act)
    def waits(by: Person, property: str, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        with in_turn(property):
            return act(by, property, *args, **kwargs)

    return waits


class Opening(NamedTuple):
    """The settings that a table would be opened with, and where they come from: the register `tables`, or its
    last opening.
    """

    settings: dict[str, Any]
    of_register: bool


def opening_of(property: str, table: str, day: date, last: Now | None) -> Opening | None:
    """By the register `tables` as of this day; where that does not say the game, as the table was last
    opened. None where neither does.
    """
    said = values_on(property, "tables", day).get(table)
    before = {} if last is None else {name: to_builtins(getattr(last.opened, name)) for name in SETTINGS}
    if not isinstance(said, dict) or "game" not in said:
        return Opening(before, False) if before else None
    house = values_on(property, "property", day).get("*")
    rest: dict[str, Any] = {"pay_tables": {}, "decks": 0, "spots": 0, "readings": {}, "sees": []}
    rest["currency"] = (house.get("currency") if isinstance(house, dict) else None) or before.get("currency")
    settings = rest | {name: said[name] for name in SETTINGS if name in said}
    missing = [name for name in SETTINGS if settings.get(name) is None]
    if missing:
        raise ActionRejected(
            f"The register of tables does not say {', '.join(missing)} of {table}: an administrator"
            " enters it."
        )
    return Opening(settings, True)


class Seat(NamedTuple):
    """Who sits down at a table, and who supervises."""

    dealer: str
    supervisor: str


@_one_by_one
def open_table(
    by: Person, property: str, table: str, seat: Seat, uid: str, *, continues: bool = False
) -> None:
    """Open it on the gaming day now, with the settings of the register, and seat its first dealer. Raises
    ActionRejected.

    A table that is still open on a day before is closed there first, between two rounds: it plays on over the
    cut-over.
    `continues`: the shoe goes on from before.
    """
    require(by, "open-table", property)
    day = gaming_day(property)
    board = queries.board(property, day)
    now = _of(board, property, table)
    facts = []
    if now is not None and now.day >= day and now.is_open:
        raise ActionRejected(f"{table} is open already.")
    if now is not None and now.day >= day and now.sealed:
        raise ActionRejected(
            f"The gaming day {now.day} of {table} is closed. It can be opened on the next one."
        )
    if now is not None and now.is_open:
        _may_close(now, table)
        facts.append(table_fact("table-closed", property, table, now.day, by=by.id))
    opening = opening_of(property, table, day, now)
    if opening is None:
        raise ActionRejected(
            f"Neither the register of tables nor an earlier day says what is dealt at {table}: an"
            " administrator enters it."
        )
    _check_seats(property, day, {table: seat}, board)
    shifts = {name: at.isoformat() for name, at in calendar.shifts(property, day).items()}
    settings = (
        opening.settings | ({"shifts": shifts} if shifts else {}) | ({"continues": True} if continues else {})
    )
    facts.append(table_fact("table-opened", property, table, day, uid=uid, by=by.id, **settings))
    facts.append(table_fact("dealer-seated", property, table, day, by=by.id, **seat._asdict()))
    record(by, property, facts)


@_one_by_one
def close_table(by: Person, property: str, table: str, uid: str) -> None:
    """Close it between two rounds, after its closer. Its gaming day takes facts of cage and count room until
    that is closed too.
    """
    require(by, "open-table", property)
    now = _open(property, table)
    _may_close(now, table)
    record(by, property, [table_fact("table-closed", property, table, now.day, uid=uid, by=by.id)])


def _may_close(now: Now, table: str) -> None:
    _between_rounds(now, table, "closed")
    if now.opener is not None and not now.counted_since:
        raise ActionRejected(f"The tray of {table} was opened and not counted since: count the closer first.")


def seat_of(now: Now | None) -> Seat:
    """Who sits at a table now; nobody, two empty names."""
    return (
        Seat("", "") if now is None or now.seated is None else Seat(now.seated.dealer, now.seated.supervisor)
    )


@_one_by_one
def seat(
    by: Person,
    property: str,
    seats: Mapping[str, Seat],
    uid: str,
    *,
    before: Mapping[str, Seat] | None = None,
) -> None:
    """Seat dealers and supervisors, at one table or at many at once (a rotation, a change of shift): all or
    none. Raises ActionRejected.

    `before`: who sat there as the page was loaded on which this was decided; where somebody else does now, it
    is decided once more.
    """
    require(by, "seat-dealer", property)
    day = gaming_day(property)
    board = queries.board(property, day)
    facts: list[Fact] = []
    for table, wanted in seats.items():
        now = _of(board, property, table)
        if now is None or not now.is_open:
            raise ActionRejected(f"{table} is not open: nobody is seated there.")
        if before is not None and table in before and before[table] != (sits := seat_of(now)):
            says = (
                f"{sits.dealer} deals there now and {sits.supervisor} supervises"
                if sits.dealer
                else "nobody sits there now"
            )
            raise ActionRejected(
                f"{table}: its seats were changed since this page was loaded: {says}. Look at it and send it"
                " again.",
                "dealer",
            )
        if now.seated is None or (now.seated.dealer, now.seated.supervisor) != wanted:
            same = {"uid": uid} if not facts else {}
            facts.append(
                table_fact("dealer-seated", property, table, now.day, **same, by=by.id, **wanted._asdict())
            )
    if not facts:
        raise ActionRejected("They sit there already: change a dealer or a supervisor.", "dealer")
    _check_seats(property, day, seats, board)
    record(by, property, facts)


def _check_seats(property: str, day: date, seats: Mapping[str, Seat], board: list[Now]) -> None:
    """Everybody is in the register for what he does, and nobody deals at two tables."""
    people = values_on(property, "people", day)
    after = {
        now.table.partition("/")[2]: now.seated.dealer
        for now in board
        if now.is_open and now.seated is not None
    }
    after |= {table: seat.dealer for table, seat in seats.items()}
    for table, seat in seats.items():
        for field, id in seat._asdict().items():
            if not id:
                raise ActionRejected(f"{table}: choose a {field}.", field)
            if field not in roles_of(people.get(id)):
                raise ActionRejected(f"{table}: {id} is no {field} in the register of people today.", field)
        if seat.dealer == seat.supervisor:
            raise ActionRejected(f"{table}: {seat.dealer} cannot supervise the own table.", "supervisor")
        other = next((code for code, dealer in after.items() if dealer == seat.dealer and code != table), "")
        if other:
            says = (
                f"{seat.dealer} deals at {other}. Seat a relief there first, or both at once by a change of"
                " shift."
            )
            raise ActionRejected(f"{table}: {says}", "dealer")


Limits = dict[str, tuple[int, int]]


def limits_of(now: Now) -> Limits:
    """The limits of a table now."""
    return {wager: (low, high) for wager, (low, high) in now.opened.limits.items()}


@_one_by_one
def set_limits(
    by: Person, property: str, table: str, limits: Limits, uid: str, *, before: Limits | None = None
) -> None:
    """New limits from the next round on: the table opens again with all else as it is, and its shoe goes on.
    Raises ActionRejected.

    `before`: the limits as the page was loaded on which these were decided; where others hold now, it is
    decided once more.
    """
    require(by, "set-limits", property)
    now = _open(property, table)
    if before is not None and before != limits_of(now):
        says = "; ".join(
            f"{_wager(wager).lower()} {money(low, now.opened.currency)} to {money(high, now.opened.currency)}"
            for wager, (low, high) in limits_of(now).items()
        )
        raise ActionRejected(
            f"The limits were changed since this page was loaded: {says}. Look at them and send yours again."
        )
    _between_rounds(now, table, "given new limits")
    currency = now.opened.currency
    for wager, (low, high) in limits.items():
        if low % now.opened.chip or high % now.opened.chip:
            raise ActionRejected(
                f"{_wager(wager)}: limits are in whole chips of {money(now.opened.chip, currency)}.",
                f"least-{wager}",
            )
        if low > high:
            raise ActionRejected(f"{_wager(wager)}: the least lies above the most.", f"least-{wager}")
    if limits == dict(now.opened.limits):
        raise ActionRejected("These are the limits now: change one.")
    settings = {name: to_builtins(getattr(now.opened, name)) for name in (*SETTINGS, "shifts")}
    settings = {name: value for name, value in settings.items() if value is not None}
    settings |= {"limits": {wager: list(bounds) for wager, bounds in limits.items()}, "continues": True}
    record(
        by, property, [table_fact("table-opened", property, table, now.day, uid=uid, by=by.id, **settings)]
    )


def _wager(name: str) -> str:
    return "Every wager" if name == "*" else name.capitalize()


@dataclass(frozen=True)
class Difference:
    """An opener against what was counted at the table before, and what the property's controls ask for."""

    last: queries.Closer
    amount: int
    duties: list[str]


def difference(property: str, last: queries.Closer | None, amount: int, currency: str) -> Difference | None:
    """None where there is no closer to compare with, or the opener is the same."""
    if last is None or last.currency != currency or amount == last.counted.amount:
        return None
    apart = amount - last.counted.amount
    return Difference(last, apart, duties(property, abs(apart), currency))


def duties(property: str, apart: int, currency: str) -> list[str]:
    """What a difference asks for: always to be told, and what the register `thresholds`, key
    `opening-difference`, adds from its amount.
    """
    asked = ["Tell the shift manager, security and surveillance, whatever the amount."]
    entry = threshold(property, "opening-difference")
    least = threshold_amounts(property, "opening-difference")(gaming_day(property), currency)
    if least is not None and apart >= least:
        asked.append(
            f"From {money(ceil(least), currency)} {currency}:"
            f" {entry.said.get('duty') or 'a signed report is due'}."
        )
    return asked


class Tray(NamedTuple):
    """A tray as it was counted: pieces by denomination, `by` the dealer who counts and the `second` who
    watches.

    Either of them may be logged in. `stands`: counted again, a difference and all.
    """

    kind: str
    chips: dict[str, int]
    by: Person
    second: Person
    stands: bool = False


@_one_by_one
def count_tray(by: Person, property: str, table: str, tray: Tray, uid: str) -> Difference | None:
    """Record an opener or a closer, signed by two of whom one is logged in. Gives how an opener differs from
    the last closer.

    A closer is counted again also after the table is shut, in the same shift and until its day is closed: the
    last count stands. Raises ActionRejected, also for an opener that differs and was not counted again: then
    `field` is `stands`.
    """
    require(by, "count-tray", property)
    require(tray.by, "count-chips", property)
    require(tray.second, "open-table", property)
    now = _closer_again(property, table) if tray.kind == CLOSER else None
    now = now or _open(property, table)
    require_tray(table, now.opened.game)
    if by.id not in (tray.by.id, tray.second.id):
        raise ActionRejected(
            "One of the two signatures is yours: whoever is logged in counts or watches.", "supervisor"
        )
    if tray.by.id == tray.second.id:
        raise ActionRejected("Two people sign a tray.", "supervisor")
    if not tray.chips:
        raise ActionRejected("Nothing is counted: type the pieces of each denomination.")
    amount, apart = total_value(tray.chips), None
    if tray.kind == OPENER:
        last = queries.last_closer(property, table, gaming_day(property), now.opened.currency)
        apart = difference(property, last, amount, now.opened.currency)
        if apart is not None and not tray.stands:
            raise ActionRejected(_differs(apart, now.opened.currency), "stands")
    counted = {"chips": tray.chips, "amount": amount, "by": tray.by.id, "second": tray.second.id}
    record(by, property, [table_fact(tray.kind, property, table, now.day, uid=uid, **counted)])
    return apart


def _closer_again(property: str, table: str) -> Now | None:
    """A table that is shut while its closer may be counted again; None where it is not. In another shift it
    would be one closer more.
    """
    now = queries.table(property, table, gaming_day(property))
    if now is None or now.is_open or now.sealed or now.closer is None or not now.counted_since:
        return None
    if shift_of(now.opened, now.closer.at) != shift_of(now.opened, timezone.now()):
        raise ActionRejected(
            f"{table} is shut, and the shift of its closer is over: an adjustment signed by two sets it"
            " right."
        )
    return now


def _differs(apart: Difference, currency: str) -> str:
    more = "more" if apart.amount > 0 else "less"
    differs = (
        f"The opener is {money(abs(apart.amount), currency)} {more} than the last closer,"
        f" {apart.last.stream.partition('/')[2]}."
    )
    return (
        f"{differs} Count again; if the difference stands, say so below and both sign."
        f" {' '.join(apart.duties)}"
    )


def _of(board: list[Now], property: str, table: str) -> Now | None:
    return next((now for now in board if now.table == f"{property}/{table}"), None)


def _open(property: str, table: str) -> Now:
    now = queries.table(property, table, gaming_day(property))
    if now is None or not now.is_open:
        raise ActionRejected(f"{table} is not open: open it first.")
    return now


def _between_rounds(now: Now, table: str, done: str) -> None:
    if now.round:
        raise ActionRejected(f"Hand {now.round} is in play at {table}: a table is {done} between two hands.")
