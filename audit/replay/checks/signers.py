"""Check the people who sign facts. Each of them must work for the property on that day, and must have a role
that may sign. `audit.replay.duties` lists the roles for every kind of fact that names a person.

The register of people is used as of the day. A person who is not in it is reported only if the register seems
complete for the signature. The register must then list, on that day, someone of the floor if the floor signs,
a dealer if dealers sign, or someone of the department if only one department signs. A person who was in the
register earlier but is not in it on that day is always reported. Without the register, the seats of the day
show who is a dealer and who is a supervisor. Nothing is known about other people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import NamedTuple

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck
from audit.replay.duties import DEALS, FLOOR, SIGNED, SUPERVISES, Signature, Signatures
from audit.replay.entry_rules import ADMINISTERS
from audit.replay.registers import Registers, roles_of
from audit.replay.results import Finding
from audit.replay.table_days import keep_latest
from games.kit import events as e
from games.kit.events import Event, kind_of

SEATED_DAYS = 3
"""The number of open gaming days of a table for which seats are remembered."""


class State(Struct):
    """`seated`: for each stream whose day is not closed, the roles in which people were seated.
    `administered`: the time at which the register of people first had an administrator.
    """

    seated: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    administered: datetime | None = None


class Wrong(NamedTuple):
    """A signature of a person who may not give it."""

    code: str
    person: str
    signature: Signature
    control: str
    roles: frozenset[str]


class Signers(LedgerCheck):
    name = "signers"
    codes = ("signer-not-entitled", "person-unknown")
    cite = cite("AC-05")
    kinds = (e.TableOpened, *(f.KINDS[kind] for kind in SIGNED if kind in f.KINDS))
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, e.TableOpened):
            keep_latest(state.seated, ledger.place.stream, SEATED_DAYS)
            return
        if not isinstance(event, f.RegisterSet) or self.administered(state, event):
            yield from self.judge(state, event, ledger)
        if isinstance(event, e.DealerSeated):
            seats = state.seated.setdefault(ledger.place.stream, {})
            for person, role in ((event.dealer, "dealer"), (event.supervisor, "supervisor")):
                if role not in (roles := seats.setdefault(person, [])):
                    roles.append(role)
        if isinstance(event, f.DayClosed):
            state.seated.pop(ledger.place.stream, None)

    def judge(self, state: State, event: Event, ledger: Ledger) -> Iterator[Finding]:
        """Yield findings for people who signed although they may not sign. Another check reports a person who
        signed one fact in two places. This check reports such a person only if the person may sign in none of
        the places.
        """
        rules = SIGNED[kind_of(event)]
        errors = [error for rule in rules for error in self.wrong(state, event, ledger, rule)]
        if not errors:
            return
        places = Counter(
            person for rule in rules for signature in rule.of for person in signers_of(event, signature.field)
        )
        missed = Counter(error.person for error in errors)
        wrong: dict[str, list[Wrong]] = {}
        for error in errors:
            if missed[error.person] == places[error.person]:
                wrong.setdefault(error.code, []).append(error)
        for code, group in wrong.items():
            says = " ".join(dict.fromkeys(sentence(event, error) for error in group))
            yield self.finding(code, ledger.place, says, cite=cite(group[0].control))

    def wrong(self, state: State, event: Event, ledger: Ledger, rule: Signatures) -> list[Wrong]:
        """Return the invalid signatures of one rule. If two people may be named in either order, use the
        order with fewer invalid signatures.
        """
        signers = [signers_of(event, signature.field) for signature in rule.of]
        declared = self.of_each(state, event.day, ledger, rule.control, zip(rule.of, signers, strict=True))
        if rule.in_order or not declared:
            return declared
        turned = self.of_each(
            state, event.day, ledger, rule.control, zip(rule.of, reversed(signers), strict=True)
        )
        return turned if len(turned) < len(declared) else declared

    def of_each(
        self,
        state: State,
        day: date,
        ledger: Ledger,
        control: str,
        signed: Iterable[tuple[Signature, list[str]]],
    ) -> list[Wrong]:
        """Return the invalid signatures.

        Args:
            signed: the signatures, each with the people who signed.
        """
        errors = []
        for signature, people in signed:
            for person in people:
                code, roles = self.code(state, day, ledger.registers, signature, person)
                if code:
                    errors.append(Wrong(code, person, signature, control, roles))
        return errors

    def code(
        self, state: State, day: date, registers: Registers, signature: Signature, person: str
    ) -> tuple[str, frozenset[str]]:
        """Return the code for what is wrong with a person's signature, and the roles to name in the sentence.
        The code is empty if the signature is valid.
        """
        staff = registers.staff(day)
        if person in staff:
            roles = staff[person]
            return (
                ("signer-not-entitled", roles)
                if roles is not None and not roles & signature.roles
                else ("", frozenset())
            )
        if person in registers.entries.get("people", ()) or is_complete(signature.roles, staff):
            return "person-unknown", frozenset()
        seats = frozenset(
            role
            for stream, seated in state.seated.items()
            if stream.endswith(day.isoformat())
            for role in seated.get(person, ())
        )
        wrong = (
            seats and not seats & signature.roles and signature.roles != SUPERVISES
        )  # A dealer may supervise later that day.
        return ("signer-not-entitled", seats) if wrong else ("", frozenset())

    def administered(self, state: State, event: f.RegisterSet) -> bool:
        """Return True if the register had an administrator before this entry. No administrator can sign the
        entries of the first administrators.

        Entries with the same clock time count as entered together, so none of them is before another.
        """
        before = state.administered is not None and state.administered != event.at
        if (
            state.administered is None
            and event.register == "people"
            and (roles_of(event.value) or frozenset()) & ADMINISTERS
        ):
            state.administered = event.at
        return before


def signers_of(event: Event, field: str) -> list[str]:
    """Return the people named in a field. An empty name is not returned, because another check reports it as
    a missing signature.
    """
    value = getattr(event, field, None)
    return [person for person in (value if isinstance(value, list) else [value]) if person]


def is_complete(roles: frozenset[str], staff: dict[str, frozenset[str] | None]) -> bool:
    """Return True if the register of people seems to list everyone who may sign in one of these roles."""
    all_roles = frozenset().union(*(roles for roles in staff.values() if roles is not None))
    wanted = [group & roles for group in (DEALS, FLOOR) if group & roles] or [roles]
    return all(all_roles & group for group in wanted)


def sentence(event: Event, wrong: Wrong) -> str:
    """Return the sentence that says what is wrong with a signature."""
    kind, field = kind_of(event), wrong.signature.field
    words = DID.get((kind, field)) or DID.get((kind, "")) or DID["", field]
    if not event.round:
        for with_round, without in WITHOUT_ROUND.items():
            words = words.replace(with_round, without)
    names = {
        "kind": SLIPS.get(kind, kind),
        "table": event.table,
        "round": event.round or "",
        "day": event.day,
    }
    did = words.format_map({name: getattr(event, name) for name in event.__struct_fields__} | names)
    if wrong.code == "person-unknown":
        return f"{wrong.person} {did} and is not in the register of people on {event.day}."
    has = f"the role {' and '.join(sorted(wrong.roles))}" if wrong.roles else "no role"
    takes = " or ".join(sorted(wrong.signature.roles))
    return f"{wrong.person} {did}. On {event.day} {wrong.person} has {has}; this requires the role {takes}."


SLIPS = {"fill-sent": "fill", "credit-sent": "credit"}
DID = {
    ("", "requested_by"): "asked for {kind} {slip}",
    ("", "sent_by"): "sent {kind} {slip}",
    ("", "carried_by"): "carried {kind} {slip}",
    ("", "received_by"): "received {kind} {slip}",
    ("", "verified_by"): "verified {kind} {slip}",
    ("", "by"): "signed {kind}",
    ("", "second"): "signed {kind}",
    ("dealer-seated", ""): "was seated as supervisor of {table}",
    ("opener-counted", ""): "signed the opener of {table}",
    ("closer-counted", ""): "signed the closer of {table}",
    ("slip-voided", ""): "signed the void of slip {slip}",
    ("marker-issued", ""): "issued marker {slip}",
    ("marker-paid", ""): "took a payment of marker {slip}",
    ("marker-written-off", ""): "signed the write-off of marker {slip}",
    ("marker-recovered", ""): "took a payment of marker {slip}, which was written off",
    ("drop-received", ""): "signed that the cage received the cash of {of_day}",
    ("deposit-sent", ""): "signed deposit {deposit}",
    ("deposit-confirmed", ""): "entered the bank's confirmation of deposit {deposit}",
    ("box-pulled", ""): "pulled box {box} of {table}",
    ("drop-counted", ""): "counted box {box} of {table}",
    ("count-verified", ""): "recounted box {box} of {table}",
    ("day-closed", ""): "closed the gaming day {day} of {table}",
    ("void", ""): "signed the void of round {round}",
    ("corrected", ""): "signed a correction of round {round}",
    ("paused", ""): "stopped play at {table}",
    ("resumed", ""): "let play go on at {table}",
    ("alarm-answered", ""): "answered an alarm of {table}",
    ("adjusted", ""): "signed an adjustment of {of_table} on {of_day}",
    ("verdict-given", ""): "signed a verdict on {code}",
    ("flagged", ""): "flagged round {round} of {of_table}",
    ("hand-assigned", "by"): "assigned hand {hand} of {of_table}",
    ("hand-assigned", "to"): "was given hand {hand} of {of_table}",
    ("hand-snoozed", ""): "snoozed hand {hand} of {of_table}",
    ("log-written", ""): "wrote into the log of surveillance",
    ("alert-rule-set", ""): "set the alert rule {rule}",
    ("webhook-set", ""): "set the webhook {webhook}",
    ("hand-over-accepted", ""): "took over a shift of surveillance",
    ("camera-down", ""): "reported that camera {camera} is down",
    ("camera-up", ""): "reported that camera {camera} is up again",
    ("hold-ordered", ""): "ordered that a recording of camera {camera} is held",
    ("hold-secured", ""): "secured a recording",
    ("hold-released", ""): "released a recording",
    ("clip-exported", ""): "exported a recording of camera {camera}",
    ("case-opened", ""): "opened case {case}",
    ("case-changed", ""): "changed case {case}",
    ("case-joined", ""): "joined hands or people to case {case}",
    ("case-parted", ""): "removed hands or people from case {case}",
    ("case-noted", ""): "wrote a note in case {case}",
    ("case-file-added", ""): "added a file to case {case}",
    ("case-subject-set", ""): "named a subject of case {case}",
    ("case-erased", ""): "signed an erasure in case {case}",
    ("case-closed", ""): "closed case {case}",
    ("register-set", "by"): "entered {key} in the register {register}",
    ("register-set", "second"): "signed {key} in the register {register}",
    ("read-corrected", ""): "signed a corrected reading at {table}",
    ("round-cancelled", ""): "signed that round {round} is cancelled",
}
"""For each kind and field: the words for what the person did. The kind is empty if the words are the same for
every kind. The field is empty if they are the same for all fields of a kind.
"""
WITHOUT_ROUND = {" of round {round}": " between rounds", "flagged round {round}": "flagged a fact"}
"""Changes to a sentence about a fact that names no round: {words of the sentence: words that replace them}.
"""


CHECK = Signers
