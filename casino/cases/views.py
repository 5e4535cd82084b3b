"""Pages of cases: the list, and the page of one case with its files."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from audit.facts.input_parsing import whole
from audit.review.case_fold import Case, CaseFile, Subject
from casino.accounts.permissions import can
from casino.cases import access, confidential, files, links, packs, queries, timeline, words
from casino.cases.file_types import NAMES
from casino.cases.forms import NoteForm
from casino.cases.viewings import record_viewing
from casino.models import Person
from casino.presentation.formatting import code_label, cut_property, safe_file_name
from casino.reference.calendar import gaming_day
from casino.web import request_params
from casino.web.form_view import current_user

HANDS = 25
"""Number of hands that the page of a case shows at a time."""
STATES = {"open": "Open", "closed": "Closed", "all": "All"}


class ShownFile(NamedTuple):
    """A file on the page.

    Attributes:
        is_erased: True if the file can no longer be downloaded.
    """

    file: CaseFile
    name: str
    type: str
    size: str
    is_erased: bool


class ShownSubject(NamedTuple):
    """A subject on the page."""

    subject: Subject
    label: str
    description: str
    reason: str
    measure: str
    style: str


class ShownHand(NamedTuple):
    """A hand on the page, with its address and the label of its gravest finding."""

    row: queries.HandRow
    address: str
    label: str
    what: str


@require_safe
def cases(request: HttpRequest) -> HttpResponse:
    """List the cases of a property that the user may see, and its watched and banned people."""
    places = request_params.permitted_properties(request, access.SEE)
    property = request_params.chosen_property(request, access.SEE)
    person = current_user(request)
    state, concerns = request.GET.get("state", "open"), request.GET.get("concerns", "")
    wanted = queries.Wanted(
        property,
        state if state in STATES else "open",
        person.pk if request.GET.get("mine") == "1" else "",
        concerns if concerns in timeline.CONCERN_LABELS else "",
        min(whole(request.GET.get("after", "")) or 0, 100_000),
    )
    rows = queries.cases(person, wanted)
    day = gaming_day(property)
    watched = queries.watched(person, property, day)
    digests = [row.title_sha256 for row in rows] + [subject.description_sha256 for subject in watched]
    may_open = can(person, access.WORK, property) or can(person, access.WORK_SUSPICION, property)
    return render(
        request,
        "cases/cases.html",
        {
            "places": places,
            "chosen": property,
            "property": property,
            "wanted": wanted,
            "rows": rows[: queries.PAGE],
            "more": wanted.offset + queries.PAGE if len(rows) > queries.PAGE else None,
            "watched": watched,
            "texts": words.texts_of(property, digests),
            "states": STATES,
            "may_open": may_open,
            "zone": request_params.zone(property),
            "day": day,
            **_labels(),
        },
    )


@require_safe
def case(request: HttpRequest, property: str, number: str) -> HttpResponse:
    """Show one case, and record who viewed it."""
    shown = access.case_for(request.user, property, number)
    person = current_user(request)
    record_viewing(person, property, number)
    context = context_of(request, person, property, shown) | {"form": NoteForm()}
    return render(request, "cases/case.html", context)


def context_of(request: HttpRequest, person: Person, property: str, case: Case) -> dict[str, Any]:
    """Return the context for the page of a case."""
    texts = words.texts_of(property, case.digests())
    offset = min(whole(request.GET.get("hands", "")) or 0, 100_000)
    rows = queries.hand_rows(property, case, HANDS, offset)
    others = [
        (part, row)
        for part, row in queries.cases_joining(person, property, list(case.parts))
        if row.case != case.case
    ]
    day = gaming_day(property)
    hands = case.hands()
    hidden = confidential.is_confidential(case.case)
    digests = [item.sha256 for item in case.files if item.sha256 not in case.erased]
    stored = files.stored_of(property, digests, confidential=hidden)
    return {
        "property": property,
        "case": case,
        "title": texts.get(case.title_sha256, words.ERASED),
        "about": texts.get(case.about_sha256, "") if case.about_sha256 else "",
        "hands": [_hand(row) for row in rows],
        "hands_total": len(hands),
        "sums": queries.hand_sums(property, case),
        "hands_after": offset + HANDS if offset + HANDS < len(hands) else None,
        "days": len({hand.stream[-10:] for hand in hands}),
        "parts": [(part, timeline.part_label(part)) for part in case.parts if part.what != "hand"],
        "files": [_file(item, item.sha256 in stored, texts) for item in case.files],
        "subjects": [_subject(item, texts, day) for item in case.subjects],
        "lines": timeline.lines(case, texts),
        "drawing": links.draw(property, case, others),
        "others": [(timeline.part_label(part), row) for part, row in others],
        "packs": queries.packs_of(property, case.case),
        "viewings": queries.viewing_count(property, case.case, confidential=hidden),
        "may_work": access.may_work(person, property, case.case),
        "may_pack": packs.may_order(person, property),
        "may_see_hand": can(person, "see-hand", property),
        "zone": request_params.zone(property),
        "day": day,
        "is_late": case.is_open and case.due is not None and case.due < day,
        "due_in": _due_in(case.due, day),
        **_labels(),
    }


@require_safe
def file(request: HttpRequest, property: str, number: str, digest: str) -> StreamingHttpResponse:
    """Download a file of a case. The browser must save it and cannot display it."""
    case = access.case_for(request.user, property, number)
    hidden = confidential.is_confidential(number)
    photos = {item.photo_sha256 for item in case.subjects}
    known = next((item for item in case.files if item.sha256 == digest), None)
    stored = files.stored(property, digest, confidential=hidden)
    if stored is None or digest in case.erased or (known is None and digest not in photos):
        raise Http404(digest)
    record_viewing(current_user(request), property, number)
    texts = words.texts_of(property, [known.name_sha256] if known is not None else [])
    name = texts[known.name_sha256] if known is not None else f"photo-{digest[:12]}"
    response = StreamingHttpResponse(
        files.read(property, digest, confidential=hidden), content_type="application/octet-stream"
    )
    response["Content-Length"] = str(stored.bytes)
    response["Content-Disposition"] = f'attachment; filename="{safe_file_name(name)[-120:]}"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    return response


def _labels() -> dict[str, Any]:
    return {
        "concern_labels": timeline.CONCERN_LABELS,
        "status_labels": timeline.STATUS_LABELS,
        "outcome_labels": timeline.OUTCOME_LABELS,
        "measure_labels": timeline.MEASURE_LABELS,
        "subject_labels": timeline.SUBJECT_LABELS,
    }


def _hand(row: queries.HandRow) -> ShownHand:
    finding = code_label(row.codes[0]) if row.codes else "nothing found"
    name = f"fact {row.hand[1:]}" if row.hand[:1] == "#" else row.hand
    label = f"{cut_property(row.stream.rpartition('/')[0])} {name}"
    return ShownHand(row, request_params.hand_url(row.stream, row.hand), label, finding)


def _file(file: CaseFile, is_stored: bool, texts: dict[str, str]) -> ShownFile:
    size = f"{file.bytes / 1_000_000:,.1f} MB" if file.bytes >= 100_000 else f"{file.bytes:,} bytes"
    name = texts.get(file.name_sha256, words.ERASED)
    return ShownFile(file, name, NAMES.get(file.type, file.type), size, not is_stored)


def _subject(subject: Subject, texts: dict[str, str], day: date) -> ShownSubject:
    label = (
        f"{timeline.SUBJECT_LABELS.get(subject.role, subject.role)}{f' {subject.id}' if subject.id else ''}"
    )
    measure = timeline.MEASURE_LABELS.get(subject.measure, subject.measure)
    description = texts.get(subject.description_sha256, words.ERASED)
    reason = texts.get(subject.reason_sha256, words.ERASED) if subject.reason_sha256 else ""
    style = {"watch": "warn", "ban": "bad"}.get(subject.measure, "") if subject.is_in_force(day) else ""
    return ShownSubject(subject, label, description, reason, measure, style)


def _due_in(due: date | None, day: date) -> str:
    if due is None:
        return ""
    days = (due - day).days
    if days == 0:
        return "today"
    days_text = f"{abs(days)} day{'s' if abs(days) != 1 else ''}"
    return f"in {days_text}" if days > 0 else f"{days_text} ago"
