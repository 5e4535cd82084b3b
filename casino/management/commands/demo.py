"""Command: start an installation with a sample month. Print its findings and each table's hold, then run web,
worker and beat until Ctrl-C.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import partial
from multiprocessing import get_context
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections
from django.urls import Resolver404, resolve

from audit.facts import Prepared, Refused, check
from audit.findings import examine as findings
from audit.findings import read
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.ledger.store import Recorded
from audit.management.progress import progress_bar
from audit.management.tables import table
from audit.models import Stream
from audit.queries.span import BOOKS, CLOSED, Span
from casino.exports import schedules
from casino.exports.archive import orders as kept
from casino.exports.archive.orders import ExportSpec
from casino.exports.formats.text import as_table
from casino.management.demo_money import record_money
from casino.reference import calendar, projection
from casino.reference.demo_users import DEMO_USERS, Login, create_demo_users
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reference.registers import values_on
from casino.reports import catalog
from casino.runtime import supervisor
from casino.runtime.supervisor import Running
from casino.sample.month.days import DAYS, sample_month
from casino.sample.month.floor_plan import PAR, floor_plan
from casino.sample.month.registers import table_entry
from casino.sample.month.sample_property import DAY, PROPERTY
from casino.sample.month.today import OPEN, PULLED, sample_today

POST = 2_000
PROCESSES = 2
"""Number of processes that play days of the sample while earlier days are posted. Afterwards, the same number
of processes examines the days.
"""
PATIENCE = 60
"""Maximum time to wait for the first page, in seconds."""

SCHEDULE_NAME, ACCOUNTANT = "Hold of the gaming day", "a-101"
"""The name of the demo's schedule, which uses the closed books, and the user who ordered the reports in the
archive.
"""
ADJUSTED_DAY = date(2026, 11, 12)
"""A gaming day of the sample that is adjusted after it was closed. A restated report of the day then
supersedes the earlier report.
"""

SPARE_TABLE = "EOU-05"
"""A table that the sample never opens, so that users always have one that they can open."""
SIGHTS = (
    ("Dana", "queue/", "findings, the most serious first: j and Enter open a hand, ? shows the keys"),
    ("Boris", "hold/?from=2026-10-28&to=2026-11-26", "the hold of every table"),
    (
        "Boris",
        "hold/where/?by=table&from=2026-10-28&to=2026-11-26",
        "its causes: theory, players, luck, dealers, and what is missing",
    ),
    (
        "Boris",
        "reports/where-the-hold-went/?by=table&by=shift&from=2026-11-14&to=2026-11-14",
        "2,500.00 in chips missing at EOU-02",
    ),
    (
        "Alma",
        "reports/dealer-errors/?by=dealer&from=2026-10-28&to=2026-11-26",
        "errors by dealer: those of d-110 and d-135 are all in favor of the players",
    ),
    ("Alma", "reports/hold/?by=day&from=2026-11-18&to=2026-11-19", "a box that stayed at HS-01 overnight"),
    (
        "Alma",
        "reports/adjustments/?from=2026-10-28&to=2026-11-26",
        "a note found three days later in a box of EOU-01",
    ),
    (
        "Alma",
        "exports/",
        "archived exports; one is superseded, and the next comes when the 27th is closed",
    ),
    ("Finn", "floor/", "all tables now: open one, seat a dealer, count its tray"),
    ("Chi", "cage/", "fills and credits with five signatures, markers"),
    ("Nia", "count/", "boxes, counted and recounted by somebody who does not see the first count"),
    (
        "Alma",
        "closing/?day=2026-11-12",
        "a closed day and its restated result, and what prevents a day from being closed",
    ),
    ("Alma", "reports/restated/?from=2026-10-28&to=2026-11-26", "restated results of the whole month"),
    ("Alma", "tokens/", "a token for a program; under her name in the bar: one-time passwords"),
    ("Mia", "admin/", "the registers: tables, shifts, people, approvals"),
)
"""For each demo user, the address to open and what it shows. Pages that do not exist in this installation are
left out.
"""


class Command(BaseCommand):
    help = "Record a sample month (once), examine it, print findings and hold, then run Catwalk until Ctrl-C."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="port of the web server (default 8000)")
        parser.add_argument("--once", action="store_true", help="print the findings and exit")
        parser.add_argument(
            "--days",
            type=int,
            default=len(DAYS),
            choices=range(1, len(DAYS) + 1),
            metavar="N",
            help=f"how many days before the present one (default {len(DAYS)}, the whole month)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        port: int = options["port"]
        if not options["once"]:
            _check_free(port)
        self.show(DAYS[-options["days"] :])
        if options["once"]:
            return
        try:
            self.run(port)
        except KeyboardInterrupt:
            self.stdout.write("\nstopped; `make demo` continues with the same data")
        except supervisor.Ended as error:
            raise CommandError(str(error)) from None

    def show(self, days: tuple[date, ...]) -> None:
        """Record the sample month and the current day, examine them, and print the results."""
        start = time.monotonic()
        facts, fresh = self.record(days)
        open_now = self.open_tables()
        order_reports(days)
        with progress_bar("examined", "facts", fresh) as bar:
            findings.examine(workers=PROCESSES, progress=bar.update)
        if calendar.gaming_day(PROPERTY) > DAY and record_money(PROPERTY, calendar.gaming_day(PROPERTY)):
            findings.examine()
        took = time.monotonic() - start
        self.stdout.write(
            f"{facts} facts of {len(days) + 1} gaming days, {fresh} of them recorded now, in {took:.0f}"
            f" s\n{open_now}\n\n"
        )
        grave = [(finding, currency) for finding, currency in read.findings() if finding.grade != "notice"]
        today = [
            read.as_row(finding, currency)
            for finding, currency in grave
            if finding.stream.endswith(DAY.isoformat())
        ]
        present = f"Findings on the present gaming day, {DAY.isoformat()}"
        self.stdout.write(f"{present}:\n\n{table(read.HEADINGS, today)}\n\n")
        codes = Counter(finding.code for finding, _ in grave if not finding.stream.endswith(DAY.isoformat()))
        self.stdout.write(
            "Findings on the days before:"
            f" {', '.join(f'{count} {code}' for code, count in codes.most_common())}\n\n"
        )
        self.hold(days[0])
        self.stdout.write(
            "\nTry next: .venv/bin/python manage.py findings --code wrong-settlement, report coverage,"
            " verify, help\n"
        )

    def hold(self, begins: date) -> None:
        """Print the hold of each table for the days before the current gaming day."""
        hold = catalog.report("hold")
        for text in as_table(hold.sheet(Span(begins, DAY), hold.DEFAULT_BY)):
            self.stdout.write(text, ending="")

    def record(self, days: tuple[date, ...]) -> tuple[int, int]:
        """Post the facts of these days, one day after another. Return the number of all facts, and the number
        of facts that were not in the ledger before.
        """
        connections.close_all()
        facts = fresh = 0
        with ProcessPoolExecutor(
            PROCESSES, mp_context=get_context("fork"), initializer=connections.close_all
        ) as players:
            run_in_order = partial(players.map, chunksize=1)
            with progress_bar("recorded", "facts") as bar:
                for number, (_, facts_of_day) in enumerate(
                    sample_month(days=days, run_map=run_in_order, made_into=validated), 1
                ):
                    bar.set_description(f"recorded, {number} of {len(days) + 1} gaming days")
                    for start in range(0, len(facts_of_day), POST):
                        recorded = post(facts_of_day[start : start + POST])
                        fresh += sum(answer.fresh for answer in recorded)
                        bar.update(len(recorded))
                    facts += len(facts_of_day)
        projection.sync_registers(PROPERTY)
        return facts, fresh

    def open_tables(self) -> str:
        """Open some tables on the current gaming day, by recording the events that the sample has for this
        day. Do this only once, and only if nobody has worked in this installation yet. Return the text to
        print about it.
        """
        day = calendar.gaming_day(PROPERTY)
        add_spare_table(day)
        if closed := closed_message():
            return closed
        worked = Stream.objects.filter(property=PROPERTY).exclude(name__startswith=f"{PROPERTY}/house/")
        if any(name[-10:] > DAY.isoformat() for name in worked.values_list("name", flat=True)):
            return ""
        set_up_floor(day)
        post(validated(sample_today(day)))
        return (
            f"Today is {day.isoformat()}: {', '.join(OPEN)} are open, {SPARE_TABLE} can be opened, and a box"
            f" of {PULLED} waits for its count."
        )

    def run(self, port: int) -> None:
        """Run the web, worker and beat processes until they are stopped."""
        logins = _logins()
        with Running() as processes:
            processes.start("worker", supervisor.WORKER)
            processes.start("beat", supervisor.BEAT)
            processes.start("web", supervisor.web(port))
            address = f"http://localhost:{port}/"
            self.wait_for(address, processes)
            self.stdout.write(f"\nCatwalk runs at {address}\n\n")
            rows = [
                (login.role or "no role", login.name, login.id, login.password or login.token or "")
                for login in logins
            ]
            self.stdout.write(table(("role", "name", "login", "password or token"), rows))
            looks = [
                (role, address + path, subject)
                for role, path, subject in SIGHTS
                if _is_there("/" + path.partition("?")[0])
            ]
            self.stdout.write("\n\n" + table(("sign in as", "open", "to see"), looks))
            self.stdout.write("\nCtrl-C stops everything.")
            self.stdout.flush()
            while True:
                time.sleep(0.5)
                self.tell(processes.watch())

    def tell(self, names: list[str]) -> None:
        """Print a line for each process that had ended and was restarted."""
        for name in names:
            print(f"the {name} had stopped and was restarted", file=sys.stderr, flush=True)

    def wait_for(self, address: str, processes: Running) -> None:
        """Wait until the first page is served. Raise CommandError after PATIENCE seconds."""
        deadline = time.monotonic() + PATIENCE
        while not _answers(address):
            self.tell(processes.watch())
            if time.monotonic() > deadline:
                raise CommandError(
                    f"No page came from {address} within {PATIENCE} s: see web.log in"
                    f" {settings.CATWALK_DATA}."
                )
            time.sleep(0.1)


def order_reports(days: tuple[date, ...]) -> None:
    """Order some reports for the archive if no report was ordered before. If there is no schedule, create one
    that orders a report for every gaming day.
    """
    if not kept.orders([PROPERTY]):
        month = ExportSpec(PROPERTY, "hold", days[0], DAY, ("table",), "xlsx")
        of_day = month._replace(begins=ADJUSTED_DAY, ends=ADJUSTED_DAY + timedelta(days=1), format="csv")
        for spec in (month, *(of_day._replace(books=books) for books in BOOKS if ADJUSTED_DAY in days)):
            kept.order(spec, ACCOUNTANT)
    if not schedules.all_schedules():
        schedule = schedules.Schedule(SCHEDULE_NAME, PROPERTY, "hold", ("table",), "csv", "day", CLOSED)
        last = schedules.Period(days[-1].isoformat(), days[-1], DAY)
        kept.order(schedule.spec(last), "", SCHEDULE_NAME, last.name)
        schedules.create(schedule)


def closed_message(instant: datetime | None = None) -> str:
    """Return one line that says why the sample's tables are closed at `instant`, and when they open again.
    Return empty text if they are open. Without `instant`, use the present moment.
    """
    day = calendar.gaming_day(PROPERTY, instant)
    if day > DAY:
        return ""
    begins = calendar.bounds(PROPERTY, DAY).ends
    local, closed = begins.astimezone(calendar.zone(PROPERTY, DAY)), "The sample's tables are closed"
    return (
        f"{closed} on the current gaming day, {day.isoformat()}; {SPARE_TABLE} can be opened. The next gaming"
        f" day begins on {local:%Y-%m-%d at %H:%M} local time ({begins:%Y-%m-%d %H:%M} UTC):"
        " `make demo` then opens some of them."
    )


def add_spare_table(day: date) -> None:
    """Add a table that can be opened on this gaming day, with par levels. If somebody has changed its entry,
    it stays as it is. If the day is before the sample's year, also add the registers that the table needs.
    """
    entries = []
    if SPARE_TABLE not in values_on(PROPERTY, "tables", day):
        entries.append(Entry("tables", SPARE_TABLE, table_entry(0, seed=1) | {"par": PAR}, day.isoformat()))
    for register in ("property", "day-begins", "shifts", "pits", "chip-sets"):
        if not values_on(PROPERTY, register, day):
            entries += [
                Entry(register, key, value, None, f"{DAY.year}-01-01")
                for key, value in values_on(PROPERTY, register, DAY).items()
            ]
    if entries:
        set_registers(PROPERTY, entries, by="m-101", second="m-102")


def set_up_floor(day: date) -> None:
    """Enter the maps of the pits, par levels and breaks, in force from this gaming day on. If somebody has
    changed an entry, it stays as it is.
    """
    values = {register: values_on(PROPERTY, register, day) for register in ("pits", "tables", "thresholds")}
    entries = [
        Entry(planned.register, planned.key, planned.value, begins=day.isoformat())
        for planned in floor_plan()
        if values[planned.register].get(planned.key) == planned.before
    ]
    if entries:
        set_registers(PROPERTY, entries, by="m-101", second="m-102")


def validated(facts: list[dict[str, Any]]) -> list[Prepared]:
    """Validate the facts of the sample, and return them ready to be recorded."""
    return [check(json.dumps(fact).encode()) for fact in facts]


def post(facts: list[Prepared]) -> list[Recorded]:
    """Record the facts through `audit.ledger.intake`, and return its answers. Raise CommandError if the
    installation contains the facts of another sample, because they cannot be replaced.
    """
    try:
        return intake.post_prepared(facts, Sender("demo"))
    except Refused:
        raise CommandError(
            f"{settings.CATWALK_DATA} has the sample of an earlier version, and recorded facts never change."
            " Set CATWALK_DATA to a new folder, or delete this one if you do not need its data."
        ) from None


def _check_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise CommandError(
                f"Port {port} cannot be used ({reason.lower()}). Choose another with --port."
            ) from None


def _is_there(path: str) -> bool:
    with suppress(Resolver404):
        return bool(resolve(path))
    return False


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5):
            return True
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


def _logins() -> list[Login]:
    """Return the demo's logins. They are created at the first start, and again if a demo user was added.
    Their passwords are stored in a file that only the current system user can read, so the next start uses
    the same passwords.
    """
    path = settings.CATWALK_DATA / "demo_logins.json"
    if path.exists():
        logins = [Login(*login) for login in json.loads(path.read_text())]
        if {login.id for login in logins} >= {id for id, *_ in DEMO_USERS}:
            return logins
    logins = create_demo_users(PROPERTY)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(logins, file)
    return logins
