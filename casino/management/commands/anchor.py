"""Command: record an anchor, a fact that fixes the state of the logs outside the ledger, and move seals and
secrets to another key.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from casino.proofs import anchors, new_key


class Command(BaseCommand):
    help = (
        "Record digests of the viewing log and of all changes of users, tokens and exports as a fact in every"
        " ledger. A worker does it every day. With an option: move what was sealed and encrypted to the"
        " present secret key first."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options that change keys."""
        key = parser.add_mutually_exclusive_group()
        key.add_argument(
            "--new-key",
            action="store_true",
            help="seal and encrypt again what a key of CATWALK_OLD_KEYS sealed and encrypted; rows that were"
            " changed outside Catwalk keep their old seals, and verify names them",
        )
        key.add_argument(
            "--adopt",
            action="store_true",
            help="accept every row as it is now, because the former key is lost; the fact says how many",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print what was moved or accepted, then the number of the anchor."""
        adopted = 0
        if options["new_key"]:
            moved = new_key.move()
            self.stdout.write(f"moved {moved.rows:,} seals and {moved.secrets:,} secrets to the present key")
        if options["adopt"]:
            adopted = new_key.adopt()
            self.stdout.write(f"accepted {adopted:,} rows that had no seal of a key of this installation")
        number = anchors.anchor(adopted=adopted, from_first=options["new_key"] or options["adopt"])
        if number is None:
            self.stdout.write("nothing to anchor: there is no ledger, or no new row is older than 5 seconds")
        else:
            self.stdout.write(f"anchor {number} is in the ledger")
