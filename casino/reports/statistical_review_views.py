"""The page of the statistical review: every row outside its bounds, the notes recorded about it, and a form
for the result.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from audit.queries.span import Span
from casino.accounts.permissions import can
from casino.presentation.formatting import display, grouped
from casino.reference.calendar import gaming_day
from casino.reports import catalog
from casino.reports.expected_win import bounds_of
from casino.reports.progress import with_progress
from casino.reports.row_links import Scope, details_address, hands_address, report_address
from casino.reports.statistical_review import (
    REVIEWED,
    STATES,
    Investigation,
    Review,
    Subject,
    investigate,
    investigations,
    rows_of,
)
from casino.reports.verdict_words import INSIDE, NOT_JUDGED_STATE, OUTSIDE, by_chance, state_of
from casino.web import form_view, request_params
from casino.web.action_form import ActionForm, TextField
from casino.web.day_presets import preset_links
from casino.web.replica import reads_replica
from casino.web.request_params import require_GET_or_POST

ACT = "see-hold"
BY = ("table", "game", "pit", "shift", "dealer", "wager")
SHOWN = (
    "z",
    "z_least",
    "win_percent",
    "hold_percent",
    "base_percent",
    "points",
    "low_percent",
    "high_percent",
)
"""Columns with the figures by which a row is judged."""
RECORDED = 50


class InvestigationForm(ActionForm):
    """The form for the result of an investigation of one row."""

    row = TextField()
    state = TextField()
    words = TextField()


class Row(NamedTuple):
    """One row to be investigated.

    Attributes:
        money: the win, the expected win and their difference, each with its heading, or nothing if the row
            has no expected win.
        currency: the currency of these amounts.
    """

    review: Review
    name: str
    money: list[tuple[str, str]]
    currency: str
    figures: list[tuple[str, str]]
    said: list[Investigation]
    id: str
    details: str
    hands: str


class Section(NamedTuple):
    """One report: the rows outside its bounds, and the rows that were investigated before.

    Attributes:
        by_chance: how many of the judged rows chance alone puts outside the bounds on average, or empty text
            if the report does not compare with exact odds.
    """

    title: str
    address: str
    rows: list[Row]
    outside: int
    inside: int
    not_judged: int
    by_chance: str


@require_GET_or_POST
@with_progress("Statistical review")
@reads_replica
def review(request: HttpRequest) -> HttpResponse:
    """Show the statistical review, or record a note about one of its rows. Parameters: `from` and `to`, the
    first and the last day; `by`, the grouping.
    """
    property = request_params.chosen_property(request, ACT)
    begins, last = _days(request, property)
    by = request.GET.get("by", "")
    by = by if by in BY else "table"
    days_only = {"property": property, "from": begins.isoformat(), "to": last.isoformat()}
    days = {**days_only, "by": by}
    address = f"{reverse('review')}?{urlencode(days)}"
    recorded = list(investigations(Span(property=property)))
    wrong = list(request_params.day_errors(request.GET))
    sections = [] if wrong else list(_sections(Scope(property, begins, last), (by,), recorded))
    form = InvestigationForm(form_view.submitted(request))
    shown = {
        **_addresses(days_only),
        "places": request_params.permitted_properties(request, ACT),
        "property": property,
        "begins": begins,
        "last": last,
        "by": by,
        "can_go_by": BY,
        "here": address,
        "presets": preset_links(gaming_day(property), begins, last, partial(_of_days, days)),
        "states": STATES,
        "sections": sections,
        "recorded": recorded[::-1][:RECORDED],
        "all": len(recorded),
        "all_address": _all_investigations(property, recorded),
        "may": can(request.user, "investigate", property),
        "may_see_hands": can(request.user, "see-hand", property),
        "empty": InvestigationForm(),
        "wrong": wrong,
    }
    if wrong:
        return render(request, "reports/review.html", {**shown, "form": form}, status=400)

    def act() -> str:
        values = form.accepted()
        rows = (row for section in sections for row in section.rows)
        subjects = (row.review.subject for row in rows if row.id == values["row"])
        subject = next(subjects, Subject("statistics", property, begins, last, (by,), ()))
        investigate(form_view.current_user(request), subject, values["state"], values["words"], values["uid"])
        return "Recorded, with the current figures."

    return form_view.handle(request, "reports/review.html", form, shown, act, address)


def _of_days(parameters: dict[str, str], begins: str, last: str) -> str:
    """Return the address of this page with other days."""
    return f"?{urlencode({**parameters, 'from': begins, 'to': last})}"


def _addresses(days: dict[str, str]) -> dict[str, str]:
    """Return the addresses of the pages with other figures of the same days."""
    return {f"{name}_address": f"{reverse(name)}?{urlencode(days)}" for name in ("hold", "where")}


def _all_investigations(property: str, recorded: list[Investigation]) -> str:
    """Return the address of the report of all investigations that were ever recorded at the property."""
    days = [note.day for note in recorded]
    return report_address(Scope(property, min(days), max(days)), "investigations", ()) if days else ""


def _days(request: HttpRequest, property: str) -> tuple[date, date]:
    """Return the requested days or, if no days are requested, the month so far."""
    begins, last = (request_params.day_of(request.GET.get(name, "")) for name in ("from", "to"))
    last = last or max(gaming_day(property), begins or date.min)
    begins = begins or last.replace(day=1)
    return min(begins, last), max(begins, last)


def _sections(scope: Scope, by: tuple[str, ...], recorded: list[Investigation]) -> Iterator[Section]:
    span = Span(scope.begins, scope.last + timedelta(days=1), scope.property)
    for name in REVIEWED:
        report = catalog.report(name)
        if not set(by) <= set(report.BY):
            continue
        rows, states = [], Counter[str]()
        for place, review in enumerate(rows_of(name, span, by)):
            words, state = (
                [word for word in recorded if word.subject == review.subject],
                state_of(review.figures),
            )
            states[state] += 1
            if state == OUTSIDE or words:
                rows.append(_row(review, f"{name}-{place}", words))
        yield Section(
            report.TITLE,
            report_address(scope, name, by),
            rows,
            states[OUTSIDE],
            states[INSIDE],
            states[NOT_JUDGED_STATE],
            by_chance(states[OUTSIDE] + states[INSIDE], bounds_of(span).confidence)
            if name == "statistics"
            else "",
        )


def _row(review: Review, id: str, recorded: list[Investigation]) -> Row:
    figures = [(review.headings[key], review.figures[key]) for key in SHOWN if review.figures.get(key)]
    by = (*review.subject.by, *("",) * len(review.subject.key))
    name = " · ".join(display(of, value) for of, value in zip(by, review.subject.key, strict=False) if value)
    subject = review.subject
    scope, named = (
        Scope(subject.house, subject.begins, subject.last),
        dict(zip(subject.by, subject.key, strict=False)),
    )
    return Row(
        review,
        name,
        _money(review),
        review.figures.get("currency", ""),
        figures,
        recorded,
        id,
        details_address(scope, named),
        hands_address(scope, named),
    )


def _money(review: Review) -> list[tuple[str, str]]:
    """Return the win of a row, its expected win and their difference, each with its heading."""
    amounts = [review.figures.get(key, "") for key in ("win", "expected")]
    if not all(re.fullmatch(r"-?\d+(\.\d+)?", amount) for amount in amounts):
        return []
    win, expected = map(Decimal, amounts)
    figures = (*amounts, str(win - expected))
    headings = (review.headings["win"], review.headings["expected"], "difference")
    return [(heading, grouped(figure)) for heading, figure in zip(headings, figures, strict=True)]
