"""GET /api/v1/reports: the list of reports; /reports/NAME: one report, with the bytes that `manage.py report`
writes; /reports/kept: archived exports.

The token needs the scope `read:reports`. Its bearer needs the permission to see the hold at the property.
Downloads are recorded in the viewing log.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.queries.span import BOOKS, Span
from casino.accounts import view_log
from casino.accounts.permissions import properties
from casino.accounts.scopes import needs
from casino.api import etags
from casino.api import shapes as s
from casino.api.etags import IF_NONE_MATCH, NOT_MODIFIED, matches, not_modified
from casino.api.export_lists import BEFORE, list_of_exports
from casino.api.lists import (
    AS_OF,
    FROM,
    PROPERTY,
    SCOPE,
    TO,
    requested_days,
    requested_position,
    requested_property,
)
from casino.api.older_pages import PAGE_SIZE, answers
from casino.api.openapi import Answer, described, path_parameter, query_parameter
from casino.api.paging import cursor_parameter, page_of
from casino.api.problems import Problem, unknown_word
from casino.exports import datasets
from casino.exports.archive import orders as kept
from casino.exports.download_views import archived_file
from casino.exports.formats import locales, registry
from casino.exports.formats.locales import LOCALES
from casino.exports.report_description import description
from casino.exports.report_files import report_parts
from casino.exports.services import act_of, content_type_of, hidden, order_for, title_of
from casino.presentation import problem_document
from casino.reports import catalog, limit_parameters
from casino.reports.limits import names_of
from casino.web.replica import name_position, reads_replica

ACT = "see-hold"
CONTENT = {name: file_format.content_type for name, file_format in registry.DOWNLOADS.items()}
"""For each format: its content type."""


NAME = path_parameter("name", s.one_of(*catalog.names()), "The report.", example="hold")
LISTED = s.body(
    properties=(s.array(s.TEXT), ["aurora"], "Properties at which the bearer may see reports."),
    formats=(s.array(s.one_of(*CONTENT)), ["csv", "json"]),
    reports=s.items(
        s.body(
            name=(s.TEXT, "hold"),
            title=(s.TEXT, "Hold"),
            about=(s.TEXT, "Win over drop."),
            by=(s.array(s.TEXT), ["table", "shift"], "Available groupings."),
            default_by=(s.array(s.TEXT), ["table"]),
            limited_by=(s.array(s.TEXT), ["table", "shift"], "The parameters that limit its rows."),
            books=(s.array(s.TEXT), ["closed", "restated"], "The books that the report can be limited to."),
            address=(s.TEXT, "https://house.example/api/v1/reports/hold"),
        )
    ),
)
CELL = {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}
ROWS = s.array({"type": "object", "additionalProperties": CELL})
A_ROW = {"table": "aurora/EOU-01", "currency": "USD", "drop": "12500.00", "win": "1830.00"}
COLUMN = s.object_(key=s.TEXT, heading=s.TEXT, type=s.TEXT)
SHEET = s.body(
    "Sheet",
    title=(s.TEXT, "Hold"),
    columns=(
        s.array(COLUMN),
        [
            {"key": "table", "heading": "table", "type": "text"},
            {"key": "win", "heading": "win", "type": "money"},
        ],
    ),
    rows=(
        ROWS,
        [A_ROW],
        "The cells by column key. `pending` and `n/a` are null here, and words in the cell `status`.",
    ),
    totals=(ROWS, [A_ROW | {"table": ""}]),
)
FORMATS = tuple(
    (
        Answer.of(SHEET, "The report.")
        if name == "json"
        else Answer(s.FILE, "The report.", None, content_type.partition(";")[0])
    )
    for name, content_type in CONTENT.items()
)
HEADERS = {
    "ETag": "The SHA-256 of the file.",
    "Catwalk-Position": "The position of the ledger at which the file was built.",
    "Catwalk-Chain": "The hash of the chain at that position.",
}
ORDERED = s.body(
    id=(s.COUNT, 12),
    property=(s.TEXT, "aurora"),
    name=(s.TEXT, "hold"),
    by=(s.array(s.TEXT), ["table"]),
    format=(s.TEXT, "csv"),
    locale=(s.TEXT, "en"),
    books=(s.TEXT, "closed"),
    from_=(s.DAY, "2026-11-01"),
    to=(s.DAY, "2026-12-01"),
    shift=(s.TEXT, "", "The only shift in the report; empty for all shifts."),
    state=(s.TEXT, "done"),
    asked_by=(s.TEXT, "a-101"),
    schedule=(s.TEXT, ""),
    period=(s.TEXT, ""),
    position=(s.nullable(s.COUNT), 90211),
    chain=(s.TEXT, "c0" * 32),
    sha256=(s.TEXT, "5e" * 32),
    bytes=(s.COUNT, 20480),
    finished_at=(s.nullable(s.INSTANT), "2026-12-01T09:00:00Z"),
    superseded=(s.FLAG, False, "True if a restated export of the same report and days exists."),
)


class Reports(APIView):
    permission_classes = [needs("read:reports")]

    @described(
        "All reports",
        responses=Answer.of(LISTED, "All reports, and where and in which formats the bearer may have them."),
    )
    def get(self, request: Any) -> Response:
        """Return every report with its name, description, groupings, books and address."""
        places = properties(request.user, ACT)
        if not places:
            raise PermissionDenied(ACT)
        reports = [(name, catalog.report(name)) for name in catalog.names()]
        return Response(
            {
                "properties": places,
                "formats": list(CONTENT),
                "reports": [
                    {
                        "name": name,
                        "title": report.TITLE,
                        "about": description(report),
                        "by": report.BY,
                        "default_by": report.DEFAULT_BY,
                        "limited_by": names_of(report),
                        "books": kept.books_of(name),
                        "address": request.build_absolute_uri(f"reports/{name}"),
                    }
                    for name, report in reports
                ],
            }
        )


LOCALE = (
    "For CSV only: the locale of the separators. `de` and `fr` have a decimal comma, and semicolons"
    " between cells."
)
LIMITS = {
    "table": "EOU-01",
    "game": "easy_over_under",
    "pit": "pit-1",
    "day": "2026-11-27",
    "month": "2026-11",
    "shift": "swing",
    "dealer": "d-101",
    "hour": "20",
    "wager": "over",
    "round": "r-0012",
    "spot": "1",
}
"""For each parameter that limits a report: an example."""
LIMIT = "The totals are then those of these rows. A report that cannot be limited by it is refused."
ASKED = (
    PROPERTY,
    FROM,
    TO,
    query_parameter(
        "by", s.TEXT, "Groupings, separated by commas; default: those of the report.", example="table,day"
    ),
    query_parameter(
        "books", s.one_of("", *BOOKS), "Closed books, or closed and restated; default: all facts."
    ),
    *(
        query_parameter(limit, s.TEXT, f"Only rows of this {limit}; default: all. {LIMIT}", example=example)
        for limit, example in LIMITS.items()
    ),
    AS_OF,
    query_parameter("format", s.one_of(*CONTENT), "The format of the answer.", default="json"),
    query_parameter("locale", s.one_of(*LOCALES), LOCALE, default=locales.DEFAULT),
    IF_NONE_MATCH,
)
GIVEN: dict[int, Answer | tuple[Answer, ...]] = {
    200: tuple(response._replace(headers=HEADERS) for response in FORMATS),
    304: NOT_MODIFIED,
}


class OneReport(APIView):
    permission_classes = [needs("read:reports")]

    @described("A report of a range of days", NAME, *ASKED, responses=GIVEN)
    def get(self, request: Any, name: str) -> HttpResponseBase:
        """Return a report. `from` is inclusive, `to` exclusive, as in the command. The names in `by` are
        separated by commas. The default of `format` is JSON. With `as_of`, return the report as of that
        position of the ledger. The headers of the answer have the position and the chain.
        """
        if name not in catalog.names():
            raise Http404
        return _report(request, name)


class Hold(APIView):
    permission_classes = [needs("read:reports")]

    @described("Win and hold", *ASKED, responses=GIVEN)
    def get(self, request: Any) -> HttpResponseBase:
        """Return the report `hold`: win divided by drop at felt tables, and GGR divided by handle at
        live-dealer tables. The parameters are the same as for every report.
        """
        return _report(request, "hold")


@reads_replica
def _report(request: Any, name: str) -> HttpResponseBase:
    report, params = catalog.report(name), request.query_params
    property = requested_property(request, ACT)
    limits = dict(limit_parameters.read(params, property))
    if says := limit_parameters.error(report, params):
        known = names_of(report)
        field = next(limit for limit in LIMITS if limit in params and limit not in known)
        raise unknown_word(400, field, says, known)
    if unknown := limit_parameters.unknown_value(tuple(limits.items()), property):
        raise unknown_word(400, unknown.name, unknown.says, unknown.known)
    format, span = params.get("format", "json"), _span(params, property, name)
    by = tuple(dict.fromkeys(filter(None, params["by"].split(",")))) if "by" in params else report.DEFAULT_BY
    if strange := [unknown_name for unknown_name in by if unknown_name not in report.BY]:
        raise unknown_word(400, "by", f"{name} cannot be grouped by {', '.join(strange)[:100]}.", report.BY)
    try:
        format = locales.localized(format, params.get("locale", locales.DEFAULT))
    except ValueError as error:
        raise unknown_word(400, "locale", f"{error}.", LOCALES) from None
    headers = {}
    position = None
    if "as_of" in params:
        head = requested_position(params.dict(), property)
        headers = {"Catwalk-Position": str(head.position), "Catwalk-Chain": head.chain}
        position = head.position
    written = report_parts(name, format, span, by, limits, position)
    digest = sha256()
    for part in written:
        digest.update(part)
    tag = f'"{digest.hexdigest()}"'
    if matches(request, tag):
        return not_modified(tag)
    # The address has no `to`: the page's last day is inclusive, but the end of a span is exclusive.
    page = f"{reverse('report', args=[name])}?{urlencode({'property': property, **limits})}"
    view_log.record_report(request.user, property, f"{report.TITLE}, as {format} by REST", page)
    response = StreamingHttpResponse(
        written, content_type=content_type_of(format), headers=headers | etags.headers(tag)
    )
    return response if headers else name_position(response, property)


class KeptReports(APIView):
    permission_classes = [needs("read:reports")]

    @described(
        "Archived exports of a property",
        PROPERTY,
        PAGE_SIZE,
        cursor_parameter("property"),
        BEFORE,
        responses=answers(
            page_of(ORDERED),
            s.array(ORDERED.shape),
            "Without `cursor` and `page_size`, an array of a hundred archived exports at most.",
        ),
    )
    def get(self, request: Any) -> Response:
        """Return the archived exports of a property, the latest first."""
        property = requested_property(request, ACT)
        return list_of_exports(
            request, "reports/kept", property, list(_hidden(request, [property])), _as_json
        )


class KeptReport(APIView):
    permission_classes = [needs("read:reports")]

    @described(
        "The bytes of an archived export",
        path_parameter("id", s.integer(1, 2**53), "The number of the export.", example=12),
        responses={200: tuple(response._replace(headers=HEADERS) for response in FORMATS)},
        problems=(409, 416),
    )
    def get(self, request: Any, id: int) -> HttpResponseBase:
        """Return the bytes of an archived export. The header `ETag` is their SHA-256. The answer also has the
        head of the ledger from which the export was built.
        """
        order = order_for(request.user, id)
        if (scope := _scope_of(order.what.name)) not in request.auth.scopes:
            raise exceptions.PermissionDenied(f"The token lacks the scope {scope}.")
        if not order.is_archived:
            raise Problem(409, "not-finished", f"Export {id} is still {order.state}.")
        return download(request, order)


def _scope_of(name: str) -> str:
    """Return the scope that a token needs to download this export. For a dataset, it is the scope of its
    list.
    """
    return SCOPE[act_of(name)]


def _hidden(request: Any, places: list[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of a property and a name that an answer must leave out. The name is a dataset or a kind of
    evidence pack that the bearer, or the token, may not read at that property.
    """
    yield from hidden(request.user, places)
    for name in datasets.names():
        if _scope_of(name) not in request.auth.scopes:
            yield from ((property, name) for property in places)


