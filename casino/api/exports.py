"""POST /api/v1/exports orders an export. GET lists exports, or returns one, its bytes, its manifest, or the
program that verifies it.

The token needs the scope `export`. Its bearer needs the permission to read what is exported and, to order it,
the permission to archive reports. A small export is built before the answer (201). A larger export is built
by a worker after the answer (202). The order and the address of the export do not depend on its size.
Downloads are recorded in the viewing log.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase
from django.urls import reverse
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.facts.input_parsing import day_of
from casino.accounts.permissions import properties, require
from casino.accounts.scopes import needs
from casino.api import lines
from casino.api import shapes as s
from casino.api.etags import IF_NONE_MATCH, NOT_MODIFIED
from casino.api.export_lists import BEFORE, list_of_exports
from casino.api.export_shapes import (
    A_MANIFEST,
    AN_ORDER,
    BY_NUMBER,
    EXPORT,
    EXPORT_EXAMPLE,
    MADE,
    MANIFEST_SHAPE,
    NAMED,
    NAMES,
    ORDER,
    PART,
    OrderBody,
)
from casino.api.lists import PROPERTY, requested_property
from casino.api.older_pages import PAGE_SIZE, answers
from casino.api.openapi import JSON, Answer, RequestBody, described, header
from casino.api.paging import NEXT, cursor_parameter
from casino.api.problems import Problem, unknown_word
from casino.api.reports import ACT, FORMATS, HEADERS, download
from casino.exports import verify_export
from casino.exports.archive import build
from casino.exports.archive import orders as kept
from casino.exports.archive.orders import ExportOrder, ExportSpec
from casino.exports.formats import locales, registry
from casino.exports.formats.locales import LOCALES
from casino.exports.services import KEEP, act_of, file_name, hidden, order_for, title
from casino.reports import catalog
from games import GAMES

PROGRESS = ("state", "done", "total", "asked_by", "asked_at", "schedule", "period", "finished_at")
LETTERS = 200
"""Maximum length of a text in an order."""


FILES = (*FORMATS, Answer(s.FILE, "A ZIP with a Parquet file for each gaming day.", None, "application/zip"))
"""The content types of archived exports."""


class Exports(APIView):
    permission_classes = [needs("export")]

    @described(
        "Exports, the latest first",
        PROPERTY,
        PAGE_SIZE,
        cursor_parameter("property"),
        BEFORE,
        responses=answers(
            s.body(items=(s.array(EXPORT), [EXPORT_EXAMPLE]), next=(NEXT, None)),
            s.array(EXPORT),
            "Without `cursor` and `page_size`, an array of a hundred exports at most.",
        ),
    )
    def get(self, request: Any) -> Response:
        """Return the exports of a property, including exports that were ordered by other people, by a
        report's page or by a schedule.
        """
        property = requested_property(request, ACT)
        without = list(hidden(request.user, [property]))
        return list_of_exports(request, "exports", property, without, partial(_export_json, request))

    @described(
        "Order an export",
        request_body=RequestBody(ORDER, AN_ORDER),
        responses={
            201: Answer(EXPORT, "The export is archived.", EXPORT_EXAMPLE, headers=MADE),
            202: Answer(
                EXPORT,
                "A worker builds the export: poll its address.",
                EXPORT_EXAMPLE | {"state": "due"},
                headers=MADE,
            ),
        },
        problems=(403, 422),
    )
    def post(self, request: Any) -> Response:
        """Order a report or a list of some gaming days, as a file that is archived with its manifest. `to` is
        exclusive. If the same person repeats an order and there are no new facts in the ledger, the answer is
        the same export. So a POST may be repeated.
        """
        id = kept.order(_parse_order(request), str(request.user.pk))
        assert id is not None
        ordered = kept.get_order(id)
        assert ordered is not None
        build.build_if_small(ordered)
        ordered = kept.get_order(id)
        assert ordered is not None
        answer = Response(_export_json(request, ordered), status=201 if ordered.is_archived else 202)
        answer["Location"] = request.build_absolute_uri(reverse("api-export", args=[id]))
        return answer


class Export(APIView):
    permission_classes = [needs("export")]

    @described(
        "One export",
        BY_NUMBER,
        responses=Answer(
            EXPORT, "The progress of the export, and the address of its file when it is done.", EXPORT_EXAMPLE
        ),
    )
    def get(self, request: Any, id: int) -> Response:
        """Return the order and the state of its job. If the export is built, also return the head of the
        ledger from which it was built.
        """
        return Response(_export_json(request, order_for(request.user, id)))


class Content(APIView):
    permission_classes = [needs("export")]

    @described(
        "The bytes of an export",
        BY_NUMBER,
        IF_NONE_MATCH,
        header(
            "Range",
            s.TEXT,
            "One range of bytes. An invalid value is ignored, and the whole file is returned.",
            example="bytes=0-1023",
        ),
        responses={
            200: tuple(response._replace(headers=HEADERS | NAMED) for response in FILES),
            206: tuple(
                Answer(
                    s.TEXT if response.content_type == JSON else s.FILE,
                    "The requested range of the file.",
                    '{"title":"Ho',
                    response.content_type,
                    PART,
                )
                for response in FILES
            ),
            304: NOT_MODIFIED,
        },
        problems=(409, 416),
    )
    def get(self, request: Any, id: int) -> HttpResponseBase:
        """Return the file of an archived export. Its bytes never change. The header `ETag` is the SHA-256 of
        the file.

        To continue an interrupted download, send `Range` (one range only) and `If-Range`. The answer then has
        status 206.
        """
        order = _archived(request, id)
        answer = download(request, order)
        if answer.status_code in (200, 206):
            answer["Content-Disposition"] = f'attachment; filename="{file_name(order)}"'
        return answer


class ManifestContent(APIView):
    permission_classes = [needs("export")]

    @described(
        "The manifest of an export",
        BY_NUMBER,
        responses=Answer(MANIFEST_SHAPE, "The manifest as archived.", A_MANIFEST),
        problems=(409,),
    )
    def get(self, request: Any, id: int) -> HttpResponse:
        """Return what was exported, its number of rows and control totals, its SHA-256, and the head of the
        ledger from which it was built.
        """
        order = _archived(request, id)
        if not order.manifest:
            raise Http404
        return HttpResponse(order.manifest, content_type="application/json")


class Verifier(APIView):
    permission_classes = [needs("export")]

    @described(
        "The program that verifies an export",
        responses=Answer(s.FILE, "verify_export.py", None, "text/x-python"),
    )
    def get(self, request: Any) -> HttpResponse:
        """Return a program in one file that needs only Python and its standard library: `python
        verify_export.py FILE [MANIFEST]`.
        """
        if not properties(request.user, ACT):
            raise PermissionDenied(ACT)
        return HttpResponse(Path(verify_export.__file__).read_bytes(), content_type="text/x-python")


def _require_short_words(sent: OrderBody) -> None:
    """Raise Problem if a text in the order is too long, or contains characters that no name can contain."""
    words = {name: getattr(sent, name) for name in ("what", "property", "books", "table", "game", "locale")}
    words |= {"by": ",".join(sent.by or ())}
    for field, word in words.items():
        if len(word) > LETTERS or "\0" in word or word != word.encode(errors="replace").decode():
            raise Problem(400, field, f"{field} is too long or has an invalid character.", field=field)


def _parse_order(request: Any) -> ExportSpec:
    """Return the export that the body of an order describes. Raise Problem if the body is invalid, or
    PermissionDenied if the bearer may not order the export.
    """
    sent = lines.read_json(request._request, OrderBody, "not-an-order", "a valid order")
    _require_short_words(sent)
    require(request.user, KEEP, sent.property)
    if sent.what not in NAMES:
        raise unknown_word(422, "what", f"what: {sent.what[:60]!r} is not a dataset or report.", NAMES)
    require(request.user, act_of(sent.what), sent.property)
    begins, ends = day_of(sent.begins), day_of(sent.ends)
    if begins is None or ends is None:
        field = "from" if begins is None else "to"
        raise Problem(400, "day", f"{field} must be a gaming day, for example 2026-11-27.", field=field)
    if sent.format not in registry.ARCHIVED:
        raise unknown_word(
            422, "format", f"format must be one of {', '.join(registry.ARCHIVED)}.", registry.ARCHIVED
        )
    try:
        format = locales.localized(sent.format, sent.locale)
    except ValueError as error:
        raise unknown_word(422, "locale", f"{error}.", LOCALES) from None
    if sent.game and sent.game not in GAMES:
        raise unknown_word(422, "game", f"game must be one of {', '.join(GAMES)}.", GAMES)
    usual = catalog.report(sent.what).DEFAULT_BY if sent.what in catalog.names() else ()
    by = usual if sent.by is msgspec.UNSET else tuple(dict.fromkeys(sent.by))
    table = sent.table if "/" in sent.table or not sent.table else f"{sent.property}/{sent.table}"
    filters = tuple((name, value) for name, value in (("game", sent.game), ("table", table)) if value)
    spec = ExportSpec(sent.property, sent.what, begins, ends, by, format, sent.books, filters)
    try:
        kept.validate(spec)
    except ValueError as error:
        raise Problem(422, "cannot-be-exported", f"{error}.") from None
    return spec


def _archived(request: Any, id: int) -> ExportOrder:
    """Return an archived export. Raise Problem while it has no file."""
    order = order_for(request.user, id)
    if not order.is_archived:
        failed = order.state == "set-aside"
        says = f"building it failed: {order.error}" if failed else f"it is still {order.state}"
        raise Problem(409, "not-finished", f"Export {order.id} has no file: {says}.")
    return order


def _export_json(request: Any, order: ExportOrder) -> dict[str, Any]:
    spec, filters = order.what, dict(order.what.filters)
    format, locale = locales.split(spec.format)
    counted = msgspec.json.decode(order.manifest)["rows"] if order.manifest else None
    address = {
        name: request.build_absolute_uri(reverse(f"api-export-{name}", args=[order.id]))
        for name in ("content", "manifest")
    }
    of = {
        "id": order.id,
        "what": spec.name,
        "title": title(order),
        "property": spec.property,
        "from": spec.begins,
        "to": spec.ends,
        "by": spec.by,
        "books": spec.books,
        "format": format,
        "locale": locale,
        **{name: filters.get(name, "") for name in ("table", "game", "shift")},
        **{name: getattr(order, name) for name in PROGRESS},
        "rows": counted,
    }
    archived = {
        "bytes": order.length,
        "sha256": order.sha256,
        "position": order.position,
        "chain": order.chain,
    }
    known = archived if order.is_archived else dict.fromkeys(archived)
    return of | known | {"superseded": order.restated, "file": file_name(order), **address}
