"""The page of a hand: its table layout, its wagers with the amounts owed and moved, its findings, and its
facts with their hashes.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import tzinfo
from typing import Any, NamedTuple

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from audit.queries import tray_equation
from audit.queries.tray_equation import Equation
from audit.review import hands, verdicts
from audit.review.hands import Played, Recorded, Wager
from audit.review.verdicts import CurrentFinding
from casino.accounts import view_log
from casino.accounts.permissions import can, properties, require
from casino.daily_log import queries
from casino.presentation.fact_descriptions import sentence
from casino.reference.cameras import clip, pieces_of
from casino.surveillance import money_corrections, presence
from casino.surveillance import services as surveillance
from casino.surveillance.forms import FlagForm, VerdictForm
from casino.surveillance.layouts import felt_of
from casino.surveillance.proof_views import proofs_of
from casino.surveillance.queue_views import listed
from casino.video.forms import ExportForm, HoldForm
from casino.video.hand import recordings
from casino.video.policy import allow_recordings
from casino.web import request_params
from casino.web.form_view import current_user
from games import GAMES
from games.kit.events import kind_of
from games.kit.question import Question, questions_for

LINES = 200
"""Maximum number of wagers on one page. Wagers with a difference come first."""


class Reason(NamedTuple):
    """A disposition that the verdict bar offers: its number, which is also its key on the keyboard, and who
    lost by the error, if the disposition says so.
    """

    number: int
    key: str
    label: str
    lost: str


REASONS = {
    verdict: [
        Reason(number, key, disposition[0], disposition[2] if len(disposition) > 2 else "")
        for number, (key, disposition) in enumerate(
            (
                (key, disposition)
                for key, disposition in surveillance.DISPOSITIONS.items()
                if disposition[1] == verdict
            ),
            1,
        )
    ]
    for verdict in surveillance.VERDICTS
}
"""For each verdict: its dispositions with the keys that choose them."""


class Depends(NamedTuple):
    """A rule option of the manual on which a finding depends, and what the table chose. The choice is empty
    if the table has made no choice.
    """

    question: Question
    chosen: str


class DescribedFact(NamedTuple):
    """A fact in the list, with a sentence that describes it."""

    recorded: Recorded
    says: str
    kind: str


@require_safe
def hand(request: HttpRequest, property: str, table: str, day: str, round: str) -> HttpResponse:
    """Show the hand of this name, with or without findings."""
    require(request.user, "see-hand", property)
    stream, round = f"{property}/{table}/{day}", request_params.decode_hand(round)
    return shown(request, hands.played(property, stream, round), stream, round)


@require_safe
def fact(request: HttpRequest, property: str, table: str, day: str, number: int) -> HttpResponse:
    """Show a fact that does not belong to a hand, such as a slip, a count or an opening."""
    require(request.user, "see-hand", property)
    stream = f"{property}/{table}/{day}"
    return shown(
        request,
        hands.single(property, stream, number) if number < 2**62 else None,
        stream,
        f"#{number}",
    )


def shown(request: HttpRequest, played: Played | None, stream: str, name: str, **extra: Any) -> HttpResponse:
    """Record the view in the viewing log, then render the page. For htmx, render only the part that shows the
    hand.
    """
    if played is None:
        raise Http404(f"{stream} has no {name}")
    user = current_user(request)
    with transaction.atomic():
        view_log.record(user, played.property, stream, name)
        if can(user, "give-verdict", played.property):
            presence.enter(user, played.property, stream, name)
    context = context_of(request, played, name) | extra
    if request_params.is_partial_request(request):
        return render(request, "surveillance/_hand.html", context)
    if can(request.user, "see-queue", played.property):
        context |= listed(request)
    return allow_recordings(render(request, "surveillance/hand.html", context), request.user)


def _described(part: Iterable[Recorded], played: Played) -> list[DescribedFact]:
    currency = played.currency()
    return [
        DescribedFact(numbered, sentence(numbered.fact, currency), kind_of(numbered.fact))
        for numbered in part
    ]


def again(request: HttpRequest, played: Played, name: str, part: str, **shown: Any) -> HttpResponse:
    """Show the page of a hand after a form was rejected, with the form's error. If htmx sent the request,
    show only the form. `part` is the name of the form.
    """
    context = context_of(request, played, name) | shown
    template = f"_{part}" if request.htmx else "hand"  # type: ignore[attr-defined]
    answer = render(request, f"surveillance/{template}.html", context)
    answer["HX-Retarget"], answer["HX-Reswap"] = f"#{part}-form", "outerHTML"
    return answer


def context_of(request: HttpRequest, played: Played, name: str) -> dict[str, Any]:
    """Return the template context for the part of the page that shows the hand."""
    findings = verdicts.findings_of(played.property, played.stream, name)
    withdrawn = verdicts.withdrawn_of(played.property, [numbered.fact.uid for numbered in played.facts])
    notes = [
        verdict.note_sha256
        for verdicts in (
            *(finding.verdicts for finding in findings),
            *(finding.verdicts for finding in withdrawn),
        )
        for verdict in verdicts
        if verdict.note_sha256
    ]
    zone = request_params.zone(played.property)
    facts, before, after = (_described(part, played) for part in (played.facts, played.before, played.after))
    game = played.opened.game if played.opened is not None else ""
    return {
        "played": played,
        "name": name,
        "found": findings,
        "withdrawn": withdrawn,
        "zone": zone,
        "zone_name": _zone_name(played, zone),
        "no_spot": spot if (spot := request.GET.get("spot", "")[:40]) and not played.has_spot(spot) else "",
        "currency": played.currency(),
        "felt": felt_of(played, findings, LINES),
        "lines": lines(played.wagers, findings),
        "cut_lines": len(played.wagers) - LINES,
        "parts": ((before, True), (facts, False), (after, True)),
        "rules": rules(played, findings),
        "questions": questions(played, findings),
        "words": surveillance.words_of(played.property, notes),
        **_log_and_video(request, played, name),
        "pointed": {finding.number for finding in findings},
        "unjudged": played.unjudged,
        "codes_of_chips": tray_equation.CHIP_CODES,
        "equations": equations(played, findings),
        "may_see_hold": can(request.user, "see-hold", played.property),
        "replay": request_params.replay_url(played.stream, played.name) if played.name else "",
        "hand_address": request_params.hand_url(played.stream, name),
        "previous": request_params.hand_url(played.stream, played.previous) if played.previous else "",
        "next": request_params.hand_url(played.stream, played.next) if played.next else "",
        "table": played.stream.split("/")[1],
        "at_property": played.property if len(properties(request.user, "see-hand")) > 1 else "",
        "day": played.stream.rsplit("/", 1)[1],
        "game": GAMES.get(game),
        **proofs_of(request, played),
        **verdict_bar(request, played, name, findings),
    }


def verdict_bar(
    request: HttpRequest, played: Played, name: str, findings: list[CurrentFinding]
) -> dict[str, Any]:
    """Return the template context of the verdict bar at the foot of the hand."""
    return {
        "in_forms": request_params.encode_hand(name),
        "dispositions": surveillance.DISPOSITIONS,
        "may_flag": bool(played.name) and can(request.user, "flag-hand", played.property),
        "may_judge": can(request.user, "give-verdict", played.property) and bool(findings),
        "verdict_names": surveillance.VERDICTS,
        "verdict_form": VerdictForm(None, played.currency()),
        "flag_form": FlagForm(),
        "reasons": REASONS,
        "company": presence.company(current_user(request), played.property, played.stream, name),
        "is_about_chips": is_about_chips(findings),
        "asks_second": surveillance.needs_second(played.property, findings),
        "correct_query": (
            money_corrections.correction_query(played, name)
            if money_corrections.is_correctable(findings)
            else ""
        ),
    }


def is_about_chips(findings: Iterable[CurrentFinding]) -> bool:
    """Return True if a finding is about chips that are missing or surplus."""
    return any(finding.code in tray_equation.CHIP_CODES for finding in findings)


def equations(played: Played, findings: list[CurrentFinding]) -> dict[str, Equation]:
    """Return {ID of a finding: equation} for findings about a tray that does not balance. The equation
    calculates what the tray should hold and compares it with the count.
    """
    equation_by_id = {
        finding.id: tray_equation.equation(played.property, played.stream, finding.number, finding.money)
        for finding in findings
        if finding.code == tray_equation.CODE and finding.money is not None
    }
    return {id: equation for id, equation in equation_by_id.items() if equation is not None}


def _log_and_video(request: HttpRequest, played: Played, name: str) -> dict[str, Any]:
    """Return the template context for the recordings of a hand and for the log entries about it."""
    property, uid = played.property, played.facts[0].fact.uid
    may_see = can(request.user, "see-log", property)
    pieces = pieces_of(played)
    return {
        "video": [clip(camera, piece) for camera, piece in pieces],
        "recordings": recordings(request.user, played, name, pieces),
        "log": queries.about_hand(property, played.stream, name, uid) if may_see else [],
        "row_property": property,
        "hold_form": HoldForm(),
        "export_form": ExportForm(),
    } | write_log(request, played, name)


def write_log(request: HttpRequest, played: Played, name: str) -> dict[str, Any]:
    """Return the template context for the link that opens the form for a log entry about a hand."""
    parameters = {
        "property": played.property,
        "stream": played.stream,
        "hand": request_params.encode_hand(name),
    }
    return {
        "may_log": can(request.user, "write-log", played.property),
        "log_query": urlencode(parameters),
    }


def lines(wagers: list[Wager], findings: list[CurrentFinding]) -> list[Wager]:
    """Return the wagers to list next to the layout. Wagers with a difference come first, then wagers with a
    finding.
    """
    wrong = {(finding.spot, finding.wager) for finding in findings}
    return sorted(
        wagers,
        key=lambda wager: (wager.difference in (0, None), (wager.spot, wager.wager) not in wrong),
    )[:LINES]


def rules(played: Played, findings: list[CurrentFinding]) -> dict[str, str]:
    """Return {ID of a finding: text of its rule}. A rule is found by the code and the citation of the
    finding. A finding that fits several rules is left out.
    """
    sentences = hands.rule_sentences(played)
    return {
        finding.id: sentences[finding.code, finding.cite]
        for finding in findings
        if (finding.code, finding.cite) in sentences
    }


def questions(played: Played, findings: list[CurrentFinding]) -> dict[str, list[Depends]]:
    """Return {ID of a finding: options}. The options are the questions of the manual on which the finding
    depends, each with the table's choice.
    """
    game = GAMES.get(played.opened.game) if played.opened is not None else None
    if game is None or played.round is None or played.opened is None:
        return {}
    lines = played.round.lines
    answers = played.opened.readings
    return {
        finding.id: [
            Depends(question, game.answer(question.option, answers) if question.option else "")
            for question in of
        ]
        for finding in findings
        if (
            of := questions_for(
                game.questions,
                finding.code,
                finding.wager or "",
                played.round,
                lines.get((finding.spot or "", finding.wager or "")),
            )
        )
    }


def _zone_name(played: Played, zone: tzinfo) -> str:
    return played.facts[0].fact.at.astimezone(zone).tzname() or ""
