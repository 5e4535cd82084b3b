"""The admin site, with Catwalk's own login page. Users without any permission in it are refused. Its lists
are fast even with ten million rows.
"""

from __future__ import annotations

from functools import cached_property, update_wrapper
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.contrib.admin import AdminSite, autodiscover
from django.contrib.admin.utils import unquote
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import slugify
from msgspec import json

from casino.account_pages.sign_out_views import SignOut
from casino.accounts.permissions import properties
from casino.admin.charts import charts
from casino.reference.calendar import gaming_day
from casino.web import request_params

EXACTLY = 10_000
"""Maximum number of rows that a list counts exactly. Above it, the query planner's estimate is shown."""
PAGES = 200
"""Maximum number of pages of a list. To go further, a search is quicker than browsing."""


DEPARTMENTS = {
    "Surveillance": ("Fact", "Finding"),
    "Accounting": ("Tally", "KeptReport", "Schedule", "Asking"),
    "The floor": ("Table", "Pit", "ChipSet", "Shift", "DayBegins"),
    "Controls": ("Approval", "Threshold", "Entry", "Property"),
    "People and equipment": ("Member", "Person", "Token", "Device", "Camera"),
    "The machine": ("Job",),
}
"""For each department: the models whose lists it contains, in order. Lists of other models are shown under
the last department, `The machine`.
"""


LISTS = (
    "archived_exports",
    "jobs",
    "ledger",
    "people",
    "reference",
    "run_times",
    "schedules",
    "tally",
    "otp",
)
"""The modules that register Catwalk's lists."""


class BackOfficeSite(AdminSite):
    """Django's admin with Catwalk's own login."""

    site_header = site_title = "Catwalk"
    index_title = "Admin"
    site_url = None
    enable_nav_sidebar = False
    empty_value_display = "–"

    def get_urls(self) -> Any:
        """Register the lists, and return the URLs of all of them."""
        find_lists()
        return super().get_urls()

    def check(self, app_configs: Any) -> Any:
        """Register the lists, and return the results of Django's checks of all of them."""
        find_lists()
        return super().check(app_configs)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Return the view, restricted to users who may use the admin. Other users who are logged in get a
        refusal, not a redirect to the login page.
        """
        inner = super().admin_view(view, cacheable)

        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.user.is_authenticated and not self.has_permission(request):
                raise PermissionDenied
            # The admin has its own encoding of keys in addresses, which may contain a NUL character.
            if any("\0" in unquote(str(value)) for value in kwargs.values()):
                raise Http404
            response: HttpResponse = inner(request, *args, **kwargs)
            return response

        return update_wrapper(guarded, inner)

    def index(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Show the first page, with charts of one property above the lists."""
        own = properties(request.user, "enter-admin")
        chosen = request.GET.get("property", "")
        property = chosen if chosen in own else own[0]
        last = request_params.day_of(request.GET.get("last", "")) or gaming_day(property)
        shown = {
            "charts": charts(request.user, property, last),
            "places": own,
            "property": property,
            "last": last,
        }
        shown["may_set"] = bool(properties(request.user, "set-register"))
        return super().index(request, {**shown, **(extra_context or {})})

    def app_index(self, request: HttpRequest, app_label: str, extra_context: Any = None) -> Any:
        """Redirect to the first page, because the lists are grouped by department and not by Django app."""
        return redirect("admin:index")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> Any:
        """Return the lists by department instead of by Django app."""
        apps = super().get_app_list(request, app_label)
        if app_label is not None:
            return apps
        models = {model["object_name"]: model for app in apps for model in app["models"]}
        named = {name for names in DEPARTMENTS.values() for name in names}
        groups = {
            department: [models[name] for name in names if name in models]
            for department, names in DEPARTMENTS.items()
        }
        groups["The machine"] += [model for name, model in models.items() if name not in named]
        url = reverse("admin:index", current_app=self.name)
        return [
            {
                "name": department,
                "app_label": slugify(department),
                "app_url": f"{url}#{slugify(department)}",
                "has_module_perms": True,
                "models": group,
            }
            for department, group in groups.items()
            if group
        ]

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Redirect to the login page of Catwalk. Refuse a user who is logged in but has no permission for
        the admin.
        """
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next") or request.path)

    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Sign the user out as *Log out* does on all other pages, with the session at the provider."""
        return SignOut.as_view()(request)

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Redirect to the page that changes passwords, which requires a one-time password too."""
        return redirect("password_change")


def find_lists() -> None:
    """Register the lists of all apps. Then register the lists of this package. Some of them replace a list of
    an app.
    """
    autodiscover()
    for name in LISTS:
        import_module(f"casino.admin.{name}")


if TYPE_CHECKING:
    Pages = Paginator[Any]
else:
    Pages = Paginator


class EstimatePaginator(Pages):
    """A paginator that counts few rows exactly and many by estimate, so that no page reads the
    whole table.
    """

    @cached_property
    def count(self) -> int:
        # Only the key is selected, so that nothing is computed that the page would show in its rows.
        listed: Any = self.object_list
        rows = listed.values("pk")
        counted: int = rows[: EXACTLY + 1].count()
        if counted <= EXACTLY:
            return counted
        plan = json.decode(rows.order_by().explain(format="json").encode())
        return max(counted, int(plan[0]["Plan"]["Plan Rows"]))

    @cached_property
    def num_pages(self) -> int:
        return min(super().num_pages, PAGES)


class KeyPaginator(EstimatePaginator):
    """A paginator for rows with a unique key and with further columns that take long to compute."""

    def page(self, number: int | str) -> Page[Any]:
        """Return a page. For each page after the first, only the keys are read before the rows. Otherwise the
        database would compute the further columns of all earlier rows too.
        """
        number = self.validate_number(number)
        begins = (number - 1) * self.per_page
        if not begins:
            return super().page(number)
        rows: Any = self.object_list
        keys = list(rows.values_list("pk", flat=True)[begins : begins + self.per_page])
        return Page(rows.filter(pk__in=keys), number, self)
