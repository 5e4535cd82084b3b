"""GET /api/v1/facts, rounds, findings, verdicts, tallies, fills, credits, counts, adjustments, log: a page of
a dataset, and the cursor of the next page.

A cursor contains the key of the page's last row. So no row is skipped or repeated, even if rows are equal in
the visible columns, or if facts are recorded meanwhile. `as_of` returns what was known at a position of the
ledger. Downloads are recorded in the viewing log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.views import APIView

from audit import database, facts
from audit.facts.input_parsing import day_of, whole
from audit.findings.as_of import as_of
from audit.queries import heads
from audit.queries.facts import within_reach
from audit.queries.heads import Head
from audit.queries.list_filters import Selection
from audit.queries.span import Span
from audit.replay.rules_fingerprint import rules_of, rules_of_ledger
from audit.review.projections import GRADES
from casino.accounts import view_log
from casino.accounts.permissions import properties, require
from casino.accounts.scopes import needs
from casino.api import cursors
from casino.api import rows as answered
from casino.api import shapes as s
from casino.api.etags import (
    HEADERS,
    IF_NONE_MATCH,
    NOT_MODIFIED,
    conditional_response,
    etag,
    matches,
    not_modified,
)
from casino.api.openapi import Answer, Method, described, query_parameter
from casino.api.paging import NEXT, SIZE, cursor_parameter, key_before, link_to_next, size_of
from casino.api.problems import Problem
from casino.exports import datasets
from casino.exports.datasets import Dataset
from casino.models import Standing
from casino.reference import projection
from casino.web.replica import name_position, reads_replica
from games import GAMES

SCOPE = {
    "see-facts": "read:facts",
    "see-findings": "read:findings",
    "see-hold": "read:reports",
    "see-log": "read:log",
}
"""For each permission by which datasets are read: the scope that a token needs for it."""
LISTS = {
    "facts": "facts",
    "rounds": "rounds",
    "findings": "findings",
    "verdicts": "verdicts",
    "tallies": "tally",
    "fills": "fills",
    "credits": "credits",
    "counts": "counts",
    "adjustments": "adjusted",
    "log": "daily-log",
}
"""For each list, by the last part of its address: the name of its dataset."""
SCHEMA = 1
"""Version of the answers. It must be increased whenever the same rows would give a different answer."""
PROPERTY = query_parameter(
    "property", s.PROPERTY, "The property; optional if the bearer sees only one.", example="aurora"
)
AS_OF = query_parameter(
    "as_of",
    s.integer(1, 2**53),
    "A position of the ledger. The answer has what was known then; default: what is known now.",
    example=90211,
)
NAME = s.TEXT | {"minLength": 1, "maxLength": 2 * facts.NAME_LETTERS + 1}
BY_POSITION = ("property", "position")
SINCE = s.described(
    s.nullable(s.TEXT),
    "The cursor after the last row, even on the last page. Sent later as `cursor`, it returns what was"
    " recorded since. Null for lists that are not in the order of the ledger.",
)
WAITING = s.described(
    s.COUNT,
    "Number of gaming days of tables with facts that are not examined yet; 0 if the page includes"
    " everything up to the position.",
)
SEEN = s.body(
    "Seen",
    property=(s.TEXT, "aurora"),
    position=(s.COUNT, 92000, "Position of the ledger: `as_of`, or its head at the time of the request."),
    chain=(s.HASH, "c0" * 32, "The hash of the chain at that position."),
)
FROM = query_parameter("from", s.DAY, "The first gaming day; default: the beginning.", example="2026-11-01")
TO = query_parameter("to", s.DAY, "End of the range, exclusive; default: the end.", example="2026-12-01")


class Question(NamedTuple):
    """A parsed request: the dataset, its property and filters, the number of rows on the page, the position
    of the ledger, and the name of the list for cursors.
    """

    name: str
    of: Dataset
    asked: Selection
    property: str
    size: int
    seen: Head
    then: bool
    listed: str
    waiting: int


def listing(name: str) -> type[APIView]:
    """Return the view of a dataset."""
    of = datasets.get(name)
    return type(of.TITLE, (APIView,), {"permission_classes": [needs(SCOPE[of.ACT])], "get": getter(name)})


def getter(name: str) -> Method:
    """Return the GET method of a dataset's list, with its documentation."""
    of = datasets.get(name)

    def get(self: Any, request: Any) -> HttpResponse:
        return respond(request, name, of)

    get.__doc__ = of.__doc__
    waiting: dict[str, s.Member] = {"waiting": (WAITING, 0)} if of.MADE_OF == "fold" else {}
    page = s.body(
        items=(s.array(answered.shape(name, of)), [answered.example(name, of)]),
        next=(NEXT, None),
        since=(SINCE, None),
        ledger=(SEEN.shape, SEEN.example),
        **waiting,
    )
    headers = HEADERS | {"Link": "The next page, if there is one."}
    responses = {
        200: Answer.of(page, f"A page, in the order of {', '.join(of.KEY)}.", headers),
        304: NOT_MODIFIED,
    }
    return described(f"{of.TITLE}, page by page", *parameters(of), responses=responses)(get)


