"""Command: create a user, or change a user's access. Permissions come from the registers."""

from __future__ import annotations

import sys
from getpass import getpass
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from audit.facts import accepted_form
from casino.accounts import openid, openid_people, otp
from casino.accounts import services as accounts
from casino.models import Person


class Command(BaseCommand):
    help = (
        "Create a user, or set a new password: typed on a terminal, otherwise generated and printed. Or"
        " change the"
        " access of a user."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="the staff id, such as s-101")
        parser.add_argument("--name", default="", help="the name shown on pages; it can be erased")
        parser.add_argument(
            "--shut",
            action="store_true",
            help="deactivate the user: end all sessions and tokens, keep the name",
        )
        parser.add_argument(
            "--codes-off",
            action="store_true",
            help="remove one-time passwords, if authenticator and backup codes are lost",
        )
        parser.add_argument(
            "--forget",
            action="store_true",
            help="deactivate the user and erase the name",
        )
        parser.add_argument(
            "--openid",
            metavar="SUBJECT",
            help="link the account of the OpenID Connect provider with this subject (claim `sub`), and create"
            " the user without a password if necessary; '' removes the link and ends all sessions",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        id = options["id"]
        if options["forget"]:
            if not Person.objects.filter(pk=id).exists():
                raise CommandError(f"No user {id}. Create it with `manage.py let_in {id}`.")
            accounts.erase_personal_data(id)
            self.stdout.write(f"{id} is deactivated, and the name is erased")
            return
        if options["openid"] is not None:
            self.stdout.write(_link(id, options["name"], options["openid"]))
            return
        if options["shut"] or options["codes_off"]:
            self.stdout.write(_change_access(id, deactivate=options["shut"]))
            return
        if not Person.objects.filter(pk=id).exists():
            id = accepted_form(id)
        typed_password = getpass("Password (empty to generate one): ") if sys.stdin.isatty() else ""
        if typed_password:
            try:
                validate_password(typed_password, Person(id=id, name=options["name"]))
            except ValidationError as error:
                raise CommandError(" ".join(error.messages)) from None
        password = accounts.activate_user(id, options["name"], typed_password or None)
        self.stdout.write(
            f"{id} can sign in" if typed_password else f"{id} can sign in with the password {password}"
        )


def _link(id: str, name: str, subject: str) -> str:
    """Link a user with an account of the OpenID Connect provider, or remove the link, and return one line
    that says what was done. Raise CommandError if no provider is configured, or if the user does not exist.
    """
    if not openid.is_configured():
        raise CommandError("Set CATWALK_OPENID_ISSUER and CATWALK_OPENID_CLIENT first.")
    if not subject:
        if not Person.objects.filter(pk=id).exists():
            raise CommandError(f"No user {id}. Create it with `manage.py let_in {id}`.")
        openid_people.link(id, "")
        accounts.end_sessions([id])
        return f"{id} is not linked any more, and all sessions have ended"
    if not Person.objects.filter(pk=id).exists():
        id = accepted_form(id)
    try:
        with transaction.atomic():
            accounts.create_without_password(id, name)
            openid_people.link(id, openid.account_of(subject))
    except openid.OpenIdRefused as refused:
        raise CommandError(str(refused)) from None
    return f"{id} can sign in at {settings.OPENID_NAME}"


def _change_access(id: str, *, deactivate: bool) -> str:
    """Change the access of an existing user, and return one line that says what was done. Raise CommandError
    if there is no user with this ID.
    """
    if not Person.objects.filter(pk=id).exists():
        raise CommandError(f"No user {id}. Create it with `manage.py let_in {id}`.")
    if deactivate:
        accounts.deactivate_user(id)
        return f"{id} is deactivated, and all sessions have ended"
    if not otp.remove_otp(id):
        raise CommandError(f"{id} has not set up one-time passwords")
    accounts.end_sessions([id])
    return (
        f"{id} has no one-time passwords now; all sessions and tokens have ended, and the password is enough"
        " to sign in"
    )
