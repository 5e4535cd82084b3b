"""Help pages: keyboard shortcuts, an explanation of the queue's terms, and the guides from `docs/`. Guides
for the user's roles come first.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from casino.account_pages import guides


@require_safe
def help(request: HttpRequest) -> HttpResponse:
    """Show all keyboard shortcuts, the meaning of the queue's terms, and the list of guides."""
    return render(request, "help/keys.html", _navigation(request))


@require_safe
def guide(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one guide. Guides contain no data of a property, so every user may read all of them."""
    document = guides.BY_SLUG.get(slug)
    if document is None:
        raise Http404(f"There is no guide {slug}.")
    text = mark_safe(guides.html(document))  # our own files, rendered without their raw HTML
    return render(request, "help/guide.html", {"guide": document, "text": text, **_navigation(request)})


@require_safe
def image(request: HttpRequest, name: str) -> HttpResponse:
    """Return an image that a guide shows."""
    known = {path.name: path for path in guides.IMAGES.glob("*.png")}
    if name not in known:
        raise Http404(f"There is no picture {name}.")
    return HttpResponse(known[name].read_bytes(), content_type="image/png")


def _navigation(request: HttpRequest) -> dict[str, object]:
    """Return the list of guides. Guides for the user's roles come first and are marked."""
    user: Any = request.user  # Never an anonymous user: LoginRequiredMiddleware redirects.
    roles = {role for held in user.roles.values() for role in held}
    return {
        "own_guides": [guide for guide in guides.for_roles(roles) if roles & set(guide.roles)],
        "other_guides": [guide for guide in guides.for_roles(roles) if not roles & set(guide.roles)],
    }
