"""The list of all reports by department, with the favourites and the last used reports of the user, and the
form that stores what a user prefers.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from casino.exports import report_preferences
from casino.exports.report_description import description
from casino.exports.report_preferences import ReportPreference
from casino.exports.report_views import report_of
from casino.exports.services import ACT
from casino.reports import catalog
from casino.web import request_params
from casino.web.action_form import InputForm, ListField, TextField
from casino.web.form_view import current_user, submitted

LAST_USED = 5
"""Number of last used reports that are listed."""
MOST_QUERY = 2_000
"""Maximum length of the query string of the page that is shown after a form was sent."""


class PreferenceForm(InputForm):
    """One preference of a user for a report: whether the report is a favourite, or which columns and row
    height its table has. `query`: the parameters of the page to return to.
    """

    favourite = TextField()
    from_list = TextField()
    column = ListField()
    offered = ListField()
    density = TextField()
    query = TextField()


class ListedReport(NamedTuple):
    """A report in the list, with what the user prefers."""

    name: str
    title: str
    needed: str
    about: str
    preferred: ReportPreference


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the reports of each department. Each report has its description and a text that says when it is
    needed.
    """
    request_params.permitted_properties(request, ACT)
    preferred = report_preferences.all_preferences(current_user(request))
    groups: dict[str, list[ListedReport]] = {name: [] for name in catalog.DEPARTMENTS}
    for name in catalog.names():
        definition = catalog.report(name)
        groups[definition.DEPARTMENT].append(
            ListedReport(
                name,
                definition.TITLE,
                definition.NEEDED,
                description(definition),
                preferred.get(name, ReportPreference()),
            )
        )
    for reports in groups.values():
        reports.sort(key=lambda report: report.title)
    every = [report for reports in groups.values() for report in reports]
    used = sorted((report for report in every if report.preferred.used), key=_latest, reverse=True)
    shown = {
        "groups": list(groups.items()),
        "favourites": [report for report in every if report.preferred.favourite],
        "used": used[:LAST_USED],
    }
    return render(request, "reports/index.html", shown)


def _latest(report: ListedReport) -> date:
    return report.preferred.used or date.min


@require_POST
def change_preferences(request: HttpRequest, name: str) -> HttpResponse:
    """Store one of two preferences of the user for a report: whether it is a favourite, or which columns and
    row height its table has.
    """
    report_of(name)
    request_params.permitted_properties(request, ACT)
    sent, person = PreferenceForm(submitted(request)).accepted(), current_user(request)
    if sent["favourite"]:
        report_preferences.set_favourite(person, name, favourite=sent["favourite"] == "yes")
        if sent["from_list"]:
            return redirect("reports")
    else:
        report_preferences.set_table(
            person,
            name,
            map(request_params.clean_text, sent["column"]),
            map(request_params.clean_text, sent["offered"]),
            sent["density"],
        )
    query = QueryDict(sent["query"][:MOST_QUERY]).urlencode()
    return redirect(f"{reverse('report', args=[name])}?{query}")
