"""Store the results of replay. No other module writes findings, tallies and examinations."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from msgspec import json

from audit import database
from audit.facts import RegisterSet
from audit.findings import duplicate_serials
from audit.replay.checks.drop import Drop
from audit.replay.fold import Fold
from audit.replay.ledger_fold import LedgerFold, LedgerState
from audit.replay.results import DIVIDED, Finding, Play, Tally
from audit.replay.tally import Slip, serial_of
from audit.review import projections
from games import GAMES


class Kept(NamedTuple):
    """How far a stream or a ledger was read, by which rules, and the state from which the next reading
    continues.
    """

    cursor: int
    rules: str
    game: str
    state: bytes | None


class Change(NamedTuple):
    """Ids of findings that are new, and of findings that today's rules no longer yield."""

    gained: tuple[str, ...]
    lost: tuple[str, ...]
    notices: int


def behind(everything: bool) -> list[tuple[str, str]]:
    """Return (property, stream) of every stream with facts that have not been examined; with `everything`, of
    every stream.
    """
    rows = database.rows(
        """SELECT s.property, s.name FROM stream s LEFT JOIN examination x ON x.property = s.property
            AND x.stream = s.name
           WHERE %s OR s.number > coalesce(x.cursor, 0) ORDER BY 1, 2""",
        [everything],
    )
    return [(row[0], row[1]) for row in rows]


def ledgers_behind(everything: bool) -> list[str]:
    """Return every property whose ledger has grown since it was last read; with `everything`, every
    property.
    """
    rows = database.rows(
        """SELECT h.property FROM head h LEFT JOIN ledger_examination x USING (property)
           WHERE %s OR h.position > coalesce(x.cursor, 0) ORDER BY 1""",
        [everything],
    )
    return [row[0] for row in rows]


def lock_stream(property: str, stream: str) -> Kept:
    """Lock a stream's examination for this transaction, so that another process that examines it waits, and
    return how far it was read.
    """
    table, _, day = stream.rpartition("/")
    database.execute(
        'INSERT INTO examination (property, stream, "table", day) VALUES (%s, %s, %s, %s) ON CONFLICT DO'
        " NOTHING",
        [property, stream, table, date.fromisoformat(day)],
    )
    row = database.rows(
        "SELECT cursor, rules, game, state FROM examination WHERE property = %s AND stream = %s FOR UPDATE",
        [property, stream],
    )[0]
    return Kept(row[0], row[1], row[2], None if row[3] is None else bytes(row[3]))


def lock_ledger(property: str) -> Kept:
    """Lock the examination of a property's ledger and return how far it was read."""
    database.execute(
        "INSERT INTO ledger_examination (property) VALUES (%s) ON CONFLICT DO NOTHING", [property]
    )
    row = database.rows(
        "SELECT cursor, rules, state FROM ledger_examination WHERE property = %s FOR UPDATE", [property]
    )[0]
    return Kept(row[0], row[1], "", None if row[2] is None else bytes(row[2]))


def keep_stream(
    property: str,
    stream: str,
    fold: Fold,
    state: bytes | None,
    rules: str,
    *,
    before: bytes | None,
    queued: bool = True,
) -> Change:
    """Store findings, tally, cursor and state of a stream that was read on from the state `before`; None:
    read from its start, so everything stored is replaced.

    Without `queued`, neither the officers' queue nor the table of duplicate serials is updated, because both
    span all streams.
    """
    whole = before is None
    change = _keep_findings(
        property, "table", list(fold.findings.values()), stream=stream, whole=whole, queued=queued
    )
    known = Fold(stream, before) if before is not None else None
    _keep_tally(property, stream, fold.tally, known.tally if known is not None else None)
    serials = _keep_slips(
        property, stream, fold.state.slips, known.state.slips if known is not None else None
    )
    database.execute(
        _EXAMINED,
        _examination(fold) | {"property": property, "stream": stream, "rules": rules, "state": state},
    )
    if queued:
        duplicate_serials.note(property, serials)
    return change


def _examination(fold: Fold) -> dict[str, Any]:
    """Return the columns that are stored for a stream's examination, apart from its sums."""
    opened = fold.state.opened
    game = GAMES.get(opened.game) if opened is not None else None
    live_dealer = game is not None and game.live_dealer
    return {
        "cursor": fold.number,
        "opened": opened is not None,
        "game": opened.game if opened is not None else "",
        "live_dealer": live_dealer,
        "settings": json.encode(fold.state.settings).decode(),
        "open_boxes": next((len(check.missing()) for check in fold.checks if isinstance(check, Drop)), 0),
        "boxes": None if live_dealer else _boxes(fold),
        "stays": fold.state.boxes.stays and not live_dealer,
        "first_box": fold.state.boxes.first or "",
    }


