"""The bytes of a report that is downloaded at once, without being stored: on its page and by the REST API."""

from __future__ import annotations

from audit.queries.span import Span
from casino.exports.as_of import heads_for
from casino.exports.formats.registry import parts
from casino.exports.manifest import Subject, headed
from casino.reports import catalog
from casino.reports.limits import NO_LIMITS, Limits
from casino.reports.limits import sheet as limited_sheet


def report_parts(
    name: str,
    format: str,
    span: Span,
    by: tuple[str, ...],
    limits: Limits = NO_LIMITS,
    position: int | None = None,
) -> list[bytes]:
    """Return the bytes of a report in chunks. All of them are read before a response begins, so that an error
    does not leave half a file.

    Args:
        name: the name of the report.
        format: the file format. A file to print names the position of the ledger at which it was built.
        span: the days, the property and the books.
        by: the names by which the report is grouped.
        limits: the values to which the report is limited. The heading of the file names them.
        position: the position of the ledger as of which the report is read, or None for the current one.
    """
    subject = Subject(
        name, format, span.begins, span.ends, span.property, by, span.books, tuple(limits.items())
    )
    with heads_for(format, span.property, position=position) as ledgers:
        sheet = limited_sheet(catalog.report(name), span, by, limits)
        return list(parts(headed(sheet, subject, ledgers), format))
