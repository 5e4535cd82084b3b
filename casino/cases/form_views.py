"""Forms that open and change a case. Each submitted form is a fact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from audit.facts.case_words import ERASURES, SUSPICION
from audit.facts.input_parsing import whole
from audit.review.case_fold import Case, Part
from casino.accounts.permissions import can, properties, require
from casino.accounts.signatures import collect_signatures
from casino.cases import access, confidential, parts, queries, services, timeline, words
from casino.cases.forms import (
    AddForm,
    ChosenHandsForm,
    ClosureForm,
    DescriptionForm,
    ErasureForm,
    FileForm,
    JoinForm,
    NoteForm,
    PartForm,
    SubjectForm,
)
from casino.cases.views import context_of
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from casino.web.action_form import ActionForm
from casino.web.form_view import current_user, handle, submitted
from casino.web.request_params import decode_hand, require_GET_or_POST


@require_GET_or_POST
def new(request: HttpRequest) -> HttpResponse:
    """Open a case. Each hand that was chosen in a list is sent as `hand`, in the form `STREAM|HAND`. The
    first post shows the form with these hands. The second post, which has the form's uid, opens the case.
    """
    require_opener(request)
    sent = ChosenHandsForm(submitted(request) or request.GET).accepted()
    chosen = sent["hand"]
    property = sent["property"] or (chosen[0].partition("/")[0] if chosen else "")
    places = openable(request)
    property = property or places[0]
    if property not in places:
        require(request.user, access.WORK, property)
    opened: list[str] = []
    initial = {"owner": current_user(request).pk}
    form = DescriptionForm(submitted(request), initial)
    if "uid" not in form.data:
        form = DescriptionForm(initial=initial)

    def act() -> str:
        uid, _, description = form.described()
        hands = parts.parse_chosen(property, chosen)
        number = services.open_case(current_user(request), property, uid, description, hands)
        opened.append(number)
        return f"Case {number} is open."

    shown = _new_context(request, property, chosen) | {"add_form": AddForm()}
    response = handle(request, "cases/new.html", form, shown, act, reverse("cases"))
    if opened:
        response["Location"] = reverse("case", args=[property, opened[0]])
    return response


@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """Add hands that were chosen in a list to an open case."""
    require_opener(request)
    form = AddForm(submitted(request))
    sent = form.accepted()
    property, chosen, into = sent["property"], sent["hand"], sent["into"]
    if property not in openable(request):
        require(request.user, access.WORK, property)
    to = reverse("case", args=[property, into]) if into else reverse("cases")

    def submit() -> str:
        if not into:
            raise ActionRejected("Choose the case.", "into")
        hands = parts.parse_chosen(property, chosen)
        count = services.add_parts(current_user(request), property, into, sent["uid"], hands)
        return f"{count} joined."

    case_form = DescriptionForm(initial={"owner": current_user(request).pk})
    shown = _new_context(request, property, chosen) | {"case_form": case_form}
    return handle(request, "cases/new.html", form, shown, submit, to)


def _new_context(request: HttpRequest, property: str, chosen: list[str]) -> dict[str, Any]:
    """Return the context of the form with which chosen hands are put into a new case or added to an open
    case.
    """
    person = current_user(request)
    joinable = []
    if chosen:
        rows = queries.cases(person, queries.Wanted(property))
        joinable = [row for row in rows if access.may_work(person, property, row.case)]
    return {
        "property": property,
        "places": openable(request),
        "chosen": chosen,
        "labels": [_chosen_label(text) for text in chosen],
        "joinable": joinable,
        "texts": words.texts_of(property, [row.title_sha256 for row in joinable]),
        "concern_labels": _concerns(person, property),
        "day": gaming_day(property),
    }


def require_opener(request: HttpRequest) -> None:
    """Raise PermissionDenied if there is no property at which the user may open a case."""
    if not openable(request):
        require(request.user, access.WORK, "")


def openable(request: HttpRequest) -> list[str]:
    """Return the properties at which the user may open a case."""
    rights = (access.WORK, access.WORK_SUSPICION)
    return sorted({property for right in rights for property in properties(request.user, right)})


@require_GET_or_POST
def act(request: HttpRequest, property: str, number: str, name: str) -> HttpResponse:
    """Show one of the forms that change a case. If the form was sent, record the change."""
    if name not in ACTS:
        raise Http404(name)
    case = access.case_for(request.user, property, number)
    require(request.user, access.work_right(number), property)
    template, form_class, submit, values = ACTS[name]
    shown = context_of(request, current_user(request), property, case) | values(request, property, case)
    initial = {"title": shown["title"], "about": shown["about"], **shown.get("initial", {})}
    form = form_class(submitted(request), initial, request.FILES)
    to = reverse("case", args=[property, number])
    return handle(request, template, form, shown, lambda: submit(request, property, case, form), to)


@require_POST
def note(request: HttpRequest, property: str, number: str) -> HttpResponse:
    """Write a note in a case. If it is rejected, the page of the case is shown with the note."""
    case = access.case_for(request.user, property, number)
    require(request.user, access.work_right(number), property)
    form = NoteForm(submitted(request))

    def submit() -> str:
        values = form.accepted()
        services.note(current_user(request), property, number, values["uid"], values["note"])
        return "The note is recorded."

    shown = context_of(request, current_user(request), property, case)
    return handle(request, "cases/case.html", form, shown, submit, reverse("case", args=[property, number]))


def _change(request: HttpRequest, property: str, case: Case, form: DescriptionForm) -> str:
    uid, status, description = form.described()
    services.change_case(current_user(request), property, case.case, uid, status, description)
    return "The case was changed."


def _join(request: HttpRequest, property: str, case: Case, form: JoinForm) -> str:
    values = form.accepted()
    typed = [line for line in values["of"].split("\n") if line.strip()]
    wanted = [parts.parse_part(property, values["what"], line) for line in typed]
    count = services.add_parts(current_user(request), property, case.case, values["uid"], wanted)
    return f"{count} joined."


def _part(request: HttpRequest, property: str, case: Case, form: PartForm) -> str:
    values = form.accepted()
    removed = [Part(*pieces) for text in values["part"] if len(pieces := text.split("|", 2)) == 3]
    services.remove_parts(current_user(request), property, case.case, values["uid"], removed)
    return "Removed from the case. The facts by which the items were added stay in the ledger."


def _add_file(request: HttpRequest, property: str, case: Case, form: FileForm) -> str:
    values = form.accepted()
    sent = values["file"]
    if not sent:
        raise ActionRejected("Choose a file.", "file")
    by = current_user(request)
    services.add_file(by, property, case.case, values["uid"], sent.file, str(sent.name))
    return "The file is stored. It can be downloaded and is never opened here."


def _set_subject(request: HttpRequest, property: str, case: Case, form: SubjectForm) -> str:
    uid, values, sent = form.subject()
    photo = sent.file if sent is not None else None
    services.set_subject(current_user(request), property, case.case, uid, values, photo)
    return "The subject is recorded."


def _erase(request: HttpRequest, property: str, case: Case, form: ErasureForm) -> str:
    values = form.accepted()
    right = access.WORK_SUSPICION if confidential.is_confidential(case.case) else access.ERASE
    second = collect_signatures(request, property, {"second": right})["second"]
    services.erase(
        current_user(request), second, property, case.case, values["uid"], values["erased"], values["why"]
    )
    return "Erased. The facts keep the hashes."


def _close(request: HttpRequest, property: str, case: Case, form: ClosureForm) -> str:
    values = form.accepted()
    by = current_user(request)
    services.close_case(by, property, case.case, values["uid"], values["outcome"], values["note"])
    return "The case is closed."


def _nothing(request: HttpRequest, property: str, case: Case) -> dict[str, Any]:
    return {}


def _described(request: HttpRequest, property: str, case: Case) -> dict[str, Any]:
    hidden = confidential.is_confidential(case.case)
    labels = timeline.CONCERN_LABELS
    own = {SUSPICION: labels[SUSPICION]} if hidden else _concerns(current_user(request), property)
    return {
        "concern_labels": own if hidden else {name: own[name] for name in own if name != SUSPICION},
        "status_labels": {name: label for name, label in timeline.STATUS_LABELS.items() if name != "closed"},
        "initial": {
            "concerns": case.concerns,
            "owner": case.owner,
            "due": case.due,
            "seen_by": ", ".join(case.seen_by),
            "status": case.status,
        },
    }


def _subject_values(request: HttpRequest, property: str, case: Case) -> dict[str, Any]:
    number = whole(SubjectForm(submitted(request) or request.GET)["number"].value())
    known = next((subject for subject in case.subjects if subject.number == number), None)
    digests = [known.description_sha256, known.reason_sha256 or ""] if known is not None else []
    texts = words.texts_of(property, digests)
    if known is None:
        return {}
    fields = {name: getattr(known, name) for name in ("number", "role", "id", "measure", "begins", "ends")}
    reason = texts[known.reason_sha256] if known.reason_sha256 else ""
    return {
        "known": known,
        "initial": fields | {"description": texts[known.description_sha256], "reason": reason},
    }


def _erasable(request: HttpRequest, property: str, case: Case) -> dict[str, Any]:
    """Return what can still be erased. Each item has its hash, its name, its text and its fact."""
    texts = words.texts_of(property, case.digests())
    left = services.erasable(case)
    shown = []
    for fact in case.facts:
        for field in (
            "title_sha256",
            "about_sha256",
            "note_sha256",
            "name_sha256",
            "description_sha256",
            "reason_sha256",
            "file_sha256",
            "photo_sha256",
        ):
            digest = getattr(fact.event, field, None)
            if digest in left:
                left = left - {digest}
                text = texts.get(digest, "") or f"SHA-256 {digest}"
                shown.append((digest, field.removesuffix("_sha256"), text, fact.event))
    return {"erasable": shown, "erasures": ERASURES}


def _concerns(person: Any, property: str) -> dict[str, str]:
    """Return {kind: label} of the kinds of case that a person may open at a property."""
    ordinary, hidden = can(person, access.WORK, property), can(person, access.WORK_SUSPICION, property)
    return {
        name: label
        for name, label in timeline.CONCERN_LABELS.items()
        if (hidden if name == SUSPICION else ordinary)
    }


def _chosen_label(text: str) -> str:
    stream, _, hand = text.partition("|")
    return timeline.part_label(parts.hand_part(stream, decode_hand(hand)))


Submit = Callable[[HttpRequest, str, Case, Any], str]
Values = Callable[[HttpRequest, str, Case], dict[str, Any]]
ACTS: dict[str, tuple[str, type[ActionForm], Submit, Values]] = {
    "change": ("cases/change.html", DescriptionForm, _change, _described),
    "join": ("cases/join.html", JoinForm, _join, _nothing),
    "part": ("cases/part.html", PartForm, _part, _nothing),
    "file": ("cases/file.html", FileForm, _add_file, _nothing),
    "subject": ("cases/subject.html", SubjectForm, _set_subject, _subject_values),
    "erase": ("cases/erase.html", ErasureForm, _erase, _erasable),
    "close": ("cases/close.html", ClosureForm, _close, _nothing),
}
"""For each act: its template, its form, the function that records the form, and a function that returns
further values for the template. Among these values are the `initial` values of the form.
"""
