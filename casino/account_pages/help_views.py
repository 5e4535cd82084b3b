"""Help: the keys and words of the pages, and the guides of `docs/`, those of the user's roles first."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from casino.account_pages import guides


@require_safe
def help(request: HttpRequest) -> HttpResponse:
    """Show every key, what the words of the queue mean, and the list of guides."""
    return render(request, "help/keys.html", _navigation(request))


@require_safe
def guide(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one guide. A guide describes pages and holds no data, so every user may read each of them."""
    document = guides.BY_SLUG.get(slug)
    if document is None:
        raise Http404(f"There is no guide {slug}.")
    text = mark_safe(guides.html(document))  # our own files, rendered without raw HTML
    return render(request, "help/guide.html", {"guide": document, "text": text, **_navigation(request)})


@require_safe
def image(request: HttpRequest, name: str) -> HttpResponse:
    """Send a picture of a guide."""
    known = {path.name: path for path in guides.IMAGES.glob("*.png")}
    if name not in known:
        raise Http404(f"There is no picture {name}.")
    return HttpResponse(known[name].read_bytes(), content_type="image/png")


def _navigation(request: HttpRequest) -> dict[str, object]:
    """Return the guides in the order in which this user sees them, with those of the own roles named."""
    user: Any = request.user  # middleware has sent everybody else to the login
    roles = {role for held in user.roles.values() for role in held}
    return {
        "own_guides": [each for each in guides.for_roles(roles) if roles & set(each.roles)],
        "other_guides": [each for each in guides.for_roles(roles) if not roles & set(each.roles)],
    }
