"""Archived exports in the admin: what each one contains, the head of the ledger from which it was built, and
its hash. Nobody can edit them.
"""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from audit.facts.input_parsing import whole
from casino.accounts.permissions import properties
from casino.admin.read_only_list import ReadOnly
from casino.exports.archive.models import KeptReport, Made
from casino.exports.services import hidden, title_of
from casino.presentation.formatting import date_time, dates_in_words, day_label, grouped

# The model has the name of its table. The admin says "archived export", as all pages do. Set here and not in
# the model's Meta, because an option of Meta would need a migration.
KeptReport._meta.verbose_name = "archived export"
KeptReport._meta.verbose_name_plural = "archived exports"


@admin.register(KeptReport)
class ArchivedExportAdmin(ReadOnly):
    act = "see-hold"
    list_display: tuple[str, ...] = (
        "id",
        "what",
        "days",
        "goes_by",
        "books_of",
        "format",
        "asked",
        "saw",
        "finished",
    )
    fields = readonly_fields = (
        "property",
        "id",
        "what",
        "days",
        "goes_by",
        "only",
        "books_of",
        "format",
        "asked",
        "saw",
        "chain",
        "sha256",
        "bytes",
        "rules",
        "code",
        "finished",
        "page",
    )
    list_select_related = ("made",)
    ordering = ("-id",)
    search_fields = ("id",)
    search_help_text = "The number of an export"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the exports that the person may read. Some datasets require another permission in addition
        to `see-hold`.
        """
        rows = super().get_queryset(request).select_related("made")
        for property, name in hidden(request.user, properties(request.user, self.act)):
            rows = rows.exclude(property=property, name=name)
        return rows

    def found(self, queryset: QuerySet[Any], term: str) -> QuerySet[Any]:
        number = whole(term)
        return queryset.filter(id=number) if number is not None else queryset.none()

    @admin.display
    def what(self, row: Any) -> str:
        return title_of(row.name)

    @admin.display(description="gaming days")
    def days(self, row: Any) -> str:
        last = row.ends - timedelta(days=1)
        first = day_label(row.begins)
        return first if last == row.begins else f"{first} to {day_label(last)}"

    @admin.display(description="grouped by")
    def goes_by(self, row: Any) -> str:
        return ", ".join(row.by)

    @admin.display(description="filters")
    def only(self, row: Any) -> str:
        return ", ".join(f"{name} {value}" for name, value in sorted(row.filters.items()))

    @admin.display(description="books")
    def books_of(self, row: Any) -> str:
        return row.books or "all facts"

    @admin.display(description="ordered by")
    def asked(self, row: Any) -> str:
        return f"{row.schedule} {dates_in_words(row.period)}" if row.schedule else str(row.asked_by)

    @admin.display(description="as of position")
    def saw(self, row: Any) -> str:
        archived = _archived(row)
        return grouped(archived.position) if archived is not None else "not built yet"

    @admin.display(description="finished at (UTC)")
    def finished(self, row: Any) -> str:
        archived = _archived(row)
        return date_time(archived.finished_at, UTC) if archived is not None else ""

    @admin.display(description="chain at that position (SHA-256)")
    def chain(self, row: Any) -> str:
        archived = _archived(row)
        return bytes(archived.chain).hex() if archived is not None else ""

    @admin.display(description="SHA-256")
    def sha256(self, row: Any) -> str:
        return _said(row, "sha256")

    @admin.display
    def bytes(self, row: Any) -> str:
        archived = _archived(row)
        return grouped(archived.length) if archived is not None else ""

    @admin.display(description="fingerprint of the rules")
    def rules(self, row: Any) -> str:
        return _said(row, "rules")

    @admin.display(description="fingerprint of the code")
    def code(self, row: Any) -> str:
        return _said(row, "code")

    @admin.display(description="page of the export")
    def page(self, row: Any) -> str:
        return format_html(
            '<a href="{}">download the file or its manifest, or rebuild it</a>',
            reverse("export", args=[row.id]),
        )


def _archived(row: Any) -> Made | None:
    """Return the archived export that was built for an order, or None if it is not built yet."""
    try:
        archived: Made = row.made
    except Made.DoesNotExist:
        return None
    return archived


def _said(row: Any, name: str) -> str:
    archived = _archived(row)
    return str(getattr(archived, name)) if archived is not None else ""
