"""Command: take facts from a queue of a message broker and record them."""

from __future__ import annotations

import signal
from threading import Event
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.fact_queues.consume import Consumer, DeviceNotAllowed
from casino.runtime import queue_urls


class Command(BaseCommand):
    help = (
        "Take facts from a queue of CATWALK_FACT_QUEUES and record them until SIGTERM. One process works on a"
        " queue; a second one waits until the first one ends."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("queue", metavar="PROPERTY/DEVICE", help="the queue of this device")
        parser.add_argument(
            "--idle",
            type=float,
            metavar="SECONDS",
            help="end when no message came for this many seconds (default: never)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        queues = {queue.name(): queue for queue in map(queue_urls.parse, settings.FACT_QUEUES)}
        if options["queue"] not in queues:
            available = ", ".join(queues) or "none"
            raise CommandError(
                f"CATWALK_FACT_QUEUES has no {options['queue']!r}. Available: {available}", returncode=2
            )
        stop = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        consumer = Consumer(queues[options["queue"]], stop, options["idle"])
        try:
            consumer.run()
        except DeviceNotAllowed as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"recorded {consumer.recorded:,}, already recorded {consumer.already:,},"
            f" refused {consumer.refused:,} messages"
        )
