"""Create or revoke tokens of the REST API."""

from __future__ import annotations

from getpass import getuser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.accounts import services as accounts
from casino.accounts.scopes import SCOPES
from casino.models import Person


class Command(BaseCommand):
    help = "A token for the REST door, of a person or of a property's device; printed this once."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        whose = parser.add_mutually_exclusive_group(required=True)
        whose.add_argument("--person", metavar="ID", help="whose it is")
        whose.add_argument(
            "--device",
            metavar="PROPERTY/DEVICE",
            help="of a device; what it may post, the register `devices` says",
        )
        whose.add_argument("--revoke", metavar="PREFIX", help="end the token that begins so (nine letters)")
        parser.add_argument(
            "--scope",
            action="append",
            choices=SCOPES,
            help="what it is for (default: all); may be given again",
        )
        parser.add_argument(
            "--days",
            type=int,
            default=accounts.TOKEN_DAYS,
            help="how long it is valid (default: %(default)s)",
        )
        parser.add_argument("--by", help="who issues it (default: the user of this machine)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["revoke"]:
            if not accounts.revoke(options["revoke"]):
                raise CommandError(f"no valid token begins with {options['revoke']}")
            self.stdout.write("revoked")
            return
        made: dict[str, Any] = {
            "made_by": options["by"] or getuser(),
            "scopes": options["scope"],
            "days": options["days"],
        }
        if options["person"]:
            if not Person.objects.filter(pk=options["person"]).exists():
                raise CommandError(f"there is no person {options['person']}: let them in first")
            made["person"] = options["person"]
        else:
            made["property"], _, made["device"] = options["device"].partition("/")
            if not made["device"]:
                raise CommandError("a device is named PROPERTY/DEVICE", returncode=2)
        self.stdout.write(accounts.issue_token(**made))
