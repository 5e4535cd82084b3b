"""Flag the hand shown on the page, which adds it to the queue."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from casino.accounts.permissions import require
from casino.presentation.errors import ActionRejected
from casino.surveillance import hand_views as page
from casino.surveillance import services as surveillance
from casino.surveillance.forms import FlagForm
from casino.surveillance.verdict_views import open_hand, property_of_form
from casino.web.form_view import current_user, submitted


@require_POST
def flag(request: HttpRequest) -> HttpResponse:
    """Record the flag and show the updated hand, or show the form again with the error."""
    property = property_of_form(request)
    require(request.user, "flag-hand", property)
    played, name = open_hand(request)
    form = FlagForm(submitted(request))
    try:
        surveillance.flag_hand(current_user(request), played, form.accepted()["why"])
    except ActionRejected as refused:
        form.reject(refused)
        return page.again(request, played, name, "flag", flag_form=form)
    answer = page.shown(request, played, played.stream, name, given="flagged")
    answer["HX-Trigger-After-Settle"] = "queue-changed"
    return answer
