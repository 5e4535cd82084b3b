"""The first page, which depends on what one may see, and the keys."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from casino.accounts.permissions import properties

FIRST = (
    ("see-queue", "queue"),
    ("see-hold", "hold"),
    ("see-floor", "floor"),
    ("see-cage", "cage"),
    ("see-count", "count"),
    ("pull-box", "count_pull"),
    ("see-views", "views"),
    ("enter-admin", "admin:index"),
)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """On to the first page that the person may see; who may see none is told so."""
    for act, name in FIRST:
        if properties(request.user, act):
            return HttpResponseRedirect(reverse(name))
    return render(request, "nothing.html", status=403)


@require_safe
def help(request: HttpRequest) -> HttpResponse:
    """Every key, and what the words of the queue mean."""
    return render(request, "help/keys.html")
