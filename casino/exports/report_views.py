"""The page of a report: its table, a chart of one of its columns, a form for the days and the grouping, and
files to download.

Every report has such a page. A report is a title, columns and rows, and this page shows them; it calculates
no sums.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from audit.facts.input_parsing import whole
from audit.queries.span import Span
from casino.accounts import view_log
from casino.accounts.permissions import can
from casino.exports import report_preferences
from casino.exports.archive import orders
from casino.exports.formats import locales
from casino.exports.formats.registry import CHOICES, DOWNLOADS, download_of
from casino.exports.report_charts import CHARTED_APART, GAME, NAMES, Drawn, charts_of
from casino.exports.report_description import description, explanation
from casino.exports.report_files import report_parts
from casino.exports.report_notes import notes_of
from casino.exports.report_small_charts import small_charts_of
from casino.exports.report_table import ReportTable, sorted_rows, table_of
from casino.exports.report_time_charts import earlier_scope, is_drawn, time_charts_of
from casino.exports.services import ACT
from casino.presentation.formatting import grouped, safe_file_name
from casino.reference.calendar import gaming_day
from casino.reports import catalog, limit_parameters, limits, win_by_day
from casino.reports.catalog import Report
from casino.reports.columns import Row, Sheet
from casino.reports.limit_parameters import Pairs, ShownLimit
from casino.reports.progress import with_progress
from casino.reports.row_links import Scope, details_address, hands_address
from casino.web import request_params
from casino.web.day_presets import preset_links
from casino.web.form_view import current_user
from casino.web.replica import name_position, reads_replica

DAYS = 7
"""Number of gaming days shown if no days are requested."""
ROWS_PER_PAGE = 100
"""Maximum number of rows on a page. Further rows are on further pages, and a file contains all rows."""


class ReportRequest(NamedTuple):
    """The parameters of the page of a report."""

    house: str
    begins: date
    last: date
    by: tuple[str, ...]
    books: str
    limits: Pairs = ()

    @property
    def span(self) -> Span:
        return Span(self.begins, self.last + timedelta(days=1), self.house, self.books)

    @property
    def scope(self) -> Scope:
        return Scope(self.house, self.begins, self.last, dict(self.limits))

    @property
    def query(self) -> str:
        """Return the parameters as the query string of an address."""
        return self.query_of(self.begins.isoformat(), self.last.isoformat())

    def query_of(self, begins: str, last: str) -> str:
        """Return the query string of this request with the given days in place of the requested ones."""
        days = {"from": begins, "to": last}
        books = {"books": self.books} if self.books else {}
        limits = dict(self.limits)
        return urlencode({"property": self.house, **days, "by": self.by, **books, **limits}, doseq=True)

    @property
    def shown_limits(self) -> list[ShownLimit]:
        """Return the limits for display, each with the address of the page without it."""
        return limit_parameters.shown(self.limits, lambda pairs: f"?{self._replace(limits=pairs).query}")


class TableRow(NamedTuple):
    """A row of the table: the CSS class and the text of each cell, the URL of its details, the URL of its
    hands, and if its note says that something is pending.
    """

    cells: list[tuple[str, str]]
    details: str = ""
    hands: str = ""
    is_pending: bool = False


class Page(NamedTuple):
    """The rows of a sheet that are on one page, the number of that page, the number of all pages, and the
    position of the rows in the sheet.
    """

    number: int
    pages: int
    first: int
    last: int
    all: int
    rows: list[Row]

    @classmethod
    def of(cls, rows: Iterable[Row], number: int) -> Page:
        """Return the page with this number. If the number is too high, return the last page, because the
        number of rows may change between requests.
        """
        every = rows if isinstance(rows, Sequence) else list(rows)
        pages = max(-(-len(every) // ROWS_PER_PAGE), 1)
        before = (min(number, pages) - 1) * ROWS_PER_PAGE
        shown = list(every[before : before + ROWS_PER_PAGE])
        return cls(min(number, pages), pages, before + 1, before + len(shown), len(every), shown)

    @property
    def before(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        return self.number + 1 if self.number < self.pages else None


@require_safe
@with_progress()
@reads_replica
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Show one report. `from` and `to` are the first and the last gaming day, `by` the grouping."""
    definition, wanted = report_of(name), parse_request(request, name, request.GET)
    number, sort = (request_params.clean_text(request.GET.get(parameter)) for parameter in ("page", "sort"))
    if wrong := [*request_errors(name, wanted.house, request.GET), *_no_page(number)]:
        return show_errors(request, name, wanted, wrong)
    sheet = limits.sheet(definition, wanted.span, wanted.by, dict(wanted.limits))
    person, preferred = current_user(request), report_preferences.preference(current_user(request), name)
    report_preferences.mark_used(person, name, preferred, gaming_day(wanted.house))
    page = Page.of(sorted_rows(sheet, sort), whole(number) or 1)
    table = table_of(sheet, page.rows, wanted.by, preferred, sort, wanted.house)
    hands = can(person, "see-hand", wanted.house)
    linked = list(_linked(sheet, table, page.rows, wanted, hands=hands))
    drawn = _drawn(request, wanted, page, sort)
    files = [(format, _file_address(name, format, wanted)) for format in CHOICES]
    shown = {
        **_form(request, name, wanted),
        "table": table,
        "rows": linked,
        "preferred": preferred,
        "densities": report_preferences.DENSITIES.items(),
        "sort": sort,
        "files": files,
        "page": page,
        "query": f"{wanted.query}&{urlencode({'sort': sort})}" if sort else wanted.query,
        "unsorted": wanted.query,
        "notes": notes_of(sheet, wanted.span, wanted.by),
        **_totals(sheet, table),
        **_charts(definition, wanted, sheet, page, drawn),
    }
    return render(request, "reports/report.html", shown)


