"""Command: import facts, or a vendor's feed, into the ledger, then examine the new facts."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from audit.facts.clock import zone_named
from audit.findings import examine as findings
from audit.ledger.intake import Sender
from audit.management.progress import progress_bar, update_to
from audit.queries.exported_rows import grave_findings
from casino.importing import Conflict, ImportOptions, UsageError, profiles
from casino.importing.file_validation import validate_files
from casino.importing.posting import PostResult, post
from casino.importing.spool import Spool
from casino.reference import projection

OPTIONS = ("property", "table", "zone", "edition", "currency")
NAMED = 5
"""Maximum number of refused lines that the summary on stderr names. All refused lines are printed to
stdout.
"""


class Command(BaseCommand):
    help = (
        "Record a file of facts, or a vendor's feed, and examine it. Exit 1 if a fact is refused or there are"
        " findings."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file, or - for standard input")
        parser.add_argument(
            "--profile",
            default="ndjson",
            help=f"the format of the file, one of: {', '.join(profiles.names())}",
        )
        parser.add_argument(
            "--property", help="the property; in a file of facts, every fact must belong to it"
        )
        parser.add_argument(
            "--table",
            help="PROPERTY/TABLE, or TABLE of --property; in a file of facts, every fact must belong to it",
        )
        parser.add_argument("--zone", help="time zone of timestamps that name none, such as Europe/Vienna")
        parser.add_argument("--edition", help="edition of the game at the table")
        parser.add_argument("--currency", help="currency of amounts that name none (ISO 4217)")

    def handle(self, *args: Any, **options: Any) -> None:
        names: list[str] = options["files"]
        if options["profile"] not in profiles.names():
            raise CommandError(
                f"Unknown profile {options['profile']!r}. Available: {', '.join(profiles.names())}",
                returncode=2,
            )
        profile = profiles.profile(options["profile"])
        try:
            import_options = _import_options(options, profile)
            if names.count("-") > 1:
                raise UsageError("standard input (-) can be read only once")
            with Spool() as spool:
                self._import(names, profile, import_options, spool)
        except UsageError as error:
            raise CommandError(str(error), returncode=2) from None
        except Conflict as error:
            raise CommandError(str(error)) from None

    def _import(
        self, names: list[str], profile: profiles.Profile, import_options: ImportOptions, spool: Spool
    ) -> None:
        start = monotonic()
        with progress_bar("checked", "facts") as bar:
            checked = validate_files(names, profile, import_options, spool, update_to(bar))
        seconds = monotonic() - start
        posted = PostResult()
        if not (profile.STRICT and checked.refused) and spool.count:
            # The first query may start the embedded database, which must not count as time of the import.
            connection.ensure_connection()
            start = monotonic()
            with progress_bar("recorded", "facts") as bar:
                posted = post(spool, Sender("import_facts"), strict=profile.STRICT, progress=update_to(bar))
            seconds += monotonic() - start
        # One message may have become several facts, but the message is refused only once.
        refused = sorted({*checked.refused, *posted.refused})
        for note in checked.notes:
            self.stdout.write(note)
        wrong = [*self._print_refused(names, refused, posted, profile.STRICT), *self._examine_new(posted)]
        count = posted.recorded + posted.already
        self.stdout.write(
            f"recorded {posted.recorded}, already recorded {posted.already}, refused {len(refused)},"
            f" {count / seconds:.0f} facts/s"
        )
        if wrong:
            print("; ".join(wrong), file=sys.stderr)
            sys.exit(1)

    def _print_refused(
        self, names: list[str], lines: list[tuple[int, int, str]], posted: PostResult, strict: bool
    ) -> list[str]:
        """Print every refused line to stdout, and return a summary of one line."""
        refused = [f"{names[file]} line {line}: {reason}" for file, line, reason in lines]
        for line in refused:
            self.stdout.write(f"refused: {line}")
        if not refused:
            return []
        remainder = f" and {len(refused) - NAMED} more, all on stdout" if len(refused) > NAMED else ""
        summary = f"refused {len(refused)}: {'; '.join(refused[:NAMED])}{remainder}"
        if strict and not posted.refused:
            summary += ". Nothing was recorded"
        elif strict:
            summary += (
                f". The import stopped there, with {posted.recorded + posted.already} facts recorded. Repeat"
                " the command to continue"
            )
        return [" ".join(summary.split())]

    def _examine_new(self, posted: PostResult) -> list[str]:
        """Examine the new facts. Return a list with a line about the grave findings in the imported streams.
        Return an empty list if the streams have no grave findings.
        """
        if not posted.streams:
            return []
        projection.sync_registers()
        with progress_bar("examined", "facts") as bar:
            findings.examine(progress=bar.update)
        count = grave_findings(posted.streams)
        return (
            [f"{count} finding{'s' if count != 1 else ''} in the imported facts: see `manage.py findings`"]
            if count
            else []
        )


def _import_options(options: dict[str, Any], profile: profiles.Profile) -> ImportOptions:
    """Return the options in the form that profiles accept. Raise UsageError if they are invalid."""
    values = {name: options[name] for name in OPTIONS if options[name] is not None}
    if strange := sorted(values.keys() - profile.TAKES):
        raise UsageError(
            f"--{', --'.join(strange)}: {options['profile']} does not support it, because the facts of this"
            " profile contain the value"
        )
    property, table = values.get("property"), values.get("table")
    if table is not None and "/" not in table:
        if property is None:
            raise UsageError(f"--table {table} needs a property: write --table PROPERTY/{table}")
        table = f"{property}/{table}"
    if table is not None and property is not None and table.split("/")[0] != property:
        raise UsageError(f"--table {table} does not belong to --property {property}")
    try:
        zone = zone_named(values["zone"]) if "zone" in values else None
    except ValueError as error:
        raise UsageError(f"--zone: {error}") from None
    return ImportOptions(property, table, zone, values.get("edition"), values.get("currency"))
