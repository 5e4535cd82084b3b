"""The managers' admin: facts, findings, tally, registers, people, tokens and jobs, all read-only for everyone.

A register changes by a new entry that two people sign (casino/register_entry.py). Facts are found by exact keys, never by leafing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from msgspec import json

from audit import models as ledger
from audit.facts import KINDS
from casino import models as house
from casino import register_entry
from casino.back_office import EstimatePaginator
from casino.permissions import properties
from games.kit.codes import GRADE

if TYPE_CHECKING:
    Rows = admin.ModelAdmin[Model]
else:
    Rows = admin.ModelAdmin


class OfProperty(admin.SimpleListFilter):
    """One property at a time: each has a ledger of its own."""

    title = parameter_name = "property"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, name) for name in properties(request.user, model_admin.act)]

    def value(self) -> Any:
        return super().value() or self.lookup_choices[0][0]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(property=self.value())

    def choices(self, changelist: Any) -> Any:
        for name, title in self.lookup_choices:
            yield {"selected": name == self.value(), "query_string": changelist.get_query_string({"property": name}), "display": title}


class KindInStream(admin.SimpleListFilter):
    """The kinds of a stream that is searched for; over a whole ledger a kind has no index."""

    title = parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind, kind) for kind in sorted(KINDS)] if _stream(request) else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


class Fixed(admin.SimpleListFilter):
    """A filter over words that are known beforehand: no DISTINCT is asked of the table."""

    words: tuple[str, ...] = ()

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(word, word) for word in self.words]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{str(self.parameter_name): self.value()}) if self.value() else queryset


class Grade(Fixed):
    title = parameter_name = "grade"
    words = tuple(dict.fromkeys(GRADE.values()))


class Code(Fixed):
    title = parameter_name = "code"
    words = tuple(sorted(GRADE))


class State(Fixed):
    title = parameter_name = "state"
    words = ("due", "taken", "done", "set-aside")


class Register(Fixed):
    title = parameter_name = "register"
    words = ("people", "approvals", "day-begins", "pits", "tables", "cameras", "devices", "property", "review")


class ReadOnly(Rows):
    """A list and a view of one row, for those who may `act`, of the properties where they may."""

    act = ""
    actions = None
    list_filter: ClassVar[Any] = (OfProperty,)
    list_per_page = 100
    list_max_show_all = 0
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by = ()
    paginator = EstimatePaginator

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(properties(request.user, self.act))

    has_module_permission = has_view_permission

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request).filter(property__in=properties(request.user, self.act))
        return rows

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:
        """By exact keys: what stands in the column, so that its index is used."""
        found = self.found(queryset, search_term.strip()) if search_term.strip() and "\0" not in search_term else queryset
        return found, False

    def found(self, queryset: QuerySet[Any], term: str) -> QuerySet[Any]:
        return queryset.filter(**{self.search_fields[0]: term})


def _stream(request: HttpRequest) -> str | None:
    """The stream that the search names: property/table/day, perhaps with #number."""
    term = request.GET.get("q", "").strip().partition("#")[0]
    return term if term.count("/") == 2 else None


