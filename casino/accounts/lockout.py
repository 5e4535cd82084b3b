"""Count wrong passwords and one-time passwords (django-axes) without storing the submitted form.

Five wrong passwords or codes for a staff ID from one address lock the ID at that address. An attacker could
still try a few common passwords with every ID. Two more limits prevent this: for one address over all IDs
(CATWALK_ADDRESS_GUESSES), and for one ID over all addresses (CATWALK_NAME_GUESSES). These two limits do not
apply at an address from which the ID has logged in during the last KNOWN, so nobody can lock a person out of
their own workplace.

The form is not stored, because it may contain the passwords of five signers, of which only one is wrong. A
wrong password often differs from the right one by a single letter, or is the right one for another system.
Stored forms would also be part of every backup.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt, AccessLog
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest, QueryDict
from django.utils import timezone

KNOWN = timedelta(days=30)


class FailedLoginCounter(AxesDatabaseHandler):  # type: ignore[misc]
    """Counts failed logins for django-axes, and hides the submitted form from it."""

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **extra: Any
    ) -> None:
        """Count one more wrong password of the user in `credentials`."""
        if request is None:
            super().user_login_failed(sender, credentials, request, **extra)
            return
        query, form = request.GET, request.POST
        request.GET = request.POST = QueryDict()
        try:
            super().user_login_failed(sender, credentials, request, **extra)
        finally:
            request.GET, request.POST = query, form
        if self.is_spread(request, credentials):
            request.axes_locked_out = request.axes_is_spread = True  # type: ignore[attr-defined]
            request.axes_credentials = credentials  # type: ignore[attr-defined]

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        """Return True if this ID cannot log in or sign from this address now."""
        return bool(super().is_locked(request, credentials)) or self.is_spread(request, credentials)

    def is_spread(self, request: HttpRequest, credentials: dict[str, Any] | None) -> bool:
        """Return True if there were too many wrong passwords from this address for any IDs, or for this ID
        from any addresses. Always return False if the ID has logged in from this address within the time
        KNOWN.
        """
        name = get_client_username(request, credentials)
        address = getattr(request, "axes_ip_address", None)
        recent = AccessAttempt.objects.filter(attempt_time__gte=get_cool_off_threshold(request))
        guesses = []
        if address:
            guesses.append((recent.filter(ip_address=address), settings.ADDRESS_GUESSES))
        if name:
            guesses.append((recent.filter(username=name), settings.NAME_GUESSES))
        return any(
            (attempts.aggregate(wrong=Sum("failures_since_start"))["wrong"] or 0) >= limit
            for attempts, limit in guesses
        ) and not _is_known(name, address)


def _is_known(name: str | None, address: str | None) -> bool:
    """Return True if this ID has logged in from this address within the time KNOWN."""
    if not name or not address:
        return False
    since = timezone.now() - KNOWN
    return bool(AccessLog.objects.filter(username=name, ip_address=address, attempt_time__gte=since).exists())
