"""Kept reports as pages: all of them, each with what it saw and what stands beside it, its bytes, and the button that makes it again."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from audit.written import whole
from casino import exports, kept, reports, viewing
from casino.kept import Order, What
from casino.permissions import demand, properties
from casino.web import asked
from casino.web.report import ACT, asked_for, refused, wrongly_asked

KEEP = "keep-report"


@require_safe
def kept_reports(request: HttpRequest) -> HttpResponse:
    """The latest first: kept, being made, and those that another has superseded."""
    places = asked.where(request, ACT)
    before = asked.text(request.GET.get("before"))
    found = kept.orders(places, whole(before))
    rows = [(each, title(each), asked.zone(each.what.property)) for each in found[: kept.PAGE]]
    more = found[kept.PAGE - 1].id if len(found) > kept.PAGE else None
    shown = {"rows": rows, "more": more, "places": places, "may_schedule": bool(properties(request.user, "schedule-report"))}
    return render(request, "reports/kept.html", shown)


@require_safe
def kept_report(request: HttpRequest, id: int) -> HttpResponse:
    """One of them. While it is made, the part with its state asks for itself again."""
    return render(request, "reports/kept_one.html", _shown(request, _found(request, id)))


@require_safe
def kept_state(request: HttpRequest, id: int) -> HttpResponse:
    """That part alone."""
    return render(request, "reports/_kept.html", _shown(request, _found(request, id)))


@require_safe
def kept_file(request: HttpRequest, id: int) -> HttpResponse:
    """The bytes as they were kept; who takes them away stands in the viewing log."""
    order = _found(request, id)
    if not order.kept:
        raise Http404(id)
    made = exports.DOWNLOADS.get(order.what.format)
    viewing.record_report(request.user, order.what.property, f"{title(order)}, kept as {id}", reverse("kept_report", args=[id]))
    headers = {"Content-Disposition": f'attachment; filename="{file_name(order)}"', "X-Content-Type-Options": "nosniff"}
    return HttpResponse(kept.content(id), content_type=made.content_type if made else "text/plain; charset=utf-8", headers=headers)


@require_POST
def kept_again(request: HttpRequest, id: int) -> HttpResponse:
    """Ask a worker to make it again from the ledger and compare."""
    order = _found(request, id)
    if not order.kept:
        raise Http404(id)
    kept.ask_again(id, str(request.user.pk))
    return redirect("kept_report", id)


@require_POST
def report_keep(request: HttpRequest, name: str) -> HttpResponse:
    """Keep the report that the page shows, as of now."""
    wanted, format = asked_for(request, name, request.POST), request.POST.get("format", "csv")
    demand(request.user, KEEP, wanted.house)
    span = wanted.span
    wrong = list(wrongly_asked(name, request.POST))
    if format not in exports.DOWNLOADS:
        wrong.append(f"A report is kept as one of {', '.join(exports.DOWNLOADS)}.")
    if wrong or span.begins is None or span.ends is None:
        return refused(request, name, wanted, ["Nothing was kept.", *wrong])
    id = kept.order(What(wanted.house, name, span.begins, span.ends, wanted.by, format, wanted.books), str(request.user.pk))
    return redirect("kept_report", id)


def title(order: Order) -> str:
    """What a kept report is called."""
    return reports.report(order.what.name).TITLE if order.what.name in reports.names() else order.what.name


def file_name(order: Order) -> str:
    """As it is taken away."""
    what = order.what
    return f"{what.name}_{what.property}_{what.begins}_{order.last}{f'_{what.books}' if what.books else ''}_kept-{order.id}.{what.format}"


def _found(request: HttpRequest, id: int) -> Order:
    order = kept.found(id)
    if order is None:
        raise Http404(id)
    demand(request.user, ACT, order.what.property)
    return order


def _shown(request: HttpRequest, order: Order) -> dict[str, Any]:
    others = kept.beside(order) if order.kept else []
    return {
        "order": order, "title": title(order), "zone": asked.zone(order.what.property), "beside": others,
        "superseded_by": kept.superseded_by(order, others) if order.kept else None, "agains": kept.agains(order.id),
        "making": kept.being_made_again(order.id), "part": order.total and round(100 * order.done / order.total),
    }  # fmt: skip
