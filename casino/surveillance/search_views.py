"""The page of the search over all hands: filters as labels that can be removed, a table of hands, and
completion of typed filters.
"""

from __future__ import annotations

from datetime import tzinfo
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from audit.queries import round_search
from audit.queries.round_search import MOST, Found
from audit.review import queue
from audit.review.projections import FLAGGED, GRADES
from audit.review.queue import worst_sentences
from casino.accounts import view_log
from casino.accounts.permissions import can
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import code_label, finding_sentence, wager_words
from casino.surveillance import saved_views, search_completion, search_filters
from casino.surveillance.assignments import STEPS, officers
from casino.surveillance.forms import ViewForm
from casino.surveillance.search_filters import FILTERS, PARAMETERS, FilterError, Wanted
from casino.video.policy import allow_recordings
from casino.web import request_params
from casino.web.form_view import current_user, submitted
from casino.web.replica import reads_replica

PAGE = 50
CHECKED = 600
"""Seconds for which the number of days whose hands cannot be found yet is cached."""
OTHERS = frozenset({"property", "after", "typed"})
"""Parameters of the page that are not filters."""
COLUMNS = (
    ("table", "Hand", False),
    ("opened", "Opened", False),
    ("dealer", "Dealer", False),
    ("", "Wagers", False),
    ("staked", "At stake", True),
    ("", "Paid", True),
    ("difference", "Difference", True),
    ("", "Outcome", False),
    ("", "Finding", False),
    ("", "State", False),
)
"""For each column of the table: the order that a click on its heading sets, the text of its heading, and True
if it has amounts.
"""
STATES = {
    "open": "to do",
    "second": "needs a second reviewer",
    "escalated": "escalated",
    "decided": "decided",
}


class Row(NamedTuple):
    """A hand in the list of results.

    Attributes:
        key: the text that names the hand in forms.
        says: the sentence of its worst finding.
        outcome: how the hand ended.
        currency: the currency of its amounts, or empty if the headings name it.
    """

    hand: Found
    address: str
    replay: str
    key: str
    grade: str
    label: str
    says: str
    wagers: str
    outcome: str
    zone: tzinfo
    state: str
    currency: str

    @property
    def more(self) -> int:
        """Return the number of finding codes besides the worst one."""
        return len(self.hand.codes) - 1


class Head(NamedTuple):
    """The heading of a column.

    Attributes:
        query: the parameters that sort by this column, or empty.
        sorted: `ascending`, `descending` or empty.
    """

    label: str
    query: str
    sorted: str
    is_amount: bool


@require_safe
@reads_replica
def search(request: HttpRequest) -> HttpResponse:
    """Show the hands that match the filters in the URL. With `after`, return only the next rows."""
    property, wanted = _wanted(request)
    shown = _results(request, wanted)
    if request_params.is_partial_request(request) and "after" in request.GET:
        shown["may_judge_here"] = can(request.user, "give-verdict", property)
        return render(request, "surveillance/_search_rows.html", shown)
    page = render(request, "surveillance/search.html", shown | _frame(request, property, wanted))
    return allow_recordings(page, request.user)


@require_POST
def save_view(request: HttpRequest) -> HttpResponse:
    """Save the filters of the page as a saved view, and redirect to the search with these filters."""
    property = request_params.chosen_property(request, "see-hand")
    form = ViewForm(submitted(request))
    values = form.accepted()
    try:
        query = saved_views.record_view(
            current_user(request), property, values["name"], values["query"], values["shared"]
        )
    except ActionRejected as refused:
        return _refused(request, property, form, refused)
    messages.success(request, f"The view “{' '.join(values['name'].split())}” is saved.")
    return HttpResponseRedirect(f"{reverse('hands')}?{urlencode({'property': property})}&{query}")


@require_POST
def remove_view(request: HttpRequest) -> HttpResponse:
    """Remove one of the user's own saved views, and redirect to the search."""
    property = request_params.chosen_property(request, "see-hand")
    form = ViewForm(submitted(request))
    values = form.accepted()
    name = values["name"]
    try:
        saved_views.remove_view(current_user(request), property, name)
    except ActionRejected as refused:
        return _refused(request, property, form, refused)
    messages.success(request, f"The view “{name}” is removed.")
    query = urlencode(parse_qsl(values["query"]))
    return HttpResponseRedirect(f"{reverse('hands')}?{urlencode({'property': property})}&{query}")


