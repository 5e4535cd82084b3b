"""Validate one fact without the ledger. The append function of the ledger validates everything that depends
on other facts.

Validation does not judge play: a die of 7 or a spot 99 passes here and is detected by replay. Facts that
cannot be understood are rejected: they have a word that is not on its list (`closed_lists.py`), or an
identifier that is not in its accepted form (`identifiers.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple, Union
from uuid import UUID

from msgspec import DecodeError, ValidationError, convert, json

from audit.facts import refusal_reasons
from audit.facts.chain import leaf_of
from audit.facts.closed_lists import refuse_disposition, refuse_entry, refuse_settings, refuse_words
from audit.facts.codec import canonical, decode, newest
from audit.facts.identifiers import refuse_long, refuse_spellings
from audit.facts.kinds import HOUSE_KINDS, Adjusted, RegisterSet, VerdictGiven
from audit.facts.queue_kinds import HandSnoozed
from audit.facts.refusal_reasons import Refused
from audit.facts.timestamps import cut_clocks, more_clocks, refuse_offsets
from games import GAMES
from games.kit.events import Corrected, Event, ReadCorrected, TableOpened

DEPTH = 8
"""Maximum levels of nested objects and lists. The fact itself is the first level."""
LINE_BYTES = 64 * 1024
WINDOW_BYTES = 4 * 1024 * 1024
"""Maximum bytes of a fact that has a whole betting window or its settlement."""
WINDOW_KINDS = frozenset({"bets", "settled"})
NAME_LETTERS = 100
"""Maximum length of the name of a property or a table, in characters. Keys of the database contain both."""
HOUSE = "house"
LAST_YEAR = 9999
_NO_CALENDAR = (
    "a time in the first or last year of the calendar, or on the day next to it, cannot be shown in all time"
    " zones"
)

_Scalar = Union[int, str, bool, None]  # noqa: UP007 - grows in the loop
_Inner = _Scalar
for _ in range(DEPTH - 1):
    _Inner = Union[_Scalar, list[_Inner], dict[str, _Inner]]  # type: ignore[misc]  # noqa: UP007
# The type excludes floats and a ninth level, so that the decoder itself rejects both, at full speed.
_strict: Callable[[bytes], dict[str, Any]] = json.Decoder(dict[str, _Inner]).decode


class Prepared(NamedTuple):
    """A validated fact: the fields that the ledger needs, and the canonical bytes that it will store."""

    uid: UUID
    property: str
    stream: str
    kind: str
    round: str | None
    body: bytes
    leaf: bytes
    notes: tuple[str, ...] = ()
    """One sentence for each value that was recorded in another form than it was sent."""


def check(line: bytes) -> Prepared:
    """Validate one fact as it was sent, and return it prepared for the ledger.

    Raises Refused if the fact can be rejected without the ledger. The error names the fact, the field and the
    reason.
    """
    if len(line) > LINE_BYTES:
        _check_length(line)
    try:
        fact = _strict(line)
    except (DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise refusal_reasons.unreadable(line, error, DEPTH) from None
    if b"\\u0000" in line:  # an escaped backslash before u0000 matches too, which is harmless
        refusal_reasons.refuse_nul(fact)
    notes = cut_clocks(fact)
    body = canonical(fact)
    try:
        event = decode(body)
    except ValidationError as error:
        raise refusal_reasons.mistyped(fact, error) from None
    kind: str = fact["kind"]
    try:
        if len(event.uid) != 36:
            raise ValidationError
        uid = convert(event.uid, UUID)
    except ValidationError:
        raise _refuse(event, "uid", "not-a-uuid", f"{event.uid[:60]!r} is not a UUID") from None
    refuse_long(kind, fact, body)
    refuse_spellings(kind, fact, body)
    refuse_words(kind, fact)
    if event.v > 1 and event.v > newest(kind):
        raise _refuse(event, "v", "unknown-schema", f"{kind} has no schema number {event.v}")
    if not (1 < event.at.year < LAST_YEAR and 1 < event.day.year < LAST_YEAR):
        raise _refuse(event, "day" if 1 < event.at.year < LAST_YEAR else "at", "out-of-range", _NO_CALENDAR)
    refuse_offsets(event, fact)
    if event.round is not None and event.round[:1] == "#":
        raise _refuse(
            event,
            "round",
            "round-name",
            "the name of a round must not begin with #, which marks facts outside all rounds",
        )
    if rule := _RULES.get(kind):
        rule(event)
    try:
        at = _place(event.table, event.day, kind in HOUSE_KINDS, kind)
    except Refused as refused:
        refused.uid = event.uid
        raise
    return Prepared(uid, at[0], at[1], kind, event.round, body, leaf_of(body), notes)


def _refuse(event: Event, field: str, code: str, reason: str) -> Refused:
    return Refused(code, reason, field=field, uid=event.uid)


def _check_length(line: bytes) -> None:
    """Raise Refused if a line is too long. Only a betting window may be long; its kind is read from the line
    before the line is decoded.
    """
    kind = None
    if len(line) <= WINDOW_BYTES:
        try:
            kind = _strict(line).get("kind")
        except (DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise refusal_reasons.unreadable(line, error, DEPTH) from None
    if kind not in WINDOW_KINDS:
        limit = WINDOW_BYTES if len(line) > WINDOW_BYTES else LINE_BYTES
        raise Refused(
            "line-too-long",
            f"the line has {len(line)} bytes, at most {limit} are allowed",
            uid=refusal_reasons.uid_in(line),
        )


@lru_cache(maxsize=4096)
def _place(table: str, day: date, of_the_house: bool, kind: str) -> tuple[str, str]:
    """Return property and stream of a fact. The result is cached, because most facts are of the same few
    tables.
    """
    parts = table.split("/")
    if len(parts) != 2 or not all(map(_is_a_name, parts)):
        reason = f"write PROPERTY/TABLE, each with 1 to {NAME_LETTERS} characters, not {table[:60]!r}"
        raise Refused("not-a-table", reason, field="table")
    if (parts[1] == HOUSE) != of_the_house:
        placement = (
            f"is recorded only in {parts[0]}/{HOUSE}"
            if of_the_house
            else "is not recorded in the property's own stream"
        )
        raise Refused("wrong-stream", f"{kind} {placement}", field="table")
    return parts[0], f"{table}/{day.isoformat()}"


def is_a_table(code: str) -> bool:
    """Return True if a table may have this code. The code is part of the name of the table's streams, so it
    must differ from the name of the property's own stream.
    """
    return _is_a_name(code) and "/" not in code and code != HOUSE


def _is_a_name(part: str) -> bool:
    return 0 < len(part) <= NAME_LETTERS and part.isprintable() and part == part.strip()


def _check_game(event: Event) -> None:
    """Raise Refused if a table-opened names a game, edition, pay table or setting that this release does not
    have. Replay could never judge such a stream.
    """
    assert isinstance(event, TableOpened)
    if any(not 1 < begins.year < LAST_YEAR for begins in (event.shifts or {}).values()):
        raise _refuse(event, "shifts", "out-of-range", _NO_CALENDAR)
    game = GAMES.get(event.game)
    if game is None:
        raise _refuse(event, "game", "unknown-game", f"there is no game {event.game[:60]!r}")
    if event.edition not in game.editions:
        raise _refuse(
            event, "edition", "unknown-edition", f"{event.game} has no edition {event.edition[:60]!r}"
        )
    for wager in game.pay_tables:
        if wager not in event.pay_tables:
            raise _refuse(
                event, "pay_tables", "missing-pay-table", f"{event.game} needs a pay table for {wager}"
            )
    for wager, name in event.pay_tables.items():
        if name not in game.pay_tables.get(wager, ()):
            reason = f"{event.game} has no pay table {name[:60]!r} for {wager[:60]!r}"
            raise _refuse(event, "pay_tables", "unknown-pay-table", reason)
    refuse_settings(event, game)


def _check_moved(event: Event) -> None:
    """Raise Refused if a correction or an adjustment has the amount 0."""
    assert isinstance(event, Corrected | Adjusted)
    if event.amount == 0:
        raise _refuse(event, "amount", "out-of-range", "the amount must not be 0")


def _check_verdict(event: Event) -> None:
    assert isinstance(event, VerdictGiven)
    refuse_disposition(event)


def _check_clocks(event: Event) -> None:
    for field, at in more_clocks(event):
        if not 1 < at.year < LAST_YEAR:
            raise _refuse(event, field, "out-of-range", _NO_CALENDAR)


def _check_entry(event: Event) -> None:
    assert isinstance(event, RegisterSet)
    refuse_entry(event)


def _check_round(event: Event) -> None:
    if event.round is None:
        raise _refuse(event, "round", "missing-field", "a round must be named when it is opened or closed")


def _check_reading(event: Event) -> None:
    """Raise Refused if a corrected reading does not have exactly one of `card` and `dice`."""
    assert isinstance(event, ReadCorrected)
    if (event.card is None) == (event.dice is None):
        raise _refuse(
            event, "card", "missing-field", "a corrected reading has either a card or dice, and not both"
        )


def _check_until(event: Event) -> None:
    """Raise Refused if a snooze ends in the first or last year of the calendar, which not all time zones can
    show.
    """
    assert isinstance(event, HandSnoozed)
    if event.until is not None and not 1 < event.until.year < LAST_YEAR:
        raise _refuse(event, "until", "out-of-range", _NO_CALENDAR)


_RULES: dict[str, Callable[[Event], None]] = {
    "table-opened": _check_game,
    "corrected": _check_moved,
    "read-corrected": _check_reading,
    "adjusted": _check_moved,
    "verdict-given": _check_verdict,
    "hand-snoozed": _check_until,
    "register-set": _check_entry,
    "log-written": _check_clocks,
    "hold-ordered": _check_clocks,
    "clip-exported": _check_clocks,
    "round-opened": _check_round,
    "round-closed": _check_round,
}