def parameters(of: Dataset) -> list[OpenApiParameter]:
    """Return the parameters of a list: one for each filter of its dataset, and the parameters that every list
    has.
    """
    kinds = getattr(of, "KINDS", tuple(facts.KINDS))
    offered = (
        FROM,
        TO,
        PROPERTY,
        query_parameter("table", NAME, "The table, with or without its property.", example="EOU-01"),
        query_parameter("game", s.one_of(*GAMES), "Only days of tables that were opened with this game."),
        query_parameter("kind", s.one_of(*kinds), "Only facts of this kind."),
        query_parameter(
            "code",
            s.TEXT | {"pattern": "^[a-z0-9-]{1,60}$", "example": "wrong-settlement"},
            "Only findings of this code.",
        ),
        query_parameter(
            "slip",
            s.TEXT | {"minLength": 1, "maxLength": 200},
            "Only the slip with this serial.",
            example="F-EOU01-2026-17",
        ),
        query_parameter("grade", s.one_of(*GRADES), "Only findings of this grade."),
    )
    known = {parameter.name: parameter for parameter in offered}
    return [
        *(known[name] for name in of.FILTERS),
        AS_OF,
        SIZE,
        cursor_parameter("property, days and filters"),
        IF_NONE_MATCH,
    ]


@reads_replica
def respond(request: Any, name: str, of: Dataset) -> HttpResponse:
    """Return a page of a list. If only facts affect the list, the answer may be 304, and no row is read."""
    question = _question(request, name, of)
    own = of.MADE_OF == "ledger"
    tag = _tag(request, question) if own else ""
    if own and matches(request, tag):
        return not_modified(tag)
    body, shown, following = page(question)
    response = conditional_response(request, body, lambda: _log(request, question, shown), tag=tag)
    link_to_next(request, response, following)
    return name_position(response, question.property)


def page(question: Question) -> tuple[bytes, int, str | None]:
    """Return the bytes of a page, the number of rows in it, and the cursor of the next page."""
    if question.of.MADE_OF == "fold" and question.then:
        with as_of(question.property, question.seen.position):
            projection.load_registers_as_of(question.property)
            return _page(question)
    return _page(question)


def _page(question: Question) -> tuple[bytes, int, str | None]:
    of, size = question.of, question.size
    selection, ends = within_reach(question.asked) if question.name == "facts" else (question.asked, None)
    rows = list(datasets.rows(of, selection._replace(limit=size + 1)))
    has_more, rows = len(rows) > size, rows[:size]
    places = [[column.key for column in of.COLUMNS].index(key) for key in of.KEY]
    last: Sequence[Any] = (
        [rows[-1][place] for place in places] if rows else selection.after or (question.property, 0)
    )
    if ends is not None and not has_more:
        last = (question.property, ends)
    behind = cursors.encode(question.listed, last)
    following = behind if has_more or ends is not None else None
    items = answered.items(question.name, of, rows, question.property)
    page: dict[str, Any] = {
        "items": items,
        "next": following,
        "since": behind if of.KEY == BY_POSITION else None,
        "ledger": SEEN.of(question.seen),
    }
    if of.MADE_OF == "fold":
        page["waiting"] = question.waiting
    return answered.encoded(page), len(rows), following


