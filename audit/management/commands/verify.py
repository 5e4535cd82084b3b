"""`manage.py verify`: check the contents of every table and the structure of the database."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit import database
from audit.fact_archive import prove
from audit.jobs.work_units import Unfinished
from audit.ledger import stored
from audit.management.options import processes
from audit.management.progress import progress_bar, update_to
from audit.proofs import on_workers
from audit.proofs.escape import escape
from audit.proofs.registry import HOW, LEDGER, Fault, Options, Proof, selected
from audit.proofs.run import Result, in_words, run
from audit.proofs.tree import CHECKPOINT
from audit.tree import outside
from audit.tree.evidence import Outside
from audit.tree.notes import VerifierKey, parse_vkey


class Command(BaseCommand):
    """Run all proofs. Exit code 0: no faults. Exit code 1: at least one fault."""

    help = (
        "Prove the ledger from its bytes, all other tables from the ledger, and the schema from this release."
        " Print how each table is proved, and each fault on one line."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options that select proofs, processes, checkpoints and keys."""
        parser.add_argument(
            "--only",
            default="",
            help=f"proofs to run, with commas: {', '.join(HOW)}, or names of tables; all if absent",
        )
        parser.add_argument(
            "--processes",
            type=processes,
            default=1,
            help="processes that read the ledger (default: %(default)s)",
        )
        parser.add_argument(
            "--on-workers",
            action="store_true",
            help="let the Celery workers of all machines read the ledger and replay streams; if the command"
            " is stopped, the workers continue, and the same command collects their results",
        )
        _add_outside(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the number of verified rows, the list of tables, and one line for each fault."""
        try:
            lines = selected(word for word in options["only"].split(",") if word)
            vkeys = [parse_vkey(text) for text in options["vkey"]]
        except ValueError as error:
            raise CommandError(str(error), returncode=2) from None
        checkpoints, refused = _outside(options["checkpoint"], vkeys)
        since, not_since = _outside(options["since"], vkeys)
        if not_since:
            raise CommandError(f"--since: {not_since[0].says}", returncode=2)
        options_of_proofs = Options(checkpoints, options["processes"], since)
        if options["on_workers"]:
            options_of_proofs = _on_workers(lines, options_of_proofs)
        with progress_bar("verified", "rows") as bar:
            result = run(lines, update_to(bar), options=options_of_proofs)
        result.faults.extend(refused)
        result.counted.update(fault.table for fault in refused)
        archives = [self._archive(folder, vkeys, result) for folder in options["archive"]]
        if any(line.how == LEDGER for line in lines):
            self._write_ledger(result, checkpoints, since)
        for says in archives:
            self.stdout.write(says)
        self._write_list(lines, result)
        for table, says in sorted(result.notes.items()):
            self.stdout.write(f"{table}: {escape(says)}")
        for fault in result.faults:
            self.stdout.write(in_words(fault))
        if result.faults:
            raise CommandError(_in_one_line(result))

    def _archive(self, folder: Path, vkeys: list[VerifierKey], result: Result) -> str:
        """Verify an archive, add its faults to the result, and return a line that says what was verified."""
        verified = prove.Verified()
        with database.snapshot(), progress_bar("verified", "archived facts") as bar:
            faults = list(prove.verify(folder, vkeys, verified, bar.update))
        result.faults.extend(faults)
        result.counted.update(fault.table for fault in faults)
        return (
            f"archive {folder}: {verified.facts:,} facts in {verified.files:,} files of"
            f" {len(verified.months):,} months, {len(faults):,} faults"
        )

    def _write_ledger(
        self, result: Result, checkpoints: tuple[Outside, ...], since: tuple[Outside, ...]
    ) -> None:
        facts, streams, ledgers = (result.rows[table] for table in ("fact", "stream", "head"))
        verdict = (
            ""
            if any(result.counted[table] for table in ("fact", "stream", "head"))
            else ": bytes, order, numbers and heads are correct"
        )
        self.stdout.write(
            f"verified {facts:,} facts in {streams:,} streams of {ledgers:,}"
            f" propert{'y' if ledgers == 1 else 'ies'}{verdict}"
        )
        for checkpoint in since:
            self.stdout.write(
                f"not read again: the facts of {checkpoint.property} up to position {checkpoint.size:,},"
                f" and their tiles; the tree of the new facts continues that of {checkpoint.source}"
            )
        if checkpoints:
            sizes = ", ".join(
                f"{checkpoint.property} up to position {checkpoint.size:,}" for checkpoint in checkpoints
            )
            self.stdout.write(f"compared with checkpoints from outside the database: {sizes}")
        else:
            self.stdout.write(
                "compared with no checkpoint from outside the database: a database that was replaced as a"
                " whole would show no faults; to detect it, give --checkpoint FILE and --vkey VKEY"
            )

    def _write_list(self, lines: list[Proof], result: Result) -> None:
        width = max((len(line.table) for line in lines), default=0)
        self.stdout.write(
            f"{'table':<{width}}  {'proved by':<14}  {'rows':>9}  {'faults':>6}  how proved, or why not"
        )
        for line in lines:
            rows = f"{result.rows[line.table]:,}" if line.prove else "-"
            faults = f"{result.counted[line.table]:,}" if line.prove else "-"
            self.stdout.write(
                f"{line.table:<{width}}  {line.how:<14}  {rows:>9}  {faults:>6}  {line.why}".rstrip()
            )


def _outside(paths: list[Path], vkeys: list[VerifierKey]) -> tuple[tuple[Outside, ...], list[Fault]]:
    """Return the checkpoints in these files, and a fault for each file that has no valid one."""
    ledgers = [name for name in stored.names() if isinstance(name, str)] if paths else []
    checkpoints, refused = [], []
    for path in paths:
        try:
            checkpoints.append(outside.read(path, vkeys, ledgers))
        except outside.NotFromOutside as error:
            refused.append(Fault(CHECKPOINT, str(path), "forged", str(error)))
    return tuple(checkpoints), refused


def _add_outside(parser: CommandParser) -> None:
    """Add the options for checkpoints, archives and keys that are stored outside the database."""
    parser.add_argument(
        "--checkpoint",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="compare the ledger with this checkpoint, which was kept outside the database, or with the"
        " latest one in the folder of a copy; can be repeated",
    )
    parser.add_argument(
        "--archive",
        action="append",
        default=[],
        type=Path,
        metavar="FOLDER",
        help="also verify the archived months in this folder, and compare their facts with the ledger;"
        " can be repeated",
    )
    parser.add_argument(
        "--since",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="read only the facts after this checkpoint, which was kept outside the database; can be"
        " repeated for several properties",
    )
    parser.add_argument(
        "--vkey",
        action="append",
        default=[],
        help="a key that signs checkpoints, as it was printed; default: the keys in the database, which"
        " a person who rewrites the database could replace too",
    )


def _on_workers(lines: list[Proof], options: Options) -> Options:
    """Add the results of workers to the options. Raise CommandError if the workers cannot do the work."""
    if options.processes > 1:
        raise CommandError("--processes uses this machine only: omit it, or omit --on-workers", returncode=2)
    try:
        with progress_bar("verified by workers", "facts") as bar:
            return on_workers.options_with_results(lines, options, bar.update)
    except Unfinished as error:
        raise CommandError(str(error)) from None


def _in_one_line(result: Result) -> str:
    first: Fault = next((fault for fault in result.faults if "position" in fault.place), result.faults[0])
    kinds = Counter(fault.kind for fault in result.faults)
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    tables = {table for table, count in result.counted.items() if count}
    subject = "ledger" if tables <= {"fact", "stream", "head"} else "database"
    place = " ".join(part for part in (first.table, first.place, first.kind) if part)
    return escape(f"the {subject} is not as it was recorded: {counts}; the first is {place}")
