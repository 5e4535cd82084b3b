"""Pages of recordings: the list of recordings to hold, and the actions of the recordings section on the page
of a hand. These actions open a recording in the recorder, play it, hold it, or record its export. Each view
of a recording is recorded in the viewing log.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from audit.facts.input_parsing import whole
from audit.replay.video_address import Piece
from audit.review import hands
from audit.review.hands import Played
from audit.review.log_rows import ORDERED, RELEASED, SECURED
from casino.accounts import view_log
from casino.accounts.permissions import can, require
from casino.presentation.errors import ActionRejected
from casino.video import hand as of_hand
from casino.video import queries, services
from casino.video.forms import ChangeForm, ExportForm, HoldForm, StateForm
from casino.video.policy import allow_recordings
from casino.web import request_params
from casino.web.action_form import HandForm, InputForm
from casino.web.form_view import current_user, submitted
from casino.web.request_params import decode_hand, hand_url

STATES = (ORDERED, SECURED, RELEASED)


@require_safe
def holds(request: HttpRequest) -> HttpResponse:
    """Show the recordings to hold. Recordings that are overwritten soonest come first."""
    return _holds(request, request_params.chosen_property(request, "see-video"))


def _holds(request: HttpRequest, property: str, **extra: Any) -> HttpResponse:
    state = _state(request)
    context = {
        "property": property,
        "places": request_params.permitted_properties(request, "see-video"),
        "rows": queries.listed(property, state, timezone.now()),
        "state": state,
        "states": queries.STATES,
        "may_hold": can(request.user, "hold-video", property),
        "zone": request_params.zone(property),
    }
    return render(request, "video/holds.html", context | extra, status=400 if "form" in extra else 200)


def _state(request: HttpRequest) -> str:
    """Return the state that the form or the URL chooses for the list of recordings."""
    state: str = StateForm(submitted(request) or request.GET).accepted()["state"]
    return state if state in STATES else ORDERED


@require_POST
def secure(request: HttpRequest) -> HttpResponse:
    """Record that a recording is secured, and return to the list."""
    return _change(request, "secured")


@require_POST
def release(request: HttpRequest) -> HttpResponse:
    """Record that a recording is released, and return to the list."""
    return _change(request, "released")


def _change(request: HttpRequest, new_state: str) -> HttpResponse:
    property = request_params.chosen_property(request, "hold-video")
    by, form = current_user(request), ChangeForm(submitted(request))
    try:
        sent = form.accepted()
        if new_state == "secured":
            services.secure_hold(by, property, sent["hold"], sent["where"], sent["sha256"], sent["uid"])
        else:
            services.release_hold(by, property, sent["hold"], sent["reason"], sent["uid"])
    except ActionRejected as refused:
        form.reject(refused)
        return _holds(request, property, form=form, new_state=new_state)
    messages.success(request, f"Recorded: the recording is {new_state}.")
    query = urlencode({"property": property, "state": _state(request)})
    return HttpResponseRedirect(f"{reverse('holds')}?{query}")


@require_POST
def hold(request: HttpRequest) -> HttpResponse:
    """Record that the recordings of a hand must be held, and show the recordings section of its page."""
    played, name = open_hand(request, "hold-video")
    form = HoldForm(submitted(request))

    def act() -> str:
        sent = form.accepted()
        around = timedelta(minutes=sent["minutes"])
        pieces = [
            recording.piece._replace(
                begins=recording.piece.begins - around, ends=recording.piece.ends + around
            )
            for camera in sent["camera"]
            if (recording := of_hand.recording_of(played, camera)) is not None
        ]
        by, property = current_user(request), played.property
        of = _fact_fields(played, name)
        services.order_hold(by, property, pieces, sent["reason"], sent["uid"], of=of, until=sent["until"])
        return "Recorded: the recording must be held."

    return _part(request, played, name, act, {"hold_form": form})


@require_POST
def export(request: HttpRequest) -> HttpResponse:
    """Record that a recording of a hand was exported, and show the recordings section of its page."""
    played, name = open_hand(request, "hold-video")
    form = ExportForm(submitted(request))

    def act() -> str:
        sent = form.accepted()
        recording = of_hand.recording_of(played, sent["camera"])
        piece = recording.piece if recording is not None else Piece(sent["camera"], *_times(played))
        by, property = current_user(request), played.property
        of = _fact_fields(played, name)
        services.record_export(by, property, piece, sent["where"], sent["sha256"], sent["uid"], of)
        return "Recorded: the recording was exported."

    return _part(request, played, name, act, {"export_form": form})


def _times(played: Played) -> tuple[Any, Any]:
    times = [row.fact.at for row in played.facts]
    return min(times), max(times)


def _fact_fields(played: Played, name: str) -> dict[str, Any]:
    """Return the fields with which a fact names this hand, or this fact that does not belong to a hand."""
    table, _, day = played.stream.rpartition("/")
    about = {"of": played.facts[0].fact.uid} if name[:1] == "#" else {"round": name}
    return {"of_table": table, "of_day": day, **about}


def _part(
    request: HttpRequest, played: Played, name: str, act: Callable[[], str], forms: dict[str, InputForm]
) -> HttpResponse:
    """Perform an action and return the recordings section. It shows the result or, if the action is
    rejected, the form with its error. Without htmx, return the whole page of the hand.
    """
    result: dict[str, Any] = {}
    try:
        result["done"] = act()
    except ActionRejected as refused:
        for form in forms.values():
            form.reject(refused)
        result |= forms
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "video/_recordings.html", of_hand.part_of(request.user, played, name) | result)
    if "done" not in result:
        return render(
            request, "video/hand.html", of_hand.part_of(request.user, played, name) | result, status=400
        )
    messages.success(request, result["done"])
    return HttpResponseRedirect(hand_url(played.stream, name))


@require_safe
def open_in_recorder(request: HttpRequest) -> HttpResponse:
    """Record in the viewing log that a recording is opened, and redirect to the recorder."""
    played, name, recording = _asked(request)
    address = of_hand.address(played.property, recording, "link")
    if not address:
        raise Http404("the register has no address of this recorder")
    view_log.record_report(
        request.user,
        played.property,
        of_hand.label(recording, "opened in the recorder"),
        hand_url(played.stream, name),
    )
    return HttpResponseRedirect(address)


@require_safe
def play(request: HttpRequest) -> HttpResponse:
    """Record in the viewing log that a recording is played, and show it."""
    played, name, recording = _asked(request)
    address = of_hand.address(played.property, recording, "stream")
    if not address:
        raise Http404("the register has no address from which this recording is played")
    back = hand_url(played.stream, name)
    view_log.record_report(request.user, played.property, of_hand.label(recording, "played"), back)
    context = of_hand.part_of(request.user, played, name) | {"playing": recording, "address": address}
    whole_page = not request_params.is_partial_request(request)
    page = render(request, "video/hand.html" if whole_page else "video/_player.html", context)
    return allow_recordings(page, request.user)


def _asked(request: HttpRequest) -> tuple[Played, str, of_hand.Recording]:
    played, name = open_hand(request, "see-video")
    number = whole(request.GET.get("at", ""))
    camera = request_params.clean_text(request.GET.get("camera"))
    recording = of_hand.recording_of(played, camera, number)
    if recording is None:
        raise Http404(f"{camera} does not show {played.stream}")
    return played, name, recording


def open_hand(request: HttpRequest, act: str) -> tuple[Played, str]:
    """Return the hand or fact that a form or an address names, and its name.

    Raise PermissionDenied if the user lacks the right `act` at its property, and BadRequest or Http404 if
    there is no such hand.
    """
    stream, hand = HandForm(submitted(request) or request.GET).accepted().values()
    if stream.count("/") != 2 or not hand:
        raise BadRequest("The address does not name a hand. Open the hand from the queue.")
    property, name = stream.partition("/")[0], decode_hand(hand)
    require(request.user, act, property)
    played = hands.named(property, stream, name)
    if played is None:
        raise Http404(stream)
    return played, name
