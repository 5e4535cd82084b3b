"""The whole house with a sample gaming day: what it finds, what each table held, and then web, worker and beat until Ctrl-C."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
import urllib.error
import urllib.request
from importlib.util import find_spec
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit import findings, found, intake
from audit.facts import check
from audit.intake import Sender
from audit.management.shown import Progress, table
from casino import people, running
from casino.people import Login
from casino.running import Running
from casino.sample import sample_house
from casino.sample.house import PROPERTY

POST = 500
PATIENCE = 60
"""Seconds for the first page to come."""


class Command(BaseCommand):
    help = "Record a sample gaming day (once), examine it, show findings and hold, then run the house until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="where the pages are (default 8000)")
        parser.add_argument("--once", action="store_true", help="show what was found and end; start nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        port: int = options["port"]
        if not options["once"]:
            _check_free(port)
        self.show()
        if options["once"]:
            return
        try:
            self.run(port)
        except KeyboardInterrupt:
            self.stdout.write("\nstopped; `make demo` goes on with the same house")
        except running.Ended as error:
            raise CommandError(str(error)) from None

    def show(self) -> None:
        """Record the day, examine it, and print what came of it."""
        facts = sample_house()
        with Progress("recorded", "facts", len(facts)) as progress:
            fresh = self.record(facts, progress)
        with Progress("examined", "facts") as progress:
            findings.examine(progress=progress)
        self.stdout.write(f"{len(facts)} facts of one gaming day, {fresh} of them recorded now\n\n")
        shown = [found.as_row(one, currency) for one, currency in found.findings() if one.grade != "notice"]
        self.stdout.write(table(found.HEADINGS, shown) + "\n\n")
        if find_spec("casino.reports") is not None:
            self.hold()
        self.stdout.write("\nGo on with: .venv/bin/python manage.py findings --code wrong-settlement, report coverage, verify, help\n")

    def hold(self) -> None:
        """What each table held."""
        from audit.queries import Span
        from casino import reports
        from casino.exports import as_table

        hold = reports.report("hold")
        for text in as_table(hold.sheet(Span(None, None), hold.DEFAULT_BY)):
            self.stdout.write(text, ending="")

    def record(self, facts: list[dict[str, Any]], progress: Progress) -> int:
        """Post the day through the one door in; what is there already stays. How many facts were new."""
        checked = [check(json.dumps(fact).encode()) for fact in facts]
        fresh = 0
        for start in range(0, len(checked), POST):
            told = intake.post_prepared(checked[start : start + POST], Sender("demo"))
            fresh += sum(one.fresh for one in told)
            progress(len(told))
        return fresh

    def run(self, port: int) -> None:
        """Web, worker and beat, until somebody ends it."""
        logins = _logins()
        with Running() as house:
            house.start("worker", running.WORKER)
            house.start("beat", running.BEAT)
            house.start("web", running.web(port))
            address = f"http://localhost:{port}/"
            self.wait_for(address, house)
            self.stdout.write(f"\nCatwalk runs at {address}\n\n")
            rows = [(login.role or "no rights here", login.name, login.id, login.password or login.token or "") for login in logins]
            self.stdout.write(table(("role", "name", "login", "password or token"), rows))
            self.stdout.write("\nCtrl-C stops everything.")
            self.stdout.flush()
            while True:
                time.sleep(0.5)
                self.tell(house.watch())

    def tell(self, names: list[str]) -> None:
        """Say what was started anew."""
        for name in names:
            print(f"the {name} had ended and was started again", file=sys.stderr, flush=True)

    def wait_for(self, address: str, house: Running) -> None:
        """Until the first page comes. Raises CommandError where none does."""
        deadline = time.monotonic() + PATIENCE
        while not _answers(address):
            self.tell(house.watch())
            if time.monotonic() > deadline:
                raise CommandError(f"No page came from {address} within {PATIENCE} s: see web.log in {settings.CATWALK_DATA}.")
            time.sleep(0.1)


def _check_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise CommandError(f"Port {port} cannot be used ({why.lower()}): name another with --port.") from None


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5):
            return True
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


def _logins() -> list[Login]:
    """The cast of the demo. Made once: the next start has the same passwords, kept where only we can read them."""
    kept = settings.CATWALK_DATA / "demo_logins.json"
    if kept.exists():
        return [Login(*each) for each in json.loads(kept.read_text())]
    logins = people.make_cast(PROPERTY)
    with open(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(logins, file)
    return logins
