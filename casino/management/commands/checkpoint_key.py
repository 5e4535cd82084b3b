"""Command: make, replace, revoke and list the keys that sign checkpoints."""

from __future__ import annotations

from getpass import getuser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.management.tables import table
from audit.models import Head
from audit.tree import checkpoints
from audit.tree.checkpoints import Key
from casino.checkpoints import keys

HEADINGS = ("property", "id", "state", "made", "by", "vkey")


class Command(BaseCommand):
    help = (
        "Make, replace, revoke and list the keys that sign checkpoints. Their public halves (vkeys) are"
        " printed: store them outside this installation, because checkpoints are verified with them."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the four actions: make, replace, revoke and list."""
        actions = parser.add_subparsers(dest="action", required=True)
        make_action = actions.add_parser("make", help="make a key for a property without an active key")
        make_action.add_argument("property")
        make_action.add_argument(
            "--name",
            default="",
            help="name of the key and origin of the checkpoints: a host name and a path; default: the first"
            " of CATWALK_HOSTS, then the property",
        )
        rotate_action = actions.add_parser(
            "rotate", help="replace the active key; the next checkpoint has both signatures"
        )
        rotate_action.add_argument("property")
        revoke_action = actions.add_parser("revoke", help="declare that a key is no longer trusted")
        revoke_action.add_argument("property")
        revoke_action.add_argument(
            "id", help="the eight hexadecimal digits that `checkpoint_key list` prints"
        )
        for action in (make_action, rotate_action, revoke_action):
            action.add_argument("--by", help="who changes the key, for the record (default: your login)")
        list_action = actions.add_parser("list", help="print all keys")
        list_action.add_argument("property", nargs="?", help="only this property")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do the action that the arguments name (make, replace, revoke or list), and print the keys that it
        concerns.
        """
        action, property = options["action"], options["property"]
        if action == "list":
            known = checkpoints.keys_of(property) if property else checkpoints.all_keys()
            self.stdout.write(table(HEADINGS, list(map(_row, known))) if known else "there is no key")
            return
        if not Head.objects.filter(property=property).exists():
            raise CommandError(
                f"{property!r} has no ledger: a property begins with its first fact", returncode=2
            )
        by = options["by"] or getuser()
        try:
            if action == "make":
                key = keys.make(property, by, options["name"])
            elif action == "rotate":
                key = keys.rotate(property, by)
            else:
                key = keys.revoke(property, options["id"], by)
        except keys.KeyRefused as error:
            raise CommandError(str(error)) from None
        self.stdout.write(table(HEADINGS, [_row(key)]))


def _row(key: Key) -> tuple[str, ...]:
    verifier = key.verifier()
    return (
        key.property,
        verifier.id.hex(),
        key.state(),
        f"{key.made_at:%Y-%m-%d %H:%M:%S}",
        key.made_by,
        verifier.text,
    )
