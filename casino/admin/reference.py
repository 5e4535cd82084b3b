"""Lists of register entries: all entries ever recorded, each with the change that it made, and the entries in
force.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Case, DateField, OuterRef, QuerySet, Subquery, Value, When
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode

from audit.facts.vocabulary import REGISTERS
from audit.models import Fact
from audit.queries import heads
from audit.tree import checkpoints
from casino import models as house
from casino.accounts.permissions import can, properties
from casino.admin import register_pages
from casino.admin.read_only_list import FixedFilter, PropertyFilter, ReadOnly
from casino.presentation.formatting import date_time, game_title, grouped
from casino.reference.calendar import gaming_day
from casino.reference.changes import NOTHING, history, lasting, members
from casino.reference.forms.kinds import form_of
from casino.reference.registers import currency_of


class Register(FixedFilter):
    title = parameter_name = "register"
    words = tuple(sorted(REGISTERS))


ENTRIES = "admin:casino_entry_changelist"


MOST_LISTED = 12
"""Maximum number of names of one member that a list shows. The page of the entry shows all."""


def _parts(row: Any) -> list[tuple[str, str]]:
    """Return the label and the text of each member of an entry. Amounts are in the currency of the entry."""
    money = row.key if row.register == "chip-sets" else row.money
    return list(members(row.value, money))


def _said(row: Any) -> str:
    """Return the value of an entry as one line of text, without the names after the first of a long list."""
    return "; ".join(f"{label}: {_shortened(words)}" for label, words in _parts(row)) or NOTHING


def _shortened(words: str) -> str:
    names = words.split(", ")
    return words if len(names) <= MOST_LISTED else f"{', '.join(names[:3])} and {len(names) - 3} more"


class DescribedEntries(ReadOnly):
    """A list of register entries. It shows in words the value of each entry and the days on which the entry
    applies.
    """

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the entries, each with the currency and today's gaming day of its property."""
        places = properties(request.user, self.act)
        currencies = [When(property=place, then=Value(currency_of(place))) for place in places]
        today = [When(property=place, then=Value(gaming_day(place))) for place in places]
        rows: QuerySet[Any] = super().get_queryset(request)
        annotated: QuerySet[Any] = rows.annotate(
            money=Case(*currencies, default=Value("")),
            today=Case(*today, default=Value(None), output_field=DateField()),
        )
        return annotated

    @admin.display(description="value")
    def said(self, row: Any) -> str:
        return _said(row)

    @admin.display(description="in force")
    def holds(self, row: Any) -> str:
        return lasting(row.begins, row.ends)


