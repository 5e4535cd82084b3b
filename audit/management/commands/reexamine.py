"""`manage.py reexamine`: fold all facts again by today's rules, or with other table settings."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.differences import Difference, Differences
from audit.findings import examine
from audit.management.options import add_span, processes, span_of
from audit.management.progress import progress_bar
from audit.management.tables import table
from audit.proofs.escape import escape
from audit.queries import what_if
from audit.queries.cache import compare as caches
from games.kit.amounts import exact, say, size


class Command(BaseCommand):
    help = (
        "Fold every stream from its start by today's rules, and compare all that is stored with the result:"
        " findings, tallies, states, queue and cached sums. Name and replace what differs, and record it as"
        " `reexamined`. With --as: what a period would have paid under other tables; nothing is stored."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="write nothing, only print what differs; exit code 1 if anything does",
        )
        parser.add_argument("--workers", type=processes, default=1, help="processes that fold side by side")
        parser.add_argument(
            "--as",
            dest="otherwise",
            metavar="WHAT",
            help="edition=E,pay_tables=WAGER:TABLE,readings=QUESTION:ANSWER",
        )
        add_span(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["otherwise"] is not None:
            self.what_if(options)
            return
        if any(options[name] for name in ("begins", "ends", "property")):
            raise CommandError(
                "--from, --to and --property go with --as; everything is examined again otherwise",
                returncode=2,
            )
        with progress_bar("examined", "facts") as bar:
            done = examine.reexamine(
                dry_run=options["dry_run"], workers=options["workers"], progress=bar.update
            )
        caches.compare_all(done.differences, dry_run=options["dry_run"])
        self._write_findings(done)
        self._write_differences(done.differences, replaced=not options["dry_run"])
        self.stdout.write(
            f"examined {done.facts} facts in {done.streams} streams: gained {len(done.gained)}, lost"
            f" {len(done.lost)}"
        )
        if done.gained or done.lost or done.differences:
            print(
                f"{len(done.gained)} findings gained and {len(done.lost)} lost, {len(done.differences)}"
                f" differences, {done.differences.unexplained} of them without a change of rules",
                file=sys.stderr,
            )
            sys.exit(1)

    def _write_findings(self, done: examine.Examined) -> None:
        for id_ in done.gained:
            self.stdout.write(f"gained {id_}")
        for id_ in done.lost:
            self.stdout.write(f"lost {id_}")
        gained, lost = (Counter(id_.split(":")[1] for id_ in ids) for ids in (done.gained, done.lost))
        for code in sorted(gained | lost):
            self.stdout.write(f"{code}: {gained[code]} gained, {lost[code]} lost")

    def _write_differences(self, differences: Differences, *, replaced: bool) -> None:
        """Print all listed differences, and the total number for each table."""
        for one in differences.listed:
            self.stdout.write(in_words(one))
        for explained, why in ((True, "by earlier rules"), (False, "without a change of rules")):
            unlisted = differences.unlisted(explained=explained)
            for name, many in differences.by_table(explained=explained).items():
                rest = f", {unlisted[name]:,} of them not listed" if name in unlisted else ""
                end = ", now replaced" if replaced else ""
                self.stdout.write(f"{name}: {many:,} difference{'' if many == 1 else 's'} {why}{rest}{end}")

    def what_if(self, options: dict[str, Any]) -> None:
        """Print the amounts owed under the tables' own settings and under the other settings, by game and
        wager.
        """
        try:
            asked = what_if.read(options["otherwise"])
        except ValueError as error:
            raise CommandError(f"--as: {error.args[0]}", returncode=2) from None
        span = span_of(options)
        with progress_bar("replayed", "facts") as bar:
            sums, already = what_if.replay(asked, span, bar.update)
        if already:
            self.stdout.write(
                f"{already} day{'' if already == 1 else 's'} of a table had these settings already and are"
                " in no sum."
            )
        if not sums:
            self.stdout.write(
                f"No hand of the period would have been settled otherwise under {options['otherwise']}."
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
        self.stdout.write("Amounts from the player's side; nothing was stored.")


def _amounts(row: what_if.Sums) -> tuple[Any, ...]:
    return exact(row.owed), exact(row.would), exact(row.difference), row.moved


def in_words(one: Difference) -> str:
    """Return a difference on one line: table, row, column, the stored value and the value from replay."""
    why = " (by earlier rules)" if one.explained else ""
    place = escape(f"{one.table} {one.place}")
    if not one.column:
        return f"{one.kind} {place}: {escape(one.stored if one.made is None else one.made)}{why}"
    stored, made = ("null" if value is None else repr(escape(value)) for value in (one.stored, one.made))
    return f"{one.kind} {place} {one.column}: stored {stored}, replay makes {made}{why}"


def signed(amount: Any, currency: str) -> str:
    """Format an amount with its sign. A fraction of a minor unit is marked."""
    return f"{'-' if amount < 0 else '+' if amount > 0 else ''}{say(size(amount), currency)}"
