"""Command: list the webhooks of a property, test one, replay its events, or change its secret."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.alerts import event_log, services, webhook_list
from casino.models import Person
from casino.presentation.errors import ActionRejected


class Command(BaseCommand):
    help = (
        "List the webhooks of a property. Or test a webhook, replay its events, retry it, or"
        " create a new secret."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("property", help="the property")
        parser.add_argument("webhook", nargs="?", help="the webhook (default: list all)")
        parser.add_argument("--by", metavar="ID", help="your staff ID; you need the right to set webhooks")
        acts = parser.add_mutually_exclusive_group()
        acts.add_argument("--test", action="store_true", help="send a test event")
        acts.add_argument(
            "--replay", type=int, metavar="NUMBER", help="deliver all events again from this number on"
        )
        acts.add_argument(
            "--revive", action="store_true", help="retry now, without waiting for the next attempt"
        )
        acts.add_argument("--rotate", action="store_true", help="create a new secret and print it")

    def handle(self, *args: Any, **options: Any) -> None:
        property, name = options["property"], options["webhook"]
        acts = ("test", "revive", "rotate")
        if options["replay"] is None and not any(options[act] for act in acts):
            self._list(property, name)
            return
        if not name or not options["by"]:
            raise CommandError("Name the webhook, and the person with --by.", returncode=2)
        person = Person.objects.filter(pk=options["by"], is_active=True).first()
        if person is None:
            raise CommandError(f"No user {options['by']}. Create it with `manage.py let_in {options['by']}`.")
        try:
            self.stdout.write(self._act(person, property, name, options))
        except PermissionDenied:
            raise CommandError(f"{person.pk} may not set webhooks at {property}.") from None
        except ActionRejected as rejected:
            raise CommandError(str(rejected)) from None

    def _act(self, person: Person, property: str, name: str, options: dict[str, Any]) -> str:
        if options["test"]:
            services.send_test(person, property, name)
            return f"A test event is on its way to {name}. Its result is in the delivery log."
        if options["rotate"]:
            return services.rotate_secret(person, property, name)
        if options["revive"]:
            is_revived = services.revive(person, property, name)
            return f"{name} is tried again now." if is_revived else f"{name} has nothing waiting to be sent."
        count = services.replay(person, property, name, options["replay"])
        return f"{count} events are delivered to {name} again."

    def _list(self, property: str, name: str | None) -> None:
        self.stdout.write(f"The stream of events ends at number {event_log.last_number(property)}.")
        for row in webhook_list.listed(property):
            if name in (None, row.name):
                reason = f": {row.why}" if row.why else ""
                self.stdout.write(f"{row.name} {row.state}, event {row.number}, {row.webhook.url}{reason}")
