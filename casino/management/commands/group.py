"""Command: follow the databases of properties in a group installation."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.reference import projection
from casino.runtime import group


class Command(BaseCommand):
    help = (
        "Follow properties by logical replication. At a property: publish ROLE. In the group's database:"
        " follow NAME URL, unfollow NAME, refresh, state, registers. See docs/operations.md."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        publish = actions.add_parser("publish", help="let a group follow this database")
        publish.add_argument("role", help="role of the server with which the group connects")
        follow = actions.add_parser("follow", help="follow the database of a property")
        follow.add_argument("name", help="name of the subscription, such as aurora")
        follow.add_argument("url", help="postgres://role:password@host:port/name of the property")
        unfollow = actions.add_parser("unfollow", help="remove a subscription; its rows stay")
        unfollow.add_argument("name", help="name of the subscription")
        actions.add_parser("refresh", help="follow tables that a release has added at the properties")
        actions.add_parser("state", help="print each subscription; exit 1 if one does not run")
        actions.add_parser("registers", help="copy new register entries of all properties to the tables")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, options["action"])(options)
        except group.GroupError as error:
            raise CommandError(str(error)) from None

    def publish(self, options: dict[str, Any]) -> None:
        """Let the group's database copy the tables of this property."""
        group.publish(options["role"])
        self.stdout.write(f"{options['role']} may follow {len(group.FOLLOWED)} tables.")

    def follow(self, options: dict[str, Any]) -> None:
        """Follow the database of a property, and print the codes of its properties."""
        properties = group.follow(options["name"], options["url"])
        self.stdout.write(f"{options['name']} is followed: {', '.join(properties)}.")
        if not settings.GROUP:
            self.stderr.write("Set CATWALK_GROUP=1 for web, worker and beat of the group, and restart them.")

    def unfollow(self, options: dict[str, Any]) -> None:
        """Remove the subscription to a property."""
        group.unfollow(options["name"])
        self.stdout.write(f"{options['name']} is no longer followed.")

    def refresh(self, options: dict[str, Any]) -> None:
        """Follow tables that a release has added."""
        for name in group.refresh():
            self.stdout.write(f"{name} is followed with all tables of this release.")

    def registers(self, options: dict[str, Any]) -> None:
        """Copy new register entries to the tables."""
        self.stdout.write(f"{projection.sync_registers()} register entries copied.")

    def state(self, options: dict[str, Any]) -> None:
        """Print the state of each subscription."""
        states = group.state()
        for followed in states:
            runs = "runs" if followed.is_running else "does not run"
            age = "" if followed.age is None else f", last message {followed.age:.0f} s ago"
            copied = f"{followed.copied} of {len(group.FOLLOWED)} tables copied"
            self.stdout.write(f"{followed.name}: {runs}, {copied}{age}")
        if not all(followed.is_running for followed in states):
            raise CommandError("A subscription does not run: see the log of this database's server.")