@admin.register(house.Entry)
class EntryAdmin(DescribedEntries):
    act = "see-registers"
    list_display = ("position", "register", "key", "said", "holds", "by", "second", "recorded")
    fields = readonly_fields = (
        "property",
        "position",
        "register",
        "key",
        "holds",
        "by",
        "second",
        "recorded",
        "changed",
    )
    list_filter = (PropertyFilter, Register)
    ordering = ("-position",)
    search_fields = ("key",)
    search_help_text = "A key, such as the id of a person or a table"

    def get_urls(self) -> list[Any]:
        return [*register_pages.urls(self.admin_site), *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        fact = Fact.objects.filter(property=OuterRef("property"), position=OuterRef("position"))
        rows: QuerySet[Any] = (
            super().get_queryset(request).annotate(recorded_at=Subquery(fact.values("recorded_at")[:1]))
        )
        return rows

    @admin.display(description="recorded at (UTC)")
    def recorded(self, entry: Any) -> str:
        return date_time(entry.recorded_at, UTC) if entry.recorded_at is not None else ""

    @admin.display(description="before and after")
    def changed(self, entry: Any) -> str:
        changes = history(entry.property, entry.register, entry.key, upto=entry.position)
        return render_to_string(
            "admin/casino/entry/_lines.html", {"lines": changes[0].lines if changes else []}
        )

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return super().changelist_view(
            request, {"may_set": bool(properties(request.user, "set-register")), **(extra_context or {})}
        )


class EntryInForceAdmin(DescribedEntries):
    """The entries of one register, and the days from and to which they apply."""

    act = "see-registers"
    list_display: tuple[str, ...] = ("key", "said", "holds", "by", "second")
    fields: ClassVar[Any] = ("property", "key", "lines", "holds", "by", "second", "entries")
    readonly_fields: ClassVar[Any] = (*fields, "form_of")
    ordering = ("key", "begins")
    search_fields = ("key",)
    search_help_text = "The whole key of an entry"

    @admin.display(description="value")
    def lines(self, row: Any) -> str:
        """Return the whole value of an entry, with a line for each member."""
        return format_html_join("", "<div>{}: {}</div>", _parts(row)) or NOTHING

    @admin.display(description="in force")
    def holds(self, row: Any) -> str:
        """Return the days on which the entry is in force, and mark an entry that is not in force today."""
        days = lasting(row.begins, row.ends)
        if row.begins <= row.today < row.ends:
            return days
        state = "ended" if row.ends <= row.today else "not yet"
        return format_html('{} <span class="not-in-force">({})</span>', days, state)

    @admin.display(description="history")
    def entries(self, row: Any) -> str:
        """Return a link to all entries with this key."""
        query = urlencode({"property": row.property, "register": row.register, "q": row.key})
        return format_html(
            '<a href="{}?{}">all entries of this key: who, when, before and after</a>',
            reverse(ENTRIES),
            query,
        )

    @admin.display(description="change it")
    def form_of(self, row: Any) -> str:
        """Return a link to the form with which this entry can be changed."""
        name = form_of(row.register, row.key)
        if not name:
            return "This entry comes from a profile and has no form. Another profile can replace it."
        form = reverse("admin:casino_entry_form", args=[name])
        query = urlencode({"property": row.property, "key": row.key})
        return format_html('<a href="{}?{}">with a new entry that two people sign</a>', form, query)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of an entry, with a link to its form for users who manage the registers."""
        own = obj is not None and can(request.user, "set-register", obj.property)
        return (*self.fields, "form_of") if own else self.fields


admin.site.register(
    [
        house.DayBegins,
        house.Shift,
        house.Pit,
        house.Table,
        house.ChipSet,
        house.Threshold,
        house.Camera,
        house.Device,
        house.Member,
    ],
    EntryInForceAdmin,
)


def _named(value: Any) -> str:
    """Return the text for one condition of an approval. If the approval does not name the condition (None),
    it allows any value.
    """
    return "any" if value is None else " or ".join(map(str, value)) if isinstance(value, list) else str(value)


def _each_named(value: Any) -> str:
    """Return the text for a condition of an approval that differs by wager or by question."""
    return (
        "; ".join(f"{name}: {_named(item)}" for name, item in value.items())
        if isinstance(value, dict)
        else _named(value)
    )


def _plainly(value: Any) -> str:
    """Return a field of an approval as text, as it was recorded."""
    return str(value or "")


def _column(name: str, shown: Callable[[Any], str]) -> Callable[[Any, house.Approval], str]:
    """Return a list column for one field of an approval."""

    @admin.display(description=name.replace("_", " "))
    def column(admin: Any, approval: house.Approval) -> str:
        return shown(approval.get(name))

    return column


@admin.register(house.Approval)
class ApprovalAdmin(EntryInForceAdmin):
    """The approvals in force: what a regulator's letter permits the property to deal, and on which
    conditions.
    """

    list_display = ("key", "game", "edition", "pay_tables", "readings", "holds", "by", "second")
    fields = readonly_fields = (
        "property",
        "key",
        "letter",
        "regulator",
        "signed",
        "game",
        "edition",
        "pay_tables",
        "readings",
        "conditions",
        "holds",
        "by",
        "second",
        "entries",
    )

    letter, regulator, signed = (_column(name, _plainly) for name in ("letter", "regulator", "signed"))
    game = _column("game", lambda code: game_title(str(code or "")))
    edition = _column("edition", _named)
    pay_tables, readings = (_column(name, _each_named) for name in ("pay_tables", "readings"))

    @admin.display
    def conditions(self, approval: house.Approval) -> str:
        texts = approval.get("conditions")
        return (
            format_html_join("", "<p>{}</p>", ((condition,) for condition in texts))
            if isinstance(texts, list)
            else ""
        )


@admin.register(house.Property)
class PropertyAdmin(ReadOnly):
    act = "see-registers"
    list_display = ("code", "name", "facts", "after_checkpoint", "checkpoint")
    fields = readonly_fields = list_display
    list_filter = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return admin.ModelAdmin.get_queryset(self, request).filter(
            code__in=properties(request.user, self.act)
        )

    @admin.display(description="facts in the ledger")
    def facts(self, row: house.Property) -> str:
        return grouped(heads.head(row.code).position)

    @admin.display(description="last checkpoint")
    def checkpoint(self, row: house.Property) -> str:
        latest = checkpoints.latest(row.code)
        return (
            f"{grouped(latest.size)}, {date_time(latest.made_at, UTC)} UTC" if latest is not None else "none"
        )

    @admin.display(description="facts after it")
    def after_checkpoint(self, row: house.Property) -> str:
        latest = checkpoints.latest(row.code)
        return grouped(heads.head(row.code).position - (latest.size if latest is not None else 0))

    @admin.display(description="registers read up to position")
    def copied(self, row: house.Property) -> str:
        return grouped(row.position)
