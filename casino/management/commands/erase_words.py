"""Command: erase the text that an officer wrote. The fact keeps the SHA-256 of the text."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.surveillance import services


class Command(BaseCommand):
    help = (
        "Erase the words of a note or of an entry in the log of surveillance. The fact is not changed,"
        " and `verify` does not report erased words as missing."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments that identify the text."""
        parser.add_argument("property", help="the property, such as aurora")
        parser.add_argument("sha256", help="the SHA-256 of the words, as in the fact")

    def handle(self, *args: Any, **options: Any) -> None:
        """Erase the text, and print that it was erased."""
        if not services.erase_words(options["property"], options["sha256"]):
            raise CommandError(
                f"{options['property']} has no words with SHA-256 {options['sha256']}. Copy it from the field"
                " note_sha256 or words_sha256 of the fact."
            )
        self.stdout.write("erased")
