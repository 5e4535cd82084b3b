"""Command: print a report of gaming days (hold, drop, coverage and the others in casino/reports). Or print an
archived export, as it is stored or rebuilt.
"""

from __future__ import annotations

import sys
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.management.options import add_as_of, add_span, position_of, span_of
from audit.management.progress import progress_bar
from audit.models import Head
from audit.queries.span import BOOKS
from casino.exports.archive import blobs, build, orders
from casino.exports.as_of import heads_for
from casino.exports.formats import locales
from casino.exports.formats.registry import BINARY, FORMATS, parts
from casino.exports.manifest import Subject, headed
from casino.reports import catalog, limit_parameters, limits
from casino.runtime import replica


class Command(BaseCommand):
    help = (
        f"Print a report: {', '.join(catalog.names())}. Or print an archived export: --kept ID, with --again"
        " to rebuild and compare it."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", help=f"one of: {', '.join(catalog.names())}")
        add_span(parser)
        add_as_of(parser)
        parser.add_argument("--by", help="groupings, separated by commas: table,day,shift ...")
        parser.add_argument(
            "--books",
            default="",
            choices=BOOKS,
            help="only closed days, or closed days with later adjustments",
        )
        parser.add_argument("--format", default="table", choices=(*FORMATS,))
        add_locale(parser)
        add_limits(parser, limits.OPTIONS)
        parser.add_argument("--kept", type=int, metavar="ID", help="print an archived export")
        parser.add_argument(
            "--again",
            action="store_true",
            help="with --kept: rebuild it from the ledger; exit 1 if a byte differs",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["kept"] is None) == (options["name"] is None):
            raise CommandError(
                "give the name of a report, or the number of an archived export with --kept ID", returncode=2
            )
        if options["kept"] is not None:
            self.show_kept(options["kept"], options["again"])
            return
        try:
            report = catalog.report(options["name"])
        except LookupError:
            raise CommandError(
                f"Unknown report {options['name']!r}. Available: {', '.join(catalog.names())}", returncode=2
            ) from None
        if says := orders.books_error(options["name"], options["books"]):
            raise CommandError(f"--books {options['books']}: {says}", returncode=2)
        span = span_of(options)._replace(books=options["books"])
        by, position, format = grouping(report, options["by"]), position_of(options), format_of(options)
        limited_to = limits_of(report, options)
        subject = Subject(
            options["name"],
            format,
            span.begins,
            span.ends,
            span.property,
            by,
            span.books,
            tuple(limited_to.items()),
        )

        def chunks() -> Iterator[bytes]:
            with heads_for(format, span.property, position=position) as ledgers:
                sheet = limits.sheet(report, span, by, limited_to)
                yield from parts(headed(sheet, subject, ledgers), format)

        if replica.is_configured():  # read everything first, so that nothing is printed twice
            self.write(format, replica.read(lambda: list(chunks()), is_current=True))
        else:
            self.write(format, chunks())

    def show_kept(self, id: int, is_rebuilt: bool) -> None:
        """Print an archived export as it is stored. If `is_rebuilt` is True, rebuild it, compare the bytes,
        and print the new ones.
        """
        order = orders.get_order(id)
        if order is None or not order.is_archived:
            raise CommandError(
                f"there is no archived export {id}" if order is None else f"export {id} is still being built"
            )
        if not is_rebuilt:
            if blobs.digest(id) != order.sha256:
                raise CommandError(
                    f"export {id} no longer matches its SHA-256: it was changed outside Catwalk"
                )
            self.write(order.what.format, blobs.read(id))
            return
        with progress_bar("folded", "facts") as bar:
            rebuilt, is_same, says = build.rebuild(id, lambda count, total: bar.update(count))
        if rebuilt is not None:
            self.write(order.what.format, rebuilt.read())
        print(says, file=sys.stderr)
        if not is_same:
            sys.exit(1)

    def write(self, format: str, parts: Iterable[bytes]) -> None:
        """Write the report to standard output. A binary format is not written to a terminal."""
        if format not in BINARY:
            # A chunk may end in the middle of the bytes of a character.
            text = getincrementaldecoder("utf-8")()
            for part in parts:
                self.stdout.write(text.decode(part), ending="")
            return
        if sys.stdout.isatty():
            raise CommandError(
                f"{format} is not a text format: write it to a file, with > or manage.py export --out",
                returncode=2,
            )
        sys.stdout.buffer.writelines(parts)
        sys.stdout.flush()


def add_locale(parser: CommandParser) -> None:
    """Add the option --locale."""
    parser.add_argument(
        "--locale",
        default=locales.DEFAULT,
        choices=(*locales.LOCALES,),
        help="csv and csv-excel only: the locale of the separators; de and fr have a decimal comma and"
        " semicolons",
    )


def add_limits(parser: CommandParser, names: Iterable[str]) -> None:
    """Add an option for each of these names by which reports can be limited."""
    for name in names:
        example = ", such as aurora/EOU-01" if name == "table" else ""
        parser.add_argument(f"--{name}", help=f"reports only: rows of this {name} and their totals{example}")


def limits_of(report: catalog.Report, options: dict[str, Any]) -> dict[str, str]:
    """Return the values to which the options limit the report. Raise CommandError (misused) if the report
    cannot be limited by one of them, or if a value is unknown.
    """
    limited_to = {name: options[name] for name in limits.OPTIONS if options[name] is not None}
    if says := limits.error(report, limited_to):
        raise CommandError(says, returncode=2)
    return known_values(limited_to, options["property"])


def known_values(limited_to: dict[str, str], property: str | None) -> dict[str, str]:
    """Return the values with the property of a table. Raise CommandError (misused) if a value is unknown.

    Args:
        limited_to: the values, by the name of the limit.
        property: the property that the option --property names, or None for all properties.
    """
    properties = (
        [property] if property else list(Head.objects.order_by("property").values_list("property", flat=True))
    )
    if len(properties) == 1:
        limited_to = {
            name: limit_parameters.with_property(name, value, properties[0])
            for name, value in limited_to.items()
        }
    if properties and (unknown := limit_parameters.unknown_value(tuple(limited_to.items()), *properties)):
        raise CommandError(unknown.says, returncode=2)
    return limited_to


def format_of(options: dict[str, Any]) -> str:
    """Return the format in its locale. Raise CommandError (misused) if the format has no locales."""
    try:
        return locales.localized(options["format"], options["locale"])
    except ValueError as error:
        raise CommandError(f"--locale {options['locale']}: {error}", returncode=2) from None


def grouping(report: catalog.Report, text: str | None) -> tuple[str, ...]:
    """Return the grouping that the option --by names. Raise CommandError (misused) if the report has no such
    grouping.
    """
    if text is None:
        return report.DEFAULT_BY
    by = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    if strange := [name for name in by if name not in report.BY]:
        known = (
            f"available groupings: {', '.join(report.BY)}" if report.BY else "this report cannot be grouped"
        )
        raise CommandError(f"--by {', '.join(strange)}: {known}", returncode=2)
    return by
