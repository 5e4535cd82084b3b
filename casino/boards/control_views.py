"""The board of internal controls: their exceptions, and the table days on which they were not judged."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode

from audit.controls import controls
from audit.queries.cache import control_findings
from audit.queries.control_findings import ControlFinding
from casino.accounts.permissions import can
from casino.boards import controls as control_rows
from casino.boards.controls import ControlRow
from casino.boards.request import BoardRequest
from casino.web import request_params


class Row(NamedTuple):
    """A control in the table, and the URL of its findings."""

    of: ControlRow
    address: str


class FindingRow(NamedTuple):
    """A finding in the list. `address` is empty for a user who may not see hands."""

    of: ControlFinding
    address: str


def control_board(request: HttpRequest, wanted: BoardRequest, context: dict[str, Any]) -> HttpResponse:
    """Show all controls that are checked. If the request chooses one, show its findings, and the tables at
    which it was not judged. Raise Http404 if the chosen control does not exist.
    """
    if wanted.chosen and wanted.chosen not in controls():
        raise Http404(wanted.chosen)
    rows, not_judged = control_rows.rows(wanted.span)
    days = {"property": wanted.house, "from": wanted.begins.isoformat(), "to": wanted.last.isoformat()}
    context |= {
        "rows": [Row(row, wanted.address(of=row.control.id)) for row in rows],
        "with_exceptions": sum(row.exceptions > 0 for row in rows),
        "exceptions": sum(row.exceptions for row in rows),
        "with_not_judged": sum(row.not_judged > 0 for row in rows),
        "without_check": control_rows.number_without_check(),
        "coverage": f"{reverse('report', args=['coverage'])}?{urlencode(days)}",
        "may_see_coverage": can(request.user, "see-hold", wanted.house),
    }
    if wanted.chosen:
        context |= _chosen(request, wanted, rows)
        context["not_judged"] = [row for row in not_judged if row.code in context["codes"]]
    return render(request, "boards/controls.html", context)


def _chosen(request: HttpRequest, wanted: BoardRequest, rows: list[ControlRow]) -> dict[str, Any]:
    """Return the template context of the chosen control: its row, and the latest of its findings."""
    row = next((row for row in rows if row.control.id == wanted.chosen), None)
    codes = row.codes if row is not None else ()
    may_see_hands = can(request.user, "see-hand", wanted.house)
    latest = control_findings.latest(wanted.span, wanted.chosen, codes) if codes else []
    return {
        "control": controls()[wanted.chosen],
        "codes": codes,
        "row": row,
        "findings": [_finding(finding, may_see_hands=may_see_hands) for finding in latest],
        "back": wanted.address(of=""),
    }


def _finding(finding: ControlFinding, *, may_see_hands: bool) -> FindingRow:
    hand = finding.round or f"#{finding.number}"
    address = request_params.hand_url(finding.stream, hand) if may_see_hands else ""
    return FindingRow(finding, address)
