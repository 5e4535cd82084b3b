"""Pages of the cage: slips of a gaming day by table, and slips as PDF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from audit.queries import cage_facts
from audit.queries import cage_lists as queries
from audit.queries import floor as floor_queries
from audit.queries.cage_facts import RecordedFact
from audit.queries.cage_lists import SerialGap
from audit.queries.floor import Now
from casino.accounts.names import names_of
from casino.accounts.permissions import can, require
from casino.cage.services import slips as slip_services
from casino.cage.slips import pending
from casino.cage.slips.document import SEEN_BY, SIGNED, TITLES, paper_of
from casino.cage.slips.pdf import render_pdf
from casino.cage.slips.pending import PendingSlip
from casino.count_room import queries as count_room
from casino.presentation.formatting import code_label, only_currency, safe_file_name
from casino.reference.calendar import gaming_day
from casino.web import request_params
from casino.web.recording import has_tray
from games.kit.events import TableOpened

PAPERS = frozenset({"credit-sent", "fill-sent", "marker-issued", "marker-paid", "slip-voided"})
"""Kinds of facts that the cage's list shows."""
MAX_GAPS = 10
"""Maximum number of gaps in serials on the page. The report of slips lists all gaps."""
STATES = {"pending": "Pending slips", "late": "Late slips"}
"""The values of the filter for the state, with their labels."""
KINDS = {"fill": "Fills", "credit": "Credits"}
"""The values of the filter for the kind of a slip, with their labels."""
SUMMED = {"fill": "Fills", "credit": "Credits", "marker": "Markers", "payment": "Payments"}
"""The kinds of slips with a sum of the day, each with its label."""
NAMES = {**slip_services.NAMES, "marker-paid": "payment", "slip-voided": "void number"}


class Row(NamedTuple):
    """One slip in the list.

    Attributes:
        state: `pending`, `recorded` or `void`.
        lacks: the missing signatures.
        is_late: True if it has waited too long for its signatures.
    """

    uid: str
    serial: str
    what: str
    amount: int | None
    currency: str
    at: Any
    state: str
    lacks: tuple[str, ...]
    is_late: bool = False


class Total(NamedTuple):
    """The number and the amount of the listed slips in one currency."""

    currency: str
    slips: int
    amount: int


class DaySum(NamedTuple):
    """The recorded slips of one kind in one currency on the shown gaming day.

    Attributes:
        label: the kind in the plural, such as `Fills`.
        amount: their sum in minor units.
    """

    label: str
    currency: str
    slips: int
    amount: int


class Wanted(NamedTuple):
    """The filters of the list of slips. An empty filter matches all slips.

    Attributes:
        state: a key of STATES.
        kind: a key of KINDS.
    """

    state: str = ""
    kind: str = ""
    currency: str = ""

    def fits(self, row: Row) -> bool:
        """Return True if the slip matches the filters."""
        return (
            (not self.state or (row.state == "pending" and (self.state == "pending" or row.is_late)))
            and self.kind in ("", row.what)
            and self.currency in ("", row.currency)
        )


class Group(NamedTuple):
    """The slips of one table. `open` is True if slips can still be recorded on this gaming day."""

    table: str
    game: str
    open: bool
    rows: list[Row]


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """Show the slips of a property's gaming day, with the actions that the user may take."""
    return render(request, "cage/board.html", _shown(request))


@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """Return the current list without the page around it. `stamp` is the hash of the list that the page
    shows. If the list has not changed, return 204.
    """
    shown = _shown(request)
    return (
        HttpResponse(status=204)
        if request.GET.get("stamp") == shown["stamp"]
        else render(request, "cage/_board.html", shown)
    )


