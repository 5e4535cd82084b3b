"""The kinds of fact of the cage, of the count room and of the property itself. The kinds of fact at the table
are in `games.kit.events`.

Units and names are those of the data contract. People appear by id, free text by its SHA-256. The field
`from`, a reserved word in Python, is the attribute `from_`. The event reference prints the docstrings of
these classes and the texts in `Meta`.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from msgspec import Meta

from audit.facts.alert_kinds import OF_ALERTS
from audit.facts.case_kinds import OF_CASES
from audit.facts.installation_kinds import OF_THE_INSTALLATION
from audit.facts.money_kinds import OF_MONEY
from audit.facts.pieces import Counts
from audit.facts.queue_kinds import OF_THE_QUEUE, OfDay, OfTable
from audit.facts.reexamined_kind import FindingId
from audit.facts.reexamined_kind import Reexamined as Reexamined
from audit.facts.surveillance_kinds import OF_THE_LOG, Clip, Hash, LogWritten
from audit.facts.surveillance_kinds import CameraDown as CameraDown
from audit.facts.surveillance_kinds import CameraUp as CameraUp
from audit.facts.surveillance_kinds import ClipExported as ClipExported
from audit.facts.surveillance_kinds import HandOverAccepted as HandOverAccepted
from audit.facts.surveillance_kinds import HoldOrdered as HoldOrdered
from audit.facts.surveillance_kinds import HoldReleased as HoldReleased
from audit.facts.surveillance_kinds import HoldSecured as HoldSecured
from audit.facts.surveillance_kinds import StillOpen as StillOpen
from audit.facts.vocabulary import ADJUSTED, DISPOSITIONS, PAPERS, REGISTERS, TENDERS, VERDICTS
from games.kit import events
from games.kit import fields as t
from games.kit.events import Event, kind_of
from games.kit.fields import one_of

Papers = Annotated[
    dict[Annotated[str, one_of("What the paper is.", PAPERS)], t.Counted],
    Meta(description="What the papers in the box are worth.", examples=[{"voucher": 2000}]),
]
Money = Annotated[
    t.Signed | str | None,
    Meta(
        description='Positive if the player receives it. A fraction is a text (`"25/2"`).',
        examples=[1000, "25/2"],
    ),
]
Requested = Annotated[
    t.Staff, Meta(description="The staff ID of the person who asked for the chips.", examples=["s-201"])
]
Sender = Annotated[
    t.Staff, Meta(description="The staff ID of the person who sent the chips.", examples=["c-301"])
]
Carrier = Annotated[
    t.Staff, Meta(description="The staff ID of the person who carried the chips.", examples=["g-401"])
]
Receiver = Annotated[
    t.Staff, Meta(description="The staff ID of the person who received the chips.", examples=["d-101"])
]
Verifier = Annotated[
    t.Staff, Meta(description="The staff ID of the person who verified the chips.", examples=["s-202"])
]
BELONGS = {name: f"belongs to `{verdict}`" for name, verdict in DISPOSITIONS.items()}


class TrayCounted(Event, frozen=True, kw_only=True, gc=False):
    """The fields of a count of a tray."""

    chips: Counts
    amount: t.Counted
    by: t.Staff
    second: t.Second


class OpenerCounted(TrayCounted, frozen=True, kw_only=True, gc=False, tag="opener-counted"):
    """The chips in the tray are counted as the table opens."""


class CloserCounted(TrayCounted, frozen=True, kw_only=True, gc=False, tag="closer-counted"):
    """The chips in the tray are counted as the table closes, or for a new gaming day."""


class ChipsSent(Event, frozen=True, kw_only=True, gc=False):
    """The fields of a slip with which chips are sent."""

    slip: t.Slip
    chips: Counts
    amount: t.Amount
    requested_by: Requested
    sent_by: Sender
    carried_by: Carrier
    received_by: Receiver
    verified_by: Verifier | None = None


class FillSent(ChipsSent, frozen=True, kw_only=True, gc=False, tag="fill-sent"):
    """Chips are sent from the cage to a table, on a slip.

    Each signature is that of a different person.
    """


class CreditSent(ChipsSent, frozen=True, kw_only=True, gc=False, tag="credit-sent"):
    """Chips are sent from a table back to the cage, on a slip.

    Each signature is that of a different person.
    """


class SlipVoided(Event, frozen=True, kw_only=True, gc=False, tag="slip-voided"):
    """A slip is voided. Its serial counts as used."""

    slip: t.Slip
    reason: t.Reason
    by: t.Staff
    second: t.Second


class MarkerIssued(Event, frozen=True, kw_only=True, gc=False, tag="marker-issued"):
    """A player signs a marker: credit from the casino.

    It adds nothing to the drop; the paper in the box does.
    """

    slip: t.Slip
    player: t.Player
    amount: t.Amount
    by: t.Staff


class MarkerPaid(Event, frozen=True, kw_only=True, gc=False, tag="marker-paid"):
    """A player pays a marker, or a part of it, at the cage."""

    slip: t.Slip
    player: t.Player
    amount: t.Amount
    by: t.Staff


class ChipsBought(Event, frozen=True, kw_only=True, gc=False, tag="chips-bought"):
    """A player buys chips at the table."""

    spot: t.Spot
    amount: t.Amount
    tender: Annotated[str, one_of("What the chips are bought with. It goes into the drop box.", TENDERS)]
    chips: Annotated[
        Counts | None, Meta(description="The chips that were sold, if they were counted by denomination.")
    ] = None


class BoxPulled(Event, frozen=True, kw_only=True, gc=False, tag="box-pulled"):
    """A drop box is taken off a table. It belongs to the day and the shift in which it was pulled."""

    box: t.Box
    shift: t.Shift
    by: t.Staff
    second: t.Second


class DropCounted(Event, frozen=True, kw_only=True, gc=False, tag="drop-counted"):
    """A drop box is counted for the first time."""

    box: t.Box
    shift: t.Shift
    notes: Counts
    amount: Annotated[t.Counted, Meta(description="Notes and papers together.")]
    team: Annotated[
        list[t.Staff],
        Meta(description="The staff IDs of the people who counted.", examples=[["k-501", "k-502"]]),
    ]
    papers: Papers | None = None


class CountVerified(Event, frozen=True, kw_only=True, gc=False, tag="count-verified"):
    """A drop box is counted for the second time, by a person who did not take part in the first count."""

    box: t.Box
    amount: Annotated[t.Counted, Meta(description="Notes and papers together.")]
    by: t.Staff
    shift: t.Shift | None = None
    """The shift of the box, if the recorder reports it: the data contract does not require it."""
    notes: Counts | None = None
    papers: Papers | None = None


class DayClosed(Event, frozen=True, kw_only=True, gc=False, tag="day-closed"):
    """The gaming day of a table is closed: the stream takes no more facts.

    Later corrections are recorded as `adjusted` in the property's stream.
    """

    by: t.Staff
    reason: (
        Annotated[
            t.Reason, Meta(description="Why the day is closed while an earlier day of the table is open.")
        ]
        | None
    ) = None
    explanation: (
        Annotated[
            t.Reason, Meta(description="Why the day is closed although a figure is outside its bounds.")
        ]
        | None
    ) = None


class Adjusted(Event, frozen=True, kw_only=True, gc=False, tag="adjusted"):
    """A figure of a closed gaming day is changed."""

    of_table: OfTable
    of_day: OfDay
    what: Annotated[str, one_of("The figure that is changed.", ADJUSTED)]
    amount: Annotated[t.Signed, Meta(description="Above 0 raises the win of the table. It is never 0.")]
    reason: t.Reason
    by: t.Staff
    second: t.Second
    of: (
        Annotated[
            t.FactUid, Meta(description="The `uid` of the fact that is corrected, for example a count.")
        ]
        | None
    ) = None


class VerdictGiven(Event, frozen=True, kw_only=True, gc=False, tag="verdict-given"):
    """Surveillance decides on a finding.

    The latest verdict on a finding counts.
    """

    finding: FindingId
    code: Annotated[
        str,
        Meta(description="The code of the finding, as the officer saw it.", examples=["wrong-settlement"]),
    ]
    says: Annotated[t.Words, Meta(description="The sentence of the finding, as the officer saw it.")]
    owed: Annotated[
        Money,
        Meta(description="What was owed, as the officer saw it; null without an amount."),
    ]
    moved: Annotated[Money, Meta(description="What moved, as the officer saw it; null without an amount.")]
    verdict: Annotated[str, one_of("What the officer decides.", VERDICTS)]
    by: t.Staff
    note_sha256: Annotated[
        Hash | None, Meta(description="The SHA-256 of the officer's note; null if there is no note.")
    ]
    savings: Annotated[t.Signed, Meta(description="What surveillance saved the casino.")]
    losses: Annotated[t.Signed, Meta(description="What the casino lost.")]
    recovered: Annotated[t.Signed, Meta(description="What was recovered.")]
    video: Annotated[list[Clip], Meta(description="The video of the hand.")]
    second: (
        Annotated[
            t.Second, Meta(description="The staff ID of the second reviewer, if the property asks for one.")
        ]
        | None
    ) = None
    disposition: Annotated[str, one_of("Why. Each disposition belongs to one verdict.", BELONGS)] | None = (
        None
    )


class Flagged(Event, frozen=True, kw_only=True, gc=False, tag="flagged"):
    """An officer flags a round: it enters the queue like a finding."""

    of_table: OfTable
    of_day: OfDay
    round: Annotated[t.RoundId, Meta(description="The round that is flagged.")]
    why: Annotated[t.Words, Meta(description="Why somebody should look at the round.")]
    by: t.Staff


class RegisterSet(Event, frozen=True, kw_only=True, gc=False, rename={"from_": "from"}, tag="register-set"):
    """An entry of a register is set: reference data from one gaming day until another.

    If several entries of a register and key include a day, the latest one is in force on it.
    """

    register: Annotated[str, one_of("The register.", REGISTERS)]
    key: Annotated[str, t.identifier("What the entry is about, for example a staff ID or a table.", "d-101")]
    value: Annotated[
        Any, Meta(description="The value; null deletes the entry.", examples=[{"role": "dealer"}])
    ]
    from_: Annotated[
        date | None,
        Meta(description="The first gaming day on which the entry is in force; null = from the beginning."),
    ]
    by: t.Staff
    second: t.Second
    to: (
        Annotated[
            date,
            Meta(
                description="The first gaming day on which the entry is no longer in force; null = until"
                " further notice."
            ),
        ]
        | None
    ) = None


AT_THE_CAGE: tuple[type[Event], ...] = (
    OpenerCounted,
    CloserCounted,
    FillSent,
    CreditSent,
    SlipVoided,
    MarkerIssued,
    MarkerPaid,
    ChipsBought,
    BoxPulled,
    DropCounted,
    CountVerified,
)
"""Kinds of fact of the cage and the count room. They are recorded in the stream of the table whose money
moved.
"""

OF_THE_HOUSE: tuple[type[Event], ...] = (
    *(Adjusted, VerdictGiven, Flagged, LogWritten, RegisterSet, Reexamined),
    *OF_THE_QUEUE,
    *OF_ALERTS,
    *OF_CASES,
    *OF_THE_LOG,
    *OF_MONEY,
)
"""Kinds of fact that are recorded only in the property's own stream."""

