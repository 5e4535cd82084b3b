"""The page of the journal of closed days: the documents, the entries that cannot be booked yet and how to fix
them, and the files for accounting systems.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from audit.facts.input_parsing import whole
from audit.queries import cage_facts
from audit.queries.adjustments import restating
from audit.queries.heads import read_up_to
from audit.queries.span import CLOSED, Span
from casino.accounts import view_log
from casino.accounts.permissions import can
from casino.journals.books import DAY, PERIODS, Document, Held, Journal, journal, position_error, since
from casino.journals.control import ControlTotal, control_totals
from casino.journals.formats import FORMATS, files, packed
from casino.journals.formats.fitting import Unwritable
from casino.presentation.formatting import grouped, safe_file_name
from casino.reference.calendar import gaming_day
from casino.reports.progress import with_progress
from casino.web import request_params
from games.kit.amounts import decimal

ACT = "see-hold"
SHOWN = 60
"""Maximum number of documents on the page. A file contains all documents."""
HELD = 60
"""Maximum number of held entries on the page."""
CHART = "chart-of-accounts"
ABOUT = {
    "open": ("not closed", "Close the day"),
    "order": ("waits for the day before", "Close the day before"),
    "box": ("box on its table", ""),
    "pending": ("not counted", "Record what was counted late"),
    "uncounted": ("without a count", ""),
    "shift": ("no win by shift", ""),
    "currency": ("no currency", ""),
    "month": ("month not booked", ""),
    "unmapped": ("no account", ""),
}
"""For each reason why an entry is held: its short description, and the text of the link to the page on which
it can be fixed.
"""


class JournalRequest(NamedTuple):
    """The parameters of the page.

    Attributes:
        after: a position in the ledger; documents that the journal already contained at that position are
            left out.
        position: the current position of the ledger.
    """

    house: str
    span: Span
    last: Any
    by: str
    after: int | None
    position: int

    @property
    def journal(self) -> Journal:
        return journal(self.span, self.by) if self.after is None else since(self.span, self.after, self.by)

    @property
    def query(self) -> str:
        """Return the parameters as a query string."""
        after = {} if self.after is None else {"after": self.after}
        return urlencode(
            {"property": self.house, "from": self.span.begins, "to": self.last, "by": self.by, **after}
        )

    @property
    def hold_query(self) -> str:
        """Return the query string of the report `hold` for the same property and days, from closed books. Its
        total equals the win that the page shows as a control total.
        """
        return urlencode({"property": self.house, "from": self.span.begins, "to": self.last, "books": CLOSED})

    @property
    def stem(self) -> str:
        """Return the name of the file, without its extension."""
        return "_".join(
            filter(
                None,
                (
                    "journal",
                    self.house,
                    f"{self.span.begins}",
                    f"{self.last}",
                    "" if self.by == DAY else self.by,
                ),
            )
        )


class Shown(NamedTuple):
    """A document on the page. `reversed_on` is the day on which an adjustment reversed it. `lines` have an
    account number, name, text, debit and credit.
    """

    document: Document
    lines: list[tuple[str, str, str, str, str]]
    reversed_on: Any


@require_safe
@with_progress("Journal")
def page(request: HttpRequest) -> HttpResponse:
    """Show the journal of the requested days. If no days are requested, show the last gaming day before today
    on which a table was open.
    """
    wanted = _read_parameters(request)
    if wrong := list(_parameter_errors(request)):
        return _refused(request, wanted, wrong, 400)
    wanted = wanted._replace(span=wanted.span._replace(until=wanted.position))
    result = wanted.journal
    shown = _form(request, wanted) | {
        "documents": _shown(result.documents[:SHOWN], wanted),
        "count": len(result.documents),
        "more": len(result.documents) > SHOWN,
        "limit": SHOWN,
        "totals": _totals(result.documents),
        "held": _held(result.held),
        "held_count": len(result.held),
        "held_limit": HELD,
        "is_month_held": any(item.about == "month" for item in result.held),
        "unmapped": sorted({posted for item in result.held for posted in item.posted}),
        "chart": CHART,
        "files": [
            (writer.label, writer.loads, f"{reverse('journal_file', args=[name])}?{_file_query(wanted)}")
            for name, writer in FORMATS.items()
        ],
    }
    return render(request, "journal/journal.html", shown)


@require_safe
def file(request: HttpRequest, format: str) -> HttpResponse:
    """Return the journal as a file for an accounting system, or as a zip of several files. It ends at the
    ledger position of the page that linked to it.
    """
    wanted = _read_parameters(request)
    if format not in FORMATS:
        raise Http404(format)
    if any(_parameter_errors(request)):
        return HttpResponseRedirect(f"{reverse('journal')}?{request.GET.urlencode()}")
    wanted = wanted._replace(
        span=wanted.span._replace(until=min(wanted.position, _until(request) or wanted.position))
    )
    try:
        entries = wanted.journal
        content = files(entries.documents, format, wanted.stem, entries.before)
        packed_file = packed(content, wanted.stem)
    except Unwritable as error:
        return _refused(request, wanted, [str(error)], 409)
    view_log.record_report(
        request.user, wanted.house, f"Journal, as {format}", f"{reverse('journal')}?{wanted.query}"
    )
    headers = {
        "Content-Disposition": f'attachment; filename="{safe_file_name(packed_file.name)}"',
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(packed_file.content, content_type=packed_file.content_type, headers=headers)


def _form(request: HttpRequest, wanted: JournalRequest) -> dict[str, Any]:
    """Return the template values that the page needs, both with the journal and with error messages."""
    return {
        "wanted": wanted,
        "is_last_day": not any(request.GET.get(name) for name in ("from", "to")),
        "places": request_params.permitted_properties(request, ACT),
        "periods": PERIODS,
        "position": wanted.position,
        "may_close": can(request.user, "close-day", wanted.house),
        "may_set": can(request.user, "set-register", wanted.house),
    }


def _refused(request: HttpRequest, wanted: JournalRequest, wrong: list[str], status: int) -> HttpResponse:
    """Show the form again, with a sentence for each invalid parameter."""
    return render(request, "journal/journal.html", _form(request, wanted) | {"wrong": wrong}, status=status)


def _read_parameters(request: HttpRequest) -> JournalRequest:
    """Return the parameters of the page. An invalid value is replaced by its default. Raise PermissionDenied
    for a property that the user may not see.
    """
    property, by = (
        request_params.chosen_property(request, ACT),
        request_params.clean_text(request.GET.get("by")),
    )
    today = gaming_day(property)
    newest = cage_facts.last_day(property, today) or today - timedelta(days=1)
    begins, last = request_params.day_range(request.GET, newest, 1)
    span = Span(begins, last + timedelta(days=1), property)
    return JournalRequest(
        property,
        span,
        last,
        by if by in PERIODS else DAY,
        whole(_after(request)),
        read_up_to(property).position,
    )


def _parameter_errors(request: HttpRequest) -> Iterable[str]:
    """Yield a sentence for each invalid parameter."""
    yield from request_params.day_errors(request.GET)
    by, after = request_params.clean_text(request.GET.get("by")), _after(request)
    if by and by not in PERIODS:
        yield f"Entries cannot be grouped by “{by[:40]}”. Choose {', '.join(PERIODS)}."
    if "until" in request.GET and _until(request) is None:
        until = request_params.clean_text(request.GET["until"])[:40]
        yield f"Until: “{until}” is not a position of the ledger. Download the file from this page."
    if after and whole(after) is None:
        yield (
            f"After: “{after[:40]}” is not a position of the ledger. Enter the position of the last load, or"
            " leave the field empty."
        )
    elif after and (wrong := position_error(request_params.chosen_property(request, ACT), whole(after) or 0)):
        yield f"After: {wrong} Enter the position of the last load, or leave the field empty."


def _file_query(wanted: JournalRequest) -> str:
    """Return the query string for a file of the journal. It contains the ledger position of the page, so the
    file shows the same journal as the page, even if facts are recorded before the download.
    """
    return f"{wanted.query}&until={wanted.position}"


def _until(request: HttpRequest) -> int | None:
    """Return the ledger position that the link to the file contains, or None if it contains none."""
    return whole(request_params.clean_text(request.GET.get("until")))


def _after(request: HttpRequest) -> str:
    """Return the text of the field "after", without commas."""
    return request_params.clean_text(request.GET.get("after")).replace(",", "")


class ShownTotal(NamedTuple):
    """A control total on the page: its debits, win and restatements as text. `cash` has the amounts of cash
    from the count room to the bank as (label, amount). It is empty if no cash left the count room.
    """

    total: ControlTotal
    debits: str
    win: str
    restated: str
    cash: list[tuple[str, str]]


def _totals(documents: Sequence[Document]) -> list[ShownTotal]:
    """Return the control total of each currency."""

    def shown(amount: int, total: ControlTotal) -> str:
        return grouped(decimal(amount, total.currency))

    return [
        ShownTotal(
            total,
            shown(total.debits, total),
            shown(total.win, total),
            shown(total.restated, total),
            [(label, shown(amount, total)) for label, amount in total.cash_amounts],
        )
        for total in control_totals(documents)
    ]


def _shown(documents: Sequence[Document], wanted: JournalRequest) -> list[Shown]:
    changes: dict[str, list[Any]] = {}
    if any(document.table for document in documents):
        for change in restating(wanted.span._replace(books=CLOSED)):
            if change.closed:
                changes.setdefault(change.stream, []).append(max(change.day, change.of_day))
    return [
        _document(document, changes.get(f"{document.house}/{document.table}/{document.day}", []))
        for document in documents
    ]


def _document(of: Document, changed: Sequence[Any]) -> Shown:
    lines = []
    for posting in of.postings:
        amount = grouped(decimal(abs(posting.amount), of.currency))
        number, name = (
            (posting.account.number, posting.account.name) if posting.account is not None else ("", "")
        )
        lines.append(
            (
                number,
                name.replace(":", " › "),
                posting.text,
                *((amount, "") if posting.amount > 0 else ("", amount)),
            )
        )
    is_superseded = of.table and not of.reverses and len(changed) >= of.version
    return Shown(of, lines, changed[of.version - 1] if is_superseded else None)


def _held(held: Sequence[Held]) -> list[tuple[Held, str, str, str]]:
    """Return the entries that cannot be booked, each with a short reason and a link to the page on which it
    can be fixed. If an entry only lacks an account, it is left out. The page lists missing accounts
    separately.
    """
    rows = []
    for item in [entry for entry in held if entry.about != "unmapped"][:HELD]:
        words, link = ABOUT[item.about]
        address = (
            f"{reverse('closing')}?{urlencode({'property': item.house, 'day': item.fix_on})}" if link else ""
        )
        rows.append((item, words, link, address))
    return rows
