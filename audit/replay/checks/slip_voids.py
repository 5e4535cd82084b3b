"""Check that a slip is voided before its chips are received, and only once. After that, a fill is reversed by
a credit, and a credit by a fill.

The receiver of the chips signs the slip. A slip that is recorded with this signature was therefore received,
and voiding it later is reported. If the paper was spoilt before anything was sent, its number is voided and
no slip is recorded under it.

The order of recording counts. If the clocks of two sources contradict it, the finding is a notice with both
times. A voiding that was recorded before its slip, but is later by the clock, still voids the slip
(docs/how-facts-are-judged.md). The finding then points at the slip.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Seen, StreamCheck
from audit.replay.voids import came_late
from games.kit.breach import Breach, clocks_contradict
from games.kit.events import Event, kind_of
from games.kit.signatures import person_key

CITE = {"void-after-receipt": cite("SL-07"), "slip-serial-twice": cite("SL-08")}


class Clock(Struct):
    """The source of a fact and its clock time. The time is stored as text, because the
    stored state of a replay does not keep the offset of a time from UTC.
    """

    source: str
    written: str

    @property
    def at(self) -> datetime:
        """Return the clock time as an instant."""
        return datetime.fromisoformat(self.written)


class Sent(Clock):
    """A valid fill, credit or marker; `received_by` is empty if no person received chips with it."""

    kind: str
    amount: int
    received_by: str


class State(Struct):
    """The valid slips and the voidings, by serial."""

    sent: dict[str, list[Sent]] = field(default_factory=dict)
    voided: dict[str, Clock] = field(default_factory=dict)


class SlipVoids(StreamCheck):
    name = "slip-voids"
    codes = ("void-after-receipt", "slip-serial-twice")
    cite = CITE["void-after-receipt"]
    cites = CITE
    kinds = (f.FillSent, f.CreditSent, f.MarkerIssued, f.SlipVoided)
    StateType = State

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, f.SlipVoided):
            yield from self.void(state, event, stream)
            return
        assert isinstance(event, f.FillSent | f.CreditSent | f.MarkerIssued)
        received_by = "" if isinstance(event, f.MarkerIssued) else event.received_by
        sent = Sent(event.source, event.at.isoformat(), kind_of(type(event)), event.amount, received_by)
        voided = state.voided.get(event.slip)
        if voided is None or not came_late(event.at, voided.at):
            state.sent.setdefault(event.slip, []).append(sent)
        elif not isinstance(event, f.MarkerIssued) and person_key(received_by):
            yield self.received(event, sent, stream, clocks_contradict(voided, sent))

    def void(self, state: State, event: f.SlipVoided, stream: Seen) -> Iterator[Breach]:
        """Yield what is wrong with a voiding, and remove the voided slip from the valid ones."""
        voided, before = Clock(event.source, event.at.isoformat()), state.voided.get(event.slip)
        sent = state.sent.pop(event.slip, [])
        received = [slip for slip in sent if person_key(slip.received_by)]
        if received:
            yield self.received(event, received[0], stream, clocks_contradict(received[0], voided))
        if before is not None and not sent:
            says = (
                f"Slip {event.slip} was voided before, at {before.written}, and nothing has been sent under"
                " it since."
            )
            yield self.breach("slip-serial-twice", event, says)
        state.voided[event.slip] = voided if before is None or before.at < event.at else before

    def received(
        self, event: f.FillSent | f.CreditSent | f.SlipVoided, slip: Sent, stream: Seen, clocks: str
    ) -> Breach:
        """Return the finding about a slip that was voided although its chips had been received.

        Args:
            clocks: a sentence if two clocks contradict the order of recording, else empty.
        """
        name, back = ("fill", "credit") if slip.kind == "fill-sent" else ("credit", "fill")
        says = (
            f"Slip {event.slip}, a {name} of {stream.say(slip.amount)}, was received by {slip.received_by}"
            f" and then voided; a {name} that was received is reversed by a {back}.{clocks}"
        )
        return self.breach("void-after-receipt", event, says, grade="notice" if clocks else "")


CHECK = SlipVoids
