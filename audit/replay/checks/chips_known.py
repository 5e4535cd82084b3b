"""Check that chips have one of the property's denominations. Nothing is checked if the register `chip-sets`
does not list the denominations of the table's currency.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Nothing
from audit.replay.results import Finding
from games.kit.events import Event


class ChipsKnown(LedgerCheck):
    name = "chips-known"
    codes = ("unknown-chip",)
    cite = cite("FI-08")
    kinds = (f.FillSent, f.CreditSent, f.OpenerCounted, f.CloserCounted)
    rests_on = "chip-sets"
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        assert isinstance(event, f.FillSent | f.CreditSent | f.OpenerCounted | f.CloserCounted)
        value = ledger.registers.value("chip-sets", ledger.currency, event.day)
        chips = value.get("chips") if isinstance(value, dict) else None
        if not isinstance(chips, list) or not chips:
            return
        known = {str(chip) for chip in chips}
        if strange := sorted(
            (chip for chip, count in event.chips.items() if count and chip not in known), key=int
        ):
            subject = (
                f"Slip {event.slip}"
                if isinstance(event, f.FillSent | f.CreditSent)
                else "The count of the tray"
            )
            named = ", ".join(ledger.say(int(chip)) for chip in strange)
            says = f"{subject} has chips of {named}, which the property does not have on {event.day}."
            yield self.finding("unknown-chip", ledger.place, says)


CHECK = ChipsKnown
