"""The replay of a hand: the table layout and the amounts owed and moved after each of its facts. Every step
has a URL and works without scripts. The page's script requests several steps at once and switches between
them.
"""

from __future__ import annotations

from typing import Any

from django.core import signing
from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from audit.facts.input_parsing import whole
from audit.review import hands, replay_steps, verdicts
from audit.review.hands import Played
from audit.review.verdicts import CurrentFinding
from casino.accounts import view_log
from casino.accounts.permissions import can, require
from casino.presentation.fact_descriptions import sentence
from casino.surveillance import hand_views, presence
from casino.surveillance.layouts import felt_of
from casino.surveillance.queue_views import listed
from casino.surveillance.replay_timeline import timeline
from casino.video.hand import part_of
from casino.video.policy import allow_recordings
from casino.web import request_params
from casino.web.form_view import current_user
from games import GAMES
from games.kit import events as e

MOST_STATES = 24
"""Maximum number of steps in one response to the script."""
PACES = (1, 2, 8)
"""The speeds at which the script plays the hand, as multiples of the recorded speed."""
ANNOUNCED = 4
"""Number of the latest announcements that are shown below the layout."""
VIEW_SECONDS = 12 * 3600
"""Seconds for which the script may request steps of a hand after its view has been recorded."""
SALT = "replay"


@require_safe
def replay(request: HttpRequest, property: str, table: str, day: str, round: str) -> HttpResponse:
    """Show the hand as it was after one of its facts. `step` is the number of this fact, from 1. Without
    `step`, this is the fact of the hand's first finding, or its first fact. If the script sends `states`,
    return that number of steps.
    """
    require(request.user, "see-hand", property)
    stream, name = f"{property}/{table}/{day}", request_params.decode_hand(round)
    played = hands.played(property, stream, name)
    if played is None:
        raise Http404(f"{stream} has no {name}")
    findings = verdicts.findings_of(property, stream, name)
    step = _step(request, played, findings)
    viewing = f"{request.user.pk} {stream} {name}"
    if "states" in request.GET:
        count = _number(request.GET["states"], MOST_STATES, "states")
        if not _is_recorded(request.GET.get("view", ""), viewing):
            view_log.record(current_user(request), property, stream, name)
        last = min(len(played.facts), step + count - 1)
        states = [state_of(played, findings, number) for number in range(step, last + 1)]
        return render(request, "surveillance/_replay_states.html", {"states": states})
    user = current_user(request)
    with transaction.atomic():
        view_log.record(user, property, stream, name)
        if can(user, "give-verdict", property):
            presence.enter(user, property, stream, name)
    context = context_of(request, played, findings, step) | {"view": signing.dumps(viewing, salt=SALT)}
    if request_params.is_partial_request(request):
        return render(request, "surveillance/_replay.html", context)
    if can(request.user, "see-queue", property):
        context |= listed(request)
    return allow_recordings(render(request, "surveillance/replay.html", context), request.user)


def _step(request: HttpRequest, played: Played, findings: list[CurrentFinding]) -> int:
    """Return the step that the URL names. Raise Http404 if the hand has no such step."""
    if "step" not in request.GET:
        steps = {item.number: step for step, item in enumerate(played.facts, 1)}
        return next((steps[item.number] for item in findings if item.number in steps), 1)
    step = _number(request.GET["step"], 2**31, "step")
    if step > len(played.facts):
        raise Http404(f"{played.name} has {len(played.facts)} facts")
    return step


def _number(text: str, maximum: int, name: str) -> int:
    number = whole(text)
    if number is None or not 1 <= number <= maximum:
        raise BadRequest(f"“{text[:20]}” is not a valid {name} (use a number from 1, such as {name}=3).")
    return number


def _is_recorded(token: str, viewing: str) -> bool:
    """Return True if the token proves that this view of a hand is already in the viewing log. The page that
    records a view puts such a token into its requests.
    """
    try:
        return bool(signing.loads(token, salt=SALT, max_age=VIEW_SECONDS) == viewing)
    except signing.BadSignature:
        return False


def context_of(
    request: HttpRequest, played: Played, findings: list[CurrentFinding], step: int
) -> dict[str, Any]:
    """Return the template context of the page: the state at this step, and the list of all facts."""
    zone, address = (
        request_params.zone(played.property),
        request_params.replay_url(played.stream, played.name),
    )
    line = timeline(played, findings, zone, address, step)
    return (
        state_of(played, findings, step)
        | part_of(request.user, played, played.name)
        | {
            "hand": played,
            "name": played.name,
            "zone": zone,
            "zone_name": played.facts[0].fact.at.astimezone(zone).tzname() or "",
            "found": findings,
            "line": line,
            "now": line.ticks[step - 1],
            "before": max(1, step - 1),
            "after": min(len(played.facts), step + 1),
            "paces": PACES,
            "address": address,
            "hand_address": request_params.hand_url(played.stream, played.name),
            "previous": _neighbour(played, played.previous),
            "next": _neighbour(played, played.next),
            "fact_count": len(played.facts),
            "most_states": MOST_STATES,
            "table": played.stream.split("/")[1],
            "day": played.stream.rsplit("/", 1)[1],
            "game": GAMES.get(played.opened.game) if played.opened is not None else None,
            **hand_views.write_log(request, played, played.name),
            **hand_views.verdict_bar(request, played, played.name, findings),
        }
    )


def _neighbour(played: Played, name: str) -> str:
    return request_params.replay_url(played.stream, name) if name else ""


def state_of(played: Played, findings: list[CurrentFinding], step: int) -> dict[str, Any]:
    """Return the template context of one state: the table after this step, and the amounts owed and moved."""
    state = replay_steps.after(played, step)
    recorded, is_last = played.facts[step - 1], step == len(played.facts)
    known = [finding for finding in findings if is_last or finding.number <= recorded.number]
    currency = played.currency()
    announced = [row.fact for row in state.facts if isinstance(row.fact, e.Announce)]
    return {
        "step": step,
        "recorded": recorded,
        "fact_says": sentence(recorded.fact, currency),
        "played": state,
        "is_last": is_last,
        "currency": currency,
        "felt": felt_of(state, known, hand_views.LINES),
        "announced": [sentence(fact, currency) for fact in announced[-ANNOUNCED:]],
        "lines": hand_views.lines(state.wagers, known),
        "cut_lines": len(state.wagers) - hand_views.LINES,
        "due": replay_steps.due_steps(played, step),
    }
