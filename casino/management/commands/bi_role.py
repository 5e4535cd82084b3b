"""Command: let a role of the database read the views for BI programs, list these roles, or revoke one."""

from __future__ import annotations

from getpass import getuser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.exports import bi_roles
from casino.exports.archive import orders


class Command(BaseCommand):
    help = (
        "Let a role of the database read the views of the schema bi, at the named properties. Without a name:"
        " list the roles. See docs/bi.md."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", help="name of the role, such as bi_accounting")
        parser.add_argument(
            "--property", action="append", help="a property that the role may read; can be repeated"
        )
        parser.add_argument(
            "--view", action="append", help="a view that the role may read (default: all); can be repeated"
        )
        parser.add_argument("--revoke", action="store_true", help="revoke its access")
        parser.add_argument("--by", help="who does it (default: the user of this machine)")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        try:
            if name is None:
                for reader in bi_roles.readers():
                    self.stdout.write(f"{reader.role} at {reader.property}: {', '.join(reader.views)}")
            elif options["revoke"]:
                if not bi_roles.revoke(name):
                    raise CommandError(f"{name} has no access")
                self.stdout.write(f"The access of {name} is revoked. Its open connections see no rows.")
            else:
                self._allow(name, options)
        except bi_roles.NoRole as error:
            raise CommandError(str(error)) from None

    def _allow(self, name: str, options: dict[str, Any]) -> None:
        known = bi_roles.views()
        properties, views = options["property"] or [], options["view"] or known
        if not properties:
            raise CommandError("Give at least one property with --property.", returncode=2)
        if unknown := [property for property in properties if not orders.has_ledger(property)]:
            raise CommandError(f"No facts are recorded for {', '.join(unknown)}.", returncode=2)
        if unknown := [view for view in views if view not in known]:
            raise CommandError(
                f"Unknown view {', '.join(unknown)}. Choose from: {', '.join(known)}.", returncode=2
            )
        places, names = list(dict.fromkeys(properties)), list(dict.fromkeys(views))
        bi_roles.allow(name, places, names, options["by"] or getuser())
        self.stdout.write(f"{name} may read {', '.join(names)} of {', '.join(places)}.")