def _refused(request: HttpRequest, property: str, form: ViewForm, refused: ActionRejected) -> HttpResponse:
    """Show the page again with the reason why a saved view was not changed."""
    form.reject(refused)
    try:
        wanted = search_filters.read(property, dict(parse_qsl(form.accepted()["query"])))
    except FilterError:
        wanted = search_filters.read(property, {})
    shown = _results(request, wanted) | _frame(request, property, wanted) | {"view_form": form}
    return render(request, "surveillance/search.html", shown, status=400)


@require_safe
@reads_replica
def complete(request: HttpRequest) -> HttpResponse:
    """Return the choices for the text in the field, each with the number of hands that would remain."""
    _, wanted = _wanted(request)
    choices = search_completion.choices(wanted, request.GET.get("typed", "")[:200].replace("\0", ""))
    return render(request, "surveillance/_search_choices.html", {"choices": choices})


@require_safe
@reads_replica
def add(request: HttpRequest) -> HttpResponse:
    """Redirect to the search with the typed filter added. If no choice matches the text, show the page again
    with an error.
    """
    property, wanted = _wanted(request)
    typed = request.GET.get("typed", "")[:200].replace("\0", "")
    choices = [choice for choice in search_completion.choices(wanted, typed) if choice.query]
    if choices:
        return HttpResponseRedirect(f"{reverse('hands')}?{choices[0].query}")
    says = (
        f"“{typed}” matches no filter. Type a filter and a value, for example dealer: d-101 or"
        f" difference: 25."
        if typed.strip()
        else "Type a filter and a value, for example dealer: d-101."
    )
    shown = _results(request, wanted) | _frame(request, property, wanted) | {"refused": says}
    return render(request, "surveillance/search.html", shown, status=400)


def _wanted(request: HttpRequest) -> tuple[str, Wanted]:
    """Parse the property and the search in the URL. Raise BadRequest, which names the parameter, or
    PermissionDenied.
    """
    property = request_params.chosen_property(request, "see-hand")
    for name, values in request.GET.lists():
        if name not in (*PARAMETERS, *OTHERS):
            known = ", ".join(PARAMETERS)
            raise BadRequest(
                f"{name[:60]}: there is no such filter. Available: {known}. Nothing was searched."
            )
        if len(values) > 1:
            raise BadRequest(
                f"{name} occurs {len(values)} times. Give it once, and separate its values by commas."
            )
    try:
        return property, search_filters.read(property, request.GET.dict())
    except FilterError as error:
        raise BadRequest(f"{error.name}: {error}. Nothing was searched.") from None


def _results(request: HttpRequest, wanted: Wanted) -> dict[str, Any]:
    """Return the template context of the rows, and record the search in the viewing log."""
    after = _after(request, wanted)
    totals = round_search.totals(wanted.search)
    round_count = sum(total.rounds for total in totals)
    rows = (
        round_search.page(wanted.search, PAGE, after, is_selective=round_count < MOST) if round_count else []
    )
    has_more, rows = len(rows) > PAGE, rows[:PAGE]
    currencies = {total.currency for total in totals if total.rounds}
    filters = "; ".join(f"{chip.label} {chip.text}" for chip in wanted.chips)
    query = search_completion.query_of(wanted, wanted.given)
    entry = f"Search of hands: {len(rows)} shown{f' ({filters})' if filters else ''}"
    address = f"{reverse('hands')}?{query}"
    view_log.record_report(request.user, wanted.search.property, entry[:1000], address[:2000])
    key = "|".join(round_search.key_of(rows[-1], wanted.search.order)) if has_more else ""
    return {
        "rows": _rows(rows, names_currency=len(currencies) > 1),
        "currency": currencies.pop() if len(currencies) == 1 else "",
        "more": f"{query}&{urlencode({'after': key})}" if has_more else "",
        "totals": totals,
        "count": round_count,
        "most": MOST,
        "is_most": round_count >= MOST,
    }


