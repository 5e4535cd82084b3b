"""The kinds at the cage, in the count room and of the house itself; with the table's they are every kind there is.

Units and names are those of the contract of facts. People appear by id, free words by their SHA-256. `from`,
which Python keeps for itself, is the attribute `from_`.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from msgspec import Meta, Struct

from games.kit import events
from games.kit.events import LIMIT, Amount, Event, Signed, kind_of

Counted = Annotated[int, Meta(ge=0, le=LIMIT)]
"""What was counted: nothing may have been there."""
Denomination = Annotated[str, Meta(pattern=r"\A(?:[1-9][0-9]{0,14}|10{15})\Z")]
Counts = dict[Denomination, Counted]
"""{denomination in minor units: how many}."""
Money = Signed | str | None
"""Signed minor units, a fraction of them as text (`"25/2"`), or null where no money is spoken of."""


class OpenerCounted(Event, frozen=True, kw_only=True, gc=False, tag="opener-counted"):
    chips: Counts
    amount: Counted
    by: str
    second: str


class CloserCounted(Event, frozen=True, kw_only=True, gc=False, tag="closer-counted"):
    chips: Counts
    amount: Counted
    by: str
    second: str


class FillSent(Event, frozen=True, kw_only=True, gc=False, tag="fill-sent"):
    slip: str
    chips: Counts
    amount: Amount
    requested_by: str
    sent_by: str
    carried_by: str
    received_by: str
    verified_by: str | None = None


class CreditSent(Event, frozen=True, kw_only=True, gc=False, tag="credit-sent"):
    slip: str
    chips: Counts
    amount: Amount
    requested_by: str
    sent_by: str
    carried_by: str
    received_by: str
    verified_by: str | None = None


class SlipVoided(Event, frozen=True, kw_only=True, gc=False, tag="slip-voided"):
    slip: str
    reason: str
    by: str
    second: str


class MarkerIssued(Event, frozen=True, kw_only=True, gc=False, tag="marker-issued"):
    slip: str
    player: str
    amount: Amount
    by: str


class MarkerPaid(Event, frozen=True, kw_only=True, gc=False, tag="marker-paid"):
    slip: str
    player: str
    amount: Amount
    by: str


class ChipsBought(Event, frozen=True, kw_only=True, gc=False, tag="chips-bought"):
    spot: str
    amount: Amount
    tender: str


class BoxPulled(Event, frozen=True, kw_only=True, gc=False, tag="box-pulled"):
    box: str
    shift: str
    by: str
    second: str


class DropCounted(Event, frozen=True, kw_only=True, gc=False, tag="drop-counted"):
    box: str
    shift: str
    notes: Counts
    amount: Counted
    team: list[str]
    papers: dict[str, Counted] | None = None


class CountVerified(Event, frozen=True, kw_only=True, gc=False, tag="count-verified"):
    box: str
    amount: Counted
    by: str
    shift: str | None = None
    """That of the box, where the desk says it: the contract of facts asks for none."""
    notes: Counts | None = None
    papers: dict[str, Counted] | None = None


class DayClosed(Event, frozen=True, kw_only=True, gc=False, tag="day-closed"):
    by: str
    reason: str | None = None
    """Why it is closed while an earlier day of the table is not."""


class Adjusted(Event, frozen=True, kw_only=True, gc=False, tag="adjusted"):
    of_table: str
    of_day: date
    what: str
    amount: Signed
    reason: str
    by: str
    second: str
    of: str | None = None


class Clip(Struct, frozen=True, kw_only=True, gc=False, rename={"from_": "from"}):
    """A piece of video: the camera, and where it begins and ends as the recorder writes it."""

    camera: str
    from_: str
    to: str


class VerdictGiven(Event, frozen=True, kw_only=True, gc=False, tag="verdict-given"):
    finding: str
    code: str
    says: str
    owed: Money
    moved: Money
    verdict: str
    by: str
    note_sha256: str | None
    savings: Signed
    losses: Signed
    recovered: Signed
    video: list[Clip]
    second: str | None = None
    disposition: str | None = None


class Flagged(Event, frozen=True, kw_only=True, gc=False, tag="flagged"):
    of_table: str
    of_day: date
    round: str
    why: str
    by: str


class LogWritten(Event, frozen=True, kw_only=True, gc=False, tag="log-written"):
    about: str
    words_sha256: str
    by: str


class RegisterSet(Event, frozen=True, kw_only=True, gc=False, rename={"from_": "from"}, tag="register-set"):
    """`from_` null = since always, `to` null = until further notice; both are gaming days, `to` is not in."""

    register: str
    key: str
    value: Any
    from_: date | None
    by: str
    second: str
    to: date | None = None


class Reexamined(Event, frozen=True, kw_only=True, gc=False, tag="reexamined"):
    rules: str
    gained: list[str]
    lost: list[str]


AT_THE_CAGE: tuple[type[Event], ...] = (
    OpenerCounted, CloserCounted, FillSent, CreditSent, SlipVoided, MarkerIssued, MarkerPaid, ChipsBought,
    BoxPulled, DropCounted, CountVerified,
)  # fmt: skip
"""Cage and count room: they stand in the stream of the table whose money moved."""

OF_THE_HOUSE: tuple[type[Event], ...] = (Adjusted, VerdictGiven, Flagged, LogWritten, RegisterSet, Reexamined)
"""They stand in the house stream and nowhere else."""

EVERY: tuple[type[Event], ...] = (*events.AT_THE_TABLE, *AT_THE_CAGE, DayClosed, *OF_THE_HOUSE)

KINDS: dict[str, type[Event]] = {kind_of(shape): shape for shape in EVERY}
HOUSE_KINDS = frozenset(kind_of(shape) for shape in OF_THE_HOUSE)

_SPAN_TABLES: tuple[type[Event], ...] = (
    *AT_THE_CAGE, *OF_THE_HOUSE, DayClosed,
    events.TableOpened, events.TableClosed, events.DealerSeated, events.RoundOpened,
    events.Void, events.Corrected, events.Paused, events.Resumed, events.AlarmAnswered,
)  # fmt: skip
LEDGER_KINDS = frozenset(kind_of(shape) for shape in _SPAN_TABLES) | {"read-corrected", "round-cancelled"}
"""What the ledger fold may read. Migration 0023 keeps an index for exactly these: a kind more is a new index."""
