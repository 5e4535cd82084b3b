"""GET /api/v1/rounds/search: the search over all hands, with the filters of the page."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.views import APIView

from audit.queries import heads, round_search
from audit.queries.round_search import Found
from audit.review.projections import GRADES
from casino.accounts import view_log
from casino.accounts.scopes import needs
from casino.api import cursors
from casino.api import rows as answered
from casino.api import shapes as s
from casino.api.etags import HEADERS, IF_NONE_MATCH, NOT_MODIFIED, conditional_response
from casino.api.lists import PROPERTY, WAITING, requested_property
from casino.api.openapi import Answer, described, query_parameter
from casino.api.paging import NEXT, SIZE, cursor_parameter, key_before, link_to_next, size_of
from casino.api.problems import Problem
from casino.api.rows import Clocks, Item
from casino.exports.datasets import timestamp
from casino.surveillance import search_filters
from casino.surveillance.search_filters import AMOUNT, DAY, FILTERS, FilterError
from casino.web.replica import name_position, reads_replica

NAMES = s.array(s.TEXT)
MONEY = ("staked", "paid", "taken", "returned", "to_player", "to_house", "difference")
ROUND = s.body(
    "FoundRound",
    stream=(s.TEXT, "aurora/EOU-02/2026-11-14"),
    number=(s.COUNT, 812, "The number of the round's first fact in the stream."),
    round=(s.TEXT, "r-0031"),
    table=(s.TEXT, "aurora/EOU-02", "Property and table."),
    day=(s.DAY, "2026-11-14"),
    game=(s.TEXT, "easy_over_under"),
    shift=(s.TEXT, "grave"),
    dealer=(s.TEXT, "d-107"),
    supervisor=(s.TEXT, "s-201"),
    opened_at=(s.INSTANT, "2026-11-15T10:07:56.000000Z"),
    opened_at_local=(answered.LOCAL, "2026-11-15T02:07:56.000000-08:00"),
    ended_at=(s.INSTANT, "2026-11-15T10:08:44.000000Z"),
    ended_at_local=(answered.LOCAL, "2026-11-15T02:08:44.000000-08:00"),
    voided=(s.FLAG, False),
    currency=(s.TEXT, "USD"),
    bets=(s.COUNT, 3),
    staked=(s.nullable(s.AMOUNT), "118.00"),
    paid=(s.nullable(s.AMOUNT), "0.00"),
    taken=(s.nullable(s.AMOUNT), "118.00"),
    returned=(s.nullable(s.AMOUNT), "0.00"),
    to_player=(s.nullable(s.AMOUNT), "0.00"),
    to_house=(s.nullable(s.AMOUNT), "236.00"),
    difference=(s.nullable(s.AMOUNT), "236.00"),
    spots=(NAMES, ["6"]),
    players=(NAMES, []),
    wagers=(NAMES, ["over"]),
    outcomes=(NAMES, ["over won", "roll 5"]),
    cards=(NAMES, ["9d"]),
    codes=(NAMES, ["wrong-settlement"]),
    verdicts=(NAMES, []),
    officers=(NAMES, []),
    grade=(
        s.nullable(s.one_of(*GRADES)),
        "money",
        "The gravest grade of the round's findings; null without findings.",
    ),
    state=(s.nullable(s.TEXT), "open", "The state of its verdicts; null without findings."),
)
PAGE = s.body(items=s.items(ROUND), next=(NEXT, None), waiting=(WAITING, 0))
PARAMETERS = [
    PROPERTY,
    *(
        query_parameter(
            condition.name,
            s.DAY if condition.kind == DAY else s.TEXT | {"minLength": 1, "maxLength": 2000},
            condition.says
            + (" An amount, such as 25.00." if condition.kind == AMOUNT else "")
            + (
                " Separate several values by commas; a round fits if it has any of them."
                if condition.kind == search_filters.LIST
                else ""
            ),
            example=condition.example,
        )
        for condition in FILTERS
    ),
    query_parameter(
        search_filters.CURRENCY,
        s.TEXT | {"pattern": "^[A-Z]{3}$", "example": "USD"},
        search_filters.CURRENCY_SAYS,
        example="USD",
    ),
    query_parameter(
        search_filters.SORT,
        s.one_of(*search_filters.SORTS),
        search_filters.SORT_SAYS,
        default=search_filters.USUAL_SORT,
    ),
    SIZE,
    cursor_parameter("property, filters and order"),
    IF_NONE_MATCH,
]


class RoundSearch(APIView):
    permission_classes = [needs("read:findings")]

    @described(
        "Search over all finished rounds",
        *PARAMETERS,
        responses={
            200: Answer.of(
                PAGE,
                "A page of the rounds that fit all filters.",
                headers=HEADERS | {"Link": "The next page, if there is one."},
            ),
            304: NOT_MODIFIED,
        },
    )
    @reads_replica
    def get(self, request: Any) -> HttpResponse:
        """Return the finished rounds that fit all filters. Each has what was bet and moved, and its findings
        and verdicts. The page Hands has the same parameters, so the query string of that page can be sent
        here.
        """
        property = requested_property(request, "see-findings")
        query = request.query_params.dict()
        try:
            wanted = search_filters.read(property, query)
        except FilterError as error:
            code = error.name.replace("_", "-")
            raise Problem(400, code, f"{error.name}: {error}.", field=error.name) from None
        listed = cursors.list_name("rounds/search", property, query)
        key = key_before(query, listed)
        after = round_search.parse_key(key, wanted.search.order) if key is not None else None
        size = size_of(query)
        waiting = heads.waiting(property)
        count = sum(total.rounds for total in round_search.totals(wanted.search))
        rows = (
            round_search.page(wanted.search, size, after, is_selective=count < round_search.MOST)
            if count
            else []
        )
        has_more, rows = len(rows) > size, rows[:size]
        following = (
            cursors.encode(listed, round_search.key_of(rows[-1], wanted.search.order)) if has_more else None
        )
        clocks = Clocks(property)
        page = {"items": [_item(row, clocks) for row in rows], "next": following, "waiting": waiting}
        response = conditional_response(
            request,
            answered.encoded(page),
            lambda: _log(request, property, wanted.chips, len(rows)),
        )
        link_to_next(request, response, following)
        return name_position(response, property)


def _item(row: Found, clocks: Clocks) -> Item:
    opened, ended = timestamp(row.opened_at), timestamp(row.ended_at)
    day = row.day.isoformat()
    money = {name: answered.amount(Fraction(getattr(row, name)), row.currency) for name in MONEY}
    return ROUND.of(
        row,
        round=row.hand,
        day=day,
        opened_at=opened,
        opened_at_local=clocks.local(opened, day),
        ended_at=ended,
        ended_at_local=clocks.local(ended, day),
        grade=GRADES[row.rank - 1] if row.rank else None,
        state=row.state or None,
        **money,
    )


def _log(request: Any, property: str, chips: tuple[search_filters.Chip, ...], shown: int) -> None:
    filters = "; ".join(f"{chip.label} {chip.text}" for chip in chips)
    entry = f"Search of hands by REST: {shown} shown{f' ({filters})' if filters else ''}"
    view_log.record_report(request.user, property, entry[:1000], reverse("api-docs"))