_OF_TABLES: tuple[type[Event], ...] = (*events.AT_THE_TABLE, *AT_THE_CAGE, DayClosed)
EVERY: tuple[type[Event], ...] = (*_OF_TABLES, *OF_THE_HOUSE, *OF_THE_INSTALLATION)

KINDS: dict[str, type[Event]] = {kind_of(shape): shape for shape in EVERY}
HOUSE_KINDS = frozenset(kind_of(shape) for shape in (*OF_THE_HOUSE, *OF_THE_INSTALLATION))

_SPAN_TABLES: tuple[type[Event], ...] = (
    *AT_THE_CAGE,
    *OF_THE_HOUSE,
    DayClosed,
    events.TableOpened,
    events.TableClosed,
    events.DealerSeated,
    events.RoundOpened,
    events.Void,
    events.Corrected,
    events.Paused,
    events.Resumed,
    events.AlarmAnswered,
    events.ReadCorrected,
    events.RoundCancelled,
)
LEDGER_KINDS = frozenset(kind_of(shape) for shape in _SPAN_TABLES)
"""The kinds of fact that the ledger fold may read."""
_FREQUENT = (
    *("deal", "bet", "settled", "clear", "pay", "take", "announce", "roll", "bets", "choose"),
    *("no-more-bets", "round-closed", "shake", "burn", "return"),
)
OTHER_KINDS = (*_FREQUENT, *sorted(KINDS.keys() - LEDGER_KINDS - {*_FREQUENT}))
"""The kinds of fact that the ledger fold does not read, the most frequent first. A database index has only
the facts that the ledger fold may read: its condition excludes the kinds in this list. Postgres compares the
kind of each new fact with the list from its start, so the most frequent kinds save most time there. Facts of
a new kind of play are in the index until a migration adds the kind to its condition.
"""