def download(request: Any, order: kept.ExportOrder) -> HttpResponseBase:
    """Return the archived bytes, and record the download in the viewing log."""
    address = reverse("export", args=[order.id])
    view_log.record_report(
        request.user,
        order.what.property,
        f"{title_of(order.what.name)}, archived export {order.id}, by REST",
        address,
    )
    answer = archived_file(request, order, content_type_of(order.what.format))
    if answer.status_code == 416:
        refused = problem_document.document(
            416, "no-such-bytes", f"The file has {order.length} bytes.", field="Range"
        )
        refused["Content-Range"] = answer["Content-Range"]
        return refused
    answer["Catwalk-Position"], answer["Catwalk-Chain"] = str(order.position), order.chain
    return answer


def _as_json(order: kept.ExportOrder) -> dict[str, Any]:
    spec = order.what
    format, locale = locales.split(spec.format)
    return ORDERED.of(
        order,
        property=spec.property,
        name=spec.name,
        by=spec.by,
        format=format,
        locale=locale,
        books=spec.books,
        to=spec.ends,
        shift=dict(spec.filters).get("shift", ""),
        bytes=order.length,
        superseded=order.restated,
        **{"from": spec.begins},
    )


def _span(params: Any, property: str, name: str) -> Span:
    books = params.get("books", "")
    if says := kept.books_error(name, books):
        raise Problem(400, "books", says, field="books")
    return requested_days(params, property)._replace(books=books)
