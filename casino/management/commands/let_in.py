"""A person gets a password; what they may do, the registers say."""

from __future__ import annotations

import sys
from getpass import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.facts import accepted_form
from casino.accounts import otp
from casino.accounts import services as accounts
from casino.models import Person


class Command(BaseCommand):
    help = (
        "Let a person in: by id, with a name and a password (asked for on a terminal, else made up and"
        " printed)."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="the id by which facts name the person, such as s-101")
        parser.add_argument("--name", default="", help="what the pages call them; it can be erased")
        parser.add_argument(
            "--shut",
            action="store_true",
            help="let the person in no more: every login and token ends; the name stays",
        )
        parser.add_argument(
            "--codes-off",
            action="store_true",
            help="take one-time passwords off: authenticator and backup codes are lost",
        )
        parser.add_argument(
            "--forget",
            action="store_true",
            help="erase the name, end every token, and let the person in no more",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        id = options["id"]
        if options["forget"]:
            if not Person.objects.filter(pk=id).exists():
                raise CommandError(f"there is no person {id}")
            accounts.erase_personal_data(id)
            self.stdout.write(f"{id} is let in no more; the name is erased")
            return
        if options["shut"] or options["codes_off"]:
            self.stdout.write(_changed(id, shut=options["shut"]))
            return
        if not Person.objects.filter(pk=id).exists():
            id = accepted_form(id)
        given = getpass("Password (empty: one is made up): ") if sys.stdin.isatty() else ""
        if given:
            try:
                validate_password(given, Person(id=id, name=options["name"]))
            except ValidationError as error:
                raise CommandError(" ".join(error.messages)) from None
        password = accounts.activate_user(id, options["name"], given or None)
        self.stdout.write(f"{id} is let in" if given else f"{id} is let in with the password {password}")


def _changed(id: str, *, shut: bool) -> str:
    """Change a known user, and return what was done in one line. Raises CommandError if there is no such
    user.
    """
    if not Person.objects.filter(pk=id).exists():
        raise CommandError(f"there is no person {id}")
    if shut:
        accounts.deactivate_user(id)
        return f"{id} is let in no more, and is logged in nowhere"
    if not otp.remove_otp(id):
        raise CommandError(f"{id} has set up no one-time passwords")
    accounts.end_sessions([id])
    return (
        f"{id} has no one-time passwords any more; every login and token has ended, and the password alone"
        " lets in"
    )