def _question(request: Any, name: str, of: Dataset) -> Question:
    query: Mapping[str, str] = request.query_params.dict()
    property = requested_property(request, of.ACT)
    span, head = requested_days(query, property), requested_position(query, property)
    table = query.get("table")
    if table is not None and not table.startswith(f"{property}/"):
        table = f"{property}/{table}"
    listed = cursors.list_name(name, property, query)
    after = key_before(query, listed)
    until = None if of.MADE_OF == "fold" else head.position
    game, kind, code, grade, slip = (query.get(name) for name in ("game", "kind", "code", "grade", "slip"))
    selection = Selection(span, table, game, kind, code, grade, slip, after, until=until)
    size = size_of(query)
    # Read this before the rows. If no fact is waiting at this moment, the rows include all facts up to the
    # position.
    waiting = heads.waiting(property) if until is None and "as_of" not in query else 0
    return Question(name, of, selection, property, size, head, "as_of" in query, listed, waiting)


def requested_property(request: Any, act: str) -> str:
    """Return the requested property. By default, it is the only property at which the bearer has the
    permission. Raise Problem if the bearer must choose one, or PermissionDenied without the permission.
    """
    named = request.query_params.get("property")
    if named is None:
        places = properties(request.user, act)
        if len(places) > 1:
            raise Problem(400, "property", f"Send `property`, one of {', '.join(places)}.", field="property")
        named = places[0] if places else ""
    require(request.user, act, named)
    return str(named)


def requested_days(query: Mapping[str, str], property: str) -> Span:
    """Return the requested gaming days. Raise Problem if the range is empty."""
    begins, ends = (day_of(query[field]) if field in query else None for field in ("from", "to"))
    if begins is not None and ends is not None and begins >= ends:
        raise Problem(
            400,
            "day",
            f"The range from {begins} (included) to {ends} (excluded) has no days.",
            field="to",
        )
    return Span(begins, ends, property)


def requested_position(query: Mapping[str, str], property: str) -> Head:
    """Return the head of the ledger at the requested position; by default, the current head. Raise Problem if
    the position does not exist yet.
    """
    head = heads.head(property)
    position = whole(query.get("as_of", ""))
    if position is None or position == head.position:
        return head
    requested = heads.at(property, position)
    if requested is None and not database.reads_primary():
        raise database.NeedsPrimary(f"the replica has no position {position} of {property}")
    if requested is None:
        raise Problem(
            400,
            "as-of",
            f"The ledger of {property} has no position {position}. Its head is {head.position}.",
            field="as_of",
        )
    return requested


def _tag(request: Any, question: Question) -> str:
    """Return the ETag of a page, computed from format, schema version, filters, ledger position, time zones
    and (for rounds) the rules hash.
    """
    clocks = Standing.objects.filter(property=question.property, register="day-begins").order_by(
        "key", "begins"
    )
    rules = [rules_of_ledger(), *map(rules_of, sorted(GAMES))] if question.name == "rounds" else []
    params = sorted(request.query_params.items())
    clock_rows = list(clocks.values_list("value", "begins", "ends"))
    return etag(
        SCHEMA,
        question.name,
        question.of.COLUMNS,
        params,
        question.property,
        question.seen[:3],
        clock_rows,
        rules,
    )


def _log(request: Any, question: Question, shown: int) -> None:
    query = request.query_params
    filters = ", ".join(
        f"{name} {query[name]}" for name in question.of.FILTERS if name in query and name != "property"
    )
    entry = (
        f"{question.of.TITLE} by REST: {shown}"
        f" row{'' if shown == 1 else 's'}{f' ({filters})' if filters else ''}"
    )
    view_log.record_report(request.user, question.property, entry, reverse("api-docs"))
