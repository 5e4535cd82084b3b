"""Pages of the daily log: the list of entries with the open tasks of surveillance, one entry, and the forms
that write entries.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from audit.facts.input_parsing import whole
from audit.replay.video_address import Piece
from audit.review import log_queries
from audit.review.log_queries import Wanted
from casino.accounts.permissions import can, require
from casino.daily_log import queries, services, types
from casino.daily_log.forms import AcceptForm, CameraForm, EntryForm, SubjectForm, WordsForm
from casino.daily_log.initial_values import earlier_entry, subject_taken_over, taken_over, time_of_step
from casino.daily_log.subjects import Subject, subject_of
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from casino.reference.cameras import cameras_on, clip
from casino.web import request_params
from casino.web.form_view import current_user, handle, submitted
from casino.web.request_params import clean_text, day_of, require_GET_or_POST

OPEN = "open"


@require_safe
def entries(request: HttpRequest) -> HttpResponse:
    """Show the log of a property: first everything that is still open, then the entries, the latest first."""
    property = request_params.chosen_property(request, "see-log")
    wanted = _wanted(property, request.GET)
    before = whole(request.GET.get("before", ""))
    log_entries = log_queries.entries(property, wanted, before)
    context = {
        "property": property,
        "places": request_params.permitted_properties(request, "see-log"),
        "rows": queries.rows_of(property, log_entries[: log_queries.PAGE]),
        "more": log_entries[log_queries.PAGE - 1].number if len(log_entries) > log_queries.PAGE else None,
        "before": before,
        "wanted": wanted,
        "query": _query(property, wanted),
        "is_filtered": any(wanted),
        "types": types.all_titles(property),
        "open": queries.still_open(property, timezone.now()),
        "zone": request_params.zone(property),
        "may_write": can(request.user, "write-log", property),
        "may_see_video": can(request.user, "see-video", property),
        "me": request.user.pk,
    }
    return render(request, "daily_log/log.html", context)


def _wanted(property: str, sent: Mapping[str, str]) -> Wanted:
    """Return the filters of the log. Invalid filters are ignored."""
    table = clean_text(sent.get("table"))
    return Wanted(
        type=clean_text(sent.get("type")),
        table=f"{property}/{table}" if table and "/" not in table else table,
        day=day_of(sent.get("day", "")),
        by=clean_text(sent.get("by")),
        camera=clean_text(sent.get("camera")),
        state=OPEN if sent.get("state") == OPEN else "",
    )


def _query(property: str, wanted: Wanted) -> str:
    parts = {"property": property} | {name: value for name, value in wanted._asdict().items() if value}
    return urlencode(parts)


@require_safe
def entry(request: HttpRequest, property: str, number: int) -> HttpResponse:
    """Show one entry, with the entries that correct or close it, and its fact."""
    require(request.user, "see-log", property)
    log_entry = log_queries.entry(property, number) if number < 2**62 else None
    if log_entry is None:
        raise Http404(f"the log has no entry {number}")
    row = queries.rows_of(property, [log_entry])[0]
    context = {
        "property": property,
        "row": row,
        "fact": log_queries.fact_of(property, log_entry.position),
        "handed_over": queries.handed_over(property, log_entry),
        "people": queries.people_at(property, log_entry),
        "may_see_hands": can(request.user, "see-hand", property),
        "zone": request_params.zone(property),
        "may_write": can(request.user, "write-log", property),
        "may_accept": log_entry.waits and row.is_hand_over and log_entry.by != request.user.pk,
        "previous": log_entry.number - 1,
        "next": log_entry.number + 1 if log_queries.entry(property, number + 1) is not None else None,
    }
    return render(request, "daily_log/entry.html", context)


@require_GET_or_POST
def write(request: HttpRequest) -> HttpResponse:
    """Show the form for an entry, or record the entry. For htmx, only the form or the recorded entry is
    returned, so that a dialog on any page can show it.
    """
    property = request_params.chosen_property(request, "write-log")
    zone = request_params.zone(property)
    parameters = {name: str(value) for name, value in request.GET.items()}
    earlier = earlier_entry(property, submitted(request) or parameters)
    if earlier is not None and parameters.get("corrects"):
        parameters = taken_over(property, earlier.entry, zone) | parameters
    elif earlier is not None:
        parameters = subject_taken_over(property, earlier.entry) | parameters
    form = EntryForm(submitted(request), zone, parameters)
    is_partial = request_params.is_partial_request(request)
    subject = Subject(property)
    try:
        subject = subject_of(property, SubjectForm(submitted(request) or parameters).accepted())
        form.initial.update(time_of_step(subject, parameters, zone))
        if form.is_bound:
            number = _write(request, property, subject, form)
            return _written(request, property, number, is_partial)
    except ActionRejected as refused:
        form.reject(refused)
    context = {
        "property": property,
        "form": form,
        "in_dialog": is_partial,
        "earlier": earlier,
        "zone": zone,
        "subject": subject,
        "types": {name: title for name, title in types.titles(property).items() if name != types.HAND_OVER},
        "cameras": list(cameras_on(property, gaming_day(property))),
        "words_limit": services.WORDS,
        "short": services.SHORT,
    }
    template = "daily_log/_form.html" if is_partial else "daily_log/write.html"
    return render(request, template, context, status=400 if form.refused and not is_partial else 200)


def _write(request: HttpRequest, property: str, subject: Subject, form: EntryForm) -> int:
    values = form.accepted()
    typed = {name: values[name] for name in services.Words._fields if name in values}
    written = services.Words(**typed, video=_video(property, subject, values))
    return services.write_entry(current_user(request), subject, written, values["uid"])


def _video(property: str, subject: Subject, values: dict[str, Any]) -> list[dict[str, str]]:
    """Return the pieces of video for the form: the pieces of the hand, or the piece of the chosen camera."""
    if subject.played is not None:
        return subject.video if values["with_video"] else []
    begins: datetime | None = values["video_from"]
    ends: datetime | None = values["video_to"]
    if begins is None and ends is None:
        return []
    if not subject.camera:
        raise ActionRejected("Choose the camera of the recording.", "camera")
    if begins is None or ends is None or begins > ends:
        raise ActionRejected("The end of the recording must be after its beginning.", "video_from")
    camera = cameras_on(property, gaming_day(property, begins)).get(subject.camera)
    if camera is None:
        raise ActionRejected("This camera was not in the register on that day.", "camera")
    return [clip(camera, Piece(camera.id, begins, ends))]


def _written(request: HttpRequest, property: str, number: int, is_partial: bool) -> HttpResponse:
    if is_partial:
        answer = render(request, "daily_log/_written.html", {"property": property, "number": number})
        answer["HX-Trigger-After-Settle"] = "log-written"
        return answer
    messages.success(request, f"Entry {number} is recorded.")
    return HttpResponseRedirect(reverse("log_entry", args=[property, number]))


@require_GET_or_POST
def hand_over(request: HttpRequest) -> HttpResponse:
    """Show the open tasks of surveillance, and record the hand-over of the shift."""
    property = request_params.chosen_property(request, "write-log")
    form = WordsForm(submitted(request))

    def act() -> str:
        values = form.accepted()
        number = services.hand_over(current_user(request), property, values["words"], values["uid"])
        return f"Entry {number} hands over the shift. The next officer must accept it on the daily log page."

    shown = {
        "property": property,
        "open": queries.still_open(property, timezone.now()),
        "zone": request_params.zone(property),
        "words_limit": services.WORDS,
        "may_see_video": can(request.user, "see-video", property),
    }
    return handle(request, "daily_log/hand_over.html", form, shown, act, _log(property))


@require_POST
def accept(request: HttpRequest) -> HttpResponse:
    """Record that the user takes over the shift that a hand-over describes."""
    property = request_params.chosen_property(request, "write-log")
    try:
        values = AcceptForm(submitted(request)).accepted()
        if values["number"] is None:
            raise ActionRejected("Choose the hand-over that you accept.")
        services.accept(current_user(request), property, values["number"], values["uid"])
        messages.success(request, f"You have taken over the shift (entry {values['number']}).")
    except ActionRejected as refused:
        messages.error(request, str(refused))
    return HttpResponseRedirect(_log(property))


@require_GET_or_POST
def cameras(request: HttpRequest) -> HttpResponse:
    """Show the cameras. Record that a camera is down, or that it is up again."""
    property = request_params.chosen_property(request, "see-log")
    form = CameraForm(submitted(request))
    down = {outage.camera: outage for outage in log_queries.outages(property)}

    def act() -> str:
        values = form.accepted()
        number = services.report_camera(
            current_user(request),
            property,
            values["camera"],
            is_up=values["state"] == "up",
            reason=values["reason"],
            uid=values["uid"],
        )
        state = "up again" if values["state"] == "up" else "down"
        return f"{values['camera']} is recorded as {state}, in entry {number}."

    if request.method == "POST":
        require(request.user, "write-log", property)
    in_force = cameras_on(property, gaming_day(property))
    shown = {
        "property": property,
        "places": request_params.permitted_properties(request, "see-log"),
        "cameras": [(camera, down.get(name)) for name, camera in sorted(in_force.items())],
        "others": [outage for name, outage in sorted(down.items()) if name not in in_force],
        "now": timezone.now(),
        "zone": request_params.zone(property),
        "may_write": can(request.user, "write-log", property),
    }
    to = f"{reverse('log_cameras')}?{urlencode({'property': property})}"
    return handle(request, "daily_log/cameras.html", form, shown, act, to)


def _log(property: str) -> str:
    return f"{reverse('log')}?{urlencode({'property': property})}"
