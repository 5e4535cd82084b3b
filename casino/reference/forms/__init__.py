"""Reference data in the admin: a form for each register, dated, looked at before and after, signed by two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.urls import path

from casino.admin import register_pages


def urls(site: AdminSite) -> list[Any]:
    """Where the forms are."""

    def of(page: Callable[..., HttpResponse]) -> Any:
        def view(request: HttpRequest, **more: str) -> HttpResponse:
            return page(request, site, **more)

        return site.admin_view(view)

    return [
        path("set/", of(register_pages.index), name="casino_entry_set"),
        path("set/profile/<slug:name>/", of(register_pages.take_over), name="casino_entry_profile"),
        path("set/<slug:name>/", of(register_pages.set_entry), name="casino_entry_form"),
    ]
