"""Pages of exports: order an export, and download it with its manifest from a permanent address. The export
is built at once or by a worker.

The list contains all archived exports, including those ordered by a report's page or by a schedule. The page
of an export shows its manifest, other exports of the same report or dataset, its first rows, and a button
that rebuilds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from msgspec import json

from audit.facts.input_parsing import whole
from casino.accounts.permissions import can, properties, require
from casino.cases import packs
from casino.exports import datasets, deliver, due_exports, verify_export, verify_proof
from casino.exports.archive import blobs, build
from casino.exports.archive import orders as kept
from casino.exports.archive.orders import ExportOrder, ExportSpec
from casino.exports.download_views import archived_file
from casino.exports.formats import registry
from casino.exports.manifest import SUFFIX
from casino.exports.preview import Preview, preview
from casino.exports.report_views import parse_request, request_errors, show_errors
from casino.exports.services import (
    ACT,
    KEEP,
    act_of,
    content_type_of,
    file_name,
    hidden,
    order_for,
    record_download,
    title,
    title_of,
)
from casino.presentation.formatting import day_label
from casino.reference.calendar import gaming_day
from casino.reports import catalog
from casino.web import request_params
from casino.web.action_form import IdentifierField, InputForm, TextField
from casino.web.form_view import current_user, submitted
from casino.web.request_params import require_GET_or_POST
from games import GAMES


class ArchiveForm(InputForm):
    """The form that archives a report: its format, CSV by default."""

    format = TextField()

    def clean_format(self) -> str:
        """Return the name of the format."""
        format: str = self.cleaned_data["format"] or "csv"
        return format


class OrderForm(InputForm):
    """The form that orders an export."""

    def __init__(self, data: Any = None, initial: Mapping[str, str] | None = None) -> None:
        super().__init__(data, initial)
        for name in ("property", "what", "from", "to", "by", "format", "books", "table", "game"):
            self.fields[name] = IdentifierField()


@require_GET_or_POST
def exports_page(request: HttpRequest) -> HttpResponse:
    """Show the latest exports and the form that orders one. If the form was sent, order the export. If the
    form is invalid, show it again with the typed values and the errors.
    """
    if request.method == "POST":
        return _order(request)
    return render(request, "reports/exports.html", _list_context(request))


def _order(request: HttpRequest) -> HttpResponse:
    property, form = request_params.chosen_property(request, KEEP), OrderForm(submitted(request))
    sent = form.accepted()
    require(request.user, KEEP, property)
    if sent["what"] in (*datasets.names(), *catalog.names()):
        require(request.user, act_of(sent["what"]), property)
    wrong, spec = _parse_order(property, sent)
    if spec is None:
        shown = _list_context(request) | {"form": form, "wrong": wrong}
        return render(request, "reports/exports.html", shown, status=400)
    id = kept.order(spec, str(request.user.pk))
    assert id is not None
    return build_and_redirect(id)


def build_and_redirect(id: int) -> HttpResponse:
    """Build the ordered export at once if it is small. Then redirect to its page."""
    if (order := kept.get_order(id)) is not None:
        build.build_if_small(order)
    return redirect("export", id)


def _parse_order(property: str, sent: dict[str, str]) -> tuple[list[str], ExportSpec | None]:
    """Return a sentence for each invalid value in the form, and the specification of the ordered export. The
    specification is None if a value is invalid.
    """
    name = sent["what"]
    if name not in (*datasets.names(), *catalog.names()):
        return [f"What: “{name[:40]}” cannot be exported. Choose one from the list."], None
    begins, ends = request_params.day_of(sent["from"]), request_params.day_of(sent["to"])
    wrong = [
        f"{label}: “{sent[field][:40]}” is not a valid date (use 2026-11-27)."
        for field, label, day in (("from", "First day", begins), ("to", "Last day", ends))
        if day is None
    ]
    if begins is None or ends is None:
        return wrong, None
    if begins > ends:
        return [f"Last day: {day_label(ends)} comes before the first day {day_label(begins)}."], None
    if registry.download_of(sent["format"]) is None:
        return [f"Format: choose one of {', '.join(label for _, label in _formats())}."], None
    by = tuple(dict.fromkeys(filter(None, (part.strip() for part in sent["by"].split(",")))))
    if name in catalog.names() and not by:
        by = catalog.report(name).DEFAULT_BY
    table = sent["table"] if "/" in sent["table"] or not sent["table"] else f"{property}/{sent['table']}"
    filters = tuple(
        (filter_name, value) for filter_name, value in (("game", sent["game"]), ("table", table)) if value
    )
    spec = ExportSpec(
        property, name, begins, ends + timedelta(days=1), by, sent["format"], sent["books"], filters
    )
    try:
        kept.validate(spec)
    except (LookupError, ValueError) as error:
        return [f"{str(error)[:1].upper()}{str(error)[1:].rstrip('.')}."], None
    return [], spec


def _list_context(request: HttpRequest) -> dict[str, Any]:
    places = request_params.permitted_properties(request, ACT)
    before, schedule = (request_params.clean_text(request.GET.get(name)) for name in ("before", "schedule"))
    without = hidden(request.user, places, packed=True)
    orders = kept.orders(places, whole(before), without, schedule=schedule)
    instant = timezone.now()
    rows = [(order, title(order), request_params.zone(order.what.property)) for order in orders[: kept.PAGE]]
    may_archive_at = properties(request.user, KEEP)
    return {
        "rows": rows,
        "more": orders[kept.PAGE - 1].id if len(orders) > kept.PAGE else None,
        "schedule": schedule,
        "query": request_params.query_of(schedule=schedule),
        "due": [
            (export, request_params.zone(place))
            for place in places
            for export in due_exports.due(place, instant)
            if schedule in ("", export.schedule.schedule)
        ],
        "places": places,
        "may_schedule": bool(properties(request.user, "schedule-report")),
        **(_form(request, may_archive_at) if may_archive_at else {}),
    }


def _formats() -> list[tuple[str, str]]:
    downloads = ((name, registry.download_of(name)) for name in registry.ARCHIVE_CHOICES)
    return [(name, download.label) for name, download in downloads if download is not None]


def _form(request: HttpRequest, may_archive_at: list[str]) -> dict[str, Any]:
    last = gaming_day(may_archive_at[0]) - timedelta(days=1)
    initial = {
        "property": may_archive_at[0],
        "what": "hold",
        "from": last.replace(day=1).isoformat(),
        "to": last.isoformat(),
        "format": "csv",
    }
    lists = [
        name
        for name in datasets.names()
        if any(can(request.user, act_of(name), property) for property in may_archive_at)
    ]
    return {
        "houses": may_archive_at,
        "lists": [(name, title_of(name)) for name in lists],
        "reports": [(name, title_of(name)) for name in catalog.names()],
        "formats": _formats(),
        "games": sorted((code, game.source.title) for code, game in GAMES.items()),
        "from_books": sorted(kept.FROM_BOOKS),
        "form": OrderForm(initial=initial),
    }


@require_safe
def export(request: HttpRequest, id: int) -> HttpResponse:
    """Show one export. While it is being built, the page requests its state again and again."""
    return render(
        request, "reports/export.html", _export_context(request, order_for(request.user, id, packed=True))
    )


@require_safe
def state(request: HttpRequest, id: int) -> HttpResponse:
    """Return the HTML fragment that shows the state of one export. The page of the export requests it again
    and again until the export is built.
    """
    return render(
        request, "reports/_export.html", _export_context(request, order_for(request.user, id, packed=True))
    )


@require_safe
def file(request: HttpRequest, id: int) -> HttpResponseBase:
    """Download the archived bytes, whole or from the byte at which a download was interrupted. Record the
    download in the viewing log.
    """
    order = order_for(request.user, id, packed=True)
    if not order.is_archived:
        raise Http404(id)
    record_download(current_user(request), order)
    answer = archived_file(request, order, content_type_of(order.what.format))
    answer["Content-Disposition"] = f'attachment; filename="{file_name(order)}"'
    return answer


@require_safe
def manifest(request: HttpRequest, id: int) -> HttpResponse:
    """Download the manifest of an export."""
    order = order_for(request.user, id, packed=True)
    if not order.manifest:
        raise Http404(id)
    headers = {
        "Content-Disposition": f'attachment; filename="{file_name(order)}{SUFFIX}"',
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(order.manifest, content_type="application/json", headers=headers)


@require_safe
def verifier(request: HttpRequest) -> HttpResponse:
    """Download the program that checks a file against its manifest without Catwalk."""
    return _program(request, Path(verify_export.__file__))


@require_safe
def proof_verifier(request: HttpRequest) -> HttpResponse:
    """Download the program that checks a proof of a fact, or a checkpoint, without Catwalk."""
    return _program(request, Path(verify_proof.__file__))


def _program(request: HttpRequest, path: Path) -> HttpResponse:
    request_params.permitted_properties(request, ACT)
    headers = {
        "Content-Disposition": f'attachment; filename="{path.name}"',
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(path.read_bytes(), content_type="text/x-python; charset=utf-8", headers=headers)


@require_POST
def rebuild(request: HttpRequest, id: int) -> HttpResponse:
    """Order a worker to rebuild an export from the ledger and compare the bytes."""
    order = order_for(request.user, id, packed=True)
    if not order.is_archived:
        raise Http404(id)
    kept.request_rebuild(id, str(request.user.pk))
    return redirect("export", id)


@require_POST
def retry(request: HttpRequest, id: int) -> HttpResponse:
    """Let a worker try again to build a failed export."""
    order = order_for(request.user, id, packed=True)
    require(request.user, KEEP, order.what.property)
    kept.retry(id, str(request.user.pk))
    return redirect("export", id)


@require_safe
def redirect_earlier_address(request: HttpRequest, path: str) -> HttpResponse:
    """Redirect a former address of an archived export to its present one. Older rows of the viewing log
    contain former addresses.
    """
    return redirect(f"{reverse('exports')}{path}", permanent=True)


@require_POST
def archive_report(request: HttpRequest, name: str) -> HttpResponse:
    """Archive a report with the facts recorded so far. The form was sent from the page of the report."""
    wanted = parse_request(request, name, submitted(request) or request.GET)
    format = ArchiveForm(submitted(request)).accepted()["format"]
    require(request.user, KEEP, wanted.house)
    span = wanted.span
    wrong = list(request_errors(name, wanted.house, submitted(request) or request.GET))
    if wanted.limits:
        wrong.append("An archived export always has the whole property. Remove the limits first.")
    if registry.download_of(format) is None:
        wrong.append(f"A report can be archived as one of {', '.join(registry.CHOICES)}.")
    if wrong or span.begins is None or span.ends is None:
        return show_errors(request, name, wanted, ["Nothing was archived.", *wrong])
    spec = ExportSpec(wanted.house, name, span.begins, span.ends, wanted.by, format, wanted.books)
    try:
        id = kept.order(spec, str(request.user.pk))
    except ValueError as error:
        return show_errors(request, name, wanted, ["Nothing was archived.", f"{error}."])
    assert id is not None
    return build_and_redirect(id)


def _export_context(request: HttpRequest, order: ExportOrder) -> dict[str, Any]:
    others = kept.other_versions(order) if order.is_archived else []
    manifest = json.decode(order.manifest) if order.manifest else {}
    is_pack = order.what.name in packs.ACTS
    return {
        "order": order,
        "may_retry": order.state == "set-aside" and can(request.user, KEEP, order.what.property),
        "title": title(order),
        "zone": request_params.zone(order.what.property),
        "other_versions": others,
        "name": file_name(order),
        "is_pack": is_pack,
        "pack_days": packs.days_of(order.what.property, order.what.filters, order.position)
        if is_pack
        else [],
        "superseded_by": kept.superseded_by(order, others) if order.is_archived else None,
        "closed_later": kept.closed_later(order),
        "agains": kept.rebuild_results(order.id),
        "deliveries": deliver.deliveries(order) if order.schedule else [],
        "making": kept.is_being_rebuilt(order.id),
        "part": order.total and round(100 * order.done / order.total),
        "rows": manifest.get("rows"),
        "totals": list(_totals(manifest)),
        "preview": _preview(order, manifest) if order.is_archived else None,
    }


def _preview(order: ExportOrder, manifest: dict[str, Any]) -> Preview | None:
    columns = {column["key"]: (column["heading"], column["type"]) for column in manifest.get("columns", ())}
    return preview(order.what.format, order.length, partial(blobs.read, order.id), columns)


def _totals(manifest: dict[str, Any]) -> Iterator[tuple[str, int, list[tuple[str, str]]]]:
    """Yield each currency with its number of rows, and the heading and total of every column that is added
    up.
    """
    headings = {column["key"]: column["heading"] for column in manifest.get("columns", ())}
    for total in manifest.get("totals", ()):
        yield (
            total["currency"],
            total["rows"],
            [(headings[key], value) for key, value in total["sums"].items()],
        )
