"""The address `/`: it leads each user to the first page that the user may see."""

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
    ("see-jobs", "home_of_role"),
    ("enter-admin", "admin:index"),
)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Redirect to the first page that the user may see. Explain to a user without rights how to get a
    role.
    """
    for act, name in FIRST:
        if properties(request.user, act):
            return HttpResponseRedirect(reverse(name))
    return render(request, "nothing.html", status=403)
