"""Command: export a dataset (facts, findings, rounds, the tally and the others in casino/exports/datasets) or
a report to a file, with its manifest.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.management.options import add_as_of, add_span, position_of, span_of
from audit.management.progress import progress_bar, update_to
from audit.queries.span import BOOKS
from casino.exports import datasets
from casino.exports.archive import orders
from casino.exports.as_of import heads_for, snapshot
from casino.exports.datasets import Selection
from casino.exports.formats import registry
from casino.exports.manifest import SUFFIX, Subject, headed, manifest
from casino.management.commands.report import (
    add_limits,
    add_locale,
    format_of,
    grouping,
    known_values,
    limits_of,
)
from casino.reports import catalog, limits
from casino.reports.columns import Sheet
from casino.runtime import replica

FILTERS = ("table", "game")


class Command(BaseCommand):
    help = f"Export {', '.join(datasets.names())}, or a report ({', '.join(catalog.names())})."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help=f"one of: {', '.join((*datasets.names(), *catalog.names()))}")
        add_span(parser)
        add_as_of(parser)
        parser.add_argument("--by", help="reports only: groupings, separated by commas")
        parser.add_argument(
            "--books",
            default="",
            choices=BOOKS,
            help="reports only: only closed days, or closed days with later adjustments",
        )
        parser.add_argument("--table", help="only rows of this table, such as aurora/EOU-01")
        parser.add_argument("--game", help="only rows of tables with this game")
        add_limits(parser, [name for name in limits.OPTIONS if name not in FILTERS])
        parser.add_argument("--format", default="csv", choices=(*registry.FORMATS,))
        add_locale(parser)
        parser.add_argument(
            "--out",
            help=(
                f"the file, written only when complete, with its manifest as FILE{SUFFIX}; default: standard"
                " output"
            ),
        )

        parser.add_argument(
            "--partition",
            choices=("day",),
            help="Parquet only: --out is a new folder with one file for each gaming day, all from one"
            " snapshot",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        subject, sheet = _parse(options)
        position = position_of(options)
        if options["partition"]:
            replica.read(partial(_write_days, options, subject, position), is_current=True)
            return
        if options["out"] is None:
            _print(subject, sheet, position)
            return
        out = Path(options["out"])
        try:
            replica.read(partial(_write, out, subject, sheet, position), is_current=True)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}") from None


def _print(subject: Subject, sheet: Callable[[], Sheet], position: int | None) -> None:
    """Write the file to standard output. If a replica is read, write it to a temporary file first, so that
    nothing is printed twice if the replica fails.
    """

    def write(file: IO[bytes]) -> None:
        folded = not _is_ledger_only(subject.what)
        heads = heads_for(subject.format, subject.property, folded=folded, position=position)
        with heads as ledgers:
            file.writelines(registry.parts(headed(sheet(), subject, ledgers), subject.format))

    def write_again(file: IO[bytes]) -> None:
        file.seek(0)
        file.truncate()
        write(file)

    if replica.is_configured():
        with TemporaryFile() as file:
            replica.read(partial(write_again, file), is_current=True)
            file.seek(0)
            shutil.copyfileobj(file, sys.stdout.buffer)
    else:
        write(sys.stdout.buffer)
    sys.stdout.flush()


def _parse(options: dict[str, Any]) -> tuple[Subject, Callable[[], Sheet]]:
    """Return what is exported, and the function that reads its sheet. Raise CommandError (misused) if the
    options do not name a possible export.
    """
    name, span, format = options["name"], span_of(options), format_of(options)
    filters = tuple(
        (filter_name, options[filter_name])
        for filter_name in sorted(FILTERS)
        if options[filter_name] is not None
    )
    if name in datasets.names():
        source = datasets.get(name)
        of_reports = {"by", *limits.OPTIONS} - {*FILTERS}
        if options["books"] or any(options[option] is not None for option in of_reports):
            options_of_reports = ", ".join(f"--{option}" for option in ("books", *sorted(of_reports)))
            raise CommandError(
                f"{options_of_reports} are only for reports: leave them out, because {name} is a dataset",
                returncode=2,
            )
        if strange := [f"--{filter_name}" for filter_name, _ in filters if filter_name not in source.FILTERS]:
            raise CommandError(f"{name} cannot be filtered by {', '.join(strange)}", returncode=2)
        filters = tuple(known_values(dict(filters), span.property).items())
        subject = Subject(name, format, span.begins, span.ends, span.property, filters=filters)
        selection = Selection(span, until=position_of(options) if _is_ledger_only(name) else None)._replace(
            **dict(filters)
        )
        return subject, lambda: datasets.sheet(name, selection)
    try:
        report = catalog.report(name)
    except LookupError:
        available = ", ".join((*datasets.names(), *catalog.names()))
        raise CommandError(f"{name!r} cannot be exported. Available: {available}", returncode=2) from None
    if says := orders.books_error(name, options["books"]):
        raise CommandError(f"--books {options['books']}: {says}", returncode=2)
    by = grouping(report, options["by"])
    limited_to, span = limits_of(report, options), span._replace(books=options["books"])
    subject = Subject(
        name, format, span.begins, span.ends, span.property, by, options["books"], tuple(limited_to.items())
    )
    return subject, lambda: limits.sheet(report, span, by, limited_to)


def _is_ledger_only(name: str) -> bool:
    """Return True if the dataset contains only facts of the ledger. It can then be exported without examining
    new facts first, and its query can leave out all facts after a position.
    """
    return name in datasets.names() and getattr(datasets.get(name), "RECORDED", "") != ""


def _write_days(options: dict[str, Any], subject: Subject, position: int | None) -> None:
    """Write one file for each gaming day into a folder, as `gaming_day=DAY/NAME.parquet`. All files are from
    one snapshot. Their manifests are in the folder `_manifests`, which programs that read Parquet folders
    ignore.
    """
    begins, ends = subject.begins, subject.ends
    if subject.format != "parquet" or options["out"] is None or begins is None or ends is None:
        says = "--partition needs --format parquet, --out, --from and --to"
        raise CommandError(says, returncode=2)
    out = Path(options["out"])
    days = [begins + timedelta(days=number) for number in range((ends - begins).days)]
    heads = snapshot(subject.property, folded=not _is_ledger_only(subject.what), position=position)
    try:
        with heads as ledgers, _complete_folder(out) as folder:
            (folder / "_manifests").mkdir()
            for day in days:
                of_day = {"begins": day.isoformat(), "ends": (day + timedelta(days=1)).isoformat()}
                day_subject, sheet = _parse(options | of_day)
                content = headed(sheet(), day_subject, ledgers)
                path = folder / f"gaming_day={day}" / f"{subject.what}.parquet"
                path.parent.mkdir()
                with path.open("wb") as file:
                    written = registry.write(content, subject.format, file)
                manifest_bytes = manifest(day_subject, content, written, ledgers)
                (folder / "_manifests" / f"{day}.json").write_bytes(manifest_bytes)
    except OSError as error:
        raise CommandError(f"{out} cannot be written: {error.strerror}") from None


def _write(out: Path, subject: Subject, sheet: Callable[[], Sheet], position: int | None) -> None:
    """Write the file, then its manifest, from one snapshot, so that the numbers in both agree."""
    heads = snapshot(subject.property, folded=not _is_ledger_only(subject.what), position=position)
    with heads as ledgers, _complete_file(out) as file, progress_bar("written", "rows") as bar:
        content = headed(sheet(), subject, ledgers)
        written = registry.write(content, subject.format, file, update_to(bar))
        manifest_bytes = manifest(subject, content, written, ledgers)
    with _complete_file(out.with_name(f"{out.name}{SUFFIX}")) as file:
        file.write(manifest_bytes)


@contextmanager
def _complete_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder next to the path. At the end, rename it to the path, so that nobody reads an
    incomplete folder. Raise OSError if the path exists and is not an empty folder.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.mkdir()
        yield part
        part.rename(path)
    finally:
        shutil.rmtree(part, ignore_errors=True)


@contextmanager
def _complete_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a temporary file in the same folder. At the end, rename it to the path, so that nobody reads an
    incomplete file.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