def _after(request: HttpRequest, wanted: Wanted) -> list[Any] | None:
    if "after" not in request.GET:
        return None
    try:
        return round_search.parse_key(request.GET["after"].split("|"), wanted.search.order)
    except ValueError:
        raise BadRequest("after: this value does not name a row of the list. Search again.") from None


def _rows(rows: list[Found], *, names_currency: bool) -> list[Row]:
    zones = request_params.zones({row.property for row in rows})
    sentences = worst_sentences(rows)
    return [
        Row(
            row,
            request_params.hand_url(row.stream, row.hand),
            request_params.replay_url(row.stream, row.hand),
            f"{row.stream}|{request_params.encode_hand(row.hand)}",
            GRADES[row.rank - 1] if row.rank else "",
            code_label(row.codes[0]) if row.codes else "",
            says if row.codes[:1] == [FLAGGED] else finding_sentence(says),
            ", ".join(map(wager_words, row.wagers)),
            _played(row),
            zones[row.property],
            _state(row),
            row.currency if names_currency else "",
        )
        for row, says in zip(rows, sentences, strict=True)
    ]


def _state(row: Found) -> str:
    """Return the text about the verdict of a hand, or empty text if nothing was found in it."""
    if row.rank == queue.NOTICE_RANK and row.state == "open":
        return "not queued"
    return STATES.get(row.state, "") if row.rank else ""


def _played(row: Found) -> str:
    """Return a short text about how a hand ended: `Roll 7; over lost, under won`."""
    if row.voided:
        return "Void"
    rolled = [outcome for outcome in row.outcomes if outcome.startswith("roll ")]
    others = [wager_words(outcome) for outcome in row.outcomes if outcome not in rolled]
    words = "; ".join(part for part in (", ".join(rolled), ", ".join(others)) if part)
    return words[:1].upper() + words[1:] if words else "No bets"


def _frame(request: HttpRequest, property: str, wanted: Wanted) -> dict[str, Any]:
    """Return the template context of the page around the rows."""
    chips = [(chip, search_completion.without(wanted, *chip.names)) for chip in wanted.chips]
    labels = {chip.label for chip in wanted.chips}
    query = search_completion.query_of(wanted, wanted.given)
    return {
        "property": property,
        "places": request_params.permitted_properties(request, "see-hand"),
        "chips": chips,
        "adds": [
            label
            for label in dict.fromkeys(search_filter.label for search_filter in FILTERS)
            if label not in labels
        ],
        "heads": [_head(wanted, *column) for column in COLUMNS],
        "query": query,
        "given": wanted.given,
        "typed": request.GET.get("typed", "")[:200],
        "missing": _missing(property),
        "views": saved_views.views_of(current_user(request), property),
        "may_save": can(request.user, "save-view", property),
        "may_judge_here": can(request.user, "give-verdict", property),
        "officers": officers([property]),
        "steps": STEPS,
        "since": queue.now(),
        "saved": query.partition("&")[2],
        "view_form": ViewForm(),
    }


def _head(wanted: Wanted, order: str, label: str, is_amount: bool) -> Head:
    """Return the heading of a column. A second click on the heading reverses the order."""
    if not order:
        return Head(label, "", "", is_amount)
    is_present = wanted.search.order == order
    descending = not wanted.search.descending if is_present else order not in ("table", "dealer")
    sort = f"{'-' if descending else ''}{order}"
    direction = "descending" if wanted.search.descending else "ascending"
    query = search_completion.query_of(wanted, wanted.given | {"sort": sort})
    return Head(label, query, direction if is_present else "", is_amount)


def _missing(property: str) -> int:
    """Return the number of days whose hands cannot be found yet. The number is cached, because it changes
    only when somebody examines these days again.
    """
    key = f"days without rounds {property}".encode().hex()[:200]
    number: int | None = cache.get(key)
    if number is None:
        number = round_search.not_summarized(property)
        cache.set(key, number, CHECKED)
    return number
