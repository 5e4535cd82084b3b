"""The proof that a fact of a hand is in the ledger, as a file."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe
from msgspec import json

from audit.queries import facts as recorded
from audit.review.hands import Played
from audit.tree import checkpoints, documents
from audit.tree.documents import NoProof
from casino.accounts import view_log
from casino.accounts.permissions import can, require
from casino.web.form_view import current_user

ACT = "see-facts"


@require_safe
def proof(request: HttpRequest, property: str, uid: UUID) -> HttpResponse:
    """Download the proof of a fact for the latest checkpoint, as `manage.py proof` prints it."""
    require(request.user, ACT, property)
    if recorded.hashes(property, str(uid)) is None:
        raise Http404(uid)
    try:
        document = documents.inclusion_proof(property, uid)
    except NoProof as error:
        raise BadRequest(str(error)) from None
    view_log.record_report(
        current_user(request), property, f"Proof of fact {uid}", reverse("fact_proof", args=[property, uid])
    )
    headers = {
        "Content-Disposition": f'attachment; filename="proof-{uid}.json"',
        "X-Content-Type-Options": "nosniff",
    }
    body = json.format(json.encode(document), indent=2)
    return HttpResponse(body, content_type="application/json", headers=headers)


def proofs_of(request: HttpRequest, played: Played) -> dict[str, Any]:
    """Return what a page needs to offer proofs of a hand's facts: whether the user may download them, and
    the latest checkpoint, or None if there is no checkpoint yet.
    """
    may_prove = can(request.user, ACT, played.property)
    return {
        "may_prove": may_prove,
        "checkpoint": checkpoints.latest(played.property) if may_prove else None,
    }
