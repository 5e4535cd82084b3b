"""Command: create or revoke tokens of the REST API."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from getpass import getuser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.accounts import networks
from casino.accounts import services as accounts
from casino.accounts.scopes import OF_A_DEVICE, SCOPES, usable_scopes
from casino.accounts.tokens import LONGEST_WARNING, WARN_DAYS
from casino.models import Person


class Command(BaseCommand):
    help = "Create or revoke a token of the REST API, for a person or a device. It is printed only once."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        holder = parser.add_mutually_exclusive_group(required=True)
        holder.add_argument("--person", metavar="ID", help="the person who may use it")
        holder.add_argument(
            "--device",
            metavar="PROPERTY/DEVICE",
            help="the device that may use it; the register `devices` says what it may post",
        )
        holder.add_argument(
            "--revoke", metavar="PREFIX", help="revoke the token that begins with these nine characters"
        )
        parser.add_argument(
            "--scope",
            action="append",
            choices=SCOPES,
            help="scope of the token (default: all that the holder can use); can be repeated",
        )
        parser.add_argument(
            "--days",
            type=int,
            default=accounts.TOKEN_DAYS,
            help="how long it is valid (default: %(default)s)",
        )
        parser.add_argument(
            "--network",
            action="append",
            default=[],
            metavar="CIDR",
            help="network from which it may be used (default: all); can be repeated",
        )
        parser.add_argument(
            "--warn-days",
            type=int,
            default=WARN_DAYS,
            help="how many days before its end people are warned, 0 to 90; 0: never (default: %(default)s)",
        )
        parser.add_argument("--by", help="who issues it (default: the user of this machine)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["revoke"]:
            if not accounts.revoke(options["revoke"]):
                raise CommandError(f"no valid token begins with {options['revoke']}")
            self.stdout.write("revoked")
            return
        values: dict[str, Any] = {
            "made_by": options["by"] or getuser(),
            "days": options["days"],
            "warn_days": options["warn_days"],
        }
        if not 0 <= options["warn_days"] <= LONGEST_WARNING:
            raise CommandError(f"--warn-days must be from 0 to {LONGEST_WARNING}.", returncode=2)
        try:
            values["networks"] = networks.parse(" ".join(options["network"]))
        except ValueError as error:
            raise CommandError(str(error), returncode=2) from None
        if options["person"]:
            person = Person.objects.filter(pk=options["person"]).first()
            if person is None:
                raise CommandError(
                    f"No user {options['person']}. Create it with `manage.py let_in {options['person']}`."
                )
            values |= {"person": person.pk, "scopes": _scopes(person.pk, options, usable_scopes(person))}
        else:
            values["property"], _, values["device"] = options["device"].partition("/")
            if not values["device"]:
                raise CommandError("a device is named PROPERTY/DEVICE", returncode=2)
            values["scopes"] = _scopes(values["device"], options, OF_A_DEVICE)
        self.stdout.write(accounts.issue_token(**values))


def _scopes(holder: str, options: Mapping[str, Any], usable: Sequence[str]) -> list[str]:
    """Return the scopes of a new token: those that the options name or, by default, all that the holder can
    use. Raise CommandError if the holder cannot use one of them. A holder without a role can be given any
    scope, because a role may follow later.
    """
    if not usable:
        print(
            f"{holder} has no role yet: the token can be used once the register `people` gives them one.",
            file=sys.stderr,
        )
        return list(options["scope"] or SCOPES)
    missing = [scope for scope in options["scope"] or () if scope not in usable]
    if missing:
        raise CommandError(f"{holder} cannot use {', '.join(missing)}. Choose from: {', '.join(usable)}.")
    return list(options["scope"] or usable)
