"""Command: make a signed checkpoint of a ledger now, or list the checkpoints."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.management.progress import progress_bar
from audit.management.tables import table
from audit.models import Head
from audit.tree import checkpoints
from audit.tree.store import TreeFault
from casino.checkpoints import copies, make
from casino.checkpoints.keys import KeyLost

HEADINGS = ("property", "facts", "made", "copied to", "root")


class Command(BaseCommand):
    help = (
        "Sign the size and the root of a ledger's tree now. A worker does it every CATWALK_CHECKPOINT_FACTS"
        " facts and when a gaming day is closed. Copies outside the database are written by the workers."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments: the property, and the options that list or print checkpoints."""
        parser.add_argument("property", nargs="?", help="only this property; default: all")
        action = parser.add_mutually_exclusive_group()
        action.add_argument(
            "--list", action="store_true", help="print the checkpoints that exist, and make none"
        )
        action.add_argument(
            "--print", type=int, metavar="SIZE", help="print the signed note of the checkpoint of this size"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make checkpoints. With an option, list or print existing checkpoints instead."""
        ledgers = sorted(Head.objects.values_list("property", flat=True))
        wanted = options["property"]
        if wanted is not None and wanted not in ledgers:
            raise CommandError(
                f"{wanted!r} has no ledger. Available: {', '.join(ledgers) or 'none'}", returncode=2
            )
        chosen = ledgers if wanted is None else [wanted]
        if options["print"] is not None:
            self._print(wanted, options["print"])
        elif options["list"]:
            rows = [row for property in chosen for row in _rows(property)]
            self.stdout.write(table(HEADINGS, rows, frozenset({1})) if rows else "no checkpoint was made yet")
        else:
            for property in chosen:
                self._make(property)

    def _make(self, property: str) -> None:
        before = checkpoints.latest(property)
        try:
            with progress_bar("hashed", "facts") as bar:
                checkpoint = make.make(property, bar.update)
        except (TreeFault, KeyLost) as error:
            raise CommandError(str(error)) from None
        if checkpoint is None:
            self.stdout.write(f"{property} has no facts")
        elif before is not None and before.size == checkpoint.size:
            self.stdout.write(f"{property}: no fact since the checkpoint of {checkpoint.size:,} facts")
        else:
            self.stdout.write(f"{property}: checkpoint of {checkpoint.size:,} facts")

    def _print(self, property: str | None, size: int) -> None:
        if property is None:
            raise CommandError("--print needs a property", returncode=2)
        checkpoint = checkpoints.at(property, size)
        if checkpoint is None:
            raise CommandError(f"{property} has no checkpoint of size {size}", returncode=2)
        self.stdout.write(checkpoints.cosigned_note(checkpoint), ending="")


def _rows(property: str) -> list[tuple[str, ...]]:
    """Return a line for each checkpoint of a property."""
    sizes = {
        destination.name(): copies.copied(property, destination.name())
        for destination in copies.destinations(property)
    }
    rows: list[tuple[str, ...]] = []
    after = 0
    while page := checkpoints.page(property, after):
        for checkpoint in page:
            holders = [name for name, size in sizes.items() if size >= checkpoint.size]
            rows.append(
                (
                    property,
                    f"{checkpoint.size:,}",
                    f"{checkpoint.made_at:%Y-%m-%d %H:%M:%S}",
                    f"{len(holders)} of {len(sizes)}",
                    checkpoint.root.hex(),
                )
            )
        after = page[-1].size
    return rows
