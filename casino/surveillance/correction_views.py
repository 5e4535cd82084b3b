"""The page that shows which corrections a hand needs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from audit.review import verdicts
from casino.accounts import view_log
from casino.accounts.permissions import can, require
from casino.surveillance.money_corrections import correction_of
from casino.surveillance.verdict_views import hand_named
from casino.web import request_params
from casino.web.action_form import HandForm
from casino.web.form_view import current_user


@require_safe
def correct(request: HttpRequest) -> HttpResponse:
    """Show which corrections a hand needs, with links to the form of the adjustment."""
    stream, encoded = HandForm(request.GET).accepted().values()
    property = stream.partition("/")[0]
    require(request.user, "see-hand", property)
    played, name = hand_named(stream, encoded)
    if not request_params.is_partial_request(request):
        view_log.record(current_user(request), property, played.stream, name)
    context = {
        "played": played,
        "name": name,
        "table": played.stream.split("/")[1],
        "day": played.stream.rsplit("/", 1)[1],
        "currency": played.currency(),
        "zone": request_params.zone(property),
        "back": request_params.hand_url(played.stream, name),
        "correction": correction_of(played, verdicts.findings_of(property, played.stream, name)),
        "may_adjust": can(request.user, "adjust", property),
        "origin": request.build_absolute_uri("/").rstrip("/"),
    }
    part = request_params.is_partial_request(request)
    return render(request, "surveillance/_correct.html" if part else "surveillance/correct.html", context)