def _shown(request: HttpRequest) -> dict[str, Any]:
    places, property = (
        request_params.permitted_properties(request, "see-cage"),
        request_params.chosen_property(request, "see-cage"),
    )
    today = gaming_day(property)
    tables = {table.table.partition("/")[2]: table for table in floor_queries.board(property, today)}
    # Until the first table of a day is opened, show the previous day.
    last = max((table.day for table in tables.values() if table.day <= today), default=today)
    day = request_params.day_of(request.GET.get("day", "")) or last
    of_day = {"property": property, "from": day, "to": day}
    wanted, groups = _wanted(request), list(_groups(property, day, tables, is_current=day == last))
    if any(wanted):
        groups = [group._replace(rows=[row for row in group.rows if wanted.fits(row)]) for group in groups]
        groups = [group for group in groups if group.rows]
    jumps = [_gap(gap) for gap in queries.missing_slips(property)]
    stamp = sha256(repr((groups, jumps)).encode()).hexdigest()[:16]
    lacking = sum(row.state == "pending" for group in groups for row in group.rows)
    shown_gaps = len(jumps) if request.GET.get("missing") == "all" else MAX_GAPS
    return {
        "property": property,
        "places": places,
        "day": day,
        "last": last,
        "groups": groups,
        "unit": only_currency(row.currency for group in groups for row in group.rows),
        "lacking": lacking,
        "missing": jumps[:shown_gaps],
        "more": len(jumps) - shown_gaps,
        "wanted": wanted,
        "is_filtered": any(wanted),
        "states": STATES,
        "kinds": KINDS,
        "totals": _totals(groups) if any(wanted) else [],
        "day_sums": [] if any(wanted) else _day_sums(groups),
        "stamp": stamp,
        "slips_report": f"{reverse('report', args=['slips'])}?{urlencode(of_day)}",
        "query": urlencode(
            {"property": property, **{name: request.GET.get(name, "") for name in ("day", "missing")}}
            | wanted._asdict()
        ),
        "zone": request_params.zone(property),
        "may_request": slip_services.can_handle_slips(request.user, property),
        "may_issue": can(request.user, "issue-marker", property),
        "may_sell": can(request.user, "buy-chips", property),
        "may_void": can(request.user, "void-slip", property),
        "slips_at": _before("cage_slip", property),
        "prints_at": _before("slip_print", property),
    }


def _wanted(request: HttpRequest) -> Wanted:
    """Return the filters of the list. Invalid filters are ignored."""
    state, kind = request.GET.get("state", ""), request.GET.get("kind", "")
    return Wanted(
        state if state in STATES else "",
        kind if kind in KINDS else "",
        request_params.clean_text(request.GET.get("currency")),
    )


def _totals(groups: list[Group]) -> list[Total]:
    """Return the number and the amount of the slips by currency. The amount of a void slip is not added."""
    sums: dict[str, Total] = {}
    for row in (row for group in groups for row in group.rows):
        total = sums.get(row.currency, Total(row.currency, 0, 0))
        amount = (row.amount or 0) if row.state != "void" else 0
        sums[row.currency] = Total(row.currency, total.slips + 1, total.amount + amount)
    return [sums[currency] for currency in sorted(sums)]


def _day_sums(groups: list[Group]) -> list[DaySum]:
    """Return the sums of the recorded slips, in the order of SUMMED and then by currency. Pending and void
    slips are not included. A kind without slips has one sum of 0.
    """
    recorded = [row for group in groups for row in group.rows if row.state == "recorded"]
    (currency, *others) = sorted({row.currency for row in recorded}) or [""]
    sums = []
    for name, label in SUMMED.items():
        for unit in (currency, *others):
            amounts = [row.amount or 0 for row in recorded if (row.what, row.currency) == (name, unit)]
            if amounts or unit == currency:
                sums.append(DaySum(label, unit, len(amounts), sum(amounts)))
    return sums


def _before(name: str, property: str) -> str:
    """Return the URL of a slip's page without the uid at its end. The template appends the uid. `name` is the
    name of the page's route.
    """
    no_fact = UUID(int=0)
    return reverse(name, args=[property, no_fact]).partition(str(no_fact))[0]


