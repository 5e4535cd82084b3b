"""Check that facts which need two signatures are signed by two people, and that facts which need one
signature have it.

A kind with the fields `by` and `second` is signed by two people, and a kind with only `by` is signed by one.
A round's void, a correction and the signatures of a fill or credit are reported with other codes
(`void-not-signed`, `corrected-unsigned`, `slip-signed-once`). The second signature of a verdict is checked if
it is given. It is required from a certain amount (register `thresholds`).

A count is signed by its team, and a marker is signed by its player. The person who recounts a box must not
have counted or pulled it, and the witness of a slip's voiding must not have signed the slip. A recount that
is recorded before its count is judged when the count is recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.facts.installation_kinds import OF_THE_INSTALLATION
from audit.facts.kinds import EVERY
from audit.replay.checks import Ledger, LedgerCheck, Nothing, Seen, StreamCheck
from audit.replay.recounts import Recounts
from audit.replay.results import Finding
from audit.replay.second_review import needs_second, second_from
from games.kit import events as e
from games.kit.breach import Breach
from games.kit.events import Event, kind_of
from games.kit.signatures import not_by_two, person_key

CODE = "signed-once"
OTHER_CODE: tuple[type[Event], ...] = (e.Void, e.Corrected)
"""Kinds of fact whose missing signatures are reported with other codes."""
SIGNED_BY_TWO = tuple(
    kind for kind in EVERY if {"by", "second"} <= {*kind.__struct_fields__} and kind not in OTHER_CODE
)
"""Every kind of fact that is signed by two people."""
SIGNED_BY_ONE = tuple(
    kind
    for kind in EVERY
    if {"by", "second"} & {*kind.__struct_fields__} == {"by"} and kind not in OF_THE_INSTALLATION
)
"""Every kind of fact that is signed by one person. Kinds of the installation are left out, because no check
reads them.
"""
CITE = {
    "opener-counted": cite("OC-02"),
    "closer-counted": cite("OC-08"),
    "slip-voided": cite("SL-06"),
    "box-pulled": cite("DR-03"),
    "drop-counted": cite("CO-11"),
    "count-verified": cite("CO-10"),
    "adjusted": cite("CO-12"),
    "register-set": cite("AC-06"),
    "paused": cite("MI-03"),
    "resumed": cite("MI-03"),
    "alarm-answered": cite("CA-09"),
    "marker-issued": cite("MA-04"),
    "marker-paid": cite("MA-09"),
    "marker-written-off": cite("MA-11"),
    "marker-recovered": cite("MA-09"),
    "drop-received": cite("CO-09"),
    "deposit-sent": cite("CG-06"),
    "deposit-confirmed": cite("CG-07"),
    "day-closed": cite("AU-01"),
}
"""For each kind: the control that requires its signatures. For any other kind the control is
`EVERY_SIGNATURE`.
"""
EVERY_SIGNATURE = cite("AC-01")


class State(Struct):
    """The people who handled the boxes and the slips of this stream."""

    pulled: dict[str, list[tuple[str, list[str]]]] = field(default_factory=dict)
    """For each box: its pulls, each with the shift and the people who pulled it."""
    people: dict[str, list[str]] = field(default_factory=dict)
    """{uid of a count without a recount: its count team}, and {uid of a recount without a count: the person
    who recounted}.
    """
    recounts: Recounts = field(default_factory=Recounts)
    slips: dict[str, list[str]] = field(default_factory=dict)
    """For each serial: everyone who signed a slip with it."""


class SignedOnce(StreamCheck):
    """Check the signatures of facts in the streams of tables."""

    name = "signed-once"
    codes = (CODE,)
    cite = EVERY_SIGNATURE
    kinds = (
        *(kind for kind in (*SIGNED_BY_TWO, *SIGNED_BY_ONE) if kind not in f.OF_THE_HOUSE),
        f.DropCounted,
        f.FillSent,
        f.CreditSent,
    )
    StateType = State

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, f.FillSent | f.CreditSent | f.MarkerIssued):
            state.slips.setdefault(event.slip, []).extend(signers(event))
        wrong = [*alone(event), *self.of_box(state, event), *self.of_void(state, event)]
        if isinstance(event, f.MarkerIssued) and not person_key(event.player):
            wrong.append(f"marker {event.slip} names no player who signed it")
        if wrong:
            yield self.breach(CODE, event, sentence(event, wrong), cite=CITE.get(kind_of(type(event)), ""))

    def of_box(self, state: State, event: Event) -> Iterator[str]:
        """Yield what is wrong with the people who handled a box. A box must not be counted by one person
        alone, or recounted by a person who counted or pulled it.
        """
        if isinstance(event, f.BoxPulled):
            state.pulled.setdefault(event.box, []).append((event.shift, [event.by, event.second]))
        if not isinstance(event, f.DropCounted | f.CountVerified):
            return
        count = isinstance(event, f.DropCounted)
        if isinstance(event, f.DropCounted):
            yield from of_team(event)
        own_people = event.team if isinstance(event, f.DropCounted) else [event.by]
        other = state.recounts.other(event)
        if other is None:
            state.people[event.uid] = own_people
            return
        others = state.people.pop(other.uid, [])
        team, recounter = (own_people, others[0]) if count else (others, own_people[0])
        if recounter and is_among(recounter, team):
            yield f"{recounter} counted box {event.box} and recounted it"
        shift = next((shift for shift in (event.shift, other.shift) if shift is not None), None)
        for of_shift, people in state.pulled.get(event.box, ()):
            if shift in (None, of_shift) and recounter and is_among(recounter, people):
                yield f"{recounter} pulled box {event.box} and recounted it"
                break

    def of_void(self, state: State, event: Event) -> Iterator[str]:
        """Yield what is wrong with the witness of a voided slip."""
        two = isinstance(event, f.SlipVoided) and not not_by_two(event.by, event.second)
        if (
            isinstance(event, f.SlipVoided)
            and two
            and is_among(event.second, state.slips.get(event.slip, ()))
        ):
            yield f"{event.second} signed slip {event.slip} and witnessed that it was voided"


class OfTheHouse(LedgerCheck):
    """Check the signatures of facts in the property's own stream, such as adjustments, verdicts and register
    entries.
    """

    name = "signed-once"
    codes = (CODE,)
    cite = EVERY_SIGNATURE
    kinds = tuple(kind for kind in (*SIGNED_BY_TWO, *SIGNED_BY_ONE) if kind in f.OF_THE_HOUSE)
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        wrong = [*alone(event)]
        if isinstance(event, f.VerdictGiven) and needs_second(
            event, limit := second_from(ledger.registers, event.day)
        ):
            wrong.append(
                f"it is signed by {event.by} alone, and from {limit} minor units on a second reviewer signs a"
                " verdict too"
            )
        if wrong:
            yield self.finding(
                CODE, ledger.place, sentence(event, wrong), cite=CITE.get(kind_of(type(event)), "")
            )


def alone(event: Event) -> Iterator[str]:
    """Yield what is wrong with the fields `by` and `second` of a fact, judged without any other fact."""
    by: str | None = getattr(event, "by", None)
    second: str | None = getattr(event, "second", None)
    if by is None or isinstance(event, OTHER_CODE):
        return
    if type(event) in SIGNED_BY_TWO and second is not None:
        if signer := not_by_two(by, second):
            yield f"it is signed by {signer} alone; a second person signs it too"
    elif not person_key(by):
        yield "it is signed by nobody"


def of_team(count: f.DropCounted) -> Iterator[str]:
    """Yield what is wrong with a count team, judged without any other fact: the team is empty, or a member
    has no name, or all members are one person whose name is spelled in several ways.
    """
    people = {person_key(member) for member in count.team}
    if not people - {""}:
        yield f"box {count.box} was counted by nobody: its team is empty"
    elif len(count.team) > 1 and len(people) == 1:
        yield (
            f"the team that counted box {count.box} is one person, {count.team[0]}, named {len(count.team)}"
            " times"
        )
    elif "" in people:
        yield f"one of the team that counted box {count.box} has no name"


def signers(slip: f.FillSent | f.CreditSent | f.MarkerIssued) -> list[str]:
    """Return everyone who signed a slip."""
    if isinstance(slip, f.MarkerIssued):
        return [slip.by]
    named = (slip.requested_by, slip.sent_by, slip.carried_by, slip.received_by, slip.verified_by)
    return [name for name in named if name]


def is_among(person: str, people: Iterable[str]) -> bool:
    """Return True if the person is one of these people. Different spellings of a name are treated as one."""
    return person_key(person) in {person_key(other) for other in people}


def sentence(event: Event, wrong: list[str]) -> str:
    """Return the sentence of the finding: the kind of the fact and everything wrong with its signatures."""
    subject = kind_of(type(event)).replace("-", " ").capitalize()
    return f"{subject}: {'; '.join(wrong)}."


CHECKS = (SignedOnce, OfTheHouse)
