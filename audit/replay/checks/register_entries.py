"""Check that people do not enter or sign their own rights in the register of people, and that no person has
incompatible roles.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Nothing
from audit.replay.duties import role_conflict
from audit.replay.entry_rules import own_rights_signed
from audit.replay.registers import roles_of
from audit.replay.results import Finding
from games.kit.events import Event
from games.kit.signatures import signers


class RegisterEntries(LedgerCheck):
    name = "register-entries"
    codes = ("signer-not-entitled", "roles-not-apart")
    cite = cite("AC-06")
    kinds = (f.RegisterSet,)
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        assert isinstance(event, f.RegisterSet)
        if event.register != "people":
            return
        if field := own_rights_signed(event.key, event.by, event.second):
            did = "entered" if field == "by" else "signed"
            says = (
                f"{event.key} {did} an entry about their own rights: two other people must enter and sign it."
            )
            yield self.finding("signer-not-entitled", ledger.place, says)
        if reason := role_conflict(roles_of(event.value) or ()):
            by = signers(event.by, event.second)
            says = f"{by} gave {event.key} roles that are kept apart: {reason}."
            yield self.finding("roles-not-apart", ledger.place, says, cite=cite("AC-07"))


CHECK = RegisterEntries