def _groups(property: str, day: date, tables: dict[str, Now], *, is_current: bool) -> Iterator[Group]:
    waiting: dict[str, list[Row]] = {}
    for slip in pending.of_property(property) if is_current else ():
        waiting.setdefault(slip.table, []).append(_pending_row(slip))
    streams = {stream.table: stream.stream for stream in cage_facts.streams(property, day)}
    if is_current:  # A table that is still open on an earlier gaming day needs slips too.
        streams |= {
            code: table.stream for code, table in tables.items() if table.is_open and code not in streams
        }
    papers: dict[str, list[RecordedFact]] = {}
    for fact in cage_facts.facts(property, streams.values(), PAPERS | {"table-opened"}):
        papers.setdefault(fact.stream, []).append(fact)
    for code in sorted(streams | waiting):
        facts = papers.get(streams.get(code, ""), [])
        opened = next((fact.event for fact in reversed(facts) if isinstance(fact.event, TableOpened)), None)
        takes = code in tables and not tables[code].sealed and tables[code].stream == streams.get(code)
        rows = [*waiting.get(code, ()), *_rows(facts)]
        if rows or opened is None or has_tray(opened.game):
            yield Group(
                code, opened.game if opened else "", takes and has_tray(opened.game if opened else ""), rows
            )


def _pending_row(slip: PendingSlip) -> Row:
    signed = pending.signatures_by_role(slip)
    lacks = tuple(code_label(role).lower() for role in slip_services.ROLES[slip.kind] if role not in signed)
    return Row(
        str(slip.uid),
        "",
        NAMES[slip.kind],
        slip.amount,
        slip.currency,
        slip.begun,
        "pending",
        lacks,
        pending.is_late(slip, timezone.now()),
    )


def _rows(facts: Iterable[RecordedFact]) -> Iterator[Row]:
    """Yield the slips of one stream, newest first."""
    facts = list(facts)
    known = {getattr(fact.event, "slip", "") for fact in facts if fact.kind in slip_services.NAMES}
    currency, rows = "", []
    for fact in facts:
        event: Any = fact.event
        if isinstance(event, TableOpened):
            currency = event.currency
        elif fact.kind != "slip-voided" or event.slip not in known:
            state = (
                "void"
                if fact.kind == "slip-voided"
                or (fact.kind != "marker-paid" and cage_facts.is_void(fact, facts))
                else "recorded"
            )
            lacks = (
                ("verified by",) if getattr(event, "verified_by", "") is None and state == "recorded" else ()
            )
            amount = getattr(event, "amount", None)
            rows.append(
                Row(event.uid, event.slip, NAMES[fact.kind], amount, currency, event.at, state, lacks)
            )
    yield from reversed(rows)


def _gap(gap: SerialGap) -> tuple[str, str]:
    """Return a text that describes a gap in serials, and the first missing serial."""
    return gap.says(), gap.serial(gap.first)


def paper(property: str, uid: UUID) -> tuple[RecordedFact, list[RecordedFact]]:
    """Return the fact with this uid, and all facts of its stream that are not facts of play. Raise Http404 if
    there is no such fact or if it cannot be printed.
    """
    fact = cage_facts.fact(property, uid)
    if fact is None or fact.kind not in TITLES:
        raise Http404(str(uid))
    return fact, list(cage_facts.facts(property, [fact.stream]))


@require_safe
def print_slip(request: HttpRequest, property: str, uid: UUID) -> HttpResponse:
    """Return a fill, a credit, a marker, an opener, a closer or a count as PDF."""
    if not any(can(request.user, act, property) for act in {"see-cage", *SEEN_BY.values()}):
        raise PermissionDenied(
            f"papers of {property}"
        )  # first, so that users without the permission cannot learn if the fact exists
    fact, stream = paper(property, uid)
    require(request.user, SEEN_BY.get(fact.kind, "see-cage"), property)
    if count_room.is_hidden(property, fact):
        raise PermissionDenied("This count can be printed after its recount is recorded")
    pdf = render_pdf([paper_of(fact, stream, request_params.zone(property))])
    name = f"{getattr(fact.event, 'slip', '') or fact.kind + ' ' + fact.stream.replace('/', ' ')}.pdf"
    return HttpResponse(
        pdf,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{safe_file_name(name)}"'},
    )


def signatures(fact: RecordedFact) -> list[tuple[str, str, str]]:
    """Return (role, staff ID, name) for each signer of a recorded slip."""
    pairs = [
        (role, getattr(fact.event, name, None) if name else None) for role, name in SIGNED.get(fact.kind, ())
    ]
    names = names_of(id for _, id in pairs if id)
    return [(role, id, names.get(id, "")) for role, id in pairs if id]