# The inner queries name the property too: Postgres then plans for its partition and not for every one.
_EXAMINED = """
    UPDATE examination x SET
        cursor = %(cursor)s, rules = %(rules)s, game = %(game)s, live_dealer = %(live_dealer)s,
        settings = %(settings)s, open_boxes = %(open_boxes)s, boxes = %(boxes)s, stays = %(stays)s,
        first_box = %(first_box)s, state = %(state)s,
        late = CASE WHEN x.cursor = 0 THEN EXISTS (
            SELECT FROM stream s
            JOIN fact day_end ON day_end.property = %(property)s AND day_end.stream = s.name
                AND day_end.number = s.number
            JOIN fact begun ON begun.property = %(property)s AND begun.stream = %(stream)s
                AND begun.number = 1
            WHERE s.property = %(property)s AND s.name > x.stream COLLATE "C"
                AND s.name < (x."table" || '/:') COLLATE "C"
                AND %(opened)s AND s.sealed AND day_end.position < begun.position) ELSE late END,
        closed = (
            SELECT f.position FROM stream s
            JOIN fact f ON f.property = %(property)s AND f.stream = s.name AND f.number = s.number
            WHERE s.property = %(property)s AND s.name = %(stream)s AND s.sealed AND s.number = %(cursor)s)
    WHERE property = %(property)s AND stream = %(stream)s"""


def _boxes(fold: Fold) -> int | None:
    """Return how many boxes the table's day has; None if no fact of cage or count room was recorded."""
    kinds = {kind for _, _, kind in fold.tally.cage} - {"corrected"}
    return fold.state.boxes.number if kinds else None


def keep_ledger(property: str, fold: LedgerFold, rules: str, *, whole: bool, queued: bool = True) -> Change:
    """Store findings, cursor and state of a property's ledger fold."""
    change = _keep_findings(
        property, "ledger", list(fold.findings.values()), stream=None, whole=whole, queued=queued
    )
    database.execute(
        "UPDATE ledger_examination SET cursor = %s, rules = %s, state = %s WHERE property = %s",
        [fold.state.position, rules, fold.keep(), property],
    )
    return change


def register_entries(property: str) -> list[RegisterSet]:
    """Return the register entries by which the property's ledger was last judged."""
    rows = database.rows(
        "SELECT state FROM ledger_examination WHERE property = %s AND state IS NOT NULL", [property]
    )
    return LedgerState.read(bytes(rows[0][0])).entries if rows else []


def cursor_of(property: str, stream: str) -> int:
    """Return the number up to which a stream has been examined."""
    rows = database.rows(
        "SELECT cursor FROM examination WHERE property = %s AND stream = %s", [property, stream]
    )
    return rows[0][0] if rows else 0


def ledger_position(property: str) -> int:
    """Return the position of the property's last fact."""
    position: int = database.rows("SELECT position FROM head WHERE property = %s", [property])[0][0]
    return position


_FINDING = """INSERT INTO finding
    (property, id, stream, number, uid, reader, round, code, grade, spot, wager, owed, moved, says, cite,
        slip)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (property, id) DO UPDATE SET round = excluded.round, grade = excluded.grade,
        owed = excluded.owed, moved = excluded.moved,
        says = excluded.says, cite = excluded.cite, slip = excluded.slip"""


def _keep_findings(
    property: str, reader: str, found: list[Finding], *, stream: str | None, whole: bool, queued: bool
) -> Change:
    """Write the findings of one reader and return what changed. With `whole`, these are all its findings, so
    any other stored one is lost.
    """
    where, values = "property = %s AND reader = %s", [property, reader]
    if stream is not None:
        where, values = f"{where} AND stream = %s", [*values, stream]
    if whole:
        known = {row[0] for row in database.rows(f"SELECT id FROM finding WHERE {where}", values)}
    else:
        known = {
            row[0]
            for row in database.rows(
                "SELECT id FROM finding WHERE property = %s AND id = ANY(%s)",
                [property, [one.id for one in found]],
            )
        }
    database.execute_many(_FINDING, (_row(property, reader, one) for one in found))
    lost = known - {one.id for one in found} if whole else set()
    hands = {(one.stream, projections.hand_of(one.round, one.number)) for one in found}
    if lost:
        gone = database.rows(
            f"DELETE FROM finding WHERE {where} AND id = ANY(%s) RETURNING stream, round, number",
            [*values, sorted(lost)],
        )
        hands |= {(of, projections.hand_of(round, number)) for of, round, number in gone}
    if queued:
        projections.queue(property, hands)
    gained = [one for one in found if one.id not in known]
    return Change(
        tuple(sorted(one.id for one in gained)),
        tuple(sorted(lost)),
        sum(one.grade == "notice" for one in gained),
    )


def _row(property: str, reader: str, one: Finding) -> tuple[Any, ...]:
    owed, moved = (None if amount is None else str(amount) for amount in (one.owed, one.moved))
    return (
        property,
        one.id,
        one.stream,
        one.number,
        one.uid,
        reader,
        one.round,
        one.code,
        one.grade,
        one.spot,
        one.wager,
        owed,
        moved,
        one.says,
        one.cite,
        one.slip,
    )


