"""GET and POST /api/v1/cases, GET /api/v1/cases/PROPERTY/NUMBER, and POST …/parts, …/notes and …/close.

The rules are the same as on the pages: a person may see and change the same cases. To everybody but
compliance, a suspicion of money laundering does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from rest_framework.views import APIView

from audit.facts.case_words import CONCERNS, MEASURES, OUTCOMES, PARTS, STATUSES, SUBJECTS
from audit.review.case_fold import CLOSED, Case, Part
from casino.accounts.permissions import properties
from casino.accounts.scopes import needs, needs_by_method
from casino.api import cursors, lines
from casino.api import shapes as s
from casino.api.lists import PROPERTY, requested_property
from casino.api.openapi import Answer, RequestBody, described, path_parameter, query_parameter
from casino.api.paging import LINK, SIZE, cursor_parameter, key_before, page_of, size_of
from casino.api.problems import Problem, perform
from casino.api.push import answer, page_answer
from casino.cases import access, queries, services, words
from casino.cases.services import Description
from casino.cases.viewings import record_viewing

Body = TypeVar("Body", bound=msgspec.Struct)
READ, WORK = "read:cases", "work:cases"
STATES = ("open", CLOSED, "all")
NUMBER = s.TEXT | {"minLength": 1, "maxLength": 40}
CONCERN = s.listed("What the case is about.", CONCERNS)
PART = s.object_(
    what=s.listed("The kind of item.", PARTS),
    stream=s.described(s.TEXT, "The stream of a hand, `PROPERTY/TABLE/DAY`; otherwise empty."),
    of=s.described(s.TEXT | {"minLength": 1}, "The item: a hand, serial, uid, staff ID, account or case."),
)
ROW = s.body(
    "CaseRow",
    case=(s.TEXT, "2026-0001", "The number of the case."),
    concerns=(CONCERN, "dealers-play"),
    status=(s.one_of(*STATUSES, CLOSED), "in-work"),
    outcome=(s.one_of("", *OUTCOMES), "", "How the case ended; empty while it is open."),
    title=(s.TEXT, "Overpaid on over", f"The title of the case; `{words.ERASED}` if it was erased."),
    owner=(s.TEXT, "v-101", "The staff ID of the person who works on it."),
    due=(s.nullable(s.DAY), "2026-12-05"),
    opened_at=(s.INSTANT, "2026-11-28T09:12:00Z"),
    changed_at=(s.INSTANT, "2026-11-28T10:00:00Z"),
    hands=(s.COUNT, 1),
    notes=(s.COUNT, 0),
    files=(s.COUNT, 0),
    subjects=(s.COUNT, 0),
)
FILE = s.object_(sha256=s.HASH, bytes=s.COUNT, media_type=s.TEXT, name=s.TEXT, is_erased=s.FLAG)
SUBJECT = s.object_(
    number=s.COUNT,
    role=s.listed("Who the person is.", SUBJECTS),
    id=s.nullable(s.TEXT),
    description=s.TEXT,
    reason=s.TEXT,
    measure=s.listed("The measure that was decided.", MEASURES),
    from_=s.nullable(s.DAY),
    to=s.nullable(s.DAY),
)
CASE = s.named(
    "Case",
    s.object_(
        case=s.TEXT,
        concerns=CONCERN,
        status=s.one_of(*STATUSES, CLOSED),
        outcome=s.one_of("", *OUTCOMES),
        title=s.TEXT,
        about=s.TEXT,
        owner=s.TEXT,
        due=s.nullable(s.DAY),
        seen_by=s.described(
            s.array(s.TEXT),
            "The only people who may see the case; empty if all who may see cases may see it.",
        ),
        opened_by=s.TEXT,
        opened_at=s.INSTANT,
        changed_at=s.INSTANT,
        closed_at=s.nullable(s.INSTANT),
        position=s.described(s.COUNT, "The ledger position of the last fact of the case."),
        parts=s.array(PART),
        notes=s.array(s.object_(at=s.INSTANT, by=s.TEXT, text=s.TEXT)),
        files=s.array(FILE),
        subjects=s.array(SUBJECT),
    ),
)
A_PART = {"what": "hand", "stream": "aurora/EOU-01/2026-11-27", "of": "r-0008"}
A_CASE = {
    name: value for name, value in ROW.example.items() if name not in ("hands", "notes", "files", "subjects")
}
A_CASE |= {"about": "", "seen_by": [], "opened_by": "v-101", "closed_at": None, "position": 4711}
A_CASE |= {"parts": [A_PART], "notes": [], "files": [], "subjects": []}
PLACE = (
    path_parameter("property", s.PROPERTY, "The property.", example="aurora"),
    path_parameter("number", NUMBER, "The number of the case.", example="2026-0001"),
)
CHANGED = s.object_(case=s.TEXT)


class _Part(msgspec.Struct, forbid_unknown_fields=True):
    what: str
    of: str
    stream: str = ""


class OpenBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body that opens a case. The sender chooses `uid`, so that a repeated post opens no second case."""

    property: str
    uid: UUID
    concerns: str
    title: str
    owner: str
    about: str = ""
    due: date | None = None
    seen_by: list[str] = []
    parts: list[_Part] = []


class JoinBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body that adds items to a case."""

    uid: UUID
    parts: list[_Part]


class NoteBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body that adds a note to a case."""

    uid: UUID
    text: str


class CloseBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body that closes a case."""

    uid: UUID
    outcome: str
    text: str = ""


def _shape(body: type[msgspec.Struct]) -> s.Shape:
    """Return the shape of a request body, including the shape of the items in `parts`."""
    shape = s.of_struct(body)
    if "parts" in shape["properties"]:
        shape["properties"]["parts"] = s.array(s.optional(PART, "stream"))
    return shape


UID = "0198b2f0-8c00-7000-8000-000000000042"
ACCEPTED = Answer(CHANGED, "The change is recorded.", {"case": "2026-0001"})


class Cases(APIView):
    permission_classes = [needs_by_method(GET=READ, POST=WORK)]

    @described(
        "Cases",
        PROPERTY,
        query_parameter("state", s.one_of(*STATES), "Open or closed cases, or all.", default="open"),
        query_parameter("concerns", s.one_of(*CONCERNS), "Only cases of this kind."),
        query_parameter("owner", s.TEXT | {"maxLength": 200}, "Only cases of this person.", example="v-101"),
        SIZE,
        cursor_parameter("filters"),
        responses=Answer.of(page_of(ROW), "A page of cases.", LINK),
    )
    def get(self, request: Any) -> HttpResponse:
        """Return the cases that the bearer may see, those with the earliest due day first."""
        property = requested_property(request, access.SEE)
        query = request.query_params.dict()
        listed = cursors.list_name("cases", property, query)
        key, size = key_before(query, listed), size_of(query)
        state, concerns = query.get("state", "open"), query.get("concerns", "")
        wanted = queries.Wanted(property, state, query.get("owner", ""), concerns)
        rows = queries.cases(request.user, wanted, size + 1, _place(key))
        page = rows[:size]
        texts = words.texts_of(property, [row.title_sha256 for row in page])
        items = [ROW.of(row, title=texts[row.title_sha256]) for row in page]
        following = cursors.encode(listed, queries.key_of(page[-1])) if len(rows) > size else None
        return page_answer(request, items, following)

    @described(
        "Open a case",
        request_body=RequestBody(
            _shape(OpenBody),
            {"property": "aurora", "uid": UID, "concerns": "dealers-play", "title": "Overpaid on over"}
            | {"owner": "v-101", "due": "2026-12-05", "parts": [A_PART]},
        ),
        responses={201: Answer(CHANGED, "The case is opened.", {"case": "2026-0001"})},
        problems=(409, 415, 422),
    )
    def post(self, request: Any) -> HttpResponse:
        """Open a case, and add items to it. The answer has the number of the case."""
        _require_worker(request)
        sent = lines.read_json(request._request, OpenBody, "not-a-case", "valid")
        described = Description(
            sent.concerns, sent.title, sent.about, sent.owner, sent.due, tuple(sent.seen_by)
        )
        number = perform(
            lambda: services.open_case(
                request.user, sent.property, str(sent.uid), described, _parts(sent.parts)
            ),
            "case",
        )
        return answer({"case": number}, 201)


class OneCase(APIView):
    permission_classes = [needs(READ)]

    @described("One case", *PLACE, responses=Answer(CASE, "The case.", A_CASE), problems=(404,))
    def get(self, request: Any, property: str, number: str) -> HttpResponse:
        """Return a case with its items, notes, files and subjects. The view is recorded."""
        case = access.case_for(request.user, property, number)
        record_viewing(request.user, property, number)
        return answer(_case(property, case))


class CaseParts(APIView):
    permission_classes = [needs(WORK)]

    @described(
        "Add hands, slips or people to a case",
        *PLACE,
        request_body=RequestBody(_shape(JoinBody), {"uid": UID, "parts": [A_PART]}),
        responses=ACCEPTED,
        problems=(404, 409, 415, 422),
    )
    def post(self, request: Any, property: str, number: str) -> HttpResponse:
        """Add hands, slips, counts, people, players or other cases to a case."""
        return _change(
            request,
            number,
            JoinBody,
            lambda sent: services.add_parts(
                request.user, property, number, str(sent.uid), _parts(sent.parts)
            ),
        )


class CaseNotes(APIView):
    permission_classes = [needs(WORK)]

    @described(
        "Write a note in a case",
        *PLACE,
        request_body=RequestBody(_shape(NoteBody), {"uid": UID, "text": "The video shows the payout."}),
        responses=ACCEPTED,
        problems=(404, 409, 415, 422),
    )
    def post(self, request: Any, property: str, number: str) -> HttpResponse:
        """Write a note in a case. The text can be erased later if a law requires it. The fact has only the
        hash of the text, which stays.
        """
        return _change(
            request,
            number,
            NoteBody,
            lambda sent: services.note(request.user, property, number, str(sent.uid), sent.text),
        )


class CaseClose(APIView):
    permission_classes = [needs(WORK)]

    @described(
        "Close a case",
        *PLACE,
        request_body=RequestBody(_shape(CloseBody), {"uid": UID, "outcome": "confirmed"}),
        responses=ACCEPTED,
        problems=(404, 409, 415, 422),
    )
    def post(self, request: Any, property: str, number: str) -> HttpResponse:
        """Close a case with its outcome. If the case is changed later on its page, it is open again."""
        return _change(
            request,
            number,
            CloseBody,
            lambda sent: services.close_case(
                request.user, property, number, str(sent.uid), sent.outcome, sent.text
            ),
        )


def _change(request: Any, number: str, type: type[Body], act: Callable[[Body], object]) -> HttpResponse:
    """Read the body of a change, call `act` with it, and return the number of the case."""
    _require_worker(request)
    sent = lines.read_json(request._request, type, "not-a-case", "valid")
    perform(lambda: act(sent), "case")
    return answer({"case": number})


def _require_worker(request: Any) -> None:
    """Raise Problem for a device, and PermissionDenied for a person who may not work on any case."""
    if request.auth is None or request.auth.device:
        raise Problem(403, "device", "A device may not work on cases.")
    if not any(properties(request.user, right) for right in (access.WORK, access.WORK_SUSPICION)):
        raise PermissionDenied(access.WORK)


def _parts(sent: Sequence[_Part]) -> list[Part]:
    return [Part(part.what, part.stream, part.of) for part in sent]


def _place(key: tuple[Any, ...] | None) -> queries.CaseKey | None:
    """Return the place of a case in the list from a cursor. Raise Problem for a cursor of an earlier release,
    which contains a number of rows.
    """
    if key is None:
        return None
    if len(key) != len(queries.CaseKey._fields):
        raise Problem(400, "cursor", "The cursor is too old. Begin with the first page.", field="cursor")
    return queries.parse_key(key)


def _case(property: str, case: Case) -> dict[str, Any]:
    texts = words.texts_of(property, case.digests())
    plain = ("case", "concerns", "status", "outcome", "owner", "due", "opened_by", "opened_at")
    notes = [
        {"at": fact.event.at, "by": getattr(fact.event, "by", ""), "text": texts[digest]}
        for fact in case.facts
        if (digest := getattr(fact.event, "note_sha256", None)) is not None
    ]
    files = [
        {
            "sha256": file.sha256,
            "bytes": file.bytes,
            "media_type": file.type,
            "name": texts[file.name_sha256],
            "is_erased": file.sha256 in case.erased,
        }
        for file in case.files
    ]
    subjects = [
        {
            "number": subject.number,
            "role": subject.role,
            "id": subject.id,
            "description": texts[subject.description_sha256],
            "reason": texts[subject.reason_sha256] if subject.reason_sha256 else "",
            "measure": subject.measure,
            "from": subject.begins,
            "to": subject.ends,
        }
        for subject in case.subjects
    ]
    return {name: getattr(case, name) for name in plain} | {
        "title": texts[case.title_sha256],
        "about": texts[case.about_sha256] if case.about_sha256 else "",
        "seen_by": list(case.seen_by),
        "changed_at": case.changed_at,
        "closed_at": case.closed_at,
        "position": case.position,
        "parts": [part._asdict() for part in case.parts],
        "notes": notes,
        "files": files,
        "subjects": subjects,
    }