@admin.register(ledger.Fact)
class FactAdmin(ReadOnly):
    act = "see-facts"
    list_display = ("position", "stream", "number", "kind", "round", "recorded")
    list_filter = (OfProperty, KindInStream)
    search_fields = ("stream",)
    search_help_text = "A position, a uid, a stream (aurora/EOU-01/2026-11-27), or one fact of it (…#12)"
    fields = readonly_fields = (
        "property", "position", "stream", "number", "kind", "round", "uid", "recorded", "leaf_hash", "chain_hash", "as_recorded",
    )  # fmt: skip

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Newest first; a stream in the order of play, by its own index."""
        return ("number",) if _stream(request) else ("-position",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        listed = request.resolver_match is not None and str(request.resolver_match.url_name).endswith("_changelist")
        return rows.defer("body", "leaf", "chain") if listed else rows

    def found(self, queryset: QuerySet[Any], term: str) -> QuerySet[Any]:
        stream, _, number = term.partition("#")
        if stream.count("/") == 2:
            return queryset.filter(stream=stream, number=number) if _is_a_number(number) else queryset.filter(stream=stream)
        if _is_a_number(term):
            return queryset.filter(position=int(term))
        try:
            return queryset.filter(uid=UUID(term))
        except ValueError:
            return queryset.none()

    @admin.display(description="recorded at (UTC)")
    def recorded(self, fact: ledger.Fact) -> str:
        return fact.recorded_at.strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]

    @admin.display(description="leaf (SHA-256)")
    def leaf_hash(self, fact: ledger.Fact) -> str:
        return bytes(fact.leaf).hex()

    @admin.display(description="chain (SHA-256)")
    def chain_hash(self, fact: ledger.Fact) -> str:
        return bytes(fact.chain).hex()

    @admin.display(description="body")
    def as_recorded(self, fact: ledger.Fact) -> str:
        return format_html('<pre class="body">{}</pre>', json.format(bytes(fact.body), indent=2).decode())


def _is_a_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


@admin.register(house.Finding)
class FindingAdmin(ReadOnly):
    act = "see-findings"
    list_display = ("stream", "number", "code", "grade", "spot", "wager", "owed", "moved", "says")
    list_filter = (OfProperty, Grade, Code)
    ordering = ("stream", "number")
    search_fields = ("stream",)
    search_help_text = "A stream, such as aurora/EOU-01/2026-11-27"


class NoRow(ReadOnly):
    """A list whose rows have no page of their own."""

    list_display_links = None

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> None:
        """None: a row is all there is."""


@admin.register(house.Tally)
class TallyAdmin(NoRow):
    act = "see-hold"
    list_display = (
        "stream", "currency", "shift", "hour", "dealer", "wager", "pay_table", "price_class",
        "rounds", "bets", "staked", "paid", "taken", "returned",
    )  # fmt: skip
    ordering = ("stream", "currency", "shift", "hour", "dealer", "wager", "pay_table", "price_class")
    search_fields = ("stream",)
    search_help_text = "A stream, such as aurora/EOU-01/2026-11-27"


@admin.register(house.Entry)
class EntryAdmin(ReadOnly):
    act = "see-registers"
    list_display = ("position", "register", "key", "value", "begins", "ends", "by", "second")
    list_filter = (OfProperty, Register)
    ordering = ("-position",)
    search_fields = ("key",)
    search_help_text = "A key, such as the id of a person or a table"

    def get_urls(self) -> list[Any]:
        return [*register_entry.urls(self.admin_site), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return super().changelist_view(request, {"may_set": bool(properties(request.user, "set-register")), **(extra_context or {})})


class StandingAdmin(ReadOnly):
    act = "see-registers"
    list_display: tuple[str, ...] = ("key", "value", "begins", "ends", "by", "second")
    ordering = ("key", "begins")
    search_fields = ("key",)
    search_help_text = "The whole key"


admin.site.register([house.Pit, house.Table, house.Camera, house.Device, house.Member], StandingAdmin)


def _named(said: Any) -> str:
    """What an approval names; where it names nothing it leaves it open."""
    return "any" if said is None else " or ".join(map(str, said)) if isinstance(said, list) else str(said)


def _each_named(said: Any) -> str:
    """What an approval names for each wager or question."""
    return "; ".join(f"{name}: {_named(one)}" for name, one in said.items()) if isinstance(said, dict) else _named(said)


def _plainly(said: Any) -> str:
    """What an approval says, as it says it."""
    return str(said or "")


def _said(name: str, shown: Callable[[Any], str]) -> Callable[[Any, house.Approval], str]:
    """A column for one field of an approval."""

    @admin.display(description=name.replace("_", " "))
    def column(admin: Any, approval: house.Approval) -> str:
        return shown(approval.said(name))

    return column


@admin.register(house.Approval)
class ApprovalAdmin(StandingAdmin):
    """What a regulator's letter lets the property play, and the letter's own conditions."""

    list_display = ("key", "game", "edition", "pay_tables", "readings", "begins", "ends", "by", "second")
    fields = readonly_fields = (
        "property", "key", "letter", "regulator", "signed", "game", "edition", "pay_tables", "readings", "conditions", "begins", "ends",
        "by", "second",
    )  # fmt: skip

    letter, regulator, signed, game = (_said(name, _plainly) for name in ("letter", "regulator", "signed", "game"))
    edition = _said("edition", _named)
    pay_tables, readings = (_said(name, _each_named) for name in ("pay_tables", "readings"))

    @admin.display
    def conditions(self, approval: house.Approval) -> str:
        said = approval.said("conditions")
        return format_html_join("", "<p>{}</p>", ((one,) for one in said)) if isinstance(said, list) else ""


@admin.register(house.Property)
class PropertyAdmin(ReadOnly):
    act = "see-registers"
    list_display = ("code", "name", "position")
    list_filter = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return admin.ModelAdmin.get_queryset(self, request).filter(code__in=properties(request.user, self.act))


@admin.register(house.Person)
class PersonAdmin(ReadOnly):
    act = "see-people"
    list_display = ("id", "name", "is_active", "last_login", "held")
    list_filter = ()
    fields = readonly_fields = ("id", "name", "is_active", "last_login", "held")
    ordering = ("id",)
    search_fields = ("id",)
    search_help_text = "The whole id"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The people whom a register of a property of one's own names."""
        named = house.Member.objects.filter(property__in=properties(request.user, self.act)).values("key")
        return admin.ModelAdmin.get_queryset(self, request).filter(id__in=named)

    @admin.display(description="roles today")
    def held(self, person: house.Person) -> str:
        return "; ".join(f"{property}: {', '.join(sorted(roles))}" for property, roles in sorted(person.roles.items()))


@admin.register(house.Token)
class TokenAdmin(ReadOnly):
    act = "issue-token"
    list_display = ("prefix", "person", "property", "device", "scopes", "made_by", "expires_at", "last_used_at", "revoked_at")
    list_filter = ()
    fields = readonly_fields = (
        "prefix",
        "person",
        "property",
        "device",
        "scopes",
        "made_by",
        "made_at",
        "expires_at",
        "last_used_at",
        "revoked_at",
    )
    list_select_related = ("person",)
    ordering = ("-made_at",)
    search_fields = ("prefix",)
    search_help_text = "The first nine letters"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Of the devices and the people of one's own properties."""
        own = properties(request.user, self.act)
        named = house.Member.objects.filter(property__in=own).values("key")
        rows: QuerySet[Any] = admin.ModelAdmin.get_queryset(self, request)
        return rows.filter(property__in=own) | rows.filter(person__in=named)


@admin.register(ledger.Job)
class JobAdmin(ReadOnly):
    act = "see-jobs"
    list_display = ("id", "kind", "key", "state", "attempts", "done", "total", "due_at", "lease_until", "error")
    list_filter = (OfProperty, State)
    ordering = ("-id",)
    search_fields = ("key",)
    search_help_text = "The whole key"


admin.site.unregister(Group)
