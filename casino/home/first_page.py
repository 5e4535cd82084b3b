"""The address `/`: it leads each user to the page from which the user's work begins."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from casino.accounts.permissions import properties
from casino.home.views import places_of
from casino.web.form_view import current_user

QUEUE_FIRST = "surveillance"
"""The role that begins in the queue, where its work waits in order."""


@require_safe
def first_page(request: HttpRequest) -> HttpResponse:
    """Redirect surveillance to the queue and other users to their home page. A role without a home page is
    redirected to the form that it fills in. Explain to a user without rights how to get a role.
    """
    places = places_of(request)
    if any(QUEUE_FIRST in current_user(request).roles_in(property) for property in places):
        return redirect("queue")
    if places:
        return redirect("home_of_role")
    if properties(request.user, "pull-box"):
        return redirect("count_pull")
    return render(request, "nothing.html", status=403)
