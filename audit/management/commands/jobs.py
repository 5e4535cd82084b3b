"""`manage.py jobs`: print the jobs that are due, in progress or failed."""

from __future__ import annotations

import sys
from getpass import getuser
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from audit.jobs import leases
from audit.management.tables import table
from audit.models import Job

HEADINGS = ("job", "state", "kind", "of", "attempts", "interrupted", "done", "since", "error")


class Command(BaseCommand):
    help = (
        "List the jobs that are not done, with their errors. Exit 1 if a job was set aside. --again makes"
        " jobs due again."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--again",
            type=int,
            nargs="+",
            metavar="JOB",
            help="make these jobs due now, if they were set aside or wait after an interruption",
        )
        parser.add_argument("--by", help="who makes the jobs due again, for the record (default: your login)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["again"]:
            revived = leases.revive(options["again"], options["by"] or getuser())
            self.stdout.write(f"jobs made due again: {revived}")
            return
        open_jobs = Job.objects.exclude(state="done").order_by("due_at", "id")
        rows = [
            (
                str(job.id),
                job.state,
                job.kind,
                job.stream or job.property,
                str(job.attempts),
                str(job.interruptions),
                f"{job.done} of {job.total}" if job.total else str(job.done),
                f"{job.due_at:%Y-%m-%d %H:%M:%S}",
                job.error,
            )
            for job in open_jobs
        ]
        self.stdout.write(table(HEADINGS, rows) if rows else "all jobs are done")
        if set_aside := sum(row[1] == "set-aside" for row in rows):
            print(
                f"jobs set aside: {set_aside}. Run manage.py jobs --again JOB to make a job due again.",
                file=sys.stderr,
            )
            sys.exit(1)
