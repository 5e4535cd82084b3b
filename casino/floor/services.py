"""Record the floor's actions as facts: open and close tables, seat people, set limits, count trays.

Each function checks the permission and the mistakes that a page can report at once, and then records the
fact. Replay checks all other rules, and makes findings of violations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from msgspec import to_builtins

from audit.queries import floor as queries
from audit.queries.floor import Now
from casino.accounts.permissions import require
from casino.models import Person, roles_of
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import day_label, money, wager_label
from casino.reference import calendar
from casino.reference.calendar import gaming_day
from casino.reference.registers import values_on
from casino.web.property_turn import in_turn
from casino.web.recording import Fact, record, table_fact

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
"""Fields of the fact `table-opened` that are settings of the table."""
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def in_turn_of_property(
    act: Callable[Concatenate[Person, str, Arguments], Result],
) -> Callable[Concatenate[Person, str, Arguments], Result]:
    """Return the action as a function that runs under the property's lock. What the action has checked can
    then not change before it records its fact.
    """

    @wraps(act)
    def run(by: Person, property: str, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        with in_turn(property):
            return act(by, property, *args, **kwargs)

    return run


class Opening(NamedTuple):
    """The settings with which a table would be opened.

    Attributes:
        of_register: True if they come from the register `tables`. If it is False, they are the settings of
            the table's last opening.
    """

    settings: dict[str, Any]
    of_register: bool


def opening_of(property: str, table: str, day: date, last: Now | None) -> Opening | None:
    """Return the settings with which a table would be opened on this gaming day. They come from the register
    `tables`. If its entry does not name a game, the settings of the table's last opening are used. Return
    None if neither has settings.
    """
    entry = values_on(property, "tables", day).get(table)
    before = {} if last is None else {name: to_builtins(getattr(last.opened, name)) for name in SETTINGS}
    if not isinstance(entry, dict) or "game" not in entry:
        return Opening(before, False) if before else None
    own = values_on(property, "property", day).get("*")
    defaults: dict[str, Any] = {"pay_tables": {}, "decks": 0, "spots": 0, "readings": {}, "sees": []}
    defaults["currency"] = (own.get("currency") if isinstance(own, dict) else None) or before.get("currency")
    settings = defaults | {name: entry[name] for name in SETTINGS if name in entry}
    missing = [name for name in SETTINGS if settings.get(name) is None]
    if missing:
        raise ActionRejected(
            f"The register of tables does not name {', '.join(missing)} of {table}. Ask an administrator to"
            " enter it."
        )
    return Opening(settings, True)


class Seat(NamedTuple):
    """The dealer and the supervisor of a table."""

    dealer: str
    supervisor: str


def why_not_opened(table: str, day: date, state: Now | None) -> str:
    """Return the reason why a table in this state cannot be opened on a gaming day, or empty text if it
    can.
    """
    try:
        require_openable(table, day, state)
    except ActionRejected as refusal:
        return str(refusal)
    return ""


def require_openable(table: str, day: date, state: Now | None) -> None:
    """Raise ActionRejected if a table in this state cannot be opened on a gaming day."""
    if state is None or state.day < day:
        return
    if state.is_open:
        raise ActionRejected(f"{table} is already open.")
    if state.sealed:
        raise ActionRejected(
            f"The gaming day {day_label(state.day)} of {table} is closed. Open the table on the next gaming"
            " day."
        )


@in_turn_of_property
def open_table(
    by: Person, property: str, table: str, seat: Seat, uid: str, *, continues: bool = False
) -> None:
    """Open a table on the current gaming day, with the settings of the register, and seat its first dealer.

    A table that is still open on an earlier gaming day is first closed on that day, between two rounds.

    Args:
        by: who opens it.
        property: the casino.
        table: the table.
        seat: the first dealer and supervisor.
        uid: the uid for the fact `table-opened`.
        continues: True if the shoe is continued without a shuffle.

    Raises:
        ActionRejected: the table cannot be opened, or the people cannot be seated.
        PermissionDenied: the user may not open tables.
    """
    require(by, "open-table", property)
    day = gaming_day(property)
    board = queries.board(property, day)
    state = _find(board, property, table)
    facts = []
    require_openable(table, day, state)
    if state is not None and state.is_open:
        _require_closable(state, table)
        facts.append(table_fact("table-closed", property, table, state.day, by=by.id))
    opening = opening_of(property, table, day, state)
    if opening is None:
        raise ActionRejected(
            f"Neither the register of tables nor an earlier day names the game of {table}. Ask an"
            " administrator to enter it."
        )
    _require_seatable(property, day, {table: seat}, board)
    shifts = {name: at.isoformat() for name, at in calendar.shifts(property, day).items()}
    settings = (
        opening.settings | ({"shifts": shifts} if shifts else {}) | ({"continues": True} if continues else {})
    )
    facts.append(table_fact("table-opened", property, table, day, uid=uid, by=by.id, **settings))
    facts.append(table_fact("dealer-seated", property, table, day, by=by.id, **seat._asdict()))
    record(by, property, facts)


@in_turn_of_property
def close_table(by: Person, property: str, table: str, uid: str) -> None:
    """Close a table. No round may be in play, and the closer must have been counted. After the close, facts
    of cage and count room can still be recorded on the table's gaming day.
    """
    require(by, "open-table", property)
    state = require_open(property, table)
    _require_closable(state, table)
    record(by, property, [table_fact("table-closed", property, table, state.day, uid=uid, by=by.id)])


def _require_closable(state: Now, table: str) -> None:
    _require_between_rounds(state, table, "closed")
    if state.opener is not None and not state.counted_since:
        raise ActionRejected(
            f"The tray of {table} has not been counted since it was opened. Count the closer first."
        )


def seat_of(state: Now | None) -> Seat:
    """Return the people who are seated at a table now, or two empty staff IDs if nobody is."""
    return (
        Seat("", "")
        if state is None or state.seated is None
        else Seat(state.seated.dealer, state.seated.supervisor)
    )


def _seats_changed(table: str, current: Seat) -> ActionRejected:
    """Return the error for a seat that another user has changed since the page was loaded."""
    says = (
        f"{current.dealer} is the dealer now and {current.supervisor} the supervisor"
        if current.dealer
        else "nobody is seated there now"
    )
    return ActionRejected(
        f"{table}: the seats were changed after this page was loaded: {says}. Check the seats"
        " and submit again.",
        "dealer",
    )


@in_turn_of_property
def seat(
    by: Person,
    property: str,
    seats: Mapping[str, Seat],
    uid: str,
    *,
    before: Mapping[str, Seat] | None = None,
) -> None:
    """Seat dealers and supervisors at one table or at several, as in a rotation or a change of shift. Either
    all of them are seated, or nothing is recorded.

    Args:
        by: who seats them.
        property: the casino.
        seats: for each table, the people to be seated.
        uid: the uid for the first fact.
        before: for each table, the people who sat there when the page was loaded. If others
            sit there now, nothing is recorded.

    Raises:
        ActionRejected: a table is closed, nothing changes, or somebody cannot be seated.
        PermissionDenied: the user may not seat people.
    """
    require(by, "seat-dealer", property)
    day = gaming_day(property)
    board = queries.board(property, day)
    facts: list[Fact] = []
    for table, wanted in seats.items():
        state = _find(board, property, table)
        if state is None or not state.is_open:
            raise ActionRejected(f"{table} is not open. Open it before you seat a dealer.")
        if before is not None and table in before and before[table] != (current := seat_of(state)):
            raise _seats_changed(table, current)
        if state.seated is None or (state.seated.dealer, state.seated.supervisor) != wanted:
            identity = {"uid": uid} if not facts else {}
            facts.append(
                table_fact(
                    "dealer-seated", property, table, state.day, **identity, by=by.id, **wanted._asdict()
                )
            )
    if not facts:
        raise ActionRejected("No change. Enter another dealer or supervisor.", "dealer")
    _require_seatable(property, day, seats, board)
    record(by, property, facts)


def _require_seatable(property: str, day: date, seats: Mapping[str, Seat], board: list[Now]) -> None:
    """Raise ActionRejected if a person does not have the role in the register, would supervise the table at
    which they deal, or would deal at two tables.
    """
    people = values_on(property, "people", day)
    after = {
        state.table.partition("/")[2]: state.seated.dealer
        for state in board
        if state.is_open and state.seated is not None
    }
    after |= {table: seat.dealer for table, seat in seats.items()}
    for table, seat in seats.items():
        for field, id in seat._asdict().items():
            if not id:
                raise ActionRejected(f"{table}: choose a {field}.", field)
            if field not in roles_of(people.get(id)):
                raise ActionRejected(
                    f"{table}: {id} is not a {field} in the register of people today.", field
                )
        if seat.dealer == seat.supervisor:
            raise ActionRejected(
                f"{table}: {seat.dealer} cannot supervise a table they are dealing.", "supervisor"
            )
        other = next((code for code, dealer in after.items() if dealer == seat.dealer and code != table), "")
        if other:
            says = (
                f"{seat.dealer} deals at {other}. Seat another dealer there first, or change both tables at"
                " once under Change of shift."
            )
            raise ActionRejected(f"{table}: {says}", "dealer")


Limits = dict[str, tuple[int, int]]


def limits_of(state: Now) -> Limits:
    """Return the current limits of a table, in minor units."""
    return {wager: (low, high) for wager, (low, high) in state.opened.limits.items()}


@in_turn_of_property
def set_limits(
    by: Person, property: str, table: str, limits: Limits, uid: str, *, before: Limits | None = None
) -> None:
    """Set the limits of a table's wagers. They apply from the next round on. The table is opened again with
    all other settings unchanged, and its shoe continues.

    Args:
        by: who sets them.
        property: the casino.
        table: the table.
        limits: for each wager, its minimum and maximum in minor units.
        uid: the uid for the fact.
        before: the limits when the page was loaded. If others are in force now, nothing is recorded.

    Raises:
        ActionRejected: the limits are wrong or changed meanwhile, or a hand is in play.
        PermissionDenied: the user may not set limits.
    """
    require(by, "set-limits", property)
    state = require_open(property, table)
    currency = state.opened.currency
    if before is not None and before != limits_of(state):
        says = "; ".join(
            f"{_wager_label(wager).lower()} {money(low, currency)} to {money(high, currency)}"
            for wager, (low, high) in limits_of(state).items()
        )
        raise ActionRejected(
            f"The limits were changed after this page was loaded: {says}. Check the limits and submit"
            " yours again."
        )
    _require_between_rounds(state, table, "given new limits")
    for wager, (low, high) in limits.items():
        if low % state.opened.chip or high % state.opened.chip:
            raise ActionRejected(
                f"{_wager_label(wager)}: limits must be whole chips of {money(state.opened.chip, currency)}.",
                f"least-{wager}",
            )
        if low > high:
            raise ActionRejected(
                f"{_wager_label(wager)}: the minimum is above the maximum.", f"least-{wager}"
            )
    if limits == dict(state.opened.limits):
        raise ActionRejected("No change. Enter another limit.")
    settings = {name: to_builtins(getattr(state.opened, name)) for name in (*SETTINGS, "shifts")}
    settings = {name: value for name, value in settings.items() if value is not None}
    settings |= {"limits": {wager: list(bounds) for wager, bounds in limits.items()}, "continues": True}
    record(
        by, property, [table_fact("table-opened", property, table, state.day, uid=uid, by=by.id, **settings)]
    )


def _wager_label(name: str) -> str:
    return "Every wager" if name == "*" else wager_label(name)


def _find(board: list[Now], property: str, table: str) -> Now | None:
    return next((state for state in board if state.table == f"{property}/{table}"), None)


def require_open(property: str, table: str) -> Now:
    state = queries.table(property, table, gaming_day(property))
    if state is None or not state.is_open:
        raise ActionRejected(f"{table} is not open. Open it first.")
    return state


def _require_between_rounds(state: Now, table: str, action: str) -> None:
    if state.round:
        raise ActionRejected(
            f"Hand {state.round} is in play at {table}: a table can only be {action} between two hands."
        )