def _totals(sheet: Sheet, table: ReportTable) -> dict[str, Any]:
    """Return the totals of the page. Their notes stand below the table, because a long one would make the
    totals cover the rows.
    """
    totals, notes = [], []
    places = [place for place, column in enumerate(sheet.columns) if column.key in CHARTED_APART]
    for row in sheet.totals:
        cells = table.cells(sheet, row)
        texts = [
            re.sub(r"-?\d+\.\d+", lambda figure: grouped(figure[0]), text)
            for css_class, text in cells
            if css_class == "sentence"
        ]
        named = ", ".join(str(row[place]) for place in places if row[place])
        notes += [f"Total {named}: {text}." for text in texts]
        shown = [("", "") if css_class == "sentence" else (css_class, text) for css_class, text in cells]
        totals.append(TableRow(shown, is_pending=_is_pending(sheet, row)))
    return {"totals": totals, "total_notes": notes}


def _charts(
    definition: Report, wanted: ReportRequest, sheet: Sheet, page: Page, drawn: Drawn
) -> dict[str, Any]:
    """Return the charts of the page: small ones by a time and a name, those over time by day, or bars. Small
    ones show all rows of the report, not only those of the page, unless it has too many.
    """
    is_whole = page.all <= win_by_day.MOST_WINS
    of_small = drawn._replace(is_part=False) if is_whole else drawn
    if small := small_charts_of(definition, sheet, sheet.rows if is_whole else page.rows, of_small):
        return {"small_charts": small}
    if is_drawn(wanted.scope, wanted.by):
        scope = earlier_scope(wanted.scope)
        span = wanted._replace(begins=scope.begins, last=scope.last).span
        earlier = limits.sheet(definition, span, wanted.by, dict(wanted.limits))
        if in_time := time_charts_of(definition, sheet, page.rows, drawn, earlier):
            return {"time_charts": in_time}
    return {"charts": charts_of(definition, sheet, page.rows, drawn)}


def _drawn(request: HttpRequest, wanted: ReportRequest, page: Page, sort: str) -> Drawn:
    """Return what the charts of the page need in addition to its rows."""
    chosen = {"sort": sort, "page": str(page.number) if page.pages > 1 else ""}
    chosen_query = "".join(f"&{name}={quote(value)}" for name, value in chosen.items() if value)
    every = f"?{wanted.query}{chosen_query}&bars=all#charts"
    return Drawn(wanted.scope, wanted.by, every, request.GET.get("bars") == "all", page.pages > 1)


def _file_address(name: str, localized: str, wanted: ReportRequest) -> str:
    format, locale = locales.split(localized)
    chosen = "" if locale == locales.DEFAULT else f"&locale={locale}"
    return f"{reverse('report_file', args=[name, format])}?{wanted.query}{chosen}"


def show_errors(request: HttpRequest, name: str, wanted: ReportRequest, wrong: list[str]) -> HttpResponse:
    """Show the form again with a sentence for each error in it."""
    return render(
        request, "reports/report.html", {**_form(request, name, wanted), "wrong": wrong}, status=400
    )


def _form(request: HttpRequest, name: str, wanted: ReportRequest) -> dict[str, Any]:
    definition = report_of(name)
    return {
        "title": definition.TITLE,
        "about": description(definition),
        "explained": explanation(definition),
        "needed": definition.NEEDED,
        "presets": preset_links(
            gaming_day(wanted.house),
            wanted.begins,
            wanted.last,
            lambda begins, last: f"?{wanted.query_of(begins, last)}",
        ),
        "wanted": wanted,
        "places": request_params.permitted_properties(request, ACT),
        "can_go_by": definition.BY,
        "filters": limit_parameters.fields(limits.names_of(definition), wanted.limits, wanted.house),
        "name": name,
        "books": orders.books_of(name),
        "may_archive": can(request.user, "keep-report", wanted.house),
        "formats": CHOICES,
    }


