"""Order the evidence pack of a case or of a hand. It is built and archived like an export."""

from __future__ import annotations

from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from audit.facts.input_parsing import whole
from audit.review import hands
from casino.accounts.permissions import require
from casino.cases import packs
from casino.cases.access import SEE, case_for
from casino.exports.archive import orders
from casino.exports.archive.orders import ExportSpec
from casino.exports.services import ACT, KEEP
from casino.exports.views import build_and_redirect
from casino.reference.calendar import gaming_day
from casino.web.action_form import IdentifierField, InputForm, TextField
from casino.web.form_view import current_user, submitted
from casino.web.request_params import decode_hand


class PackForm(InputForm):
    """The form that orders an evidence pack of a case or a hand."""

    property = IdentifierField()
    case = IdentifierField()
    stream = IdentifierField()
    hand = TextField()


@require_POST
def order(request: HttpRequest) -> HttpResponse:
    """Order an evidence pack. The user must be allowed to see the case or the hand, and to archive
    exports.
    """
    sent = PackForm(submitted(request)).accepted()
    property = sent["property"]
    for act in (SEE, "see-hand", ACT, KEEP):
        require(request.user, act, property)
    if sent["case"]:
        subject = packs.of_case(property, case_for(request.user, property, sent["case"]))
    else:
        hand = decode_hand(sent["hand"])
        subject = packs.of_hand(property, sent["stream"], hand)
        is_here = sent["stream"].startswith(f"{property}/") and sent["stream"].count("/") == 2
        is_hand = hand[:1] != "#" or whole(hand[1:]) is not None
        if not (is_here and is_hand) or hands.named(property, sent["stream"], hand) is None:
            raise Http404(hand)
    day = gaming_day(property)
    filters = subject.filters()
    spec = ExportSpec(
        property, subject.kind(), day, day + timedelta(days=1), (), packs.FORMAT, filters=filters
    )
    id = orders.order(spec, current_user(request).pk)
    assert id is not None
    return build_and_redirect(id)
