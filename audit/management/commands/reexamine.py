"""`manage.py reexamine`: fold all facts again by today's rules, or with other table settings."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.differences import Difference, Differences
from audit.findings import examine
from audit.jobs import work_units
from audit.management.options import add_span, processes, span_of
from audit.management.progress import progress_bar
from audit.management.tables import table
from audit.proofs.escape import escape
from audit.queries import what_if
from audit.queries.cache import compare as caches
from games.kit.amounts import exact, say, size


class Command(BaseCommand):
    help = (
        "Replay every stream from its start under the current rules, and compare everything that is stored"
        " with the result: findings, tallies, states, queue and cached sums. Print and replace what"
        " differs, and record it as `reexamined`. With --as, print what would have been owed under"
        " other settings of the tables, and store nothing."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="write nothing, and only print the differences; exit code 1 if there are any",
        )
        parser.add_argument(
            "--workers", type=processes, default=1, help="how many processes replay in parallel"
        )
        parser.add_argument(
            "--on-workers",
            action="store_true",
            help="let the Celery workers of all machines replay; if the command is ended, the workers"
            " continue, and the same command collects their results",
        )
        parser.add_argument(
            "--as",
            dest="otherwise",
            metavar="WHAT",
            help="the other settings: edition=E,pay_tables=WAGER:TABLE,readings=QUESTION:ANSWER",
        )
        add_span(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["otherwise"] is not None:
            self.what_if(options)
            return
        if any(options[name] for name in ("begins", "ends", "property")):
            raise CommandError(
                "--from, --to and --property need --as: without --as, all facts are examined again",
                returncode=2,
            )
        if options["on_workers"] and options["workers"] > 1:
            raise CommandError("--workers are processes of this machine: omit --on-workers", returncode=2)
        with progress_bar("examined", "facts") as bar:
            try:
                result = examine.reexamine(
                    dry_run=options["dry_run"],
                    workers=options["workers"],
                    on_workers=options["on_workers"],
                    progress=bar.update,
                )
            except work_units.Unfinished as error:
                raise CommandError(str(error)) from None
        caches.compare_all(result.differences, dry_run=options["dry_run"])
        self._write_findings(result)
        self._write_differences(result.differences, replaced=not options["dry_run"])
        self.stdout.write(
            f"examined {result.facts} facts in {result.streams} streams: gained {len(result.gained)}, lost"
            f" {len(result.lost)}"
        )
        if result.gained or result.lost or result.differences:
            print(
                f"{len(result.gained)} findings gained and {len(result.lost)} lost, {len(result.differences)}"
                f" differences, {result.differences.unexplained} of them without a change of rules",
                file=sys.stderr,
            )
            sys.exit(1)

    def _write_findings(self, result: examine.Examined) -> None:
        for id_ in result.gained:
            self.stdout.write(f"gained {id_}")
        for id_ in result.lost:
            self.stdout.write(f"lost {id_}")
        gained, lost = (Counter(id_.split(":")[1] for id_ in ids) for ids in (result.gained, result.lost))
        for code in sorted(gained | lost):
            self.stdout.write(f"{code}: {gained[code]} gained, {lost[code]} lost")

    def _write_differences(self, differences: Differences, *, replaced: bool) -> None:
        """Print all listed differences, and the total number for each table."""
        for difference in differences.listed:
            self.stdout.write(in_words(difference))
        for explained, cause in ((True, "by earlier rules"), (False, "without a change of rules")):
            unlisted = differences.unlisted(explained=explained)
            for name, count in differences.by_table(explained=explained).items():
                remainder = f", {unlisted[name]:,} of them not listed" if name in unlisted else ""
                end = ", now replaced" if replaced else ""
                self.stdout.write(
                    f"{name}: {count:,} difference{'' if count == 1 else 's'} {cause}{remainder}{end}"
                )

    def what_if(self, options: dict[str, Any]) -> None:
        """Print the amounts owed under the tables' own settings and under the other settings, by game and
        wager.
        """
        try:
            settings = what_if.read(options["otherwise"])
        except ValueError as error:
            raise CommandError(f"--as: {error.args[0]}", returncode=2) from None
        span = span_of(options)
        with progress_bar("replayed", "facts") as bar:
            try:
                sums, unchanged = (
                    what_if.replay_on_workers(options["otherwise"], span, bar.update)
                    if options["on_workers"]
                    else what_if.replay(settings, span, bar.update)
                )
            except work_units.Unfinished as error:
                raise CommandError(str(error)) from None
        if unchanged:
            self.stdout.write(
                f"{unchanged} table day{'' if unchanged == 1 else 's'} had these settings already and"
                f" {'is' if unchanged == 1 else 'are'} not included."
            )
        if not sums:
            self.stdout.write(
                f"No hand of the period would have been settled differently under {options['otherwise']}."
            )
            return
        headings = ("game", "wager", "wagers", "staked", "owed", "would be owed", "difference", "moved")
        rows = [
            (
                game,
                wager,
                str(row.lines),
                say(row.staked, currency),
                *(signed(amount, currency) for amount in _amounts(row)),
            )
            for (game, currency, wager), row in sorted(sums.items())
        ]
        self.stdout.write(table(headings, rows, frozenset(range(2, 8))))
        self.stdout.write("Amounts are positive if the player receives them. Nothing was stored.")


def _amounts(row: what_if.Sums) -> tuple[Any, ...]:
    return exact(row.owed), exact(row.would), exact(row.difference), row.moved


def in_words(difference: Difference) -> str:
    """Return a difference on one line: table, row, column, the stored value and the value from replay."""
    cause = " (by earlier rules)" if difference.explained else ""
    place = escape(f"{difference.table} {difference.place}")
    if not difference.column:
        return (
            f"{difference.kind} {place}:"
            f" {escape(difference.stored if difference.made is None else difference.made)}{cause}"
        )
    stored, replayed = (
        "null" if value is None else repr(escape(value)) for value in (difference.stored, difference.made)
    )
    return f"{difference.kind} {place} {difference.column}: stored {stored}, replay makes {replayed}{cause}"


def signed(amount: Any, currency: str) -> str:
    """Format an amount with its sign, + or -. A fraction of a minor unit is not rounded."""
    return f"{'-' if amount < 0 else '+' if amount > 0 else ''}{say(size(amount), currency)}"