_SUMS = ("rounds", "bets", "staked", "paid", "taken", "returned")
_BESIDES = ("squared", "together", "voided", "decided", *DIVIDED, "parts")
_OF_PLAY = (*_SUMS, *_BESIDES)
_PLAY = ("currency", "shift", "hour", "dealer", "wager", "pay_table", "price_class", "opening")
_CAGE = ("currency", "shift", "kind")
_PLAYER = ("currency", "player", "wager")
_SLIP = ("kind", "slip", "currency", "shift", "number", "amount", "stands")
_TRAY = ("place", "kind", "currency", "shift", "amount")
_VOID = (
    "number",
    "spot",
    "wager",
    "round",
    "shift",
    "hour",
    "dealer",
    "currency",
    "stake",
    "refunded",
    "worth",
)


def _keep_tally(property: str, stream: str, tally: Tally, before: Tally | None) -> None:
    """Write the rows of a tally that have changed since `before`; None: replace all stored rows."""
    if before is None:
        for table in ("tally", "cage_tally", "player_tally", "tray_tally", "void_tally"):
            database.execute(f"DELETE FROM {table} WHERE property = %s AND stream = %s", [property, stream])
        before = Tally()
    head = (property, stream)
    play = [
        (*head, *key, *_sums(row), *(getattr(row, name) for name in _BESIDES), row.found)
        for key, row in tally.play.items()
        if before.play.get(key) != row
    ]
    cage = [
        (*head, *key, row.number, row.amount)
        for key, row in tally.cage.items()
        if before.cage.get(key) != row
    ]
    players = [
        (*head, *key, *_sums(row)) for key, row in tally.players.items() if before.players.get(key) != row
    ]
    known = dict(enumerate(before.trays, 1))
    trays = [(*head, place, *tray) for place, tray in enumerate(tally.trays, 1) if known.get(place) != tray]
    _put("tally", _PLAY, (*_OF_PLAY, "found"), play)
    _put("cage_tally", _CAGE, ("number", "amount"), cage)
    _put("player_tally", _PLAYER, _SUMS, players)
    _put("tray_tally", _TRAY[:1], _TRAY[1:], trays)
    voids = [
        (*head, *(getattr(void, name) for name in _VOID[:-1]), _text(void.worth))
        for void in tally.voids[len(before.voids) :]
    ]
    _put("void_tally", _VOID[:3], _VOID[3:], voids)


def _keep_slips(
    property: str, stream: str, slips: dict[str, Slip], before: dict[str, Slip] | None
) -> set[str]:
    """Store the changed sums of the slips that a stream has named.

    Return the serials of those that were written.
    """
    if before is None:
        database.execute("DELETE FROM slip_tally WHERE property = %s AND stream = %s", [property, stream])
        before = {}
    head = (property, stream)
    rows = [
        (*head, slip.kind, serial_of(name), slip.currency, slip.shift, slip.number, slip.shown, slip.stands)
        for name, slip in slips.items()
        if before.get(name) != slip
    ]
    _put("slip_tally", _SLIP[:3], _SLIP[3:], rows)
    return {row[3] for row in rows}


def _text(amount: int | str | None) -> str | None:
    return None if amount is None else str(amount)


def _sums(row: Play) -> tuple[int, ...]:
    return (row.rounds, row.bets, row.staked, row.paid, row.taken, row.returned)


_TYPES = {
    **dict.fromkeys((*_OF_PLAY, "number", "amount", "stake", "refunded"), "::numeric"),
    **dict.fromkeys(("opening", "place"), "::integer"),
    "stands": "::boolean",
}


def _put(table: str, key: Sequence[str], values: Sequence[str], rows: list[tuple[Any, ...]]) -> None:
    """Insert or replace whole rows in one statement, because a day has hundreds of them."""
    if not rows:
        return
    keys = ["property", "stream", *key]
    names = [*keys, *values]
    cells = ", ".join(f"({_cell(name, place)}) AS {name}" for place, name in enumerate(names))
    sets = ", ".join(f"{name} = excluded.{name}" for name in values)
    database.execute(
        f"""INSERT INTO {table} ({", ".join(names)}) SELECT {cells} FROM jsonb_array_elements(%s::jsonb) AS r
            ON CONFLICT ({", ".join(keys)}) DO UPDATE SET {sets}""",
        [json.encode(rows).decode()],
    )


def _cell(name: str, place: int) -> str:
    """Return SQL that reads a value from its row's JSON: sums as exact numbers, the findings by code
    unchanged.
    """
    if name == "found":
        return f"r -> {place}"
    return f"(r ->> {place}){_TYPES[name]}" if name in _TYPES else f"r ->> {place}"