@require_safe
@reads_replica
def file(request: HttpRequest, name: str, format: str) -> HttpResponseBase:
    """Download the whole report as a file, with the same bytes as the command writes. `locale` chooses the
    separators of a CSV.
    """
    definition = report_of(name)
    wanted = parse_request(request, name, request.GET)
    if format not in DOWNLOADS:
        raise Http404(format)
    if any(request_errors(name, wanted.house, request.GET)):
        return redirect(f"{reverse('report', args=[name])}?{request.GET.urlencode()}")
    try:
        format = locales.localized(format, request.GET.get("locale") or locales.DEFAULT)
    except ValueError as error:
        return show_errors(request, name, wanted, [f"Locale: {error}."])
    written = report_parts(name, format, wanted.span, wanted.by, dict(wanted.limits))
    view_log.record_report(
        request.user,
        wanted.house,
        f"{definition.TITLE}, as {format}",
        f"{reverse('report', args=[name])}?{wanted.query}",
    )
    of_limits = "".join(f"_{value.replace('/', '-')}" for _, value in wanted.limits)
    answer = _answer(format, written, f"{name}_{wanted.house}_{wanted.begins}_{wanted.last}{of_limits}")
    return name_position(answer, wanted.house)


def _answer(format: str, written: Iterable[bytes], name: str) -> HttpResponseBase:
    download = download_of(format)
    assert download is not None
    headers = {
        "Content-Disposition": f'attachment; filename="{safe_file_name(f"{name}.{download.suffix}")}"',
        "X-Content-Type-Options": "nosniff",
    }
    return StreamingHttpResponse(written, content_type=download.content_type, headers=headers)


def report_of(name: str) -> Report:
    """Return the report with this name. Raise Http404 if it does not exist."""
    try:
        return catalog.report(name)
    except LookupError:
        raise Http404(name) from None


def parse_request(request: HttpRequest, name: str, sent: QueryDict) -> ReportRequest:
    """Return the parameters that the form of the page sent. If no days were sent, the most recent days are
    used. Raise PermissionDenied for a property that the user may not see.
    """
    property, definition = request_params.chosen_property(request, ACT), report_of(name)
    by = tuple(name for name in definition.BY if name in sent.getlist("by")) or definition.DEFAULT_BY
    begins, last = request_params.day_range(sent, gaming_day(property), DAYS)
    books = sent.get("books", "")
    books = books if books in orders.books_of(name) else ""
    return ReportRequest(property, begins, last, by, books, limit_parameters.read(sent, property))


def request_errors(name: str, property: str, sent: QueryDict) -> Iterator[str]:
    """Yield a sentence for each invalid value in the form."""
    definition = report_of(name)
    yield from request_params.day_errors(sent)
    for by in sent.getlist("by"):
        if by not in definition.BY:
            known = f"Choose {', '.join(definition.BY)}." if definition.BY else "It has no groupings."
            yield f"By: “{request_params.clean_text(by)[:40]}” is not a grouping of this report. {known}"
    if says := orders.books_error(name, request_params.clean_text(sent.get("books"))):
        yield f"Books: {says}"
    if says := limit_parameters.error(definition, sent):
        yield says
    elif unknown := limit_parameters.unknown_value(limit_parameters.read(sent, property), property):
        yield unknown.says


def _no_page(number: str) -> Iterator[str]:
    if number and not whole(number):
        yield f"Page: “{number[:40]}” is not a page number. The first page is 1."


def _linked(
    sheet: Sheet, table: ReportTable, rows: Iterable[Row], wanted: ReportRequest, *, hands: bool
) -> Iterator[TableRow]:
    """Yield the rows of the table with links to their details. If `hands` is True, also add links to their
    hands.
    """
    places = {column.key: place for place, column in enumerate(sheet.columns)}
    names = [key for key in ((*wanted.by, GAME) if wanted.by else NAMES) if key in places]
    for row in rows:
        named = {key: row[places[key]] for key in names}
        # A row of a list, such as a slip, is explained by the whole gaming day of its table.
        of_day = named if wanted.by else {key: named[key] for key in named if key != "shift"}
        yield TableRow(
            table.cells(sheet, row),
            details_address(wanted.scope, of_day),
            hands_address(wanted.scope, named) if hands else "",
            _is_pending(sheet, row),
        )


def _is_pending(sheet: Sheet, row: Row) -> bool:
    """Return True if the note of a row says that something is pending."""
    columns = zip(sheet.columns, row, strict=True)
    return any(column.key == "note" and re.search(r"\bpending\b", str(cell)) for column, cell in columns)
