"""Command: record an anchor. An anchor is a fact in the ledger that makes it possible to detect later changes
of the logs, which are outside the ledger. With an option, first move seals and secrets to another key.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from casino.proofs import anchors, new_key


class Command(BaseCommand):
    help = (
        "Record digests of the viewing log and of all changes of users, tokens and exports as a fact in every"
        " ledger. A worker does it every day. The options first prepare the seals after a change of the"
        " secret key."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options with which seals and secrets are moved to another key."""
        key = parser.add_mutually_exclusive_group()
        key.add_argument(
            "--new-key",
            action="store_true",
            help="move all seals and secrets from the keys in CATWALK_OLD_KEYS to the current key; rows"
            " that were"
            " changed outside Catwalk keep their old seals, and `manage.py verify` names them",
        )
        key.add_argument(
            "--adopt",
            action="store_true",
            help="accept every row as it is now, because the former key is lost; the anchor records how many",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print what was moved or accepted, then the number of the anchor."""
        adopted = 0
        if options["new_key"]:
            moved = new_key.move()
            self.stdout.write(f"moved {moved.rows:,} seals and {moved.secrets:,} secrets to the current key")
        if options["adopt"]:
            adopted = new_key.adopt()
            self.stdout.write(f"accepted {adopted:,} rows without a seal of a known key")
        number = anchors.anchor(adopted=adopted, from_first=options["new_key"] or options["adopt"])
        if number is None:
            self.stdout.write(
                "nothing to anchor: there is no ledger, or no new row that is older than 5 seconds"
            )
        else:
            self.stdout.write(f"anchor {number} is recorded in the ledger")
