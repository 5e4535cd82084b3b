"""Base classes of the admin's lists: they are read-only for everyone, show one property at a time, and are
fast at any size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import capfirst

from casino.accounts.permissions import properties
from casino.admin.site import EstimatePaginator

if TYPE_CHECKING:
    Rows = admin.ModelAdmin[Model]
else:
    Rows = admin.ModelAdmin


class PropertyFilter(admin.SimpleListFilter):
    """A filter that always selects one property, because each has its own ledger."""

    title = parameter_name = "property"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, name) for name in properties(request.user, model_admin.act)]

    def value(self) -> Any:
        return super().value() or self.lookup_choices[0][0]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(property=self.value())

    def choices(self, changelist: Any) -> Any:
        for name, title in self.lookup_choices:
            yield {
                "selected": name == self.value(),
                "query_string": changelist.get_query_string({"property": name}),
                "display": title,
            }


class FixedFilter(admin.SimpleListFilter):
    """A filter with fixed choices, so that the table is not queried for its distinct values."""

    words: tuple[str, ...] = ()

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(word, word) for word in self.words]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{str(self.parameter_name): self.value()}) if self.value() else queryset


class Titled(Rows):
    """A list with the plural name of its model as the title, for example Facts."""

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        title = {"title": capfirst(str(self.opts.verbose_name_plural))}
        return super().changelist_view(request, {**title, **(extra_context or {})})


class ReadOnly(Titled):
    """A read-only list with a page for each row. Users need the permission `act`, and see only properties at
    which they have it.
    """

    act = ""
    actions = None
    list_filter: ClassVar[Any] = (PropertyFilter,)
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
        rows: QuerySet[Any] = (
            super().get_queryset(request).filter(property__in=properties(request.user, self.act))
        )
        return rows

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Allow only the list's own filters. Another column in an address may be secret or have no index."""
        return lookup in {list_filter.parameter_name for list_filter in self.list_filter}

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Answer 404, because a row never changes and has no history. The list of a register's entries shows
        its earlier values.
        """
        raise Http404

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search for exact values, so that the index of the column is used."""
        # An address may have a search term even if its list has no search.
        asks = bool(self.search_fields) and search_term.strip()
        rows = self.found(queryset, search_term.strip()) if asks else queryset
        return rows, False

    def found(self, queryset: QuerySet[Any], term: str) -> QuerySet[Any]:
        return queryset.filter(**{self.search_fields[0]: term})


class ListOnly(ReadOnly):
    """A list whose rows have no pages of their own."""

    list_display_links = None

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> None:
        """Return None, because rows have no pages: the list already shows everything."""
