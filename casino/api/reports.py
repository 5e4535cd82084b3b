"""GET /api/v1/reports: what there is; /reports/NAME: one of them, the bytes that `manage.py report` writes; /reports/kept: what was kept.

The token needs the scope `read:reports`, and its bearer the right to see the hold at the property. What is taken away stands in the viewing
log.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.queries import Span
from audit.written import day_of, whole
from casino import exports, kept, reports, viewing
from casino.api.problems import Problem
from casino.api.scopes import needs
from casino.permissions import demand, properties
from casino.web.report import about

ACT = "see-hold"
CONTENT = {**{name: made.content_type for name, made in exports.DOWNLOADS.items()}, "ndjson": "application/x-ndjson"}
"""Format to what it is called on the wire."""


class Reports(APIView):
    permission_classes = [needs("read:reports")]

    def get(self, request: Any) -> Response:
        """Every report: its name, what it says, what it can go by, in which books and formats."""
        found = [(name, reports.report(name)) for name in reports.names()]
        return Response(
            {
                "properties": properties(request.user, ACT),
                "formats": list(CONTENT),
                "reports": [
                    {
                        "name": name, "title": one.TITLE, "about": about(one), "by": one.BY, "default_by": one.DEFAULT_BY,
                        "books": kept.books_of(name), "address": request.build_absolute_uri(f"reports/{name}"),
                    }
                    for name, one in found
                ],
            }
        )  # fmt: skip


class OneReport(APIView):
    permission_classes = [needs("read:reports")]

    def get(self, request: Any, name: str) -> HttpResponseBase:
        """`from` is in, `to` is not, as in the command; `by` with commas; `books`; `format`, JSON unless it is named."""
        if name not in reports.names():
            raise Http404
        one, asked = reports.report(name), request.query_params
        property = _property(request)
        format, span = _format(asked), _span(asked, property, name)
        by = tuple(dict.fromkeys(filter(None, asked["by"].split(",")))) if "by" in asked else one.DEFAULT_BY
        if strange := [each for each in by if each not in one.BY]:
            raise Problem(400, "by", f"{name} does not go by {', '.join(strange)[:100]}.", field="by", known=list(one.BY))
        sheet = one.sheet(span, by)
        written = list(exports.writer_of(format)(sheet))  # before the answer begins: what goes wrong is then no half a file
        # the page's last day is in it, a span's end is not
        page = f"{reverse('report', args=[name])}?property={property}"
        viewing.record_report(request.user, property, f"{one.TITLE}, as {format} by REST", page)
        return StreamingHttpResponse(written, content_type=CONTENT[format])


class KeptReports(APIView):
    permission_classes = [needs("read:reports")]

    def get(self, request: Any) -> Response:
        """The kept ones of a property, the latest first; `before` a number for what came earlier."""
        before = request.query_params.get("before", "")
        found = kept.orders([_property(request)], whole(before))
        return Response([_told(each) for each in found[: kept.PAGE]])


class KeptReport(APIView):
    permission_classes = [needs("read:reports")]

    def get(self, request: Any, id: int) -> HttpResponse:
        """The bytes as they were kept, their SHA-256 as the ETag, and what the report saw of the ledger."""
        order = kept.found(id)
        if order is None:
            raise Http404
        demand(request.user, ACT, order.what.property)
        if not order.kept:
            raise Problem(409, "not-finished", f"Report {id} is still {order.state}.")
        title = reports.report(order.what.name).TITLE if order.what.name in reports.names() else order.what.name
        address = reverse("kept_report", args=[id])
        viewing.record_report(request.user, order.what.property, f"{title}, kept as {id}, by REST", address)
        told = {"ETag": f'"{order.sha256}"', "Catwalk-Position": str(order.position), "Catwalk-Chain": order.chain}
        return HttpResponse(kept.content(id), content_type=CONTENT.get(order.what.format, "text/plain; charset=utf-8"), headers=told)


def _told(order: kept.Order) -> dict[str, Any]:
    what = order.what._asdict() | {"from": order.what.begins, "to": order.what.ends}
    del what["begins"], what["ends"]
    return {
        "id": order.id, **what, "state": order.state, "asked_by": order.asked_by, "schedule": order.schedule, "period": order.period,
        "position": order.position, "chain": order.chain, "sha256": order.sha256, "bytes": order.length, "finished_at": order.finished_at,
        "superseded": order.restated,
    }  # fmt: skip


def _property(request: Any) -> str:
    """The property that is asked for, else the only one that the bearer may see. Raises Problem, PermissionDenied."""
    named = request.query_params.get("property")
    if named is None:
        places = properties(request.user, ACT)
        if len(places) > 1:
            raise Problem(400, "property", f"Name the property: {', '.join(places)}.", field="property")
        named = places[0] if places else ""
    demand(request.user, ACT, named)
    return str(named)


def _format(asked: Any) -> str:
    format = str(asked.get("format", "json"))
    if format not in CONTENT:
        raise Problem(400, "format", f"No format {format[:40]!r}: there is {', '.join(CONTENT)}.", field="format")
    return format


def _span(asked: Any, property: str, name: str) -> Span:
    days = []
    for field in ("from", "to"):
        days.append(day_of(asked[field]) if field in asked else None)
        if field in asked and days[-1] is None:
            raise Problem(400, "day", f"{field}: {asked[field][:40]!r} is no day of a house such as 2026-11-27.", field=field)
    begins, ends = days
    if begins is not None and ends is not None and begins >= ends:
        raise Problem(400, "day", f"from {begins} is in and to {ends} is not, so there is no day between them.", field="to")
    books = asked.get("books", "")
    if says := kept.not_in_books(name, books):
        raise Problem(400, "books", says, field="books")
    return Span(begins, ends, property, books)
