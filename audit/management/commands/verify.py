"""`manage.py verify`: verify the ledger and print every position that is not as it was recorded."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit.ledger.verify import Fault, verify


class Command(BaseCommand):
    """Read every fact again. Exit code 0: no faults; 1: at least one fault."""

    help = "Prove the ledger from its bytes; name every bad position and its kind."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line for each fault, then how much was verified."""
        facts = streams = 0
        faults: list[Fault] = []
        ledgers = 0
        for done in verify(self._progress()):
            ledgers, facts, streams = ledgers + 1, facts + done.facts, streams + done.streams
            faults += done.faults
            for fault in done.faults:
                where = "" if fault.position is None else f" position {fault.position}"
                self.stdout.write(f"{fault.property}{where} {fault.kind}: {fault.says}")
        whole = "" if faults else ": bytes, order, numbers and heads are whole"
        self.stdout.write(
            f"verified {facts:,} facts in {streams:,} streams of {ledgers:,}"
            f" propert{'y' if ledgers == 1 else 'ies'}{whole}"
        )
        self.stdout.write(
            "no signed checkpoint covers them: a ledger rewritten and chained again as a whole would pass"
        )
        if faults:
            raise CommandError(_in_one_line(faults))

    def _progress(self) -> Any:
        if not sys.stderr.isatty():
            return lambda facts: None
        return lambda facts: print(f"\r{facts:,} facts", end="", file=sys.stderr, flush=True)


def _in_one_line(faults: list[Fault]) -> str:
    kinds = Counter(fault.kind for fault in faults)
    first = next((fault for fault in faults if fault.position is not None), faults[0])
    place = "" if first.position is None else f" position {first.position}"
    said = ", ".join(f"{many} {kind}" for kind, many in sorted(kinds.items()))
    return f"the ledger is not as it was recorded: {said}; the first is {first.property}{place} {first.kind}"
