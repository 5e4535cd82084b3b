"""GET /api/v1/findings/changes: which findings were gained, lost and withdrawn, in the order of publication.

The rows are events of the property (`event_pages.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from rest_framework.views import APIView

from audit.facts.vocabulary import LOST_BY
from audit.queries import findings as judged
from casino.accounts import view_log
from casino.accounts.scopes import needs
from casino.alerts.event_log import Event
from casino.alerts.sources import GAINED, LOST, WITHDRAWN
from casino.api import event_pages
from casino.api import rows as answered
from casino.api import shapes as s
from casino.api.etags import HEADERS, IF_NONE_MATCH, NOT_MODIFIED, conditional_response
from casino.api.lists import PROPERTY, requested_property
from casino.api.openapi import Answer, described, query_parameter
from casino.api.paging import NEXT, SIZE, cursor_parameter, link_to_next

SEE = "see-findings"
CHANGES = {"gained": GAINED, "lost": LOST, "withdrawn": WITHDRAWN}
"""{change of a finding: type of its event}."""
TEXT = s.nullable(s.TEXT)
UID = "0198b2f0-8c00-7000-8000-000000000042"
DESCRIPTION = (
    "`gained`: replay makes the finding. `withdrawn`: replay no longer makes it, because facts were recorded"
    " later. `lost`: an examination under changed rules or registers, or a check of what is stored, no longer"
    " makes it."
)
CAUSE = (
    "Why a finding is no longer made: "
    + "; ".join(f"`{cause}`: {says}" for cause, says in LOST_BY.items())
    + ". Null for gained findings, and for those that a version of Catwalk before 0.3.0 withdrew: it did not"
    " record the cause."
)
CHANGE = s.body(
    "FindingChange",
    event_number=(s.COUNT, 42, "The number of the change, as of its event in `/api/v1/events`. It grows."),
    at=(s.INSTANT, "2026-11-28T09:12:00.100000+00:00", "When the change was published."),
    change=(s.one_of(*CHANGES), "gained", DESCRIPTION),
    cause=(s.nullable(s.one_of(*LOST_BY)), None, CAUSE),
    id=(s.TEXT, f"{UID}:late-bet:3:over", "The id of the finding, as in the list `findings`."),
    stream=(TEXT, "aurora/EOU-01/2026-11-27", "Property, table and gaming day of the fact concerned."),
    table=(TEXT, "aurora/EOU-01", "Property and table."),
    day=(s.nullable(s.DAY), "2026-11-27"),
    number=(s.nullable(s.COUNT), 17, "The number of the fact in its stream."),
    uid=(s.TEXT, UID, "The fact at which the finding points."),
    round=(TEXT, "r-17"),
    code=(s.TEXT, "late-bet"),
    grade=(TEXT, "integrity"),
    spot=(TEXT, "3"),
    wager=(TEXT, "over"),
    owed=(TEXT, "2500", f"{answered.OWED} Null for findings that are no longer made."),
    moved=(TEXT, "0", f"{answered.MOVED} Null for findings that are no longer made."),
    currency=(TEXT, "USD", f"{answered.CURRENCY_SAYS} Null for findings that are no longer made."),
    owed_amount=(s.nullable(s.AMOUNT), "25.00", "What `owed` is as a decimal of `currency`."),
    moved_amount=(s.nullable(s.AMOUNT), "0.00", "What `moved` is as a decimal of `currency`."),
    says=(
        TEXT,
        "The bet came after no more bets.",
        "What is wrong; null for findings that are no longer made.",
    ),
    cite=(TEXT, "EOU Game Rules 4", "The rule or control; null for findings that are no longer made."),
    slip=(TEXT, None, "The likely mistake in a wrong settlement."),
    position=(
        s.nullable(s.COUNT),
        None,
        "For lost and withdrawn findings, the position of the fact `reexamined`.",
    ),
)
PAGE = s.body(
    items=s.items(CHANGE),
    next=(NEXT, None),
    since=(event_pages.SINCE, "cursor"),
    last=event_pages.LAST,
)


class FindingChanges(APIView):
    permission_classes = [needs("read:findings")]

    @described(
        "Changes of findings, page by page",
        PROPERTY,
        query_parameter("change", s.one_of(*CHANGES), "Only this change."),
        SIZE,
        cursor_parameter("property and filter"),
        IF_NONE_MATCH,
        responses={
            200: Answer.of(
                PAGE,
                "A page, in the order of the numbers.",
                HEADERS | {"Link": "The next page, if there is one."},
            ),
            304: NOT_MODIFIED,
        },
    )
    def get(self, request: Any) -> HttpResponse:
        """Return which findings were gained, lost and withdrawn, in order. Request the next page with
        `cursor` = `next`, until `next` is null. Store `since` of that last page. Later, send it as `cursor`
        to get what has changed since.
        """
        property = requested_property(request, SEE)
        query = request.query_params.dict()
        types = [CHANGES[query["change"]]] if "change" in query else list(CHANGES.values())
        page = event_pages.page("finding-changes", property, query, types)
        content = PAGE.of(page, items=_rows(property, page.events))

        def record() -> None:
            if page.events:
                view_log.record_report(request.user, property, "Changes of findings", request.get_full_path())

        response = conditional_response(request, answered.encoded(content), record)
        link_to_next(request, response, page.next)
        return response


def _rows(property: str, events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return the changes, with the names and forms of the list `findings`. A finding's currency is looked up
    if its event does not name it.
    """
    places = [
        (event.data["stream"], event.data["number"])
        for event in events
        if event.type == GAINED and event.data.get("currency") is None
    ]
    currencies = dict(zip(places, judged.currencies(property, places), strict=True)) if places else {}
    return [_row(event, currencies) for event in events]


def _row(event: Event, currencies: Mapping[tuple[str, int], str | None]) -> dict[str, Any]:
    change = next(change for change, type in CHANGES.items() if type == event.type)
    data = dict(event.data)
    if change == "gained" and data.get("currency") is None:
        data["currency"] = currencies.get((data["stream"], data["number"]))
    stream = data.get("stream")
    data |= {"event_number": event.number, "at": event.at, "change": change}
    data |= {"table": stream.rpartition("/")[0] if stream else None}
    data |= answered.amounts(data, data.get("currency"))
    return {name: data.get(name) for name in CHANGE.names}
